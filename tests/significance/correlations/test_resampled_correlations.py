"""Intervals of correlations: every replicate by its definition, against R and nlpstats, and by hand."""

import itertools
import math

import numpy as np
import pytest
from numpy.random import default_rng

from classy_aesop.significance.choices import CORRELATION_LEVELS
from classy_aesop.significance.correlations.accuracies import ACCURACIES
from classy_aesop.significance.correlations.coefficients import ROW_COEFFICIENTS
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval
from classy_aesop.significance.correlations.correlation_levels import correlation, has_coefficient
from classy_aesop.significance.correlations.resampled_correlations import (
    bootstrap_values,
    correlate_one_by_one,
)
from classy_aesop.significance.draws import (
    EXCHANGED_UNITS,
    RESAMPLED_UNITS,
    Exchanges,
    Resamples,
    draw_exchanges,
    draw_resamples,
)
from classy_aesop.significance.metrics.metric_tests import resampling_p_value
from tests.significance.simulated_scores import matrices
from tests.significance.two_metrics import permutation_test, permutation_values

COEFFICIENTS = ["pearson", "spearman", "kendall"]
LEVELS_AND_MEANS = [*((level, "plain") for level in CORRELATION_LEVELS), ("system", "least-squares")]


def by_definition(X, Z, resamples, **options):
    values = []
    for k in range(len(resamples)):
        rows = np.arange(X.shape[0]) if resamples.rows is None else resamples.rows[k]
        columns = np.arange(X.shape[1]) if resamples.columns is None else resamples.columns[k]
        values.append(correlation(X[np.ix_(rows, columns)], Z[np.ix_(rows, columns)], **options).value)
    return np.array(values)


@pytest.mark.slow(after=11)
@pytest.mark.parametrize("coefficient", [*COEFFICIENTS, "tau_ap", "pairwise_accuracy"])
@pytest.mark.parametrize(("level", "means"), LEVELS_AND_MEANS)
@pytest.mark.parametrize("resample", RESAMPLED_UNITS)
@pytest.mark.parametrize(("missing", "grades"), [(0.0, False), (0.0, True), (0.3, False), (0.6, True)])
def test_resamples_are_the_definition(coefficient, level, means, resample, missing, grades):
    """Where copies of a summarizer are no pair, many at once are each of them."""
    X, Z = matrices(6, 2, missing=missing, grades=grades)
    resamples = draw_resamples(X.shape, resample, 25, default_rng(6))
    found = bootstrap_values(X, Z, resamples, level=level, coefficient=coefficient, means=means)
    if coefficient in COEFFICIENTS:
        expected = by_definition(X, Z, resamples, level=level, coefficient=coefficient, means=means)
    elif means == "least-squares":
        pytest.skip("copies of a summarizer are no pair, and so no part of a definition")
    else:
        expected = correlate_one_by_one(level, X, np.where(np.isnan(X), np.nan, Z), resamples, coefficient)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_an_outlier_does_not_blur_the_resamples_without_it():
    X, Z = matrices(2, 2, shape=(8, 6))
    X[0] += 1e7
    resamples = draw_resamples(X.shape, "both", 200, default_rng(0))
    found = bootstrap_values(X, Z, resamples, level="input")
    np.testing.assert_allclose(found, by_definition(X, Z, resamples, level="input"), rtol=0, atol=1e-9)


def test_interval_is_the_quantiles_of_resamples():
    X, Z = matrices(4, 2)
    found = bootstrap_interval(X, Z, confidence=0.9, n_resamples=500, rng=default_rng(7))
    values = bootstrap_values(X, Z, draw_resamples(X.shape, "both", 500, default_rng(7)))
    values = values[~np.isnan(values)]
    assert (found.low, found.high) == pytest.approx(np.quantile(values, [0.05, 0.95]), abs=1e-14)
    assert found.value == correlation(X, Z).value
    assert (found.n_resamples, found.n_dropped) == (500, 0)
    X = np.array([[1.0, 2.0], [2.0, 3.0], [4.0, 4.0]])
    found = bootstrap_interval(X, X, resample="systems", n_resamples=900, rng=default_rng(0))
    assert (found.low, found.high) == (1.0, 1.0)
    assert 60 < found.n_dropped < 140  # a ninth of the resamples are one summarizer three times


