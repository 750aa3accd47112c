"""Step six: the last year is predicted, the predictions are assessed, and each run is compared with ROUGE-2.

Years without texts have no ROUGE; the rival is then the imported metric that does best on the predicted year. Both are
correlated with the human scores (Pearson, means of summarizers). The difference is tested as in
:mod:`classy_aesop.answers.metric_pairs`: for new systems (PERM-SYSTEMS), and conditional on these systems (PERM-BOTH).
Over several runs the p-values are corrected by Holm's method.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.baselines.rouge import rouge
from classy_aesop.config import Run, TaskPeers
from classy_aesop.data import KEYS, empty_table, matrix
from classy_aesop.data.scores import MetricCorrelation, add_stratum_columns, correlations
from classy_aesop.errors import InputError, warn
from classy_aesop.features.registry import group_of
from classy_aesop.predictor.calibration import INTERVAL_CONFIDENCE
from classy_aesop.predictor.intervals import groups_of, interval_half_widths
from classy_aesop.significance.correlations.correlation_intervals import fisher_limits
from classy_aesop.significance.metrics.metric_tests import METRIC_TESTS, PERM_BOTH, MetricComparison
from classy_aesop.significance.multiplicity.corrections import adjust_p_values, resamples_needed
from classy_aesop.training.predictors import TrainedRun
from classy_aesop.training.run_columns import CONTRIBUTIONS, RUN_OF_METRIC, VERDICT
from classy_aesop.training.years import YearData
from classy_aesop.work.seeds import seeded_rng


@dataclass(frozen=True)
class PredictedRun:
    """The predictions of a run for a year, and what they are compared with."""

    trained: TrainedRun
    features: pd.DataFrame  # the rows of its task and peers in the year's feature table
    scores: pd.DataFrame  # a score table, row by row the same: the predictions
    truth: pd.DataFrame  # another: the human scores, NaN where nobody judged
    rouge: pd.DataFrame  # the score table of ROUGE there, or of the imported metrics; may be empty

    @property
    def run(self) -> Run:
        """The run, as planned."""
        return self.trained.run


def predict_year(
    trained: Iterable[TrainedRun],
    year: YearData,
    rouge_scores: Mapping[TaskPeers, pd.DataFrame] | None = None,
) -> tuple[PredictedRun, ...]:
    """Predict the summaries of each run's task and peers."""
    predicted = []
    for trained_run in trained:
        run = trained_run.run
        rows = year.data_by_task_and_peers[run.task_and_peers]
        keys = rows.features[KEYS]
        if trained_run.held_out is None:
            scored = trained_run.predictor.score(
                rows.features, without_reference=year.keys_without_references
            )
            scores = keys.reset_index(drop=True).join(scored.drop(columns=KEYS, errors="ignore"))
        else:
            scores = keys.assign(metric=trained_run.predictor.name, score=trained_run.held_out)
        truth = keys.assign(score=rows.judgments.get(run.target, float("nan")))
        rouge_table = empty_table() if rouge_scores is None else rouge_scores[run.task_and_peers]
        predicted.append(PredictedRun(trained_run, rows.features, scores, truth, rouge_table))
    return tuple(predicted)


def baseline_scores(runs: Iterable[Run], year: YearData) -> dict[TaskPeers, pd.DataFrame]:
    """Compute ROUGE-2 and ROUGE-SU4 by task and peer set: systems are jackknifed where humans are among the peers.

    Where no reference can be left out, a `DataWarning` says so, and there is no ROUGE; nor is there without
    references. Without texts these are the imported metrics.
    """
    scores = {}
    for task_and_peers in dict.fromkeys(run.task_and_peers for run in runs):
        features = year.data_by_task_and_peers[task_and_peers].features
        if not year.has_texts:
            long = features.melt(KEYS, list(year.imported), var_name="metric", value_name="score")
            scores[task_and_peers] = long.dropna(subset="score")
            continue
        scores[task_and_peers] = empty_table()
        topics = [topic for topic in year.corpus.topics if topic.task == task_and_peers.task]
        if not any(topic.references for topic in topics):
            continue
        try:
            of_task = add_stratum_columns(rouge(topics, jackknife=task_and_peers.peers == "all_peers"))
            scores[task_and_peers] = of_task.merge(features[KEYS], on=KEYS, how="inner")
        except InputError as error:
            warn(f"{task_and_peers.peers}: ROUGE is left out: {error}")
    return scores


