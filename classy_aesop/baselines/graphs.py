"""AutoSummENG, MeMoG and NPowER: summaries compared with references as graphs of character n-grams.

AutoSummENG is the mean, over references, of the value similarity of two graphs (Giannakopoulos and others 2008, *ACM
TSLP* 5(3)). MeMoG is the similarity with one graph, merged from all references (Giannakopoulos and Karkaletsis 2010,
TAC). NPowER is a linear combination of both (2013, CICLing). Parameters are those of TAC: 3-grams of characters, which
are neighbours if at most 3 characters apart.

Departs from the paper: MeMoG uses value similarity, because in published scores against one reference MeMoG equals
AutoSummENG; ``MeMoG-NVS`` uses normalized value similarity. NPowER uses the former.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.baselines.base import Score, mean_met, nothing_met, score_rows
from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, listed
from classy_aesop.features.table import HasTopics
from classy_aesop.text.arrays import Booleans, Floats
from classy_aesop.text.ngram_graphs import Matches, NgramGraphs, raw_text

if TYPE_CHECKING:
    import pandas as pd


Similarity = Callable[[Matches], Floats]

NPOWER = (0.05866, 0.52905, 0.30053)
"""NPowER's constant and its weights of AutoSummENG and MeMoG, derived from published scores of all three."""

RATES: dict[str, Callable[[int, int], float]] = {
    "mean": lambda i, h: 1 / i,
    "integer": lambda i, h: 1.0 if i == 1 else 1.0 - i // h,
}
"""How far the i-th of h references moves the merged weights towards its own.

``mean`` gives the mean of the weights. ``integer`` is the published program's 1 - i/h in integer division, whose
result is the last reference but one.
"""


def ngram_graphs(
    corpus: HasTopics | Iterable[Topic],
    *,
    jackknife: bool,
    n_min: int = 3,
    n_max: int = 3,
    window: int = 3,
    merging: str = "mean",
    metrics: Iterable[str] = ("AutoSummENG", "MeMoG", "NPowER"),
) -> pd.DataFrame:
    """Score every summary by n-gram graphs.

    Parameters
    ----------
    corpus, jackknife
        As for `base.score_rows`.
    n_min, n_max : int
        Shortest and longest n-grams in characters, 1 or more. With several lengths, the similarity is their weighted
        mean, where length n has the weight n_min + ... + n.
    window : int
        Largest distance between two neighbours, 1 or more.
    merging : {"mean", "integer"}
        A key of `RATES`.
    metrics : iterable of str
        Keys of `METRICS`.

    Returns
    -------
    pandas.DataFrame
        Scores of 0 to 1 (NPowER .05866 to .88824); NaN for a summary compared with no reference. A text of at most n
        characters, including its last line feed, has an empty graph and a similarity of 0, so its NPowER is the
        constant.

    Raises
    ------
    InputError
        If a metric or ``merging`` is unknown, or a length or the window is below 1; and as `base.score_rows`.
    """
    _check_lengths(n_min, n_max, window)
    if merging not in RATES:
        raise InputError(f"merging is {merging!r}; expected one of {', '.join(RATES)}")
    functions = _functions(metrics)

    def prepare(topic: Topic) -> Mapping[str, Score]:
        """Make a topic's graphs, of each length of n-grams."""
        texts = [[raw_text(one.text) for one in part] for part in (topic.references, topic.summaries)]
        lengths = range(n_min, n_max + 1)
        graphs = TopicGraphs([NgramGraphs.of(*texts, n=n, window=window) for n in lengths], n_min, merging)
        return {name: metric(graphs) for name, metric in functions.items()}

    return score_rows(corpus, prepare, jackknife=jackknife, tokenizer="unicode")


def _check_lengths(n_min: int, n_max: int, window: int) -> None:
    """Check the lengths of n-grams and the window."""
    if n_min < 1:
        raise InputError(f"n_min is {n_min}; expected 1 or more")
    if n_max < n_min:
        raise InputError(f"n_max is {n_max}; expected n_min = {n_min} or more")
    if window < 1:
        raise InputError(f"window is {window}; expected 1 or more")


