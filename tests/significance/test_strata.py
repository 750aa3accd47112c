"""Strata together: the mean and its spread by hand and against statsmodels, the test against a loop."""

import numpy as np
import pytest

from classy_aesop.significance.counted import Swaps, draw_swaps
from classy_aesop.significance.metric_tests import TESTS, Stratum, permutation_test, stratified_mean
from classy_aesop.significance.resampling import permutation_values


def test_the_mean_and_the_spread_by_hand():
    """.5, .6 and .9 have the mean 2/3 and the variance .13/3; errors of .1 explain .01 of it."""
    found = stratified_mean([0.5, 0.6, 0.9], [0.1, 0.1, 0.1])
    np.testing.assert_allclose((found.value, found.spread**2), (2 / 3, 0.13 / 3 - 0.01))
    np.testing.assert_allclose(found.high - found.value, 1.959964 * 0.1 / np.sqrt(3), rtol=1e-6)
    np.testing.assert_allclose(found.high_others - found.value, 4.302653 * np.sqrt(0.13) / 3, rtol=1e-6)
    found = stratified_mean([0.5, 0.51], [0.2, 0.2])
    assert found.spread == 0
    np.testing.assert_allclose(found.high_others - found.value, 12.706205 * 0.2 / np.sqrt(2), rtol=1e-6)
    found = stratified_mean([0.5], [0.1])
    assert found.n == 1
    assert np.isnan([found.spread, found.low_others, found.high_others]).all()
    np.testing.assert_allclose(found.low, 0.5 - 1.959964 * 0.1, rtol=1e-6)
    found = stratified_mean([0.9, 0.95, 0.99], [0.2, 0.1, 0.1], least=-1)
    assert -1 < found.low_others <= found.low < found.value < found.high <= found.high_others < 1
    with pytest.raises(ValueError, match=r"shapes differ: values \(2,\), errors \(1,\)"):
        stratified_mean([0.5, 0.6], [0.1])
    with pytest.raises(ValueError, match="number of strata is 0; expected at least 1"):
        stratified_mean([], [])


def test_equal_errors_against_statsmodels():
    """With equal errors all weights are equal, and the estimator is that of DerSimonian and Laird, too."""
    meta = pytest.importorskip("statsmodels.stats.meta_analysis")
    for seed in range(5):
        values = np.random.default_rng(seed).normal(0.5, 0.2, size=4)
        theirs = meta.combine_effects(values, np.full(4, 0.05**2), method_re="dl")
        found = stratified_mean(values, np.full(4, 0.05))
        np.testing.assert_allclose(found.spread**2, theirs.tau2, atol=1e-12)
        assert found.spread > 0
        half = 3.182446 * theirs.sd_eff_w_re_hksj  # Hartung and Knapp, three degrees of freedom
        np.testing.assert_allclose(found.value, theirs.mean_effect_re)
        np.testing.assert_allclose(found.high_others, theirs.mean_effect_re + half, rtol=1e-6)


def matrices(seed, shape):
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=shape) + np.arange(shape[0])[:, None] / 4
    return [Z + rng.normal(size=shape) * scale for scale in (1, 2, 3)], Z


@pytest.mark.parametrize("name", ["perm-both", "perm-systems", "perm-inputs", "boot"])
def test_one_stratum_is_the_plain_test(name):
    metrics, Z = matrices(0, (8, 9))
    options = {"level": "input", "coefficient": "kendall", "n_resamples": 99}
    strata = [Stratum(metrics, Z, np.random.default_rng(3))]
    found, turned = TESTS[name].of_pairs(strata, [(0, 2), (2, 0)], **options)
    plain = TESTS[name](metrics[0], metrics[2], Z, rng=np.random.default_rng(3), **options)
    assert found == plain
    assert (turned.difference, turned.p) == (-plain.difference, plain.p)


@pytest.mark.parametrize(("name", "swap"), [("perm-both", "cells"), ("perm-systems", "systems")])
def test_the_statistic_is_the_mean_of_exchanges_within_strata(name, swap):
    """Of the second stratum's six systems there are 64 exchanges, from which is drawn."""
    parts = [matrices(1, (9, 9)), matrices(2, (6, 12))]
    strata = [Stratum(*one, np.random.default_rng(k)) for k, one in enumerate(parts)]
    options = {"level": "system", "coefficient": "pearson"}
    (found,) = TESTS[name].of_pairs(strata, [(0, 1)], n_resamples=499, **options)
    values, observed = np.zeros(499), 0.0
    for k, (metrics, Z) in enumerate(parts):
        rng = np.random.default_rng(k)
        swaps = draw_swaps(Z.shape, swap, 499, rng)
        if len(swaps) == 64:
            swaps = Swaps(swaps.rows[np.random.default_rng(k).choice(64, 499)])
        values += permutation_values(metrics[0], metrics[1], Z, swaps, **options) / 2
        observed += (
            permutation_test(*metrics[:2], Z, n_resamples=1, rng=np.random.default_rng(0)).difference / 2
        )
    assert found.difference == pytest.approx(observed)
    assert found.p == (1 + np.sum(np.abs(values) >= abs(observed) - 1e-12)) / 500
    assert found.n == 15


@pytest.mark.slow
def test_the_level_holds_where_no_metric_is_better():
    """Of 300 simulated pairs of years with metrics of equal quality some 5 % are significant."""
    n_significant = 0
    for seed in range(300):
        rng, strata = np.random.default_rng(seed), []
        for shape in ((8, 6), (12, 5)):
            Z = rng.normal(size=shape) + rng.normal(size=(shape[0], 1))
            strata.append(Stratum([Z + rng.normal(size=shape) for _ in "ab"], Z, rng))
        (found,) = TESTS["perm-systems"].of_pairs(
            strata, [(0, 1)], level="system", coefficient="pearson", n_resamples=99
        )
        n_significant += found.p <= 0.05
    assert 5 <= n_significant <= 26


def test_a_test_that_does_not_resample_takes_no_strata():
    strata = [Stratum(*matrices(k, (8, 9)), np.random.default_rng(k)) for k in range(2)]
    with pytest.raises(ValueError, match="williams does not take 2 strata together"):
        TESTS["williams"].of_pairs(strata, [(0, 1)], level="system", coefficient="pearson", n_resamples=1)


@pytest.mark.parametrize("name", [name for name, test in TESTS.items() if test.resamples])
def test_no_resamples_are_no_test(name):
    """Of many pairs too: without resamples every p was 1."""
    metrics, Z = matrices(0, (5, 6))
    how = {"level": "system", "coefficient": "pearson", "n_resamples": 0}
    with pytest.raises(ValueError, match="n_resamples is 0; expected at least 1"):
        TESTS[name].of_pairs([Stratum(metrics, Z, np.random.default_rng(0))], [(0, 1)], **how)
