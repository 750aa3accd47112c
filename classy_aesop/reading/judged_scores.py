"""Scores of any file of judgments, where its columns are not those of a plain score table.

A reading that data or names leave open is refused: the message names what can be passed, and ``validate`` shows what
each reading means.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data.cells import Fields, is_missing_number
from classy_aesop.data.scores import ORIGIN, joined_origin, origin_of, table_of_columns
from classy_aesop.errors import NOTE, InputError, UsageError, shorten_message
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.documents import read_document
from classy_aesop.reading.judged_tables import JudgedColumn, JudgedTable
from classy_aesop.reading.readings import BY_FILE, BY_ORDER, SHEET, Reading, scales_of_words, score_arrays
from classy_aesop.reading.shapes import find_readings, role_by_name
from classy_aesop.reading.table_files import form_of
from classy_aesop.reading.word_scales import can_mix_numbers, labelled_number

if TYPE_CHECKING:
    import pandas as pd

OWN_ROLES = frozenset({"systems", "cells", "first", "second", "pair", "winner", "errors", "scale", "score"})
"""Roles of columns that plain score tables do not have."""

MAX_CHOICES = 3
"""Readings that a message names."""

MAX_DOUBT = 1_200
"""Characters of a doubt or an error that advice follows."""

MAX_ADVICE = 600
"""Characters of advice; longer options are left to `validate`."""

_LOG = logging.getLogger(__name__)


def needs_shapes(columns: Fields) -> bool:
    """Whether the user's roles need other shapes than a plain table: own roles, several columns, ``topic=#``."""
    values = [value for names in columns.values() for value in ([names] if isinstance(names, str) else names)]
    n_systems = len([*list_names(columns.get("system", ())), *list_names(columns.get("summarizer", ()))])
    n_topics = len(list_names(columns.get("topic", ())))
    return (
        bool(OWN_ROLES & {*columns})
        or {BY_ORDER, BY_FILE} & {*values} != set()
        or n_systems > 1
        or n_topics > 1
    )


def select_sheet(source: Source, columns: Fields | None) -> tuple[Source, Fields]:
    """Select the sheet of a workbook that the user names among the roles; give its source and the other roles."""
    roles = dict(columns or {})
    for sheet in list_names(roles.pop(SHEET, [])):
        if form_of(source) != "xlsx":
            raise UsageError(f"{source}: --sheet is given; expected a workbook of Excel")
        source = source.select_sheet(sheet)
    return source, roles


def list_names(value: str | Sequence[str] | object) -> list[str]:
    """Make a list of one or several names of columns; empty for anything else."""
    if isinstance(value, str):
        return [value]
    return [str(name) for name in value] if isinstance(value, Sequence | set | frozenset) else []


def read_judged_scores(
    source: Source,
    columns: Fields | None = None,
    *,
    year: str = "",
    judged: JudgedTable | None = None,
    readings: Sequence[Reading] | None = None,
) -> pd.DataFrame:
    """Read the scores of any file of judgments as a tidy table.

    Parameters
    ----------
    source : Source
        The file.
    columns : mapping, optional
        What its columns are, by role; see `find_readings`.
    year : str
        The year of its rows.
    judged : JudgedTable, optional
        What is in the file, if it was read already.
    readings : sequence of Reading, optional
        How it can be read, if that was found already.

    Returns
    -------
    DataFrame
        A tidy score table.

    Raises
    ------
    InputError
        If it holds no scores, rows are given again, or it can be read in more than one way.
    UsageError
        If ``columns`` does not fit the file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "ratings.csv")
    >>> rows = ["row_id,prompt,policy,rating", "1,p1,a,4", "2,p1,b,2", "3,p2,a,5", "4,p2,b,3"]
    >>> _ = path.write_text(chr(10).join(rows))
    >>> read_judged_scores(Source.from_path(path))["summarizer"].tolist()
    ['a', 'b', 'a', 'b']
    """
    judged = read_document(source) if judged is None else judged
    requested = {role: list_names(names) for role, names in (columns or {}).items()}
    reading = choose_reading(judged, requested, readings)
    _LOG.log(NOTE, "%s: read as %s", source, reading.columns_option())
    return score_table(judged, reading, year)


def choose_reading(
    judged: JudgedTable, requested: Mapping[str, Sequence[str]], readings: Sequence[Reading] | None = None
) -> Reading:
    """Choose the reading of a table; InputError if it holds no scores, or several readings are possible.

    Parameters
    ----------
    judged : JudgedTable
        The table.
    requested : mapping of str to sequence of str
        The columns of roles that the user names.
    readings : sequence of Reading, optional
        The readings of the table, if they are known.
    """
    readings = find_readings(judged, requested) if readings is None else readings
    if not readings:
        raise InputError("no scores among its columns (validate shows the role of each)", path=judged.name)
    best = readings[0]
    roles = {role_by_name(role) for role in requested}
    are_roles_named = best.roles.keys() <= roles and bool(best.roles)
    if is_unambiguous(judged, readings) or (are_roles_named and not has_repeated_rows(best)):
        return best
    if requested and len(readings) == 1 and not best.doubts and not _mixed_columns(judged, best):
        return best
    doubt = best.doubts[0] if best.doubts else "it can be read in more than one way"
    raise InputError(
        shorten_message(doubt, most=MAX_DOUBT), path=judged.name, advice=describe_choices(judged, readings)
    )


