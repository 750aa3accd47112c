"""Divergence from the references: how much the distribution of a summary's n-grams differs from theirs.

The references that a summary is compared with are pooled. If either side has no n-gram, the divergence is 1, as
between texts with nothing in common. It is NaN for a summary compared with no reference.
"""

from __future__ import annotations

from math import prod

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Counts, Floats, IntArray, NgramCounts, SmallIntegers

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
    words = topic.ngrams.unigrams
    return _divergence(topic, words, topic.summaries.n_tokens, words.pooled(topic.meets))


@feature(kind="content", group="divergence", bounds=(0, 1), source=_SOURCE, why="the same for pairs of words")
def js_divergence2(topic: TopicCounts) -> Floats:
    """Jensen-Shannon divergence, in bits, between the bigrams of each summary and of all its references."""
    n_bigrams = np.maximum(topic.summaries.n_tokens - 1, 0)
    return _divergence(topic, topic.bigrams, n_bigrams, topic.pooled_bigrams)


def _divergence(topic: TopicCounts, ngrams: NgramCounts, n_ngrams: IntArray, pooled: SmallIntegers) -> Floats:
    """Half the sum of both sides' divergence from their mean m: sum p log2(p / m), for the shares p and q.

    An n-gram that only one side has adds half its share. So it is enough to look at n-grams of both sides: each
    reduces the largest divergence, 1, by p/2 (1 - log2(p / m)), and by the same with q for p.
    """
    counts, sizes = ngrams.summaries, topic.meets @ ngrams.reference_totals
    n = prod(sizes.shape[:-1])  # of choices of references
    choices = zip(pooled.reshape(n, *counts.shape), sizes.reshape(n, len(counts)), strict=True)
    shared = np.array([_shared(counts, n_ngrams, *one) for one in choices]).reshape(sizes.shape)
    divergence: Floats = np.maximum(1 - shared / 2, 0.0) + topic.nothing_met
    return divergence


def _shared(counts: Counts, n_ngrams: IntArray, pooled: SmallIntegers, sizes: IntArray) -> Floats:
    """Sum, over the n-grams of both sides, of what each of them takes from twice the divergence, (n_summaries,)."""
    common = np.flatnonzero((counts > 0) & (pooled > 0))
    owner = common // max(counts.shape[1], 1)
    p = counts.take(common) / n_ngrams.take(owner)
    q = pooled.take(common) / sizes.take(owner)
    both = p + q
    saved = p * np.log2(both / p) + q * np.log2(both / q)
    return np.bincount(owner, saved, n_ngrams.size).astype(float, copy=False)
