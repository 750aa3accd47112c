"""Errors of means, and intervals within the bounds of the scores."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.additive.contrasts import errors_of_least_squares_means
from classy_aesop.significance.additive.mean_intervals import bounded_interval, errors_of_plain_means


@pytest.mark.parametrize(("k", "n"), [(0, 7), (3, 10), (19, 20), (20, 20), (500, 1000)])
def test_of_independent_passes_it_is_wilsons(k, n):
    share = k / n
    error = np.sqrt(share * (1 - share) / n) or np.nan
    arrays = np.array([share]), np.array([error]), np.array([n]), np.array([stats.norm.ppf(0.975)])
    low, high = bounded_interval(*arrays)
    expected = stats.binomtest(k, n).proportion_ci(method="wilson")
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_all_passed_of_20_by_hand():
    t = 2.0930240544
    low, high = bounded_interval(*(np.array([value]) for value in (1.0, np.nan, 20, t)))
    assert (low[0], high[0]) == (pytest.approx(1 / (1 + t * t / 20)), 1.0)
    assert round(low[0], 3) == 0.820


def test_of_another_scale_it_is_mapped_and_of_the_other_sign_mirrored():
    rng = np.random.default_rng(0)
    share, error, t = rng.random(50), rng.random(50) / 5, np.full(50, 2.3)
    n = np.full(50, 9)
    low, high = bounded_interval(share, error, n, t)
    mapped = bounded_interval(1 + 4 * share, 4 * error, n, t, (1.0, 5.0))
    assert mapped == (pytest.approx(1 + 4 * low), pytest.approx(1 + 4 * high))
    mirrored = bounded_interval(-share, error, n, t, (-1.0, 0.0))
    assert mirrored == (pytest.approx(-high), pytest.approx(-low))


def test_a_mean_lies_in_its_interval_and_the_interval_within_the_bounds():
    rng = np.random.default_rng(1)
    mean = np.r_[0.3, 7.1, rng.uniform(0.3, 7.1, 200)]
    error = rng.choice([np.nan, 1e-9, 0.1, 2.0, 50.0], 202)
    n = rng.integers(1, 30, 202)
    low, high = bounded_interval(mean, error, n, np.full(202, 2.5), (0.3, 7.1))
    is_known = n > 1
    assert np.isnan(low[~is_known]).all()
    assert np.isnan(high[~is_known]).all()
    assert ((low >= 0.3) & (low <= mean) & (mean <= high) & (high <= 7.1))[is_known].all()
    assert (low < high)[is_known].all()


def test_errors_of_plain_means_are_those_of_their_topics():
    X = np.array([[1.0, 4, 2, 5], [3, 3, 3, 3], [2, np.nan, 7, np.nan], [np.nan, 1, np.nan, np.nan]])
    errors = errors_of_plain_means(X)
    assert errors.error[[0, 2]].tolist() == pytest.approx([stats.sem(X[0]), stats.sem([2, 7])])
    assert np.isnan(errors.error[[1, 3]]).all()
    low, high = errors.interval(errors.quantile(0.95))
    assert (low[0], high[0]) == pytest.approx(stats.t.interval(0.95, 3, 3.0, stats.sem(X[0])))
    assert errors.n_topics.tolist() == [4, 4, 2, 1]


@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_errors_correlate_as_scores_do(missing):
    rng = np.random.default_rng(2)
    X = rng.normal(size=4000) + rng.normal(size=(3, 4000))
    X[rng.random(X.shape) < missing] = np.nan
    system, topic = np.nonzero(~np.isnan(X))
    model = fit_additive_model(X[system, topic], system, topic, n_systems=3)
    of_model = errors_of_least_squares_means(model).correlation(np.ones(3, dtype=bool))
    if not missing:
        of_plain = errors_of_plain_means(X).correlation(np.ones(3, dtype=bool))
        assert of_model == pytest.approx(of_plain, abs=1e-9)
        assert of_model == pytest.approx(np.corrcoef(X), abs=1e-9)
    assert of_model[np.triu_indices(3, 1)] == pytest.approx([0.5] * 3, abs=0.15)
    assert np.diag(of_model).tolist() == [1, 1, 1]


def test_a_mean_without_variance_is_independent_of_the_others():
    errors = errors_of_plain_means(np.array([[1.0, 2, 3], [2, 2, 2]]))
    assert errors.correlation(np.ones(2, dtype=bool)).tolist() == [[1, 0], [0, 1]]
