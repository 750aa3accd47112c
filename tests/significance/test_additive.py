"""The additive model: against statsmodels, by definition, and where effects cannot be told apart."""

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from classy_aesop.significance.additive import (
    NO_DEGREES_OF_FREEDOM,
    NO_RESIDUAL,
    NOT_CONNECTED,
    compare_least_squares_means,
    fit_additive_model,
    rater_shares,
)


def unbalanced_table(seed):
    """Give cell means, systems, topics, shares; three tenths of the cells are missing, one to three raters a cell."""
    rng = np.random.default_rng(seed)
    n_systems, n_topics, n_raters = int(rng.integers(3, 8)), int(rng.integers(8, 25)), int(rng.integers(2, 6))
    kept = rng.random((n_systems, n_topics)) < 0.7
    kept[:, :2] = True
    system, topic = np.nonzero(kept)
    of_cell, rater = [], []
    for cell in range(len(system)):
        for one in rng.choice(n_raters, min(n_raters, int(rng.integers(1, 4))), replace=False):
            of_cell.append(cell)
            rater.append(one)
    shares = rater_shares(of_cell, rater, len(system), n_raters)
    return rng.integers(1, 6, len(system)) + 0.0, system, topic, shares, n_systems


def dense_design(system, topic, shares):
    """Columns of topics, of systems but the first, of raters but the first."""
    topics = np.eye(int(topic.max()) + 1)[topic]
    systems = np.eye(int(system.max()) + 1)[system]
    design = np.hstack([topics[:, topics.any(axis=0)], systems[:, 1:], shares.toarray()[:, 1:]])
    return design, int(topics.any(axis=0).sum())


def contrast(first, second, n_topics, n_columns):
    vector = np.zeros(n_columns)
    if first:
        vector[n_topics + first - 1] += 1
    if second:
        vector[n_topics + second - 1] -= 1
    return vector


@pytest.mark.parametrize("seed", range(10))
def test_pooled_tests_are_those_of_statsmodels(seed):
    y, system, topic, shares, n_systems = unbalanced_table(seed)
    design, n_topics = dense_design(system, topic, shares)
    oracle = sm.OLS(y, design).fit()
    model = fit_additive_model(y, system, topic, n_systems=n_systems, shares=shares)
    found = compare_least_squares_means(model, errors="pooled")
    assert model.df == oracle.df_resid
    for pair, (first, second) in enumerate(zip(found.first, found.second, strict=True)):
        expected = oracle.t_test(contrast(first, second, n_topics, design.shape[1]))
        assert found.difference[pair] == pytest.approx(expected.effect[0], abs=1e-10)
        assert found.statistic[pair] == pytest.approx(expected.tvalue[0, 0], abs=1e-9)
        assert found.p[pair] == pytest.approx(float(expected.pvalue), abs=1e-10)


@pytest.mark.parametrize("seed", range(4))
def test_clustered_errors_are_the_definition(seed):
    y, system, topic, shares, n_systems = unbalanced_table(seed)
    design, n_topics = dense_design(system, topic, shares)
    inverse = np.linalg.pinv(design.T @ design)
    rest = np.eye(len(y)) - design @ inverse @ design.T
    found = compare_least_squares_means(
        fit_additive_model(y, system, topic, n_systems=n_systems, shares=shares)
    )
    for pair, (first, second) in enumerate(zip(found.first, found.second, strict=True)):
        vector = contrast(first, second, n_topics, design.shape[1])
        variance, parts = 0.0, []
        for one in np.unique(topic):
            cells = np.flatnonzero(topic == one)
            values, vectors = np.linalg.eigh(rest[np.ix_(cells, cells)])
            kept = values > 1e-8
            root = (vectors[:, kept] / np.sqrt(values[kept])) @ vectors[:, kept].T
            weights = root @ design[cells] @ inverse @ vector
            variance += (weights @ (rest @ y)[cells]) ** 2
            parts.append(rest[:, cells] @ weights)
        gram = np.array(parts) @ np.array(parts).T
        assert found.error[pair] ** 2 == pytest.approx(variance, rel=1e-9)
        assert found.df[pair] == pytest.approx(np.trace(gram) ** 2 / (gram**2).sum(), rel=1e-9)


