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
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.text.arrays import Floats, IndexArray, places_in_runs, run_starts, run_sums
from classy_aesop.text.bounds import snap_to_bounds
from classy_aesop.text.pairs import Pairs

_MAX_NGRAM_NUMBER = 1 << 24
"""Numbers of n-grams stay below this, so that the number of a pair of them and a text or topic fits into an integer."""

_NGRAM_LENGTH = 3
"""Characters of an n-gram."""

_WINDOW = 3
"""N-grams are neighbours if at most so many characters are between their starts."""

_LINE_FEED = "\n"

_CHARACTERS_TOGETHER = 1 << 14
"""Characters of topics that are compared at once: their edges stay in the cache."""


@dataclass(frozen=True)
class NgramGraphs:
    """The graphs of references and of summaries, on the edges that a reference has."""

    references: Floats  # (n_references, n_edges): how often its n-grams are neighbours; 0 where absent
    ways: Floats  # (n_edges,): its directions: 2, or 1 for an n-gram with itself
    edge: IndexArray  # (n_entries,): those of summaries
    summary: IndexArray  # (n_entries,): whose each is, each pair once
    weight: Floats  # (n_entries,): how often the edge's n-grams are neighbours in the summary
    sizes: Floats  # (n_summaries,): those of whole graphs, both directions

    @classmethod
    def from_texts(cls, references: Sequence[str], summaries: Sequence[str]) -> NgramGraphs:
        """Make the graphs of raw texts."""
        n_references = len(references)
        n_texts = n_references + len(summaries)
        edges = Edges.count_edges([*references, *summaries])
        text = edges.text  # texts with the same edge are adjacent, references first
        is_first = np.diff(edges.number, prepend=-1) != 0
        edge = np.cumsum(is_first) - 1
        ways = edges.ways[is_first]
        is_known = text[is_first] < n_references
        sizes = np.bincount(text, ways[edge], n_texts)[n_references:].astype(float)
        in_reference = is_known[edge]
        edge = (np.cumsum(is_known) - 1)[edge[in_reference]]
        text = text[in_reference]
        weight = edges.weight[in_reference]
        table = np.zeros((n_references, int(is_known.sum())))
        of_summary = text >= n_references
        table[text[~of_summary], edge[~of_summary]] = weight[~of_summary]
        entries = edge[of_summary], text[of_summary] - n_references, weight[of_summary]
        return cls(table, ways[is_known], *entries, sizes)

    def similarities(self, merged: ArrayLike) -> Floats:
        """Value similarity of every summary, (n_summaries,), with the graph merged from some references.

        The merged graph has all their edges, with the mean of their weights.
        """
        references = self.references[np.asarray(merged, np.intp)]
        merged_weights = np.full(len(references), 1 / max(len(references), 1)) @ references
        merged_size = float(self.ways[merged_weights > 0].sum())
        merged_weight = merged_weights[self.edge]
        ratio = np.minimum(self.weight, merged_weight) / np.maximum(self.weight, merged_weight)
        value = np.bincount(self.summary, ratio * self.ways[self.edge], self.sizes.size).astype(float)
        larger_size = np.maximum(np.maximum(self.sizes, merged_size), 1)
        return snap_to_bounds(value / larger_size, 0.0, 1.0)


@dataclass(frozen=True, eq=False)
class Graphs:
    """The graphs of the texts of several topics, of 3-grams up to 3 characters apart, made on first use."""

    texts: Sequence[Sequence[str]]  # each its sentences
    pairs: Pairs

    @cached_property
    def value_similarities(self) -> Floats:
        """VS of the texts of each pair, shape (n_pairs,); 0 if a graph is empty."""
        texts = list(map(raw_text, self.texts))
        n_characters = np.append(0, np.cumsum(list(map(len, texts)), dtype=np.intp))
        first_text = np.append(0, np.cumsum(self.pairs.n_texts))
        group_of_topic = n_characters.take(first_text[:-1]) // _CHARACTERS_TOGETHER
        bounds = [*run_starts(group_of_topic).tolist(), group_of_topic.size]
        similarities = [np.zeros(0)]
        for first, last in pairwise(bounds):
            pairs = self.pairs.select_topics(first, last)
            similarities.append(_compare_graphs(texts[first_text[first] : first_text[last]], pairs))
        return np.concatenate(similarities)