def prediction_points(predicted: Sequence[PredictedRun]) -> pd.DataFrame:
    """Put beside each prediction its interval, what is outside the training range, and the human score."""
    parts = []
    for run in predicted:
        predictor = run.trained.predictor
        human = run.features["human"].to_numpy(bool)
        half = interval_half_widths(predictor, run.scores.assign(group=groups_of(human)), INTERVAL_CONFIDENCE)
        training_range = predictor.training_range
        outside: Any = ""
        if training_range:
            values = run.features[list(predictor.columns)].to_numpy(float)
            outside = training_range.outside(values, predictor.columns)
        parts.append(
            run.scores.assign(
                low=run.scores["score"] - half,
                high=run.scores["score"] + half,
                outside=outside,
                human=human,
                judged=run.truth["score"].to_numpy(float),
            )
        )
    return pd.concat(parts, ignore_index=True)


def contribution_spreads(predicted: Iterable[PredictedRun]) -> pd.DataFrame:
    """Return the mean and standard deviation of each column's contributions to the predictions, a row a predictor."""
    rows: list[tuple[object, ...]] = []
    for run in predicted:
        predictor = run.trained.predictor
        if predictor.training_range is None:
            continue
        contributions = predictor.contributions(run.features)[:, 1:]
        contributions = contributions[~np.isnan(contributions).any(axis=1)]
        means = spreads = [np.nan] * contributions.shape[1]
        if len(contributions):
            means = contributions.mean(axis=0)
            spreads = contributions.std(axis=0)
        for part, mean, spread in zip(predictor.parts[1:], means, spreads, strict=True):
            rows.append((predictor.name, part, group_of(part), float(mean), float(spread)))
    return pd.DataFrame(rows, columns=[column.name for column in CONTRIBUTIONS])


def assess(predicted: Sequence[PredictedRun]) -> pd.DataFrame:
    """Correlate each run's predictions with the run's target, and ROUGE with every target of its task and peer set.

    Rows of ROUGE have no ``run`` and ``fitter``. A target that is not judged in the predicted year has no rows.
    """
    rows: list[tuple[object, ...]] = []
    for run in predicted:
        predictor = run.trained.predictor
        ids = (run.run.name, run.run.target, *run.run.task_and_peers, predictor.fitter, predictor.name)
        rows += [(*ids, *values) for values in correlations(run.scores, run.truth)]
    by_target = {(run.run.target, run.run.task_and_peers): run for run in predicted}
    for run in by_target.values():
        for metric, scores in run.rouge.groupby("metric", sort=False):
            ids = ("", run.run.target, *run.run.task_and_peers, "", str(metric))
            rows += [(*ids, *values) for values in correlations(scores, run.truth)]
    names = [column.name for column in RUN_OF_METRIC]
    return pd.DataFrame(rows, columns=[*names, *MetricCorrelation._fields])


def add_intervals(assessment: pd.DataFrame) -> pd.DataFrame:
    """Add Fisher's 95 % intervals of the correlations of system means, ``low`` and ``high``; NaN at other levels."""
    limits = []
    for row in assessment.to_dict("records"):
        if row["level"] == "system":
            coefficient = row["coefficient"]
            limits.append(fisher_limits(row["value"], row["n_summarizers"], coefficient=coefficient))
        else:
            limits.append((np.nan, np.nan))
    low, high = np.array(limits, dtype=float).reshape(-1, 2).T
    return assessment.assign(low=low, high=high)


RIVAL = "ROUGE-2"
"""The baseline that predictions are measured against."""

MIN_RESAMPLES = 999
"""Resamples of the comparison with the rival; more where there are many runs."""


