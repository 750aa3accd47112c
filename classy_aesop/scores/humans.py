"""Which summarizers are human, according to a file of scores.

JSON and Parquet have the field ``summarizer_type`` (``reference`` or ``peer``) or ``human`` (true or false);
tab-separated values have a column ``human``. In NIST's and AESOP's tables numbers are systems and letters are humans.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from classy_aesop.errors import InputError
from classy_aesop.scores.nist_names import is_human_name
from classy_aesop.scores.opening import open_bytes
from classy_aesop.scores.parquet import parquet_rows
from classy_aesop.scores.reading import read_scores, recognize_format
from classy_aesop.scores.rows import (
    Where,
    human_field,
    identifier,
    instance_key,
    json_rows,
    optional,
    reference_field,
    says_missing,
    shown,
)
from classy_aesop.scores.tsv import tsv_table

Humans = Mapping[tuple[str, str], bool]
"""Maps year and summarizer to whether it is human; a summarizer that is missing is unknown."""

_WORDS = {"true": True, "1": True, "false": False, "0": False}

Found = tuple[Where, tuple[str, str], bool]


def read_humans(path: str | Path, *, year: str = "", format: str = "auto") -> dict[tuple[str, str], bool]:
    """Read which summarizers are human from a file of scores or judgments; empty if the file does not say.

    Parameters
    ----------
    path, year, format
        As for :func:`classy_aesop.scores.read_scores`, which reads the scores of the same file.

    Returns
    -------
    dict of (str, str) to bool
        Maps year and summarizer to whether it is human.

    Raises
    ------
    InputError
        If a field is neither true nor false, or a row contradicts another; with file and line.
    """
    name = recognize_format(path) if format == "auto" else format
    if name in ("nist", "aesop"):
        rows = read_scores(path, year=year, format=name)[["year", "summarizer"]].drop_duplicates()
        return {(own, one): is_human_name(one) for own, one in rows.itertuples(index=False)}
    readers = {"jsonl": _of_json, "tsv": _of_tsv, "parquet": _of_parquet}
    humans: dict[tuple[str, str], bool] = {}
    for where, key, human in readers[name](path, year) if name in readers else ():
        if humans.setdefault(key, human) != human:
            raise where.error(_contradiction(key))
    return humans


def joined_humans(*parts: Humans) -> dict[tuple[str, str], bool]:
    """Merge several sources; raises `InputError` if two contradict each other."""
    humans: dict[tuple[str, str], bool] = {}
    for key, human in (found for part in parts for found in part.items()):
        if humans.setdefault(key, human) != human:
            raise InputError(_contradiction(key))
    return humans


def _contradiction(key: tuple[str, str]) -> str:
    return f"summarizer {' '.join(filter(None, key))} is a human in one place and a system in another"


def _of_json(path: str | Path, year: str) -> Iterator[Found]:
    return _of_records(json_rows(path), year)


def _of_parquet(path: str | Path, year: str) -> Iterator[Found]:
    with open_bytes(path) as stream:
        _, rows = parquet_rows(stream, path)
    return _of_records(((Where(f"{path}, row {at}"), row) for at, row in enumerate(rows, 1)), year)


def _of_records(rows: Iterable[tuple[Where, Mapping[str, Any]]], year: str) -> Iterator[Found]:
    for where, record in rows:
        reference, human = reference_field(record, where), human_field(record, where)
        if reference is not None or human is not None:
            own, _, _, summarizer = instance_key(record, where, year)
            yield where, (own, summarizer), bool(reference or human)


def _of_tsv(path: str | Path, year: str) -> Iterator[Found]:
    _, columns, rows = tsv_table(path)
    if not {"human", "summarizer"} <= set(columns):
        return
    for where, cells in rows:
        row = dict(zip(columns, cells, strict=False))
        word = row["human"].lower()
        if says_missing(word):
            continue
        if word not in _WORDS:
            raise where.error(f"human is {shown(row['human'])}; expected true or false")
        summarizer = identifier(row["summarizer"], "summarizer", where)
        yield where, (optional(row, "year", where) or year, summarizer), _WORDS[word]
