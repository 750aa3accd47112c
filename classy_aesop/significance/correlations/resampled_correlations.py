"""Correlations on bootstrap resamples, and differences of two metrics' correlations after exchanges of their scores.

Three ways cover all levels and coefficients. At system level the means of many draws are correlated at once. Within
topics a coefficient follows from how often each score counts, so that an exchange is a draw of one of two metrics'
scores. Everything else is computed by its definition, one draw after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.two_way_fit import TwoWayFit, resampled_means
from classy_aesop.significance.base import BoolArray, FloatArray, divide, score_matrices
from classy_aesop.significance.correlations.accuracies import CALIBRATED_ACCURACY, SOFT_ACCURACY
from classy_aesop.significance.correlations.coefficients import correlate_rows
from classy_aesop.significance.correlations.correlation_levels import (
    check_level_and_coefficient,
    correlate_at_level,
)
from classy_aesop.significance.correlations.counted_coefficients import (
    correlate_exchanged,
    correlate_within_topics,
    count_exchanges,
)
from classy_aesop.significance.draws import Exchanges, Resamples
from classy_aesop.significance.equality import ROUNDING, rounding_slack, snap_ties

# --- resamples ---


def bootstrap_values(
    X: ArrayLike,
    Z: ArrayLike,
    resamples: Resamples,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
) -> FloatArray:
    """Correlate two matrices on every resample of their rows and columns, (n_resamples,); NaN where undefined.

    Two copies of one summarizer are no pair for coefficients that compare pairs.
    """
    check_level_and_coefficient(level, coefficient)
    X, Z = score_matrices(X=X, Z=Z)
    missing = np.isnan(X + Z)
    X = scale_to_one(np.where(missing, np.nan, X))
    Z = scale_to_one(np.where(missing, np.nan, Z))
    correlate: Callable[..., FloatArray] = partial(correlate_one_by_one, level)
    if X.size and level == "system" and coefficient != SOFT_ACCURACY:
        correlate = partial(_correlate_means, TwoWayFit(~missing, means))
    elif X.size and level == "input" and coefficient != CALIBRATED_ACCURACY:
        correlate = _correlate_topics
    return np.concatenate([correlate(X, Z, batch, coefficient) for batch in resamples.batches()])


def scale_to_one(X: FloatArray) -> FloatArray:
    """Divide by the largest score, positive or negative, so that squares neither vanish nor overflow."""
    return X / np.nanmax(np.abs(X), initial=np.finfo(np.float64).tiny)


def _correlate_means(
    design: TwoWayFit, X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    """Correlate the means of systems, many resamples at once."""
    row_counts, column_counts = resamples.counts(X.shape)
    if not design.is_plain:
        means = resampled_means([X, Z], design.valid, row_counts, column_counts)
    else:
        n_drawn = column_counts @ design.valid.T
        means = [divide(column_counts @ np.nan_to_num(S).T, n_drawn) for S in (X, Z)]
    if resamples.rows is not None:
        shape = (len(resamples), len(X))
        means = [np.take_along_axis(np.broadcast_to(of, shape), resamples.rows, axis=1) for of in means]
    slacks = (rounding_slack(X), rounding_slack(Z))
    return correlate_rows(coefficient, means[0], means[1], slacks, resamples.rows)


def _correlate_topics(X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str) -> FloatArray:
    """Correlate within each topic and average over the topics of each resample, many resamples at once."""
    counts, weights = resamples.counts(X.shape)
    x = snap_ties(X.T, rounding_slack(X)).T
    z = snap_ties(Z.T, rounding_slack(Z)).T
    values = correlate_within_topics(x, z, counts, coefficient)
    weights = np.where(np.isnan(values), 0.0, weights)
    averages = divide((np.nan_to_num(values) * weights).sum(axis=1), weights.sum(axis=1))
    return np.broadcast_to(averages, len(resamples))


def correlate_one_by_one(
    level: str, X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    """Correlate on one resample after the other, at any level and with any coefficient."""
    cells = np.arange(X.size).reshape(X.shape)
    slacks = (rounding_slack(X), rounding_slack(Z))
    values = np.empty(len(resamples))
    for number in range(len(resamples)):
        rows = slice(None) if resamples.rows is None else np.sort(resamples.rows[number])
        columns = slice(None) if resamples.columns is None else resamples.columns[number]
        x = X[rows][:, columns]
        z = Z[rows][:, columns]
        values[number] = correlate_at_level(
            x, z, ~np.isnan(x), level, coefficient, slacks, cells=cells[rows][:, columns]
        ).value
    return values


# --- exchanges ---


class MetricPair(NamedTuple):
    """Scores of two metrics and of humans, on the cells that all have, (n_summarizers, n_topics) each."""

    X: FloatArray
    Y: FloatArray
    Z: FloatArray


def keep_shared_cells(X: ArrayLike, Y: ArrayLike, Z: ArrayLike) -> MetricPair:
    """Check three score matrices; a cell that one of them lacks becomes NaN in all."""
    matrices = score_matrices(X=X, Y=Y, Z=Z)
    missing = np.isnan(matrices).any(axis=0)
    return MetricPair(*(np.where(missing, np.nan, matrix) for matrix in matrices))


_StandardizedPair = tuple[MetricPair, tuple[float, float]]
"""Two metrics on one scale, and humans, with the rounding slack of the metrics and of humans."""


def exchange_pairs(
    pairs: Sequence[MetricPair],
    exchanges: Exchanges,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
) -> FloatArray:
    """Give the differences of several pairs of metrics after the same exchanges, (n_pairs, n_exchanges)."""
    standardized = [_standardize_pair(pair) for pair in pairs]
    n_topics = pairs[0].Z.shape[1]
    compare: Callable[..., FloatArray] = partial(_exchange_one_by_one, level)
    if level == "system" and coefficient != SOFT_ACCURACY:
        compare = partial(_exchange_in_means, means)
    elif level == "input" and coefficient != CALIBRATED_ACCURACY:
        compare = _exchange_within_topics
    batches = [compare(standardized, masks, coefficient) for masks in exchanges.batches(n_topics)]
    return np.concatenate(batches, axis=1)


def _standardize_pair(pair: MetricPair) -> _StandardizedPair:
    """Standardize two metrics over all cells, a constant one to 0; they are compared, so they have one slack."""
    scaled = [scale_to_one(scores) for scores in pair[:2]]
    deviations = [np.nanstd(scores) if (~np.isnan(scores)).any() else 0.0 for scores in scaled]
    standard = [
        0.0 * scores if deviation <= ROUNDING else (scores - np.nanmean(scores)) / deviation
        for scores, deviation in zip(scaled, deviations, strict=True)
    ]
    slack = max((ROUNDING / deviation for deviation in deviations if deviation > ROUNDING), default=0.0)
    return MetricPair(standard[0], standard[1], pair.Z), (float(slack), float(rounding_slack(pair.Z)))


def _exchange_in_means(
    means: str, pairs: Sequence[_StandardizedPair], masks: BoolArray, coefficient: str
) -> FloatArray:
    """Give the differences at system level: half the difference of two scores moves from one mean to the other."""
    halves: FloatArray = np.stack([np.nan_to_num(scores.X - scores.Y) / 2 for scores, _ in pairs])
    by_system = _signed_sums(halves, masks)
    by_topic = by_system
    if means != "plain":
        by_topic = _signed_sums(halves.transpose(0, 2, 1), masks.transpose(0, 2, 1))
    differences = np.full((len(pairs), len(masks)), np.nan)
    for number, ((X, Y, Z), slacks) in enumerate(pairs):
        design = TwoWayFit(~np.isnan(Z), means)
        if not design.is_connected:
            continue
        middle = design.means((X + Y) / 2)
        moved = design.means_of_sums(by_system[number], by_topic[number])
        sides = [
            correlate_rows(coefficient, middle + side, design.means(Z)[None], slacks)
            for side in (moved, -moved)
        ]
        differences[number] = sides[0] - sides[1]
    return differences


def _signed_sums(values: FloatArray, masks: BoolArray) -> FloatArray:
    """Sum cells over topics, those that are exchanged with a minus, (n_pairs, n_exchanges, n_summarizers)."""
    if masks.shape[2] == 1:
        values = values.sum(axis=2, keepdims=True)
    moved = masks.transpose(1, 0, 2).astype(np.float64, order="C") @ values.transpose(1, 2, 0).copy()
    return values.sum(axis=2)[:, None] - 2 * moved.transpose(2, 1, 0)


def _exchange_within_topics(
    pairs: Sequence[_StandardizedPair], masks: BoolArray, coefficient: str
) -> FloatArray:
    """Give the differences of the mean coefficients within topics."""
    n_systems, n_topics = pairs[0][0].Z.shape
    is_same_in_all = masks.shape[2] == 1
    items = (len(masks), n_systems)
    sums = np.zeros((len(pairs), 2, len(masks)))
    n_defined = np.zeros((len(pairs), 2, len(masks)))
    snapped = [[snap_ties(S.T, slacks[S is scores.Z]) for S in scores] for scores, slacks in pairs]
    for topic in range(n_topics):
        if topic == 0 or not is_same_in_all:
            is_moved = np.broadcast_to(masks[:, :, topic], items)
            exchanges = count_exchanges(is_moved, coefficient)
        for number, (X, Y, Z) in enumerate(snapped):
            if np.isnan(Z[topic]).all():
                continue
            values = correlate_exchanged(X[topic], Y[topic], Z[topic], exchanges, coefficient)
            sums[number] += np.nan_to_num(values)
            n_defined[number] += ~np.isnan(values)
    averages = divide(sums, n_defined)
    return averages[:, 0] - averages[:, 1]


def _exchange_one_by_one(
    level: str, pairs: Sequence[_StandardizedPair], masks: BoolArray, coefficient: str
) -> FloatArray:
    """Give the differences at any level and with any coefficient, one exchange after the other."""
    differences = np.empty((len(pairs), len(masks)))
    for number, ((X, Y, Z), slacks) in enumerate(pairs):
        valid = ~np.isnan(Z)
        for draw, mask in enumerate(masks):
            sides = [
                correlate_at_level(np.where(mask, second, first), Z, valid, level, coefficient, slacks).value
                for first, second in ((X, Y), (Y, X))
            ]
            differences[number, draw] = sides[0] - sides[1]
    return differences
