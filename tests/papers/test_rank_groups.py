"""Kruskal-Wallis and Tukey on mean ranks: against R, by hand, by identities."""

import json
import math
from itertools import zip_longest
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from classy_aesop.papers.deutsch_2021 import normality
from classy_aesop.papers.rank_groups import rank_groups

CASES = json.loads((Path(__file__).parents[1] / "oracles/groups.json").read_text())["cases"]

# to 1e-6, R's own accuracy for many groups; R 4.2.2: qtukey(c(.90, .95, .99), k, Inf)
QTUKEY = [
    (2, 2.32617430739659, 2.77180764901919, 3.64277273639538),
    (3, 2.90238021350239, 3.31449315755301, 4.12030328327174),
    (8, 3.93134910100166, 4.28630951255947, 4.98718274605187),
    (58, 5.4571539885912, 5.74255118949377, 6.31773150967878),
]


def columns(groups):
    """Give groups of scores as the columns of a matrix, NaN below the shorter ones."""
    return np.array(list(zip_longest(*groups, fillvalue=math.nan)), dtype=float).reshape(-1, len(groups))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_ranks_of_groups_against_r(case):
    found, expected = rank_groups(columns(case["groups"])), case["expected"]
    assert found.statistic == pytest.approx(expected["kruskal"]["statistic"], rel=1e-10)
    assert found.p == pytest.approx(expected["kruskal"]["p"], abs=1e-10)
    assert found.df == expected["kruskal"]["df"]
    assert found.mean_ranks == pytest.approx(np.array(expected["mean_ranks"]), rel=1e-10)
    first, second = np.transpose(expected["hsd"]["pairs"]) - 1
    assert found.p_of_pairs[first, second] == pytest.approx(np.atleast_1d(expected["hsd"]["p"]), abs=1e-8)


@pytest.mark.slow(after=2)
@pytest.mark.parametrize(("k", "q90", "q95", "q99"), QTUKEY)
def test_half_widths_against_quantiles_of_r(k, q90, q95, q99):
    ranks = np.arange(float(k))[None]  # the variance of a rank is k (k + 1) / 12
    for alpha, q in ((0.1, q90), (0.05, q95), (0.01, q99)):
        found = rank_groups(ranks, alpha=alpha)
        assert 2 * found.half_widths / math.sqrt(k * (k + 1) / 12) == pytest.approx(q, abs=1e-6)


def test_comparison_intervals_part_where_groups_differ():
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(6, 12)) + np.arange(6)[:, None] * 0.4
        found = rank_groups(X.T)
        low, high = found.mean_ranks - found.half_widths, found.mean_ranks + found.half_widths
        apart = (low[:, None] > high) | (low > high[:, None])
        assert (apart == (found.p_of_pairs <= 0.05)).all()


def test_groups_without_scores_are_left_out():
    found, scored = (
        rank_groups(columns(groups)) for groups in ([[1, 2, 3], [], [2, 4, 6]], [[1, 2, 3], [2, 4, 6]])
    )
    assert (found.p, found.df) == (scored.p, 1)
    assert np.isnan(found.mean_ranks).tolist() == np.isnan(found.half_widths).tolist() == [False, True, False]
    assert found.p_of_pairs[0, 2] == scored.p_of_pairs[0, 1]
    X = np.random.default_rng(0).integers(1, 6, size=(9, 4)).astype(float)
    assert rank_groups(np.exp(X)).p == rank_groups(X).p
    # Far out the integral leaves rounding.
    found = rank_groups(columns([np.arange(1000) + 5000 * k for k in range(2)]))
    assert 0 <= found.p_of_pairs[0, 1] < 1e-13
    assert rank_groups(columns([[1, 2], [1, 2]])).p_of_pairs == pytest.approx(1.0)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("degenerate", [[[]], [[1, 2]], [[3, 3], [3, 3]], [[], []]])
def test_nothing_to_test_has_a_p_of_1(degenerate):
    found = rank_groups(columns(degenerate))
    assert found.p == 1.0
    assert not (found.p_of_pairs <= 0.05).any()


def test_groups_that_differ_by_rounding_are_tied():
    """By hand: the scores .1 + .2 and .3 are two of three equal ones, of ranks 2 to 4 among five."""
    groups = [[0.1 + 0.2, 0.3], [0.3, 0.4], [0.2]]
    whole = rank_groups(columns([[3, 3], [3, 4], [2]]))
    assert rank_groups(columns(groups)).statistic == pytest.approx(whole.statistic)
    assert rank_groups(columns([[0.1 + 0.2, 0.5], [0.3, 0.6]])).mean_ranks.tolist() == [2.25, 2.75]


def test_topics_and_means_are_tested_apart():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), rng.exponential(size=30) ** 3, np.ones(30)])
    X[5, 0] = np.nan
    found = normality(X)
    assert (found["n_tested"], found["n_skipped"], found["percent_rejected"]) == (2, 1, 50)
    means = [row[~np.isnan(row)].mean() for row in X]
    assert found["p_means"] == pytest.approx(stats.shapiro(means).pvalue)
    p = normality(X[:, :1])["p_means"]  # of one topic the means are its scores
    assert normality(X[:, :1], alpha=p)["percent_rejected"] == 100
    assert normality(X[:, :1], alpha=p * (1 - 1e-9))["percent_rejected"] == 0


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
    assert found["percent_rejected"] == pytest.approx(printed[0], abs=1e-9)
    if printed[1] is not None:
        assert found["p_means"] == pytest.approx(printed[1], abs=0.00501)
