"""What a command reads, a corpus or a stream of any size, and its table, written whole or part by part."""

from __future__ import annotations

import argparse
import gc
import hashlib
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from classy_aesop.cli.output import output
from classy_aesop.cli.sources import GROUPS, PART, CorpusSource, Group, Names
from classy_aesop.errors import UsageError
from classy_aesop.report.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.commands import Asked
    from classy_aesop.data.corpus import Corpus
    from classy_aesop.data.streaming import Stream, StreamedTable

FORMATS = ("tsv", "csv", "jsonl", "parquet")
_NOT_ASKED = ("command", "n_jobs", "quiet", "resume", "scheduler", "stream", "verbose")
"""Options that do not change what is written."""


@dataclass(frozen=True, kw_only=True)
class Streamable(CorpusSource):
    """A corpus that may be read as a stream, possibly of further files, by some workers."""

    more: Names = ()
    stream: bool = False
    resume: bool = False
    n_jobs: int = 1


@dataclass(frozen=True, kw_only=True)
class OptionalCorpus(Streamable):
    """A corpus, for which score tables may stand."""

    input: str | None = None  # type: ignore[assignment]


GROUPS |= {"streamable": Group(Streamable), "optional_source": Group(OptionalCorpus)}


def why_streamed(options: argparse.Namespace) -> str | None:
    """Say what asks to work block by block; None if nothing does."""
    asked = {
        "--stream": options.stream,
        "--resume": options.resume,
        "--scheduler": options.scheduler,
        "further files": options.more,
    }
    return next((name for name, value in asked.items() if value), None)


def read(source: Streamable, asked: Asked, *whole: str) -> Corpus | Stream:
    """Read the corpus of a command, or give it as a stream if that is asked for.

    Raises
    ------
    UsageError
        If something that is asked for does not go with a stream: a part of the corpus, an option that needs the
        ``whole`` of it, a format for readers.
    """
    why = why_streamed(asked)
    if why is None:
        return source.read()
    for name in asked.given(*PART, "figure", *whole):
        raise UsageError(f"{name} needs the whole corpus; it does not go with {why}")
    if asked.format not in FORMATS:
        raise UsageError(f"-f {asked.format} does not go with {why}; expected one of {', '.join(FORMATS)}")
    if source.encoding:
        raise UsageError(f"--encoding does not go with {why}, which reads JSON lines in UTF-8")
    if source.columns:
        raise UsageError(f"--columns does not go with {why}, which reads JSON lines with the names of fields")
    if source.layout not in ("auto", "jsonl"):
        raise UsageError(f"--layout {source.layout} does not go with {why}, which reads JSON lines")
    paths = [source.input, *(source.more or ())]
    if asked.resume and (asked.output is None or "-" in paths):
        raise UsageError("--resume needs -o FILE, and files that can be read again")
    if asked.scheduler and "-" in paths:
        raise UsageError("--scheduler needs files that its workers can read; found standard input (-)")
    from classy_aesop.data.streaming import Stream

    return Stream(*paths, far=bool(asked.scheduler))


def result(
    table: pd.DataFrame | StreamedTable, asked: Asked, signed: Mapping[str, object] | None = None
) -> Result | None:
    """Give a table as the result of a command; one of a stream is written as its parts come."""
    from classy_aesop.data.streaming import StreamedTable

    if not isinstance(table, StreamedTable):
        return Result(table, signed or {})
    _write(table, asked, asked.signature(**(signed or {})))
    return None


def _write(table: StreamedTable, asked: Asked, signature: str) -> None:
    """Write a table as its parts come; the bytes do not depend on the number of workers, nor on where they are."""
    gc.freeze()  # what is loaded stays, and need not be looked through with each block
    write = partial(_packed, format=asked.format, signature=signature, path=asked.output or "")
    with _opened(asked, signature) as (n_done, head, put):
        for columns, parts in table.parts(
            write, n_done=n_done, columns=tuple(filter(None, head.split("\t")))
        ):
            data = [(first if at or head else start) + rest for at, (start, first, rest) in enumerate(parts)]
            head = "\t".join(columns)
            put(b"".join(data), head)


def _packed(table: pd.DataFrame, *, format: str, signature: str, path: str) -> tuple[bytes, bytes, bytes]:
    """Give a part of a table as bytes: what the output begins with, its first row elsewhere, and the other rows.

    The output begins with a header and the signature in the first row.
    """
    from classy_aesop.data.sources import compress
    from classy_aesop.report.formats import encoded

    if format == "parquet":
        return b"", b"", encoded(table)
    below = table if format == "jsonl" else table.assign(signature="")
    start = _text_of(table[:1], format, signature)
    first, rest = (_text_of(rows, format, has_head=False) for rows in (below[:1], below[1:]))
    return compress(start, path), compress(first, path), compress(rest, path)


def _text_of(table: pd.DataFrame, format: str, signature: str = "", *, has_head: bool = True) -> bytes:
    """Give rows as they are written, with or without the line of the header, if the format has one."""
    from classy_aesop.report.formats import write_result

    stream = io.StringIO()
    write_result(Result(table, signature=signature), stream, format)
    text = stream.getvalue()
    n_head = 0 if has_head or format == "jsonl" else text.index("\n") + 1
    return text[n_head:].encode()


Put = Callable[[bytes, str], object]
"""Takes what was made of a piece of the input, and the names of the columns."""


@contextmanager
def _opened(asked: Asked, signature: str) -> Iterator[tuple[int, str, Put]]:
    """Open where the output goes; say how many pieces an earlier run has done, and with which columns."""
    from classy_aesop.report.formats import row_groups

    is_parquet = asked.format == "parquet"

    def pack(parts: Iterable[bytes], target: BinaryIO) -> None:
        with row_groups(target, signature) as groups:
            for data in parts:
                groups.add_encoded(io.BufferedReader(io.BytesIO(data)))

    if asked.resume:
        from classy_aesop.work.unfinished import unfinished_file

        with unfinished_file(asked.output, _work(asked, signature), pack if is_parquet else None) as file:
            yield file.n_parts, file.head, file.write
        return
    with output(asked.output) as stream:
        if is_parquet:
            with row_groups(stream.buffer, signature) as groups:
                yield 0, "", lambda data, _: groups.add_encoded(io.BufferedReader(io.BytesIO(data)))
        else:
            yield 0, "", lambda data, _: stream.buffer.write(data)


def _work(asked: Asked, signature: str) -> str:
    """Name the work of a command and its files by a digest; a file that was changed is another one."""
    folders = [name.partition("=")[2] for name in vars(asked).get("baselines") or ()]
    paths = map(Path, filter(None, [*asked.files_read(), *folders]))
    files = [file for path in paths for file in (sorted(path.rglob("*")) if path.is_dir() else [path])]
    found = [(str(file.resolve()), file.stat()) for file in files if file.exists()]
    stamps = [(path, stat.st_size, stat.st_mtime_ns) for path, stat in found]
    options = {name: value for name, value in vars(asked).items() if name not in _NOT_ASKED}
    parts = sorted(map(repr, options.items())), stamps, signature, bool(asked.scheduler)
    return hashlib.sha256(repr(parts).encode()).hexdigest()
