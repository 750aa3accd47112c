"""Hostile score files: each ends in one line with file, line, what was found and what was expected."""

import math
import os
import re
import zipfile

import pytest

from classy_aesop import Corpus, InputError, read_scores
from classy_aesop.data import sources
from classy_aesop.report.formats import read_result

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
        ('{"topic": "1"', "invalid or truncated JSON (Expecting ',' delimiter: line 1 column 14 (char 13))"),
    ],
)
def test_a_hostile_line_is_named(tmp_path, text, message):
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_scores(path)
    assert str(caught.value).startswith(f"{path}, line 1: ")
    assert message in str(caught.value)


def test_nan_as_python_writes_it_is_a_missing_score(tmp_path):
    (tmp_path / "x.jsonl").write_text(ROW.format("NaN"))
    assert math.isnan(read_scores(tmp_path / "x.jsonl")["score"][0])


@pytest.mark.parametrize("score", ["1_000", "１２", "1e200", "0x1"])
def test_only_plain_numbers_are_scores(tmp_path, score):
    (tmp_path / "x.tsv").write_text(f"topic\tsummarizer\tm\n1\ta\t{score}\n")
    with pytest.raises(InputError, match=r"x.tsv, line 2: m is '.+'; expected a number"):
        read_scores(tmp_path / "x.tsv")


@pytest.mark.parametrize("name", ["x.tsv", "x.jsonl"])
def test_a_line_has_a_greatest_length(tmp_path, monkeypatch, name):
    monkeypatch.setattr(sources, "LONGEST_LINE", 50)
    (tmp_path / name).write_text(f"\n{'x' * 60}\n")
    with pytest.raises(InputError, match=f"{name}, line 2: longer than 50 bytes"):
        read_scores(tmp_path / name)


def test_a_pipe_of_unknown_format_is_refused(tmp_path):
    os.mkfifo(tmp_path / "x")
    with pytest.raises(InputError, match=r"x: found a pipe, which can be read only once; expected a file$"):
        read_scores(tmp_path / "x")


def test_a_pipe_with_a_writer_is_read(tmp_path):
    os.mkfifo(tmp_path / "x.jsonl")
    reader = os.open(tmp_path / "x.jsonl", os.O_RDONLY | os.O_NONBLOCK)
    writer = os.open(tmp_path / "x.jsonl", os.O_WRONLY)
    os.write(writer, ROW.format(0.5).encode())
    with sources.open_bytes(tmp_path / "x.jsonl") as stream:
        os.close(writer)
        assert list(sources.byte_lines(stream, "x")) == [(1, ROW.format(0.5).encode())]
    os.close(reader)


def test_an_id_is_of_whole_characters():
    """JSON can hold half a character, which no file in UTF-8 can: harmless in a text, but not in an id."""
    rows = [{"topic": "1", "summarizer": "\ud83d", "text": "x"}]
    with pytest.raises(InputError, match=r"record 1: summarizer_id is '.ud83d'; expected whole characters"):
        Corpus.from_records(rows)
    Corpus.from_records(
        [{"topic": "1", "summarizer": "\U0001f600", "text": "x\ud83d", "references": {"A": "y"}}]
    )


def test_a_row_far_below_the_end_of_a_sheet_is_refused_at_once(tmp_path):
    """The rows before it would be made one by one, until memory is full."""
    openpyxl = pytest.importorskip("openpyxl")
    book, path, far = openpyxl.Workbook(), tmp_path / "x.xlsx", tmp_path / "far.xlsx"
    for row in (("topic", "system", "m"), ("D1", "1", 0.5), ("D1", "2", 0.25)):
        book.active.append(row)
    book.save(path)
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(far, "w") as changed:
        for name in archive.namelist():
            xml = archive.read(name)
            changed.writestr(name, re.sub(rb'( r="[A-C]?)3"', rb'\g<1>2000000"', xml))
    assert len(read_scores(path)) == 2
    for read in (read_scores, read_result):
        with pytest.raises(InputError, match=r"far\.xlsx: more than 1,048,576 rows; expected a workbook"):
            read(far)


def test_a_workbook_with_any_bit_turned_over_is_refused_or_the_same(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("openpyxl")
    path = tmp_path / "x.xlsx"
    pd.DataFrame({"topic": ["D1", "D2"], "system": ["1", "2"], "m": [0.5, 0.25]}).to_excel(path, index=False)
    content, right = path.read_bytes(), read_scores(path)
    said, start = [], content.index(b"xl/worksheets/sheet1.xml")
    for at in range(start, start + 120):
        path.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        try:
            found = read_scores(path)
        except InputError as error:
            said.append(str(error).removeprefix(f"{path}: "))
        else:
            pd.testing.assert_frame_equal(found, right)
    assert said
    assert [one for one in said if not one.startswith("not a whole workbook of Excel (") or "\n" in one] == []
