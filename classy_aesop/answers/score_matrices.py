"""What score tables share, laid out for tests: a year and task at a time, never pooled; and who is compared."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.data import KEYS, matrix, mean_ratings, named, natural, of_scored_tasks, tidied
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.directions import orient_scores, set_directions, warn_of_directions
from classy_aesop.data.scores import alike_in_keys
from classy_aesop.errors import InputError, UsageError, listed, warn
from classy_aesop.reading import Humans
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.additive.system_means import summarizer_means
from classy_aesop.significance.choices import ALL_CORRELATION_LEVELS, ALPHA
from classy_aesop.significance.correlations.coefficients import ALL_COEFFICIENTS
from classy_aesop.significance.correlations.correlation_levels import has_coefficient
from classy_aesop.significance.equality import shift_near_zero
from classy_aesop.significance.multiplicity.corrections import resamples_needed

_LOG = logging.getLogger(__name__)

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Grid:
    """One year and task: human scores and those of metrics, (n_summarizers, n_topics), NaN where missing."""

    year: str
    task: str
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]
    truth: FloatArray
    metrics: dict[str, FloatArray]

    def means(self, X: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Give each summarizer's means by a metric's scores and by humans, over the topics with both."""
        both = ~np.isnan(X) & ~np.isnan(self.truth)
        return summarizer_means(X, both), summarizer_means(self.truth, both)


def judged_grids(
    scores: ScoreTables,
    judgments: ScoreTables,
    target: str,
    *,
    metric: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
) -> list[Grid]:
    """Lay metrics out beside one human measure, so that higher is better of all.

    A `DataWarning` lists what only one of the tables scores.
    """
    given = set_directions(
        [read_score_table(scores), read_score_table(judgments, of_humans=True)], lower_is_better
    )
    all_scores, all_judgments = map(mean_ratings, map(orient_scores, given))
    truth = only(all_judgments, "metric", [target], what="target").dropna()
    selected = of_scored_tasks(in_place(only(all_scores, "metric", metric), year, task))
    warn_of_directions(given[0], selected["metric"].unique())
    warn_of_directions(given[1], [target])
    truth = in_place(truth, year, task)
    check_pairing(selected, truth)
    shared = truth.merge(selected[KEYS].drop_duplicates(), on=KEYS)
    scores_by_place, grids = places(selected.merge(shared[KEYS], on=KEYS)), []
    for place, rows in places(shared).items():
        values, summarizers, topics = matrix(rows.assign(metric=""), "")
        own, laid = scores_by_place[place], {}
        for name in sorted(set(own["metric"]), key=natural):
            X, of_rows, of_columns = matrix(own, name)
            there = pd.DataFrame(X, list(of_rows), list(of_columns))
            laid[name] = shift_near_zero(
                there.reindex(list(summarizers)).reindex(columns=list(topics)).to_numpy()
            )
        grids.append(Grid(*place, summarizers, topics, shift_near_zero(values), laid))
    return grids


@dataclass(frozen=True)
class ScoreMatrix:
    """The scores by one metric or human measure in one year and task, (n_summarizers, n_topics), NaN where missing."""

    year: str
    task: str
    metric: str
    X: FloatArray
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]

    @property
    def names(self) -> tuple[str, str, str]:
        """Year, task and metric."""
        return self.year, self.task, self.metric

    @property
    def ids(self) -> dict[str, Any]:
        """The columns that say whose scores these are."""
        return {"year": self.year, "task": self.task, "metric": self.metric}


def matrices(rows: pd.DataFrame) -> list[ScoreMatrix]:
    """Lay out tidy rows: each metric of each year and task, in natural order; what has no score is left out."""
    return [
        ScoreMatrix(place[0], place[1], name, *matrix(group, name))
        for place, group in places(rows.dropna(subset="score")).items()
        for name in sorted(set(group["metric"]), key=natural)
    ]


def selected(
    scores: ScoreTables, metrics: str | Sequence[str] | None, year: str | None, task: str | None
) -> pd.DataFrame:
    """Give the mean scores by some metrics in a year and task (None: all); UsageError lists the known."""
    return in_place(only(mean_ratings(read_score_table(scores)), "metric", metrics).dropna(), year, task)


