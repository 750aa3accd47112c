"""Tables of scores, long or wide, to ratings: the rows of a tidy table.

What their columns are, is found by `layout`.
"""

from __future__ import annotations

import logging
import math
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from classy_aesop.data import raters
from classy_aesop.data.asked import Fields
from classy_aesop.data.layout import Layout, layout_of
from classy_aesop.data.opening import Where
from classy_aesop.data.places import with_places
from classy_aesop.data.scores import COLUMNS, Rating, table
from classy_aesop.data.table_files import TableFile
from classy_aesop.errors import NOTE, DataWarning, listed

if TYPE_CHECKING:
    import pandas as pd

_LOG = logging.getLogger(__name__)


def ratings_of_table(
    found: TableFile, year: str = "", *, fields: Fields | None = None, of_humans: bool = False
) -> Iterator[tuple[Where, Rating]]:
    """Give the ratings of the rows of a table; say what was recognized that another reader may take for something else.

    Parameters
    ----------
    found : TableFile
        The table.
    year : str
        Of rows without one.
    fields : mapping, optional
        Which column is what; it replaces what the names say.
    of_humans : bool
        Whether the scores are human: numbered columns are then raters, whatever they are called.

    Raises
    ------
    InputError
        A column is missing or there twice, or a cell is not what it should be.
    UsageError
        ``fields`` does not fit the table.

    Warns
    -----
    DataWarning
        Columns that hold no scores.
    """
    layout = layout_of(found, fields, of_humans=of_humans)
    _say(layout, found.header)
    for where, row in found.rows:
        for rating in layout.rating(row, where, year):
            yield where, rating


def _say(layout: Layout, header: Where) -> None:
    """Say in a line what was recognized by other names than ours, and warn of columns without scores."""
    where = f"{header.path}: " if header.path else ""
    renamed = [f"{name} = {column}" for name, column in layout.keys.items() if name != column]
    said = [*renamed, raters.described(layout.of_raters) if layout.of_raters else ""]
    if layout.commas:
        said.append(f"decimal commas are read as points in {listed(sorted(layout.commas))}")
    if any(said):
        _LOG.log(NOTE, "%s%s", where, "; ".join(filter(None, said)))
    if layout.unread:
        message = f"{where}columns without scores are not read: {listed(layout.unread, most=20)}"
        warnings.warn(message, DataWarning, stacklevel=5)


def tidy(frame: pd.DataFrame, *, fields: Fields | None = None, of_humans: bool = False) -> pd.DataFrame:
    """Check a DataFrame, long or wide, and make it tidy: identifiers as text, scores as floats.

    Parameters
    ----------
    frame : DataFrame
        Columns of topic and summarizer under one of their common names (``topic``, ``doc_id``, ...; ``summarizer``,
        ``system``, ``model``, ...), optionally ``year``, ``task`` and ``assessor``; then ``metric`` and ``score``, or
        one column per metric. They may be its index.
    fields, of_humans
        As for `ratings_of_table`.

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
    columns = [str(column) for column in frame.columns]
    cells = frame.astype(object).where(frame.notna(), None)
    named = (dict(zip(columns, row, strict=True)) for row in cells.itertuples(index=False, name=None))
    found = TableFile("frame", Where(), columns, [(Where(line=at), row) for at, row in enumerate(named, 1)])
    return table(ratings_of_table(found, fields=fields, of_humans=of_humans))


def tidied(frame: pd.DataFrame, *, of_humans: bool = False) -> pd.DataFrame:
    """Give a tidy score table as it is, and any other table as `tidy` makes one of it.

    A table with the right columns is no tidy one if its identifiers are numbers or missing, as in a file that pandas
    read, or a score is infinite.
    """
    whole = with_places(frame) if list(frame.index.names) == [None] else frame
    return whole if _is_tidy(whole) else tidy(frame, of_humans=of_humans)


def _is_tidy(frame: pd.DataFrame) -> bool:
    from pandas.api.types import infer_dtype, is_numeric_dtype

    if not set(COLUMNS) <= set(frame.columns) or not is_numeric_dtype(frame["score"]):
        return False
    names = frame[[name for name in frame if name in COLUMNS[:-1] or name == "assessor"]]
    are_texts = all(infer_dtype(names[name]) in ("string", "empty") for name in names)
    return are_texts and not (names.isna().any(axis=None) or frame["score"].abs().eq(math.inf).any())
