import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from classy_aesop.errors import DataWarning
from classy_aesop.fitters import RobustRegression

X10 = np.arange(1.0, 11)[:, None]
Y10 = np.array([5.1, 7.9, 11.2, 13.8, 17.1, 20, 22.9, 26.2, 28.8, 5])


def sample(seed, n=80, p=4):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + rng.normal(size=(n, 1))
    return X, X @ rng.normal(size=p) + rng.standard_t(2, size=n)


def test_half_of_the_target_equal_is_reported():
    rng = np.random.default_rng(0)
    y = np.where(np.arange(40) < 32, 3.0, rng.normal(size=40))
    with pytest.warns(DataWarning, match="fits 32 of 40 instances exactly"):
        fit = RobustRegression().fit(rng.normal(size=(40, 2)), y)
    np.testing.assert_allclose(fit.coef_, 0, atol=1e-9)


def test_perfect_fit_is_no_collapse():
    X, _ = sample(0)
    fit = RobustRegression().fit(X, X @ [1, 2, 3, 4] + 5)
    np.testing.assert_allclose(fit.coef_, [1, 2, 3, 4], rtol=1e-12)
    assert fit.n_iter_ <= 3


def test_the_cap_is_reported(monkeypatch):
    monkeypatch.setattr("classy_aesop.fitters.robust.MAX_ROBUST_ITERATIONS", 2)
    with pytest.warns(ConvergenceWarning, match="cap of 2 iterations"):
        fit = RobustRegression().fit(X10, Y10)
    assert not fit.converged_


def test_too_few_rows():
    with pytest.raises(ValueError, match="needs more rows; found n_samples=4"):
        RobustRegression().fit(np.eye(4, 3), np.arange(4))


@pytest.mark.parametrize("far", [1e5, 1e7, 1e9, -1e7])
def test_a_column_far_from_0_has_its_slope(far):
    """With 1e7 added the column of ones was taken to depend on it: the slope was 2.6e-9, without a constant."""
    x = np.random.default_rng(0).normal(size=(60, 1)).round(2)
    y = x[:, 0] + np.random.default_rng(1).standard_t(3, size=60) / 10
    near, moved = (RobustRegression().fit(X, y) for X in (x, x + far))
    assert moved.coef_[0] == pytest.approx(near.coef_[0], rel=1e-6)
    assert 0.9 < moved.coef_[0] < 1.1
    np.testing.assert_allclose(moved.predict(x + far), near.predict(x), atol=1e-6 * max(1, abs(far) / 1e9))
    np.testing.assert_allclose(moved.weights_, near.weights_, atol=1e-5)
