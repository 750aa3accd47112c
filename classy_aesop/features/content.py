"""Content features: how much of the references a summary repeats.

The definitions are those of Rankel (2016), section 5.4.2, on stemmed tokens with stop words kept. All have shape
(n_summaries,), are 0 for a summary without such n-grams and NaN for a summary compared with no reference. An
update summary is compared separately with the references of the initial set and of its own set, so each feature has
two columns there.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Floats, NgramCounts

_SOURCE = "Rankel (2016), section 5.4.2"

_feature = partial(feature, kind="content", group="classic", bounds=(0, np.inf), source=_SOURCE)


@_feature(bounds=(0, 1), why="used by NIST; bigrams show content and some fluency")
def r2(topic: TopicCounts) -> Floats:
    """Bigram recall against the reference for which it is highest.

    Departs from the paper: the denominator counts the reference's bigrams. The printed one counts the summary's,
    which does not give a recall.
    """
    return topic.best_reference(recalls(topic.bigrams))


@_feature(bounds=(0, 1), why="pairs of words need not be adjacent")
def su4(topic: TopicCounts) -> Floats:
    """Recall of skip-bigrams and unigrams against the reference for which it is highest.

    The two words of a skip-bigram have at most four words between them. The last unigram is not counted, as in
    ROUGE-1.5.5.
    """
    return topic.best_reference(recalls(topic.skip_bigrams))


@_feature(why="weights content by how many references contain it, as a pyramid does")
def coverage(topic: TopicCounts) -> Floats:
    """Sum, over the distinct bigrams of each summary, of the share of references that contain them."""
    return topic.total(topic.bigrams.shared_types) / np.maximum(topic.n_met, 1)


@_feature(why="content shared with any reference")
def bigrams(topic: TopicCounts) -> Floats:
    """Number of bigrams of each summary that match its references, pooled."""
    hits: Floats = topic.bigrams.pooled_hits(topic.pooled_bigrams) + topic.nothing_met
    return hits


@_feature(why="agreement with the closest reference")
def bigrams_p2p(topic: TopicCounts) -> Floats:
    """Largest number of bigrams that each summary repeats from one reference (point to point)."""
    return topic.best_reference(topic.bigrams.clipped_hits)


@_feature(why="the same, without credit for repetition")
def coverage_p2p(topic: TopicCounts) -> Floats:
    """Largest number of distinct bigrams that each summary shares with one reference."""
    return topic.best_reference(topic.bigrams.shared_types)


def recalls(ngrams: NgramCounts) -> Floats:
    """Share of each reference's n-grams that each summary repeats; 0 for a reference without any."""
    return ngrams.clipped_hits / np.maximum(ngrams.reference_totals, 1)
