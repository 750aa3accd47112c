"""Which instances two tables share, and how they are laid out."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.analysis.tables import judged_grids, only, places, with_enough
from classy_aesop.errors import DataWarning, InputError, UsageError


def test_grids_are_the_matrices_in_natural_order(tables, judged, shuffle):
    grids = judged_grids(*map(shuffle, tables), "human")
    assert [(grid.year, grid.task) for grid in grids] == [("2021", "A"), ("2021", "B")]
    assert list(grids[0].metrics) == ["m1", "m2", "m10"]
    assert grids[0].summarizers == tuple("123456")
    np.testing.assert_array_equal(grids[0].truth, judged["human"])
    np.testing.assert_array_equal(grids[0].metrics["m1"], judged["m1"])
    np.testing.assert_array_equal(grids[1].metrics["m10"], judged["m10"][:, ::-1])


def test_what_only_one_table_has_is_left_out_with_a_warning(table_of):
    scores = pd.concat([table_of([[1, 2], [3, 4], [5, 6]], "m1"), table_of([[7, 8]], "m2")])
    judgments = table_of([[1, 2], [2, 3], [9, 9]], "human", names=["1", "2", "9"])
    with pytest.warns(DataWarning) as told:
        (grid,) = judged_grids(scores, judgments, "human")
    assert [str(warning.message).split(" are")[0] for warning in told] == [
        "2 scores without a judgment", "2 judgments without a score"
    ]  # fmt: skip
    assert grid.summarizers == ("1", "2")
    np.testing.assert_array_equal(grid.metrics["m2"], [[7, 8], [np.nan, np.nan]])


def test_only_one_year_or_task(tables):
    (grid,) = judged_grids(*tables, "human", metrics=["m2"], task="B")
    assert (grid.task, list(grid.metrics)) == ("B", ["m2"])
    with pytest.raises(UsageError, match="no year '1999'; known: 2021"):
        judged_grids(*tables, "human", year="1999")


def test_ratings_of_assessors_are_averaged(table_of):
    ratings = [
        table_of(values, "human").assign(assessor=name)
        for name, values in (("x", [[1], [2]]), ("y", [[3], [2]]))
    ]
    (grid,) = judged_grids(table_of([[1], [2]], "m1"), pd.concat(ratings), "human")
    np.testing.assert_array_equal(grid.truth, [[2], [2]])


def test_unknown_names_list_the_known(tables):
    with pytest.raises(UsageError, match="no metric 'm3'; known: m1, m2, m10"):
        only(tables[0], "metric", ["m1", "m3"])


def test_places_with_too_few_are_reported(tables):
    assert list(places(tables[0])) == [("2021", "A"), ("2021", "B")]
    with pytest.warns(
        DataWarning, match=r"left out: too few metrics to compare \(2021-B: 1\); expected 2 or more"
    ):
        assert with_enough({("2021", "A"): 2, ("2021", "B"): 1}, 2, "metrics") == {("2021", "A")}
    with pytest.raises(InputError, match=r"too few summarizers to compare \(there: 0\)"):
        with_enough({("", ""): 0}, 2, "summarizers")
    with pytest.raises(InputError, match=r"too few summarizers to compare \(none\)"):
        with_enough({}, 2, "summarizers")


def test_a_task_of_which_a_metric_has_no_score_is_as_if_it_were_not_there():
    keys = [("1", topic, task, one) for topic in "xy" for task in "AB" for one in "ab"]
    table = pd.DataFrame(keys, columns=["year", "topic", "task", "summarizer"]).assign(metric="m", score=1.0)
    scores = table.assign(score=table["score"].where(table["task"] == "A"))
    with pytest.warns(DataWarning):
        assert [grid.task for grid in judged_grids(scores, table.assign(metric="t"), "t")] == ["A"]
