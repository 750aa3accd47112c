"""A corpus of any size, topic by topic, and tables that are made of its parts in order, by one or more workers.

A plain file of JSON lines whose topics stand together is read block by block (`blocks`) by whoever works on it. Any
other source of more than `MAX_BYTES_READ_AT_ONCE` bytes is sorted on disk first (`sorting`), and smaller ones are read
at once.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import DataWarning, InputError, UsageError, join_names, warn
from classy_aesop.reading.blocks import LineBlock, divide_into_blocks
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.corpora import read_corpus, recognize_layout
from classy_aesop.reading.corpus import Corpus, keys_of_rows, keys_of_topics, select_keys
from classy_aesop.reading.jsonl import open_folder, summaries_in
from classy_aesop.reading.score_tables import ensure_tidy
from classy_aesop.reading.sorting import SortedBlock, sort_by_topic
from classy_aesop.reading.table_files import form_of, unpacked_size
from classy_aesop.work.options import Fields
from classy_aesop.work.workers import map_in_order

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.reading.score_tables import ScoreTables

MAX_BYTES_READ_AT_ONCE = 2**25
"""Most bytes of a source, unpacked, that are read at once."""

COMPRESSION_RATIO = 8
"""How many times more bytes a workbook is expected to hold than it has."""

UNSCORED = "unscored"
"""Set in the ``attrs`` of a table that lists the summaries of a block, but has nothing to say of them."""

Function = Callable[[Corpus], "pd.DataFrame | None"]
"""From the corpus of a block to its rows; None if it has none that the function is for."""

Write = Callable[["pd.DataFrame"], Any]
"""What a worker makes of a table, so that it takes less time to send or need not be made by one process."""


class BlockSelection(Protocol):
    """A subset of a corpus that is asked for; see `answers.selection.Selection`."""

    def select_block(self, corpus: Corpus) -> Corpus | None:
        """Select from a block; None if it has nothing of the subset."""

    def check(self, present: Collection[tuple[str, str]]) -> None:
        """Refuse a name that is not among those present, each after what it names: year, task, summarizer."""


def corpus_or_stream(
    path: str | Path | Source,
    part: BlockSelection | None = None,
    *,
    layout: str = "auto",
    columns: Fields | None = None,
) -> Corpus | Stream:
    """Read a corpus; one of more than `MAX_BYTES_READ_AT_ONCE` becomes a `Stream`.

    Parameters
    ----------
    path, layout, columns
        As for `read_corpus`.
    part : BlockSelection, optional
        The subset that a stream is asked for; a corpus that is read at once is whole.
    """
    source = Source.from_path(path)
    if _unpacked_bytes(source) > MAX_BYTES_READ_AT_ONCE:
        name = recognize_layout(source, is_table=bool(columns)) if layout == "auto" else layout
        if name == "table" or (name == "jsonl" and not columns and source.encoding is None):
            return Stream(source, part=part, layout=name, columns=columns)
    return read_corpus(source, layout, columns=columns)


def _unpacked_bytes(source: Source) -> int:
    """Count the bytes of a source, unpacked, or estimate them; beyond `MAX_BYTES_READ_AT_ONCE` no more exactly."""
    if source.content is None and source.path.is_dir():
        summaries = summaries_in(source.path)
        return Source.from_path(summaries).count_bytes(MAX_BYTES_READ_AT_ONCE) if summaries else 0
    if form_of(source) == "parquet":
        return unpacked_size(source)
    ratio = COMPRESSION_RATIO if source.suffix == ".xlsx" else 1
    return source.count_bytes(MAX_BYTES_READ_AT_ONCE) * ratio


class Stream:
    """A corpus of any size, in JSON lines or a table, that is read topic by topic.

    Parameters
    ----------
    path : path-like
        The file, which may be compressed, or a folder of JSON lines; ``-`` is standard input.
    part : Selects, optional
        The part of it that is asked for; by default all.
    layout, columns
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
        part: BlockSelection | None = None,
        layout: str = "auto",
        columns: Fields | None = None,
    ) -> None:
        self.source = Source.from_path(path)
        self.part = part
        self.columns = columns
        self.judged = frozenset[Any]()
        self.layout = recognize_layout(self.source, is_table=bool(columns)) if layout == "auto" else layout
        if self.layout not in ("jsonl", "table"):
            raise UsageError(f"layout is {self.layout!r}; expected auto or one of jsonl, table")
        if self.layout == "jsonl":
            self.source, judgments = open_folder(self.source)
            if judgments is not None:  # they say which references are evaluated
                self.judged = frozenset(keys_of_rows(judgments))

    def table(self, function: Function, *, n_jobs: int = 1) -> StreamedTable:
        """Make a table of it, block by block; each has a year and a task, which a later block may need."""
        return StreamedTable(self, partial(_compose, function, add_stratum_columns), n_jobs)

    def blocks(self) -> Iterable[LineBlock | SortedBlock]:
        """Divide it into what single workers work on."""
        if self.layout == "jsonl" and self.source.is_plain:
            plain_blocks = divide_into_blocks(self.source.name)
            if plain_blocks is not None:
                return plain_blocks
        return sort_by_topic(self.source, self.columns, layout=self.layout)


