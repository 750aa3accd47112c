"""Correlations on resampled and on exchanged scores: what intervals of correlations and tests of metrics are made of.

A *bootstrap* resample has summarizers, topics or both drawn with replacement (BOOT-SYSTEMS, BOOT-INPUTS and BOOT-BOTH
of Deutsch et al. 2021, section 3); a summarizer that is drawn twice makes no pair with itself. A *permutation*
exchanges the scores of two metrics: of whole summarizers, whole topics or single cells (PERM-SYSTEMS, PERM-INPUTS and
PERM-BOTH, section 4). The exchange of every cell on its own is the paper's Algorithm 2 for PERM-BOTH; exchanging
summarizers and then topics, ``swap="systems_inputs"``, is another test, found in other software.

At system level the means of all resamples are one matrix product, or where systems lack topics one batch of
least-squares fits, and the kernels of rows correlate them. At input
level the kernels of counts correlate within each topic, for resamples and for exchanges alike. Other levels and
coefficients are correlated one resample after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    N_RESAMPLES,
    ROUNDING,
    FloatArray,
    Result,
    check_number,
    is_constant,
    one_of,
    score_matrices,
    slack_of,
    snapped,
)
from classy_aesop.significance.coefficients import (
    ACCURACIES,
    CALIBRATED,
    OF_PAIRS,
    ROWS,
    SOFT,
    calibrated_rows,
    counts_of,
    drawn_rows,
)
from classy_aesop.significance.correlation import (
    Correlation,
    check_names,
    correlated,
    correlation,
)
from classy_aesop.significance.counted import (
    EXCHANGED,
    RESAMPLES,
    SWAPS,
    Resamples,
    Swaps,
    draw_resamples,
    draw_swaps,
    exchanged,
    is_every,
    within_topics,
)
from classy_aesop.significance.system_means import MeansDesign, means_design, resampled_means

_CHUNK = 1_000  # resamples worked on at once

Three = tuple[FloatArray, FloatArray, FloatArray]
"""Scores of two metrics and of humans, on the cells that all have."""


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
    coefficients of `ROWS`, and at system level, many resamples are computed at once, otherwise one after the other.
    ``means`` as for :func:`classy_aesop.significance.correlation.correlation`; least-squares means are fitted on every
    resample.
    """
    check_names(level, coefficient)
    if level == "within_system":  # as within topics, with summarizers and topics in each other's place
        X, Z, level = np.transpose(X), np.transpose(Z), "input"
        resamples = Resamples(resamples.columns, resamples.rows)
    X, Z = score_matrices(X=X, Z=Z)
    missing = np.isnan(X + Z)
    X, Z = (_within_one(np.where(missing, np.nan, S)) for S in (X, Z))
    values: Callable[..., FloatArray] = partial(one_by_one, level)
    if level == "system" and coefficient != SOFT and X.size:
        values = partial(_of_means, means_design(~missing, means))
    elif level == "input" and coefficient in ROWS and X.size:
        values = _of_topics
    starts = range(0, len(resamples), _CHUNK)
    parts = (resamples.part(slice(start, start + _CHUNK)) for start in starts)
    return np.concatenate([values(X, Z, part, coefficient) for part in parts])


def permutation_values(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    swaps: Swaps,
    *,
    level: str,
    coefficient: str,
    means: str = "plain",
) -> FloatArray:
    """Difference of the two correlations after each exchange, shape (n_swaps,); NaN where undefined.

    ``X`` and ``Y`` are brought to one scale first, over the cells that all three matrices have. ``means`` as for
    :func:`classy_aesop.significance.correlation.correlation`.
    """
    return _differences([shared_cells(X, Y, Z)], swaps, level, coefficient, means)[0]


# --- two metrics ---


@dataclass(frozen=True, slots=True)
class Resampled(Result):
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

    def sampled(self, n: int, rng: np.random.Generator) -> Resampled:
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
) -> list[Resampled]:
    """Exchange the scores of pairs of metrics, of all pairs in the same way.

    The differences are those after each exchange.

    Parameters
    ----------
    swap : {"cells", "systems", "inputs", "systems_inputs"}
        What is exchanged ``n_resamples`` times, see the module; of whole summarizers or topics every exchange is made
        once where there are no more than that.
    means : {"plain", "least-squares"}
        As for :func:`classy_aesop.significance.correlation.correlation`, over the cells that both metrics and humans
        have.
    """
    one_of(swap, SWAPS, "swap")
    check_number(n_resamples, "n_resamples")
    correlate = partial(correlation, level=level, coefficient=coefficient, means=means)
    found = list(_of_pairs(metrics, Z, pairs, correlate))
    swaps = draw_swaps(np.shape(Z), swap, n_resamples, rng)
    differences = _differences([scores for scores, _ in found], swaps, level, coefficient, means)
    return [
        Resampled("permutation", swap, first, second, values, is_every(swaps))
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
) -> list[Resampled]:
    """Resample pairs of metrics, all of them on the same resamples, by one of `RESAMPLES`.

    The values are the differences of the resamples less the observed one.
    """
    one_of(resample, RESAMPLES, "resample")
    check_number(n_resamples, "n_resamples")
    how: dict[str, Any] = {"level": level, "coefficient": coefficient, "means": means}
    drawn = [draw_resamples(np.shape(Z), resample, n, rng) for n in chunks(n_resamples) if np.size(Z)]

    def both(S: FloatArray, human: FloatArray) -> tuple[Correlation, FloatArray]:
        """Correlate on the scores themselves and on the resamples; on none of these where that is undefined."""
        found = correlation(S, human, **how)
        if np.isnan(found.value):
            return found, np.full(n_resamples, np.nan)
        return found, np.concatenate([bootstrap_values(S, human, part, **how) for part in drawn])

    found = []
    for _, ((first, of_first), (second, of_second)) in _of_pairs(metrics, Z, pairs, both):
        values = (of_first - of_second) - (first.value - second.value)
        found.append(Resampled("bootstrap", resample, first, second, values))
    return found


