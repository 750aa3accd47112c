"""Score tables made tidy, joined and aligned with the summaries of a corpus."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Union

from classy_aesop.data.cells import Fields, shown
from classy_aesop.data.scales import caution_scales
from classy_aesop.data.scores import (
    COLUMNS,
    KEYS,
    alike_in_keys,
    as_one_table,
    mean_ratings,
    named,
    with_places,
)
from classy_aesop.errors import InputError, UsageError, listed, warn

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.data.corpus import Corpus

ScoreTable = Union["pd.DataFrame", str, "os.PathLike[str]", "Corpus"]
"""A table of scores: a DataFrame, the name of a file, or a corpus, for its judgments."""

ScoreTables = ScoreTable | Sequence[ScoreTable]
"""A score table, or several that are taken as one."""


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
    from classy_aesop.reading.score_rows import scores_of_table
    from classy_aesop.reading.table_files import TableFile

    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    found = replace(TableFile.of(frame), columns=list(map(str, frame.columns)))  # of no rows too
    made = scores_of_table(found, columns=columns, of_humans=of_humans)
    caution_scales(made)
    return made


def tidied(
    given: ScoreTables,
    *,
    of_humans: bool = False,
    columns: Fields | None = None,
    name: str = "scores",
) -> pd.DataFrame:
    """Give a tidy score table as it is, and any other table as `tidy` makes one of it; several as one.

    A table with the right columns is no tidy one if its identifiers are numbers or missing, as in a file that pandas
    read, or a score is infinite.

    Parameters
    ----------
    given : DataFrame, path-like, Corpus, or sequence of these
        The table, the name of a file that `read_scores` reads, or a corpus, whose judgments it stands for.
    of_humans, columns
        As for `tidy`; of several tables each takes those columns that it has.
    name : str
        What the table is called in messages: the parameter that it was given as.

    Raises
    ------
    UsageError
        It is no table.
    InputError
        As `tidy`.
    FileNotFoundError
        There is no such file.

    Examples
    --------
    >>> tidied({"topic": [1]}, name="judgments")
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: judgments is a dict; expected a DataFrame or the name of a file, or a list of them
    """
    from classy_aesop.data.corpus import Corpus

    if isinstance(given, list | tuple):
        return _tidied_as_one(given, of_humans=of_humans, columns=columns, name=name)
    if isinstance(given, Corpus):
        return given.judgments if given.ratings.empty else given.ratings
    if isinstance(given, str | os.PathLike):
        from classy_aesop.reading.score_files import read_scores

        return read_scores(os.fspath(given), columns=columns or None, of_humans=of_humans)
    frame = as_frame(given, name)
    whole = with_places(frame) if list(frame.index.names) == [None] else frame
    return whole if not columns and _is_tidy(whole) else tidy(frame, columns=columns, of_humans=of_humans)


def _tidied_as_one(
    tables: Sequence[ScoreTable], *, of_humans: bool, columns: Fields | None, name: str
) -> pd.DataFrame:
    """Join several tables."""
    if not tables:
        raise UsageError(f"{name} is an empty list; expected one table or more")
    own_columns = divide_columns(columns, {f"table {at}": table for at, table in enumerate(tables, 1)})
    parts = [
        tidied(table, of_humans=of_humans, columns=own, name=f"{name}[{at}]")
        for at, (table, own) in enumerate(zip(tables, own_columns, strict=True))
    ]
    return as_one_table((f"table {at}", with_places(part)) for at, part in enumerate(parts, 1))


def divide_columns(columns: Fields | None, tables: Mapping[str, ScoreTables | None]) -> list[Fields | None]:
    """Give to each of several tables those columns that it has.

    Parameters
    ----------
    columns : mapping or None
        What the columns are, as for `tidy`.
    tables : mapping of str to ScoreTables
        The tables by what they are called in messages.

    Raises
    ------
    UsageError
        No table has one of the columns.
    """
    from classy_aesop.reading.file_columns import columns_that_exist

    if not columns or len(tables) < 2:
        return [columns] * len(tables)
    roles = {role: (names,) if isinstance(names, str) else tuple(names) for role, names in columns.items()}
    names = {source: _column_names(table) for source, table in tables.items()}
    return [columns_that_exist(roles, names, source) for source in tables]


def _column_names(table: ScoreTables | None) -> set[str]:
    """Give the names of the columns of a table; none of what is no table."""
    if isinstance(table, list | tuple):
        return {name for part in table for name in _column_names(part)}
    if isinstance(table, str | os.PathLike):
        from classy_aesop.reading.byte_sources import Source
        from classy_aesop.reading.table_files import read_table_file

        return set(read_table_file(Source.of(os.fspath(table))).columns)
    names = getattr(table, "columns", ())
    index = getattr(table, "index", None)
    return {*map(str, names), *map(str, getattr(index, "names", ()))}


def as_frame(given: object, name: str) -> pd.DataFrame:
    """Give a DataFrame, also of a table of another library that can become one (``to_pandas``).

    Raises
    ------
    UsageError
        It is no table; the message says what it is and what is expected.
    """
    import pandas as pd

    if isinstance(given, pd.DataFrame):
        return given
    if is_frame(given):
        return given.to_pandas()  # type: ignore[attr-defined,no-any-return]
    raise UsageError(
        f"{name} is {describe_kind(given)}; expected a DataFrame or the name of a file, or a list of them"
    )


def is_frame(given: object) -> bool:
    """Whether it is a DataFrame of pandas, or a table that can become one."""
    import pandas as pd

    return isinstance(given, pd.DataFrame) or (hasattr(given, "to_pandas") and hasattr(given, "columns"))


def describe_kind(given: object) -> str:
    """Name a value for a message: what it is, and of a short one the value."""
    if given is None or isinstance(given, int | float | bool):
        return shown(given)
    kind = type(given).__name__
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"


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

    table = None if given is None else tidied(given)
    parts = [mean_ratings(tidied(part)) for part in (of_corpus, table) if part is not None and len(part)]
    return pd.concat(parts, ignore_index=True) if parts else table


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
        warn(f"{what}: {'; '.join(notes)}")
    return wide


def _some(keys: pd.MultiIndex) -> str:
    return listed(["/".join(key) for key in keys], most=3)
