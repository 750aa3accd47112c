"""The result of a test of two metrics, and the p-value of resampled differences.

Departs from Deutsch et al. (2021): tests are two-sided by default, and p = (count + 1)/(n + 1), so that it is never 0;
their code is one-sided and gives the plain share. Where all exchanges are made p is their share, the observed one
included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import FloatArray, Result, check_choice
from classy_aesop.significance.choices import ALTERNATIVES
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import UNDEFINED_CORRELATION
from classy_aesop.significance.metrics.resampled_differences import ResampledDifference


@dataclass(frozen=True, slots=True)
class MetricComparison(Result):
    """A test of two metrics' correlations with humans.

    Attributes
    ----------
    test : str
        ``permutation``, ``bootstrap`` or ``williams``.
    method : str
        What was exchanged or resampled; empty for Williams.
    first, second, difference : float
        The two correlations, and the first less the second.
    p : float
        (count + 1) / (n_resamples - n_dropped + 1) for resamplings, the plain share of all exchanges.
    n : int
        Points correlated, see :class:`~classy_aesop.significance.correlations.correlation_levels.Correlation`.
    n_resamples, n_dropped : int
        Number of resamples, and of those without a value; 0 for Williams.
    statistic : float
        Williams' t; the difference for resamplings.
    flag : str
        Why the p-value does not come from a test; else empty.
    """

    test: str
    method: str
    level: str
    coefficient: str
    alternative: str
    first: float
    second: float
    difference: float
    p: float
    n: int
    n_resamples: int
    n_dropped: int
    statistic: float
    flag: str


def compare_resampled(resampled: ResampledDifference, alternative: str = "two-sided") -> MetricComparison:
    """Test the observed difference of two metrics by its resamples.

    Parameters
    ----------
    resampled : ResampledDifference
        The correlations of the two metrics, and the differences on the resamples.
    alternative : {"two-sided", "greater", "less"}
        What is tested of the first less the second.

    Returns
    -------
    MetricComparison
        p is 1, with a flag, if a correlation is undefined, or one of the means of two systems.

    Raises
    ------
    ValueError
        The alternative is not known.
    """
    check_choice(alternative, ALTERNATIVES, "alternative")
    first = resampled.first
    observed = resampled.difference
    values = resampled.values
    flag = first.flag or (UNDEFINED_CORRELATION if np.isnan(observed) else "")
    defined_values = values[:0] if flag else values[~np.isnan(values)]
    return MetricComparison(
        test=resampled.test,
        method=resampled.method,
        level=first.level,
        coefficient=first.coefficient,
        alternative=alternative,
        first=first.value,
        second=resampled.second.value,
        difference=observed,
        p=resampling_p_value(defined_values, observed, alternative, exhaustive=resampled.exhaustive),
        n=first.n,
        n_resamples=len(values),
        n_dropped=len(values) - len(defined_values),
        statistic=observed,
        flag=flag,
    )


def resampling_p_value(
    values: FloatArray, observed: float, alternative: str, *, exhaustive: bool = False
) -> float:
    """P-value of an observed difference from resampled ones: (count + 1) / (n + 1), never 0.

    Parameters
    ----------
    values : ndarray, shape (n_resamples,)
        Differences that chance alone makes, without NaN.
    observed : float
        The observed difference; resamples that equal it within rounding count as extreme.
    alternative : {"two-sided", "greater", "less"}
        Which differences are as extreme.
    exhaustive : bool
        Whether these are all exchanges, the observed scores among them: then p is count / n.

    Examples
    --------
    >>> resampling_p_value(np.array([0.1, -0.2, 0.3]), 0.2, "two-sided")
    0.75
    """
    if alternative == "greater":
        is_as_extreme = values >= observed - ROUNDING
    elif alternative == "less":
        is_as_extreme = values <= observed + ROUNDING
    else:
        is_as_extreme = np.abs(values) >= abs(observed) - ROUNDING
    n_observed = 0 if exhaustive and len(values) else 1
    return float((np.count_nonzero(is_as_extreme) + n_observed) / (len(values) + n_observed))
