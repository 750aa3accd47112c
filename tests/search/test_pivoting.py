import numpy as np
import pytest
from scipy.optimize import nnls

from classy_aesop.fitters import NonNegativeRegression
from classy_aesop.search.base import Training
from classy_aesop.search.nonnegative import NonNegativeKernel
from classy_aesop.search.pivoting import nonnegative_optima


def standard(seed, n, p, *, shared):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + shared * rng.normal(size=(n, 1))
    return X / np.sqrt((X**2).mean(axis=0)), rng.normal(size=n) + X[:, 0] / 2


@pytest.mark.parametrize("shared", [0, 1, 10])
@pytest.mark.parametrize("seed", range(4))
def test_optima_against_scipy_from_any_guess(seed, shared):
    X, y = standard(seed, 80, 9, shared=shared)
    rng = np.random.default_rng(seed)
    allowed = rng.random((200, 9)) < 0.7
    allowed[0] = False
    joint = np.column_stack([X, y])
    for guess in (np.zeros_like(allowed), allowed, allowed & (rng.random(allowed.shape) < 0.5)):
        weights, done = nonnegative_optima(joint.T @ joint / 80, allowed, guess)
        assert done.mean() > 0.9
        for found, used in zip(weights[done], allowed[done], strict=True):
            expected = nnls(X[:, used], y)[0] if used.any() else np.zeros(0)
            np.testing.assert_allclose(X @ found, X[:, used] @ expected, rtol=0, atol=1e-10)
            assert np.all(found[~used] == 0)
            assert np.all(found >= 0)


def test_weights_of_exactly_zero():
    X = np.eye(6)[:, :4] * np.sqrt(6)
    y = np.array([2.0, 0, -1, 0, 5, 5])
    joint = np.column_stack([X, y])
    allowed = np.ones((1, 4), dtype=bool)
    for guess in (allowed, ~allowed):
        weights, done = nonnegative_optima(joint.T @ joint / 6, allowed, guess)
        assert done.all()
        np.testing.assert_allclose(weights[0], [2 / np.sqrt(6), 0, 0, 0], atol=1e-15)


def test_what_goes_in_circles_is_left_to_scipy(monkeypatch):
    X, y = standard(0, 80, 9, shared=1)
    data = Training(X, y[:, None], 0, [[k] for k in range(9)])
    masks = np.arange(1, 512)
    expected = NonNegativeKernel(NonNegativeRegression(), data).solve(masks)
    monkeypatch.setattr("classy_aesop.search.pivoting.ROUNDS", 1)
    found = NonNegativeKernel(NonNegativeRegression(), data).solve(masks)
    np.testing.assert_allclose(
        found.coef[:, found.owner], expected.coef[:, expected.owner], rtol=0, atol=1e-12
    )
