"""Intervals, means and contributions from the command line."""

import json

import pytest

from classy_aesop.cli import main
from classy_aesop.features.base import GROUPS


@pytest.fixture
def predictor(trained):
    """The file of a calibrated run."""
    return str(trained[0] / "predictors" / "6-A-no_models.json")


def rows_of(capsys, *arguments):
    assert main([*arguments, "-q", "-f", "json"]) == 0
    return json.loads(capsys.readouterr().out)["rows"]


@pytest.mark.slow
def test_intervals_means_and_contributions_agree(folder, predictor, capsys):
    data = str(folder / "2023")
    rows = rows_of(capsys, "predict", predictor, data, "--confidence", "0.8")
    rows = [row for row in rows if row["score"] is not None]  # the predictor is for one of the tasks
    assert all(row["low"] < row["score"] < row["high"] for row in rows)
    means = rows_of(capsys, "predict", predictor, data, "--confidence", "0.8", "--means")
    own = [row["score"] for row in rows if row["summarizer"] == means[0]["summarizer"]]
    assert means[0]["mean"] == pytest.approx(sum(own) / len(own))
    parts = rows_of(capsys, "explain", predictor, data)
    first = [row["contribution"] for row in parts if row["topic"] == rows[0]["topic"]][
        : len(parts) // len(rows)
    ]
    assert sum(first) == pytest.approx(rows[0]["score"], abs=1e-9)
    grouped = rows_of(capsys, "explain", predictor, data, "--groups")
    summed = [row["contribution"] for row in grouped[: len(grouped) // len(rows)]]
    assert sum(summed) == pytest.approx(rows[0]["score"], abs=1e-9)
    assert {row["part"] for row in grouped} <= {"baseline", *GROUPS}
    assert main(["explain", predictor, data, "-q"]) == 0
    assert "moves the scores most" in capsys.readouterr().out.splitlines()[0]


@pytest.mark.slow
def test_a_confidence_beyond_the_topics_is_one_line(folder, predictor, capsys):
    assert main(["predict", predictor, str(folder / "2023"), "--confidence", "0.99", "-q"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "no interval of confidence 0.99: calibrated on 5 topics" in told.err
