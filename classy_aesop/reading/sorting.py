"""Rows of a large source sorted by topic on disk, by SQLite: memory does not depend on how many there are.

A topic stands where its first row was, and its rows in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import msgspec

from classy_aesop.data.scores import Rating, make_score_table, mean_ratings
from classy_aesop.data.summary_records import Record
from classy_aesop.reading.byte_sources import Source, open_database, report_full_disk
from classy_aesop.reading.corpus import Corpus, assemble_corpus, keys_of_rows
from classy_aesop.reading.summary_rows import json_lines, parse_rows
from classy_aesop.reading.summary_tables import drop_repeated, read_rows
from classy_aesop.reading.table_files import read_parts
from classy_aesop.work.options import Fields

ROWS_READ_AT_ONCE = 2**10
"""Rows of a table that are read at once; the first of them say what its columns are."""

SORTED_BLOCK_BYTES = 2**21
"""Bytes of a block, which ends at the first change of topic beyond them."""

Subject = tuple[str, str]
"""Year and topic; its tasks belong together, since the references of one are earlier references of the other."""


class TopicNumbers:
    """Numbers topics as they come."""

    def __init__(self) -> None:
        self.database = open_database(
            "CREATE TABLE topics (number INTEGER PRIMARY KEY, year TEXT, topic TEXT, UNIQUE (year, topic));"
            "CREATE TABLE rows (topic INTEGER, data BLOB);"
        )

    def add(self, subject: Subject) -> bool:
        """Number a topic, and tell whether it is new."""
        command = "INSERT OR IGNORE INTO topics (year, topic) VALUES (?, ?)"
        with report_full_disk():
            return self.database.execute(command, subject).rowcount == 1

    def number(self, subject: Subject) -> int:
        """Give the number of a topic, which may be new."""
        self.add(subject)
        numbers = self.database.execute("SELECT number FROM topics WHERE (year, topic) = (?, ?)", subject)
        return int(numbers.fetchone()[0])


class SortedRow(NamedTuple):
    """A row: its record, whether it is judged, its scores of metrics, and whether an assessor's name is beside it."""

    record: Record
    is_judged: bool = False
    scored: tuple[Rating, ...] = ()
    has_assessor: bool = False


_encode = msgspec.msgpack.encode
_DECODER = msgspec.msgpack.Decoder(SortedRow)


@dataclass(frozen=True)
class SortedBlock:
    """All rows of some topics of a source, written; whether any row of the source is judged."""

    name: str
    data: tuple[bytes, ...]
    is_judged: bool = False

    def corpus(self, judged: Collection[tuple[str, ...]]) -> Corpus:
        """Give it as a corpus; ``judged`` is as for `assemble_corpus`."""
        rows = [_DECODER.decode(encoded) for encoded in self.data]
        records: Iterable[Record] = (row.record for row in rows)
        if rows[0].has_assessor:  # as have all
            records = drop_repeated(records)
        if self.is_judged:
            judged = {row.record.instance for row in rows if row.is_judged} or {("",)}
        corpus = assemble_corpus(records, judged=judged, path=self.name)
        scored = [(row.record.where, rating) for row in rows for rating in row.scored]
        return replace(corpus, scores=mean_ratings(make_score_table(scored))) if scored else corpus


def sort_by_topic(source: Source, columns: Fields | None = None, *, layout: str) -> Iterator[SortedBlock]:
    """Give the rows of a source in blocks, sorted by topic."""
    topics = TopicNumbers()
    rows = (
        _rows_of_table(source, columns)
        if layout == "table"
        else map(SortedRow, parse_rows(json_lines(source), path=source.name))
    )
    is_judged = False
    with report_full_disk():
        for subject, of_topic in groupby(rows, lambda row: row.record.key[:2]):
            number = topics.number(subject)
            for row in of_topic:
                is_judged = is_judged or row.is_judged
                topics.database.execute("INSERT INTO rows VALUES (?, ?)", (number, _encode_row(row)))
        topics.database.execute("CREATE INDEX by_topic ON rows (topic)")
        block: list[bytes] = []
        n_bytes = 0
        sorted_rows = topics.database.execute("SELECT topic, data FROM rows ORDER BY topic, rowid")
        for _, of_number in groupby(sorted_rows, itemgetter(0)):
            if n_bytes > SORTED_BLOCK_BYTES:
                yield SortedBlock(source.name, tuple(block), is_judged)
                block = []
                n_bytes = 0
            for _, data in of_number:
                block.append(data)
                n_bytes += len(data)
        yield SortedBlock(source.name, tuple(block), is_judged)


def _rows_of_table(source: Source, columns: Fields | None) -> Iterator[SortedRow]:
    contents = None
    for part in read_parts(source, ROWS_READ_AT_ONCE):
        contents = read_rows(part, columns, earlier=contents)
        judged = set() if contents.judgments is None else set(keys_of_rows(contents.judgments))
        scored: dict[tuple[str, ...], list[Rating]] = {}
        for _, rating in contents.scored:
            scored.setdefault(rating[:4], []).append(rating)
        for record in contents.rows:
            ratings = tuple(scored.pop(record.instance, ()))
            yield SortedRow(record, record.instance in judged, ratings, bool(contents.columns["assessor"]))


def _encode_row(row: SortedRow) -> bytes:
    try:
        return _encode(row)
    except UnicodeEncodeError:
        raise row.record.where.error("half of a character in a text; expected whole ones") from None
