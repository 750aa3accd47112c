"""The interface of every kind of formula; weighted sums of columns, and of formulas on the same columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, fields, is_dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


BASELINE_PART = "baseline"
"""The part of a score that all summaries share."""


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

    def to_dict(self) -> dict[str, object]:
        """Give the kind and the fields, for JSON; formulas inside it likewise."""
        own_fields = fields(self)  # type: ignore[arg-type]  # each kind is a dataclass
        values = {own_field.name: _to_plain_data(getattr(self, own_field.name)) for own_field in own_fields}
        return {"kind": self.kind, **values}


def _to_plain_data(value: Any) -> Any:
    """Turn tuples into lists, and formulas and other dataclasses into dictionaries."""
    if isinstance(value, Formula):
        return value.to_dict()
    if isinstance(value, tuple):
        return [_to_plain_data(item) for item in value]
    return asdict(value) if is_dataclass(value) and not isinstance(value, type) else value


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
        predictions: Array = (X[:, used] * weights[used]).sum(axis=1) + self.intercept
        missing = np.isnan(X)
        if missing.any():
            predictions[missing.any(axis=1)] = np.nan
        return predictions

    def contributions(self, X: Array, means: Array) -> tuple[Array, float]:
        """Return each weight times the distance from the mean (n, n_columns), and the prediction for the means."""
        return (X - means) * np.asarray(self.weights, float), float(self.predict(means[None])[0])

    def check_columns(self, n_columns: int) -> None:
        """Raise `ValueError` if there is not one weight a column."""
        if len(self.weights) != n_columns:
            raise ValueError(f"{len(self.weights)} weights; expected {n_columns}, one a column")


@dataclass(frozen=True)
class Mixture(Formula):
    """Formulas by name, and the share of each in the prediction.

    Parameters
    ----------
    names : tuple of str
        What learned each part.
    shares : tuple of float
        Weights of the parts, from 0 to 1.
    parts : tuple of Formula
        Each reads the columns of the mixture.

    Raises
    ------
    ValueError
        Unequal numbers of names, shares and parts, none of them, or a share outside 0 to 1.

    Examples
    --------
    >>> from classy_aesop.formulas import Linear
    >>> formula = Mixture(("a", "b"), (0.25, 0.75), (Linear((1.0,), 0.0), Linear((0.0,), 4.0)))
    >>> formula.predict(np.array([[8.0]]))
    array([5.])
    >>> formula.contributions(np.array([[8.0]]), means=np.array([4.0]))
    (array([[1.]]), 4.0)
    """

    kind: ClassVar[str] = "mixture"

    names: tuple[str, ...]
    shares: tuple[float, ...]
    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        numbers = len(self.names), len(self.shares), len(self.parts)
        if len(set(numbers)) > 1 or not self.parts:
            raise ValueError(f"{numbers} names, shares and parts; expected as many of each, 1 or more")
        if not all(0 <= share <= 1 for share in self.shares):
            raise ValueError(f"shares are {list(self.shares)}; expected 0 to 1")

    def predict(self, X: Array) -> Array:
        """Return the predictions (n,) for X (n, n_columns); NaN where a column is."""
        weighted = (share * part.predict(X) for share, part in zip(self.shares, self.parts, strict=True))
        return np.asarray(sum(weighted), dtype=float)

    def contributions(self, X: Array, means: Array) -> tuple[Array, float]:
        """Return the weighted sums of the parts' contributions (n, n_columns) and baselines."""
        total = np.zeros(X.shape)
        baseline = 0.0
        for share, part in zip(self.shares, self.parts, strict=True):
            part_contributions, part_baseline = part.contributions(X, means)
            total += share * part_contributions
            baseline += share * part_baseline
        return total, baseline

    def check_columns(self, n_columns: int) -> None:
        """Raise `ValueError` if a part does not read so many columns."""
        for name, part in zip(self.names, self.parts, strict=True):
            try:
                part.check_columns(n_columns)
            except ValueError as error:
                raise ValueError(f"part {name}: {error}") from None
