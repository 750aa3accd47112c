"""What each column contributes to a score, in units of the human measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classy_aesop.features.registry import group_of
from classy_aesop.formulas import Formula
from classy_aesop.predictor.within import Values, Within

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


def contributions_of(
    values: Values, formula: Formula, within: Within | None, mean: Sequence[float]
) -> NDArray[np.float64]:
    """Take scores apart, (n_rows, n_parts): the baseline, then what each plain and each relative column adds."""

    def added(of: Formula, X: NDArray[np.float64]) -> NDArray[np.float64]:
        means = np.array(mean) if of is formula else np.zeros(X.shape[1])
        columns, baseline = of.contributions(X, means)
        return np.hstack([np.full((len(X), 1), baseline), columns])

    parts = values.parts(formula, within, added)
    return np.hstack([parts.level, parts.difference[:, 1:]])  # the baseline of differences is 0


def explanation(
    keys: pd.DataFrame,
    parts: Sequence[str],
    values: NDArray[np.float64],
    means: Sequence[float],
    contributions: NDArray[np.float64],
) -> pd.DataFrame:
    """Say what every part of scores adds, a row a part.

    A weighted sum: the score of the training means, then each column's weight times its distance from its mean. Trees:
    the sum of their roots, which are means over the training rows, then what the steps of the decision path add. Of a
    summary within its topic, a column adds the mean of this over the topic, and a relative column what it adds less the
    topic's mean of it.

    Parameters
    ----------
    keys : DataFrame of n_rows
        What names each row; repeated in front.
    parts : sequence of str
        The baseline and the names of the columns, the relative ones last.
    values : array, shape (n_rows, n_parts - 1)
        Those of the columns.
    means : sequence of float
        Their means in training; relative columns have none.
    contributions : array, shape (n_rows, n_parts)
        What each part adds.

    Returns
    -------
    DataFrame
        The keys and ``part, value, mean, contribution``.
    """
    n_rows, none = len(values), float("nan")
    rows = keys.loc[keys.index.repeat(len(parts))].reset_index(drop=True)
    without = [none] * (len(parts) - 1 - len(means))
    return rows.assign(
        part=list(parts) * n_rows,
        value=np.hstack([np.full((n_rows, 1), none), values]).ravel(),
        mean=np.tile([none, *means, *without], n_rows),
        contribution=contributions.ravel(),
    )
