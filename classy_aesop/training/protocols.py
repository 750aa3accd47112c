"""Which years are fitted on, and which are held out to select on."""

from __future__ import annotations

from collections.abc import Sequence

from classy_aesop.config import Config


def held_out_years(protocol: str, n_years: int) -> dict[int, Sequence[int]]:
    """Give for each held-out training year the years that are fitted on; ``n_years`` are two or more.

    Examples
    --------
    >>> held_out_years("latest", 4)
    {3: [2]}
    >>> held_out_years("rolling", 3)
    {1: [0], 2: [0, 1]}
    >>> held_out_years("leave-one-year-out", 3)
    {0: [1, 2], 1: [0, 2], 2: [0, 1]}
    """
    every = range(n_years)
    if protocol == "latest":
        return {n_years - 1: [n_years - 2]}
    if protocol == "rolling":
        return {held: list(every[:held]) for held in every[1:]}
    return {held: [year for year in every if year != held] for held in every}


def protocol_of(config: Config, n_years: int) -> str:
    """Name what is done with so many years, the predicted one among them."""
    if n_years < 3:
        return {2: "folds-predict", 1: "folds-only"}[n_years]
    return "fit-select-predict" if config.search.protocol == "latest" else config.search.protocol
