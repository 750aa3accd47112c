"""What years may not share: a topic or a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from classy_aesop.config import Config
from classy_aesop.corpus.corpus import Corpus
from classy_aesop.corpus.leaks import find_shared
from classy_aesop.errors import InputError, listed
from classy_aesop.training.extract import YearData


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
    pairs = listed([f"{_named(one.first)} and {_named(one.second)} ({one.what})" for one in found])
    message = f"years share topics or texts: {pairs}"
    if config.search.guard == "error":
        raise InputError(f'{message}; expected none in two years (search.guard = "warn" goes on with a note)')
    return (message,)


def _named(key: tuple[str, str, str]) -> str:
    return "/".join(part for part in key if part)