@pytest.mark.parametrize(
    ("shape", "resample", "level", "flag"),
    [
        ((2, 9), "systems", "system", "two systems"),
        ((2, 9), "inputs", "system", "two systems"),
        ((2, 9), "systems", "input", "two systems"),
        ((9, 1), "inputs", "input", "one topic"),
        ((1, 9), "systems", "global", "one system"),
        ((2, 9), "inputs", "input", ""),
        ((9, 1), "systems", "system", ""),
    ],
)
def test_no_interval_of_resamples_of_two_systems_or_of_one_topic(shape, resample, level, flag):
    rng = default_rng(5)
    Z = rng.normal(size=shape)
    drawn = {"resample": resample, "level": level, "n_resamples": 99, "rng": rng}
    interval = bootstrap_interval(Z + rng.normal(size=shape), Z, **drawn)
    assert interval.flag == flag
    if flag:
        assert np.isnan([interval.low, interval.high]).all()
        assert interval.n_resamples == 0
    else:
        assert interval.low <= interval.value <= interval.high


@pytest.mark.parametrize("coefficient", sorted(ROW_COEFFICIENTS))
def test_resamples_without_a_score_have_no_value(coefficient):
    """The metric has no score of the second topic, which is all that the first resample has."""
    X = np.array([[0.1, np.nan], [0.2, np.nan], [0.3, np.nan]])
    Z = np.array([[1.0, 3.0], [2.0, 1.0], [3.0, 2.0]])
    resamples = Resamples(rows=None, columns=np.array([[1, 1], [0, 1]]))
    found = bootstrap_values(X, Z, resamples, coefficient=coefficient)
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(1)


def standard(X, cells):
    return (X - X[cells].mean()) / X[cells].std()


@pytest.mark.slow(after=7)
@pytest.mark.parametrize("coefficient", [*COEFFICIENTS, *ACCURACIES])
@pytest.mark.parametrize(("level", "means"), LEVELS_AND_MEANS)
@pytest.mark.parametrize("swap", EXCHANGED_UNITS)
@pytest.mark.parametrize(("missing", "grades"), [(0.0, False), (0.0, True), (0.3, False), (0.5, True)])
def test_exchanges_are_the_definition(coefficient, level, means, swap, missing, grades):
    if not has_coefficient(level, coefficient):
        pytest.skip("only of systems")
    X, Y, Z = matrices(1, missing=missing, grades=grades)
    swaps = draw_exchanges(X.shape, swap, 8, default_rng(1))
    options = {"level": level, "coefficient": coefficient, "means": means}
    found = permutation_values(X, Y, Z, swaps, **options)
    cells = ~np.isnan(X)
    hidden = np.where(cells, Z, np.nan)
    X, Y = (np.where(cells, standard(S, cells), np.nan) for S in (X, Y))
    expected = []
    for mask in next(swaps.batches(X.shape[1])):
        first, second = np.where(mask, Y, X), np.where(mask, X, Y)
        sides = [correlation(S, hidden, **options).value for S in (first, second)]
        expected.append(sides[0] - sides[1])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("swap", EXCHANGED_UNITS)
def test_every_cell_is_exchanged_half_of_the_time(swap):
    drawn = draw_exchanges((3, 19), swap, 4_000, default_rng(0))
    share = np.mean([masks.mean(axis=0) for masks in drawn.batches(19)], axis=0)
    assert np.broadcast_to(share, (3, 19)) == pytest.approx(np.full((3, 19), 0.5), abs=0.04)


def test_p_is_the_share_of_all_exchanges():
    X, Y, Z = matrices(5, shape=(7, 4))
    masks = np.array(list(itertools.product([False, True], repeat=7)))
    values = permutation_values(X, Y, Z, Exchanges(masks[:, :, None]), level="system", coefficient="pearson")
    cells = np.ones(X.shape, dtype=bool)
    observed = correlation(standard(X, cells), Z).value - correlation(standard(Y, cells), Z).value
    for alternative, extreme in [
        ("greater", values >= observed - 1e-12),
        ("less", values <= observed + 1e-12),
        ("two-sided", np.abs(values) >= abs(observed) - 1e-12),
    ]:
        found = permutation_test(X, Y, Z, swap="systems", alternative=alternative, rng=default_rng(0))
        assert found.p == pytest.approx(extreme.mean(), abs=4 * math.sqrt(0.25 / 9_999))
        assert found.difference == pytest.approx(observed)


def test_p_is_never_zero():
    Z = np.arange(30.0).reshape(10, 3)
    noise = default_rng(0).normal(size=Z.shape)
    how = {"swap": "cells", "n_resamples": 199}
    assert permutation_test(Z, noise, Z, **how, rng=default_rng(1)).p == 1 / 200
    five = permutation_test(Z[:5], -Z[:5], Z[:5], rng=default_rng(1))
    assert (five.p * 32 % 2, five.n_resamples) == (0, 32)
    assert resampling_p_value(np.zeros(4), 1.0, "greater") == 0.2
    assert resampling_p_value(np.array([1.0 - 1e-15, 0.0]), 1.0, "greater") == pytest.approx(2 / 3)
