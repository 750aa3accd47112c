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
from classy_aesop.training.years import TaskPeersData

Moments = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Means and standard deviations of columns."""


@dataclass(frozen=True)
class Arrays:
    """The numbers of the training years for one task, peer set and search; an entry a year, or a unit."""

    columns: tuple[str, ...]  # of X, those of a unit side by side; then the relative ones, if any
    groups: tuple[tuple[int, ...], ...]  # the positions of each unit's columns
    measures: tuple[str, ...]  # the human measures, which are the columns of Y
    tables: tuple[pd.DataFrame, ...]  # the rows of each year in its feature table
    designs: tuple[Design, ...]  # the same as arrays, each year on its own human scale
    scaled: tuple[Design, ...]  # the same with earlier years on the latest one's scale, if so configured
    folds: tuple[Mask, ...]  # those of the topics of the only year; none where there are several years
    compared: tuple[str, ...] = ()  # what is compared within topics
    relative: tuple[str, ...] = ()  # the columns that are made from it, the last ones of X

    @classmethod
    def build(
        cls,
        years: Sequence[TaskPeersData],
        units: Sequence[Sequence[str]],
        measures: Sequence[str],
        search: SearchOptions,
        seed: int,
        *,
        update: bool,
        peers: Sequence[str] | None = None,
    ) -> Arrays:
        """Build the arrays of several years.

        Parameters
        ----------
        years : sequence of TaskPeersData
            The training years, the latest last.
        units : sequence of sequences of str
            The features and imported metrics of each unit.
        measures : sequence of str
            The human measures.
        search : SearchOptions
            Says whether earlier years are rescaled, and how many folds there are.
        seed : int
            Of the folds.
        update : bool
            Whether summaries are compared with earlier references too: then features have more columns.
        peers : sequence of str, optional
            Features that look at the other summaries and so are in no unit. Given these, possibly none, they and all
            columns have relative forms too.
        """
        groups = []
        for names in units:
            features = [name for name in names if name in FEATURES]
            imported = [name for name in names if name not in FEATURES]
            groups.append([*columns(features, update=update), *imported])
        plain = [column for group in groups for column in group]
        compared = () if peers is None else (*plain, *peers)
        relative = relative_columns(compared)
        designs = tuple(year.design(plain, measures, compared=compared) for year in years)
        latest = designs[-1]
        scaled = designs
        if search.scale != "none":
            scaled = tuple(rescale_to_year(latest, design) for design in designs)
        return cls(
            columns=(*plain, *relative),
            groups=tuple(tuple(plain.index(column) for column in group) for group in groups),
            measures=tuple(measures),
            tables=tuple(year.features for year in years),
            designs=designs,
            scaled=scaled,
            folds=() if len(designs) > 1 else tuple(deal_folds(latest.topics, search.folds, seed)),
            compared=compared,
            relative=relative,
        )


@dataclass(frozen=True)
class Rows(Design):
    """The rows of several years, of which no two share a code of a topic or a summarizer; a value a row."""

    years: Integers  # the latest is the greatest
    topic_names: Integers  # years that have a topic of one name share its number
    summarizer_names: Integers  # likewise
    human: Mask

    @classmethod
    def join(cls, designs: Sequence[Design], tables: Sequence[pd.DataFrame]) -> Rows:
        """Stack the designs of years; tables have ``topic, summarizer, human`` of each row."""
        names = pd.concat([table[["topic", "summarizer", "human"]] for table in tables], ignore_index=True)
        return cls(
            **vars(stack(designs)),
            years=np.repeat(np.arange(len(designs)), [len(design.X) for design in designs]),
            topic_names=pd.factorize(names["topic"], sort=True)[0],
            summarizer_names=pd.factorize(names["summarizer"], sort=True)[0],
            human=names["human"].to_numpy(bool),
        )

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
        """Yield the rows to predict and the rows to fit: folds of topics, or crossed with folds of summarizers.

        Parameters
        ----------
        n_folds : int
            Number of folds of topics, and of summarizers.
        seed : int
            Of the folds.
        same_summarizers : bool
            Whether only topics are held out.
        """
        if not same_summarizers:
            yield from self.crossed_folds(n_folds, seed)
            return
        for topics in self.topic_folds(n_folds, seed):
            yield topics, ~topics


def rescale_to_year(latest: Design, design: Design) -> Design:
    """Bring each human measure of a year to the mean and standard deviation of the latest, over existing cells."""
    if design is latest:
        return latest
    return replace(design, Y=rescale_columns(design.Y, moments(design.Y), moments(latest.Y)))


def rescale_columns(Y: NDArray[np.float64], present: Moments, desired: Moments) -> NDArray[np.float64]:
    """Bring columns to other means and standard deviations; one that does not vary is only shifted.

    Parameters
    ----------
    Y : (n_rows, n_columns)
        The columns.
    present, desired : pair of (n_columns,)
        Means and standard deviations before and after.
    """
    present_means, present_deviations = present
    desired_means, desired_deviations = desired
    varies = present_deviations > 0
    factor = np.where(varies, desired_deviations / np.where(varies, present_deviations, 1.0), 1.0)
    return np.asarray((Y - present_means) * factor + desired_means)


def moments(Y: NDArray[np.float64]) -> Moments:
    """Return the means and standard deviations of columns over existing cells; every column has one."""
    return np.nanmean(Y, axis=0), np.nanstd(Y, axis=0)


def deal_folds(codes: Integers, n_folds: int, seed: int, *, of: str = "topic") -> list[Mask]:
    """Divide topics or summarizers into folds at random; each fold marks its rows, (n_rows,).

    Parameters
    ----------
    codes : (n_rows,) integers
        The topic or summarizer of each row, by any numbers.
    n_folds : int
        Number of folds; of fewer topics each is a fold.
    seed : int
        Of the division.
    of : str
        What the codes stand for.

    Raises
    ------
    InputError
        There is only one topic.
    """
    distinct, code = np.unique(codes, return_inverse=True)
    if distinct.size < 2:
        raise InputError(f"{of} folds need two {of}s at least; there is one")
    order = np.random.default_rng(seed).permutation(distinct.size)
    return [np.isin(code, part) for part in np.array_split(order, min(n_folds, distinct.size))]
