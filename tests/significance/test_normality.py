"""Shapiro-Wilk by topic: against the printed table, by hand, at the edges."""

import math

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.descriptive import normality


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


TABLE_2 = {  # rows of Deutsch et al. (2021), Table 2, that the score files hold; REALSumm has no ROUGE-SU4
    "fabbri": ["expert.relevance", "BEwTE.f1", "rouge-1.f1", "rouge-2.f1", "rouge-l.f1", "rouge-su4.f1"],
    "bhandari": ["litepyramid.recall", "BEwTE.recall", "rouge-1.recall", "rouge-2.recall", "rouge-l.recall"],
}
for rows in TABLE_2.values():
    rows += ["AutoSummENG", "MeMoG", "NPowER", "bertscore.recall", "METEOR", "MoverScore"]
    rows += ["qa-eval.f1", "s3.resp"]

PRINTED = {  # % of topics rejected, p of means (None: not at hand); the printed rows that were at hand
    ("fabbri", "expert.relevance"): (32.0, 0.52),
    ("fabbri", "qa-eval.f1"): (40.0, 0.01),
    ("fabbri", "rouge-2.f1"): (34.0, 0.00),
    ("fabbri", "BEwTE.f1"): (37.0, None),
    ("bhandari", "litepyramid.recall"): (75.0, 0.84),
}


@pytest.mark.parametrize(("data", "metric"), [(data, metric) for data in TABLE_2 for metric in TABLE_2[data]])
def test_normality_by_its_definition_for_all_rows_of_table_2(shared, data, metric):
    X = np.load(shared / f"data/score_matrices/scores_{data}2020.npz")[metric]
    found = normality(X)
    rejected = [stats.shapiro(column)[1] <= 0.05 for column in X.T]
    assert (found.n_tested, found.n_skipped) == (100, 0)
    assert found.share_rejected == sum(rejected) / 100
    assert found.p_means == pytest.approx(stats.shapiro(X.mean(axis=1))[1], rel=1e-9)


@pytest.mark.parametrize(("row", "printed"), PRINTED.items())
def test_normality_against_deutsch_et_al(shared, row, printed):
    data, metric = row
    found = normality(np.load(shared / f"data/score_matrices/scores_{data}2020.npz")[metric])
    assert 100 * found.share_rejected == pytest.approx(printed[0], abs=1e-9)
    if printed[1] is not None:
        assert found.p_means == pytest.approx(printed[1], abs=0.00501)
