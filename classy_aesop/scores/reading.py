"""Score tables from files: every format becomes the same tidy table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from classy_aesop.errors import InputError, UsageError
from classy_aesop.outside import load_outside
from classy_aesop.scores.aesop import read_aesop
from classy_aesop.scores.cells import tsv_rows
from classy_aesop.scores.jsonl import read_jsonl_scores
from classy_aesop.scores.mt_metrics import read_mt_scores
from classy_aesop.scores.nist import read_nist_output
from classy_aesop.scores.nist_names import YEARS
from classy_aesop.scores.opening import plain_name
from classy_aesop.scores.parquet import read_parquet_scores
from classy_aesop.scores.rows import numbered_lines
from classy_aesop.scores.table import KEYS, mean_ratings, named
from classy_aesop.scores.tsv import read_tsv_scores

if TYPE_CHECKING:
    import pandas as pd


def _read_nist(path: str | Path, *, year: str = "") -> pd.DataFrame:
    """Read NIST's ROUGE or BE output, e.g. ``rouge_A.m.out``."""
    return read_nist_output(path)  # its topics name their years


def _read_aesop(path: str | Path, *, year: str = "") -> pd.DataFrame:
    """Read a table of AESOP submissions, e.g. ``AESOP09_eval/data/aesop_allpeers_A``."""
    return read_aesop(path, year=year if year in YEARS else None)


READERS: dict[str, Callable[..., pd.DataFrame]] = {
    "jsonl": read_jsonl_scores,
    "tsv": read_tsv_scores,
    "parquet": read_parquet_scores,
    "nist": _read_nist,
    "aesop": _read_aesop,
    "mt-metrics-eval": read_mt_scores,
}
"""The readers by format; each takes a path and the ``year`` of rows without one."""

_FIRST_LINES = 10
_NIST = re.compile(r"\S+ \S+ (Eval \S+ R:|Average_[RPF]:)")
_AESOP = re.compile(r"S\S+\s+T[0-9]+\s")


def read_scores(path: str | Path, *, year: str = "", format: str = "auto") -> pd.DataFrame:
    """Read scores or judgments as a tidy table; several ratings of a summary differ by ``assessor``.

    Parameters
    ----------
    path : path-like
        ``.jsonl``, ``.ndjson`` and ``.json`` are read as JSON lines, ``.parquet`` as a table, ``.score`` as a file of
        mt-metrics-eval. NIST's ROUGE and BE output and tables of AESOP submissions are recognized by their first lines;
        any other file is read as tab-separated values with a header. All may be compressed (``.gz``, ``.zst``).
    year : str
        The year of rows without one.
    format : str
        A key of `READERS`, or ``auto``: recognized as above.

    Raises
    ------
    InputError
        If the file is not valid JSON or UTF-8, a score is not a finite number, or a row repeats another; with file
        and line.
    UsageError
        If there is no such format.
    FileNotFoundError
        If the file does not exist.
    """
    load_outside("readers")
    if format not in ("auto", *READERS):
        raise UsageError(f"unknown format of scores {format!r}; expected auto or one of {', '.join(READERS)}")
    frame = READERS[recognize_format(path) if format == "auto" else format](path, year=year)
    if frame.empty:
        raise InputError("the file holds no scores; expected one or more", path=path)
    return frame


def recognize_format(path: str | Path) -> str:
    """Find the format of a file by its name and its first lines."""
    suffix = Path(plain_name(path)).suffix
    if suffix in (".jsonl", ".ndjson", ".json"):
        return "jsonl"
    if suffix == ".parquet":
        return "parquet"
    if suffix == ".score":
        return "mt-metrics-eval"
    if Path(path).is_fifo():
        raise InputError("found a pipe, which can be read only once; expected a file", path=path)
    first = [line for _, line in islice(numbered_lines(path), _FIRST_LINES)]
    if first and {"topic", "summarizer"} <= set(next(tsv_rows(first[0]))[1]):
        return "tsv"
    if any(map(_NIST.match, first)):
        return "nist"
    return "aesop" if any(map(_AESOP.match, first[1:])) else "tsv"


def read_metrics(paths: Iterable[str | Path], *, year: str = "", format: str = "auto") -> pd.DataFrame:
    """Read several files of metric scores as one table; ratings by several assessors are averaged.

    Raises
    ------
    InputError
        If two files hold the same metric's score of the same summary, or as `read_scores`.
    """
    import pandas as pd

    frames = [
        mean_ratings(read_scores(path, year=year, format=format)).assign(file=str(path)) for path in paths
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
