"""Files of tables: every form reads alike, from a file, a pipe or standard input, and what is broken is said."""

import gzip
import io
import json
import os
import sys
import threading
import warnings
from contextlib import suppress

import pandas as pd
import pytest

from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.reading import Corpus, read_corpus, read_corpus_table
from classy_aesop.reading.table_files import tsv_rows

ROWS = [
    {"doc_id": "7", "system": "a", "summary": 'It "rained",\nhard; so.', "reference": "Rain.", "quality": 3},
    {"doc_id": "7", "system": "b", "summary": "Sun\tand\r\nmoon.", "reference": "Rain.", "quality": 1},
    {"doc_id": "8.0", "system": "a", "summary": "Schnee fällt.", "reference": "Snow.", "quality": 4.5},
]


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


FORMS = {
    "rows.csv": pd.DataFrame(ROWS).to_csv(index=False),
    "german.csv": pd.DataFrame(ROWS).to_csv(index=False, sep=";"),
    "rows.tsv": pd.DataFrame(ROWS).to_csv(index=False, sep="\t"),
    "rows.jsonl": lines(ROWS),
    "rows.ndjson": lines(ROWS),
    "lines.json": lines(ROWS),
    "rows.json": json.dumps(ROWS, indent=1),
    "data.json": json.dumps({"version": 1, "data": ROWS}),
    "columns.json": json.dumps({name: [row[name] for row in ROWS] for name in ROWS[0]}, indent=2),
}


def same(one, other):
    pd.testing.assert_frame_equal(one.judgments, other.judgments)
    return one.topics == other.topics and one.notes == other.notes


@pytest.fixture
def write(tmp_path):
    def go(name, text):
        path = tmp_path / name
        data = text if isinstance(text, bytes) else text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
        return path

    return go


@pytest.fixture
def standard_input(monkeypatch):
    def go(text):
        data = text if isinstance(text, bytes) else text.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return go


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("ending", ["", ".gz"])
@pytest.mark.parametrize("name", FORMS)
def test_every_form_reads_alike(write, name, ending):
    assert same(read_corpus(write(name + ending, FORMS[name])), Corpus.from_rows(ROWS))


def test_parquet_reads_alike(tmp_path):
    pytest.importorskip("pyarrow")
    rows = [{**row, "reference": [row["reference"]]} for row in ROWS]
    pd.DataFrame(rows).to_parquet(tmp_path / "rows.parquet")
    assert same(read_corpus(tmp_path / "rows.parquet"), Corpus.from_rows(rows))


@pytest.mark.parametrize("nested", ["[" * 600 + "1" + "]" * 600, '{"a":' * 600 + "1" + "}" * 600])
@pytest.mark.parametrize("column", ["extra", "measures", "summary"])
def test_brackets_in_brackets_end_in_one_line(write, column, nested):
    """Whatever is nested hundreds deep is read or refused, but never too deep to be looked at."""
    row = {"topic": 1, "system": "a", "summary": "It rained.", "reference": "Rain."}
    lines = json.dumps({**row, column: "NESTED"}).replace('"NESTED"', nested)
    with suppress(InputError), warnings.catch_warnings(action="ignore"):
        read_corpus(write("rows.jsonl", lines + "\n"))


@pytest.mark.slow(after=4)
@pytest.mark.parametrize("name", FORMS)
def test_standard_input_is_read_once(standard_input, name):
    standard_input(FORMS[name])
    assert same(read_corpus("-"), Corpus.from_rows(ROWS))
    assert sys.stdin.buffer.read() == b""


def test_a_pipe_is_read_once(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(FORMS["rows.csv"]))
    writer.start()
    assert same(read_corpus(pipe), Corpus.from_rows(ROWS))
    writer.join()


def test_a_table_under_another_name_is_read_if_it_is_said_to_be_one(write):
    path = write("summaries.txt", FORMS["rows.csv"])
    with pytest.raises(InputError, match=r"expected a name that ends with \.csv, .*, or --layout table"):
        read_corpus(path)
    assert same(read_corpus(path, layout="table"), Corpus.from_rows(ROWS))


def test_columns_are_named(write):
    text = FORMS["rows.csv"].replace("doc_id,system,summary", "story,writer,written")
    corpus = read_corpus(
        write("rows.csv", text), columns={"topic": "story", "system": "writer", "text": "written"}
    )
    assert corpus.topics == Corpus.from_rows(ROWS).topics
    assert corpus.notes[0].startswith("columns: topic = story, summarizer = writer, text = written, ")
    with pytest.raises(UsageError, match=r"--columns, .* are for tables; found a corpus of layout jsonl"):
        read_corpus(write("rows.jsonl", FORMS["rows.jsonl"]), layout="jsonl", columns={"topic": "story"})


def test_lists_of_references_are_read_from_cells(write):
    for cell in (json.dumps(["p", 'q "r"']), repr(["p", 'q "r"'])):
        rows = [{"id": 1, "system": "a", "summary": "[as it is]", "references": cell}]
        corpus = read_corpus(write("rows.csv", pd.DataFrame(rows).to_csv(index=False)))
        assert [one.text for one in corpus.topics[0].references] == [("p",), ('q "r"',)]
        assert corpus.topics[0].summaries[0].text == ("[as it is]",)


