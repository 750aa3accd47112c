"""Metric against metric: does the first correlate better with humans than the second, for whom, and which is best?

``p`` says whether one would be better on other systems like these, ``p_here`` whether it is on these systems and topics
(PERM-BOTH); see :mod:`classy_aesop.significance.metrics.metric_tests`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np
import pandas as pd

from classy_aesop.answers.cautions import (
    VISIBLE_DIFFERENCE,
    MetricCautions,
    find_cautions,
    values_by_both_means,
    warn_of_cautions,
    warn_of_different_systems,
    warn_of_few_systems,
    warn_of_one_topic,
    warn_of_other_means,
)
from classy_aesop.answers.correlation_options import IntervalMethod
from classy_aesop.answers.correlation_tables import (
    COEFFICIENT,
    LEVEL,
    draw_correlations,
    highest_rows,
    keep_informative,
    state_means_used,
)
from classy_aesop.answers.metric_pair_options import MetricPairTest
from classy_aesop.answers.metrics import IntervalOptions
from classy_aesop.answers.metrics_and_humans import choose_measure, read_metrics_and_humans
from classy_aesop.answers.raters import warn_of_rater_shares
from classy_aesop.answers.score_matrices import (
    Grid,
    judged_grids,
    keep_large_enough,
    name_sequence,
    pair_levels_with_coefficients,
    warn_of_few_resamples,
)
from classy_aesop.answers.shared_options import CONFIDENCE
from classy_aesop.data import natural
from classy_aesop.data.cells import Fields
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.errors import InputError, UsageError, join_names, warn
from classy_aesop.keywords import explain_keywords
from classy_aesop.plots.captioned import Picture, pairs_picture
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.additive.system_means import means_design
from classy_aesop.significance.choices import (
    ALPHA,
    N_RESAMPLES,
    AnyLevel,
    Coefficient,
    Correction,
    IntervalKind,
    Means,
    TestOfMetrics,
)
from classy_aesop.significance.correlations.accuracies import SOFT_ACCURACY
from classy_aesop.significance.correlations.coefficients import lowest_value
from classy_aesop.significance.correlations.correlation_intervals import FISHER_LOST_POINTS, Interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import snap_ties
from classy_aesop.significance.metrics.metric_tests import METRIC_TESTS, PERM_BOTH, MetricTest, Stratum
from classy_aesop.significance.metrics.resampled_differences import keep_shared_cells
from classy_aesop.significance.metrics.stratified_means import StratifiedMean, mean_of_intervals
from classy_aesop.significance.multiplicity.corrections import adjust_p_values, resamples_needed
from classy_aesop.significance.pairs.rank_clusters import greedy_clusters
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    SELDOM,
    TARGET,
    TASK,
    YEAR,
    Purpose,
    count,
    estimate,
    interval,
    item,
    optional,
    p_value,
    remark,
    setting,
)
from classy_aesop.tables.wording import (
    count_text,
    first_stratum,
    interval_text,
    names_text,
    number_text,
    p_text,
    stratum_text,
)
from classy_aesop.work.records import signature
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import map_workers, progress_bar

COMPARED_WITHIN = [column.name for column in (YEAR, TASK, LEVEL, COEFFICIENT)]
"""What a comparison is of."""

# --- what the tables say ---


def count_better_metrics(rows: pd.DataFrame) -> str:
    """Count the differences between metrics that are significant, on other systems and on these."""
    for_others = is_significant(rows["p_adjusted"])
    for_these = is_significant(rows["p_here_adjusted"])
    if len(rows) == 1:
        row = rows.iloc[0]
        if not row["difference"] > 0:
            names = join_names([row["first"], row["second"]])
            size = row["difference"]
            return f"The difference between {names} is {'undefined' if pd.isna(size) else number_text(size)}."
        claim = f"{row['first']} agrees better with {row.get('target', 'human scores')} than {row['second']}"
        scope = describe_scope(bool(for_others[0]), bool(for_these[0]), row["p"], row["p_here"])
        return f"{claim} by {number_text(row['difference'])}: {scope}."
    claim = f"{for_others.sum()} of {count_text(len(rows), 'difference')} between metrics"
    verb = "is" if for_others.sum() == 1 else "are"
    return (
        f"{claim} {verb} significant for other systems like these, {for_these.sum()} for these "
        f"(p_adjusted and p_here_adjusted at most {ALPHA:g})."
    )


def describe_scope(is_for_others: bool, is_for_these: bool, p: float, p_here: float) -> str:
    """Say whether a difference is significant for other systems, and for these.

    Parameters
    ----------
    is_for_others, is_for_these : bool
        Whether it is significant for new systems, and conditional on these systems.
    p, p_here : float
        The p of either test.
    """
    conjunctions = {(1, 1): "and", (1, 0): "but not", (0, 1): "but significant", (0, 0): "nor"}
    sentence = f"{'' if is_for_others else 'not '}significant for other systems like these ({p_text(p)})"
    return f"{sentence}, {conjunctions[is_for_others, is_for_these]} for these ({p_text(p_here)})"


def name_best_metrics(rows: pd.DataFrame) -> str:
    """Name the best metric of a ranking, and count those that are significantly worse."""
    rows, reason = keep_informative(rows)
    if rows.empty:
        return f"{reason}."
    prefix = f"{reason}. " if reason else ""
    strata = METRIC_RANKING.strata_in(rows)
    first = first_stratum(rows, strata).sort_values("rank", kind="stable")
    where = stratum_text(rows, strata)
    best = first.iloc[0]
    if pd.isna(best["value"]):
        return f"No metric has a correlation that is defined{where}."
    ties = highest_rows(first, "value")
    n_others = len(first) - len(ties)
    target = best.get("target", "human scores")
    value = f"{best['value']:z.3f}{interval_text(best)}"
    value += state_means_used(best)
    names = names_text(ties["metric"], first["metric"])
    if best["value"] < 0:
        none = f"{prefix}No metric correlates positively with {target}"
        sentence = f"{none}; {names} {'have' if len(ties) > 1 else 'has'} the highest value ({value})"
    else:
        sentence = f"{prefix}{names} {'agree' if len(ties) > 1 else 'agrees'} best with {target} ({value})"
    if not n_others and len(ties) > 1:
        return f"{sentence}{where}."
    if not n_others:
        only_metric = f"{prefix}{names} is the only metric"
        return f"{only_metric}; its correlation with {target} is {value}{where}."
    n_worse = len(first) - 1 - best["beats"].split().count("=")
    n_here = int(first["cluster_here"].ne(best["cluster_here"]).sum())
    of = f"of the {n_others} others" if n_others > 1 else "of 1 other"
    worse = f"{n_worse or 'none'} {of} {'is' if n_worse < 2 else 'are'} significantly worse"
    here = f"{n_here or 'none'} {'is' if n_here < 2 else 'are'}"
    return f"{sentence}; {worse}{where}. Tested on these systems alone, {here}."


def drop_equal_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Show the difference by the other means of systems only where it looks different."""
    columns = ["by_plain_means", "by_least_squares"]
    if not {*columns, "means"} <= set(rows):
        return rows
    differs = (rows[columns[0]] - rows[columns[1]]).abs().gt(VISIBLE_DIFFERENCE).any()
    is_plain = not rows["means"].ne("plain").any()
    shown = {columns[1] if is_plain else columns[0]} if differs else set()
    return rows.drop(columns=[name for name in (*columns, "means") if name not in shown])


