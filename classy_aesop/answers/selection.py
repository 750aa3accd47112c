"""Which part of a corpus or of tables is used: a year, a task, and the summarizers who take part."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from classy_aesop.errors import InputError, UsageError, join_names, warn
from classy_aesop.work.options import GivenColumns

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.data.topics import Topic
    from classy_aesop.reading import Humans
    from classy_aesop.reading.corpus import Corpus

PeerSet = Literal["no_models", "all_peers", "models_only"]
"""The name of a peer set."""

PEER_SETS: dict[PeerSet, bool | None] = {"no_models": False, "all_peers": None, "models_only": True}
"""Peer sets by name, with whether their members are humans; None where both are."""


class TableKeywords(TypedDict, total=False):
    """The fields of `TablePart`, as keywords."""

    columns: GivenColumns | None
    year: str | None
    task: str | None
    lower_is_better: str | Sequence[str] | None


@dataclass(frozen=True, kw_only=True)
class TablePart:
    """Which part of a score table is used, and what its columns are.

    Attributes
    ----------
    columns : mapping, optional
        What columns are, where their names do not say so, e.g. ``{"topic": "prompt", "summarizer": "model"}``, or
        ``{"cluster": "chapter"}`` for what topics lie in; each table takes those that it has.
    year, task : str, optional
        Only these; by default every one, each on its own.
    lower_is_better : str, or sequence of str, optional
        Metrics and measures of which lower values are better, see :mod:`classy_aesop.data.directions`: the first rank
        is then that of the lowest mean, and a correlation is positive where both find the same summarizers good. All
        values stay as they are in the table.
    """

    columns: GivenColumns | None = None
    year: str | None = None
    task: str | None = None
    lower_is_better: str | Sequence[str] | None = None


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Which part of a corpus or of tables is used; by default all of it.

    Attributes
    ----------
    year, task : str, optional
        The only year and task of a corpus.
    peers : {"no_models", "models_only", "all_peers"}, optional
        Systems, humans or both. By default both, with a `DataWarning` where humans are known to be among them and
        ``only`` does not name them.
    exclude : sequence of str, optional
        Summarizers that are left out.
    only : sequence of str, optional
        The only summarizers that are kept; by default all.

    Examples
    --------
    >>> import pandas as pd
    >>> from classy_aesop.reading import tidy
    >>> table = tidy(pd.DataFrame({"topic": "D1", "summarizer": ["1", "2", "A"], "overall": [3, 4, 5]}))
    >>> humans = {("", "1"): False, ("", "2"): False, ("", "A"): True}
    >>> [kept] = Selection(peers="no_models").select_tables([table], humans=humans)
    >>> list(kept["summarizer"])
    ['1', '2']
    """

    year: str | None = None
    task: str | None = None
    peers: PeerSet | None = None
    exclude: Sequence[str] | None = None
    only: Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.peers is not None and self.peers not in PEER_SETS:
            raise UsageError(f"peers are {self.peers!r}; expected one of {', '.join(PEER_SETS)}")

    @property
    def names_peers(self) -> bool:
        """Whether it says who takes part."""
        return bool(self.peers or self.exclude) or self.only is not None

    @property
    def is_all(self) -> bool:
        """Whether nothing is left out."""
        return self.year is None and self.task is None and not self.names_peers

    @property
    def are_humans(self) -> bool | None:
        """Whether humans or systems are selected; None where both are."""
        return PEER_SETS[self.peers or "all_peers"]

    def select_tables(
        self, tables: Sequence[pd.DataFrame], *, humans: Humans | None = None
    ) -> list[pd.DataFrame]:
        """Keep the rows of the selected summarizers.

        Parameters
        ----------
        tables : sequence of DataFrame
            Score tables that are compared with each other; only summarizers with a score in all of them are compared.
        humans : mapping of (str, str) to bool, optional
            From year and summarizer to whether it is a human, as `read_humans` and `Corpus.humans` give it.

        Returns
        -------
        list of DataFrame
            The tables without the rows of summarizers that are not selected.

        Raises
        ------
        UsageError
            A name is in no table; it is not known which of the summarizers are humans, though ``peers`` depends on it;
            or no summarizer is left.

        Warns
        -----
        DataWarning
            For humans among the summarizers, where neither ``peers`` nor ``only`` is given.
        """
        import numpy as np

        from classy_aesop.data import natural
        from classy_aesop.reading import ensure_tidy

        humans = {} if humans is None else humans
        tables = [ensure_tidy(table) for table in tables]
        self.check_names(name for table in tables for name in table["summarizer"])
        selected = [table[table["summarizer"].map(self.is_named).astype(bool)] for table in tables]
        compared = set.intersection(
            *(set(_summarizers_of_rows(table.dropna(subset="score"))) for table in selected)
        )
        if self.are_humans is not None:
            check_types_known(compared - humans.keys(), f"peers {self.peers}")
            excluded = {key for key, is_human in humans.items() if is_human != self.are_humans}
            selected = [
                table[np.array([key not in excluded for key in _summarizers_of_rows(table)], bool)]
                for table in selected
            ]
        if any(len(table) and kept_rows.empty for table, kept_rows in zip(tables, selected, strict=True)):
            raise UsageError(EMPTY_SELECTION)
        compared_humans = {key for key in compared if humans.get(key)}
        if compared_humans and self.peers is None and self.only is None:
            human_names = {name for _, name in compared_humans}
            n_summarizers = len({name for _, name in compared})
            warn(
                f"{len(human_names)} of {n_summarizers} summarizers are humans "
                f"({join_names(sorted(human_names, key=natural))}); peers no_models leaves them out, "
                "all_peers keeps them without this warning"
            )
        return selected

    def select_corpus(self, corpus: Corpus) -> Corpus:
        """Keep a year, a task and the summaries of the selected summarizers, and all their references.

        Raises
        ------
        UsageError
            The corpus has not such a year, task or summarizer, or no summarizer is left.
        """
        return self.select_summarizers(self.select_stratum(corpus))

    def select_stratum(self, corpus: Corpus) -> Corpus:
        """Keep the year and the task of a corpus."""
        names = {"years": self.year, "tasks": self.task}
        selected = {key: [name] for key, name in names.items() if name is not None}
        try:
            return corpus.select(**selected) if selected else corpus
        except InputError as error:
            raise UsageError(str(error)) from None

    def select_summarizers(self, corpus: Corpus) -> Corpus:
        """Keep the summaries of the selected summarizers, whatever their year and task."""
        if not self.names_peers:
            return corpus
        self.check_names(summary.summarizer for _, summary in corpus.summaries())
        topics = self._keep_summaries(corpus)
        if not any(topic.summaries for topic in topics):
            raise UsageError(EMPTY_SELECTION)
        return corpus.replace_topics(topics)

    def select_block(self, corpus: Corpus) -> Corpus | None:
        """Keep the part of a block of a larger corpus; None if it has nothing of it. `check` refuses unknown names."""
        topics = tuple(
            topic
            for topic in self._keep_summaries(corpus)
            if topic.summaries and self.year in (None, topic.year) and self.task in (None, topic.task)
        )
        return corpus.replace_topics(topics) if topics else None

    def _keep_summaries(self, corpus: Corpus) -> tuple[Topic, ...]:
        """Give the topics of a corpus with the summaries of the selected summarizers."""
        from classy_aesop.reading.corpus import keep_summaries

        humans = corpus.humans()
        return keep_summaries(corpus, lambda year, name: self._is_selected(name, humans[year, name]))

    def check(self, present: Collection[tuple[str, str]]) -> None:
        """Refuse a name that no block has, and a summarizer who is a human in one block and a system in another."""
        names: dict[str, set[str]] = {
            role: set() for role in ("year", "task", "summarizer", "human", "system")
        }
        for role, name in present:
            names[role].add(name)
        for role, selected_name in (("year", self.year), ("task", self.task)):
            if selected_name not in (None, *names[role]):
                raise UsageError(
                    f"no {role} {selected_name}; the corpus has {join_names(sorted(names[role]))}"
                )
        self.check_names(names["summarizer"])
        ambiguous_names = sorted(names["human"] & names["system"])
        if ambiguous_names and self.are_humans is not None:
            raise InputError(
                f"summarizer {join_names(ambiguous_names)} is a human in one place and a system in another"
            )

    def is_named(self, name: str) -> bool:
        """Whether ``exclude`` and ``only`` keep a summarizer."""
        return name not in (self.exclude or ()) and (self.only is None or name in self.only)

    def _is_selected(self, name: str, is_human: bool) -> bool:
        return self.is_named(name) and self.are_humans in (None, is_human)

    def check_names(self, summarizers: Iterable[str]) -> None:
        """Raise UsageError if the selection names a summarizer that is not one of these."""
        from classy_aesop.data import natural

        known_names = set(summarizers)
        for name in (*(self.exclude or ()), *(self.only or ())):
            if name not in known_names:
                known_text = join_names(sorted(known_names, key=natural), limit=40)
                raise UsageError(f"no summarizer {name!r} to compare; known: {known_text or 'none'}")


EMPTY_SELECTION = "no summarizer is left to compare; expected other peers, only or exclude"
"""Why a part without summarizers is refused."""


def check_types_known(unknown: Collection[tuple[str, str]], option: str) -> None:
    """Raise UsageError for an option that depends on who is human, if that is unknown of some summarizers."""
    if unknown:
        from classy_aesop.data import natural

        names = join_names(sorted({name for _, name in unknown}, key=natural))
        raise UsageError(
            f"{option}: it is not known which of {names} are humans; expected scores or judgments with a column "
            "summarizer_type or human, or their corpus (--corpus)"
        )


def _summarizers_of_rows(table: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Give the year and summarizer of each row."""
    return zip(table["year"], table["summarizer"], strict=True)
