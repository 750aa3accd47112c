"""Who is human: what files of scores say, and what several say together."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from classy_aesop import read_humans
from classy_aesop.data import joined_humans
from classy_aesop.errors import InputError

FIXTURES = Path(__file__).parents[1] / "data" / "fixtures"
NIST = FIXTURES / "GuidedSumm2010_eval" / "ROUGE" / "rouge_A.m.out"
AESOP = FIXTURES / "AESOP09_eval" / "data" / "aesop_allpeers_A"


def json_lines(path, *rows):
    path.write_text("".join(json.dumps({"metrics": {"m": 1}, **row}) + "\n" for row in rows))
    return path


def test_json_lines_say_it_by_type_or_by_a_field(tmp_path):
    path = json_lines(
        tmp_path / "x.jsonl",
        {"instance_id": "D1-A", "summarizer_id": "A", "summarizer_type": "reference", "year": "2021"},
        {"instance_id": "D1-A", "summarizer_id": 1, "summarizer_type": "peer", "year": 2021},
        {"instance_id": "D1-A", "summarizer_id": "B", "summarizer_type": "peer", "human": True},
        {"topic": "D1", "summarizer": "2", "human": False},
        {"topic": "D1", "summarizer": "3"},
    )
    assert read_humans(path, year="2020") == {
        ("2021", "A"): True,
        ("2021", "1"): False,
        ("2020", "B"): True,
        ("2020", "2"): False,
    }


def test_tab_separated_values_say_it_by_a_column(tmp_path):
    (tmp_path / "x.tsv").write_text(
        "topic\tsummarizer\thuman\tm\nD1\t1\tFalse\t1\nD1\tA\tTrue\t2\nD2\tA\t1\t2\nD1\t3\t\t2\n"
    )
    assert read_humans(tmp_path / "x.tsv", year="2021") == {("2021", "1"): False, ("2021", "A"): True}
    (tmp_path / "y.tsv").write_text("topic\tsummarizer\tm\nD1\t1\t1\n")
    assert read_humans(tmp_path / "y.tsv") == {}


def test_another_encoding_is_that_of_the_scores(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_bytes(
        "topic\tsummarizer\thuman\tm\nD1\tM\xfcller\tTrue\t1\nD1\t1\tFalse\t2\n".encode("cp1252")
    )
    assert read_humans(path, encoding="cp1252") == {("", "M\xfcller"): True, ("", "1"): False}


def test_what_features_writes_is_read_back(tmp_path, corpora):
    from classy_aesop import feature_table
    from classy_aesop.report.formats import write_result
    from classy_aesop.report.result import Result

    table = feature_table(corpora["2021"], names=["r2"])
    expected = dict(zip(zip(table["year"], table["summarizer"], strict=True), table["human"], strict=True))
    assert set(expected.values()) == {True, False}
    formats = ["tsv", "jsonl", "json", *(["parquet"] if find_spec("pyarrow") else [])]
    for format in formats:
        path = tmp_path / f"features.{format}"
        with path.open("w") as stream:
            write_result(Result(table, signature="signature"), stream, format)
        assert read_humans(path) == expected, format
    assert read_humans((tmp_path / "features.jsonl").rename(tmp_path / "features.ndjson")) == expected


def test_nist_numbers_systems(tmp_path):
    for path in (NIST, AESOP):
        humans = read_humans(path)
        assert humans
        assert all(human == (not name.isdigit()) for (_, name), human in humans.items())
    (tmp_path / "out").write_text(
        "".join(f"{name} ROUGE-2 Eval D1001-A.M.100.F.{name} R:0.1 P:0.2 F:0.3\n" for name in "1C")
    )
    assert read_humans(tmp_path / "out") == {("2010", "1"): False, ("2010", "C"): True}


def test_contradictions_and_wrong_words_are_refused_with_their_line(tmp_path):
    row = {"topic": "D1", "summarizer": "A"}
    path = json_lines(tmp_path / "x.jsonl", {**row, "human": True}, {**row, "human": False})
    with pytest.raises(
        InputError, match=r"x.jsonl, line 2: summarizer A is a human in one place and a system"
    ):
        read_humans(path)
    with pytest.raises(InputError, match="line 1: human is 'aye'; expected true or false"):
        read_humans(json_lines(tmp_path / "y.jsonl", {**row, "human": "aye"}))
    with pytest.raises(InputError, match="line 1: summarizer_type is 'model'; expected peer or reference"):
        read_humans(json_lines(tmp_path / "z.jsonl", {**row, "summarizer_type": "model"}))
    (tmp_path / "x.tsv").write_text("topic\tsummarizer\thuman\tm\nD1\t1\tmaybe\t1\n")
    with pytest.raises(InputError, match=r"x.tsv, line 2: human is 'maybe'; expected true or false"):
        read_humans(tmp_path / "x.tsv")


def test_several_sources_together():
    one, two = {("", "A"): True}, {("", "A"): True, ("", "1"): False}
    assert joined_humans(one, two) == two
    with pytest.raises(InputError, match="summarizer 2021 A is a human in one place and a system in another"):
        joined_humans({("2021", "A"): True}, {("2021", "A"): False})
