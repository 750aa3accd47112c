"""The only human measure of a table need not be named, and one system is correlated over its items."""

import json

import numpy as np
import pandas as pd
import pytest

from classy_aesop import assessors, evaluate, evaluate_pairs, rater_reliability
from classy_aesop.cli import main
from classy_aesop.errors import UsageError


@pytest.fixture
def table():
    rng = np.random.default_rng(3)
    human = rng.normal(size=40).round(2)
    noise = rng.normal(size=(2, 40))
    return pd.DataFrame({"item": range(40), "gold_score": human, "bleu": human + noise[0], "rouge": noise[1]})


def test_the_only_human_measure_is_the_target(table, tmp_path, capsys):
    result = evaluate(table, interval="none")
    assert set(result["target"]) == {"gold_score"}
    assert set(result["metric"]) == {"bleu", "rouge"}
    table.to_csv(tmp_path / "scores.csv", index=False)
    assert main(["evaluate", str(tmp_path / "scores.csv"), "--interval", "none"]) == 0
    assert "bleu agrees best with gold_score" in capsys.readouterr().out


@pytest.mark.slow
def test_one_system_is_correlated_over_all_its_items(table):
    result = evaluate(table, coefficient="pearson").table.set_index("metric")
    assert set(result["level"]) == {"global"}
    expected = np.corrcoef(table["bleu"], table["gold_score"])[0, 1]
    assert result.loc["bleu", "value"] == pytest.approx(expected, abs=1e-12)
    assert result.loc["bleu", "low"] < expected < result.loc["bleu", "high"]


def test_several_human_measures_have_to_be_named(table, tmp_path, capsys):
    table.assign(human_fluency=1.0).to_csv(tmp_path / "scores.csv", index=False)
    assert main(["evaluate", str(tmp_path / "scores.csv")]) == 2
    assert "--target is missing, or a second table with judgments" in capsys.readouterr().err
    with pytest.raises(UsageError, match="target is missing"):
        evaluate(table.assign(human_fluency=1.0))
    with pytest.raises(UsageError, match="target is missing"):
        evaluate_pairs(table.rename(columns={"gold_score": "x"}))


def test_the_signature_says_which_interval_was_made(table, tmp_path, capsys):
    table.to_csv(tmp_path / "scores.csv", index=False)
    assert main(["evaluate", str(tmp_path / "scores.csv"), "-f", "json"]) == 0
    signature = json.loads(capsys.readouterr().out)["signature"]
    assert {"level:global", "interval:fisher"} <= {*signature.split("|")}
    assert "seed:" not in signature


def test_a_metric_in_rows_of_raters_is_no_rating(capsys, tmp_path):
    rows = [
        {
            "item": item,
            "model": model,
            "annotator": rater,
            "fluency": (item + place + number) % 5,
            "bertscore": place,
        }
        for item in range(8)
        for place, model in enumerate("abc")
        for number, rater in enumerate(["ann", "ben"])
    ]
    table = pd.DataFrame(rows)
    assert set(evaluate(table, interval="none")["metric"]) == {"bertscore"}
    assert set(assessors(table)["metric"]) == set(rater_reliability(table)["metric"]) == {"fluency"}
    assert set(assessors(table, metric="bertscore")["metric"]) == {"bertscore"}
    table.to_csv(tmp_path / "scores.csv", index=False)
    assert main(["evaluate", str(tmp_path / "scores.csv"), "--interval", "none"]) == 0
    assert "bertscore agrees with fluency" in capsys.readouterr().out
