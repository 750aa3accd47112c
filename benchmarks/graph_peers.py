"""AutoSummENG, MeMoG and NPowER with plain dictionaries, each text's graph made once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.feature_peers import Case

N, WINDOW = 3, 3

Edge = tuple[str, str]
Graph = Mapping[Edge, float]


def by_dictionaries(given: Sequence[Case]) -> NDArray[np.float64]:
    """Score cases: (n_cases, 3) of AutoSummENG, MeMoG and NPowER; texts and merged graphs are remembered."""
    graph = lru_cache(maxsize=None)(graph_of)
    merged = lru_cache(maxsize=None)(lambda texts: merged_graph([graph(text) for text in texts]))
    scores = []
    for case in given:
        own = graph(case.summary)
        autosummeng = sum(value_similarity(own, graph(text)) for text in case.references) / len(
            case.references
        )
        memog = value_similarity(own, merged(case.references))
        scores.append((autosummeng, memog, 0.05866 + 0.52905 * autosummeng + 0.30053 * memog))
    return np.array(scores)


def graph_of(text: str) -> Counter[Edge]:
    """Count the pairs of neighbours of a text without its last line feed, smaller n-gram first."""
    text += "\n"
    ngrams = [text[at : at + N] for at in range(len(text) - N + 1)]
    pairs: Counter[Edge] = Counter()
    for distance in range(1, WINDOW + 1):
        pairs.update((a, b) if a <= b else (b, a) for a, b in zip(ngrams, ngrams[distance:], strict=False))
    return pairs


def merged_graph(graphs: Sequence[Graph]) -> Graph:
    """Mean weights over the union of the edges."""
    total: dict[Edge, float] = {}
    for graph in graphs:
        for edge, weight in graph.items():
            total[edge] = total.get(edge, 0) + weight / len(graphs)
    return total


def value_similarity(first: Graph, second: Graph) -> float:
    """Value similarity; an edge counts twice, one from an n-gram to itself once."""
    if not first or not second:
        return 0.0
    ratios = 0.0
    for (a, b), weight in first.items():
        other = second.get((a, b))
        if other is not None:
            ratio = weight / other if weight < other else other / weight
            ratios += ratio if a == b else 2 * ratio
    return ratios / max(size(first), size(second))


def size(graph: Iterable[Edge]) -> int:
    """Number of edges in both directions."""
    return sum(1 if a == b else 2 for a, b in graph)
