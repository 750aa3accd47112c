"""Rankel et al. (2011): which pairs of summarizers differ, scores by summarizer and topic, and which topics differ."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.analysis.tables import FloatArray, mixed_pairs, only, places
from classy_aesop.data import Humans, matrix, natural
from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.significance.base import ALPHA, IntArray, is_significant, slack_of, snapped
from classy_aesop.significance.descriptive import kruskal_wallis, tukey_on_ranks
from classy_aesop.significance.pair_resampling import METHODS, resample_pairs
from classy_aesop.significance.pairs import TESTS, compare_pairs
from classy_aesop.studies.judged import StudyData
from classy_aesop.studies.printed import with_printed
from classy_aesop.work.seeding import seeded_rng

ALL, MIXED = "Rankel et al. (2011), Table 1", "Rankel et al. (2011), Table 2"
PRINTED = {"n_significant": "printed"}

PRESET = "rankel2011"
"""How the paper's tests were computed."""


def pair_counts(
    data: StudyData,
    *,
    metrics: Sequence[str] | None = None,
    pairs: str = "all",
    with_resampling: bool = False,
    alpha: float = 0.05,
    n_resamples: int = 2_000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Count the significant pairs of all peers, uncorrected, by each test.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers; by default all peers.
    metrics : sequence of str, optional
        Only these human measures and metrics.
    pairs : {"all", "mixed"}
        All pairs (Table 1), or those of a human and a system (Table 2).
    with_resampling : bool
        Also count by random exchanges (MC) and on resampled topics (HB), with ``n_resamples`` each.
    alpha : float
        A pair is significant if p is at most this.
    n_resamples, seed : int
        Of the resampling.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        A row for each year, task, measure or metric, and test: ``year, task, metric, pairs, test, n_pairs,
        n_significant, share``; for resampling tests also ``n_by_cutoff``, where a pair is significant if its statistic
        reaches the papers' cutoff, and ``n_resamples, seed``. With ``printed`` where the data are the paper's.

    Raises
    ------
    UsageError
        If a metric, year or task does not exist.
    InputError
        If nothing has two summarizers, or for mixed pairs a human and a system.

    Warns
    -----
    DataWarning
        For years, tasks and measures that have no such pair.
    """
    from tqdm import tqdm

    tables = data.tables("all_peers", wanted=metrics)
    every = only(pd.concat([tables.judgments, tables.scores]), "metric", metrics).dropna(subset="score")
    laid = _laid_out(every, pairs, tables.humans)
    rows = [
        {"year": place[0], "task": place[1], "metric": name, "pairs": pairs, **row}
        for (*place, name), (X, compared) in tqdm(laid.items(), disable=not progress, unit="metric")
        for row in _counted(
            X,
            compared,
            alpha=alpha,
            n_resamples=n_resamples if with_resampling else 0,
            rng=partial(seeded_rng, seed, *place, name),
        )
    ]
    table = pd.DataFrame(rows)
    if with_resampling:
        table = table.astype({"n_by_cutoff": "Int64"}).assign(n_resamples=n_resamples, seed=seed)
    item = ALL if pairs == "all" else MIXED
    as_there = alpha == ALPHA and data.peers in (None, "all_peers")
    return with_printed(table, tables.judgments, item, ["metric", "test"], PRINTED, as_there=as_there)


Laid = dict[tuple[str, str, str], tuple[FloatArray, IntArray | None]]


def _laid_out(every: pd.DataFrame, pairs: str, humans: Humans) -> Laid:
    """Give, by year, task and metric, the scores as summarizers x topics, and the pairs, or None for all.

    What has no pair is left out with a `DataWarning`; InputError if nothing has one.
    """
    laid: Laid = {}
    without = []
    for place, group in places(every).items():
        for name in sorted(set(group["metric"]), key=natural):
            X, summarizers, _ = matrix(group, name)
            mixed = None if pairs == "all" else mixed_pairs(place[0], summarizers, humans)
            if len(X) < 2 or (mixed is not None and not len(mixed)):
                without.append(" ".join(("-".join(filter(None, place)), name)).strip())
            else:
                laid[*place, name] = X, mixed
    expected = "two summarizers or more" if pairs == "all" else "scores of humans and of systems"
    message = f"no pairs to count for {listed(without) or 'anything'}; expected {expected}"
    if not laid:
        raise InputError(message)
    if without:
        warnings.warn(f"left out: {message}", DataWarning, stacklevel=3)
    return laid


def _counted(
    X: FloatArray,
    pairs: IntArray | None,
    *,
    alpha: float,
    n_resamples: int,
    rng: Callable[[str], np.random.Generator],
) -> Iterator[dict[str, object]]:
    for test in TESTS:
        found = compare_pairs(X, test=test, pairs=pairs, preset=PRESET, correction="none")
        yield _count(test, found.p, alpha)
    for method in METHODS if n_resamples else ():
        for test in TESTS:
            how: dict[str, Any] = {"method": method, "test": test, "pairs": pairs, "n_resamples": n_resamples}
            how |= {"preset": PRESET, "correction": "none"}
            found = resample_pairs(X, rng=rng(method), **how)
            share = resample_pairs(X, cutoff=True, rng=rng(method), **how).p
            yield {
                **_count(found.test, found.p, alpha),
                "n_by_cutoff": int(is_significant(share, alpha).sum()),
            }


def _count(test: str, p: FloatArray, alpha: float) -> dict[str, object]:
    n = int(is_significant(p, alpha).sum())
    return {"test": test, "n_pairs": len(p), "n_significant": n, "share": n / len(p)}


FIGURE_1 = "Rankel et al. (2011), Figure 1"

Place = tuple[str, str]


def score_map(
    data: StudyData,
    metric: str,
) -> pd.DataFrame:
    """Scores of a measure or metric by summarizer and topic, both in order of their means: the cells of a heat map.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers.
    metric : str
        A human measure or a metric.

    Returns
    -------
    DataFrame
        ``year, task, metric, summarizer, human, topic, row, column, score``; row 1 has the highest mean of the
        summarizers, column 1 that of the topics, equal means in the order of names. Summaries without a score are
        left out.
    """
    tables = data.tables("all_peers", wanted=[metric])
    every = pd.concat([tables.judgments, tables.scores])
    scores_of_metric = only(every, "metric", [metric]).dropna(subset="score")
    parts = []
    for place, part in places(scores_of_metric).items():
        X, summarizers, topics = matrix(part, metric)
        row = dict(zip(summarizers, _ranks(X), strict=True))
        column = dict(zip(topics, _ranks(X.T), strict=True))
        human = [tables.humans[place[0], name] for name in part["summarizer"]]
        ordered = part.assign(row=part["summarizer"].map(row), column=part["topic"].map(column), human=human)
        parts.append(ordered.sort_values(["row", "column"]))
    columns = ["year", "task", "metric", "summarizer", "human", "topic", "row", "column", "score"]
    return pd.concat(parts, ignore_index=True)[columns]


def _ranks(X: FloatArray) -> IntArray:
    """Place of each row by its mean, 1 for the highest."""
    ranks = np.empty(len(X), dtype=np.int64)
    means = snapped(np.nanmean(X, axis=1), slack_of(X))
    ranks[np.argsort(-means, kind="stable")] = np.arange(1, len(X) + 1)
    return ranks


def topic_ranks(
    data: StudyData,
    metric: str,
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Kruskal-Wallis over topics, and Tukey's comparisons of their mean ranks: the bars of the figure.

    Parameters
    ----------
    data, metric
        As for :func:`score_map`.
    alpha : float
        Chance of any false difference between two topics.

    Returns
    -------
    DataFrame
        A row for each topic: ``year, task, metric, topic, n`` (scores), ``mean_rank``; ``low, high``, its comparison
        interval (two topics differ where theirs do not overlap; no confidence interval); ``n_different``, the topics
        that differ from it; ``statistic, df, p`` of Kruskal-Wallis; ``alpha``.
    """
    tables = data.tables("all_peers", wanted=[metric])
    every = pd.concat([tables.judgments, tables.scores])
    scores_of_metric = only(every, "metric", [metric]).dropna(subset="score")
    rows = [
        {"year": place[0], "task": place[1], "metric": metric, **row}
        for place, part in places(scores_of_metric).items()
        for row in _of_topics(*matrix(part, metric), alpha)
    ]
    as_there = alpha == ALPHA and data.peers in (None, "all_peers")
    keys, printed = ["metric", "topic"], {"n_different": "printed"}
    return with_printed(pd.DataFrame(rows), tables.judgments, FIGURE_1, keys, printed, as_there=as_there)


def _of_topics(
    X: FloatArray, _: tuple[str, ...], topics: tuple[str, ...], alpha: float
) -> Iterator[dict[str, object]]:
    groups = list(X.T)
    overall, found = kruskal_wallis(groups), tukey_on_ranks(groups, alpha=alpha)
    differ = np.bincount(
        np.concatenate([found.first[found.differs], found.second[found.differs]]), minlength=len(topics)
    )
    for at, topic in enumerate(topics):
        rank, half = float(overall.mean_ranks[at]), float(found.half_widths[at])
        yield {
            "topic": topic,
            "n": int(overall.n[at]),
            "mean_rank": rank,
            "low": rank - half,
            "high": rank + half,
            "n_different": int(differ[at]),
            "statistic": overall.statistic,
            "df": overall.df,
            "p": overall.p,
            "alpha": alpha,
        }


def score_ranks(
    data: StudyData,
    *,
    metrics: Sequence[str] | None = None,
) -> pd.DataFrame:
    """How often each value of a human measure occurs, and the ranks of the pooled scores, where equal scores share one.

    Parameters
    ----------
    data : StudyData
        The corpora and peers; by default all peers.
    metrics : sequence of str, optional
        Only these human measures.

    Returns
    -------
    DataFrame
        A row for each value that occurs: ``year, task, metric, score, count, share`` (of the scores of the year, task
        and measure), ``first_rank, last_rank, mid_rank``, and ``tie_divisor``, by which Kruskal and Wallis divide H.
    """
    tables = data.tables("all_peers", score=None)
    every = only(tables.judgments, "metric", metrics).dropna(subset="score")
    parts = [
        ranked_counts(scores.to_numpy()).assign(year=place[0], task=place[1], metric=name)
        for place, part in places(every).items()
        for name, scores in sorted(part.groupby("metric")["score"], key=lambda one: natural(str(one[0])))
    ]
    ids = ["year", "task", "metric"]
    table = pd.concat(parts, ignore_index=True)
    return table[[*ids, *table.columns.drop(ids)]]


def ranked_counts(scores: FloatArray) -> pd.DataFrame:
    """Ranks that the values of a list of scores share.

    Examples
    --------
    >>> found = ranked_counts(np.repeat([1, 2, 3, 4, 5], [300, 776, 702, 366, 276]))
    >>> found["mid_rank"].tolist(), round(float(found["tie_divisor"][0]), 6)
    ([150.5, 688.5, 1427.5, 1961.5, 2282.5], 0.935771)
    >>> found["share"].round(3).tolist()
    [0.124, 0.321, 0.29, 0.151, 0.114]
    """
    values, counts = np.unique(scores, return_counts=True)
    last = np.cumsum(counts)
    first = last - counts + 1
    t, n = counts.astype(float), float(last[-1])
    divisor = 1 - np.sum(t**3 - t) / (n**3 - n) if n > 1 else float("nan")
    ranks = {"first_rank": first, "last_rank": last, "mid_rank": (first + last) / 2}
    return pd.DataFrame(
        {"score": values, "count": counts, "share": counts / n, **ranks, "tie_divisor": divisor}
    )
