"""Errors by the formulas of CR2 on whole matrices, and differences at equal values of a covariate."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.additive.contrasts import compare_least_squares_means
from classy_aesop.significance.flags import NOT_CONNECTED

N_TOPICS = 24


def draw_table(n_systems, seed=0, share=1.0):
    """Draw scores that follow a covariate, and errors that vary more for later systems; some cells may be missing."""
    rng = np.random.default_rng(seed)
    shape = n_systems, N_TOPICS
    covariate = rng.normal(size=shape) + np.linspace(0.5, 0, n_systems)[:, None]
    deviations = np.linspace(1, 2, n_systems)[:, None]
    scores = rng.normal(size=N_TOPICS) + 0.8 * covariate + deviations * rng.normal(size=shape)
    system, topic = np.nonzero(rng.random(shape) < share)
    return scores[system, topic], system, topic, covariate[system, topic]


def test_with_two_values_it_is_the_mean_of_both_groups_of_topics():
    # on six topics the first output is longer, and better by 4 on average; on three the second is, and they are equal
    longer = np.array([1.0] * 6 + [-1.0] * 3)
    differences = np.array([3, 5, 3, 5, 3, 5, -1, 0, 1])
    y, covariate = (np.concatenate([values, np.zeros(9)]) for values in (differences, longer))
    system, topic = np.repeat([0, 1], 9), np.tile(np.arange(9), 2)
    model = fit_additive_model(y, system, topic, n_systems=2, covariate=covariate)
    tests = compare_least_squares_means(model)
    assert tests.difference[0] == pytest.approx(2)  # and not 24 / 9
    assert tests.error[0] == pytest.approx(
        np.sqrt(1.2 / 6 + 1 / 3) / 2
    )  # the groups' variances are 1.2 and 1
    assert model.mean == pytest.approx([differences.mean() / 2 + 1, differences.mean() / 2 - 1])


def test_of_two_systems_it_is_the_constant_of_a_regression_of_differences():
    linear_models = pytest.importorskip("statsmodels.api")
    y, system, topic, covariate = draw_table(2)
    tests = compare_least_squares_means(
        fit_additive_model(y, system, topic, n_systems=2, covariate=covariate)
    )
    of_scores, of_covariate = (np.subtract(*values.reshape(2, -1)) for values in (y, covariate))
    design = linear_models.add_constant(of_covariate)
    fit = linear_models.OLS(of_scores, design).fit(cov_type="HC2")
    assert tests.difference[0] == pytest.approx(fit.params[0])
    assert tests.error[0] == pytest.approx(fit.bse[0])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n_raters", [0, 3])
@pytest.mark.parametrize("topics_of_cluster", [1, 3])
@pytest.mark.parametrize("n_covariates", [0, 1])
def test_errors_are_those_of_whole_matrices(seed, n_raters, topics_of_cluster, n_covariates):
    y, system, topic, covariate = draw_table(4, seed, share=0.8)
    rater = np.random.default_rng(seed).integers(max(n_raters, 1), size=len(y))
    cluster = topic // topics_of_cluster
    model = fit_additive_model(
        y,
        system,
        topic,
        n_systems=4,
        rater=rater if n_raters else None,
        n_raters=n_raters,
        cluster=cluster,
        covariate=covariate if n_covariates else None,
    )
    tests = compare_least_squares_means(model, [(0, 1), (2, 3)])
    indicators = [np.eye(4)[system], np.eye(N_TOPICS)[topic], np.eye(max(n_raters, 1))[rater]]
    design = np.column_stack([*indicators, *[covariate] * n_covariates])
    inverse = np.linalg.pinv(design)
    remainder = np.eye(len(y)) - design @ inverse
    for pair, (first, second) in enumerate(zip(tests.first, tests.second, strict=True)):
        weights = inverse[first] - inverse[second]
        forms = np.zeros((cluster.max() + 1, len(y)))
        for number, form in enumerate(forms):
            rows = cluster == number
            values, vectors = np.linalg.eigh(remainder[np.ix_(rows, rows)])
            is_positive = values > 1e-8
            vectors = vectors[:, is_positive]
            form[rows] = vectors / np.sqrt(values[is_positive]) @ vectors.T @ weights[rows]
        products = forms @ remainder @ forms.T
        error = np.linalg.norm(forms @ remainder @ y)
        df = np.trace(products) ** 2 / np.square(products).sum()
        assert tests.difference[pair] == pytest.approx(weights @ y)
        assert (tests.error[pair], tests.df[pair]) == pytest.approx((error, df))
        assert tests.p[pair] == pytest.approx(2 * stats.t.sf(abs(weights @ y) / error, df))
        half = stats.t.ppf([0.975, 1 - 0.025 / 2], df) * error
        ends = [tests.high[pair], tests.high_all[pair]]
        assert ends - tests.difference[pair] == pytest.approx(half)


def test_a_covariate_that_separates_systems_leaves_no_difference():
    y, system, topic, _ = draw_table(2)
    model = fit_additive_model(y, system, topic, n_systems=2, covariate=1.0 * system)
    assert compare_least_squares_means(model).flag.tolist() == [NOT_CONNECTED]


def test_a_covariate_of_topics_alone_changes_nothing():
    y, system, topic, _ = draw_table(3)
    tests = compare_least_squares_means(
        fit_additive_model(y, system, topic, n_systems=3, covariate=1.0 * topic)
    )
    without = compare_least_squares_means(fit_additive_model(y, system, topic, n_systems=3))
    assert tests.difference == pytest.approx(without.difference)
    assert tests.error == pytest.approx(without.error)
