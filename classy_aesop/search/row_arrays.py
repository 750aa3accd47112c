"""Rows as arrays: features, human measures, and the summarizer and topic of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from classy_aesop.fitters import get_declaration
from classy_aesop.formulas.base import Array

Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]

MIN_DEVIATION = 1e-12
"""Deviations from a mean below this share of the largest value count as 0."""


@dataclass(frozen=True)
class Rows:
    """One row per instance (a summarizer on a topic); a missing value is NaN.

    Parameters
    ----------
    X : (n_rows, n_columns)
        Feature values.
    Y : (n_rows, n_targets)
        Human measures.
    summarizers, topics : (n_rows,) integers
        Who wrote the summary, and on what. The rows to fit and to predict of a split use the same codes.
    """

    X: Array
    Y: Array
    summarizers: Integers
    topics: Integers

    def take(self, rows: Any) -> Self:
        """Return the rows of a mask or of indices."""
        return replace(self, **{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    def select_columns(self, columns: Any) -> Self:
        """Return all rows with some columns of X."""
        return replace(self, X=self.X[:, columns])

    def means(self) -> Rows:
        """Return one row per summarizer: means of each column over its existing cells, NaN if there is none.

        The topic of every such row is 0.
        """
        summarizers, code = np.unique(self.summarizers, return_inverse=True)
        X = cell_means(self.X, code, summarizers.size)
        Y = cell_means(self.Y, code, summarizers.size)
        return Rows(X, Y, summarizers, np.zeros(summarizers.size, dtype=np.int64))

    def subtract_topic_means(self) -> Rows:
        """Return X and Y less their topic's mean plus the mean of all rows, over existing cells.

        Least squares on these rows is least squares with a constant for each topic (fixed topic effects). What does
        not vary within any topic is constant afterwards.
        """
        _, code = np.unique(self.topics, return_inverse=True)
        return replace(self, X=_subtract_means(self.X, code), Y=_subtract_means(self.Y, code))

    def prepare_for_fit(self, effects: str, level: str) -> Rows:
        """Return the rows of a fit: less effects of topics if ``effects`` is ``topic``, and means at system level."""
        rows = self.subtract_topic_means() if effects == "topic" else self
        return rows.means() if level == "system" else rows

    def mark_complete_rows(self, targets: Any = slice(None)) -> Mask:
        """Mark the rows (n_rows,) without NaN in X or in the given columns of Y."""
        return np.asarray(~(np.isnan(self.X).any(axis=1) | np.isnan(self.Y[:, targets]).any(axis=1)))

    def fit(self, fitter: Any, target: int) -> Any:
        """Return a fitted clone, from the rows that have every value it needs.

        A fitter that takes all human measures (`Fitter.many_targets`) gets all columns of Y, others the target.
        """
        from sklearn.base import clone

        needed = needed_targets(fitter, target)
        rows = self.take(self.mark_complete_rows(needed))
        y = rows.Y[:, needed]
        return clone(fitter).fit(rows.X, y[:, 0] if y.shape[1] == 1 else y)


AnyRows = TypeVar("AnyRows", bound=Rows)


def stack(years: Sequence[AnyRows]) -> AnyRows:
    """Put the rows of several years together; no two years share the code of a topic or summarizer."""
    if len(years) == 1:
        return years[0]
    values = {
        field.name: np.concatenate([getattr(rows, field.name) for rows in years])
        for field in fields(years[0])
    }
    for name in ("summarizers", "topics"):
        values[name] = _renumber([getattr(rows, name) for rows in years])
    return replace(years[0], **values)


def _renumber(codes: Sequence[Integers]) -> Integers:
    """Concatenate the codes of several years so that no two years share a code."""
    starts = np.cumsum([0, *(int(code.max(initial=-1)) + 1 for code in codes)])
    return np.concatenate([code + start for code, start in zip(codes, starts, strict=False)])


def _subtract_means(values: Array, code: Integers) -> Array:
    """Return values (n_rows, n_columns) less the means by code plus the mean of all; NaN stays."""
    n = int(code.max(initial=-1)) + 1
    deviations = values - cell_means(values, code, n)[code]
    size = np.zeros((n, values.shape[1]))
    np.maximum.at(size, code, np.abs(np.nan_to_num(values)))
    deviations[np.abs(deviations) <= MIN_DEVIATION * size[code]] = 0.0
    return deviations + cell_means(values, np.zeros_like(code), 1)


def cell_means(values: Array, code: Integers, n: int) -> Array:
    """Return the means of the existing cells by code, NaN where there is none."""
    exists = ~np.isnan(values)
    counts = np.zeros((n, values.shape[1]))
    sums = np.zeros((n, values.shape[1]))
    np.add.at(counts, code, exists)
    np.add.at(sums, code, np.where(exists, values, 0.0))
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def needed_targets(fitter: Any, target: int) -> Any:
    """Return which columns of Y a fitter needs, all or the target; the slice keeps two dimensions."""
    return slice(None) if get_declaration(fitter, "many_targets") else slice(target, target + 1)
