"""Means over several years, tasks or corpora (strata), and their intervals for these and for others like them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.correlations.correlation_intervals import NO_ENDS, quantiles_around


@dataclass(frozen=True, slots=True)
class StratifiedMean:
    """The mean of several strata, for themselves and for strata like them.

    Attributes
    ----------
    low, high : float
        Ends of its interval for these strata.
    spread : float
        Standard deviation of the true values between strata; NaN of one stratum.
    low_others, high_others : float
        Ends of its interval for other strata like these.
    """

    value: float
    low: float
    high: float
    spread: float
    low_others: float
    high_others: float
    n: int


def stratified_mean(
    values: ArrayLike, errors: ArrayLike, *, confidence: float = 0.95, lowest: float | None = None
) -> StratifiedMean:
    """Mean of strata, and its intervals for these strata and, by a random-effects model, for others like them.

    All strata have the same weight. Intervals of a correlation stay between its ``lowest`` value and 1.
    """
    from scipy.special import ndtri, stdtrit

    y = np.asarray(values, dtype=np.float64)
    variance = np.square(errors)
    n = len(y)
    shares = np.array([1 - confidence, 1 + confidence]) / 2
    mean = float(y.mean())
    within = float(variance.mean())
    spread = float("nan")
    of_others = NO_ENDS
    if n > 1 and not np.isnan(mean + within):
        total = float(y.var(ddof=1))
        spread = float(np.sqrt(max(total - within, 0.0)))
        error = float(np.sqrt(max(total, within) / n))
        of_others = quantiles_around(mean, error, stdtrit(n - 1, shares), lowest)
    low, high = quantiles_around(mean, float(np.sqrt(within / n)), ndtri(shares), lowest).tolist()
    low_others, high_others = of_others.tolist()
    return StratifiedMean(mean, low, high, spread, low_others, high_others, n)
