"""Which side a cell of a preference names, and the two systems that a cell may name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from classy_aesop.reading.judged_tables import JudgedColumn

FIRST_SIDE = frozenset(
    [
        "a",
        "1",
        "left",
        "first",
        "model_a",
        "model_1",
        "system_a",
        "system_1",
        "output_1",
        "output_a",
        "response_a",
        "response_1",
        "option_a",
        "option_1",
        "assistant_a",
        "summary_a",
        "summary_1",
        "[[a]]",
        "a>b",  # a degree counts as a preference: raters mean different things by how much better
        "a>>b",
        "[[a>b]]",
        "[[a>>b]]",
    ]
)


SECOND_SIDE = frozenset(
    [
        "b",
        "2",
        "right",
        "second",
        "model_b",
        "model_2",
        "system_b",
        "system_2",
        "output_2",
        "output_b",
        "response_b",
        "response_2",
        "option_b",
        "option_2",
        "assistant_b",
        "summary_b",
        "summary_2",
        "[[b]]",
        "b>a",
        "b>>a",
        "[[b>a]]",
        "[[b>>a]]",
    ]
)


TIES = frozenset(
    [
        "tie",
        "ties",
        "both",
        "equal",
        "same",
        "draw",
        "neither",
        "similar",
        "no_preference",
        "none",
        "tie_bothbad",
        "both_bad",
        "tie_both_bad",
        "equally_good",
        "0",
        "c",
        "equally",
        "1.5",
        "no_difference",
        "unsure",
        "[[c]]",
        "a=b",
        "b=a",
        "[[a=b]]",
        "[[b=a]]",
        "about_the_same",
    ]
)


SIGNED = "signed"
"""Numbers of winners that are negative for one side and positive for the other, as of a slider."""

ZERO_ONE = "zero or one"
"""Numbers of winners that are 0 for one side and 1 for the other."""


def coding_of(column: JudgedColumn) -> str:
    """Say how the numbers of a column name sides, where it does not say which: `SIGNED`, `ZERO_ONE`, else nothing."""
    if column.numbers is None or column.n_distinct == 0:
        return ""
    numbers = {number for number in column.numbers.values() if number == number}
    if min(numbers) < 0:
        return SIGNED
    return ZERO_ONE if 0.0 in numbers and numbers <= {0.0, 0.5, 1.0} else ""


def side_of_code(number: float, coding: str) -> float:
    """Give 0 for the first side, 1 for the second and 0.5 for a tie, of a number of a winner."""
    return number if coding == ZERO_ONE else 0.5 + 0.5 * ((number > 0) - (number < 0))


def split_pair(word: str) -> tuple[str, str] | None:
    """Split the names of two systems."""
    for separator in ("_vs_", " vs ", " vs. ", "-vs-", "_"):
        halves = word.split(separator)
        if len(halves) == 2 and all(halves):
            return halves[0], halves[1]
    return None


def side_of(value: Any, names: Sequence[Any]) -> float | None:
    """Give 0 for the first side, 1 for the second, 0.5 for a tie, a share between, None for anything else.

    Numbers from 1 to 2 say how surely the second side is preferred: 1 surely the first, 2 surely the second.
    """
    if value is None:
        return None
    if names and value in names and names[0] != names[1]:
        return float(names.index(value))
    spelled = re.sub(r"[\s()-]+", "_", str(value).strip().lower()).strip("_")
    spelled = re.sub(r"\.0$", "", spelled)
    if spelled in FIRST_SIDE:
        return 0.0
    if spelled in SECOND_SIDE:
        return 1.0
    if is_tie(spelled):
        return 0.5
    if re.fullmatch(r"1\.\d+|2\.0+", str(value).strip()):  # with its sign, which the spelling lacks
        return float(value) - 1
    stripped = re.sub(r"_?(is_)?(much_|slightly_)?(better|wins?|preferred)$", "", spelled)
    return side_of(stripped, ()) if stripped != spelled else None


def is_tie(word: str) -> bool:
    """Whether a word says that neither side is preferred."""
    spelled = re.sub(r"[\s()-]+", "_", str(word).strip().lower()).strip("_")
    return re.sub(r"\.0$", "", spelled) in TIES or spelled.startswith(("tie", "both_", "equally_"))
