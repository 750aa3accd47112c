"""Value similarity of many texts with a few others, all at once, without the whole graphs of `ngram_graph`.

Most edges occur once in a text: two n-grams that are not both repeated in it, and neither of them again nearby, are
neighbours only here. Only the others are sorted to count them; edges of no reference only add to the size.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.counts import Booleans, Floats, IntArray
from classy_aesop.text.ngram_graph import character_ngrams

_LARGEST_TABLE = 1 << 22


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
    ngrams = _Ngrams(*character_ngrams(texts, n), n_texts=len(texts))
    edges, sizes = _edges(ngrams, n_references, window)
    weights = edges.table(n_references)
    ours = edges.after(n_references)
    values = np.zeros((len(texts) - n_references, n_references))
    for at, weight in enumerate(weights):
        values[:, at] = ours.shared_value(weight, len(values))
    return values / np.maximum(np.maximum.outer(sizes[n_references:], sizes[:n_references]), 1)


class _Ngrams(NamedTuple):
    """The number and the text of each n-gram, how many numbers there are, and how many texts."""

    ngram: IntArray
    text: IntArray
    n_ngrams: int
    n_texts: int


@dataclass(frozen=True)
class _Edges:
    """Edges of texts that a reference has; ``once`` and ``often`` are the edge and the text of each entry.

    Those that occur once in their text come first, grouped by text three times. ``weight`` is how often each of the
    others occurs, ``ways`` its number of directions, and ``n`` the number of edges.
    """

    once: tuple[IntArray, IntArray]
    often: tuple[IntArray, IntArray]
    weight: Floats
    ways: Floats
    n: int

    def table(self, n_texts: int) -> Floats:
        """Weight of each edge in the first texts, shape (n_texts, n_edges); 0 where it is missing."""
        weights = np.zeros((n_texts, self.n))
        for (edge, text), weight in ((self.once, np.ones(self.once[0].size)), (self.often, self.weight)):
            first = text < n_texts
            weights[text[first], edge[first]] = weight[first]
        return weights

    def after(self, n_texts: int) -> _Edges:
        """Drop the first texts."""
        once, often = (np.flatnonzero(text >= n_texts) for _, text in (self.once, self.often))
        return _Edges(
            (self.once[0][once], self.once[1][once] - n_texts),
            (self.often[0][often], self.often[1][often] - n_texts),
            self.weight[often],
            self.ways[often],
            self.n,
        )

    def shared_value(self, weight: Floats, n_texts: int) -> Floats:
        """Sum over each text's edges of the smaller weight divided by the larger, shape (n_texts,)."""
        inverse = np.divide(2.0, weight, out=np.zeros_like(weight), where=weight > 0)
        other = weight.take(self.often[0])
        ratio = np.minimum(self.weight, other) / np.maximum(self.weight, other)
        total = np.zeros(n_texts)
        for values, (starts, text) in zip(
            (inverse.take(self.once[0]), ratio * self.ways), self._runs, strict=True
        ):
            if starts.size:
                total += np.bincount(text, np.add.reduceat(values, starts), n_texts)
        return total

    @cached_property
    def _runs(self) -> list[tuple[IntArray, IntArray]]:
        """Where the entries of another text begin, and which text; for those that occur once, and for the others."""
        starts = [np.flatnonzero(np.diff(text, prepend=-1)) for _, text in (self.once, self.often)]
        return [(starts[0], self.once[1][starts[0]]), (starts[1], self.often[1][starts[1]])]


def _edges(ngrams: _Ngrams, n_references: int, window: int) -> tuple[_Edges, Floats]:
    """Find the edges that references have, and the size of every text's graph."""
    ngram, text, n_ngrams, n_texts = ngrams
    number, n_numbers = _numbers(ngrams, n_references)
    known, is_repeated, is_near = number[ngram], _is_repeated(ngrams), _is_near(ngram, 2 * window)
    is_known = known >= 0
    lengths, starts = np.bincount(text, minlength=n_texts), np.searchsorted(text, np.arange(n_texts + 1))
    n_single = np.zeros(n_texts, np.intp)
    once, often = [(ngram[:0], ngram[:0])], [(ngram[:0], ngram[:0])]
    for distance in range(1, window + 1):
        first, second = slice(0, max(0, ngram.size - distance)), slice(distance, None)
        is_pair = text[first] == text[second]
        may_recur = is_repeated[first] & is_repeated[second] | is_near[first] | is_near[second]
        place = np.flatnonzero(is_pair & ~may_recur & is_known[first] & is_known[second])
        once.append((_key(known[place], known[place + distance], n_numbers), text[place]))
        place = np.flatnonzero(is_pair & may_recur)
        often.append((_key(ngram[place], ngram[place + distance], n_ngrams), text[place]))
        n_single += np.maximum(lengths - distance, 0) - np.diff(np.searchsorted(place, starts))
    low, high, owner, weight = _counted(*_concatenated(often), ngrams)
    ways = np.where(low == high, 1.0, 2.0)
    sizes: Floats = np.bincount(owner, ways, n_texts) + 2.0 * n_single
    low, high = number[low], number[high]
    held = np.flatnonzero((low >= 0) & (high >= 0))
    keys, texts = _concatenated(once)
    more, owner = low[held] * n_numbers + high[held], owner[held]
    wanted = np.append(keys[texts < n_references], more[owner < n_references])
    edge, kept, n = _edge_numbers(np.append(keys, more), wanted, n_numbers**2)
    n_once = int(np.searchsorted(kept, keys.size))
    left = kept[n_once:] - keys.size
    held = held[left]
    return _Edges(
        (edge[:n_once], texts[kept[:n_once]]), (edge[n_once:], owner[left]), weight[held], ways[held], n
    ), sizes


