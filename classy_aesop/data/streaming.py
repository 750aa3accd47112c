"""A corpus of any size, topic by topic, and tables that are made of its parts in order, by one or more workers.

JSON lines of more than `HELD` bytes are read block by block (`blocks`); whatever else there is, is read at once.
"""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol, cast

from classy_aesop.data.blocks import Block, Span, Subject, plain_size, spans
from classy_aesop.data.columns import Fields
from classy_aesop.data.corpus import Corpus, assemble
from classy_aesop.data.jsonl import judged_in, summaries_in
from classy_aesop.data.originals import Original, of_lines
from classy_aesop.data.reading import read_corpus, recognize_layout
from classy_aesop.data.scores import named, with_places
from classy_aesop.data.sources import (
    STANDARD_INPUT,
    Source,
    open_bytes,
    plain,
    standard_input,
    whole,
)
from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.work.workers import in_order, is_far

if TYPE_CHECKING:
    import pandas as pd

HELD = 2**25
"""Most bytes of JSON lines that are read at once, in any order of their rows."""

UNSCORED = "unscored"
"""Set in the ``attrs`` of a table that lists the summaries of a block, but has nothing to say of them."""

Function = Callable[[Corpus], "pd.DataFrame | None"]
"""From the corpus of a block to its rows; None if it has none that the function is for."""

Write = Callable[["pd.DataFrame"], Any]
"""What a worker makes of a table, so that it takes less time to send or need not be made by one process."""

Join = Callable[[list[Original], "pd.DataFrame"], "pd.DataFrame"]
"""From the rows of a block, and what a function made of them, to one table."""


class Selects(Protocol):
    """A part of a corpus that is asked for; see `cli.sources.Part`."""

    def of_block(self, corpus: Corpus) -> Corpus | None:
        """Keep the part of a block; None if it has nothing of it."""

    def check(self, there: Collection[tuple[str, str]]) -> None:
        """Refuse a name that is not among those that were there, each after what it names: year, task, summarizer."""


def corpus_or_stream(
    path: str | Path,
    part: Selects | None = None,
    *,
    format: str = "auto",
    columns: Fields | None = None,
    encoding: str | None = None,
) -> Corpus | Stream:
    """Read a corpus; JSON lines of more than `HELD` bytes become a `Stream` of the ``part`` that is asked for.

    ``path``, ``format``, ``columns`` and ``encoding`` are those of `read_corpus`. A folder is a stream if its summaries
    are that many; its judgments say which references are evaluated.
    """
    how: dict[str, Any] = {"format": format, "columns": columns, "encoding": encoding}
    may_be_lines = format in ("auto", "jsonl") and not columns and encoding is None
    if str(path) == STANDARD_INPUT or not (os.path.isfile(path) or os.path.isdir(path)):
        source = _of_pipe(path, part, is_open=may_be_lines, is_lines=format == "jsonl")
        return source if isinstance(source, Stream) else read_corpus(source, **how)
    summaries = summaries_in(path) if os.path.isdir(path) else Path(path)
    if may_be_lines and summaries is not None and _is_large(summaries):
        is_lines = format == "jsonl" or os.path.isdir(path) or recognize_layout(Source.of(path)) == "jsonl"
        if is_lines:
            judged = judged_in(path) if os.path.isdir(path) else frozenset()
            return Stream(summaries, part=part, judged=judged)
    return read_corpus(path, **how)


def _is_large(path: Path) -> bool:
    """Whether a file has more bytes than are held, decompressed."""
    if size := plain_size(str(path)):
        return size > HELD
    with whole(path), open_bytes(path) as stream:
        n_bytes = 0
        while n_bytes <= HELD and (piece := stream.read(2**20)):
            n_bytes += len(piece)
    return n_bytes > HELD


