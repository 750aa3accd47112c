"""Character n-gram graphs of texts, as integer arrays, for AutoSummENG and MeMoG.

The vertices of a text's graph are its character n-grams. An edge joins two n-grams that begin at most ``window``
characters apart; its weight is the number of times that they do. The window is symmetric, so every pair makes an edge
in both directions. These two edges are stored once and counted as two; an n-gram that follows itself has one edge to
itself (Giannakopoulos and others 2008, *ACM TSLP* 5(3); the counting follows the published scores, see
docs/baselines.md).

Text is raw: case, punctuation and white space matter. Characters are Unicode code points without normalization: ``é``
as one code point differs from ``e`` with a combining accent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.text.counts import Floats, IntArray

_LARGEST_TABLE = 1 << 22


@dataclass(frozen=True)
class NgramGraph:
    """The graph of one text, or of several merged; comparable only with graphs of the same `NgramGraphs`.

    Parameters
    ----------
    edges : array of int, shape (n_edges,)
        Numbers of its edges, ascending.
    weights : array of float, shape (n_edges,)
        How often the n-grams of each edge are neighbours, or the mean over merged graphs.
    ways : array of int, shape (n_edges,)
        Number of directions of each edge: 2, or 1 for an n-gram with itself.
    """

    edges: IntArray
    weights: Floats
    ways: IntArray

    @property
    def size(self) -> int:
        """Number of edges, counting both directions; 0 for a text of at most n characters."""
        return int(self.ways.sum())


@dataclass(frozen=True)
class NgramGraphs:
    """The graphs of several texts, with a common numbering of edges.

    Parameters
    ----------
    edge, text : array of int, shape (n_entries,)
        The edge and the text of each entry; ascending by edge, then by text, each pair once.
    weight : array of float, shape (n_entries,)
        How often the edge's n-grams are neighbours in the text.
    ways : array of int, shape (n_edges,)
        Number of directions of every edge: 2, or 1 for an n-gram with itself.
    n_texts : int
        Number of texts, including those with empty graphs.
    """

    edge: IntArray
    text: IntArray
    weight: Floats
    ways: IntArray
    n_texts: int

    def __getitem__(self, text: int) -> NgramGraph:
        if not 0 <= text < self.n_texts:
            raise IndexError(f"graph {text} of {self.n_texts}")
        selected = self.text == text
        return NgramGraph(self.edge[selected], self.weight[selected], self.ways[self.edge[selected]])

    def __len__(self) -> int:
        return self.n_texts

    @cached_property
    def entry_ways(self) -> Floats:
        """Number of directions of each entry's edge, shape (n_entries,)."""
        return self.ways[self.edge].astype(float)

    @cached_property
    def sizes(self) -> Floats:
        """Number of edges of each graph, counting both directions, shape (n_texts,)."""
        return self.sums(self.entry_ways)

    def sums(self, values: Floats) -> Floats:
        """Sum over the entries of each text, shape (n_texts,)."""
        return np.bincount(self.text, values, self.n_texts).astype(float, copy=False)

    def table(self, n_texts: int) -> Floats:
        """Weights of all edges in the first ``n_texts`` texts, shape (n_texts, n_edges); 0 for a missing edge."""
        first = self.text < n_texts
        weights = np.zeros((n_texts, self.ways.size))
        weights[self.text[first], self.edge[first]] = self.weight[first]
        return weights

    def known(self, n_texts: int) -> NgramGraphs:
        """Keep the edges that are in one of the first ``n_texts`` texts, renumbered."""
        is_known = np.zeros(self.ways.size, bool)
        is_known[self.edge[self.text < n_texts]] = True
        kept = is_known[self.edge]
        number = np.cumsum(is_known) - 1
        return NgramGraphs(
            number[self.edge[kept]], self.text[kept], self.weight[kept], self.ways[is_known], self.n_texts
        )

    def after(self, n_texts: int) -> NgramGraphs:
        """Drop the first ``n_texts`` texts."""
        kept = self.text >= n_texts
        texts = self.text[kept] - n_texts
        return NgramGraphs(self.edge[kept], texts, self.weight[kept], self.ways, self.n_texts - n_texts)


