"""Kernels give what their estimators give, one by one."""

import warnings

import numpy as np
import pytest

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RidgeRegression, RobustRegression
from classy_aesop.search import KERNELS
from classy_aesop.search.kernels.base import Training
from classy_aesop.search.kernels.canonical_kernel import CanonicalKernel, first_eigenvectors
from classy_aesop.search.subset_fits import fit_subset
from tests.search.conftest import GROUPS

CASES = [
    (CanonicalRegression(target=1), 1e-10),
    (CanonicalRegression(target=2, calibrate=False), 1e-10),
    (NonNegativeRegression(), 1e-10),
    (RidgeRegression(), 1e-10),
    (RidgeRegression(strength=0.01), 1e-10),
    (RobustRegression(), 1e-8),
]


def seeded_masks(n, *, n_names=13):
    rng = np.random.default_rng(20)
    return np.sort(rng.choice(np.arange(1, 2**n_names), n, replace=False))


def compare(fitter, training, masks, tolerance):
    """Compare kernel and estimator on the training rows; return how many were left to the estimator."""
    found = KERNELS[type(fitter)](fitter, training).solve(masks)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for at in np.flatnonzero(~found.hard):
            predict, converged = fit_subset(fitter, training, int(masks[at]))
            own = found.owner[at]
            ours = training.X @ found.coef[:, own] + found.intercept[own]
            np.testing.assert_allclose(
                ours, predict(training.X), rtol=0, atol=tolerance, err_msg=bin(masks[at])
            )
            assert found.converged[own] == converged
            assert not found.coef[~training.columns_used(masks[at : at + 1])[0], own].any()
    return int(found.hard.sum())


def training(design, fitter, *, update):
    many = fitter.many_targets
    Y = design.Y if many else design.Y[:, :1]
    return Training(design.X, Y, fitter.target if many else 0, GROUPS[update])


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("fitter", "tolerance"), CASES, ids=lambda value: str(value))
@pytest.mark.parametrize("update", [False, True], ids=["13-columns", "19-columns"])
def test_kernel_against_estimator_on_summaries(years, update_years, fitter, tolerance, update):
    design = (update_years if update else years)[0]
    assert compare(fitter, training(design, fitter, update=update), seeded_masks(60), tolerance) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "fitter", [CanonicalRegression(), NonNegativeRegression(), RobustRegression()], ids=str
)
def test_dependent_columns_are_left_to_the_estimator(years, fitter):
    X = years[0].X.copy()
    X[:, 5] = 2 * X[:, 0] - 7
    data = training(years[0], fitter, update=False)
    data = Training(X, data.Y, data.target, data.groups)
    masks = np.arange(1, 2**7)
    found = KERNELS[type(fitter)](fitter, data).solve(masks)
    np.testing.assert_array_equal(found.hard, (masks & 0b100001) == 0b100001)
    compare(fitter, data, masks, 1e-8)


@pytest.mark.slow
def test_ridge_needs_no_estimator_and_lets_equal_columns_share(years):
    X = years[0].X.copy()
    X[:, 5] = X[:, 0]
    data = Training(X, years[0].Y[:, :1], 0, GROUPS[False])
    masks = np.arange(1, 2**7)
    assert compare(RidgeRegression(), data, masks, 1e-10) == 0
    found = KERNELS[RidgeRegression](RidgeRegression(), data).solve(masks)
    both = (masks & 0b100001) == 0b100001
    np.testing.assert_allclose(found.coef[0, both], found.coef[5, both], rtol=1e-9)


def test_constant_measures_are_left_to_the_estimator():
    """With five topics and two systems all judgments may be equal: nothing to learn, and no error of numpy's."""
    X, Y = np.random.default_rng(1).normal(size=(10, 2)), np.full((10, 2), 3.0)
    kernel = CanonicalKernel(CanonicalRegression(), Training(X, Y, 0, [[0], [1]]))
    assert kernel.solve(np.array([1, 2, 3])).hard.all()
    assert (CanonicalRegression().fit(X, Y).predict(X) == 3.0).all()


@pytest.mark.parametrize("q", [1, 2, 3, 5])
def test_first_eigenvectors_against_numpy(q):
    rng = np.random.default_rng(q)
    half = rng.normal(size=(40, q, q)) / 3
    matrices = half @ half.transpose(0, 2, 1)
    matrices[0] = np.diag(np.arange(q))
    first, second, u = first_eigenvectors(matrices.transpose(1, 2, 0))
    roots, vectors = np.linalg.eigh(matrices)
    np.testing.assert_allclose(first, roots[:, -1], atol=1e-12)
    if q > 1:
        apart = roots[:, -1] - roots[:, -2] > 1e-4
        assert apart.sum() > 35
        same = np.abs(np.einsum("ki,ik->k", vectors[:, :, -1], u))
        np.testing.assert_allclose(same[apart], 1, atol=1e-12)
        assert np.all(second > roots[:, -2] - 1e-7)
    if q in (2, 3):
        np.testing.assert_allclose(second, roots[:, -2], atol=1e-7)
