"""Long tables side by side: no line is lost, none changes its place."""

import itertools

import numpy as np
import pandas as pd

from classy_aesop.report.arrangement import assessors, evaluation, pairs


def long_table(metrics):
    rows = [
        ("", "", metric, "quality", level, coefficient, value, 5, 4, 0)
        for (metric, value), level, coefficient in itertools.product(
            metrics, ("system", "input"), ("pearson", "kendall")
        )
    ]
    columns = ["year", "task", "metric", "target", "level", "coefficient", "value"]
    return pd.DataFrame(rows, columns=[*columns, "n_summarizers", "n_topics", "n_skipped"])


def test_rows_of_a_task_stand_together_in_an_evaluation_and_a_line_without_a_value_stays():
    wide = evaluation(long_table([("z", 0.5), ("constant", np.nan), ("a", 0.25)]))
    assert wide["metric"].tolist() == ["z", "z", "constant", "constant", "a", "a"]
    assert list(wide.columns[:5]) == ["metric", "target", "level", "pearson", "kendall"]
    assert wide["pearson"].tolist()[:2] == [0.5, 0.5]
    assert wide["pearson"].isna().tolist() == [False, False, True, True, False, False]
    # Before, the metrics of a second baseline stood below those of the first, task by task.
    both = [long_table([(metric, 0.5)]).assign(task=task) for metric in ("r", "js") for task in "AB"]
    assert evaluation(pd.concat(both))["task"].tolist() == [*"AAAA", *"BBBB"]


def test_the_surest_pairs_of_metrics_come_first_in_each_place():
    rows = [("B", 0.5), ("B", 0.01), ("A", np.nan), ("A", 0.02)]
    table = pd.DataFrame(rows, columns=["task", "p_overall"]).assign(first=list("abcd"))
    assert pairs(table)["first"].tolist() == ["b", "a", "d", "c"]


def test_the_row_of_all_assessors_has_a_name():
    assert assessors(pd.DataFrame({"assessor": ["", "P"]}))["assessor"].tolist() == ["all together", "P"]
    assert "assessor" not in assessors(pd.DataFrame({"assessor": ["", ""], "value": [0.5, 0.25]}))