@dataclass(frozen=True)
class StreamedTable:
    """A table that is made block by block, in the order of its stream, when its parts are asked for.

    Iterating gives a DataFrame a block. They do not depend on the number of workers, nor on where these are.
    """

    stream: Stream
    function: Function
    n_jobs: int = 1

    def __iter__(self) -> Iterator[pd.DataFrame]:
        return self.parts()

    def whole(self) -> pd.DataFrame:
        """Make all of it, in one table."""
        import pandas as pd

        return pd.concat(list(self), ignore_index=True)

    def pipe(self, function: Callable[..., pd.DataFrame], **options: object) -> StreamedTable:
        """Apply a function to each of its tables, as ``DataFrame.pipe`` does to one."""
        return replace(self, function=partial(_compose, self.function, partial(function, **options)))

    def parts(self, write: Write | None = None) -> Iterator[Any]:
        """Give for each piece of the stream the columns and what workers make of the tables of its blocks.

        Parameters
        ----------
        write : callable, optional
            What workers make of the table of a block.

        Raises `InputError` if a block has other columns, or the function is for none; `UsageError` if a name that is
        asked for is nowhere.
        """
        messages: set[str] = set()
        present: set[tuple[str, str]] = set()
        columns: tuple[str, ...] = ()
        is_empty = True
        selection = self.stream.part
        work = partial(_make_part, self.function, write, selection, self.stream.judged)
        with closing(map_in_order(work, self.stream.blocks(), self.n_jobs)) as parts:
            for part in parts:
                present |= part.present
                columns = columns or part.columns
                if part.columns not in ((), columns):
                    other = join_names(sorted({*part.columns} ^ {*columns}))
                    message = f"some topics give other columns than others ({other})"
                    raise InputError(
                        f"{message}; expected earlier references in all or none", path=self.stream.source.name
                    )
                is_empty = is_empty and part.is_empty
                for message in part.messages:
                    if message not in messages:
                        warn(message)
                        messages.add(message)
                if part.columns:
                    yield part.output
        if selection is not None:
            selection.check(present)
        if is_empty:
            raise InputError("no row of the input is of the requested task")


def _compose(
    first: Function, second: Callable[[pd.DataFrame], pd.DataFrame], corpus: Corpus
) -> pd.DataFrame | None:
    table = first(corpus)
    return None if table is None else second(table)


class TopicScores:
    """Scores of metrics beside a stream, by topic; a row without a year is of a topic's only year."""

    def __init__(self, scores: ScoreTables) -> None:
        self.scores = add_stratum_columns(ensure_tidy(scores))
        self.rows = self.scores.groupby("topic", sort=False).indices

    def select(self, corpus: Corpus) -> pd.DataFrame:
        """Select the scores of the summaries of a block."""
        topics = dict.fromkeys(topic.topic for topic in corpus)
        rows = [row for topic in topics for row in self.rows.get(topic, ())]
        scores = self.scores.iloc[sorted(rows)]
        if len(corpus.years) == 1:
            scores = scores.assign(year=scores["year"].replace("", corpus.years[0]))
        return select_keys(scores, {*keys_of_topics(corpus)})


# --- what a worker does ---


class CorpusPart(NamedTuple):
    """What is made of a block: warnings, the names in it, and the table as it is written."""

    messages: tuple[str, ...]
    present: frozenset[tuple[str, str]]
    columns: tuple[str, ...] = ()
    output: Any = None
    is_empty: bool = True


def _make_part(
    function: Function,
    write: Write | None,
    selection: BlockSelection | None,
    judged: Collection[tuple[str, ...]],
    block: LineBlock | SortedBlock,
) -> CorpusPart:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", DataWarning)
        whole = block.corpus(judged)
        corpus = whole if selection is None else selection.select_block(whole)
        table = function(corpus) if corpus else None
    present = frozenset[tuple[str, str]]() if selection is None else _names_in_corpus(whole)
    part = CorpusPart(tuple(str(warning.message) for warning in caught), present)
    if table is None:
        return part
    output = write(table) if write else table
    return part._replace(columns=tuple(map(str, table)), output=output, is_empty=UNSCORED in table.attrs)


def _names_in_corpus(corpus: Corpus) -> frozenset[tuple[str, str]]:
    """Give each name of a corpus after what it names."""
    names: set[tuple[str, str]] = set()
    is_human = corpus.humans()
    for topic in corpus:
        names |= {("year", topic.year), ("task", topic.task)}
        for summary in topic.summaries:
            kind = "human" if is_human[topic.year, summary.summarizer] else "system"
            peer = f"{topic.year} {summary.summarizer}".strip()
            names |= {("summarizer", summary.summarizer), (kind, peer)}
    return frozenset(names)
