"""Words for the two sides of a comparison: which is preferred, how surely, or neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

SIDE = re.compile(
    r"(?:(?:[a-z]+_)*[a-z]{3,}_|model|system|output|response|option|assistant|summary)?"
    r"(?:(a|1|l|left|first|one)|(?:b|2|r|right|second|two))"
)
"""A side, perhaps after what stands on it: ``A``, ``Sentence B``, ``model_a``, ``probably left``."""
RESULTS = {"win": 0.0, "won": 0.0, "loss": 1.0, "lose": 1.0, "lost": 1.0}
"""How a comparison ended for the first of two sides."""
DEGREES = (
    "(much|far|a_lot|clearly|significantly|strongly|somewhat|moderately|slightly|marginally|a_bit|a_little)"
)
DEGREE = re.compile(r"([ab]?)_?(>+|<+|=+)_?(?:(?!\1)[ab]|$)")
"""How far one of two sides is preferred: a degree counts as a preference, since raters mean different things by it.

``A>>B``, or ``>`` alone between the two.
"""
TIES = re.compile(
    r"(?:.*_)?(?:tie[sd]?|draw|both|neither|equal(?:ly)?|same|similar|neutral|indifferent|undecided|gleich"
    r"|unentschieden|[eé]gal(?:ité)?)(?:_.*)?|0|c|t|1\.5|none|no_(?:preference|difference|winner)"
)
"""What says that neither side is preferred."""


def _plain(value: Any) -> str:
    spelled = re.sub(r"[\s()\[\]-]+", "_", str(value).strip().lower()).strip("_")
    return re.sub(r"\.0$", "", spelled)


def is_tie(word: Any) -> bool:
    """Whether a word says that neither side is preferred."""
    return TIES.fullmatch(_plain(word)) is not None


def side_of(value: Any, names: Sequence[Any] = ()) -> float | None:
    """Give 0 for the first side, 1 for the second, 0.5 for a tie, a share between, None for anything else.

    Numbers from 1 to 2 say how surely the second side is preferred: 1 surely the first, 2 surely the second.
    """
    folded_names = [str(name).casefold() for name in names]
    folded_value = str(value).casefold()
    if folded_value in folded_names and folded_names[0] != folded_names[-1]:
        return float(folded_names.index(folded_value))
    if re.fullmatch(r"1\.\d+|2\.0+", str(value).strip()):
        return float(value) - 1
    plain = _plain(value)
    if degree := DEGREE.fullmatch(plain):
        return 0.5 if degree[2][0] == "=" else float((degree[1] == "b") == (degree[2][0] == ">"))
    if plain in RESULTS:
        return RESULTS[plain]
    word = re.sub(rf"_?(is_)?({DEGREES}_)?(better|wins?|winner|preferred)$", "", plain)
    if side := SIDE.fullmatch(word):
        return 0.0 if side[1] else 1.0
    return 0.5 if is_tie(value) else None
