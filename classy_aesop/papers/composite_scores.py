"""A composite of all scores of a summary: their first principal component.

Rankel et al. (2011), section 5, and Rankel (2016), section 4.5, propose to look at all scores together, human measures
and metrics, to combine them by principal components, and to test pairs of summarizers by the composite.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import ScoreMatrix, matrices
from classy_aesop.errors import InputError
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import ROUNDING, is_constant

COMPOSITE = "composite"
"""The name of the metric."""


def composite_matrices(scores: Sequence[ScoreMatrix]) -> list[ScoreMatrix]:
    """Combine the score matrices of each year and task, where a summary has all scores."""
    composites = []
    for (year, task), of_stratum in groupby(scores, key=lambda matrix: (matrix.year, matrix.task)):
        columns = [
            pd.DataFrame(matrix.X, [*matrix.summarizers], [*matrix.topics]).stack(future_stack=True).dropna()
            for matrix in of_stratum
        ]
        complete = pd.concat(columns, axis=1, join="inner")
        rows = complete.index.set_names(["summarizer", "topic"]).to_frame(index=False)
        composite = first_component(complete.to_numpy())
        composites += matrices(rows.assign(year=year, task=task, metric=COMPOSITE, score=composite))
    return composites


def first_component(scores: FloatArray) -> FloatArray:
    """Return the first principal component (n_summaries,) of standardized scores (n_summaries, n_metrics).

    A score that does not vary is left out. The sign is that with which the weights have a positive sum.

    Examples
    --------
    >>> first_component(np.array([[1.0, 10.0], [2.0, 20.0], [3.0, 30.0]])).round(4).tolist()
    [-1.4142, 0.0, 1.4142]
    """
    varies = ~is_constant(scores.T) if len(scores) else np.zeros(scores.shape[1], bool)
    return find_components(scores[:, varies])[2][:, 0]


def find_components(scores: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the weights of the principal components (a row each), the shares that they explain, and their values.

    The sign of a component is the one that gives its weights a positive sum, or if that is 0 but for rounding, of the
    first weight that is not. Components that explain nothing are left out.
    """
    n_rows, n_scores = scores.shape
    if n_rows < 3 or n_scores < 2 or is_constant(scores.T).any():
        raise InputError(
            f"{n_scores} scores of {n_rows} summaries or summarizers; expected two scores or more that vary, of "
            "three or more"
        )
    Z = (scores - scores.mean(axis=0)) / scores.std(axis=0, ddof=1)
    _, sizes, weights = np.linalg.svd(Z, full_matrices=False)
    explains = sizes > ROUNDING * sizes[0]
    weights = weights[explains]
    sum_and_weights = np.column_stack([weights.sum(axis=1), weights])
    first = (np.abs(sum_and_weights) > ROUNDING).argmax(axis=1)
    weights = weights * np.sign(sum_and_weights[np.arange(len(weights)), first])[:, None]
    return weights, (sizes**2 / np.sum(sizes**2))[explains], Z @ weights.T
