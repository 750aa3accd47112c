"""Metrics against human scores: correlations task by task, and the significant differences that both find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

import pandas as pd
from numpy.random import Generator

from classy_aesop.answers.cautions import (
    MetricCautions,
    find_cautions,
    values_by_both_means,
    warn_of_correlations,
    warn_of_other_means,
)
from classy_aesop.answers.correlation_options import (
    INTERVALS,
    CorrelationKeywords,
    CorrelationOptions,
    IntervalMethod,
)
from classy_aesop.answers.correlation_tables import (
    COEFFICIENT,
    EVALUATION,
    OF_INTERVAL,
    SOURCE,
)
from classy_aesop.answers.evaluated_metrics import read_evaluated
from classy_aesop.answers.metrics_and_humans import (
    EvaluatedMetrics,
    PredictorSource,
)
from classy_aesop.answers.raters import (
    COLUMNS_OF_RATERS,
    correlate_with_raters,
    warn_of_rater_shares,
)
from classy_aesop.answers.score_matrices import (
    Grid,
    check_pairing,
    name_sequence,
    pair_levels_with_coefficients,
)
from classy_aesop.answers.selection import PeerSet, Selection
from classy_aesop.data import mean_ratings
from classy_aesop.data.cells import GivenColumns
from classy_aesop.data.directions import orient_scores, warn_of_directions
from classy_aesop.data.scores import DEFAULT_COEFFICIENTS, drop_empty_stratum_columns, join_scores
from classy_aesop.errors import UsageError, join_names
from classy_aesop.keywords import explain_keywords
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.base import FloatArray, check_share
from classy_aesop.significance.choices import (
    MEANS,
    N_RESAMPLES,
    IntervalKind,
    Level,
    Means,
)
from classy_aesop.significance.correlations.accuracies import ACCURACIES, CALIBRATED_ACCURACY
from classy_aesop.significance.correlations.correlation_intervals import (
    Interval,
    bootstrap_interval,
    fisher_interval,
)
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.equality import shift_near_zero
from classy_aesop.significance.metrics.difference_intervals import (
    bootstrap_difference_intervals,
    zou_difference_intervals,
)
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    PEER_SET,
    TARGET,
)
from classy_aesop.text.tokens import Tokenizer
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

        Shapes: ``X`` and ``Z`` (n_summarizers, n_topics).
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
        """Compute the intervals of the differences between pairs of metrics of a grid, given by their places."""
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


DEFAULT_LEVELS: tuple[Level, ...] = ("system", "input")
"""The levels that are reported by default."""


@explain_keywords(
    CorrelationOptions,
    baseline="evaluate_pairs(scores, judgments, target, baseline=...)",
    bias="evaluate_bias(scores, judgments, target)",
    correlation="coefficient=",
    method="coefficient=",
    pairs="evaluate_pairs(scores, judgments, target)",
    test="evaluate_pairs(scores, judgments, target, test=...)",
    together="evaluate_pairs(scores, judgments, target, together=True)",
)
def evaluate(
    scores: ScoreTables,
    judgments: ScoreTables | None = None,
    target: str | Sequence[str] | None = None,
    *,
    metric: str | Sequence[str] | None = None,
    compute: str | Sequence[str] | None = None,
    predictor: PredictorSource | Sequence[PredictorSource] = (),
    peers: PeerSet | Selection | None = None,
    tokenizer: Tokenizer = "rouge",
    columns: GivenColumns | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    n_jobs: int = 1,
    progress: bool = False,
    **options: Unpack[CorrelationKeywords],
) -> Result:
    """Correlate every metric with every human measure.

    Parameters
    ----------
    scores, judgments : DataFrame, path-like, Corpus, or sequence of these
        Score tables. Rows are joined by their ids, never by order; ratings by several assessors are averaged. Years
        and tasks are never pooled. Rows that only one table has are left out with a `DataWarning` that lists them;
        a row whose number is missing is left out of that metric or measure only, as the counts say. A single table
        holds both; its human measures are then the targets, and what is called as human measures are. A judged corpus
        of texts without scores of metrics, alone, is scored by known metrics first.
    target : str, or sequence of str, optional
        Only these human measures; needed where a single table holds both.
    metric : str, or sequence of str, optional
        Only these metrics, by their names in the table.
    compute : str, or sequence of str, optional
        Known metrics that are computed on the texts of a corpus, the last table or the only one: as for
        `score_baselines`; by default all, of texts without scores of metrics; none if empty or ``"none"``.
    predictor : Predictor, path-like or str, or sequence of these
        Predictors, their files, or names of those that come with the package, which score the corpus, too. Their
        imported columns, if any, are taken from ``scores``.
    peers : Selection, or its ``peers``, optional
        Who is compared in a corpus. Without a choice of systems, humans or all, each peer set is reported that there
        is.
    tokenizer : {"rouge", "unicode"}
        How known metrics find tokens, as for `score_baselines`; predictors have their own.
    columns : mapping, optional
        What columns are, where their names do not say so, e.g. ``{"topic": "prompt", "summarizer": "model"}``; each
        table takes those that it has.
    lower_is_better : str, or sequence of str, optional
        Metrics and measures of which lower values are better, see :mod:`classy_aesop.data.directions`: a correlation is
        positive where both find the same summarizers good.
    year, task : str, optional
        Only these.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.
    **options
        How correlations are computed: the fields of
        :class:`classy_aesop.answers.correlation_options.CorrelationOptions`. By default `DEFAULT_COEFFICIENTS` at
        `DEFAULT_LEVELS`. A jackknifed measure has no raters, so no ceiling is added where it stands for the plain one.

    Returns
    -------
    Result
        A row for each year, task, metric, human measure, level and coefficient; no row where a level does not have a
        coefficient. `EVALUATION` declares the columns: those of accuracies, of intervals and of raters are there where
        they are asked for, ``peers`` and ``source`` (baseline, predictor or imported) where texts were scored. Metrics
        of one name from two sources get the source behind it: ``ROUGE-2 (imported)``. At system level
        ``by_plain_means, by_least_squares`` are the value by either, and ``means`` says which is given; of two systems,
        whose value is 1 or -1, and of systems that share no topic ``flag`` says that the value shows nothing. The
        ceiling is that of :func:`classy_aesop.answers.raters.correlate_with_raters`.

    Raises
    ------
    UsageError
        There is no such interval, or none for a coefficient; no level has a coefficient; or nothing to compare.
    InputError
        No instance is in both tables, or a row is there twice; ``ceiling`` without single ratings; two predictors of
        one name; or as `score_baselines`, `Predictor.predict` and `align_scores`.

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

    Known metrics of texts:

    >>> texts = ["Rain fell all day.", "It was dry.", "Rain fell in the north."] * 2
    >>> rows = pd.DataFrame({"topic": [1, 1, 1, 2, 2, 2], "system": list("abcabc"), "summary": texts})
    >>> rows = rows.assign(reference="Rain fell in the north all day.", quality=[4, 1, 5, 4, 2, 5])
    >>> found = evaluate(rows, target="quality", compute="rouge", level="system", coefficient="pearson")
    >>> found.table[["metric", "value"]].round(3).values.tolist()[:2]
    [['ROUGE-1', 0.996], ['ROUGE-2', 0.971]]
    """
    settings = CorrelationOptions(**options)
    settings.check_interval()
    measures = _choose_measures(settings)
    evaluated = read_evaluated(
        scores,
        judgments,
        target,
        metric=metric,
        compute=compute,
        predictor=predictor,
        peers=peers,
        tokenizer=tokenizer,
        columns=columns,
        year=year,
        task=task,
        lower_is_better=lower_is_better,
        ceiling=settings.ceiling,
        n_jobs=n_jobs,
        progress=progress,
    )
    tables = [
        _correlate_metrics(part, measures, has_ceiling=settings.ceiling, n_jobs=n_jobs, progress=progress)
        for part in evaluated
    ]
    table = pd.concat(tables, ignore_index=True)
    coefficients = {coefficient for _, coefficient in measures.measured}
    unasked = [] if settings.ceiling else [*COLUMNS_OF_RATERS]
    unasked += [] if coefficients & set(ACCURACIES) else ["chance"]
    unasked += [] if CALIBRATED_ACCURACY in coefficients else ["epsilon"]
    table = drop_empty_stratum_columns(EVALUATION.order_columns(table.drop(columns=unasked)))
    stated = {name: value for name, value in settings.recorded().items() if value is not None}
    return Result(table, signature=signature(command=EVALUATION.name, **stated), answer=EVALUATION)


def _choose_measures(settings: CorrelationOptions) -> MeasureOptions:
    """Choose what is measured of every metric; UsageError for what cannot be."""
    coefficients = name_sequence(settings.coefficient or DEFAULT_COEFFICIENTS)
    measured = pair_levels_with_coefficients(settings.level or DEFAULT_LEVELS, coefficients)
    ends = None
    if settings.interval is not None:
        ends = IntervalOptions(
            settings.interval,
            settings.confidence,
            settings.n_resamples,
            settings.seed,
            settings.means,
            settings.interval_kind,
        )
        ends.check(coefficients)
    return MeasureOptions(tuple(measured), settings.means, ends)


def _correlate_metrics(
    evaluated: EvaluatedMetrics,
    measures: MeasureOptions,
    *,
    has_ceiling: bool,
    n_jobs: int,
    progress: bool,
) -> pd.DataFrame:
    """Correlate every metric of some summarizers with every human measure, and warn of what limits that."""
    scored = mean_ratings(orient_scores(evaluated.scores))
    ratings = orient_scores(evaluated.judgments)
    judged = mean_ratings(ratings)
    warn_of_directions(evaluated.scores, scored["metric"].unique())
    warn_of_directions(evaluated.judgments, judged["metric"].unique())
    check_pairing(scored, judged)
    warn_of_rater_shares(ratings)
    has_raters = has_ceiling and "assessor" in ratings
    single = dict(list(ratings.groupby("metric", sort=False))) if has_raters else {}
    pairs = [
        ((str(year), str(task), str(name), str(measure)), metric_scores, truth)
        for (year, task, name), metric_scores in scored.groupby(["year", "task", "metric"], sort=False)
        for measure, truth in judged.groupby("metric", sort=False)
    ]
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
            cautions[names] = measurement.cautions
    left_out = [*NAMES_OF_CORPUS, *([] if measures.interval is not None else NAMES_OF_INTERVAL)]
    table = pd.DataFrame(rows, columns=[name for name in EVALUATION.names if name not in left_out])
    _warn_of_correlations(table, cautions, measures.means)
    if measures.interval is not None:
        table = table.astype({"seed": "Int64"})
    if not evaluated.peers:
        return table
    return table.assign(peers=evaluated.peers, source=table["metric"].map(dict(evaluated.sources)))


NAMES_OF_CORPUS = [PEER_SET.name, SOURCE.name]
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
