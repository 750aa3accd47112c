"""Tables of scores, long or wide, made into ratings: the rows of a tidy table; and joined with their summaries.

The columns of topic and summarizer, and of year, task and assessor where there are any, are known by their common names
(`roles.IDENTIFIERS`). A long table has a column of metrics and one of scores. In a wide one every other column of
numbers is a metric, and columns of raters are one measure each.

Rows of JSON may hold names in ``metrics``. Nested names are joined with a dot, and a list of numbers is read as ratings
by the assessors ``1``, ``2``, ...
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from classy_aesop.data.cells import (
    Fields,
    Key,
    format_value,
    instance_key,
    is_missing,
    read_identifier,
    read_number,
    require_field,
)
from classy_aesop.data.scores import (
    NO_METRICS,
    ORIGIN,
    Origin,
    PlacedRating,
    Rating,
    UnnamedRater,
    joined_origin,
    origin_of,
    table,
)
from classy_aesop.data.where import Where
from classy_aesop.errors import NOTE, join_names, warn
from classy_aesop.reading.column_names import ATTEMPT_NAMES, numbers_attempts
from classy_aesop.reading.roles import IDENTIFIERS, ROLES, described_raters, is_counter, plain
from classy_aesop.reading.table_columns import Columns, recognize_scores
from classy_aesop.reading.table_files import TableFile

if TYPE_CHECKING:
    import pandas as pd

    ScoreTables = pd.DataFrame | Sequence[pd.DataFrame]


def is_record_table(source: TableFile) -> bool:
    """Whether rows of JSON have our own names, and each its own fields: `ratings_of_record` reads them."""
    names = set(source.columns)
    return source.form in ("jsonl", "json") and (
        "metrics" in names or {"instance_id", "summarizer_id"} <= names
    )


def read_attempt(row: Mapping[str, Any], columns: Sequence[str], where: Where) -> str:
    """Read which attempt a row is of, in one column or several; ``""`` if in none."""
    cells = (
        read_identifier(row[name], name, where, may_be_empty=True, is_cell=True)
        for name in columns
        if not is_missing(row.get(name))
    )
    return "/".join(cells)


def ratings_of_record(record: Mapping[str, Any], where: Where, year: str = "") -> Iterator[PlacedRating]:
    """Give the ratings of a record: its ``metrics``, its ``metric`` and ``score``, or its fields that are not ids.

    Parameters
    ----------
    record : mapping
        The row.
    where : Where
        Its place, for messages.
    year : str
        The year of a row without one.
    """
    if not isinstance(record, Mapping):
        raise where.error(f"found {format_value(record)}; expected named fields")
    key = instance_key(record, where, year)
    rater = record.get("assessor")
    assessor = "" if rater is None else read_identifier(rater, "assessor", where, may_be_empty=True)
    attempt = read_attempt(record, [name for name in record if plain(name) in ATTEMPT_NAMES], where)
    ratings = ratings_of(key, assessor, _metrics(record, where), where)
    return ((*rating, attempt) for rating in ratings) if attempt else ratings


def ratings_of(
    key: Key, assessor: str, metrics: Mapping[str, object], where: Where, *, text: bool = False
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of one summary: a number a metric, or a list of them, one an assessor (``1``, ``2``, ...).

    Parameters
    ----------
    key : tuple of str
        Year, topic, task and summarizer.
    assessor : str
        Who rated it; ``""`` if nobody is named.
    metrics : mapping
        The numbers by name; names in names are joined by a dot.
    where : Where
        The place of the row, for messages.
    text : bool
        Whether a number may be written as text.
    """
    for metric, value in _flatten_names(metrics, where):
        if not isinstance(value, list | tuple):
            yield where, (*key, metric, assessor, read_number(value, metric, where, may_be_text=text))
            continue
        if assessor:
            raise where.error(f"{metric} is a list and the row has an assessor; expected one of the two")
        for rater, score in enumerate(value, 1):
            yield (
                where,
                (*key, metric, UnnamedRater(rater), read_number(score, metric, where, may_be_text=text)),
            )


def _metrics(record: Mapping[str, Any], where: Where) -> Mapping[str, object]:
    if record.get("metrics") is None and "metric" in record:
        return {read_identifier(record["metric"], "metric", where): record.get("score")}
    if record.get("metrics") is None and {"topic", "summarizer"} <= set(record):
        wide = {
            name: value
            for name, value in record.items()
            if name not in NO_METRICS and plain(name) not in ATTEMPT_NAMES
        }
        if wide:
            return wide
    metrics = require_field(record, where, "metrics")
    if not isinstance(metrics, Mapping):
        raise where.error(f"metrics is {format_value(metrics)}; expected names with numbers")
    return metrics


