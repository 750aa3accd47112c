"""A table of summaries, one a row, made into checked rows of a corpus and judgments.

- An identifier is text. A whole number becomes text, also where a column of whole numbers holds 144.0 because some are
  missing; any other number is written out (``1.5``). In a text table identifiers stay as they are written.
- A column of references holds one a cell, which is named like the column, or a list of them (``reference_1``,
  ``reference_2``). If there is neither such a column nor one that says who is human, the rows of a summarizer with a
  name like ``reference`` or ``gold`` are the references.
- A missing text is an empty summary, with a warning. A row without a number has no judgment.
- Rows that differ by assessor only are one summary with several ratings, and so is a row with columns of raters.
- A row of one topic with lists over the systems, as benchmarks publish them, is a row for each of them:
  ``machine_summaries`` holds a text a system, ``relevance`` and others a number a system, in the same order, and
  ``human_summaries`` the references. The column ``text`` is the document there.
"""

from __future__ import annotations

import logging
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from classy_aesop.data.cells import Key, Row, format_value, is_missing, read_truth_value, split_instance
from classy_aesop.data.scores import Rating, make_score_table
from classy_aesop.data.summary_records import Record
from classy_aesop.data.where import Where
from classy_aesop.errors import NOTE, InputError, join_names, warn
from classy_aesop.reading.column_names import ROLES, role_of, spell
from classy_aesop.reading.columns import Table
from classy_aesop.reading.nesting import JsonObject, parse_written
from classy_aesop.reading.score_tables import ratings_of
from classy_aesop.reading.summary_columns import (
    SummaryColumns,
    describe_option,
    describe_raters,
    find_columns,
)
from classy_aesop.reading.summary_rows import name_references, parse_row
from classy_aesop.reading.table_files import TableFile
from classy_aesop.work.options import Fields

if TYPE_CHECKING:
    import pandas as pd


SYSTEM_LISTS = ("machine_summaries", "system_summaries", "model_summaries", "system_outputs", "model_outputs")
"""Names of columns that hold the summaries of all systems."""


def unfold_system_lists(rows: Sequence[Row], fields: Fields | None) -> tuple[Sequence[Row], Fields | None]:
    """Unfold rows that list the summaries of all systems into a row each, with the roles of columns; else no change."""
    names = rows[0][1]
    first_lists: JsonObject = {}
    for _, row in reversed(rows):
        first_lists |= {name: cell for name, cell in row.items() if _is_list(cell) and cell}
    requested = {role_of(name): value for name, value in (fields or {}).items()}
    lists = [name for name in first_lists if name.strip().lower() in SYSTEM_LISTS]
    if len(lists) != 1 or "text" in requested:
        return rows, fields
    (texts,) = lists
    requested["text"] = texts
    if "text" in names:
        requested.setdefault("documents", "text")
    systems = requested.get("summarizer") or [name for name in names if spell(name) in ROLES["summarizer"]]
    names_of_systems = (systems,) if isinstance(systems, str) else systems
    per_system = [texts]  # names of systems or numbers: other lists of texts are references
    per_system += [
        name
        for name, items in first_lists.items()
        if name in names_of_systems or not all(isinstance(item, str) for item in items)
    ]
    if not systems:
        warn(f"no column names the systems; they are numbered by their place in {texts}")
    unfolded: list[Row] = []
    for where, row in rows:
        for name in per_system:
            if not _is_list(cell := row.get(name)) or not cell or len(cell) != len(row[texts]):
                expected = f"a list with one for each system, as many as in {texts}"
                raise where.error(f"{name} is {format_value(cell)}; expected {expected}")
        for number, cells in enumerate(zip(*(row[name] for name in per_system), strict=True), 1):
            number_of = {} if systems else {"system": f"system_{number:02}"}
            unfolded.append((where, {**number_of, **row, **dict(zip(per_system, cells, strict=True))}))
    return unfolded, requested


_LOG = logging.getLogger(__name__)
_REFERENCE_NAME = re.compile(r"(reference|ref|gold|ground[ _-]?truth)s?[ _-]?[0-9]*", re.IGNORECASE)
"""Summarizers whose rows are references where no column says which rows are some."""


@dataclass(frozen=True)
class TableContents:
    """The contents of a table, or of a part: its checked rows, judgments, scores of metrics, and its columns."""

    rows: Sequence[Record]
    judgments: pd.DataFrame | None
    scored: Sequence[tuple[Where, Rating]]
    notes: tuple[str, ...]
    columns: SummaryColumns
    n_rows: int


