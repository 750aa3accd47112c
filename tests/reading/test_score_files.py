"""Every format becomes the same table, recognized or chosen by name; what is wrong in it is said in a line."""

import json
import math
import re
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import feature_table, read_humans, read_scores
from classy_aesop.data import COLUMNS, matrix, mean_ratings
from classy_aesop.errors import InputError
from classy_aesop.pages.formats import read_result, write_result
from classy_aesop.reading import byte_sources, merge_humans, read_metrics
from classy_aesop.tables.result import Result

FIXTURES = Path(__file__).parents[1] / "reading" / "fixtures"
NIST = FIXTURES / "GuidedSumm2010_eval" / "ROUGE" / "rouge_A.m.out"
AESOP = FIXTURES / "AESOP09_eval" / "data" / "aesop_allpeers_A"

TSV = "topic\tsummarizer\tm\nD1\t1\t0.5\nD1\t2\tNA\n"
LONG = "topic\tsummarizer\tmetric\tscore\nD1\t1\tm\t0.5\nD1\t2\tm\tNone\n"
JSONL = '{"instance_id": "D1", "summarizer_id": "1", "metrics": {"m": 0.5}}\n'
JSONL += '{"instance_id": "D1", "summarizer_id": "2", "metrics": {"m": null}}\n'
LIST, NAN = f"[{','.join(JSONL.splitlines())}]", JSONL.replace("null", "NaN")


@pytest.mark.parametrize(
    ("name", "text"), [("x.tsv", TSV), ("x", LONG), ("x.jsonl", JSONL), ("nan.jsonl", NAN), ("x.json", LIST)]
)
def test_one_table_whatever_the_format(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    frame = read_scores(tmp_path / name, year="2001")
    assert frame.iloc[0].tolist() == ["2001", "D1", "", "1", "m", 0.5]
    assert math.isnan(frame["score"].iloc[1])


def test_nist_and_aesop_are_recognized(tmp_path):
    assert set(read_scores(NIST)["metric"]) >= {"rouge-2.recall", "rouge-su4.f1"}
    assert read_scores(NIST, year="third-1")["year"].unique().tolist() == ["2010"]
    assert read_scores(AESOP, year="third-1")["metric"].unique().tolist() == ["1", "2", "3"]
    averages = "".join(f"1 ROUGE-{n} Average_R: 0.1 (95%-conf.int. 0.1 - 0.1)\n" for n in range(12))
    line = "1 BE-HM Eval D1001-A.M.100.F.1 R:0.1 P:0.2 F:0.3\n"
    (tmp_path / "out").write_text("-" * 45 + "\n" + averages + line)
    assert read_scores(tmp_path / "out")["metric"].tolist() == ["be-hm.recall", "be-hm.precision", "be-hm.f1"]


def test_systems_of_mt_metrics_eval(tmp_path):
    (tmp_path / "BLEU-refA.sys.score").write_text("sysA\t30.5\nsysB\tNone\n")
    frame = read_scores(tmp_path / "BLEU-refA.sys.score", year="wmt21")
    assert frame.iloc[0].tolist() == ["wmt21", "", "", "sysA", "BLEU-refA", 30.5]
    assert math.isnan(frame["score"].iloc[1])


def test_segments_of_mt_metrics_eval_are_numbered(tmp_path):
    (tmp_path / "chrF.seg.score").write_text("b\t1\nb\t2\nb\t3\na 4\na 5\na None\n")
    values, systems, topics = matrix(read_scores(tmp_path / "chrF.seg.score"), "chrF")
    assert (systems, topics) == (("a", "b"), ("1", "2", "3"))
    assert values[1].tolist() == [1, 2, 3]
    assert values[0, :2].tolist() == [4, 5]
    assert math.isnan(values[0, 2])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a\t1\na\t2\nb\t1\n", "system b has 1 lines and a has 2; expected equally many"),
        ("a\t1\t2\n", "line 1: 3 columns; expected a system and its score"),
        ("a\tx\n", "line 1: score is 'x'; expected a number"),
        ("", "the file is empty"),
        ("\u00a0\n", "the file is empty"),
    ],
)
def test_bad_mt_files_are_refused(tmp_path, text, says):
    (path := tmp_path / "m.seg.score").write_text(text)
    with pytest.raises(InputError, match=says) as caught:
        read_scores(path)
    assert str(caught.value).startswith(str(path))


