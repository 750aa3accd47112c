"""The fuzzer finds what is wrong with a reader, and nothing in the package's own; what it found stays found."""

import sys

import pytest

from benchmarks.fuzz import __main__ as fuzz
from benchmarks.fuzz import commands, files
from benchmarks.fuzz.readers import READERS, Reader
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
    """A few lines of each command, and what was found."""
    monkeypatch.chdir(around.folder)
    found = {"features": ["7-21"], "convert": ["2-18"], "validate": ["6-39"], "report": ["2-7"]}
    wrong = [
        (name, seed, ended)
        for name in set(commands.commands()) - set(fuzz.LEARNING)
        for seed in ["0-0", "0-1", *found.get(name, [])]
        if (ended := commands.outcome(name, seed, around)) not in fuzz.GOOD
    ]
    assert wrong == []


@pytest.mark.slow
def test_what_is_wrong_with_a_command_is_found(around, monkeypatch):
    """A traceback, another exit code, a library's text, no place, two lines, and a file that nobody asked for."""
    monkeypatch.chdir(around.folder)

    def ends(act):
        monkeypatch.setattr("classy_aesop.corpus.reading.read_corpus", act)
        monkeypatch.setattr("classy_aesop.corpus.read_corpus", act)
        return next(
            ended
            for seed in range(99)
            if (ended := commands.outcome("validate", f"8-{seed}", around)) not in fuzz.GOOD
        )

    def write(*_, **__):
        (around.folder / "stray").touch()
        raise InputError("x", path="files/2021")

    assert ends(lambda *_, **__: {}["x"]).startswith("KeyError at ")
    assert ends(lambda *_, **__: int("x")).startswith("raw: ValueError at ")
    assert ends(lambda *_, **__: sys.exit(3)).startswith("exit code 3")
    assert ends(write).startswith("written: stray")


def test_what_is_wrong_with_a_reader_is_found(tmp_path, monkeypatch):
    """A key that is not there, a message without its place, and a sum that does not hold."""
    for read, expected in (
        (lambda path: {}["x"], "KeyError at "),
        (lambda path: int("x"), "ValueError at "),
        (lambda path: False, "unsound: "),
    ):
        monkeypatch.setitem(READERS, "wrong", Reader("x", b"x", read))
        assert files.outcome("wrong", "1", tmp_path).startswith(expected)
