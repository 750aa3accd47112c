"""What score tables share, laid out for tests: a year and task at a time, never pooled; and who is compared."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import pandas as pd

from classy_aesop.data import KEYS, drop_unscored_strata, format_key, matrix, mean_ratings, natural
from classy_aesop.data.directions import orient_scores, set_directions, warn_of_directions
from classy_aesop.data.scores import describe_similar_keys
from classy_aesop.errors import InputError, UsageError, join_names, warn
from classy_aesop.reading import Humans, ensure_tidy
from classy_aesop.reading.corpus import Corpus
from classy_aesop.reading.given_tables import ScoreTables, read_score_table
from classy_aesop.significance.additive.system_means import summarizer_means
from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.choices import ALPHA, CORRELATION_LEVELS
from classy_aesop.significance.correlations.coefficients import ALL_COEFFICIENTS
from classy_aesop.significance.correlations.correlation_levels import has_coefficient
from classy_aesop.significance.equality import shift_near_zero
from classy_aesop.significance.multiplicity.corrections import resamples_needed

_LOG = logging.getLogger(__name__)


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
        has_both = ~np.isnan(X) & ~np.isnan(self.truth)
        return summarizer_means(X, has_both), summarizer_means(self.truth, has_both)


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
    """Lay out the scores of metrics and one human measure as matrices of each year and task, higher being better."""
    tables = set_directions(
        [read_score_table(scores), read_score_table(judgments, of_humans=True)], lower_is_better
    )
    all_scores, all_judgments = map(mean_ratings, map(orient_scores, tables))
    truth = select_rows(all_judgments, "metric", [target], label="target").dropna()
    selected = drop_unscored_strata(select_stratum(select_rows(all_scores, "metric", metric), year, task))
    warn_of_directions(tables[0], selected["metric"].unique())
    warn_of_directions(tables[1], [target])
    truth = select_stratum(truth, year, task)
    check_pairing(selected, truth)
    shared = truth.merge(selected[KEYS].drop_duplicates(), on=KEYS)
    scores_by_stratum = split_by_stratum(selected.merge(shared[KEYS], on=KEYS))
    grids = []
    for stratum, rows in split_by_stratum(shared).items():
        values, summarizers, topics = matrix(rows.assign(metric=""), "")
        stratum_scores = scores_by_stratum[stratum]
        metric_matrices = {}
        for name in sorted(set(stratum_scores["metric"]), key=natural):
            X, row_names, column_names = matrix(stratum_scores, name)
            scored = pd.DataFrame(X, list(row_names), list(column_names))
            aligned = scored.reindex(list(summarizers)).reindex(columns=list(topics))
            metric_matrices[name] = shift_near_zero(aligned.to_numpy())
        grids.append(Grid(*stratum, summarizers, topics, shift_near_zero(values), metric_matrices))
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
    def ids(self) -> dict[str, str]:
        """The columns that say whose scores these are."""
        return {"year": self.year, "task": self.task, "metric": self.metric}


def matrices(rows: pd.DataFrame) -> list[ScoreMatrix]:
    """Lay out tidy rows as matrices of each metric, year and task, in natural order, without what has no score."""
    return [
        ScoreMatrix(year, task, name, *matrix(group, name))
        for (year, task), group in split_by_stratum(rows.dropna(subset="score")).items()
        for name in sorted(set(group["metric"]), key=natural)
    ]


def select_scores(
    scores: ScoreTables, metrics: str | Sequence[str] | None, year: str | None, task: str | None
) -> pd.DataFrame:
    """Give the mean scores by some metrics in a year and task (None: all); UsageError lists the known."""
    return select_stratum(
        select_rows(mean_ratings(read_score_table(scores)), "metric", metrics).dropna(), year, task
    )


def name_sequence(names: str | Sequence[str]) -> Sequence[Any]:
    """Give names as a sequence, where a single one may be a string."""
    return (names,) if isinstance(names, str) else names


def pair_levels_with_coefficients(
    levels: str | Sequence[str], coefficients: str | Sequence[str]
) -> list[tuple[str, str]]:
    """Pair every level with every coefficient that it has; UsageError for a coefficient that none of them has."""
    levels = name_sequence(levels)
    coefficients = name_sequence(coefficients)
    for label, names, known_names in (
        ("level", levels, CORRELATION_LEVELS),
        ("coefficient", coefficients, ALL_COEFFICIENTS),
    ):
        if unknown := [name for name in names if name not in known_names]:
            raise UsageError(f"no {label} {unknown[0]!r}; expected one of {', '.join(known_names)}")
    pairs = [(level, name) for level in levels for name in coefficients if has_coefficient(level, name)]
    for name in coefficients:
        if name not in {coefficient for _, coefficient in pairs}:
            raise UsageError(f"no {name} at level {join_names(list(levels))}; expected level system")
    return pairs


def split_by_stratum(frame: pd.DataFrame) -> dict[tuple[str, str], pd.DataFrame]:
    """Split a table by year and task, in natural order."""
    groups = {(str(year), str(task)): rows for (year, task), rows in frame.groupby(["year", "task"])}
    return {names: groups[names] for names in sorted(groups, key=lambda names: tuple(map(natural, names)))}


def select_rows(
    frame: pd.DataFrame, column: str, names: str | Sequence[str] | None, *, label: str | None = None
) -> pd.DataFrame:
    """Select the rows whose column has one of some names."""
    if names is None:
        return frame
    names = name_sequence(names)
    known_names = sorted(set(frame[column]), key=natural)
    for name in names:
        if name not in known_names:
            raise UsageError(
                f"no {label or column} {name!r}; known: {join_names(known_names, most=40) or 'none'}"
            )
    return frame[frame[column].isin(names)]


def select_stratum(frame: pd.DataFrame, year: str | None, task: str | None) -> pd.DataFrame:
    """Select one year, one task or both."""
    frame = select_rows(frame, "year", None if year is None else [year])
    return select_rows(frame, "task", None if task is None else [task])


StratumLike = TypeVar("StratumLike")
"""What has a year and a task, or a tuple that begins with one that has."""


def keep_large_enough(
    strata: Sequence[StratumLike], count: Callable[[StratumLike], int], minimum: int, items: str
) -> list[StratumLike]:
    """Keep the strata that have enough items to compare."""
    counts = list(map(count, strata))
    too_small = []
    for stratum, n_items in zip(strata, counts, strict=True):
        if n_items < minimum:
            named_stratum: Any = stratum[0] if isinstance(stratum, tuple) else stratum
            label = "-".join(filter(None, (named_stratum.year, named_stratum.task)))
            too_small.append(f"{label}: {n_items}" if label else str(n_items))
    message = f"too few {items} to compare ({join_names(too_small) or 'none'}); expected {minimum} or more"
    if len(too_small) == len(strata):
        raise InputError(message)
    if too_small:
        warn(f"left out: {message}")
    return [stratum for stratum, n_items in zip(strata, counts, strict=True) if n_items >= minimum]


def check_pairing(scores: pd.DataFrame, judgments: pd.DataFrame) -> None:
    """Warn of instances that only one of two tables has; InputError if they share none, or if one has no value."""
    if scores.empty:
        raise InputError(
            "no metric beside the human measures; expected one, or a table of scores before this one"
        )
    for label, table in (("scores", scores), ("human scores", judgments)):
        if not table["score"].notna().any():
            raise InputError(f"no {label}: all values are missing")
    scored = _instance_keys(scores)
    judged = _instance_keys(judgments)
    if not scored & judged:
        hint = describe_similar_keys(scored, judged)
        raise InputError(
            f"no instance is in both tables: scores have {_list_some_keys(scored)}; "
            f"judgments have {_list_some_keys(judged)} "
            f"(year, topic, task, summarizer){hint and f'; {hint}'}"
        )
    _LOG.info("%d instances are in both tables", len(scored & judged))
    for label, unpaired in (
        ("scores without a judgment", scored - judged),
        ("judgments without a score", judged - scored),
    ):
        if unpaired:
            warn(f"{len(unpaired)} {label} are left out: {_list_some_keys(unpaired)}")


def _instance_keys(table: pd.DataFrame) -> set[tuple[str, ...]]:
    """Collect the year, topic, task and summarizer of each row."""
    return set(table[KEYS].itertuples(index=False, name=None))


def check_duplicate_ratings(ratings: pd.DataFrame) -> None:
    """Raise InputError if an assessor rates a summary twice by one measure."""
    duplicates = ratings[ratings.duplicated([*KEYS, "metric", "assessor"])]
    if len(duplicates):
        row = duplicates.iloc[0]
        raise InputError(
            f"{format_key(row[KEYS])}: {row['metric']} is given twice by assessor {row['assessor']!r}; expected once"
        )


def _list_some_keys(keys: set[tuple[str, ...]]) -> str:
    """Write the first keys of some."""
    return join_names(["/".join(key) for key in sorted(keys)], most=3)


PeerSet = Literal["no_models", "all_peers", "models_only"]
"""The name of a peer set."""

PEER_SETS: dict[PeerSet, bool | None] = {"no_models": False, "all_peers": None, "models_only": True}
"""Peer sets by name, with whether their members are humans; None where both are."""

PairSet = Literal["all", "mixed"]
PAIR_SETS: tuple[PairSet, ...] = get_args(PairSet)
"""PairSet of summarizers by name: every one, or those of a human and a system."""


@dataclass(frozen=True)
class PeerSelection:
    """Which summarizers are compared.

    Attributes
    ----------
    peers : {"no_models", "models_only", "all_peers"}, optional
        Systems, humans or both. By default both, with a `DataWarning` where humans are known to be among them and
        ``only`` does not name them.
    exclude : tuple of str
        Summarizers that are left out.
    only : tuple of str, optional
        The only summarizers that are kept; by default all.

    Examples
    --------
    >>> from classy_aesop.reading import tidy
    >>> table = tidy(pd.DataFrame({"topic": "D1", "summarizer": ["1", "2", "A"], "overall": [3, 4, 5]}))
    >>> humans = {("", "1"): False, ("", "2"): False, ("", "A"): True}
    >>> list(PeerSelection("no_models").select_table(table, humans=humans)["summarizer"])
    ['1', '2']
    """

    peers: PeerSet | None = None
    exclude: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.peers is not None and self.peers not in PEER_SETS:
            raise UsageError(f"peers are {self.peers!r}; expected one of {', '.join(PEER_SETS)}")

    @property
    def recorded(self) -> dict[str, object]:
        """The parts of a signature that say which summarizers were compared."""
        names = {"exclude": self.exclude, "only": self.only or ()}
        return {"peers": self.peers or "all_peers"} | {key: value for key, value in names.items() if value}

    def select_table(self, table: pd.DataFrame, *, humans: Humans | None = None) -> pd.DataFrame:
        """Keep the rows of the selected summarizers, as :meth:`select_tables` for one score table."""
        return self.select_tables([table], humans=humans)[0]

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
        humans = {} if humans is None else humans
        tables = [ensure_tidy(table) for table in tables]
        self.check_names(name for table in tables for name in table["summarizer"])
        selected = [table[table["summarizer"].map(self.is_named).astype(bool)] for table in tables]
        compared = set.intersection(
            *(set(_summarizers_of_rows(table.dropna(subset="score"))) for table in selected)
        )
        are_humans = PEER_SETS[self.peers or "all_peers"]
        if are_humans is not None:
            _check_types_known(compared - humans.keys(), f"peers {self.peers}")
            excluded = {key for key, is_human in humans.items() if is_human != are_humans}
            selected = [
                table[np.array([key not in excluded for key in _summarizers_of_rows(table)], bool)]
                for table in selected
            ]
        if any(len(table) and kept_rows.empty for table, kept_rows in zip(tables, selected, strict=True)):
            raise self._empty_selection_error()
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
        """Keep the summaries of the selected summarizers, and all references.

        Raises
        ------
        UsageError
            A name is not in the corpus, or no summarizer is left.
        """
        present = {(topic.year, summary.summarizer) for topic, summary in corpus.summaries()}
        humans = corpus.humans()
        self.check_names(name for _, name in present)
        are_humans = PEER_SETS[self.peers or "all_peers"]
        excluded = {
            key for key in present if not self.is_named(key[1]) or are_humans not in (None, humans[key])
        }
        if excluded == present:
            raise self._empty_selection_error()
        by_year = {year: [name for key_year, name in excluded if key_year == year] for year in corpus.years}
        return corpus.select(exclude=by_year)

    def is_named(self, name: str) -> bool:
        """Whether ``exclude`` and ``only`` keep a summarizer."""
        return name not in self.exclude and (self.only is None or name in self.only)

    def check_names(self, summarizers: Iterable[str]) -> None:
        """Raise UsageError if the selection names a summarizer that is not one of these."""
        known_names = set(summarizers)
        for name in (*self.exclude, *(self.only or ())):
            if name not in known_names:
                folded = {
                    known_name.casefold(): known_name for known_name in sorted(known_names, key=natural)
                }
                close_names = [folded[match] for match in get_close_matches(name.casefold(), folded, n=3)]
                hint = (
                    f"close to it: {join_names(close_names)}"
                    if close_names
                    else f"known: {join_names(folded.values(), most=40) or 'none'}"
                )
                raise UsageError(f"no summarizer {name!r} to compare; {hint}")

    def _empty_selection_error(self) -> UsageError:
        """Make the error for a selection without any summarizer."""
        options = {**self.recorded, "peers": self.peers}
        descriptions = [
            f"{key} {value if isinstance(value, str) else join_names(value)}"
            for key, value in options.items()
            if value
        ]
        return UsageError(f"no summarizer is left to compare of {', '.join(descriptions)}")


def mixed_pairs(year: str, summarizers: Sequence[str], humans: Humans) -> IntArray:
    """Give the pairs of a human and a system among the rows of a matrix.

    Shapes: gives (n_pairs, 2).
    """
    _check_types_known({(year, name) for name in summarizers} - humans.keys(), "pairs mixed")
    human = np.array([humans[year, name] for name in summarizers])
    first, second = np.triu_indices(len(summarizers), k=1)
    mixed = human[first] != human[second]
    return np.stack([first[mixed], second[mixed]], axis=1)


def _check_types_known(unknown: Collection[tuple[str, str]], option: str) -> None:
    """Raise UsageError for an option that depends on who is human, if that is unknown of some summarizers."""
    if unknown:
        names = join_names(sorted({name for _, name in unknown}, key=natural))
        raise UsageError(
            f"{option}: it is not known which of {names} are humans; expected scores or judgments with a column "
            "summarizer_type or human, or their corpus (--corpus)"
        )


def _summarizers_of_rows(table: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """Give the year and summarizer of each row."""
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
