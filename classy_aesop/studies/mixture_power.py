"""The power of tests of two summarizers to detect that one is slightly more like humans, on scores of a table.

Rankel (2016), section 3.7: the pooled scores of machines and of humans are mixed, with growing shares of humans.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from classy_aesop.analysis.pairing import in_place, only, places
from classy_aesop.data import matrix, mean_ratings
from classy_aesop.errors import InputError, about_data
from classy_aesop.significance.simulations import SHARES, MixturePower, mixture_power, score_shares
from classy_aesop.work.seeding import seeded_rng

COLUMNS = ["year", "task", "metric", "share", "test", "power", "error", "cutoff", "n_topics", "topic_effects"]
COLUMNS += ["alpha", "n_null", "n_trials", "seed"]
"""The columns of `table_mixture_power`."""


def table_mixture_power(
    table: pd.DataFrame,
    metric: str,
    humans: Sequence[str],
    *,
    topic_effects: bool = False,
    n_topics: int = 60,
    shares: Sequence[float] = SHARES,
    alpha: float = 0.05,
    year: str | None = None,
    task: str | None = None,
    n_null: int = 50_000,
    n_trials: int = 10_000,
    seed: int = 0,
) -> pd.DataFrame:
    """Power of the signed-rank, paired t and unpaired t tests to tell a mixture of machines and humans from machines.

    Parameters
    ----------
    table : DataFrame
        A score table; ratings by several assessors are averaged. The possible scores are the values that occur.
    metric : str
        The human measure.
    humans : sequence of str
        The summarizers who are human; all others are machines.
    topic_effects : bool
        Sample topics, each with its own distribution of scores.
    n_topics, shares, alpha, n_null
        As for :func:`classy_aesop.significance.simulations.mixture_power`.
    year, task : str, optional
        Only this year and task; by default all, each separately.
    n_trials : int
        Number of simulated experiments for each share.
    seed : int
        Seed of the random numbers.

    Returns
    -------
    DataFrame
        A row for each year, task, share and test: ``year, task, metric, share, test, power, error`` (Monte Carlo
        error of the power), ``cutoff, n_topics, topic_effects, alpha, n_null, n_trials, seed``.

    Raises
    ------
    UsageError
        If the metric, a summarizer, the year or the task does not exist.
    InputError
        If a year and task has no machines or no humans.
    """
    rows = in_place(only(mean_ratings(table), "metric", [metric]).dropna(), year, task)
    only(rows, "summarizer", humans)
    parts = []
    for place, group in places(rows).items():
        machine, human, topics, values = _distributions(group, metric, set(humans))
        with about_data():
            found = mixture_power(
                machine,
                human,
                values=values,
                topics=topics if topic_effects else None,
                n_topics=n_topics,
                shares=shares,
                alpha=alpha,
                n_null=n_null,
                n_trials=n_trials,
                rng=seeded_rng(seed, *place, metric),
            )
        parts += [(*place, metric, *row) for row in _rows(found)]
    return pd.DataFrame([(*row, seed) for row in parts], columns=COLUMNS)


Array = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


def _distributions(rows: pd.DataFrame, metric: str, humans: set[str]) -> tuple[Array, Array, Array, Array]:
    """Give the shares of each score for machines, for humans and for each topic, and the scores."""
    X, summarizers, _ = matrix(rows, metric)
    human = np.array([name in humans for name in summarizers])
    if human.all() or not human.any():
        found = "no machines" if human.all() else "no humans"
        raise InputError(f"{found} among {len(human)} summarizers; expected both")
    values = np.unique(X[~np.isnan(X)])
    by_topic = score_shares(X, values, by_topic=True)
    return score_shares(X[~human], values), score_shares(X[human], values), by_topic, values


def _rows(found: MixturePower) -> Iterator[tuple[object, ...]]:
    for at, share in enumerate(found.shares.tolist()):
        for which, test in enumerate(found.tests):
            numbers = found.power[which, at], found.error[which, at], found.cutoffs[which]
            how = found.n_topics, found.topic_effects, found.alpha, found.n_null, found.n_trials
            yield share, test, *numbers, *how
