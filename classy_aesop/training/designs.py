"""The arrays of a year at one place: a task and a peer set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.errors import InputError, listed
from classy_aesop.search import Design
from classy_aesop.training.extract import YearData
from classy_aesop.training.runs import measure_columns


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
