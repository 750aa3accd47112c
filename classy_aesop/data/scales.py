"""On which scale scores are given: its ends, and codes of missing values.

Score tables carry the scales of their measures. Words of ratings have one; of numbers the user declares it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from classy_aesop.data.scores import (
    KEYS,
    add_stratum_columns,
    format_key,
    format_range,
    note_origin,
    origin_of,
)
from classy_aesop.data.where import Where
from classy_aesop.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.text.arrays import Floats, IndexArray

ScaleEnds = tuple[float, float]
"""The least and the greatest score that there can be."""

PASS_OR_FAIL: Final[ScaleEnds] = (0.0, 1.0)
"""The scale of passes."""

MAX_GRADES = 11
"""Most different grades of a scale, such as 0 to 10."""

MIN_SCORES_OF_GRADE = 5
"""Whole numbers with fewer scores each on average may be counts, or grades of a table too small to say."""


def parse_scale(scale: str | Sequence[float]) -> ScaleEnds:
    """Give the ends of a scale of numbers, written as ``1,5`` or given as two numbers.

    Examples
    --------
    >>> parse_scale("1,5"), parse_scale((0, 100))
    ((1.0, 5.0), (0.0, 100.0))
    """
    with suppress(TypeError, ValueError):
        low, high = map(float, scale.split(",") if isinstance(scale, str) else scale)
        if -math.inf < low < high < math.inf:
            return low, high
    written = scale if isinstance(scale, str) else repr(scale)
    raise UsageError(
        f"scale {written}; expected two numbers, such as 1,5, or words in order, such as 'Poor<Fair<Good'"
    )


def words_as_role(scale: object) -> dict[str, tuple[str]]:
    """Give words of a scale in order (``Poor<Fair<Good``) as a role, as readers of tables take them; else nothing."""
    return {"scale": (scale,)} if isinstance(scale, str) and "<" in scale else {}


def format_scale(scale: Sequence[float]) -> str:
    """Write the ends of a scale as ``--scale`` takes them."""
    return ",".join(f"{end:g}" for end in scale)


def set_scale(
    table: pd.DataFrame, scale: str | Sequence[float] | None, measures: Sequence[str] | None = None
) -> pd.DataFrame:
    """Declare the scale of measures in a score table, all of whose scores of them must lie on it.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"topic": ["1"], "summarizer": ["a"], "metric": ["quality"], "score": [7.0]})
    >>> set_scale(table, (1, 5))
    Traceback (most recent call last):
    ...
    classy_aesop.errors.InputError: 1 a: quality is 7; expected 1 to 5
    """
    if scale is None or words_as_role(scale):
        return table
    ends = parse_scale(scale)
    names = list(map(str, table["metric"].unique())) if measures is None else measures
    check_range(table, dict.fromkeys(names, ends))
    return note_origin(
        table, scales={**origin_of(table).get("scales", {}), **{name: [*ends] for name in names}}
    )


def check_range(frame: pd.DataFrame, ranges: Mapping[str, ScaleEnds]) -> None:
    """Refuse scores outside their measure's range, ends included, with the place of the least or the greatest."""
    for measure, (low, high) in ranges.items():
        scores = frame.reset_index()["score"].where(frame["metric"].eq(measure).to_numpy())
        if scores.min() < low or scores.max() > high:
            row = add_stratum_columns(frame).iloc[scores.argmin() if scores.min() < low else scores.argmax()]
            extremes: Mapping[str, Sequence[Any]] = origin_of(frame).get("extremes", {})
            ends = extremes.get(measure, ())
            place = next((Where(*place) for score, *place in ends if score == row["score"]), Where())
            key = "" if place.path else f"{format_key(row[KEYS])}: "
            raise place.error(f"{key}{measure} is {row['score']:g}; expected {format_range(low, high)}")


def scale_of_measure(table: pd.DataFrame, measure: str) -> ScaleEnds | None:
    """Give the scale of a measure that a score table carries; None if it is not known."""
    ends = origin_of(table).get("scales", {}).get(measure)
    return None if ends is None else (ends[0], ends[-1])


def range_of_grades(scores: Floats) -> ScaleEnds | None:
    """Give the least and the greatest of scores that are a few whole numbers, as grades are; None of others.

    Examples
    --------
    >>> import numpy as np
    >>> range_of_grades(np.array([3.0, 2, 5] * 5)), range_of_grades(np.array([0.3, 0.5] * 5))
    ((2.0, 5.0), None)
    """
    import pandas as pd

    grades = pd.unique(scores)
    is_grid = 0 < len(grades) <= min(MAX_GRADES, len(scores) / MIN_SCORES_OF_GRADE)
    if not is_grid or (grades % 1).any():
        return None
    return float(grades.min()), float(grades.max())


def find_missing_value_codes(scores: Floats) -> list[float]:
    """Find codes of missing values, such as -999, 99 or -1: repeated values far outside all others.

    A code lies farther from the other values than five times their range. For -1, -9, 9, 99, -999 and the like their
    range is enough. For -1 beside four or more values of 0 or more, so is a wider gap than any between those. At most
    half of the scores are codes.

    Examples
    --------
    >>> import numpy as np
    >>> find_missing_value_codes(np.array([1.0, 2, 3, 5, 4, 99, 99, -1, -1, 2, 3]))
    [-1.0, 99.0]
    >>> find_missing_value_codes(np.array([-1.0, 0, 1, -1, 0, 1]))
    []
    """
    import numpy as np

    values, counts = np.unique(scores, return_counts=True)
    codes: list[float] = []
    while values.size > 2:
        end = next((end for end in (0, -1) if _is_code(values, counts, end)), None)
        if end is None:
            break
        codes.append(float(values[end]))
        values = np.delete(values, end)
        counts = np.delete(counts, end)
    n_coded = np.isin(scores, codes).sum() if codes else 0
    return sorted(codes) if 2 * n_coded <= scores.size else []


def _is_code(values: Floats, counts: IndexArray, end: int) -> bool:
    """Whether the first (0) or last (-1) of sorted values is a code of missing values."""
    import numpy as np

    grades = np.delete(values, end)
    value = values[end]
    spread = np.ptp(grades)
    gap = abs(value - grades[end])
    if counts[end] < 2 or gap <= 0:
        return False
    if gap > 5 * spread:
        return True
    is_nines = float(value).is_integer() and set(str(abs(int(value)))) == {"9"}
    if value == -1:
        return bool(grades[0] >= 0 and grades.size >= 4 and gap > np.diff(grades).max())
    return bool(is_nines and gap >= spread)
