"""What score tables share, laid out for tests: a year and task at a time, never pooled."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar, get_args

import numpy as np
import pandas as pd

from classy_aesop.answers.selection import check_types_known
from classy_aesop.data import KEYS, drop_unscored_strata, format_key, matrix, mean_ratings, natural
from classy_aesop.data.directions import orient_scores, set_directions, warn_of_directions
from classy_aesop.data.scores import STRATUM_COLUMNS, describe_similar_keys, lay_out_cells
from classy_aesop.errors import InputError, UsageError, join_names, warn
from classy_aesop.reading import Humans
from classy_aesop.significance.additive.two_way_fit import summarizer_means
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


def judged_grids(scores: pd.DataFrame, judgments: pd.DataFrame, target: str) -> list[Grid]:
    """Lay out the scores of metrics and one human measure as matrices of each year and task, higher being better."""
    tables = set_directions([scores, judgments], None)
    all_scores, all_judgments = map(mean_ratings, map(orient_scores, tables))
    truth = select_rows(all_judgments, "metric", [target], label="target").dropna()
    selected = drop_unscored_strata(all_scores)
    warn_of_directions(tables[0], selected["metric"].unique())
    warn_of_directions(tables[1], [target])
    check_pairing(selected, truth)
    shared = truth.merge(selected[KEYS].drop_duplicates(), on=KEYS)
    scores_by_stratum = split_by_stratum(selected.merge(shared[KEYS], on=KEYS))
    grids = []
    for stratum, rows in split_by_stratum(shared).items():
        values, summarizers, topics = matrix(rows, target)
        stratum_scores = scores_by_stratum[stratum]
        metric_matrices = {}
        for name in sorted(set(stratum_scores["metric"]), key=natural):
            of_metric = stratum_scores[stratum_scores["metric"] == name]
            wide = of_metric.pivot(index="summarizer", columns="topic", values="score")
            X = wide.reindex(index=list(summarizers), columns=list(topics)).to_numpy(dtype=float)
            metric_matrices[name] = shift_near_zero(X)
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
    is_scored = rows["score"].notna().to_numpy()
    scored = rows if is_scored.all() else rows[is_scored]
    return [
        ScoreMatrix(year, task, name, *lay_out_cells(select_rows(group, "metric", name)))
        for (year, task), group in split_by_stratum(scored).items()
        for name in sorted(group["metric"].unique(), key=natural)
    ]


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
    years = frame["year"].unique()
    tasks = frame["task"].unique()
    if len(years) == len(tasks) == 1:
        return {(str(years[0]), str(tasks[0])): frame}
    groups = {(str(year), str(task)): rows for (year, task), rows in frame.groupby(["year", "task"])}
    return {names: groups[names] for names in sorted(groups, key=lambda names: tuple(map(natural, names)))}


def select_rows(
    frame: pd.DataFrame, column: str, names: str | Sequence[str] | None, *, label: str | None = None
) -> pd.DataFrame:
    """Select the rows whose column has one of some names."""
    if names is None:
        return frame
    names = name_sequence(names)
    known_names = sorted(frame[column].unique(), key=natural)
    for name in names:
        if name not in known_names:
            raise UsageError(
                f"no {label or column} {name!r}; known: {join_names(known_names, limit=40) or 'none'}"
            )
    return frame if {*known_names} == {*names} else frame[frame[column].isin(names)]


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


def shared_names(names_by_stratum: Sequence[Collection[str]], items: str) -> list[str]:
    """Give the names that every year and task has; warn of the others, InputError for fewer than two."""
    names = {name for names in names_by_stratum for name in names}
    shared = names.intersection(*names_by_stratum)
    if len(shared) < 2:
        n_strata = len(names_by_stratum)
        raise InputError(
            f"{len(shared)} {items} are in all of {n_strata} years and tasks; expected 2 or more"
        )
    if lacking := sorted(names - shared, key=natural):
        warn(f"left out, as not all years and tasks have them: {join_names(lacking)}")
    return sorted(shared, key=natural)


def join_stratum_names(strata: Sequence[StratumLike]) -> dict[str, str]:
    """Join the names of years, and those of tasks."""
    return {
        column: "+".join(dict.fromkeys(getattr(stratum, column) for stratum in strata))
        for column in STRATUM_COLUMNS
    }


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
    return join_names(["/".join(key) for key in sorted(keys)], limit=3)


PairSet = Literal["all", "mixed"]
PAIR_SETS: tuple[PairSet, ...] = get_args(PairSet)
"""PairSet of summarizers by name: every one, or those of a human and a system."""


def mixed_pairs(year: str, summarizers: Sequence[str], humans: Humans) -> IntArray:
    """Give the pairs of a human and a system among the rows of a matrix.

    Shapes: gives (n_pairs, 2).
    """
    check_types_known({(year, name) for name in summarizers} - humans.keys(), "pairs mixed")
    human = np.array([humans[year, name] for name in summarizers])
    first, second = np.triu_indices(len(summarizers), k=1)
    mixed = human[first] != human[second]
    return np.stack([first[mixed], second[mixed]], axis=1)


def warn_of_few_resamples(
    n_resamples: int, n_tests: int, *, correction: str = "none", alpha: float = ALPHA
) -> None:
    """Warn if even the smallest p that so many resamples give is not significant in a family of so many tests."""
    needed = resamples_needed(n_tests, correction=correction, alpha=alpha)
    if n_resamples < needed:
        warn(
            f"{n_resamples} resamples cannot make a p of {n_tests} tests significant at {alpha:g} (correction: "
            f"{correction}); {needed} or more can (--n-resamples)"
        )
