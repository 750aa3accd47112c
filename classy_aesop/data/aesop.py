"""NIST's tables of AESOP submissions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.data.nist_names import YEARS, year_of_name
from classy_aesop.data.opening import Where, numbered_lines
from classy_aesop.data.score_rows import number
from classy_aesop.data.scores import Rating, table
from classy_aesop.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_TOPIC = re.compile("T[0-9]{1,9}")


def read_aesop(path: str | Path, *, year: str | None = None, task: str | None = None) -> pd.DataFrame:
    """Read a table of AESOP submissions, e.g. ``AESOP09_eval/data/aesop_allpeers_A``.

    Parameters
    ----------
    path : path-like
        A header line, then lines ``S<summarizer> T<n> v1 v2 ...``; ``NaN`` marks a missing score. Metrics are
        named by the header if it names every column, else by their numbers ``1``, ``2``, ...
    year, task : str, optional
        By default the year is read from the names of the folders, and the task from the ending ``_A`` or
        ``_B`` of the file's name.

    Notes
    -----
    ``T7`` is topic D0907 in 2009, D1007 in 2010, D1107 in 2011.
    """
    path = Path(path)
    year = year or next(filter(None, map(year_of_name, reversed(path.resolve().parts))), "")
    task = task or path.name[-1]
    if year not in YEARS[1:] or task not in ("A", "B"):
        raise InputError(
            f"year is {year!r} and task is {task!r}; expected 2009 to 2011, and A or B: "
            "name the file and its folder so, or pass year and task",
            path=path,
        )
    return table(_rows_of_aesop(path, year, task))


def _rows_of_aesop(path: Path, year: str, task: str) -> Iterator[tuple[Where, Rating]]:
    lines = numbered_lines(path)
    header = next(lines)[1].split()
    names: list[str] = []
    for where, line in lines:
        summarizer, topic, *values = (*line.split(), "", "")[: max(2, len(line.split()))]
        if summarizer[:1] != "S" or not _TOPIC.fullmatch(topic) or not values:
            raise where.error(f"found {line[:40]!r}; expected S<summarizer> T<number> and scores")
        names = names or _metric_names(header, len(values))
        if len(values) != len(names):
            raise where.error(f"{len(values)} scores; expected {len(names)} as in the lines above")
        key = year, f"D{year[2:]}{int(topic[1:]):02d}", task, summarizer[1:]
        for name, value in zip(names, values, strict=True):
            yield where, (*key, name, "", number(value, f"metric {name}", where, text=True))


def _metric_names(header: list[str], n_metrics: int) -> list[str]:
    for names in (header, header[2:]):
        if len(names) == n_metrics and len(set(names)) == n_metrics:
            return names
    return [str(at) for at in range(1, n_metrics + 1)]
