"""Metrics against human scores: correlations task by task, and the significant differences that both find."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypedDict

import pandas as pd
from numpy.random import Generator

from classy_aesop.answers.cautions import (
    MetricCautions,
    find_cautions,
    values_by_both_means,
    warn_of_correlations,
    warn_of_other_means,
)
from classy_aesop.answers.correlation_options import INTERVALS, CorrelationOptions, IntervalMethod
from classy_aesop.answers.correlation_tables import (
    COEFFICIENT,
    N_SUMMARIZERS,
    N_TOPICS,
    OF_INTERVAL,
    declare_correlations,
    name_best_by,
)
from classy_aesop.answers.decision_options import DecisionOptions
from classy_aesop.answers.metrics_and_humans import choose_measure, read_metrics_and_humans
from classy_aesop.answers.pair_test_options import DEFAULT_TEST
from classy_aesop.answers.raters import (
    COLUMNS_OF_RATERS,
    check_assessors,
    correlate_with_raters,
    warn_of_rater_shares,
)
from classy_aesop.answers.score_matrices import (
    Grid,
    check_pairing,
    judged_grids,
    keep_large_enough,
    name_sequence,
    pair_levels_with_coefficients,
    select_rows,
    select_stratum,
)
from classy_aesop.answers.shared_options import CONFIDENCE
from classy_aesop.data import mean_ratings
from classy_aesop.data.cells import GivenColumns
from classy_aesop.data.directions import orient_scores, set_directions, warn_of_directions
from classy_aesop.data.scores import DEFAULT_COEFFICIENTS, drop_empty_stratum_columns, join_scores
from classy_aesop.errors import UsageError, join_names, warn
from classy_aesop.keywords import explain_keywords
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.base import FloatArray, check_share
from classy_aesop.significance.choices import (
    ALPHA,
    CORRELATION_LEVELS,
    MEANS,
    N_RESAMPLES,
    Coefficient,
    IntervalKind,
    Level,
    Means,
    Preset,
    Test,
)
from classy_aesop.significance.correlations.accuracies import ACCURACIES, CALIBRATED_ACCURACY
from classy_aesop.significance.correlations.correlation_intervals import (
    Interval,
    bootstrap_interval,
    fisher_interval,
)
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.equality import shift_near_zero
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.metrics.difference_intervals import (
    bootstrap_difference_intervals,
    zou_difference_intervals,
)
from classy_aesop.significance.metrics.label_agreement import (
    Labels,
    agreements_of_combinations,
    label_by_both,
    order_agreement,
    select_best_rows,
)
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    SELDOM,
    TARGET,
    TASK,
    YEAR,
    count,
    estimate,
    item,
    setting,
)
from classy_aesop.work.records import signature
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import map_workers, show_progress

POINTS_OF_LEVEL: dict[str, str] = {
    "system": "summarizers",
    "input": "summarizers of the fullest topic",
    "global": "cells",
    "centred": "cells",
}
"""Of what ``n`` is the number: what is correlated at each level, and what Fisher's interval takes for independent."""

EVALUATION = declare_correlations("evaluate")


class _CorrelationOptions(TypedDict):
    level: str
    coefficient: str
    confidence: float
    means: str


