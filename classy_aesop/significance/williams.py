"""Williams' test of two metrics, from the correlations alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import one_of
from classy_aesop.significance.comparison import (
    ALTERNATIVES,
    SLACK,
    UNDEFINED,
    MetricComparison,
    shared_cells,
)
from classy_aesop.significance.correlation import correlation


def williams_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    alternative: str = "greater",
) -> MetricComparison:
    """Williams' test of two dependent correlations that share the human scores; see :func:`williams`.

    Correlations enter without their signs. Cells as for :func:`permutation_test`.
    """
    one_of(alternative, ALTERNATIVES, "alternative")
    X, Y, Z = shared_cells(X, Y, Z)
    first, second, between = (
        correlation(*pair, level=level, coefficient=coefficient) for pair in ((X, Z), (Y, Z), (X, Y))
    )
    t, p = williams(abs(first.value), abs(second.value), abs(between.value), first.n, alternative=alternative)
    return MetricComparison(
        test="williams",
        method="",
        level=level,
        coefficient=coefficient,
        alternative=alternative,
        first=first.value,
        second=second.value,
        difference=first.value - second.value,
        p=p,
        n=first.n,
        n_resamples=0,
        n_dropped=0,
        statistic=t,
        flag=UNDEFINED if np.isnan(t) else "",
    )


def williams(
    r12: float, r13: float, r23: float, n: int, *, alternative: str = "greater"
) -> tuple[float, float]:
    """Williams' t and its p-value from three correlations of ``n`` points.

    Parameters
    ----------
    r12, r13 : float
        Of the human scores with the first and with the second metric.
    r23 : float
        Of the two metrics.
    n : int
        Number of points; t has n - 3 degrees of freedom.
    alternative : {"greater", "less", "two-sided"}
        What is tested of r12 less r13.

    Returns
    -------
    tuple of float
        t and p; NaN and 1 if t is undefined: fewer than four points, or metrics that are one.

    Notes
    -----
    Williams (1959); Steiger (1980), equation 7.

    Examples
    --------
    >>> t, p = williams(0.85, 0.75, 0.9, 20)
    >>> round(t, 6), round(p, 6)
    (1.749144, 0.049148)
    """
    from scipy.special import stdtr

    one_of(alternative, ALTERNATIVES, "alternative")
    undefined = float("nan"), 1.0
    if n < 4 or np.isnan([r12, r13, r23]).any():
        return undefined
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    scale = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if 1 - r23 <= SLACK or scale <= 0:  # on some processors a correlation of 1 is computed as slightly less
        return undefined
    t = float((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / scale))
    below, above = float(stdtr(n - 3, t)), float(stdtr(n - 3, -t))
    return t, {"greater": above, "less": below, "two-sided": 2 * min(below, above)}[alternative]
