"""Odd files are refused in one line that names what is wrong: keys given twice, disks, encodings, sizes."""

import errno
import io
import json
import os

import pytest

from classy_aesop import Corpus, InputError, read_corpus, read_scores
from classy_aesop.data.leaks import MAX_TEXT_CHARACTERS
from classy_aesop.reading import byte_sources
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.corpus_report import report_corpus


@pytest.mark.parametrize("ending", ["json", "jsonl"])
@pytest.mark.parametrize("inner", ['"score": 1, "score": 5', '"score": 1, "more": {"a": 1, "a": 2}'])
def test_a_key_that_is_given_twice_is_refused(tmp_path, ending, inner):
    path = tmp_path / f"x.{ending}"
    row = f'{{"topic": "1", "system": "a", {inner}}}'
    path.write_text(f"[{row}]" if ending == "json" else f"{row}\n")
    with pytest.raises(InputError, match=r"the key '(score|a)' is given twice"):
        read_scores(path)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("x.csv", "id,model,grade\n", "x.csv, line 1: no rows below the header id, model, grade; expected"),
        ("x.json", "[]", "x.json: no rows; expected a row for each output"),
    ],
)
def test_a_table_without_rows_says_so_before_anything_of_its_columns(tmp_path, name, text, says):
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError) as refused:
        read_scores(tmp_path / name)
    assert says in str(refused.value)


def test_a_text_that_looks_like_keys_is_none(tmp_path):
    path = tmp_path / "x.jsonl"
    rows = [{"topic": "1", "system": name, "note": 'say "a": 1, "a": 2', "quality": 1} for name in "ab"]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_scores(path)["score"].tolist() == [1, 1]


def test_a_full_disk_is_that_of_temporary_files(monkeypatch):
    class Full:
        """A file on a full disk."""

        def write(self, piece):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def close(self):
            """Close nothing."""

    monkeypatch.setattr(byte_sources.tempfile, "TemporaryFile", Full)
    with pytest.raises(OSError, match="temporary files") as told:
        byte_sources._read_pipe(io.BytesIO(b"x" * 100), "pipe")
    assert told.value.filename == "temporary files (TMPDIR)"


def test_validate_refuses_what_scoring_refuses():
    rows = [
        {
            "topic": "1",
            "system": "a",
            "summary": "x" * (MAX_TEXT_CHARACTERS + 1),
            "reference": "y",
            "quality": 1,
        }
    ]
    with pytest.raises(InputError, match=r"1 a: a text of 2,000,001 characters"):
        report_corpus(Corpus.from_rows(rows))


def test_an_encoding_of_json_lines_names_year_and_key(tmp_path):
    from classy_aesop.config import Year
    from classy_aesop.training.years import _find_corpus

    row = {"topic": "1", "summarizer": "a", "text": "x", "references": {"A": "y"}}
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(row) + "\n")
    assert len(read_corpus(path)) == 1
    year = Year("2020", path=str(path), encoding="cp1252")
    says = r"x.jsonl: years.2020: columns, sheet and encoding are for tables; found a corpus of layout jsonl"
    with pytest.raises(InputError, match=says):
        _find_corpus(year, {}, {})


@pytest.mark.slow
def test_many_keys_are_read_at_once(tmp_path):
    path = tmp_path / "x.jsonl"
    names = {f"m{number}": 1 for number in range(2_000)}
    path.write_text("".join(json.dumps({"topic": "1", "system": name, **names}) + "\n" for name in "ab"))
    assert len(read_scores(Source.from_path(path))) == 4_000


@pytest.mark.parametrize("cell", ['{""a"": 1, ""a"": 5}', '[{""a"": 1, ""a"": 5}]'])
def test_a_key_that_is_given_twice_in_a_cell_is_refused(tmp_path, cell):
    path = tmp_path / "x.csv"
    path.write_text("doc_id,model,scores\n" + "".join(f'{d},{s},"{cell}"\n' for d in (1, 2) for s in "ab"))
    with pytest.raises(InputError, match=r"x.csv, line 2: scores is .*; expected a number"):
        read_scores(path)
