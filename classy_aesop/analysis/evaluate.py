"""Correlate metric scores with human judgments: every metric with every measure, at every level, task by task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import pandas as pd

from classy_aesop.analysis.pairing import FloatArray, Grid, check_pairing, measured
from classy_aesop.analysis.raters import BESIDE, beside_raters, check_assessors
from classy_aesop.data import mean_ratings, tidied
from classy_aesop.data.correlations import COEFFICIENTS, COLUMNS, joined_matrices
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import UsageError, listed
from classy_aesop.significance.base import N_RESAMPLES
from classy_aesop.significance.choices import AnyLevel, Coefficient, IntervalKind
from classy_aesop.significance.coefficients import ACCURACIES, CALIBRATED
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.intervals import (
    KINDS,
    Interval,
    bootstrap_interval,
    bootstrap_intervals,
    check_confidence,
    fisher_interval,
    zou_intervals,
)
from classy_aesop.significance.levels import LEVELS
from classy_aesop.work.progress import by_workers, watched
from classy_aesop.work.seeding import seeded_rng

IntervalMethod = Literal["fisher", "boot-systems", "boot-inputs", "boot-both"]
"""The name of an interval."""

INTERVALS: dict[IntervalMethod, str] = {
    "fisher": "",
    "boot-systems": "systems",
    "boot-inputs": "inputs",
    "boot-both": "both",
}
"""Intervals by name, with what is resampled."""

WITHOUT = {"bca": ("fisher", "boot-both"), "normal": ("fisher",)}
"""The intervals that do not exist in a kind."""

INTERVAL_COLUMNS = ["low", "high", "interval", "confidence", "n", "n_resamples", "n_dropped", "seed"]
"""What an interval adds to a row."""

CHANCE_COLUMNS = ["chance", "epsilon"]
"""What accuracies add to a row."""


@dataclass(frozen=True)
class IntervalOptions:
    """How intervals of correlations are computed.

    Attributes
    ----------
    method : str
        One of `INTERVALS`.
    confidence : float
        Between 0 and 1.
    n_resamples, seed : int
        Of a bootstrap.
    kind : str
        One of `KINDS` of :mod:`classy_aesop.significance.intervals`: what a bootstrap interval is made of.
    """

    method: IntervalMethod
    confidence: float = 0.95
    n_resamples: int = N_RESAMPLES
    seed: int = 0
    kind: IntervalKind = "percentile"

    def __post_init__(self) -> None:
        if self.method not in INTERVALS:
            raise UsageError(f"interval is {self.method!r}; expected one of {', '.join(INTERVALS)}")
        if self.kind not in KINDS:
            raise UsageError(f"kind is {self.kind!r}; expected one of {', '.join(KINDS)}")
        if self.kind != "percentile" and self.method in WITHOUT[self.kind]:
            raise UsageError(f"no {self.kind} interval by {self.method}")
        check_confidence(self.confidence)

    def check(self, coefficients: Sequence[str]) -> None:
        """Raise UsageError for a coefficient that has no such interval."""
        without = [name for name in coefficients if name not in COEFFICIENTS]
        if self.method == "fisher" and without:
            raise UsageError(f"no Fisher interval of {listed(without)}; expected {', '.join(COEFFICIENTS)}")

    def of(
        self, X: FloatArray, Z: FloatArray, level: str, coefficient: str, names: Sequence[str]
    ) -> Interval:
        """Compute the interval of one correlation; its ``names`` seed the resamples."""
        options = {"level": level, "coefficient": coefficient}
        if self.method == "fisher":
            return fisher_interval(X, Z, confidence=self.confidence, **options)
        return bootstrap_interval(
            X,
            Z,
            resample=INTERVALS[self.method],
            kind=self.kind,
            confidence=self.confidence,
            n_resamples=self.n_resamples,
            rng=seeded_rng(self.seed, *names, level, coefficient),
            **options,
        )

    def of_differences(
        self, grid: Grid, pairs: Sequence[tuple[int, int]], level: str, coefficient: str
    ) -> list[Interval]:
        """Compute the intervals of the differences between pairs of metrics of a grid, given by their places."""
        metrics = list(grid.metrics.values())
        options: dict[str, Any] = {"level": level, "coefficient": coefficient, "confidence": self.confidence}
        if self.method == "fisher":
            return zou_intervals(metrics, grid.truth, pairs, **options)
        return bootstrap_intervals(
            metrics,
            grid.truth,
            pairs,
            resample=INTERVALS[self.method],
            kind=self.kind,
            n_resamples=self.n_resamples,
            rng=seeded_rng(self.seed, "differences", grid.year, grid.task, level, coefficient),
            **options,
        )

    @property
    def name(self) -> str:
        """Its method, and its kind unless that is plain quantiles."""
        return self.method if self.kind == "percentile" else f"{self.method}-{self.kind}"


def evaluate(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    *,
    levels: Sequence[AnyLevel] = LEVELS,
    coefficients: Sequence[Coefficient] = COEFFICIENTS,
    interval: IntervalOptions | None = None,
    raters: bool = False,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Correlate every metric with every human measure.

    Parameters
    ----------
    scores, judgments : DataFrame
        Score tables. Rows are joined by their ids, never by order; ratings by several assessors are averaged. Years
        and tasks are never pooled. Rows that only one table has are left out with a `DataWarning` that lists them;
        a row whose number is missing is left out of that metric or measure only, as the counts say.
    levels, coefficients : sequence of str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    interval : IntervalOptions, optional
        Add an interval to every correlation.
    raters : bool
        Add what the disagreement of raters leaves possible, and how one more rater fares; ``judgments`` must be single
        ratings, with ``assessor``.
    n_jobs, progress
        As in all of :mod:`classy_aesop.analysis`.

    Returns
    -------
    DataFrame
        ``year, task, metric, target, level, coefficient, value, n_summarizers, n_topics, n_skipped`` (topics without
        a value at input level, summarizers within systems); no row where a level does not have a coefficient. With an
        accuracy also ``chance`` (what is expected of the metric's scores if they are dealt anew at random), and for
        ``acc_eq_calibrated`` its tie threshold ``epsilon``, chosen on these scores. With an interval also ``low, high,
        interval, confidence, n`` (points correlated), ``n_resamples, n_dropped`` (replicates, and those without a
        value) and ``seed`` (none where nothing was drawn). With raters also ``ceiling`` (the most that Pearson's
        correlation can expect), ``of_others`` (the correlation with the mean of all raters but one, averaged over which
        one is left out) and ``rater_of_others`` (that of the one who is left out), see `beside_raters`.

    Raises
    ------
    UsageError
        There is no such interval, or none for a coefficient; or no level has a coefficient.
    InputError
        No instance is in both tables, or a row is there twice.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> found = evaluate(table.drop(columns="quality"), table.drop(columns="rouge"), coefficients=["pearson"])
    >>> found[["metric", "target", "level", "value"]].round(3).values.tolist()[:2]
    [['rouge', 'quality', 'system', 0.999], ['rouge', 'quality', 'input', 0.987]]
    """
    if interval is not None:
        interval.check(coefficients)
    wanted = measured(levels, coefficients)
    ratings = tidied(judgments, of_humans=True)
    if raters:
        check_assessors(ratings)
    scores, judgments = mean_ratings(tidied(scores)), mean_ratings(ratings)
    check_pairing(scores, judgments)
    single = dict(list(ratings.groupby("metric", sort=False))) if raters else {}
    pairs = [
        ((*map(str, names), str(target)), metric_scores, truth)
        for names, metric_scores in scores.groupby(["year", "task", "metric"], sort=False)
        for target, truth in judgments.groupby("metric", sort=False)
    ]
    work = ((metric, truth, wanted, interval, single.get(names[-1]), names) for names, metric, truth in pairs)
    done = by_workers(_measured, work, n_jobs=n_jobs)
    bar = watched(done, "correlations", "pairs", shown=progress, total=len(pairs))
    rows = [(*names, *found) for (names, _, _), part in zip(pairs, bar, strict=True) for found in part]
    columns = ["year", "task", "metric", "target", *COLUMNS, *CHANCE_COLUMNS, *BESIDE]
    table = pd.DataFrame(rows, columns=[*columns, *([] if interval is None else INTERVAL_COLUMNS)])
    if not raters:
        table = table.drop(columns=BESIDE)
    table = table.drop(columns=_without_meaning(coefficients))
    return without_empty_places(table if interval is None else table.astype({"seed": "Int64"}))


