"""What every test here shares: the array types, the checks of input, the results, and which numbers are equal.

Floats hold .1 + .2 and .3 as two numbers, and a mean depends on the order of its sum. So numbers that were computed
from scores are one number if they are no further apart than `ROUNDING` times the largest of these scores: scores
themselves, and their differences and means too. What is equal then depends neither on the unit of the scores nor on
a constant that is added to all of them. Of more than two numbers each is compared with the next larger one. This is
the rule of every rank, sign, difference and count of ties.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.choices import ALPHA as ALPHA
from classy_aesop.significance.choices import N_RESAMPLES as N_RESAMPLES

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

#: Numbers closer than this share of the largest count as equal: means of equal scores differ by rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class Result:
    """A small frozen record of what a test found. Fields that are not described hold what was asked for."""

    def to_dict(self) -> dict[str, Any]:
        """Give the fields by name, arrays as nested lists, ready for JSON."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    def _repr_html_(self) -> str:
        """Show a notebook the fields and their values, escaped; of long arrays both ends."""
        found = ((field.name, getattr(self, field.name)) for field in fields(self))
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(_short(value))}</td></tr>" for name, value in found
        )
        return f"<table><caption>{escape(type(self).__name__)}</caption>{rows}</table>"


def _short(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return np.array2string(value, precision=4, threshold=12, edgeitems=3)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Result):
        return value.to_dict()
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def is_significant(p: ArrayLike, alpha: float = ALPHA) -> BoolArray:
    """Say which p-values are significant: p <= alpha, equal within rounding. NaN never is.

    Examples
    --------
    >>> is_significant([0.04, 0.05, 0.051, float("nan")]).tolist()
    [True, True, False, False]
    """
    return np.asarray(np.asarray(p, dtype=np.float64) <= alpha * (1 + ROUNDING))


def side_of_better(effect: ArrayLike) -> IntArray:
    """Which of each pair is better by its effect, first less second: 1 the first, -1 the second, 0 neither.

    All that says better or worse asks here: wins, headlines, gates and pictures.

    Parameters
    ----------
    effect : array_like
        Differences or effect sizes; higher is better, NaN is neither.

    Examples
    --------
    >>> side_of_better([0.5, -2.0, 0.0, float("nan")]).tolist()
    [1, -1, 0, 0]
    """
    return np.sign(np.nan_to_num(np.asarray(effect, dtype=np.float64))).astype(np.int64)


def better_table(first: IntArray, second: IntArray, effect: FloatArray, n: int) -> BoolArray:
    """Which of ``n`` is better than which by the sign of the pairs' effects, (n, n): row better than column."""
    side = side_of_better(effect)
    better = np.zeros((n, n), dtype=bool)
    better[first[side > 0], second[side > 0]] = True
    better[second[side < 0], first[side < 0]] = True
    return better


def check_number(value: int, name: str, least: int = 1) -> None:
    """Raise ValueError unless there are as many at least: of resamples, of trials."""
    if value < least:
        raise ValueError(f"{name} is {value}; expected at least {least}")


def check_share(value: float, name: str) -> None:
    """Raise ValueError unless a level of error or of confidence lies between 0 and 1."""
    if not 0 < value < 1:
        raise ValueError(f"{name} is {value}; expected between 0 and 1")


def score_matrix(scores: ArrayLike, name: str = "X") -> FloatArray:
    """Check one score matrix: two-dimensional, numbers or NaN.

    Raises ValueError if it has not two dimensions, is not numeric, or holds an infinite score.
    """
    matrix: FloatArray = np.asarray(scores, dtype=np.float64)
    if matrix.ndim != 2:
        raise ValueError(f"{name} has {matrix.ndim} dimensions; expected 2, summarizers x topics")
    if np.isinf(matrix).any():
        raise ValueError(f"{name} holds an infinite score; expected numbers, or NaN where nobody scored")
    return matrix


def score_matrices(**scores: ArrayLike) -> tuple[FloatArray, ...]:
    """Check score matrices, given by name, as :func:`score_matrix` does, and that they have one shape."""
    matrices = {name: score_matrix(S, name) for name, S in scores.items()}
    same_shape(**matrices)
    return tuple(matrices.values())


def score_vector(scores: ArrayLike, name: str = "x") -> FloatArray:
    """Check one list of scores: one-dimensional, numbers or NaN; raises ValueError otherwise."""
    vector: FloatArray = np.asarray(scores, dtype=np.float64)
    if vector.ndim != 1:
        raise ValueError(f"{name} has {vector.ndim} dimensions; expected 1, one score per topic")
    return score_matrix(vector[None, :], name).ravel()


def same_shape(**arrays: NDArray[Any]) -> None:
    """Raise ValueError unless all arrays, given by name, have one shape."""
    if len({array.shape for array in arrays.values()}) > 1:
        found = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ValueError(f"shapes differ: {found}; expected one shape")


def one_of(value: str, known: Any, name: str) -> None:
    """Raise ValueError that lists the known values unless ``value`` is one of them."""
    if value not in known:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}")


# --- which numbers are equal ---


Slack = FloatArray | float
"""Differences that rounding explains: a number, or one for each row, ``(..., 1)``."""