_MAX_NAME_LEVELS = 10
"""Levels of names inside names."""


def _flatten_names(
    metrics: Mapping[str, object], where: Where, prefix: str = "", level: int = 0
) -> Iterator[tuple[str, object]]:
    """Join names in names by a dot, but for those in a cell that is called like all measures (``metrics``)."""
    if level == _MAX_NAME_LEVELS:
        raise where.error(
            f"metrics has names in names of more than {_MAX_NAME_LEVELS} levels; expected names with numbers"
        )
    for name, value in metrics.items():
        metric = f"{prefix}{read_identifier(str(name), 'metric', where, may_be_empty=True)}"
        if isinstance(value, Mapping):
            of_all = not level and metric.lower() in ROLES["measures"]
            yield from _flatten_names(value, where, "" if of_all else f"{metric}.", level + 1)
        else:
            yield metric, value


_LOG = logging.getLogger(__name__)


def scores_of_table(
    source: TableFile, year: str = "", *, columns: Fields | None = None, of_humans: bool = False
) -> pd.DataFrame:
    """Make the tidy table of the rows of a table, and say how its columns were read.

    Parameters
    ----------
    source : TableFile
        The cells.
    year, columns, of_humans
        As for `read_scores`.
    """
    path = source.header.path
    kinds = source.kinds
    roles = recognize_scores(kinds, source.header, columns, of_humans=of_humans)
    prefix = f"{path}: " if path else ""
    column_of_role = {role: roles.only(role) for role in (*IDENTIFIERS, "metric")}
    column_of_role["attempt"] = " + ".join(roles["attempt"]) or None
    notes = [f"{role} = {column}" for role, column in column_of_role.items() if column not in (None, role)]
    if roles.raters:
        notes.append(described_raters(roles.raters))
    commas = sorted(name for name in roles.numbers if roles.kinds[name].comma == "decimal")
    if commas:
        notes.append(f"decimal commas are read as points in {join_names(commas)}")
    frame = table(rating for where, row in source.rows for rating in _ratings_of_row(roles, row, where, year))
    if notes:
        _LOG.log(NOTE, "%s%s", prefix, "; ".join(notes))
    advice = "--columns scores=NAME takes such a column"
    for message in roles.describe_unused("by their names no scores", advice, path):
        warn(f"{prefix}{message}")
    origin: Origin = {"topic": roles.only("topic") or "", "columns": _columns_not_shared(source, roles)}
    frame.attrs[ORIGIN] = joined_origin([origin_of(frame), origin])
    return frame


MAX_VALUES = 20
"""Maximum number of values of a column without a role that can separate groups of systems."""


def _columns_not_shared(source: TableFile, roles: Columns) -> dict[str, dict[str, list[str]]]:
    """Give the systems of each value of the columns without a role, but for several values that all systems share."""
    used = {name for names in roles.roles.values() for name in names}
    columns: dict[str, dict[str, list[str]]] = {}
    for name in source.columns:
        if name in used or name in NO_METRICS or is_counter(name):
            continue
        systems: dict[str, set[str]] = {}
        for place, row in source.rows:
            cell = row.get(name)
            value = "" if is_missing(cell) else str(cell)
            systems.setdefault(value, set()).add(roles.name(row, "summarizer", place))
            if len(systems) > MAX_VALUES:
                break
        is_shared = len(systems) > 1 and len(set(map(frozenset, systems.values()))) == 1
        if len(systems) <= MAX_VALUES and not is_shared:
            columns[name] = {value: sorted(names) for value, names in systems.items()}
    return columns


def _ratings_of_row(
    columns: Columns, row: Mapping[str, Any], where: Where, year: str
) -> Iterator[PlacedRating]:
    key = columns.key(row, where, year)
    assessor = columns.name(row, "assessor", where, "")
    cells = {column: columns.cell(row, column, where) for column in columns["scores"]}
    if columns["metric"]:
        [(column, value)] = cells.items()
        if not isinstance(value, list | tuple | Mapping):
            value = read_number(value, column, where, may_be_text=True)
        cells = {columns.name(row, "metric", where): value}
    attempt = read_attempt(row, columns["attempt"], where)
    groups: list[tuple[str, str, Mapping[str, object]]] = [(assessor, attempt, cells)]
    for measure, numbered_columns in columns.raters.items():
        for number, column in numbered_columns.items():
            cell = {measure: columns.cell(row, column, where)}
            if numbers_attempts(measure):
                groups.append((assessor, f"{attempt}/{number}" if attempt else str(number), cell))
            else:
                groups.append((number, attempt, cell))
    for rater, attempt_of_group, scores in groups:
        for rating in ratings_of(key, rater, scores, where, text=True):
            yield (*rating, attempt_of_group)