class _ResamplingOptions(TypedDict):
    resample: str
    kind: str
    n_resamples: int
    rng: Generator


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
    means : {"plain", "least-squares"}
        Of systems that lack topics, at system level.
    interval_kind : {"percentile", "bca", "normal"}
        What is made of the resamples.
    """

    interval: IntervalMethod
    confidence: float = 0.95
    n_resamples: int = N_RESAMPLES
    seed: int = 0
    means: Means = "plain"
    interval_kind: IntervalKind = "percentile"

    def __post_init__(self) -> None:
        if self.interval not in INTERVALS:
            raise UsageError(f"interval is {self.interval!r}; expected one of {', '.join(INTERVALS)}")
        if self.interval == "fisher" and self.interval_kind != "percentile":
            raise UsageError(
                f"interval fisher has no kind {self.interval_kind}; expected an interval that resamples"
            )
        if self.interval == "boot-both" and self.interval_kind == "bca":
            raise UsageError("boot-both has no bca interval; expected boot-systems or boot-inputs")
        check_means(self.means)
        check_share(self.confidence, "confidence")

    @property
    def kind_of_resamples(self) -> str:
        """What is made of the resamples; empty where nothing is resampled."""
        return "" if self.interval == "fisher" else self.interval_kind

    def check(self, coefficients: Sequence[str]) -> None:
        """Raise UsageError for a coefficient that has no such interval."""
        without = [name for name in coefficients if name not in DEFAULT_COEFFICIENTS]
        if self.interval == "fisher" and without:
            raise UsageError(
                f"no Fisher interval of {join_names(without)}; expected {', '.join(DEFAULT_COEFFICIENTS)}"
            )

    def correlation_interval(
        self, X: FloatArray, Z: FloatArray, level: str, coefficient: str, names: Sequence[str]
    ) -> Interval:
        """Compute the interval of one correlation; its ``names`` seed the resamples.

        Parameters
        ----------
        X, Z : ndarray, shape (n_summarizers, n_topics)
            Scores of the metric and of humans; NaN where missing.
        level, coefficient : str
            Of the correlation.
        names : sequence of str
            What the correlation is of: year, task, metric, measure. They seed the resamples, with the level and
            coefficient.
        """
        options = self._options_of(level, coefficient)
        if self.interval == "fisher":
            return fisher_interval(X, Z, **options)
        return bootstrap_interval(X, Z, **options, **self._resampling_of(*names, level, coefficient))

    def _options_of(self, level: str, coefficient: str) -> _CorrelationOptions:
        return {
            "level": level,
            "coefficient": coefficient,
            "confidence": self.confidence,
            "means": self.means,
        }

    def _resampling_of(self, *names: str) -> _ResamplingOptions:
        return {
            "resample": INTERVALS[self.interval],
            "kind": self.interval_kind,
            "n_resamples": self.n_resamples,
            "rng": seeded_rng(self.seed, *names),
        }

    def difference_intervals(
        self, grid: Grid, pairs: Sequence[tuple[int, int]], level: str, coefficient: str
    ) -> list[Interval]:
        """Compute the intervals of the differences between pairs of metrics of a grid, given by their places.

        Parameters
        ----------
        grid : Grid
            The metrics of a year and task, and the human scores.
        pairs : sequence of (int, int)
            The positions of the metrics of each pair.
        level, coefficient : str
            Of the correlations.
        """
        metrics = list(grid.metrics.values())
        options = self._options_of(level, coefficient)
        if self.interval == "fisher":
            return zou_difference_intervals(metrics, grid.truth, pairs, **options)
        resampling = self._resampling_of("differences", grid.year, grid.task, level, coefficient)
        return bootstrap_difference_intervals(metrics, grid.truth, pairs, **options, **resampling)


def check_means(means: str) -> None:
    """Raise UsageError for an unknown kind of means."""
    if means not in MEANS:
        raise UsageError(f"means are {means!r}; expected one of {', '.join(MEANS)}")


LEVELS_OF_RESAMPLED_INTERVALS: tuple[Level, ...] = ("system", "input")
"""Levels by default with an interval that is resampled, which takes its time."""


@explain_keywords(
    bias="evaluate_bias(scores, judgments, target)",
    correlation="coefficient=",
    method="coefficient=",
)
def evaluate(
    scores: ScoreTables,
    judgments: ScoreTables | None = None,
    target: str | Sequence[str] | None = None,
    *,
    metric: str | Sequence[str] | None = None,
    level: Level | Sequence[Level] | None = None,
    coefficient: Coefficient | Sequence[Coefficient] | None = None,
    interval: IntervalMethod | None = None,
    interval_kind: IntervalKind = "percentile",
    confidence: float = CONFIDENCE,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    means: Means = "least-squares",
    ceiling: bool = False,
    columns: GivenColumns | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Correlate every metric with every human measure.

    Parameters
    ----------
    scores, judgments : DataFrame, path-like, or sequence of these
        Score tables. Rows are joined by their ids, never by order; ratings by several assessors are averaged. Years
        and tasks are never pooled. Rows that only one table has are left out with a `DataWarning` that lists them;
        a row whose number is missing is left out of that metric or measure only, as the counts say. A single table
        holds both; its human measures are then the targets, and what is called as human measures are.
    target : str, or sequence of str, optional
        Only these human measures; needed where a single table holds both.
    metric : str, or sequence of str, optional
        Only these metrics.
    level, coefficient : str, or sequence of str, optional
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`; by default
        `DEFAULT_COEFFICIENTS` at `CORRELATION_LEVELS`, with an interval that is resampled at
        `LEVELS_OF_RESAMPLED_INTERVALS`.
    interval : str, optional
        Add an interval to every correlation: by Fisher's formula, or by resampling systems, topics or both.
    interval_kind : {"percentile", "bca", "normal"}
        What is made of the resamples; ``bca`` of systems or topics alone.
    means : {"least-squares", "plain"}
        Of systems, at system level, over the cells that have a score and a judgment. Where systems lack some of their
        topics, least-squares means are over all of these, in the model system + topic, for scores and for judgments;
        plain ones, the convention of the field, differ by topics too. Both are equal where no cell is missing. A
        `DataWarning` says where the correlations differ.
    ceiling : bool
        Add what the disagreement of raters leaves possible, and how one more rater fares; ``judgments`` must be single
        ratings, with ``assessor``.
    columns : mapping, optional
        What columns are, where their names do not say so, e.g. ``{"topic": "prompt", "summarizer": "model"}``; each
        table takes those that it has.
    lower_is_better : str, or sequence of str, optional
        Metrics and measures of which lower values are better, see :mod:`classy_aesop.data.directions`: a correlation is
        positive where both find the same summarizers good.
    confidence, n_resamples, seed
        Of the intervals.
    year, task : str, optional
        Only these.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Result
        A row for each year, task, metric, human measure, level and coefficient; no row where a level does not have a
        coefficient. `EVALUATION` declares the columns: those of accuracies, of intervals and of raters are there where
        they are asked for. At system level ``by_plain_means, by_least_squares`` are the value by either, and ``means``
        says which is given; of two systems, whose value is 1 or -1, and of systems that share no topic ``flag`` says
        that the value shows nothing. The ceiling is that of :func:`classy_aesop.answers.raters.correlate_with_raters`.

    Raises
    ------
    UsageError
        There is no such interval, or none for a coefficient; or no level has a coefficient.
    InputError
        No instance is in both tables, or a row is there twice.

    Warns
    -----
    DataWarning
        For fewer than six systems, whose means cannot show a correlation, and for a single topic, whose scores are the
        means; for metrics that lack different systems; for groups of systems that share no topic;
        for a metric that equals a human measure; where plain and least-squares means differ; and where named raters
        rated a larger share of some systems than of others, as ratings are averaged.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> found = evaluate(table.drop(columns="quality"), table.drop(columns="rouge"), coefficient="pearson")
    >>> found.table[["metric", "target", "level", "value"]].round(3).values.tolist()[:2]
    [['rouge', 'quality', 'system', 0.999], ['rouge', 'quality', 'input', 0.987]]
    """
    options = CorrelationOptions(
        level=level,
        coefficient=coefficient,
        interval=interval,
        interval_kind=interval_kind,
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        means=means,
        ceiling=ceiling,
    )
    options.check_interval()
    sides = read_metrics_and_humans(scores, judgments, target=target, metric=metric, columns=columns)
    return correlate(
        *sides,
        options,
        target=target,
        metric=metric,
        year=year,
        task=task,
        lower_is_better=lower_is_better,
        n_jobs=n_jobs,
        progress=progress,
    )


