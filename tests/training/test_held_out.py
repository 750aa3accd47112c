"""Held-out predictions know neither the topic nor the summarizer of a row."""

import numpy as np
import pytest

from classy_aesop.training.fits import hold_out, hold_out_years
from tests.training.samples import Mean, stacked_years, task_of


def test_predictions_come_without_own_topic_and_summarizer():
    # each cell is a power of two, so a mean tells which cells it was made of
    y = 2.0 ** np.arange(9)
    found = hold_out(task_of(stacked_years(3, 3, y=y), 3), Mean(), [0])
    who, topics = np.divmod(np.arange(9), 3)
    for row in range(9):
        others = (who != who[row]) & (topics != topics[row])
        assert found.predictions[row] == pytest.approx(y[others].mean())
    np.testing.assert_array_equal(found.truth, y)


def test_a_summarizer_of_two_years_is_held_out_of_both():
    rows = stacked_years(4, 3, n_years=2)
    for held, known in rows.crossed_folds(4, 0):
        assert not set(rows.summarizers[held]) & set(rows.summarizers[known])
        assert not set(rows.topics[held]) & set(rows.topics[known])
        assert set(rows.years[known]) == {0, 1}


def test_a_year_is_predicted_from_the_others_on_their_scale_and_keeps_its_distance():
    y = np.r_[np.arange(12.0), np.arange(12.0) + 100, 3 * np.arange(12.0) + 50]
    found = hold_out_years(task_of(stacked_years(4, 3, y=y, n_years=3)), Mean(), [0])
    np.testing.assert_array_equal(found.truth, y)
    # the mean of what is known is that of its latest year, to whose scale the other is brought
    assert found.predictions.reshape(3, 12)[:, 0] == pytest.approx([66.5, 66.5, 105.5])
    assert hold_out_years(task_of(stacked_years(4, 3)), Mean(), [0]) is None
    assert hold_out_years(task_of(stacked_years(2, 4, n_years=2)), Mean(), [0]) is None


def test_the_scale_of_an_earlier_year_is_found_without_what_is_held_out():
    # the judgment on the other scale is then linear in it, with the ratio of the others' deviations as the slope
    values = np.random.default_rng(6).normal(size=24)
    stacked = stacked_years(4, 3, y=values, n_years=2)
    for row in (0, 5):
        found = []
        for shift in (0.0, 1.0, 5.0):
            moved = stacked_years(4, 3, y=values + shift * (np.arange(24) == row), n_years=2)
            found.append(hold_out(task_of(moved, 6), Mean(), [0]).truth[row])
        known = (stacked.summarizers != stacked.summarizers[row]) & (stacked.topics != stacked.topics[row])
        spread = [values[known & (stacked.years == year)].std() for year in (0, 1)]
        assert np.diff(found) == pytest.approx(np.array([1, 4]) * spread[1] / spread[0])


def test_too_few_topics_or_summarizers_are_not_held_out():
    assert hold_out(task_of(stacked_years(4, 2)), Mean(), [0]) is None
    assert hold_out(task_of(stacked_years(2, 4)), Mean(), [0]) is None


def test_incomplete_rows_are_left_out():
    y = np.arange(12.0)
    y[5] = np.nan
    assert len(hold_out(task_of(stacked_years(3, 4, y=y), 3), Mean(), [0]).truth) == 11
