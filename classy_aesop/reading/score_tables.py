"""Score tables made tidy, joined and aligned with the summaries of a corpus; and records made into ratings.

A record, as in our own JSON lines, has its scores in ``metrics``. Nested names are joined with a dot, and a list of
numbers is read as ratings by the assessors ``1``, ``2``, ...
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from classy_aesop.data.cells import (
    Key,
    format_value,
    instance_key,
    is_missing,
    read_identifier,
    read_number,
    require_field,
)
from classy_aesop.data.scores import (
    COLUMNS,
    KEYS,
    STRATUM_COLUMNS,
    PlacedRating,
    Rating,
    UnnamedRater,
    add_stratum_columns,
    concatenate_scores,
    describe_similar_keys,
    format_key,
    make_score_table,
    mean_ratings,
)
from classy_aesop.data.where import Where
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.reading.account import RowAccount
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.column_names import ATTEMPT_NAMES, CLUSTERS, ROLES, spell
from classy_aesop.reading.columns import Table
from classy_aesop.reading.judged_scores import list_roles, read_scores_of_table
from classy_aesop.reading.layouts import open_memory
from classy_aesop.reading.memory_tables import is_table
from classy_aesop.reading.table_files import form_of, read_parts, read_table_file
from classy_aesop.work.options import GivenColumns

if TYPE_CHECKING:
    import pandas as pd

    ScoreTables = pd.DataFrame | Sequence[pd.DataFrame]


def tidy(
    frame: pd.DataFrame | Mapping[str, object] | Sequence[object],
    *,
    columns: GivenColumns | None = None,
) -> pd.DataFrame:
    """Check a table in memory, long or wide, and make it tidy: identifiers as text, scores as floats.

    Parameters
    ----------
    frame : DataFrame, dict of lists or list of dicts
        Columns of topic and summarizer under one of their common names (``topic``, ``doc_id``, ...; ``summarizer``,
        ``system``, ``model``, ...), optionally ``year``, ``task`` and ``assessor``; then ``metric`` and ``score``, or
        one column per metric. They may be its index.
    columns
        As for :func:`classy_aesop.read_scores`.

    Examples
    --------
    >>> import pandas as pd
    >>> print(tidy(pd.DataFrame({"doc": [1, 1], "system": ["a", "b"], "rouge": [0.2, 0.3]})).to_string())
      year topic task summarizer metric  score
    0          1               a  rouge    0.2
    1          1               b  rouge    0.3
    """
    roles = list_roles(columns)
    return read_scores_of_table(open_memory(frame, roles), roles)


def ensure_tidy(frame: ScoreTables) -> pd.DataFrame:
    """Give a tidy score table as it is, and any other table as `tidy` makes one of it; several as one.

    A table with the right columns is no tidy one if its identifiers are numbers or missing, as in a file that pandas
    read, or a score is infinite.
    """
    if isinstance(frame, Sequence) and not is_table(frame):
        return concatenate_scores(
            (f"table {number}", ensure_tidy(table)) for number, table in enumerate(frame, 1)
        )
    whole = find_tidy(frame)
    return tidy(frame) if whole is None else whole


def find_tidy(frame: Any) -> pd.DataFrame | None:
    """Give a table that is tidy but for columns of year and task with both; None of another."""
    missing = {*COLUMNS} - {*getattr(frame, "columns", ())}
    if missing and (missing - {*STRATUM_COLUMNS} or list(frame.index.names) != [None]):
        return None
    whole = add_stratum_columns(frame)
    return whole if _is_tidy(whole) else None


def _is_tidy(frame: pd.DataFrame) -> bool:
    from pandas.api.types import infer_dtype, is_numeric_dtype

    names = [frame[name] for name in frame if name in (*COLUMNS[:-1], "assessor")]
    return (
        is_numeric_dtype(frame["score"])
        and CLUSTERS.union(ATTEMPT_NAMES).isdisjoint(spell(str(name)) for name in frame.columns)
        and all(infer_dtype(values) in ("string", "empty") and not values.hasnans for values in names)
        and not np.isinf(frame["score"].to_numpy(float)).any()
    )


def all_metrics(corpus_scores: pd.DataFrame | None, scores: ScoreTables | None) -> pd.DataFrame | None:
    """Join scores of metrics that came with a corpus and other ones, in this order; None if there are none."""
    import pandas as pd

    tables = [
        mean_ratings(ensure_tidy(table))
        for table in (corpus_scores, scores)
        if table is not None and len(table)
    ]
    return pd.concat(tables, ignore_index=True) if tables else scores  # type: ignore[return-value]


def align_scores(
    instances: pd.DataFrame,
    scores: pd.DataFrame,
    *,
    instances_of_corpus: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Arrange scores as one row per instance and one column per metric.

    Parameters
    ----------
    instances : DataFrame
        The columns `KEYS`, each key once; other columns are ignored.
    scores : DataFrame
        A score table; ratings by several assessors are averaged.
    instances_of_corpus : DataFrame, optional
        All instances of the corpus, if ``instances`` are a subset of them: scores of the others are dropped without
        a warning.

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
    import pandas as pd

    scores = mean_ratings(ensure_tidy(scores))
    rows = pd.MultiIndex.from_frame(instances[KEYS])
    corpus_keys = rows if instances_of_corpus is None else pd.MultiIndex.from_frame(instances_of_corpus[KEYS])
    keys = pd.MultiIndex.from_frame(scores[KEYS])
    for _, repeated in scores[scores.duplicated([*KEYS, "metric"])][:1].iterrows():
        raise InputError(f"imported scores: {format_key(repeated[KEYS])}: {repeated['metric']} appears twice")
    unknown = keys[~keys.isin(corpus_keys)].unique()
    similar_keys = describe_similar_keys(unknown, corpus_keys) if len(unknown) else ""
    hint = similar_keys and f"; {similar_keys}"
    if len(unknown) == len(keys.unique()):
        raise InputError(
            f"imported scores: no summary of the corpus has a score: scores have {_list_keys(unknown)}; "
            f"the corpus has {_list_keys(corpus_keys)} (year, topic, task, summarizer){hint}"
        )
    wide = scores.astype({"score": float}).pivot(index=KEYS, columns="metric", values="score").reindex(rows)
    wide = wide[scores["metric"].unique()].set_axis(instances.index, axis="index").rename_axis(columns=None)
    lacking = {metric: rows[cells.isna()] for metric, cells in wide.items() if cells.hasnans}
    empty = [metric for metric, keys in lacking.items() if len(keys) == len(rows)]
    if empty:
        raise InputError(f"imported scores: {join_names(empty)} has no score for any of the summaries")
    notes = []
    if len(unknown):
        notes.append(
            f"scored but not in the corpus, and left out: {len(unknown)} ({_list_keys(unknown)}){hint}"
        )
    if lacking:
        each = (f"{metric} of {len(keys)} ({_list_keys(keys)})" for metric, keys in lacking.items())
        notes.append(f"missing: {', '.join(each)}")
    if notes:
        warn(f"imported scores: {'; '.join(notes)}")
    return wide


def _list_keys(keys: pd.MultiIndex) -> str:
    return join_names(["/".join(key) for key in keys], limit=3)


def holds_records(source: Source) -> bool:
    """Whether rows of JSON have ``metrics``: `ratings_of_record` reads or refuses them.

    Where a field may say what topics lie in (``passage``), it is looked at as in any other table.
    """
    if form_of(source) not in ("jsonl", "json"):
        return False
    with suppress(InputError):
        part = next(read_parts(source, 1))
        are_listed = any(
            isinstance(row.get("metrics"), list) for _, row in part.rows[:1]
        )  # their names alone
        return "metrics" in part.columns and not are_listed and CLUSTERS.isdisjoint(map(spell, part.columns))
    return False


def read_records(source: Source, *, year: str = "") -> pd.DataFrame:
    """Read rows of JSON with their scores in ``metrics``; those without a score are counted."""
    rows = read_table_file(source).rows
    ratings = [list(ratings_of_record(row, where, year)) for where, row in rows]
    account = RowAccount(Table(source.name, {}, [where for where, _ in rows]))
    has_score = [any(rating[-1] == rating[-1] for _, rating, *_ in of_row) for of_row in ratings]
    account.leave_out(~np.array(has_score, bool), "no score", is_stated=True)
    account.say()
    return make_score_table(chain.from_iterable(ratings))


def ratings_of_record(record: Mapping[str, Any], where: Where, year: str = "") -> Iterator[PlacedRating]:
    """Give the ratings of a record: its ``metrics``.

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
    row_year, topic, task, summarizer = instance_key(record, where)
    key = (row_year or year, topic, task, summarizer)
    rater = record.get("assessor")
    assessor = "" if rater is None else read_identifier(rater, "assessor", where, may_be_empty=True)
    attempts = (name for name in record if spell(name) in ATTEMPT_NAMES and not is_missing(record[name]))
    attempt = next((read_identifier(record[name], name, where, is_cell=True) for name in attempts), "")
    metrics = require_field(record, where, "metrics")
    if not isinstance(metrics, Mapping):
        raise where.error(f"metrics is {format_value(metrics)}; expected names with numbers")
    return ((*rating, attempt) for rating in ratings_of(key, assessor, metrics, where))


