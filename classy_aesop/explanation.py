"""What each column contributes to a score, in units of the human measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classy_aesop.formulas import Formula, Linear
from classy_aesop.seen import Seen

if TYPE_CHECKING:
    import pandas as pd

BASELINE = "baseline"
"""The part of a score that all summaries share."""


def explanation(
    keys: pd.DataFrame,
    X: NDArray[np.float64],
    columns: Sequence[str],
    formula: Formula,
    seen: Seen,
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
    seen : Seen
        The means of training.

    Returns
    -------
    DataFrame
        The keys and ``part, value, mean, contribution``: for each row of ``X`` one of the part `BASELINE`, and one a
        column. The contributions of a row sum to its prediction.
    """
    n_rows, means = len(X), np.array(seen.mean)
    if isinstance(formula, Linear):
        added, baseline = formula.contributions(X - means)[0], float(formula.predict(means[None])[0])
    else:
        added, baseline = formula.contributions(X)
    values = np.hstack([np.full((n_rows, 1), np.nan), X])
    rows = keys.loc[keys.index.repeat(1 + len(columns))].reset_index(drop=True)
    return rows.assign(
        part=[BASELINE, *columns] * n_rows,
        value=values.ravel(),
        mean=np.tile([np.nan, *means], n_rows),
        contribution=np.hstack([np.full((n_rows, 1), baseline), added]).ravel(),
    )