def test_complete_table_gives_plain_means_and_the_paired_t_test():
    Y = np.random.default_rng(0).normal(size=(5, 20))
    system, topic = np.divmod(np.arange(100), 20)
    model = fit_additive_model(Y.ravel(), system, topic, n_systems=5)
    found = compare_least_squares_means(model)
    assert model.mean == pytest.approx(Y.mean(axis=1), abs=1e-12)
    expected = [stats.ttest_rel(Y[i], Y[j]).pvalue for i, j in zip(found.first, found.second, strict=True)]
    assert found.p == pytest.approx(expected, abs=1e-12)


def test_raters_who_rate_whole_topics_change_nothing():
    rng = np.random.default_rng(1)
    system, topic = np.divmod(np.arange(40), 10)
    y = rng.normal(size=40)
    shares = rater_shares(np.arange(40), topic % 3, 40, 3)
    alone, with_raters = (
        fit_additive_model(y, system, topic, n_systems=4, shares=given) for given in (None, shares)
    )
    assert not with_raters.raters_vary
    assert with_raters.df == alone.df
    assert with_raters.mean == pytest.approx(alone.mean, abs=1e-12)


def test_a_system_rated_on_easy_topics_only():
    y, system, topic = [2.0, 3.0, 5.0, 1.0, 2.0, 4.0, 6.0], [0, 0, 0, 0, 1, 1, 1], [0, 1, 2, 3, 1, 2, 4]
    model = fit_additive_model(y, system, topic, n_systems=2)
    assert np.diff(model.mean)[0] == pytest.approx(-1.0)  # its plain mean is 4 against 2.75
    assert model.n_topics.tolist() == [4, 3]


def test_each_rater_rates_one_system_only():
    system, topic = np.divmod(np.arange(20), 10)
    shares = rater_shares(np.arange(20), system, 20, 2)
    model = fit_additive_model(
        np.random.default_rng(0).normal(size=20), system, topic, n_systems=2, shares=shares
    )
    found = compare_least_squares_means(model)
    assert model.group.tolist() == [0, 1]
    assert found.flag.tolist() == [NOT_CONNECTED]
    assert found.p.tolist() == [1.0]
    assert np.isnan(found.difference).all()
    assert np.isnan(model.rater_effect).all()


def test_shared_raters_do_not_connect_systems_without_shared_topics():
    system, topic = np.array([0, 1, 0, 1, 2, 3, 2, 3]), np.array([0, 0, 1, 1, 2, 2, 3, 3])
    shares = rater_shares(np.arange(8), [0, 1, 1, 0, 0, 1, 1, 0], 8, 2)
    model = fit_additive_model(np.arange(8.0), system, topic, n_systems=5, shares=shares)
    assert model.group.tolist() == [0, 0, 1, 1, -1]
    assert np.isnan(model.mean[4])


def test_systems_without_a_shared_topic_may_be_connected_where_others_are_not():
    # topic 0: system 0 by rater 0, system 2 by rater 1; topic 1: system 1 by rater 0, system 2 by rater 1
    model = fit_additive_model(
        [3.0, 1.0, 5.0, 1.0],
        [0, 2, 1, 2],
        [0, 0, 1, 1],
        n_systems=3,
        shares=rater_shares(range(4), [0, 1, 0, 1], 4, 2),
    )
    assert model.group.tolist() == [0, 0, 1]
    assert model.mean[1] - model.mean[0] == pytest.approx(2.0)


def test_a_rater_with_one_cell_does_not_make_errors_vanish():
    system, topic = np.divmod(np.arange(20), 10)
    rater = system.copy()
    rater[0] = 1  # only this cell connects the raters
    y = np.random.default_rng(2).normal(size=20)
    model = fit_additive_model(
        y, system, topic, n_systems=2, shares=rater_shares(np.arange(20), rater, 20, 2)
    )
    clustered, pooled = (
        compare_least_squares_means(model, errors=errors) for errors in ("clustered", "pooled")
    )
    assert clustered.error[0] > 0.5 * pooled.error[0]


def test_constant_differences_and_one_topic_are_no_finding():
    constant = fit_additive_model([1, 2, 3, 2, 3, 4], [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], n_systems=2)
    one_topic = fit_additive_model([1, 2], [0, 1], [0, 0], n_systems=2)
    for errors in ("clustered", "pooled"):
        assert compare_least_squares_means(constant, errors=errors).flag.tolist() == [NO_RESIDUAL]
        assert compare_least_squares_means(one_topic, errors=errors).flag.tolist() == [NO_DEGREES_OF_FREEDOM]
        assert compare_least_squares_means(constant, errors=errors).p.tolist() == [1.0]
