"""Shares of trials, and their standard errors."""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray


def mean_or_nan(values: FloatArray | BoolArray | list[float] | list[bool]) -> float:
    """Mean of values; NaN without any."""
    return float(np.mean(values)) if len(values) else float("nan")


def share_and_error(successes: BoolArray | list[bool]) -> tuple[float, float]:
    """Share of the trials that are successes, and its standard error."""
    share = mean_or_nan(successes)
    return share, float(np.sqrt(share * (1 - share) / max(len(successes), 1)))
