"""Resampling tests of pairs: counts by their definition on given draws, and by identities."""

import itertools

import numpy as np
import pytest
from scipy import stats

from classy_aesop.papers.pair_resampling import (
    RESAMPLING_METHODS,
    hb_counts,
    mc_counts,
    resample_pairs,
)
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.pairs.pair_statistics import Recipe
from tests.significance.one_pair import compare_pair

RECIPE = Recipe()


def scores(seed, n=9, grades=False):
    x, y = np.random.default_rng(seed).normal(size=(2, 5, n)) * 2
    return (np.round(x), np.round(y)) if grades else (x, y)


def size_of(x, y, test, standardised):
    """The size of a statistic as it is defined, on scores of one pair."""
    z = x - y
    with np.errstate(invalid="ignore", divide="ignore"):
        if test == "paired_t":
            value = np.sqrt(len(z)) * z.mean() / z.std(ddof=1)
        elif test == "unpaired_t":
            value = (x.mean() - y.mean()) / np.sqrt((x.var(ddof=1) + y.var(ddof=1)) / len(z))
        else:
            z = z[z != 0]
            ranks = stats.rankdata(np.abs(z))
            value = (np.sign(z) * ranks).sum() / (np.sqrt((ranks**2).sum()) if standardised else 1.0)
    return 0.0 if np.isnan(value) else abs(value)


def counted(sizes, observed):
    with np.errstate(invalid="ignore"):
        close = np.isclose(sizes, observed, rtol=1e-10, atol=1e-10)
    return ((sizes > observed) | close).sum(), ((sizes > observed) & ~close).sum()


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("test", PAIR_TESTS)
@pytest.mark.parametrize("grades", [False, True])
def test_mc_counts_are_the_definition(test, grades):
    for seed in range(4):
        x, y = scores(seed, grades=grades)
        flips = np.random.default_rng(seed).random((60, x.shape[1])) < 0.5
        how = {"test": test, "recipe": RECIPE}
        above, reached = mc_counts(x, y, flips, **how)
        for k in range(len(x)):
            sizes = [size_of(np.where(f, y[k], x[k]), np.where(f, x[k], y[k]), test, False) for f in flips]
            assert (reached[k], above[k]) == counted(np.array(sizes), size_of(x[k], y[k], test, False))


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("test", PAIR_TESTS)
@pytest.mark.parametrize("grades", [False, True])
def test_hb_counts_are_the_definition(test, grades):
    for seed in range(4):
        x, y = scores(seed, grades=grades)
        rng = np.random.default_rng(seed)
        topics = rng.integers(x.shape[1], size=(60, x.shape[1]))
        flips = rng.random(topics.shape) < 0.5
        how = {"test": test, "recipe": RECIPE}
        above, reached = hb_counts(x, y, topics, flips, **how)
        for k in range(len(x)):
            sizes = [
                size_of(np.where(f, y[k][t], x[k][t]), np.where(f, x[k][t], y[k][t]), test, True)
                for t, f in zip(topics, flips, strict=True)
            ]
            assert (reached[k], above[k]) == counted(np.array(sizes), size_of(x[k], y[k], test, True))


def test_mc_over_all_exchanges_is_the_exact_signed_rank_test():
    for seed in range(6):
        z = np.random.default_rng(seed).integers(-5, 6, size=8).astype(float)
        flips = np.array(list(itertools.product([False, True], repeat=8)))
        _, reached = mc_counts(z[None, :], np.zeros((1, 8)), flips, test="wilcoxon", recipe=RECIPE)
        exact = compare_pair(z, np.zeros(8)).p
        assert reached[0] / 2**8 == pytest.approx(exact, abs=1e-12)


@pytest.mark.parametrize("method", RESAMPLING_METHODS)
@pytest.mark.parametrize("test", PAIR_TESTS)
def test_missing_topics_do_not_matter(method, test):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(4, 12)) + np.arange(4)[:, None] * 0.4
    X[1, :4] = X[2, 6:] = np.nan
    found = resample_pairs(X, method=method, test=test, n_resamples=4_000, rng=rng)
    for k, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        shared = ~np.isnan(X[i] + X[j])
        alone = resample_pairs(X[[i, j]][:, shared], method=method, test=test, n_resamples=4_000, rng=rng)
        assert found.p[k] == pytest.approx(alone.p[0], abs=4 * np.sqrt(0.5 / 4_000))


def test_papers_cutoff_is_the_share_above():
    X = np.random.default_rng(7).normal(size=(12, 10))
    X[6:] += 0.8
    rng = np.random.default_rng(2)
    found = resample_pairs(X, test="wilcoxon", n_resamples=2_000, rng=rng)
    flips = np.random.default_rng(2).integers(2, size=(2_000, 10), dtype=bool)
    rejected = []
    for i, j in itertools.combinations(range(12), 2):
        z = X[i] - X[j]
        ranks = np.sign(z) * stats.rankdata(np.abs(z))
        sizes = np.sort(np.abs((1 - 2 * flips) @ ranks))
        cutoff = sizes[int(np.ceil(0.95 * 2_000)) - 1]  # the smallest with a share of at least .95 up to it
        rejected.append(abs(ranks.sum()) >= cutoff)
    assert (found.p_by_cutoff <= 0.05).tolist() == rejected
    assert any(rejected)
    assert not all(rejected)


@pytest.mark.parametrize("method", RESAMPLING_METHODS)
@pytest.mark.parametrize("test", PAIR_TESTS)
def test_scores_that_differ_by_rounding_do_not_differ_in_resamples(method, test):
    """Nor do they beside a third that differs, nor where they are equal in some topics only."""
    X = np.full((3, 12), 0.37)
    X[1] = 0.37000000000000005
    X[2, :6] += 0.1
    X[1, 6:] = X[0, 6:]
    found = resample_pairs(X, method=method, test=test, n_resamples=99, rng=np.random.default_rng(0))
    assert found.p[0] == 1.0
    assert found.p[1] == found.p[2] < 1
