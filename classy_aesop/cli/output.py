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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

from classy_aesop.errors import UsageError
from classy_aesop.tables.presentation import Presentation
from classy_aesop.tables.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.commands import CommandLine
    from classy_aesop.reading.streaming import StreamedTable


_CONTROL = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)


def escape_for_terminal(stream: TextIO) -> TextIO:
    """Give a stream, or if it is a terminal one that escapes control characters before they get there."""
    if not stream.isatty():
        return stream
    stream.flush()
    escaped = cast(BinaryIO, _EscapingStream(stream.buffer))
    return io.TextIOWrapper(escaped, encoding="utf-8", newline="\n", write_through=True)


class _EscapingStream(io.BufferedIOBase):
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def write(self, data: Any, /) -> int:
        """Write with control characters escaped."""
        written = bytes(data)
        escaped = _CONTROL.sub(lambda match: match[0].decode().encode("unicode_escape"), written)
        self._stream.write(escaped)
        return len(written)

    def flush(self) -> None:
        """Flush the stream below."""
        self._stream.flush()


PICTURE_ENDINGS = (".pdf", ".svg", ".png")
"""Endings of the names of pictures."""


def write_output(result: Result, command_line: CommandLine) -> None:
    """Write the result of a command in the requested format, with its kind and its signature."""
    from classy_aesop.data.scores import add_stratum_columns
    from classy_aesop.pages.formats import write_result

    if command_line.command.places:
        result = replace(result, table=add_stratum_columns(result.table))
    result = replace(
        result,
        kind=result.kind or command_line.kind,
        signature=command_line.signature(**result.recorded),
        presentation=presentation_of(command_line),
    )
    if command_line.safe_csv:
        from classy_aesop.tables.result_files import escape_formulas

        result = replace(result, table=escape_formulas(result.table))
    with _text_output(command_line.output) as stream:
        if command_line.format == "text" and command_line.output is None:
            from classy_aesop.pages.screen import write_screen
            from classy_aesop.tables.screen_tables import SCREEN_ROWS

            write_screen(result, stream, max_rows=SCREEN_ROWS)
        else:
            write_result(result, stream, command_line.format)
    if command_line.picture is not None:
        from classy_aesop.pages.figure import save_figures

        save_figures(result, command_line.picture)


def presentation_of(command_line: CommandLine) -> Presentation:
    """Collect the options that change how the table of a command is shown."""
    return Presentation(
        command_line.columns_shown or (),
        dict(command_line.rename or ()),
        command_line.label or "",
    )


def write_lines(lines: Iterable[str], path: str | None) -> None:
    """Write lines to a file, or to standard output if it is None."""
    with _text_output(path) as stream:
        stream.writelines(f"{line}\n" for line in lines)


def check_output(command_line: CommandLine) -> None:
    """Check before the work whether the output of a command can be written, and choose its format if none is named."""
    path = getattr(command_line, "output", None)
    default_format = command_line.command.format
    if path is not None:
        from classy_aesop.work.files import check_file

        check_file(path)
        if Path(path).suffix.lower() in PICTURE_ENDINGS:
            from classy_aesop.pages.figure import check_figure

            check_figure(path, command_line.kind)
            command_line.picture = path
            command_line.output = None
            path = None
    if default_format is not None:
        from classy_aesop.pages.formats import TABLE_FORMATS, format_of
        from classy_aesop.reading.byte_sources import plain_name

        is_terminal = sys.stdout is not None and sys.stdout.isatty()
        command_line.is_for_reader = is_terminal and not (
            command_line.format or command_line.output or command_line.picture
        )
        if command_line.is_for_reader and not getattr(command_line, "join", False):
            default_format = "text"  # rows are for programs
        command_line.format = command_line.format or format_of(path, default_format)
        if command_line.safe_csv and (
            command_line.format not in ("csv", "tsv") or command_line.picture is not None
        ):
            raise UsageError(
                f"--safe-csv is for CSV and TSV; found {command_line.picture or command_line.format}"
            )
        if command_line.format == "html":
            from classy_aesop.pages.page import check_report

            check_report()
        is_latex = command_line.format == "latex"
        if flags := command_line.changed_flags("columns_shown", "rename", *(() if is_latex else ("label",))):
            expected = "latex" if "--label" in flags else "text, latex or markdown"
            if command_line.format not in expected:
                raise UsageError(
                    f"{flags[0]} is for tables that people read; found -f {command_line.format}, expected {expected}"
                )
        if TABLE_FORMATS[command_line.format].needs:
            TABLE_FORMATS[command_line.format].check(command_line.format)
            if path is None and sys.stdout is not None and sys.stdout.isatty():
                raise UsageError(
                    f"-f {command_line.format} cannot be shown on a terminal; expected -o FILE, or a pipe"
                )
            if path is not None and plain_name(path) != path:
                message = f"{command_line.format} is already compressed; expected a name without .gz or .zst"
                raise UsageError(f"{path}: {message}")


