"""Every test of score matrices on matrices with nothing in them to find: defined, flagged, no warning."""

import math

import numpy as np
import pytest

from classy_aesop.significance.choices import CORRELATION_LEVELS
from classy_aesop.significance.correlations.coefficients import ROW_COEFFICIENTS
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval, fisher_interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.differences import UNDECIDED
from classy_aesop.significance.draws import EXCHANGED_UNITS, RESAMPLED_UNITS
from classy_aesop.significance.flags import NO_DIFFERENCE, TOO_FEW_TOPICS, UNDEFINED_CORRELATION
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.raters.krippendorff import krippendorff_alpha
from tests.significance.ranked import rank_rows
from tests.significance.two_metrics import bootstrap_test, permutation_test, williams_test

DEGENERATE = {
    "no summarizers": np.zeros((0, 4)),
    "no topics": np.zeros((4, 0)),
    "one summarizer": np.array([[1.0, 2, 3]]),
    "one topic": np.array([[1.0], [2], [4]]),
    "two by two": np.array([[1.0, 2], [3, 1]]),
    "all missing": np.full((4, 5), np.nan),
    "all alike": np.full((4, 5), 0.1),
    "identical systems": np.tile([1.0, 2, 5, 3], (4, 1)),
    "constant topics": np.tile([[1.0], [2], [4]], (1, 4)),
    "one score a topic": np.where(np.eye(4) > 0, 2.0, np.nan),
}

edges = pytest.mark.parametrize("X", DEGENERATE.values(), ids=list(DEGENERATE))


def rng():
    return np.random.default_rng(0)


@edges
@pytest.mark.parametrize("test", PAIR_TESTS)
def test_pairs(X, test):
    plain = compare_pairs(X, test=test)
    assert ((plain.p > 0) | (plain.flag != "")).all()
    assert (plain.p <= 1).all()
    assert (plain.p[np.isin(plain.flag, [TOO_FEW_TOPICS, NO_DIFFERENCE])] == 1).all()
    if test != "wilcoxon":
        assert (plain.equivalent(0.5).verdict[plain.flag != ""] == UNDECIDED).all()
    assert ((rank_rows(X, plain).cluster > 0) == ~np.isnan(X).all(axis=1)).all()


@edges
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
@pytest.mark.parametrize("coefficient", ROW_COEFFICIENTS)
def test_correlations(X, level, coefficient):
    found = correlation(X, X, level=level, coefficient=coefficient)
    assert math.isnan(found.value) or not np.isnan(X).all()  # also without a cell
    assert math.isnan(found.value) or -1 <= found.value <= 1


@edges
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
def test_intervals(X, level):
    found = [fisher_interval(X, X, level=level)]
    for resample in RESAMPLED_UNITS:
        found.append(bootstrap_interval(X, X, level=level, resample=resample, n_resamples=9, rng=rng()))
    for one in found:
        assert math.isnan(one.low) == math.isnan(one.high)
        assert math.isnan(one.low) or one.low <= one.high


@pytest.mark.slow(after=11)
@edges
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
def test_metrics_against_each_other(X, level):
    Y = X[:, ::-1]
    found = [
        williams_test(X, Y, X, level=level),
        bootstrap_test(X, Y, X, level=level, n_resamples=9, rng=rng()),
    ]
    for swap in EXCHANGED_UNITS:
        found.append(permutation_test(X, Y, X, level=level, swap=swap, n_resamples=9, rng=rng()))
    for one in found:
        assert 0 < one.p <= 1
        if math.isnan(one.difference):
            assert (one.p, one.flag) == (1, UNDEFINED_CORRELATION)


@edges
def test_assessors(X):
    alpha = krippendorff_alpha(X)
    assert math.isnan(alpha.low) == bool(alpha.flag)
