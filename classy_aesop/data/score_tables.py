"""Tables of scores, long or wide, made into ratings: the rows of a tidy table; and joined with their summaries.

The columns of topic and summarizer, and of year, task and assessor where there are any, are known by their common names
(`columns.IDENTIFIERS`). A long table has a column of metrics and one of scores. In a wide one every other column of
numbers is a metric, and columns of raters are one measure each.

Rows of JSON may hold names in ``metrics``. Nested names are joined with a dot, and a list of numbers is read as ratings
by the assessors ``1``, ``2``, ...
"""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from classy_aesop.data.columns import Columns, Fields, recognize_scores
from classy_aesop.data.roles import IDENTIFIERS, ROLES, UnnamedRater, described_raters, is_counter
from classy_aesop.data.scales import caution_scales
from classy_aesop.data.scores import (
    COLUMNS,
    KEYS,
    NO_METRICS,
    ORIGIN,
    Rating,
    alike_in_keys,
    as_one_table,
    joined_origin,
    mean_ratings,
    named,
    origin_of,
    table,
    with_places,
)
from classy_aesop.data.sources import Where
from classy_aesop.data.table_files import TableFile
from classy_aesop.data.values import (
    Key,
    identifier,
    instance_key,
    is_missing,
    kinds_of,
    number,
    required,
    shown,
)
from classy_aesop.errors import NOTE, DataWarning, InputError, listed

if TYPE_CHECKING:
    import pandas as pd

    ScoreTables = pd.DataFrame | Sequence[pd.DataFrame]


def is_record_table(found: TableFile) -> bool:
    """Whether rows of JSON have our own names, and each its own fields: `ratings_of_record` reads them."""
    names = set(found.columns)
    return found.form in ("jsonl", "json") and (
        "metrics" in names or {"instance_id", "summarizer_id"} <= names
    )


