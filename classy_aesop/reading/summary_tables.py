"""A table of summaries, one a row, made into checked rows of a corpus and judgments.

- An identifier is text. A whole number becomes text, also where a column of whole numbers holds 144.0 because some are
  missing; any other number is written out (``1.5``). In a text table identifiers stay as they are written.
- A column of references holds one a cell, which is named like the column, or a list of them (``reference_1``,
  ``reference_2``). A row whose cells are empty has the references of the other rows of its topic. If there is neither
  such a column nor one that says who is human, the rows of a summarizer with a name like ``reference`` or ``gold`` are
  the references.
- A missing text is an empty summary, with a warning. A row without a number has no judgment.
- Rows that differ by assessor only are one summary with several ratings, and so is a row with columns of raters.
- A row of one topic with lists over the systems, as benchmarks publish them, is a row for each of them:
  ``machine_summaries`` holds a text a system, ``relevance`` and others a number a system, in the same order, and
  ``human_summaries`` the references. The column ``text`` is the document there.
"""

from __future__ import annotations

import ast
import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from msgspec import structs

from classy_aesop.data.cells import Fields, Row, format_value, is_missing, is_missing_number, number, truth
from classy_aesop.data.scales import caution_scales
from classy_aesop.data.scores import Rating, table
from classy_aesop.data.summary_records import Record
from classy_aesop.data.topics import Reference
from classy_aesop.data.where import Where
from classy_aesop.errors import NOTE, InputError, listed, warn
from classy_aesop.reading.column_kinds import kinds_of
from classy_aesop.reading.roles import ROLES, described_raters, role_of
from classy_aesop.reading.score_rows import ratings_of
from classy_aesop.reading.summary_rows import parse
from classy_aesop.reading.table_columns import Columns, how, recognize
from classy_aesop.reading.table_files import TEXT_FORMS, TableFile

if TYPE_CHECKING:
    import pandas as pd


LISTS = ("machine_summaries", "system_summaries", "model_summaries", "system_outputs", "model_outputs")
"""Names of columns that hold the summaries of all systems."""


def unfolded(rows: Sequence[Row], fields: Fields | None) -> tuple[Sequence[Row], Fields | None]:
    """Give a row for each summary of lists over the systems, and what the columns are; other rows as they were."""
    names = [name for name in rows[0][1] if name.strip().lower() in LISTS]
    lists = [name for name in names if any(_is_list(row.get(name)) for _, row in rows)]
    asked = {role_of(name): value for name, value in (fields or {}).items()}
    if len(lists) != 1 or "text" in asked:
        return rows, fields
    (texts,) = lists
    asked["text"] = texts
    if "text" in rows[0][1]:
        asked.setdefault("documents", "text")
    wanted = asked.get("summarizer") or [
        name for name in rows[0][1] if name.strip().lower() in ROLES["summarizer"]
    ]
    systems = [wanted] if isinstance(wanted, str) else list(wanted)
    parts = [texts]
    for name in rows[0][1]:  # names of systems or numbers: other lists of texts are references
        values = [row[name] for _, row in rows if _is_list(row.get(name))]
        is_text = all(isinstance(one, str) for value in values for one in value)
        if values and (not is_text or name in systems):
            parts.append(name)
    if not systems:
        message = f"no column names the systems; they are numbered by their place in {texts}"
        warn(message)
    dealt = []
    for where, row in rows:
        if not (_is_list(row.get(texts)) and row[texts]):
            found = format_value(row.get(texts))
            raise where.error(f"{texts} is {found}; expected a list with a summary of each system")
        n = len(row[texts])
        for name in parts:
            value: Any = row.get(name)
            if not _is_list(value) or len(value) != n:
                of = f"{len(value)} values" if _is_list(value) else "no list"
                raise where.error(f"{name} has {of}, {texts} has {n}; expected one for each system in both")
        for at in range(n):
            number_of = {} if systems else {"system": f"system_{at + 1:02}"}
            dealt.append((where, {**number_of, **row, **{name: row[name][at] for name in parts}}))
    return dealt, asked


_LOG = logging.getLogger(__name__)
_REFERENCE = re.compile(r"(reference|ref|gold|ground[ _-]?truth)s?[ _-]?[0-9]*", re.IGNORECASE)


@dataclass(frozen=True)
class Table:
    """The contents of a table, or of a part: its checked rows, judgments, scores of metrics, and its columns."""

    rows: Sequence[Record]
    judgments: pd.DataFrame | None
    scored: Sequence[tuple[Where, Rating]]
    notes: tuple[str, ...]
    columns: Columns
    n_rows: int


