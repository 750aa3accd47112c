"""Value similarity of many texts with a few others, all at once, without the whole graphs of `ngram_graph`.

The edges of the references are numbered, and a table counts how often each text has them. Edges of no reference only
add to the size of a text's graph. Most of them occur once: one that occurs again joins n-grams that are both repeated,
or is near one that is soon repeated. Only these are compared with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.counts import Booleans, Floats, IntArray
from classy_aesop.text.distinct import one_of_each
from classy_aesop.text.ngram_graph import numbered_windows

_LARGEST_TABLE = 1 << 22
_LARGEST_PRODUCT = 1 << 18
_CELLS_TOGETHER = 1 << 17  # a table of so many cells stays in a processor's cache
_MOST_EXACT = 16
_COMMON_MULTIPLE = 720_720.0
"""Of the numbers up to `_MOST_EXACT`: with it, shares of weight 1 are whole numbers, whose sums are exact."""


def value_similarities(texts: Sequence[str], n_references: int, *, n: int = 3, window: int = 3) -> Floats:
    """Value similarity of each text after the references with each reference, as by `graph_similarity.matches`.

    Parameters
    ----------
    texts : sequence of str
        Raw texts, the references first.
    n_references : int
        How many are references.
    n, window : int
        As for `ngram_graph.ngram_graphs_of`.

    Returns
    -------
    array, shape (n_texts - n_references, n_references)
        0 to 1; 0 if a graph is empty.

    Examples
    --------
    >>> value_similarities(["abc", "abcd", "abc"], 1, n=2, window=1).tolist()
    [[0.5], [1.0]]
    """
    places = _Places.of(texts, n, window)
    edges = _ReferenceEdges.of(places, n_references)
    shared, sizes = np.zeros((len(texts), n_references)), np.zeros(len(texts))
    n_together = max(1, _CELLS_TOGETHER // (edges.n + 1))
    for first in range(0, len(texts), n_together):
        chunk = slice(first, min(first + n_together, len(texts)))
        shared[chunk], sizes[chunk] = _compared(edges, chunk.start, chunk.stop)
    larger = np.maximum.outer(sizes[n_references:], sizes[:n_references])
    return shared[n_references:] / np.maximum(larger, 1)


@dataclass(frozen=True)
class _Places:
    """The n-grams of all texts, at the places where they begin; texts are so far apart that none is near another's.

    Parameters
    ----------
    ngram : array of int, shape (n_places,)
        The number of each n-gram; ``n_ngrams`` where none begins.
    starts : array of int, shape (n_texts + 1,)
        Where each text begins, and the number of places.
    lengths : array of int, shape (n_texts,)
        Number of n-grams of each text.
    n_ngrams, window : int
        How many n-grams are different, and the largest distance of neighbours.
    """

    ngram: IntArray
    starts: IntArray
    lengths: IntArray
    n_ngrams: int
    window: int

    @classmethod
    def of(cls, texts: Sequence[str], n: int, window: int) -> _Places:
        """Number the n-grams of texts."""
        n_between = max(n - 1, window)
        between = " " * n_between
        ngram, n_ngrams = numbered_windows(between.join([*texts, between]), n)
        lengths = np.fromiter(map(len, texts), np.intp, len(texts))
        starts = np.cumsum(np.append(0, lengths + n_between))
        outside = starts[1:, None] - n_between + np.arange(1 - n, n_between)
        ngram[np.maximum(outside, 0)] = n_ngrams
        return cls(ngram[: starts[-1]], starts, np.maximum(lengths - n + 1, 0), n_ngrams, window)

    @property
    def distances(self) -> range:
        """Distances of neighbours."""
        return range(1, self.window + 1)

    def between(self, first: int, last: int) -> slice:
        """The places of some texts."""
        return slice(self.starts[first], self.starts[last])

    @cached_property
    def text(self) -> IntArray:
        """The text of each place."""
        return np.repeat(np.arange(self.lengths.size), np.diff(self.starts))

    @cached_property
    def n_pairs(self) -> IntArray:
        """Number of pairs of neighbours of each text."""
        pairs: IntArray = np.maximum(self.lengths - np.array(self.distances)[:, None], 0).sum(axis=0)
        return pairs

    @cached_property
    def may_recur(self) -> Booleans:
        """Whether an edge of the n-gram at each place may occur again, if the same is so for its other n-gram."""
        width, n_texts = self.n_ngrams + 1, self.lengths.size
        exists = self.ngram < self.n_ngrams
        if n_texts * width > _LARGEST_TABLE:
            return exists
        cells = self.text * width + self.ngram
        may_recur = (np.bincount(cells, minlength=n_texts * width) > 1).take(cells) & exists
        may_recur[self._near_one_soon_repeated] = True
        return may_recur

    @property
    def _near_one_soon_repeated(self) -> IntArray:
        """Places with a neighbour that is also the neighbour of the same n-gram at another place."""
        ngram = self.ngram.astype(np.int32)
        is_same = np.zeros(ngram.size, bool)
        for distance in range(1, min(2 * self.window, ngram.size - 1) + 1):
            is_same[:-distance] |= ngram[distance:] == ngram[:-distance]
        found = np.flatnonzero(is_same & (ngram < self.n_ngrams))
        near = (found[:, None] + np.arange(-self.window, 3 * self.window + 1)).ravel()
        near = near[(near >= 0) & (near < ngram.size)]
        existing: IntArray = near[ngram[near] < self.n_ngrams]
        return existing


@dataclass(frozen=True)
class _ReferenceEdges:
    """The edges of references, numbered from 1.

    Parameters
    ----------
    places : _Places
        The n-grams of all texts.
    n_references : int
        How many texts are references; they come first.
    number : array of int, shape (n_places,)
        Number of the n-gram at each place among those of references; ``n_numbers`` for others.
    n_numbers : int
        How many there are.
    keys : array of int, shape (n,)
        Key of each edge: i * (n_numbers + 1) + j for the numbers i <= j; ascending, if they are too many for a table.
    """

    places: _Places
    n_references: int
    number: IntArray
    n_numbers: int
    keys: IntArray

    @classmethod
    def of(cls, places: _Places, n_references: int) -> _ReferenceEdges:
        """Find the edges of the first texts."""
        end = places.starts[n_references]
        is_known = np.zeros(places.n_ngrams + 1, bool)
        is_known[places.ngram[:end]] = True
        is_known[-1] = False
        n_numbers = int(np.count_nonzero(is_known))
        number = np.where(is_known, np.cumsum(is_known) - 1, n_numbers).take(places.ngram)
        keys = [number[:0]]
        for distance in places.distances:
            one, other = number[: max(0, end - distance)], number[distance:end]
            low, high = np.minimum(one, other), np.maximum(one, other)
            keys.append((low * (n_numbers + 1) + high).compress(high < n_numbers))
        key = np.concatenate(keys)
        distinct = key.compress(one_of_each(key))
        if not _has_table(n_numbers):
            distinct.sort()
        return cls(places, n_references, number, n_numbers, distinct)

    @property
    def n(self) -> int:
        """Number of edges."""
        return self.keys.size

    @cached_property
    def ways(self) -> Floats:
        """Number of directions of each edge: 2, or 1 for an n-gram with itself; 0 for the number 0."""
        is_loop = self.keys % (self.n_numbers + 2) == 0
        return np.append(0.0, 2.0 - is_loop)

    @cached_property
    def most_once(self) -> IntArray:
        """1 for each edge with weights up to `_MOST_EXACT` in the references, else 0."""
        is_light: Booleans = self.weights.max(axis=0, initial=0) <= _MOST_EXACT
        return is_light.astype(np.intp)

    @cached_property
    def shares_of_one(self) -> Floats:
        """The contribution of an edge of `most_once` that a text has once: to the sums, the size and the pairs.

        Shape (n + 1, n_references + 2); the sums with each reference are multiples.
        """
        kept = self.ways * self.most_once
        shares = kept * _COMMON_MULTIPLE / np.maximum(self.weights, 1) * (self.weights > 0)
        return np.column_stack([*shares, kept, kept > 0])

    @cached_property
    def weights(self) -> Floats:
        """How often each reference has each edge, shape (n_references, n + 1)."""
        return self.counts(0, self.n_references).astype(float)

    def counts(self, first: int, last: int) -> IntArray:
        """How often texts have each edge, shape (last - first, n + 1); column 0 is not used."""
        here, width, n_texts = self.places.between(first, last), self.n + 1, last - first
        row = (self.places.text[here] - first) * width
        cells = [edge + row[: edge.size] for edge in self.edges[:, here]]
        counts = np.bincount(np.concatenate(cells), minlength=n_texts * width).reshape(n_texts, width)
        counts[:, 0] = 0
        return counts

    @cached_property
    def edges(self) -> NDArray[np.integer[Any]]:
        """The edge of each place with the one at each distance, (window, n_places); 0 if no reference has it."""
        n_places, width = self.number.size, self.n_numbers + 1
        row = self.number * width
        edges: NDArray[np.integer[Any]] = np.zeros((self.places.window, n_places), self._small)
        for distance in range(1, min(self.places.window, n_places - 1) + 1):
            here, there = slice(0, n_places - distance), slice(distance, None)
            if self._table is not None:
                edges[distance - 1, here] = self._table.take(row[here] + self.number[there])
                continue
            key = np.minimum(row[here], row[there]) + np.maximum(self.number[here], self.number[there])
            rank = np.searchsorted(self.keys, key)
            edges[distance - 1, here] = np.where(np.append(self.keys, -1)[rank] == key, rank + 1, 0)
        return edges

    @property
    def _small(self) -> type[np.integer[Any]]:
        """A type for the numbers of edges."""
        return np.uint16 if self.n < 1 << 16 else np.int32

    @cached_property
    def _table(self) -> NDArray[np.integer[Any]] | None:
        """The number of each pair of numbers, in either order; None if that would be too large."""
        width = self.n_numbers + 1
        if not _has_table(self.n_numbers):
            return None
        table: NDArray[np.integer[Any]] = np.zeros(width**2, self._small)
        low, high = np.divmod(self.keys, width)
        table[self.keys] = table[high * width + low] = np.arange(1, self.n + 1)
        return table


def _has_table(n_numbers: int) -> bool:
    """Whether the pairs of so many n-grams are few enough for a table."""
    return (n_numbers + 1) ** 2 <= _LARGEST_TABLE


def _compared(edges: _ReferenceEdges, first: int, last: int) -> tuple[Floats, Floats]:
    """Compare texts with all references: the sums of shared weights, (n_texts, n_references), and the sizes."""
    counts = edges.counts(first, last)
    totals = _product((counts == 1).astype(float), edges.shares_of_one)
    totals[:, :-2] /= _COMMON_MULTIPLE
    n_texts, width = counts.shape
    held = np.flatnonzero(counts > edges.most_once)
    rows = np.arange(n_texts + 1) * width
    text = np.repeat(np.arange(n_texts), np.diff(np.searchsorted(held, rows)))
    edge, weight = held - rows.take(text), counts.ravel().take(held).astype(float)
    ways = edges.ways.take(edge)
    for at, weights in enumerate(edges.weights):
        other = weights.take(edge)
        ratio = np.minimum(weight, other) / np.maximum(weight, other) * ways
        totals[:, at] += np.bincount(text, ratio, n_texts)
    known = totals[:, -2] + np.bincount(text, ways, n_texts)
    n_known = totals[:, -1] + np.bincount(text, weight, n_texts)
    n_others = edges.places.n_pairs[first:last] - n_known
    return totals[:, :-2], known + 2 * n_others - _repeated(edges, first, last)


def _repeated(edges: _ReferenceEdges, first: int, last: int) -> Floats:
    """Number of directions of repeated edges of no reference in each text."""
    places, here = edges.places, edges.places.between(first, last)
    text, ngram, may_recur = places.text[here] - first, places.ngram[here], places.may_recur[here]
    width = places.n_ngrams
    keys, ways = [text[:0]], [text[:0]]
    for distance in range(1, min(places.window, ngram.size - 1) + 1):
        is_other = edges.edges[distance - 1, here][:-distance] == 0
        place = np.flatnonzero(is_other & may_recur[:-distance] & may_recur[distance:])
        one, other = ngram.take(place), ngram.take(place + distance)
        keys.append((text.take(place) * width + np.minimum(one, other)) * width + np.maximum(one, other))
        ways.append(2 - (one == other))
    key, way = np.concatenate(keys), np.concatenate(ways)
    return np.bincount(key // max(width**2, 1), 2.0 - way * one_of_each(key), last - first).astype(float)


def _product(table: Floats, columns: Floats) -> Floats:
    """Product of matrices of whole numbers, which is exact; few rows at a time, since BLAS would use many threads."""
    n_together = max(1, _LARGEST_PRODUCT // max(columns.size, 1))
    parts = [table[start : start + n_together] @ columns for start in range(0, len(table), n_together)]
    return np.concatenate(parts) if parts else np.zeros((0, columns.shape[1]))
