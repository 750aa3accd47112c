"""What each column contributes to a score, in units of the human measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classy_aesop.features.columns import group_of
from classy_aesop.formulas import Formula
from classy_aesop.predictor.training_range import TrainingRange

if TYPE_CHECKING:
    import pandas as pd

BASELINE = "baseline"
"""The part of a score that all summaries share."""


def by_group(parts: pd.DataFrame) -> pd.DataFrame:
    """Sum what the columns of each group of features contribute to a score; others stay as they are.

    Parameters
    ----------
    parts : DataFrame
        As `explanation` gives it.

    Returns
    -------
    DataFrame
        The same rows without ``value`` and ``mean``, one for each group; NaN where a contribution is.
    """
    grouped = parts.assign(part=parts["part"].map(group_of)).drop(columns=["value", "mean"])
    keys = [name for name in grouped if name != "contribution"]
    summed = grouped.groupby(keys, sort=False)["contribution"].agg(["sum", "size", "count"])
    complete = summed["size"] == summed["count"]
    return summed["sum"].where(complete).rename("contribution").reset_index()


def explanation(
    keys: pd.DataFrame,
    X: NDArray[np.float64],
    columns: Sequence[str],
    formula: Formula,
    training_range: TrainingRange,
) -> pd.DataFrame:
    """Take scores apart.

    A weighted sum: the score of the training means, then each column's weight times its distance from its mean. Trees:
    the sum of their roots, which are means over the training rows, then what the steps of the decision path add.

    Parameters
    ----------
    keys : DataFrame of n_rows
        What names each row; repeated in front.
    X : (n_rows, n_columns)
        Values; a missing one makes contributions NaN.
    columns : sequence of str
        Names of the columns.
    formula : Formula
        What predicts.
    training_range : TrainingRange
        The means of training.

    Returns
    -------
    DataFrame
        The keys and ``part, value, mean, contribution``: for each row of ``X`` one of the part `BASELINE`, and one a
        column. The contributions of a row sum to its prediction.
    """
    n_rows, means = len(X), np.array(training_range.mean)
    added, baseline = formula.contributions(X, means)
    values = np.hstack([np.full((n_rows, 1), np.nan), X])
    rows = keys.loc[keys.index.repeat(1 + len(columns))].reset_index(drop=True)
    return rows.assign(
        part=[BASELINE, *columns] * n_rows,
        value=values.ravel(),
        mean=np.tile([np.nan, *means], n_rows),
        contribution=np.hstack([np.full((n_rows, 1), baseline), added]).ravel(),
    )
