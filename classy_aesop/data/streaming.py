"""A corpus of any size as a stream, and tables that are made of it block by block, in order, by one or more workers."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.data.blocks import Block, Piece, Subject, pieces
from classy_aesop.data.corpus import Corpus, assemble
from classy_aesop.data.originals import Original, of_lines
from classy_aesop.data.scores import named, with_places
from classy_aesop.data.sources import STANDARD_INPUT
from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.work.workers import in_order

if TYPE_CHECKING:
    import pandas as pd

Function = Callable[[Corpus], "pd.DataFrame | None"]
"""From the corpus of a block to its rows; None if it has none that the function is for."""

Write = Callable[["pd.DataFrame"], Any]
"""What a worker makes of a table, so that it takes less time to send or need not be made by one process."""

Join = Callable[[list[Original], "pd.DataFrame"], "pd.DataFrame"]
"""From the rows of a block, and what a function made of them, to one table."""

UNSCORED = "unscored"
"""Set in the ``attrs`` of a table that lists the summaries of a block, but has nothing to say of them."""


class Stream:
    """A corpus of any size: files of JSON lines in which all rows of a topic stand together, without judgments.

    Parameters
    ----------
    *paths : path-like
        The files, which may be compressed; ``-`` is standard input.
    far : bool
        Whether workers on other machines read them, which find them under the same path.

    Raises
    ------
    FileNotFoundError
        If a file does not exist.

    Examples
    --------
    >>> from classy_aesop import feature_table
    >>> stream = Stream("data_samples/2021/summaries.jsonl")
    >>> first = next(iter(feature_table(stream, names=["r2"])))
    >>> first[["topic", "summarizer", "r2"]].head(1).round(3).values.tolist()
    [['D2101', 'A', 0.277]]
    """

    def __init__(self, *paths: str | Path, far: bool = False) -> None:
        self.paths, self.far = tuple(map(str, paths)), far
        for path in self.paths:
            if path != STANDARD_INPUT and not os.path.exists(path):
                raise FileNotFoundError(f"{path}: no such file")

    def table(self, function: Function, *, n_jobs: int = 1) -> StreamedTable:
        """Make a table of it, block by block; each has a year and a task, which a later block may need."""
        return StreamedTable(self, partial(_piped, function, with_places), n_jobs)


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

    def pipe(self, function: Callable[..., pd.DataFrame], **options: Any) -> StreamedTable:
        """Apply a function to each of its tables, as ``DataFrame.pipe`` does to one."""
        return replace(self, function=partial(_piped, self.function, partial(function, **options)))

    def join(self, beside: Join, *, alike: bool = True) -> StreamedTable:
        """Put each of its tables beside the rows that it is about, by a function such as `originals.with_columns`.

        Unless all need the same columns (``alike``), the rows of a later table may have other fields.
        """
        return replace(self, beside=beside, alike=alike)

    def parts(
        self, write: Write | None = None, *, n_done: int = 0, columns: tuple[str, ...] = ()
    ) -> Iterator[tuple[tuple[str, ...], list[Any]]]:
        """Give for each piece of the stream the columns and what workers make of the tables of its blocks.

        Parameters
        ----------
        write : callable, optional
            What workers make of the table of a block.
        n_done : int
            Pieces that were worked on before: only the order of their topics is checked.
        columns : tuple of str
            The columns of their tables.

        Raises
        ------
        InputError
            If a topic goes on in a later block, a block has other columns, or the function is for none.
        """
        seen: set[str] = set()
        told: set[str] = set()
        is_empty = not columns
        work = partial(_worked, self.function, self.beside, write, n_done)
        waiting = enumerate(pieces(self.stream.paths, far=self.stream.far))
        with closing(in_order(work, waiting, self.n_jobs)) as done:
            for at, parts in enumerate(done):
                for part in parts:
                    _check_order(part, seen)
                    columns = columns or part.columns
                    if self.alike:
                        _check_columns(part, columns, is_joined=self.beside is not None)
                    is_empty = is_empty and part.is_empty
                    for message in dict.fromkeys(part.messages):
                        if message not in told:
                            warnings.warn(message, DataWarning, stacklevel=2)
                    told.update(part.messages)
                if at >= n_done:
                    yield columns, [part.made for part in parts if part.columns]
        if is_empty:
            raise InputError("nothing in the input is of the task that is asked for")


def _check_order(part: Part, seen: set[str]) -> None:
    """Note the topics of a block; refuse one that was in an earlier block."""
    for subject, line in part.subjects.items():
        if "\t".join(subject) in seen:
            raise part.block.where(line).error(
                f"{named((*subject, ''))} goes on after other topics; expected all rows of a topic together: "
                "sort the file by year and topic, or read it whole, without --stream"
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
    columns: tuple[str, ...] = ()
    made: Any = None
    is_empty: bool = True


def _worked(
    function: Function, beside: Join | None, write: Write | None, n_done: int, numbered: tuple[int, Piece]
) -> list[Part]:
    """Work on the blocks of a piece; an error names the line of the file, which is only then looked for."""
    number, piece = numbered
    work = partial(_part, None if number < n_done else function, beside, write)
    parts = []
    for block in piece:
        try:
            parts.append(work(block))
        except InputError:
            parts.append(work(block.placed()))
    return parts


def _part(function: Function | None, beside: Join | None, write: Write | None, block: Block) -> Part:
    """Work on a block; without a function its topics are found."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        records = block.records()
        table = None if function is None else function(assemble(records, path=block.name))
        if beside is not None and table is not None:
            table = beside(of_lines(block.lines(), (record.instance for record in records)), table)
    messages = tuple(str(warning.message) for warning in caught)
    part = Part(replace(block, data=b""), block.subjects(records), messages)
    if table is None:
        return part
    columns, is_empty = tuple(map(str, table)), UNSCORED in table.attrs
    return replace(part, columns=columns, made=write(table) if write else table, is_empty=is_empty)
