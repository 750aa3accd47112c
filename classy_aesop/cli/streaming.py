"""What a command reads, a corpus or a stream of any size, and its table, written whole or part by part."""

from __future__ import annotations

import gc
import io
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from classy_aesop.cli.output import output
from classy_aesop.cli.sources import GROUPS, PART, CorpusSource, Group, Part, by_role
from classy_aesop.errors import UsageError
from classy_aesop.report.result import Result

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.cli.commands import Asked
    from classy_aesop.data.corpus import Corpus
    from classy_aesop.data.streaming import Stream, StreamedTable

FORMATS = ("tsv", "csv", "jsonl", "parquet")
"""Formats that are written part by part; others need all rows at once."""


@dataclass(frozen=True, kw_only=True)
class Streamable(CorpusSource):
    """A corpus of any size, which some workers may read."""

    n_jobs: int = 1

    @cached_property
    def opened(self) -> Corpus | Stream:
        """All of it, or a stream of its part if it is too large."""
        from classy_aesop.data.streaming import corpus_or_stream

        part = None if self.is_all else Part(**{name: getattr(self, name) for name in PART})
        how: dict[str, Any] = {"format": self.layout, "encoding": self.encoding}
        return corpus_or_stream(self.input, part, columns=by_role(self.columns), **how)

    @cached_property
    def full(self) -> Corpus:
        """The corpus, all of it.

        Raises
        ------
        UsageError
            It is too large to be held.
        """
        from classy_aesop.data.streaming import HELD, Stream

        if isinstance(self.opened, Stream):
            raise UsageError(f"--scores goes with JSON lines of at most {HELD >> 20} MB; found more")
        return self.opened

    def topics(self) -> Corpus | Stream:
        """Read its part, or give it as a stream."""
        from classy_aesop.data.corpus import Corpus

        return self.of(self.opened) if isinstance(self.opened, Corpus) else self.opened


@dataclass(frozen=True, kw_only=True)
class OptionalCorpus(Streamable):
    """A corpus, for which score tables may stand."""

    input: str | None = None  # type: ignore[assignment]


GROUPS |= {"streamable": Group(Streamable), "optional_source": Group(OptionalCorpus)}


def result(
    table: pd.DataFrame | StreamedTable, asked: Asked, signed: Mapping[str, object] | None = None
) -> Result | None:
    """Give a table as the result of a command; one of a stream is written as its parts come, if the format allows."""
    from classy_aesop.data.streaming import StreamedTable

    if not isinstance(table, StreamedTable):
        return Result(table, signed or {})
    if asked.format not in FORMATS or getattr(asked, "figure", None) is not None:
        return Result(table.whole(), signed or {})
    _write(table, asked, asked.signature(**(signed or {})))
    return None


def _write(table: StreamedTable, asked: Asked, signature: str) -> None:
    """Write a table as its parts come; the bytes do not depend on the number of workers, nor on where they are."""
    from classy_aesop.report.formats import row_groups

    gc.freeze()  # what is loaded stays, and need not be looked through with each block
    write = partial(_packed, format=asked.format, signature=signature, path=asked.output or "")
    with output(asked.output) as stream, ExitStack() as stack:
        groups = (
            stack.enter_context(row_groups(stream.buffer, signature)) if asked.format == "parquet" else None
        )
        for _, parts in table.parts(write):
            for start, first, rest in parts:
                if groups is not None:
                    groups.add_encoded(io.BufferedReader(io.BytesIO(rest)))
                else:
                    stream.buffer.write((first if asked.begun else start) + rest)
                asked.begun = True


def _packed(table: pd.DataFrame, *, format: str, signature: str, path: str) -> tuple[bytes, bytes, bytes]:
    """Give a part of a table as bytes: what the output begins with, its first row elsewhere, and the other rows.

    The output begins with a header and the signature in the first row.
    """
    from classy_aesop.data.sources import compress
    from classy_aesop.report.formats import encoded

    if format == "parquet":
        return b"", b"", encoded(table)
    below = table.assign(signature="") if format != "jsonl" else table
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
