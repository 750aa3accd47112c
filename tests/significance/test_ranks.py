"""Kruskal-Wallis and Tukey on mean ranks: against R, by hand, by identities."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.descriptive import ALL_EQUAL, TOO_FEW_GROUPS, kruskal_wallis, tukey_on_ranks

CASES = json.loads((Path(__file__).parents[1] / "oracles/groups.json").read_text())["cases"]

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
    assert found.uncorrected == pytest.approx(expected["H_uncorrected"], rel=1e-10)
    assert found.p == pytest.approx(expected["kruskal"]["p"], abs=1e-10)
    assert found.df == expected["kruskal"]["df"]
    assert found.mean_ranks == pytest.approx(np.array(expected["mean_ranks"]), rel=1e-10)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_tukey_on_ranks_against_r(case):
    found, expected = tukey_on_ranks(groups(case)), case["expected"]["hsd"]
    assert [[i + 1, j + 1] for i, j in zip(found.first, found.second, strict=True)] == expected["pairs"]
    for ours, theirs in [("difference", "diff"), ("low", "lower"), ("high", "upper")]:
        assert getattr(found, ours) == pytest.approx(np.atleast_1d(expected[theirs]), abs=1e-4)
    assert found.p == pytest.approx(np.atleast_1d(expected["p"]), abs=1e-8)


@pytest.mark.slow(after=2)
@pytest.mark.parametrize(("k", "q90", "q95", "q99"), QTUKEY)
def test_half_widths_against_quantiles_of_r(k, q90, q95, q99):
    ranks = [[rank] for rank in range(k)]  # the variance of a rank is k (k + 1) / 12
    for alpha, quantile in ((0.1, q90), (0.05, q95), (0.01, q99)):
        found = tukey_on_ranks(ranks, alpha=alpha)
        assert (found.high - found.difference) / math.sqrt(k * (k + 1) / 12) == pytest.approx(
            quantile, abs=1e-6
        )


def test_p_is_never_outside_its_range():
    """Far out the integral leaves rounding."""
    found = tukey_on_ranks([np.arange(1000) + 5000 * k for k in range(2)])
    assert 0 <= found.p[0] < 1e-13
    assert tukey_on_ranks([[1, 2], [1, 2]]).p == pytest.approx(1.0)


def test_ranks_by_hand():
    three = [[1, 2, 2, 3], [2, 3, 4, 4], [3, 4, 5, 5]]
    found = kruskal_wallis(three)
    assert found.mean_ranks.tolist() == [3.25, 6.75, 9.5]
    assert (found.uncorrected, found.statistic) == pytest.approx((6.038462, 6.326007), abs=5e-7)
    assert (found.p, found.variance) == pytest.approx((0.042298, 12.409091), abs=5e-7)
    pairs = tukey_on_ranks(three)
    assert pairs.high - pairs.difference == pytest.approx(np.full(3, 5.837906), abs=5e-7)
    assert pairs.differs.tolist() == [False, True, False]


def test_comparison_intervals_part_where_groups_differ():
    for seed in range(10):
        X = np.random.default_rng(seed).normal(size=(6, 12)) + np.arange(6)[:, None] * 0.4
        found = tukey_on_ranks(X)
        low, high = found.mean_ranks - found.half_widths, found.mean_ranks + found.half_widths
        apart = (low[found.first] > high[found.second]) | (low[found.second] > high[found.first])
        assert (apart == found.differs).all()
        assert ((found.low > 0) | (found.high < 0)).tolist() == found.differs.tolist()


def test_any_increasing_change_of_scores_changes_nothing():
    X = np.random.default_rng(0).integers(1, 6, size=(4, 9)).astype(float)
    assert kruskal_wallis(np.exp(X)).p == kruskal_wallis(X).p


def test_groups_without_scores_are_left_out():
    found = kruskal_wallis([[1, 2, 3], [math.nan], [], [2, 4, 6]])
    alone = kruskal_wallis([[1, 2, 3], [2, 4, 6]])
    assert (found.p, found.df) == (alone.p, 1)
    assert np.isnan(found.mean_ranks).tolist() == [False, True, True, False]
    pairs = tukey_on_ranks([[1, 2, 3], [math.nan], [], [2, 4, 6]])
    assert (pairs.first.tolist(), pairs.second.tolist()) == ([0], [3])


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


def test_bad_groups_are_refused():
    with pytest.raises(ValueError, match=r"groups\[1\] holds an infinite score"):
        kruskal_wallis([[1.0], [math.inf]])
    with pytest.raises(ValueError, match="alpha is 5"):
        tukey_on_ranks([[1.0], [2.0]], alpha=5)
