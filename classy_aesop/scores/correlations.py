"""One metric of a score table correlated with one human measure, at every level."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.scores.table import KEYS, matrix
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.levels import LEVELS

COEFFICIENTS = ("pearson", "spearman", "kendall")
"""What is reported by default; ties count as in Kendall's tau-b."""

COLUMNS = ["level", "coefficient", "value", "n_summarizers", "n_topics", "n_skipped"]
"""What `correlations` gives for each level and coefficient."""


def correlations(scores: pd.DataFrame, truth: pd.DataFrame) -> Iterator[tuple[object, ...]]:
    """Correlate one metric with one measure over the instances that both score; gives `COLUMNS`, or nothing."""
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
    """Join one metric and one measure by their ids, and lay both out as matrices on the same rows and columns.

    Returns
    -------
    X, Z : ndarray of shape (n_summarizers, n_topics)
        The metric's scores and the human ones; NaN for an instance that either lacks. None if no instance has both.
    """
    both = scores[[*KEYS, "score"]].merge(truth[[*KEYS, "score"]], on=KEYS, suffixes=("_metric", "_human"))
    both = both.dropna().assign(metric="")
    if both.empty:
        return None
    X, _, _ = matrix(both.rename(columns={"score_metric": "score"}), "")
    Z, _, _ = matrix(both.rename(columns={"score_human": "score"}), "")
    return X, Z
