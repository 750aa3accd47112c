"""AutoSummENG, MeMoG and NPowER: summaries compared with references as graphs of character n-grams.

AutoSummENG is the mean, over references, of the value similarity of two graphs (Giannakopoulos and others 2008, *ACM
TSLP* 5(3)). MeMoG is the similarity with one graph, merged from all references (Giannakopoulos and Karkaletsis 2010,
TAC). NPowER is a linear combination of both (2013, CICLing). Parameters are those of TAC: 3-grams of characters, which
are neighbours if at most 3 characters apart.

Departs from the paper: MeMoG uses value similarity and not the normalized one, because in published scores against one
reference MeMoG equals AutoSummENG.
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
from classy_aesop.text.ngram_graphs import NgramGraphs, raw_text

if TYPE_CHECKING:
    import pandas as pd


NPOWER = (0.05866, 0.52905, 0.30053)
"""NPowER's constant and its weights of AutoSummENG and MeMoG, derived from published scores of all three."""


def ngram_graphs(
    corpus: HasTopics | Iterable[Topic],
    *,
    jackknife: bool,
    n_min: int = 3,
    n_max: int = 3,
    window: int = 3,
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
        If a metric is unknown, or a length or the window is below 1; and as `base.score_rows`.
    """
    _check_lengths(n_min, n_max, window)
    functions = _functions(metrics)

    def prepare(topic: Topic) -> Mapping[str, Score]:
        """Make a topic's graphs, of each length of n-grams."""
        texts = [[raw_text(one.text) for one in part] for part in (topic.references, topic.summaries)]
        lengths = range(n_min, n_max + 1)
        graphs = TopicGraphs([NgramGraphs.of(*texts, n=n, window=window) for n in lengths], n_min)
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


class TopicGraphs:
    """The summaries of a topic, compared with merged graphs of its references, each choice of them once.

    Parameters
    ----------
    levels : sequence of NgramGraphs
        The graphs of each length of n-grams.
    n_min : int
        The first length; length n has a weight proportional to n_min + ... + n.
    """

    def __init__(self, levels: Sequence[NgramGraphs], n_min: int) -> None:
        self.shape = levels[0].sizes.size, len(levels[0].references)
        weights = np.cumsum(np.arange(n_min, n_min + len(levels)))
        shares = weights / weights.sum()
        self.similarities = cache(
            lambda merged: shares @ np.stack([one.similarities(merged) for one in levels])
        )

    def autosummeng(self) -> Score:
        """Score by the mean similarity with each reference met."""
        values = np.empty(self.shape)
        for at in range(self.shape[1]):
            values[:, at] = self.similarities((at,))
        return lambda meets: mean_met(values, meets)

    def memog(self) -> Score:
        """Score by the similarity with the merged graph of all references met."""

        def score(meets: Booleans) -> Floats:
            scores = nothing_met(meets)
            for choice in dict.fromkeys(map(tuple, meets.reshape(scores.size, self.shape[1]).tolist())):
                found = self.similarities(tuple(np.flatnonzero(choice)))
                scores += np.where((meets == choice).all(axis=-1), found, 0.0)
            return scores

        return score

    def npower(self) -> Score:
        """Score by a constant plus weighted AutoSummENG and MeMoG."""
        constant, *weights = NPOWER
        parts = self.autosummeng(), self.memog()
        return lambda meets: constant + weights[0] * parts[0](meets) + weights[1] * parts[1](meets)


METRICS: dict[str, Callable[[TopicGraphs], Score]] = {
    "AutoSummENG": TopicGraphs.autosummeng,
    "MeMoG": TopicGraphs.memog,
    "NPowER": TopicGraphs.npower,
}
"""The metrics of `ngram_graphs`."""