def shared_cells(X: ArrayLike, Y: ArrayLike, Z: ArrayLike) -> Three:
    """Check three score matrices; a cell that one of them lacks becomes NaN in all."""
    three = score_matrices(X=X, Y=Y, Z=Z)
    missing = np.isnan(three).any(axis=0)
    return tuple(np.where(missing, np.nan, S) for S in three)  # type: ignore[return-value]


def three_correlations(X: ArrayLike, Y: ArrayLike, Z: ArrayLike, **measured: str) -> list[Correlation]:
    """Correlate two metrics with humans and with each other, on the cells that all have."""
    X, Y, Z = shared_cells(X, Y, Z)
    return [correlation(*two, **measured) for two in ((X, Z), (Y, Z), (X, Y))]


def _of_pairs(
    metrics: Sequence[ArrayLike], Z: ArrayLike, pairs: Sequence[tuple[int, int]], compute: Callable[..., Any]
) -> Iterator[tuple[Three, list[Any]]]:
    """Give the scores of each pair, and what is computed of each metric, once for the cells that it shares."""
    known: dict[tuple[int, bytes], Any] = {}
    for pair in pairs:
        X, Y, human = shared_cells(metrics[pair[0]], metrics[pair[1]], Z)
        keys = [(which, np.isnan(human).tobytes()) for which in pair]
        for key, S in zip(keys, (X, Y), strict=True):
            if key not in known:
                known[key] = compute(S, human)
        yield (X, Y, human), [known[key] for key in keys]


def _differences(
    scores: Sequence[Three], swaps: Swaps, level: str, coefficient: str, means: str = "plain"
) -> list[FloatArray]:
    """Give the differences after each exchange of several pairs of metrics, on the cells that all three have."""
    if level == "within_system":  # as within topics, with summarizers and topics in each other's place
        swaps, level = swaps.turned(scores[0][0].shape[1]), "input"
        scores = [(X.T, Y.T, Z.T) for X, Y, Z in scores]
    scaled: list[tuple[Three, tuple[float, float]]] = []
    for *metrics, Z in scores:  # two metrics are compared, so they have one slack
        (X, slack_x), (Y, slack_y) = map(_standard, metrics)
        scaled.append(((X, Y, Z), (max(slack_x, slack_y), float(slack_of(Z)))))
    if coefficient in EXCHANGED and level == "input":
        return _exchanged_topics(scaled, swaps, coefficient)
    of_pair: Callable[..., FloatArray] = partial(_exchanged, level)
    if level == "system" and coefficient != SOFT:
        starts = range(0, len(swaps), _CHUNK)
        parts = (swaps.part(slice(start, start + _CHUNK)) for start in starts)
        needs_topics = means == "least-squares" and any(np.isnan(three[2]).any() for three in scores)
        by_topic = [part.turned(scores[0][2].shape[1]) for part in parts] if needs_topics else []
        of_pair = partial(_exchanged_means, means, by_topic)
    return [of_pair(three, slacks, swaps, coefficient) for three, slacks in scaled]


def _standard(X: FloatArray) -> tuple[FloatArray, float]:
    """Bring to mean 0 and population standard deviation 1 over all cells, a constant matrix to 0; with its slack."""
    X = _within_one(X)
    cells = X[~np.isnan(X)]
    spread = float(cells.std()) if len(cells) else 0.0
    if spread <= ROUNDING:
        return 0.0 * X, 0.0
    return (X - cells.mean()) / spread, ROUNDING / spread


def _within_one(X: FloatArray) -> FloatArray:
    """Scale to at most 1 in size, so that squares neither vanish nor overflow."""
    return np.asarray(X / np.nanmax(np.abs(X), initial=np.finfo(np.float64).tiny))


def chunks(n: int) -> list[int]:
    """Cut a number of resamples into parts that are worked on at once."""
    return [min(_CHUNK, n - start) for start in range(0, n, _CHUNK)]


# --- system level: means of summarizers, many resamples at once ---


