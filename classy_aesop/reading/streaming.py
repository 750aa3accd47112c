"""A corpus of any size, topic by topic, and tables that are made of its parts in order, by one or more workers.

A plain file of JSON lines whose topics stand together is read block by block (`blocks`) by whoever works on it. Any
other source of more than `HELD` bytes is sorted on disk first (`sorting`), and smaller ones are read at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from classy_aesop.data.cells import Fields
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.score_tables import tidied
from classy_aesop.data.scores import KEYS, with_places
from classy_aesop.data.where import Where
from classy_aesop.errors import DataWarning, InputError, UsageError, listed
from classy_aesop.reading.blocks import Block, blocks
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.corpora import read_corpus, recognize_layout
from classy_aesop.reading.jsonl import judged_in, summaries_in
from classy_aesop.reading.originals import Original
from classy_aesop.reading.sorting import SortedBlock, Sorter
from classy_aesop.reading.table_files import form_of, unpacked_size
from classy_aesop.work.workers import map_in_order

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.reading.score_rows import ScoreTables

HELD = 2**25
"""Most bytes of a source, unpacked, that are read at once."""

PACKED = 8
"""How many times more bytes a workbook or packed archive is expected to hold than it has."""

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
    path: str | Path | Source,
    part: Selects | None = None,
    *,
    layout: str = "auto",
    columns: Fields | None = None,
    encoding: str | None = None,
) -> Corpus | Stream:
    """Read a corpus; one of more than `HELD` bytes becomes a `Stream` of the ``part`` that is asked for.

    ``path``, ``layout``, ``columns`` and ``encoding`` are those of `read_corpus`.
    """
    how: dict[str, Any] = {"layout": layout, "columns": columns, "encoding": encoding}
    source = Source.of(path)
    if source.kept is None and source.path.is_dir():
        summaries = summaries_in(source.path)
        texts = (one for place in ("", "*/") for one in source.path.glob(f"{place}ROUGE/*/*"))  # of a release
        n_bytes = (
            Source.of(summaries).n_bytes(HELD) if summaries else sum(one.stat().st_size for one in texts)
        )
    elif form_of(source) == "parquet":
        n_bytes = unpacked_size(source)
    else:
        n_bytes = source.n_bytes(HELD) * (PACKED if source.suffix in (".xlsx", ".bz2", ".xz") else 1)
    if n_bytes > HELD and source.sheet is None:
        found = recognize_layout(source, is_table=bool(columns)) if layout == "auto" else layout
        if found == "table" or (found in ("jsonl", "nist") and not columns and encoding is None):
            return Stream(source, part=part, **how | {"layout": found})
    return read_corpus(source, **how)


class Stream:
    """A corpus of any size, in JSON lines, a table or a release of NIST, that is read topic by topic.

    Parameters
    ----------
    path : path-like
        The file, which may be compressed, or a folder of JSON lines; ``-`` is standard input.
    part : Selects, optional
        The part of it that is asked for; by default all.
    layout, columns, encoding
        As for `read_corpus`.

    Raises
    ------
    FileNotFoundError
        If the file does not exist.
    UsageError
        If it is neither.

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
        path: str | Path | Source,
        *,
        part: Selects | None = None,
        layout: str = "auto",
        columns: Fields | None = None,
        encoding: str | None = None,
    ) -> None:
        self.source, self.part, self.columns = Source.of(path).in_encoding(encoding), part, columns
        self.judged = frozenset[Any]()
        found = recognize_layout(self.source, is_table=bool(columns)) if layout == "auto" else layout
        if found not in ("jsonl", "nist", "table"):
            raise UsageError(f"layout is {found!r}; expected auto or one of jsonl, nist, table")
        self.layout = found
        if self.source.kept is None and self.source.path.is_dir():
            folder = self.source.path
            self.source = Source.of(summaries_in(folder) or folder)
            self.judged = judged_in(folder)  # they say which references are evaluated

    def table(self, function: Function, *, n_jobs: int = 1) -> StreamedTable:
        """Make a table of it, block by block; each has a year and a task, which a later block may need."""
        return StreamedTable(self, partial(_piped, function, with_places), n_jobs)

    def blocks(self, *, as_they_were: bool = False, n_jobs: int = 1) -> Iterable[Block | SortedBlock]:
        """Divide it into what single workers work on; with ``as_they_were`` rows are asked for, too, in their order."""
        path = self.source.name
        if self.layout == "jsonl" and self.source.is_plain and (found := blocks(path, n_jobs)) is not None:
            return found
        if self.layout == "nist" and as_they_were:
            raise UsageError(f"--join: {path} is no file with a row a summary; expected one")
        sorter = Sorter(self.source, self.columns, layout=self.layout, are_kept=as_they_were)
        if as_they_were and not sorter.is_sorted:
            raise InputError(
                "--join keeps the order of rows; of so many expected all of a topic together: "
                "classy-aesop convert IN -o SORTED.jsonl puts them so",
                path=path,
            )
        return sorter.blocks()


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
        return self.parts()

    def whole(self) -> pd.DataFrame:
        """Make all of it, in one table."""
        import pandas as pd

        return pd.concat(list(self), ignore_index=True)

    def pipe(self, function: Callable[..., pd.DataFrame], **options: Any) -> StreamedTable:
        """Apply a function to each of its tables, as ``DataFrame.pipe`` does to one."""
        return replace(self, function=partial(_piped, self.function, partial(function, **options)))

    def join(self, beside: Join, *, alike: bool = True) -> StreamedTable:
        """Put each of its tables beside its rows, which unless ``alike`` may have other fields later."""
        return replace(self, beside=beside, alike=alike)

    def parts(self, write: Write | None = None) -> Iterator[Any]:
        """Give for each piece of the stream the columns and what workers make of the tables of its blocks.

        Parameters
        ----------
        write : callable, optional
            What workers make of the table of a block.

        Raises `InputError` if a block has other columns, or the function is for none; `UsageError` if a name that is
        asked for is nowhere.
        """
        told: set[str] = set()
        there: set[tuple[str, str]] = set()
        columns: tuple[str, ...] = ()
        is_empty, select = True, self.stream.part
        work = partial(_part, self.function, self.beside, write, select, self.stream.judged)
        every = self.stream.blocks(as_they_were=self.beside is not None, n_jobs=self.n_jobs)
        with closing(map_in_order(work, every, self.n_jobs)) as done:
            for part in done:
                there |= part.there
                columns = columns or part.columns
                if self.alike and part.columns not in ((), columns):
                    other = listed(sorted({*part.columns} ^ {*columns}) or part.columns)
                    fields = "" if self.beside is None else ", and the same fields in all rows, or -f jsonl"
                    raise part.where.error(
                        f"its rows give other columns than those before ({other}); expected earlier references in "
                        f"all topics or none{fields}"
                    )
                is_empty = is_empty and part.is_empty
                for message in part.messages:
                    if message not in told:
                        warnings.warn(message, DataWarning, stacklevel=2)
                        told.add(message)
                if part.columns:
                    yield part.made
        if select is not None:
            select.check(there)
        if is_empty:
            raise InputError("nothing in the input is of the task that is asked for")


