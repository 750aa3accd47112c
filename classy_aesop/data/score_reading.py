"""Score tables from files: every format becomes the same tidy table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from classy_aesop.data.aesop import read_aesop
from classy_aesop.data.asked import Fields
from classy_aesop.data.layout import keys_of
from classy_aesop.data.mt_metrics import read_mt_scores
from classy_aesop.data.nist_names import YEARS
from classy_aesop.data.opening import Source, Where, numbered_lines
from classy_aesop.data.score_jsonl import ratings_of_record, records_of
from classy_aesop.data.score_nist import read_nist_output
from classy_aesop.data.scores import KEYS, mean_ratings, named, table
from classy_aesop.data.table_files import (
    SUFFIXES,
    TEXT_FORMS,
    form_of,
    header_cells,
    read_table_file,
)
from classy_aesop.data.tidying import ratings_of_table
from classy_aesop.errors import InputError, UsageError
from classy_aesop.outside import load_outside

if TYPE_CHECKING:
    import pandas as pd


def _read_nist(path: str | Path, *, year: str = "") -> pd.DataFrame:
    """Read NIST's ROUGE or BE output, e.g. ``rouge_A.m.out``."""
    return read_nist_output(path)  # the topics of NIST's files name their years


def _read_aesop(path: str | Path, *, year: str = "") -> pd.DataFrame:
    """Read a table of AESOP submissions, e.g. ``AESOP09_eval/data/aesop_allpeers_A``."""
    return read_aesop(path, year=year if year in YEARS else None)


def read_table_scores(
    path: str | Path,
    *,
    year: str = "",
    form: str | None = None,
    fields: Fields | None = None,
    of_humans: bool = False,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Read a table, long or wide (`layout`), or in JSON also rows with ``metrics`` (`jsonl`)."""
    found = read_table_file(Source(str(path), encoding=encoding), form)
    records = records_of(found, fields)
    if records is None:
        return table(ratings_of_table(found, year, fields=fields, of_humans=of_humans))
    return table(one for where, row in records for one in ratings_of_record(row, where, year))


TABLES = {form: partial(read_table_scores, form=form) for form in dict.fromkeys(SUFFIXES.values())}
"""The readers of tables."""

READERS: dict[str, Callable[..., pd.DataFrame]] = {
    **TABLES,
    "nist": _read_nist,
    "aesop": _read_aesop,
    "mt-metrics-eval": read_mt_scores,
}
"""The readers by format; each takes a path and the ``year`` of rows without one."""

_FIRST_LINES = 10
_NIST = re.compile(r"\S+ \S+ (Eval \S+ R:|Average_[RPF]:)")
_AESOP = re.compile(r"S\S+\s+T[0-9]+\s")


def read_scores(
    path: str | Path,
    *,
    year: str = "",
    format: str = "auto",
    fields: Fields | None = None,
    of_humans: bool = False,
    encoding: str | None = None,
) -> pd.DataFrame:
    """Read scores or judgments as a tidy table; several ratings of a summary differ by ``assessor``.

    Parameters
    ----------
    path : path-like
        ``.jsonl``, ``.ndjson`` and ``.json`` are read as JSON lines, ``.csv``, ``.xlsx`` and ``.parquet`` as tables,
        ``.score`` as a file of mt-metrics-eval. NIST's ROUGE and BE output and tables of AESOP submissions are
        recognized by their first lines; any other file is read as a table with a header, separated by what the header
        has most of: tabs, commas or semicolons. All may be compressed (``.gz``, ``.zst``).
    year : str
        The year of rows without one.
    format : str
        A key of `READERS`, or ``auto``: recognized as above.
    fields : mapping, optional
        What the columns of a table are, where their names do not say so, e.g. ``{"topic": "story"}``.
    of_humans : bool
        Whether the scores are human. Columns that differ by a number only (``A1``, ``A2``) are then those of raters;
        otherwise only where they are called so (``rating_1``, ``rater_2``).
    encoding : str, optional
        The encoding of a text table that is not in UTF-8, such as ``cp1252``.

    Raises
    ------
    InputError
        If the file is not valid JSON or UTF-8, a score is not a finite number, or a row repeats another; with file
        and line.
    UsageError
        If there is no such format.
    FileNotFoundError
        If the file does not exist.

    Examples
    --------
    >>> read_scores("data_samples/tutorial/autumn-judge.tsv").head(2).values.tolist()
    [['', 'D2201', '', 'system-01', 'judge', 7.0], ['', 'D2201', '', 'system-02', 'judge', 2.0]]
    """
    load_outside("readers")
    if format not in ("auto", *READERS):
        raise UsageError(f"unknown format of scores {format!r}; expected auto or one of {', '.join(READERS)}")
    name = recognize_format(path, encoding) if format == "auto" else format
    how: dict[str, Any] = {"fields": fields, "of_humans": of_humans, "encoding": encoding}
    if name not in TABLES:
        if encoding or fields:
            raise UsageError(f"{path}: columns or an encoding are named for {name}; expected a table")
        how = {}
    frame = READERS[name](path, year=year, **how)
    if frame.empty:
        raise InputError("the file holds no scores; expected one or more", path=path)
    return frame


def recognize_format(path: str | Path, encoding: str | None = None) -> str:
    """Find the format of a file, a key of `READERS`, by its name and its first lines."""
    source = Source(str(path), encoding=encoding)
    if source.suffix == ".score":
        return "mt-metrics-eval"
    if source.suffix not in SUFFIXES and source.path.is_fifo():
        raise InputError("found a pipe, which can be read only once; expected a file", path=path)
    form = form_of(source)
    if source.suffix in (".csv",) or form not in TEXT_FORMS or encoding is not None:
        return form
    first = [line for _, line in islice(numbered_lines(path), _FIRST_LINES)]
    if _names_scores(first[0]):
        return form
    if any(map(_NIST.match, first)):
        return "nist"
    return "aesop" if any(map(_AESOP.match, first[1:])) else form


def _names_scores(header: str) -> bool:
    """Whether the first line names the columns of a table of scores."""
    try:
        return bool(keys_of(header_cells(header), Where()))
    except InputError:
        return False


def read_metrics(
    paths: Iterable[str | Path], *, year: str = "", format: str = "auto", **how: Any
) -> pd.DataFrame:
    """Read several files of metric scores as one table; ratings by several assessors are averaged.

    ``how`` goes to `read_scores`.

    Raises
    ------
    InputError
        If two files hold the same metric's score of the same summary, or as `read_scores`.
    """
    import pandas as pd

    frames = [
        mean_ratings(read_scores(path, year=year, format=format, **how)).assign(file=str(path))
        for path in paths
    ]
    together = pd.concat(frames, ignore_index=True)
    again = together[together.duplicated([*KEYS, "metric"])]
    if len(again):
        row = again.iloc[0]
        raise InputError(
            f"{named(row[KEYS])}: {row['metric']} is in another of the files too; expected it in one",
            path=row["file"],
        )
    return together.drop(columns="file")
