"""Williams' test of two dependent correlations that share the human scores.

Williams (1959); Steiger (1980), equation 7.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import check_choice
from classy_aesop.significance.choices import ALTERNATIVES
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import UNDEFINED_CORRELATION
from classy_aesop.significance.metrics.metric_comparison import MetricComparison, compare_resampled
from classy_aesop.significance.metrics.resampled_differences import ResampledDifference, three_correlations

MIN_POINTS = 4
"""With fewer points t has no degrees of freedom."""


def williams_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    alternative: str = "two-sided",
    turned: bool = False,
) -> MetricComparison:
    """Williams' test of two dependent correlations that share the human scores; see :func:`williams_t`.

    Correlations keep their signs.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and of humans; NaN where missing. A cell counts where all three have a score.
    level, coefficient, means : str
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.
    alternative : {"two-sided", "greater", "less"}
        What is tested of r(X, Z) less r(Y, Z).
    turned : bool
        Reverse the sign of a metric whose correlation with humans is negative on these scores, as shared tasks of WMT
        do, so that correlations are compared by size. As the sign is estimated from the sample, false positives at .05
        are .17 to .30 where both correlations are .2 and the metrics' own is -.8. Rather reverse a measure of which
        less is better before.

    Returns
    -------
    MetricComparison

    Raises
    ------
    ValueError
        As ``correlation``, or the alternative is not known.

    Examples
    --------
    >>> Z = np.arange(40.0).reshape(8, 5)
    >>> X, Y = Z + np.sin(Z), Z + 20 * np.cos(Z)
    >>> williams_test(X, Y, Z, alternative="greater").p < 0.05
    True
    """
    first, second, between = three_correlations(X, Y, Z, level=level, coefficient=coefficient, means=means)
    if turned:
        signed_between = between.value * np.sign(first.value) * np.sign(second.value)
        first = replace(first, value=abs(first.value))
        second = replace(second, value=abs(second.value))
        between = replace(between, value=float(signed_between))
    t, p = williams_t(first.value, second.value, between.value, first.n, alternative=alternative)
    comparison = compare_resampled(
        ResampledDifference("williams", "", first, second, np.zeros(0)), alternative
    )
    flag = first.flag or (UNDEFINED_CORRELATION if np.isnan(t) else "")
    return replace(comparison, p=p, statistic=t, flag=flag)


def williams_t(
    r12: float, r13: float, r23: float, n: int, *, alternative: str = "two-sided"
) -> tuple[float, float]:
    """Williams' t and its p-value from three correlations of ``n`` points.

    Williams (1959); Steiger (1980), equation 7.

    Parameters
    ----------
    r12, r13 : float
        Correlations of the human scores with the first and with the second metric.
    r23 : float
        Correlation of the two metrics.
    n : int
        Number of points; t has n - 3 degrees of freedom.
    alternative : {"two-sided", "greater", "less"}
        What is tested of r12 less r13.

    Returns
    -------
    t, p : float
        NaN and 1 if t is undefined: fewer than four points, or metrics that are one.

    Raises
    ------
    ValueError
        The alternative is not known.

    Examples
    --------
    >>> t, p = williams_t(0.85, 0.75, 0.9, 20, alternative="greater")
    >>> round(t, 6), round(p, 6)
    (1.749144, 0.049148)
    """
    from scipy.special import stdtr

    check_choice(alternative, ALTERNATIVES, "alternative")
    undefined = float("nan"), 1.0
    if n < MIN_POINTS or np.isnan([r12, r13, r23]).any():
        return undefined
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    scale = 2 * determinant * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if 1 - r23 <= ROUNDING or scale <= 0:  # some processors compute a correlation of 1 as slightly less
        return undefined
    t = float((r12 - r13) * np.sqrt((n - 1) * (1 + r23) / scale))
    p_less = float(stdtr(n - 3, t))
    p_greater = float(stdtr(n - 3, -t))
    p = {"greater": p_greater, "less": p_less, "two-sided": 2 * min(p_less, p_greater)}
    return t, p[alternative]
