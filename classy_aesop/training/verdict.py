"""Does a prediction beat ROUGE-2 on the predicted year, by how much, and is that luck?

Both are correlated with the human scores (Pearson, means of summarizers). The difference is tested by PERM-BOTH of
Deutsch et al. (2021): each cell of the two score matrices is exchanged at random. Over several runs the p-values are
corrected by Holm's method.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from classy_aesop.scores import KEYS, matrix
from classy_aesop.seeding import seeded_rng
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.comparison import MetricComparison
from classy_aesop.significance.intervals import fisher_limits
from classy_aesop.significance.multiplicity import adjusted, resamples_needed
from classy_aesop.significance.permutation import permutation_test
from classy_aesop.training.assess import truth_of
from classy_aesop.training.designs import Place
from classy_aesop.training.extract import YearData
from classy_aesop.training.trained import TrainedRun

RIVAL = "ROUGE-2"
"""The baseline that predictions are measured against."""

N_RESAMPLES = 999

COLUMNS = [
    "run",
    "target",
    "task",
    "peers",
    "metric",
    "selected",
    "value",
    "rival",
    "difference",
    "p",
    "p_adjusted",
]
COLUMNS += ["n_resamples"]
"""The columns of a verdict."""


def verdict(
    trained: Sequence[TrainedRun],
    predictions: pd.DataFrame,
    rouges: Mapping[Place, pd.DataFrame],
    year: YearData,
    *,
    seed: int,
) -> pd.DataFrame:
    """Compare every run with ROUGE-2 on the predicted year.

    Returns
    -------
    DataFrame
        A row a run: ``run, target, task, peers, metric, selected`` (its score on the years it was selected on),
        ``value`` and ``rival`` (Pearson correlation of system means, of the prediction and of ROUGE-2),
        ``difference``, ``p`` (two-sided), ``p_adjusted`` (Holm) and ``n_resamples``. NaN where the year has no
        judgments, or a correlation is undefined.
    """
    n_resamples = max(N_RESAMPLES, resamples_needed(len(trained)))
    rows = []
    for one in trained:
        run, name = one.run, one.predictor.name
        own, rouge = predictions[predictions["metric"] == name], rouges[Place(run.task, run.peers)]
        rng = seeded_rng(seed, "verdict", name)
        rival = rouge[rouge["metric"] == RIVAL]
        found = permuted(own, rival, truth_of(run, year), n_resamples=n_resamples, rng=rng)
        rows.append(
            (run.name, run.target, run.task, run.peers, name, float(one.chosen.score), *_values(found))
        )
    table = pd.DataFrame(rows, columns=COLUMNS[:-2])
    return table.assign(p_adjusted=adjusted(table["p"].to_numpy(float)), n_resamples=n_resamples)


def _values(found: MetricComparison | None) -> tuple[float, float, float, float]:
    """Give both correlations, their difference and its p-value, which is none where there is no difference."""
    if found is None:
        return np.nan, np.nan, np.nan, np.nan
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
        As for :func:`classy_aesop.significance.permutation.permutation_test`.

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


def with_intervals(assessment: pd.DataFrame) -> pd.DataFrame:
    """Add Fisher's 95 % intervals of the correlations of system means, ``low`` and ``high``; NaN at other levels."""
    found = (assessment[name].tolist() for name in ("level", "coefficient", "value", "n_summarizers"))
    limits = [
        fisher_limits(value, n, coefficient=coefficient) if level == "system" else (np.nan, np.nan)
        for level, coefficient, value, n in zip(*found, strict=True)
    ]
    low, high = np.array(limits, dtype=float).reshape(-1, 2).T
    return assessment.assign(low=low, high=high)
