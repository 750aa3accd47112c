import numpy as np

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression
from classy_aesop.search import Rows, stack

NAN = np.nan
FOUR = Rows(
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
    assert FOUR.mark_complete_rows().tolist() == [True, False, False, True]
    assert FOUR.select_columns([0]).mark_complete_rows().tolist() == [True, False, True, True]


def test_fit_takes_the_measures_that_the_fitter_needs(years):
    X, Y = years[0].X, years[0].Y.copy()
    Y[:7, 2] = NAN
    design = Rows(X, Y, years[0].summarizers, years[0].topics)
    canonical = CanonicalRegression(target=1)
    np.testing.assert_array_equal(design.fit(canonical, 1).coef_, canonical.fit(X[7:], Y[7:]).coef_)
    np.testing.assert_array_equal(
        design.fit(NonNegativeRegression(), 1).coef_, NonNegativeRegression().fit(X, Y[:, 1]).coef_
    )


def test_rows_less_their_topics_mean_by_hand():
    """Topic 0 holds 1 and 5 (mean 3), topic 1 holds 3 and 7 (5); all have the mean 4."""
    within = FOUR.subtract_topic_means()
    np.testing.assert_array_equal(within.X, [[2, 5], [2, NAN], [6, NAN], [6, 5]])
    np.testing.assert_allclose(within.Y, [[5 / 3], [NAN], [11 / 3], [8 / 3]])
    np.testing.assert_array_equal(within.summarizers, FOUR.summarizers)


def test_what_does_not_vary_within_topics_is_constant():
    X = np.repeat([0.1, 0.7, 1e6 / 3], 7)[:, None]
    within = Rows(X, X, np.tile(np.arange(7), 3), np.repeat(np.arange(3), 7)).subtract_topic_means()
    assert np.ptp(within.X) == 0


def test_stacked_years_share_neither_topics_nor_summarizers():
    both = stack([FOUR, FOUR])
    np.testing.assert_array_equal(both.X, np.concatenate([FOUR.X, FOUR.X]))
    assert both.topics.tolist() == [0, 1, 0, 1, 2, 3, 2, 3]
    assert both.summarizers.tolist() == [4, 4, 2, 2, 9, 9, 7, 7]
    assert stack([FOUR]) is FOUR
