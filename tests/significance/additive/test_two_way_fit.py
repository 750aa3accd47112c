"""Means of systems that lack topics: by hand, by a dense fit, on resamples and after exchanges."""

import numpy as np
import pytest
from numpy.random import default_rng

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.additive.two_way_fit import TwoWayFit, summarizer_means
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.correlations.resampled_correlations import bootstrap_values
from classy_aesop.significance.draws import Resamples
from classy_aesop.significance.metrics.metric_tests import METRIC_TESTS
from tests.significance.two_metrics import permutation_test


def sparse_table(seed, n_systems=6, n_topics=12, missing=0.4):
    """Scores of a metric and of humans where topics differ much and cells are missing, the same of both."""
    rng = default_rng(seed)
    topic = 5 * rng.normal(size=n_topics)
    Z = rng.normal(size=(n_systems, 1)) + topic + 0.3 * rng.normal(size=(n_systems, n_topics))
    X = rng.normal(size=(n_systems, 1)) + topic + 0.3 * rng.normal(size=(n_systems, n_topics))
    lacking = rng.random(Z.shape) < missing
    return np.where(lacking, np.nan, X), np.where(lacking, np.nan, Z)


def dense_means(X):
    """Effects of systems by a design with a column a system and a topic, less their mean."""
    system, topic = np.nonzero(~np.isnan(X))
    design = np.zeros((len(system), sum(X.shape)))
    design[np.arange(len(system)), system] = 1
    design[np.arange(len(system)), len(X) + topic] = 1
    effects = np.linalg.lstsq(design, X[system, topic], rcond=None)[0][: len(X)]
    return effects - effects.mean()


def test_worked_example_by_hand():
    # topic effects -1, 1 on three topics: A has all, B the first two, where it is 2 below A; C one, where it is 1 above
    X = np.array([[2.0, 4.0, 6.0], [0.0, 2.0, np.nan], [np.nan, np.nan, 7.0]])
    means = TwoWayFit(~np.isnan(X)).means(X)
    assert means.tolist() == pytest.approx([4, 2, 5], abs=1e-12)  # A keeps its plain mean
    assert TwoWayFit(~np.isnan(X), "plain").means(X).tolist() == [4, 1, 7]


@pytest.mark.parametrize("seed", range(5))
def test_means_are_those_of_the_additive_model_and_of_a_dense_fit(seed):
    X, _ = sparse_table(seed)
    system, topic = np.nonzero(~np.isnan(X))
    model = fit_additive_model(X[system, topic], system, topic, n_systems=len(X))
    means = TwoWayFit(~np.isnan(X)).means(X)
    np.testing.assert_allclose(means, model.mean, rtol=0, atol=1e-12)
    np.testing.assert_allclose(means - means.mean(), dense_means(X), rtol=0, atol=1e-12)


def test_plain_means_to_the_bit_where_every_system_has_every_topic():
    X = default_rng(0).normal(size=(9, 13)) * 1e3
    X[4] = np.nan  # a system without any cell
    X[:, 7] = np.nan  # and such a topic
    valid = ~np.isnan(X)
    means = TwoWayFit(valid).means(X)
    assert means.tobytes() == summarizer_means(X, valid).tobytes()


def test_scores_and_judgments_that_lack_the_same_cells():
    """The case of the issue: the easy topics are missing for some, and plain means agree on that alone."""
    rng = default_rng(3)
    topic = np.repeat([0.0, 30.0], 20)
    Z = 0.3 * rng.normal(size=(8, 1)) + topic + rng.normal(size=(8, 40))
    X = 0.3 * rng.normal(size=(8, 1)) + topic + rng.normal(size=(8, 40))
    of_all = correlation(X, Z).value
    lacking = (topic > 5) & (np.arange(8)[:, None] < 4) & (np.arange(40) % 5 > 0)
    X, Z = (np.where(lacking, np.nan, S) for S in (X, Z))
    assert correlation(X, Z).value > 0.98
    assert abs(correlation(X, Z, means="least-squares").value - of_all) < 0.25


def test_systems_that_are_not_connected_have_no_value():
    X = np.array(
        [[1.0, 2, np.nan, np.nan], [2, 4, np.nan, np.nan], [np.nan, np.nan, 3, 5], [np.nan, np.nan, 1, 1]]
    )
    design = TwoWayFit(~np.isnan(X))
    assert design.group.tolist() == [0, 0, 1, 1]
    assert np.isnan(design.means(X)).all()
    estimate = correlation(X, X, means="least-squares")
    assert np.isnan(estimate.value)
    assert estimate.flag == "not connected"
    assert correlation(X, X).value == 1
    assert not np.isnan(correlation(X, X, level="input").value)
    for name, test in METRIC_TESTS.items():
        comparison = test(X, -X, X, n_resamples=9, rng=default_rng(0), means="least-squares")
        assert (comparison.p, comparison.flag) == (1, "not connected"), name


def test_means_of_two_systems_are_no_correlation():
    X, Z = sparse_table(0, n_systems=2, missing=0)
    assert correlation(X, Z).flag == "two systems"
    assert abs(correlation(X, Z).value) == pytest.approx(1)
    assert correlation(X, Z, level="input").flag == ""
    for name, test in METRIC_TESTS.items():
        comparison = test(Z, -Z, Z, n_resamples=99, rng=default_rng(0), level="system")
        assert (comparison.p, comparison.flag) == (1, "two systems"), name


def test_exact_p_by_least_squares_means():
    X, Z = sparse_table(1)
    comparison = permutation_test(Z, X, Z, means="least-squares", rng=default_rng(0))
    assert comparison.first == pytest.approx(1)
    assert comparison.p * 2**6 == pytest.approx(round(comparison.p * 2**6))


def test_resamples_without_some_systems_have_values_of_the_others():
    X = np.array([[1.0, 2, 3], [2, 3, np.nan], [3, 4, 5], [np.nan, 7, 5]])
    resamples = Resamples(columns=np.array([[0, 0, 2], [2, 2, 2], [0, 0, 0]]))
    assert np.isfinite(bootstrap_values(X, X, resamples, means="least-squares")).all()
