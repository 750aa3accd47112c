"""Do some assessors score higher than others, apart from the categories of their topics?

Y = mu + alpha_assessor + beta_category + error, where effects of either kind sum to 0 and do not interact; Y is usually
a topic's mean score, since one assessor scores a whole topic. The test of all alpha = 0 is F of least squares. Rankel
(2016), section 3.1.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from classy_aesop.errors import InputError
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import NO_DEGREES_OF_FREEDOM

ONE_ASSESSOR = "one assessor"
NO_VARIANCE_LEFT = "the model fits without rest"


def assessor_effects(scores: pd.Series, assessors: pd.Series, categories: pd.Series) -> pd.DataFrame:
    """Fit the additive model and test the assessors: a row for each assessor and category, with the one test.

    Where there is nothing to test, p is 1, and a flag says why.
    """
    from scipy.linalg import block_diag
    from scipy.special import fdtrc

    y = scores.to_numpy(dtype=float)
    members = [pd.get_dummies(labels, dtype=float) for labels in (assessors, categories)]
    # the last effect of a kind is less the sum of the others
    sizes = [of_kind.shape[1] - 1 for of_kind in members]
    contrasts = block_diag(*(np.vstack([np.eye(size), -np.ones(size)]) for size in sizes))
    design = np.column_stack([np.ones(len(y)), np.hstack(members) @ contrasts])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise InputError(
            "some assessors share no category with the others; expected categories that connect them"
        )
    inverse = np.linalg.inv(design.T @ design)
    coefficients = inverse @ design.T @ y
    square_sum = float(np.square(y - design @ coefficients).sum())
    df_error = len(y) - design.shape[1]
    covariance = inverse[1:, 1:] * (square_sum / df_error if df_error else np.nan)
    rounding = ROUNDING * float(np.abs(y).max())
    statistic = np.nan
    p = 1.0
    flag = ""
    if not sizes[0]:
        flag = ONE_ASSESSOR
    elif not df_error:
        flag = NO_DEGREES_OF_FREEDOM
    elif square_sum <= len(y) * rounding**2:
        flag = NO_VARIANCE_LEFT
    else:
        of_assessors = slice(sizes[0])
        tested = coefficients[1:][of_assessors]
        statistic = tested @ np.linalg.solve(covariance[of_assessors, of_assessors], tested) / sizes[0]
        p = fdtrc(sizes[0], df_error, statistic)
    effects = contrasts @ coefficients[1:]
    return pd.DataFrame(
        {
            "kind": np.repeat(["assessor", "category"], [size + 1 for size in sizes]),
            "name": [name for of_kind in members for name in of_kind],
        }
    ).assign(
        effect=np.where(np.abs(effects) > rounding, effects, 0.0),
        error=np.sqrt(np.diag(contrasts @ covariance @ contrasts.T)),
        n=len(y),
        statistic=statistic,
        df=sizes[0],
        df_error=df_error,
        p=p,
        flag=flag,
    )
