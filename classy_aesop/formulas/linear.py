"""A weighted sum of columns and a constant."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Linear:
    """Weights of raw columns (one a column) and the constant.

    Examples
    --------
    >>> formula = Linear((2.0, -1.0), 0.5)
    >>> formula.predict(np.array([[1.0, 3.0]])), formula.contributions(np.array([[1.0, 3.0]]))
    (array([-0.5]), (array([[ 2., -3.]]), 0.5))
    """

    weights: tuple[float, ...]
    intercept: float

    def predict(self, X: Array) -> Array:
        """Return the predictions (n,) for X (n, n_columns); NaN where a column is."""
        predicted: Array = X @ np.asarray(self.weights, float) + self.intercept
        return predicted

    def contributions(self, X: Array) -> tuple[Array, float]:
        """Return what each column adds (n, n_columns) and the baseline, the constant: their sum is the prediction."""
        return X * np.asarray(self.weights, float), self.intercept
