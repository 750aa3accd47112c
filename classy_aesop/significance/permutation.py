"""Permutation tests of two metrics: exchange their scores at random.

Summarizers, topics or single cells are exchanged (PERM-SYSTEMS, PERM-INPUTS and PERM-BOTH of Deutsch et al.
2021, section 4). The exchange of every cell on its own is the paper's Algorithm 2 for PERM-BOTH; exchanging
summarizers and then topics, ``swap="systems_inputs"``, is another test, found in other software. One-sided
by default: the first metric is the better one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import N_RESAMPLES, ROUNDING, BoolArray, FloatArray, one_of
from classy_aesop.significance.coefficients import CALIBRATED, COEFFICIENTS
from classy_aesop.significance.comparison import MetricComparison, chunks, resampled, shared_cells
from classy_aesop.significance.correlation import correlated, summarizer_means
from classy_aesop.significance.near_ties import slack_of, snapped
from classy_aesop.significance.rows import ROWS
from classy_aesop.significance.swapped_columns import SWAPPED
from classy_aesop.significance.swaps import SWAPS, Swaps, draw_swaps, exchanged, signed_sums, topic_signs


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
    one_of(swap, SWAPS, "swap")
    X, Y, Z = shared_cells(X, Y, Z)

    def values() -> Iterator[FloatArray]:
        """Differences after exchanges, chunk by chunk."""
        for size in chunks(n_resamples):
            swaps = draw_swaps(X.shape, swap, size, rng)
            yield permutation_values(X, Y, Z, swaps, level=level, coefficient=coefficient)

    return resampled("permutation", swap, (X, Y, Z), level, coefficient, alternative, n_resamples, values)


def permutation_values(
    X: FloatArray, Y: FloatArray, Z: FloatArray, swaps: Swaps, *, level: str, coefficient: str
) -> FloatArray:
    """Difference of the two correlations after each exchange, shape (n_swaps,); NaN where undefined.

    ``X`` and ``Y`` are brought to one scale first, over the cells that all three matrices have.
    """
    if level == "within_system":  # as within topics, with summarizers and topics in each other's place
        swaps, level = swaps.turned(X.shape[1]), "input"
        X, Y, Z = X.T, Y.T, Z.T
    X, Y, Z = shared_cells(X, Y, Z)
    (X, slack_x), (Y, slack_y) = _standard(X), _standard(Y)
    slacks = max(slack_x, slack_y), float(slack_of(Z))  # what is exchanged is compared with what is not
    if level == "system" and coefficient in ROWS:
        return _system_differences(X, Y, Z, swaps, coefficient, slacks)
    whole_topics = swaps.rows is None and swaps.cells is None and coefficient != CALIBRATED
    if level == "input" and (coefficient in SWAPPED or whole_topics):
        return _input_differences(X, Y, Z, swaps, coefficient, slacks)
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
    X: FloatArray, Y: FloatArray, Z: FloatArray, swaps: Swaps, coefficient: str, slacks: tuple[float, float]
) -> FloatArray:
    n_topics = X.shape[1]
    sides = snapped(np.concatenate([X, Y]).T, slacks[0]).T
    X, Y, Z = sides[: len(X)], sides[len(X) :], snapped(Z.T, slacks[1]).T
    first, second = np.full((2, len(swaps), n_topics), np.nan)
    for topic in range(n_topics):
        valid = ~np.isnan(Z[:, topic])
        scores = tuple(S[valid, topic] for S in (X, Y, Z))
        first[:, topic], second[:, topic] = _within_topic(scores, swaps, topic, valid, coefficient)
    if swaps.columns is not None:
        first, second = np.where(swaps.columns, second, first), np.where(swaps.columns, first, second)
    return _mean_of_defined(first) - _mean_of_defined(second)


def _within_topic(
    scores: tuple[FloatArray, ...], swaps: Swaps, topic: int, valid: BoolArray, coefficient: str
) -> tuple[FloatArray | float, FloatArray | float]:
    x, y, z = scores
    if swaps.rows is None and swaps.cells is None:
        return COEFFICIENTS[coefficient](x, z), COEFFICIENTS[coefficient](y, z)
    if len(z) < 2 or np.isnan(COEFFICIENTS[coefficient](z, z)):
        return np.nan, np.nan
    signs = topic_signs(swaps, topic)
    return SWAPPED[coefficient](x, y, z, signs if valid.all() else signs[:, valid])


def _mean_of_defined(values: FloatArray) -> FloatArray:
    defined = ~np.isnan(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(defined, values, 0.0).sum(axis=1) / defined.sum(axis=1))
