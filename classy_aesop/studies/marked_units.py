"""Coverage of marked units, the human score of DUC 2001 and 2002: Lin and Hovy (2003), section 2.3.

Assessors mark the units of a reference that a summary contains, and rate how completely it expresses them.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from classy_aesop.data import KEYS
from classy_aesop.errors import InputError, UsageError
from classy_aesop.studies.topic_labels import rows_of_topics

COLUMNS = (*KEYS, "marked", "units", "completeness", "brevity")
"""The columns of a table of marked units; year, task and brevity may be missing."""


def read_marked(path: str | Path) -> pd.DataFrame:
    """Read a tab-separated table of marked units, a row a summary.

    Returns
    -------
    DataFrame
        `COLUMNS`, without brevity if the file has none: ``marked`` of the ``units`` of the reference are in it, with a
        ``completeness`` of 0 to 1; ``brevity`` is 0 to 1.

    Raises
    ------
    InputError
        If a column is missing, a summary is there twice, or a number is not in its range.
    """
    needed = {"summarizer", "marked", "units", "completeness"}
    expected = "summarizer, marked, units and completeness"
    table, lines = rows_of_topics(path, COLUMNS, expected, needed.issubset)
    table = table.assign(**{name: "" for name in ("year", "task") if name not in table})
    wrong = {"is there twice": table.duplicated(KEYS)}
    numbers = [name for name in COLUMNS[len(KEYS) :] if name in table]
    table = table.assign(**{name: pd.to_numeric(table[name], errors="coerce") for name in numbers})
    wrong["needs 0 <= marked <= units"] = ~table["marked"].between(0, table["units"])
    wrong["needs units above 0"] = ~table["units"].gt(0)
    for name in numbers[2:]:
        wrong[f"needs a {name} from 0 to 1"] = ~table[name].between(0, 1)
    for what, rows in wrong.items():
        if rows.any():
            at = int(rows.to_numpy().argmax())
            name = f"{table['summarizer'].iloc[at]} on {table['topic'].iloc[at]}"
            raise InputError(f"the summary of {name} {what}", path=path, line=lines[at])
    return table


def marked_units(marked: pd.DataFrame, *, weight: float = 1.0) -> pd.DataFrame:
    """Score summaries by their marked units.

    Parameters
    ----------
    marked : DataFrame
        As of `read_marked`.
    weight : float
        Of coverage beside brevity, 0 to 1: in DUC 2002 C' = weight C + (1 - weight) B.

    Returns
    -------
    DataFrame
        A score table: ``year, topic, task, summarizer, metric, score``. The metric ``coverage`` is the share of the
        units that is marked, times their completeness; with a weight below 1 it is ``length_adjusted_coverage``.

    Raises
    ------
    UsageError
        If the weight is not between 0 and 1.
    InputError
        If it is below 1 and there is no brevity.

    Examples
    --------
    >>> rows = [("", "t1", "", "1", 3, 6, 0.5, 0.2)]
    >>> marked = pd.DataFrame(rows, columns=COLUMNS)
    >>> float(marked_units(marked)["score"][0]), float(marked_units(marked, weight=0.5)["score"][0])
    (0.25, 0.225)
    """
    if not 0 <= weight <= 1:
        raise UsageError(f"weight is {weight}; expected 0 to 1")
    coverage = marked["marked"] * marked["completeness"] / marked["units"]
    if weight == 1:
        return marked[KEYS].assign(metric="coverage", score=coverage)
    if "brevity" not in marked:
        raise InputError("the table has no column brevity; expected one, or a weight of 1")
    score = weight * coverage + (1 - weight) * marked["brevity"]
    return marked[KEYS].assign(metric="length_adjusted_coverage", score=score)
