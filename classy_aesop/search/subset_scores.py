"""How well many linear predictions of held-out rows agree with targets: at four levels, with weighted rows.

A level divides the rows into lists of points; the score is the mean over the lists in which it exists. ``system``: one
list, of the summarizers' means. ``global``: one, of all rows. ``centred``: one, of all rows less their topic's mean.
``input``: a list for each topic. Rankel (2016), section 5.5, does not say which level it means. The same levels on
matrices of scores: `classy_aesop.significance.correlations.correlation_levels`.

Weights say how often each topic and summarizer counts. Centred rows have centred predictions: so for Pearson's
correlation a block stores its columns less their means, and the correlations of all subsets are one product with their
coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from classy_aesop.formulas.base import Array
from classy_aesop.search.design import Design, Integers
from classy_aesop.search.kernels.base import Solutions
from classy_aesop.significance.correlations.accuracies import CALIBRATED_ACCURACY
from classy_aesop.significance.correlations.coefficients import COEFFICIENTS_OF_LISTS, ROW_COEFFICIENTS
from classy_aesop.significance.equality import rounding_slack

MIN_VARIATION = 1e-12
"""What varies by less than this share of its size is constant up to rounding."""

PREDICTIONS_PER_STEP = 2**16
"""Predictions at a time: half a megabyte, so that they stay in cache."""

Points = tuple[Array, Array, Array, float]
"""Points that are correlated: all columns, the targets, how often each point counts; the weight of the list."""

RowBlock = tuple[Array, Array, float]
"""Rows of all columns and of the targets, less their mean and times the root of their weight; the block's weight."""


@dataclass(frozen=True)
class HeldOutRows:
    """Rows without NaN that predictions are scored on."""

    X: Array  # (n_rows, n_columns): what predictions are computed from
    y: Array  # (n_rows, n_targets)
    topics: Integers  # (n_rows,)
    summarizers: Integers

    @classmethod
    def stack(cls, designs: Sequence[Design], targets: Sequence[int]) -> HeldOutRows:
        """Put held-out rows below each other; each split has columns, and one of ones, of its own."""
        from scipy.linalg import block_diag

        columns = [np.column_stack([design.X, np.ones(len(design.X))]) for design in designs]
        return cls(
            X=block_diag(*columns),
            y=np.concatenate([design.Y[:, list(targets)] for design in designs]),
            topics=np.concatenate([design.topics for design in designs]),
            summarizers=np.concatenate([design.summarizers for design in designs]),
        )


def stack_coefficients(solutions: Sequence[Solutions]) -> Array:
    """Return the coefficients of the columns of `HeldOutRows.stack` (n_columns, n) of one solution per split."""
    parts = [part for split in solutions for part in (split.coef, split.intercept[None])]
    return np.concatenate(parts)


def prediction_bounds(coef: Array, X: Array) -> Array:
    """Return an upper bound on the terms of each prediction, (n,); variation below a share of it is rounding."""
    return np.asarray((np.abs(coef) * np.abs(X).max(axis=0, initial=0.0)[:, None]).max(axis=0))


def apply_signs(scores: Array, signs: Array) -> Array:
    """Multiply scores by the sign, +1 or -1, with which a solution predicts a target; -inf stays."""
    return np.where(np.isfinite(scores), signs * scores, scores)


def lists_of_points(level: str, rows: HeldOutRows, topics: Array, summarizers: Array) -> Iterator[Points]:
    """Yield the lists of points to correlate at a level: columns, targets, how often each counts, weight of the list.

    Lists of fewer than two points are left out.

    Parameters
    ----------
    level : str
        A key of `POINTS`.
    rows : HeldOutRows
        What is scored.
    topics, summarizers : (n_topics,), (n_summarizers,)
        How often each topic and each summarizer counts, by code.
    """
    for points in map(_drop_uncounted, POINTS[level](rows, topics, summarizers)):
        if len(points[0]) > 1:
            yield points


def pearson_blocks(level: str, rows: HeldOutRows, topics: Array, summarizers: Array) -> Iterator[RowBlock]:
    """Yield the lists of `lists_of_points` for Pearson's correlation.

    Parameters
    ----------
    level, rows, topics, summarizers
        See `lists_of_points`.

    Yields
    ------
    Block
        A list less its means, times the roots of its counts.
    """
    for X, y, counts, weight in lists_of_points(level, rows, topics, summarizers):
        root = np.sqrt(counts)[:, None]
        yield root * _deviations(X, counts), root * _deviations(y, counts), weight


