"""Hostile command lines and surroundings: one clear line and the right exit code, never a traceback."""

import io
import os
import subprocess
import sys

import pytest

from classy_aesop.reading import byte_sources
from classy_aesop.work.seeds import LARGEST_SEED


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (f"evaluate x x --pairs --target t --seed {LARGEST_SEED + 1}", f"from 0 to {LARGEST_SEED}"),
        (f"evaluate x x --pairs --target t --seed {'9' * 5000}", f"'{'9' * 37}...'; expected a whole number"),
        ("train x -o y --seed -1", f"from 0 to {LARGEST_SEED}"),
        (f"evaluate x x --pairs --target t --n-resamples {10**30}", "from 1 to 10000000"),
        (f"rouge x -r {10**12}", "from 1 to 10000000"),
        (f"power x --metric m --difference 1 --n-trials {10**12}", "from 1 to 1000000"),
        (f"study mixture-power x --metric m --null {10**12}", "from 1 to 1000000"),
        ("features x -j 0", "from 1 to 10000000"),
        ("features x -j ７", "from 1 to 10000000"),
    ],
)
def test_numbers_have_bounds(refused, command, expected):
    refused(2, expected, *command.split())


def test_too_little_memory_is_one_line(run, small, monkeypatch):
    def read(*_, **__):
        raise MemoryError("Unable to allocate 8 TiB")

    monkeypatch.setattr("classy_aesop.reading.read_corpus", read)
    code, out, err = run("validate", small / "2021")
    said = f"classy-aesop: error: {small / '2021'}: not enough memory: Unable to allocate 8 TiB\n"
    assert (code, out, err) == (1, "", said)


@pytest.mark.slow
def test_a_closed_output_is_reported_unless_there_is_a_file(run, refused, small, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "stdout", None)
    refused(2, "standard output: it is closed; expected an open one, or -o FILE", "validate", small / "2021")
    assert run("validate", small / "2021", "-o", tmp_path / "x")[0] == 0
    assert (tmp_path / "x").read_text().startswith("what")


@pytest.mark.slow
def test_output_is_utf8_in_every_locale(tmp_path):
    row = '{"topic": "D1", "summarizer": "é", "text": "Rain.", "references": {"R": "Rain."}}\n'
    (tmp_path / "x.jsonl").write_text(row, encoding="utf-8")
    command = [sys.executable, "-m", "classy_aesop", "features", tmp_path / "x.jsonl", "--names", "r2"]
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": ""}
    done = subprocess.run(command, capture_output=True, check=False, env=os.environ | plain)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "\té\t" in done.stdout.decode()


def test_a_file_name_that_is_not_utf8_is_one_line(run, tmp_path):
    """It becomes the name of a year, in a configuration that nothing could read."""
    name, row = os.fsdecode(b"caf\xe9.csv"), "1,a,Rain.,Rain.,3\n"
    (tmp_path / name).write_text(f"id,system,summary,reference,quality\n{row}")
    code, _, said = run("init", tmp_path / name, "-o", tmp_path / "x.toml")
    assert (code, said.count("\n")) == (1, 1)
    assert "caf\\udce9', which is not UTF-8; expected names that can be written" in said
    assert not (tmp_path / "x.toml").exists()


@pytest.mark.slow
def test_ctrl_c_before_the_program_runs_is_quiet():
    """Until all is imported Ctrl-C ends the process at once; from then on the program gets it."""
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's job may ignore it
        "import classy_aesop.__main__ as start\n"
        "print(signal.getsignal(signal.SIGINT) is signal.SIG_DFL)\n"
        "import classy_aesop.cli as cli; cli.main = lambda: signal.getsignal(signal.SIGINT)\n"
        "from classy_aesop.cli.program import interrupt\n"
        "print(start.run() is interrupt)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]


def test_what_is_in_a_file_is_said_with_the_file(run, small, tmp_path, monkeypatch):
    """What the fuzzer found: messages without a file, or of a library."""
    (tmp_path / "x.csv").write_bytes(b"doc_id,system\rx,summary\nD1,1,a\n")
    (tmp_path / "half.jsonl").write_text('{"topic": "\\ud800", "summarizer": "1", "text": NaN}\n')
    (tmp_path / "long.jsonl").write_text(f'{{"topic": {"9" * 5000}, "summarizer": "1", "text": ""}}\n')
    (tmp_path / "digits.json").write_text(f'[{{"topic": "1", "system": "1", "text": "", "x": {"9" * 400}}}]')
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"x")))
    json = "line 1: invalid or truncated JSON"
    for command, code, expected in (
        (["validate", tmp_path / "x.csv"], 1, "x.csv, line 1: a carriage return in a cell without quotes"),
        (["validate", tmp_path / "half.jsonl"], 1, "half.jsonl, line 1: instance_id is '\\ud800'"),
        (["validate", tmp_path / "digits.json"], 1, "digits.json, row 1: x is 9999"),
        (["validate", tmp_path / "long.jsonl"], 1, f"long.jsonl, {json} (a whole number of 5000 digits"),
        (["validate", "-", "--layout", "nist"], 1, "standard input: a release of NIST is a folder or an arc"),
        (["assessors", "--corpus", small / "2021"], 1, f"{small / '2021'}: no assessors among"),
        (["validate", ""], 2, "the name of a file to read is empty"),
        (["rouge", small / "2021", "-r", "1"], 2, "--n-resamples is 1; expected 2 or more"),
        (["validate", "x", "a\nb" * 3000], 2, " ... "),
    ):
        found, out, err = run(*command)
        assert (found, out) == (code, "")
        assert expected in err.splitlines()[-1]
        assert len(err.splitlines()[-1]) < 2200


def test_a_file_that_cannot_be_read_is_named(refused, small, monkeypatch):
    monkeypatch.setattr(byte_sources, "decompress", lambda *_: os.read(-1, 1))
    refused(2, "summaries.jsonl: Bad file descriptor", "validate", small / "2021" / "summaries.jsonl")


def test_standard_input_that_is_closed_or_too_long_is_one_line(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    closed = "classy-aesop: error: standard input: it is closed; expected an open one, or a file\n"
    for command in (["validate", "-"], ["features", "-"]):
        assert run(*command) == (2, "", closed)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"long")))
    monkeypatch.setattr(byte_sources, "MAX_PIPE_BYTES", 3)
    code, _, err = run("validate", "-")
    assert (code, "standard input: a pipe of more than 3 bytes" in err) == (1, True)
