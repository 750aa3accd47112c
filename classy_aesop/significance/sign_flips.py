"""Random signs of the rows of an array: tests of sums by exchanges, and the interval that such a test inverts.

Each topic contributes to a difference. If the two systems are exchangeable on every topic, each contribution is as
likely to be positive as negative, independently of the other topics: Fisher's (1935) test. Up to
`MAX_ENUMERATED_TOPICS` nonzero contributions all flips are enumerated; of more, random ones are drawn from a seed.
Signs are given to the sizes of contributions, in descending order, so that p depends neither on the order of topics nor
on their names, nor on which of the two is first. A flip and its complement give sums of one size, so that half of all
flips suffice.

`flip_signs` replaces the flips of more than `MAX_FLIPPED_TOPICS` by the normal distribution of the flipped sum. A shift
takes its part of each topic's weight from that topic's contribution. The shifts that the test does not reject lie
between two ratios of sums over the flipped topics (Hartigan's (1969) typical values), so that test and interval come
from one distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import (
    AnyFloats,
    BoolArray,
    FloatArray,
    IntArray,
    batch_slices,
    divide,
)
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.equality import ROUNDING, round_to_zero

MAX_ENUMERATED_TOPICS = 14
"""Nonzero contributions up to which all flips are enumerated."""

MAX_FLIPPED_TOPICS = 200
"""Nonzero contributions up to which flips are drawn; the flipped sum of more is nearly normal."""

LARGEST_SHARE = 0.1
"""Largest share of the sum of squares that one contribution may have where the flipped sum is nearly normal.

