"""Who is compared: systems, humans or all, less some or only some by name; and which pairs of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.data import Humans, natural, tidied
from classy_aesop.data.corpus import Corpus
from classy_aesop.errors import DataWarning, UsageError, listed

Peers = Literal["no_models", "all_peers", "models_only"]
"""The name of a peer set."""

PEERS: dict[Peers, bool | None] = {"no_models": False, "all_peers": None, "models_only": True}
"""Peer sets by name, with whether their members are humans; None where both are."""

Pairs = Literal["all", "mixed"]
PAIRS: tuple[Pairs, ...] = get_args(Pairs)
"""Pairs of summarizers by name: every one, or those of a human and a system."""


@dataclass(frozen=True)
class PeerSelection:
    """Which summarizers are compared.

    Attributes
    ----------
    peers : {"no_models", "models_only", "all_peers"}, optional
        Systems, humans or both. By default all take part, and a
        `DataWarning` says so where humans are known to be among them and ``only`` does not name them.
    exclude : tuple of str
        Names of those who do not take part.
    only : tuple of str, optional
        Names of those who do; by default all.

    Examples
    --------
    >>> from classy_aesop.data import tidy
    >>> table = tidy(pd.DataFrame({"topic": "D1", "summarizer": ["1", "2", "A"], "overall": [3, 4, 5]}))
    >>> humans = {("", "1"): False, ("", "2"): False, ("", "A"): True}
    >>> list(PeerSelection("no_models").of(table, humans=humans)["summarizer"])
    ['1', '2']
    """

    peers: Peers | None = None
    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.peers is not None and self.peers not in PEERS:
            raise UsageError(f"peers are {self.peers!r}; expected one of {', '.join(PEERS)}")

    @property
    def signed_parts(self) -> dict[str, object]:
        """The parts of a signature that say who took part."""
        names = {"exclude": self.exclude, "only": self.only or ()}
        return {"peers": self.peers or "all_peers"} | {key: value for key, value in names.items() if value}

    def of(self, table: pd.DataFrame, *, humans: Humans | None = None) -> pd.DataFrame:
        """Keep the rows of those who take part, as :meth:`of_tables` for one score table."""
        return self.of_tables([table], humans=humans)[0]

    def of_tables(
        self, tables: Sequence[pd.DataFrame], *, humans: Humans | None = None
    ) -> list[pd.DataFrame]:
        """Keep the rows of those who take part.

        Parameters
        ----------
        tables : sequence of DataFrame
            Score tables that are compared with each other: who has a score in all of them can take part.
        humans : mapping of (str, str) to bool, optional
            From year and summarizer to whether it is a human, as `read_humans` and `Corpus.humans` give it.

        Returns
        -------
        list of DataFrame
            The tables, less the rows of those who do not take part.

        Raises
        ------
        UsageError
            A name is in no table, it is not known of everyone who would take part whether it is a human, or
            nobody is left.

        Warns
        -----
        DataWarning
            For humans who take part without having been asked for.
        """
        humans = {} if humans is None else humans
        tables = [tidied(table) for table in tables]
        self.check_names(name for table in tables for name in table["summarizer"])
        kept = [_rows_of(table, lambda key: self.takes(key[1])) for table in tables]
        together = set.intersection(*(set(_keys(table.dropna(subset="score"))) for table in kept))
        kind = PEERS[self.peers or "all_peers"]
        if kind is not None:
            _check_known(together - humans.keys(), f"peers {self.peers}")
            others = {key for key, human in humans.items() if human != kind}
            kept = [_rows_of(table, lambda key: key not in others) for table in kept]
        if any(len(old) and new.empty for old, new in zip(tables, kept, strict=True)):
            raise UsageError(f"nobody is left to compare of {self._asked}")
        self._caution({key for key in together if humans.get(key)}, together)
        return kept

    def of_corpus(self, corpus: Corpus) -> Corpus:
        """Keep the summaries of those who take part, and all references.

        Raises
        ------
        UsageError
            A name is not in the corpus, or nobody is left.
        """
        there, humans = {(topic.year, one.summarizer) for topic, one in corpus.summaries()}, corpus.humans()
        self.check_names(name for _, name in there)
        kind = PEERS[self.peers or "all_peers"]
        out = {key for key in there if not self.takes(key[1]) or kind not in (None, humans[key])}
        if out == there:
            raise UsageError(f"nobody is left to compare of {self._asked}")
        by_year = {year: [name for key_year, name in out if key_year == year] for year in corpus.years}
        return corpus.select(exclude_peers=by_year)

    def takes(self, name: str) -> bool:
        """Whether ``exclude`` and ``only`` let a name take part."""
        return name not in self.exclude and (self.only is None or name in self.only)

    def check_names(self, there: Iterable[str]) -> None:
        """Refuse the selection if it names a summarizer that is not there, with a `UsageError`."""
        known = set(there)
        for name in (*self.exclude, *(self.only or ())):
            if name not in known:
                raise UsageError(f"no summarizer {name!r} to compare; {_near(name, known)}")

    @property
    def _asked(self) -> str:
        asked = {**self.signed_parts, "peers": self.peers}
        return ", ".join(
            f"{key} {value if isinstance(value, str) else listed(value)}"
            for key, value in asked.items()
            if value
        )

    def _caution(self, humans: set[tuple[str, str]], everyone: set[tuple[str, str]]) -> None:
        if humans and self.peers is None and self.only is None:
            names, every = ({name for _, name in keys} for keys in (humans, everyone))
            warnings.warn(
                f"humans take part, {len(names)} of {len(every)} summarizers "
                f"({listed(sorted(names, key=natural))}); peers no_models leaves them out, "
                "all_peers keeps them without this warning",
                DataWarning,
                stacklevel=4,
            )


def mixed_pairs(year: str, summarizers: Sequence[str], humans: Humans) -> NDArray[np.int64]:
    """Give the pairs of a human and a system among the rows of a matrix, in the order of all pairs.

    Parameters
    ----------
    year : str
    summarizers : sequence of str
        The names of the rows.
    humans : mapping of (str, str) to bool
        As for :meth:`PeerSelection.of`.

    Returns
    -------
    ndarray of int, shape (n_pairs, 2)

    Raises
    ------
    UsageError
        It is not known of everyone whether it is a human.
    """
    _check_known({(year, name) for name in summarizers} - humans.keys(), "pairs mixed")
    human = np.array([humans[year, name] for name in summarizers])
    first, second = np.triu_indices(len(summarizers), k=1)
    mixed = human[first] != human[second]
    return np.stack([first[mixed], second[mixed]], axis=1)


def _check_known(unknown: Collection[tuple[str, str]], asked: str) -> None:
    if unknown:
        names = listed(sorted({name for _, name in unknown}, key=natural))
        raise UsageError(
            f"{asked}: nothing says who is human of {names}; expected scores or judgments that say it "
            "(summarizer_type or human), or their corpus (--corpus)"
        )


def _near(name: str, known: set[str]) -> str:
    """List the known names that are most similar to a name, or else all."""
    folded = {spelled.casefold(): spelled for spelled in sorted(known, key=natural)}
    near = [folded[one] for one in get_close_matches(name.casefold(), folded, n=3)]
    return f"close to it: {listed(near)}" if near else f"known: {listed(folded.values(), most=40) or 'none'}"


def _keys(table: pd.DataFrame) -> Iterator[tuple[str, str]]:
    return zip(table["year"], table["summarizer"], strict=True)


def _rows_of(table: pd.DataFrame, takes: Callable[[tuple[str, str]], bool]) -> pd.DataFrame:
    return table[np.fromiter(map(takes, _keys(table)), dtype=bool, count=len(table))]