def read_rows(
    source: TableFile, fields: Fields | None = None, *, earlier: TableContents | None = None
) -> TableContents:
    """Make checked rows and judgments from a table, or from a part of it that has the columns of the part before."""
    path = source.header.path
    if not source.rows:
        raise InputError("no rows; a corpus needs at least one", path=path)
    rows, fields = unfold_system_lists(source.rows, fields)
    if earlier is None:
        table = Table.from_rows(path or "", rows)
        columns = find_columns(table, fields)
    else:
        columns = earlier.columns
        table = columns.table_of_part(rows)
    n_earlier = 0 if earlier is None else earlier.n_rows
    keys = list(_keys_of_rows(columns, table, n_earlier))
    reference_writers = frozenset[str]()
    if not any(columns[role] for role in ("references", "human", "summarizer_type")):
        reference_writers = frozenset(name for *_, name in keys if _REFERENCE_NAME.fullmatch(name))
    records = [
        _read_record(columns, row, where, key, reference_writers)
        for (where, row), key in zip(rows, keys, strict=True)
    ]
    judged = _ratings_of_role(columns, table, records, rows, "measures")
    scored = _ratings_of_role(columns, table, records, rows, "scores")
    judgments = make_score_table(judged) if judged else None
    textless = [where.describe_within(path) for where, row in rows if _is_blank(row.get(columns["text"][0]))]
    messages = [*_reading_warnings(columns)] if earlier is None else []
    if earlier is None and columns.raters:
        _LOG.log(NOTE, "%s%s", table.prefix, describe_raters(columns.raters))
    if textless:
        messages.append(f"{len(textless)} rows without a text are empty summaries: {join_names(textless)}")
    if later := {name: None for _, row in rows for name in row if name not in columns.table.columns}:
        messages.append(f"ignored columns, which the first rows do not have: {join_names(later)}")
    for message in messages:
        warn(f"{table.prefix}{message}")
    notes = [f"columns: {columns}", *_describe_ignored(columns)]
    if reference_writers:
        notes.append(f"references: the rows of {join_names(sorted(reference_writers), limit=20)}")
    return TableContents(records, judgments, scored, tuple(notes), columns, n_earlier + len(rows))


def _keys_of_rows(columns: SummaryColumns, table: Table, n_earlier: int) -> Iterator[Key]:
    """Give year, topic, task and summarizer of each row; its number names the topic where no column does."""
    topics = [str(number) for number in range(n_earlier + 1, n_earlier + table.n_rows + 1)]
    if columns["topic"]:
        topics = columns.identifiers(table, "topic")
    tasks = columns.identifiers(table, "task", may_be_empty=True)
    if spell(columns.only("topic") or "") == "instance_id":  # it may end with the task
        instances = [split_instance(topic, task or None) for topic, task in zip(topics, tasks, strict=True)]
        topics = [topic for topic, _ in instances]
        tasks = [task for _, task in instances]
    summarizers = [_ONLY_SYSTEM] * table.n_rows
    if columns["summarizer"]:
        summarizers = columns.identifiers(table, "summarizer")
    return zip(columns.identifiers(table, "year", may_be_empty=True), topics, tasks, summarizers, strict=True)


def _read_record(
    columns: SummaryColumns, row: Mapping[str, Any], where: Where, key: Key, reference_writers: frozenset[str]
) -> Record:
    """Read the summary of a row."""
    text = row.get(columns["text"][0])
    summarizer_type = next(map(row.get, columns["summarizer_type"]), None)
    if isinstance(summarizer_type, str):
        summarizer_type = summarizer_type.strip().lower() or None
    cells_of_documents = _texts_of_role(columns, row, "documents")
    documents = [text for _, cell in cells_of_documents for text in (cell if _is_list(cell) else [cell])]
    record: dict[str, object] = {
        **dict(zip(("year", "topic", "task", "summarizer"), key, strict=True)),
        "text": "" if is_missing(text) else text,
        "human": read_truth_value(next(map(row.get, columns["human"]), None)),
        "summarizer_type": "reference" if key[-1] in reference_writers else summarizer_type,
        "documents": documents or None,
    }
    for role in ("references", "earlier_references"):
        cells = _texts_of_role(columns, row, role)
        of_cells = (name_references(column, value, where) for column, value in cells)
        record[role] = [*chain.from_iterable(of_cells)] if cells else None
    return parse_row(record, where)


def _texts_of_role(columns: SummaryColumns, row: Mapping[str, Any], role: str) -> list[tuple[str, Any]]:
    """Give the cells of a role that are not empty, with their columns; lists that are written as text are read."""
    return [
        (column, _read_written_list(row[column]))
        for column in columns[role]
        if not _is_blank(row.get(column))
    ]