def names_of(names: str | Sequence[str]) -> Sequence[Any]:
    """Give names; a single one may be a string."""
    return (names,) if isinstance(names, str) else names


def measured(levels: str | Sequence[str], coefficients: str | Sequence[str]) -> list[tuple[str, str]]:
    """Give every level with every coefficient that it has; UsageError for a coefficient that none of them has."""
    levels, coefficients = names_of(levels), names_of(coefficients)
    for what, names, known in (
        ("level", levels, ALL_CORRELATION_LEVELS),
        ("coefficient", coefficients, ALL_COEFFICIENTS),
    ):
        if unknown := [name for name in names if name not in known]:
            raise UsageError(f"no {what} {unknown[0]!r}; expected one of {', '.join(known)}")
    found = [(level, name) for level in levels for name in coefficients if has_coefficient(level, name)]
    for name in coefficients:
        if name not in {coefficient for _, coefficient in found}:
            raise UsageError(f"no {name} at level {listed(list(levels))}; expected level system")
    return found


def places(frame: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Part a table by year and task, in natural order."""
    groups = {(str(year), str(task)): rows for (year, task), rows in frame.groupby(["year", "task"])}
    return {place: groups[place] for place in sorted(groups, key=lambda place: tuple(map(natural, place)))}


def only(
    frame: pd.DataFrame, column: str, wanted: str | Sequence[str] | None, *, what: str | None = None
) -> pd.DataFrame:
    """Keep the rows whose column holds one of the wanted values (None: all); UsageError lists the known."""
    if wanted is None:
        return frame
    wanted = names_of(wanted)
    known = sorted(set(frame[column]), key=natural)
    for name in wanted:
        if name not in known:
            raise UsageError(f"no {what or column} {name!r}; known: {listed(known, most=40) or 'none'}")
    return frame[frame[column].isin(wanted)]


def in_place(frame: pd.DataFrame, year: str | None, task: str | None) -> pd.DataFrame:
    """Keep one year, one task or both (None: all); UsageError lists the known."""
    frame = only(frame, "year", None if year is None else [year])
    return only(frame, "task", None if task is None else [task])


T = TypeVar("T")


def with_enough(parts: Sequence[T], count: Callable[[T], int], least: int, what: str) -> list[T]:
    """Keep the parts (tables, or tuples that begin with one) that hold enough; `DataWarning` names the others.

    InputError if none does.
    """
    counts = list(map(count, parts))
    few = []
    for part, n in zip(parts, counts, strict=True):
        if n < least:
            one: Any = part[0] if isinstance(part, tuple) else part
            place = "-".join(filter(None, (one.year, one.task)))
            few.append(f"{place or 'there'}: {n}")
    message = f"too few {what} to compare ({listed(few) or 'none'}); expected {least} or more"
    if len(few) == len(parts):
        raise InputError(message)
    if few:
        warn(f"left out: {message}")
    return [part for part, n in zip(parts, counts, strict=True) if n >= least]


def check_pairing(scores: pd.DataFrame, judgments: pd.DataFrame) -> None:
    """Say which instances only one of two tables has; InputError if they share none, or if one has no value."""
    for what, table in (("scores", scores), ("human scores", judgments)):
        if not table["score"].notna().any():
            raise InputError(f"no {what}: all values are missing")
    ours, theirs = (set(table[KEYS].itertuples(index=False, name=None)) for table in (scores, judgments))
    if not ours & theirs:
        why = alike_in_keys(ours, theirs)
        raise InputError(
            f"no instance is in both tables: scores have {_ids(ours)}; judgments have {_ids(theirs)} "
            f"(year, topic, task, summarizer){why and f'; {why}'}"
        )
    _LOG.info("%d instances are in both tables", len(ours & theirs))
    for kind, rest in (
        ("scores without a judgment", ours - theirs),
        ("judgments without a score", theirs - ours),
    ):
        if rest:
            warn(f"{len(rest)} {kind} are left out: {_ids(rest)}")


def check_once(ratings: pd.DataFrame) -> None:
    """Raise InputError if an assessor rates a summary twice by one measure."""
    again = ratings[ratings.duplicated([*KEYS, "metric", "assessor"])]
    if len(again):
        one = again.iloc[0]
        raise InputError(
            f"{named(one[KEYS])}: {one['metric']} is given twice by assessor {one['assessor']!r}; expected once"
        )


def _ids(keys: set[tuple[str, ...]]) -> str:
    return listed(["/".join(key) for key in sorted(keys)], most=3)


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
        kept = [table[table["summarizer"].map(self.takes).astype(bool)] for table in tables]
        together = set.intersection(*(set(_keys(table.dropna(subset="score"))) for table in kept))
        kind = PEERS[self.peers or "all_peers"]
        if kind is not None:
            _check_known(together - humans.keys(), f"peers {self.peers}")
            others = {key for key, human in humans.items() if human != kind}
            kept = [table[np.array([key not in others for key in _keys(table)], bool)] for table in kept]
        if any(len(old) and new.empty for old, new in zip(tables, kept, strict=True)):
            raise self._nobody
        among = {key for key in together if humans.get(key)}
        if among and self.peers is None and self.only is None:
            names, every = ({name for _, name in keys} for keys in (among, together))
            warn(
                f"humans take part, {len(names)} of {len(every)} summarizers "
                f"({listed(sorted(names, key=natural))}); peers no_models leaves them out, "
                "all_peers keeps them without this warning"
            )
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
            raise self._nobody
        by_year = {year: [name for key_year, name in out if key_year == year] for year in corpus.years}
        return corpus.select(exclude=by_year)

    def takes(self, name: str) -> bool:
        """Whether ``exclude`` and ``only`` let a name take part."""
        return name not in self.exclude and (self.only is None or name in self.only)

    def check_names(self, there: Iterable[str]) -> None:
        """Refuse the selection if it names a summarizer that is not there, with a `UsageError`."""
        known = set(there)
        for name in (*self.exclude, *(self.only or ())):
            if name not in known:
                folded = {spelled.casefold(): spelled for spelled in sorted(known, key=natural)}
                near = [folded[one] for one in get_close_matches(name.casefold(), folded, n=3)]
                there = (
                    f"close to it: {listed(near)}"
                    if near
                    else f"known: {listed(folded.values(), most=40) or 'none'}"
                )
                raise UsageError(f"no summarizer {name!r} to compare; {there}")

    @property
    def _nobody(self) -> UsageError:
        asked = {**self.signed_parts, "peers": self.peers}
        said = [
            f"{key} {value if isinstance(value, str) else listed(value)}"
            for key, value in asked.items()
            if value
        ]
        return UsageError(f"no summarizer is left to compare of {', '.join(said)}")


def mixed_pairs(year: str, summarizers: Sequence[str], humans: Humans) -> NDArray[np.int64]:
    """Give the pairs of a human and a system among the rows of a matrix (n_pairs, 2), in the order of all pairs."""
    _check_known({(year, name) for name in summarizers} - humans.keys(), "pairs mixed")
    human = np.array([humans[year, name] for name in summarizers])
    first, second = np.triu_indices(len(summarizers), k=1)
    mixed = human[first] != human[second]
    return np.stack([first[mixed], second[mixed]], axis=1)


def _check_known(unknown: Collection[tuple[str, str]], asked: str) -> None:
    if unknown:
        names = listed(sorted({name for _, name in unknown}, key=natural))
        raise UsageError(
            f"{asked}: it is not known who is human among {names}; expected scores or judgments that say it "
            "(summarizer_type or human), or their corpus (--corpus)"
        )


def _keys(table: pd.DataFrame) -> Iterator[tuple[str, str]]:
    return zip(table["year"], table["summarizer"], strict=True)


def warn_of_few_resamples(
    n_resamples: int, n_tests: int, *, correction: str = "none", alpha: float = ALPHA
) -> None:
    """Warn if even the smallest p that so many resamples give is not significant in a family of so many tests."""
    needed = resamples_needed(n_tests, correction=correction, alpha=alpha)
    if n_resamples < needed:
        warn(
            f"{n_resamples} resamples cannot make a p of {n_tests} tests significant at {alpha:g} (correction: "
            f"{correction}); {needed} or more can"
        )
