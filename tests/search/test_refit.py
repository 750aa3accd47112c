"""Subsets fitted together against the estimator, one by one."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LinearRegression

from classy_aesop import DataWarning
from classy_aesop.fitters import (
    CanonicalRegression,
    NonNegativeRegression,
    RidgeRegression,
    RobustRegression,
)
from classy_aesop.search import fit_subsets

GROUPS = [[column] for column in range(13)]
PAIRS = [[2 * at, 2 * at + 1] for at in range(6)] + [[12 + at] for at in range(7)]
MASKS = np.array([5, 8191, 64, 1023, 5, 4097, 2730, 3])
FITTERS = {
    "canonical": (CanonicalRegression(target=1), 1e-10),
    "raw canonical": (CanonicalRegression(target=2, calibrate=False), 1e-10),
    "nonnegative": (NonNegativeRegression(), 1e-10),
    "ridge": (RidgeRegression(), 1e-10),
    "robust": (RobustRegression(), 1e-8),
}


def columns_of(mask, groups):
    return [column for name, group in enumerate(groups) if mask >> name & 1 for column in group]


def by_loop(fitter, design, groups, masks, target):
    """Predict all rows by the estimator, one subset after the other, (n_rows, n_subsets)."""
    found = []
    for mask in masks:
        part = design.columns(columns_of(mask, groups))
        found.append(part.fit(fitter, target).predict(np.nan_to_num(part.X)))
    return np.column_stack(found)


def check(fitter, design, groups, masks, target, bound):
    weights, intercepts = fit_subsets(fitter, design, groups, masks, target=target)
    predicted = np.nan_to_num(design.X) @ weights + intercepts
    expected = by_loop(fitter, design, groups, masks, target)
    assert np.abs(predicted - expected).max() <= bound * np.nanstd(expected)
    for at, mask in enumerate(masks):
        assert not np.delete(weights[:, at], columns_of(mask, groups)).any()


@pytest.mark.slow(after=5)
@pytest.mark.filterwarnings("ignore:robust regression")
@pytest.mark.parametrize("rows", [600, 180])
@pytest.mark.parametrize("name", FITTERS)
def test_batches_against_the_loop(years, name, rows):
    fitter, bound = FITTERS[name]
    design = years[0].take(np.random.default_rng(4).permutation(600)[:rows])
    check(fitter, design, GROUPS, MASKS, getattr(fitter, "target", 1), bound)


def test_groups_of_columns_and_system_means_against_the_loop(update_years):
    check(CanonicalRegression(target=0), update_years[0], PAIRS, MASKS, 0, 1e-10)
    means = update_years[0].means()
    check(NonNegativeRegression(), means, PAIRS, MASKS, 0, 1e-10)


@pytest.mark.parametrize("name", ["canonical", "nonnegative", "robust"])
def test_what_is_missing_costs_its_own_subsets(years, name):
    fitter, bound = FITTERS[name]
    design = years[0].take(np.arange(600) % 2 == 0)
    design.X[:20, 2], design.X[10:30, 6], design.Y[3, 1] = np.nan, np.nan, np.nan
    check(fitter, design, GROUPS, MASKS, 1, bound)


@pytest.mark.parametrize("name", ["canonical", "nonnegative", "robust"])
def test_equal_and_dependent_columns_against_the_loop(years, name):
    fitter, bound = FITTERS[name]
    design = years[0].take(np.arange(150))
    design.X[:, 4], design.X[:, 7] = design.X[:, 1], design.X[:, 0] + design.X[:, 1]
    check(fitter, design, GROUPS, np.array([2 | 16, 2 | 1 | 128, 16 | 4, 31]), 1, 1e3 * bound)


def test_a_constant_column_has_no_weight(years):
    design = years[0].take(np.arange(150))
    design.X[:, 3] = 7.0
    for fitter in (CanonicalRegression(), NonNegativeRegression(), RobustRegression()):
        found = fit_subsets(fitter, design, GROUPS, np.array([9, 1]), target=0)
        assert found[0][3].tolist() == [0, 0]
        np.testing.assert_allclose(found[0][:, 0], found[0][:, 1], atol=1e-9)


def test_a_fitter_without_kernel_keeps_the_loop(years):
    design = years[0].take(slice(200))
    masks, fitter = np.array([3, 33]), LinearRegression()
    weights, intercepts = fit_subsets(fitter, design, GROUPS, masks, target=0)
    expected = by_loop(fitter, design, GROUPS, masks, 0)
    np.testing.assert_allclose(design.X @ weights + intercepts, expected, atol=1e-12)


def test_too_few_rows_are_refused(years):
    with pytest.raises(ValueError, match="needs more rows; found n_samples=8"):
        fit_subsets(RobustRegression(), years[0].take(slice(8)), GROUPS, np.array([8191, 1]), target=0)


def test_a_warning_of_many_fits_is_said_once(years):
    design = years[0].take(np.arange(150))
    design.Y[20:, 0] = 3.0
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        weights, intercepts = fit_subsets(RobustRegression(), design, GROUPS, np.array([1, 2, 4]), target=0)
    assert np.abs(weights).max() < 1e-12
    np.testing.assert_allclose(intercepts, 3.0)
    exact = int((design.Y[:, 0] == 3.0).sum())
    assert [(one.category, str(one.message)) for one in caught] == [
        (
            DataWarning,
            f"robust regression fits {exact} of 150 instances exactly, ignores the others (3 fits)",
        )
    ]


def test_fits_that_do_not_converge_are_counted(years, monkeypatch):
    monkeypatch.setattr("classy_aesop.search.robust.STEPS", 1)
    monkeypatch.setattr("classy_aesop.fitters.robust.CAP", 2)
    with pytest.warns(ConvergenceWarning, match=r"stopped at its cap of 2 iterations \(3 fits\)") as caught:
        fit_subsets(RobustRegression(), years[0], GROUPS, np.array([1, 2, 4]), target=0)
    assert len(caught) == 1
