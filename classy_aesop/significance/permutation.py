"""Permutation tests of two metrics: exchange their scores at random.

Summarizers, topics or single cells are exchanged (PERM-SYSTEMS, PERM-INPUTS and PERM-BOTH of Deutsch et al.
2021, section 4). The exchange of every cell on its own is the paper's Algorithm 2 for PERM-BOTH; exchanging
summarizers and then topics, ``swap="systems_inputs"``, is another test, found in other software. One-sided
by default: the first metric is the better one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import N_RESAMPLES, ROUNDING, BoolArray, FloatArray, check_number, one_of
from classy_aesop.significance.coefficients import ACCURACIES, CALIBRATED, COEFFICIENTS
from classy_aesop.significance.comparison import (
    Correlations,
    MetricComparison,
    Resampled,
    shared_cells,
)
from classy_aesop.significance.correlation import correlated, summarizer_means
from classy_aesop.significance.near_ties import is_constant, slack_of, snapped
from classy_aesop.significance.rows import ROWS
from classy_aesop.significance.swapped_columns import SWAPPED
from classy_aesop.significance.swaps import SWAPS, Swaps, draw_swaps, exchanged, signed_sums, topic_signs

Scores = tuple[FloatArray, FloatArray, FloatArray]
"""Of two metrics and of humans on the cells that all have."""


def permutation_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    swap: str = "cells",
    alternative: str = "greater",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> MetricComparison:
    """Test whether metric X correlates better with humans than metric Y by exchanging their scores.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and of humans; NaN where missing. A cell counts when all three have it; the
        metrics are brought to mean 0 and standard deviation 1 over these cells.
    level, coefficient : str
        As for :func:`classy_aesop.significance.correlation.correlation`.
    swap : {"cells", "systems", "inputs", "systems_inputs"}
        What is exchanged, see the module.
    alternative : {"greater", "less", "two-sided"}
        What is tested of r(X, Z) less r(Y, Z).
    n_resamples : int
        Number of exchanges.
    rng : numpy.random.Generator
        Source of the exchanges.

    Returns
    -------
    MetricComparison
        P-value 1 and a flag if a correlation is undefined.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(15, 20)) + np.arange(15)[:, None]
    >>> X, Y = Z + rng.normal(size=Z.shape), rng.normal(size=Z.shape)
    >>> permutation_test(X, Y, Z, n_resamples=99, rng=rng).p
    0.01
    """
    options = {"level": level, "coefficient": coefficient, "swap": swap}
    (found,) = permutation_differences([X, Y], Z, [(0, 1)], **options, n_resamples=n_resamples, rng=rng)
    return found.compared(alternative)


def permutation_differences(
    metrics: Sequence[ArrayLike],
    Z: ArrayLike,
    pairs: Sequence[tuple[int, int]],
    *,
    level: str = "system",
    coefficient: str = "pearson",
    swap: str = "cells",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> list[Resampled]:
    """Exchange the scores of pairs of metrics, of all pairs in the same way.

    Parameters
    ----------
    metrics : sequence of array_like, shape (n_summarizers, n_topics)
        Scores of each metric.
    pairs : sequence of tuple of int
        The places of two metrics each.
    Z, level, coefficient, swap, n_resamples, rng
        As for :func:`permutation_test`.

    Returns
    -------
    list of Resampled
        Of each pair: the correlations, and their difference after each exchange.
    """
    one_of(swap, SWAPS, "swap")
    check_number(n_resamples, "n_resamples")
    scores = [shared_cells(metrics[i], metrics[j], Z) for i, j in pairs]
    known = Correlations(level, coefficient)
    found = [
        (known.of(i, X, human), known.of(j, Y, human))
        for (i, j), (X, Y, human) in zip(pairs, scores, strict=True)
    ]
    swaps = draw_swaps(np.shape(Z), swap, n_resamples, rng)
    differences = _differences(scores, swaps, level, coefficient)
    return [
        Resampled("permutation", swap, *two, values) for two, values in zip(found, differences, strict=True)
    ]


def permutation_values(
    X: FloatArray, Y: FloatArray, Z: FloatArray, swaps: Swaps, *, level: str, coefficient: str
) -> FloatArray:
    """Difference of the two correlations after each exchange, shape (n_swaps,); NaN where undefined.

    ``X`` and ``Y`` are brought to one scale first, over the cells that all three matrices have.
    """
    return _differences([shared_cells(X, Y, Z)], swaps, level, coefficient)[0]


def _differences(scores: list[Scores], swaps: Swaps, level: str, coefficient: str) -> list[FloatArray]:
    """Give the differences after each exchange of several pairs of metrics."""
    if level == "within_system":  # as within topics, with summarizers and topics in each other's place
        swaps, level = swaps.turned(scores[0][0].shape[1]), "input"
        scores = [(X.T, Y.T, Z.T) for X, Y, Z in scores]
    scaled = [_scaled(*three) for three in scores]
    if level == "system" and coefficient in ROWS:
        return [_system_differences(*three, swaps, coefficient, slacks) for three, slacks in scaled]
    whole_topics = swaps.rows is None and swaps.cells is None and coefficient != CALIBRATED
    if level == "input" and (coefficient in SWAPPED or whole_topics):
        return _input_differences(scaled, swaps, coefficient)
    return [_one_by_one(*three, swaps, level, coefficient, slacks) for three, slacks in scaled]


def _scaled(X: FloatArray, Y: FloatArray, Z: FloatArray) -> tuple[Scores, tuple[float, float]]:
    """Bring two metrics to one scale; with the slacks of both and of the human scores."""
    (X, slack_x), (Y, slack_y) = _standard(X), _standard(Y)
    return (X, Y, Z), (
        max(slack_x, slack_y),
        float(slack_of(Z)),
    )  # what is exchanged is compared with what is not


def _one_by_one(
    X: FloatArray,
    Y: FloatArray,
    Z: FloatArray,
    swaps: Swaps,
    level: str,
    coefficient: str,
    slacks: tuple[float, float],
) -> FloatArray:
    valid, values = ~np.isnan(Z), np.empty(len(swaps))
    for k in range(len(swaps)):
        mask = exchanged(swaps, k, X.shape)
        first, second = (
            correlated(S, Z, valid, level, coefficient, slacks)[0]
            for S in (np.where(mask, Y, X), np.where(mask, X, Y))
        )
        values[k] = first - second
    return values


def _standard(X: FloatArray) -> tuple[FloatArray, float]:
    """Bring to mean 0 and population standard deviation 1 over all cells, a constant matrix to 0; with its slack."""
    cells = X[~np.isnan(X)]
    if len(cells) == 0:
        return X, 0.0
    largest = np.abs(cells).max() or 1.0  # its squares must neither vanish nor overflow
    X, cells = X / largest, cells / largest
    centred = X - cells.mean()
    spread = float(cells.std())
    if spread <= ROUNDING:
        return 0.0 * centred, 0.0
    return centred / spread, ROUNDING / spread


def _system_differences(
    X: FloatArray, Y: FloatArray, Z: FloatArray, swaps: Swaps, coefficient: str, slacks: tuple[float, float]
) -> FloatArray:
    valid = ~np.isnan(Z)
    scored = valid.any(axis=1)
    human = summarizer_means(Z, valid)[None, scored]
    mean = summarizer_means((X + Y) / 2, valid)[scored]
    half = np.where(valid, (X - Y) / 2, 0.0)
    moved = signed_sums(half, swaps)[:, scored] / valid.sum(axis=1)[scored]
    first, second = (ROWS[coefficient](side, human, *slacks) for side in (mean + moved, mean - moved))
    return np.asarray(first - second)


def _input_differences(
    scaled: list[tuple[Scores, tuple[float, float]]], swaps: Swaps, coefficient: str
) -> list[FloatArray]:
    n_topics = scaled[0][0][0].shape[1]
    sums, counts = np.zeros((2, len(scaled), 2, len(swaps)))
    columns = [_columns(*three, slacks) for three, slacks in scaled]
    for topic in range(n_topics):
        signs = None if swaps.rows is None and swaps.cells is None else topic_signs(swaps, topic)
        turned = None if swaps.columns is None else swaps.columns[:, topic]
        for which, of_pair in enumerate(columns):
            sides = _within_topic(*of_pair[topic], signs, coefficient)
            for side, values in enumerate(_turned(*sides, turned)):
                defined = ~np.isnan(values)
                counts[which, side] += defined
                np.add(sums[which, side], values, out=sums[which, side], where=defined)
    with np.errstate(invalid="ignore"):
        means = sums / counts
    return [first - second for first, second in means]


def _columns(
    X: FloatArray, Y: FloatArray, Z: FloatArray, slacks: tuple[float, float]
) -> list[tuple[FloatArray, FloatArray, FloatArray, BoolArray]]:
    """Give each topic's scores, equal ones as one number, and which cells they are."""
    sides = snapped(np.concatenate([X, Y]).T, slacks[0]).T
    X, Y, Z = sides[: len(X)], sides[len(X) :], snapped(Z.T, slacks[1]).T
    return [
        (x[valid], y[valid], z[valid], valid)
        for x, y, z, valid in zip(X.T, Y.T, Z.T, ~np.isnan(Z.T), strict=True)
    ]


def _within_topic(
    x: FloatArray,
    y: FloatArray,
    z: FloatArray,
    valid: BoolArray,
    signs: NDArray[np.float32] | None,
    coefficient: str,
) -> tuple[FloatArray | float, FloatArray | float]:
    if signs is None:
        return COEFFICIENTS[coefficient](x, z), COEFFICIENTS[coefficient](y, z)
    if len(z) < 2 or (is_constant(z, 0.0) and coefficient not in ACCURACIES):
        return np.nan, np.nan
    return SWAPPED[coefficient](x, y, z, signs if valid.all() else signs[:, valid])


def _turned(
    first: FloatArray | float, second: FloatArray | float, where: BoolArray | None
) -> tuple[FloatArray | float, FloatArray | float]:
    """Exchange the values of a topic that changes places as a whole."""
    return (
        (first, second) if where is None else (np.where(where, second, first), np.where(where, first, second))
    )