@contextlib.contextmanager
def _text_output(path: str | None) -> Iterator[TextIO]:
    """Open the output of a command for text, which is compressed if the name of the file says so."""
    from classy_aesop.reading.byte_sources import compress, plain_name

    with open_output(path) as stream:
        if path is None or plain_name(path) == path:
            yield stream
            return
        uncompressed = io.BytesIO()
        with io.TextIOWrapper(uncompressed, encoding="utf-8", newline="\n", write_through=True) as text:
            yield text
            stream.buffer.write(compress(uncompressed.getvalue(), path))


@contextlib.contextmanager
def open_output(path: str | None) -> Iterator[TextIO]:
    """Open the output of a command; a file appears when it is complete."""
    if path is None:
        if sys.stdout is None:
            raise OSError(errno.EBADF, "it is closed; expected an open one, or -o FILE", "standard output")
        yield escape_for_terminal(sys.stdout)
        return
    from classy_aesop.work.files import atomic_file

    with atomic_file(path) as stream:
        yield stream


# --- part by part ---

STREAMED_FORMATS = ("tsv", "csv", "jsonl")
"""Formats that are written part by part; others need all rows at once."""


def make_result(
    table: pd.DataFrame | StreamedTable,
    command_line: CommandLine,
    recorded: Mapping[str, object] | None = None,
) -> Result | None:
    """Make the result of a command, or write a streamed table part by part."""
    from classy_aesop.reading.streaming import StreamedTable

    if not isinstance(table, StreamedTable):
        return Result(table, recorded or {})
    if command_line.format not in STREAMED_FORMATS or command_line.picture is not None:
        return Result(table.whole(), recorded or {})
    _write_stream(table, command_line, command_line.signature(**(recorded or {})))
    return None


def _write_stream(table: StreamedTable, command_line: CommandLine, signature: str) -> None:
    """Write a table as its parts come; the bytes do not depend on the number of workers, nor on where they are."""
    from classy_aesop.reading.byte_sources import compress

    gc.freeze()  # what is loaded stays, and need not be looked through with each block
    write = partial(_encode_part, format=command_line.format, is_safe=command_line.safe_csv)
    with open_output(command_line.output) as stream:
        for first, rows in table.parts(write):
            if not command_line.begun:
                later_rows = rows.removeprefix(_encode_text(first, command_line.format))
                rows = _encode_text(first, command_line.format, signature) + later_rows
            stream.buffer.write(compress(rows, command_line.output or ""))
            command_line.begun = True


def _encode_part(table: pd.DataFrame, *, format: str, is_safe: bool) -> tuple[pd.DataFrame, bytes]:
    """Encode the rows of a part of a table; also give its first row, to which a signature may be added."""
    from classy_aesop.tables.result_files import escape_formulas

    table = escape_formulas(table) if is_safe else table
    return table[:1], _encode_text(table, format)


def _encode_text(table: pd.DataFrame, format: str, signature: str = "") -> bytes:
    """Encode rows as an output begins, with a header and its signature, or as it continues if there is none."""
    from classy_aesop.pages.formats import write_result
    from classy_aesop.tables.result_files import signature_column_name

    if goes_on := not signature and format != "jsonl":
        table = table.assign(**{signature_column_name(table): ""})
    stream = io.StringIO()
    write_result(Result(table, signature=signature), stream, format)
    text = stream.getvalue()
    return text[text.index("\n") + 1 if goes_on else 0 :].encode()
