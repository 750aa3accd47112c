"""A weighted sum of formulas on the same columns: the mean of several learners, for one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from classy_aesop.formulas.base import Array, Formula


@dataclass(frozen=True)
class Mixture(Formula):
    """Formulas by name, and the share of each in the prediction.

    Parameters
    ----------
    names : tuple of str
        What learned each part.
    shares : tuple of float
        Weights of the parts, 0 or more; those of a mean sum to 1.
    parts : tuple of Formula
        Each reads the columns of the mixture.

    Raises
    ------
    ValueError
        Unequal numbers of names, shares and parts, none of them, or a share below 0.

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
        if not all(share >= 0 for share in self.shares):
            raise ValueError(f"shares are {list(self.shares)}; expected 0 or more")

    def predict(self, X: Array) -> Array:
        """Return the predictions (n,) for X (n, n_columns); NaN where a column is."""
        weighted = (share * part.predict(X) for share, part in zip(self.shares, self.parts, strict=True))
        return np.asarray(sum(weighted), dtype=float)

    def contributions(self, X: Array, means: Array) -> tuple[Array, float]:
        """Return the weighted sums of the parts' contributions (n, n_columns) and baselines."""
        total, baseline = np.zeros(X.shape), 0.0
        for share, part in zip(self.shares, self.parts, strict=True):
            added, start = part.contributions(X, means)
            total += share * added
            baseline += share * start
        return total, baseline

    def check_columns(self, n_columns: int) -> None:
        """Raise `ValueError` if a part does not read so many columns."""
        for name, part in zip(self.names, self.parts, strict=True):
            try:
                part.check_columns(n_columns)
            except ValueError as error:
                raise ValueError(f"part {name}: {error}") from None
