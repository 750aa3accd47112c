import numpy as np
import pytest

from classy_aesop.fitters import NonNegativeRegression
from classy_aesop.fitters.nonnegative import marginal_signs, nonnegative_least_squares

X5 = np.array([[1, 2], [2, 1], [3, 5], [4, 3], [5, 6]])
Y5 = np.array([1, 3, 2, 5, 4])


def sample(seed, n=60, p=6):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + rng.normal(size=(n, 1))
    return X, X @ rng.normal(size=p) + rng.normal(size=n)


@pytest.mark.parametrize("seed", range(10))
def test_weights_have_their_columns_sign_and_meet_the_conditions_of_a_minimum(seed):
    X, y = sample(seed)
    fit = NonNegativeRegression().fit(X, y)
    assert np.all(fit.coef_ * fit.signs_ >= 0)
    np.testing.assert_array_equal(fit.signs_, np.sign([np.corrcoef(column, y)[0, 1] for column in X.T]))
    residual = y - fit.predict(X)
    gradient = fit.signs_ * (X.T @ residual)
    assert abs(residual.sum()) < 1e-9
    assert np.all(gradient < 1e-9)
    assert np.all(abs(gradient[fit.coef_ != 0]) < 1e-9)


def test_constant_columns_get_nothing():
    X, y = sample(0)
    X[:, 2] = 0.1
    fit = NonNegativeRegression().fit(X, y)
    assert fit.coef_[2] == 0
    assert fit.signs_[2] == 1
    flat = NonNegativeRegression().fit(np.full((5, 2), 0.1), Y5)
    np.testing.assert_array_equal(flat.predict([[9, 9]]), [3])


def test_signs_without_correlation_are_positive():
    np.testing.assert_array_equal(marginal_signs(X5 * 1.0, np.full(5, 0.3)), [1, 1])
    x = np.array([6, 1, 5, 6, 5, 3, 6, 7, 8, 8, 5, 5, 1, 4])
    y = np.array([1, 2, 5, 5, 5, 5, 1, 5, 4, 4, 4, 1, 5, 3])
    assert 14 * (x @ y) == x.sum() * y.sum()
    for seed in range(20):  # rounding has another sign in another order
        order = np.random.default_rng(seed).permutation(14)
        assert marginal_signs(x[order, None] / 10, y[order] * 1.0) == 1


def test_no_column_at_all():
    assert nonnegative_least_squares(np.zeros((3, 2)), np.ones(3)).tolist() == [0, 0]
    assert nonnegative_least_squares(np.zeros((3, 0)), np.ones(3)).tolist() == []
