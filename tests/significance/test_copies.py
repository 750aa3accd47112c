"""Copies of a summarizer in a resample make no pair with each other."""

import itertools

import numpy as np
import pytest

from classy_aesop.significance.coefficients import COEFFICIENTS, OF_PAIRS, pairwise_accuracy, tau_ap
from classy_aesop.significance.intervals import bootstrap_interval
from classy_aesop.significance.resampling import (
    RESAMPLES,
    Resamples,
    bootstrap_values,
    draw_resamples,
    one_by_one,
)


def test_copies_are_no_pair_by_hand():
    """Two of three are one item: the only other pairs are in the wrong order, both of them."""
    assert pairwise_accuracy([1, 1, 2], [5, 5, 1], items=[7, 7, 3]) == 0.0
    assert tau_ap([1, 1, 2], [5, 5, 1], items=[7, 7, 3]) == -1.0
    assert np.isnan(pairwise_accuracy([1, 1], [5, 5], items=[7, 7]))
    assert pairwise_accuracy([1, np.nan, 1, 2], [5, 1, 5, 1], items=[7, 5, 7, 3]) == 0.0


@pytest.mark.parametrize("name", OF_PAIRS)
def test_items_of_their_own_change_nothing(name):
    x, z = np.random.default_rng(0).integers(0, 5, size=(2, 20))
    assert COEFFICIENTS[name](x, z, items=range(20)) == COEFFICIENTS[name](x, z)


def test_pairs_of_items_weigh_the_product_of_their_counts():
    rng = np.random.default_rng(1)
    x, z = rng.integers(0, 4, size=(2, 12)).astype(float)
    drawn = rng.integers(12, size=12)
    counts = np.bincount(drawn, minlength=12)
    pairs = [(counts[i] * counts[j], i, j) for i, j in itertools.combinations(range(12), 2)]
    right = sum(weight * (np.sign(x[i] - x[j]) == np.sign(z[i] - z[j])) for weight, i, j in pairs)
    expected = right / sum(weight for weight, _, _ in pairs)
    assert pairwise_accuracy(x[drawn], z[drawn], items=drawn) == pytest.approx(expected)


@pytest.mark.parametrize("name", OF_PAIRS)
@pytest.mark.parametrize("level", ["system", "input", "global"])
def test_a_resample_of_copies_says_what_its_summarizers_say(level, name):
    """Each of two summarizers is drawn twice; at global level they have one topic, so there too they are one pair."""
    rng = np.random.default_rng(2)
    X, Z = rng.normal(size=(2, 4, 1 if level == "global" else 5))
    twice, once = (
        bootstrap_values(X, Z, Resamples(rows=np.array([rows])), level=level, coefficient=name)[0]
        for rows in ([0, 0, 2, 2], [0, 2])
    )
    if (
        level != "centred"
    ):  # there a cell pairs with the copies of another topic's, which weigh more than its own
        assert twice == pytest.approx(once)
    assert -1 <= twice <= 1


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("resample", ["systems", "both"])
@pytest.mark.parametrize("name", ["tau_ap", "acc_eq"])
def test_intervals_of_a_worthless_metric_hold_its_accuracy(name, resample):
    """With pairs of copies as agreement .38 of the intervals over 16 systems held it, nominally .95."""
    truth, held = {"tau_ap": 0.0, "acc_eq": 0.5}[name], 0
    rng = np.random.default_rng(3)
    for _ in range(100):
        X, Z = rng.normal(size=(2, 16, 1)) + rng.normal(size=(2, 16, 8))
        found = bootstrap_interval(X, Z, coefficient=name, resample=resample, n_resamples=100, rng=rng)
        held += found.low <= truth <= found.high
    assert held >= 90


@pytest.mark.parametrize("level", ["system", "input", "within_system"])
@pytest.mark.parametrize("coefficient", ["tau_ap", "pairwise_accuracy"])
def test_many_resamples_at_once_are_each_of_them(level, coefficient):
    """With ties, copies and missing cells; one after the other they took up to 250 times as long."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        Z = np.round(rng.normal(size=(7, 5)), 0 if seed % 2 else 3)
        X = np.round(Z + rng.normal(size=Z.shape), 0 if seed % 2 else 3)
        X[rng.random(X.shape) < 0.2 * (seed > 1)] = np.nan
        Z[np.isnan(X)] = np.nan
        for resample in RESAMPLES:
            drawn = draw_resamples(X.shape, resample, 30, rng)
            found = bootstrap_values(X, Z, drawn, level=level, coefficient=coefficient)
            turned = level == "within_system"
            matrices = (X.T, Z.T) if turned else (X, Z)
            parts = Resamples(drawn.columns, drawn.rows) if turned else drawn
            plain = one_by_one("input" if turned else level, *matrices, parts, coefficient)
            np.testing.assert_allclose(found, plain, atol=1e-12)
