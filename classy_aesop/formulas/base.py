"""What every kind of formula is able to do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Formula(ABC):
    """Plain data that turns columns into predictions; each kind is a frozen dataclass.

    Attributes
    ----------
    kind : str
        The name of the kind in a predictor's file and in `FORMULAS`.
    """

    kind: ClassVar[str]

    @abstractmethod
    def predict(self, X: Array) -> Array:
        """Return the predictions (n,) for X (n, n_columns); NaN where a column is."""

    @abstractmethod
    def contributions(self, X: Array, means: Array) -> tuple[Array, float]:
        """Take the predictions for X (n, n_columns) apart.

        Parameters
        ----------
        X : (n, n_columns)
            The columns.
        means : (n_columns,)
            The mean of each column in training.

        Returns
        -------
        contributions : (n, n_columns)
            What each column adds; NaN where a column is missing that the prediction needs.
        baseline : float
            What it is added to: with it, the contributions of a row sum to its prediction.
        """

    @abstractmethod
    def check_columns(self, n_columns: int) -> None:
        """Raise `ValueError` if the formula is not one of so many columns."""

    def to_dict(self) -> dict[str, Any]:
        """Give the kind and the fields, for JSON."""
        return {"kind": self.kind, **asdict(self)}  # type: ignore[call-overload]  # each kind is a dataclass
