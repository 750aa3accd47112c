"""What a file takes a DataFrame takes: one Table, one vocabulary."""

import json
from pathlib import Path

import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.errors import InputError
from classy_aesop.reading import read_scores, tidy
from classy_aesop.reading.byte_sources import Source, compress
from classy_aesop.reading.layouts import read_any_table
from classy_aesop.work.kept_files import keep_files

ROWS = pd.DataFrame(
    {
        "doc": ["d1", "d1", "d2", "d2"],
        "part": [1, 1, 1, 1],
        "alpha": [4, 5, 3, 4],
        "beta": [2, 1, 2, 3],
        "who": list("xyxy"),
    }
)
LONG = pd.DataFrame(
    [
        (doc, system, name, number)
        for number, (doc, system) in enumerate(["1a", "1b", "2a", "2b"])
        for name in ("m", "k")
    ],
    columns=["doc", "system", "aspect", "points"],
)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("frame", "columns"),
    [
        (ROWS, {"topic": "doc", "systems": ["alpha", "beta"], "rater": "who"}),
        (ROWS.drop(columns="who"), {"topic": ["doc", "part"], "systems": ["alpha", "beta"], "rater": "#"}),
        (LONG, {"topic": "doc", "system": "system", "metric": "aspect", "score": "points"}),
        (
            LONG.assign(points=["bad", "good"] * 4),
            {"metric": "aspect", "score": "points", "scale": "bad<good"},
        ),
    ],
)
def test_a_frame_is_read_as_its_file(frame, columns, tmp_path):
    frame.to_csv(tmp_path / "x.csv", index=False)
    frame.to_json(tmp_path / "x.jsonl", orient="records", lines=True)
    read = [tidy(frame, columns=columns)] + [
        read_scores(tmp_path / name, columns=columns) for name in ("x.csv", "x.jsonl")
    ]
    assert len(read[0]) == 8
    for other in read[1:]:
        pd.testing.assert_frame_equal(read[0], other)


def test_an_ordered_categorical_has_the_order_of_its_categories():
    grades = pd.Categorical(["dull", "vivid", "lively"], categories=["dull", "lively", "vivid"], ordered=True)
    frame = pd.DataFrame({"doc_id": ["1", "1", "1"], "system": list("abc"), "style": grades})
    assert tidy(frame, columns={"measures": "style"})["score"].tolist() == [1, 3, 2]


def test_measures_stand_in_the_order_of_their_columns(tmp_path):
    (tmp_path / "x.csv").write_text(
        "doc_id,system,rouge,fluency,bleu\n1,a,.1,2,.3\n1,b,.2,3,.4\n2,a,.3,2,.2\n2,b,.2,1,.1\n"
    )
    assert read_scores(tmp_path / "x.csv")["metric"].tolist()[:3] == ["rouge", "fluency", "bleu"]


def test_a_missing_field_of_json_is_a_missing_cell(tmp_path):
    (tmp_path / "x.jsonl").write_text(
        '{"doc_id": "1", "system": "a", "quality": 2}\n{"doc_id": "1", "system": "b"}\n'
        '{"doc_id": "2", "system": "a", "quality": 1}\n{"doc_id": "2", "system": "b", "quality": 3}\n'
    )
    scores = read_scores(tmp_path / "x.jsonl")["score"]
    assert (len(scores), scores.isna().tolist()) == (4, [False, True, False, False])


def test_one_word_is_no_scale(tmp_path):
    (tmp_path / "x.csv").write_text("topic,summarizer,metric,score\n1,a,m,high\n1,b,m,high\n")
    with pytest.raises(InputError, match=r"x.csv, line 2: score is 'high'; expected a number"):
        read_scores(tmp_path / "x.csv")


def test_within_a_command_a_file_is_read_once(tmp_path):
    (tmp_path / "x.csv").write_text("topic,summarizer,m\n1,a,1\n1,b,2\n")
    source = Source.from_path(tmp_path / "x.csv")
    with keep_files():
        assert read_any_table(source) is read_any_table(source)
    assert read_any_table(source) is not read_any_table(source)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "csv.gz"])
@pytest.mark.parametrize("command", ["validate", "compare"])
def test_a_command_opens_a_file_once(command, ending, tmp_path, capsys, monkeypatch):
    rows = [(f"t{number}", system, number % 5) for number in range(8) for system in "ab"]
    names = ("doc_id", "system", "fluency")
    if ending == "jsonl":
        text = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
    else:
        text = "".join((",", "\t")[ending == "tsv"].join(map(str, row)) + "\n" for row in [names, *rows])
    path = tmp_path / f"x.{ending}"
    path.write_bytes(compress(text.encode(), path.name))
    opened = []
    monkeypatch.setattr("classy_aesop.reading.byte_sources.open_bytes", lambda name: opened.append(name))
    read_bytes = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda name: opened.append(str(name)) or read_bytes(name))
    assert main([command, str(path)]) == 0
    assert [name for name in opened if not name.endswith(".py")] == [str(path)]
