"""Names with equal training columns: the search shares solutions and gives what the estimator gives."""

import numpy as np
import pytest

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import Design, search_subsets
from classy_aesop.search.subsets import without_twins
from tests.search.test_exhaustive import loop_of_all

FITTERS = [
    CanonicalRegression(),
    CanonicalRegression(calibrate=False),
    NonNegativeRegression(),
    NonNegativeRegression(fit_intercept=False),
    RobustRegression(),
]
NAMES = [f"f{k}" for k in range(6)]


def with_columns(design, X):
    return Design(X, design.Y, design.summarizers, design.topics)


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
    same = without_twins(masks, [0b101001, 0b010010])
    np.testing.assert_array_equal(result.scores, result.scores[same - 1])
    alone = result.scores[[0b000001 - 1, 0b001000 - 1, 0b100000 - 1]]
    assert (np.ptp(alone) > 1e-3) == differ


def test_names_are_twins_only_in_all_columns_and_in_their_order(years):
    train = with_columns(years[0], years[0].X[:, [0, 8, 0, 8, 8, 0, 0, 9]])
    select = with_columns(years[1], years[1].X[:, [0, 8, 0, 8, 8, 0, 0, 9]])
    groups = [[0, 1], [2, 3], [4, 5], [6, 7]]
    for fitter in (CanonicalRegression(), NonNegativeRegression()):
        result = search_subsets(fitter, [(train, select)], groups, target=0, names=NAMES[:4])
        notes = result.to_frame().set_index("mask").note
        assert notes[0b0011] == "equal columns used once"
        assert notes[0b0101] == notes[0b1001] == "fitted by itself"
        expected = loop_of_all(fitter, [(train, select)], groups, np.arange(1, 16), target=0)
        np.testing.assert_allclose(result.scores, expected, rtol=0, atol=1e-9)


def test_columns_must_be_equal_in_all_folds(years):
    train, select = repeated(*years, differ=False)
    other = with_columns(train, np.where(np.arange(6) == 3, years[0].X[:, [3]], train.X))
    result = search_subsets(
        NonNegativeRegression(),
        [(train, select), (other, select)],
        [[k] for k in range(4)],
        target=0,
        names=NAMES[:4],
    )
    assert result.to_frame().set_index("mask").note[0b1001] == "fitted by itself"


def test_missing_values_of_a_twin_still_cost_its_rows(years):
    train, select = repeated(*years, differ=True)
    X = select.X.copy()
    X[::7, 3] = np.nan
    split = train, with_columns(select, X)
    groups = [[k] for k in range(4)]
    result = search_subsets(CanonicalRegression(), [split], groups, target=0, names=NAMES[:4])
    expected = loop_of_all(CanonicalRegression(), [split], groups, np.arange(1, 16), target=0)
    np.testing.assert_allclose(result.scores, expected, rtol=0, atol=1e-9)
