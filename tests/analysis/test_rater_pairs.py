"""How well raters agree: the published examples from a table with a column a rater, pairs, and each with the others."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop import assessor_agreement
from classy_aesop.analysis.assessors import MOST_PAIRED, THE_OTHERS
from classy_aesop.errors import NOTE
from classy_aesop.significance.alpha import krippendorff_alpha

CASES = json.loads((Path(__file__).parents[1] / "oracles" / "krippendorff.json").read_text())["cases"]
CASE = next(case for case in CASES if case["id"] == "kripp2011_C")


def wide_of(data):
    """Make a table with a row a unit and a column a rater."""
    columns = {f"rating_{at}": row for at, row in enumerate(data, 1)}
    return pd.DataFrame({"doc": range(len(data[0])), "system": "s", **columns})


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval", "ratio"])
def test_the_published_alpha_of_a_table_with_a_column_a_rater(scale):
    table = assessor_agreement(wide_of(CASE["data"]), scale=scale, n_resamples=9)
    first = table.iloc[0]
    assert (first["metric"], first["assessor"], first["other"]) == ("rating", "", "")
    assert first["value"] == pytest.approx(CASE["expected"][scale], rel=1e-12)
    assert (table["other"] == THE_OTHERS).sum() == (0 if scale == "nominal" else 4)
    assert (~table["other"].isin(["", THE_OTHERS])).sum() == 6


def test_pairs_and_each_against_the_mean_of_the_others():
    data = np.array(CASE["data"], dtype=float)
    table = assessor_agreement(wide_of(data), n_resamples=9).set_index(["assessor", "other"])["value"]
    assert table["2", "4"] == pytest.approx(krippendorff_alpha(data[[1, 3]]).value, rel=1e-12)
    others = pd.DataFrame(data[[0, 2, 3]]).mean()
    assert table["2", THE_OTHERS] == pytest.approx(krippendorff_alpha([data[1], others]).value, rel=1e-12)
    assert list(table.index[:2]) == [("", ""), ("1", THE_OTHERS)]


def test_two_raters_are_one_row_and_many_have_no_row_a_pair(caplog):
    rng = np.random.default_rng(3)
    many = rng.integers(1, 6, (MOST_PAIRED + 1, 8)).tolist()
    assert len(assessor_agreement(wide_of(many[:2]), n_resamples=9)) == 1
    caplog.set_level(NOTE, "classy_aesop")
    assert len(assessor_agreement(wide_of(many), n_resamples=9)) == 1 + len(many)
    assert "rating: pairs of 13 raters are not listed" in caplog.text


def test_the_command_answers_how_well_raters_agree(tmp_path, capsys):
    """From ratings alone, and from a corpus with a row a rater: by units of summaries, not of identical texts."""
    from classy_aesop.cli import main

    wide = wide_of(CASE["data"])
    wide.to_csv(tmp_path / "ratings.csv", index=False)
    long = wide.melt(["doc", "system"], var_name="rater", value_name="rating").dropna()
    long.assign(summary="The same text.").to_csv(tmp_path / "long.csv", index=False)
    found = []
    for command in (["ratings.csv"], ["--corpus", "long.csv"]):
        arguments = [part if part.startswith("--") else str(tmp_path / part) for part in command]
        assert main(["assessors", *arguments, "-f", "jsonl", "-r", "9", "-q"]) == 0
        found.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    assert [row["value"] for row in found[0]] == [row["value"] for row in found[1]]
    assert found[0][0]["value"] == pytest.approx(CASE["expected"]["interval"])
    assert found[0][0]["units"] == "summaries"
