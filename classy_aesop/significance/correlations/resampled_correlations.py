"""Correlations on bootstrap resamples.

A resample has summarizers, topics or both drawn with replacement (BOOT-SYSTEMS, BOOT-INPUTS and BOOT-BOTH of Deutsch et
al. 2021, section 3); a summarizer that is drawn twice makes no pair with itself.

At system level the means of all resamples are one matrix product, or where systems lack topics one batch of
least-squares fits, and :mod:`classy_aesop.significance.correlations.row_coefficients` correlates them. At input level
:mod:`classy_aesop.significance.correlations.counted_coefficients` correlates within each topic. Other levels and
coefficients are correlated one resample after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.system_means import MeansDesign, means_design, resampled_means
from classy_aesop.significance.base import FloatArray, score_matrices
from classy_aesop.significance.correlations.accuracies import CALIBRATED_ACCURACY, SOFT_ACCURACY
from classy_aesop.significance.correlations.coefficients import PAIRWISE_COEFFICIENTS
from classy_aesop.significance.correlations.correlation_levels import (
    check_level_and_coefficient,
    correlate_at_level,
)
from classy_aesop.significance.correlations.counted_coefficients import correlate_within_topics
from classy_aesop.significance.correlations.row_coefficients import (
    ROW_COEFFICIENTS,
    calibrated_accuracy_rows,
    correlate_resampled_rows,
)
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.significance.resampling.resamples import Resamples, count_draws


def bootstrap_values(
    X: ArrayLike,
    Z: ArrayLike,
    resamples: Resamples,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
) -> FloatArray:
    """Correlate two matrices on every resample of their rows and columns.

    Parameters
    ----------
    X, Z : array_like, shape (n_summarizers, n_topics)
        Scores of a metric and of humans; NaN where missing.
    resamples : Resamples
        Rows and columns that were drawn.
    level, coefficient, means : str
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`; least-squares means are
        fitted on every resample.

    Returns
    -------
    ndarray, shape (n_resamples,)
        NaN on resamples where the coefficient is undefined.

    Raises
    ------
    ValueError
        As for ``correlation``.

    Examples
    --------
    >>> from classy_aesop.significance.resampling.resamples import draw_resamples
    >>> Z = np.arange(12.0).reshape(4, 3) ** 2
    >>> resamples = draw_resamples(Z.shape, "inputs", 3, np.random.default_rng(0))
    >>> bootstrap_values(np.sqrt(Z), Z, resamples).round(2).tolist()
    [0.97, 0.96, 0.96]
    """
    check_level_and_coefficient(level, coefficient)
    if level == "within_system":  # as within topics, in the transposed matrices
        X = np.transpose(X)
        Z = np.transpose(Z)
        level = "input"
        resamples = resamples.transpose()
    X, Z = score_matrices(X=X, Z=Z)
    missing = np.isnan(X + Z)
    X = scale_to_one(np.where(missing, np.nan, X))
    Z = scale_to_one(np.where(missing, np.nan, Z))
    correlate: Callable[..., FloatArray] = partial(correlate_one_by_one, level)
    if level == "system" and coefficient != SOFT_ACCURACY and X.size:
        correlate = partial(_correlate_means, means_design(~missing, means))
    elif level == "input" and coefficient in ROW_COEFFICIENTS and X.size:
        correlate = _correlate_topics
    return np.concatenate([correlate(X, Z, batch, coefficient) for batch in resamples.batches()])


def scale_to_one(X: FloatArray) -> FloatArray:
    """Divide by the largest score, positive or negative, so that squares neither vanish nor overflow."""
    return np.asarray(X / np.nanmax(np.abs(X), initial=np.finfo(np.float64).tiny))


def _correlate_means(
    design: MeansDesign, X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    """Correlate the means of systems, many resamples at once."""
    n_systems = len(X)
    a, b = _resample_means(design, X, Z, resamples)
    if resamples.rows is None:
        items = np.broadcast_to(np.arange(n_systems), (len(resamples), n_systems))
    else:
        items = resamples.rows
        a = np.take_along_axis(np.broadcast_to(a, (len(items), n_systems)), items, axis=1)
        b = np.take_along_axis(np.broadcast_to(b, (len(items), n_systems)), items, axis=1)
    slacks = rounding_slack(X), rounding_slack(Z)
    if coefficient == CALIBRATED_ACCURACY:
        correlate: Callable[..., FloatArray] = calibrated_accuracy_rows
    else:
        correlate = partial(correlate_resampled_rows, coefficient=coefficient)
    is_complete = ~np.isnan(a).any(axis=1)
    if is_complete.all():
        return correlate(a, b, items, slacks=slacks)
    values = np.full(len(resamples), np.nan)
    values[is_complete] = correlate(a[is_complete], b[is_complete], items[is_complete], slacks=slacks)
    for row in np.flatnonzero(~is_complete & ~np.isnan(a).all(axis=1)):
        present = ~np.isnan(a[row])  # a summarizer has no cell in the topics of the resample
        only = slice(row, row + 1)
        values[row] = correlate(a[only, present], b[only, present], items[only, present], slacks=slacks)[0]
    return values


def _resample_means(
    design: MeansDesign, X: FloatArray, Z: FloatArray, resamples: Resamples
) -> tuple[FloatArray, FloatArray]:
    """Give the means of all systems on each resample, (n_resamples or 1, n_systems), of either matrix."""
    n_systems, n_topics = X.shape
    column_counts = None if resamples.columns is None else count_draws(resamples.columns, n_topics)
    if design.inverse is None:
        weights = np.ones((1, n_topics)) if column_counts is None else column_counts
        with np.errstate(invalid="ignore"):
            return (
                weights @ np.nan_to_num(X).T / (weights @ ~np.isnan(X).T),
                weights @ np.nan_to_num(Z).T / (weights @ ~np.isnan(Z).T),
            )
    row_counts = None if resamples.rows is None else count_draws(resamples.rows, n_systems)
    a, b = resampled_means([X, Z], design.valid, row_counts, column_counts)
    return a, b


def _correlate_topics(X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str) -> FloatArray:
    """Correlate within each topic and average over the topics of each resample, many resamples at once."""
    counts = np.ones((1, len(X))) if resamples.rows is None else count_draws(resamples.rows, len(X))
    x = snap_ties(X.T, rounding_slack(X)).T
    z = snap_ties(Z.T, rounding_slack(Z)).T
    # before the weights, which would replace it in the cache
    topic_values = correlate_within_topics(x, z, counts, coefficient)
    weights = None if resamples.columns is None else count_draws(resamples.columns, X.shape[1])
    return np.broadcast_to(_average_topics(topic_values, weights), len(resamples))


def _average_topics(topic_values: FloatArray, weights: FloatArray | None) -> FloatArray:
    """Average the topics that have a value, weighted by how often each is drawn.

    ``topic_values`` has the shape (n_resamples, n_topics), or one row for all.
    """
    is_defined = ~np.isnan(topic_values)
    values = topic_values if is_defined.all() else np.where(is_defined, topic_values, 0.0)
    if weights is None:
        total = values.sum(axis=1)
        n_topics = is_defined.sum(axis=1).astype(np.float64)
    elif len(topic_values) == 1:
        total = weights @ values[0]
        n_topics = weights @ is_defined[0]
    else:
        weights = weights if values is topic_values else weights * is_defined
        total = np.einsum("ij,ij->i", values, weights)
        n_topics = weights.sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / n_topics)


def correlate_one_by_one(
    level: str, X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    """Correlate on one resample after the other, at any level and with any coefficient.

    Parameters
    ----------
    level, coefficient : str
        As for :func:`bootstrap_values`.
    X, Z : ndarray, shape (n_summarizers, n_topics)
        Scores, NaN in the same cells.
    resamples : Resamples
        Rows and columns that were drawn.

    Returns
    -------
    ndarray, shape (n_resamples,)
    """
    compares_items = coefficient in (*PAIRWISE_COEFFICIENTS, SOFT_ACCURACY)
    cells = np.arange(X.size).reshape(X.shape) if compares_items else None
    slacks = rounding_slack(X), rounding_slack(Z)
    valid = ~np.isnan(X)
    values = np.empty(len(resamples))
    for number in range(len(resamples)):
        # sorted, since sums depend on the order of the rows
        rows = slice(None) if resamples.rows is None else np.sort(resamples.rows[number])
        columns = slice(None) if resamples.columns is None else resamples.columns[number]
        values[number] = correlate_at_level(
            X[rows][:, columns],
            Z[rows][:, columns],
            valid[rows][:, columns],
            level,
            coefficient,
            slacks,
            cells=None if cells is None else cells[rows][:, columns],
        ).value
    return values
