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

Both disagreements without each unit follow from those of all units and from the unit's own ratings, so the cost grows
with the number of ratings; ratio and ordinal differences, which depend on all values, take the square of the number of
distinct values, or that number times the units, in blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    FloatArray,
    IntArray,
    batch_slices,
    score_matrix,
)
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.equality import ROUNDING, snap_ties
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
    confidence: float
    scale: str
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
    counts = _count_ratings(ratings, scale)
    value, left_out = _alphas(counts, scale)
    flag = NO_VARIATION if counts.n_units else NO_UNITS
    if not np.isnan(value):
        flag = _reason_without_interval(counts)
    low = high = np.nan
    if not flag:
        low, high = _jackknife_interval(value, left_out, confidence)
        flag = NO_INTERVAL if np.isnan(low) else ""
    n_ratings = int(counts.totals.sum())
    n_pairs = int((counts.sizes * (counts.sizes - 1) / 2).sum())
    n_equal_pairs = float((counts.count * (counts.count - 1) / 2).sum())
    return Alpha(
        value=value,
        low=float(low),
        high=float(high),
        confidence=confidence,
        scale=scale,
        n_units=counts.n_units,
        n_ratings=n_ratings,
        n_pairs=n_pairs,
        n_single=counts.n_single,
        agreement=n_equal_pairs / n_pairs if n_pairs else np.nan,
        mode_share=float(counts.totals.max() / n_ratings) if n_ratings else np.nan,
        flag=flag,
    )


def _reason_without_interval(counts: _Counts) -> str:
    """Flag of no interval; empty if there is one."""
    if counts.n_units < MIN_UNITS:
        return f"no interval: {counts.n_units} units; expected {MIN_UNITS} or more"
    is_alone = counts.count == counts.sizes[counts.unit]
    units_of_one_value = np.bincount(counts.code[is_alone], minlength=len(counts.values))
    n_off_mode = counts.n_units - int(units_of_one_value[counts.totals == counts.totals.max()].max())
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


@dataclass(frozen=True, slots=True)
class _Counts:
    """How often each unit of two ratings or more has which value: arrays with one count each, by unit and value.

    ``values`` are the distinct ratings, ascending, to which ``code`` points; ``n_single`` units were left out.
    """

    unit: IntArray
    code: IntArray
    count: FloatArray
    values: FloatArray
    n_units: int
    n_single: int

    @property
    def sizes(self) -> FloatArray:
        """Number of ratings of each unit."""
        return self.sum_by_unit(self.count)

    @property
    def totals(self) -> FloatArray:
        """Number of ratings of each value."""
        return np.bincount(self.code, self.count, minlength=len(self.values)).astype(np.float64)

    def sum_by_unit(self, numbers: FloatArray) -> FloatArray:
        """Sum one number for each count by unit."""
        return np.bincount(self.unit, numbers, minlength=self.n_units).astype(np.float64)

    def pairs(self) -> tuple[IntArray, IntArray]:
        """Indices of the counts of one unit with each other, in both orders, and of each with itself."""
        n_values = np.bincount(self.unit, minlength=self.n_units)
        n_partners = n_values[self.unit]
        first = np.repeat(np.arange(len(self.unit)), n_partners)
        start_of_unit = (np.cumsum(n_values) - n_values)[self.unit]
        start_of_block = np.cumsum(n_partners) - n_partners
        second = np.arange(len(first)) + np.repeat(start_of_unit - start_of_block, n_partners)
        return first, second


def _count_ratings(ratings: ArrayLike, scale: str) -> _Counts:
    """Count the values of each unit of an array of raters x units."""
    if scale not in RATING_SCALES:
        raise ValueError(f"scale is {scale!r}; expected one of {', '.join(RATING_SCALES)}")
    ratings = score_matrix(ratings, "ratings")
    n = np.count_nonzero(~np.isnan(ratings), axis=0)
    units = ratings[:, n > 1].T
    is_present = ~np.isnan(units)
    values, codes = np.unique(snap_ties(units[is_present]), return_inverse=True)
    if scale == "ratio" and len(values) and values[0] < 0:
        raise ValueError(f"ratings go down to {values[0]}; expected none below 0 on a ratio scale")
    keys = np.nonzero(is_present)[0] * len(values) + codes
    distinct, count = np.unique(keys, return_counts=True)
    unit, code = np.divmod(distinct, max(len(values), 1))
    return _Counts(unit, code, count.astype(float), values, len(units), int(np.count_nonzero(n == 1)))


