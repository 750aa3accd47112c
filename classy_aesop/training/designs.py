"""The arrays of a year at one place: a task and a peer set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.errors import InputError, listed
from classy_aesop.scores import JACKKNIFED
from classy_aesop.search import Design
from classy_aesop.training.extract import YearData


class Place(NamedTuple):
    """Where a run learns: a task and a peer set."""

    task: str
    peers: str


def rows_of_place(year: YearData, place: Place) -> NDArray[np.bool_]:
    """Mark the rows of a year's feature table that belong to a task and peer set, (n_rows,)."""
    rows = (year.features["task"] == place.task).to_numpy()
    return rows if place.peers == "all_peers" else rows & ~year.features["human"].to_numpy()


def measure_columns(year: YearData, place: Place) -> dict[str, str]:
    """Map each human measure of a year that is judged at a place to its column.

    Among all peers a measure's jackknifed twin (``pyramid_jackknifed``) stands for it; among systems alone the twin is
    not used.
    """
    judged = year.judgments[rows_of_place(year, place)].notna().any()
    columns = [str(column) for column in judged.index[judged]]
    plain = [column for column in columns if not column.endswith(JACKKNIFED)]
    if place.peers == "no_models":
        return {column: column for column in plain}
    return {column: column + JACKKNIFED if column + JACKKNIFED in columns else column for column in plain}


def make_design(year: YearData, place: Place, columns: Sequence[str], measures: Sequence[str]) -> Design:
    """Give features, human measures, and who and what each row is about."""
    rows = rows_of_place(year, place)
    table = year.features[rows]
    twins = measure_columns(year, place)
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