def _piped(
    first: Function, second: Callable[[pd.DataFrame], pd.DataFrame], corpus: Corpus
) -> pd.DataFrame | None:
    table = first(corpus)
    return None if table is None else second(table)


class TopicScores:
    """Scores of metrics beside a stream, by topic; a row without a year is of a topic's only year."""

    def __init__(self, scores: ScoreTables) -> None:
        self.scores = with_places(tidied(scores))
        self.rows = {
            str(topic): rows for topic, rows in self.scores.groupby("topic", sort=False).indices.items()
        }

    def of(self, corpus: Corpus) -> pd.DataFrame:
        """Give those of a block."""
        import numpy as np

        rows = [at for topic in dict.fromkeys(one.topic for one in corpus) for at in self.rows.get(topic, ())]
        found = self.scores.iloc[sorted(rows)]
        if len(corpus.years) == 1:
            found = found.assign(year=found["year"].replace("", corpus.years[0]))
        there = {(*topic.key, one.summarizer): None for topic, one in corpus.summaries()}
        is_there = [key in there for key in found[KEYS].itertuples(index=False, name=None)]
        return found.loc[np.array(is_there, bool)]


# --- what a worker does ---


class Part(NamedTuple):
    """What is made of a block: where it is, warnings, and the table as it is written."""

    where: Where
    messages: tuple[str, ...]
    there: frozenset[tuple[str, str]]
    columns: tuple[str, ...] = ()
    made: Any = None
    is_empty: bool = True


def _part(
    function: Function,
    beside: Join | None,
    write: Write | None,
    select: Selects | None,
    judged: Collection[tuple[str, ...]],
    block: Block | SortedBlock,
) -> Part:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        every, records = block.corpus(judged)
        if beside is not None and not every.topics:
            raise block.where.error("no summaries to evaluate are left")
        corpus = (every if select is None else select.of_block(every)) if every.topics else None
        table = None if corpus is None else function(corpus)
        if beside is not None and table is not None:
            table = beside(block.originals(records), table)
    there: set[tuple[str, str]] = set()  # each name after what it names
    humans = {} if select is None else every.humans()
    for topic in () if select is None else every:
        there |= {("year", topic.year), ("task", topic.task)}
        for one in topic.summaries:
            kind = "human" if humans[topic.year, one.summarizer] else "system"
            there |= {("summarizer", one.summarizer), (kind, f"{topic.year} {one.summarizer}".strip())}
    part = Part(block.where, tuple(str(one.message) for one in caught), frozenset(there))
    if table is None:
        return part
    made = write(table) if write else table
    return part._replace(columns=tuple(map(str, table)), made=made, is_empty=UNSCORED in table.attrs)
