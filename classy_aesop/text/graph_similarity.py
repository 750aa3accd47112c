"""Similarities of two n-gram graphs: value, size, normalized value and containment similarity.

Sums run over the common edges of two graphs with the weights w and w'; the size of a graph is its number of edges.

- value similarity VS = sum of min(w, w') / max(w, w'), divided by the larger size;
- size similarity SS = the smaller size divided by the larger;
- normalized value similarity NVS = VS / SS: the same sum divided by the smaller size;
- containment similarity CS = the number of common edges divided by the smaller size.

All are between 0 and 1, and 0 if either graph is empty. The source is Giannakopoulos and others (2008), *ACM TSLP*
5(3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.text.counts import Booleans, Floats
from classy_aesop.text.ngram_graph import NgramGraph, NgramGraphs, raw_text
from classy_aesop.text.shared_edges import value_similarities


@dataclass(frozen=True)
class Matches:
    """What pairs of graphs have in common; all arrays have the same shape.

    Parameters
    ----------
    value : array of float
        Sum over the common edges of the smaller weight divided by the larger.
    common : array of float
        Number of common edges.
    smaller, larger : array of float
        The two sizes of each pair.
    """

    value: Floats
    common: Floats
    smaller: Floats
    larger: Floats

    @property
    def value_similarity(self) -> Floats:
        """VS of each pair."""
        return self.value / np.maximum(self.larger, 1)

    @property
    def size_similarity(self) -> Floats:
        """SS of each pair."""
        return self.smaller / np.maximum(self.larger, 1)

    @property
    def normalized_value_similarity(self) -> Floats:
        """NVS of each pair."""
        return self.value / np.maximum(self.smaller, 1)

    @property
    def containment_similarity(self) -> Floats:
        """CS of each pair."""
        return self.common / np.maximum(self.smaller, 1)


def matches(first: NgramGraph, second: NgramGraph) -> Matches:
    """Match two graphs of the same `NgramGraphs`; arrays of shape (1,)."""
    _, at, at_other = np.intersect1d(first.edges, second.edges, assume_unique=True, return_indices=True)
    w, other, ways = first.weights[at], second.weights[at_other], first.ways[at]
    value = (np.minimum(w, other) / np.maximum(w, other) * ways).sum()
    smaller, larger = sorted((first.size, second.size))
    return Matches(*np.array([value, ways.sum(), smaller, larger], float)[:, None])


def matches_with(graphs: NgramGraphs, sizes: Floats, weights: Floats, is_edge: Booleans) -> Matches:
    """Match many graphs with another one, which may be merged; arrays of shape (n_texts,).

    Parameters
    ----------
    graphs : NgramGraphs
        The graphs, restricted to edges that the other one may have.
    sizes : array of float, shape (n_texts,)
        Their sizes, counting all edges.
    weights, is_edge : array, shape (n_edges,)
        The other graph: the weight of every edge, and whether the graph has it.
    """
    other = weights[graphs.edge]
    ratio = np.minimum(graphs.weight, other) / np.maximum(graphs.weight, other)
    size = float(graphs.ways[is_edge].sum())
    return Matches(
        value=graphs.sums(ratio * graphs.entry_ways),
        common=graphs.sums(is_edge[graphs.edge] * graphs.entry_ways),
        smaller=np.minimum(sizes, size),
        larger=np.maximum(sizes, size),
    )


def value_similarity(first: NgramGraph, second: NgramGraph) -> float:
    """VS of two graphs, 0 to 1; 1 for equal graphs, 0 if one is empty.

    Examples
    --------
    ``abc`` and ``abcd`` share the edge of ``ab`` and ``bc``, one of two.

    >>> from classy_aesop.text.ngram_graph import ngram_graphs_of
    >>> graphs = ngram_graphs_of(["abc", "abcd"], n=2, window=1)
    >>> value_similarity(graphs[0], graphs[1]), normalized_value_similarity(graphs[0], graphs[1])
    (0.5, 1.0)
    """
    return matches(first, second).value_similarity.item()


def size_similarity(first: NgramGraph, second: NgramGraph) -> float:
    """SS of two graphs, 0 to 1; 0 if one is empty."""
    return matches(first, second).size_similarity.item()


def normalized_value_similarity(first: NgramGraph, second: NgramGraph) -> float:
    """NVS of two graphs, 0 to 1: VS without the effect of their sizes; 0 if one is empty."""
    return matches(first, second).normalized_value_similarity.item()


def containment_similarity(first: NgramGraph, second: NgramGraph) -> float:
    """CS of two graphs, 0 to 1; 0 if one is empty."""
    return matches(first, second).containment_similarity.item()


@dataclass(frozen=True, eq=False)
class Graphs:
    """The graphs of a topic's texts, of 3-grams up to 3 characters apart, made on first use.

    Parameters
    ----------
    references, summaries : sequence of sequences of str
        The sentences of each text, as written.
    """

    references: Sequence[Sequence[str]]
    summaries: Sequence[Sequence[str]]

    @cached_property
    def value_similarities(self) -> Floats:
        """VS of each summary with each reference, shape (n_summaries, n_references); 0 if a graph is empty."""
        texts = [raw_text(text) for text in (*self.references, *self.summaries)]
        return value_similarities(texts, len(self.references))
