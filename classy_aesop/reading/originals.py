"""The rows of a file as somebody wrote them, each with the summary that it is about, and new columns beside them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.data.scores import KEYS
from classy_aesop.data.summary_records import Record
from classy_aesop.errors import DataWarning, InputError, UsageError, warn
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.summary_rows import is_row, parse_row
from classy_aesop.reading.summary_tables import merge_topic_rows, read_rows
from classy_aesop.reading.table_files import form_of, open_parquet, read_table_file
from classy_aesop.work.options import Fields

if TYPE_CHECKING:
    import pandas as pd

TypesOfColumns = dict[str, object]
"""Types of Arrow, which has no types for mypy, by the names of columns."""

Original = tuple[tuple[str, str, str, str], Mapping[str, Any]]
"""Year, topic, task and summarizer, and the row."""


def read_originals(path: str | Path | Source, columns: Fields | None = None) -> list[Original]:
    """Read the rows of a table, or of JSON lines, each with the key of the one summary that it describes."""
    source = Source.from_path(path)
    if source.content is None and not source.path.is_file():
        raise UsageError(f"--join: {path} is no file with a row a summary; expected one")
    table = read_table_file(source)
    rows = table.rows
    records: Sequence[Record]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # said when the corpus was read
        if table.form == "jsonl" and not columns and rows and is_row(rows[0][1]):
            records = [parse_row(row, where) for where, row in rows]
        else:
            contents = read_rows(table, columns)
            records = merge_topic_rows(contents.rows, has_assessors=contents.has_assessors)
    instance_of = {record.where: record.instance for record in records}
    for where, _ in rows:
        if where not in instance_of or len(records) != len(rows):
            raise where.error(
                "several rows are about one summary, or one about several; --join expects one each"
            )
    return [(instance_of[where], row) for where, row in rows]


def arrow_types(path: str | Source) -> TypesOfColumns:
    """Give the types of columns of a Parquet file that text can restore: no zones, bytes or structs."""
    if form_of(source := Source.from_path(path)) != "parquet":
        return {}
    with open_parquet(source) as file:
        return {column.name: column.type for column in file.schema_arrow if _is_plain_type(column.type)}


def _is_plain_type(type: Any) -> bool:
    """Whether the text of a cell tells all of a value of this type of Arrow."""
    from pyarrow import types as of

    if of.is_timestamp(type) or of.is_date(type) or of.is_decimal(type):
        return getattr(type, "tz", None) is None
    plain_types = (of.is_integer, of.is_float64, of.is_boolean, of.is_string, of.is_large_string)
    return any(kind(type.value_type if of.is_list(type) else type) for kind in plain_types)


def join_predictions(
    rows: Sequence[Original],
    table: pd.DataFrame,
    *,
    metric: str,
    as_text: bool,
    types: TypesOfColumns | None = None,
) -> pd.DataFrame:
    """Join predictions to their rows: the score is named after its metric, other columns after metric and name.

    A column ``signature`` keeps its name: that of the command gets a number beside it.
    """
    import pandas as pd

    predictions = table.drop(columns="metric").set_index(KEYS)
    predictions.columns = pd.Index(
        [metric if name == "score" else f"{metric} {name}" for name in predictions]
    )
    names = dict.fromkeys(name for _, row in rows for name in row)
    repeated = [str(name) for name in predictions if name in names]
    if repeated:
        raise InputError(f"the rows already have a column {repeated[0]}; expected other names with --join")
    instances = pd.MultiIndex.from_tuples([key for key, _ in rows], names=KEYS)
    n_unpredicted = int((~instances.isin(predictions.index)).sum())
    if n_unpredicted:
        warn(f"{n_unpredicted} of {len(rows)} rows have no prediction")
    types = types or {}
    columns = {
        name: _make_column([row.get(name) for _, row in rows], types.get(name), as_text=as_text)
        for name in names
    }
    new_columns = predictions.reindex(instances).reset_index(drop=True)
    joined = pd.concat([pd.DataFrame(columns), new_columns], axis=1)
    joined.attrs |= table.attrs
    return joined


def _make_column(cells: list[Any], arrow: Any = None, *, as_text: bool) -> pd.Series:
    """Make a column that keeps its cells exactly: whole numbers stay whole, beside missing cells, too.

    With a type of Arrow cells are converted to it; dates and decimals may be written as text.
    """
    import pandas as pd

    if arrow is not None:
        import pyarrow

        is_text = any(isinstance(cell, str) for cell in cells)
        array = pyarrow.array(cells, pyarrow.string()).cast(arrow) if is_text else pyarrow.array(cells, arrow)
        return pd.Series(pd.arrays.ArrowExtensionArray(array))
    if as_text:
        cells = [
            json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else cell for cell in cells
        ]
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {float} or (kinds == {bool} and None not in cells):
        return pd.Series(cells)
    if kinds == {int} and all(cell is None or abs(cell) < 2**63 for cell in cells):
        return pd.Series(cells, dtype="Int64")
    return pd.Series(cells, dtype=object)
