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
from typing import Any

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
from classy_aesop.significance.resampling.exchanges import (
    EXCHANGED_UNITS,
    Exchanges,
    draw_exchanges,
    exchange_mask,
    is_exhaustive,
)
from classy_aesop.significance.resampling.resamples import (
    BATCH_SIZE,
    RESAMPLED_UNITS,
    batch_sizes,
    draw_resamples,
)

ThreeMatrices = tuple[FloatArray, FloatArray, FloatArray]
"""Scores of two metrics and of humans, on the cells that all have."""


def permutation_values(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    swaps: Exchanges,
    *,
    level: str,
    coefficient: str,
    means: str = "plain",
) -> FloatArray:
    """Difference of the two correlations after each exchange, shape (n_swaps,); NaN where undefined.

    ``X`` and ``Y`` are brought to one scale first, over the cells that all three matrices have. ``means`` as for
    :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.
    """
    return _differences([keep_shared_cells(X, Y, Z)], swaps, level, coefficient, means)[0]


@dataclass(frozen=True, slots=True)
class ResampledDifference(Result):
    """The difference of two metrics' correlations, and what resamples give if there is none.

    Attributes
    ----------
    test, method : str
        ``permutation`` or ``bootstrap``; what was exchanged or resampled.
    first, second : Correlation
        Of the two metrics with humans.
    values : ndarray, shape (n_resamples,)
        Differences that chance alone makes; NaN where undefined.
    every : bool
        Whether these are all exchanges that there are, the observed scores among them, and not a sample.
    """

    test: str
    method: str
    first: Correlation
    second: Correlation
    values: FloatArray
    every: bool = False

    @property
    def difference(self) -> float:
        """The observed difference, first less second."""
        return self.first.value - self.second.value

    def sampled(self, n: int, rng: np.random.Generator) -> ResampledDifference:
        """Draw so many of all exchanges, if these are all."""
        return replace(self, values=rng.choice(self.values, n), every=False) if self.every else self


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

    The differences are those after each exchange.

    Parameters
    ----------
    swap : {"cells", "systems", "inputs", "systems_inputs"}
        What is exchanged ``n_resamples`` times, see the module; of whole summarizers or topics every exchange is made
        once where there are no more than that.
    means : {"plain", "least-squares"}
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`, over the cells that both
        metrics and humans have.
    """
    check_choice(swap, EXCHANGED_UNITS, "swap")
    check_count(n_resamples, "n_resamples")
    correlate = partial(correlation, level=level, coefficient=coefficient, means=means)
    found = list(_of_pairs(metrics, Z, pairs, correlate))
    swaps = draw_exchanges(np.shape(Z), swap, n_resamples, rng)
    differences = _differences([scores for scores, _ in found], swaps, level, coefficient, means)
    return [
        ResampledDifference("permutation", swap, first, second, values, is_exhaustive(swaps))
        for (_, (first, second)), values in zip(found, differences, strict=True)
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
    """Resample pairs of metrics, all of them on the same resamples, by one of `RESAMPLED_UNITS`.

    The values are the differences of the resamples less the observed one.
    """
    check_choice(resample, RESAMPLED_UNITS, "resample")
    check_count(n_resamples, "n_resamples")
    how: dict[str, Any] = {"level": level, "coefficient": coefficient, "means": means}
    drawn = [draw_resamples(np.shape(Z), resample, n, rng) for n in batch_sizes(n_resamples) if np.size(Z)]

    def both(S: FloatArray, human: FloatArray) -> tuple[Correlation, FloatArray]:
        """Correlate on the scores themselves and on the resamples; on none of these where that is undefined."""
        found = correlation(S, human, **how)
        if np.isnan(found.value):
            return found, np.full(n_resamples, np.nan)
        return found, np.concatenate([bootstrap_values(S, human, part, **how) for part in drawn])

    found = []
    for _, ((first, of_first), (second, of_second)) in _of_pairs(metrics, Z, pairs, both):
        values = (of_first - of_second) - (first.value - second.value)
        found.append(ResampledDifference("bootstrap", resample, first, second, values))
    return found


def keep_shared_cells(X: ArrayLike, Y: ArrayLike, Z: ArrayLike) -> ThreeMatrices:
    """Check three score matrices; a cell that one of them lacks becomes NaN in all."""
    three = score_matrices(X=X, Y=Y, Z=Z)
    missing = np.isnan(three).any(axis=0)
    return tuple(np.where(missing, np.nan, S) for S in three)  # type: ignore[return-value]


def three_correlations(X: ArrayLike, Y: ArrayLike, Z: ArrayLike, **measured: str) -> list[Correlation]:
    """Correlate two metrics with humans and with each other, on the cells that all have."""
    X, Y, Z = keep_shared_cells(X, Y, Z)
    return [correlation(*two, **measured) for two in ((X, Z), (Y, Z), (X, Y))]


def _of_pairs(
    metrics: Sequence[ArrayLike], Z: ArrayLike, pairs: Sequence[tuple[int, int]], compute: Callable[..., Any]
) -> Iterator[tuple[ThreeMatrices, list[Any]]]:
    """Give the scores of each pair, and what is computed of each metric, once for the cells that it shares."""
    known: dict[tuple[int, bytes], Any] = {}
    for pair in pairs:
        X, Y, human = keep_shared_cells(metrics[pair[0]], metrics[pair[1]], Z)
        keys = [(which, np.isnan(human).tobytes()) for which in pair]
        for key, S in zip(keys, (X, Y), strict=True):
            if key not in known:
                known[key] = compute(S, human)
        yield (X, Y, human), [known[key] for key in keys]


def _differences(
    scores: Sequence[ThreeMatrices], swaps: Exchanges, level: str, coefficient: str, means: str = "plain"
) -> list[FloatArray]:
    """Give the differences after each exchange of several pairs of metrics, on the cells that all three have."""
    if level == "within_system":  # as within topics, with summarizers and topics in each other's place
        swaps, level = swaps.turned(scores[0][0].shape[1]), "input"
        scores = [(X.T, Y.T, Z.T) for X, Y, Z in scores]
    scaled: list[tuple[ThreeMatrices, tuple[float, float]]] = []
    for *metrics, Z in scores:  # two metrics are compared, so they have one slack
        (X, slack_x), (Y, slack_y) = map(_standard, metrics)
        scaled.append(((X, Y, Z), (max(slack_x, slack_y), float(rounding_slack(Z)))))
    if coefficient in EXCHANGE_KERNELS and level == "input":
        return _exchanged_topics(scaled, swaps, coefficient)
    of_pair: Callable[..., FloatArray] = partial(_exchanged, level)
    if level == "system" and coefficient != SOFT_ACCURACY:
        starts = range(0, len(swaps), BATCH_SIZE)
        parts = (swaps.part(slice(start, start + BATCH_SIZE)) for start in starts)
        needs_topics = means == "least-squares" and any(np.isnan(three[2]).any() for three in scores)
        by_topic = [part.turned(scores[0][2].shape[1]) for part in parts] if needs_topics else []
        of_pair = partial(_exchanged_means, means, by_topic)
    return [of_pair(three, slacks, swaps, coefficient) for three, slacks in scaled]


def _standard(X: FloatArray) -> tuple[FloatArray, float]:
    """Bring to mean 0 and population standard deviation 1 over all cells, a constant matrix to 0; with its slack."""
    X = scale_to_one(X)
    cells = X[~np.isnan(X)]
    spread = float(cells.std()) if len(cells) else 0.0
    if spread <= ROUNDING:
        return 0.0 * X, 0.0
    return (X - cells.mean()) / spread, ROUNDING / spread


def _exchanged_means(
    means: str,
    turned: Sequence[Exchanges],
    scores: ThreeMatrices,
    slacks: tuple[float, float],
    swaps: Exchanges,
    coefficient: str,
) -> FloatArray:
    """Give the differences: an exchange moves half the difference of two scores from one mean to the other.

    ``turned`` are the exchanges of turned matrices, in parts; plain means do not need them.
    """
    X, Y, Z = scores
    valid = ~np.isnan(Z)
    design = means_design(valid, means)
    if not design.is_connected:
        return np.full(len(swaps), np.nan)
    scored = valid.any(axis=1)
    human, mean = (design.means(S)[scored] for S in (Z, (X + Y) / 2))
    moved = _signed_means(design, swaps, turned, np.nan_to_num(X - Y) / 2)[:, scored]
    items = np.arange(len(human))[None]
    correlate = (
        calibrated_accuracy_rows
        if coefficient == CALIBRATED_ACCURACY
        else partial(correlate_resampled_rows, coefficient=coefficient)
    )
    first, second = (
        correlate(side, human[None], items, slacks=slacks) for side in (mean + moved, mean - moved)
    )
    return np.asarray(first - second)


def _signed_means(
    design: MeansDesign, swaps: Exchanges, turned: Sequence[Exchanges], D: FloatArray
) -> FloatArray:
    """Means of systems of a matrix under the signs of each exchange, (n_swaps, n_summarizers)."""
    by_system = swaps.sums(D)
    if design.inverse is None:
        return design.means_of_sums(by_system, by_system)
    by_topic = np.concatenate([part.sums(D.T) for part in turned])
    return design.means_of_sums(by_system, by_topic)


def _exchanged_topics(
    scaled: Sequence[tuple[ThreeMatrices, tuple[float, float]]], swaps: Exchanges, coefficient: str
) -> list[FloatArray]:
    """Give the differences of several pairs of metrics, topic by topic with the same exchanges."""
    sums, counts = np.zeros((2, len(scaled), 2, len(swaps)))
    of_pairs = [
        (snap_ties(np.concatenate([X, Y]).T, slacks[0]), snap_ties(Z.T, slacks[1]))
        for (X, Y, Z), slacks in scaled
    ]
    for topic in range(len(of_pairs[0][1])):
        signs = swaps.signs(topic, len(scaled[0][0][2]))
        for which, (both, human) in enumerate(of_pairs):
            valid = ~np.isnan(human[topic])
            z = human[topic, valid]
            if coefficient not in ACCURACIES and is_constant(z, 0.0):
                continue
            x, y = (side[valid] for side in np.split(both[topic], 2))
            own = signs if valid.all() else signs[:, valid]
            sides = EXCHANGE_KERNELS[coefficient](x, y, z, own)
            if swaps.columns is not None:
                sides = np.where(swaps.columns[:, topic], sides[::-1], sides)
            defined = ~np.isnan(sides)
            counts[which] += defined
            np.add(sums[which], sides, out=sums[which], where=defined)
    with np.errstate(invalid="ignore"):
        return [first - second for first, second in sums / counts]


def _exchanged(
    level: str, scores: ThreeMatrices, slacks: tuple[float, float], swaps: Exchanges, coefficient: str
) -> FloatArray:
    (X, Y, Z), values = scores, np.empty(len(swaps))
    valid = ~np.isnan(Z)
    for k in range(len(swaps)):
        mask = exchange_mask(swaps, k, X.shape)
        first, second = (
            correlate_at_level(S, Z, valid, level, coefficient, slacks)[0]
            for S in (np.where(mask, Y, X), np.where(mask, X, Y))
        )
        values[k] = first - second
    return values
