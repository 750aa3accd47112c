"""Nonnegative least squares by shared supports, against scipy."""

import numpy as np
from scipy.optimize import nnls

from classy_aesop.fitters import NonNegativeRegression
from classy_aesop.search.kernels.base import Training
from classy_aesop.search.kernels.nonnegative_kernel import NonNegativeKernel, Supports
from classy_aesop.search.subsets import columns_used


def standard(seed, n, p, *, shared):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) + shared * rng.normal(size=(n, 1))
    return X / np.sqrt((X**2).mean(axis=0)), rng.normal(size=n) + X[:, 0] / 2


def supports_of(X, y, groups):
    joint = np.column_stack([X, y])
    return Supports(joint.T @ joint / len(y), groups)


def optima(supports, guess, masks):
    """Weights (n, p) of sets of single columns, from one guess for all."""
    numbers, left = supports.solve(np.repeat(supports.numbers_of(guess[None]), masks.size), masks)
    return supports.weights[numbers], left


def test_more_columns_than_bits():
    X, y = standard(0, 200, 70, shared=1)
    groups = [list(range(start, start + 14)) for start in range(0, 70, 14)]
    masks = np.arange(1, 32)
    weights, left = optima(supports_of(X, y, groups), np.zeros(70, bool), masks)
    assert not left.size
    for found, used in zip(weights, columns_used(masks, groups, 70), strict=True):
        np.testing.assert_allclose(found[used], nnls(X[:, used], y)[0], rtol=0, atol=1e-12)
        assert np.all(found[~used] == 0)


def test_what_goes_in_circles_is_left_to_scipy(monkeypatch):
    X, y = standard(0, 80, 9, shared=1)
    data = Training(X, y[:, None], 0, [[k] for k in range(9)])
    masks = np.arange(1, 512)
    expected = NonNegativeKernel(NonNegativeRegression(), data).solve(masks)
    monkeypatch.setattr("classy_aesop.search.kernels.nonnegative_kernel.MAX_ROUNDS", 1)  # too few for some
    found = NonNegativeKernel(NonNegativeRegression(), data).solve(masks)
    np.testing.assert_allclose(
        found.coef[:, found.owner], expected.coef[:, expected.owner], rtol=0, atol=1e-12
    )
