"""Metrics against human scores: correlations task by task, with their intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Unpack

import pandas as pd

from classy_aesop.answers.answer_options import INTERVALS, CorrelationKeywords, CorrelationOptions
from classy_aesop.answers.cautions import (
    find_cautions,
    value_by_both_means,
    warn_of_correlations,
    warn_of_other_means,
)
from classy_aesop.answers.correlation_tables import EVALUATION, METRIC_ITEM
from classy_aesop.answers.evaluated_metrics import read_evaluated
from classy_aesop.answers.metrics_and_humans import EvaluatedMetrics, MetricSelection, SelectionKeywords
from classy_aesop.answers.score_matrices import name_sequence, pair_levels_with_coefficients
from classy_aesop.data.scores import DEFAULT_COEFFICIENTS, JoinedScores, join_scores
from classy_aesop.errors import UsageError, join_names
from classy_aesop.keywords import explain_keywords, take_keywords
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import Level, Means
from classy_aesop.significance.correlations.accuracies import ACCURACIES, CALIBRATED_ACCURACY, SOFT_ACCURACY
from classy_aesop.significance.correlations.correlation_intervals import (
    FISHER_LOST_POINTS,
    Interval,
    bootstrap_interval,
    fisher_interval,
)
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.equality import shift_near_zero
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import TARGET, TASK, YEAR, column_names
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import map_workers, show_progress

UNNAMED_INTERVAL = "no interval unless it is named"
"""The flag of a correlation whose interval takes long."""

DEFAULT_LEVELS: tuple[Level, ...] = ("system", "input")
"""The levels that are reported by default."""


NAMES_OF_PAIR = column_names(YEAR, TASK, METRIC_ITEM, TARGET)
"""The columns that say of which metric and human measure, and where, a correlation is."""


class EvaluationKeywords(CorrelationKeywords, SelectionKeywords):
    """What `evaluate` takes by name."""


def check_fisher(options: CorrelationOptions, coefficients: Sequence[str]) -> None:
    """Raise UsageError for a coefficient that has no interval by Fisher's formula."""
    without = [name for name in coefficients if name not in FISHER_LOST_POINTS]
    if options.interval == "fisher" and without:
        raise UsageError(
            f"no Fisher interval of {join_names(without)}; expected {', '.join(DEFAULT_COEFFICIENTS)}"
        )


def correlation_interval(
    X: FloatArray,
    Z: FloatArray,
    level: str,
    coefficient: str,
    names: Sequence[str],
    options: CorrelationOptions,
) -> Interval:
    """Compute the interval of one correlation; its ``names`` seed the resamples.

    One that takes minutes, as its resamples are correlated one by one, has to be asked for by name.

    Shapes: ``X`` and ``Z`` (n_summarizers, n_topics).
    """
    is_slow = level not in DEFAULT_LEVELS or coefficient in (SOFT_ACCURACY, CALIBRATED_ACCURACY)
    if options.interval == "none" or (options.interval is None and is_slow):
        estimate = correlation(X, Z, level=level, coefficient=coefficient, means=options.means)
        return Interval(estimate.value, flag=estimate.flag or UNNAMED_INTERVAL)
    if not options.is_resampled:
        return fisher_interval(
            X, Z, confidence=options.confidence, level=level, coefficient=coefficient, means=options.means
        )
    return bootstrap_interval(
        X,
        Z,
        resample=INTERVALS[options.interval_method],
        confidence=options.confidence,
        n_resamples=options.n_resamples_of_intervals,
        rng=seeded_rng(options.seed, *names, level, coefficient),
        level=level,
        coefficient=coefficient,
        means=options.means,
    )