def _ratings_of_role(
    columns: SummaryColumns, table: Table, records: Sequence[Record], rows: Sequence[Row], role: str
) -> list[tuple[Where, Rating]]:
    """Give the numbers of a role in each row that has any; the human scores of single raters last."""
    raters = columns.raters if role == "measures" else {}
    rated = {name: (rater, measure) for measure, names in raters.items() for rater, name in names.items()}
    numbers = {name: _numbers_of(table, name, rows) for name in (*columns[role], *rated)}
    assessors = columns.identifiers(table, "assessor", may_be_empty=True)
    ratings: list[tuple[Where, Rating]] = []
    for number, record in enumerate(records):
        scores = {name: numbers[name][number] for name in columns[role]}
        if any(value is not None for value in scores.values()):
            ratings += ratings_of(record.instance, assessors[number], scores, record.where)
        for name, (rater, measure) in rated.items():
            if (score := numbers[name][number]) is not None:
                ratings += ratings_of(record.instance, rater, {measure: score}, record.where)
    return ratings


def _numbers_of(table: Table, name: str, rows: Sequence[Row]) -> list[Any]:
    """Give the number of each cell of a column, or its numbers by name or by assessor; None where it is missing."""
    column = table[name]
    if column.has_lists:
        return [_join_named_numbers(row.get(name)) for _, row in rows]
    try:
        return [None if math.isnan(score) else score for score in column.scores(table.places).tolist()]
    except InputError as error:
        message = str(error).removesuffix(f"; {error.advice}")
        refusal = InputError(
            f"{message}, or other human measures by their names: {describe_option('measures')}"
        )
        refusal.path = error.path
        raise refusal from None


def _join_named_numbers(value: Any) -> Any:
    """Give named numbers of several assessors as a list for each name; any other value as it is."""
    if not (_is_list(value) and value and all(isinstance(ratings, Mapping) for ratings in value)):
        return value
    names = dict.fromkeys(name for ratings in value for name in ratings)
    return {name: [ratings.get(name) for ratings in value] for name in names}


_ONLY_SYSTEM = "system"
"""The summarizer of a table without a column of systems."""


def _is_blank(value: object) -> bool:
    return is_missing(value) or value == ""


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple)


def _read_written_list(value: Any) -> Any:
    """Read a list of texts that is written in a cell, as JSON or as Python; anything else is a text."""
    items = parse_written(value)
    are_texts = isinstance(items, list) and all(isinstance(item, str) for item in items)
    return items if are_texts else value


def drop_repeated(records: Iterable[Record]) -> Iterator[Record]:
    """Leave out rows that only repeat an earlier one, such as those of further assessors."""
    first: dict[tuple[str, ...], Record] = {}
    for record in records:
        earlier = first.setdefault(record.instance, record)
        if (
            earlier is record
            or record.text != earlier.text
            or record.references not in (None, earlier.references)
            or record.documents not in (None, earlier.documents)
        ):
            yield record


DOUBTFUL_MEASURES = "by their names or values no human measures"
"""How notes on a table name its columns of numbers that are neither scores of metrics nor human measures."""


def _describe_ignored(columns: SummaryColumns, advice: str = "") -> Iterator[str]:
    """Name the columns that are not used; the advice is on doubtful ones."""
    if columns.unread:
        yield f"ignored columns: {join_names(map(columns.table.describe_column, columns.unread), limit=20)}"
    if columns.doubtful:
        yield f"{DOUBTFUL_MEASURES}: {join_names(columns.doubtful, limit=20)}{advice}"


def _reading_warnings(columns: SummaryColumns) -> Iterator[str]:
    """Write the warnings on how the columns of a table were read."""
    numbers = [columns.table[name] for name in columns.numbers]
    advice = "--columns scores=NAME takes a column as a metric, measures=NAME as a human measure"
    yield from _describe_ignored(columns, f"; {advice} (columns={{...}} in Python)")
    if commas := [column.name for column in numbers if column.has_decimal_commas]:
        yield f"decimal commas are read as points: {join_names(commas)}"
    yield from filter(None, (column.note for column in numbers))
    if missing := [column.describe_missing() for column in numbers if column.missing_words]:
        yield f"cells read as missing numbers: {join_names(missing)}"
    if not columns["summarizer"]:
        yield f"no column names the system; all rows are taken as one system, {_ONLY_SYSTEM!r}"
    if not columns["topic"]:
        yield "no column names the topic; every row is taken as a topic of its own"
