"""Krippendorff's alpha: do raters agree with each other, or with themselves?

Ratings are an array of raters x units, NaN where a rater has not rated. For one assessor who rated the same
text several times a unit is that text, and "raters" are the first time, the second time and so on
(:func:`ratings_of_units`). A unit with a single rating contains no information on agreement and is left out.
alpha = 1 - D_o/D_e. D_o is the mean difference within units, each unit's pairs weighted by 1/(m - 1) where it
has m ratings; D_e is the mean difference of all ratings with each other. Differences are ``nominal`` (0 or 1),
``interval`` ((c - k)^2) or ``ordinal``: the interval difference of mid-ranks, which is Krippendorff's sum over the
ratings between c and k.
Krippendorff (2011), "Computing Krippendorff's alpha-reliability"; Rankel (2016), section 3.6 and chapter 6.

Its interval is the jackknife's: with alpha_u the value without unit u, log(1 - alpha) has the variance
(n - 1)/n times the sum over units of (log(1 - alpha_u) - mean)^2, and a t distribution with n - 1 degrees of freedom
(Miller 1974, "The jackknife: a review", sections 2 and 3). With few units, or few that have another grade than the most
frequent one, the variance is poorly estimated, and there is no interval. Percentiles of resampled units, which drop the
resamples without variation, cover a quarter to two thirds of true values there
(measured at commit ba64b527).

Both disagreements without each unit follow from those of all units and from the unit's own ratings, so the cost grows
with the number of ratings; of ordinal differences, which depend on all values, with the number of distinct values times
the units, in blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array, vstack

from classy_aesop.significance.base import FloatArray, batch_slices, score_matrix
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.equality import ROUNDING, round_to_zero, snap_ties
from classy_aesop.significance.leave_one_out import leave_one_out_errors

RATING_SCALES: tuple[str, ...] = get_args(Scale)

NO_UNITS = "no unit with two ratings"
NO_VARIATION = "all ratings alike"
"""Flags of an undefined alpha."""

NO_INTERVAL = "no interval: alpha is 1 without one unit, or the same without any"
"""Flag of no interval where the jackknife has no variance, or no finite end."""

MAX_BLOCK_CELLS = 2**21
"""Cells of a block of a matrix of all values that is computed at once."""

MIN_UNITS = 20
"""With fewer units alpha has no interval."""

MIN_UNITS_OFF_MODE = 8
"""With fewer units that have another rating than the most frequent one alpha has no interval.

With two raters, two grades and 10 % of the rarer one, such intervals cover the true alpha too rarely: with 6,
.85 of those on 40 units (true alpha .3); with 8, .89 to .96 of those on 40 and more (true alpha .3 to .9).
"""


@dataclass(frozen=True, slots=True)
class Alpha:
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
    agreement, mode_share : float
        Share of the pairs that are equal, and of the ratings that are the most frequent one; NaN without any.
    flag : str
        Why there is no alpha, or no interval; else empty.
    """

    value: float
    low: float
    high: float
    n_units: int
    n_ratings: int
    n_pairs: int
    n_single: int
    agreement: float
    mode_share: float
    flag: str


def krippendorff_alpha(ratings: ArrayLike, *, scale: str = "interval", confidence: float = 0.95) -> Alpha:
    """Krippendorff's alpha, with the jackknife's interval over units.

    Shapes: ``ratings`` (n_raters, n_units).

    Examples
    --------
    >>> alpha = krippendorff_alpha([[3, 2, 4, 5, 1], [3, 3, 4, 4, 1]])
    >>> alpha.value, alpha.flag
    (0.8875, 'no interval: 5 units; expected 20 or more')
    >>> alpha = krippendorff_alpha([[3, 2, 4, 5, 1] * 5, [3, 3, 4, 4, 1] * 5])
    >>> round(alpha.low, 3), round(alpha.high, 3)
    (0.757, 0.938)
    """
    counts, values, n_single = _count_ratings(ratings, scale)
    sizes = counts.sum(axis=1)
    totals = counts.sum(axis=0)
    value, left_out = _alphas(counts, values, scale)
    flag = NO_VARIATION if len(sizes) else NO_UNITS
    if not np.isnan(value):
        flag = _reason_without_interval(counts)
    low = high = np.nan
    if not flag:
        low, high = _jackknife_interval(value, left_out, confidence)
        flag = NO_INTERVAL if np.isnan(low) else ""
    n_ratings = int(totals.sum())
    n_pairs = int((sizes * (sizes - 1) / 2).sum())
    n_equal_pairs = float((counts.data * (counts.data - 1) / 2).sum())
    return Alpha(
        value=value,
        low=float(low),
        high=float(high),
        n_units=len(sizes),
        n_ratings=n_ratings,
        n_pairs=n_pairs,
        n_single=n_single,
        agreement=n_equal_pairs / n_pairs if n_pairs else np.nan,
        mode_share=float(totals.max() / n_ratings) if n_ratings else np.nan,
        flag=flag,
    )


def _reason_without_interval(counts: csr_array) -> str:
    """Flag of no interval; empty if there is one."""
    n_units, n_values = counts.shape
    if n_units < MIN_UNITS:
        return f"no interval: {n_units} units; expected {MIN_UNITS} or more"
    units_of_one_value = np.bincount(counts[np.diff(counts.indptr) == 1].indices, minlength=n_values)
    totals = counts.sum(axis=0)
    n_off_mode = n_units - int(units_of_one_value[totals == totals.max()].max())
    if n_off_mode < MIN_UNITS_OFF_MODE:
        expected = f"expected {MIN_UNITS_OFF_MODE} or more"
        return f"no interval: {n_off_mode} units with another rating than the commonest; {expected}"
    return ""


