"""The interface of every kind of formula."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, fields, is_dataclass
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
        """Split the predictions for X (n, n_columns) into contributions.

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
        """Raise `ValueError` if the formula does not read so many columns."""

    def to_dict(self) -> dict[str, Any]:
        """Give the kind and the fields, for JSON; formulas inside it likewise."""
        known = fields(self)  # type: ignore[arg-type]  # each kind is a dataclass
        return {"kind": self.kind, **{one.name: _plain(getattr(self, one.name)) for one in known}}


def _plain(value: Any) -> Any:
    if isinstance(value, Formula):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
