"""A weighted sum of columns and a constant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from classy_aesop.formulas.base import Array, Formula


@dataclass(frozen=True)
class Linear(Formula):
    """Weights of raw columns (one a column) and the constant.

    Examples
    --------
    >>> formula = Linear((2.0, -1.0), 0.5)
    >>> formula.predict(np.array([[1.0, 3.0]]))
    array([-0.5])
    >>> formula.contributions(np.array([[1.0, 3.0]]), means=np.array([1.0, 1.0]))
    (array([[ 0., -2.]]), 1.5)
    """

    kind: ClassVar[str] = "linear"

    weights: tuple[float, ...]
    intercept: float

    def predict(self, X: Array) -> Array:
        """Return the predictions (n,) for X (n, n_columns); NaN where a column is."""
        weights = np.asarray(self.weights, float)
        used = np.flatnonzero(weights)
        if used.size > 2:
            # no matrix product: its last digit depends on how many rows there are
            summed: Array = np.ascontiguousarray(X * weights).sum(axis=1)
            return summed + self.intercept
        found: Array = (X[:, used] * weights[used]).sum(axis=1) + self.intercept
        missing = np.isnan(X)
        if missing.any():
            found[missing.any(axis=1)] = np.nan
        return found

    def contributions(self, X: Array, means: Array) -> tuple[Array, float]:
        """Return each weight times the distance from the mean (n, n_columns), and the prediction for the means."""
        return (X - means) * np.asarray(self.weights, float), float(self.predict(means[None])[0])

    def check_columns(self, n_columns: int) -> None:
        """Raise `ValueError` if there is not one weight a column."""
        if len(self.weights) != n_columns:
            raise ValueError(f"{len(self.weights)} weights; expected {n_columns}, one a column")
