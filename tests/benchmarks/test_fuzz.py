"""The fuzzer finds what is wrong with a reader, and nothing in the package's own; what it found stays found."""

import sys
from collections import Counter
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="the fuzzer spoils Parquet files: pip install pyarrow")

from benchmarks.fuzz import __main__ as fuzz
from benchmarks.fuzz import commands, files, reports
from benchmarks.fuzz.endings import Ended, wrong_ending
from benchmarks.fuzz.kinds import READERS
from benchmarks.fuzz.left import state, wrong_files
from benchmarks.fuzz.readers import Reader
from benchmarks.fuzz.surroundings import Surroundings
from classy_aesop.errors import InputError


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", READERS)
def test_a_reader_reads_what_the_fuzzer_starts_from(name, tmp_path):
    reader = READERS[name]
    (tmp_path / reader.file).write_bytes(reader.finished(reader.content))
    (tmp_path / "year").mkdir()
    assert reader.read(tmp_path / reader.file)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("inputs", [45, 3000])
def test_every_input_is_read_or_refused_in_a_line(inputs):
    found = [one for one in fuzz.run(inputs, 0, list(READERS)) if one[2] not in ("done", "refused")]
    assert found == []


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("conllu", "2-20"),  # the number of a word with 5,000 digits
        ("config", "3-2130"),  # a path of 5,000 characters
        ("corpus jsonl", "2-698"),  # nothing left to evaluate, said without the file
        ("corpus csv", "5-1959"),  # blank lines alone, some of them of other blanks than spaces
        ("scores nist", "1-129"),  # a column of 3,000 brackets, repeated in full
    ],
)
def test_what_was_found_is_refused(name, seed, tmp_path):
    assert files.outcome(name, seed, tmp_path) == "refused"


@pytest.fixture(scope="module")
def around(tmp_path_factory):
    return Surroundings.make(tmp_path_factory.mktemp("around"))


@pytest.mark.slow
def test_every_command_line_ends_as_promised(around, monkeypatch):
    """A few lines of each command."""
    monkeypatch.chdir(around.folder)
    wrong = [
        (name, seed, ended)
        for name in set(commands.commands()) - set(fuzz.LEARNING)
        for seed in ["0-0", "0-1"]
        if (ended := commands.outcome(name, seed, around)) not in fuzz.GOOD
    ]
    assert wrong == []


@pytest.mark.slow
def test_tables_and_folders_of_reports_are_read_or_refused(around, monkeypatch):
    """Their best was looked for by the first word of each."""
    monkeypatch.chdir(around.folder)
    assert reports.report_tables("30-18", around) in fuzz.GOOD


@pytest.mark.slow
@pytest.mark.parametrize(("name", "inputs"), [("report tables", 100), ("report folder", 30)])
def test_prepared_files_are_read_or_refused(name, inputs, around, monkeypatch):
    """A report of what is not as it was written, and work that is continued, over a few hundred folders."""
    monkeypatch.chdir(around.folder)
    monkeypatch.setattr(fuzz, "MOST_WAITING", 10)
    ended = Counter(fuzz._ended(name, f"0-{seed}", around, as_program=False) for seed in range(inputs))
    assert set(ended) <= set(fuzz.GOOD)


@pytest.mark.slow
def test_what_is_wrong_with_a_command_or_a_page_is_found(around, monkeypatch):
    """A traceback, another exit code, a library's text, no place, two lines, and a file that nobody asked for."""
    monkeypatch.chdir(around.folder)

    def ends(act):
        monkeypatch.setattr("classy_aesop.reading.corpora.read_corpus", act)
        monkeypatch.setattr("classy_aesop.reading.read_corpus", act)
        return next(
            ended
            for seed in range(99)
            if (ended := commands.outcome("validate", f"8-{seed}", around)) not in fuzz.GOOD
        )

    def write(*_, **__):
        (around.folder / "stray").touch()
        raise InputError("x", path="standard input")

    assert ends(lambda *_, **__: {}["x"]).startswith("exit code 70")
    assert ends(lambda *_, **__: int("x")).startswith("exit code 70")
    assert ends(lambda *_, **__: sys.exit(3)).startswith("exit code 3")
    assert ends(write).startswith("written: stray")
    monkeypatch.chdir(around.folder)
    monkeypatch.setattr("classy_aesop.pages.contents.run_page", lambda _: {}["x"])
    assert reports.report_folder("1", around).startswith("exit code 70")


def test_what_is_wrong_with_a_reader_is_found(tmp_path, monkeypatch):
    """A key that is not there, a message without its place, and a sum that does not hold."""
    for read, expected in (
        (lambda path: {}["x"], "KeyError at "),
        (lambda path: int("x"), "ValueError at "),
        (lambda path: False, "unsound: "),
    ):
        monkeypatch.setitem(READERS, "wrong", Reader("x", b"x", read))
        assert files.outcome("wrong", "1", tmp_path).startswith(expected)


@pytest.mark.parametrize(
    ("words", "ended", "expected"),
    [
        ("validate x -f json", Ended(0, b"{}", "classy-aesop: warning: \x1b[31m\n"), "control characters on"),
        ("evaluate x y --target t", Ended(0, b"what\xc2\x9b2J", ""), "control characters in text"),
        ("predict p x", Ended(0, b"a\tb\nx\t-inf\n", ""), "an infinite prediction"),
        ("predict p x", Ended(0, b"a\tb\nx\tinf-1\n", ""), ""),
        ("validate x", Ended(0, b"what\n", ""), ""),
    ],
)
def test_what_is_wrong_with_output_is_found(words, ended, expected):
    found = wrong_ending(words.split(), ended)
    assert found.startswith(expected) if expected else found == ""


@pytest.mark.parametrize(
    ("words", "code", "change", "expected"),
    [
        (
            "validate in.jsonl -o in.jsonl",
            0,
            lambda: Path("in.jsonl").write_text("x"),
            "changed what was there",
        ),
        ("validate in.jsonl -o link", 0, lambda: Path("link").write_text("x"), "changed what was there: in"),
        ("init in.jsonl -o c.toml", 0, lambda: Path("c.toml").write_text("x"), "changed what was there: c"),
        ("init in.jsonl -o c.toml --force", 0, lambda: Path("c.toml").write_text("x"), ""),
        ("validate in.jsonl -o c.toml", 0, lambda: Path("c.toml").chmod(0o644), "another mode: c.toml"),
        ("validate in.jsonl -o new", 0, lambda: Path(".classy-aesop-1").touch(), "written: .classy-aesop-1"),
        ("validate in.jsonl -o new", 1, lambda: Path("new").touch(), "written: new"),
        ("validate in.jsonl -o new", 0, lambda: Path("new").touch(), ""),
    ],
)
def test_what_is_wrong_with_files_is_found(words, code, change, expected, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("in.jsonl", "c.toml"):
        Path(name).write_text("mine")
        Path(name).chmod(0o600)
    Path("link").symlink_to("in.jsonl")
    before = state(tmp_path)
    change()
    found = wrong_files(words.split(), code, before, state(tmp_path))
    assert found.startswith(expected) if expected else found == ""
