"""predict --join gives the rows that were read, as they were written, with the predictions beside them."""

import csv
import io
import json
import sys

import pytest

from classy_aesop.pages.formats import read_result
from classy_aesop.predictor import Predictor
from classy_aesop.reading import streaming

PREDICTOR = "published/news-content"
TEXTS = ("The port was closed on Monday.", "Workers left the port on Friday.", "It rained, and ships waited.")
GOLD = "The port closed; workers left."
ROWS = [
    {"story": f"00{topic}", "system": who, "output": text, "gold": GOLD, "note": f"7,{at}"}
    for topic in (1, 2)
    for at, (who, text) in enumerate(zip("abc", TEXTS, strict=True))
]
COLUMNS = ("--columns", "topic=story,text=output,references=gold")


def table(path, rows=ROWS, separator=","):
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, rows[0], delimiter=separator, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return path


def json_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def ours(n_topics=4):
    for topic in range(n_topics):
        references = [{"summarizer_id": "R", "text": [TEXTS[topic % 3]]}]
        for who, text in zip("abc", TEXTS, strict=True):
            yield {"instance_id": f"D{topic}-A", "year": "1", "summarizer_id": who, "summary": {"text": [text]},
                   "references": references}  # fmt: skip


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("name", "separator"), [("in.csv", ","), ("in.tsv", "\t")])
def test_a_table_keeps_its_cells_and_its_order(run, printed, tmp_path, name, separator, monkeypatch):
    path = table(tmp_path / name, ROWS[::-1], separator)
    assert run("predict", PREDICTOR, path, *COLUMNS, "-q", "-o", tmp_path / "scores.csv")[0] == 0
    out = printed("predict", PREDICTOR, path, *COLUMNS, "-q", "--join", "-f", "csv")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert printed("predict", PREDICTOR, "-", *COLUMNS, "-q", "--join", "-f", "csv") == out
    found = list(csv.DictReader(io.StringIO(out)))
    assert [{name: row[name] for name in ROWS[0]} for row in found] == ROWS[::-1]
    scores = csv.DictReader(io.StringIO((tmp_path / "scores.csv").read_text()))
    known = {(row["topic"], row["summarizer"]): float(row["score"]) for row in scores}
    assert [float(row[PREDICTOR]) for row in found] == [known[row["story"], row["system"]] for row in found]


def test_rows_of_a_large_file_in_any_order_are_joined(run, printed, tmp_path, monkeypatch):
    rows = [row for number in range(3) for row in list(ours())[number::3]]
    path = json_lines(tmp_path / "in.jsonl", rows)
    for format in ("jsonl", "tsv"):
        whole = printed("predict", PREDICTOR, path, "-q", "--join", "-f", format)
        with monkeypatch.context() as patch:
            patch.setattr(streaming, "MAX_BYTES_READ_AT_ONCE", 0)
            assert run("predict", PREDICTOR, path, "-q", "--join", "-f", format) == (0, whole, "")
        assert whole.count("command:predict --join|") == 1
    joined = run("predict", PREDICTOR, path, "-q", "--join", "-f", "jsonl")[1].splitlines()
    for row, known in zip(map(json.loads, joined), rows, strict=True):
        assert {name: row[name] for name in known} == known
        assert isinstance(row[PREDICTOR], float)


def test_rows_without_a_prediction_stay_and_are_counted(run, tmp_path):
    path = json_lines(tmp_path / "in.jsonl", ours())
    code, out, said = run("predict", PREDICTOR, path, "--join", "-f", "jsonl", "--only", "a", "b")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, len(rows)) == (0, 12)
    assert {row["summarizer_id"] for row in rows if row[PREDICTOR] is None} == {"c"}
    assert "4 of 12 rows have no prediction" in said


def test_what_cannot_be_joined_is_refused_before_the_work(refused, tmp_path, monkeypatch):
    twice = table(tmp_path / "twice.csv", [{**row, "rater": at, "rating": 3} for row in ROWS for at in "PQ"])
    there = table(tmp_path / "there.csv", [{**row, PREDICTOR: "x"} for row in ROWS])
    (tmp_path / "folder").mkdir()
    json_lines(tmp_path / "folder" / "summaries.jsonl", ours())
    good = table(tmp_path / "good.csv")
    several = "several rows are about one summary, or one about several; --join expects one each"
    for arguments, code, expected in (
        ([there, *COLUMNS], 1, f"the rows already have a column {PREDICTOR}"),
        ([tmp_path / "folder"], 2, "is no file with a row a summary; expected one"),
        ([good, *COLUMNS, "--means"], 2, "--join cannot be combined with --means"),
    ):
        refused(code, expected, "predict", PREDICTOR, *arguments, "-q", "--join")
    monkeypatch.setattr(Predictor, "predict", lambda *_, **__: pytest.fail("it was predicted"))
    refused(1, several, "predict", PREDICTOR, twice, *COLUMNS, "-q", "--join")


ODD = {"key": 12345678901234567890, "n": 5, "x": 0.5, "either": 2, "is": True, "list": ["a", None]}
ODD["none"] = None
"""Values that a table of numbers would change, in rows of which some lack them."""


def test_no_value_becomes_another_one_beside_rows_without_it(run, tmp_path):
    rows = [row | (ODD if at % 2 else {"either": 2.5}) for at, row in enumerate(ours())]
    path = json_lines(tmp_path / "in.jsonl", rows)
    code, out, said = run("predict", PREDICTOR, path, "-q", "--join", "-f", "jsonl")
    assert code == 0, said
    for line, row in zip(out.splitlines(), rows, strict=True):
        found = json.loads(line)
        assert json.dumps({name: found[name] for name in row}) == json.dumps(row)
        assert {found[name] for name in {*ODD, *row} - {*row}} <= {None}
    code, out, _ = run("predict", PREDICTOR, path, "-q", "--join", "-f", "tsv")
    cells = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
    written = [cells[1][name] for name in ODD]
    assert (code, written) == (0, ["12345678901234567890", "5", "0.5", "2", "True", '["a", null]', ""])
    assert [cells[0][name] for name in ODD] == ["", "", "", "2.5", "", "", ""]


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_column_signature_keeps_its_name_and_the_table_is_still_read_as_ours(run, tmp_path, form):
    rows = [row | {"signature": f"by {at}"} for at, row in enumerate(ours())]
    out = tmp_path / f"out.{form}"
    path = json_lines(tmp_path / "in.jsonl", rows)
    code, _, said = run("predict", PREDICTOR, path, "-q", "--join", "-o", out)
    assert (code, said) == (0, "")
    signed = [row["signature"] for row in rows]
    if form == "jsonl":
        first, *rest = map(json.loads, out.read_text().splitlines())
        assert [row["signature"] for row in (first, *rest)] == signed
        assert PREDICTOR in first["signature 1"]
    else:
        found = read_result(out)
        assert (found.kind, list(found.table["signature"])) == ("predict --join", signed)
        assert PREDICTOR in found.signature
