"""Kruskal-Wallis and Tukey on mean ranks: against R, by hand, by identities."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.correlations.normality import normality
from classy_aesop.significance.pairs.rank_groups import (
    ALL_EQUAL,
    TOO_FEW_GROUPS,
    kruskal_wallis,
    tukey_on_ranks,
)

CASES = json.loads((Path(__file__).parents[2] / "oracles/groups.json").read_text())["cases"]

# to 1e-6, R's own accuracy for many groups; R 4.2.2: qtukey(c(.90, .95, .99), k, Inf)
QTUKEY = [
    (2, 2.32617430739659, 2.77180764901919, 3.64277273639538),
    (3, 2.90238021350239, 3.31449315755301, 4.12030328327174),
    (8, 3.93134910100166, 4.28630951255947, 4.98718274605187),
    (58, 5.4571539885912, 5.74255118949377, 6.31773150967878),
]


def groups(case):
    return [np.array(group, dtype=float) for group in case["groups"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_kruskal_wallis_against_r(case):
    found, expected = kruskal_wallis(groups(case)), case["expected"]
    assert found.statistic == pytest.approx(expected["kruskal"]["statistic"], rel=1e-10)
    assert found.p == pytest.approx(expected["kruskal"]["p"], abs=1e-10)
    assert found.df == expected["kruskal"]["df"]
    assert found.mean_ranks == pytest.approx(np.array(expected["mean_ranks"]), rel=1e-10)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_tukey_on_ranks_against_r(case):
    found, expected = tukey_on_ranks(groups(case)), case["expected"]["hsd"]
    assert [[i + 1, j + 1] for i, j in zip(found.first, found.second, strict=True)] == expected["pairs"]
    assert found.p == pytest.approx(np.atleast_1d(expected["p"]), abs=1e-8)


@pytest.mark.slow(after=2)
@pytest.mark.parametrize(("k", "q90", "q95", "q99"), QTUKEY)
def test_half_widths_against_quantiles_of_r(k, q90, q95, q99):
    ranks = [[rank] for rank in range(k)]  # the variance of a rank is k (k + 1) / 12
    for alpha, q in ((0.1, q90), (0.05, q95), (0.01, q99)):
        found = tukey_on_ranks(ranks, alpha=alpha)
        assert 2 * found.half_widths / math.sqrt(k * (k + 1) / 12) == pytest.approx(q, abs=1e-6)


def test_comparison_intervals_part_where_groups_differ():
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(6, 12)) + np.arange(6)[:, None] * 0.4
        found = tukey_on_ranks(X)
        mean_ranks = kruskal_wallis(X).mean_ranks
        low, high = mean_ranks - found.half_widths, mean_ranks + found.half_widths
        apart = (low[found.first] > high[found.second]) | (low[found.second] > high[found.first])
        assert (apart == found.differs).all()


def test_groups_without_scores_are_left_out():
    found = kruskal_wallis([[1, 2, 3], [math.nan], [], [2, 4, 6]])
    assert (found.p, found.df) == (kruskal_wallis([[1, 2, 3], [2, 4, 6]]).p, 1)
    assert np.isnan(found.mean_ranks).tolist() == [False, True, True, False]
    pairs = tukey_on_ranks([[1, 2, 3], [math.nan], [], [2, 4, 6]])
    assert (pairs.first.tolist(), pairs.second.tolist()) == ([0], [3])
    X = np.random.default_rng(0).integers(1, 6, size=(4, 9)).astype(float)
    assert kruskal_wallis(np.exp(X)).p == kruskal_wallis(X).p
    # Far out the integral leaves rounding.
    found = tukey_on_ranks([np.arange(1000) + 5000 * k for k in range(2)])
    assert 0 <= found.p[0] < 1e-13
    assert tukey_on_ranks([[1, 2], [1, 2]]).p == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("degenerate", "flag"),
    [([], TOO_FEW_GROUPS), ([[]], TOO_FEW_GROUPS), ([[1, 2]], TOO_FEW_GROUPS), ([[3, 3], [3, 3]], ALL_EQUAL)],
)
def test_nothing_to_test_is_flagged(degenerate, flag):
    found = kruskal_wallis(degenerate)
    assert (found.p, found.flag) == (1.0, flag)
    pairs = tukey_on_ranks(degenerate)
    assert not pairs.differs.any()
    json.dumps(pairs.to_dict())


def test_topics_and_means_are_tested_apart():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), rng.exponential(size=30) ** 3, np.ones(30)])
    X[5, 0] = np.nan
    found = normality(X)
    assert (found.n_tested, found.n_skipped, found.share_rejected) == (2, 1, 0.5)
    means = [row[~np.isnan(row)].mean() for row in X]
    assert found.p_means == pytest.approx(stats.shapiro(means).pvalue)


PRINTED = {  # % of topics rejected, p of means (None: not at hand); the printed rows that were at hand
    ("fabbri", "expert.relevance"): (32.0, 0.52),
    ("fabbri", "qa-eval.f1"): (40.0, 0.01),
    ("fabbri", "rouge-2.f1"): (34.0, 0.00),
    ("fabbri", "BEwTE.f1"): (37.0, None),
    ("bhandari", "litepyramid.recall"): (75.0, 0.84),
}


@pytest.mark.parametrize(("row", "printed"), PRINTED.items())
def test_normality_against_deutsch_et_al(shared, row, printed):
    data, metric = row
    found = normality(np.load(shared / f"data/score_matrices/scores_{data}2020.npz")[metric])
    assert 100 * found.share_rejected == pytest.approx(printed[0], abs=1e-9)
    if printed[1] is not None:
        assert found.p_means == pytest.approx(printed[1], abs=0.00501)
