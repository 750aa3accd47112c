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
from classy_aesop.significance.resampling.resamples import (
    BATCH_SIZE,
    Resamples,
    count_draws,
)


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

    NaN on resamples where it is undefined; shape (n_resamples,). Within systems and at input level with the
    coefficients of `ROW_COEFFICIENTS`, and at system level, many resamples are computed at once, otherwise one after
    the other. ``means`` as for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`;
    least-squares means are fitted on every resample.
    """
    check_level_and_coefficient(level, coefficient)
    if level == "within_system":  # as within topics, with summarizers and topics in each other's place
        X, Z, level = np.transpose(X), np.transpose(Z), "input"
        resamples = Resamples(resamples.columns, resamples.rows)
    X, Z = score_matrices(X=X, Z=Z)
    missing = np.isnan(X + Z)
    X, Z = (scale_to_one(np.where(missing, np.nan, S)) for S in (X, Z))
    values: Callable[..., FloatArray] = partial(correlate_one_by_one, level)
    if level == "system" and coefficient != SOFT_ACCURACY and X.size:
        values = partial(_of_means, means_design(~missing, means))
    elif level == "input" and coefficient in ROW_COEFFICIENTS and X.size:
        values = _of_topics
    starts = range(0, len(resamples), BATCH_SIZE)
    parts = (resamples.part(slice(start, start + BATCH_SIZE)) for start in starts)
    return np.concatenate([values(X, Z, part, coefficient) for part in parts])


def scale_to_one(X: FloatArray) -> FloatArray:
    """Scale to at most 1 in size, so that squares neither vanish nor overflow."""
    return np.asarray(X / np.nanmax(np.abs(X), initial=np.finfo(np.float64).tiny))


def _of_means(
    design: MeansDesign, X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    n, n_topics = X.shape
    columns = None if resamples.columns is None else count_draws(resamples.columns, n_topics)
    if design.inverse is None:
        weights = np.ones((1, n_topics)) if columns is None else columns
        with np.errstate(invalid="ignore"):
            a, b = (weights @ np.nan_to_num(S).T / (weights @ ~np.isnan(S).T) for S in (X, Z))
    else:
        rows = None if resamples.rows is None else count_draws(resamples.rows, n)
        a, b = resampled_means([X, Z], design.valid, rows, columns)
    items = resamples.rows
    if items is None:
        items = np.broadcast_to(np.arange(n), (len(resamples), n))
    else:
        a, b = (np.take_along_axis(np.broadcast_to(S, (len(items), n)), items, axis=1) for S in (a, b))
    slacks, values = (rounding_slack(X), rounding_slack(Z)), np.full(len(resamples), np.nan)
    full = ~np.isnan(a).any(axis=1)
    correlate = (
        calibrated_accuracy_rows
        if coefficient == CALIBRATED_ACCURACY
        else partial(correlate_resampled_rows, coefficient=coefficient)
    )
    if full.all():
        return correlate(a, b, items, slacks=slacks)
    values[full] = correlate(a[full], b[full], items[full], slacks=slacks)
    for k in np.flatnonzero(~full & ~np.isnan(a).all(axis=1)):
        kept = ~np.isnan(a[k])  # a summarizer has no cell in the topics of the resample
        one = slice(k, k + 1)
        values[k] = correlate(a[one, kept], b[one, kept], items[one, kept], slacks=slacks)[0]
    return values


def _of_topics(X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str) -> FloatArray:
    counts = np.ones((1, len(X))) if resamples.rows is None else count_draws(resamples.rows, len(X))
    x, z = (snap_ties(S.T, rounding_slack(S)).T for S in (X, Z))
    # before the weights, which would take its place in the cache
    within = correlate_within_topics(x, z, counts, coefficient)
    weights = None if resamples.columns is None else count_draws(resamples.columns, X.shape[1])
    return np.broadcast_to(_mean_over_topics(within, weights), len(resamples))


def _mean_over_topics(within: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Average the topics that have a value, (n_resamples, n_topics) or one row for all, as often as each is drawn."""
    defined = ~np.isnan(within)
    values = within if defined.all() else np.where(defined, within, 0.0)
    if weights is None:
        total, n = values.sum(axis=1), defined.sum(axis=1).astype(np.float64)
    elif len(within) == 1:
        total, n = weights @ values[0], weights @ defined[0]
    else:
        weights = weights if values is within else weights * defined
        total, n = np.einsum("ij,ij->i", values, weights), weights.sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(total / n)


def correlate_one_by_one(
    level: str, X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    """Correlate on one resample after the other."""
    cells = (
        np.arange(X.size).reshape(X.shape) if coefficient in (*PAIRWISE_COEFFICIENTS, SOFT_ACCURACY) else None
    )
    slacks, valid, values = (rounding_slack(X), rounding_slack(Z)), ~np.isnan(X), np.empty(len(resamples))
    for k in range(len(resamples)):
        rows = slice(None) if resamples.rows is None else np.sort(resamples.rows[k])  # ties go by their order
        columns = slice(None) if resamples.columns is None else resamples.columns[k]
        x, z, of_both = X[rows][:, columns], Z[rows][:, columns], valid[rows][:, columns]
        items = None if cells is None else cells[rows][:, columns]
        values[k] = correlate_at_level(x, z, of_both, level, coefficient, slacks, items)[0]
    return values
