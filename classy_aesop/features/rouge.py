"""Further ROUGE metrics as features: recall against the reference for which it is highest, like `content.r2`.

All have shape (n_summaries,), are 0 for a summary without such n-grams and NaN for a summary compared with no
reference. NIST's published ROUGE scores pool the references instead; see `classy_aesop.baselines.rouge`.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.features.content import recalls
from classy_aesop.text.counts import Floats

_SOURCE = "Lin (2004), section 2"

_feature = partial(feature, kind="content", group="rouge", bounds=(0, 1), source=_SOURCE)


@_feature(why="content word by word, whatever the wording")
def r1(topic: TopicCounts) -> Floats:
    """Word recall against the reference for which it is highest."""
    return topic.best_reference(recalls(topic.ngrams.unigrams))


@_feature(why="wording: content in the same phrases")
def r3(topic: TopicCounts) -> Floats:
    """Trigram recall against the reference for which it is highest."""
    return topic.best_reference(recalls(topic.ngrams.trigrams))


@_feature(why="longer phrases; separates extracts from rewritten text")
def r4(topic: TopicCounts) -> Floats:
    """Recall of sequences of four words against the reference for which it is highest."""
    return topic.best_reference(recalls(topic.ngrams.fourgrams))


@_feature(source="Lin (2004), section 3.2", why="the order of words, with gaps")
def rl(topic: TopicCounts) -> Floats:
    """Recall of words in longest common subsequences, against the reference for which it is highest."""
    n_tokens = np.maximum(topic.lines.references.n_tokens, 1)
    return topic.best_reference(topic.lines.subsequences / n_tokens)
