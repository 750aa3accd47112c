"""Which summarizers are human, according to a file of scores.

A row has the field or column ``summarizer_type`` (``reference`` or ``peer``) or ``human`` (true or false). In NIST's
and AESOP's tables numbers are systems and letters are humans.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from classy_aesop.data.asked import Fields
from classy_aesop.data.layout import given_columns, is_measure, keys_of, whole
from classy_aesop.data.nist_names import is_human_name
from classy_aesop.data.opening import Source, Where
from classy_aesop.data.score_jsonl import records_of
from classy_aesop.data.score_reading import TABLES, read_scores, recognize_format
from classy_aesop.data.score_rows import (
    human_field,
    identifier,
    instance_key,
    is_missing_number,
    optional,
    reference_field,
    shown,
)
from classy_aesop.data.table_files import TableFile, read_table_file
from classy_aesop.errors import InputError

Humans = Mapping[tuple[str, str], bool]
"""Maps year and summarizer to whether it is human; a summarizer that is missing is unknown."""

_WORDS = {"true": True, "1": True, "1.0": True, "false": False, "0": False, "0.0": False}

Found = tuple[Where, tuple[str, str], bool]


def read_humans(
    path: str | Path,
    *,
    year: str = "",
    format: str = "auto",
    fields: Fields | None = None,
    encoding: str | None = None,
) -> dict[tuple[str, str], bool]:
    """Read which summarizers are human from a file of scores or judgments; empty if the file has no such field.

    Parameters
    ----------
    path, year, format, fields, encoding
        As for :func:`classy_aesop.data.read_scores`, which reads the scores of the same file.

    Returns
    -------
    dict of (str, str) to bool
        Maps year and summarizer to whether it is human.

    Raises
    ------
    InputError
        If a field is neither true nor false, or a row contradicts another; with file and line.

    Examples
    --------
    >>> humans = read_humans("data_samples/2021/judgments.jsonl")
    >>> humans["2021", "A"], humans["2021", "1"]
    (True, False)
    """
    name = recognize_format(path, encoding) if format == "auto" else format
    if name in ("nist", "aesop"):
        rows = read_scores(path, year=year, format=name)[["year", "summarizer"]].drop_duplicates()
        return {(row_year, one): is_human_name(one) for row_year, one in rows.itertuples(index=False)}
    if name not in TABLES:
        return {}
    read = read_table_file(Source(str(path), encoding=encoding), name)
    records = records_of(read, fields)
    found = _of_table(read, year, fields) if records is None else _of_records(records, year)
    humans: dict[tuple[str, str], bool] = {}
    for where, key, human in found:
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


def _of_records(rows: Iterable[tuple[Where, Mapping[str, Any]]], year: str) -> Iterator[Found]:
    for where, record in rows:
        reference, human = reference_field(record, where), human_field(record, where)
        if reference is not None or human is not None:
            row_year, _, _, summarizer = instance_key(record, where, year)
            yield where, (row_year, summarizer), bool(reference or human)


def _of_table(found: TableFile, year: str, fields: Fields | None) -> Iterator[Found]:
    if not {"human", "summarizer_type"} & set(found.columns) or is_measure("human", found.rows):
        return
    keys = keys_of(found.columns, found.header, given_columns(found.columns, fields or {}))
    for where, row in found.rows:
        human = _mark(row, where)
        if human is not None:
            named = {name: whole(row.get(column)) for name, column in keys.items()}
            summarizer = identifier(named["summarizer"], "summarizer", where)
            yield where, (optional(named, "year", where) or year, summarizer), human


def _mark(row: Mapping[str, Any], where: Where) -> bool | None:
    """Whether a row's summarizer is human, by whichever column says it."""
    reference = reference_field({"summarizer_type": row.get("summarizer_type") or None}, where)
    value = row.get("human")
    word = "" if value is None else str(value).strip().lower()
    if is_missing_number(word):
        return reference
    if word not in _WORDS:
        raise where.error(f"human is {shown(value)}; expected true or false")
    return bool(reference or _WORDS[word])
