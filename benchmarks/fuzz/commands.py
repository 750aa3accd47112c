"""Hostile command lines, in process or as a program: how each must end, and what it may leave."""

import argparse
import functools
import io
import json
import os
import random
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from benchmarks.fuzz.lines import leaves, line
from benchmarks.fuzz.surroundings import OUT, VALUES, Surroundings, state
from benchmarks.fuzz.told import told
from classy_aesop.cli import program
from classy_aesop.cli.streaming import why_streamed
from classy_aesop.errors import InputError, UsageError
from classy_aesop.scores.cells import tsv_rows

LONGEST_MESSAGE = 2200
PARSER = functools.cache(program.parser)
"""The parser of the program, made once."""


State = dict[str, tuple[int, int]]


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, what it wrote, and the error that it told in a line."""

    code: int
    out: bytes
    err: str
    error: BaseException | None = None


@functools.cache
def commands() -> dict[str, argparse.ArgumentParser]:
    """Give every command by name."""
    return dict(leaves(PARSER()))


def outcome(name: str, seed: str, place: Surroundings, *, as_program: bool = False) -> str:
    """Run one command line: ``done``, ``refused``, or what is wrong with how it ended."""
    words, piped = made(name, seed, place)
    before = state(place.folder)
    try:
        ended = in_process(words, piped)
    except Exception as error:
        return told(error)
    wrong = _wrong(words, ended, before, state(place.folder))
    if not wrong and as_program:
        made(name, seed, place)
        other = run_as_program(words, piped)
        wrong = _difference(ended, other)
    return wrong or ("refused" if ended.code else "done")


def made(name: str, seed: str, place: Surroundings) -> tuple[list[str], bytes]:
    """Give the words of a line and what comes from standard input; its files are written."""
    rng = random.Random(f"{name} {seed}")
    words = line(name, commands()[name], lambda what: VALUES.get(what, []), rng)
    return place.prepare(words, rng)


def in_process(words: list[str], piped: bytes) -> Ended:
    """Run a line in this process, with streams as a shell gives them."""
    out, err = io.BytesIO(), io.BytesIO()
    error: list[BaseException | None] = []

    def fail(message: str, code: int) -> int:
        error.append(sys.exception())
        return usual(message, code)

    usual = program._fail
    with (
        mock.patch.multiple(program, parser=PARSER, _fail=fail),
        mock.patch("os.cpu_count", return_value=1),
        _streams(piped, out, err),
    ):
        try:
            code = program.main(words)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        sys.stdout.flush()
        sys.stderr.flush()
    return Ended(code, out.getvalue(), err.getvalue().decode(), error[0] if error else None)


@contextmanager
def _streams(piped: bytes, out: io.BytesIO, err: io.BytesIO) -> Iterator[None]:
    streams = (
        io.TextIOWrapper(io.BufferedReader(io.BytesIO(piped)), encoding="utf-8"),
        io.TextIOWrapper(out, encoding="utf-8", newline="\n"),
        io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace", newline="\n"),
    )
    with mock.patch.multiple(sys, stdin=streams[0], stdout=streams[1], stderr=streams[2]):
        yield
    for stream in streams:
        stream.detach()


def run_as_program(words: list[str], piped: bytes) -> Ended:
    """Run a line as a program of its own."""
    arguments = [sys.executable, "-m", "classy_aesop", *words]
    env = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONIOENCODING": ""}
    done = subprocess.run(arguments, input=piped, capture_output=True, env=env, check=False, timeout=60)
    return Ended(done.returncode, done.stdout, done.stderr.decode())


def _difference(one: Ended, other: Ended) -> str:
    if (one.code, one.out, _without_usage(one.err)) == (other.code, other.out, _without_usage(other.err)):
        return ""
    return f"other as a program: {other.code} {other.err[-200:]!r}, in process {one.code} {one.err[-200:]!r}"


def _without_usage(err: str) -> str:
    """Leave out what is wrapped to the width of the terminal."""
    return "\n".join(text for text in err.split("\n") if text.startswith("classy-aesop"))


# --- how a command must end ---


def _wrong(words: list[str], ended: Ended, before: State, after: State) -> str:
    """Say what is wrong, if anything."""
    checks = (
        _wrong_error(words, ended) if ended.code else _wrong_output(words, ended),
        _wrong_files(words, ended, before, after),
    )
    return next(filter(None, checks), "")


def _wrong_error(words: list[str], ended: Ended) -> str:
    lines = ended.err.split("\n")[:-1]
    errors = [text for text in lines if ": error: " in text]
    if ended.code not in (1, 2):
        return f"exit code {ended.code}"
    if len(errors) != 1 or errors[0] != lines[-1] or len(errors[0]) > LONGEST_MESSAGE:
        return f"not one line: {ended.err[-300:]!r}"
    if ended.out and not why_streamed(PARSER().parse_args(words)):
        return f"output beside an error: {ended.err[-300:]!r}"
    error = ended.error
    if error is None:  # of the parser
        return "" if ended.code == 2 else f"exit code {ended.code} of the parser"
    if isinstance(error, MemoryError):
        return f"memory: {told(error)}"
    if isinstance(error, UsageError):
        return ""
    if not isinstance(error, InputError) and not _is_ours(error):
        is_placed = isinstance(error, OSError) and error.filename
        return "" if is_placed else f"raw: {told(error)}"
    is_placed = isinstance(error, OSError) or _names_a_place(words, lines[-1])
    return "" if is_placed else f"no place: {told(error)}"


def _is_ours(error: BaseException) -> bool:
    return "classy_aesop" in traceback.extract_tb(error.__traceback__)[-1].filename


def _names_a_place(words: list[str], text: str) -> bool:
    names = {" ".join(os.path.basename(word.rpartition("=")[2]).split())[:20] for word in words}
    return any(name in text for name in names if name) or "standard input" in text


def _wrong_output(words: list[str], ended: Ended) -> str:
    """Check what was written by its format."""
    is_logged = bool({"-v", "--verbose"} & set(words))
    lines = ended.err.split("\n")[:-1]
    if not is_logged and not all(text.startswith("classy-aesop: warning: ") for text in lines):
        return f"not a warning: {ended.err[-300:]!r}"
    if {"-h", "--help"} & set(words):
        return ""
    if not ended.out and not {"-o", "--output", "-q"} & set(words):
        return "no output"
    format = _value(words, "-f")
    try:
        _read(ended.out, format)
    except ValueError as error:
        return f"output that is no {format}: {error}"
    return ""


def _read(written: bytes, format: str) -> None:
    if format == "parquet" and written:
        import pandas as pd

        pd.read_parquet(io.BytesIO(written))
        return
    text = written.decode()
    if not text:
        return
    if format == "json":
        json.loads(text, parse_constant=_refuse)
    elif format == "jsonl":
        for one in text.split("\n")[:-1]:
            json.loads(one, parse_constant=_refuse)
    elif format == "tsv":
        (_, header), *rows = tsv_rows(text)
        if any(len(cells) != len(header) for _, cells in rows):
            raise ValueError("rows of other lengths")


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def _wrong_files(words: list[str], ended: Ended, before: State, after: State) -> str:
    """Check that only what was asked for is new or changed, and nothing after an error."""
    touched = sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))
    asked = [os.path.normpath(_value(words, flag) or OUT) for flag in ("-o", "--output", "--sample")]
    asked += [f"{os.path.splitext(name)[0]}.data" for name in asked]  # of report
    if ended.code:
        asked = [f"{name}.partial" for name in asked] if "--resume" in words else []
    foreign = [name for name in touched if not name.startswith(tuple(asked)) or ".classy-aesop-" in name]
    lost = f"{OUT}/older/notes.txt" in touched
    return f"written: {', '.join(foreign)[:200]}" if foreign or lost else ""


def _value(words: list[str], flag: str) -> str:
    """Give the last value of an option; nothing without it."""
    at = max((at for at, word in enumerate(words[:-1]) if word == flag), default=-1)
    return words[at + 1] if at >= 0 else ""
