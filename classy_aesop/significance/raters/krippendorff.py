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
(``benchmarks/comparing/alpha_intervals.py``).
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
from classy_aesop.significance.equality import ROUNDING, snap_ties
from classy_aesop.significance.resampling.resamples import batch_sizes

RATING_SCALES: tuple[str, ...] = get_args(Scale)

#: Reasons for an undefined alpha.
NO_UNITS, NO_VARIATION = "no unit with two ratings", "all ratings alike"

#: Reason for no interval where the jackknife has no variance, or no end.
NO_INTERVAL = "no interval: alpha is 1 without one unit, or the same without any"

MIN_UNITS = 20
"""Units from which alpha has an interval."""

MIN_UNITS_OFF_MODE = 8
"""Units with a rating other than the commonest one from which alpha has an interval.

With two raters, two grades and 10 % of the rarer one, intervals with fewer hold the true alpha too rarely: with 6,
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

    The value is NaN, with a flag, if no unit has two ratings or all ratings are alike. There is no interval, with a
    flag, below `MIN_UNITS` units, below `MIN_UNITS_OFF_MODE` that leave the commonest grade, where alpha is 1 with or
    without some unit, and where leaving out any unit gives the same value.

    Parameters
    ----------
    ratings : array_like, shape (n_raters, n_units)
        NaN where missing. Names as ratings are numbered by the caller (nominal only).
    scale : {"interval", "ordinal", "nominal", "ratio"}
        How ratings differ, see the module; ``ratio`` is for ratings that are not negative.
    confidence : float
        Of the interval, between 0 and 1.

    Returns
    -------
    Alpha
        The value, its interval, and what they rest on.

    Raises
    ------
    ValueError
        The scale is unknown, the confidence is not between 0 and 1, or a rating is below 0 on a ratio scale.

    Examples
    --------
    >>> found = krippendorff_alpha([[3, 2, 4, 5, 1], [3, 3, 4, 4, 1]])
    >>> found.value, found.flag
    (0.8875, 'no interval: 5 units; expected 20 or more')
    >>> found = krippendorff_alpha([[3, 2, 4, 5, 1] * 5, [3, 3, 4, 4, 1] * 5])
    >>> round(found.low, 3), round(found.high, 3)
    (0.757, 0.938)
    """
    check_share(confidence, "confidence")
    values, counts, n_single = _pairable(ratings, scale)
    n = counts.sum(axis=1)
    value = float(_alphas(values, counts, np.ones((1, len(counts))), scale)[0])
    low, high, flag = np.nan, np.nan, NO_VARIATION if len(counts) else NO_UNITS
    if not np.isnan(value):
        flag = _lacks_for_interval(counts)
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


def _lacks_for_interval(counts: FloatArray) -> str:
    """Say what units with the counts of their ratings, (n_units, n_values), lack for an interval; nothing if enough."""
    if len(counts) < MIN_UNITS:
        return f"no interval: {len(counts)} units; expected {MIN_UNITS} or more"
    totals = counts.sum(axis=0)
    is_mode = totals == totals.max()
    leaves_mode = counts[:, is_mode] < counts.sum(axis=1, keepdims=True)
    n_off_mode = int(leaves_mode.sum(axis=0).min())
    if n_off_mode < MIN_UNITS_OFF_MODE:
        expected = f"expected {MIN_UNITS_OFF_MODE} or more"
        return f"no interval: {n_off_mode} units with another rating than the commonest; {expected}"
    return ""


def _jackknife_interval(
    value: float, values: FloatArray, counts: FloatArray, scale: str, confidence: float
) -> tuple[float, float]:
    """Give the t interval of log(1 - alpha), turned back; NaN where no unit, or only one, makes a difference."""
    from scipy.special import stdtrit

    # units with the same ratings are one pattern: leaving out any of them gives the same value
    patterns, n_of_pattern = np.unique(counts, axis=0, return_counts=True)
    sizes = batch_sizes(len(patterns))
    starts = np.cumsum([0, *sizes[:-1]])
    weights = (
        n_of_pattern - np.eye(size, len(patterns), k=start) for start, size in zip(starts, sizes, strict=True)
    )
    left_out = np.concatenate([_alphas(values, patterns, part, scale) for part in weights])
    if np.isnan(left_out).any() or max(value, left_out.max()) >= 1:
        return np.nan, np.nan
    n = len(counts)
    logs = np.log1p(-left_out)
    deviations = logs - n_of_pattern @ logs / n
    error = np.sqrt((n - 1) / n * (n_of_pattern @ deviations**2))
    if error <= ROUNDING:
        return np.nan, np.nan
    margin = float(stdtrit(n - 1, (1 + confidence) / 2) * error)
    return 1 - (1 - value) * np.exp(margin), 1 - (1 - value) * np.exp(-margin)


