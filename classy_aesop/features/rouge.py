"""More of ROUGE as features: recall against the one reference where it is greatest, like `content.r2`.

All have shape (n_summaries,), are 0 for a summary without the n-grams in question and NaN where no reference is met.
What NIST published pools the references; that is `classy_aesop.baselines.rouge`.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.features.content import recalls
from classy_aesop.text.counts import Floats

_SOURCE = "Lin (2004), section 2"


@feature(kind="content", group="rouge", bounds=(0, 1), source=_SOURCE)
def r1(topic: TopicCounts) -> Floats:
    """Largest share of one reference's words that each summary repeats."""
    return topic.best_reference(recalls(topic.ngrams.unigrams))


@feature(kind="content", group="rouge", bounds=(0, 1), source=_SOURCE)
def r3(topic: TopicCounts) -> Floats:
    """Largest share of one reference's trigrams that each summary repeats."""
    return topic.best_reference(recalls(topic.texts.trigrams))


@feature(kind="content", group="rouge", bounds=(0, 1), source=_SOURCE)
def r4(topic: TopicCounts) -> Floats:
    """Largest share of one reference's sequences of four words that each summary repeats."""
    return topic.best_reference(recalls(topic.texts.fourgrams))


@feature(kind="content", group="rouge", bounds=(0, 1), source="Lin (2004), section 3.2")
def rl(topic: TopicCounts) -> Floats:
    """Largest share of one reference's words in the longest common subsequences of its sentences and the summary's."""
    n_tokens = np.maximum(topic.lines.references.n_tokens, 1)
    return topic.best_reference(topic.lines.subsequences / n_tokens)
