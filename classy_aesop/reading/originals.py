"""The rows of a file as somebody wrote them, each with the summary that it is about, and new columns beside them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.data.scores import KEYS
from classy_aesop.errors import DataWarning, InputError, UsageError, warn
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.summary_tables import read_rows
from classy_aesop.reading.table_files import open_parquet, read_table_file
from classy_aesop.work.options import Fields

if TYPE_CHECKING:
    import pandas as pd

Instance = tuple[str, str, str, str]
"""Year, topic, task and summarizer."""


def read_originals(
    path: str | Path | Source, columns: Fields | None = None, *, format: str
) -> tuple[list[Instance], pd.DataFrame]:
    """Read the rows of a table, or of JSON lines, as a format writes them, and the one summary that each describes."""
    import pandas as pd

    source = Source.from_path(path)
    if source.content is None and not source.path.is_file():
        raise UsageError(f"--join: {path} is no file with a row a summary; expected one")
    table = read_table_file(source)
    rows = table.rows
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # said when the corpus was read
        instances = [record.instance for record in read_rows(table, columns).rows]
    if not len({*instances}) == len(instances) == len(rows):
        message = "several rows are about one summary, or one about several; --join expects one each"
        raise InputError(message, path=source.name)
    if table.form == format == "parquet":
        with open_parquet(source) as file:
            return instances, file.read().to_pandas(types_mapper=pd.ArrowDtype, ignore_metadata=True)
    names = dict.fromkeys(name for _, row in rows for name in row)
    cells = {name: [row.get(name) for _, row in rows] for name in names}
    if format not in ("jsonl", "json"):
        cells = {name: [*map(_write_list, column)] for name, column in cells.items()}
    return instances, pd.DataFrame(cells, dtype=object)


def join_predictions(
    instances: Sequence[Instance], rows: pd.DataFrame, table: pd.DataFrame, *, metric: str
) -> pd.DataFrame:
    """Join predictions to their rows: the score is named after its metric, other columns after metric and name.

    A column ``signature`` keeps its name: that of the command gets a number beside it.
    """
    import pandas as pd

    predictions = table.drop(columns="metric").set_index(KEYS)
    predictions.columns = pd.Index(
        [metric if name == "score" else f"{metric} {name}" for name in predictions]
    )
    repeated = [str(name) for name in predictions if name in rows]
    if repeated:
        raise InputError(f"the rows already have a column {repeated[0]}; expected other names with --join")
    described = pd.MultiIndex.from_tuples(instances, names=KEYS)
    n_unpredicted = int((~described.isin(predictions.index)).sum())
    if n_unpredicted:
        warn(f"{n_unpredicted} of {len(rows)} rows have no prediction")
    joined = pd.concat([rows, predictions.reindex(described).reset_index(drop=True)], axis=1)
    joined.attrs |= table.attrs
    return joined


def _write_list(cell: Any) -> Any:
    """Write a list or an object as JSON; any other cell stays as it is."""
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else cell
