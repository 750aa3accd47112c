"""Krippendorff's alpha: do raters agree with each other, or with themselves?

Ratings are an array of raters x units, NaN where a rater has not rated. For one assessor who rated the same
text several times a unit is that text, and "raters" are the first time, the second time and so on
(:func:`ratings_of_units`). A unit with a single rating contains no information on agreement and is left out.
alpha = 1 - D_o/D_e. D_o is the mean difference within units, each unit's pairs weighted by 1/(m - 1) where it
has m ratings; D_e is the mean difference of all ratings with each other. Differences are ``nominal`` (0 or 1),
``interval`` ((c - k)^2), ``ratio`` (((c - k)/(c + k))^2) or ``ordinal``: the interval difference of mid-ranks,
which is Krippendorff's sum over the ratings between c and k.
Krippendorff (2011), "Computing Krippendorff's alpha-reliability"; Rankel (2016), section 3.6 and chapter 6.

Its interval is the jackknife's: with alpha_u the value without unit u, log(1 - alpha) has the variance
(n - 1)/n times the sum over units of (log(1 - alpha_u) - mean)^2, and a t distribution with n - 1 degrees of freedom
(Miller 1974, "The jackknife: a review", sections 2 and 3). With few units, or few that have another grade than the most
frequent one, the variance is poorly estimated, and there is no interval. Percentiles of resampled units, which drop the
resamples without variation, cover a quarter to two thirds of true values there
(measured at commit ba64b527).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    FloatArray,
    IntArray,
    Result,
    check_choice,
    check_share,
    score_matrix,
)
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.draws import batch_sizes
from classy_aesop.significance.equality import ROUNDING, snap_ties
from classy_aesop.significance.leave_one_out import leave_one_out_errors

RATING_SCALES: tuple[str, ...] = get_args(Scale)

NO_UNITS = "no unit with two ratings"
NO_VARIATION = "all ratings alike"
"""Flags of an undefined alpha."""

NO_INTERVAL = "no interval: alpha is 1 without one unit, or the same without any"
"""Flag of no interval where the jackknife has no variance, or no finite end."""

MIN_UNITS = 20
"""With fewer units alpha has no interval."""

MIN_UNITS_OFF_MODE = 8
"""With fewer units that have another rating than the most frequent one alpha has no interval.