def raw_text(sentences: Sequence[str]) -> str:
    r"""Join sentences as in a file, with a line feed after each.

    Of five ways to join them, this one reproduces published scores (docs/baselines.md).

    Examples
    --------
    >>> raw_text(("One.", "Two."))
    'One.\nTwo.\n'
    """
    return "".join(f"{sentence}\n" for sentence in sentences)


def ngram_graphs_of(texts: Sequence[str], *, n: int = 3, window: int = 3) -> NgramGraphs:
    """Make the graphs of texts.

    Parameters
    ----------
    texts : sequence of str
        Raw texts.
    n : int
        Characters of an n-gram, 1 or more.
    window : int
        Largest distance between two neighbours, 1 or more.

    Examples
    --------
    ``ab ba`` has the bigrams ``ab``, ``b␣``, ``␣b``, ``ba``, and ``aaa`` twice ``aa``.

    >>> graphs = ngram_graphs_of(["ab ba", "aaa", "a"], n=2, window=1)
    >>> graphs.sizes.tolist(), graphs[1].weights.tolist()
    ([6.0, 1.0, 0.0], [1.0])
    """
    ngram, text, n_ngrams = character_ngrams(texts, n)
    first, second = [ngram[:0]], [ngram[:0]]
    owners = [text[:0]]
    for distance in range(1, window + 1):
        is_pair = text[distance:] == text[:-distance]
        first.append(ngram[:-distance][is_pair])
        second.append(ngram[distance:][is_pair])
        owners.append(text[distance:][is_pair])
    a, b = np.concatenate(first), np.concatenate(second)
    pairs = np.minimum(a, b) * n_ngrams + np.maximum(a, b)
    return _counted(pairs, np.concatenate(owners), n_ngrams, len(texts))


def _counted(pairs: IntArray, owner: IntArray, n_ngrams: int, n_texts: int) -> NgramGraphs:
    """Count the equal pairs of each text; sorted by pair, so that texts with the same edge are adjacent."""
    keys, counts = np.unique(pairs * n_texts + owner, return_counts=True)
    pair, text = np.divmod(keys, max(n_texts, 1))
    is_first = np.diff(pair, prepend=-1) != 0
    low, high = np.divmod(pair[is_first], max(n_ngrams, 1))
    ways = np.where(low == high, 1, 2)
    return NgramGraphs(np.cumsum(is_first) - 1, text, counts.astype(float), ways, n_texts)


def character_ngrams(texts: Sequence[str], n: int) -> tuple[IntArray, IntArray, int]:
    """Number the n-grams of all texts; returns each n-gram's number and text, and how many numbers there are."""
    lengths = np.fromiter(map(len, texts), np.intp, len(texts))
    owner = np.repeat(np.arange(len(texts)), lengths)
    ngram, n_ngrams = numbered_windows("".join(texts), n)
    within_text = owner[: ngram.size] == owner[owner.size - ngram.size :]
    return ngram[within_text], owner[: ngram.size][within_text], n_ngrams


def numbered_windows(text: str, n: int) -> tuple[IntArray, int]:
    """Number the distinct n-grams of a text from 0; returns the number at each place, and how many there are."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    character, n_characters = _numbered(points.astype(np.intp))
    n_windows = max(character.size - n + 1, 0)
    ngram, n_ngrams = character[:n_windows], n_characters
    for step in range(1, n):
        ngram = ngram * n_characters + character[step : step + n_windows]
        n_ngrams *= n_characters
        if step == n - 1 or n_ngrams * n_characters > _LARGEST_TABLE:
            ngram, n_ngrams = _numbered(ngram)
    return ngram, n_ngrams


def _numbered(keys: IntArray) -> tuple[IntArray, int]:
    """Number the distinct keys from 0 in ascending order."""
    if keys.max(initial=0) > _LARGEST_TABLE:
        distinct, numbers = np.unique(keys, return_inverse=True)
        return numbers, distinct.size
    is_there = np.zeros(keys.max(initial=-1) + 1, bool)
    is_there[keys] = True
    distinct = np.flatnonzero(is_there)
    number = np.empty(is_there.size, np.intp)
    number[distinct] = np.arange(distinct.size)
    return number.take(keys), distinct.size
