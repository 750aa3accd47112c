"""Files of tables of scores: tab-separated, CSV, Excel and Parquet, long or wide (`layout`)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.errors import UsageError
from classy_aesop.scores.asked import Fields
from classy_aesop.scores.cells import tsv_rows
from classy_aesop.scores.delimited import Cells, csv_rows, headed
from classy_aesop.scores.opening import open_bytes
from classy_aesop.scores.parquet import parquet_rows
from classy_aesop.scores.rows import Where, lines_of, text_of
from classy_aesop.scores.table import table
from classy_aesop.scores.tidying import ratings_of_table
from classy_aesop.scores.xlsx import xlsx_rows

if TYPE_CHECKING:
    import pandas as pd


def read_table_scores(
    path: str | Path,
    *,
    year: str = "",
    form: str,
    fields: Fields | None = None,
    of_humans: bool = False,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Read a table, long or wide; its columns are those of `layout`."""
    header, columns, rows = cells_of(path, form, encoding)
    return table(ratings_of_table(columns, rows, header, year, fields=fields, of_humans=of_humans))


def cells_of(path: str | Path, form: str, encoding: str | None = None) -> Cells:
    """Give the cells of a table of a form, a key of `FORMS`."""
    if encoding is not None and form not in ("tsv", "csv"):
        raise UsageError(f"{path}: --encoding is of a text table (CSV, TSV); found {form}")
    return FORMS[form](path, encoding)


def tsv_table(path: str | Path, encoding: str | None = None) -> Cells:
    """Give the cells of tab-separated values, quoted as described in `cells`."""
    rows = ((Where(str(path), line), cells) for line, cells in tsv_rows(text_of(path, encoding)))
    header, columns = next(rows)
    return header, columns, rows


def _csv(path: str | Path, encoding: str | None) -> Cells:
    return headed(csv_rows(lines_of(path, encoding), path), path)


def _xlsx(path: str | Path, encoding: str | None) -> Cells:
    with open_bytes(path) as stream:
        return headed(xlsx_rows(stream, path), path)


def _parquet(path: str | Path, encoding: str | None) -> Cells:
    with open_bytes(path) as stream:
        columns, rows = parquet_rows(stream, path)
    cells = ((Where(f"{path}, row {at}"), list(row.values())) for at, row in enumerate(rows, 1))
    return Where(str(path)), columns, cells


FORMS: dict[str, Callable[[str | Path, str | None], Cells]] = {
    "tsv": tsv_table,
    "csv": _csv,
    "xlsx": _xlsx,
    "parquet": _parquet,
}
"""How the cells of a table are read, by its form."""

TABLE_READERS = {form: partial(read_table_scores, form=form) for form in FORMS}
"""The readers of tables."""
