"""Cells that the papers print, shown beside ours where the data are the paper's, and what is misprinted in them.

``data/printed.tsv`` holds every cell of the tables of the five papers, and what figures and text state in numbers: the
``item`` (paper and table), its ``section``, the ``data`` and ``peers`` it is about, the ``row`` and ``cell`` by the
names of our tables, the ``value`` as it is printed, and how sure its ``place`` in the table is: ``sure``, ``unsure``,
or ``reconstructed`` where the names or the order of columns were lost in our copy of the paper, and arithmetic or
another table confirms them.
``data/misprints.tsv`` has a row for each misprint: the studies (or commands) whose tables it concerns, where it is
printed, and what is known of it. Data are a paper's if the year and the numbers of systems and topics and, where they
are public, the mean of the human scores are the same.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import StringIO
from string import Formatter

import pandas as pd

from classy_aesop.answers.score_matrices import split_by_stratum
from classy_aesop.data.scores import add_stratum_columns

LIN_HOVY_2003 = "Lin and Hovy (2003)"
RANKEL_2011 = "Rankel et al. (2011)"
RANKEL_2013 = "Rankel et al. (2013)"
RANKEL_2016 = "Rankel (2016)"
DEUTSCH_2021 = "Deutsch et al. (2021)"


@dataclass(frozen=True)
class PaperData:
    """Data of a paper: their name in ``printed.tsv``, and by what they are recognized.

    ``n_topics`` is None where any number will do. The mean of a human measure is that of all summaries by systems, to
    1e-6; NaN where it is not public.
    """

    name: str
    year: str
    task: str
    n_systems: tuple[int, ...]
    n_topics: int | None
    measure: str = ""
    mean: float = float("nan")

    def matches(self, year: str, task: str, judgments: pd.DataFrame) -> bool:
        """Whether the human scores of a year and task are those of the paper."""
        if (year, task) != (self.year, self.task):
            return False
        if self.n_topics not in (None, judgments["topic"].nunique()):
            return False
        systems = judgments[~judgments["summarizer"].str.fullmatch("[A-Z]")]
        if systems["summarizer"].nunique() not in self.n_systems:
            return False
        scores = systems.loc[systems["metric"] == self.measure, "score"]
        return not self.measure or (len(scores) > 0 and abs(float(scores.mean()) - self.mean) < 1e-6)


MULTI_DOCUMENT = ("MD-50", "MD-100", "MD-200", "MD-400")
"""The tasks of DUC 2001 on sets of documents, by the length of a summary in words."""

AVERAGE = "all"
"""The task of rows that are about the mean of all tasks of a year: the MD-All of DUC 2001."""

PAPER_DATA = (
    PaperData("SummEval", "", "", (16,), 100, "relevance", 3.777083),
    PaperData("REALSumm", "", "", (24,), 100, "litepyramid_recall", 0.458491),
    *(
        PaperData(f"TAC {year}-{task}", year, task, n_systems, n_topics)
        for year, n_systems, n_topics in (
            ("2008", (58,), 48),
            ("2009", (53,), 44),
            ("2010", (43,), 46),
            ("2011", (50, 51), 44),
        )
        for task in ("A", "B")
    ),
    PaperData("DUC 2001 SD-100", "2001", "SD-100", (11, 12, 13, 14), None),
    *(PaperData(f"DUC 2001 {task}", "2001", task, (12, 13, 14, 15, 16), None) for task in MULTI_DOCUMENT),
)
"""The data of the papers; humans of TAC have a letter for a name, and 2009 is without peers 2 and 3."""

MEASURES_OF_SACREROUGE = {
    "overall_responsiveness": "responsiveness",
    "modified_pyramid_score": "pyramid",
    "linguistic_quality": "readability",
}
"""The human measures of TAC by their names in SacreROUGE's files."""


def printed_name(name: str) -> str:
    """Give the name that a measure or metric has in ``printed.tsv``; other names are as they were.

    ROUGE is recall unless its name says otherwise. A jackknifed score has none, unless it stands for the plain one, as
    where humans are among the peers (`classy_aesop.papers.judged`).

    Examples
    --------
    >>> [printed_name(name) for name in ("ROUGE-2", "rouge-su4.recall", "rouge-2.f1", "modified_pyramid_score")]
    ['ROUGE-2-R', 'ROUGE-SU4-R', 'rouge-2.f1', 'pyramid']
    """
    rouge = re.fullmatch(r"rouge-(\d|l|w-1\.2|s\d?|su\d?)([-._](r|recall))?", name.lower())
    return f"ROUGE-{rouge[1].upper()}-R" if rouge else MEASURES_OF_SACREROUGE.get(name, name)


