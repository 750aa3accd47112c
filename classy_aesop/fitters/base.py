"""What all fitters share: their declarations, the checks of their input, the prediction and the learned names."""

from __future__ import annotations

import contextlib
import inspect
from abc import abstractmethod
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.utils.validation import check_is_fitted, validate_data

from classy_aesop.fitters.least_squares import column_units
from classy_aesop.formulas import Formula, Linear
from classy_aesop.formulas.base import Array


class Fitter(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A scikit-learn regressor; what it learns is a `formula`, plain data.

    Whatever a search or a run has to know about a fitter is one of the class variables here. The defaults also apply to
    a regressor from another package, see `get_declaration`.

    Attributes
    ----------
    n_features_in_ : int
        Number of columns at `fit`.
    """

    linear: ClassVar[bool] = False
    """Whether it learns a weight for each column and a constant."""

    many_targets: ClassVar[bool] = False
    """Whether `fit` takes several targets at once, y of shape (n_instances, n_targets), see `for_target`."""

    first_of_equals: ClassVar[bool] = False
    """Whether only the first of several equal columns gets a weight, so that the others need not be tried."""

    spare_rows: ClassVar[int] = 0
    """Number of rows that a fit needs beyond one for each column and one more."""

    tried_by_best: ClassVar[bool] = False
    """Whether a run by ``best`` tries this fitter, see `classy_aesop.fitters.fitters_tried_by_best`."""

    fails_where: ClassVar[str] = ""
    """On what data every prediction may be the same: the end of a sentence for the user."""

    @classmethod
    def from_options(cls, **options: object) -> Self:
        """Make a fitter from the options that its constructor accepts, and ignore the others.

        A configuration offers the same options to every fitter: ``target``, ``calibrate``, ``random_state``.
        """
        accepted = inspect.signature(cls).parameters
        return cls(**{name: value for name, value in options.items() if name in accepted})

    @property
    def is_on_scale(self) -> bool:
        """Whether predictions are on the scale of the target: unless they can be calibrated and are not."""
        return bool(getattr(self, "calibrate", True))

    def for_target(self, target: int, *, on_scale: bool | None = None) -> Self:
        """Return a clone that predicts one column of y, where `fit` takes several.

        Parameters
        ----------
        target : int
            The column to be predicted.
        on_scale : bool, optional
            Whether predictions are on its scale; by default as they are.
        """
        return clone(self)  # type: ignore[no-any-return]

    @property
    @abstractmethod
    def formula(self) -> Formula:
        """What was learned, see `classy_aesop.formulas`."""

    def check_arrays(self, X: Any, y: Any) -> tuple[Array, Array]:
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

    linear = True

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
        X, y = self.check_arrays(X, y)
        units = column_units(X)
        coef, self.intercept_ = self._check_solution(X, self.solve(X / units, y))
        self.coef_ = coef / units
        return self

    def _check_solution(self, X: Array, solution: Any) -> tuple[Array, float]:
        """Return what `solve` gave; raise `TypeError` unless it is a finite weight for each column and a constant."""
        with contextlib.suppress(TypeError, ValueError):
            coef, intercept = solution
            is_finite = np.isfinite(coef).all() and np.isfinite(intercept) and np.isrealobj(coef)
            if is_finite and np.shape(coef) == (X.shape[1],) and np.ndim(intercept) == 0:
                return coef, intercept
        raise TypeError(
            f"{type(self).__name__}.solve returns something else; "
            f"expected weights of shape ({X.shape[1]},) and a constant, all of them finite numbers"
        )

    @abstractmethod
    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights (n_columns,) and the constant for checked arrays; may set more learned names."""

    @property
    def formula(self) -> Linear:
        """The weights and the constant."""
        return Linear(tuple(self.coef_.tolist()), float(self.intercept_))


def get_declaration(regressor: Any, name: str) -> Any:
    """Return a class variable of `Fitter` as a regressor declares it; one from another package has the default."""
    return getattr(regressor, name, getattr(Fitter, name))
