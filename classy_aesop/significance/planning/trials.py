"""Shares of trials, and their standard errors."""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray


def mean_or_nan(values: FloatArray | BoolArray | list[float] | list[bool]) -> float:
    """Mean of values; NaN without any."""
    return float(np.mean(values)) if len(values) else float("nan")


def share_and_error(counted: BoolArray | list[bool]) -> tuple[float, float]:
    """Give the share of the trials that count, and its standard error."""
    share = mean_or_nan(counted)
    return share, float(np.sqrt(share * (1 - share) / max(len(counted), 1)))