@explain_keywords(
    CorrelationOptions,
    MetricSelection,
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
    **options: Unpack[EvaluationKeywords],
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
    **options
        How correlations and their intervals are computed: the fields of
        :class:`classy_aesop.answers.answer_options.CorrelationOptions`, by default `DEFAULT_COEFFICIENTS` at
        `DEFAULT_LEVELS`, of one system over all its items (``global``, with Fisher's intervals). And which
        metrics on which data: the fields of
        :class:`classy_aesop.answers.metrics_and_humans.MetricSelection`.

    Returns
    -------
    Result
        A row for each year, task, metric, human measure, level and coefficient; no row where a level does not have a
        coefficient. `EVALUATION` declares the columns: those of accuracies are there where they are asked
        for, ``peers`` and ``source`` (baseline, predictor or imported) where texts were scored. Metrics of one name
        from two sources get the source behind it: ``ROUGE-2 (imported)``. At system level ``means`` says by which means
        of systems the value is; of two systems, whose value is 1 or -1, and of systems that share no topic ``flag``
        says that the value shows nothing.

    Raises
    ------
    UsageError
        There is no such interval, none for a coefficient, or a number of resamples for none; no level has a
        coefficient; or nothing to compare.
    InputError
        No instance is in both tables, or a row is there twice; two predictors of one name; or as `score_baselines`,
        `Predictor.predict` and `align_scores`.

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
    settings = take_keywords(options, CorrelationOptions)
    selection = take_keywords(options, MetricSelection)
    settings.check_unused()
    coefficients = name_sequence(settings.coefficient or DEFAULT_COEFFICIENTS)
    check_fisher(settings, coefficients)
    evaluated = read_evaluated(scores, judgments, target, selection)
    if settings.level is None and all(part.scores["summarizer"].nunique() == 1 for part in evaluated):
        has_formula = {*coefficients} <= FISHER_LOST_POINTS.keys()
        interval = settings.interval or ("fisher" if has_formula else None)
        settings = replace(settings, level=("global",), interval=interval)
    measured = pair_levels_with_coefficients(settings.level or DEFAULT_LEVELS, coefficients)
    tables = [_correlate_metrics(part, measured, settings, selection) for part in evaluated]
    recorded = settings.recorded_options() | {"level": settings.level}
    stated = {name: value for name, value in recorded.items() if value is not None}
    return make_answer_result(EVALUATION, pd.concat(tables, ignore_index=True), recorded, **stated)


def _correlate_metrics(
    evaluated: EvaluatedMetrics,
    measured: Sequence[tuple[str, str]],
    options: CorrelationOptions,
    selection: MetricSelection,
) -> pd.DataFrame:
    """Correlate every metric of some summarizers with every human measure, and warn of what limits that."""
    scored, judged = evaluated.average()
    joined: dict[NamesOfPair, JoinedScores] = {}
    for (year, task, name), metric_scores in scored.groupby(["year", "task", "metric"], sort=False):
        for measure, truth in judged.groupby("metric", sort=False):
            if (shared := join_scores(metric_scores, truth)) is not None:
                joined[str(year), str(task), str(name), str(measure)] = shared
    system_coefficients = [coefficient for level, coefficient in measured if level == "system"]
    warn_of_metrics(joined, system_coefficients, options.means, counts_systems=bool(system_coefficients))
    work = [(shared, measured, options, names) for names, shared in joined.items()]
    done = map_workers(_correlate_pair, work, n_jobs=selection.n_jobs)
    rows = show_progress(done, "correlations", "pairs", shown=selection.progress, total=len(work))
    table = pd.DataFrame(list(chain.from_iterable(rows)))
    if not evaluated.peers:
        return table
    return table.assign(peers=evaluated.peers, source=table["metric"].map(dict(evaluated.sources)))


NamesOfPair = tuple[str, str, str, str]
"""The year, task, metric and human measure that are correlated."""


def warn_of_metrics(
    joined: Mapping[NamesOfPair, JoinedScores],
    system_coefficients: Sequence[str],
    means: Means,
    *,
    counts_systems: bool,
) -> None:
    """Warn of few and of different systems, one topic, other means, and copies of human scores.

    ``system_coefficients`` are those of means of systems; ``counts_systems`` says whether few systems are told.
    """
    cautions = {
        names: find_cautions(*names[2:], shared.X, shared.Z, shared.summarizers)
        for names, shared in joined.items()
    }
    warn_of_correlations(cautions, means=means if system_coefficients else "", counts_systems=counts_systems)
    by_means = []
    for (_, _, metric, target), shared in joined.items():
        X, Z = map(shift_near_zero, (shared.X, shared.Z))
        for coefficient in system_coefficients:
            value = correlation(X, Z, level="system", coefficient=coefficient, means=means).value
            label = f"{metric} {target} {coefficient}"
            by_means.append(value_by_both_means(label, X, Z, coefficient, value, means))
    warn_of_other_means(by_means, cautions.values(), means)


def _correlate_pair(
    shared: JoinedScores,
    measured: Sequence[tuple[str, str]],
    options: CorrelationOptions,
    names: NamesOfPair,
) -> list[dict[str, object]]:
    """Correlate one metric with one human measure: a row a level and coefficient."""
    X, Z = map(shift_near_zero, (shared.X, shared.Z))
    coefficients = {coefficient for _, coefficient in measured}
    rows = []
    for level, coefficient in measured:
        result = correlation(X, Z, level=level, coefficient=coefficient, means=options.means)
        row: dict[str, object] = dict(zip(NAMES_OF_PAIR, names, strict=True))
        row |= {
            "level": level,
            "coefficient": coefficient,
            "value": result.value,
            "n_summarizers": result.n_summarizers,
            "n_topics": result.n_topics,
            "n_skipped": result.n_skipped,
            "means": options.means if level == "system" else "",
            "flag": result.flag,
        }
        row |= {"chance": result.chance} if coefficients & {*ACCURACIES} else {}
        row |= {"epsilon": result.epsilon} if CALIBRATED_ACCURACY in coefficients else {}
        if options.interval != "none":
            ends = correlation_interval(X, Z, level, coefficient, names, options)
            row |= {
                "flag": result.flag or ends.flag,
                "low": ends.low,
                "high": ends.high,
                "n_dropped": ends.n_dropped,
            }
        rows.append(row)
    return rows
