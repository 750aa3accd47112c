"""Tests of two metrics, of one stratum and of several: by definition, by hand, against R, nlpstats and statsmodels."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.correlations.resampled_correlations import bootstrap_values
from classy_aesop.significance.draws import RESAMPLED_UNITS, Exchanges, draw_exchanges, draw_resamples
from classy_aesop.significance.flags import UNDEFINED_CORRELATION
from classy_aesop.significance.metrics.metric_tests import (
    METRIC_TESTS,
    Stratum,
    difference_ends,
    undecided_margin,
    williams_t,
)
from classy_aesop.significance.metrics.stratified_means import stratified_mean
from tests.significance.simulated_scores import matrices
from tests.significance.two_metrics import bootstrap_test, permutation_test, permutation_values, williams_test


@pytest.mark.parametrize("resample", RESAMPLED_UNITS)
@pytest.mark.parametrize("level", ["system", "input"])
def test_paired_bootstrap_by_its_definition(resample, level):
    """On the resamples of single correlations, which are held to theirs, and on the cells that all three have."""
    X, Y, Z = matrices(8, missing=0.2)
    hidden = np.where(np.isnan(X), np.nan, Z)
    measured = {"level": level, "coefficient": "spearman"}
    for alternative in ("greater", "less", "two-sided"):
        how = {"alternative": alternative, "n_resamples": 800, "rng": np.random.default_rng(4)}
        found = bootstrap_test(X, Y, Z, resample=resample, **how, **measured)
        resamples = draw_resamples(X.shape, resample, 800, np.random.default_rng(4))
        first, second = (bootstrap_values(S, hidden, resamples, **measured) for S in (X, Y))
        values, delta = first - second, found.difference
        extreme = {
            "greater": values >= 2 * delta - 1e-12,
            "less": values <= 2 * delta + 1e-12,
            "two-sided": np.abs(values - delta) >= abs(delta) - 1e-12,
        }
        assert found.p == (extreme[alternative].sum() + 1) / 801


WILLIAMS = json.loads((Path(__file__).parents[2] / "oracles/williams.json").read_text())["cases"]


@pytest.mark.parametrize(
    "case", WILLIAMS, ids=lambda case: f"n={case['n']}, {case['r12']}, {case['r13']}, {case['r23']}"
)
def test_williams_against_r(case):
    t, p = williams_t(case["r12"], case["r13"], case["r23"], case["n"], alternative="two-sided")
    assert abs(t) == pytest.approx(abs(case["t"]), abs=1e-10)
    assert p == pytest.approx(case["p_two"], abs=1e-10)


def test_williams_at_the_edge():
    _, p = williams_t(0.85, 0.75, 0.9, 20, alternative="greater")
    assert williams_t(0.75, 0.85, 0.9, 20, alternative="less")[1] == pytest.approx(p)
    assert williams_t(0.85, 0.75, 0.9, 20)[1] == pytest.approx(2 * p)
    assert math.isnan(williams_t(0.85, 0.75, 0.9, 3)[0])
    assert williams_t(0.8, 0.8, 1.0, 20)[1] == 1.0
    X, Z = np.random.default_rng(0).normal(size=(2, 9, 4))
    found = williams_test(X, X, Z)
    assert (found.p, found.flag) == (1.0, UNDEFINED_CORRELATION)


def some(seed, shape):
    *metrics, Z = matrices(seed, 4, shape=shape)
    return metrics, Z


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
    found = stratified_mean([0.9, 0.95, 0.99], [0.2, 0.1, 0.1], lowest=-1)
    assert -1 < found.low_others <= found.low < found.value < found.high <= found.high_others < 1


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


@pytest.mark.parametrize("name", ["perm-both", "perm-systems", "perm-inputs", "boot"])
def test_one_stratum_is_the_plain_test(name):
    metrics, Z = some(0, (8, 9))
    options = {"level": "input", "coefficient": "kendall", "n_resamples": 99}
    strata = [Stratum(metrics, Z, np.random.default_rng(3))]
    found, turned = METRIC_TESTS[name].test_pairs(strata, [(0, 2), (2, 0)], **options)
    plain = METRIC_TESTS[name](metrics[0], metrics[2], Z, rng=np.random.default_rng(3), **options)
    assert found == plain
    assert (turned.difference, turned.p) == (-plain.difference, plain.p)


@pytest.mark.parametrize(("name", "swap"), [("perm-both", "cells"), ("perm-systems", "systems")])
def test_the_statistic_is_the_mean_of_exchanges_within_strata(name, swap):
    """Of the second stratum's six systems there are 64 exchanges, from which is drawn."""
    parts = [some(1, (9, 9)), some(2, (6, 12))]
    strata = [Stratum(*one, np.random.default_rng(k)) for k, one in enumerate(parts)]
    options = {"level": "system", "coefficient": "pearson"}
    (found,) = METRIC_TESTS[name].test_pairs(strata, [(0, 1)], n_resamples=499, **options)
    values, observed = np.zeros(499), 0.0
    for k, (metrics, Z) in enumerate(parts):
        rng = np.random.default_rng(k)
        swaps = draw_exchanges(Z.shape, swap, 499, rng)
        if swaps.is_exhaustive:
            swaps = Exchanges(swaps.masks[np.random.default_rng(k).choice(64, 499)])
        values += permutation_values(metrics[0], metrics[1], Z, swaps, **options) / 2
        observed += (
            permutation_test(*metrics[:2], Z, n_resamples=1, rng=np.random.default_rng(0)).difference / 2
        )
    assert found.difference == pytest.approx(observed)
    assert found.p == (1 + np.sum(np.abs(values) >= abs(observed) - 1e-12)) / 500
    assert found.n == 15


