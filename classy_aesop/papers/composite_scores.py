"""A composite of all scores of a summary: their first principal component.

Rankel et al. (2011), section 5, and Rankel (2016), section 4.5, propose to look at all scores together, human measures
and metrics, to combine them by principal components, and to test pairs of summarizers by the composite.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

import numpy as np

from classy_aesop.answers.score_matrices import ScoreMatrix
from classy_aesop.errors import InputError
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import is_constant

COMPOSITE = "composite"
"""The name of the metric."""


def composite_matrices(scores: Sequence[ScoreMatrix]) -> list[ScoreMatrix]:
    """Combine the score matrices of each year and task."""
    composites = []
    for _, of_stratum in groupby(scores, key=lambda matrix: (matrix.year, matrix.task)):
        matrices = list(of_stratum)
        summarizers = tuple(dict.fromkeys(name for matrix in matrices for name in matrix.summarizers))
        topics = tuple(dict.fromkeys(name for matrix in matrices for name in matrix.topics))
        cells = np.full((len(matrices), len(summarizers), len(topics)), np.nan)
        for number, matrix in enumerate(matrices):
            rows = [summarizers.index(name) for name in matrix.summarizers]
            columns = [topics.index(name) for name in matrix.topics]
            cells[number][np.ix_(rows, columns)] = matrix.X
        composite = np.full(cells.shape[1:], np.nan)
        is_complete = ~np.isnan(cells).any(axis=0)
        composite[is_complete] = first_component(cells[:, is_complete].T)
        kept_rows = is_complete.any(axis=1)
        kept_columns = is_complete.any(axis=0)
        composites.append(
            replace(
                matrices[0],
                metric=COMPOSITE,
                X=composite[np.ix_(kept_rows, kept_columns)],
                summarizers=tuple(np.array(summarizers)[kept_rows].tolist()),
                topics=tuple(np.array(topics)[kept_columns].tolist()),
            )
        )
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
    if len(scores) < 3 or varies.sum() < 2:
        raise InputError(
            f"{int(varies.sum())} scores that vary, of {len(scores)} summaries that have all; expected two or more, of "
            "three summaries or more"
        )
    Z = scores[:, varies]
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0, ddof=1)
    weights = np.linalg.svd(Z, full_matrices=False)[2][0]
    return np.asarray(Z @ weights * (-1.0 if weights.sum() < 0 else 1.0))