With two raters, two grades and 10 % of the rarer one, such intervals cover the true alpha too rarely: with 6,
.85 of those on 40 units (true alpha .3); with 8, .89 to .96 of those on 40 and more (true alpha .3 to .9).
"""


@dataclass(frozen=True, slots=True)
class Alpha(Result):
    """Krippendorff's alpha and what it was computed from.

    Attributes
    ----------
    value : float
        At most 1 (full agreement); 0 is what chance gives; NaN where undefined, see ``flag``.
    low, high : float
        The jackknife's interval; NaN where ``flag`` says why not.
    n_units, n_ratings, n_pairs : int
        Units with at least two ratings, the ratings in them, and the unordered pairs these make.
    n_single : int
        Units left out because they have one rating.
    flag : str
        Why there is no alpha, or no interval; else empty.
    """

    value: float
    low: float
    high: float
    confidence: float
    scale: str
    n_units: int
    n_ratings: int
    n_pairs: int
    n_single: int
    flag: str


def krippendorff_alpha(ratings: ArrayLike, *, scale: str = "interval", confidence: float = 0.95) -> Alpha:
    """Krippendorff's alpha, with the jackknife's interval over units.

    Parameters
    ----------
    ratings : array_like, shape (n_raters, n_units)
        NaN where missing. Ratings that are names have to be numbered before (nominal only).
    scale : {"interval", "ordinal", "nominal", "ratio"}
        How ratings differ, see the module; ``ratio`` is for ratings that are not negative.
    confidence : float
        Of the interval, between 0 and 1.

    Returns
    -------
    Alpha
        Its value is NaN, with a flag, if no unit has two ratings or all ratings are equal. There is no interval, with a
        flag, with fewer than `MIN_UNITS` units, with fewer than `MIN_UNITS_OFF_MODE` that have another grade than the
        most frequent one, where alpha is 1 with or without some unit, and where leaving out any unit gives the same
        value.

    Raises
    ------
    ValueError
        The scale is unknown, the confidence is not between 0 and 1, or a rating is below 0 on a ratio scale.

    Examples
    --------
    >>> alpha = krippendorff_alpha([[3, 2, 4, 5, 1], [3, 3, 4, 4, 1]])
    >>> alpha.value, alpha.flag
    (0.8875, 'no interval: 5 units; expected 20 or more')
    >>> alpha = krippendorff_alpha([[3, 2, 4, 5, 1] * 5, [3, 3, 4, 4, 1] * 5])
    >>> round(alpha.low, 3), round(alpha.high, 3)
    (0.757, 0.938)
    """
    check_share(confidence, "confidence")
    values, counts, n_single = _count_values(ratings, scale)
    n = counts.sum(axis=1)
    value = float(_weighted_alphas(values, counts, np.ones((1, len(counts))), scale)[0])
    flag = NO_VARIATION if len(counts) else NO_UNITS
    if not np.isnan(value):
        flag = _reason_without_interval(counts)
    low = high = np.nan
    if not flag:
        low, high = _jackknife_interval(value, values, counts, scale, confidence)
        flag = NO_INTERVAL if np.isnan(low) else ""
    return Alpha(
        value=value,
        low=float(low),
        high=float(high),
        confidence=confidence,
        scale=scale,
        n_units=len(counts),
        n_ratings=int(n.sum()),
        n_pairs=int((n * (n - 1) / 2).sum()),
        n_single=n_single,
        flag=flag,
    )


def _reason_without_interval(counts: FloatArray) -> str:
    """Flag of no interval from the counts of ratings, (n_units, n_values); empty if there is one."""
    if len(counts) < MIN_UNITS:
        return f"no interval: {len(counts)} units; expected {MIN_UNITS} or more"
    totals = counts.sum(axis=0)
    is_mode = totals == totals.max()
    differs_from_mode = counts[:, is_mode] < counts.sum(axis=1, keepdims=True)
    n_off_mode = int(differs_from_mode.sum(axis=0).min())
    if n_off_mode < MIN_UNITS_OFF_MODE:
        expected = f"expected {MIN_UNITS_OFF_MODE} or more"
        return f"no interval: {n_off_mode} units with another rating than the commonest; {expected}"
    return ""


def _jackknife_interval(
    value: float, values: FloatArray, counts: FloatArray, scale: str, confidence: float
) -> tuple[float, float]:
    """T interval of log(1 - alpha), transformed back; NaN where no unit, or only one, changes alpha."""
    from scipy.special import stdtrit

    # units with the same ratings are one pattern: leaving out any of them gives the same value
    patterns, pattern, n_of_pattern = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
    batches = []
    start = 0
    for batch_size in batch_sizes(len(patterns)):
        weights = n_of_pattern - np.eye(batch_size, len(patterns), k=start)
        batches.append(_weighted_alphas(values, patterns, weights, scale))
        start += batch_size
    left_out = np.concatenate(batches)
    if np.isnan(left_out).any() or max(value, left_out.max()) >= 1:
        return np.nan, np.nan
    logs = np.log1p(-left_out)[pattern].reshape(-1, 1)
    error, df = leave_one_out_errors(logs, logs.mean(axis=0), np.ones(logs.shape))
    if error[0] <= ROUNDING:
        return np.nan, np.nan
    margin = float((stdtrit(df, (1 + confidence) / 2) * error)[0])
    return 1 - (1 - value) * np.exp(margin), 1 - (1 - value) * np.exp(-margin)


def confusion_counts(ratings: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Count the pairs of values that the ratings of one unit have.

    Rankel (2016), chapter 6, Figures 6.1 and 6.2.

    Parameters
    ----------
    ratings : array_like, shape (n_raters, n_units)
        NaN where missing.

    Returns
    -------
    values : ndarray, shape (n_values,)
        Distinct ratings, ascending.
    counts : ndarray of int, shape (n_values, n_values)
        Unordered pairs of ratings of one unit, the lower value by row and the higher by column; 0 below the diagonal.

    Examples
    --------
    >>> confusion_counts([[3, 2, 2], [3, 3, 2]])[1].tolist()
    [[1, 1], [0, 1]]
    """
    values, counts, _ = _count_values(ratings, "nominal")
    n_pairs = counts.T @ counts
    n_equal_pairs = (np.diag(n_pairs) - counts.sum(axis=0)) / 2
    return values, np.rint(np.triu(n_pairs, k=1) + np.diag(n_equal_pairs)).astype(np.int64)