def _of_pipe(path: str | Path, part: Selects | None, *, is_open: bool, is_lines: bool) -> Source | Stream:
    """Read a pipe as far as it is held; what has more is a stream, if it is of JSON lines."""
    is_input = str(path) == STANDARD_INPUT
    if not is_input and not os.path.exists(path):
        raise FileNotFoundError(f"{path}: no such file or folder")
    name = "standard input" if is_input else str(path)
    stream = plain(standard_input() if is_input else open(path, "rb"))  # noqa: SIM115
    with whole(name):
        start = stream.read(HELD + 1)
        if len(start) > HELD and is_open and (is_lines or recognize_layout(Source(name, start)) == "jsonl"):
            chained = cast(BinaryIO, io.BufferedReader(_Chained(start, stream), 2**20))
            return Stream(name, part=part, opened=chained)
        return Source(name, start + stream.read())


class _Chained(io.RawIOBase):
    """What was read of a stream already, and then its rest."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._parts = [io.BytesIO(start), rest]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while self._parts:
            data = self._parts[0].read(len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)
            del self._parts[0]
        return 0


class Stream:
    """A file of JSON lines of any size, in which all rows of a topic stand together.

    Parameters
    ----------
    path : path-like
        The file, which may be compressed; ``-`` is standard input.
    part : Selects, optional
        The part of it that is asked for; by default all.
    judged : collection of (str, str, str, str)
        Year, topic, task and summarizer of what is judged: only references among them are evaluated, if there are any.
    opened : binary stream, optional
        Where the lines come from, if it is open already; ``path`` is then its name.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.

    Examples
    --------
    >>> from classy_aesop import feature_table
    >>> stream = Stream("data_samples/2021/summaries.jsonl")
    >>> first = next(iter(feature_table(stream, names=["r2"])))
    >>> first[["topic", "summarizer", "r2"]].head(1).round(3).values.tolist()
    [['D2101', 'A', 0.277]]
    """

    def __init__(
        self,
        path: str | Path,
        *,
        part: Selects | None = None,
        judged: Collection[tuple[str, ...]] = frozenset(),
        opened: BinaryIO | None = None,
    ) -> None:
        self.path, self.part, self.judged, self._opened = str(path), part, judged, opened
        if opened is None and self.path != STANDARD_INPUT and not os.path.exists(self.path):
            raise FileNotFoundError(f"{self.path}: no such file")

    def table(self, function: Function, *, n_jobs: int = 1) -> StreamedTable:
        """Make a table of it, block by block; each has a year and a task, which a later block may need."""
        return StreamedTable(self, partial(_piped, function, with_places), n_jobs)

    def pieces(self) -> Iterator[Iterable[Block]]:
        """Divide it into what single workers work on: a file that is neither compressed nor a pipe they read.

        Raises
        ------
        InputError
            If the file is empty or cut.
        """
        size = 0 if self._opened else plain_size(self.path)
        place = os.path.abspath(self.path) if is_far() else self.path
        if size:
            yield from spans(place, size)
        else:
            yield from ([block] for block in Span(self.path, opened=self._opened))


@dataclass(frozen=True)
class StreamedTable:
    """A table that is made block by block, in the order of its stream, when its parts are asked for.

    Iterating gives a DataFrame a block. They do not depend on the number of workers, nor on where these are.
    """

    stream: Stream
    function: Function
    n_jobs: int = 1
    beside: Join | None = None
    alike: bool = True

    def __iter__(self) -> Iterator[pd.DataFrame]:
        return chain.from_iterable(tables for _, tables in self.parts())

    def whole(self) -> pd.DataFrame:
        """Make all of it, in one table."""
        import pandas as pd

        return pd.concat(list(self), ignore_index=True)

    def pipe(self, function: Callable[..., pd.DataFrame], **options: Any) -> StreamedTable:
        """Apply a function to each of its tables, as ``DataFrame.pipe`` does to one."""
        return replace(self, function=partial(_piped, self.function, partial(function, **options)))

    def join(self, beside: Join, *, alike: bool = True) -> StreamedTable:
        """Put each of its tables beside the rows that it is about, by a function such as `originals.with_columns`.

        Unless all need the same columns (``alike``), the rows of a later table may have other fields.
        """
        return replace(self, beside=beside, alike=alike)

    def parts(self, write: Write | None = None) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
        """Give for each piece of the stream the columns and what workers make of the tables of its blocks.

        Parameters
        ----------
        write : callable, optional
            What workers make of the table of a block.

        Raises
        ------
        InputError
            If a topic goes on in a later block, a block has other columns, or the function is for none.
        UsageError
            If a name that is asked for is nowhere.
        """
        seen: set[str] = set()
        told: set[str] = set()
        there: set[tuple[str, str]] = set()
        columns: tuple[str, ...] = ()
        is_empty, select = True, self.stream.part
        work = partial(_worked, _Work(self.function, self.beside, write, select, self.stream.judged))
        with closing(in_order(work, self.stream.pieces(), self.n_jobs)) as done:
            for parts in done:
                for part in parts:
                    _check_order(part, seen)
                    there |= part.there
                    columns = columns or part.columns
                    if self.alike:
                        _check_columns(part, columns, is_joined=self.beside is not None)
                    is_empty = is_empty and part.is_empty
                    for message in dict.fromkeys(part.messages):
                        if message not in told:
                            warnings.warn(message, DataWarning, stacklevel=2)
                    told.update(part.messages)
                yield columns, [part.made for part in parts if part.columns]
        if select is not None:
            select.check(there)
        if is_empty:
            raise InputError("nothing in the input is of the task that is asked for")


def _check_order(part: Part, seen: set[str]) -> None:
    """Note the topics of a block; refuse one that was in an earlier block."""
    for subject, line in part.subjects.items():
        if "\t".join(subject) in seen:
            raise part.block.where(line).error(
                f"{named((*subject, ''))} goes on after other topics; of more than {HELD >> 20} MB expected all rows "
                "of a topic together: classy-aesop convert IN -o SORTED.jsonl puts them so"
            )
    seen.update(map("\t".join, part.subjects))  # a string needs less memory than a pair


def _check_columns(part: Part, first: tuple[str, ...], *, is_joined: bool) -> None:
    if part.columns not in ((), first):
        other = listed(sorted({*part.columns} ^ {*first}) or part.columns)
        raise part.block.where(min(part.subjects.values())).error(
            f"its rows give other columns than those before ({other}); expected earlier references in all topics or "
            f"none{', and the same fields in all rows, or -f jsonl' if is_joined else ''}"
        )


def _piped(
    first: Function, second: Callable[[pd.DataFrame], pd.DataFrame], corpus: Corpus
) -> pd.DataFrame | None:
    table = first(corpus)
    return None if table is None else second(table)


# --- what a worker does ---


@dataclass(frozen=True)
class Part:
    """What is made of a block, which comes without its lines: topics, warnings, and the table as it is written."""

    block: Block
    subjects: dict[Subject, int]
    messages: tuple[str, ...] = ()
    there: frozenset[tuple[str, str]] = frozenset()
    columns: tuple[str, ...] = ()
    made: Any = None
    is_empty: bool = True


@dataclass(frozen=True)
class _Work:
    """What is made of a block, and of which part of it."""

    function: Function
    beside: Join | None
    write: Write | None
    select: Selects | None
    judged: Collection[tuple[str, ...]]


def _worked(work: _Work, piece: Iterable[Block]) -> list[Part]:
    """Work on the blocks of a piece; an error names the line of the file, which is only then looked for."""
    parts = []
    for block in piece:
        try:
            parts.append(_part(work, block))
        except InputError:
            parts.append(_part(work, block.placed()))
    return parts


def _part(work: _Work, block: Block) -> Part:
    """Work on a block."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        records = block.records()
        every = assemble(records, judged=work.judged, path=block.name)
        corpus = every if work.select is None else work.select.of_block(every)
        table = None if corpus is None else work.function(corpus)
        if work.beside is not None and table is not None:
            table = work.beside(of_lines(block.lines(), (record.instance for record in records)), table)
    messages = tuple(str(warning.message) for warning in caught)
    there = frozenset() if work.select is None else frozenset(_names_in(every))
    part = Part(replace(block, data=b""), block.subjects(records), messages, there)
    if table is None:
        return part
    columns, is_empty = tuple(map(str, table)), UNSCORED in table.attrs
    return replace(part, columns=columns, made=work.write(table) if work.write else table, is_empty=is_empty)


def _names_in(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Give what a corpus has of what may be asked for, each name after what it names."""
    for topic in corpus:
        yield "year", topic.year
        yield "task", topic.task
        yield from (("summarizer", one.summarizer) for one in topic.summaries)
