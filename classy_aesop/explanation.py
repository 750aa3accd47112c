"""What each column contributes to a linear score, in units of the human measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd

BASELINE = "baseline"
"""The part of a score that all summaries share: the score of the training means."""


def explanation(
    keys: pd.DataFrame,
    X: NDArray[np.float64],
    columns: Sequence[str],
    *,
    means: NDArray[np.float64],
    weights: NDArray[np.float64],
    intercept: float,
) -> pd.DataFrame:
    """Take scores apart: the score of the means, then each column's weight times its distance from its mean.

    Parameters
    ----------
    keys : DataFrame of n_rows
        What names each row; repeated in front.
    X : (n_rows, n_columns)
        Values; a missing one makes its contribution NaN.
    columns : sequence of str
        Names of the columns.
    means, weights : (n_columns,)
        Mean of each column in training, and its weight.
    intercept : float
        The constant.

    Returns
    -------
    DataFrame
        The keys and ``part, value, mean, weight, contribution``: for each row of ``X`` one of the part `BASELINE`, and
        one a column. The contributions of a row sum to ``X @ weights + intercept``.
    """
    n_rows, n_parts = len(X), 1 + len(columns)
    baseline = np.full((n_rows, 1), means @ weights + intercept)
    values = np.hstack([np.full((n_rows, 1), np.nan), X])
    rows = keys.loc[keys.index.repeat(n_parts)].reset_index(drop=True)
    return rows.assign(
        part=[BASELINE, *columns] * n_rows,
        value=values.ravel(),
        mean=np.tile([np.nan, *means], n_rows),
        weight=np.tile([np.nan, *weights], n_rows),
        contribution=np.hstack([baseline, weights * (X - means)]).ravel(),
    )
