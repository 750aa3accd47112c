"""Where the output of a command goes, and how its table is written: whole, or part by part as it comes.

On a terminal, what controls one is shown as text, whatever is written; files and pipes get data as they are.
"""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from classy_aesop.errors import UsageError
from classy_aesop.tables.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.commands import Asked
    from classy_aesop.reading.streaming import StreamedTable


_CONTROL = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)


def for_terminal(stream: TextIO) -> TextIO:
    """Give a stream, or if it is a terminal one that escapes control characters before they get there."""
    if not stream.isatty():
        return stream
    stream.flush()
    escaped = cast(BinaryIO, _Escaped(stream.buffer))
    return io.TextIOWrapper(escaped, encoding="utf-8", newline="\n", write_through=True)


class _Escaped(io.BufferedIOBase):
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, data: Any, /) -> int:
        """Write with control characters escaped."""
        written = bytes(data)
        self._stream.write(_CONTROL.sub(lambda found: found[0].decode().encode("unicode_escape"), written))
        return len(written)

    def flush(self) -> None:
        """Flush the stream below."""
        self._stream.flush()


PICTURES = (".pdf", ".svg", ".png")
"""Endings of the names of pictures."""


def write(found: Result, asked: Asked) -> None:
    """Write what a command found, in the format that is asked for, with its kind and its signature."""
    from classy_aesop.data.scores import add_stratum_columns
    from classy_aesop.pages.formats import write_result

    result = replace(found, table=add_stratum_columns(found.table)) if asked.command.places else found
    signature = "" if asked.is_answered else asked.signature(**result.recorded)
    made = replace(result, kind=result.kind or asked.kind, signature=signature)
    if asked.safe_csv:
        from classy_aesop.tables.result_files import escape_formulas

        made = replace(made, table=escape_formulas(made.table))
    with _text_output(asked.output) as stream:
        if asked.format == "text" and asked.output is None:
            from classy_aesop.pages.screen import write_screen
            from classy_aesop.tables.screen import SCREEN_LINES

            write_screen(made, stream, most=SCREEN_LINES)
        else:
            write_result(made, stream, asked.format)
    if asked.picture is not None:
        from classy_aesop.pages.figure import save_figures

        save_figures(made, asked.picture)


def write_lines(lines: Iterable[str], path: str | None) -> None:
    """Write lines to a file, or to standard output if it is None."""
    with _text_output(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)


def check_output(asked: Asked) -> None:
    """Check before the work whether the output of a command can be written, and choose its format if none is named."""
    path, by_default = getattr(asked, "output", None), asked.command.format
    if path is not None:
        from classy_aesop.work.files import check_file

        check_file(path)
        if Path(path).suffix.lower() in PICTURES:
            from classy_aesop.pages.figure import check_figure

            check_figure(path, asked.kind)
            asked.picture, asked.output, path = path, None, None
    if by_default is not None:
        from classy_aesop.pages.formats import FORMATS, format_of
        from classy_aesop.reading.byte_sources import plain_name

        is_terminal = sys.stdout is not None and sys.stdout.isatty()
        is_read = is_terminal and not (asked.format or asked.output or asked.picture)
        if asked.command.answers and is_read:
            asked.is_answered = not any(getattr(asked, name) for name in asked.command.unanswered)
        if is_read and not getattr(asked, "join", False):
            by_default = "text"  # rows are for programs
        asked.format = asked.format or format_of(path, by_default)
        if asked.safe_csv and (asked.format not in ("csv", "tsv") or asked.picture is not None):
            raise UsageError(f"--safe-csv is of CSV and TSV; found {asked.picture or asked.format}")
        if FORMATS[asked.format].needs:
            FORMATS[asked.format].check(asked.format)
            if path is None and sys.stdout is not None and sys.stdout.isatty():
                raise UsageError(
                    f"-f {asked.format} cannot be shown on a terminal; expected -o FILE, or a pipe"
                )
            if path is not None and plain_name(path) != path:
                message = f"{asked.format} is already compressed; expected a name without .gz or .zst"
                raise UsageError(f"{path}: {message}")


