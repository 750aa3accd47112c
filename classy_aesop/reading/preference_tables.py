"""Preferences of a file: two outputs a row, and which one a rater prefers."""

from __future__ import annotations

from pathlib import Path

from classy_aesop.data.cells import GivenColumns
from classy_aesop.data.preference_records import Preferences
from classy_aesop.errors import InputError, join_names
from classy_aesop.reading.byte_sources import STANDARD_INPUT, Source
from classy_aesop.reading.judged_scores import open_table, votes_of_table


def find_preferences(
    path: str | Path | Source, *, columns: GivenColumns | None = None, encoding: str | None = None
) -> Preferences | None:
    """Read a file if it holds preferences, by its columns or by what the user says of them; else None.

    Of a file that can be read once only (a named pipe) nothing is read.
    """
    if not isinstance(path, Source) and str(path) != STANDARD_INPUT and not Path(path).is_file():
        return None
    source = Source.from_path(path).select_encoding(encoding)
    try:
        table, roles = open_table(source, columns)
    except InputError:
        if "winner" in (columns or ()):
            raise
        return None  # said by whoever reads it as scores
    return votes_of_table(table, roles)


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
        names = join_names(table.columns, most=20)
        raise table.place.error(
            f"no preferences among the columns {names}; expected the two systems and a winner"
        )
    return preferences