def test_a_test_that_does_not_resample_takes_no_strata():
    strata = [Stratum(*some(k, (8, 9)), np.random.default_rng(k)) for k in range(2)]
    with pytest.raises(ValueError, match="williams does not take 2 strata together"):
        METRIC_TESTS["williams"].test_pairs(
            strata, [(0, 1)], level="system", coefficient="pearson", n_resamples=1
        )


RESAMPLING_TESTS = [name for name, test in METRIC_TESTS.items() if test.resamples]


@pytest.mark.slow(after=4)
@pytest.mark.parametrize("level", ["system", "input"])
@pytest.mark.parametrize("name", RESAMPLING_TESTS)
def test_the_interval_excludes_0_exactly_where_the_test_is_significant(name, level):
    """Of pairs from equal to far apart, by all exchanges (six systems) and by some (nine)."""
    decided = set()
    for seed, n_systems in [(seed, n_systems) for seed in range(8) for n_systems in (6, 9)]:
        rng = np.random.default_rng(seed)
        Z = rng.normal(size=(n_systems, 5)) + np.arange(n_systems)[:, None]
        X, Y = (Z + scale * rng.normal(size=Z.shape) for scale in (0.2, 0.2 + seed))
        for alpha in (0.05, 0.2):
            found = METRIC_TESTS[name](
                X, Y, Z, level=level, n_resamples=79, alpha=alpha, rng=np.random.default_rng(seed)
            )
            assert (found.low > 0 or found.high < 0) == (found.p <= alpha)
            assert found.low <= found.difference <= found.high
            decided.add(bool(found.p <= alpha))
    assert decided == {False, True}


def test_the_margin_by_hand():
    """Of 19 values and the observed one, one may be as extreme at .05 and two at .1; of all 20, two at .1."""
    values = np.append(np.arange(1, 19) / 100, -0.5)
    assert undecided_margin(values, 0.05) == 0.5
    assert undecided_margin(values, 0.1) == 0.18
    assert np.isnan(undecided_margin(values[:18], 0.05))
    assert undecided_margin(np.append(values, 0.5), 0.1, exhaustive=True) == 0.18
    assert difference_ends(0.3, 0.3, -1.0) == (0.0, 0.6)
    assert difference_ends(0.9, 0.3, 0.0) == (pytest.approx(0.6), 1.0)


def test_williams_has_no_interval():
    X, Y, Z = matrices(3)
    found = williams_test(X, Y, Z)
    assert np.isnan([found.low, found.high]).all()