def test_several_files_make_one_table(tmp_path):
    (tmp_path / "one.tsv").write_text(TSV)
    (tmp_path / "two.jsonl").write_text(JSONL.replace('"m"', '"n"'))
    frame = read_metrics([tmp_path / "one.tsv", tmp_path / "two.jsonl"], year="1")
    assert frame["metric"].tolist() == ["m", "m", "n", "n"]


def test_published_scores_are_read(shared):
    for corpus, n_rows in (("summeval", 1600), ("realsumm", 2400)):
        frame = read_scores(shared / "data" / corpus / "scores_bertscore.jsonl")
        assert frame["metric"].value_counts().to_dict() == {
            f"bertscore.{name}": n_rows for name in ("precision", "recall", "f1")
        }


def test_means_of_ratings_stay_what_they_were(tmp_path):
    """A mean that is read is the mean that was written, to the last digit."""
    table = pd.DataFrame([("", "D1", "", "1", "r", a, s) for a, s in (("x", 0.1), ("y", 0.2), ("z", 0.7))])
    table.columns = [*COLUMNS[:-1], "assessor", "score"]
    means = mean_ratings(table)
    with (tmp_path / "table.tsv").open("w", encoding="utf-8", newline="\n") as stream:
        write_result(Result(table, signature="made:up|version:0"), stream, "tsv")
    found = mean_ratings(read_scores(tmp_path / "table.tsv"))
    pd.testing.assert_frame_equal(found, means, check_exact=True)


# --- who is human ---


def humans_in(path, *rows):
    path.write_text("".join(json.dumps({"metrics": {"m": 1}, **row}) + "\n" for row in rows))
    return path


def test_json_lines_say_it_by_type_or_by_a_field(tmp_path):
    path = humans_in(
        tmp_path / "x.jsonl",
        {"instance_id": "D1-A", "summarizer_id": "A", "summarizer_type": "reference", "year": "2021"},
        {"instance_id": "D1-A", "summarizer_id": 1, "summarizer_type": "peer", "year": 2021},
        {"instance_id": "D1-A", "summarizer_id": "B", "summarizer_type": "peer", "human": True},
        {"instance_id": "D1", "summarizer_id": "2", "human": False},
        {"instance_id": "D1", "summarizer_id": "3"},
    )
    assert read_humans(path, year="2020") == {
        ("2021", "A"): True,
        ("2021", "1"): False,
        ("2020", "B"): True,
        ("2020", "2"): False,
    }


def test_tab_separated_values_say_it_by_a_column(tmp_path):
    text = "topic\tsummarizer\thuman\tm\nD1\t1\tFalse\t1\nD1\t\xc4\tTrue\t2\nD2\t\xc4\t1\t2\nD1\t3\t\t2\n"
    (tmp_path / "x.tsv").write_bytes(text.encode("cp1252"))
    expected = {("2021", "1"): False, ("2021", "\xc4"): True}
    assert read_humans(tmp_path / "x.tsv", year="2021", encoding="cp1252") == expected
    (tmp_path / "y.tsv").write_text("topic\tsummarizer\tm\nD1\t1\t1\n")
    assert read_humans(tmp_path / "y.tsv") == {}


def test_what_features_writes_is_read_back(tmp_path, corpora):
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
    for said, message in (
        ({"human": False}, "summarizer A is a human in one place and a system"),
        ({"human": "aye"}, "human is 'aye'; expected true or false"),
        ({"summarizer_type": "model"}, "summarizer_type is 'model'; expected peer or reference"),
    ):
        path = humans_in(tmp_path / "x.jsonl", {**row, "human": True}, {**row, **said})
        with pytest.raises(InputError, match=rf"x.jsonl, line 2: {message}"):
            read_humans(path)
    (tmp_path / "x.tsv").write_text("topic\tsummarizer\thuman\tm\nD1\t1\tmaybe\t1\n")
    with pytest.raises(InputError, match=r"x.tsv, line 2: human is 'maybe'; expected true or false"):
        read_humans(tmp_path / "x.tsv")


def test_several_sources_together():
    one, two = {("", "A"): True}, {("", "A"): True, ("", "1"): False}
    assert merge_humans(one, two) == two
    with pytest.raises(InputError, match="summarizer 2021 A is a human in one place and a system in another"):
        merge_humans({("2021", "A"): True}, {("2021", "A"): False})


# --- hostile files: one line with file, line, what was found and what was expected ---

