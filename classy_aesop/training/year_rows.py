"""The rows of years: one by one, and put together on one human scale and in folds of topics and summarizers.

Two years may have a topic or a summarizer of one name. They are different rows for every fit and every correlation, but
they are held out together: if a name does stand for the same text or system in both years, nothing of it is then on
both sides of a fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import InputError
from classy_aesop.search import Rows, stack
from classy_aesop.search.row_arrays import Integers, Mask

Moments = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Means and standard deviations of columns."""


@dataclass(frozen=True)
class YearRows(Rows):
    """The rows of a year, or of several, of which no two share a code of a topic or a summarizer; a value a row."""

    years: Integers  # the latest is the greatest
    topic_names: NDArray[Any]  # years may have topics of one name
    summarizer_names: NDArray[Any]
    human: Mask

    def topic_folds(self, n_folds: int, seed: int) -> list[Mask]:
        """Divide the names of topics into folds by the seed; each marks its rows (n_rows,)."""
        return deal_folds(self.topic_names, n_folds, seed)

    def crossed_folds(self, n_folds: int, seed: int) -> Iterator[tuple[Mask, Mask]]:
        """Yield the rows of each fold of topics by one of summarizers, and the rows that share neither fold."""
        summarizer_folds = deal_folds(self.summarizer_names, n_folds, seed, of="summarizer")
        for topics in self.topic_folds(n_folds, seed):
            for summarizers in summarizer_folds:
                if (topics & summarizers).any():
                    yield topics & summarizers, ~topics & ~summarizers

    def split_folds(self, n_folds: int, seed: int, *, same_summarizers: bool) -> Iterator[tuple[Mask, Mask]]:
        """Yield the rows to predict and the rows to fit: folds of topics, or crossed with folds of summarizers."""
        if not same_summarizers:
            yield from self.crossed_folds(n_folds, seed)
            return
        for topics in self.topic_folds(n_folds, seed):
            yield topics, ~topics


def stack_years(years: Sequence[YearRows]) -> YearRows:
    """Put the rows of several years together, the latest last, and number the years."""
    return stack([replace(rows, years=np.full(len(rows.X), number)) for number, rows in enumerate(years)])


def rescale_to_year(latest: YearRows, rows: YearRows) -> YearRows:
    """Bring each human measure of a year to the mean and standard deviation of the latest, over existing cells."""
    if rows is latest:
        return latest
    return replace(rows, Y=rescale_columns(rows.Y, moments(rows.Y), moments(latest.Y)))


def rescale_columns(Y: NDArray[np.float64], present: Moments, desired: Moments) -> NDArray[np.float64]:
    """Bring columns to other means and standard deviations; one that does not vary is only shifted."""
    present_means, present_deviations = present
    desired_means, desired_deviations = desired
    varies = present_deviations > 0
    factor = np.where(varies, desired_deviations / np.where(varies, present_deviations, 1.0), 1.0)
    return np.asarray((Y - present_means) * factor + desired_means)


def moments(Y: NDArray[np.float64]) -> Moments:
    """Return the means and standard deviations of columns over existing cells; every column has one."""
    return np.nanmean(Y, axis=0), np.nanstd(Y, axis=0)


def deal_folds(codes: NDArray[Any], n_folds: int, seed: int, *, of: str = "topic") -> list[Mask]:
    """Divide topics or summarizers into folds at random; each fold marks its rows, (n_rows,)."""
    distinct, code = np.unique(codes, return_inverse=True)
    if distinct.size < 2:
        raise InputError(f"{of} folds need two {of}s at least; there is one")
    order = np.random.default_rng(seed).permutation(distinct.size)
    return [np.isin(code, part) for part in np.array_split(order, min(n_folds, distinct.size))]