def read_rows(
    found: TableFile, fields: Fields | None = None, *, year: str = "", before: Table | None = None
) -> Table:
    """Make checked rows and judgments from a table, or from a part of it that has the columns of the part before."""
    path, written = found.header.path, found.form in TEXT_FORMS
    every: Sequence[Row] = found.rows
    if not every:
        raise InputError("no rows; a corpus needs at least one", path=path)
    if written:
        every = [
            (at, {name: None if cell == "" else cell for name, cell in row.items()}) for at, row in every
        ]
    every, fields = unfolded(every, fields)
    names = dict.fromkeys(name for _, row in every for name in row)
    if before is None:
        try:
            columns = recognize(kinds_of(every, names, written=written), fields)
        except InputError as error:
            raise type(error)(str(error), path=path) from None
    else:
        columns = before.columns
    is_told = any(columns[role] for role in ("references", "human", "summarizer_type"))
    named = () if is_told else columns["summarizer"]
    cells = {row[name].strip() for name in named for _, row in every if isinstance(row.get(name), str)}
    reader = _Reader(columns, year, written, frozenset(filter(_REFERENCE.fullmatch, cells)))
    n_before = 0 if before is None else before.n_rows
    records = [reader.record(row, where, at) for at, (where, row) in enumerate(every, n_before + 1)]
    measured, scored = (
        [
            rating
            for record, (_, row) in zip(records, every, strict=True)
            for rating in reader.ratings(row, record, role)
        ]
        for role in ("measures", "scores")
    )
    judgments = table(measured) if measured else None
    bare = [at.describe_within(path) for at, row in every if is_missing(row.get(columns["text"][0]))]
    said = [f"{len(bare)} rows without a text are empty summaries: {listed(bare)}"] if bare else []
    if later := [name for name in names if name not in columns.kinds]:
        said.append(f"ignored columns, which the first rows do not have: {listed(later)}")
    where = "" if path is None else f"{path}: "
    if before is None:
        said = [*_said(columns, path), *said]
        caution_scales(judgments, where)
        if columns.raters:
            _LOG.log(NOTE, "%s%s", where, described_raters(columns.raters))
    for message in said:
        warn(f"{where}{message}")
    notes = tuple(_notes(columns, reader.referents))
    return Table(records, judgments, scored, notes, columns, n_before + len(every))


@dataclass(frozen=True)
class _Reader:
    """Reads single rows, given the roles of columns and the summarizers whose rows are references."""

    columns: Columns
    year: str
    written: bool
    referents: frozenset[str]

    def record(self, row: Mapping[str, Any], where: Where, at: int) -> Record:
        """Read the summary of a row; ``at`` is its number, which names the topic where no column does."""
        year, topic, task, summarizer = self.columns.key(
            row, where, self.year, topic=str(at), summarizer=_ONLY
        )
        text = row.get(self.columns["text"][0])
        human, kind = (next(map(row.get, self.columns[role]), None) for role in ("human", "summarizer_type"))
        documents = [value for _, value in self._texts(row, "documents")]
        given: dict[str, Any] = {
            "year": year,
            "topic": topic,
            "task": task,
            "summarizer": summarizer,
            "text": "" if is_missing(text) else text,
            "human": truth(human),
            "summarizer_type": kind.strip().lower() if isinstance(kind, str) else kind,
            "documents": [one for cell in documents for one in (cell if _is_list(cell) else [cell])] or None,
        }
        for role in ("references", "earlier_references"):
            cells = self._texts(row, role)
            named = [one for column, value in cells for one in _named(column, value, where)]
            given[role] = named if cells else None
        if summarizer in self.referents:
            given["summarizer_type"] = "reference"
        return parse(given, where)

    def _texts(self, row: Mapping[str, Any], role: str) -> list[tuple[str, Any]]:
        """Give the cells of a role that are not empty, with their columns; lists that are written as text are read."""
        cells = ((column, row.get(column)) for column in self.columns[role])
        return [
            (column, _written_list(value) if self.written else value)
            for column, value in cells
            if not is_missing(value) and value != ""
        ]

    def ratings(self, row: Mapping[str, Any], record: Record, role: str) -> Iterator[tuple[Where, Rating]]:
        """Give the numbers of a role in a row, if there are any; the human scores of single raters last."""
        where = record.where
        numbers = {column: self._number(row, column, where) for column in self.columns[role]}
        if any(value is not None for value in numbers.values()):
            assessor = self.columns.name(row, "assessor", where, "")
            yield from ratings_of(record.instance, assessor, numbers, where)
        for measure, raters in self.columns.raters.items() if role == "measures" else ():
            for rater, column in raters.items():
                if (value := self._number(row, column, where)) is not None:
                    yield from ratings_of(record.instance, rater, {measure: value}, where)

    def _number(self, row: Mapping[str, Any], column: str, where: Where) -> Any:
        """Give the number in a cell, or the numbers by name or by assessor; None if it is missing."""
        value = self.columns.cell(row, column, where)
        if _is_list(value) and value and all(isinstance(one, Mapping) for one in value):
            names = dict.fromkeys(name for one in value for name in one)
            value = {name: [one.get(name) for one in value] for name in names}
        elif isinstance(value, str) and (self.written or not is_missing_number(value)):
            try:
                value = number(value, column, where, text=self.written)
            except InputError as error:
                raise InputError(
                    f"{error}, or other human measures by their names: {how('measures')}"
                ) from None
        return None if is_missing(value) or isinstance(value, str) else value


