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
from classy_aesop.significance.metrics.resampled_differences import (
    ResampledDifference,
)


@dataclass(frozen=True, slots=True)
class MetricComparison(Result):
    """A test of two metrics' correlations with humans.

    Attributes
    ----------
    test : str
        ``permutation``, ``bootstrap`` or ``williams_t``.
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
        Why the p-value is none of a real test; else empty.
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


def compare_resampled(found: ResampledDifference, alternative: str = "two-sided") -> MetricComparison:
    """Test the observed difference of two metrics by its resamples."""
    check_choice(alternative, ALTERNATIVES, "alternative")
    observed = found.difference
    values = found.values
    flag = found.first.flag or (UNDEFINED_CORRELATION if np.isnan(observed) else "")
    defined = values[:0] if flag else values[~np.isnan(values)]
    return MetricComparison(
        test=found.test,
        method=found.method,
        level=found.first.level,
        coefficient=found.first.coefficient,
        alternative=alternative,
        first=found.first.value,
        second=found.second.value,
        difference=observed,
        p=resampling_p_value(defined, observed, alternative, every=found.every),
        n=found.first.n,
        n_resamples=len(values),
        n_dropped=len(values) - len(defined),
        statistic=observed,
        flag=flag,
    )


def resampling_p_value(
    values: FloatArray, observed: float, alternative: str, *, every: bool = False
) -> float:
    """(count + 1) / (n + 1), counting what is as extreme as observed, within rounding; never 0.

    Of ``every`` exchange, the observed scores among them, count / n.
    """
    as_extreme = {
        "greater": lambda: values >= observed - ROUNDING,
        "less": lambda: values <= observed + ROUNDING,
        "two-sided": lambda: np.abs(values) >= abs(observed) - ROUNDING,
    }[alternative]()
    not_counted = 0 if every and len(values) else 1
    return float((np.count_nonzero(as_extreme) + not_counted) / (len(values) + not_counted))
