"""The data of one year as arrays: features, human measures, and the summarizer and topic of each row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.fitters import get_declaration

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

ROUNDING = 1e-12
"""Deviations from a mean below this share of the largest value count as 0."""


@dataclass(frozen=True)
class Design:
    """One row per instance (a summarizer on a topic); a missing value is NaN.

    Parameters
    ----------
    X : (n_rows, n_columns)
        Feature values.
    Y : (n_rows, n_targets)
        Human measures.
    summarizers, topics : (n_rows,) integers
        Who wrote the summary, and on what. The two designs of a split use the same codes.
    """

    X: Array
    Y: Array
    summarizers: Integers
    topics: Integers

    def __post_init__(self) -> None:
        if self.X.ndim != 2 or self.Y.ndim != 2:
            raise ValueError(f"X has {self.X.ndim} and Y {self.Y.ndim} dimensions; expected 2 and 2")
        rows = {name: len(getattr(self, name)) for name in ("X", "Y", "summarizers", "topics")}
        if len(set(rows.values())) > 1:
            raise ValueError(f"unequal numbers of rows: {rows}")

    def take(self, rows: Any) -> Design:
        """Return the rows of a mask or of indices."""
        return Design(self.X[rows], self.Y[rows], self.summarizers[rows], self.topics[rows])

    def columns(self, columns: Any) -> Design:
        """Return all rows with some columns of X."""
        return replace(self, X=self.X[:, columns])

    def means(self) -> Design:
        """Return one row per summarizer: means of each column over its existing cells, NaN if there is none.

        The topic of every such row is 0.
        """
        who, code = np.unique(self.summarizers, return_inverse=True)
        X, Y = (cell_means(values, code, who.size) for values in (self.X, self.Y))
        return Design(X, Y, who, np.zeros(who.size, dtype=np.int64))

    def within_topics(self) -> Design:
        """Return X and Y less their topic's mean plus the mean of all rows, over existing cells.

        Least squares on these rows is least squares with a constant for each topic (fixed topic effects). What does
        not vary within any topic is constant afterwards.
        """
        _, code = np.unique(self.topics, return_inverse=True)
        return replace(self, X=_less_means(self.X, code), Y=_less_means(self.Y, code))

    def for_fit(self, effects: str, level: str) -> Design:
        """Return the rows of a fit: ``effects`` of the topic taken out or none; summaries, or means at system level."""
        rows = self.within_topics() if effects == "topic" else self
        return rows.means() if level == "system" else rows

    def complete(self, targets: Any = slice(None)) -> Mask:
        """Mark the rows (n_rows,) without NaN in X or in the given columns of Y."""
        return np.asarray(~(np.isnan(self.X).any(axis=1) | np.isnan(self.Y[:, targets]).any(axis=1)))

    def fit(self, fitter: Any, target: int) -> Any:
        """Return a fitted clone, from the rows that have every value it needs.

        A fitter that takes all human measures (`Fitter.many_targets`) gets all columns of Y, others the target.
        """
        from sklearn.base import clone

        needed = needed_targets(fitter, target)
        rows = self.take(self.complete(needed))
        y = rows.Y[:, needed]
        return clone(fitter).fit(rows.X, y[:, 0] if y.shape[1] == 1 else y)


def stack(designs: Sequence[Design]) -> Design:
    """Put the rows of several years together; no two years share a topic or summarizer."""
    if len(designs) == 1:
        return designs[0]

    def apart(name: str) -> Integers:
        """Number what the years have so that no two share a number."""
        codes = [getattr(one, name) for one in designs]
        ends = np.cumsum([0, *(int(code.max(initial=-1)) + 1 for code in codes)])
        return np.concatenate([code + end for code, end in zip(codes, ends, strict=False)])

    X, Y = (np.concatenate([getattr(one, name) for one in designs]) for name in "XY")
    return Design(X, Y, apart("summarizers"), apart("topics"))


def _less_means(values: Array, code: Integers) -> Array:
    """Return values (n_rows, n_columns) less the means by code plus the mean of all; NaN stays."""
    n = int(code.max(initial=-1)) + 1
    deviations = values - cell_means(values, code, n)[code]
    size = np.zeros((n, values.shape[1]))
    np.maximum.at(size, code, np.abs(np.nan_to_num(values)))
    deviations[np.abs(deviations) <= ROUNDING * size[code]] = 0.0
    return deviations + cell_means(values, np.zeros_like(code), 1)


def cell_means(values: Array, code: Integers, n: int) -> Array:
    """Return the means (n, n_columns) of the existing cells of values (n_rows, n_columns) by code."""
    exists = ~np.isnan(values)
    counts, sums = np.zeros((n, values.shape[1])), np.zeros((n, values.shape[1]))
    np.add.at(counts, code, exists)
    np.add.at(sums, code, np.where(exists, values, 0.0))
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def needed_targets(fitter: Any, target: int) -> Any:
    """Return which columns of Y a fitter needs, all or the target; the slice keeps two dimensions."""
    return slice(None) if get_declaration(fitter, "many_targets") else slice(target, target + 1)
