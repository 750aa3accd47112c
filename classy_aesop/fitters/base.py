"""What all fitters share: checking at the door, the prediction, the names of what is learned."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from classy_aesop.fitters.least_squares import Array
from classy_aesop.formulas import Formula, Linear

Integers = NDArray[np.int64]


class Fitter(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A scikit-learn regressor; what it learns is a `formula`, plain data.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns at `fit`.
    """

    many_targets = False
    """Whether `fit` takes several targets at once, y of shape (n_instances, n_targets)."""

    by_topic = False
    """Whether `fit` takes the topic of each instance too."""

    @property
    @abstractmethod
    def formula(self) -> Formula:
        """What was learned, see `classy_aesop.formulas`."""

    def checked(self, X: Any, y: Any) -> tuple[Array, Array]:
        """Return the arrays of `fit` as numbers, or raise `ValueError` for what is missing, infinite or misshapen."""
        X, y = validate_data(
            self, X, y, dtype=np.float64, y_numeric=True, multi_output=self.many_targets, ensure_min_samples=2
        )
        return X, np.asarray(y, dtype=np.float64)

    def predict(self, X: Any) -> Array:
        """Return the predictions (n_instances,) for X (n_instances, n_columns)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return self.formula.predict(X)


class LinearFitter(Fitter):
    """A linear regressor whose subclasses write only `solve`.

    Attributes
    ----------
    coef_ : (n_columns,)
        Weights of the raw columns.
    intercept_ : float
        The constant; 0 when there is none.
    n_features_in_ : int
        Number of columns at `fit`.
    """

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
        self.coef_, self.intercept_ = self.solve(*self.checked(X, y))
        return self

    @abstractmethod
    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights (n_columns,) and the constant for checked arrays; may set more learned names."""

    @property
    def formula(self) -> Linear:
        """The weights and the constant."""
        return Linear(tuple(self.coef_.tolist()), float(self.intercept_))


class TopicFitter(LinearFitter):
    """A linear regressor that looks at topics; its subclasses write only `solve_by_topic`."""

    by_topic = True

    def fit(self, X: Any, y: Any, topics: Any = None) -> Self:
        """Learn the weights; see `LinearFitter.fit`.

        Parameters
        ----------
        X, y
            As there.
        topics : (n_instances,), optional
            The topic of each instance, by any values. Without them all instances are of one topic.
        """
        X, y = self.checked(X, y)
        self.coef_, self.intercept_ = self.solve_by_topic(X, y, topic_codes(topics, X))
        return self

    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights and the constant for instances of one topic."""
        return self.solve_by_topic(X, y, topic_codes(None, X))

    @abstractmethod
    def solve_by_topic(self, X: Array, y: Array, topics: Integers) -> tuple[Array, float]:
        """Return the weights (n_columns,) and the constant; topics (n_instances,) are 0 to n_topics - 1."""


def topic_codes(topics: Any, X: Array) -> Integers:
    """Return the topics of the rows of X as integers from 0, all 0 if none are given."""
    if topics is None:
        return np.zeros(len(X), dtype=np.int64)
    topics = column_or_1d(topics)
    check_consistent_length(X, topics)
    return np.asarray(np.unique(topics, return_inverse=True)[1], dtype=np.int64)
