"""Agreement of assessors from tables: by hand, and the same as on the arrays."""

import itertools
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop import assessors
from classy_aesop.answers.assessors import (
    ALPHA_OF_RATERS,
    MAX_PAIRED_RATERS,
    OF_ALPHA,
    THE_OTHERS,
)
from classy_aesop.errors import NOTE, InputError, UsageError
from classy_aesop.significance.raters.krippendorff import krippendorff_alpha

PAIRS = [(3, 3), (2, 3), (4, 4), (5, 4), (1, 1)]  # alpha .8875 (interval), .907692 (ordinal)


def ratings_of(rows):
    columns = ["year", "topic", "task", "summarizer", "metric", "assessor", "score"]
    return pd.DataFrame(rows, columns=columns).astype({"score": float})


@pytest.fixture
def ratings():
    """Five summaries with two ratings each, in tables of two tasks; one more has a single rating."""
    rows = [
        ("2021", "t1", task, str(summary), "overall", assessor, score)
        for task in "AB"
        for summary, pair in enumerate(PAIRS)
        for assessor, score in zip("xy", pair, strict=True)
    ]
    return ratings_of([*rows, ("2021", "t1", "A", "9", "overall", "x", 5)])


def ratings_by(rated, metric="overall"):
    rows = [
        ("2021", topic, "A", str(system), metric, assessor, float(score))
        for topic, (assessor, scores) in rated.items()
        for system, score in enumerate(scores, start=1)
    ]
    return ratings_of(rows)


@pytest.mark.parametrize(("scale", "value"), [("interval", 0.8875), ("ordinal", 0.907692)])
def test_assessors_with_each_other_by_hand(ratings, scale, value):
    table = assessors(ratings, scale=scale).table
    assert list(table) == ALPHA_OF_RATERS.names
    assert list(table["task"]) == ["A", "B"]
    assert list(table["value"]) == pytest.approx([value, value], abs=5e-7)
    assert table[["n_units", "n_pairs", "n_ratings"]].to_numpy().tolist() == [[5, 5, 10], [5, 5, 10]]
    assert list(table["n_single"]) == [1, 0]


def test_it_is_the_alpha_of_the_array_whatever_the_order_of_rows(ratings, shuffle):
    table = assessors(shuffle(ratings)).table
    found = krippendorff_alpha(np.transpose(PAIRS))
    for name in (column.name for column in OF_ALPHA):
        np.testing.assert_equal(table[name][1], getattr(found, name))
    pd.testing.assert_frame_equal(assessors(ratings).table, table)


def test_what_cannot_be_done(ratings):
    with pytest.raises(InputError, match="no assessors among the ratings"):
        assessors(ratings.drop(columns="assessor"))
    with pytest.raises(InputError, match="no ratings"):
        assessors(ratings.assign(score=np.nan))
    with pytest.raises(UsageError, match="confidence is 95"):
        assessors(ratings, confidence=95)


def test_nearly_all_ratings_the_same_by_hand():
    # one rating of 2 of 50 units is 0, all others are 1: alpha = 1 - 99 * (2 pairs * 2) / (2 * 98 pairs * 2)
    scores = [[0, 1], [1, 0], *[[1, 1]] * 48]
    rows = [
        ("2021", f"t{unit}", "A", "1", "ok", rater, score)
        for unit, pair in enumerate(scores)
        for rater, score in zip("xy", pair, strict=True)
    ]
    result = assessors(ratings_of(rows))
    row = result.table.iloc[0]
    assert (row["agreement"], row["mode_share"]) == (0.96, 0.98)
    assert row["value"] == pytest.approx(1 - 99 * 2 / (2 * 98))
    assert result.sentence.endswith(
        "a share of 0.960 are equal. Nearly all ratings are the same (98.0% of them): most pairs are then equal by "
        "chance, and alpha depends on the few others."
    )
    assert (
        "Nearly all"
        not in assessors(ratings_of([(*row[:6], unit % 3) for unit, row in enumerate(rows)])).sentence
    )


