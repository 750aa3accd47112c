"""Do some assessors score higher than others, apart from the categories of their topics?

Y = mu + alpha_assessor + beta_category + error, where effects of either kind sum to 0 and do not interact; Y is usually
a topic's mean score, since one assessor scores a whole topic. The test of all alpha = 0 compares the fit with that of
categories alone. Rankel (2016), section 3.1. Assessors stand in the equations of
:mod:`classy_aesop.significance.additive.linear_means` as systems do, and categories as topics; and the other way round.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.linear_means import RatingEquations, RatingRows, normal_equations
from classy_aesop.significance.base import FloatArray, Result, score_vector
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

    Shapes: ``scores`` (n,).

    Examples
    --------
    >>> model = assessor_effects([1, 2, 3, 4.5], ["A", "A", "B", "B"], ["u", "v", "u", "v"])
    >>> model.assessor_effects.round(4).tolist(), round(model.p, 4)
    ([-1.125, 1.125], 0.0704)
    """
    from scipy.special import fdtrc

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
    assessor_equations = normal_equations(RatingRows(y, assessor, category, None, len(names), len(kinds), 0))
    category_equations = normal_equations(RatingRows(y, category, assessor, None, len(kinds), len(names), 0))
    if assessor_equations.group.any():
        raise ValueError(
            "some assessors share no category with the others; expected categories that connect them"
        )
    without_effects = (
        y - assessor_equations.system_effect[assessor] - category_equations.system_effect[category]
    )
    mean = float(without_effects.mean())
    square_sum = float(np.square(without_effects - mean).sum())
    n_of_assessors = len(names) - 1
    df_error = len(y) - n_of_assessors - len(kinds)
    error_variance = square_sum / df_error if df_error else float("nan")
    rounding = ROUNDING * float(np.abs(y).max())
    statistic = float("nan")
    p = 1.0
    flag = ""
    if not n_of_assessors:
        flag = ONE_ASSESSOR
    elif not df_error:
        flag = NO_DEGREES_OF_FREEDOM
    elif square_sum <= len(y) * rounding**2:
        flag = NO_VARIANCE_LEFT
    else:
        explained = (
            assessor_equations.system_effect @ assessor_equations.normal @ assessor_equations.system_effect
        )
        statistic = float(explained / n_of_assessors / error_variance)
        p = float(fdtrc(n_of_assessors, df_error, statistic))
    effects_of_assessors = _effects_and_errors(assessor_equations, error_variance, rounding)
    effects_of_categories = _effects_and_errors(category_equations, error_variance, rounding)
    return AssessorEffects(
        statistic=statistic,
        df=n_of_assessors,
        df_error=df_error,
        p=p,
        mean=mean,
        assessors=tuple(names.tolist()),
        categories=tuple(kinds.tolist()),
        assessor_effects=effects_of_assessors[0],
        category_effects=effects_of_categories[0],
        assessor_errors=effects_of_assessors[1],
        category_errors=effects_of_categories[1],
        n=len(y),
        flag=flag,
    )


def _effects_and_errors(
    equations: RatingEquations, error_variance: float, rounding: float
) -> tuple[FloatArray, FloatArray]:
    """Give the effects, which sum to 0, with their standard errors; one within ``rounding`` is 0."""
    effects = equations.system_effect
    variances = np.diag(equations.system_inverse) - equations.system_inverse.mean()
    return np.where(np.abs(effects) > rounding, effects, 0.0), np.sqrt(error_variance * variances)
