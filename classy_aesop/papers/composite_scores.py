"""Principal components of several scores: Rankel et al. (2011), section 5, and Rankel (2016), section 4.5."""

from __future__ import annotations

import numpy as np

from classy_aesop.errors import InputError
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import ROUNDING, is_constant


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
