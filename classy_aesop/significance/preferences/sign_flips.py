"""Sign flips of topics: a test of a sum of contributions, and the interval that it inverts.

Each topic contributes to a difference. If the two systems are exchangeable on every topic, each contribution is as
likely to be positive as negative, independently of the other topics: Fisher's (1935) test. Up to `ALL_FLIPS_UP_TO`
nonzero contributions all flips are enumerated, up to `FLIPS_UP_TO` random ones are drawn, and beyond, the normal
distribution of the flipped sum is used. Flips are given to the contributions by size, so that p depends neither on the
order of topics nor on their names.

A shift takes its part of each topic's weight from that topic's contribution. The shifts that the test does not reject
lie between two ratios of sums over the flipped topics (Hartigan's (1969) typical values), so that test and interval
come from one distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    check_count,
    check_same_shape,
    check_share,
)
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.equality import ROUNDING

ALL_FLIPS_UP_TO = 14
"""Nonzero contributions up to which all flips are enumerated."""

FLIPS_UP_TO = 200
"""Nonzero contributions up to which flips are drawn; the flipped sum of more is nearly normal."""

LARGEST_SHARE = 0.1
"""Largest share of the sum of squares that one contribution may have where the flipped sum is nearly normal.

Its tails are lighter than normal ones, by a kurtosis of -2 times the sum of the squared shares, so that p errs upward.
"""

_MAX_NUMBERS_OF_FLIPS = 4_000_000


@dataclass(frozen=True, slots=True)
class SignFlips(Result):
    """Sign-flip tests of sums of contributions; arrays of shape (n_sums,).

    Attributes
    ----------
    estimate : ndarray
        Sum of the contributions over the sum of the weights.
    p : ndarray
        Two-sided p-value of no difference; 1 where no contribution differs from 0.
    p_least : ndarray
        The least p that so many nonzero contributions, or flips, allow; 0 by the normal distribution.
    n_used : ndarray of int
        Nonzero contributions.
    low, high : ndarray, shape (n_levels, n_sums)
        Ends of the shifts that are not rejected, for each level of confidence; infinite where nothing is excluded, NaN
        where all contributions are the same share of their weights, so that nothing is known of their variance.
    """

    estimate: FloatArray
    p: FloatArray
    p_least: FloatArray
    n_used: IntArray
    low: FloatArray
    high: FloatArray


def flip_signs(
    contributions: ArrayLike,
    weights: ArrayLike,
    *,
    levels: tuple[float, ...] = (0.95,),
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
) -> SignFlips:
    """Test sums of contributions by random signs of their topics.

    Parameters
    ----------
    contributions : array_like, shape (n_sums, n_topics)
        What each topic contributes to each sum; 0 where it has nothing to say.
    weights : array_like, shape (n_sums, n_topics)
        Not negative; what a shift of 1 takes from each contribution.
    levels : tuple of float
        Confidence of the intervals.
    n_resamples : int
        Random flips, where not all are enumerated.
    seed : int
        Of the random flips.

    Returns
    -------
    SignFlips
        The estimates with their p-values and intervals.

    Raises
    ------
    ValueError
        The shapes differ; a weight is negative; a level is not between 0 and 1; or there is no resample.

    Examples
    --------
    >>> tests = flip_signs([[1, 1, 1, 0, 1, 1, -1, 1]], [[1, 1, 1, 1, 1, 1, 1, 1]])
    >>> tests.p.tolist(), tests.n_used.tolist()
    ([0.125], [7])
    >>> tests.low.round(3).tolist(), tests.high.round(3).tolist()
    ([[0.0]], [[1.0]])
    """
    u = np.asarray(contributions, dtype=np.float64)
    v = np.asarray(weights, dtype=np.float64)
    if u.ndim != 2:
        raise ValueError(f"contributions have {u.ndim} dimensions; expected 2, sums x topics")
    check_same_shape(contributions=u, weights=v)
    if (v < 0).any():
        raise ValueError(f"a weight is {v.min()}; expected none below 0")
    check_count(n_resamples, "n_resamples")
    for level in levels:
        check_share(level, "level")
    n_sums = len(u)
    slack = ROUNDING * np.abs(u).max(axis=1, initial=0.0)
    u = np.where(np.abs(u) <= slack[:, None], 0.0, u)
    total = v.sum(axis=1)
    estimate = np.divide(u.sum(axis=1), total, out=np.full(n_sums, np.nan), where=total > 0)
    n_used = np.count_nonzero(u, axis=1)
    p = np.ones(n_sums)
    p_least = np.ones(n_sums)
    low, high = np.full((2, len(levels), n_sums), np.nan)
    varies = _ratios_vary(u, v)
    is_normal = _are_sums_normal(u, n_used)
    normal = np.flatnonzero(is_normal)
    if normal.size:
        p[normal], low[:, normal], high[:, normal] = _normal_tests(u[normal], v[normal], levels)
        p_least[normal] = 0.0
    flipped = np.flatnonzero(~is_normal)
    largest_first = np.lexsort((-v[flipped], -np.abs(u[flipped])))
    u = np.take_along_axis(u[flipped], largest_first, axis=1)
    v = np.take_along_axis(v[flipped], largest_first, axis=1)
    n_nonzero = n_used[flipped]
    for n in np.unique(n_nonzero[n_nonzero > 0]):  # the nonzero contributions come first
        for rows in _blocks(np.flatnonzero(n_nonzero == n), int(n), n_resamples):
            p[flipped[rows]] = _p_values(u[rows, :n], slack[flipped[rows]], n_resamples, seed)
            p_least[flipped[rows]] = 2.0 ** (1 - n) if n <= ALL_FLIPS_UP_TO else 1 / (n_resamples + 1)
    n_topics = np.count_nonzero((u != 0) | (v > 0), axis=1)
    for n in np.unique(n_topics[varies[flipped]]):
        for rows in _blocks(np.flatnonzero(varies[flipped] & (n_topics == n)), int(n), n_resamples):
            ends = _ends(u[rows, :n], v[rows, :n], levels, n_resamples, seed)
            low[:, flipped[rows]], high[:, flipped[rows]] = ends
    low[:, ~varies] = np.nan
    high[:, ~varies] = np.nan
    return SignFlips(estimate, p, p_least, n_used, low, high)


def _are_sums_normal(u: FloatArray, n_used: IntArray) -> BoolArray:
    """Whether so many contributions are flipped, none of them of much weight, that their sum is nearly normal."""
    squares = np.square(u)
    is_even = squares.max(axis=1, initial=0.0) <= LARGEST_SHARE * squares.sum(axis=1)
    return np.asarray((n_used > FLIPS_UP_TO) & is_even)


def _normal_tests(
    u: FloatArray, v: FloatArray, levels: tuple[float, ...]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give p-values and ends by the normal distribution with the variance of the flipped sum, corrected for continuity.

    A shift d is not rejected where (|sum u - d sum v| - h)^2 <= z^2 sum (u - d v)^2, h being half a step of the flipped
    sum: each end is a root of a quadratic. An end is infinite where no shift on its side is rejected.
    """
    from scipy.special import ndtr, ndtri

    total = u.sum(axis=1)
    size = v.sum(axis=1)
    squares = np.square(u).sum(axis=1)
    products = (u * v).sum(axis=1)
    sizes = np.square(v).sum(axis=1)
    half_step = _half_steps(u)
    p = 2 * ndtr(-np.maximum(np.abs(total) - half_step, 0.0) / np.sqrt(squares))
    ends = np.empty((2, len(levels), len(u)))
    for number, level in enumerate(levels):
        z = ndtri((1 + level) / 2)
        a = size**2 - z**2 * sizes
        is_bounded = a > 0
        divisor = np.where(is_bounded, a, 1.0)
        for end, sign in enumerate((-1, 1)):  # the low and the high one
            moved_total = total + sign * half_step
            b = moved_total * size - z**2 * products
            c = moved_total**2 - z**2 * squares
            root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
            ends[end, number] = np.where(is_bounded, (b + sign * root) / divisor, sign * np.inf)
    return p, ends[0], ends[1]


