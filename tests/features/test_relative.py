"""Columns within a topic: by hand, against pandas, and what must not change them."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from classy_aesop.errors import InputError
from classy_aesop.features.relative import (
    compared_topics,
    plain_columns,
    relative_columns,
    relative_values,
    topic_means,
)
from classy_aesop.formulas import Linear
from classy_aesop.predictor.within import WithinForm


def drawn(seed=0, n=200):
    """Draw rows of some topics, in no order, with ties, missing values and rows that are compared with none."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, 4)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    topics = rng.integers(-1, 7, n)
    X[topics == 3, 2] = np.nan  # a column that a whole topic lacks
    return X, topics


def test_a_topic_by_hand():
    """The mean of 1, 3, 3 and 5 is 3; both 3 share the ranks 2 and 3 of 4. A missing value does not count."""
    X = np.array([[1.0], [9.0], [3.0], [np.nan], [3.0], [7.0], [5.0]])
    found = relative_values(X, np.array([0, 1, 0, 0, 0, 1, 0]))
    assert_array_equal(found[:, 0], [-2, 1, 0, np.nan, 0, -1, 2])
    assert_array_equal(found[:, 1], [1 / 4, 2 / 2, 2.5 / 4, np.nan, 2.5 / 4, 1 / 2, 4 / 4])


def test_as_pandas():
    X, topics = drawn()
    found, compared = relative_values(X, topics), topics >= 0
    groups = pd.DataFrame(X[compared]).groupby(topics[compared])
    assert_allclose(found[compared, :4], X[compared] - groups.transform("mean"), atol=1e-12)
    assert_allclose(found[compared, 4:], groups.rank(pct=True), rtol=1e-15)
    assert np.isnan(found[~compared]).all()


def test_values_that_differ_by_rounding_are_ties():
    """Other kernels of numpy round otherwise in the last digits; a difference in the eighth digit is one."""
    values = np.array([0.1, -3.7, 0.0, 1e-300, -2e200, np.nan])
    for other in (np.nextafter(values, 9e9), values * (1 + 2e-13), values * (1 - 2e-13)):
        other[2] = -0.0
        found = relative_values(np.array([values, other, values]), np.zeros(3, int))[:, len(values) :]
        assert_array_equal(found, np.where(np.isnan(values), np.nan, 2 / 3)[None].repeat(3, 0))
    apart = relative_values(np.array([[0.1], [0.1 + 1e-9], [-0.1], [-0.1 - 1e-9]]), np.zeros(4, int))
    assert_array_equal(apart[:, 1], [3 / 4, 4 / 4, 2 / 4, 1 / 4])


def test_near_copies_have_one_vote_and_are_not_compared_with_each_other():
    X, topics = np.array([[1.0], [3.0], [3.5], [5.0], [9.0]]), np.array([0, 0, 0, 0, -1])
    found = relative_values(X, topics, np.array([4, 2, 2, 0, 4]))
    mean = (1 + (3 + 3.5) / 2 + 5) / 3
    assert_allclose(found[:4, 0], X[:4, 0] - mean)
    assert_allclose(found[:4, 1], [1 / 3, 2 / 3, 2 / 3, 3 / 3])
    assert np.isnan(found[4]).all()
    X, topics = drawn()
    again, every = (
        np.r_[np.arange(len(X)), np.flatnonzero(topics == 2)[[0, 0, 1]]],
        relative_values(X, topics),
    )
    assert_allclose(relative_values(X[again], topics[again], again), every[again], atol=1e-12)


def test_a_topic_does_not_depend_on_the_others_nor_on_the_order_of_rows():
    X, topics = drawn()
    every, own = relative_values(X, topics), topics == 2
    assert_array_equal(relative_values(X[own], np.zeros(own.sum(), int)), every[own])
    assert_allclose(relative_values(X[::-1], topics[::-1])[::-1], every, rtol=0, atol=1e-15)


def test_among_systems_a_human_is_compared_with_nobody():
    keys = {"year": "1", "topic": ["a", "a", "b", "b"], "task": ["A", "A", "A", "B"]}
    table = pd.DataFrame({**keys, "human": [False, True, False, False]})
    assert compared_topics(table, "all_peers").tolist() == [0, 0, 1, 2]
    assert compared_topics(table, "no_models").tolist() == [0, -1, 1, 2]


def test_names_of_imported_metrics_may_have_any_sign():
    columns = ("r2@A", "a~b", "x~rank")
    assert plain_columns(relative_columns(columns)) == columns


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"columns": ("r2~rank", "r2~difference")},
            "within.columns: r2~rank, r2~difference; expected differences",
        ),
        ({"columns": ("r2",)}, "within.columns: r2; expected differences"),
        ({"formula": Linear((1.0,), 0.0)}, "within.formula: 1 weights; expected 2"),
        ({"n_least": 1}, "within.n_least: 1; expected 2 or more"),
    ],
)
def test_a_form_that_does_not_fit_is_refused(change, message):
    given = {"columns": relative_columns(["r2"]), "formula": Linear((1.0, 1.0), 0.0), "n_least": 3, **change}
    with pytest.raises(InputError, match=message):
        WithinForm(**given)


def test_means_are_added_up_in_the_order_of_the_rows_whatever_the_number_of_columns():
    rng = np.random.default_rng(3)
    topics, X = np.repeat(np.arange(7), 54), rng.normal(size=(7 * 54, 5))
    sums = np.zeros((7, 5))
    np.add.at(sums, topics, X)
    for one in (X, X[:, :1]):
        assert np.array_equal(topic_means(one, topics), (sums / 54)[topics, : one.shape[1]])
