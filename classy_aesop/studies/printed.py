"""Cells that the papers print, shown beside ours where the data are the paper's, and what is misprinted in them.

``data/printed.tsv`` holds the cells that are known, with the part of the specification that they were taken from. Where
that does not tell the task or the row, the data are named in general (``TAC 2011``), and the cell is not shown.
``data/misprints.tsv`` has a row for each misprint: the studies (or commands) whose tables it concerns, where it is
printed, and what is known of it. Data are a paper's if the year and the numbers of systems and topics and, where they
are public, the mean of the human scores are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import pandas as pd

from classy_aesop.analysis.tables import places


@dataclass(frozen=True)
class Known:
    """Data of a paper: their name in ``printed.tsv``, and how they are recognized.

    The mean of a human measure is that of all summaries by systems, to 1e-6; NaN where it is not public.
    """

    name: str
    year: str
    task: str
    n_systems: tuple[int, ...]
    n_topics: int
    measure: str = ""
    mean: float = float("nan")

    def is_it(self, year: str, task: str, judgments: pd.DataFrame) -> bool:
        """Whether the human scores of a year and task are those of the paper."""
        if (year, task) != (self.year, self.task) or judgments["topic"].nunique() != self.n_topics:
            return False
        systems = judgments[~judgments["summarizer"].str.fullmatch("[A-Z]")]
        if systems["summarizer"].nunique() not in self.n_systems:
            return False
        scores = systems.loc[systems["metric"] == self.measure, "score"]
        return not self.measure or (len(scores) > 0 and abs(float(scores.mean()) - self.mean) < 1e-6)


KNOWN = (
    Known("SummEval", "", "", (16,), 100, "relevance", 3.777083),
    Known("REALSumm", "", "", (24,), 100, "litepyramid_recall", 0.458491),
    *(
        Known(f"TAC {year}-{task}", year, task, n_systems, n_topics)
        for year, n_systems, n_topics in (
            ("2008", (58,), 48),
            ("2009", (53,), 44),
            ("2010", (43,), 46),
            ("2011", (50, 51), 44),
        )
        for task in ("A", "B")
    ),
)
"""The data of the papers; humans of TAC have a letter for a name, and 2009 is without peers 2 and 3."""


def data_of(judgments: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Name the data of each year and task that is a paper's."""
    return {
        place: known.name
        for place, group in places(judgments.dropna(subset="score")).items()
        for known in KNOWN
        if known.is_it(*place, group)
    }


def with_printed(
    table: pd.DataFrame,
    judgments: pd.DataFrame,
    item: str,
    keys: Sequence[str],
    columns: Mapping[str, str],
    *,
    as_there: bool = True,
) -> pd.DataFrame:
    """Add the cell that a paper prints for each row of ours; no column is added if no cell is known.

    Without ``year`` and ``task`` the table is of all of them together. ``item`` and the ``keys`` of a row find the
    cell, ``columns`` lead from our columns to those of the printed numbers; nothing is added unless ours is computed
    ``as_there``.
    """
    known, found = printed_cells(), data_of(judgments) if as_there else {}
    if "year" in table:
        data = [found.get(place, "") for place in zip(table["year"], table["task"], strict=True)]
    else:
        together = [found.get(place, "") for place in places(judgments.dropna(subset="score"))]
        data = ["+".join(sorted(together))] * len(table)
    rows = ["/".join(row) for row in zip(*(table[key].astype(str) for key in keys), strict=True)]
    for ours, theirs in columns.items():
        cells = [known.get((item, of, row, ours), np.nan) for of, row in zip(data, rows, strict=True)]
        table = table.assign(**{theirs: cells}) if np.isfinite(cells).any() else table
    return table


@cache
def printed_cells() -> dict[tuple[str, str, str, str], float]:
    """Give the printed numbers by item, data, row and cell."""
    text = (files("classy_aesop.studies") / "data" / "printed.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines()[1:]]
    return {(item, data, row, cell): float(value) for item, data, row, cell, value, _ in lines}


def misprints(kind: str, signature: str = "") -> tuple[str, ...]:
    """Give what is known of the printed tables that a study or command remakes, a line each.

    Agreement of raters on summaries is in no paper, whatever ``assessors`` does with identical texts.
    """
    if "|of:summaries|" in signature:
        return ()
    text = (files("classy_aesop.studies") / "data" / "misprints.tsv").read_text(encoding="utf-8")
    known = (line.split("\t") for line in text.splitlines()[1:])
    wanted = set(kind.split())
    return tuple(f"{where}: {note}." for studies, where, note in known if wanted & set(studies.split()))
