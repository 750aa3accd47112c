"""Files and names that commands find by themselves: standard input, several tables, the only metric or measure."""

import io
import sys
from pathlib import Path

import pytest

SCORES = "topic\tsummarizer\t{}\n" + "".join(
    f"t{t}\t{s}\t{(7 * t + 3 * s * s) % 5 + s}\n" for t in range(6) for s in range(1, 7)
)
CORPUS = "topic,system,summary,reference,quality\n" + "".join(
    f"t{t},s{s},The cat {'sat ' * s}.,The cat sat.,{s + t % 2}\n" for t in range(4) for s in range(1, 4)
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("m1", "m2", "human"):
        (tmp_path / f"{name}.tsv").write_text(SCORES.format(name))
    (tmp_path / "corpus.csv").write_text(CORPUS)
    return tmp_path


def typed(monkeypatch, path):
    """Give a file as standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(Path(path).read_bytes())))


READING = [
    ("m1.tsv", "compare {} --metric m1"),
    ("human.tsv", "evaluate m1.tsv {}"),
    ("m1.tsv", "compare-metrics {} m2.tsv human.tsv --target human --resamples 19"),
    ("human.tsv", "agreement m1.tsv {} --target human"),
    ("m1.tsv", "power {} --metric m1 --difference 1 --systems 1,2 --trials 9"),
    ("human.tsv", "estimate {} --target human --scores m1.tsv"),
    ("m1.tsv", "estimate human.tsv --target human --scores {}"),
    ("corpus.csv", "features {} --names r2"),
    ("corpus.csv", "predict published/news-content {}"),
    ("corpus.csv", "leaderboard {} --target quality -m rouge"),
    ("corpus.csv", "study metric-pairs {} --target quality --resamples 9"),
]


@pytest.mark.slow(after=3)
@pytest.mark.parametrize(("file", "line"), READING)
def test_standard_input_is_read_as_a_file_is(run, place, monkeypatch, file, line):
    known = run(*line.format(file).split(), "-f", "tsv", "-q")
    assert known[0] == 0, known[2]
    for name in ("-", "/dev/stdin"):
        typed(monkeypatch, file)
        found = run(*line.format(name).split(), "-f", "tsv", "-q")
        assert (found[0], found[1].replace("scores:-", f"scores:{file}")) == known[:2], found[2]


def test_standard_input_is_read_once(refused, place):
    refused(2, "standard input is named twice; it can be read once", "evaluate - /dev/stdin")


def test_several_tables_are_as_one(run, refused, place):
    def table(line):
        code, out, err = run(*line.split(), "-f", "tsv", "-q")
        assert code == 0, err
        return out

    head, *lines = (place / "m1.tsv").read_text().splitlines(True)
    (place / "first.tsv").write_text(head + "".join(lines[:18]))
    (place / "rest.tsv").write_text(head + "".join(lines[18:]))
    assert table("compare first.tsv rest.tsv") == table("compare m1.tsv")
    rows = [one for name in ("m1", "m2") for one in table(f"evaluate {name}.tsv human.tsv").splitlines()[1:]]
    both = table("evaluate m1.tsv m2.tsv human.tsv").splitlines()[1:]
    assert [row.split("\tcommand:")[0].rstrip() for row in rows] == [
        row.split("\tcommand:")[0].rstrip() for row in both
    ]
    said = "m1.tsv: t0 1: m1 is in another of the files too; expected it in one"
    refused(1, said, "compare first.tsv m1.tsv --metric m1")


NAMING = [
    ("compare m1.tsv", "--metric m1"),
    ("power m1.tsv --difference 1 --systems 1,2 --trials 9", "--metric m1"),
    ("compare-metrics m1.tsv m2.tsv human.tsv --resamples 19", "--target human"),
    ("agreement m1.tsv human.tsv", "--target human"),
    ("estimate human.tsv --scores m1.tsv", "--target human"),
    ("leaderboard corpus.csv -m rouge", "--target quality"),
    ("study metric-pairs corpus.csv --resamples 9", "--target quality"),
]


@pytest.mark.slow(after=4)
@pytest.mark.parametrize(("line", "only"), NAMING)
def test_the_only_one_there_is_is_taken_and_said(run, place, line, only):
    code, out, err = run(line)
    assert (code, f"classy-aesop: {only}, the only one\n" in err) == (0, True), err
    assert (code, out) == run(f"{line} {only}")[:2]


def test_of_several_the_message_lists_them(refused, place, small):
    for line, said in (
        ("compare m1.tsv m2.tsv", "--metric is missing; expected one of m1, m2"),
        (
            f"leaderboard {small}/2021",
            "--target is missing; expected one of pyramid, readability, responsiveness",
        ),
        (
            f"estimate {small}/2021",
            "--target is missing; expected one of pyramid, readability, responsiveness",
        ),
        (f"train {small}/2021", "--target is missing; expected one of pyramid, readability, responsiveness"),
        (f"study metric-pairs {small}/2021", "--target is missing; expected one of pyramid, readability"),
    ):
        refused(2, said, f"{line} -q")