@contextlib.contextmanager
def _text_output(path: str | None) -> Iterator[TextIO]:
    """Open the output of a command for text, which is compressed if the name of the file says so."""
    from classy_aesop.reading.byte_sources import compress, plain_name

    with output(path) as stream:
        if path is None or plain_name(path) == path:
            yield stream
            return
        held = io.BytesIO()
        with io.TextIOWrapper(held, encoding="utf-8", newline="\n", write_through=True) as text:
            yield text
            stream.buffer.write(compress(held.getvalue(), path))


@contextlib.contextmanager
def output(path: str | None) -> Iterator[TextIO]:
    """Open the output of a command; a file is there when it is whole."""
    if path is None:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "it is closed; expected an open one, or -o FILE", "standard output")
        yield for_terminal(sys.stdout)
        return
    from classy_aesop.work.files import atomic_file

    with atomic_file(path) as stream:
        yield stream


# --- part by part ---

FORMATS = ("tsv", "csv", "jsonl", "parquet")
"""Formats that are written part by part; others need all rows at once."""


def result(
    table: pd.DataFrame | StreamedTable, asked: Asked, signed: Mapping[str, object] | None = None
) -> Result | None:
    """Give a table as the result of a command; one of a stream is written as its parts come, if the format allows."""
    from classy_aesop.reading.streaming import StreamedTable

    if not isinstance(table, StreamedTable):
        return Result(table, signed or {})
    if asked.format not in FORMATS or asked.picture is not None:
        return Result(table.whole(), signed or {})
    _write(table, asked, asked.signature(**(signed or {})))
    return None


def answer(
    table: pd.DataFrame | StreamedTable,
    asked: Asked,
    signed: Mapping[str, object],
    lines: Callable[[pd.DataFrame], Iterable[str]],
) -> Result | None:
    """Give what the lines say of a table if a terminal is answered, else the table as `result` does."""
    from classy_aesop.data.scores import add_stratum_columns
    from classy_aesop.reading.streaming import StreamedTable

    if not asked.is_answered:
        return result(table, asked, signed)
    held = add_stratum_columns(table.whole() if isinstance(table, StreamedTable) else table)
    return Result(held, signed, lines=partial(lines, held))


def _write(table: StreamedTable, asked: Asked, signature: str) -> None:
    """Write a table as its parts come; the bytes do not depend on the number of workers, nor on where they are."""
    from classy_aesop.reading.byte_sources import compress
    from classy_aesop.tables.result_files import RowGroups

    gc.freeze()  # what is loaded stays, and need not be looked through with each block
    write = partial(_packed, format=asked.format, is_safe=asked.safe_csv)
    with output(asked.output) as stream, ExitStack() as stack:
        groups = (
            stack.enter_context(RowGroups(stream.buffer, signature)) if asked.format == "parquet" else None
        )
        for first, rows in table.parts(write):
            if groups is not None:
                groups.add_encoded(io.BufferedReader(io.BytesIO(rows)))
            else:
                if not asked.begun:
                    rest = rows.removeprefix(_text_of(first, asked.format))
                    rows = _text_of(first, asked.format, signature) + rest
                stream.buffer.write(compress(rows, asked.output or ""))
            asked.begun = True


def _packed(table: pd.DataFrame, *, format: str, is_safe: bool) -> tuple[pd.DataFrame, bytes]:
    """Give the first row of a part of a table, which may get a signature, and all its rows as bytes."""
    from classy_aesop.tables.result_files import encode_part, escape_formulas

    table = escape_formulas(table) if is_safe else table
    return table[:1], encode_part(table) if format == "parquet" else _text_of(table, format)


def _text_of(table: pd.DataFrame, format: str, signature: str = "") -> bytes:
    """Give rows as an output begins, with a header and its signature, or as it goes on if there is none."""
    from classy_aesop.pages.formats import write_result
    from classy_aesop.tables.result_files import signature_in

    if goes_on := not signature and format != "jsonl":
        table = table.assign(**{signature_in(table): ""})
    stream = io.StringIO()
    write_result(Result(table, signature=signature), stream, format)
    text = stream.getvalue()
    return text[text.index("\n") + 1 if goes_on else 0 :].encode()
