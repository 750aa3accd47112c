"""Differences of two metrics' correlations with humans, on exchanged and on resampled scores.

A *permutation* exchanges the scores of two metrics: of whole summarizers, whole topics or single cells (PERM-SYSTEMS,
PERM-INPUTS and PERM-BOTH of Deutsch et al. 2021, section 4). The exchange of every cell on its own is the paper's
Algorithm 2 for PERM-BOTH; exchanging summarizers and then topics, ``swap="systems_inputs"``, is another test, found in
other software. A *bootstrap* correlates both metrics on the same resamples.

At system level an exchange moves half the difference of two scores from one mean to the other, so that the means of all
exchanges are one linear map. At input level :mod:`classy_aesop.significance.correlations.exchanged_coefficients`
correlates within each topic. Other levels and coefficients are correlated one exchange after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.system_means import MeansDesign, means_design
from classy_aesop.significance.base import FloatArray, Result, check_choice, check_count, score_matrices
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.correlations.accuracies import ACCURACIES, CALIBRATED_ACCURACY, SOFT_ACCURACY
from classy_aesop.significance.correlations.correlation_levels import (
    Correlation,
    correlate_at_level,
    correlation,
)
from classy_aesop.significance.correlations.exchanged_coefficients import EXCHANGE_KERNELS
from classy_aesop.significance.correlations.resampled_correlations import bootstrap_values, scale_to_one
from classy_aesop.significance.correlations.row_coefficients import (
    calibrated_accuracy_rows,
    correlate_resampled_rows,
)
from classy_aesop.significance.equality import ROUNDING, is_constant, rounding_slack, snap_ties
from classy_aesop.significance.resampling.exchanges import EXCHANGED_UNITS, Exchanges, draw_exchanges
from classy_aesop.significance.resampling.resamples import RESAMPLED_UNITS, batch_sizes, draw_resamples

Value = TypeVar("Value")


class MetricPair(NamedTuple):
    """Scores of two metrics and of humans, on the cells that all have, (n_summarizers, n_topics) each."""

    X: FloatArray
    Y: FloatArray
    Z: FloatArray

    def transpose(self) -> MetricPair:
        """Give the same with topics as rows."""
        return MetricPair(self.X.T, self.Y.T, self.Z.T)


class _StandardizedPair(NamedTuple):
    """Two metrics on one scale, and humans, with the rounding slack of the metrics and of humans."""

    scores: MetricPair
    slacks: tuple[float, float]


@dataclass(frozen=True, slots=True)
class ResampledDifference(Result):
    """The difference of two metrics' correlations, and its values on resamples if there is none.

    Attributes
    ----------
    test, method : str
        ``permutation`` or ``bootstrap``; what was exchanged or resampled.
    first, second : Correlation
        The correlations of the two metrics with humans.
    values : ndarray, shape (n_resamples,)
        Differences that chance alone makes; NaN where undefined.
    exhaustive : bool
        Whether these are all exchanges that there are, the observed scores among them, and not a sample.
    """

    test: str
    method: str
    first: Correlation
    second: Correlation
    values: FloatArray
    exhaustive: bool = False

    @property
    def difference(self) -> float:
        """The observed difference, first less second."""
        return self.first.value - self.second.value

    def sample(self, n: int, rng: np.random.Generator) -> ResampledDifference:
        """Draw ``n`` of all exchanges, if these are all."""
        if not self.exhaustive:
            return self
        return replace(self, values=rng.choice(self.values, n), exhaustive=False)


def permutation_values(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    exchanges: Exchanges,
    *,
    level: str,
    coefficient: str,
    means: str = "plain",
) -> FloatArray:
    """Difference of the correlations of two metrics after each exchange of their scores.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and of humans; NaN where missing. The metrics are standardized over the cells that all
        three have.
    exchanges : Exchanges
        Which scores change places.
    level, coefficient, means : str
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.

    Returns
    -------
    ndarray, shape (n_exchanges,)
        NaN where undefined.
    """
    return _exchange_all([keep_shared_cells(X, Y, Z)], exchanges, level, coefficient, means)[0]


def permutation_differences(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    swap: str = "cells",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> list[ResampledDifference]:
    """Exchange the scores of pairs of metrics, of all pairs in the same way.

    Parameters
    ----------
    metrics : sequence of array_like, shape (n_summarizers, n_topics)
        Scores of the metrics; NaN where missing.
    Z : array_like, shape (n_summarizers, n_topics)
        Human scores.
    pairs : sequence of (int, int)
        Positions in ``metrics``.
    level, coefficient, means : str
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`, over the cells that both
        metrics and humans have.
    swap : {"cells", "systems", "inputs", "systems_inputs"}
        What is exchanged, see the module.
    n_resamples : int
        Number of exchanges; of whole summarizers or topics every exchange is made once where there are no more than
        that.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    list of ResampledDifference
        One for each pair; its values are the differences after each exchange.

    Raises
    ------
    ValueError
        A name is not known, ``n_resamples`` is below 1, or shapes differ.
    """
    check_choice(swap, EXCHANGED_UNITS, "swap")
    check_count(n_resamples, "n_resamples")
    correlate = partial(correlation, level=level, coefficient=coefficient, means=means)
    observed = list(_compute_by_metric(metrics, Z, pairs, correlate))
    exchanges = draw_exchanges(np.shape(Z), swap, n_resamples, rng)
    values_of_pairs = _exchange_all([scores for scores, _ in observed], exchanges, level, coefficient, means)
    is_exhaustive = exchanges.is_exhaustive()
    return [
        ResampledDifference("permutation", swap, first, second, values, is_exhaustive)
        for (_, (first, second)), values in zip(observed, values_of_pairs, strict=True)
    ]


def bootstrap_differences(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    resample: str = "both",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> list[ResampledDifference]:
    """Correlate pairs of metrics on bootstrap resamples, all of them on the same ones.

    Parameters
    ----------
    metrics, Z, pairs, level, coefficient, means, n_resamples, rng
        As for :func:`permutation_differences`.
    resample : {"both", "systems", "inputs"}
        What is resampled.

    Returns
    -------
    list of ResampledDifference
        One for each pair; its values are the differences on the resamples less the observed one.

    Raises
    ------
    ValueError
        A name is not known, ``n_resamples`` is below 1, or shapes differ.
    """
    check_choice(resample, RESAMPLED_UNITS, "resample")
    check_count(n_resamples, "n_resamples")
    batches = [draw_resamples(np.shape(Z), resample, n, rng) for n in batch_sizes(n_resamples) if np.size(Z)]

    def correlate_on_resamples(X: FloatArray, human: FloatArray) -> tuple[Correlation, FloatArray]:
        """Correlate on the scores themselves and on the resamples; on none of these where that is undefined."""
        estimate = correlation(X, human, level=level, coefficient=coefficient, means=means)
        if np.isnan(estimate.value):
            return estimate, np.full(n_resamples, np.nan)
        values = [
            bootstrap_values(X, human, batch, level=level, coefficient=coefficient, means=means)
            for batch in batches
        ]
        return estimate, np.concatenate(values)

    differences = []
    for _, results in _compute_by_metric(metrics, Z, pairs, correlate_on_resamples):
        (first, values_of_first), (second, values_of_second) = results
        values = (values_of_first - values_of_second) - (first.value - second.value)
        differences.append(ResampledDifference("bootstrap", resample, first, second, values))
    return differences


def keep_shared_cells(X: ArrayLike, Y: ArrayLike, Z: ArrayLike) -> MetricPair:
    """Check three score matrices; a cell that one of them lacks becomes NaN in all.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and of humans; NaN where missing.

    Returns
    -------
    MetricPair
    """
    matrices = score_matrices(X=X, Y=Y, Z=Z)
    missing = np.isnan(matrices).any(axis=0)
    return MetricPair(*(np.where(missing, np.nan, matrix) for matrix in matrices))


def three_correlations(
    X: ArrayLike, Y: ArrayLike, Z: ArrayLike, *, level: str, coefficient: str, means: str = "plain"
) -> tuple[Correlation, Correlation, Correlation]:
    """Correlate two metrics with humans and with each other, on the cells that all have.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and of humans; NaN where missing.
    level, coefficient, means : str
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.

    Returns
    -------
    tuple of three Correlation
        X with Z, Y with Z, X with Y.
    """
    X, Y, Z = keep_shared_cells(X, Y, Z)
    correlate = partial(correlation, level=level, coefficient=coefficient, means=means)
    return correlate(X, Z), correlate(Y, Z), correlate(X, Y)


def _compute_by_metric(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    compute: Callable[[FloatArray, FloatArray], Value],
) -> Iterator[tuple[MetricPair, list[Value]]]:
    """Give the scores of each pair of metrics, and a value of either, computed once for each set of shared cells."""
    computed: dict[tuple[int, bytes], Value] = {}
    for pair in pairs:
        scores = keep_shared_cells(metrics[pair[0]], metrics[pair[1]], Z)
        missing_cells = np.isnan(scores.Z).tobytes()
        keys = [(metric, missing_cells) for metric in pair]
        for key, matrix in zip(keys, (scores.X, scores.Y), strict=True):
            if key not in computed:
                computed[key] = compute(matrix, scores.Z)
        yield scores, [computed[key] for key in keys]


def _exchange_all(
    pairs: Sequence[MetricPair], exchanges: Exchanges, level: str, coefficient: str, means: str
) -> list[FloatArray]:
    """Give the differences after each exchange of several pairs of metrics."""
    if level == "within_system":  # as within topics, in the transposed matrices
        exchanges = exchanges.transpose(pairs[0].X.shape[1])
        level = "input"
        pairs = [scores.transpose() for scores in pairs]
    standardized = [_standardize_pair(scores) for scores in pairs]
    if coefficient in EXCHANGE_KERNELS and level == "input":
        return _exchange_within_topics(standardized, exchanges, coefficient)
    if level == "system" and coefficient != SOFT_ACCURACY:
        needs_topics = means == "least-squares" and any(np.isnan(scores.Z).any() for scores in pairs)
        n_topics = pairs[0].Z.shape[1]
        batches = exchanges.batches() if needs_topics else []
        transposed_batches = [batch.transpose(n_topics) for batch in batches]
        return [
            _exchange_in_means(means, transposed_batches, scores, slacks, exchanges, coefficient)
            for scores, slacks in standardized
        ]
    return [
        _exchange_one_by_one(level, scores, slacks, exchanges, coefficient) for scores, slacks in standardized
    ]


def _standardize_pair(scores: MetricPair) -> _StandardizedPair:
    """Standardize two metrics; they are compared, so they have one slack."""
    X, slack_x = _standardize(scores.X)
    Y, slack_y = _standardize(scores.Y)
    return _StandardizedPair(
        MetricPair(X, Y, scores.Z), (max(slack_x, slack_y), float(rounding_slack(scores.Z)))
    )


def _standardize(X: FloatArray) -> tuple[FloatArray, float]:
    """Scale to mean 0 and population standard deviation 1 over all cells, a constant matrix to 0; with its slack."""
    X = scale_to_one(X)
    cells = X[~np.isnan(X)]
    deviation = float(cells.std()) if len(cells) else 0.0
    if deviation <= ROUNDING:
        return 0.0 * X, 0.0
    return (X - cells.mean()) / deviation, ROUNDING / deviation


def _exchange_in_means(
    means: str,
    transposed_batches: Sequence[Exchanges],
    scores: MetricPair,
    slacks: tuple[float, float],
    exchanges: Exchanges,
    coefficient: str,
) -> FloatArray:
    """Give the differences at system level: half the difference of two scores moves from one mean to the other.

    ``transposed_batches`` are the exchanges of transposed matrices; plain means do not need them.
    """
    X, Y, Z = scores
    valid = ~np.isnan(Z)
    design = means_design(valid, means)
    if not design.is_connected:
        return np.full(len(exchanges), np.nan)
    has_cells = valid.any(axis=1)
    human = design.means(Z)[has_cells]
    mean = design.means((X + Y) / 2)[has_cells]
    half_differences = np.nan_to_num(X - Y) / 2
    moved = _signed_means(design, exchanges, transposed_batches, half_differences)[:, has_cells]
    items = np.arange(len(human))[None]
    if coefficient == CALIBRATED_ACCURACY:
        correlate: Callable[..., FloatArray] = calibrated_accuracy_rows
    else:
        correlate = partial(correlate_resampled_rows, coefficient=coefficient)
    first = correlate(mean + moved, human[None], items, slacks=slacks)
    second = correlate(mean - moved, human[None], items, slacks=slacks)
    return np.asarray(first - second)


def _signed_means(
    design: MeansDesign,
    exchanges: Exchanges,
    transposed_batches: Sequence[Exchanges],
    values: FloatArray,
) -> FloatArray:
    """Means of systems of values by cell under the signs of each exchange, (n_exchanges, n_summarizers)."""
    system_sums = exchanges.signed_sums(values)
    if design.inverse is None:
        return design.means_of_sums(system_sums, system_sums)
    topic_sums = np.concatenate([batch.signed_sums(values.T) for batch in transposed_batches])
    return design.means_of_sums(system_sums, topic_sums)


def _exchange_within_topics(
    pairs: Sequence[_StandardizedPair], exchanges: Exchanges, coefficient: str
) -> list[FloatArray]:
    """Give the differences of several pairs of metrics at input level, topic by topic with the same exchanges."""
    sums = np.zeros((len(pairs), 2, len(exchanges)))
    n_defined = np.zeros((len(pairs), 2, len(exchanges)))
    n_systems, n_topics = pairs[0].scores.Z.shape
    metric_rows = [snap_ties(np.concatenate([scores.X, scores.Y]).T, slacks[0]) for scores, slacks in pairs]
    human_rows = [snap_ties(scores.Z.T, slacks[1]) for scores, slacks in pairs]
    for topic in range(n_topics):
        topic_signs = exchanges.signs(topic, n_systems)
        for pair in range(len(pairs)):
            human = human_rows[pair][topic]
            valid = ~np.isnan(human)
            z = human[valid]
            if coefficient not in ACCURACIES and is_constant(z, 0.0):
                continue
            x, y = np.split(metric_rows[pair][topic], 2)
            signs = topic_signs if valid.all() else topic_signs[:, valid]
            sides = EXCHANGE_KERNELS[coefficient](x[valid], y[valid], z, signs)
            if exchanges.columns is not None:
                sides = np.where(exchanges.columns[:, topic], sides[::-1], sides)
            is_defined = ~np.isnan(sides)
            n_defined[pair] += is_defined
            np.add(sums[pair], sides, out=sums[pair], where=is_defined)
    with np.errstate(invalid="ignore"):
        return [first - second for first, second in sums / n_defined]


def _exchange_one_by_one(
    level: str, scores: MetricPair, slacks: tuple[float, float], exchanges: Exchanges, coefficient: str
) -> FloatArray:
    """Give the differences at any level and with any coefficient, one exchange after the other."""
    X, Y, Z = scores
    valid = ~np.isnan(Z)
    values = np.empty(len(exchanges))
    for number in range(len(exchanges)):
        mask = exchanges.mask(number, X.shape)
        first = correlate_at_level(np.where(mask, Y, X), Z, valid, level, coefficient, slacks)
        second = correlate_at_level(np.where(mask, X, Y), Z, valid, level, coefficient, slacks)
        values[number] = first.value - second.value
    return values
