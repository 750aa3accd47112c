"""Where the output of a command goes, and how its table is written."""

from __future__ import annotations

import contextlib
import errno
import io
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from classy_aesop.cli.terminal import for_terminal
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.commands import Asked
    from classy_aesop.report.result import Result


def write(found: Result | pd.DataFrame, asked: Asked) -> None:
    """Write what a command found, in the format that is asked for, with its kind and its signature.

    Below a table without a `Result`, as studies give it, stand the misprints of the papers that have it.
    """
    from classy_aesop.report.formats import write_result
    from classy_aesop.report.result import Result
    from classy_aesop.studies.printed import misprints

    result = found if isinstance(found, Result) else Result(found, notes=misprints(asked.kind))
    made = replace(result, kind=asked.kind, signature=asked.signature(**result.signed))
    with _text_output(asked.output) as stream:
        write_result(made, stream, asked.format)
    if getattr(asked, "figure", None) is not None:
        from classy_aesop.report.figure import save_figures

        save_figures(made, asked.figure)


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
    if by_default is not None:
        from classy_aesop.report.formats import FORMATS, format_of

        asked.format = asked.format or format_of(path, by_default)
        if FORMATS[asked.format].needs:
            FORMATS[asked.format].check(asked.format)
            _check_bytes(path, asked.format)
    if getattr(asked, "figure", None) is not None:
        from classy_aesop.report.figure import check_figure

        check_figure(asked.figure, asked.kind, path)


def _check_bytes(path: str | None, format: str) -> None:
    from classy_aesop.data.sources import plain_name

    if path is None and sys.stdout is not None and sys.stdout.isatty():
        raise UsageError(f"-f {format} does not go to a terminal; expected -o FILE, or a pipe")
    if path is not None and plain_name(path) != path:
        raise UsageError(f"{path}: {format} is compressed by itself; expected another name")


@contextlib.contextmanager
def _text_output(path: str | None) -> Iterator[TextIO]:
    """Open the output of a command for text, which is compressed if the name of the file says so."""
    from classy_aesop.data.sources import compress, plain_name

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
