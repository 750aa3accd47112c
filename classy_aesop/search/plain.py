"""One subset at a time: the estimator itself, for fitters without a kernel and what a kernel leaves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone

from classy_aesop.search.base import Solutions, Training
from classy_aesop.search.design import Array, Design, Integers, needed_targets
from classy_aesop.search.score import Selection
from classy_aesop.search.subsets import Groups, Splits

Predict = Callable[[Array], Array]


def fit_one(fitter: Any, training: Training, mask: int) -> tuple[Predict, bool]:
    """Fit a clone on the columns of one subset.

    Returns
    -------
    predict : callable
        From rows of all columns (n_rows, n_columns) to predictions (n_rows,).
    converged : bool
        What the estimator says of itself, True if it says nothing.
    """
    columns = np.flatnonzero(training.used(np.array([mask]))[0])
    if not columns.size:  # all of them constant
        return (lambda X: np.zeros(len(X))), True
    y = training.Y[:, 0] if training.Y.shape[1] == 1 else training.Y
    topics = (training.topics,) if getattr(fitter, "by_topic", False) else ()
    fitted = clone(fitter).fit(training.X[:, columns], y, *topics)
    return (lambda X: np.asarray(fitted.predict(X[:, columns]), dtype=float)), bool(
        getattr(fitted, "converged_", True)
    )


class NoKernel:
    """Leaves every subset to the estimator."""

    chunk: ClassVar[int] = 256
    tie: ClassVar[float] = 1e-9

    def __init__(self, fitter: Any, training: Training) -> None:
        self.n_columns = training.X.shape[1]

    def solve(self, masks: Integers) -> Solutions:
        """Return no solution: every subset is hard."""
        n, yes = masks.size, np.ones(masks.size, dtype=bool)
        return Solutions(np.zeros((self.n_columns, n)), np.zeros(n), yes, yes, np.arange(n))


def score_by_loop(
    fitter: Any,
    splits: Splits,
    groups: Groups,
    masks: Integers,
    *,
    target: int,
    level: str = "system",
    fit_level: str = "summary",
) -> Array:
    """Return the scores (n_subsets,) of some subsets, fitted one by one, for checking `search_subsets`.

    Parameters are those of `search_subsets`, and the masks to score; a canonical fitter has this target set.
    A subset whose columns are all constant scores -inf; one that cannot be fitted raises.
    """
    if fit_level == "system":
        splits = [(train.means(), select) for train, select in splits]
    scores = np.full(masks.size, -np.inf)
    for at, mask in enumerate(masks):
        columns = [column for name, group in enumerate(groups) if mask >> name & 1 for column in group]
        parts = [(train.columns(columns), select.columns(columns)) for train, select in splits]
        scores[at] = _score_one(fitter, parts, target, level)
    return scores


def _score_one(fitter: Any, parts: Splits, target: int, level: str) -> float:
    trains = [train.take(train.complete(needed_targets(fitter, target))) for train, _ in parts]
    varying = np.logical_and.reduce([np.ptp(train.X, axis=0) > 0 for train in trains])
    if not varying.any():
        return -np.inf
    fits = [train.columns(varying).fit(fitter, target) for train in trains]
    held_out: list[Design] = [select.take(select.complete([target])).columns(varying) for _, select in parts]
    return float(Selection(held_out, [target], level).score_any([fit.predict for fit in fits])[0])
