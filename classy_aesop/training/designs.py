"""The arrays of a year at one place (a task and a peer set), and the folds of its topics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.errors import InputError, listed
from classy_aesop.search import Design
from classy_aesop.training.extract import YearData
from classy_aesop.training.runs import measure_columns

Moments = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Means and standard deviations of columns."""
Integers = NDArray[np.int64]
Mask = NDArray[np.bool_]


class Place(NamedTuple):
    """Where a run learns: a task and a peer set."""

    task: str
    peers: str


def rows_of_place(year: YearData, place: Place) -> NDArray[np.bool_]:
    """Mark the rows of a year's feature table that belong to a task and peer set, (n_rows,)."""
    rows = (year.features["task"] == place.task).to_numpy()
    return rows if place.peers == "all_peers" else rows & ~year.features["human"].to_numpy()


def make_design(year: YearData, place: Place, columns: Sequence[str], measures: Sequence[str]) -> Design:
    """Give features, human measures, and who and what each row is about."""
    rows = rows_of_place(year, place)
    table = year.features[rows]
    twins = measure_columns(year, place.peers)
    return Design(
        X=table[list(columns)].to_numpy(float),
        Y=year.judgments.loc[rows, [twins[name] for name in measures]].to_numpy(float),
        summarizers=pd.factorize(table["summarizer"])[0],
        topics=pd.factorize(table["topic"])[0],
    )


def on_scale_of(latest: Design, design: Design) -> Design:
    """Bring each human measure of a year to the mean and standard deviation of the latest, over existing cells.

    A measure that does not vary is only shifted.
    """
    if design is latest:
        return latest
    return replace(design, Y=_rescaled(design.Y, _moments(design.Y), _moments(latest.Y)))


def on_latest_scale(
    design: Design, years: NDArray[np.int64], known: NDArray[np.bool_] | None = None
) -> Design:
    """Do the same for the rows of several years, whose ``years`` (n_rows,) are numbers, the latest the greatest.

    Means and deviations are those of the ``known`` rows (n_rows,), by default of all; a year of which no row is known
    tells its own.
    """
    known, Y = np.ones(len(years), bool) if known is None else known, design.Y.copy()
    *earlier, latest = (
        (rows, _moments(Y[rows & known if (rows & known).any() else rows])) for rows in _each(years)
    )
    for rows, moments in earlier:
        Y[rows] = _rescaled(Y[rows], moments, latest[1])
    return replace(design, Y=Y)


def _each(years: NDArray[np.int64]) -> list[NDArray[np.bool_]]:
    return [years == year for year in np.unique(years)]


def _rescaled(Y: NDArray[np.float64], own: Moments, wanted: Moments) -> NDArray[np.float64]:
    """Bring columns of some means and standard deviations to others."""
    factor = np.where(own[1] > 0, wanted[1] / np.where(own[1] > 0, own[1], 1.0), 1.0)
    return np.asarray((Y - own[0]) * factor + wanted[0])


def _moments(Y: NDArray[np.float64]) -> Moments:
    """Return the means and standard deviations of columns over existing cells; every column has one."""
    return np.nanmean(Y, axis=0), np.nanstd(Y, axis=0)


def is_update(years: Sequence[YearData], task: str) -> bool:
    """Tell whether a task's summaries meet earlier references too.

    Raises
    ------
    InputError
        Some of its topics have earlier references and some have none.
    """
    rows = pd.concat([year.features[year.features["task"] == task] for year in years])
    bare = rows.loc[rows["n_earlier"] == 0, "topic"].unique()
    if len(bare) and (rows["n_earlier"] > 0).any():
        raise InputError(
            f"task {task!r}: no earlier references for the topics {listed(bare)}; the others have them"
        )
    return len(bare) == 0


def year_of_rows(designs: Sequence[Design]) -> NDArray[np.int64]:
    """Number the year of each row, (n_rows,), of years that are put together."""
    return np.repeat(np.arange(len(designs)), [len(design.X) for design in designs])


def folds(codes: Integers, n_folds: int, seed: int, *, of: str = "topic") -> list[Mask]:
    """Deal the topics, or summarizers, into folds by the seed; each fold marks its rows, (n_rows,).

    Parameters
    ----------
    codes : (n_rows,) integers
        The topic of each row, any numbers.
    n_folds : int
        How many, or one a topic if there are fewer.
    seed : int
        Deals them.
    of : str
        What the codes stand for, for the message.

    Raises
    ------
    InputError
        There is one topic only.
    """
    distinct, code = np.unique(codes, return_inverse=True)
    if distinct.size < 2:
        raise InputError(f"{of} folds need two {of}s at least; there is one")
    order = np.random.default_rng(seed).permutation(distinct.size)
    return [np.isin(code, part) for part in np.array_split(order, min(n_folds, distinct.size))]