def _alphas(counts: _Counts, scale: str) -> tuple[float, FloatArray]:
    """Alpha of all units, and without each; NaN where ratings do not vary."""
    if not counts.n_units:
        return np.nan, np.empty(0)
    disagreement = _ordinal_disagreement if scale == "ordinal" else _disagreement_of_values
    observed, expected = disagreement(counts, scale)
    totals = counts.totals
    n_lost_values = counts.sum_by_unit((counts.count == totals[counts.code]).astype(float))
    varies = len(totals) - np.append(0, n_lost_values) > 1
    n = totals.sum() - np.append(0, counts.sizes)
    with np.errstate(invalid="ignore", divide="ignore"):
        alphas = np.where(varies, 1 - (n - 1) * observed / expected, np.nan)
    return float(alphas[0]), alphas[1:]


def _disagreement_of_values(counts: _Counts, scale: str) -> tuple[FloatArray, FloatArray]:
    """Observed and expected disagreement of all units, then without each, by differences of values."""
    first, second = counts.pairs()
    values = counts.values - counts.values.mean() if scale == "interval" else counts.values
    differences = _differences(values[counts.code[first]], values[counts.code[second]], scale)
    n_pairs = counts.count[first] * counts.count[second]
    within = np.bincount(counts.unit[first], n_pairs * differences, minlength=counts.n_units)
    from_all = _differences_from_all(values, counts.totals, scale)
    expected = counts.totals @ from_all
    expected_without = expected - 2 * counts.sum_by_unit(counts.count * from_all[counts.code]) + within
    weighted = within / (counts.sizes - 1)
    observed = weighted.sum()
    return np.append(observed, observed - weighted), np.append(expected, expected_without)


def _differences(first: FloatArray, second: FloatArray, scale: str) -> FloatArray:
    """Differences of two values each, on a scale where other values do not matter."""
    if scale == "nominal":
        return np.asarray(first != second, dtype=np.float64)
    if scale == "interval":
        return np.square(first - second)
    sums = np.maximum(first + second, np.finfo(np.float64).tiny)  # two ratings of 0 do not differ
    return np.square((first - second) / sums)


def _differences_from_all(values: FloatArray, totals: FloatArray, scale: str) -> FloatArray:
    """Sum of each value's differences from all ratings."""
    n = totals.sum()
    if scale == "nominal":
        return n - totals
    if scale == "interval":
        return n * values**2 - 2 * values * (totals @ values) + totals @ values**2
    blocks = batch_slices(len(values), max(1, MAX_BLOCK_CELLS // max(len(values), 1)))
    return np.concatenate([totals @ _differences(values[:, None], values[block], scale) for block in blocks])


def _ordinal_disagreement(counts: _Counts, scale: str) -> tuple[FloatArray, FloatArray]:
    """Observed and expected squared differences of mid-ranks of all units, then without each."""
    n_values = len(counts.values)
    first, second = counts.pairs()
    is_ascending = counts.code[first] < counts.code[second]
    first = first[is_ascending]
    second = second[is_ascending]
    unit = counts.unit[first] + 1  # 0 is no unit
    weights = 2 * counts.count[first] * counts.count[second] / (counts.sizes[unit - 1] - 1)
    pair_of_values = counts.code[first] * n_values + counts.code[second]
    pairs_of_values, index = np.unique(pair_of_values, return_inverse=True)
    sums = np.bincount(index, weights, len(pairs_of_values))
    low, high = np.divmod(pairs_of_values, n_values)
    n_pairs_of_unit = np.bincount(unit, minlength=counts.n_units + 1)
    observed, expected = np.empty((2, counts.n_units + 1))
    for units in batch_slices(counts.n_units + 1, max(1, MAX_BLOCK_CELLS // max(n_values, len(low)))):
        own_counts = slice(*np.searchsorted(counts.unit + 1, (units.start, units.stop)))
        own_pairs = slice(*np.searchsorted(unit, (units.start, units.stop)))
        totals_left = np.tile(counts.totals, (len(observed[units]), 1))
        totals_left[counts.unit[own_counts] + 1 - units.start, counts.code[own_counts]] -= counts.count[
            own_counts
        ]
        ranks = np.cumsum(totals_left, axis=1) - totals_left / 2
        row = unit[own_pairs] - units.start
        lower_rank = ranks[row, counts.code[first[own_pairs]]]
        upper_rank = ranks[row, counts.code[second[own_pairs]]]
        within = np.bincount(row, weights[own_pairs] * np.square(lower_rank - upper_rank), len(totals_left))
        observed[units] = np.square(ranks[:, low] - ranks[:, high]) @ sums - within
        centred = ranks - totals_left.sum(axis=1, keepdims=True) / 2  # whose mean is 0
        expected[units] = 2 * totals_left.sum(axis=1) * (totals_left * np.square(centred)).sum(axis=1)
    has_pairs_left = n_pairs_of_unit.sum() > n_pairs_of_unit
    return np.where(has_pairs_left, np.maximum(observed, 0.0), 0.0), expected
