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
    """Combine the scores of each year and task that vary, of the summaries that have all of them."""
    composites = []
    for (year, task), of_stratum in groupby(scores, key=lambda matrix: (matrix.year, matrix.task)):
        columns = [
            pd.DataFrame(matrix.X, [*matrix.summarizers], [*matrix.topics]).stack(future_stack=True).dropna()
            for matrix in of_stratum
        ]
        complete = pd.concat(columns, axis=1, join="inner")
        rows = complete.index.set_names(["summarizer", "topic"]).to_frame(index=False)
        values = complete.to_numpy()
        components = find_components(values[:, ~is_constant(values.T)] if len(values) else values)[2]
        composites += matrices(rows.assign(year=year, task=task, metric=COMPOSITE, score=components[:, 0]))
    return composites


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