def confusion_counts(ratings: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Count the pairs of values that the ratings of one unit have; (n_raters, n_units), NaN where missing.

    Rankel (2016), chapter 6, Figures 6.1 and 6.2.

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
    values, counts, _ = _pairable(ratings, "nominal")
    pairs = counts.T @ counts
    same = (np.diag(pairs) - counts.sum(axis=0)) / 2
    return values, np.rint(np.triu(pairs, k=1) + np.diag(same)).astype(np.int64)


def ratings_of_units(units: Iterable[Sequence[float]]) -> FloatArray:
    """Lay out units with any number of ratings each as an array, (largest number, n_units), NaN below.

    Examples
    --------
    >>> ratings_of_units([(3, 2), (4, 4, 5)]).tolist()
    [[3.0, 4.0], [2.0, 4.0], [nan, 5.0]]
    """
    units = list(units)
    ratings = np.full((max(map(len, units), default=0), len(units)), np.nan)
    for u, unit in enumerate(units):
        ratings[: len(unit), u] = unit
    return ratings


def _pairable(ratings: ArrayLike, scale: str) -> tuple[FloatArray, FloatArray, int]:
    """Distinct values, how often each unit has them (n_units, n_values), and the units left out."""
    check_choice(scale, RATING_SCALES, "scale")
    ratings = score_matrix(ratings, "ratings")
    n = np.count_nonzero(~np.isnan(ratings), axis=0)
    kept = ratings[:, n > 1].T
    given = ~np.isnan(kept)
    values, which = np.unique(snap_ties(kept[given]), return_inverse=True)
    if scale == "ratio" and len(values) and values[0] < 0:
        raise ValueError(f"ratings go down to {values[0]}; expected none below 0 on a ratio scale")
    counts = np.zeros((len(kept), len(values)))
    np.add.at(counts, (np.nonzero(given)[0], which), 1.0)
    return values, counts, int(np.count_nonzero(n == 1))


def _alphas(values: FloatArray, counts: FloatArray, weights: FloatArray, scale: str) -> FloatArray:
    """Alpha with every unit taken ``weights`` times; weights of shape (n_resamples, n_units)."""
    if len(counts) == 0:
        return np.full(len(weights), np.nan)
    marginals = weights @ counts
    if scale in _DISTANCES:
        distance = _DISTANCES[scale](values)
        within = np.einsum("uv,uv->u", counts @ distance, counts) / (counts.sum(axis=1) - 1)
        observed, expected = weights @ within, np.einsum("bv,bv->b", marginals @ distance, marginals)
    else:
        # ordinal: the mid-ranks of each resample; interval: values, centred so that squares do not cancel; squared
        # differences within units and of all are found by sums of squares
        ranks = np.cumsum(marginals, axis=1) - (marginals + 1) / 2
        places = ranks if scale == "ordinal" else (values - values.mean())[None, :]
        m = counts.sum(axis=1)
        sums, squares = places @ counts.T, places**2 @ counts.T
        within = 2 * np.maximum(m * squares - sums**2, 0.0) / (m - 1)
        total, square = (
            np.einsum("bv,bv->b", marginals, np.broadcast_to(S, marginals.shape)) for S in (places, places**2)
        )
        observed = np.einsum("bu,bu->b", weights, np.broadcast_to(within, weights.shape))
        expected = 2 * (marginals.sum(axis=1) * square - total**2)
    n = marginals.sum(axis=1)
    varies = np.count_nonzero(marginals, axis=1) > 1
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, 1 - (n - 1) * observed / expected, np.nan)


_TINY = np.finfo(np.float64).tiny  # two ratings of 0 do not differ

_DISTANCES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "nominal": lambda values: 1.0 - np.eye(len(values)),
    "ratio": lambda values: (
        (np.subtract.outer(values, values) / np.maximum(np.add.outer(values, values), _TINY)) ** 2
    ),
}