def compare_with_rival(
    predicted: Sequence[PredictedRun], assessment: pd.DataFrame, *, seed: int
) -> pd.DataFrame:
    """Compare every run with ROUGE-2, or without texts with the best imported metric, on the predicted year."""
    n_resamples = max(MIN_RESAMPLES, resamples_needed(len(predicted)))
    system_values = _system_values(assessment)
    rows = []
    for run in predicted:
        name = run.trained.predictor.name
        values = system_values.get((run.run.target, *run.run.task_and_peers), {})
        against, rival = _find_rival(run.rouge, values)
        rng = seeded_rng(seed, "verdict", name)
        comparisons = compare_metrics_by_permutation(
            run.scores, rival, run.truth, n_resamples=n_resamples, rng=rng
        )
        results: tuple[float, ...] = (values.get(name, np.nan), *4 * (np.nan,))
        if comparisons is not None:
            for_new_systems, on_these_systems = comparisons
            p_values = (for_new_systems.p, on_these_systems.p)
            if np.isnan(on_these_systems.difference):  # no p-value where there is no difference
                p_values = (np.nan, np.nan)
            results = (
                on_these_systems.first,
                on_these_systems.second,
                on_these_systems.difference,
                *p_values,
            )
        ids = (run.run.name, run.run.target, *run.run.task_and_peers, name, against)
        subset = run.trained.subset
        rows.append((*ids, subset.score if subset else np.nan, *map(float, results)))
    table = pd.DataFrame(rows, columns=[column.name for column in VERDICT[:-3]])
    return table.assign(
        p_adjusted=adjust_p_values(table["p"].to_numpy(float)),
        p_here_adjusted=adjust_p_values(table["p_here"].to_numpy(float)),
        n_resamples=n_resamples,
    )


def _system_values(assessment: pd.DataFrame) -> dict[tuple[str, str, str], dict[str, float]]:
    """Return Pearson's correlation of system means of each metric, for each target, task and peer set."""
    rows = assessment[(assessment["level"] == "system") & (assessment["coefficient"] == "pearson")]
    values: dict[tuple[str, str, str], dict[str, float]] = {}
    for row in rows.to_dict("records"):
        values.setdefault((row["target"], row["task"], row["peers"]), {})[row["metric"]] = row["value"]
    return values


def _find_rival(metrics: pd.DataFrame, values: Mapping[str, float]) -> tuple[str, pd.DataFrame]:
    """Return ROUGE-2 if it is there, or else the metric whose system means correlate best with the human ones."""
    tables = {str(name): table for name, table in metrics.groupby("metric", sort=False)}
    if RIVAL in tables or not tables:
        return RIVAL, tables.get(RIVAL, metrics)
    best = max(tables, key=lambda name: float(np.nan_to_num(values.get(name, np.nan), nan=-2)))
    return best, tables[best]


def compare_metrics_by_permutation(
    first: pd.DataFrame,
    second: pd.DataFrame,
    truth: pd.DataFrame,
    *,
    n_resamples: int = MIN_RESAMPLES,
    rng: np.random.Generator,
) -> tuple[MetricComparison, MetricComparison] | None:
    """Test, two-sided, whether two metrics' system means correlate with humans equally well."""
    names = ["first", "second", "truth"]
    keyed = [table.set_index(KEYS)["score"] for table in (first, second, truth)]
    joined = pd.concat(keyed, axis=1, join="inner", keys=names).reset_index().assign(metric="")
    if joined.dropna().empty:
        return None
    row_of_cell = matrix(joined.assign(score=np.arange(float(len(joined)))), "")[0]
    row = np.nan_to_num(row_of_cell).astype(int)
    matrices = [np.where(np.isnan(row_of_cell), np.nan, joined[name].to_numpy(float)[row]) for name in names]
    for_new_systems = METRIC_TESTS["perm-systems"](*matrices, n_resamples=n_resamples, rng=deepcopy(rng))
    on_these_systems = PERM_BOTH(*matrices, n_resamples=n_resamples, rng=rng)
    return for_new_systems, on_these_systems
