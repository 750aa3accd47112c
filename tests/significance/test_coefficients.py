"""Coefficients by hand, against R and ircor, and by identities."""

import itertools
import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.coefficients import (
    COEFFICIENTS,
    kendall,
    midranks,
    pairwise_accuracy,
    pearson,
    snapped,
    spearman,
    tau_ap,
    tie_levels,
)

ORACLES = Path(__file__).parents[1] / "oracles"
PAIRS = json.loads((ORACLES / "pairs.json").read_text())["cases"]
RANKINGS = json.loads((ORACLES / "rankings.json").read_text())["cases"]


def number(value):
    return float("nan") if value is None or isinstance(value, str) else value


@pytest.mark.parametrize("case", PAIRS, ids=lambda case: case["id"])
@pytest.mark.parametrize(
    ("coefficient", "name"), [(pearson, "pearson"), (spearman, "spearman"), (kendall, "kendall_tau_b")]
)
def test_coefficients_against_r(case, coefficient, name):
    x = np.array(case["x"], dtype=float)
    z = np.array(case["y"], dtype=float)
    expected = number(case["expected"].get(name))
    assert coefficient(x, z) == pytest.approx(expected, abs=1e-10, nan_ok=True)


@pytest.mark.parametrize("case", RANKINGS, ids=lambda case: case["id"])
def test_tau_ap_against_ircor(case):
    assert tau_ap(case["pred"], case["truth"]) == pytest.approx(
        case["expected"]["tauap_truth_pred"], abs=1e-10
    )
    assert tau_ap(case["truth"], case["pred"]) == pytest.approx(
        case["expected"]["tauap_pred_truth"], abs=1e-10
    )


def test_tau_ap_by_hand():
    truth = [4, 3, 2, 1]  # ABCD
    assert tau_ap([3, 4, 2, 1], truth) == pytest.approx(1 / 3)  # BACD: shares 0, 1, 1
    assert tau_ap([4, 3, 1, 2], truth) == pytest.approx(7 / 9)  # ABDC: shares 1, 1, 2/3
    assert kendall([3, 4, 2, 1], truth) == kendall([4, 3, 1, 2], truth) == pytest.approx(2 / 3)


def test_tau_ap_ties_go_to_the_earlier_item():
    assert tau_ap([1, 1, 0], [2, 1, 0]) == 1.0
    assert tau_ap([1, 1, 0], [1, 2, 0]) == pytest.approx(0.0)  # shares 0, 1


def test_pairwise_accuracy_by_hand():
    assert pairwise_accuracy([1, 1, 2], [5, 5, 5]) == pytest.approx(1 / 3)  # only the tie agrees
    assert pairwise_accuracy([1, 2, 3], [3, 2, 1]) == 0.0
    assert pairwise_accuracy([1, 1], [2, 2]) == 1.0


def test_midranks_and_levels_by_hand():
    # the worked table of mid-ranks: counts of five scores in 2420 judgments
    scores = np.repeat([1.0, 2, 3, 4, 5], [300, 776, 702, 366, 276])
    assert np.unique(midranks(scores)).tolist() == [150.5, 688.5, 1427.5, 1961.5, 2282.5]
    assert np.unique(tie_levels(scores)).tolist() == [0, 1, 2, 3, 4]
    assert midranks(np.array([[2.0, 1.0, 2.0], [1.0, 1.0, 1.0]])).tolist() == [[2.5, 1, 2.5], [2, 2, 2]]


def test_midranks_are_counts_of_less_and_equal():
    for seed in range(20):
        x = np.random.default_rng(seed).integers(0, 6, size=(3, 11)).astype(float)
        less = (x[:, None, :] < x[:, :, None]).sum(axis=2)
        equal = (x[:, None, :] == x[:, :, None]).sum(axis=2)
        assert (midranks(x) == less + (equal + 1) / 2).all()


def test_kendall_is_the_sum_over_pairs():
    for seed in range(20):
        x, z = np.random.default_rng(seed).integers(0, 5, size=(2, 12))
        both = [
            (np.sign(a - b), np.sign(c - d))
            for (a, c), (b, d) in itertools.combinations(zip(x, z, strict=True), 2)
        ]
        s, t = np.array(both, dtype=float).T
        assert kendall(x, z) == pytest.approx(s @ t / math.sqrt((s @ s) * (t @ t)), abs=1e-12)


def test_rank_coefficients_keep_their_value_over_blocks():
    x, z = np.random.default_rng(3).integers(0, 40, size=(2, 1_300))
    signs = np.sign(x[:, None] - x), np.sign(z[:, None] - z)
    tau = (signs[0] * signs[1]).sum() / math.sqrt((signs[0] ** 2).sum() * float((signs[1] ** 2).sum()))
    assert kendall(x, z) == pytest.approx(tau, abs=1e-12)
    off_diagonal = ~np.eye(1_300, dtype=bool)
    assert pairwise_accuracy(x, z) == pytest.approx((signs[0] == signs[1])[off_diagonal].mean(), abs=1e-12)


def test_snapping_joins_what_rounding_parted():
    x = np.array([0.1 + 0.2, 0.3, np.nan, 0.5])
    assert snapped(x).tolist()[:2] == [0.3, 0.3]
    assert np.isnan(snapped(x)[2])
    assert (snapped(x)[3]) == 0.5


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize("n", [0, 1])
def test_too_few_pairs_are_undefined(name, n):
    assert math.isnan(COEFFICIENTS[name]([1.0] * n, [2.0] * n))
    assert math.isnan(COEFFICIENTS[name]([1.0] * n + [math.nan] * 3, [2.0] * n + [1.0, 2.0, 3.0]))


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall", "tau_ap"])
def test_a_constant_list_is_undefined(name):
    assert math.isnan(COEFFICIENTS[name]([1.0, 1.0, 1.0], [1.0, 2.0, 3.0]))


def test_pearson_of_a_list_that_is_constant_within_rounding_is_undefined():
    assert math.isnan(pearson([1.0, 2.0, 3.0], [0.1 + 0.2, 0.3, 0.3]))


@pytest.mark.parametrize("name", COEFFICIENTS)
def test_a_list_agrees_with_itself(name):
    assert COEFFICIENTS[name]([3.0, 1.0, 2.0], [3.0, 1.0, 2.0]) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall", "pairwise_accuracy"])
def test_order_of_items_and_scale_change_nothing(name):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x, z = rng.normal(size=(2, 15))
        order = rng.permutation(15)
        value = COEFFICIENTS[name](x, z)
        assert COEFFICIENTS[name](x[order], z[order]) == pytest.approx(value, abs=1e-12)
        assert COEFFICIENTS[name](1e-200 * x, 1e200 * z) == pytest.approx(value, abs=1e-9)


def test_shapes_and_infinities_are_refused():
    with pytest.raises(ValueError, match=r"shapes differ: x \(2,\), z \(3,\)"):
        pearson([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="infinite"):
        kendall([1, math.inf], [1, 2])
    with pytest.raises(ValueError, match="2 dimensions; expected 1"):
        spearman([[1, 2]], [[1, 2]])


@pytest.mark.parametrize("seed", range(4))
def test_kendall_of_long_lists_is_that_of_short_ones(seed, monkeypatch):
    """Counting pairs by sorting and comparing all with all give the same, ties in both lists."""
    rng = np.random.default_rng(seed)
    x, z = rng.integers(0, 40, 300) / 7, rng.integers(1, 6, 300).astype(float)
    compared = kendall(x, z)
    monkeypatch.setattr("classy_aesop.significance.coefficients.MANY", 10)
    assert kendall(x, z) == pytest.approx(compared, abs=1e-14)
