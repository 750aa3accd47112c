"""Do some assessors score higher than others? An additive model of assessor and category.

Y = mu + alpha_assessor + beta_category + error, where effects of either kind sum to 0 and do not interact; Y
is usually a topic's mean score, since one assessor scores a whole topic. The test of all alpha = 0 compares
the fit with that of categories alone.

Rankel (2016), section 3.1.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import ROUNDING, FloatArray, IntArray, Result, score_vector


@dataclass(frozen=True, slots=True)
class AssessorEffects(Result):
    """The additive model of assessors and categories.

    Attributes
    ----------
    statistic : float
        F of all assessor effects; NaN when it cannot be tested.
    df, df_error : int
        Its degrees of freedom.
    p : float
        P-value; 1 with a flag where there is nothing to test.
    mean : float
        mu, the mean of all combinations.
    assessors, categories : tuple of str
        Sorted names.
    assessor_effects, category_effects : ndarray
        alpha and beta, in the order of the names.
    assessor_errors, category_errors : ndarray
        Their standard errors; NaN without degrees of freedom left.
    n : int
        Scores used.
    flag : str
        Why there was nothing to test; else empty.
    """

    statistic: float
    df: int
    df_error: int
    p: float
    mean: float
    assessors: tuple[str, ...]
    categories: tuple[str, ...]
    assessor_effects: FloatArray
    category_effects: FloatArray
    assessor_errors: FloatArray
    category_errors: FloatArray
    n: int
    flag: str


def assessor_effects(
    scores: ArrayLike, assessors: Sequence[Hashable], categories: Sequence[Hashable]
) -> AssessorEffects:
    """Fit the additive model and test the assessors.

    Parameters
    ----------
    scores : array_like, shape (n,)
        A score each, such as a topic's mean; NaN are left out with their labels.
    assessors, categories : sequence, length n
        Who gave it, and the category of its topic.

    Returns
    -------
    AssessorEffects
        With p = 1 and a flag for one assessor or too few scores; p = 0 and a flag when the model fits
        without rest.

    Raises
    ------
    ValueError
        If lengths differ, nothing is scored, or the effects cannot be separated because some assessors
        share no category with the others, directly or through others.

    Examples
    --------
    >>> found = assessor_effects([1, 2, 3, 4.5], ["A", "A", "B", "B"], ["u", "v", "u", "v"])
    >>> found.assessor_effects.round(4).tolist(), round(found.p, 4)
    ([-1.125, 1.125], 0.0704)
    """
    y, a, b = _labelled(scores, assessors, categories)
    names, who = np.unique(a, return_inverse=True)
    kinds, where = np.unique(b, return_inverse=True)
    alone = np.hstack([np.ones((len(y), 1)), _coded(where, len(kinds))])
    full = np.hstack([alone, _coded(who, len(names))])
    if np.linalg.matrix_rank(full) < full.shape[1]:
        raise ValueError(
            "some assessors share no category with the others; expected categories that connect them"
        )
    coefficients, rest = _fit(full, y)
    df_error = len(y) - full.shape[1]
    covariance = np.linalg.inv(full.T @ full) * (rest / df_error if df_error else np.nan)
    noise = ROUNDING * float(np.abs(y).max())
    of_kinds, kind_errors = _effects(coefficients, covariance, 1, len(kinds), noise)
    of_names, name_errors = _effects(coefficients, covariance, len(kinds), len(names), noise)
    statistic, p, flag = _f_test(
        _fit(alone, y)[1], rest, len(names) - 1, df_error, ROUNDING**2 * float(y @ y)
    )
    return AssessorEffects(
        statistic=statistic,
        df=len(names) - 1,
        df_error=df_error,
        p=p,
        mean=float(coefficients[0]),
        assessors=tuple(names.tolist()),
        categories=tuple(kinds.tolist()),
        assessor_effects=of_names,
        category_effects=of_kinds,
        assessor_errors=name_errors,
        category_errors=kind_errors,
        n=len(y),
        flag=flag,
    )


def _f_test(rest_alone: float, rest: float, df: int, df_error: int, noise: float) -> tuple[float, float, str]:
    """F of the sum of squares that assessors add, its p and a flag; sums within ``noise`` are rounding."""
    from scipy.special import fdtrc

    if df == 0:
        return float("nan"), 1.0, "one assessor"
    if df_error == 0:
        return float("nan"), 1.0, "no degrees of freedom left"
    gained = rest_alone - rest
    if rest <= noise:
        flag = "the model fits without rest"
        return (float("nan"), 1.0, flag) if gained <= noise else (float("inf"), 0.0, flag)
    statistic = gained / df / (rest / df_error)
    return statistic, float(fdtrc(df, df_error, statistic)), ""


def _labelled(
    scores: ArrayLike, assessors: Sequence[Hashable], categories: Sequence[Hashable]
) -> tuple[FloatArray, NDArray[np.str_], NDArray[np.str_]]:
    y = score_vector(scores, "scores")
    if not len(y) == len(assessors) == len(categories):
        raise ValueError(
            f"{len(y)} scores, {len(assessors)} assessors, {len(categories)} categories; expected as many"
        )
    scored = ~np.isnan(y)
    if not scored.any():
        raise ValueError("no score is left; expected at least one that is a number")
    a, b = (np.array([str(label) for label in labels]) for labels in (assessors, categories))
    return y[scored], a[scored], b[scored]


def _coded(level: IntArray, n_levels: int) -> FloatArray:
    """Code levels as effects: a column for all but the last, which is -1 in each."""
    return np.vstack([np.eye(n_levels - 1), -np.ones((1, n_levels - 1))])[level]


def _fit(design: FloatArray, y: FloatArray) -> tuple[FloatArray, float]:
    coefficients = np.asarray(np.linalg.lstsq(design, y, rcond=None)[0], dtype=np.float64)
    left = y - design @ coefficients
    return coefficients, float(left @ left)


def _effects(
    coefficients: FloatArray, covariance: FloatArray, start: int, n_levels: int, noise: float
) -> tuple[FloatArray, FloatArray]:
    """Effects of all levels and their errors; the last makes their sum 0, and one within ``noise`` is 0."""
    columns = slice(start, start + n_levels - 1)
    spread = np.vstack([np.eye(n_levels - 1), -np.ones((1, n_levels - 1))])
    variance = np.einsum("ij,jk,ik->i", spread, covariance[columns, columns], spread)
    effects = spread @ coefficients[columns]
    return np.where(np.abs(effects) > noise, effects, 0.0), np.sqrt(variance)