def slack_of(scores: FloatArray, axis: int | None = None) -> FloatArray:
    """Largest difference that rounding explains, of all scores or along an axis, which is kept; NaN are left out.

    Examples
    --------
    >>> slack_of(np.array([[0.5, -2.0], [np.nan, 1.0]]), axis=1).tolist()
    [[2e-12], [1e-12]]
    """
    if axis is None:
        return np.asarray(ROUNDING * np.fmax.reduce(np.abs(scores), axis=None, initial=0.0))
    return np.asarray(ROUNDING * np.fmax.reduce(np.abs(scores), axis=axis, initial=0.0, keepdims=True))


def near_zero(scores: FloatArray) -> FloatArray:
    """Take one score from all, which is exact, where they differ by less than a millionth of their size."""
    known = scores[~np.isnan(scores)]
    is_far = known.size > 0 and 0 < np.ptp(known) < 1e-6 * np.abs(known).max()
    return scores - known[0] if is_far else scores


def slack_of_pairs(x: FloatArray, y: FloatArray) -> FloatArray:
    """Give the slack of the differences of each row over what both have, shape ``(..., 1)``."""
    return slack_of(np.maximum(np.abs(x), np.abs(y)), axis=-1)


def snapped(x: FloatArray, slack: Slack | None = None) -> FloatArray:
    """Give equal numbers along the last axis one value, the smallest of theirs. NaN stays.

    Parameters
    ----------
    x : ndarray
        Scores, or what was computed from them.
    slack : float or ndarray of shape ``(..., 1)``, optional
        Of the scores that they come from, see :func:`slack_of`; by default the numbers are scores themselves.

    Examples
    --------
    >>> snapped(np.array([0.1 + 0.2, 1.0, 0.3])).tolist()
    [0.3, 1.0, 0.3]
    """
    order, ascending, starts = _in_order(x, slack)
    first = np.maximum.accumulate(np.where(starts, np.arange(x.shape[-1]), 0), axis=-1)
    result = np.empty_like(x)
    np.put_along_axis(result, order, np.take_along_axis(ascending, first, axis=-1), axis=-1)
    return result


def _in_order(x: FloatArray, slack: Slack | None) -> tuple[IntArray, FloatArray, BoolArray]:
    """Give the order of numbers, the numbers in it, and which of them begin a run of equal ones; each NaN is a run."""
    order = np.argsort(x, axis=-1)
    ascending = np.take_along_axis(x, order, axis=-1)
    starts = np.ones(ascending.shape, dtype=bool)
    starts[..., 1:] = ~(np.diff(ascending, axis=-1) <= (slack_of(x, axis=-1) if slack is None else slack))
    return order, ascending, starts


def tie_levels(x: FloatArray, slack: Slack | None = None) -> IntArray:
    """Number the distinct scores along the last axis from 0 upwards; ties share one. ``slack`` as for `snapped`."""
    order, _, steps = _in_order(x, slack)
    levels = np.empty(x.shape, dtype=np.int64)
    np.put_along_axis(levels, order, np.cumsum(steps, axis=-1) - 1, axis=-1)
    return levels


def midranks(x: FloatArray, slack: Slack | None = None) -> FloatArray:
    """Rank along the last axis from 1; ties share the mean of their ranks. ``slack`` as for :func:`snapped`.

    Examples
    --------
    >>> midranks(np.array([3.0, 1.0, 3.0]))
    array([2.5, 1. , 2.5])
    """
    n = x.shape[-1]
    order, _, starts = _in_order(x, slack)
    first = np.maximum.accumulate(np.where(starts, np.arange(n), 0), axis=-1)
    # from the right, the last item of a level is just before the first of the next level
    ends = np.concatenate([starts[..., 1:], np.ones_like(starts[..., :1])], axis=-1)
    last = np.minimum.accumulate(np.where(ends, np.arange(n), n)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(x.shape)
    np.put_along_axis(ranks, order, (first + last) / 2 + 1, axis=-1)
    return ranks


def is_constant(x: FloatArray, slack: Slack | None = None) -> BoolArray:
    """Whether all numbers along the last axis are equal (also when there is none); ``slack`` as for `snapped`."""
    if x.shape[-1] == 0:
        return np.ones(x.shape[:-1], dtype=bool)
    within = slack_of(x, axis=-1)[..., 0] if slack is None else slack
    return np.asarray(np.ptp(x, axis=-1) <= within)


def settled(x: FloatArray, slack: Slack) -> FloatArray:
    """Give 0 for differences that rounding explains."""
    return np.where(np.abs(x) <= slack, 0.0, x)


def eigh(A: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the eigenvalues, in ascending order, and the eigenvectors of each matrix, (..., n) and (..., n, n).

    LAPACK's divide and conquer, by which numpy finds them, ends without them for a rare matrix that has nothing odd.
    All are then found by LAPACK's relatively robust representations.

    Examples
    --------
    >>> values, vectors = eigh(np.array([[2.0, 0.0], [0.0, 1.0]]))
    >>> values.tolist()
    [1.0, 2.0]
    """
    try:
        values, vectors = np.linalg.eigh(A)
    except np.linalg.LinAlgError:
        from scipy import linalg

        found = [linalg.eigh(each, driver="evr") for each in A.reshape(-1, *A.shape[-2:])]
        values = np.array([one for one, _ in found]).reshape(A.shape[:-1])
        vectors = np.array([one for _, one in found]).reshape(A.shape)
    return values, vectors
