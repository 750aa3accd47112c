"""Features of sentences: which terms they share, how long they are, and what is repeated; references do not matter.

X is the matrix of the numbers of distinct terms that each two sentences of a summary share, with singular values in
descending order (Rankel 2016, section 5.4.1); sentences without a token do not count. Summaries with equally many
sentences are stacked, so that one matrix product and one eigenvalue routine handle them all.

All features have shape (n_summaries,) and use stemmed tokens. They are 0 for an empty summary, which counts as one
sentence; logarithms have base 2. Those of flow are 0 for a single sentence and, unlike the overlaps of Rankel (2016),
means, so that longer summaries do not get higher values.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from classy_aesop.features.counts import SummaryCounts
from classy_aesop.features.registry import feature
from classy_aesop.text.arrays import Floats, IndexArray, run_starts, starts_from_sizes
from classy_aesop.text.term_ids import TermIds

Matrices = list[tuple[IndexArray, Floats]]
"""Summaries with equally many sentences, and the matrix X of each, (n_summaries, n, n)."""


def overlap_matrices(written: SummaryCounts) -> Matrices:
    """Compute X, the numbers of terms that each two sentences share, of every summary that has a sentence."""
    size = written.summaries.n_sentences
    order = np.argsort(size, kind="stable")
    has_term = _mark_terms_of_sentences(written.summaries, size, order)
    matrices = []
    first = 0
    for rows in np.split(order, run_starts(size.take(order))[1:]):
        n = int(size[rows[0]]) if rows.size else 0
        P = has_term[first : first + rows.size * n].reshape(rows.size, n, has_term.shape[1])
        first += rows.size * n
        if n:
            matrices.append((rows, (P @ P.transpose(0, 2, 1)).astype(float)))
    return matrices


@dataclass(frozen=True)
class SentenceOverlaps:
    """What features use of the matrix X of each summary."""

    shared: Floats
    """Sum of the elements above the diagonal: distinct terms that a sentence shares with the next, (n_summaries,)."""

    shared_norm: Floats
    """The same, each over the geometric mean of both sentences' numbers of distinct terms, (n_summaries,)."""

    squares: Floats
    """Sums of squares of singular values: of all, all but the largest, all but the two largest, (n_summaries, 3)."""

    @classmethod
    def from_counts(cls, written: SummaryCounts) -> SentenceOverlaps:
        """Compute the overlaps of every summary."""
        n = written.summaries.n_texts
        shared = np.zeros(n)
        shared_norm = np.zeros(n)
        squares = np.zeros((n, 3))
        for rows, X in written.compute_once(overlap_matrices):
            adjacent = np.diagonal(X, 1, 1, 2)
            roots = np.sqrt(np.diagonal(X, 0, 1, 2))
            shared[rows] = sum_rows(adjacent)
            shared_norm[rows] = sum_rows(adjacent / (roots[:, :-1] * roots[:, 1:]))
            # X is a Gram matrix: its singular values are its eigenvalues; what is rounding only is 0.
            values = np.linalg.eigvalsh(X)[:, ::-1]
            noise = X.shape[1] * np.finfo(float).eps * values[:, :1]
            squared_values = np.square(np.where(values > noise, values, 0.0))
            sums = [sum_rows(squared_values[:, n_left_out:]) for n_left_out in range(3)]
            squares[rows] = np.stack(sums, axis=1)
        return cls(shared, shared_norm, squares)


@dataclass(frozen=True)
class SentenceSimilarity:
    """Mean similarity of the sentences of each summary; 0 for a single one.

    The similarity of two is the number of common terms over the geometric mean of both sentences' numbers of terms.
    """

    neighbours: Floats
    """Of neighbouring sentences, (n_summaries,)."""

    weighted_pairs: Floats
    """Of all pairs, weighted by 1 over their distance, (n_summaries,)."""

    pairs: Floats
    """Of all pairs, (n_summaries,)."""

    @classmethod
    def from_counts(cls, written: SummaryCounts) -> SentenceSimilarity:
        """Compare the sentences of every summary."""
        means = np.zeros((3, written.summaries.n_texts))
        for rows, X in written.compute_once(overlap_matrices):
            n = X.shape[1]
            first, second = np.nonzero(np.arange(n)[:, None] < np.arange(n))
            distance = second - first
            cells = X.reshape(-1, n * n)
            sizes = np.diagonal(X, axis1=1, axis2=2)
            roots = np.sqrt(sizes.take(first, axis=1) * sizes.take(second, axis=1))
            cosine = cells.take(first * n + second, axis=1) / roots
            weights = (distance == 1, 1 / distance, np.ones(distance.size))
            for mean, weight in zip(means, weights, strict=True):
                mean[rows] = sum_rows(weight * cosine) / (np.cumsum(weight)[-1] if n > 1 else 1)
        return cls(*means)


def _mark_terms_of_sentences(summaries: TermIds, size: IndexArray, order: IndexArray) -> NDArray[np.float32]:
    """Mark which of its text's terms each sentence has, (n_sentences, n_terms), 1 or 0.

    ``size`` is the number of sentences of each text, and ``order`` that of the texts in the result.
    """
    n_types = summaries.n_types
    text = summaries.text_of_sentence
    width = int(n_types.max(initial=0))
    # Single precision is exact for small whole numbers and needs half the memory.
    has_term = np.zeros(int(size.sum()) * width, np.float32)
    first_row = np.empty_like(size)
    first_row[order] = starts_from_sizes(size.take(order))
    row = np.arange(text.size) + (first_row - starts_from_sizes(size)).take(text)
    before_row = row * width - starts_from_sizes(n_types).take(text)
    has_term[summaries.type_of_token + np.repeat(before_row, summaries.sentence_lengths)] = 1.0
    return has_term.reshape(-1, width) if width else has_term.reshape(0, 0)


