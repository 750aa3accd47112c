"""Which years are fitted on, which are held out to select on, and what years may not share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from classy_aesop.config import Config
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.leaks import find_shared
from classy_aesop.errors import InputError, listed
from classy_aesop.training.extract import YearData


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


def guard(
    config: Config, years: Sequence[YearData], corpora: Mapping[str, Corpus] | None = None
) -> tuple[str, ...]:
    """Refuse years that share a topic or a text, or with ``search.guard = "warn"`` give a note of it.

    A topic counts as the same if its name is and both years are parts of one corpus (one path, or one object in
    memory); a text wherever it comes from.

    Raises
    ------
    InputError
        Two years share something, by the names of the topics.
    """
    given = corpora or {}
    sources = {
        year.name: id(given[year.name]) if year.name in given else Path(year.path).resolve()
        for year in config.years
    }
    found = find_shared({year.name: year.corpus.topics for year in years}, sources=sources)
    if not found:
        return ()
    pairs = listed([f"{_told(one.first)} and {_told(one.second)} ({one.what})" for one in found])
    message = f"years share topics or texts: {pairs}"
    if config.search.guard == "error":
        raise InputError(f'{message}; expected none in two years (search.guard = "warn" goes on with a note)')
    return (message,)


def _told(key: tuple[str, str, str]) -> str:
    return "/".join(part for part in key if part)