def _functions(metrics: Iterable[str]) -> dict[str, Callable[[TopicGraphs], Score]]:
    names = list(metrics)
    unknown = [name for name in names if name not in METRICS]
    if unknown:
        raise InputError(
            f"no n-gram graph metric is named {listed(unknown)}; expected some of {', '.join(METRICS)}"
        )
    return {name: METRICS[name] for name in names}


# --- the graphs of a topic ---


def merge_shares(h: int, merging: str = "mean") -> Floats:
    """Share of each of ``h`` references in the merged weights, shape (h,).

    The i-th reference moves every weight towards its own weight by its rate; its weight is 0 for an edge it lacks.

    Examples
    --------
    >>> merge_shares(4).tolist(), merge_shares(4, "integer").tolist()
    ([0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 1.0, 0.0])
    """
    shares = np.zeros(h)
    for i in range(1, h + 1):
        rate = RATES[merging](i, h)
        shares *= 1 - rate
        shares[i - 1] = rate
    return shares


class TopicGraphs:
    """The summaries of a topic, matched with merged graphs of its references, each choice of them once.

    Parameters
    ----------
    levels : sequence of NgramGraphs
        The graphs of each length of n-grams.
    n_min : int
        The first length; length n has a weight proportional to n_min + ... + n.
    merging : str
        A key of `RATES`.
    """

    def __init__(self, levels: Sequence[NgramGraphs], n_min: int, merging: str) -> None:
        self.shape = levels[0].sizes.size, len(levels[0].references)
        weights = np.cumsum(np.arange(n_min, n_min + len(levels)))
        self.weights = weights / weights.sum()
        self.matches = cache(
            lambda merged: [one.matches(merged, merge_shares(len(merged), merging)) for one in levels]
        )

    def similarity(self, similarity: Similarity, merged: tuple[int, ...]) -> Floats:
        """Similarity of every summary with the merged graph of some references, shape (n_summaries,)."""
        weighted: Floats = self.weights @ np.stack([similarity(pairs) for pairs in self.matches(merged)])
        return weighted

    def mean(self, similarity: Similarity) -> Score:
        """Score by the mean similarity with each reference met."""
        values = np.empty(self.shape)
        for at in range(self.shape[1]):
            values[:, at] = self.similarity(similarity, (at,))
        return lambda meets: mean_met(values, meets)

    def merged(self, similarity: Similarity) -> Score:
        """Score by the similarity with the merged graph of all references met."""

        def score(meets: Booleans) -> Floats:
            scores = nothing_met(meets)
            for choice in dict.fromkeys(map(tuple, meets.reshape(scores.size, self.shape[1]).tolist())):
                found = self.similarity(similarity, tuple(np.flatnonzero(choice)))
                scores += np.where((meets == choice).all(axis=-1), found, 0.0)
            return scores

        return score


# --- metrics ---


def autosummeng(graphs: TopicGraphs) -> Score:
    """Mean value similarity with the references met."""
    return graphs.mean(lambda pairs: pairs.value_similarity)


def memog(graphs: TopicGraphs) -> Score:
    """Value similarity with the merged graph of the references met."""
    return graphs.merged(lambda pairs: pairs.value_similarity)


def npower(graphs: TopicGraphs) -> Score:
    """Constant plus weighted AutoSummENG and MeMoG."""
    constant, *weights = NPOWER
    parts = autosummeng(graphs), memog(graphs)
    return lambda meets: constant + weights[0] * parts[0](meets) + weights[1] * parts[1](meets)


METRICS: dict[str, Callable[[TopicGraphs], Score]] = {
    "AutoSummENG": autosummeng,
    "MeMoG": memog,
    "NPowER": npower,
    "MeMoG-NVS": lambda graphs: graphs.merged(lambda pairs: pairs.normalized_value_similarity),
    "NVS": lambda graphs: graphs.mean(lambda pairs: pairs.normalized_value_similarity),
    "SS": lambda graphs: graphs.mean(lambda pairs: pairs.size_similarity),
    "CS": lambda graphs: graphs.mean(lambda pairs: pairs.containment_similarity),
}
"""The metrics of `ngram_graphs`; the last three are means over references, as AutoSummENG is of VS."""