def join_signs(rows: pd.DataFrame) -> pd.DataFrame:
    """Write the signs of a ranking without spaces, and its second cluster in two words."""
    signs = rows["beats"].str.replace(" ", "")
    return rows.assign(beats=signs).rename(columns={"cluster_here": "cluster here"})


def draw_metric_pairs(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw which metric is better than which, by each of two p-values: those of Deutsch et al. (2021), or ours."""
    rows = rows.assign(difference=rows["r_first"] - rows["r_second"])
    for p, scope in (
        ("p_adjusted", " on other systems like these, corrected for all pairs"),
        ("p_here_adjusted", " on these systems, corrected for all pairs"),
        ("p_by_first", ", corrected for the tests of the row's metric"),
        ("p_overall", ", corrected for all pairs"),
    ):
        if p in rows:
            tested = rows.assign(significant=is_significant(rows[p]))
            yield pairs_picture(tested, f"which metric correlates better{scope}")


# --- the declared tables ---

TOGETHER = (
    estimate("spread", "standard deviation of the true values between years and tasks", priority=SELDOM),
    *interval("low_others", "high_others", "the interval for other years and tasks like these"),
    count("n_strata", "years and tasks that are taken together"),
)
STRATA = [column.name for column in TOGETHER]
"""The columns of years and tasks together, after the interval."""

METRIC_COMPARISON = Answer(
    name="compare-metrics --pairs",
    caption="Tests of pairs of metrics",
    question="Which metrics differ?",
    columns=(
        YEAR,
        TASK,
        TARGET,
        LEVEL,
        COEFFICIENT,
        item("first", "the metric with the higher correlation"),
        item("second", "the metric that it is compared with"),
        estimate("r_first", "correlation of the first with the human scores", priority=MAIN),
        estimate("r_second", "correlation of the second", priority=MAIN),
        estimate("difference", "correlation of the first less that of the second", priority=MAIN),
        *interval("low", "high", "the interval of the difference, uncorrected", cell="difference"),
        *optional(*TOGETHER),
        estimate("by_plain_means", "the difference by plain means of systems, at system level"),
        estimate("by_least_squares", "the difference by least-squares means of systems"),
        setting("means", "which of them is given; empty at other levels", shown="always"),
        estimate("statistic", "of the test", priority=4 * SELDOM),
        count("n", "points that are correlated"),
        p_value("p", "for other systems like these, by the test"),
        p_value("p_here", "for these systems and topics (PERM-BOTH)"),
        p_value("p_adjusted", "p corrected for all pairs", is_corrected=True, priority=MAIN),
        p_value("p_here_adjusted", "p_here corrected for all pairs", is_corrected=True, priority=MAIN),
        remark("flag", "why there is no test", priority=2 * SELDOM),
        setting("test", "the test of two metrics", shown="always"),
        setting("correction", "of p-values for all pairs", shown="always", priority=SELDOM),
        setting("interval", "by which method the interval is made", shown="always"),
        setting("interval_kind", "what is made of the resamples; empty of a formula"),
        setting("confidence", "of the interval", "float"),
        setting("n_resamples", "of the test", "int"),
        setting("n_dropped", "replicates without a value", "int"),
        setting("seed", "of the resamples", "int", shown="always", priority=4 * SELDOM),
    ),
    needs=("first", "second", "r_first", "r_second", "difference", "p_adjusted", "p_here_adjusted"),
    sentence=count_better_metrics,
    pictures=draw_metric_pairs,
    shown_first=("first", "second", "difference", "p_adjusted", "p_here_adjusted"),
    sorted_by=("p_adjusted", "p"),
    arrange_rows=drop_equal_means,
)

METRIC_RANKING = Answer(
    name="compare-metrics",
    caption="Correlations of metrics, their intervals and clusters",
    question="Which metric agrees best with people?",
    columns=(
        YEAR,
        TASK,
        TARGET,
        LEVEL,
        COEFFICIENT,
        item("metric", "the metric"),
        estimate("rank", "by the correlation, 1 for the highest", "int", shown="never"),
        estimate(
            "cluster", "each metric above is better than all in it for other systems", "int", priority=MAIN
        ),
        estimate("cluster_here", "the same for these systems and topics", "int", priority=MAIN),
        estimate("value", "the correlation; together, its mean over years and tasks", priority=MAIN),
        *interval("low", "high", "the interval of the correlation", cell="value"),
        estimate("by_plain_means", "the value by plain means of systems, at system level", shown="never"),
        estimate("by_least_squares", "the value by least-squares means of systems", shown="never"),
        remark("flag", "why a value shows nothing"),
        *optional(
            *(replace(column, shown="always" if column.name == "spread" else "never") for column in TOGETHER)
        ),
        estimate(
            "beats",
            "a sign a metric: > significantly better, = not, . itself and those above",
            "text",
            priority=MAIN,
        ),
        setting("means", "which means of systems the value is by", shown="never"),
        setting("test", "the test of two metrics", shown="never"),
        setting("correction", "of p-values for all pairs", shown="never"),
        setting("alpha", "significant is a corrected p of at most this", "float", shown="never"),
        setting("interval", "by which method the intervals are made", shown="never"),
        setting("interval_kind", "what is made of the resamples; empty of a formula", shown="never"),
        setting("confidence", "of the intervals", "float", shown="never"),
        setting("n_resamples", "of the tests", "int", shown="never"),
        setting("seed", "of the resamples", "int", shown="never"),
    ),
    needs=(
        "metric",
        "target",
        "level",
        "coefficient",
        "rank",
        "cluster",
        "cluster_here",
        "value",
        "low",
        "high",
        "beats",
    ),
    sentence=name_best_metrics,
    pictures=draw_correlations,
    shown_first=("cluster", "cluster here", "metric", "value", "flag", "spread", "beats"),
    arrange_rows=join_signs,
    block="cluster",
)


METRICS_OF_A_BLOCK = 4  # a worker tests so many metrics with as many, on the same resamples


@explain_keywords()
def compare_metric_pairs(
    scores: ScoreTables,
    judgments: ScoreTables | None = None,
    target: str | None = None,
    *,
    test: TestOfMetrics = "perm-systems",
    level: AnyLevel | Sequence[AnyLevel] | None = None,
    coefficient: Coefficient | Sequence[Coefficient] | None = None,
    correction: Correction = "holm",
    interval: IntervalMethod | None = None,
    interval_kind: IntervalKind = "percentile",
    confidence: float = CONFIDENCE,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    means: Means = "least-squares",
    together: bool = False,
    metric: str | Sequence[str] | None = None,
    columns: Fields | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Test every pair of metrics, two-sided: does one correlate better with humans than the other?

    Parameters
    ----------
    scores, judgments : DataFrame, path-like, or sequence of these
        Score tables, joined by ids, as for :func:`classy_aesop.answers.metrics.evaluate`; a single one holds both.
    target : str, optional
        The human measure; by default the only one of ``judgments``.
    test, level, coefficient, correction, interval, interval_kind, confidence, n_resamples, seed, means, together
        How pairs of metrics are tested, see :class:`classy_aesop.answers.metric_pair_options.MetricPairTest`. All pairs
        of a year, task, level and coefficient use the same resamples. Together, exchanges and resamples are within
        years and tasks, the statistic is the mean of their correlations, and only the metrics count that all of them
        have.
    metric : str, or sequence of str, optional
        Only these.
    columns : mapping, optional
        What columns are, where their names do not say so, as for :func:`classy_aesop.answers.metrics.evaluate`.
    year, task : str, optional
        Only these.
    lower_is_better : str, or sequence of str, optional
        As for :func:`classy_aesop.answers.metrics.evaluate`.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Result
        A row a pair, the metric with the higher correlation first; `METRIC_COMPARISON` declares the columns. The
        interval inverts no test, so it may hold 0 beside a small p. Together, ``year`` and ``task`` join the names,
        the interval is normal, and further columns tell years and tasks apart; see
        :func:`classy_aesop.significance.metrics.stratified_means.stratified_mean`.

    Raises
    ------
    UsageError
        A name is not known; or a test or an interval that does not resample, together.
    InputError
        Fewer than two metrics, or no instance is in both tables.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2] * 6, "system": sorted("abcdef" * 2)})
    >>> table["quality"] = [5, 4, 3, 3, 4, 2, 1, 1, 2, 3, 5, 5]
    >>> table["rouge"] = [0.31, 0.25, 0.22, 0.2, 0.28, 0.16, 0.12, 0.1, 0.2, 0.14, 0.36, 0.3]
    >>> table["length"] = [92, 99, 99, 90, 97, 96, 90, 98, 95, 93, 99, 97]
    >>> scores, judgments = table.drop(columns="quality"), table[["topic", "system", "quality"]]
    >>> found = compare_metric_pairs(scores, judgments, "quality", n_resamples=199)
    >>> found.table[["first", "second", "r_first", "r_second", "p", "p_here"]].round(3).values.tolist()
    [['rouge', 'length', 0.99, 0.771, 0.188, 0.54]]
    """
    options = MetricPairTest(
        test=test,
        level=level,
        coefficient=coefficient,
        correction=correction,
        interval=interval,
        interval_kind=interval_kind,
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        means=means,
        together=together,
    )
    sides = read_metrics_and_humans(scores, judgments, target=target, metric=metric, columns=columns)
    return compare_pairs_of_metrics(
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


def compare_pairs_of_metrics(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    options: MetricPairTest,
    *,
    metric: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Test every pair of metrics with given options, as :func:`compare_metric_pairs` does.

    Parameters
    ----------
    scores, judgments : DataFrame
        Tidy score tables.
    target : str
        The human measure.
    options : MetricPairTest
        How pairs of metrics are tested.
    metric, year, task, lower_is_better, n_jobs, progress
        As for :func:`compare_metric_pairs`.

    Returns
    -------
    Result
        As :func:`compare_metric_pairs`.
    """
    chosen = _Chosen(options)
    grids = judged_grids(
        scores, judgments, target, metric=metric, year=year, task=task, lower_is_better=lower_is_better
    )
    places = chosen.places(grids)
    warn_of_rater_shares(judgments, target)
    _warn_of_metric_pairs(places, target)
    table = _compare_all(places, chosen, n_jobs=n_jobs, progress=progress).assign(target=target)
    names = [f"{first} less {second}" for first, second in zip(table["first"], table["second"], strict=True)]
    _warn_of_means(names, table, places, chosen.options.means)
    return _make_metric_result(METRIC_COMPARISON, table, chosen, target)


@dataclass(frozen=True)
class ComparedGrids:
    """The scores of some metrics in one year and task, or in all that are taken together, and what is correlated."""

    grids: tuple[Grid, ...]
    level: str
    coefficient: str
    together: bool = False
    means: Means = "plain"

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics."""
        return list(self.grids[0].metrics)

    @property
    def level_and_coefficient(self) -> tuple[str, str]:
        """Level and coefficient."""
        return self.level, self.coefficient

    @property
    def options(self) -> dict[str, str]:
        """How correlations are computed."""
        return {"level": self.level, "coefficient": self.coefficient, "means": self.means}

    def strata(self, seed: int) -> list[Stratum]:
        """Give the scores of each year and task with their own source of resamples."""
        rngs = [seeded_rng(seed, grid.year, grid.task, *self.level_and_coefficient) for grid in self.grids]
        parts = zip(self.grids, rngs, strict=True)
        return [Stratum(list(grid.metrics.values()), grid.truth, rng) for grid, rng in parts]

    @property
    def ids(self) -> dict[str, str]:
        """The columns that say where; the names of several years or tasks are joined."""
        return {
            "year": "+".join(dict.fromkeys(grid.year for grid in self.grids)),
            "task": "+".join(dict.fromkeys(grid.task for grid in self.grids)),
            "level": self.level,
            "coefficient": self.coefficient,
        }


def metric_places(
    grids: Sequence[Grid],
    levels_and_coefficients: Sequence[tuple[str, str]],
    *,
    together: bool = False,
    means: Means = "plain",
) -> list[ComparedGrids]:
    """Give where metrics are compared: each level and coefficient of each year and task, or of all ``together``.

    Parameters
    ----------
    grids : sequence of Grid
        The scores of metrics and humans in each year and task; those of fewer than two metrics are left out.
    levels_and_coefficients : sequence of (str, str)
        Pairs of a level and a coefficient that it has.
    together : bool
        Compare over all years and tasks, by the metrics that all of them have.
    means : str
        How systems' means are estimated where cells are missing.
    """
    grids = _keep_shared_metrics(grids) if together else grids
    large_enough = keep_large_enough(grids, lambda grid: len(grid.metrics), 2, "metrics")
    groups = [tuple(large_enough)] if together else [(grid,) for grid in large_enough]
    return [
        ComparedGrids(group, *level_and_coefficient, together, means)
        for group in groups
        for level_and_coefficient in levels_and_coefficients
    ]


def _keep_shared_metrics(grids: Sequence[Grid]) -> list[Grid]:
    """Keep the metrics that every year and task has."""
    metric_names = {name for grid in grids for name in grid.metrics}
    shared = metric_names.intersection(*(grid.metrics for grid in grids))
    if len(shared) < 2:
        raise InputError(
            f"{len(shared)} metrics are in all of {len(grids)} years and tasks; expected 2 or more"
        )
    if metric_names - shared:
        names = join_names(sorted(metric_names - shared, key=natural))
        warn(f"left out, as not all years and tasks have them: {names}")
    shared_metrics = [{name: X for name, X in grid.metrics.items() if name in shared} for grid in grids]
    return [replace(grid, metrics=metrics) for grid, metrics in zip(grids, shared_metrics, strict=True)]


@dataclass(frozen=True)
class _Chosen:
    """How pairs of metrics are tested, and how intervals of their differences are made; UsageError if they cannot."""

    options: MetricPairTest
    test: MetricTest = field(init=False)  # of other systems; workers need not know its name
    ends: IntervalOptions = field(init=False)

    def __post_init__(self) -> None:
        options = self.options
        object.__setattr__(self, "test", replace(METRIC_TESTS[options.test], name=options.test))
        if options.together and self.test.resample_pairs is None:
            raise UsageError(f"{options.test} cannot combine years; expected a test that resamples")
        # by formula beside a test by formula, else by resamples
        by_formula = not self.test.resamples and set(self.coefficients) <= set(FISHER_LOST_POINTS)
        interval = options.interval or ("fisher" if by_formula else "boot-both")
        ends = IntervalOptions(
            interval,
            options.confidence,
            options.n_resamples,
            options.seed,
            options.means,
            options.interval_kind,
        )
        object.__setattr__(self, "ends", ends)
        if options.interval is not None:
            self.ends.check(self.coefficients)
        if options.together and self.ends.interval == "fisher":
            raise UsageError("interval fisher cannot combine years; expected one that resamples")
        if options.interval_kind == "bca":
            raise UsageError("a difference has no bca interval; expected percentile or normal")

    @property
    def coefficients(self) -> Sequence[str]:
        """The coefficients of correlation, by default Pearson's."""
        return name_sequence(self.options.coefficient or "pearson")

    def places(self, grids: Sequence[Grid]) -> list[ComparedGrids]:
        """Give where metrics are compared; of two systems by default within topics."""
        levels = self.options.level
        if levels is None:
            two = all(len(grid.summarizers) <= 2 for grid in grids)
            levels = (
                "input" if two and pair_levels_with_coefficients("input", self.coefficients) else "system"
            )
        levels_and_coefficients = pair_levels_with_coefficients(levels, self.coefficients)
        return metric_places(
            grids, levels_and_coefficients, together=self.options.together, means=self.options.means
        )


def _warn_of_metric_pairs(places: Sequence[ComparedGrids], target: str) -> None:
    """Warn of few and of different systems, one topic, groups without a shared one, and copies of human scores."""
    grids = {(grid.year, grid.task): grid for place in places for grid in place.grids}
    of_means = [place for place in places if place.level == "system"]
    if of_means or all(len(grid.summarizers) <= 2 for grid in grids.values()):
        warn_of_few_systems(
            {"-".join(filter(None, place)): len(grid.summarizers) for place, grid in grids.items()}
        )
    systems: dict[str, dict[str, tuple[str, ...]]] = {}
    cautions: list[MetricCautions] = []
    for place, grid in grids.items():
        of_grid = {
            name: find_cautions(name, target, X, grid.truth, grid.summarizers)
            for name, X in grid.metrics.items()
        }
        systems["-".join(filter(None, place))] = {name: caution.systems for name, caution in of_grid.items()}
        cautions += of_grid.values()
    if of_means:
        warn_of_one_topic(cautions)
    warn_of_different_systems(systems)
    warn_of_cautions(cautions, of_means=any(place.means == "least-squares" for place in of_means))


def _warn_of_means(
    names: Sequence[str], table: pd.DataFrame, places: Sequence[ComparedGrids], means: Means
) -> None:
    """Warn where plain and least-squares means give other values."""
    grids = [grid for place in places if place.level == "system" for grid in place.grids]
    if grids:
        cautions = [
            find_cautions("", "", X, grid.truth, grid.summarizers)
            for grid in grids
            for X in grid.metrics.values()
        ]
        most_missing = max(cautions, key=lambda caution: caution.n_missing)
        warn_of_other_means(names, table, most_missing, means)


def _compare_all(
    places: Sequence[ComparedGrids], chosen: _Chosen, *, n_jobs: int, progress: bool
) -> pd.DataFrame:
    """Test all pairs of metrics of each place; the columns of `compare_metric_pairs` but ``target``."""
    _warn_of_few(places, chosen)
    blocks: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    for number, place in enumerate(places):
        for i, j in combinations(range(len(place.metrics)), 2):
            blocks.setdefault((number, i // METRICS_OF_A_BLOCK, j // METRICS_OF_A_BLOCK), []).append((i, j))
    parts = [(number, pairs) for (number, _, _), pairs in blocks.items()]
    work = ((places[number], pairs, chosen) for number, pairs in parts)
    done = map_workers(_test_metric_pairs, work, n_jobs=n_jobs if len(parts) > 1 else 1)
    of_places = ((place, chosen.ends) for place in places)
    n_pairs = sum(len(pairs) for _, pairs in parts)
    rows: dict[tuple[int, int, int], dict[str, object]] = {}
    with progress_bar("metrics", n_pairs, "pairs", shown=progress) as tell:
        for (number, pairs), test_rows in zip(parts, done, strict=True):
            rows |= {(number, *pair): row for pair, row in zip(pairs, test_rows, strict=True)}
            tell(len(pairs))
    for number, intervals in enumerate(map_workers(_intervals, of_places, n_jobs=n_jobs)):
        for pair, interval_of_pair in intervals.items():
            rows[number, *pair] |= _ends_of(interval_of_pair)
    table = pd.DataFrame([rows[key] for key in sorted(rows)])
    turned = table.rename(columns=_SWAPPED | {second: first for first, second in _SWAPPED.items()})
    with_sign = ("difference", "by_plain_means", "by_least_squares", "statistic", "low", "high", *STRATA[1:3])
    signed = [name for name in with_sign if name in table]
    turned[signed] = -turned[signed]  # where the second metric correlates better, it comes first
    table = table.where(~(table["r_second"] > table["r_first"]), turned[list(table)])
    table = table.assign(test=chosen.test.name, correction=chosen.options.correction).astype(
        {"seed": "Int64"}
    )
    groups = table.groupby(COMPARED_WITHIN, sort=False)
    for p in ("p", "p_here"):
        table[f"{p}_adjusted"] = groups[p].transform(
            lambda p_values: adjust_p_values(p_values, correction=chosen.options.correction)
        )
    return table


_SWAPPED = {"first": "second", "r_first": "r_second", "low": "high", "low_others": "high_others"}


def _warn_of_few(places: Sequence[ComparedGrids], chosen: _Chosen) -> None:
    """Warn where no p can be significant: too few resamples for the pairs, or too few systems to exchange."""
    n_metrics = max(len(place.metrics) for place in places)
    n_tests = n_metrics * (n_metrics - 1) // 2
    warn_of_few_resamples(chosen.options.n_resamples, n_tests, correction=chosen.options.correction)
    n_systems = min(sum(len(grid.summarizers) for grid in place.grids) for place in places)
    needed = 2 + int(math.log2(resamples_needed(n_tests, correction=chosen.options.correction)))
    if chosen.test.name == "perm-systems" and n_systems < needed:
        warn(
            f"{n_systems} systems: by exchanging whole systems no p of {n_tests} tests can be below "
            f"{2 / 2**n_systems:.3g}, so none is significant (correction: {chosen.options.correction}); "
            f"expected {needed} or more systems"
        )


def _test_metric_pairs(
    place: ComparedGrids, pairs: list[tuple[int, int]], chosen: _Chosen
) -> list[dict[str, object]]:
    """Test pairs of metrics in one place; give the columns that need no other pair."""
    strata = place.strata(chosen.options.seed)
    n_resamples = chosen.options.n_resamples
    tests = chosen.test.test_pairs(strata, pairs, **place.options, n_resamples=n_resamples)
    here = (
        tests
        if chosen.test.name == "perm-both"
        else PERM_BOTH.test_pairs(strata, pairs, **place.options, n_resamples=n_resamples)
    )
    settings: dict[str, object] = {"seed": chosen.options.seed, "interval": chosen.ends.interval}
    settings["interval_kind"] = "normal" if place.together else chosen.ends.kind_of_resamples
    settings["confidence"] = chosen.ends.confidence
    settings["means"] = place.means if place.level == "system" else ""
    rows = []
    for test, of_these, (i, j) in zip(tests, here, pairs, strict=True):
        row = {**place.ids, "first": place.metrics[i], "second": place.metrics[j], **settings}
        row |= {"r_first": test.first, "r_second": test.second, "p_here": of_these.p}
        row |= _difference_by_means(place, i, j, test.difference)
        of_test = {name: getattr(test, name) for name in METRIC_COMPARISON.names if hasattr(test, name)}
        rows.append(of_test | row)
    return rows


def _difference_by_means(
    place: ComparedGrids, first: int, second: int, difference: float
) -> dict[str, float]:
    """Give the difference of two metrics' correlations by plain and by least-squares means of systems."""
    columns = ("by_plain_means", "by_least_squares")
    if place.level != "system" or place.coefficient == SOFT_ACCURACY:
        return dict.fromkeys(columns, math.nan)
    shared = []
    for grid in place.grids:
        scores = list(grid.metrics.values())
        shared.append(keep_shared_cells(scores[first], scores[second], grid.truth))
    if all(means_design(~np.isnan(human)).inverse is None for _, _, human in shared):
        return dict.fromkeys(columns, difference)
    values = {}
    for column, means in zip(columns, ("plain", "least-squares"), strict=True):
        options = {**place.options, "means": means}
        differences = [
            correlation(X, human, **options).value - correlation(Y, human, **options).value
            for X, Y, human in shared
        ]
        values[column] = float(np.mean(differences))
    return values


def _intervals(
    place: ComparedGrids, interval: IntervalOptions
) -> dict[tuple[int, int], Interval | StratifiedMean]:
    """Give the intervals of the differences between all pairs of a place; of several strata, that of their mean."""
    pairs = list(combinations(range(len(place.metrics)), 2))
    intervals = [
        interval.difference_intervals(grid, pairs, *place.level_and_coefficient) for grid in place.grids
    ]
    ends = (
        [mean_of_intervals(parts) for parts in zip(*intervals, strict=True)]
        if place.together
        else intervals[0]
    )
    return dict(zip(pairs, ends, strict=True))


def _ends_of(interval: Interval | StratifiedMean) -> dict[str, float]:
    """Give the columns of an interval."""
    ends = {"low": interval.low, "high": interval.high}
    if isinstance(interval, Interval):
        return ends
    return ends | dict(
        zip(STRATA, (interval.spread, interval.low_others, interval.high_others, interval.n), strict=True)
    )


@explain_keywords(
    pairs="compare_metric_pairs(scores, judgments, target)",
)
def compare_metrics(
    scores: ScoreTables,
    judgments: ScoreTables | None = None,
    target: str | None = None,
    *,
    test: TestOfMetrics = "perm-systems",
    level: AnyLevel | Sequence[AnyLevel] | None = None,
    coefficient: Coefficient | Sequence[Coefficient] | None = None,
    correction: Correction = "holm",
    alpha: float = ALPHA,
    interval: IntervalMethod | None = None,
    interval_kind: IntervalKind = "percentile",
    confidence: float = CONFIDENCE,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
    means: Means = "least-squares",
    together: bool = False,
    metric: str | Sequence[str] | None = None,
    columns: Fields | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Rank metrics by their correlation with humans, in clusters as the shared tasks of WMT on metrics print them.

    Parameters
    ----------
    scores, judgments, target, metric, columns, year, task
        As for :func:`compare_metric_pairs`.
    test, level, coefficient, correction, interval, interval_kind, confidence, n_resamples, seed, means, together
        As for :func:`compare_metric_pairs`.
    alpha : float
        Significant is a corrected p of at most this; between 0 and 1.
    lower_is_better : str, or sequence of str, optional
        As for :func:`classy_aesop.answers.metrics.evaluate`.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Result
        A row a metric, best first; `METRIC_RANKING` declares the columns. Clusters are those of
        :func:`classy_aesop.significance.pairs.rank_clusters.greedy_clusters`, missing without a correlation.

    Raises
    ------
    UsageError, InputError
        As ``compare_metric_pairs``.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2] * 6, "system": sorted("abcdef" * 2)})
    >>> table["quality"] = [5, 4, 3, 3, 4, 2, 1, 1, 2, 3, 5, 5]
    >>> table["rouge"] = [0.31, 0.25, 0.22, 0.2, 0.28, 0.16, 0.12, 0.1, 0.2, 0.14, 0.36, 0.3]
    >>> table["length"] = [92, 99, 99, 90, 97, 96, 90, 98, 95, 93, 99, 97]
    >>> scores, judgments = table.drop(columns="quality"), table[["topic", "system", "quality"]]
    >>> found = compare_metrics(scores, judgments, "quality", n_resamples=199)
    >>> found.table[["metric", "rank", "cluster", "value"]].round(3).values.tolist()
    [['rouge', 1, 1, 0.99], ['length', 2, 1, 0.771]]
    """
    options = MetricPairTest(
        test=test,
        level=level,
        coefficient=coefficient,
        correction=correction,
        alpha=alpha,
        interval=interval,
        interval_kind=interval_kind,
        confidence=confidence,
        n_resamples=n_resamples,
        seed=seed,
        means=means,
        together=together,
    )
    sides = read_metrics_and_humans(scores, judgments, target=target, metric=metric, columns=columns)
    return rank_metrics(
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


def rank_metrics(
    scores: pd.DataFrame,
    judgments: pd.DataFrame,
    target: str,
    options: MetricPairTest,
    *,
    metric: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Rank metrics with given options, as :func:`compare_metrics` does.

    Parameters
    ----------
    scores, judgments : DataFrame
        Tidy score tables.
    target : str
        The human measure.
    options : MetricPairTest
        How pairs of metrics are tested.
    metric, year, task, lower_is_better, n_jobs, progress
        As for :func:`compare_metrics`.

    Returns
    -------
    Result
        As :func:`compare_metrics`.
    """
    chosen = _Chosen(options)
    grids = judged_grids(
        scores, judgments, target, metric=metric, year=year, task=task, lower_is_better=lower_is_better
    )
    places = chosen.places(grids)
    warn_of_rater_shares(judgments, target)
    _warn_of_metric_pairs(places, target)
    pairs = _compare_all(places, chosen, n_jobs=n_jobs, progress=progress)
    work = ((place, name, target, chosen.ends) for place in places for name in place.metrics)
    rows = pd.DataFrame(list(map_workers(_correlate_metric, work, n_jobs=n_jobs)))
    groups = dict(list(pairs.groupby(COMPARED_WITHIN, sort=False)))
    ranked = [
        _rank_metrics(of_place, groups[names], options.alpha)
        for names, of_place in rows.groupby(COMPARED_WITHIN, sort=False, dropna=False)
    ]
    _warn_of_means(rows["metric"].tolist(), rows, places, chosen.options.means)
    names = [column.name for column in METRIC_RANKING.columns_of_purpose(Purpose.SETTING)]
    settings = pairs[[name for name in names if name not in ("alpha", "means")]].head(1)
    table = pd.concat(ranked, ignore_index=True).assign(target=target, alpha=options.alpha)
    table = table.merge(settings, how="cross").astype({"seed": "Int64"})
    return _make_metric_result(METRIC_RANKING, table, chosen, target)


def _make_metric_result(answer: Answer, table: pd.DataFrame, chosen: _Chosen, target: str) -> Result:
    """Put rows into the table of an answer."""
    if not chosen.options.together:
        table = table.drop(columns=STRATA, errors="ignore")
    settings = {
        "test": chosen.test.name,
        "correction": chosen.options.correction,
        "n_resamples": str(chosen.options.n_resamples),
    }
    signed = signature(command=answer.name, target=target, seed=chosen.options.seed, **settings)
    return Result(drop_empty_stratum_columns(answer.order_columns(table)), signature=signed, answer=answer)


def _correlate_metric(
    place: ComparedGrids, name: str, target: str, interval: IntervalOptions
) -> dict[str, object]:
    """Give a metric's correlation with its interval; together, the means over years and tasks."""
    estimates = [
        interval.correlation_interval(
            grid.metrics[name], grid.truth, *place.level_and_coefficient, (grid.year, grid.task, name, target)
        )
        for grid in place.grids
    ]
    estimate = (
        mean_of_intervals(estimates, lowest=lowest_value(place.coefficient))
        if place.together
        else estimates[0]
    )
    by_means = [
        values_by_both_means(
            grid.metrics[name], grid.truth, place.level, place.coefficient, at_stratum.value, place.means
        )
        for grid, at_stratum in zip(place.grids, estimates, strict=True)
    ]
    plain, least_squares = np.mean(by_means, axis=0).tolist()
    flags = {at_stratum.flag for at_stratum in estimates}
    row: dict[str, object] = {**place.ids, "metric": name, "value": estimate.value}
    row |= {"by_plain_means": plain, "by_least_squares": least_squares}
    row["means"] = place.means if place.level == "system" else ""
    row["flag"] = flags.pop() if len(flags) == 1 else ""
    return row | _ends_of(estimate)


def _rank_metrics(rows: pd.DataFrame, pairs: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Sort the metrics of a place, best first, and cluster them by the tests of their pairs."""
    level = snap_ties(rows["value"].to_numpy(dtype=float))  # equal but for rounding: in the order of names
    rows = rows.iloc[np.argsort(-level, kind="stable")]
    names = rows["metric"].tolist()
    is_undefined = rows["value"].isna().to_numpy()
    columns = {}
    for clusters, p in (("cluster_here", "p_here_adjusted"), ("cluster", "p_adjusted")):
        P = pairs.pivot(index="first", columns="second", values=p).reindex(index=names, columns=names)
        better = np.triu(is_significant(P.fillna(P.T), alpha), 1)
        columns[clusters] = pd.array(greedy_clusters(better), dtype="Int64")
        columns[clusters][is_undefined] = pd.NA
    signs = np.where(np.tri(len(rows), dtype=bool), ".", np.where(better, ">", "="))
    return rows.assign(rank=np.arange(1, len(rows) + 1), **columns, beats=[" ".join(row) for row in signs])
