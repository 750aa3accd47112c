"""Preferences of any file: two outputs a row and which one a rater prefers, whatever its columns are called."""

from __future__ import annotations

import logging
from collections.abc import Collection

import numpy as np

from classy_aesop.data.attempts import describe_counts, describe_labels
from classy_aesop.data.cells import Fields
from classy_aesop.data.preference_records import Preferences
from classy_aesop.errors import NOTE, InputError, warn
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.documents import read_document
from classy_aesop.reading.judged_scores import choose_reading, list_names
from classy_aesop.reading.judged_tables import JudgedTable
from classy_aesop.reading.readings import Reading, names_of_rows, preference_rows
from classy_aesop.reading.shapes import find_readings

_LOG = logging.getLogger(__name__)


def find_judged_preferences(source: Source, columns: Fields | None = None) -> Preferences | None:
    """Read the preferences of a file; None if it holds none.

    Parameters
    ----------
    source : Source
        The file.
    columns : mapping, optional
        What its columns are, by role: ``topic``, ``rater``, ``first`` and ``second`` (or ``pair``), ``winner``.

    Raises
    ------
    InputError
        If it is doubtful which side is meant, or a winner is neither side nor a tie.
    UsageError
        If ``columns`` does not fit the file.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp(), "votes.csv")
    >>> _ = path.write_text(chr(10).join(["qid,left_model,right_model,vote", "q1,a,b,left", "q2,b,a,tie"]))
    >>> find_judged_preferences(Source.from_path(path)).wins.tolist()
    [1.0, 0.5]
    """
    judged = read_document(source)
    requested = {role: list_names(names) for role, names in (columns or {}).items()}
    readings = find_readings(judged, requested)
    if not readings or not readings[0].is_preference:
        return None
    return preferences_of_reading(judged, choose_reading(judged, requested))


def warn_of_missing_winners(n_missing: int, n_rows: int) -> None:
    """Warn that rows without a winner are left out."""
    if n_missing:
        has, is_left = ("has", "is") if n_missing == 1 else ("have", "are")
        warn(
            f"{n_missing} of {n_rows} comparisons {has} no winner and {is_left} left out; write a tie as tie"
        )


def preferences_of_reading(judged: JudgedTable, reading: Reading) -> Preferences:
    """Make preferences of a table by one reading of it."""
    rows = list(preference_rows(judged, reading))
    if not rows:
        raise InputError("no row with a winner; expected preferences", path=judged.name)
    if len(reading.winners) == 1:  # of several columns, of raters, each has rows of its own
        warn_of_missing_winners(judged.n_rows - len(rows), judged.n_rows)
    preferences = Preferences.from_names(
        [row.topic for row in rows],
        [row.first for row in rows],
        [row.second for row in rows],
        [row.first_wins for row in rows],
        [row.rater or None for row in rows],
        places=[row.place for row in rows],
    )
    note_attempts(preferences, {*names_of_rows(judged, reading).attempt.tolist()}, judged.name)
    return preferences


def note_attempts(preferences: Preferences, labels: Collection[str], path: str | None) -> None:
    """Say how many attempts of a topic there are, which count as one observation.

    Parameters
    ----------
    preferences : Preferences
        All comparisons.
    labels : collection of str
        The numbers of the attempts, ``""`` where there is none.
    path : str, optional
        Their file.
    """
    if not any(labels):
        return
    pairs = np.sort([preferences.first, preferences.second], axis=0)
    keys = np.vstack([preferences.topic, preferences.rater, pairs])
    counts = np.unique(keys, axis=1, return_counts=True)[1]
    if counts.max() > 1:
        pooled = (
            f"{describe_counts(int(counts.min()), int(counts.max()))} were pooled{describe_labels(labels)}"
        )
        message = f"{pooled}: each topic counts as one observation"
        _LOG.log(NOTE, "%s%s", f"{path}: " if path else "", message)
