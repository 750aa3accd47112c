"""Columns of single raters: which columns of a wide table hold one measure, each by another person.

Columns that differ by a number only (``rating_1``, ``rating_2``; ``A1``, ``A2``) are raters of the measure that they
have in common, unless their name is that of something else: a metric, a question, a model. The user says otherwise by
the role ``ratings``, with names or patterns such as ``rating_*``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import takewhile

from classy_aesop.data.measure_names import is_doubtful

Raters = Mapping[str, Mapping[str, str]]
"""For each measure the columns of its raters, by the raters' names."""

ANY_NAME = "rating"
"""The measure of raters whose columns have nothing in common."""

_NUMBERED = re.compile(r"(.*?\D)([0-9]{1,3})")
_BETWEEN = " _.-#"
_PEOPLE = frozenset(
    {
        *("rating", "rater", "annotator", "annotation", "assessor", "worker", "coder"),
        *("expert", "human", "evaluator", "judgment", "judgement"),
    }
)
_THINGS = frozenset(
    {
        *("q", "question", "item", "criterion", "dimension", "aspect", "level", "step", "section", "part"),
        *("option", "k", "top", "r", "m", "metric", "measure", "system", "model", "reference", "ref"),
        *("candidate", "topic", "doc", "task", "year"),
    }
)


def recognized(names: Iterable[str], *, of_humans: bool) -> dict[str, dict[str, str]]:
    """Find the columns of raters by their names.

    Parameters
    ----------
    names : iterable of str
        Columns of numbers.
    of_humans : bool
        Whether they hold human scores. If not, such as in a table of metrics, only names of raters count.

    Examples
    --------
    >>> recognized(["rating_1", "rating_2", "rouge1", "rouge2", "A1"], of_humans=True)
    {'rating': {'1': 'rating_1', '2': 'rating_2'}}
    """
    known = list(names)
    stems = {name.strip().lower() for name in known}
    return {
        measure: columns
        for measure, columns in _numbered(known).items()
        if measure.lower() not in stems and _are_raters(measure, columns, of_humans)
    }


def _numbered(names: Iterable[str]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for name in names:
        parts = _NUMBERED.fullmatch(name.strip())
        measure = parts[1].strip(_BETWEEN) if parts else ""
        if parts and measure:
            found.setdefault(measure, {}).setdefault(parts[2], name)
    return found


def _are_raters(measure: str, columns: Mapping[str, str], of_humans: bool) -> bool:
    numbers = sorted(map(int, columns))
    words = set(re.split(r"[\W_]+", measure.lower()))
    if len(numbers) < 2 or numbers[0] > 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return False
    if not of_humans:
        return bool(words & _PEOPLE)
    return not (words & _THINGS or any(map(is_doubtful, columns.values())))


def named(columns: Sequence[str]) -> dict[str, dict[str, str]]:
    """Give the measures of columns that the user says are raters'.

    Examples
    --------
    >>> named(["relevance_1", "relevance_2", "fluency_1", "fluency_2"])
    {'relevance': {'1': 'relevance_1', '2': 'relevance_2'}, 'fluency': {'1': 'fluency_1', '2': 'fluency_2'}}
    >>> named(["rating_ann", "rating_bob"])
    {'rating': {'ann': 'rating_ann', 'bob': 'rating_bob'}}
    >>> named(["ann", "bob"])
    {'rating': {'ann': 'ann', 'bob': 'bob'}}
    """
    if not columns:
        return {}
    numbered = _numbered(columns)
    if sum(map(len, numbered.values())) == len(columns) and min(map(len, numbered.values())) > 1:
        return numbered
    alike = (len(set(letters)) == 1 for letters in zip(*columns, strict=False))
    start = columns[0][: sum(takewhile(bool, alike))]
    start = start[: 1 + max(map(start.rfind, _BETWEEN))]
    measure = start.strip(_BETWEEN) or ANY_NAME
    return {measure: {name[len(start) :].strip(): name for name in columns}}


def matching(wanted: str, columns: Iterable[str]) -> list[str]:
    """Give the column of a name, or those that a pattern with ``*`` or ``?`` describes; none if there are none."""
    known = list(columns)
    if wanted in known:
        return [wanted]
    return [name for name in known if fnmatchcase(name, wanted)] if set(wanted) & set("*?") else []


def described(raters: Raters) -> str:
    """Say what is taken as raters of what."""
    return "; ".join(
        f"{measure} is the mean of {len(columns)} raters ({', '.join(columns.values())})"
        for measure, columns in raters.items()
    )
