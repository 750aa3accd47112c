"""Do some assessors score higher than others, apart from the categories of their topics?

Y = mu + alpha_assessor + beta_category + error, where effects of either kind sum to 0 and do not interact; Y is usually
a topic's mean score, since one assessor scores a whole topic. The test of all alpha = 0 compares the fit with that of
categories alone. Rankel (2016), section 3.1. Fits and tests are statsmodels'.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray, Result, score_vector
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import NO_DEGREES_OF_FREEDOM

ONE_ASSESSOR = "one assessor"
NO_VARIANCE_LEFT = "the model fits without rest"


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
        p is 1, with a flag, for one assessor or too few scores, and where the model fits without rest, so that nothing
        is known of the variance.

    Raises
    ------
    ValueError
        Lengths differ, nothing is scored, or the effects cannot be separated because some assessors share no category
        with the others, directly or through others.

    Examples
    --------
    >>> model = assessor_effects([1, 2, 3, 4.5], ["A", "A", "B", "B"], ["u", "v", "u", "v"])
    >>> model.assessor_effects.round(4).tolist(), round(model.p, 4)
    ([-1.125, 1.125], 0.0704)
    """
    from statsmodels.regression.linear_model import OLS

    y = score_vector(scores, "scores")
    if not len(y) == len(assessors) == len(categories):
        raise ValueError(
            f"{len(y)} scores, {len(assessors)} assessors, {len(categories)} categories; expected as many"
        )
    scored = ~np.isnan(y)
    if not scored.any():
        raise ValueError("no score is left; expected at least one that is a number")
    y = y[scored]
    names, assessor = np.unique(np.array([str(label) for label in assessors])[scored], return_inverse=True)
    kinds, category = np.unique(np.array([str(label) for label in categories])[scored], return_inverse=True)
    of_categories = np.hstack([np.ones((len(y), 1)), code_effects(category, len(kinds))])
    design = np.hstack([of_categories, code_effects(assessor, len(names))])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise ValueError(
            "some assessors share no category with the others; expected categories that connect them"
        )
    n_of_assessors = len(names) - 1
    df_error = len(y) - design.shape[1]
    rounding = ROUNDING * float(np.abs(y).max())
    statistic = float("nan")
    p = 1.0
    flag = ""
    with np.errstate(divide="ignore", invalid="ignore"):  # without degrees of freedom errors are NaN
        fitted = OLS(y, design).fit()
        covariance = np.asarray(fitted.cov_params()) if df_error else np.full((design.shape[1],) * 2, np.nan)
        if not n_of_assessors:
            flag = ONE_ASSESSOR
        elif not df_error:
            flag = NO_DEGREES_OF_FREEDOM
        elif fitted.ssr <= len(y) * rounding**2:
            flag = NO_VARIANCE_LEFT
        else:
            statistic, p, _ = map(float, fitted.compare_f_test(OLS(y, of_categories).fit()))
    of_kinds = _effects_of(fitted.params, covariance, 1, len(kinds), rounding)
    of_names = _effects_of(fitted.params, covariance, len(kinds), len(names), rounding)
    return AssessorEffects(
        statistic=statistic,
        df=n_of_assessors,
        df_error=df_error,
        p=p,
        mean=float(fitted.params[0]),
        assessors=tuple(names.tolist()),
        categories=tuple(kinds.tolist()),
        assessor_effects=of_names[0],
        category_effects=of_kinds[0],
        assessor_errors=of_names[1],
        category_errors=of_kinds[1],
        n=len(y),
        flag=flag,
    )


def code_effects(level: IntArray, n_levels: int) -> FloatArray:
    """Return levels coded as effects: a column for all but the last, which is -1 in each."""
    return np.vstack([np.eye(n_levels - 1), -np.ones((1, n_levels - 1))])[level]


def _effects_of(
    coefficients: FloatArray, covariance: FloatArray, start: int, n_levels: int, rounding: float
) -> tuple[FloatArray, FloatArray]:
    """Compute the effects of all levels, which sum to 0, and their standard errors; one within ``rounding`` is 0."""
    columns = slice(start, start + n_levels - 1)
    contrasts = code_effects(np.arange(n_levels), n_levels)
    variance = np.einsum("ij,jk,ik->i", contrasts, covariance[columns, columns], contrasts)
    effects = contrasts @ coefficients[columns]
    return np.where(np.abs(effects) > rounding, effects, 0.0), np.sqrt(variance)
