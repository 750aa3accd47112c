"""How well many linear predictions of held-out rows agree with targets: Pearson's correlation at four levels.

A level divides the rows into lists of points; the score is the mean over the lists in which it exists. ``system``: one
list, of the summarizers' means. ``global``: one, of all rows. ``centred``: one, of all rows less their topic's mean.
``input``: a list for each topic. Rankel (2016), section 5.5, does not say which level it means. The same levels on
matrices of scores: `classy_aesop.significance.correlations.correlation_levels`.

Centred points have centred predictions: so a list stores its columns less their means, and the correlations of all
subsets are one product with their coefficients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from classy_aesop.formulas.base import Array
from classy_aesop.search.kernels.base import Solutions
from classy_aesop.search.row_arrays import Rows

MIN_VARIATION = 1e-12
"""What varies by less than this share of its size is constant up to rounding."""

PREDICTIONS_PER_STEP = 2**16
"""Predictions at a time: half a megabyte, so that they stay in cache."""

COMBINATION = "combination"
"""Pearson's correlation with the linear combination of all human measures that correlates best."""

SELECTION_COEFFICIENTS = ("pearson", COMBINATION)
"""What may select a subset."""

Points = tuple[Array, Array]
"""Points that are correlated: all columns (n_points, n_columns) and the targets (n_points, n_targets)."""


def _stack_held_out(designs: Sequence[Rows], targets: slice | list[int]) -> Rows:
    """Put held-out rows below each other; each split has columns, and one of ones, of its own."""
    from scipy.linalg import block_diag

    columns = [np.column_stack([design.X, np.ones(len(design.X))]) for design in designs]
    return Rows(
        X=block_diag(*columns),
        Y=np.concatenate([design.Y[:, targets] for design in designs]),
        summarizers=np.concatenate([design.summarizers for design in designs]),
        topics=np.concatenate([design.topics for design in designs]),
    )


def _system_points(rows: Rows) -> Iterator[Points]:
    """Yield the means of each summarizer, as one list."""
    _, code, counts = np.unique(rows.summarizers, return_inverse=True, return_counts=True)
    shares = np.zeros((counts.size, code.size))
    shares[code, np.arange(code.size)] = 1.0 / counts[code]
    yield shares @ rows.X, shares @ rows.Y


def _global_points(rows: Rows) -> Iterator[Points]:
    """Yield all rows, as one list."""
    yield rows.X, rows.Y


def _input_points(rows: Rows) -> Iterator[Points]:
    """Yield the rows of each topic, as a list each."""
    for topic in np.unique(rows.topics):
        in_topic = rows.topics == topic
        yield rows.X[in_topic], rows.Y[in_topic]


def _centred_points(rows: Rows) -> Iterator[Points]:
    """Yield all rows less their topic's mean, as one list; a topic's only row is left out."""
    lists = [(_deviations(X), _deviations(y)) for X, y in _input_points(rows) if len(X) > 1]
    if lists:
        yield np.concatenate([X for X, _ in lists]), np.concatenate([y for _, y in lists])


LISTS_OF_LEVEL: dict[str, Callable[[Rows], Iterator[Points]]] = {
    "system": _system_points,
    "input": _input_points,
    "global": _global_points,
    "centred": _centred_points,
}
"""The lists of points of each level."""


def _deviations(values: Array) -> Array:
    """Return the columns of values (n, p) less their means, exactly 0 where all are equal up to rounding."""
    constant = np.ptp(values, axis=0) <= MIN_VARIATION * np.abs(values).max(axis=0)
    return np.where(constant, 0.0, values - np.ones(len(values)) @ values / len(values))


def _orthonormal_basis(y: Array) -> Array:
    """Return an orthonormal basis (n_rows, rank) of the columns of ``y`` (n_rows, n_targets)."""
    lengths = np.sqrt(np.sum(y**2, axis=0))
    vectors, sizes, _ = np.linalg.svd(y / np.where(lengths > 0, lengths, 1.0), full_matrices=False)
    return np.asarray(vectors[:, sizes > MIN_VARIATION * len(y)])