class PearsonBlocks:
    """Weighted rows, ready to score predictions by Pearson's correlation; see `pearson_blocks` for parameters."""

    def __init__(self, level: str, rows: HeldOutRows, topics: Array, summarizers: Array) -> None:
        self.blocks = list(pearson_blocks(level, rows, topics, summarizers))
        self.n_targets = rows.y.shape[1]

    def score(self, coef: Array, bound: Array, signs: Array | None = None) -> Array:
        """Return the correlations (n_targets, n) of predictions with the targets; -inf where there is none.

        Parameters
        ----------
        coef : (n_columns, n)
            The coefficients of each prediction.
        bound : (n,)
            See `prediction_bounds`.
        signs : (n_targets, n), optional
            +1 or -1, with which each solution predicts each target.
        """
        step = max(1, PREDICTIONS_PER_STEP // max((len(X) for X, _, _ in self.blocks), default=1))
        scores = np.full((self.n_targets, coef.shape[1]), -np.inf)
        for start in range(0, coef.shape[1], step):
            batch = slice(start, start + step)
            scores[:, batch] = self._mean_correlations(coef[:, batch], bound[batch])
        return scores if signs is None else apply_signs(scores, signs)

    def _mean_correlations(self, coef: Array, bound: Array) -> Array:
        """Return the weighted mean over blocks of the correlations (n_targets, n) where they exist, else -inf."""
        if len(self.blocks) == 1:
            X, y, _ = self.blocks[0]
            return pearson_of_predictions(X @ coef, y, bound, len(y))
        total = np.zeros((self.n_targets, coef.shape[1]))
        weight = np.zeros((self.n_targets, coef.shape[1]))
        for X, y, count in self.blocks:
            r = pearson_of_predictions(X @ coef, y, bound, len(y))
            exists = np.isfinite(r)
            total += np.where(exists, count * r, 0.0)
            weight += count * exists
        return np.where(weight > 0, total / np.where(weight > 0, weight, 1.0), -np.inf)


def pearson_of_predictions(predictions: Array, y: Array, bound: Array, n_rows: Integers | int) -> Array:
    """Return Pearson's correlations (..., t, n) of centred predictions and targets; -inf where one is constant.

    Parameters
    ----------
    predictions : (..., m, n)
        Centred predictions.
    y : (..., m, t)
        Centred targets.
    bound : (n,)
        See `prediction_bounds`.
    n_rows : int or integers
        How many of the m rows count; the others are 0.
    """
    lengths = np.sqrt(np.einsum("...ij,...ij->...j", y, y))
    spread = np.sqrt(np.einsum("...ij,...ij->...j", predictions, predictions))
    constant = ~(spread > MIN_VARIATION * np.sqrt(n_rows) * bound)
    unit = y / np.where(lengths > 0, lengths, 1.0)[..., None, :]
    r = np.swapaxes(unit, -1, -2) @ predictions / np.where(constant, 1.0, spread)[..., None, :]
    is_undefined = constant[..., None, :] | (lengths == 0)[..., None]
    return np.where(is_undefined, -np.inf, np.clip(r, -1.0, 1.0))


def _system_points(rows: HeldOutRows, topics: Array, summarizers: Array) -> Iterator[Points]:
    """Yield the means of each summarizer over its topics, as one list."""
    weights = topics[rows.topics]
    sums = np.bincount(rows.summarizers, weights, summarizers.size)
    present = np.flatnonzero((sums > 0) & (summarizers > 0))
    rows_used = np.flatnonzero(np.isin(rows.summarizers, present) & (weights > 0))
    summarizer = rows.summarizers[rows_used]
    shares = np.zeros((present.size, len(rows.y)))
    shares[np.searchsorted(present, summarizer), rows_used] = weights[rows_used] / sums[summarizer]
    yield shares @ rows.X, shares @ rows.y, summarizers[present], 1.0


def _global_points(rows: HeldOutRows, topics: Array, summarizers: Array) -> Iterator[Points]:
    """Yield all rows, as one list."""
    yield rows.X, rows.y, topics[rows.topics] * summarizers[rows.summarizers], 1.0


def _input_points(rows: HeldOutRows, topics: Array, summarizers: Array) -> Iterator[Points]:
    """Yield the rows of each topic, as a list each."""
    for topic in np.flatnonzero(topics):
        in_topic = np.flatnonzero(rows.topics == topic)
        counts = summarizers[rows.summarizers[in_topic]]
        yield rows.X[in_topic], rows.y[in_topic], counts, float(topics[topic])


def _centred_points(rows: HeldOutRows, topics: Array, summarizers: Array) -> Iterator[Points]:
    """Yield all rows less their topic's mean, as one list; a topic's only row is left out."""
    parts = [
        (_deviations(X, weights), _deviations(y, weights), count * weights)
        for X, y, weights, count in map(_drop_uncounted, _input_points(rows, topics, summarizers))
        if len(weights) > 1
    ]
    if parts:
        X = np.concatenate([part[0] for part in parts])
        y = np.concatenate([part[1] for part in parts])
        counts = np.concatenate([part[2] for part in parts])
        yield X, y, counts, 1.0


POINTS: dict[str, Callable[[HeldOutRows, Array, Array], Iterator[Points]]] = {
    "system": _system_points,
    "input": _input_points,
    "global": _global_points,
    "centred": _centred_points,
}


def _drop_uncounted(lists_of_points: Points) -> Points:
    """Leave out the points that do not count."""
    X, y, counts, weight = lists_of_points
    counted = counts > 0
    return X[counted], y[counted], counts[counted], weight


def _deviations(values: Array, weights: Array) -> Array:
    """Return the columns of values (n, p) less their weighted means, exactly 0 where all are equal up to rounding."""
    constant = np.ptp(values, axis=0) <= MIN_VARIATION * np.abs(values).max(axis=0)
    return np.where(constant, 0.0, values - weights @ values / weights.sum())


COMBINATION = "combination"
"""Pearson's correlation with the linear combination of all human measures that correlates best."""

COEFFICIENTS = (*(name for name in COEFFICIENTS_OF_LISTS if name != CALIBRATED_ACCURACY), COMBINATION)
"""What may select a subset: coefficients that need no search or permutations of their own."""


class CombinationBlocks:
    """Weighted rows, ready to score predictions by their multiple correlation with all measures, from 0 to 1.

    The end of section 5.5 of Rankel (2016) selects the subset with the highest correlation with a linear combination of
    the human measures. That is the cosine of the angle between the centred predictions and the space of the centred
    measures, and the same for every target. Parameters are those of `pearson_blocks`; ``rows`` have all measures.
    """

    def __init__(self, level: str, rows: HeldOutRows, topics: Array, summarizers: Array) -> None:
        blocks = pearson_blocks(level, rows, topics, summarizers)
        self.blocks = [(X, orthonormal_basis(y), weight) for X, y, weight in blocks]

    def score(self, coef: Array, bound: Array, signs: Array | None = None) -> Array:
        """Return the correlations (1, n) of predictions; -inf where there is none. See `PearsonBlocks.score`.

        Parameters
        ----------
        coef, bound
            As for `PearsonBlocks.score`.
        signs : ndarray, optional
            Without effect: a combination has no sign.
        """
        total = np.zeros(coef.shape[1])
        weight = np.zeros(coef.shape[1])
        for X, basis, count in self.blocks:
            r = pearson_of_predictions(X @ coef, basis, bound, len(X))
            exists = np.isfinite(r).any(axis=0)
            total += np.where(exists, count * np.sqrt(np.sum(np.where(exists, r, 0.0) ** 2, axis=0)), 0.0)
            weight += count * exists
        scores = np.where(weight > 0, np.minimum(total / np.where(weight > 0, weight, 1.0), 1.0), -np.inf)
        return scores[None]


def orthonormal_basis(y: Array) -> Array:
    """Return an orthonormal basis (n_rows, rank) of the columns of ``y`` (n_rows, n_targets)."""
    lengths = np.sqrt(np.sum(y**2, axis=0))
    vectors, sizes, _ = np.linalg.svd(y / np.where(lengths > 0, lengths, 1.0), full_matrices=False)
    return np.asarray(vectors[:, sizes > MIN_VARIATION * len(y)])


def make_scorer(
    coefficient: str, level: str, rows: HeldOutRows, topics: Array, summarizers: Array
) -> PearsonBlocks | CoefficientLists | CombinationBlocks:
    """Prepare rows to score predictions by any coefficient.

    Parameters
    ----------
    coefficient : str
        One of `COEFFICIENTS`.
    level, rows, topics, summarizers
        See `lists_of_points`.
    """
    if coefficient == "pearson":
        return PearsonBlocks(level, rows, topics, summarizers)
    if coefficient == COMBINATION:
        return CombinationBlocks(level, rows, topics, summarizers)
    return CoefficientLists(coefficient, level, rows, topics, summarizers)


class CoefficientLists:
    """Weighted rows, ready to score predictions by a coefficient of each list: the mean over those in which it exists.

    A point that counts twice is there twice, and makes no pair with its copy. Each value is that of
    `classy_aesop.significance.correlations.correlation_levels`, but predictions that are constant in every list have
    none.
    """

    def __init__(
        self, coefficient: str, level: str, rows: HeldOutRows, topics: Array, summarizers: Array
    ) -> None:
        self.coefficient = coefficient
        self.slack = rounding_slack(rows.y, axis=0)[0]
        self.lists = list(lists_of_points(level, rows, topics, summarizers))
        self.repeated = [
            np.repeat(np.arange(len(X)), counts.astype(np.int64)) for X, _, counts, _ in self.lists
        ]

    def score(self, coef: Array, bound: Array, signs: Array | None = None) -> Array:
        """Return the values (n_targets, n) of predictions; -inf where there is none. See `PearsonBlocks.score`.

        Parameters
        ----------
        coef, bound, signs
            As for `PearsonBlocks.score`.
        """
        slack = MIN_VARIATION * bound
        scores = np.full((self.slack.size, slack.size), -np.inf)
        varies = np.zeros(slack.size, dtype=bool)
        for X, *_ in self.lists:
            varies |= np.ptp(X @ coef, axis=0) > slack
        varying = np.flatnonzero(varies)
        step = max(1, PREDICTIONS_PER_STEP // max(map(len, self.repeated), default=1))
        for start in range(0, varying.size, step):
            batch = varying[start : start + step]
            for target, target_scores in enumerate(scores):
                signed_coef = coef[:, batch] if signs is None else coef[:, batch] * signs[target, batch]
                values = self._coefficient_values(signed_coef, slack[batch], target)
                target_scores[batch] = np.where(np.isnan(values), -np.inf, values)
        return scores

    def _coefficient_values(self, coef: Array, slack: Array, target: int) -> Array:
        """Return the values (n,), NaN where undefined; ``slack`` (n,) are differences that rounding explains."""
        total = np.zeros(coef.shape[1])
        weight = np.zeros(coef.shape[1])
        slacks = (slack[:, None], self.slack[target])
        for (X, y, _, count), rows in zip(self.lists, self.repeated, strict=True):
            predictions = np.ascontiguousarray((X @ coef)[rows].T)
            correlate = ROW_COEFFICIENTS[self.coefficient]
            values = correlate(predictions, y[None, rows, target], slacks, rows[None])
            exists = ~np.isnan(values)
            total += np.where(exists, count * values, 0.0)
            weight += count * exists
        with np.errstate(invalid="ignore"):
            return np.asarray(total / weight)


class HeldOutScorer:
    """Held-out rows of each split, without NaN, ready to score the predictions of all splits together.

    A constant prediction has the score -inf.

    Parameters
    ----------
    designs : sequence of Design
        The held-out rows of each split.
    targets : sequence of int
        Columns of Y.
    level, coefficient : str
        See `classy_aesop.search.search_targets`.
    """

    def __init__(
        self, designs: Sequence[Design], targets: Sequence[int], level: str, coefficient: str = "pearson"
    ) -> None:
        self.designs = designs
        self.level = level
        self.coefficient = coefficient
        self.n_targets = len(targets)
        n_measures = designs[0].Y.shape[1]
        self.rows = HeldOutRows.stack(designs, range(n_measures) if coefficient == COMBINATION else targets)
        self.scorer = self._make_scorer(self.rows)
        self.n_points = np.unique(self.rows.summarizers).size if level == "system" else len(self.rows.y)

    def _make_scorer(self, rows: HeldOutRows) -> PearsonBlocks | CoefficientLists | CombinationBlocks:
        """Prepare rows in which each topic and summarizer counts once."""
        topics = np.ones(rows.topics.max(initial=-1) + 1)
        summarizers = np.ones(rows.summarizers.max(initial=-1) + 1)
        return make_scorer(self.coefficient, self.level, rows, topics, summarizers)

    def score_linear(self, solutions: Sequence[Solutions]) -> Array:
        """Return the scores (n_targets, n) of n linear solutions per split."""
        coef = stack_coefficients(solutions)
        scores = self.scorer.score(coef, prediction_bounds(coef, self.rows.X), solutions[0].signs)
        return np.broadcast_to(scores, (self.n_targets, coef.shape[1]))

    def score_predictions(self, predict: Sequence[Callable[[Array], Array]]) -> Array:
        """Return the scores (n_targets,) of one subset, whose predictions (n_rows,) a function for each split makes."""
        parts = [function(design.X) for function, design in zip(predict, self.designs, strict=True)]
        rows = replace(self.rows, X=np.concatenate(parts)[:, None])
        coef = np.ones((1, 1))  # the predictions are the only column
        scores = self._make_scorer(rows).score(coef, prediction_bounds(coef, rows.X))[:, 0]
        return np.broadcast_to(scores, self.n_targets)
