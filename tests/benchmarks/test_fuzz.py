"""The fuzzer finds what is wrong with a reader or a command, and nothing in the package's own."""

import sys

import numpy as np
import pytest

pytest.importorskip("pyarrow", reason="the fuzzer corrupts Parquet files: pip install pyarrow")
pytest.importorskip("openpyxl", reason="the fuzzer corrupts workbooks: pip install openpyxl")

from benchmarks.fuzz import __main__ as fuzz
from benchmarks.fuzz import command_lines
from benchmarks.fuzz.accounts import SaidAccounts
from benchmarks.fuzz.command_lines import Ended, commands, run_line, state, wrong_ending, wrong_files
from benchmarks.fuzz.readers import READERS, Reader, read_corrupted
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError
from classy_aesop.reading.account import RowAccount
from classy_aesop.reading.columns import Table


@pytest.mark.slow(after=6)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", READERS)
def test_a_reader_reads_what_the_fuzzer_starts_from(name, tmp_path):
    reader = READERS[name]
    (tmp_path / reader.file).write_bytes(reader.finish(reader.content))
    assert reader.read(tmp_path / reader.file)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("n_inputs", [52, 3000])
def test_every_file_is_read_or_refused_in_a_line(n_inputs):
    outcomes = list(fuzz.run(n_inputs, 0, list(READERS)))
    assert [outcome for outcome in outcomes if outcome[2] not in fuzz.GOOD] == []
    assert len(outcomes) == n_inputs


@pytest.mark.slow
def test_the_same_seed_makes_the_same_inputs_whatever_their_number():
    names = ["scores tsv", "corpus csv"]
    assert list(fuzz.run(60, 7, names))[:40] == list(fuzz.run(40, 7, names))


@pytest.fixture
def folder(tmp_path, monkeypatch):
    command_lines.make_folder(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_every_command_line_ends_as_promised(folder):
    """A few lines of each command; some of them succeed."""
    outcomes = {
        (name, seed): run_line(name, seed, folder)
        for name in set(commands()) - set(fuzz.LEARNING)
        for seed in ["0-0", "0-1", "0-2"]
    }
    assert {line: outcome for line, outcome in outcomes.items() if outcome not in fuzz.GOOD} == {}
    assert set(outcomes.values()) == set(fuzz.GOOD)


def test_a_line_does_not_meet_what_another_left(folder):
    (folder / " ").write_text("x")
    (folder / "new").mkdir()
    command_lines.make_folder(folder)
    assert {path.name for path in folder.iterdir()} == {"files", "out"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_what_is_wrong_with_a_command_is_found(folder, monkeypatch):
    """A fault of the program, an exit, and a file that nobody asked for."""
    commands()  # imports the studies, which must not keep the patched reader

    def first_wrong(act):
        monkeypatch.setattr("classy_aesop.reading.corpora.read_corpus", act)
        monkeypatch.setattr("classy_aesop.reading.read_corpus", act)
        outcomes = (run_line("validate", f"8-{seed}", folder) for seed in range(99))
        return next(outcome for outcome in outcomes if outcome not in fuzz.GOOD)

    def write(*_, **__):
        (folder / "stray").touch()
        raise InputError("x", path="standard input")

    assert first_wrong(lambda *_, **__: {}["x"]).startswith("exit code 70")
    assert first_wrong(lambda *_, **__: sys.exit(3)).startswith("exit code 3")
    assert first_wrong(write).startswith("written: stray")


def test_what_is_wrong_with_a_reader_is_found(tmp_path, monkeypatch):
    """A key that is not there, a message without its place, and a check that fails."""
    for read, expected in (
        (lambda path: {}["x"], "KeyError at "),
        (lambda path: int("x"), "ValueError at "),
        (lambda path: False, "unsound: "),
    ):
        monkeypatch.setitem(READERS, "wrong", Reader("x", b"x", read))
        assert read_corrupted("wrong", "1", tmp_path).startswith(expected)


@pytest.mark.parametrize(
    ("n_rows", "n_scores", "message", "expected"),
    [
        (4, 3, "1 of 4 rows left out: m is bad (first: line 4)", ""),
        (4, 2, "", "3 rows used, and 2 scores"),
        (4, 3, "", "not said: 1 of 4 rows left out: m is bad (first: line 4)"),
        (3, 2, "1 of 3 rows left out: m is bad (first: line 4)", "1 rows vanished: 5"),
    ],
)
def test_an_account_that_does_not_hold_is_found(n_rows, n_scores, message, expected, tmp_path):
    (tmp_path / "x.tsv").write_text("topic\tsystem\tm\na\tx\t1\na\ty\t2\nb\tx\t?\nb\ty\t3\n")
    account = RowAccount(Table("x", {}, [Where("x", line) for line in range(2, 2 + n_rows)]))
    account.leave_out(np.arange(n_rows) == 2, "m is bad")
    watched = SaidAccounts()
    watched.accounts = [account]
    watched.messages = [message]
    assert watched.find_problem(tmp_path / "x.tsv", n_scores) == expected


ERROR = "classy-aesop: error: x: no such file or folder\n"


@pytest.mark.parametrize(
    ("words", "ended", "expected"),
    [
        ("validate x", Ended(0, b"{}", "classy-aesop: warning: \x1b[31m\n"), "control characters on"),
        ("validate x", Ended(0, b"{}", ERROR), "an error, exit code 0"),
        ("validate x", Ended(0, b"what\n", ""), ""),
        ("validate x", Ended(2, b"", ERROR), ""),
        ("validate x", Ended(2, b"", ERROR * 2), "not one line"),
        ("validate x", Ended(2, b"what", ERROR), "output beside an error"),
        ("validate ", Ended(1, b"", ": error: ' ', line 1: no\n", InputError("no", path=" ", line=1)), ""),
        ("validate y", Ended(1, b"", ERROR, InputError("no such file", path="x")), "no place"),
        ("validate x", Ended(1, b"", ERROR, KeyError("x")), "no place"),
    ],
)
def test_what_is_wrong_with_an_ending_is_found(words, ended, expected):
    problem = wrong_ending(words.split(" "), ended)
    assert problem.startswith(expected) if expected else problem == ""


def test_a_new_file_that_a_command_names_was_asked_for(folder):
    before = state(folder)
    (folder / "1e400").write_text("new")
    assert wrong_files(0, before, state(folder), ["-o", "1e400"]) == ""
    assert wrong_files(0, before, state(folder)) == "written: 1e400"
    assert wrong_files(0, state(folder) | {"1e400": (0, 0)}, state(folder), ["1e400"]) == "written: 1e400"


@pytest.mark.parametrize(
    ("name", "code", "expected"),
    [
        ("files/x.tsv", 0, "written: files/x.tsv"),
        ("out/.classy-aesop-1", 0, "written: out/.classy"),
        ("out/new", 1, "written: out/new"),
        ("out/new", 0, ""),
    ],
)
def test_what_is_wrong_with_files_is_found(name, code, expected, folder):
    before = state(folder)
    (folder / name).write_text("changed")
    problem = wrong_files(code, before, state(folder))
    assert problem.startswith(expected) if expected else problem == ""