_ONLY = "system"
"""The summarizer of a table without a column of systems."""


def _named(column: str, value: Any, where: Where) -> list[Any]:
    """Give the references of a cell, each with a name."""
    if isinstance(value, str):
        return [{"summarizer": column, "text": value}]
    if isinstance(value, Mapping):
        if {"summarizer_id", "summarizer"} & set(value):
            return [value]
        return [{"summarizer": name, "text": text} for name, text in value.items()]
    if not _is_list(value):
        raise where.error(f"{column} is {format_value(value)}; expected a text or a list of texts")
    return [
        one if isinstance(one, Mapping | Reference) else {"summarizer": f"{column}_{at}", "text": one}
        for at, one in enumerate(value, 1)
        if not is_missing(one)
    ]


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _written_list(value: Any) -> Any:
    """Read a list of texts that is written in a cell, as JSON or as Python; anything else is a text."""
    if isinstance(value, str) and value.startswith("[") and value.endswith("]"):
        for read in (json.loads, ast.literal_eval):
            with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
                found = read(value)
                if isinstance(found, list) and all(isinstance(one, str) for one in found):
                    return found
    return value


def settled(rows: Sequence[Record], columns: Columns) -> tuple[Record, ...]:
    """Give each summary of whole topics once, whoever assessed it, with the references that its topic's rows list."""
    return tuple(_shared(list(_once(rows)) if columns["assessor"] else rows))


def _once(records: Iterable[Record]) -> Iterator[Record]:
    """Leave out rows that only repeat an earlier one, such as those of further assessors."""
    first: dict[tuple[str, ...], Record] = {}
    for record in records:
        before = first.setdefault(record.instance, record)
        if before is record or not (
            record.text == before.text
            and record.references in (None, before.references)
            and record.documents in (None, before.documents)
        ):
            yield record


def _shared(records: Sequence[Record]) -> Iterator[Record]:
    """Give a row without references those of the other rows of its topic."""
    listed_ones: dict[tuple[str, str, str], dict[str, Reference]] = {}
    for record in records:
        for reference in record.references or ():
            listed_ones.setdefault(record.key, {}).setdefault(reference.summarizer, reference)
    offered = {record.key for record in records if record.is_reference}
    for record in records:
        found = listed_ones.get(record.key)
        if found and record.references is None and record.key not in offered:
            yield structs.replace(record, references=tuple(found.values()))
        else:
            yield record


_DOUBTFUL = "by their names or values no human measures"


def _notes(columns: Columns, referents: frozenset[str]) -> Iterator[str]:
    """Give what is kept of how a table was read."""
    yield f"columns: {columns}"
    if columns.unread:
        yield f"ignored columns: {listed(columns.unread, most=20)}"
    if columns.doubtful:
        yield f"{_DOUBTFUL}: {listed(columns.doubtful, most=20)}"
    if referents:
        yield f"references: the rows of {listed(sorted(referents), most=20)}"


def _said(columns: Columns, path: str | None) -> Iterator[str]:
    """Give what a user should know of how the columns of a table were read."""
    kinds = {name: columns.kinds[name] for name in columns.numbers}
    how_asked = "--columns scores=NAME takes a column as a metric, measures=NAME as a human measure"
    yield from columns.told(_DOUBTFUL, how_asked, path)
    commas = [name for name, one in kinds.items() if one.comma == "decimal"]
    if commas:
        yield f"decimal commas are read as points: {listed(commas)}"
    missing = [
        f"{name} {len(one.missing)} ({listed(dict.fromkeys(one.missing))})"
        for name, one in kinds.items()
        if one.missing
    ]
    if missing:
        yield f"cells read as missing numbers: {listed(missing)}"
    if not columns["summarizer"]:
        yield f"no column names the system; all rows are taken as one system, {_ONLY!r}"
    if not columns["topic"]:
        yield "no column names the topic; every row is taken as a topic of its own"