ROW = '{{"topic": "1", "summarizer": "a", "metrics": {{"m": {}}}}}\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ROW.format("1" * 400), f"m is {'1' * 37}...; expected a number from -1e+100 to 1e+100"),
        (ROW.format("1e200"), "m is 1e+200; expected a number from -1e+100 to 1e+100"),
        (ROW.format("Infinity"), "m is infinite; expected a finite number"),
        (ROW.format("1e400"), "m is infinite; expected a finite number"),
        (
            ROW.format("1" * 5000),
            "invalid or truncated JSON (a whole number of 5000 digits); expected one object a line",
        ),
        ("[" * 100_000, "invalid or truncated JSON (it is nested too deeply); expected one object a line"),
        (ROW.replace('"a"', '"\\ud800"').format(1), "summarizer_id is '\\ud800'; expected whole characters"),
        (ROW.replace('"m"', '"\\ud800"').format(1), "metric is '\\ud800'; expected whole characters"),
        ('{"topic": "1"', "invalid or truncated JSON (Expecting ',' delimiter: line 1 column 14 (char 13))"),
    ],
)
def test_a_hostile_line_is_named(tmp_path, text, message):
    (path := tmp_path / "x.jsonl").write_text(text)
    with pytest.raises(InputError) as caught:
        read_scores(path)
    assert str(caught.value).startswith(f"{path}, line 1: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("score", ["1_000", "１２", "1e200", "0x1"])
def test_only_plain_numbers_are_scores(tmp_path, score):
    (tmp_path / "x.tsv").write_text(f"topic\tsummarizer\tm\n1\ta\t{score}\n")
    with pytest.raises(InputError, match=r"x.tsv, line 2: m is '.+'; expected a number"):
        read_scores(tmp_path / "x.tsv")


@pytest.mark.parametrize("name", ["x.tsv", "x.jsonl"])
def test_a_line_has_a_greatest_length(tmp_path, monkeypatch, name):
    monkeypatch.setattr(byte_sources, "MAX_LINE_BYTES", 50)
    (tmp_path / name).write_text(f"\n{'x' * 60}\n")
    with pytest.raises(InputError, match=f"{name}, line 2: longer than 50 bytes"):
        read_scores(tmp_path / name)


def test_an_id_is_of_whole_characters():
    """JSON can hold half a character, which no file in UTF-8 can: harmless in a text, but not in an id."""
    row = {"topic": "1", "text": "x\ud83d", "references": {"A": "y"}}
    with pytest.raises(InputError, match=r"record 1: summarizer_id is '.ud83d'; expected whole characters"):
        corpus_of_records([row | {"summarizer": "\ud83d"}])
    corpus_of_records([row | {"summarizer": "\U0001f600"}])


@pytest.mark.slow
def test_a_row_far_below_the_end_of_a_sheet_is_refused_at_once(tmp_path):
    """The rows before it would be made one by one, until memory is full."""
    openpyxl = pytest.importorskip("openpyxl")
    book, path, far = openpyxl.Workbook(), tmp_path / "x.xlsx", tmp_path / "far.xlsx"
    for row in (("topic", "system", "m"), ("D1", "1", 0.5), ("D1", "2", 0.25)):
        book.active.append(row)
    book.save(path)
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(far, "w") as changed:
        for name in archive.namelist():
            changed.writestr(name, re.sub(rb'( r="[A-C]?)3"', rb'\g<1>2000000"', archive.read(name)))
    assert len(read_scores(path)) == 2
    for read in (read_scores, read_result):
        with pytest.raises(InputError, match=r"far\.xlsx: more than 1,048,576 rows; expected a workbook"):
            read(far)


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["xlsx", "parquet"])
def test_a_table_with_any_bit_turned_over_is_refused_or_the_same(tmp_path, ending):
    """By its readers: libraries raise nearly anything for damage."""
    pytest.importorskip({"xlsx": "openpyxl", "parquet": "pyarrow"}[ending])
    path, table = tmp_path / f"x.{ending}", {"topic": ["D1", "D2"], "system": ["1", "2"], "m": [0.5, 0.25]}
    getattr(pd.DataFrame(table), f"to_{'excel' if ending == 'xlsx' else ending}")(path, index=False)
    content, right, said = path.read_bytes(), read_scores(path), []
    start = content.index(b"xl/worksheets/sheet1.xml") if ending == "xlsx" else len(content) - 120
    for at in range(start, start + 120):
        path.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        try:
            found = read_scores(path)
        except InputError as error:
            said.append(str(error).removeprefix(f"{path}: "))
        else:
            assert ending == "parquet" or found.equals(right)  # Parquet has no checksum
    assert len(said) > 20
    if ending == "xlsx":
        assert all(one.startswith("not a whole workbook of Excel (") and "\n" not in one for one in said)
