"""What all fitters share: checking at the door, the linear prediction, the names of what is learned."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from classy_aesop.fitters.least_squares import Array


class Fitter(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A linear scikit-learn regressor whose subclasses write only `solve`.

    Attributes
    ----------
    coef_ : (n_columns,)
        Weights of the raw columns.
    intercept_ : float
        The constant; 0 when there is none.
    n_features_in_ : int
        Number of columns at `fit`.
    """

    many_targets = False
    """Whether `fit` takes several targets at once, y of shape (n_instances, n_targets)."""

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the weights.

        Parameters
        ----------
        X : (n_instances, n_columns)
            Finite numbers; a missing value is refused.
        y : (n_instances,), or (n_instances, n_targets) where the fitter takes several targets
            What is to be predicted.

        Raises
        ------
        ValueError
            For missing or infinite values, wrong shapes, or too few instances for the fitter.
        """
        X, y = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, multi_output=self.many_targets, ensure_min_samples=2
        )
        self.coef_, self.intercept_ = self.solve(X, np.asarray(y, dtype=np.float64))
        return self

    @abstractmethod
    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights (n_columns,) and the constant for checked arrays; may set more learned names."""

    def predict(self, X: Any) -> Array:
        """Return the predictions (n_instances,) for X (n_instances, n_columns)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        predicted: Array = X @ self.coef_ + self.intercept_
        return predicted
