"""Metrics against human scores: correlations task by task, and the significant differences that both find."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import pandas as pd

from classy_aesop.analysis.raters import BESIDE, beside_raters, check_assessors
from classy_aesop.analysis.tables import (
    FloatArray,
    Grid,
    ScoreTables,
    check_pairing,
    in_place,
    judged_grids,
    measured,
    names_of,
    only,
    with_enough,
)
from classy_aesop.data import mean_ratings, tidied
from classy_aesop.data.scores import COEFFICIENTS, CORRELATIONS, joined_matrices, without_empty_places
from classy_aesop.errors import UsageError, listed
from classy_aesop.significance.agreement import (
    best_rows,
    combined_agreements,
    labels_of_both,
    order_agreement,
)
from classy_aesop.significance.base import N_RESAMPLES, check_share, near_zero
from classy_aesop.significance.choices import LEVELS, AnyLevel, Coefficient, IntervalKind, Preset, Test
from classy_aesop.significance.coefficients import ACCURACIES, CALIBRATED
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.intervals import (
    Interval,
    bootstrap_interval,
    bootstrap_intervals,
    fisher_interval,
    zou_intervals,
)
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import map_workers, show_progress

IntervalMethod = Literal[
    "fisher", "boot-systems", "boot-inputs", "boot-both",
    "boot-systems-normal", "boot-inputs-normal", "boot-both-normal", "boot-systems-bca", "boot-inputs-bca",
]  # fmt: skip
"""The name of an interval."""

INTERVALS: dict[IntervalMethod, tuple[str, IntervalKind]] = {
    "fisher": ("", "percentile"),
    "boot-systems": ("systems", "percentile"),
    "boot-inputs": ("inputs", "percentile"),
    "boot-both": ("both", "percentile"),
    "boot-systems-normal": ("systems", "normal"),
    "boot-inputs-normal": ("inputs", "normal"),
    "boot-both-normal": ("both", "normal"),
    "boot-systems-bca": ("systems", "bca"),
    "boot-inputs-bca": ("inputs", "bca"),
}
"""Intervals by name, with what is resampled and what is made of the resamples."""

INTERVAL_COLUMNS = ["low", "high", "interval", "confidence", "n", "n_resamples", "n_dropped", "seed"]
"""What an interval adds to a row."""

CHANCE_COLUMNS = ["chance", "epsilon"]
"""What accuracies add to a row."""


@dataclass(frozen=True)
class IntervalOptions:
    """How intervals of correlations are computed.

    Attributes
    ----------
    interval : str
        One of `INTERVALS`.
    confidence : float
        Between 0 and 1.
    n_resamples, seed : int
        Of a bootstrap.
    """

    interval: IntervalMethod
    confidence: float = 0.95
    n_resamples: int = N_RESAMPLES
    seed: int = 0

    def __post_init__(self) -> None:
        if self.interval not in INTERVALS:
            raise UsageError(f"interval is {self.interval!r}; expected one of {', '.join(INTERVALS)}")
        check_share(self.confidence, "confidence")

    def check(self, coefficients: Sequence[str]) -> None:
        """Raise UsageError for a coefficient that has no such interval."""
        without = [name for name in coefficients if name not in COEFFICIENTS]
        if self.interval == "fisher" and without:
            raise UsageError(f"no Fisher interval of {listed(without)}; expected {', '.join(COEFFICIENTS)}")

    def of(
        self, X: FloatArray, Z: FloatArray, level: str, coefficient: str, names: Sequence[str]
    ) -> Interval:
        """Compute the interval of one correlation; its ``names`` seed the resamples."""
        options: dict[str, Any] = {"level": level, "coefficient": coefficient, "confidence": self.confidence}
        if self.interval == "fisher":
            return fisher_interval(X, Z, **options)
        return bootstrap_interval(X, Z, **options, **self._drawn(*names, level, coefficient))

    def _drawn(self, *names: str) -> dict[str, Any]:
        rng, (resample, kind) = seeded_rng(self.seed, *names), INTERVALS[self.interval]
        return {"resample": resample, "kind": kind, "n_resamples": self.n_resamples, "rng": rng}

    def of_differences(
        self, grid: Grid, pairs: Sequence[tuple[int, int]], level: str, coefficient: str
    ) -> list[Interval]:
        """Compute the intervals of the differences between pairs of metrics of a grid, given by their places."""
        metrics = list(grid.metrics.values())
        options: dict[str, Any] = {"level": level, "coefficient": coefficient, "confidence": self.confidence}
        if self.interval == "fisher":
            return zou_intervals(metrics, grid.truth, pairs, **options)
        drawn = self._drawn("differences", grid.year, grid.task, level, coefficient)
        return bootstrap_intervals(metrics, grid.truth, pairs, **options, **drawn)


def evaluate(
    scores: ScoreTables,
    judgments: ScoreTables,
    *,
    levels: AnyLevel | Sequence[AnyLevel] = LEVELS,
    coefficients: Coefficient | Sequence[Coefficient] = COEFFICIENTS,
    interval: IntervalMethod | None = None,
    ceiling: bool = False,
    metrics: str | Sequence[str] | None = None,
    targets: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    confidence: float = 0.95,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Correlate every metric with every human measure.

    Parameters
    ----------
    scores, judgments : DataFrame, or sequence of DataFrame
        Score tables. Rows are joined by their ids, never by order; ratings by several assessors are averaged. Years
        and tasks are never pooled. Rows that only one table has are left out with a `DataWarning` that lists them;
        a row whose number is missing is left out of that metric or measure only, as the counts say.
    levels, coefficients : str, or sequence of str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    interval : str, optional
        Add an interval to every correlation, one of `INTERVALS`.
    ceiling : bool
        Add what the disagreement of raters leaves possible, and how one more rater fares; ``judgments`` must be single
        ratings, with ``assessor``.
    metrics, targets : str, or sequence of str, optional
        Only these metrics, and these human measures.
    confidence, n_resamples, seed
        Of the intervals.

    Returns
    -------
    DataFrame
        ``year, task, metric, target, level, coefficient, value, n_summarizers, n_topics, n_skipped`` (topics without
        a value at input level, summarizers within systems); no row where a level does not have a coefficient. With an
        accuracy also ``chance`` (what is expected of the metric's scores if they are dealt anew at random), and for
        ``acc_eq_calibrated`` its tie threshold ``epsilon``, chosen on these scores. With an interval also ``low, high,
        interval, confidence, n`` (points correlated), ``n_resamples, n_dropped`` (replicates, and those without a
        value) and ``seed`` (none where nothing was drawn). With the ceiling also ``ceiling`` (the most that Pearson's
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
    coefficients = names_of(coefficients)
    wanted = measured(levels, coefficients)
    ends = None if interval is None else IntervalOptions(interval, confidence, n_resamples, seed)
    if ends is not None:
        ends.check(coefficients)
    ratings = in_place(only(tidied(judgments, of_humans=True), "metric", targets, what="target"), year, task)
    if ceiling:
        check_assessors(ratings)
    scores = in_place(only(mean_ratings(tidied(scores)), "metric", metrics), year, task)
    judgments = mean_ratings(ratings)
    check_pairing(scores, judgments)
    single = dict(list(ratings.groupby("metric", sort=False))) if ceiling else {}
    pairs = [
        ((*map(str, names), str(target)), metric_scores, truth)
        for names, metric_scores in scores.groupby(["year", "task", "metric"], sort=False)
        for target, truth in judgments.groupby("metric", sort=False)
    ]
    work = ((metric, truth, wanted, ends, single.get(names[-1]), names) for names, metric, truth in pairs)
    done = map_workers(_measured, work, n_jobs=n_jobs)
    bar = show_progress(done, "correlations", "pairs", shown=progress, total=len(pairs))
    rows = [(*names, *found) for (names, _, _), part in zip(pairs, bar, strict=True) for found in part]
    columns = ["year", "task", "metric", "target", *CORRELATIONS, *CHANCE_COLUMNS, *BESIDE]
    table = pd.DataFrame(rows, columns=[*columns, *([] if interval is None else INTERVAL_COLUMNS)])
    unasked = [] if ceiling else [*BESIDE]
    unasked += [] if set(coefficients) & set(ACCURACIES) else ["chance"]
    unasked += [] if CALIBRATED in coefficients else ["epsilon"]
    table = table.drop(columns=unasked)
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
    (X, Z), rows = map(near_zero, matrices), []
    nothing = [(float("nan"),) * len(BESIDE)] * len(wanted)
    beside = nothing if ratings is None else beside_raters(scores, ratings, wanted)
    for (level, coefficient), more in zip(wanted, beside, strict=True):
        found = correlation(X, Z, level=level, coefficient=coefficient)
        row = level, coefficient, found.value, found.n_summarizers, found.n_topics, found.n_skipped
        ends: tuple[object, ...] = ()
        if interval is not None:
            one = interval.of(X, Z, level, coefficient, names)
            drawn = one.n_resamples, one.n_dropped, interval.seed if one.n_resamples else pd.NA
            ends = one.low, one.high, interval.interval, interval.confidence, one.n, *drawn
        rows.append((*row, found.chance, found.epsilon, *more, *ends))
    return rows


COUNTS = ("n", "tp", "fn", "fp", "tn", "contradictions")
MEASURES = ("accuracy", "precision", "recall", "ba", "ba_pv", "kappa")
"""Fields of `Agreement` that are columns here under their own names."""

AGREEMENT = ["year", "task", "target", "metric", "n_metrics", "top", "n_summarizers", "n_topics", *COUNTS]
AGREEMENT += [*MEASURES, "order_agreement", "test", "preset", "alpha"]
AGREEMENT += ["correction", "seed"]
"""The columns of an agreement."""


def agree(
    scores: ScoreTables,
    judgments: ScoreTables,
    target: str,
    *,
    top: int | None = 30,
    test: Test = "wilcoxon",
    preset: Preset = "rankel2013",
    alpha: float = 0.05,
    combine: int = 1,
    metrics: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Compare each metric's significant differences with the human ones.

    Parameters
    ----------
    scores, judgments, target
        As for :func:`classy_aesop.analysis.metric_pairs.compare_metrics`.
    top : int or None
        How many of the best summarizers by human mean are compared; None for all. Of equals the earlier name comes in.
    test, preset : str
        As for :func:`classy_aesop.significance.agreement.agreement`.
    alpha : float
        A pair is significant if its p, uncorrected, is at most this.
    combine : int
        Also combine up to so many metrics: a pair is significant if it is for every member.

    Returns
    -------
    DataFrame
        A row a metric or combination (joined by ``+``): the counts and measures of
        :class:`classy_aesop.significance.agreement.Agreement`; ``order_agreement``, the share of pairs whose means
        are in the same order, without any test (missing for combinations); and how they came about. Nothing is
        corrected or drawn: ``correction`` is none and ``seed`` missing.

    Raises
    ------
    UsageError, InputError
        As :func:`classy_aesop.analysis.metric_pairs.compare_metrics`; or fewer than two summarizers.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> found = agree(table.drop(columns="quality"), table.drop(columns="rouge"), "quality", test="paired_t")
    >>> found[["metric", "tp", "fn", "fp", "tn"]].values.tolist()
    [['rouge', 2, 0, 1, 3]]
    """
    if combine < 1:
        raise UsageError(f"combine is {combine}; expected 1 or more")
    if not 0 < alpha < 1:
        raise UsageError(f"alpha is {alpha}; expected between 0 and 1")
    if top is not None and top < 2:
        raise UsageError(f"top is {top}; expected 2 or more")
    grids = judged_grids(scores, judgments, target, metrics=metrics, year=year, task=task)
    how: dict[str, Any] = {"test": test, "preset": preset, "alpha": alpha}
    rows = []
    for grid in with_enough(grids, lambda grid: len(grid.summarizers), 2, "summarizers"):
        kept = best_rows(grid.truth, top)
        work = ((X[kept], grid.truth[kept]) for X in grid.metrics.values())
        done = map_workers(partial(labels_of_both, **how), work, n_jobs=n_jobs)
        both = list(show_progress(done, "labels", "metrics", shown=progress, total=len(grid.metrics)))
        labels = dict(zip(grid.metrics, (of_metric for _, of_metric in both), strict=True))
        largest = min(combine, len(labels))
        found_all = combined_agreements(labels, both[0][0], largest=largest)
        n_all = sum(math.comb(len(labels), size) for size in range(1, largest + 1))
        shown = progress and largest > 1
        for names, found in show_progress(found_all, "agreement", "combinations", shown=shown, total=n_all):
            row = {"year": grid.year, "task": grid.task, "metric": "+".join(names), "n_metrics": len(names)}
            row |= {"n_summarizers": len(kept), "n_topics": len(grid.topics), "order_agreement": math.nan}
            row |= {name: getattr(found, name) for name in (*COUNTS, *MEASURES)}
            if len(names) == 1:
                row["order_agreement"] = order_agreement(grid.metrics[names[0]], grid.truth, top=top)
            rows.append(row)
    table = pd.DataFrame(rows).assign(target=target, **how, correction="none")
    missing = [pd.NA] * len(rows)
    tops = missing if top is None else [top] * len(rows)
    table = table.assign(top=pd.array(tops, dtype="Int64"), seed=pd.array(missing, dtype="Int64"))
    return without_empty_places(table[AGREEMENT])
