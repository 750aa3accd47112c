"""Score tables made tidy, joined and aligned with the summaries of a corpus."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from classy_aesop.data.cells import Fields
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
from classy_aesop.errors import InputError, listed, warn

if TYPE_CHECKING:
    import pandas as pd

    ScoreTables = pd.DataFrame | Sequence[pd.DataFrame]


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


def tidied(given: pd.DataFrame | Sequence[pd.DataFrame], *, of_humans: bool = False) -> pd.DataFrame:
    """Give a tidy score table as it is, and any other table as `tidy` makes one of it; several as one.

    A table with the right columns is no tidy one if its identifiers are numbers or missing, as in a file that pandas
    read, or a score is infinite.
    """
    if isinstance(given, Sequence):
        parts = [tidied(part, of_humans=of_humans) for part in given]
        return as_one_table((f"table {at}", with_places(part)) for at, part in enumerate(parts, 1))
    whole = with_places(given) if list(given.index.names) == [None] else given
    return whole if _is_tidy(whole) else tidy(given, of_humans=of_humans)


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
