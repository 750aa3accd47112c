"""Names with equal training columns: the search shares solutions and gives what the estimator gives."""

import numpy as np
import pytest

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import Rows, search_subsets
from classy_aesop.search.subsets import keep_first_of_identical
from tests.search.test_exhaustive import loop_of_all

FITTERS = [
    CanonicalRegression(),
    CanonicalRegression(calibrate=False),
    NonNegativeRegression(),
    RobustRegression(),
]
NAMES = [f"f{k}" for k in range(6)]


def with_columns(design, X):
    return Rows(X, design.Y, design.summarizers, design.topics)


def repeated(train, select, *, differ):
    """Columns 3 and 5 repeat 0, and 4 repeats 1, in training; where they differ, not in what is predicted."""
    X = [design.X[:, [0, 10, 8, 0, 10, 0]].copy() for design in (train, select)]
    if differ:
        X[1][:, 3:] += np.random.default_rng(1).normal(size=X[1][:, 3:].shape) * X[1][:, 3:].std(axis=0)
    return with_columns(train, X[0]), with_columns(select, X[1])


@pytest.mark.slow
@pytest.mark.parametrize("differ", [False, True], ids=["equal-later", "different-later"])
@pytest.mark.parametrize("fitter", FITTERS, ids=str)
def test_equal_columns_against_the_estimator(years, fitter, differ):
    split, masks = repeated(*years, differ=differ), np.arange(1, 64)
    groups = [[k] for k in range(6)]
    result = search_subsets(fitter, [split], groups, target=0, names=NAMES)
    np.testing.assert_allclose(
        result.scores, loop_of_all(fitter, [split], groups, masks, target=0), rtol=0, atol=1e-9
    )
    frame = result.to_frame()
    assert set(frame.note) == {"", "equal columns used once"}
    twice = frame.names.str.count("f[035]").gt(1) | frame.names.str.count("f[14]").gt(1)
    np.testing.assert_array_equal(frame.note == "equal columns used once", twice)
    same = keep_first_of_identical(masks, [0b101001, 0b010010])
    np.testing.assert_array_equal(result.scores, result.scores[same - 1])
    assert (np.ptp(result.scores[[0b000001 - 1, 0b001000 - 1, 0b100000 - 1]]) > 1e-3) == differ


def test_missing_values_of_a_twin_still_cost_its_rows(years):
    train, select = repeated(*years, differ=True)
    X = select.X.copy()
    X[::7, 3] = np.nan
    split = train, with_columns(select, X)
    groups = [[k] for k in range(4)]
    result = search_subsets(CanonicalRegression(), [split], groups, target=0, names=NAMES[:4])
    expected = loop_of_all(CanonicalRegression(), [split], groups, np.arange(1, 16), target=0)
    np.testing.assert_allclose(result.scores, expected, rtol=0, atol=1e-9)