def _measured(
    scores: pd.DataFrame,
    truth: pd.DataFrame,
    wanted: Sequence[tuple[str, str]],
    interval: IntervalOptions | None,
    ratings: pd.DataFrame | None,
    names: Sequence[str],
) -> list[tuple[object, ...]]:
    """Correlate one metric with one human measure: a row a level and coefficient; none if they share no instance."""
    matrices = joined_matrices(scores, truth)
    if matrices is None:
        return []
    (X, Z), rows = matrices, []
    nothing = [(float("nan"),) * len(BESIDE)] * len(wanted)
    beside = nothing if ratings is None else beside_raters(scores, ratings, wanted)
    for (level, coefficient), more in zip(wanted, beside, strict=True):
        found = correlation(X, Z, level=level, coefficient=coefficient)
        row = level, coefficient, found.value, found.n_summarizers, found.n_topics, found.n_skipped
        ends = () if interval is None else _ends(interval, interval.of(X, Z, level, coefficient, names))
        rows.append((*row, found.chance, found.epsilon, *more, *ends))
    return rows


def _without_meaning(coefficients: Sequence[str]) -> list[str]:
    """Name the columns that say nothing of these coefficients."""
    by_chance = not set(coefficients) & set(ACCURACIES)
    return CHANCE_COLUMNS if by_chance else [] if CALIBRATED in coefficients else ["epsilon"]


def _ends(interval: IntervalOptions, found: Interval) -> tuple[object, ...]:
    """Give `INTERVAL_COLUMNS`."""
    seed = interval.seed if found.n_resamples else pd.NA
    drawn = found.n_resamples, found.n_dropped, seed
    return found.low, found.high, interval.name, interval.confidence, found.n, *drawn
