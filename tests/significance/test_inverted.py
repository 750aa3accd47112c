"""The interval of each test of two summarizers: the shifts it does not reject, so it agrees with p about 0."""

import numpy as np
import pytest
import scipy.stats

from classy_aesop.significance.pair_resampling import resample_pairs
from classy_aesop.significance.pairs import TESTS, compare_pairs
from classy_aesop.significance.signed_ranks import _halved, _walsh_averages


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_ends_are_walsh_averages_by_hand():
    """Differences 1..6: only W+ = 0 is significant at 95 %, so the ends are the outermost averages, 1 and 6."""
    found = compare_pairs([[1.0, 2, 3, 4, 5, 6], [0] * 6])
    assert (found.low[0], found.high[0]) == (1.0, 6.0)
    assert found.p[0] == 0.03125
    five = compare_pairs([[1.0, 2, 3, 4, 5], [0] * 5])  # p cannot fall below 1/16
    assert (five.low[0], five.high[0]) == (-np.inf, np.inf)


@pytest.mark.parametrize("n", [7, 20, 49, 50, 80])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_scipy_rejects_outside_and_not_inside(n, confidence, rng):
    x, y = rng.normal(0.3, 1, size=n), rng.normal(size=n)
    found = compare_pairs([x, y], confidence=confidence)
    method = "exact" if n < 50 else "asymptotic"
    for end, outwards in ((found.low[0], -1e-9), (found.high[0], 1e-9)):
        for step, accepted in ((outwards, False), (-outwards, True)):
            p = scipy.stats.wilcoxon(x - y - end - step, method=method, correction=n >= 50).pvalue
            assert (p > 1 - confidence) == accepted


def test_averages_that_are_counted_are_those_that_are_made(rng):
    z = np.sort(rng.normal(size=300).round(1))
    for a in (1, 50, 4_000, 20_000):
        made = _walsh_averages(z, a)
        assert (_halved(z, a), -_halved(-z[::-1], a)) == pytest.approx(made, abs=1e-12)


def test_without_a_correction_an_interval_of_all_is_that_of_one(rng):
    for test in TESTS:
        found = compare_pairs(rng.normal(size=(4, 12)), test=test, correction="none")
        np.testing.assert_array_equal((found.low, found.high), (found.low_all, found.high_all))


def outside(low, high):
    return (low > 0) | (high < 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "preset"),
    [(None, "standard"), (None, "rankel2011"), (None, "rankel2013"), ("mc", "standard"), ("hb", "standard")],
)
@pytest.mark.parametrize("test", TESTS)
def test_zero_is_outside_exactly_where_p_is_small_with_ties(test, method, preset, rng):
    """1,000 tables of 2 to 20 topics with ties, zeros and missing scores; alone, and all together by Bonferroni."""
    n_found = 0
    for _ in range(1_000):
        X = rng.integers(1, 6, size=(3, rng.integers(2, 21))) + rng.integers(0, 3, size=(3, 1))
        X = np.where(rng.random(X.shape) < 0.1, np.nan, X)
        how = {"test": test, "preset": preset, "correction": "bonferroni"}
        resampled = {"method": method, "n_resamples": 99, "rng": rng}
        found = resample_pairs(X, **how, **resampled) if method else compare_pairs(X, **how)
        n_found += np.sum(found.p <= 0.05)
        assert (outside(found.low, found.high) == (found.p <= 0.05)).all()
        assert (outside(found.low_all, found.high_all) == found.significant()).all()
    assert 300 < n_found < 2_700


@pytest.mark.parametrize("method", ["mc", "hb"])
@pytest.mark.parametrize("test", TESTS)
def test_intervals_agree_with_p_of_resamples(test, method, rng):
    for _ in range(30):
        X = rng.integers(1, 6, size=(3, rng.integers(2, 21))) + rng.integers(0, 3, size=(3, 1))
        found = resample_pairs(X, test=test, method=method, n_resamples=99, rng=rng)
        assert (outside(found.low, found.high) == (found.p <= 0.05)).all()
