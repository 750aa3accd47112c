"""Step eight: how well the last year is predicted, and does it beat ROUGE-2, by how much, and is that luck?

Years without texts have no ROUGE; the rival is then the imported metric that does best on the predicted year. Both are
correlated with the human scores (Pearson, means of summarizers). The difference is tested by PERM-BOTH of Deutsch et
al. (2021): each cell of the two score matrices is exchanged at random. Over several runs the p-values are corrected by
Holm's method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from classy_aesop.data import KEYS, matrix
from classy_aesop.data.correlations import COLUMNS, correlations
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.intervals import fisher_limits
from classy_aesop.significance.metric_tests import MetricComparison, permutation_test
from classy_aesop.significance.multiplicity import adjusted, resamples_needed
from classy_aesop.training.predict import PredictedRun
from classy_aesop.work.seeding import seeded_rng


def assess(predicted: Sequence[PredictedRun]) -> pd.DataFrame:
    """Correlate each run's predictions with the run's target, and ROUGE with every target at its place.

    Returns
    -------
    DataFrame
        A row a run, level and coefficient; then a row a target, place, ROUGE metric, level and coefficient, whose
        ``run`` and ``fitter`` are empty. Targets that the predicted year does not hold give none.
    """
    compared: list[tuple[tuple[str, ...], pd.DataFrame, pd.DataFrame]] = []
    for one in predicted:
        predictor = one.trained.predictor
        ids = one.run.name, one.run.target, *one.run.place, predictor.fitter, predictor.name
        compared.append((ids, one.scores, one.truth))
    for one in {(one.run.target, one.run.place): one for one in predicted}.values():
        for metric, scores in one.rouge.groupby("metric", sort=False):
            ids = "", one.run.target, *one.run.place, "", str(metric)
            compared.append((ids, scores, one.truth))
    rows = [(*ids, *found) for ids, scores, truth in compared for found in correlations(scores, truth)]
    return pd.DataFrame(rows, columns=["run", "target", "task", "peers", "fitter", "metric", *COLUMNS])


def with_intervals(assessment: pd.DataFrame) -> pd.DataFrame:
    """Add Fisher's 95 % intervals of the correlations of system means, ``low`` and ``high``; NaN at other levels."""
    found = (assessment[name].tolist() for name in ("level", "coefficient", "value", "n_summarizers"))
    limits = [
        fisher_limits(value, n, coefficient=coefficient) if level == "system" else (np.nan, np.nan)
        for level, coefficient, value, n in zip(*found, strict=True)
    ]
    low, high = np.array(limits, dtype=float).reshape(-1, 2).T
    return assessment.assign(low=low, high=high)


RIVAL = "ROUGE-2"
"""The baseline that predictions are measured against."""

N_RESAMPLES = 999

VERDICT = [
    "run",
    "target",
    "task",
    "peers",
    "metric",
    "against",
    "selected",
    "value",
    "rival",
    "difference",
    "p",
]
VERDICT += ["p_adjusted", "n_resamples"]
"""The columns of a verdict."""


def verdict(predicted: Sequence[PredictedRun], assessment: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Compare every run with ROUGE-2, or without texts with the best imported metric, on the predicted year.

    Returns
    -------
    DataFrame
        A row a run: ``run, target, task, peers, metric, against`` (the rival's name), ``selected`` (the run's score on
        the years it was selected on), ``value`` and ``rival`` (Pearson correlation of system means, of the prediction
        and of the rival),
        ``difference``, ``p`` (two-sided), ``p_adjusted`` (Holm) and ``n_resamples``. NaN where the year has no
        judgments, or a correlation is undefined.
    """
    n_resamples = max(N_RESAMPLES, resamples_needed(len(predicted)))
    of_system = _system_values(assessment)
    rows = []
    for one in predicted:
        run, name = one.run, one.trained.predictor.name
        values = of_system.get((run.target, *run.place), {})
        against, rival = _rival(one.rouge, values)
        rng = seeded_rng(seed, "verdict", name)
        found = permuted(one.scores, rival, one.truth, n_resamples=n_resamples, rng=rng)
        ids = run.name, run.target, *run.place, name, against, float(one.trained.subsets.score)
        rows.append((*ids, *_values(found, float(values.get(name, np.nan)))))
    table = pd.DataFrame(rows, columns=VERDICT[:-2])
    return table.assign(p_adjusted=adjusted(table["p"].to_numpy(float)), n_resamples=n_resamples)


def _system_values(assessment: pd.DataFrame) -> dict[tuple[str, str, str], dict[str, float]]:
    """Give Pearson's correlation of system means of each metric, for each target, task and peer set."""
    rows = assessment[(assessment["level"] == "system") & (assessment["coefficient"] == "pearson")]
    found: dict[tuple[str, str, str], dict[str, float]] = {}
    names = ["target", "task", "peers", "metric", "value"]
    for target, task, peers, metric, value in rows[names].itertuples(index=False):
        found.setdefault((target, task, peers), {})[metric] = value
    return found


def _rival(metrics: pd.DataFrame, values: Mapping[str, float]) -> tuple[str, pd.DataFrame]:
    """Give ROUGE-2 if it is there, and else the metric whose system means correlate best with the human ones."""
    parts = {str(name): table for name, table in metrics.groupby("metric", sort=False)}
    if RIVAL in parts or not parts:
        return RIVAL, parts.get(RIVAL, metrics)
    best = max(parts, key=lambda name: float(np.nan_to_num(values.get(name, np.nan), nan=-2)))
    return best, parts[best]


def _values(found: MetricComparison | None, value: float) -> tuple[float, float, float, float]:
    """Give both correlations, their difference and its p-value, which is none where there is no difference."""
    if found is None:
        return value, np.nan, np.nan, np.nan
    p = np.nan if np.isnan(found.difference) else found.p
    return float(found.first), float(found.second), float(found.difference), float(p)


def permuted(
    one: pd.DataFrame,
    other: pd.DataFrame,
    truth: pd.DataFrame,
    *,
    level: str = "system",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> MetricComparison | None:
    """Test by PERM-BOTH, two-sided, whether two metrics correlate with humans equally well.

    Parameters
    ----------
    one, other, truth : DataFrame
        Score tables of one metric each, and of the human scores.
    level, n_resamples, rng
        As for :func:`classy_aesop.significance.metric_tests.permutation_test`.

    Returns
    -------
    MetricComparison or None
        None if no instance has all three scores.
    """
    names = ["one", "other", "truth"]
    keyed = [table.set_index(KEYS)["score"] for table in (one, other, truth)]
    both = pd.concat(keyed, axis=1, join="inner", keys=names).reset_index().assign(metric="")
    if both.dropna().empty:
        return None
    at = matrix(both.assign(score=np.arange(float(len(both)))), "")[0]  # the row of each cell
    X, Y, Z = (_laid_out(both[name].to_numpy(float), at) for name in names)
    return permutation_test(X, Y, Z, level=level, alternative="two-sided", n_resamples=n_resamples, rng=rng)


def _laid_out(scores: FloatArray, at: FloatArray) -> FloatArray:
    """Put scores into the cells whose rows are given; NaN where there is none."""
    return np.where(np.isnan(at), np.nan, scores[np.nan_to_num(at).astype(int)])
