import numpy as np
import pytest
from sklearn.linear_model import Ridge

from classy_aesop.fitters import RidgeRegression
from classy_aesop.fitters.ridge import STRENGTHS


def sample(seed, n=60, p=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + rng.normal(size=(n, 1))
    return X, X @ rng.normal(size=p) + 3 * rng.normal(size=n)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("strength", [1e-3, 0.1, 10])
def test_fixed_strength_against_scikit_learn(seed, strength):
    X, y = sample(seed)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    expected = Ridge(alpha=strength * len(y)).fit(Z, y).predict(Z)
    np.testing.assert_allclose(RidgeRegression(strength).fit(X, y).predict(X), expected, atol=1e-11)


@pytest.mark.parametrize("seed", range(5))
def test_chosen_strength_against_the_definition(seed):
    """n times the squared error over (n - t)^2, with t the trace of the matrix that makes the fitted values."""
    X, y = sample(seed)
    Z, n = (X - X.mean(axis=0)) / X.std(axis=0), len(y)
    errors = []
    for strength in STRENGTHS:
        hat = Z @ np.linalg.solve(Z.T @ Z + n * strength * np.eye(Z.shape[1]), Z.T) + 1 / n
        errors.append(n * np.sum((y - hat @ y) ** 2) / (n - np.trace(hat)) ** 2)
    assert RidgeRegression().fit(X, y).strength_ == STRENGTHS[np.argmin(errors)]


def test_equal_columns_share_and_constant_ones_get_nothing():
    X, y = sample(2)
    X[:, 1], X[:, 2] = X[:, 0], 0.1
    coef = RidgeRegression().fit(X, y).coef_
    assert coef[0] == pytest.approx(coef[1], rel=1e-9)
    assert coef[2] == 0


@pytest.mark.parametrize("strength", [0, -1.0])
def test_a_strength_that_is_no_price(strength):
    with pytest.raises(ValueError, match="expected a number above 0"):
        RidgeRegression(strength).fit(*sample(0))
