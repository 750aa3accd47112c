"""Files and names that commands find by themselves: standard input, several tables, the only metric or measure."""

import io
import re
import sys
from pathlib import Path

import pytest

from classy_aesop.cli.program import ALL_COMMANDS

TEXTS = ("The cat {}.", "The cat sat.")


def table(names, texts=(), by="\t"):
    """Write scores, and texts, of six summarizers on six topics; all columns of numbers are alike."""
    cells = [(t, s, str((7 * t + 3 * s * s) % 5 + s)) for t in range(6) for s in range(1, 7)]
    rows = [
        (f"t{t}", str(s), *(one.format("sat " * s) for one in texts), *[x] * len(names)) for t, s, x in cells
    ]
    head = ("topic", "summarizer", *("summary", "reference")[: len(texts)], *names)
    return "".join(by.join(row) + "\n" for row in (head, *rows))


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for more in ((), ("zest",)):
        folder = Path(*more)
        folder.mkdir(exist_ok=True)
        for name in ("m1", "m2", "human"):
            (folder / f"{name}.tsv").write_text(table([name, *more * (name != "m2")]))
        (folder / "rated.tsv").write_text(table(["rating_1", "rating_2"]))
        (folder / "corpus.csv").write_text(table(["quality", *more], TEXTS, by=","))
    return tmp_path


def typed(monkeypatch, path):
    """Give a file as standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(path).read_bytes())))


READING = [
    ("m1.tsv", "compare {} --metric m1"),
    ("m1.tsv", "evaluate {} human.tsv"),
    ("m1.tsv", "evaluate --pairs {} m2.tsv human.tsv --target human --n-resamples 19"),
    ("m1.tsv", "power {} --metric m1 --difference 1 --systems 1,2 --n-trials 9"),
    ("human.tsv", "estimate {} --target human --scores m1.tsv"),
    ("m1.tsv", "estimate human.tsv --target human --scores {}"),
    ("human.tsv", "power {} --target human --scores m1.tsv"),
    ("rated.tsv", "assessors {}"),
    ("m1.tsv", "evaluate {} corpus.csv --target quality -m rouge"),
    ("m1.tsv", "predict published/news-content corpus.csv --scores {}"),
    ("m1.tsv", "predict published/news-content corpus.csv --explain --scores {}"),
    ("m1.tsv", "study metric-pairs corpus.csv --target quality --n-resamples 9 --scores {} m2.tsv"),
    ("corpus.csv", "features {} --names r2"),
    ("corpus.csv", "predict published/news-content {}"),
    ("corpus.csv", "evaluate {} --target quality -m rouge"),
    ("corpus.csv", "study metric-pairs {} --target quality --n-resamples 9"),
]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("file", "line"), READING)
def test_standard_input_or_parts_of_a_table_are_read_as_a_file_is(run, place, monkeypatch, file, line):
    def found(name):
        code, out, err = run(*line.format(name).split(), "-f", "tsv", "-q")
        return code, re.sub(r"scores:[^|]*", "", out), err

    known = found(file)
    assert known[0] == 0, known[2]
    for name in ("-", "/dev/stdin"):
        typed(monkeypatch, file)
        assert found(name) == known
    if file != "corpus.csv":
        head, *lines = Path(file).read_text().splitlines(True)
        Path("first.tsv").write_text(head + "".join(lines[:18]))
        Path("rest.tsv").write_text(head + "".join(lines[18:]))
        assert found("first.tsv rest.tsv") == known


def test_what_is_read_twice_is_refused(refused, place):
    refused(2, "standard input is named twice; it can be read once", "evaluate - /dev/stdin")
    said = "m1.tsv: t0 1: m1 is in another of the files too; expected it in one"
    refused(1, said, "compare m1.tsv ./m1.tsv --metric m1")


NAMING = [
    ("compare m1.tsv", "--metric m1"),
    ("power m1.tsv --difference 1 --systems 1,2 --n-trials 9", "--metric m1"),
    ("estimate human.tsv --scores m2.tsv", "--target human"),
    ("power human.tsv --width 1", "--target human"),
    ("study metric-pairs corpus.csv --n-resamples 9", "--target quality"),
    ("train corpus.csv -o run", "--target quality"),
]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("line", "only"), NAMING)
def test_the_only_one_is_taken_and_said_and_several_are_listed(run, refused, place, monkeypatch, line, only):
    code, out, err = run(line)
    assert (code, f"classy-aesop: {only}, the only one\n" in err) == (0, True), err
    assert (code, out) == run(f"{line} {only}")[:2]
    monkeypatch.chdir("zest")
    option, name = only.split()
    refused(2, f"{option} is missing; expected one of {name}, zest", f"{line} -q")


def test_every_command_that_reads_scores_or_needs_a_measure_is_tried():
    """What is tried above is all that there is."""
    of_scores = {"table", "files", "judgments", "ratings", "scores"}
    reading = {command.name for command in ALL_COMMANDS if of_scores & command.options.keys()}
    naming = {
        command.name
        for command in ALL_COMMANDS
        if any(
            option.without == "the only one" and option.default is None for option in command.options.values()
        )
    }
    for tried, names in ((READING, reading), (NAMING, naming)):
        assert names <= {word for words in tried for line in words for word in line.split()[:1]}
