"""Which numbers are equal: one rule for every rank, sign, difference and count of ties.

Floats represent .1 + .2 and .3 as two numbers, and a mean depends on the order of its sum. So numbers that were
computed from scores are equal if they are no further apart than `ROUNDING` times the largest of these scores: scores
themselves, and their differences and means too. What is equal then depends neither on the unit of the scores nor on a
constant that is added to all of them. Of more than two numbers each is compared with the next larger one.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray

ROUNDING = 1e-12
"""Numbers closer than this share of the largest score are equal: means of equal scores differ by rounding."""

Slack = FloatArray | float
"""Differences that rounding explains: a number, or one for each row, ``(..., 1)``."""


def rounding_slack(scores: FloatArray, axis: int | None = None) -> FloatArray:
    """Largest difference between scores that rounding explains, NaN left out.

    Examples
    --------
    >>> rounding_slack(np.array([[0.5, -2.0], [np.nan, 1.0]]), axis=1).tolist()
    [[2e-12], [1e-12]]
    """
    return np.asarray(ROUNDING * np.nanmax(np.abs(scores), axis=axis, initial=0.0, keepdims=axis is not None))


def rounding_slack_of_pairs(x: FloatArray, y: FloatArray) -> FloatArray:
    """Rounding slack of the differences of two arrays along the last axis, over what both have; shape ``(..., 1)``."""
    return rounding_slack(np.maximum(np.abs(x), np.abs(y)), axis=-1)


def shift_near_zero(scores: FloatArray) -> FloatArray:
    """Subtract one score from all, which is exact, where they differ by less than a millionth of their size."""
    present = scores[~np.isnan(scores)]
    is_far_from_zero = present.size > 0 and 0 < np.ptp(present) < 1e-6 * np.abs(present).max()
    return scores - present[0] if is_far_from_zero else scores


def snap_ties(x: FloatArray, slack: Slack | None = None) -> FloatArray:
    """Replace equal numbers along the last axis by one value, the smallest of them. NaN stays.

    Examples
    --------
    >>> snap_ties(np.array([0.1 + 0.2, 1.0, 0.3])).tolist()
    [0.3, 1.0, 0.3]
    """
    order, ascending, starts = _sort_into_ties(x, slack)
    first = np.maximum.accumulate(np.where(starts, np.arange(x.shape[-1]), 0), axis=-1)
    result = np.empty_like(x)
    np.put_along_axis(result, order, np.take_along_axis(ascending, first, axis=-1), axis=-1)
    return result


def _sort_into_ties(x: FloatArray, slack: Slack | None) -> tuple[IntArray, FloatArray, BoolArray]:
    """Give the order of numbers, the sorted numbers, and which of them start a run of ties; each NaN is a run."""
    order = np.argsort(x, axis=-1)
    ascending = np.take_along_axis(x, order, axis=-1)
    starts = np.ones(ascending.shape, dtype=bool)
    steps = np.diff(ascending, axis=-1)
    starts[..., 1:] = ~(steps <= (rounding_slack(x, axis=-1) if slack is None else slack))
    return order, ascending, starts


def tie_levels(x: FloatArray, slack: Slack | None = None) -> IntArray:
    """Number the distinct scores along the last axis from 0 upwards; ties share one.

    ``slack`` as for :func:`snap_ties`.
    """
    order, _, starts = _sort_into_ties(x, slack)
    levels = np.empty(x.shape, dtype=np.int64)
    np.put_along_axis(levels, order, np.cumsum(starts, axis=-1) - 1, axis=-1)
    return levels


def midranks(x: FloatArray, slack: Slack | None = None) -> FloatArray:
    """Rank along the last axis from 1; ties share the mean of their ranks. ``slack`` as for :func:`snap_ties`.

    Examples
    --------
    >>> midranks(np.array([3.0, 1.0, 3.0]))
    array([2.5, 1. , 2.5])
    """
    n = x.shape[-1]
    order, _, starts = _sort_into_ties(x, slack)
    first = np.maximum.accumulate(np.where(starts, np.arange(n), 0), axis=-1)
    # from the right, the last item of a level is just before the first of the next level
    ends = np.concatenate([starts[..., 1:], np.ones_like(starts[..., :1])], axis=-1)
    last = np.minimum.accumulate(np.where(ends, np.arange(n), n)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(x.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def is_constant(x: FloatArray, slack: Slack | None = None) -> BoolArray:
    """Whether all numbers along the last axis are equal (also when there is none).

    ``slack`` as for :func:`snap_ties`, but of the shape of the result.
    """
    if x.shape[-1] == 0:
        return np.ones(x.shape[:-1], dtype=bool)
    limit = rounding_slack(x, axis=-1)[..., 0] if slack is None else slack
    return np.ptp(x, axis=-1) <= limit


def round_to_zero(x: FloatArray, slack: Slack) -> FloatArray:
    """Set differences that rounding explains to 0."""
    return np.where(np.abs(x) <= slack, 0.0, x)
