"""Scores that differ by rounding only are one score, at every level and in every resampling."""

import numpy as np
import pytest

from classy_aesop.significance.choices import LEVELS
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.resampling import (
    bootstrap_values,
    draw_resamples,
    draw_swaps,
    permutation_values,
)

COEFFICIENTS = ("pearson", "spearman", "kendall", "tau_ap", "pairwise_accuracy")


def grades(rng, shape=(9, 7)):
    return rng.integers(1, 4, size=shape) / 3.0


def blurred(X, rng):
    """Give the scores as sums in another order would be: some a last digit off."""
    return X * (1 + rng.integers(-2, 3, size=X.shape) * 2.0**-52)


@pytest.mark.parametrize("coefficient", COEFFICIENTS[:3])
def test_a_topic_constant_but_for_rounding_is_skipped_by_all(coefficient):
    """By hand: the second topic says nothing, the first agrees (1, 2, 3)."""
    X = [[1, -1.0], [2, -1.0000000000000002], [3, -1.0]]
    found = correlation(X, [[1, 1], [2, 2], [3, 3]], level="input", coefficient=coefficient)
    assert (found.value, found.n_skipped) == (pytest.approx(1.0), 1)


@pytest.mark.slow(after=10)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize("level", LEVELS)
def test_rounding_moves_no_correlation(level, coefficient):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X, Z = grades(rng), grades(rng)
        found, plain = (
            correlation(*pair, level=level, coefficient=coefficient)
            for pair in ((blurred(X, rng), blurred(Z, rng)), (X, Z))
        )
        assert found.value == pytest.approx(plain.value, abs=1e-12)
        assert found.n_skipped == plain.n_skipped


@pytest.mark.slow(after=18)
@pytest.mark.parametrize("coefficient", COEFFICIENTS[:3])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("resample", ["both", "systems", "inputs"])
def test_rounding_moves_no_bootstrap(level, coefficient, resample):
    rng = np.random.default_rng(1)
    X, Z = grades(rng), grades(rng)
    resamples = draw_resamples(X.shape, resample, 50, rng)
    found, plain = (
        bootstrap_values(*pair, resamples, level=level, coefficient=coefficient)
        for pair in ((blurred(X, rng), blurred(Z, rng)), (X, Z))
    )
    np.testing.assert_allclose(found, plain, rtol=0, atol=1e-12)


@pytest.mark.slow(after=8)
@pytest.mark.parametrize("coefficient", COEFFICIENTS[:3])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("swap", ["cells", "systems", "inputs", "systems_inputs"])
def test_rounding_moves_no_exchange(level, coefficient, swap):
    """The second metric is the first's, scaled, for half of the summarizers: ties across the exchange."""
    rng = np.random.default_rng(2)
    X, Z = grades(rng), grades(rng)
    Y = np.where(np.arange(len(X))[:, None] % 2, X, grades(rng))
    swaps = draw_swaps(X.shape, swap, 50, rng)
    found, plain = (
        permutation_values(*scores, swaps, level=level, coefficient=coefficient)
        for scores in ((blurred(X, rng), blurred(Y, rng), blurred(Z, rng)), (X, Y, Z))
    )
    np.testing.assert_allclose(found, plain, rtol=0, atol=1e-12)
