"""Who scored a topic and what it is about, from a table: columns ``topic``, and ``year, task, assessor, category``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd

from classy_aesop.data import KEYS
from classy_aesop.data.sources import Where, text_of
from classy_aesop.data.table_files import tsv_rows
from classy_aesop.errors import InputError

COLUMNS = ("year", "topic", "task", "assessor", "category")
"""The columns that are read; all but ``topic`` may be missing."""


def read_topic_labels(path: str | Path) -> pd.DataFrame:
    """Read a tab-separated table of topics.

    Returns
    -------
    DataFrame
        Those of `COLUMNS` that the file has.

    Raises
    ------
    InputError
        If there is no column ``topic``, or neither ``assessor`` nor ``category``; if a row has another number of cells
        than the header, or a topic is there twice.
    """
    either = {"assessor", "category"}
    table, lines = rows_of_topics(path, COLUMNS, "assessor or category", lambda found: bool(found & either))
    again = table.duplicated([name for name in KEYS if name in table])
    if again.any():
        at = int(again.to_numpy().argmax())
        raise Where(str(path), lines[at]).error(f"topic {table['topic'].iloc[at]!r} is there twice")
    return table


def rows_of_topics(
    path: str | Path, columns: Sequence[str], needed: str, is_complete: Callable[[set[str]], bool]
) -> tuple[pd.DataFrame, list[int]]:
    """Read the columns of a tab-separated table of which each row is about a topic, as text, and the line of each row.

    Raises
    ------
    InputError
        If there is no column ``topic`` or what is ``needed`` is missing, or a row has another number of cells than the
        header.
    """
    (line, header), *rows = tsv_rows(text_of(path))
    if "topic" not in header or not is_complete(set(header)):
        found = ", ".join(header)
        raise Where(str(path), line).error(f"the columns are {found}; expected topic, and {needed}")
    for at, cells in rows:
        if len(cells) != len(header):
            raise Where(str(path), at).error(f"{len(cells)} cells; expected {len(header)}, as in the header")
    table = pd.DataFrame([cells for _, cells in rows], columns=header, dtype=str)
    return table[[name for name in columns if name in header]], [at for at, _ in rows]


def with_labels(rows: pd.DataFrame, labels: pd.DataFrame, wanted: str) -> pd.DataFrame:
    """Put the assessor or the category of each row's topic beside it.

    Raises
    ------
    InputError
        If the table does not hold it for some topic, or the rows are ratings by several assessors a summary.
    """
    if wanted not in labels:
        raise InputError(f"the table of topics has no column {wanted}; expected one")
    keys = [name for name in KEYS if name in labels]
    found = rows.drop(columns=wanted, errors="ignore").merge(labels[[*keys, wanted]], on=keys, how="left")
    lacking = found.loc[found[wanted].isna() | (found[wanted] == ""), "topic"]
    if len(lacking):
        raise InputError(
            f"the table of topics names no {wanted} of topic {lacking.iloc[0]!r}; expected one of each"
        )
    if wanted in rows and (twice := found.duplicated([*KEYS, "metric", wanted])).any():
        row = found[twice].iloc[0]
        raise InputError(
            f"the table of topics names one {wanted} of topic {row['topic']!r}, but summaries have several ratings of "
            f"{row['metric']}; expected ratings by one {wanted} a topic, or no table of topics"
        )
    return found