def _concatenated(parts: Sequence[tuple[IntArray, IntArray]]) -> tuple[IntArray, IntArray]:
    first, second = zip(*parts, strict=True)
    return np.concatenate(first), np.concatenate(second)


def _key(first: IntArray, second: IntArray, n_ngrams: int) -> IntArray:
    """One number for each pair of n-grams in either order."""
    keys: IntArray = np.minimum(first, second) * n_ngrams + np.maximum(first, second)
    return keys


def _counted(pair: IntArray, text: IntArray, ngrams: _Ngrams) -> tuple[IntArray, IntArray, IntArray, Floats]:
    """Give each pair of each text once: its two n-grams, its text, and how often it occurs; ordered by text."""
    n_pairs = ngrams.n_ngrams**2
    keys = text * n_pairs + pair
    if n_pairs * ngrams.n_texts <= np.iinfo(np.uint32).max:
        keys = keys.astype(np.uint32)  # sorted in half the time
    keys.sort()
    first = np.flatnonzero(np.append(True, keys[1:] != keys[:-1])[: keys.size])
    weight = np.diff(first, append=keys.size).astype(float)
    distinct = keys[first].astype(np.intp)
    ends = np.searchsorted(distinct, n_pairs * np.arange(1, ngrams.n_texts + 1))
    owner = np.repeat(np.arange(ngrams.n_texts), np.diff(ends, prepend=0))
    low, high = np.divmod(distinct - n_pairs * owner, max(ngrams.n_ngrams, 1))
    return low, high, owner, weight


def _numbers(ngrams: _Ngrams, n_references: int) -> tuple[IntArray, int]:
    """Number the n-grams of references from 0 in their order; others get -1."""
    is_known = np.zeros(ngrams.n_ngrams, bool)
    is_known[ngrams.ngram[: np.searchsorted(ngrams.text, n_references)]] = True
    number = np.cumsum(is_known) - 1
    return np.where(is_known, number, -1), int(np.count_nonzero(is_known))


def _edge_numbers(keys: IntArray, wanted: IntArray, n_keys: int) -> tuple[IntArray, IntArray, int]:
    """Give the rank of each wanted key among the distinct ones, the places of these keys, and how many are distinct."""
    if n_keys > _LARGEST_TABLE:
        distinct = np.unique(wanted)
        rank = np.searchsorted(distinct, keys)
        kept = np.flatnonzero(np.append(distinct, -1)[rank] == keys)
        return rank[kept], kept, distinct.size
    narrow = wanted.size < np.iinfo(np.int16).max
    number: NDArray[np.signedinteger[Any]] = np.full(n_keys, -1, np.int16 if narrow else np.int32)
    number[wanted] = 0
    distinct = np.flatnonzero(number == 0)
    number[distinct] = np.arange(distinct.size)
    found = number[keys]
    kept = np.flatnonzero(found >= 0)
    return found[kept].astype(np.intp), kept, distinct.size


def _is_repeated(ngrams: _Ngrams) -> Booleans:
    """Whether each n-gram occurs more than once in its text; where that is not counted, it may."""
    n_cells = ngrams.n_texts * ngrams.n_ngrams
    if n_cells > _LARGEST_TABLE:
        return np.ones(ngrams.ngram.size, bool)
    cells = ngrams.text * ngrams.n_ngrams + ngrams.ngram
    repeated: Booleans = (np.bincount(cells, minlength=n_cells) > 1)[cells]
    return repeated


def _is_near(ngram: IntArray, most: int) -> Booleans:
    """Whether each n-gram occurs again at a distance of at most ``most``."""
    is_near = np.zeros(ngram.size, bool)
    for distance in range(1, min(most, ngram.size - 1) + 1):
        is_same = ngram[distance:] == ngram[:-distance]
        is_near[distance:] |= is_same
        is_near[:-distance] |= is_same
    return is_near
