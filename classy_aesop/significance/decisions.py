"""What follows from p-values and effects: which are significant, and which of two is better."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import ROUNDING


def is_significant(p: ArrayLike, alpha: float = ALPHA) -> BoolArray:
    """Which p-values are significant: p <= alpha, equal within rounding. NaN never is.

    Examples
    --------
    >>> is_significant([0.04, 0.05, 0.051, float("nan")]).tolist()
    [True, True, False, False]
    """
    return np.asarray(np.asarray(p, dtype=np.float64) <= alpha * (1 + ROUNDING))


def sign_of_effect(effect: ArrayLike, *, lower_is_better: bool = False) -> IntArray:
    """Which of each pair is better by its effect, first less second: 1 the first, -1 the second, 0 neither.

    Wins, headlines, gates and pictures all use it.

    Parameters
    ----------
    effect : array_like
        Differences or effect sizes; NaN is neither.
    lower_is_better : bool
        Whether lower values of the measure are better; by default higher ones are.

    Examples
    --------
    >>> sign_of_effect([0.5, -2.0, 0.0, float("nan")]).tolist()
    [1, -1, 0, 0]
    >>> sign_of_effect([0.5, -2.0], lower_is_better=True).tolist()
    [-1, 1]
    """
    sign = np.sign(np.nan_to_num(np.asarray(effect, dtype=np.float64))).astype(np.int64)
    return -sign if lower_is_better else sign


def better_matrix(first: IntArray, second: IntArray, effect: FloatArray, n: int) -> BoolArray:
    """Which item is better than which, by the sign of the effects of pairs: row better than column.

    Parameters
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        The items of each pair, from 0 to ``n`` - 1.
    effect : ndarray, shape (n_pairs,)
        First less second; 0 and NaN are neither.
    n : int
        Number of items.

    Returns
    -------
    ndarray of bool, shape (n, n)

    Examples
    --------
    >>> better_matrix(np.array([0]), np.array([1]), np.array([-2.0]), 2).tolist()
    [[False, False], [True, False]]
    """
    sign = sign_of_effect(effect)
    better = np.zeros((n, n), dtype=bool)
    better[first[sign > 0], second[sign > 0]] = True
    better[second[sign < 0], first[sign < 0]] = True
    return better
