import numpy as np
import pytest

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression
from classy_aesop.search import Design

NAN = np.nan
FOUR = Design(
    X=np.array([[1, 2], [3, NAN], [5, NAN], [7, 8]]),
    Y=np.array([[1.0], [NAN], [3], [4]]),
    summarizers=np.array([4, 4, 2, 2]),
    topics=np.array([0, 1, 0, 1]),
)


def test_means_are_over_existing_cells():
    means = FOUR.means()
    np.testing.assert_array_equal(means.summarizers, [2, 4])
    np.testing.assert_array_equal(means.X, [[6, 8], [2, 2]])
    np.testing.assert_array_equal(means.Y, [[3.5], [1]])
    np.testing.assert_array_equal(FOUR.take([1, 2]).means().X, [[5, NAN], [3, NAN]])


def test_complete_rows():
    assert FOUR.complete().tolist() == [True, False, False, True]
    assert FOUR.columns([0]).complete().tolist() == [True, False, True, True]


def test_fit_takes_the_measures_that_the_fitter_needs(years):
    X, Y = years[0].X, years[0].Y.copy()
    Y[:7, 2] = NAN
    design = Design(X, Y, years[0].summarizers, years[0].topics)
    canonical = CanonicalRegression(target=1)
    np.testing.assert_array_equal(design.fit(canonical, 1).coef_, canonical.fit(X[7:], Y[7:]).coef_)
    np.testing.assert_array_equal(
        design.fit(NonNegativeRegression(), 1).coef_, NonNegativeRegression().fit(X, Y[:, 1]).coef_
    )


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="unequal numbers of rows"):
        Design(FOUR.X[:3], FOUR.Y, FOUR.summarizers, FOUR.topics)
    with pytest.raises(ValueError, match="expected 2 and 2"):
        Design(FOUR.X, FOUR.Y[:, 0], FOUR.summarizers, FOUR.topics)
