"""What a command reads is not written over, by whatever name and in whatever place."""

import os

import pytest

from classy_aesop.formulas.base import Linear
from classy_aesop.predictor import Predictor

ROW = '{"topic": "D1", "summarizer": "%d", "text": "It rained.", "references": {"A": "Rain."}}\n'


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def place(folder):
    """Files of each kind, two of them under another name."""
    (folder / "in.jsonl").write_text("".join(ROW % k for k in range(3)))
    Predictor("made-up", "responsiveness", "A", "all_peers", "ridge", ("r2",), Linear((2.0,), 0.0)).save(
        folder / "p.json"
    )
    (folder / "link.jsonl").symlink_to("in.jsonl")
    (folder / "hard.jsonl").hardlink_to(folder / "in.jsonl")
    table = "".join(f"2021\tD{t}\tA\t{s}\tm\t{t + s}\n" for t in range(3) for s in range(3))
    (folder / "scores.tsv").write_text(f"year\ttopic\ttask\tsummarizer\tmetric\tscore\n{table}")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        *(
            "features in.jsonl -o in.jsonl",
            "features in.jsonl -o link.jsonl",
            "features link.jsonl -o in.jsonl",
        ),
        *("features in.jsonl -o hard.jsonl", "features in.jsonl -o ./2021/../in.jsonl"),
        *("predict p.json in.jsonl -o p.json", "predict p.json in.jsonl -o in.jsonl"),
        *(
            "predict p.json 2021 --scores scores.tsv -o scores.tsv",
            "predict p.json in.jsonl --explain -o p.json",
        ),
        *("compare scores.tsv --metric m -o scores.tsv", "convert in.jsonl -o in.jsonl"),
        "evaluate scores.tsv 2021/judgments.jsonl -o 2021/judgments.jsonl",
        "evaluate 2021 --target pyramid --predictor p.json -o p.json",
        *("report scores.tsv -o scores.tsv", "validate 2021 -o 2021/summaries.jsonl"),
        "rouge 2021 -q -o 2021/summaries.jsonl",
    ],
)
def test_an_output_over_an_input_is_refused(refused, place, monkeypatch, words):
    monkeypatch.chdir(place)
    before = contents(place)
    refused(2, "is read by this command; choose another output", f"{words} -q")
    assert contents(place) == before


@pytest.mark.slow
def test_a_folder_that_holds_an_input_is_no_output(run, place, monkeypatch):
    """Though all in it is made by this program, so that it would be replaced."""
    monkeypatch.chdir(place)
    assert run("convert", "2021", "-o", "made/2021")[0] == 0
    assert run("convert", "2021", "-o", "all")[0] == 0
    lines = (place / "one.toml").read_text().replace('path = "2021"', 'path = "all"')
    (place / "other.toml").write_text(lines)
    before = contents(place)
    for words in (
        "convert all -o all",
        "train all --target responsiveness -o all",
        "train other.toml -o all",
        f"train --data 1={place}/all --data 2=2022 --target responsiveness -o all",
    ):
        code, out, err = run(*words.split(), "-q")
        assert (code, out, err.count("\n")) == (2, "", 1), err
        assert "is read by this command; choose another output" in err or "choose another folder" in err
        assert contents(place) == before


@pytest.mark.slow
def test_an_output_beside_the_inputs_is_written_again(run, place, monkeypatch):
    monkeypatch.chdir(place)
    for _ in "12":
        assert run("features", "2021", "-q", "-o", "2021/features.tsv")[0] == 0
    assert run("features", "in.jsonl", "-o", os.devnull)[0] == 0


def test_init_keeps_a_configuration(refused, place, monkeypatch):
    monkeypatch.chdir(place)
    (place / "mine.toml").write_text("# by hand\n")
    said = "classy-aesop: error: mine.toml: already exists; expected another name\n"
    refused(2, said, "init 2021 --target responsiveness -o mine.toml")
    assert (place / "mine.toml").read_text() == "# by hand\n"
