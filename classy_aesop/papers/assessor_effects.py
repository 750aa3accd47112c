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
    from scipy.special import fdtrc

    y = scores.to_numpy(dtype=float)
    members = pd.concat(
        {
            kind: pd.get_dummies(of_rows)
            for kind, of_rows in (("assessor", assessors), ("category", categories))
        },
        axis=1,
    )
    kinds = members.columns.get_level_values(0)
    design = np.column_stack([np.ones(len(y)), members]).astype(float)
    # a row a kind asks for a sum of 0, which changes no fitted value
    sums = [np.append(0.0, kinds == kind) for kind in ("assessor", "category")]
    rows = np.vstack([design, *sums])
    if np.linalg.matrix_rank(rows) < rows.shape[1]:
        raise InputError(
            "some assessors share no category with the others; expected categories that connect them"
        )
    weights = np.linalg.pinv(rows)[:, : len(y)]
    coefficients = weights @ y
    square_sum = float(np.square(y - design @ coefficients).sum())
    df = assessors.nunique() - 1
    df_error = len(y) - (rows.shape[1] - 2)
    variance = square_sum / df_error if df_error else np.nan
    rounding = ROUNDING * float(np.abs(y).max())
    statistic = np.nan
    p = 1.0
    flag = ""
    if not df:
        flag = ONE_ASSESSOR
    elif not df_error:
        flag = NO_DEGREES_OF_FREEDOM
    elif square_sum <= len(y) * rounding**2:
        flag = NO_VARIANCE_LEFT
    else:
        of_categories = scores - scores.groupby(categories).transform("mean")
        statistic = (np.square(of_categories).sum() - square_sum) / df / variance
        p = fdtrc(df, df_error, statistic)
    effects = coefficients[1:]
    return pd.DataFrame(
        {
            "kind": kinds,
            "name": members.columns.get_level_values(1),
            "effect": np.where(np.abs(effects) > rounding, effects, 0.0),
            "error": np.sqrt(variance * np.square(weights).sum(axis=1))[1:],
        }
    ).assign(n=len(y), statistic=statistic, df=df, df_error=df_error, p=p, flag=flag)