def describe_choices(judged: JudgedTable, readings: Sequence[Reading]) -> str:
    """Write the options to pass for each reading of a table that a command can use."""
    options = [reading.flags() for reading in readings if not has_repeated_rows(reading)]
    if not options:
        return f"validate {judged.name} shows what each column was taken for"
    advice = f"expected {' or '.join(options[:MAX_CHOICES])} (validate shows what each means)"
    if len(advice) > MAX_ADVICE:
        return f"validate {shorten_message(judged.name, most=MAX_ADVICE // 2)} shows what can be passed"
    return advice


def is_unambiguous(judged: JudgedTable, readings: Sequence[Reading]) -> bool:
    """Whether a table has one reading, without doubts, that names systems and topics."""
    if len(readings) != 1 or readings[0].doubts:
        return False
    reading = readings[0]
    names_systems = bool(
        reading.keys.system
        or reading.is_preference
        or any(cell.names_system for cell in reading.cells.values())
    )
    names_topics = bool(reading.keys.topic) and BY_ORDER not in reading.keys.topic
    return names_systems and names_topics and not _mixed_columns(judged, reading)


def _mixed_columns(judged: JudgedTable, reading: Reading) -> list[str]:
    """Give the columns, but those of keys, with numbers beside other cells, or numbers written in different forms."""
    used = reading.used_columns()
    names = frozenset(reading.keys.names)
    return [
        name
        for name, column in judged.columns.items()
        if name not in names and (_mixes_forms(column) or (column.kind.kind == "mixed" and name not in used))
    ]


MIN_SHARE_OF_NUMBERS = 0.3
"""A column with at least this share of numbers may be a measure, with cells that are not numbers."""

_FORMS = {
    "whole": re.compile(r"[-+]?[0-9]+"),
    "point": re.compile(r"[-+]?[0-9]*\.[0-9]+"),
    "comma": re.compile(r"[-+]?[0-9]+,[0-9]+"),
    "exponent": re.compile(r"[-+]?[0-9]+(\.[0-9]+)?[eE][-+]?[0-9]{1,2}"),
}
"""Forms in which people and programs write numbers."""


def _form_of(cell: object) -> str:
    """Name the form of a cell: one of numbers, ``missing``, ``labelled``, or ``odd``."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return "whole"
    text = str(cell).strip()
    for form, pattern in _FORMS.items():
        if pattern.fullmatch(text):
            return form
    if is_missing_number(text):
        return "missing"
    return "odd" if labelled_number(text) is None else "labelled"


def _mixes_forms(column: JudgedColumn) -> bool:
    """Whether many cells are numbers, beside cells that are none, or with both decimal points and commas."""
    if not (column.kind.has_numbers or column.kind.comma):
        return False
    forms = Counter[str]()
    if bool in {*map(type, column.cells)}:  # true equals 1
        forms.update(_form_of(cell) for cell in column.cells if cell is not None)
    else:
        for value, count in zip(column.distinct, column.counts.tolist(), strict=True):
            forms[_form_of(value)] += count
    n_numbers = sum(forms[form] for form in _FORMS)
    has_both_signs = forms["comma"] > 0 and forms["point"] > 0
    is_mixed = forms["odd"] > 0 or has_both_signs or not can_mix_numbers(column.distinct)
    return is_mixed and n_numbers >= MIN_SHARE_OF_NUMBERS * column.n_filled


def has_repeated_rows(reading: Reading) -> bool:
    """Whether several rows of a reading have one key, so that no command can use it."""
    lacks_topics = bool(reading.keys.attempt) and not reading.keys.topic
    return lacks_topics or any("given again" in doubt and "rater=#" not in doubt for doubt in reading.doubts)


def score_table(judged: JudgedTable, reading: Reading, year: str = "") -> pd.DataFrame:
    """Make the tidy table of a reading.

    Parameters
    ----------
    judged : JudgedTable
        The cells.
    reading : Reading
        Which column is what.
    year : str
        The year of all rows.

    Raises
    ------
    InputError
        If rows are given again.
    """
    scores = score_arrays(judged, reading)
    names = {
        "year": np.full(len(scores), year, object),
        "topic": scores.topic,
        "task": scores.task,
        "summarizer": scores.system,
        "metric": scores.measure,
        "assessor": scores.rater,
        "attempt": scores.attempt,
    }
    frame = table_of_columns(names, scores.value, scores.place)
    if scales := scales_of_words(judged, reading):
        frame.attrs[ORIGIN] = joined_origin([origin_of(frame), {"scales": scales}])
    return frame