CASES = json.loads((Path(__file__).parents[1] / "oracles" / "krippendorff.json").read_text())["cases"]
CASE = next(case for case in CASES if case["id"] == "kripp2011_C")


def wide_of(data):
    """Make a table with a row a unit and a column a rater."""
    columns = {f"rating_{at}": row for at, row in enumerate(data, 1)}
    return pd.DataFrame({"doc": range(len(data[0])), "system": "s", **columns})


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_the_published_alpha_of_a_table_with_a_column_a_rater(scale):
    table = assessors(wide_of(CASE["data"]), scale=scale).table
    first = table.iloc[0]
    assert (first["metric"], first["assessor"], first["other"]) == ("rating", "", "")
    assert first["value"] == pytest.approx(CASE["expected"][scale], rel=1e-12)
    assert (table["other"] == THE_OTHERS).sum() == (0 if scale == "nominal" else 4)
    assert (~table["other"].isin(["", THE_OTHERS])).sum() == 6


def test_pairs_and_each_against_the_mean_of_the_others():
    data = np.array(CASE["data"], dtype=float)
    table = assessors(wide_of(data)).table.set_index(["assessor", "other"])["value"]
    assert table["2", "4"] == pytest.approx(krippendorff_alpha(data[[1, 3]]).value, rel=1e-12)
    others = pd.DataFrame(data[[0, 2, 3]]).mean()
    assert table["2", THE_OTHERS] == pytest.approx(krippendorff_alpha([data[1], others]).value, rel=1e-12)
    assert list(table.index[:2]) == [("", ""), ("1", THE_OTHERS)]


@pytest.mark.slow
def test_two_raters_are_one_row_and_many_have_no_row_a_pair(caplog):
    rng = np.random.default_rng(3)
    many = rng.integers(1, 6, (MAX_PAIRED_RATERS + 1, 8)).tolist()
    assert len(assessors(wide_of(many[:2])).table) == 1
    caplog.set_level(NOTE, "classy_aesop")
    assert len(assessors(wide_of(many)).table) == 1 + len(many)
    assert "rating: pairs of 13 raters are not listed" in caplog.text


def test_the_command_answers_how_well_raters_agree(tmp_path, capsys):
    """From ratings alone, and from a corpus with a row a rater."""
    from classy_aesop.cli import main

    wide = wide_of(CASE["data"])
    wide.to_csv(tmp_path / "ratings.csv", index=False)
    long = wide.melt(["doc", "system"], var_name="rater", value_name="rating").dropna()
    long.assign(summary="The same text.").to_csv(tmp_path / "long.csv", index=False)
    found = []
    for command in (["ratings.csv"], ["--corpus", "long.csv"]):
        arguments = [part if part.startswith("--") else str(tmp_path / part) for part in command]
        assert main(["assessors", *arguments, "-f", "jsonl", "-q"]) == 0
        found.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    assert [row["value"] for row in found[0]] == [row["value"] for row in found[1]]
    assert found[0][0]["value"] == pytest.approx(CASE["expected"]["interval"])


def rated_once(raters=("x", "y"), n_topics=30):
    """One rating a cell of three systems, by a rater drawn at random."""
    rng = np.random.default_rng(0)
    rows = [
        ("2021", f"t{topic}", "A", system, "overall", rng.choice(raters), rng.normal(3))
        for topic, system in itertools.product(range(n_topics), "abc")
    ]
    return ratings_of(rows)


def test_one_rating_a_cell_says_nothing_of_agreement():
    answer = assessors(rated_once())
    (row,) = answer.table.itertuples()
    assert (row.flag, row.n_single) == ("no unit with two ratings", 90)
    assert answer.sentence == "Krippendorff's alpha is undefined (no unit with two ratings)."


def test_a_blank_rater_is_not_all_raters():
    rows = rated_once()
    everyone = pd.concat([rows.assign(assessor=name) for name in ("", "p", "q", "r")])
    table = assessors(everyone).table
    assert table["assessor"].tolist()[:4] == ["", "p", "q", "r"]
    assert table["other"].tolist() == ["", *[THE_OTHERS] * 3, "q", "r", "r"]
    assert table["n_ratings"][0] == 360
