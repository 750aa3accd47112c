"""The range and the mean that each column of a predictor had in training."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import InputError

MARGIN = 0.1
"""Share of its range by which a column may go beyond it at either end before a summary counts as outside."""


@dataclass(frozen=True)
class TrainingRange:
    """Least, greatest and mean value of each column over the summaries that the weights were fitted to.

    Parameters
    ----------
    least, greatest, mean : tuple of float
        One a column, in the order of the predictor's.
    n_summaries : int
        How many there were.
    """

    least: tuple[float, ...]
    greatest: tuple[float, ...]
    mean: tuple[float, ...]
    n_summaries: int

    def __post_init__(self) -> None:
        if any(least > greatest for least, greatest in zip(self.least, self.greatest, strict=False)):
            raise InputError("the least value of a column is above the greatest; expected the reverse")

    @classmethod
    def of(cls, X: NDArray[np.float64]) -> TrainingRange:
        """Look at the rows (n_summaries, n_columns) of training, one at least and without NaN."""
        ends = (X.min(axis=0), X.max(axis=0), X.mean(axis=0))
        least, greatest, mean = (tuple(float(value) for value in values) for values in ends)
        return cls(least, greatest, mean, len(X))

    def beyond(self, X: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Mark the values (n, n_columns) outside the range widened by `MARGIN`; a missing value is not outside."""
        least, greatest = np.array(self.least), np.array(self.greatest)
        room = MARGIN * (greatest - least)
        found: NDArray[np.bool_] = np.less(X, least - room) | np.greater(X, greatest + room)
        return found

    def outside(self, X: NDArray[np.float64], columns: Sequence[str]) -> list[str]:
        """Name for each row the columns outside, with a space between; ``""`` if there is none."""
        beyond, named = self.beyond(X), [""] * len(X)
        for row in np.flatnonzero(beyond.any(axis=1)).tolist():
            named[row] = " ".join(compress(columns, beyond[row].tolist()))
        return named

    def check_columns(self, n_columns: int) -> None:
        """Raise `InputError` if there is not one value a column."""
        for name in ("least", "greatest", "mean"):
            if len(getattr(self, name)) != n_columns:
                found = f"{len(getattr(self, name))} values"
                raise InputError(f"training_range.{name}: {found}; expected {n_columns}, one a column")
