"""What does a pilot say of differences by topic? Which variances are plausible, and what they are at another mean.

The sum of squares is the true variance times chi-squared, if scores are normal (Browne, 1995, for planning by it).
Where differences are mostly small and sometimes large, their variance is known less well: the degrees of freedom are
those of the variance of a variance with their kurtosis. Plans are made again for both ends of the 95 % interval of
the variance.

Differences of whole numbers stay whole: their shares are changed, not their sizes. The least change that gives
another mean multiplies them by the exponential of the size ("tilting", Efron 1981).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.significance.base import FloatArray

PLAUSIBLE_QUANTILES = (0.025, 0.975)
"""Quantiles between which a variance is plausible."""


def variance_limits(df: float) -> FloatArray:
    """The least and the greatest plausible variance, as multiples of the pilot's with these degrees of freedom.

    Examples
    --------
    >>> variance_limits(9).round(2).tolist()
    [0.47, 3.33]
    """
    from scipy.special import chdtri

    return np.asarray(df / chdtri(df, PLAUSIBLE_QUANTILES))


def degrees_of_freedom(differences: FloatArray) -> float:
    """Degrees of freedom of the variance of differences, by their kurtosis; at least 1, at most one less than they are.

    Shapes: ``differences`` (n,).

    Examples
    --------
    >>> degrees_of_freedom(np.array([0.0, 1, 2, 3])), degrees_of_freedom(np.repeat([0.0, 1], [39, 1]))
    (3.0, 2.1576763485477173)
    """
    n = len(differences)
    squares = np.square((differences - differences.mean()) / np.ptp(differences))
    kurtosis = n * np.square(squares).sum() / squares.sum() ** 2
    return float(np.clip(2 * n / max(kurtosis - (n - 3) / (n - 1), 0.1), 1.0, n - 1.0))


def tilt_differences(
    differences: FloatArray, mean: float, counts: FloatArray | None = None
) -> FloatArray | None:
    """Give differences weights, exponential in their size, so that their mean is another one.

    Shapes: ``differences`` and ``counts`` (n,); gives (n,).

    Examples
    --------
    >>> tilt_differences(np.array([-1.0, 0, 1]), 0.5).round(3).tolist()
    [0.116, 0.268, 0.616]
    """
    from scipy.optimize import brentq

    if not differences.min() < mean < differences.max():
        return None
    sizes = (differences - mean) / np.ptp(differences)

    def weights(slope: float) -> FloatArray:
        powers = np.exp(slope * sizes - np.max(slope * sizes))
        if counts is not None:
            powers *= counts
        return np.asarray(powers / powers.sum())

    reach = 1.0
    while weights(reach) @ sizes < 0 or weights(-reach) @ sizes > 0:
        reach *= 2
    return weights(brentq(lambda slope: float(weights(slope) @ sizes), -reach, reach))


def variance_of_passes(differences: FloatArray, mean: float, counts: FloatArray | None = None) -> float:
    """Variance of differences of scores that pass or fail, if their mean were another one.

    Half a topic more is counted with each sign, so that a pilot without a difference leads to a plan.

    Shapes: ``differences`` and ``counts`` (n,).

    Examples
    --------
    >>> round(variance_of_passes(np.zeros(38), 0.2), 3)
    0.165
    """
    if counts is None:
        counts = np.ones(len(differences))
    n = float(counts.sum())
    with_both_signs = np.append(differences, BOTH_SIGNS)
    weights = tilt_differences(with_both_signs, mean, np.append(counts, [0.5, 0.5]))
    if weights is None:
        raise ValueError(f"mean is {mean}; expected between -1 and 1")
    return float((weights @ np.square(with_both_signs) - mean**2) * n / (n - 1))


BOTH_SIGNS = (1.0, -1.0)
"""Differences that are counted beside those of passes and failures."""

SMALLEST_DEVIATION_OF_PASSES = 1e-6
"""A smaller deviation of differences of passes is rounding."""


@dataclass(frozen=True)
class PilotDifference:
    """The difference of two systems on one topic that both have, as a pilot estimates it.

    Attributes
    ----------
    deviation, df : float
        Its standard deviation as estimated by a model, and the degrees of freedom; 0 or NaN where it is not.
    differences : ndarray, shape (n,)
        On the topics that both have.
    is_pass_or_fail : bool
        Whether scores are 0 or 1, or means of such, so that the deviation depends on the mean difference.

    Examples
    --------
    >>> pilot = PilotDifference.from_differences(np.repeat([-1.0, 0, 1], [2, 16, 2]), is_pass_or_fail=True)
    >>> [round(pilot.deviation_at(difference) ** 2, 3) for difference in (0.1, 0.5)]
    [0.257, 0.286]
    """

    deviation: float
    df: float
    differences: FloatArray
    is_pass_or_fail: bool = False

    @classmethod
    def from_differences(cls, differences: FloatArray, *, is_pass_or_fail: bool = False) -> PilotDifference:
        """Estimate the deviation from the differences alone."""
        n = len(differences)
        deviation = deviation_of_differences(differences) if n > 1 else math.nan
        return cls(deviation, max(n - 1.0, 0.0), differences, is_pass_or_fail)

    @cached_property
    def distinct_differences(self) -> tuple[FloatArray, FloatArray]:
        """The differences that occur, and on how many topics each."""
        values, counts = np.unique(self.differences, return_counts=True)
        return values, counts.astype(np.float64)

    @property
    def depends_on_difference(self) -> bool:
        """Whether another mean difference has another deviation."""
        return self.is_pass_or_fail and len(self.differences) > 1

    def deviation_at(self, difference: float) -> float:
        """Give the deviation at a mean difference of this size and of the observed sign.

        That of passes is of tilted differences; what missing cells and raters add or take multiplies it.
        """
        if not self.depends_on_difference:
            return self.deviation
        observed = deviation_of_differences(self.differences)
        values, counts = self.distinct_differences
        mean = math.copysign(difference, float(self.differences.mean()) or 1.0)
        of_passes = math.sqrt(variance_of_passes(values, mean, counts))
        is_known = self.deviation > SMALLEST_DEVIATION_OF_PASSES < observed
        return of_passes * (self.deviation / observed if is_known else 1.0)

    def plausible_ratios(self) -> FloatArray:
        """Give the least and the greatest plausible variance, as multiples of the estimated one."""
        differences = self.differences
        if self.depends_on_difference:
            differences = np.append(differences, BOTH_SIGNS)
        df = self.df
        if len(differences) > 1 and np.ptp(differences) > 0:
            df = min(df, degrees_of_freedom(differences))
        return variance_limits(df)


def deviation_of_differences(differences: FloatArray) -> float:
    """Standard deviation of two differences or more, whatever their size: squares of tiny ones would be 0."""
    size = np.ptp(differences)
    return float(size * (differences / size).std(ddof=1)) if size > 0 else 0.0