def ratings_of_record(
    record: Mapping[str, Any], where: Where, year: str = ""
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of a record: its ``metrics``, its ``metric`` and ``score``, or its fields that are not ids."""
    if not isinstance(record, Mapping):
        raise where.error(f"found {shown(record)}; expected named fields")
    key = instance_key(record, where, year)
    who = record.get("assessor")
    assessor = "" if who is None else identifier(who, "assessor", where, empty=True)
    return ratings_of(key, assessor, _metrics(record, where), where)


def ratings_of(
    key: Key, assessor: str, metrics: Mapping[str, object], where: Where, *, text: bool = False
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of one summary: a number a metric, or a list of them, one an assessor (``1``, ``2``, ...)."""
    for metric, value in _flat(metrics, where):
        if not isinstance(value, list | tuple):
            yield where, (*key, metric, assessor, number(value, metric, where, text=text))
            continue
        if assessor:
            raise where.error(f"{metric} is a list and the row has an assessor; expected one of the two")
        for at, one in enumerate(value, 1):
            yield where, (*key, metric, UnnamedRater(at), number(one, metric, where, text=text))


def _metrics(record: Mapping[str, Any], where: Where) -> Mapping[str, object]:
    if record.get("metrics") is None and "metric" in record:
        return {identifier(record["metric"], "metric", where): record.get("score")}
    if record.get("metrics") is None and {"topic", "summarizer"} <= set(record):
        wide = {name: value for name, value in record.items() if name not in NO_METRICS}
        if wide:
            return wide
    metrics = required(record, where, "metrics")
    if not isinstance(metrics, Mapping):
        raise where.error(f"metrics is {shown(metrics)}; expected names with numbers")
    return metrics


_DEEPEST = 10
"""Levels of names inside names."""


def _flat(
    metrics: Mapping[str, object], where: Where, prefix: str = "", level: int = 0
) -> Iterator[tuple[str, object]]:
    """Join names in names by a dot, but for those in a cell that is called like all measures (``metrics``)."""
    if level == _DEEPEST:
        raise where.error(
            f"metrics has names in names of more than {_DEEPEST} levels; expected names with numbers"
        )
    for name, value in metrics.items():
        metric = f"{prefix}{identifier(str(name), 'metric', where, empty=True)}"
        if isinstance(value, Mapping):
            of_all = not level and metric.lower() in ROLES["measures"]
            yield from _flat(value, where, "" if of_all else f"{metric}.", level + 1)
        else:
            yield metric, value


_LOG = logging.getLogger(__name__)


def scores_of_table(
    found: TableFile, year: str = "", *, columns: Fields | None = None, of_humans: bool = False
) -> pd.DataFrame:
    """Make the tidy table of the rows of a table, and say how its columns were read; see `data.read_scores`."""
    kinds = kinds_of(found.rows, found.columns, written=True)
    roles = recognize_scores(kinds, found.header, columns, of_humans=of_humans)
    where = f"{found.header.path}: " if found.header.path else ""
    named = {role: roles.one(role) for role in (*IDENTIFIERS, "metric")}
    said = [f"{role} = {column}" for role, column in named.items() if column not in (None, role)]
    said += [described_raters(roles.raters)] if roles.raters else []
    commas = sorted(name for name in roles.numbers if roles.kinds[name].comma == "decimal")
    said += [f"decimal commas are read as points in {listed(commas)}"] if commas else []
    if said:
        _LOG.log(NOTE, "%s%s", where, "; ".join(said))
    how = "--columns scores=NAME takes such a column"
    for message in roles.told("by their names no scores", how, found.header.path):
        warnings.warn(f"{where}{message}", DataWarning, stacklevel=3)
    frame = table(rating for place, row in found.rows for rating in _ratings_of_row(roles, row, place, year))
    origin = {"topic": roles.one("topic") or "", "columns": _columns_not_shared(found, roles)}
    frame.attrs[ORIGIN] = joined_origin([origin_of(frame), origin])
    return frame


MAX_VALUES = 20
"""Most values of a column without a role that can separate groups of systems."""


def _columns_not_shared(found: TableFile, roles: Columns) -> dict[str, dict[str, list[str]]]:
    """Give the systems of each value of the columns without a role, but for several values that all systems share."""
    used = {name for names in roles.roles.values() for name in names}
    columns: dict[str, dict[str, list[str]]] = {}
    for name in found.columns:
        if name in used or name in NO_METRICS or is_counter(name):
            continue
        systems: dict[str, set[str]] = {}
        for place, row in found.rows:
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
) -> Iterator[tuple[Where, Rating]]:
    key, assessor = columns.key(row, where, year), columns.name(row, "assessor", where, "")
    cells = {column: columns.cell(row, column, where) for column in columns["scores"]}
    if columns["metric"]:
        [(column, value)] = cells.items()
        if not isinstance(value, list | tuple | Mapping):
            value = number(value, column, where, text=True)
        cells = {columns.name(row, "metric", where): value}
    yield from ratings_of(key, assessor, cells, where, text=True)
    for measure, raters in columns.raters.items():
        for rater, column in raters.items():
            yield from ratings_of(key, rater, {measure: columns.cell(row, column, where)}, where, text=True)


def tidy(frame: pd.DataFrame, *, columns: Fields | None = None, of_humans: bool = False) -> pd.DataFrame:
    """Check a DataFrame, long or wide, and make it tidy: identifiers as text, scores as floats.

    Parameters
    ----------
    frame : DataFrame
        Columns of topic and summarizer under one of their common names (``topic``, ``doc_id``, ...; ``summarizer``,
        ``system``, ``model``, ...), optionally ``year``, ``task`` and ``assessor``; then ``metric`` and ``score``, or
        one column per metric. They may be its index.
    columns, of_humans
        As for `scores_of_table`.

    Examples
    --------
    >>> import pandas as pd
    >>> print(tidy(pd.DataFrame({"doc": [1, 1], "system": ["a", "b"], "rouge": [0.2, 0.3]})).to_string())
      year topic task summarizer metric  score
    0          1               a  rouge    0.2
    1          1               b  rouge    0.3
    """
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    found = replace(TableFile.of(frame), columns=list(map(str, frame.columns)))  # of no rows too
    made = scores_of_table(found, columns=columns, of_humans=of_humans)
    caution_scales(made)
    return made


def tidied(frame: ScoreTables, *, of_humans: bool = False) -> pd.DataFrame:
    """Give a tidy score table as it is, and any other table as `tidy` makes one of it; several as one.

    A table with the right columns is no tidy one if its identifiers are numbers or missing, as in a file that pandas
    read, or a score is infinite.
    """
    if isinstance(frame, Sequence):
        parts = [tidied(one, of_humans=of_humans) for one in frame]
        return as_one_table((f"table {at}", with_places(one)) for at, one in enumerate(parts, 1))
    whole = with_places(frame) if list(frame.index.names) == [None] else frame
    return whole if _is_tidy(whole) else tidy(frame, of_humans=of_humans)