def _jackknife_interval(value: float, left_out: FloatArray, confidence: float) -> tuple[float, float]:
    """T interval of log(1 - alpha), transformed back; NaN where no unit, or only one, changes alpha."""
    from scipy.special import stdtrit

    if np.isnan(left_out).any() or max(value, left_out.max()) >= 1:
        return np.nan, np.nan
    logs = np.log1p(-left_out).reshape(-1, 1)
    error, df = leave_one_out_errors(logs, logs.mean(axis=0), np.ones(logs.shape))
    if error[0] <= ROUNDING:
        return np.nan, np.nan
    margin = float((stdtrit(df, (1 + confidence) / 2) * error)[0])
    return 1 - (1 - value) * np.exp(margin), 1 - (1 - value) * np.exp(-margin)


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


def _count_ratings(ratings: ArrayLike, scale: str) -> tuple[csr_array, FloatArray, int]:
    """Count how often each unit of two ratings or more has each distinct value, (n_units, n_values).

    Also gives the values, ascending, and the number of units with a single rating.
    """
    if scale not in RATING_SCALES:
        raise ValueError(f"scale is {scale!r}; expected one of {', '.join(RATING_SCALES)}")
    ratings = score_matrix(ratings, "ratings")
    n = np.count_nonzero(~np.isnan(ratings), axis=0)
    units = ratings[:, n > 1].T
    is_present = ~np.isnan(units)
    values, code = np.unique(snap_ties(units[is_present]), return_inverse=True)
    cells = np.nonzero(is_present)[0], code
    counts = csr_array((np.ones(len(code)), cells), shape=(len(units), len(values)))
    return counts, values, int(np.count_nonzero(n == 1))


def _alphas(counts: csr_array, values: FloatArray, scale: str) -> tuple[float, FloatArray]:
    """Alpha of all units, and without each; NaN where ratings do not vary."""
    if not counts.shape[0]:
        return np.nan, np.empty(0)
    observed, expected = (
        _ordinal_disagreement(counts)
        if scale == "ordinal"
        else _disagreement_of_values(counts, values, scale)
    )
    totals = counts.sum(axis=0)
    entries = counts.tocoo()
    n_lost_values = np.bincount(entries.coords[0], entries.data == totals[entries.coords[1]])
    varies = len(totals) - np.append(0, n_lost_values) > 1
    n = totals.sum() - np.append(0, counts.sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        alphas = np.where(varies, 1 - round_to_zero((n - 1) * observed / expected, ROUNDING), np.nan)
    return float(alphas[0]), alphas[1:]


def _disagreement_of_values(
    counts: csr_array, values: FloatArray, scale: str
) -> tuple[FloatArray, FloatArray]:
    """Observed and expected disagreement of all units, then without each, by differences of values."""
    totals = counts.sum(axis=0)
    sizes = counts.sum(axis=1)
    if scale == "nominal":
        from_all = totals.sum() - totals
        within = sizes**2 - counts.power(2).sum(axis=1)
    else:
        centred = values - values.mean()
        from_all = totals.sum() * centred**2 - 2 * centred * (totals @ centred) + totals @ centred**2
        entries = counts.tocoo()
        unit, code = entries.coords
        deviations = centred[code] - (counts @ centred / sizes)[unit]
        within = 2 * sizes * np.bincount(unit, entries.data * deviations**2)
    expected = totals @ from_all
    expected_without = expected - 2 * (counts @ from_all) + within
    weighted = within / (sizes - 1)
    observed = weighted.sum()
    return np.append(observed, observed - weighted), np.append(expected, expected_without)


def _ordinal_disagreement(counts: csr_array) -> tuple[FloatArray, FloatArray]:
    """Observed and expected squared differences of mid-ranks of all units, then without each.

    The squared differences of all pairs within units follow from how often two values coincide there.
    """
    totals = counts.sum(axis=0)
    n_units, n_values = counts.shape
    coincidences = counts.T @ counts.multiply(1 / (counts.sum(axis=1) - 1)[:, None]).tocsr()
    n_coincidences = coincidences.sum(axis=1)
    left_out = vstack([csr_array((1, n_values)), counts]).tocsr()  # first none
    observed, expected = np.empty((2, n_units + 1))
    for block in batch_slices(n_units + 1, max(1, MAX_BLOCK_CELLS // n_values)):
        own_counts = left_out[block].toarray()
        size: FloatArray = own_counts.sum(axis=1, keepdims=True)
        totals_left = totals - own_counts
        n_left = totals.sum() - size
        ranks = np.cumsum(totals_left, axis=1) - totals_left / 2 - n_left / 2  # whose mean is 0
        squares = np.square(ranks)
        of_all_pairs = squares @ n_coincidences - ((ranks @ coincidences) * ranks).sum(axis=1)
        deviations = ranks - (own_counts * ranks).sum(axis=1, keepdims=True) / np.maximum(size, 1)
        of_own_pairs = (own_counts * np.square(deviations) * size / np.maximum(size - 1, 1)).sum(axis=1)
        observed[block] = 2 * (of_all_pairs - of_own_pairs)
        expected[block] = 2 * n_left[:, 0] * (totals_left * squares).sum(axis=1)
    return observed, expected
