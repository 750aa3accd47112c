"""Scores taken apart: sums by hand. That they sum to the predictions is in tests/training/test_intervals.py."""

import numpy as np
import pandas as pd

from classy_aesop.formulas import Linear
from classy_aesop.formulas.base import BASELINE_PART
from classy_aesop.predictor.within import explanation, sum_by_group

COLUMNS = ("r2", "su4", "flow_next", "bertscore")


def parts(X):
    keys = pd.DataFrame({"topic": ["t1", "t2"][: len(X)], "summarizer": "s"})
    means = np.array([[0.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 2.0]]).mean(axis=0)
    added, baseline = Linear((1.0, 2.0, 4.0, 8.0), 0.5).contributions(np.array(X), means)
    every = np.hstack([np.full((len(X), 1), baseline), added])
    return explanation(keys, (BASELINE_PART, *COLUMNS), np.array(X), means, every)


def test_groups_by_hand():
    """The means are 1: the baseline is 15.5, and (3, 2, 1, 0) adds 2, 2, 0 and -8."""
    found = sum_by_group(parts([[3.0, 2.0, 1.0, 0.0]]))
    assert found["part"].tolist() == [BASELINE_PART, "classic", "flow", "bertscore"]
    assert found["contribution"].tolist() == [15.5, 4.0, 0.0, -8.0]


def test_a_missing_value_leaves_its_group_missing_for_its_summary_alone():
    found = sum_by_group(parts([[3.0, np.nan, 1.0, 0.0], [1.0, 1.0, 2.0, 1.0]]))
    assert found[found["contribution"].isna()][["topic", "part"]].values.tolist() == [["t1", "classic"]]
    assert found.loc[found["topic"] == "t2", "contribution"].tolist() == [15.5, 0.0, 4.0, 0.0]
