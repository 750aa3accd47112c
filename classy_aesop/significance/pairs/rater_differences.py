"""The difference of each pair of systems by each rater alone."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.additive_model import AdditiveModel
from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.differences import rows_of_pairs


def rater_differences(model: AdditiveModel, pairs: ArrayLike | None = None) -> tuple[FloatArray, IntArray]:
    """Give the difference of each pair as each rater alone saw it.

    A rater who likes one system is seen by no test over topics: the raters' own differences show it.

    Shapes: ``pairs`` (n_pairs, 2); gives ``differences`` (n_pairs, n_raters), ``n_topics`` (n_pairs,
    n_raters).

    Examples
    --------
    >>> from classy_aesop.significance.additive.additive_model import fit_additive_model
    >>> y, system, topic, rater = [3, 1, 4, 3, 5, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 0]
    >>> model = fit_additive_model(y, system, topic, n_systems=2, rater=rater, n_raters=2)
    >>> [values.tolist() for values in rater_differences(model)]
    [[[1.5, nan]], [[2, 0]]]
    """
    fit = model.fit
    rows = fit.rows
    first, second = rows_of_pairs(pairs, rows.n_systems)
    differences = np.full((len(first), rows.n_raters), np.nan)
    n_shared = np.zeros((len(first), rows.n_raters), dtype=np.int64)
    for number in range(rows.n_raters):
        assert rows.rater is not None
        is_row = rows.rater == number
        topics, topic = np.unique(rows.topic[is_row], return_inverse=True)
        cell = rows.system[is_row] * len(topics) + topic
        n_cells = rows.n_systems * len(topics)
        n_ratings = np.bincount(cell, minlength=n_cells).reshape(rows.n_systems, -1)
        sums = np.bincount(cell, rows.y[is_row], minlength=n_cells).reshape(rows.n_systems, -1)
        has = (n_ratings > 0).astype(np.float64)
        means = sums / np.maximum(n_ratings, 1)
        shared = has @ has.T
        sums_of_shared = means @ has.T
        n = np.rint(shared[first, second]).astype(np.int64)
        sum_of_differences = sums_of_shared[first, second] - sums_of_shared[second, first]
        n_shared[:, number] = n
        differences[:, number] = np.where(n > 0, sum_of_differences / np.maximum(n, 1) * fit.unit, np.nan)
    return differences, n_shared