class HeldOutScorer:
    """Held-out rows of each split, without NaN, ready to score the predictions of all splits together.

    A constant prediction has the score -inf. The end of section 5.5 of Rankel (2016) selects the subset with the
    highest correlation with a linear combination of the human measures. That is the cosine of the angle between the
    centred predictions and the space of the centred measures, from 0 to 1.
    """

    def __init__(
        self, designs: Sequence[Rows], target: int, level: str, coefficient: str = "pearson"
    ) -> None:
        self.designs = designs
        self.level = level
        self.is_combined = coefficient == COMBINATION
        self.rows = _stack_held_out(designs, slice(None) if self.is_combined else [target])
        self.lists = self._centre_lists(self.rows)
        self.n_points = np.unique(self.rows.summarizers).size if level == "system" else len(self.rows.Y)

    def _centre_lists(self, rows: Rows) -> list[Points]:
        """Centre the points of each list with more than one; of measures to be combined give a basis."""
        lists = [(_deviations(X), _deviations(y)) for X, y in LISTS_OF_LEVEL[self.level](rows) if len(X) > 1]
        return [(X, _orthonormal_basis(y)) for X, y in lists] if self.is_combined else lists

    def score_linear(self, solutions: Sequence[Solutions]) -> Array:
        """Return the scores (n,) of n linear solutions per split."""
        coef = np.concatenate([rows for split in solutions for rows in (split.coef, split.intercept[None])])
        return self._score(self.lists, coef, self.rows.X)

    def score_predictions(self, predict: Sequence[Callable[[Array], Array]]) -> float:
        """Return the score of one subset, whose predictions (n_rows,) a function for each split makes."""
        predictions = [function(design.X) for function, design in zip(predict, self.designs, strict=True)]
        rows = replace(self.rows, X=np.concatenate(predictions)[:, None])
        coef = np.ones((1, 1))  # the predictions are the only column
        return float(self._score(self._centre_lists(rows), coef, rows.X)[0])

    def _score(self, lists: Sequence[Points], coef: Array, X: Array) -> Array:
        """Return the mean correlations of predictions, (n,): of coefficients (n_columns, n)."""
        largest_terms = (np.abs(coef) * np.abs(X).max(axis=0, initial=0.0)[:, None]).max(axis=0)
        step = max(1, PREDICTIONS_PER_STEP // max((len(points) for points, _ in lists), default=1))
        scores = np.empty(coef.shape[1])
        for start in range(0, coef.shape[1], step):
            batch = slice(start, start + step)
            scores[batch] = self._mean_over_lists(lists, coef[:, batch], largest_terms[batch])
        return scores

    def _mean_over_lists(self, lists: Sequence[Points], coef: Array, largest_terms: Array) -> Array:
        """Return the means (n,) over the lists in which a correlation exists; else -inf."""
        total = np.zeros(coef.shape[1])
        n_lists = np.zeros(coef.shape[1])
        for X, y in lists:
            directions = correlate_predictions(X @ coef, y, largest_terms)
            if self.is_combined:  # nothing where no direction of the measures has a correlation
                squares = np.where(np.isfinite(directions), directions, 0.0) ** 2
                r = np.where(np.isfinite(directions).any(axis=0), np.sqrt(squares.sum(axis=0)), -np.inf)
            else:
                [r] = directions
            exists = np.isfinite(r)
            total += np.where(exists, r, 0.0)
            n_lists += exists
        means = np.minimum(total / np.where(n_lists > 0, n_lists, 1.0), 1.0)
        return np.where(n_lists > 0, means, -np.inf)


def correlate_predictions(predictions: Array, y: Array, largest_terms: Array) -> Array:
    """Return Pearson's correlations (n_targets, n) of centred predictions and targets; -inf where one is constant."""
    lengths = np.sqrt(np.einsum("ij,ij->j", y, y))
    spread = np.sqrt(np.einsum("ij,ij->j", predictions, predictions))
    constant = ~(spread > MIN_VARIATION * np.sqrt(len(y)) * largest_terms)
    unit = y / np.where(lengths > 0, lengths, 1.0)
    r = unit.T @ predictions / np.where(constant, 1.0, spread)
    return np.where(constant | (lengths == 0)[:, None], -np.inf, np.clip(r, -1.0, 1.0))