def correlate(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    options: CorrelationOptions,
    *,
    target: str | Sequence[str] | None = None,
    metric: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Correlate metrics with human measures with given options, as :func:`evaluate` does.

    Parameters
    ----------
    scores, judgments : DataFrame
        Tidy score tables.
    options : CorrelationOptions
        How correlations are computed.
    target, metric, year, task, lower_is_better, n_jobs, progress
        As for :func:`evaluate`.

    Returns
    -------
    Result
        As :func:`evaluate`.
    """
    coefficients = name_sequence(options.coefficient or DEFAULT_COEFFICIENTS)
    default_levels = LEVELS_OF_RESAMPLED_INTERVALS if options.is_resampled else CORRELATION_LEVELS
    levels_and_coefficients = pair_levels_with_coefficients(options.level or default_levels, coefficients)
    means = options.means
    interval = options.interval
    ends = None
    if interval is not None:
        ends = IntervalOptions(
            interval,
            options.confidence,
            options.n_resamples,
            options.seed,
            means,
            options.interval_kind,
        )
        ends.check(coefficients)
    tables = set_directions([scores, judgments], lower_is_better)
    all_scores, all_ratings = map(orient_scores, tables)
    ratings = select_stratum(select_rows(all_ratings, "metric", target, label="target"), year, task)
    if options.ceiling:
        check_assessors(ratings)
    scores = select_stratum(select_rows(mean_ratings(all_scores), "metric", metric), year, task)
    judgments = mean_ratings(ratings)
    warn_of_directions(tables[0], scores["metric"].unique())
    warn_of_directions(tables[1], judgments["metric"].unique())
    check_pairing(scores, judgments)
    warn_of_rater_shares(ratings)
    single = dict(list(ratings.groupby("metric", sort=False))) if options.ceiling else {}
    pairs = [
        ((*map(str, names), str(measure)), metric_scores, truth)
        for names, metric_scores in scores.groupby(["year", "task", "metric"], sort=False)
        for measure, truth in judgments.groupby("metric", sort=False)
    ]
    measures = MeasureOptions(tuple(levels_and_coefficients), means, ends)
    work = (
        (metric_scores, truth, measures, single.get(names[-1]), names)
        for names, metric_scores, truth in pairs
    )
    done = map_workers(_correlate_pair, work, n_jobs=n_jobs)
    bar = show_progress(done, "correlations", "pairs", shown=progress, total=len(pairs))
    rows = []
    cautions: dict[tuple[str, str, str, str], MetricCautions] = {}
    for (names, _, _), measurement in zip(pairs, bar, strict=True):
        if measurement is not None:
            rows += [(*names, *row) for row in measurement.rows]
            year, task, metric, measure = names
            cautions[year, task, metric, measure] = measurement.cautions
    columns = [name for name in EVALUATION.names if interval is not None or name not in NAMES_OF_INTERVAL]
    table = pd.DataFrame(rows, columns=columns)
    _warn_of_correlations(table, cautions, means)
    unasked = [] if options.ceiling else [*COLUMNS_OF_RATERS]
    unasked += [] if set(coefficients) & set(ACCURACIES) else ["chance"]
    unasked += [] if CALIBRATED_ACCURACY in coefficients else ["epsilon"]
    table = table.drop(columns=unasked)
    table = drop_empty_stratum_columns(table if interval is None else table.astype({"seed": "Int64"}))
    stated = {name: value for name, value in options.recorded().items() if value is not None}
    return Result(table, signature=signature(command=EVALUATION.name, **stated), answer=EVALUATION)


NAMES_OF_INTERVAL = [column.name for column in OF_INTERVAL]


def _warn_of_correlations(
    table: pd.DataFrame, cautions: dict[tuple[str, str, str, str], MetricCautions], means: Means
) -> None:
    """Warn of few systems and of what else has to be said of the correlations of a table."""
    of_means = table[table["level"] == "system"]
    warn_of_correlations(cautions, means=means if len(of_means) else "", counts_systems=len(of_means) > 0)
    if len(of_means):
        names = [
            " ".join(row)
            for row in of_means[["metric", TARGET.name, COEFFICIENT.name]].itertuples(index=False)
        ]
        most_missing = max(cautions.values(), key=lambda caution: caution.n_missing)
        warn_of_other_means(names, of_means, most_missing, means)


@dataclass(frozen=True)
class MeasureOptions:
    """What is measured of every metric.

    Attributes
    ----------
    measured : tuple of (str, str)
        Levels and coefficients.
    means : {"least-squares", "plain"}
        Of systems that lack topics.
    interval : IntervalOptions or None
        None for no intervals.
    """

    measured: tuple[tuple[str, str], ...]
    means: Means
    interval: IntervalOptions | None


@dataclass(frozen=True)
class Measurement:
    """Rows of `evaluate` for one metric and human measure, a level and coefficient each, and what has to be said."""

    rows: list[tuple[object, ...]]
    cautions: MetricCautions


def _correlate_pair(
    scores: pd.DataFrame,
    truth: pd.DataFrame,
    options: MeasureOptions,
    ratings: pd.DataFrame | None,
    names: Sequence[str],
) -> Measurement | None:
    """Correlate one metric with one human measure: a row a level and coefficient; None if they share no instance."""
    joined = join_scores(scores, truth)
    if joined is None:
        return None
    X = shift_near_zero(joined.X)
    Z = shift_near_zero(joined.Z)
    interval = options.interval
    rows = []
    no_raters = [(float("nan"),) * len(COLUMNS_OF_RATERS)] * len(options.measured)
    of_raters_by_level = (
        no_raters
        if ratings is None
        else correlate_with_raters(scores, ratings, options.measured, options.means)
    )
    for (level, coefficient), of_raters in zip(options.measured, of_raters_by_level, strict=True):
        result = correlation(X, Z, level=level, coefficient=coefficient, means=options.means)
        counts = (result.n_summarizers, result.n_topics, result.n_skipped)
        by_means = values_by_both_means(X, Z, level, coefficient, result.value, options.means)
        flag = result.flag
        ends: tuple[object, ...] = ()
        if interval is not None:
            estimate = interval.correlation_interval(X, Z, level, coefficient, names)
            flag = flag or estimate.flag
            seed = interval.seed if estimate.n_resamples else pd.NA
            resampled = (estimate.n_resamples, estimate.n_dropped, seed)
            kind = interval.kind_of_resamples
            made = (interval.interval, kind, interval.confidence, estimate.n, POINTS_OF_LEVEL[level])
            ends = (estimate.low, estimate.high, *made, *resampled)
        by_means_columns = (*by_means, options.means if level == "system" else "", flag)
        row = (level, coefficient, result.value, *counts, *by_means_columns)
        rows.append((*row, result.chance, result.epsilon, *of_raters, *ends))
    return Measurement(rows, find_cautions(names[2], names[3], joined.X, joined.Z, joined.summarizers))


def _warn_of_untestable(grid: Grid, labels: Mapping[str, Labels], human: Labels) -> None:
    """Warn of pairs of summarizers that humans or a metric cannot test, with the metric that has the most."""
    counts = {name: int((~(of_metric.testable & human.testable)).sum()) for name, of_metric in labels.items()}
    metric = max(counts, key=lambda name: counts[name])
    if not counts[metric]:
        return
    place = "-".join(filter(None, (grid.year, grid.task)))
    n_pairs = len(human.testable)
    missing = ", so its measures are missing" if counts[metric] == n_pairs else ""
    warn(
        f"{place and f'{place}: '}{counts[metric]} of {n_pairs} pairs of summarizers are not counted for "
        f"{metric}{missing}: no test is possible ({TOO_FEW_TOPICS}, or {CONSTANT_DIFFERENCE} in a t-test)"
    )


# --- agreement of decisions ---


def sort_by_accuracy(rows: pd.DataFrame) -> pd.DataFrame:
    """Put the metrics with the highest balanced accuracy first in each year and task."""
    strata = [name for name in ("year", "task") if name in rows]
    number = rows.groupby(strata, sort=False, dropna=False).ngroup() if strata else 0
    ordered = rows.assign(less=-rows["ba"], stratum_number=number)
    ordered = ordered.sort_values(["stratum_number", "less"], kind="stable", ignore_index=True)
    return ordered.drop(columns=["less", "stratum_number"])


MAX_METRICS_DRAWN = 40  # of thousands of combinations


def draw_agreement(rows: pd.DataFrame) -> Picture:
    """Draw the balanced accuracy of each metric."""
    caption = "balanced accuracy: significant differences of humans that the metric finds"
    marked = "ba_bold" if "ba_bold" in rows else None
    caption += "; diamonds are within the interval of the best" if marked else ""
    caption += f"; the best {MAX_METRICS_DRAWN}" if len(rows) > MAX_METRICS_DRAWN else ""
    highest = rows.sort_values("ba", ascending=False, kind="stable").head(MAX_METRICS_DRAWN)
    return forest_picture(highest, caption, "metric", "ba", marked=marked)


COUNTS = (
    count("n", "pairs of summarizers that tests of both can decide"),
    count("tp", "significant for humans and the metric, in one direction", priority=MAIN),
    count("fn", "significant for humans alone", priority=MAIN),
    count("fp", "significant for the metric alone"),
    count("tn", "significant for neither"),
    count("contradictions", "significant for both, in opposite directions"),
)
AGREEMENT_MEASURES = (
    estimate("accuracy", "share of pairs on which both decide alike"),
    estimate("precision", "share of the metric's significant differences that are human ones"),
    estimate("recall", "share of the human significant differences that the metric finds"),
    estimate("ba", "balanced accuracy: mean of recall and specificity", priority=MAIN),
    estimate("ba_pv", "balanced accuracy as printed: mean of the predictive values"),
    estimate("kappa", "Cohen's kappa"),
)

AGREEMENT = Answer(
    name="agreement",
    caption="Agreement with human decisions",
    question="Which metric finds the differences that people find?",
    columns=(
        YEAR,
        TASK,
        TARGET,
        item("metric", "the metric, or several joined by +"),
        setting("n_metrics", "metrics of the combination", "int"),
        setting("top", "best summarizers that are compared; missing for all", "int"),
        N_SUMMARIZERS,
        N_TOPICS,
        *COUNTS,
        *AGREEMENT_MEASURES,
        estimate("order_agreement", "share of pairs whose means are in the same order, without any test"),
        setting("test", "the test of two summarizers", shown="always"),
        setting("alpha", "a pair is significant if its p is at most this", "float"),
        setting("correction", "of p-values: none", shown="always", priority=SELDOM),
        setting("seed", "missing: nothing is drawn", "int", priority=SELDOM),
    ),
    needs=("metric", "tp", "fn", "ba"),
    sentence=name_best_by(
        "ba",
        "find the significant differences of humans best",
        "balanced accuracy",
        [column.name for column in (YEAR, TASK, TARGET)],
    ),
    pictures=draw_agreement,
    shown_first=("metric", "ba", "precision", "recall"),
    arrange_rows=sort_by_accuracy,
    choose_bold_columns=lambda _: ("ba",),
)


@explain_keywords(
    combine="classy_aesop.papers.rankel_2013.label_agreement(data, combine=...)",
    preset="test='wilcoxon'; study label-agreement tests as its paper",
)
def agreement(
    scores: ScoreTables,
    judgments: ScoreTables | None = None,
    target: str | None = None,
    *,
    top: int | None = 30,
    test: Test = DEFAULT_TEST,
    alpha: float = ALPHA,
    metric: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Compare each metric's significant differences with the human ones.

    Parameters
    ----------
    scores, judgments, target, columns
        As for :func:`classy_aesop.answers.metric_pairs.compare_metrics`.
    top : int or None
        How many of the best summarizers by human mean are compared; None for all. Of equals the earlier name comes in.
    test : {"unpaired_t", "paired_t", "wilcoxon"}
        By default the paired t-test.
    alpha : float
        A pair is significant if its p, uncorrected, is at most this.
    lower_is_better : str, or sequence of str, optional
        As for :func:`evaluate`.
    metric : str, or sequence of str, optional
        Only these metrics.
    year, task : str, optional
        Only these.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Result
        A row a metric; `AGREEMENT` declares the columns: the counts and measures of
        :class:`classy_aesop.significance.metrics.label_agreement.Agreement`; ``order_agreement``, the share of pairs
        whose means are in the same order, without any test; and how they came about.
        Nothing is corrected or drawn: ``correction`` is none and ``seed`` missing. Pairs that no test can decide, by
        humans or by the metric, are in no count; where none is left the measures are missing.

    Raises
    ------
    UsageError, InputError
        As :func:`classy_aesop.answers.metric_pairs.compare_metrics`; or fewer than two summarizers.

    Warns
    -----
    DataWarning
        For pairs that no test can decide.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 2, 4, 4, 2, 4, 1, 1, 2]
    >>> found = agreement(table.drop(columns="quality"), table.drop(columns="rouge"), "quality")
    >>> found.table[["metric", "tp", "fn", "fp", "tn"]].values.tolist()
    [['rouge', 3, 0, 0, 3]]
    """
    options = DecisionOptions(top=top, test=test, alpha=alpha)
    sides = read_metrics_and_humans(scores, judgments, target=target, metric=metric, columns=columns)
    return compare_decisions(
        *sides,
        choose_measure(sides[1], target, "target"),
        options,
        metric=metric,
        year=year,
        task=task,
        lower_is_better=lower_is_better,
        n_jobs=n_jobs,
        progress=progress,
    )


def compare_decisions(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    options: DecisionOptions,
    *,
    preset: Preset = "standard",
    combine: int = 1,
    metric: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Compare the significant differences of metrics with human ones with given options, as :func:`agreement` does.

    Parameters
    ----------
    scores, judgments : DataFrame
        Tidy score tables.
    target : str
        The human measure.
    options : DecisionOptions
        Which pairs are decided, and by which test.
    preset : {"standard", "rankel2011", "rankel2013", "pratt"}
        How the test is computed: as in a paper.
    combine : int
        Also combine up to so many metrics, joined by ``+``: a pair is significant if it is for every member.
        ``order_agreement`` is then missing.
    metric, year, task, lower_is_better, n_jobs, progress
        As for :func:`agreement`.

    Returns
    -------
    Result
        As :func:`agreement`.
    """
    grids = judged_grids(
        scores, judgments, target, metric=metric, year=year, task=task, lower_is_better=lower_is_better
    )
    top = options.top
    label = partial(label_by_both, test=options.test, preset=preset, alpha=options.alpha)
    rows = []
    for grid in keep_large_enough(grids, lambda grid: len(grid.summarizers), 2, "summarizers"):
        best_rows = select_best_rows(grid.truth, top)
        work = ((X[best_rows], grid.truth[best_rows]) for X in grid.metrics.values())
        done = map_workers(label, work, n_jobs=n_jobs)
        label_pairs = list(show_progress(done, "labels", "metrics", shown=progress, total=len(grid.metrics)))
        human_labels = label_pairs[0][0]
        labels = dict(zip(grid.metrics, (of_metric for _, of_metric in label_pairs), strict=True))
        _warn_of_untestable(grid, labels, human_labels)
        largest = min(combine, len(labels))
        agreements = agreements_of_combinations(labels, human_labels, largest=largest)
        n_all = sum(math.comb(len(labels), size) for size in range(1, largest + 1))
        shown = progress and largest > 1
        counted = show_progress(agreements, "agreement", "combinations", shown=shown, total=n_all)
        for names, measures in counted:
            row = {"year": grid.year, "task": grid.task, "metric": "+".join(names), "n_metrics": len(names)}
            row |= {
                "n_summarizers": len(best_rows),
                "n_topics": len(grid.topics),
                "order_agreement": math.nan,
            }
            row |= {column.name: getattr(measures, column.name) for column in (*COUNTS, *AGREEMENT_MEASURES)}
            if len(names) == 1:
                row["order_agreement"] = order_agreement(grid.metrics[names[0]], grid.truth, top=top)
            rows.append(row)
    table = pd.DataFrame(rows).assign(
        target=target, test=options.test, alpha=options.alpha, correction="none"
    )
    missing = [pd.NA] * len(rows)
    tops = missing if top is None else [top] * len(rows)
    table = table.assign(top=pd.array(tops, dtype="Int64"), seed=pd.array(missing, dtype="Int64"))
    signed = signature(
        command=AGREEMENT.name,
        target=target,
        test=options.test,
        alpha=options.alpha,
    )
    return Result(
        drop_empty_stratum_columns(AGREEMENT.order_columns(table)), signature=signed, answer=AGREEMENT
    )
