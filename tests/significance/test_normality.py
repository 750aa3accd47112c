"""Shapiro-Wilk by topic: against the printed table, by hand, at the edges."""

import math

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.normality import normality


def test_topics_and_means_are_tested_apart():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), rng.exponential(size=30) ** 3, np.ones(30)])
    X[5, 0] = np.nan
    found = normality(X)
    assert (found.n_tested, found.n_skipped, found.share_rejected) == (2, 1, 0.5)
    means = [row[~np.isnan(row)].mean() for row in X]
    assert found.p_means == pytest.approx(stats.shapiro(means).pvalue)


@pytest.mark.parametrize("X", [np.zeros((0, 2)), np.ones((5, 2)), np.full((4, 2), np.nan), np.eye(2)])
def test_nothing_to_test(X):
    found = normality(X)
    assert math.isnan(found.share_rejected)
    assert math.isnan(found.p_means)
    assert (found.n_tested, found.n_skipped) == (0, 2)


@pytest.mark.parametrize(
    ("data", "metric", "percent", "p_means"),
    [
        ("fabbri", "expert.relevance", 32.0, 0.52),
        ("fabbri", "qa-eval.f1", 40.0, 0.01),
        ("fabbri", "rouge-2.f1", 34.0, 0.00),
        ("bhandari", "litepyramid.recall", 75.0, 0.84),
    ],
)
def test_normality_against_deutsch_et_al(shared, data, metric, percent, p_means):
    scores = np.load(shared / f"data/score_matrices/scores_{data}2020.npz")
    found = normality(scores[metric])
    assert 100 * found.share_rejected == pytest.approx(percent, abs=1e-9)
    assert found.p_means == pytest.approx(p_means, abs=0.00501)
