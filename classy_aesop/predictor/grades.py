"""Scores and the ends of their intervals beside the lowest and the highest grade in training."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def on_scale(found: pd.DataFrame, grades: tuple[float, float] | None, *, clip: bool) -> pd.DataFrame:
    """Name which of a score and its ends are beyond the grades, where there are ends, and cut all if asked for.

    Parameters
    ----------
    found : DataFrame
        A ``score`` or ``mean`` a row, and possibly ``low`` and ``high``.
    grades : (float, float), optional
        The lowest and the highest; without them nothing is added or cut.
    clip : bool
        Whether to cut.
    """
    if grades is None:
        return found
    lowest, highest = grades
    names = [name for name in ("score", "mean", "low", "high") if name in found]
    values = found[names].to_numpy(float)
    if "low" in found:
        is_beyond = (values < lowest) | (values > highest)
        found = found.assign(beyond=[" ".join(compress(names, row)) for row in is_beyond.tolist()])
    return found.assign(**dict(zip(names, values.clip(lowest, highest).T, strict=True))) if clip else found
