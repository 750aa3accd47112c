"""Everyone against a baseline: by enumeration, against scipy's Dunnett where both hold, and by simulation."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.dunnett import dunnett_pairs
from classy_aesop.significance.pair_resampling import resample_pairs
from classy_aesop.significance.pairs import TESTS, compare_pairs


class EveryExchange:
    """A generator that gives each exchange once."""

    def integers(self, _, *, size, dtype):
        return np.array(list(product([False, True], repeat=size[1])), dtype=dtype)


def systems(rng, n_systems=6, n_topics=10):
    return rng.normal(size=(n_systems, n_topics)) + np.arange(n_systems)[:, None] / 3


def test_by_enumeration():
    """Of all 1,024 exchanges of ten topics, those whose largest t is as large as that of a pair."""
    D = systems(np.random.default_rng(1)).round(2)
    D = D[1:] - D[0]
    X = np.concatenate([np.zeros((1, 10)), D])
    signs = np.array(list(product([1, -1], repeat=10)))
    largest = np.max([np.abs(stats.ttest_1samp(signs * d, 0, axis=1).statistic) for d in D], axis=0)
    observed = np.abs(stats.ttest_1samp(D, 0, axis=1).statistic)
    counts = (largest >= observed[:, None] * (1 - 1e-9)).sum(axis=1)
    found = dunnett_pairs(X, 0, test="paired_t", n_resamples=1024, rng=EveryExchange())
    np.testing.assert_array_equal(found.p_adjusted, (counts + 1) / 1025)


def test_against_dunnett_of_scipy():
    """Scores of one variance that do not go together are independent groups; with many topics both tests are one."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(5, 400)) + np.array([0, 0.05, 0.1, 0.15, 0.2])[:, None]
    expected = stats.dunnett(*X[1:], control=X[0], rng=rng)
    found = dunnett_pairs(X, 0, test="paired_t", n_resamples=9_999, rng=rng)
    np.testing.assert_allclose(found.p_adjusted, expected.pvalue, atol=0.05)
    interval = expected.confidence_interval()
    np.testing.assert_allclose(found.high_all - found.low_all, interval.high - interval.low, rtol=0.1)
    bonferroni = compare_pairs(X, pairs=[(1, 0), (2, 0), (3, 0), (4, 0)], test="paired_t")
    assert (found.high_all < bonferroni.high_all).all()


def test_the_critical_value_is_dunnetts():
    """Nine systems and a baseline, many topics: that of nine normal variables with correlations of one half."""
    X = np.random.default_rng(0).normal(size=(10, 1_000))
    found = dunnett_pairs(X, 0, test="paired_t", n_resamples=9_999, rng=np.random.default_rng(1))
    critical = (found.high_all - found.low_all) / (found.high - found.low) * stats.t.isf(0.025, 999)
    joint = stats.multivariate_normal(cov=(np.eye(9) + 1) / 2, seed=0)
    assert joint.cdf(np.full(9, critical[0]), lower_limit=-critical) == pytest.approx(0.95, abs=0.004)


@pytest.mark.parametrize("test", TESTS)
def test_of_one_system_nothing_is_corrected(test):
    X = systems(np.random.default_rng(2), 2)
    rng = [np.random.default_rng(0) for _ in range(2)]
    found = dunnett_pairs(X, 0, test=test, n_resamples=999, rng=rng[0])
    plain = resample_pairs(X, pairs=[(1, 0)], test=test, n_resamples=999, rng=rng[1])
    assert found.p_adjusted == found.p == plain.p
    np.testing.assert_allclose([found.low_all, found.high_all], [found.low, found.high])


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("seed", range(3))
def test_what_holds_of_any_scores(test, seed):
    """At least p, intervals no narrower than single ones; units and order change nothing; so with missing scores."""
    X = systems(np.random.default_rng(seed), 7, 12)
    X[2, :3] = X[4, 5] = np.nan
    found, scaled, turned = (
        dunnett_pairs(Y, at, test=test, n_resamples=499, rng=np.random.default_rng(seed))
        for Y, at in ((X, 0), (7 * X + 2, 0), (X[::-1], 6))
    )
    assert (found.p <= found.p_adjusted).all()
    assert (found.low_all <= found.low).all()
    assert (found.high_all >= found.high).all()
    np.testing.assert_array_equal(found.p_adjusted, scaled.p_adjusted)
    np.testing.assert_array_equal(found.p_adjusted, turned.p_adjusted[::-1])


def test_a_pair_without_a_difference_or_topics_is_no_finding_and_spoils_nothing():
    rng = np.random.default_rng(0)
    X = systems(rng, 4)
    more = np.concatenate([X, X[:1], np.full((1, 10), np.nan), X[:1] + 1])
    found = dunnett_pairs(more, 0, n_resamples=499, rng=np.random.default_rng(0))
    alone = dunnett_pairs(X, 0, n_resamples=499, rng=np.random.default_rng(0))
    assert found.p_adjusted[3:5].tolist() == [1.0, 1.0]
    assert found.flag[3:].tolist() == ["no difference", "fewer than two topics", ""]
    assert np.isfinite(found.low_all[:3]).all()
    assert (found.p_adjusted[:3] >= alone.p_adjusted).all()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"baseline": 6}, "baseline is row 6; expected 0 to 5"),
        ({"test": "anova"}, "test is 'anova'"),
        ({"n_resamples": 0}, "n_resamples is 0"),
    ],
)
def test_what_cannot_be_tested_is_refused(options, words):
    how = {"baseline": 0, "rng": np.random.default_rng(0)} | options
    with pytest.raises(ValueError, match=words):
        dunnett_pairs(systems(np.random.default_rng(0)), **how)


@pytest.mark.slow
@pytest.mark.parametrize("test", ["paired_t", "wilcoxon"])
@pytest.mark.parametrize(("n_topics", "n_systems"), [(12, 3), (12, 30), (44, 9)])
@pytest.mark.parametrize("kind", ["alike", "noisy baseline", "unequal", "grades"])
def test_false_findings_by_simulation(test, n_topics, n_systems, kind):
    """Where nobody differs, at most 5 % of tables have a finding or an interval without 0, and the error of 500."""
    rng, n_tables = np.random.default_rng(7), 500
    size = n_systems + 1, n_topics
    findings = misses = 0
    for _ in range(n_tables):
        X = rng.normal(size=size)
        if kind == "noisy baseline":
            X[0] *= 3
        elif kind == "unequal":
            X *= np.exp(rng.normal(0, 0.7, size=(len(X), 1)))
        elif kind == "grades":
            X = rng.choice(5, size=size, p=[0.5, 0.25, 0.15, 0.07, 0.03]).astype(float)
        found = dunnett_pairs(X, 0, test=test, n_resamples=299, rng=rng)
        findings += found.significant().any()
        misses += ((found.low_all > 0) | (found.high_all < 0)).any()
    most = 0.05 * n_tables + 3 * np.sqrt(0.05 * 0.95 * n_tables)
    assert findings <= most
    assert misses <= most
