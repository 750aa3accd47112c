"""Resampling tests of pairs: counts by their definition on given draws, and by identities."""

import itertools

import numpy as np
import pytest
from scipy import stats

from classy_aesop.papers.pair_resampling import (
    RESAMPLING_METHODS,
    resample_pairs,
)
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS
from classy_aesop.significance.pairs.signed_ranks import Recipe

FEW = {"recipe": Recipe(), "n_resamples": 60}


def scores(seed, grades=False):
    X = np.random.default_rng(seed + 100).normal(size=(3, 9)) * 2
    return np.round(X) if grades else X


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


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("test", PAIR_TESTS)
@pytest.mark.parametrize("grades", [False, True])
@pytest.mark.parametrize("method", RESAMPLING_METHODS)
def test_p_is_its_definition_on_the_same_draws(test, grades, method):
    for seed in range(8):
        X = scores(seed, grades=grades)
        draws = np.random.default_rng(seed)
        topics = np.arange(9) if method == "mc" else draws.integers(9, size=(60, 9))
        flips = draws.integers(2, size=(60, 9), dtype=bool)
        found = resample_pairs(X, method=method, test=test, rng=np.random.default_rng(seed), **FEW)
        for pair, (i, j) in enumerate(itertools.combinations(range(len(X)), 2)):
            first, second = X[i][topics], X[j][topics]
            exchanged = np.where(flips, second, first), np.where(flips, first, second)
            sizes = [size_of(x, y, test, method == "hb") for x, y in zip(*exchanged, strict=True)]
            reached, above = counted(np.array(sizes), size_of(X[i], X[j], test, method == "hb"))
            assert (found.p[pair], found.p_by_cutoff[pair]) == ((reached + 1) / 61, above / 60)


@pytest.mark.parametrize("method", RESAMPLING_METHODS)
@pytest.mark.parametrize("test", PAIR_TESTS)
def test_missing_topics_do_not_matter(method, test):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(4, 12)) + np.arange(4)[:, None] * 0.4
    X[1, :4] = X[2, 6:] = np.nan
    how = {"recipe": Recipe(), "method": method, "test": test, "n_resamples": 4_000, "rng": rng}
    found = resample_pairs(X, **how)
    for k, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        shared = ~np.isnan(X[i] + X[j])
        alone = resample_pairs(
            X[[i, j]][:, shared], recipe=Recipe(), method=method, test=test, n_resamples=4_000, rng=rng
        )
        assert found.p[k] == pytest.approx(alone.p[0], abs=4 * np.sqrt(0.5 / 4_000))


def test_papers_cutoff_is_the_share_above():
    X = np.random.default_rng(7).normal(size=(12, 10))
    X[6:] += 0.8
    rng = np.random.default_rng(2)
    found = resample_pairs(X, recipe=Recipe(), method="mc", test="wilcoxon", n_resamples=2_000, rng=rng)
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
    found = resample_pairs(
        X, recipe=Recipe(), method=method, test=test, n_resamples=99, rng=np.random.default_rng(0)
    )
    assert found.p[0] == 1.0
    assert found.p[1] == found.p[2] < 1