def _of_means(
    design: MeansDesign, X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    n, n_topics = X.shape
    columns = None if resamples.columns is None else counts_of(resamples.columns, n_topics)
    if design.inverse is None:
        weights = np.ones((1, n_topics)) if columns is None else columns
        with np.errstate(invalid="ignore"):
            a, b = (weights @ np.nan_to_num(S).T / (weights @ ~np.isnan(S).T) for S in (X, Z))
    else:
        rows = None if resamples.rows is None else counts_of(resamples.rows, n)
        a, b = resampled_means([X, Z], design.valid, rows, columns)
    items = resamples.rows
    if items is None:
        items = np.broadcast_to(np.arange(n), (len(resamples), n))
    else:
        a, b = (np.take_along_axis(np.broadcast_to(S, (len(items), n)), items, axis=1) for S in (a, b))
    slacks, values = (slack_of(X), slack_of(Z)), np.full(len(resamples), np.nan)
    full = ~np.isnan(a).any(axis=1)
    correlate = calibrated_rows if coefficient == CALIBRATED else partial(drawn_rows, coefficient=coefficient)
    if full.all():
        return correlate(a, b, items, slacks=slacks)
    values[full] = correlate(a[full], b[full], items[full], slacks=slacks)
    for k in np.flatnonzero(~full & ~np.isnan(a).all(axis=1)):
        kept = ~np.isnan(a[k])  # a summarizer has no cell in the topics of the resample
        one = slice(k, k + 1)
        values[k] = correlate(a[one, kept], b[one, kept], items[one, kept], slacks=slacks)[0]
    return values


def _exchanged_means(
    means: str,
    turned: Sequence[Swaps],
    scores: Three,
    slacks: tuple[float, float],
    swaps: Swaps,
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
    correlate = calibrated_rows if coefficient == CALIBRATED else partial(drawn_rows, coefficient=coefficient)
    first, second = (
        correlate(side, human[None], items, slacks=slacks) for side in (mean + moved, mean - moved)
    )
    return np.asarray(first - second)


def _signed_means(design: MeansDesign, swaps: Swaps, turned: Sequence[Swaps], D: FloatArray) -> FloatArray:
    """Means of systems of a matrix under the signs of each exchange, (n_swaps, n_summarizers)."""
    by_system = swaps.sums(D)
    if design.inverse is None:
        return design.means_of_sums(by_system, by_system)
    by_topic = np.concatenate([part.sums(D.T) for part in turned])
    return design.means_of_sums(by_system, by_topic)


# --- input level: within each topic, many resamples at once ---


def _of_topics(X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str) -> FloatArray:
    counts = np.ones((1, len(X))) if resamples.rows is None else counts_of(resamples.rows, len(X))
    x, z = (snapped(S.T, slack_of(S)).T for S in (X, Z))
    # before the weights, which would take its place in the cache
    within = within_topics(x, z, counts, coefficient)
    weights = None if resamples.columns is None else counts_of(resamples.columns, X.shape[1])
    return np.broadcast_to(_mean_over_topics(within, weights), len(resamples))


def _exchanged_topics(
    scaled: Sequence[tuple[Three, tuple[float, float]]], swaps: Swaps, coefficient: str
) -> list[FloatArray]:
    """Give the differences of several pairs of metrics, topic by topic with the same exchanges."""
    sums, counts = np.zeros((2, len(scaled), 2, len(swaps)))
    of_pairs = [
        (snapped(np.concatenate([X, Y]).T, slacks[0]), snapped(Z.T, slacks[1]))
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
            sides = EXCHANGED[coefficient](x, y, z, own)
            if swaps.columns is not None:
                sides = np.where(swaps.columns[:, topic], sides[::-1], sides)
            defined = ~np.isnan(sides)
            counts[which] += defined
            np.add(sums[which], sides, out=sums[which], where=defined)
    with np.errstate(invalid="ignore"):
        return [first - second for first, second in sums / counts]


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


# --- any level and coefficient ---


def _exchanged(
    level: str, scores: Three, slacks: tuple[float, float], swaps: Swaps, coefficient: str
) -> FloatArray:
    (X, Y, Z), values = scores, np.empty(len(swaps))
    valid = ~np.isnan(Z)
    for k in range(len(swaps)):
        mask = exchanged(swaps, k, X.shape)
        first, second = (
            correlated(S, Z, valid, level, coefficient, slacks)[0]
            for S in (np.where(mask, Y, X), np.where(mask, X, Y))
        )
        values[k] = first - second
    return values


def one_by_one(
    level: str, X: FloatArray, Z: FloatArray, resamples: Resamples, coefficient: str
) -> FloatArray:
    """Correlate on one resample after the other."""
    cells = np.arange(X.size).reshape(X.shape) if coefficient in (*OF_PAIRS, SOFT) else None
    slacks, valid, values = (slack_of(X), slack_of(Z)), ~np.isnan(X), np.empty(len(resamples))
    for k in range(len(resamples)):
        rows = slice(None) if resamples.rows is None else np.sort(resamples.rows[k])  # ties go by their order
        columns = slice(None) if resamples.columns is None else resamples.columns[k]
        x, z, of_both = X[rows][:, columns], Z[rows][:, columns], valid[rows][:, columns]
        items = None if cells is None else cells[rows][:, columns]
        values[k] = correlated(x, z, of_both, level, coefficient, slacks, items)[0]
    return values
