"""Effects of raters: against statsmodels, by hand, and where they cannot be estimated."""

import numpy as np
import pytest
from scipy import optimize

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.flags import NO_DEGREES_OF_FREEDOM
from classy_aesop.significance.raters.rater_effects import (
    NO_RESIDUAL,
    NOT_ESTIMABLE,
    ONE_RATER,
    ONE_RATER_A_TOPIC,
    rater_effects,
)
from classy_aesop.significance.raters.ratings import Ratings


def drawn(seed, n=200, n_raters=4):
    rng = np.random.default_rng(seed)
    system, topic, rater = rng.integers(0, 5, n), rng.integers(0, 30, n), rng.integers(0, n_raters, n)
    return Ratings.from_arrays(
        0.3 * system + 0.1 * topic + 0.5 * rater + rng.normal(size=n), system, topic, rater
    )


@pytest.mark.parametrize("seed", range(5))
def test_fixed_effects_are_those_of_statsmodels(seed):
    """Effects, errors and degrees of freedom of ordinary least squares (statsmodels 0.15)."""
    linear = pytest.importorskip("statsmodels.regression.linear_model")
    ratings = drawn(seed)
    columns = [ratings.raters, ratings.systems, ratings.topics]
    design = np.column_stack(
        [np.eye(codes.max() + 1)[codes][:, (at > 0) :] for at, codes in enumerate(columns)]
    )
    fitted = linear.OLS(ratings.scores, design).fit()
    contrasts = np.eye(4, design.shape[1]) - np.where(np.arange(design.shape[1]) < 4, 0.25, 0.0)
    found = rater_effects(ratings)
    assert (found.flag, found.is_random) == ("", False)
    np.testing.assert_allclose(found.effect, contrasts @ fitted.params, atol=1e-12)
    np.testing.assert_allclose(found.covariance, contrasts @ fitted.cov_params() @ contrasts.T, atol=1e-12)


def test_random_effects_solve_the_mixed_models_equations_by_reml():
    ratings = drawn(0, n=200, n_raters=40)
    found = rater_effects(ratings)
    assert found.is_random
    columns = (ratings.systems, ratings.topics, ratings.raters)
    systems, topics, raters = (np.eye(codes.max() + 1)[codes] for codes in columns)
    fixed = np.hstack([systems, topics[:, 1:]])
    df = 200 - fixed.shape[1]

    def restricted(log_ratio):
        """Give minus twice the restricted likelihood, and the variance of errors, by matrices of all ratings."""
        V = np.eye(200) + np.exp(log_ratio) * raters @ raters.T
        inverse = np.linalg.inv(V)
        information = fixed.T @ inverse @ fixed
        P = inverse - inverse @ fixed @ np.linalg.inv(information) @ fixed.T @ inverse
        variance = ratings.scores @ P @ ratings.scores / df
        logs = np.linalg.slogdet(V)[1] + np.linalg.slogdet(information)[1]
        return df * np.log(variance) + logs, variance

    log_ratio = optimize.minimize_scalar(
        lambda value: restricted(value)[0], bounds=(-9, 9), method="bounded"
    ).x
    variance = restricted(log_ratio)[1]
    both = np.hstack([fixed, raters])
    equations = both.T @ both
    equations[len(fixed.T) :, len(fixed.T) :] += np.eye(40) / np.exp(log_ratio)
    solved = np.linalg.solve(equations, both.T @ ratings.scores)[-40:]
    np.testing.assert_allclose(found.effect, solved - solved.mean(), atol=1e-5)
    centring = np.eye(40) - 1 / 40
    errors = centring @ (variance * np.linalg.inv(equations)[-40:, -40:]) @ centring
    np.testing.assert_allclose(found.covariance, errors, atol=1e-5)
    assert found.df == df


@pytest.mark.parametrize(("n_raters", "is_random"), [(19, False), (20, True)])
def test_raters_are_random_by_the_rule_of_the_additive_model(n_raters, is_random):
    """Before, nineteen raters of nine ratings each were random here and fixed there."""
    ratings = drawn(1, n=9 * n_raters, n_raters=n_raters)
    sizes = {"n_systems": 5, "n_raters": n_raters}
    model = fit_additive_model(ratings.scores, ratings.systems, ratings.topics, rater=ratings.raters, **sizes)
    effects = rater_effects(ratings)
    assert (effects.is_random, model.raters == "random") == (is_random, is_random)
    tolerance = 1e-9 if is_random else 1e-12  # rounding moves where the search for the variance stops
    np.testing.assert_allclose(effects.effect, model.rater_effect, rtol=0, atol=tolerance)


@pytest.mark.parametrize(
    ("scores", "raters", "flag"),
    [
        ([1, 2, 4, 3], [0, 0, 0, 0], ONE_RATER),
        ([1, 2, 4, 3], [0, 0, 1, 1], ONE_RATER_A_TOPIC),
        ([1, 2, 4, 3], [0, 1, 0, 1], NOT_ESTIMABLE),
        ([1, 2, 4, 3], [0, 1, 1, 0], NO_DEGREES_OF_FREEDOM),
        ([1, 2, 4, 3, 1, 2], [0, 1, 1, 0, 0, 1], NO_RESIDUAL),
    ],
)
def test_what_ratings_cannot_tell_has_a_reason(scores, raters, flag):
    places = np.arange(len(scores))
    found = rater_effects(Ratings.from_arrays(scores, places % 2, places // 2, raters))
    assert found.flag == flag
    assert np.isnan(found.effect).all() == (flag not in (NO_DEGREES_OF_FREEDOM, NO_RESIDUAL))