def ratings_of_units(units: Iterable[Sequence[float]]) -> FloatArray:
    """Arrange units with any number of ratings each as an array, (largest number, n_units), NaN below.

    Examples
    --------
    >>> ratings_of_units([(3, 2), (4, 4, 5)]).tolist()
    [[3.0, 4.0], [2.0, 4.0], [nan, 5.0]]
    """
    units = list(units)
    ratings = np.full((max(map(len, units), default=0), len(units)), np.nan)
    for column, unit in enumerate(units):
        ratings[: len(unit), column] = unit
    return ratings


def _count_values(ratings: ArrayLike, scale: str) -> tuple[FloatArray, FloatArray, int]:
    """Distinct values, how often each unit has them (n_units, n_values), and the number of units left out."""
    check_choice(scale, RATING_SCALES, "scale")
    ratings = score_matrix(ratings, "ratings")
    n = np.count_nonzero(~np.isnan(ratings), axis=0)
    units = ratings[:, n > 1].T
    is_present = ~np.isnan(units)
    values, index = np.unique(snap_ties(units[is_present]), return_inverse=True)
    if scale == "ratio" and len(values) and values[0] < 0:
        raise ValueError(f"ratings go down to {values[0]}; expected none below 0 on a ratio scale")
    counts = np.zeros((len(units), len(values)))
    np.add.at(counts, (np.nonzero(is_present)[0], index), 1.0)
    return values, counts, int(np.count_nonzero(n == 1))


def _weighted_alphas(values: FloatArray, counts: FloatArray, weights: FloatArray, scale: str) -> FloatArray:
    """Alpha with every unit counted ``weights`` times; weights of shape (n_resamples, n_units)."""
    if len(counts) == 0:
        return np.full(len(weights), np.nan)
    marginals = weights @ counts
    if scale in _DISTANCES:
        observed, expected = _disagreement_by_distance(_DISTANCES[scale](values), counts, weights, marginals)
    else:
        observed, expected = _disagreement_by_squares(values, counts, weights, marginals, scale)
    n = marginals.sum(axis=1)
    varies = np.count_nonzero(marginals, axis=1) > 1
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, 1 - (n - 1) * observed / expected, np.nan)


def _disagreement_by_distance(
    distance: FloatArray, counts: FloatArray, weights: FloatArray, marginals: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Observed and expected disagreement from the distances of all pairs of values."""
    within_units = np.einsum("uv,uv->u", counts @ distance, counts) / (counts.sum(axis=1) - 1)
    return weights @ within_units, np.einsum("bv,bv->b", marginals @ distance, marginals)


def _disagreement_by_squares(
    values: FloatArray, counts: FloatArray, weights: FloatArray, marginals: FloatArray, scale: str
) -> tuple[FloatArray, FloatArray]:
    """Observed and expected squared differences, from sums of squares.

    Of mid-ranks in each resample on an ordinal scale; of values on an interval scale, centred so that squares do not
    cancel.
    """
    if scale == "ordinal":
        positions = np.cumsum(marginals, axis=1) - (marginals + 1) / 2
    else:
        positions = (values - values.mean())[None, :]
    unit_sizes = counts.sum(axis=1)
    sums = positions @ counts.T
    squares = positions**2 @ counts.T
    within_units = 2 * np.maximum(unit_sizes * squares - sums**2, 0.0) / (unit_sizes - 1)
    total = np.einsum("bv,bv->b", marginals, np.broadcast_to(positions, marginals.shape))
    square_total = np.einsum("bv,bv->b", marginals, np.broadcast_to(positions**2, marginals.shape))
    observed = np.einsum("bu,bu->b", weights, np.broadcast_to(within_units, weights.shape))
    expected = 2 * (marginals.sum(axis=1) * square_total - total**2)
    return observed, expected


def _nominal_distance(values: FloatArray) -> FloatArray:
    """1 for different values, else 0."""
    return np.asarray(1.0 - np.eye(len(values)))


def _ratio_distance(values: FloatArray) -> FloatArray:
    """((c - k)/(c + k))^2; two ratings of 0 do not differ."""
    sums = np.maximum(np.add.outer(values, values), np.finfo(np.float64).tiny)
    return np.asarray((np.subtract.outer(values, values) / sums) ** 2)


_DISTANCES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "nominal": _nominal_distance,
    "ratio": _ratio_distance,
}