def _is_tidy(frame: pd.DataFrame) -> bool:
    from pandas.api.types import infer_dtype, is_numeric_dtype

    if not set(COLUMNS) <= set(frame.columns) or not is_numeric_dtype(frame["score"]):
        return False
    names = frame[[name for name in frame if name in COLUMNS[:-1] or name == "assessor"]]
    are_texts = all(infer_dtype(names[name]) in ("string", "empty") for name in names)
    return are_texts and not (names.isna().any(axis=None) or frame["score"].abs().eq(math.inf).any())


def all_metrics(of_corpus: pd.DataFrame | None, given: ScoreTables | None) -> pd.DataFrame | None:
    """Join scores of metrics that came with a corpus and given ones, in this order; None if there are none."""
    import pandas as pd

    given = tidied(given) if isinstance(given, Sequence) else given
    parts = [mean_ratings(tidied(table)) for table in (of_corpus, given) if table is not None and len(table)]
    return pd.concat(parts, ignore_index=True) if parts else given


def align_scores(
    instances: pd.DataFrame, scores: pd.DataFrame, *, known: pd.DataFrame | None = None, what: str = "scores"
) -> pd.DataFrame:
    """Arrange scores as one row per instance and one column per metric.

    Parameters
    ----------
    instances : DataFrame
        The columns `KEYS`, each key once; other columns are ignored.
    scores : DataFrame
        A score table; ratings by several assessors are averaged.
    known : DataFrame, optional
        All instances of the corpus, if ``instances`` are a part of them: scores of the rest are dropped without a
        warning.
    what : str
        The word for the scores in messages.

    Returns
    -------
    DataFrame
        The index of ``instances``; metrics in the order of the table; NaN where an instance has no score.

    Raises
    ------
    InputError
        If no score belongs to a known instance, a metric has no score for any of ``instances``, or a score appears
        twice.

    Warns
    -----
    DataWarning
        Once, for scores of unknown instances and for metrics that some instances lack.
    """
    import numpy as np
    import pandas as pd

    scores = mean_ratings(tidied(scores))
    rows = pd.MultiIndex.from_frame(instances[KEYS])
    every = rows if known is None else pd.MultiIndex.from_frame(known[KEYS])
    keys = pd.MultiIndex.from_frame(scores[KEYS])
    again = scores[scores.duplicated([*KEYS, "metric"])]
    if len(again):
        raise InputError(f"{what}: {named(again[KEYS].iloc[0])}: {again['metric'].iloc[0]} appears twice")
    unknown = keys[~keys.isin(every)].unique()
    why = alike_in_keys(unknown, every) if len(unknown) else ""
    why = why and f"; {why}"
    if len(unknown) == len(keys.unique()):
        raise InputError(
            f"{what}: no summary of the corpus has a score: scores have {_some(unknown)}; "
            f"the corpus has {_some(every)} (year, topic, task, summarizer){why}"
        )
    metric_of_score, metrics = pd.factorize(scores["metric"])
    row_of_score = rows.get_indexer(keys)
    is_of_row = row_of_score >= 0
    cells = np.full((len(rows), len(metrics)), np.nan)
    cells[row_of_score[is_of_row], metric_of_score[is_of_row]] = scores["score"].to_numpy(float)[is_of_row]
    wide = pd.DataFrame(cells, index=instances.index, columns=list(map(str, metrics)))
    is_missing_cell = np.isnan(cells)
    lacking = {
        wide.columns[place]: rows[is_missing_cell[:, place]]
        for place in np.flatnonzero(is_missing_cell.any(axis=0)).tolist()
    }
    empty = [metric for metric, keys in lacking.items() if len(keys) == len(rows)]
    if empty:
        raise InputError(f"{what}: {listed(empty)} has no score for any of the summaries")
    notes = []
    if len(unknown):
        notes.append(f"scored but not in the corpus, and left out: {len(unknown)} ({_some(unknown)}){why}")
    if lacking:
        each = (f"{metric} of {len(keys)} ({_some(keys)})" for metric, keys in lacking.items())
        notes.append(f"missing: {', '.join(each)}")
    if notes:
        warnings.warn(f"{what}: {'; '.join(notes)}", DataWarning, stacklevel=2)
    return wide


def _some(keys: pd.MultiIndex) -> str:
    return listed(["/".join(key) for key in keys], most=3)
