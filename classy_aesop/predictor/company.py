"""Who else is in a topic: warnings where the other systems are too few or too much alike to compare a summary with."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from classy_aesop.data import named
from classy_aesop.errors import DataWarning, listed
from classy_aesop.features.registry import is_of_peers

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.predictor.within import Parts, Within

_TOPIC = ["year", "topic", "task"]


def least_company(table: pd.DataFrame) -> int:
    """Count the systems of the topic that has fewest, of those with any, in a feature table; 0 if it has none."""
    sizes = table[~table["human"]].groupby(_TOPIC).size()
    return int(sizes.min()) if len(sizes) else 0


def warn_of_company(
    name: str, table: pd.DataFrame, topics: NDArray[np.int64], within: Within, parts: Parts, learned: int
) -> None:
    """Warn of topics whose systems are hard to compare, if a predictor reads what the others wrote.

    Parameters
    ----------
    name : str
        The predictor's.
    table : DataFrame
        The rows of a feature table.
    topics : array of int, shape (n_rows,)
        The topic that a row is compared in, -1 for none.
    within : Within
        How rows are scored there.
    parts : Parts
        How they were scored.
    learned : int
        Fewest systems of a topic that was learned from.
    """
    of_peers = [column for column in within.plain if is_of_peers(column)]
    if not of_peers:
        return
    rows = np.flatnonzero(~(table["human"].to_numpy(bool) | np.isnan(parts.score)))
    _, first, at, size = np.unique(topics[rows], return_index=True, return_inverse=True, return_counts=True)
    few, fewer, alike = np.bincount(at, parts.is_within[rows]) == 0, size < learned, np.ones(size.size, bool)
    for column in of_peers:
        if alike.any():
            alike[at[table[column].to_numpy(float)[rows] > 0]] = False
    for found, why in (
        (
            few,
            f"fewer than {within.n_least} summaries to compare, so each is scored alone; add what other systems wrote",
        ),
        (~few & fewer, f"fewer systems than the {learned} that it learned with, so expect less"),
        (
            ~few & alike,
            "systems that have nothing in common but near copies, so consensus does not tell them apart",
        ),
    ):
        if found.any():
            keys = table[_TOPIC].iloc[rows[first[found]]].itertuples(index=False, name=None)
            message = f"predictor {name}: {len(first[found])} topics have {why}: {listed(map(named, keys))}"
            warnings.warn(message, DataWarning, stacklevel=5)
