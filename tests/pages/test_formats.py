"""What a command writes is read again as it was: its table with the types of its columns, its kind, its signature."""

import io

import numpy as np
import pandas as pd
import pytest

import classy_aesop
from classy_aesop.errors import InputError
from classy_aesop.pages.formats import TABLE_FORMATS, read_result, save_result, write_result
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import METRIC, YEAR, p_value, remark, setting

ENDINGS = ("tsv", "csv", "json", "jsonl", "parquet", "xlsx")
SIGNATURE = "command:study x|alpha:0.05|version:1"
ANY = pd.DataFrame(
    {
        "topic": ["01", "02", 'a,\t"b"\nc'],
        "score": [0.1 + 0.2, np.nan, -1e-300],
        "value": [np.nan] * 3,
        "n": [1, 2, 3],
        "low": pd.array([1, None, 3], dtype="Int64"),
        "high": pd.array([1, 2, 3], dtype="Int64"),
        "significant": [True, False, True],
        "verdict": ["", "equivalent", ""],
    }
)


def written(result, path, format):
    if format == "parquet":
        pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
    if format == "xlsx":
        pytest.importorskip("openpyxl", reason="openpyxl is not installed (extra excel)")
    with path.open("w", encoding="utf-8", newline="") as stream:
        write_result(result, stream, format)
    return path


@pytest.mark.parametrize("format", ENDINGS)
def test_a_result_comes_back(format, tmp_path):
    result = Result(ANY, kind="study x", signature=SIGNATURE)
    found = read_result(written(result, tmp_path / f"t.{format}", format))
    pd.testing.assert_frame_equal(found.table, result.table, check_exact=True)
    assert (found.kind, found.signature) == (result.kind, result.signature)


def test_every_format_for_programs_comes_back():
    assert set(ENDINGS) == {
        name for name, format in TABLE_FORMATS.items() if name not in ("text", "latex", "markdown", "html")
    }


@pytest.mark.parametrize("format", ENDINGS)
def test_a_table_of_somebody_else_is_one_of_scores_or_no_known_kind(format, tmp_path):
    scores = pd.DataFrame({"topic": ["1"], "summarizer": ["2"], "metric": ["m"], "score": [0.5]})
    for table, kind in ((scores, "scores"), (scores.drop(columns="metric"), "")):
        found = read_result(written(Result(table), tmp_path / f"t.{format}", format))
        pd.testing.assert_frame_equal(found.table, table)
        assert (found.kind, found.signature) == (kind, "")


def test_a_cell_of_json_that_is_an_object_is_refused_with_its_place(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(
        '[{"signature": "command:compare|version:1", "summarizer": "a", "mean": {"b": 1}}, {"summarizer": "b"}]'
    )
    with pytest.raises(InputError, match=r"mean is .*; expected a number"):
        read_result(path)


@pytest.mark.slow
def test_the_tables_of_a_run_know_what_they_are(run_folder):
    for path in run_folder.rglob("*.tsv"):
        found = read_result(path)
        assert found.kind == f"train {path.stem.rpartition('.')[2]}"
        assert found.signature.startswith(f"command:{found.kind}|protocol:")


def test_readers_get_what_is_the_same_in_every_row_from_the_signature():
    columns = {"year": "", "metric": "m", "alpha": [0.1, 0.05], "top": 5, "flag": "", "p": [0.5, 0.25]}
    declared = (
        YEAR,
        METRIC,
        setting("alpha", "a level", "float"),
        setting("top", "a number", "int", shown="always"),
        remark("flag", "a reason"),
        p_value("p", "a share"),
    )
    result = Result(
        pd.DataFrame(columns), notes=["note"], answer=Answer("study x", "X", declared), signature="s:1"
    )
    stream = io.StringIO()
    write_result(result, stream, "text")
    assert stream.getvalue() == "metric m, top 5\n\nalpha      p\n0.100  0.500\n0.050  0.250\n\nnote\ns:1\n"


def test_the_columns_of_a_table_of_nobody_are_all_shown():
    stream = io.StringIO()
    write_result(Result(pd.DataFrame({"a": "x", "b": [1, 2]})), stream, "text")
    assert stream.getvalue() == "a  b\nx  1\nx  2\n"


NO_TABLES = [
    ("a.tsv", "one\n", "expected a header of two or more"),
    ("a.csv", "one,two\n1\n", "line 2: 1 columns; expected 2"),
    ("a.csv", 'one,two\n"1,2\n3,4\n', "line 2: unexpected end of data; expected CSV, where a quotation mark"),
    ("a.json", "[1]", "expected a list of objects"),
    ("a.json", '{"rows": [1]}', "row 1: rows is '\\[1\\]'; expected text or a number"),
    ("a.json", "{", "a.json: invalid or truncated JSON"),
    ("a.jsonl", '{"a": 1}\n{', "line 2: invalid or truncated JSON"),
    ("a.jsonl", '{"a": 1}\n[2]', "line 2: found \\[2\\]; expected one JSON object a line"),
    (
        "a.tsv",
        "n_topics\tsignature\n1.5\tcommand:power|version:1\n",
        "line 2: n_topics is '1.5'; expected a whole",
    ),
]


@pytest.mark.parametrize(("name", "text", "said"), NO_TABLES)
def test_what_is_no_table_is_refused_with_its_line(name, text, said, tmp_path):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=said):
        read_result(tmp_path / name)


def test_what_is_odd_comes_back(tmp_path):
    table = pd.DataFrame({"summarizer": ["a" * 200_000, "b"], "score": [0.5, 1.0]})
    save_result(Result(table, signature="command:predict|x"), tmp_path / "a.csv", "csv")
    pd.testing.assert_frame_equal(read_result(tmp_path / "a.csv").table, table)


@pytest.mark.slow
def test_a_page_has_the_ranking_above_the_pairs(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed (extra plots)")
    keys = pd.MultiIndex.from_product([range(5), list("abcdefgh")], names=["topic", "summarizer"]).to_frame(
        index=False
    )
    rng = np.random.default_rng(1)
    scores = pd.concat(
        [keys.assign(metric=name, score=rng.normal(size=40)) for name in ("m", "n", "o", "human")]
    )
    result = classy_aesop.evaluate_pairs(scores, target="human", level="input", n_resamples=99)
    page = written(result, tmp_path / "pairs.html", "html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert page.index("evaluate-ranking") < page.rindex("evaluate-pairs.tsv")
