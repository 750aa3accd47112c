"""Character n-gram graphs of texts, and how similar they are, for AutoSummENG and MeMoG.

The vertices of a text's graph are its character n-grams. An edge joins two n-grams that begin at most ``window``
characters apart; its weight is the number of times that they do. The window is symmetric, so every pair makes an edge
in both directions. These two edges are stored once and counted as two; an n-gram that follows itself has one edge to
itself (Giannakopoulos and others 2008, *ACM TSLP* 5(3); the counting follows the published scores, see
docs/baselines.md).

Text is raw: case, punctuation and white space matter. Characters are Unicode code points without normalization: ``é``
as one code point differs from ``e`` with a combining accent.

The value similarity of two graphs is the sum, over their common edges, of the smaller weight divided by the larger,
divided by the larger number of edges: 0 to 1, and 0 if either graph is empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.text.arrays import Floats, IntArray

_MOST_NUMBERS = 1 << 26  # of n-grams: the number of a text and a pair of them fits into an integer


@dataclass(frozen=True)
class NgramGraphs:
    """The graphs of references and of summaries, on the edges that a reference has."""

    references: Floats  # (n_references, n_edges): how often its n-grams are neighbours; 0 where absent
    ways: Floats  # (n_edges,): its directions: 2, or 1 for an n-gram with itself
    edge: IntArray  # (n_entries,): those of summaries
    summary: IntArray  # (n_entries,): whose each is, each pair once
    weight: Floats  # (n_entries,): how often the edge's n-grams are neighbours in the summary
    sizes: Floats  # (n_summaries,): those of whole graphs, both directions

    @classmethod
    def of(
        cls, references: Sequence[str], summaries: Sequence[str], *, n: int = 3, window: int = 3
    ) -> NgramGraphs:
        """Make the graphs of raw texts, of n-grams of ``n`` characters at most ``window`` apart; both are 1 or more."""
        n_references, n_texts = len(references), len(references) + len(summaries)
        pairs, texts, n_ngrams = _neighbours([*references, *summaries], n, window)
        keys, counts = np.unique(pairs * n_texts + texts, return_counts=True)
        pair, text = np.divmod(
            keys, max(n_texts, 1)
        )  # texts with the same edge are adjacent, references first
        is_first = np.diff(pair, prepend=-1) != 0
        edge, (low, high) = np.cumsum(is_first) - 1, np.divmod(pair[is_first], max(n_ngrams, 1))
        ways, is_known = np.where(low == high, 1.0, 2.0), text[is_first] < n_references
        sizes = np.bincount(text, ways[edge], n_texts)[n_references:].astype(float)
        kept = is_known[edge]
        edge, text, weight = (np.cumsum(is_known) - 1)[edge[kept]], text[kept], counts[kept].astype(float)
        table, of_summary = np.zeros((n_references, int(is_known.sum()))), text >= n_references
        table[text[~of_summary], edge[~of_summary]] = weight[~of_summary]
        entries = edge[of_summary], text[of_summary] - n_references, weight[of_summary]
        return cls(table, ways[is_known], *entries, sizes)

    def similarities(self, merged: ArrayLike) -> Floats:
        """Value similarity of every summary, (n_summaries,), with the graph merged from some references.

        The merged graph has all their edges, with the mean of their weights.
        """
        references = self.references[np.asarray(merged, np.intp)]
        weights = np.full(len(references), 1 / max(len(references), 1)) @ references
        other, ways, size = weights[self.edge], self.ways[self.edge], float(self.ways[weights > 0].sum())
        ratio = np.minimum(self.weight, other) / np.maximum(self.weight, other)
        value = np.bincount(self.summary, ratio * ways, self.sizes.size).astype(float)
        return value / np.maximum(np.maximum(self.sizes, size), 1)


@dataclass(frozen=True, eq=False)
class Graphs:
    """The graphs of a topic's texts, each its sentences, of 3-grams up to 3 characters apart, made on first use."""

    references: Sequence[Sequence[str]]
    summaries: Sequence[Sequence[str]]

    @cached_property
    def value_similarities(self) -> Floats:
        """VS of each summary with each reference, shape (n_summaries, n_references); 0 if a graph is empty."""
        graphs = NgramGraphs.of(*(list(map(raw_text, texts)) for texts in (self.references, self.summaries)))
        found = np.empty((len(self.summaries), len(self.references)))
        for at in range(len(self.references)):
            found[:, at] = graphs.similarities([at])
        return found


def raw_text(sentences: Sequence[str]) -> str:
    """Join sentences as in a file, with a line feed after each.

    Of five ways to join them, this one reproduces published scores (docs/baselines.md).
    """
    return "".join(f"{sentence}\n" for sentence in sentences)


def _neighbours(texts: Sequence[str], n: int, window: int) -> tuple[IntArray, IntArray, int]:
    """Number every pair of neighbouring n-grams, in either order; with the text of each, and a bound of n-grams."""
    ngram, n_ngrams = _numbered_ngrams("".join(texts), n)
    text = np.repeat(np.arange(len(texts)), np.fromiter(map(len, texts), np.intp, len(texts)))
    pairs, owners = [ngram[:0]], [text[:0]]
    for distance in range(1, window + 1):
        far = n - 1 + distance  # from the first character of one to the last of the other
        inside = np.flatnonzero(text[: max(text.size - far, 0)] == text[far:])
        one, other = ngram[inside], ngram[inside + distance]
        pairs.append(np.minimum(one, other) * n_ngrams + np.maximum(one, other))
        owners.append(text[inside])
    return np.concatenate(pairs), np.concatenate(owners), n_ngrams


def _numbered_ngrams(text: str, n: int) -> tuple[IntArray, int]:
    """Number the n-grams of a text, equal ones alike; gives the number at each place, and a bound of the numbers."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    characters, n_characters = _distinct(points.astype(np.intp))
    n_places = max(characters.size - n + 1, 0)
    ngram, n_ngrams = characters[:n_places], n_characters
    for step in range(1, n):
        if n_ngrams * n_characters > _MOST_NUMBERS:
            ngram, n_ngrams = _distinct(ngram)
        ngram, n_ngrams = ngram * n_characters + characters[step : step + n_places], n_ngrams * n_characters
    return (ngram, n_ngrams) if n_ngrams <= _MOST_NUMBERS else _distinct(ngram)


def _distinct(keys: IntArray) -> tuple[IntArray, int]:
    """Number the distinct keys from 0."""
    found, numbers = np.unique(keys, return_inverse=True)
    return numbers, found.size
