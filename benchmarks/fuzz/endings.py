"""How a command must end: its exit code, what it says on standard error, and its output."""

import csv
import functools
import io
import json
import os
import re
import traceback
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fuzz.told import told
from classy_aesop.cli import program
from classy_aesop.errors import InputError, UsageError
from classy_aesop.pages.formats import format_of
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.table_files import read_table_file, tsv_rows

LONGEST_MESSAGE = 2200
PARSER = functools.cache(program.parser)
"""The parser of the program, made once."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a terminal obeys; tabs and line breaks are for text to have."""

_INFINITE = re.compile(rb"(?<![\w.-])-?(inf|Infinity)(?![\w.-])")


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, what it wrote, and the error that it told in a line."""

    code: int
    out: bytes
    err: str
    error: BaseException | None = None


def wrong_ending(words: list[str], ended: Ended) -> str:
    """Say what is wrong with what a command said and wrote, if anything."""
    found = _CONTROL.search(ended.err)
    if found:
        return f"control characters on standard error: {ended.err[max(found.start() - 80, 0) :][:160]!r}"
    is_gate = ended.code == program.GATE_EXIT_CODE and any(word.startswith("--fail-if") for word in words)
    return _wrong_error(words, ended) if ended.code and not is_gate else _wrong_output(words, ended)


def _wrong_error(words: list[str], ended: Ended) -> str:
    lines = ended.err.split("\n")[:-1]
    errors = [text for text in lines if ": error: " in text]
    if ended.code not in (1, 2):
        return f"exit code {ended.code}"
    if len(errors) != 1 or errors[0] != lines[-1] or len(errors[0]) > LONGEST_MESSAGE:
        return f"not one line: {ended.err[-300:]!r}"
    if ended.out:
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
    if not is_logged and not all(re.match("classy-aesop: (?!error: )", text) for text in lines):
        return f"not a warning: {ended.err[-300:]!r}"
    if {"-h", "--help", "--help-all"} & set(words):
        return ""
    if not ended.out and not {"-o", "--output", "-q"} & set(words):
        return "no output"
    format = _format(words)
    found = _CONTROL.search(ended.out.decode(errors="ignore")) if format == "text" else None
    if found:
        return f"control characters in text: {found.string[max(found.start() - 80, 0) :][:160]!r}"
    if words[0] == "predict" and _INFINITE.search(ended.out):
        return "an infinite prediction"
    written = value_of(words, "-o") or value_of(words, "--output")
    try:
        _read(ended.out, format)
        if os.path.isfile(written) and os.path.splitext(written)[1][1:] == format:
            _read(Path(written).read_bytes(), format)
    except ValueError as error:
        return f"output that is no {format}: {error}"
    return ""


def _format(words: list[str]) -> str:
    """Give the format of the output; nothing for a page or a folder."""
    asked = PARSER().parse_args(words)
    by_default = asked.command.format
    return asked.format or format_of(getattr(asked, "output", None), by_default) if by_default else ""


def _read(written: bytes, format: str) -> None:
    if format == "parquet" and written:
        import pandas as pd

        pd.read_parquet(io.BytesIO(written))
        return
    if format == "xlsx" and written:
        read_table_file(Source("x.xlsx", written), "xlsx")
        return
    text = written.decode()
    if not text:
        return
    if format == "json":
        json.loads(text, parse_constant=_refuse)
    elif format == "jsonl":
        for one in text.split("\n")[:-1]:
            json.loads(one, parse_constant=_refuse)
    elif format in ("tsv", "csv"):
        (_, header), *rows = tsv_rows(text) if format == "tsv" else enumerate(csv.reader(io.StringIO(text)))
        if any(len(cells) != len(header) for _, cells in rows):
            raise ValueError("rows of other lengths")


def _refuse(constant: str) -> None:
    raise ValueError(constant)


def value_of(words: list[str], flag: str) -> str:
    """Give the last value of an option; nothing without it."""
    at = max((at for at, word in enumerate(words[:-1]) if word == flag), default=-1)
    return words[at + 1] if at >= 0 else ""
