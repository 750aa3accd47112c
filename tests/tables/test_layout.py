"""Tables as readers get them: what rounding left of zero is zero, and small numbers of their own scale stay."""

import pandas as pd

from classy_aesop.answers.systems import SYSTEM_RANKING
from classy_aesop.tables.layout import lay_out, round_noise, spread_columns
from classy_aesop.tables.result import Result


def test_numbers_of_small_scores_stay():
    table = pd.DataFrame({"summarizer": ["a", "b"], "mean": [2e-200, 1e-201], "low": 1e-201, "high": 3e-200})
    pd.testing.assert_frame_equal(round_noise(table, SYSTEM_RANKING), table)
    noisy = pd.DataFrame({"summarizer": ["a", "b"], "mean": [0.5, -2e-17], "low": -1.0, "high": 1.0})
    assert round_noise(noisy, SYSTEM_RANKING)["mean"].tolist() == [0.5, 0.0]
    assert Result(noisy).table["mean"].tolist() == [0.5, -2e-17]  # files have what was computed


def test_a_column_without_a_name_is_no_other_column():
    """A damaged file has such a column; most columns declare no other one that they may equal."""
    table = pd.DataFrame({"": ["x", "y"], "summarizer": ["a", "b"], "mean": [2.0, 1.0]})
    assert lay_out(table, SYSTEM_RANKING).whole["mean"].tolist() == [2.0, 1.0]


def test_a_column_is_spread_whatever_its_values_are_called():
    """A group of features is called repetition, as rows that occur twice were numbered."""
    rows = [
        ("a", "repetition", 1.0),
        ("a", "classic", 2.0),
        ("b", "repetition", 3.0),
        ("a", "repetition", 4.0),
    ]
    table = pd.DataFrame(rows, columns=["summarizer", "part", "contribution"])
    wide = spread_columns(table, ["summarizer"], "part", "contribution")
    assert wide["summarizer"].tolist() == ["a", "b", "a"]
    assert wide["repetition"].tolist() == [1.0, 3.0, 4.0]