def test_truth_and_missing_numbers_are_read_from_cells(write):
    text = "id,system,summary,human,quality\n1,a,x,no,NA\n1,b,y,False,2\n1,M,z,yes,\n"
    with pytest.warns(DataWarning) as told:
        corpus = read_corpus(write("rows.csv", text))
    assert any("1 summaries without a judgment: 1 a" in str(one.message) for one in told)
    assert corpus.judgments["summarizer"].tolist() == ["b"]
    assert [one.summarizer for one in corpus.topics[0].references] == ["M"]


MARKED = """\
id;system;summary;quality
1;a;x;3{mark}5
1;b;y;{other}
2;a;z;2{mark}25
"""


@pytest.mark.parametrize(
    ("text", "scores", "said"),
    [
        (MARKED.format(mark=",", other="4"), [3.5, 4, 2.25], "decimal commas are read as points: quality"),
        (MARKED.format(mark=",", other="N/A"), [3.5, 2.25], "read as missing numbers: quality 1 (N/A)"),
        (MARKED.format(mark=".", other="-"), [3.5, 2.25], "read as missing numbers: quality 1 (-)"),
    ],
)
def test_numbers_are_read_as_they_are_commonly_written(write, text, scores, said):
    with pytest.warns(DataWarning) as told:
        corpus = read_corpus_table(write("x.csv", text))
    assert any(said in str(one.message) for one in told)
    assert corpus.judgments["score"].tolist() == scores


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (MARKED.format(mark=".", other="3,5"), "line 3: quality is '3,5'; expected a number"),
        (MARKED.format(mark=".", other="good"), "line 3: quality is 'good'; expected a number"),
        (MARKED.format(mark=",00", other="1,234"), "line 2: quality is '3,005'; expected a number"),
    ],
)
def test_a_cell_that_is_no_number_is_named(write, text, says):
    """Where nearly all others are numbers: the measure would be lost."""
    text = text.replace("2,0025", "2,125")
    with pytest.raises(InputError, match=f"x.csv, {says}, or other human measures by their names"):
        read_corpus_table(write("x.csv", text))


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("x.csv", "id,model,output\n1,a\n", "x.csv, line 2: 2 columns; expected 3 as in the header"),
        ("x.csv", 'id,model,output\n1,a,"b\nc"\n\n2,a,b,c\n', "x.csv, line 5: 4 columns; expected 3"),
        ("x.csv", 'id,model,output\n1,a,"b\n', "x.csv, line 2: unexpected end of data; expected CSV"),
        ("x.csv", 'id,model,output\n1,a,"b"c\n', "x.csv, line 2: ',' expected after '\"'; expected CSV"),
        ("x.csv", "id,id,output\n1,a,b\n", "x.csv, line 1: columns id appear twice"),
        ("x.csv", "id,,\n1,a,b\n", "x.csv, line 1: columns without a name appear twice"),
        ("x.csv", "", "x.csv: the file is empty"),
        ("x.csv", "id,model,output\n", "x.csv: no rows; a corpus needs at least one"),
        ("x.csv", "id,doc_id,model,output\n1,1,a,b\n", "x.csv: topic could be id or doc_id"),
        ("x.csv", "id,model,output\n,a,b\n", "x.csv, line 2: id is empty; expected text or a whole number"),
        ("x.tsv", "id\tmodel\toutput\n1\ta\n", "x.tsv, line 2: 2 columns; expected 3"),
        ("x.json", "[1, 2]", "x.json: found [1, 2]; expected a list of objects"),
        ("x.json", "[{]", "x.json: invalid or truncated JSON"),
        ("x.json", '[{"id": null, "model": "a", "output": "b"}]', "x.json, row 1: id is empty"),
        ("x.jsonl", '{"id": 1, "model": "a"}\n{"id"\n', "x.jsonl, line 2: invalid or truncated"),
        ("x.jsonl", '{"id": 1, "model": "a"}\n3\n', "x.jsonl, line 2: found 3; expected one JSON"),
    ],
)
def test_what_is_broken_is_said_with_its_place(write, name, text, says):
    path = write(name, text)
    with pytest.raises(InputError) as caught:
        read_corpus_table(path)
    assert str(caught.value).startswith(str(path.parent / says))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ('with "quote"\t1', ['with "quote"', "1"]),
        ('"a" and "b"\t1', ['"a" and "b"', "1"]),
        ('"open\t1', ['"open', "1"]),
        ('shut"\t1', ['shut"', "1"]),
        ('6" pipe\t 1 ', ['6" pipe', "1"]),
        ('""open\t1', ['""open', "1"]),
        (' "quoted" \t"1"', ["quoted", "1"]),
        ('"a\tb"\t1', ["a\tb", "1"]),
        ('""\t""""', ["", '"']),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_tables_of_programs_without_quotes_are_read_as_they_stand(line, cells, end):
    text = end.join(["name\tscore", line, "", 'plain\t"2', 'shut"\t3', ""])
    after = [(4, ["plain", '"2']), (5, ['shut"', "3"])]
    assert list(tsv_rows([text])) == [(1, ["name", "score"]), (2, cells), *after]


def test_a_quoted_line_break_moves_the_lines_that_follow():
    expected = [(1, ["a", "b"]), (2, ["x\n\ny", "1"]), (5, ["z", "2"])]
    assert list(tsv_rows(['a\tb\n"x\n\ny"\t1\nz\t2'])) == expected
