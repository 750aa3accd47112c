"""Robust regression in batches: where more than half of the target values are equal; medians near a guess."""

import warnings

import numpy as np
import pytest

from classy_aesop.fitters import RobustRegression
from classy_aesop.search import Rows, search_subsets
from classy_aesop.search.kernels.base import Training
from classy_aesop.search.kernels.robust_kernel import Majority, RobustKernel
from classy_aesop.search.subset_fits import fit_subset

FITTERS = [RobustRegression()]
GROUPS = [[k] for k in range(5)]


def mostly_five(seed, n, *, share):
    """A target that is 5 in that share of the rows; column 0 follows the other rows, and these too.

    On column 0 the fit is a line, without it the constant 5. Column 4 varies only where the target is not 5.
    """
    rng = np.random.default_rng(seed)
    five = rng.permutation(n) < share * n
    line = np.where(five, 0.0, rng.uniform(-3, 3, size=n))
    X = np.column_stack(
        [line + 0.05 * rng.normal(size=n), rng.normal(size=(n, 3)), np.where(five, 0.0, line)]
    )
    X[:, 2] += line / 2
    y = np.where(five, 5.0, 5.0 + line + 0.05 * rng.normal(size=n))
    return Training(X, y[:, None], 0, GROUPS)


def estimated(fitter, training, masks):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fits = [fit_subset(fitter, training, int(mask)) for mask in masks]
    return np.column_stack([predict(training.X) for predict, _ in fits]), [settled for _, settled in fits]


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("share", [0.52, 0.7])
@pytest.mark.parametrize("n", [120, 600])
@pytest.mark.parametrize("fitter", FITTERS, ids=str)
def test_some_subsets_collapse_and_others_do_not(fitter, n, share):
    training, masks = mostly_five(n, n, share=share), np.arange(1, 16)
    found = RobustKernel(fitter, training).solve(masks)
    expected, settled = estimated(fitter, training, masks)
    predicted = training.X @ found.coef + found.intercept
    assert not found.hard.any()
    np.testing.assert_allclose(predicted, expected, rtol=0, atol=1e-8)
    assert found.converged.tolist() == settled
    constant = np.ptp(predicted, axis=0) == 0
    assert set(masks[constant]) >= {0b0010, 0b1000, 0b1010}
    assert not constant[masks & 1 == 1].any()


@pytest.mark.parametrize("fitter", FITTERS, ids=str)
def test_columns_that_vary_in_other_rows_only_are_left_to_the_estimator(fitter):
    training, masks = mostly_five(1, 600, share=0.7), np.array([0b10000, 0b10010, 0b11000])
    assert not Majority(training).can_absorb_fit(masks, np.array([2, 3, 3])).any()
    assert RobustKernel(fitter, training).solve(masks).hard.all()


def test_collapsed_subsets_have_no_score_and_need_no_estimator():
    training = mostly_five(2, 600, share=0.7)
    design = Rows(training.X, training.Y, np.arange(600) % 20, np.arange(600) // 20)
    for fitter in FITTERS:
        found = search_subsets(
            fitter, [(design, design)], GROUPS[:4], target=0, names=list("abcd")
        ).to_frame()
        assert set(found.note[found["mask"] % 2 == 0]) == {"constant prediction"}
        assert found.score[found["mask"] % 2 == 1].min() > 0.9


@pytest.mark.parametrize("n", [80, 500])
def test_the_search_and_the_estimator_agree_on_columns_far_from_0(n):
    rng = np.random.default_rng(n)
    near = rng.normal(size=(n, 4)).round(2)
    X = near + np.array([1e7, 0, -3e7, 5])
    y = near @ [1, 0.5, 1, 0] + rng.standard_t(3, size=n)
    training, masks = Training(X, y[:, None], 0, GROUPS[:4]), np.arange(1, 16)
    found = RobustKernel(RobustRegression(), training).solve(masks)
    expected, _ = estimated(RobustRegression(), training, masks)
    settled = ~found.hard
    assert settled.sum() > 10
    np.testing.assert_allclose(
        (X @ found.coef + found.intercept)[:, settled], expected[:, settled], atol=1e-6
    )
