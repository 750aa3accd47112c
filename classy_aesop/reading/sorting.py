"""Rows of a large source sorted by topic on disk, by SQLite: memory does not depend on how many there are.

A topic stands where its first row was, and its rows in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

import msgspec

from classy_aesop.data.scores import Rating, make_score_table, mean_ratings
from classy_aesop.data.summary_records import Record
from classy_aesop.data.where import Where
from classy_aesop.reading.byte_sources import Source, open_database, report_full_disk
from classy_aesop.reading.corpus import Corpus, assemble_corpus, keys_of_rows
from classy_aesop.reading.summary_rows import parse_lines
from classy_aesop.reading.summary_tables import drop_repeated, read_rows
from classy_aesop.reading.table_files import read_parts
from classy_aesop.work.options import Fields

ROWS_READ_AT_ONCE = 2**10
"""Rows of a table that are read at once; the first of them say what its columns are."""

SORTED_BLOCK_BYTES = 2**21
"""Bytes of a block, which ends at the first change of topic beyond them."""

Subject = tuple[str, str]
"""Year and topic; its tasks belong together, since the references of one are earlier references of the other."""


_ADD_TOPIC = "INSERT OR IGNORE INTO topics (year, topic) VALUES (?, ?)"


class TopicNumbers:
    """Numbers topics as they come."""

    def __init__(self) -> None:
        self.database = open_database(
            "CREATE TABLE topics (number INTEGER PRIMARY KEY, year TEXT, topic TEXT, UNIQUE (year, topic));"
            "CREATE TABLE rows (topic INTEGER, data BLOB);"
        )

    def add(self, subject: Subject) -> bool:
        """Number a topic, and tell whether it is new."""
        with report_full_disk():
            return self.database.execute(_ADD_TOPIC, subject).rowcount == 1

    def number(self, subject: Subject) -> int:
        """Give the number of a topic, which may be new."""
        self.add(subject)
        numbers = self.database.execute("SELECT number FROM topics WHERE (year, topic) = (?, ?)", subject)
        return int(numbers.fetchone()[0])


class SortedRow(NamedTuple):
    """A row: its record, whether it is judged, and its scores of metrics."""

    record: Record
    is_judged: bool = False
    scored: tuple[Rating, ...] = ()


_encode = msgspec.msgpack.encode
_DECODER = msgspec.msgpack.Decoder(SortedRow)


@dataclass(frozen=True)
class SortedBlock:
    """All rows of some topics of a source, written; whether any row of the source is judged.

    ``has_assessors`` says of a table whether several assessors may have rated a summary, in rows of their own.
    """

    name: str
    data: tuple[bytes, ...]
    has_assessors: bool = False
    is_judged: bool = False

    @property
    def where(self) -> Where:
        """The source."""
        return Where(self.name)

    def corpus(self, judged: Collection[tuple[str, ...]]) -> Corpus:
        """Give it as a corpus; ``judged`` is as for `assemble_corpus`."""
        rows = [_DECODER.decode(encoded) for encoded in self.data]
        records: Iterable[Record] = (row.record for row in rows)
        if self.has_assessors:
            records = drop_repeated(records)
        if self.is_judged:
            judged = {row.record.instance for row in rows if row.is_judged} or {("",)}
        corpus = assemble_corpus(records, judged=judged, path=self.name)
        scored = [(row.record.where, rating) for row in rows for rating in row.scored]
        return replace(corpus, scores=mean_ratings(make_score_table(scored))) if scored else corpus


class Sorter:
    """Takes the rows of a source, and gives them sorted by topic."""

    def __init__(self, source: Source, columns: Fields | None = None, *, layout: str) -> None:
        self.name = source.name
        self.is_judged = False
        self.has_assessors = False
        self._topics = TopicNumbers()
        self._last: Subject | None = None
        self._number = 0
        rows = (
            self._rows_of_table(source, columns)
            if layout == "table"
            else map(SortedRow, parse_lines(source.lines(), path=source.name))
        )
        with report_full_disk():
            self._topics.database.executemany("INSERT INTO rows VALUES (?, ?)", map(self._encode_row, rows))

    def _rows_of_table(self, source: Source, columns: Fields | None) -> Iterator[SortedRow]:
        contents = None
        for part in read_parts(source, ROWS_READ_AT_ONCE):
            contents = read_rows(part, columns, earlier=contents)
            self.has_assessors = contents.has_assessors
            judged = set() if contents.judgments is None else set(keys_of_rows(contents.judgments))
            scored: dict[tuple[str, ...], list[Rating]] = {}
            for _, rating in contents.scored:
                scored.setdefault(rating[:4], []).append(rating)
            for record in contents.rows:
                ratings = tuple(scored.pop(record.instance, ()))
                yield SortedRow(record, record.instance in judged, ratings)

    def _encode_row(self, row: SortedRow) -> tuple[int, bytes]:
        subject = row.record.key[:2]
        if subject != self._last:
            self._last = subject
            self._number = self._topics.number(subject)
        self.is_judged = self.is_judged or row.is_judged
        try:
            return self._number, _encode(row)
        except UnicodeEncodeError:
            raise row.record.where.error("half of a character in a text; expected whole ones") from None

    def blocks(self) -> Iterator[SortedBlock]:
        """Give the rows in blocks."""
        block: list[bytes] = []
        n_bytes = 0
        last_topic = 0
        with report_full_disk():
            rows = self._topics.database
            rows.execute("CREATE INDEX by_topic ON rows (topic)")
            for topic, data in rows.execute("SELECT topic, data FROM rows ORDER BY topic, rowid"):
                if topic != last_topic and n_bytes > SORTED_BLOCK_BYTES:
                    yield SortedBlock(self.name, tuple(block), self.has_assessors, self.is_judged)
                    block = []
                    n_bytes = 0
                block.append(data)
                n_bytes += len(data)
                last_topic = topic
        yield SortedBlock(self.name, tuple(block), self.has_assessors, self.is_judged)