def _half_steps(u: FloatArray) -> FloatArray:
    """Give half the distance of flipped sums where contributions are multiples of the smallest one; else 0.

    To flip the smallest one changes the sum by twice its size.
    """
    sizes = np.abs(u)
    smallest = np.where(sizes > 0, sizes, np.inf).min(axis=1)
    multiples = sizes / smallest[:, None]
    is_whole = np.abs(multiples - np.rint(multiples)).max(axis=1) <= 1e-9
    return np.where(is_whole, smallest, 0.0)


def _blocks(rows: IntArray, n: int, n_resamples: int) -> list[IntArray]:
    """Divide rows so that their sums over the flipped topics are not too many to hold."""
    n_flips = 2**n if n <= ALL_FLIPS_UP_TO else 2 * n_resamples
    n_blocks = -(-len(rows) * n_flips // _MAX_NUMBERS_OF_FLIPS)
    return [block for block in np.array_split(rows, max(1, n_blocks)) if block.size]


def _ratios_vary(u: FloatArray, v: FloatArray) -> BoolArray:
    """Whether the ratios of contributions to their weights differ, (n_sums,)."""
    ratios = np.divide(u, v, out=np.full(u.shape, np.nan), where=v > 0)
    greatest = np.fmax.reduce(ratios, axis=1, initial=-np.inf)
    smallest = np.fmin.reduce(ratios, axis=1, initial=np.inf)
    return np.asarray(greatest - smallest > ROUNDING * np.fmax(np.abs(greatest), np.abs(smallest)))


def _flips(n: int, n_resamples: int, seed: int) -> Iterator[FloatArray]:
    """Give which of n topics are flipped, part by part, each (n_flips, n): half of all flips, the others being their
    complements, or random ones.
    """
    step = max(1, _MAX_NUMBERS_OF_FLIPS // n)
    if n <= ALL_FLIPS_UP_TO:
        numbers = np.arange(2 ** (n - 1))[:, None]
        yield np.asarray(numbers >> np.arange(n) & 1, dtype=np.float64)
        return
    rng = np.random.default_rng(seed)
    for start in range(0, n_resamples, step):
        flips = rng.integers(2, size=(min(step, n_resamples - start), n), dtype=np.int8)
        yield flips.astype(np.float64)


def _p_values(u: FloatArray, slack: FloatArray, n_resamples: int, seed: int) -> FloatArray:
    """Two-sided p of each row's sum, counted among all flips, or among random ones and itself."""
    n = u.shape[1]
    total = u.sum(axis=1, keepdims=True)
    reached = np.abs(total) - slack[:, None] * n
    n_reached = np.zeros(len(u))
    n_flips = 0
    for flips in _flips(n, n_resamples, seed):
        n_reached += np.count_nonzero(np.abs(total - 2 * (u @ flips.T)) >= reached, axis=1)
        n_flips += len(flips)
    if n <= ALL_FLIPS_UP_TO:
        return n_reached / n_flips
    return (n_reached + 1) / (n_flips + 1)


def _ends(
    u: FloatArray, v: FloatArray, levels: tuple[float, ...], n_resamples: int, seed: int
) -> tuple[FloatArray, FloatArray]:
    """Give the ends of the shifts that are not rejected, two arrays of shape (n_levels, n_rows)."""
    n = u.shape[1]
    sums = np.concatenate([u @ flips.T for flips in _flips(n, n_resamples, seed)], axis=1)
    sizes = np.concatenate([v @ flips.T for flips in _flips(n, n_resamples, seed)], axis=1)
    numerators = np.concatenate([sums, u.sum(axis=1, keepdims=True) - sums], axis=1)
    denominators = np.concatenate([sizes, v.sum(axis=1, keepdims=True) - sizes], axis=1)
    is_empty = denominators <= ROUNDING * v.sum(axis=1, keepdims=True)
    ratios = np.divide(numerators, denominators, out=np.zeros(numerators.shape), where=~is_empty)
    # flips of nothing reach every shift
    from_below = np.sort(np.where(is_empty, -np.inf, ratios), axis=1)
    from_above = -np.sort(np.where(is_empty, -np.inf, -ratios), axis=1)
    ends = np.empty((2, len(levels), len(u)))
    for number, level in enumerate(levels):
        n_accepted = _least_accepted(n, 1 - level, n_resamples)
        ends[0, number] = from_below[:, n_accepted - 1] if n_accepted else -np.inf
        ends[1, number] = from_above[:, n_accepted - 1] if n_accepted else np.inf
    return ends[0], ends[1]


def _least_accepted(n: int, alpha: float, n_resamples: int) -> int:
    """Give the least number of flips with a sum on the other side that makes the two-sided p greater than alpha."""
    alpha *= 1 + ROUNDING
    if n <= ALL_FLIPS_UP_TO:
        return floor(alpha * float(2 ** (n - 1))) + 1
    return floor(alpha * (n_resamples + 1))