def _compare_graphs(texts: Sequence[str], pairs: Pairs) -> Floats:
    """VS of the texts of each pair, of some topics."""
    edges = Edges.count_edges(texts)
    # Equal edges of the texts of a topic are adjacent, references first.
    is_reference = pairs.is_reference.take(edges.text)
    starts = run_starts(edges.number * max(pairs.n_texts.size, 1) + pairs.topic_of_text.take(edges.text))
    sizes = np.diff(starts, append=edges.text.size)
    n_references = run_sums(is_reference, sizes)
    n_matches = np.repeat(n_references, sizes)
    n_matches[is_reference] = 0
    entry, reference_entry = places_in_runs(n_matches, np.repeat(starts, sizes))
    weight_of_summary = edges.weight.take(entry)
    weight_of_reference = edges.weight.take(reference_entry)
    lower_weight = np.minimum(weight_of_summary, weight_of_reference)
    ratio = lower_weight / np.maximum(weight_of_summary, weight_of_reference)
    number = pairs.number_of_text
    summary = number.take(edges.text.take(entry))
    pair = pairs.pairs_of(summary, number.take(edges.text.take(reference_entry)))
    value = np.bincount(pair, ratio * edges.ways.take(entry), minlength=pairs.n_pairs)
    n_edges = np.bincount(edges.text, edges.ways, minlength=pairs.topic_of_text.size)
    n_edges_of_summary = n_edges.compress(~pairs.is_reference).take(pairs.summary)
    n_edges_of_reference = n_edges.compress(pairs.is_reference).take(pairs.reference)
    n_edges_of_larger = np.maximum(n_edges_of_summary, n_edges_of_reference)
    similarities: Floats = value / np.maximum(n_edges_of_larger, 1)
    return similarities


def raw_text(sentences: Sequence[str]) -> str:
    """Join sentences as in a file, with a line feed after each.

    Of five ways to join them, this one reproduces published scores (docs/baselines.md).
    """
    return "".join(f"{sentence}\n" for sentence in sentences)


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of the graphs of several texts, in ascending order of their number, then of texts."""

    number: IndexArray  # (n_edges,): of a pair of n-grams in either order
    text: IndexArray  # (n_edges,)
    weight: IndexArray  # (n_edges,): how often the n-grams are neighbours in the text
    ways: Floats  # (n_edges,): directions: 2, or 1 for an n-gram with itself

    @classmethod
    def count_edges(cls, texts: Sequence[str]) -> Edges:
        """Count the pairs of neighbouring n-grams."""
        # So many line feeds stand between texts that no n-gram is a neighbour of one of another text.
        sizes = np.fromiter(map(len, texts), np.intp, len(texts)) + _WINDOW
        ngram, n_ngrams = _number_ngrams("".join(f"{text}{_WINDOW * _LINE_FEED}" for text in texts))
        bits = n_ngrams.bit_length()
        bits_of_text = len(texts).bit_length()
        text = np.repeat(np.arange(len(texts)), sizes)
        n_outside = np.minimum(sizes, _WINDOW + _NGRAM_LENGTH - 1)  # they begin too near the end of a text
        _, outside = places_in_runs(n_outside, np.cumsum(sizes) - n_outside)
        ngram = np.append(ngram, np.zeros(text.size - ngram.size, np.intp))
        ngram[outside] = -1
        codes = np.full((_WINDOW, text.size), -1)
        for distance in range(1, _WINDOW + 1):
            code = codes[distance - 1, : max(text.size - distance, 0)]
            np.minimum(ngram[:-distance], ngram[distance:], out=code)  # below 0 if one of them is outside
            code <<= bits
            code |= np.maximum(ngram[:-distance], ngram[distance:])
            code <<= bits_of_text
            code |= text[:-distance]
        ordered = np.sort(codes, axis=None)
        ordered = ordered[np.searchsorted(ordered, 0) :]
        starts = run_starts(ordered)
        weight = np.diff(starts, append=ordered.size)
        edge = ordered.take(starts)
        number = edge >> bits_of_text
        is_loop = number >> bits == number & (1 << bits) - 1
        return cls(number, edge & (1 << bits_of_text) - 1, weight, 2.0 - is_loop)


def _number_ngrams(text: str) -> tuple[IndexArray, int]:
    """Give the number of the n-gram at each place of a text, the same for equal ones, and a bound of the numbers."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    characters, n_characters = _number_distinct(points.astype(np.intp))
    n_places = max(characters.size - _NGRAM_LENGTH + 1, 0)
    ngram = characters[:n_places]
    n_ngrams = n_characters
    for step in range(1, _NGRAM_LENGTH):
        if n_ngrams * n_characters > _MAX_NGRAM_NUMBER:
            ngram, n_ngrams = _number_distinct(ngram)
        ngram = ngram * n_characters + characters[step : step + n_places]
        n_ngrams *= n_characters
    return (ngram, n_ngrams) if n_ngrams <= _MAX_NGRAM_NUMBER else _number_distinct(ngram)


def _number_distinct(keys: IndexArray) -> tuple[IndexArray, int]:
    """Number the distinct keys from 0, in ascending order, and count them."""
    bound = int(keys.max(initial=-1)) + 1
    if bound > _MAX_NGRAM_TABLE:
        distinct, numbers = np.unique(keys, return_inverse=True)
        return numbers, distinct.size
    is_in = np.zeros(bound, bool)
    is_in[keys] = True
    number = np.cumsum(is_in) - 1
    return number.take(keys), int(is_in.sum())


_MAX_NGRAM_TABLE = 1 << 21
"""Keys below this are numbered with a table instead of a sort."""
