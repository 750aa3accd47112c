"""Score tables made tidy, joined and aligned with the summaries of a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from classy_aesop.data.scores import (
    COLUMNS,
    KEYS,
    STRATUM_COLUMNS,
    add_stratum_columns,
    concatenate_scores,
    describe_similar_keys,
    format_key,
    mean_ratings,
)
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.reading.column_names import ATTEMPT_NAMES, CLUSTERS, spell
from classy_aesop.reading.judged_scores import list_roles, read_scores_of_table
from classy_aesop.reading.layouts import open_memory
from classy_aesop.reading.memory_tables import is_table
from classy_aesop.work.options import Fields

if TYPE_CHECKING:
    import pandas as pd

    ScoreTables = pd.DataFrame | Sequence[pd.DataFrame]


def tidy(
    frame: pd.DataFrame | Mapping[str, object] | Sequence[object],
    *,
    columns: Fields | None = None,
    of_humans: bool = False,
) -> pd.DataFrame:
    """Check a table in memory, long or wide, and make it tidy: identifiers as text, scores as floats.

    Parameters
    ----------
    frame : DataFrame, dict of lists or list of dicts
        Columns of topic and summarizer under one of their common names (``topic``, ``doc_id``, ...; ``summarizer``,
        ``system``, ``model``, ...), optionally ``year``, ``task`` and ``assessor``; then ``metric`` and ``score``, or
        one column per metric. They may be its index.
    columns, of_humans
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
    return read_scores_of_table(open_memory(frame, roles), roles, of_humans=of_humans)


def ensure_tidy(frame: ScoreTables, *, of_humans: bool = False) -> pd.DataFrame:
    """Give a tidy score table as it is, and any other table as `tidy` makes one of it; several as one.

    A table with the right columns is no tidy one if its identifiers are numbers or missing, as in a file that pandas
    read, or a score is infinite.
    """
    if isinstance(frame, Sequence) and not is_table(frame):
        return concatenate_scores(
            (f"table {number}", ensure_tidy(table, of_humans=of_humans))
            for number, table in enumerate(frame, 1)
        )
    whole = find_tidy(frame)
    return tidy(frame, of_humans=of_humans) if whole is None else whole


def find_tidy(frame: pd.DataFrame) -> pd.DataFrame | None:
    """Give a table that is tidy but for columns of year and task with both; None of another."""
    missing = {*COLUMNS} - {*getattr(frame, "columns", ())}
    if missing and (missing - {*STRATUM_COLUMNS} or list(frame.index.names) != [None]):
        return None
    whole = add_stratum_columns(frame)
    return whole if _is_tidy(whole) else None


def _is_tidy(frame: pd.DataFrame) -> bool:
    import numpy as np
    from pandas.api.types import infer_dtype, is_numeric_dtype

    if not is_numeric_dtype(frame["score"]):
        return False
    if any(spell(str(name)) in CLUSTERS.union(ATTEMPT_NAMES) for name in frame.columns):
        return False
    names = [frame[name] for name in frame if name in COLUMNS[:-1] or name == "assessor"]
    are_texts = all(infer_dtype(values) in ("string", "empty") and not values.hasnans for values in names)
    return are_texts and not np.isinf(frame["score"].to_numpy(float)).any()


def all_metrics(corpus_scores: pd.DataFrame | None, scores: ScoreTables | None) -> pd.DataFrame | None:
    """Join scores of metrics that came with a corpus and other ones, in this order; None if there are none."""
    import pandas as pd

    tables = [
        mean_ratings(ensure_tidy(table))
        for table in (corpus_scores, scores)
        if table is not None and len(table)
    ]
    return pd.concat(tables, ignore_index=True) if tables else scores


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
    return join_names(["/".join(key) for key in keys], most=3)
