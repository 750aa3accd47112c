"""On which scale scores are given: codes of missing values among them, and raters with other scales than the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from classy_aesop.errors import warn

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.text.arrays import Floats, IndexArray


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


def warn_of_rater_scales(ratings: pd.DataFrame | None, where: str = "") -> None:
    """Warn of raters on different scales: their largest ratings differ by a factor of 2 (3 if they are under 10 each).

    Codes of missing values are left out: `doubts.find_missing_codes` names them.
    """
    if ratings is None or "assessor" not in ratings:
        return
    raters = ratings[ratings["assessor"].ne("") & ratings["score"].notna()]
    for measure, rows in raters.groupby("metric", sort=False):
        rows = rows[~rows["score"].isin(find_missing_value_codes(rows["score"].to_numpy(float)))]
        ranges = (
            rows.groupby("assessor", sort=False)["score"].agg(["count", "min", "max"]).query("count >= 5")
        )
        if ranges.empty:
            continue
        ranges["largest"] = ranges[["min", "max"]].abs().max(axis=1)
        ends = ranges.sort_values("largest", kind="stable").iloc[[0, -1]]
        if ends["largest"].iloc[1] >= (2 if ends["count"].min() >= 10 else 3) * ends["largest"].iloc[0] > 0:
            descriptions = [f"{name} {row['min']:g} to {row['max']:g}" for name, row in ends.iterrows()]
            message = f"raters of {measure} use different scales ({', '.join(descriptions)}), which their mean mixes"
            warn(f"{where}{message}")
