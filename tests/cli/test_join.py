"""predict --join gives the rows that were read, as they were written, with the predictions beside them."""

import csv
import io
import json

import pandas as pd
import pytest

PREDICTOR = "published/news-content"
TEXTS = ("The port was closed on Monday.", "Workers left the port on Friday.", "It rained, and ships waited.")
ROWS = [
    {
        "story": f"00{topic}",
        "system": who,
        "output": text,
        "gold": "The port closed; workers left.",
        "note": f"7,{at}",
    }
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


@pytest.mark.parametrize(("name", "separator"), [("in.csv", ","), ("in.tsv", "\t")])
def test_a_table_keeps_its_cells_and_its_order(run, tmp_path, name, separator):
    path = table(tmp_path / name, ROWS[::-1], separator)
    assert run("predict", PREDICTOR, path, *COLUMNS, "-q", "-o", tmp_path / "scores.csv")[0] == 0
    code, out, said = run("predict", PREDICTOR, path, *COLUMNS, "-q", "--join", "-f", "csv")
    assert (code, said) == (0, "")
    found = list(csv.DictReader(io.StringIO(out)))
    assert [{name: row[name] for name in ROWS[0]} for row in found] == ROWS[::-1]
    scores = pd.read_csv(tmp_path / "scores.csv", dtype={"topic": str})
    known = scores.set_index(["topic", "summarizer"])["score"]
    assert [float(row[PREDICTOR]) for row in found] == [known[row["story"], row["system"]] for row in found]


def test_another_encoding_is_read_as_the_corpus_is(run, tmp_path):
    path = table(tmp_path / "in.csv", [{**row, "note": "é"} for row in ROWS])
    path.write_bytes(path.read_text(encoding="utf-8").encode("cp1252"))
    code, out, _ = run(
        "predict", PREDICTOR, path, *COLUMNS, "-q", "--join", "-f", "csv", "--encoding", "cp1252"
    )
    assert (code, out.count("é")) == (0, len(ROWS))


def test_a_stream_gives_the_same_bytes(run, tmp_path, monkeypatch):
    from classy_aesop.corpus import blocks

    monkeypatch.setattr(blocks, "SIZE", 900)
    path = json_lines(tmp_path / "in.jsonl", ours())
    for format in ("jsonl", "tsv"):
        code, whole, _ = run("predict", PREDICTOR, path, "-q", "--join", "-f", format)
        assert code == 0
        assert run("predict", PREDICTOR, path, "-q", "--join", "-f", format, "--stream") == (0, whole, "")
        assert whole.count("command:predict --join|") == 1
    rows = run("predict", PREDICTOR, path, "-q", "--join", "-f", "jsonl")[1].splitlines()
    for row, known in zip(map(json.loads, rows), ours(), strict=True):
        assert {name: row[name] for name in known} == known
        assert isinstance(row[PREDICTOR], float)


def test_rows_without_a_prediction_stay_and_are_counted(run, tmp_path):
    path = json_lines(tmp_path / "in.jsonl", ours())
    code, out, said = run("predict", PREDICTOR, path, "--join", "-f", "jsonl", "--only", "a", "b")
    rows = [json.loads(line) for line in out.splitlines()]
    assert (code, len(rows)) == (0, 12)
    assert {row["summarizer_id"] for row in rows if row[PREDICTOR] is None} == {"c"}
    assert "4 of 12 rows have no prediction" in said


def test_what_cannot_be_joined_is_one_line(run, tmp_path):
    twice = table(tmp_path / "twice.csv", [{**row, "rater": at, "rating": 3} for row in ROWS for at in "PQ"])
    there = table(tmp_path / "there.csv", [{**row, PREDICTOR: "x"} for row in ROWS])
    (tmp_path / "folder").mkdir()
    json_lines(tmp_path / "folder" / "summaries.jsonl", ours())
    good = table(tmp_path / "good.csv")
    for arguments, code, expected in (
        (
            [twice, *COLUMNS],
            1,
            "several rows are about one summary, or one about several; --join expects one each",
        ),
        ([there, *COLUMNS], 1, f"the rows have a column {PREDICTOR} already"),
        ([tmp_path / "folder"], 2, "is no file with a row a summary; expected one"),
        ([good, *COLUMNS, "--means"], 2, "--join does not go with --means"),
    ):
        found = run("predict", PREDICTOR, *arguments, "-q", "--join")
        assert (found[0], found[1]) == (code, "")
        assert expected in found[2]
        assert found[2].count("\n") == 1
