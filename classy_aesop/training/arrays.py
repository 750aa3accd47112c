"""The training years as arrays: one by one, and put together on one human scale and in folds of topics and summarizers.

Two years may have a topic or a summarizer of one name. They are different rows for every fit and every correlation, but
they are held out together: if a name does stand for the same text or system in both years, nothing of it is then on
both sides of a fold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.config import SearchOptions
from classy_aesop.errors import InputError
from classy_aesop.features.registry import FEATURES, columns
from classy_aesop.features.relative import relative_columns
from classy_aesop.search import Design, stack
from classy_aesop.search.design import Integers, Mask
from classy_aesop.training.years import PlaceData

Moments = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Means and standard deviations of columns."""


@dataclass(frozen=True)
class Arrays:
    """The numbers of the training years at a place, for what one search takes; an entry a year, or a unit."""

    columns: tuple[str, ...]  # of X, those of a unit side by side; then the relative ones, if any
    groups: tuple[tuple[int, ...], ...]  # the positions of each unit's columns
    measures: tuple[str, ...]  # the human measures, which are the columns of Y
    tables: tuple[pd.DataFrame, ...]  # the rows of each year in its feature table
    designs: tuple[Design, ...]  # the same as arrays, each year on its own human scale
    scaled: tuple[Design, ...]  # the same with earlier years on the latest one's scale, if that is asked for
    folds: tuple[Mask, ...]  # those of the topics of the only year; none where there are several years
    compared: tuple[str, ...] = ()  # what is compared within topics
    relative: tuple[str, ...] = ()  # those of the columns that are made from it

    @classmethod
    def of(
        cls,
        years: Sequence[PlaceData],
        units: Sequence[Sequence[str]],
        measures: Sequence[str],
        search: SearchOptions,
        seed: int,
        *,
        update: bool,
        peers: Sequence[str] | None = None,
    ) -> Arrays:
        """Make them of the names in each unit and of the measures; with ``peers`` there are relative forms too."""
        groups = [
            [
                *columns([name for name in names if name in FEATURES], update=update),
                *(name for name in names if name not in FEATURES),  # imported metrics
            ]
            for names in units
        ]
        every = [column for group in groups for column in group]
        compared = () if peers is None else (*every, *peers)
        designs = tuple(year.design(every, measures, compared=compared) for year in years)
        latest, relative = designs[-1], relative_columns(compared)
        return cls(
            columns=(*every, *relative),
            groups=tuple(tuple(every.index(column) for column in group) for group in groups),
            measures=tuple(measures),
            tables=tuple(year.features for year in years),
            designs=designs,
            scaled=designs if search.scale == "none" else tuple(on_scale_of(latest, one) for one in designs),
            folds=() if len(designs) > 1 else tuple(folds(latest.topics, search.folds, seed)),
            compared=compared,
            relative=relative,
        )


@dataclass(frozen=True)
class StackedYears:
    """The rows of several years; all fields but the design are (n_rows,)."""

    design: Design  # with codes of topics and summarizers that no two years share
    years: Integers  # the latest is the greatest
    topics: Integers  # by name: years that have a topic of one name share its number
    summarizers: Integers  # likewise
    human: Mask

    @classmethod
    def of(cls, designs: Sequence[Design], tables: Sequence[pd.DataFrame]) -> StackedYears:
        """Put years together, given ``topic, summarizer, human`` of each row of each year's design."""
        names = pd.concat([table[["topic", "summarizer", "human"]] for table in tables], ignore_index=True)
        topics, summarizers = (pd.factorize(names[name], sort=True)[0] for name in ("topic", "summarizer"))
        years = np.repeat(np.arange(len(designs)), [len(design.X) for design in designs])
        return cls(stack(designs), years, topics, summarizers, names["human"].to_numpy(bool))

    def take(self, rows: Mask) -> StackedYears:
        """Return the rows of a mask."""
        topics, summarizers = self.topics[rows], self.summarizers[rows]
        return StackedYears(self.design.take(rows), self.years[rows], topics, summarizers, self.human[rows])

    def columns(self, positions: Sequence[int]) -> StackedYears:
        """Return all rows with some columns of ``X``."""
        return replace(self, design=self.design.columns(list(positions)))

    def topic_folds(self, n_folds: int, seed: int) -> list[Mask]:
        """Deal the names of topics into folds by the seed; each marks its rows (n_rows,)."""
        return folds(self.topics, n_folds, seed)

    def crossed_folds(self, n_folds: int, seed: int) -> Iterator[tuple[Mask, Mask]]:
        """Yield the rows of each fold of topics by one of summarizers, and the rows that share neither fold."""
        by_summarizer = folds(self.summarizers, n_folds, seed, of="summarizer")
        for topics in self.topic_folds(n_folds, seed):
            for summarizers in by_summarizer:
                if (topics & summarizers).any():
                    yield topics & summarizers, ~topics & ~summarizers


def on_scale_of(latest: Design, design: Design) -> Design:
    """Bring each human measure of a year to the mean and standard deviation of the latest, over existing cells."""
    if design is latest:
        return latest
    return replace(design, Y=rescaled(design.Y, moments(design.Y), moments(latest.Y)))


def rescaled(Y: NDArray[np.float64], present: Moments, wanted: Moments) -> NDArray[np.float64]:
    """Bring columns of some means and standard deviations to others; one that does not vary is only shifted."""
    factor = np.where(present[1] > 0, wanted[1] / np.where(present[1] > 0, present[1], 1.0), 1.0)
    return np.asarray((Y - present[0]) * factor + wanted[0])


def moments(Y: NDArray[np.float64]) -> Moments:
    """Return the means and standard deviations of columns over existing cells; every column has one."""
    return np.nanmean(Y, axis=0), np.nanstd(Y, axis=0)


def folds(codes: Integers, n_folds: int, seed: int, *, of: str = "topic") -> list[Mask]:
    """Deal the topics, or what ``codes`` (n_rows,) stand for, into folds by the seed; each marks its rows, (n_rows,).

    One alone is an `InputError`. Of fewer than ``n_folds`` each is a fold.
    """
    distinct, code = np.unique(codes, return_inverse=True)
    if distinct.size < 2:
        raise InputError(f"{of} folds need two {of}s at least; there is one")
    order = np.random.default_rng(seed).permutation(distinct.size)
    return [np.isin(code, part) for part in np.array_split(order, min(n_folds, distinct.size))]