def ratings_of(
    key: Key, assessor: str, metrics: Mapping[str, object], where: Where
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of one summary: a number a metric, or a list of them, one an assessor (``1``, ``2``, ...)."""
    for metric, value in _flatten_names(metrics, where):
        if not isinstance(value, list | tuple):
            yield where, (*key, metric, assessor, read_number(value, metric, where))
            continue
        if assessor:
            raise where.error(f"{metric} is a list and the row has an assessor; expected one of the two")
        for rater, score in enumerate(value, 1):
            yield (
                where,
                (*key, metric, UnnamedRater(rater), read_number(score, metric, where)),
            )


MAX_NAME_LEVELS = 10
"""Levels of names inside names; deeper ones hold no measures."""


def _flatten_names(
    metrics: Mapping[str, object], where: Where, prefix: str = "", level: int = 0
) -> Iterator[tuple[str, object]]:
    """Join names in names by a dot, but for those in a cell that is called like all measures (``metrics``)."""
    if level == MAX_NAME_LEVELS:
        raise where.error(
            f"metrics has names in names of more than {MAX_NAME_LEVELS} levels; expected names with numbers"
        )
    for name, value in metrics.items():
        metric = f"{prefix}{read_identifier(str(name), 'metric', where, may_be_empty=True)}"
        if isinstance(value, Mapping):
            of_all = not level and metric.lower() in ROLES["measures"]
            yield from _flatten_names(value, where, "" if of_all else f"{metric}.", level + 1)
        else:
            yield metric, value
