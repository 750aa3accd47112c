"""What functions are given, read: score tables and corpora as DataFrames, files, or what stands for them.

What is neither is answered in words: what it is, and what is expected.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, Union

from classy_aesop.data.cells import format_value
from classy_aesop.data.preference_records import Preferences
from classy_aesop.data.scores import concatenate_scores
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.reading.byte_sources import STANDARD_INPUT, Source
from classy_aesop.reading.columns import Table
from classy_aesop.reading.corpora import read_corpus
from classy_aesop.reading.corpus import Corpus
from classy_aesop.reading.file_columns import columns_by_role, divide_columns, names_in_file
from classy_aesop.reading.judged_scores import list_roles, open_table, read_scores_of_table, votes_of_table
from classy_aesop.reading.labels import labels_of_table
from classy_aesop.reading.layouts import open_memory
from classy_aesop.reading.memory_tables import cells_of, convert_to_pandas, is_table
from classy_aesop.reading.score_files import read_scores
from classy_aesop.reading.score_tables import ensure_tidy, find_tidy, tidy
from classy_aesop.reading.shapes import find_readings
from classy_aesop.work.options import Fields, GivenColumns

if TYPE_CHECKING:
    import pandas as pd

Contents = TypeVar("Contents")

ScoreTable = Union["pd.DataFrame", str, "os.PathLike[str]", Corpus, Mapping[str, object]]
"""A table of scores: a DataFrame or a dictionary of columns, the name of a file, or a corpus, for its judgments."""

ScoreTables = ScoreTable | Sequence[ScoreTable]
"""A score table, or several that are taken as one; a list of dictionaries is one, a row each."""

CorpusData = Union[
    Corpus, str, "os.PathLike[str]", "pd.DataFrame", Mapping[str, object], list[dict[str, object]]
]
"""What `ensure_corpus` takes: a corpus, a path, or a table in memory with a row a summary."""


def ensure_corpus(data: CorpusData, *, columns: GivenColumns | None = None) -> Corpus:
    """Give a corpus as it is, that of a path, or that of a table in memory.

    Examples
    --------
    >>> ensure_corpus(5)
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: data is 5; expected a DataFrame with a row a summary, a corpus or the name of a file
    """
    if isinstance(data, Corpus):
        if columns:
            raise UsageError("columns are named for a corpus; expected a table")
        return data
    if isinstance(data, str | os.PathLike):
        return read_corpus(os.fspath(data), columns=columns)
    if is_table(data):
        return Corpus.from_rows(data, columns=columns)
    expected = "a DataFrame with a row a summary, a corpus or the name of a file"
    raise UsageError(f"data is {describe_kind(data)}; expected {expected}")


def read_score_table(
    tables: ScoreTables,
    *,
    columns: GivenColumns | None = None,
    name: str = "scores",
) -> pd.DataFrame:
    """Give the tidy score table of what a function was given: a DataFrame, a file, a corpus, or several of them.

    Examples
    --------
    >>> read_score_table([{"topic": 1, "system": "a", "quality": 4}])[["summarizer", "metric", "score"]].values.tolist()
    [['a', 'quality', 4.0]]
    >>> read_score_table(5, name="judgments")
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: judgments is 5; expected a DataFrame or the name of a file, or a list of them
    """
    if is_table(tables):
        table = convert_to_pandas(tables)
        return tidy(table, columns=columns) if columns else ensure_tidy(table)
    if isinstance(tables, Corpus):
        return tables.judgments if tables.ratings.empty else tables.ratings
    if isinstance(tables, str | os.PathLike):
        return read_scores(os.fspath(tables), columns=columns or None)
    if not isinstance(tables, list | tuple):
        names = " with a column of topics and one of systems" if hasattr(tables, "dtype") else ""
        expected = f"a DataFrame{names} or the name of a file, or a list of them"
        raise UsageError(f"{name} is {describe_kind(tables)}; expected {expected}")
    if not tables:
        raise UsageError(f"{name} is an empty list; expected one table or more")
    named_tables = {f"table {number}": table for number, table in enumerate(tables, 1)}
    own_columns = divide_given_columns(columns, named_tables)
    return concatenate_scores(
        (file, read_score_table(table, columns=own_columns[file], name=f"{name}[{position}]"))
        for position, (file, table) in enumerate(named_tables.items())
    )


def read_ratings(tables: ScoreTables, *, columns: GivenColumns | None = None) -> pd.DataFrame:
    """Give the tidy table of ratings, or of labels that raters gave, where a table or a file holds such.

    Examples
    --------
    >>> rows = [{"item": 1, "ann": "bug", "bob": "bug"}, {"item": 2, "ann": "feature", "bob": "bug"}]
    >>> read_ratings(rows + [{"item": 3, "ann": "feature", "bob": "feature"}])["score"].tolist()
    [1.0, 1.0, 2.0, 1.0, 2.0, 2.0]
    """
    labels = find_contents(tables, labels_of_table, columns=columns)
    return read_score_table(tables, columns=columns, name="ratings") if labels is None else labels


def read_scores_or_preferences(
    data: ScoreTables | Preferences, *, columns: GivenColumns | None = None
) -> pd.DataFrame | Preferences:
    """Give the tidy score table of what a function was given, or its preferences.

    Examples
    --------
    >>> rows = [{"topic": 1, "model_a": "old", "model_b": "new", "winner": "model_b"}]
    >>> read_scores_or_preferences(rows).systems
    ('new', 'old')
    """
    if isinstance(data, Preferences):
        return data
    if not is_table(data):
        preferences = find_contents(data, votes_of_table, columns=columns)
        return read_score_table(data, columns=columns) if preferences is None else preferences
    if not columns and (tidy_scores := find_tidy(data)) is not None:
        return tidy_scores
    roles = list_roles(columns)
    table = open_memory(data, roles)
    readings = find_readings(table, roles)
    preferences = votes_of_table(table, roles, readings)
    return read_scores_of_table(table, roles, readings=readings) if preferences is None else preferences


def find_contents(
    data: object,
    contents_of_table: Callable[[Table, dict[str, list[str]]], Contents | None],
    *,
    columns: GivenColumns | None = None,
    open_file: Callable[[str], Source] = Source.from_path,
) -> Contents | None:
    """Give what a file, or a table in memory, holds besides scores, such as preferences; None if it holds none.

    Of a file that can be read once only (a named pipe) nothing is read.
    """
    if is_table(data):
        roles = list_roles(columns)
        return contents_of_table(open_memory(data, roles), roles)
    if not isinstance(data, str | os.PathLike):
        return None
    if str(data) != STANDARD_INPUT and not Path(data).is_file():
        return None
    try:
        table, roles = open_table(open_file(os.fspath(data)), columns)
    except InputError:
        if "winner" in list_roles(columns):
            raise
        return None  # said by whoever reads it as scores
    return contents_of_table(table, roles)


def read_preferences(
    path: str | Path | Source, *, columns: GivenColumns | None = None, encoding: str | None = None
) -> Preferences:
    """Read a table of preferences, a comparison a row.

    Parameters
    ----------
    path : path-like
        A table in any form that :func:`classy_aesop.reading.read_scores` reads.
    columns : mapping, optional
        The columns of ``topic, first, second, winner, rater`` where their names do not say so; ``pair`` for a column
        that names both systems; two columns of ``winner`` for the scores of the two sides.
    encoding : str, optional
        The encoding of a text table that is not in UTF-8.

    Returns
    -------
    Preferences
        The comparisons in the order of the rows; rows without a winner are left out.

    Raises
    ------
    InputError
        A column is missing, it is doubtful which side is meant, or a winner names neither side; with file and line.
    UsageError
        ``columns`` names a role or a column that is not known.

    Examples
    --------
    >>> judged = read_preferences("classy_aesop/sample/tutorial/preferences.csv")
    >>> len(judged), judged.systems, judged.raters
    (72, ('system-02', 'system-05', 'system-08'), ('ann', 'bob'))
    """
    table, roles = open_table(Source.from_path(path).select_encoding(encoding), columns)
    preferences = votes_of_table(table, roles)
    if preferences is None:
        names = join_names(table.columns, limit=20)
        raise table.place.error(
            f"no preferences among the columns {names}; expected the two systems and a winner"
        )
    return preferences


def divide_given_columns(
    columns: GivenColumns | None, tables: Mapping[str, ScoreTables | None]
) -> dict[str, Fields | None]:
    """Give to each of several tables those columns that it has."""
    roles = list_roles(columns)
    if not roles or len(tables) < 2:
        return dict.fromkeys(tables, columns_by_role(columns))
    return dict(divide_columns(roles, {name: _names_in(table) for name, table in tables.items()}))


def _names_in(table: ScoreTables | None) -> set[str]:
    """Give the names of the columns of a table; none of what is no table."""
    if is_table(table):
        return {*cells_of(table)}
    if isinstance(table, str | os.PathLike):
        return names_in_file(Source.from_path(os.fspath(table)))
    return {name for part in table for name in _names_in(part)} if isinstance(table, list | tuple) else set()


def describe_kind(data: object) -> str:
    """Name a value for a message: what it is, and of a short one the value."""
    if data is None or isinstance(data, int | float | bool):
        return format_value(data)
    kind = type(data).__name__
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"
