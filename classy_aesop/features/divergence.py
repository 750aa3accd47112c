"""Divergence from the references: how much the distribution of a summary's n-grams differs from theirs.

The references that a summary is compared with are pooled. If either side has no n-gram, the divergence is 1, as
between texts with nothing in common. It is NaN for a summary compared with no reference.
"""

from __future__ import annotations

from math import prod

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Booleans, Floats, IntArray, NgramCounts

_SOURCE = "Lin, Cao, Gao and Nie (2006)"


@feature(
    kind="content",
    group="divergence",
    bounds=(0, 1),
    source=_SOURCE,
    why="penalizes content that is overused as well as content that is missing; recall sees only what is missing",
)
def js_divergence1(topic: TopicCounts) -> Floats:
    """Jensen-Shannon divergence, in bits, between the words of each summary and of all its references."""
    return _divergence(topic, topic.ngrams.unigrams, topic.summaries.n_tokens)


@feature(kind="content", group="divergence", bounds=(0, 1), source=_SOURCE, why="the same for pairs of words")
def js_divergence2(topic: TopicCounts) -> Floats:
    """Jensen-Shannon divergence, in bits, between the bigrams of each summary and of all its references."""
    return _divergence(topic, topic.bigrams, np.maximum(topic.summaries.n_tokens - 1, 0))


def _divergence(topic: TopicCounts, ngrams: NgramCounts, n_ngrams: IntArray) -> Floats:
    """Half the sum of both sides' divergence from their mean m: sum p log2(p / m), for the shares p and q.

    An n-gram that only one side has adds half its share. So it is enough to look at n-grams of both sides: each
    reduces the largest divergence, 1, by p/2 (1 - log2(p / m)), and by the same with q for p.
    """
    *choices, n_summaries, n_references = topic.meets.shape
    every = topic.meets.reshape(prod(choices), n_summaries, n_references)
    shared = np.array([_shared(ngrams, n_ngrams, meets) for meets in every]).reshape(*choices, n_summaries)
    divergence: Floats = np.maximum(1 - shared / 2, 0.0) + topic.nothing_met
    return divergence


def _shared(ngrams: NgramCounts, n_ngrams: IntArray, meets: Booleans) -> Floats:
    """Sum, over the n-grams of both sides, of what each of them takes from twice the divergence, (n_summaries,)."""
    counts, pooled = ngrams.summaries, ngrams.pooled(meets)
    common = np.flatnonzero((counts > 0) & (pooled > 0))
    owner = common // max(counts.shape[1], 1)
    p = counts.take(common) / n_ngrams.take(owner)
    q = pooled.take(common) / (meets @ ngrams.reference_totals).take(owner)
    both = p + q
    shared: Floats = np.bincount(owner, p * np.log2(both / p) + q * np.log2(both / q), n_ngrams.size)
    return shared