def recognize_paper_data(judgments: pd.DataFrame) -> dict[tuple[str, str], str]:
    """Name the data of each year and task that is a paper's."""
    judged = split_by_stratum(judgments.dropna(subset="score"))
    names = {
        stratum: dataset.name
        for stratum, group in judged.items()
        for dataset in PAPER_DATA
        if dataset.matches(*stratum, group)
    }
    if {f"DUC 2001 {task}" for task in MULTI_DOCUMENT} <= {*names.values()}:
        names["2001", AVERAGE] = "DUC 2001 MD-All"
    return names


def fields_of(text: str) -> list[str]:
    """Name the fields of a text with braces, in their order."""
    return [name for _, name, _, _ in Formatter().parse(text) if name]


def find_printed_cells(
    table: pd.DataFrame, judgments: pd.DataFrame, *, item: str, row: str, cell: str
) -> pd.DataFrame:
    """Return the printed cell of each row of ours, which ``row``, a text with its fields, names; NaN without one.

    If the paper does not name the task of a year, the cells are those of the year.
    """
    names = recognize_paper_data(judgments)
    if "year" in table:
        strata = add_stratum_columns(table)[["year", "task"]].astype(str).itertuples(index=False, name=None)
        data = [_name_of_stratum(names, *stratum) for stratum in strata]
    else:
        names_of_all = [
            names.get(stratum, "") for stratum in split_by_stratum(judgments.dropna(subset="score"))
        ]
        data = ["+".join(sorted(names_of_all))] * len(table)
    keys = table[fields_of(row)].map(key_as_printed).to_dict("records")
    rows = [row.format_map(of_row) for of_row in keys]
    cells = printed_cells()
    of_column = cells[(cells["item"] == item) & (cells["cell"] == cell)]
    by_place = of_column.set_index(["data", "row"], drop=False)
    of_task = by_place.reindex(pd.MultiIndex.from_arrays([data, rows]))
    years = [name.split("-")[0] for name in data]
    of_year = by_place.reindex(pd.MultiIndex.from_arrays([years, rows]))
    return of_task.set_index(table.index).fillna(of_year.set_index(table.index))


def _name_of_stratum(names: Mapping[tuple[str, str], str], year: str, task: str) -> str:
    """Return the name of the data of a year and task; of pooled tasks (``A+B``) that of the year."""
    if (year, task) in names:
        return names[year, task]
    names_of_tasks = {names.get((year, single), "").split("-")[0] for single in task.split("+")}
    return names_of_tasks.pop() if len(names_of_tasks) == 1 else ""


def key_as_printed(key: object) -> str:
    """Return a key of a row of ours by its name in ``printed.tsv``."""
    return f"{key:g}" if isinstance(key, float) else printed_name(str(key))


@cache
def printed_cells() -> pd.DataFrame:
    """Return every printed cell, with the ``decimals`` of its value."""
    cells = _read_package_table("printed.tsv")
    decimals = cells["value"].str.partition(".")[2].str.len()
    return cells.assign(value=cells["value"].astype(float), decimals=decimals)


def _read_package_table(name: str) -> pd.DataFrame:
    """Read a table of this package as text."""
    text = (files("classy_aesop.papers") / "data" / name).read_text(encoding="utf-8")
    return pd.read_csv(StringIO(text), sep="\t", dtype=str, keep_default_na=False, quoting=csv.QUOTE_NONE)


def misprints(kind: str) -> tuple[str, ...]:
    """Return what is known to be wrong in the printed tables that a study remakes, a line each."""
    words = set(kind.split())
    return tuple(
        f"{where}: {note}."
        for studies, where, note in _read_package_table("misprints.tsv").itertuples(index=False)
        if words & set(studies.split())
    )


def remakes_table(items: str, table: str) -> bool:
    """Whether a table is among items such as ``Rankel (2016), Tables 6.2-6.4``.

    Examples
    --------
    >>> items = "Rankel (2016), Tables 6.2-6.4 and 7.1"
    >>> [remakes_table(items, f"Rankel (2016), Table {number}") for number in ("6.3", "6.5", "7.1")]
    [True, False, True]
    """
    paper, _, kind_and_number = table.partition("), ")
    paper_of_items, _, kind_and_numbers = items.partition("), ")
    kind, _, number = kind_and_number.partition(" ")
    if paper != paper_of_items or kind not in ("Table", "Figure") or not kind_and_numbers.startswith(kind):
        return False
    ranges = re.findall(r"([\d.]*\d)(?:-([\d.]*\d))?", kind_and_numbers)
    return any(float(low) <= float(number) <= float(high or low) for low, high in ranges)
