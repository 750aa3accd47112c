"""Hostile command lines, run in process or as a program."""

import functools
import io
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from benchmarks.fuzz.endings import PARSER, Ended, wrong_ending
from benchmarks.fuzz.left import State, state, wrong_files
from benchmarks.fuzz.lines import leaves, line
from benchmarks.fuzz.surroundings import VALUES, Surroundings
from benchmarks.fuzz.told import told
from classy_aesop.cli import program
from classy_aesop.cli.parser import Parser


@functools.cache
def commands() -> dict[str, Parser]:
    """Give every command by name."""
    return dict(leaves(PARSER()))


def outcome(name: str, seed: str, place: Surroundings, *, as_program: bool = False) -> str:
    """Run one command line: ``done``, ``refused``, or what is wrong with how it ended."""
    words, piped = made(name, seed, place)
    ended, wrong = judged(words, piped, place)
    if ended and not wrong and as_program:
        made(name, seed, place)
        wrong = _difference(ended, run_as_program(words, piped))
    return wrong or ("refused" if ended and ended.code else "done")


def judged(words: list[str], piped: bytes, place: Surroundings) -> tuple[Ended | None, str]:
    """Run a line whose files are there; give how it ended, and what is wrong with that, if anything."""
    before: State = state(place.folder)
    try:
        ended = in_process(words, piped)
    except Exception as error:
        return None, told(error)
    return ended, wrong_ending(words, ended) or wrong_files(words, ended.code, before, state(place.folder))


def made(name: str, seed: str, place: Surroundings) -> tuple[list[str], bytes]:
    """Give the words of a line and what comes from standard input; its files are written."""
    rng = random.Random(f"{name} {seed}")
    words = line(name, commands()[name], lambda what: VALUES.get(what, []), rng)
    return place.prepare(words, rng)


def in_process(words: list[str], piped: bytes) -> Ended:
    """Run a line in this process, with streams as a shell gives them."""
    out, err = io.BytesIO(), io.BytesIO()
    with (
        mock.patch.multiple(program, parser=PARSER),
        mock.patch.object(program, "_report_error", wraps=program._report_error) as failed,
        mock.patch("os.cpu_count", return_value=1),
        _streams(piped, out, err),
    ):
        try:
            code = program.main(words)
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        sys.stdout.flush()
        sys.stderr.flush()
    return Ended(
        code, out.getvalue(), err.getvalue().decode(), failed.call_args.args[0] if failed.called else None
    )


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
