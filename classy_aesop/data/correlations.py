"""The correlation of one metric with one human measure, at every level."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.data.scores import KEYS, matrix
from classy_aesop.significance.choices import LEVELS, Coefficient
from classy_aesop.significance.correlation import correlation

COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman", "kendall")
"""The coefficients reported by default; Kendall's is tau-b, which corrects for ties."""

COLUMNS = ["level", "coefficient", "value", "n_summarizers", "n_topics", "n_skipped"]
"""What `correlations` returns for each level and coefficient."""


def correlations(scores: pd.DataFrame, truth: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """Correlate a metric with a human measure over the instances that have both; yields rows of `COLUMNS`.

    Nothing is yielded if no instance has both.
    """
    matrices = joined_matrices(scores, truth)
    if matrices is None:
        return
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            found = correlation(*matrices, level=level, coefficient=coefficient)
            yield level, coefficient, found.value, found.n_summarizers, found.n_topics, found.n_skipped


def joined_matrices(
    scores: pd.DataFrame, truth: pd.DataFrame
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Join a metric and a human measure by their ids into two matrices with the same rows and columns.

    Returns
    -------
    X, Z : ndarray of shape (n_summarizers, n_topics)
        The metric's and the human scores; NaN where either is missing. None if no instance has both.
    """
    both = scores[[*KEYS, "score"]].merge(truth[[*KEYS, "score"]], on=KEYS, suffixes=("_metric", "_human"))
    both = both.dropna().assign(metric="")
    if both.empty:
        return None
    X, _, _ = matrix(both.rename(columns={"score_metric": "score"}), "")
    Z, _, _ = matrix(both.rename(columns={"score_human": "score"}), "")
    return X, Z
