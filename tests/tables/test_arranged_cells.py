"""Long tables side by side: no line is lost, none changes its place."""

import itertools

import numpy as np
import pandas as pd

from classy_aesop.answers.assessors import ALPHA_OF_RATERS, name_all_assessors
from classy_aesop.answers.correlation_tables import EVALUATION, correlation_columns, spread_correlations
from classy_aesop.answers.systems import SYSTEM_RANKING
from classy_aesop.papers.deutsch_2021 import METRIC_PAIRS
from classy_aesop.tables.layout import arrange_cells, cell_text, interval_cell


def long_table(metrics):
    cells = itertools.product(metrics, ("system", "input"), ("pearson", "kendall"))
    rows = [
        ("", "", metric, "quality", level, name, value, 5, 4, 0) for (metric, value), level, name in cells
    ]
    columns = ["year", "task", "metric", "target", "level", "coefficient", "value"]
    return pd.DataFrame(rows, columns=[*columns, "n_summarizers", "n_topics", "n_skipped"])


def test_rows_of_a_task_stand_together_in_an_evaluation_and_a_line_without_a_value_stays():
    wide = spread_correlations(long_table([("z", 0.5), ("constant", np.nan), ("a", 0.25)]))
    assert wide["metric"].tolist() == ["z", "a", "constant"]
    columns = ["system pearson", "system kendall", "input pearson", "input kendall"]
    assert correlation_columns(wide) == columns
    assert wide[columns].iloc[0].tolist() == [0.5] * 4
    assert wide[columns].isna().all(axis=1).tolist() == [False, False, True]
    # Before, the metrics of a second baseline stood below those of the first, task by task.
    both = [long_table([(metric, 0.5)]).assign(task=task) for metric in ("r", "js") for task in "AB"]
    assert spread_correlations(pd.concat(both))["task"].tolist() == [*"AA", *"BB"]


def test_several_targets_are_columns_and_each_level_and_coefficient_has_rows_of_its_own():
    both = pd.concat(
        long_table([("a", 0.5), ("b", x)]).assign(target=t) for t, x in (("t", 0.75), ("u", np.nan))
    )
    wide = spread_correlations(both.assign(low=0.25, high=1.0))
    assert correlation_columns(wide) == ["t", "u"]
    places = wide[["level", "coefficient"]].drop_duplicates().agg(" ".join, axis=1).tolist()
    assert places == ["system pearson", "system kendall", "input pearson", "input kendall"]
    assert wide[["metric", "t", "u"]].head(2).to_numpy().tolist() == [
        ["b", "0.750 [0.250, 1.000]", "- [0.250, 1.000]"], ["a", "0.500 [0.250, 1.000]", "0.500 [0.250, 1.000]"]
    ]  # fmt: skip
    alone, _ = arrange_cells(both[(both["level"] == "input") & (both["target"] == "t")], EVALUATION)
    assert list(alone.columns[:5]) == ["level", "target", "metric", "pearson", "kendall"]


def test_the_surest_pairs_of_metrics_come_first_in_each_place():
    table = pd.DataFrame([("B", 0.5), ("B", 0.01), ("A", np.nan), ("A", 0.02)], columns=["task", "p_overall"])
    cells, _ = arrange_cells(table.assign(first=list("abcd"), second="z"), METRIC_PAIRS)
    assert cells["first"].tolist() == ["b", "a", "d", "c"]


def test_the_row_of_all_assessors_has_a_name():
    assert name_all_assessors(pd.DataFrame({"assessor": ["", "P"]}))["assessor"].tolist() == [
        "all together",
        "P",
    ]
    table = pd.DataFrame({"assessor": ["", ""], "value": [0.5, 0.25]})
    assert "assessor" not in arrange_cells(table, ALPHA_OF_RATERS)[0]


def test_a_missing_rank_is_not_shown():
    ranks = {"rank": [1, None], "best_rank": [1, None], "worst_rank": [2, None]}
    table = pd.DataFrame({"mean": 1.0, "low": 0.0, "high": 2.0} | ranks).astype(dict.fromkeys(ranks, "Int64"))
    assert arrange_cells(table, SYSTEM_RANKING)[0]["rank"].tolist() == ["1 (1 to 2)", "-"]


def test_a_zero_has_no_sign():
    assert [cell_text(value) for value in (-0.0, np.float64(-0.0), -1e-301)] == ["0.000"] * 3
    assert interval_cell(0.0, -0.0, -0.0) == "0.000 [0.000, 0.000]"
    assert cell_text(-0.0004) == "-4e-04"
    assert cell_text(-0.0006) == "-0.001"
