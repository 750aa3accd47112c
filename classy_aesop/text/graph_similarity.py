"""How alike two n-gram graphs are: by value, by size, by value alone, by containment.

With sums over the edges that two graphs have in common, w and w' their weights, and |G| a graph's number of edges:

- value similarity VS = sum of min(w, w') / max(w, w'), divided by the larger |G|;
- size similarity SS = the smaller |G| by the larger;
- normalized value similarity NVS = VS / SS: the same sum divided by the smaller |G|;
- containment similarity CS = the number of common edges divided by the smaller |G|.

All lie in 0 to 1; all are 0 where a graph is empty, even if both are. The source is Giannakopoulos and others (2008),
*ACM TSLP* 5(3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.text.counts import Booleans, Floats
from classy_aesop.text.ngram_graph import NgramGraph, NgramGraphs


@dataclass(frozen=True)
class Matches:
    """What pairs of graphs have in common; arrays of one shape.

    Parameters
    ----------
    value : array of float
        Sum over the common edges of the smaller weight by the larger.
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
    """Match many graphs with one that may be merged; arrays of shape (n_texts,).

    Parameters
    ----------
    graphs : NgramGraphs
        Such edges of the graphs as the other can have.
    sizes : array of float, shape (n_texts,)
        Their sizes, all edges counted.
    weights, is_edge : array, shape (n_edges,)
        The other graph: the weight of every edge, and whether it has it.
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
    """NVS of two graphs, 0 to 1: VS where the sizes are made no account of; 0 if one is empty."""
    return matches(first, second).normalized_value_similarity.item()


def containment_similarity(first: NgramGraph, second: NgramGraph) -> float:
    """CS of two graphs, 0 to 1; 0 if one is empty."""
    return matches(first, second).containment_similarity.item()