Its tails are lighter than normal ones, by a kurtosis of -2 times the sum of the squared shares, so that p errs upward.
"""

FLIPS_PER_BATCH = 250
ROWS_PER_BATCH = 256
"""Flips and rows whose sums are computed at once: they stay in the cache, and counts of flips fit in one byte."""

_MAX_NUMBERS_OF_FLIPS = 4_000_000


def enumerate_flips(n: int) -> BoolArray:
    """Give all ways to flip n signs, each once, (2^n, n); the second half are the complements of the first."""
    return (np.arange(2**n)[:, None] >> np.arange(n) & 1) > 0


def half_of_flips(n: int, n_draws: int, seed: int) -> Iterator[NDArray[np.int8]]:
    """Give flips of n signs without their complements, part by part, (n_flips, n): all if n is small, else random."""
    if n <= MAX_ENUMERATED_TOPICS:
        flips = enumerate_flips(n)
        yield flips[: (len(flips) + 1) // 2].view(np.int8)
        return
    rng = np.random.default_rng(seed)
    for part in batch_slices(n_draws, max(1, _MAX_NUMBERS_OF_FLIPS // n)):
        yield rng.integers(2, size=(min(part.stop, n_draws) - part.start, n), dtype=np.int8)


def count_sums(
    values: AnyFloats, sizes: AnyFloats, flips: BoolArray | NDArray[np.int8], slack: FloatArray | float
) -> IntArray:
    """Count the flips with which the sum of each row is greater than a size, and at least as great.

    Shapes: ``values`` (n_rows, n), ``sizes`` and ``slack`` (n_rows,), ``flips`` (n_flips, n); gives (2,
    n_rows).

    Examples
    --------
    >>> count_sums(np.array([[3.0, 2.0, 1.0]]), np.array([4.0]), enumerate_flips(3), 0.0).tolist()
    [[2], [4]]
    """
    signs = (1 - 2 * flips.astype(np.int8)).astype(values.dtype)
    greatest_equal = (sizes + slack).astype(values.dtype)
    smallest_equal = (sizes - slack).astype(values.dtype)
    counts = np.zeros((2, len(values)), dtype=np.int64)
    for rows in batch_slices(len(values), ROWS_PER_BATCH):
        for batch in batch_slices(len(signs), FLIPS_PER_BATCH):
            sums = signs[batch] @ values[rows].T
            np.abs(sums, out=sums)
            are_greater = sums > greatest_equal[rows]
            are_reached = sums >= smallest_equal[rows]
            counts[0, rows] += are_greater.view(np.uint8).sum(axis=0, dtype=np.uint8)
            counts[1, rows] += are_reached.view(np.uint8).sum(axis=0, dtype=np.uint8)
    return counts


def count_flips(
    values: FloatArray, slack: FloatArray, *, n_draws: int, seed: int = 0
) -> tuple[IntArray, IntArray, IntArray]:
    """Count the flips of each row whose sum is greater than its own in size, at least as great, and all of them.

    Sums no further apart than ``slack``, (n_rows,), are equal. Zeros are not flipped.
    """
    sizes = -np.sort(-np.abs(values), axis=1)
    own_sizes = np.abs(values.sum(axis=1))
    n_nonzero = np.count_nonzero(sizes, axis=1)
    counts = np.zeros((2, len(values)), dtype=np.int64)
    n_flips = np.zeros(len(values), dtype=np.int64)
    for n in np.unique(n_nonzero):
        rows = np.flatnonzero(n_nonzero == n)
        for flips in half_of_flips(n, n_draws, seed):
            counts[:, rows] += count_sums(sizes[rows, :n], own_sizes[rows], flips, slack[rows])
            n_flips[rows] += len(flips)
    return counts[0], counts[1], n_flips


@dataclass(frozen=True, slots=True)
class SignFlips:
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

    Shapes: ``contributions`` and ``weights`` (n_sums, n_topics).

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
    n_sums = len(u)
    slack = ROUNDING * np.abs(u).max(axis=1, initial=0.0)
    u = round_to_zero(u, slack[:, None])
    estimate = divide(u.sum(axis=1), v.sum(axis=1))
    n_used = np.count_nonzero(u, axis=1)
    p, p_least = np.zeros((2, n_sums))
    low, high = np.full((2, len(levels), n_sums), np.nan)
    is_normal = _are_sums_normal(u, n_used)
    if is_normal.any():
        p[is_normal], low[:, is_normal], high[:, is_normal] = _normal_tests(
            u[is_normal], v[is_normal], levels
        )
    flipped = np.flatnonzero(~is_normal)
    _, n_reached, n_flips = count_flips(u[flipped], (slack * n_used)[flipped], n_draws=n_resamples, seed=seed)
    is_drawn = n_used[flipped] > MAX_ENUMERATED_TOPICS  # the observed sum is one of the draws
    p[flipped] = (n_reached + is_drawn) / (n_flips + is_drawn)
    p_least[flipped] = 1 / (n_flips + is_drawn)
    varies = _ratios_vary(u, v)
    varying = np.flatnonzero(~is_normal & varies)
    largest_first = np.lexsort((-v[varying], -np.abs(u[varying])))
    u = np.take_along_axis(u[varying], largest_first, axis=1)
    v = np.take_along_axis(v[varying], largest_first, axis=1)
    n_topics = np.count_nonzero((u != 0) | (v > 0), axis=1)
    for n in np.unique(n_topics):
        n_flips_of_each = 2**n if n <= MAX_ENUMERATED_TOPICS else 2 * n_resamples
        of_size = np.flatnonzero(n_topics == n)
        for batch in batch_slices(len(of_size), max(1, _MAX_NUMBERS_OF_FLIPS // n_flips_of_each)):
            rows = of_size[batch]
            ends = _ends(u[rows, :n], v[rows, :n], levels, n_resamples, seed)
            low[:, varying[rows]], high[:, varying[rows]] = ends
    low[:, ~varies] = np.nan
    high[:, ~varies] = np.nan
    return SignFlips(estimate, p, p_least, n_used, low, high)


def _are_sums_normal(u: FloatArray, n_used: IntArray) -> BoolArray:
    """Whether so many contributions are flipped, none of them of much weight, that their sum is nearly normal."""
    squares = np.square(u)
    is_even = squares.max(axis=1, initial=0.0) <= LARGEST_SHARE * squares.sum(axis=1)
    return (n_used > MAX_FLIPPED_TOPICS) & is_even


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
    half_step = _half_steps(u)
    p = 2 * ndtr(-np.maximum(np.abs(total) - half_step, 0.0) / np.sqrt(squares))
    sign = np.array([-1.0, 1.0])[:, None, None]  # of the low and the high ends, (2, n_levels, n_rows)
    z_squared = np.square(ndtri((1 + np.array(levels)) / 2))[:, None]
    moved_total = total + sign * half_step
    a = size**2 - z_squared * np.square(v).sum(axis=1)
    b = moved_total * size - z_squared * (u * v).sum(axis=1)
    c = moved_total**2 - z_squared * squares
    root = np.sqrt(np.maximum(b**2 - a * c, 0.0))
    low, high = np.where(a > 0, (b + sign * root) / np.where(a > 0, a, 1.0), sign * np.inf)
    return p, low, high


def _half_steps(u: FloatArray) -> FloatArray:
    """Give half the distance of flipped sums where contributions are multiples of the smallest one; else 0.

    To flip the smallest one changes the sum by twice its size.
    """
    sizes = np.abs(u)
    smallest = np.where(sizes > 0, sizes, np.inf).min(axis=1)
    multiples = sizes / smallest[:, None]
    is_whole = np.abs(multiples - np.rint(multiples)).max(axis=1) <= 1e-9
    return np.where(is_whole, smallest, 0.0)


def _ratios_vary(u: FloatArray, v: FloatArray) -> BoolArray:
    """Whether the ratios of contributions to their weights differ, (n_sums,)."""
    ratios = divide(u, v)
    greatest = np.fmax.reduce(ratios, axis=1, initial=-np.inf)
    smallest = np.fmin.reduce(ratios, axis=1, initial=np.inf)
    return greatest - smallest > ROUNDING * np.fmax(np.abs(greatest), np.abs(smallest))


def _ends(u: FloatArray, v: FloatArray, levels: tuple[float, ...], n_resamples: int, seed: int) -> FloatArray:
    """Give the low and the high ends of the shifts that are not rejected, (2, n_levels, n_rows).

    A flip of the sizes of contributions leaves the negative ones of a row where it flips nothing.
    """
    n = u.shape[1]
    is_negative = u < 0
    values = np.stack([np.abs(u), np.where(is_negative, -v, v)])
    values_of_none = np.where(is_negative, [u, v], 0.0)
    added = np.concatenate(
        [values @ flips.T.astype(np.float64) for flips in half_of_flips(n, n_resamples, seed)], axis=2
    )
    complements = values.sum(axis=2, keepdims=True) - added
    sums_of_none = values_of_none.sum(axis=2, keepdims=True)
    numerators, denominators = sums_of_none + np.concatenate([added, complements], axis=2)
    is_empty = denominators <= ROUNDING * v.sum(axis=1, keepdims=True)
    ratios = divide(numerators, denominators)
    # flips of nothing reach every shift
    from_below = np.sort(np.where(is_empty, -np.inf, ratios), axis=1)
    from_above = -np.sort(np.where(is_empty, -np.inf, -ratios), axis=1)
    ends = np.full((2, len(levels), len(u)), [[[-np.inf]], [[np.inf]]])
    for number, level in enumerate(levels):
        n_accepted = _least_accepted(n, 1 - level, n_resamples)
        if n_accepted:
            ends[:, number] = from_below[:, n_accepted - 1], from_above[:, n_accepted - 1]
    return ends


def _least_accepted(n: int, alpha: float, n_resamples: int) -> int:
    """Give the least number of flips with a sum on the other side that makes the two-sided p greater than alpha."""
    alpha *= 1 + ROUNDING
    if n <= MAX_ENUMERATED_TOPICS:
        return floor(alpha * float(2 ** (n - 1))) + 1
    return floor(alpha * (n_resamples + 1))