def sum_rows(rows: Floats) -> Floats:
    """Sum each row from left to right, so that the sum does not depend on the other rows."""
    sums: Floats = np.cumsum(rows, axis=1)[:, -1:].sum(axis=1)
    return sums


_RANKEL_ON_SENTENCES = "Rankel (2016), section 5.4.1"
_classic = partial(
    feature, kind="linguistic", group="classic", bounds=(0, np.inf), source=_RANKEL_ON_SENTENCES
)


@_classic(why="sentences that share terms with the next one are coherent")
def log_term_overlap(written: SummaryCounts) -> Floats:
    """Logarithm of 1 plus the sum, over the sentences, of the number of terms shared with the next one."""
    return np.log2(1 + written.compute_once(SentenceOverlaps.from_counts).shared)


@_classic(why="the same, but long sentences do not count more")
def norm_term_overlap(written: SummaryCounts) -> Floats:
    """Sum of the terms that neighbours share, each over the geometric mean of both sentences' numbers of terms."""
    return written.compute_once(SentenceOverlaps.from_counts).shared_norm


@_classic(why="what remains after removing the sentences' common theme")
def redundancy1(written: SummaryCounts) -> Floats:
    """Sum of squares of all singular values of X except the largest; high if little is repeated."""
    return written.compute_once(SentenceOverlaps.from_counts).squares[:, 1]


@_classic(why="the same for the two strongest themes")
def redundancy2(written: SummaryCounts) -> Floats:
    """Sum of squares of all singular values of X except the two largest."""
    return written.compute_once(SentenceOverlaps.from_counts).squares[:, 2]


@_classic(why="a varied vocabulary")
def term_entropy(written: SummaryCounts) -> Floats:
    """Entropy of the terms of each summary, in bits.

    Departs from the paper: it calls the term counts column sums, although terms are the rows.
    """
    return written.entropy(*written.summaries.type_counts)


@_classic(bounds=(-np.inf, 0), why="few long sentences or many short ones")
def neg_log2_sentences(written: SummaryCounts) -> Floats:
    """Minus the logarithm of the number of sentences."""
    return 0.0 - np.log2(np.maximum(written.summaries.n_sentences, 1))


@_classic(bounds=(-np.inf, 0), why="sentences of even length")
def neg_sentence_entropy(written: SummaryCounts) -> Floats:
    """Minus the entropy of the sentence lengths, in bits.

    Departs from the paper: its text defines the entropy itself; its tables list the negative, as here.
    """
    return 0.0 - written.entropy(written.summaries.sentence_lengths, written.summaries.text_of_sentence)


_DISTINCT = "Li and others (2016): 1 less distinct-n"
_repetition = partial(feature, kind="linguistic", group="repetition", bounds=(0, 1))


@_repetition(
    source="Dang (2006), question 2: non-redundancy",
    why="the plainest redundancy: extracts of several articles, loops of a generator",
)
def repeated_sentences(written: SummaryCounts) -> Floats:
    """Share of sentences with the same terms in the same order as an earlier one."""
    n_sentences = written.summaries.n_sentences
    return (n_sentences - written.summaries.n_distinct_sentences) / np.maximum(n_sentences, 1)


@_repetition(source=_DISTINCT, why="loops and repeated facts")
def repeated_bigrams(written: SummaryCounts) -> Floats:
    """Share of bigrams that occur earlier in the summary."""
    return _share_of_repeated(written.summaries.n_tokens - 1, written.summaries.n_distinct_bigrams)


@_repetition(source=_DISTINCT, why="the same with fewer chance hits")
def repeated_trigrams(written: SummaryCounts) -> Floats:
    """Share of trigrams that occur earlier in the summary."""
    return _share_of_repeated(written.summaries.n_tokens - 2, written.summaries.count_distinct(3))


@_repetition(
    source="Rankel (2016), section 5.4.1, as a share", why="`redundancy1` grows with length; a share does not"
)
def norm_redundancy(written: SummaryCounts) -> Floats:
    """`redundancy1` divided by the sum of squares of all singular values of X; 0 for a single sentence."""
    total, total_without_largest, _ = written.compute_once(SentenceOverlaps.from_counts).squares.T
    return np.asarray(total_without_largest / np.where(total > 0, total, 1.0))


def _share_of_repeated(n_ngrams: IndexArray, n_distinct: IndexArray) -> Floats:
    """Give the share of n-grams that also occur earlier; ``n_ngrams`` may be below 0 where there are none."""
    return (np.maximum(n_ngrams, 0) - n_distinct) / np.maximum(n_ngrams, 1)


_flow = partial(feature, kind="linguistic", group="flow", bounds=(0, 1), source="Lapata and Barzilay (2005)")


@_flow(why="local coherence, whatever the number of sentences")
def flow_next(written: SummaryCounts) -> Floats:
    """Mean similarity of neighbouring sentences."""
    return written.compute_once(SentenceSimilarity.from_counts).neighbours


@_flow(source="Guinaudeau and Strube (2013)", why="the same where the link skips a sentence")
def flow_near(written: SummaryCounts) -> Floats:
    """Mean similarity of all pairs of sentences, weighted by 1 over their distance."""
    return written.compute_once(SentenceSimilarity.from_counts).weighted_pairs


@_flow(
    bounds=(-1, 1),
    why="coherence that is due to the order: zero on average when sentences are shuffled, however repetitive",
)
def flow_order(written: SummaryCounts) -> Floats:
    """Mean similarity of neighbouring sentences minus that of all pairs: the effect of their order."""
    similarity = written.compute_once(SentenceSimilarity.from_counts)
    return similarity.neighbours - similarity.pairs
