"""The scores of one year, task and measure for the additive model: the mean of each cell, or single ratings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from classy_aesop.answers.rater_shares import count_rater_shares
from classy_aesop.answers.score_matrices import (
    ScoreMatrix,
    matrices,
    select_rows,
    select_stratum,
)
from classy_aesop.data import mean_ratings, natural
from classy_aesop.data.attempts import Attempts, join_lists
from classy_aesop.data.clusters import BY_PREFIX, clusters_of_topics
from classy_aesop.data.directions import (
    lower_measures,
    orient_scores,
    set_directions,
    warn_of_directions,
)
from classy_aesop.data.scales import PASS_OR_FAIL, ScaleEnds, range_of_grades, scale_of_measure
from classy_aesop.data.scores import add_stratum_columns, origin_of
from classy_aesop.errors import InputError, warn
from classy_aesop.reading.column_names import words_of
from classy_aesop.significance.attempt_scores import AttemptScores
from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.differences import Differences
from classy_aesop.tables.wording import count_text

Ends = TypeVar("Ends", float, FloatArray)
"""One end of an interval, or one of each of several."""


@dataclass(frozen=True)
class NumberedRatings:
    """Single ratings as arrays of shape (n_ratings,): the rating, and the numbers of its system, topic and rater."""

    y: FloatArray
    system: IntArray
    topic: IntArray
    rater: IntArray
    raters: tuple[str, ...]

    def shares(self, systems: Sequence[str]) -> pd.DataFrame:
        """Give the share of each system's ratings by each rater."""
        return count_rater_shares(np.array(systems)[self.system], np.array(self.raters)[self.rater])


@dataclass(frozen=True)
class TopicClusters:
    """The number of the cluster that each topic lies in, (n_topics,), and what a cluster is called."""

    number: IntArray
    noun: str

    @property
    def n_clusters(self) -> int:
        """The number of clusters."""
        return int(self.number.max()) + 1

    @property
    def n_topics_each(self) -> float:
        """Topics of a cluster on average."""
        return len(self.number) / self.n_clusters

    def average(self, values: FloatArray) -> FloatArray:
        """Average values of topics within clusters, but for missing ones; (n_clusters,)."""
        return np.asarray(pd.Series(values).groupby(self.number).mean())

    def describe(self) -> str:
        """Say how many clusters the topics lie in."""
        return f"{len(self.number)} topics lie in {count_text(self.n_clusters, self.noun)}"


@dataclass(frozen=True)
class RatedStratum:
    """The scores of one year, task and measure: the mean of each cell, and its ratings where they name their raters.

    Scores of which lower ones are better have the other sign here, so that higher is better throughout.

    Attributes
    ----------
    cells : ScoreMatrix
        Mean scores, (n_systems, n_topics).
    ratings : NumberedRatings, optional
        Of raters who are persons.
    lower_is_better : bool
        Whether lower scores of the measure are better in its file.
    origin : mapping
        What the table was read from, see `classy_aesop.data.scores.ORIGIN`.
    is_pass_or_fail : bool
        Whether every score or rating is 0 or 1; cells may be means of several.
    attempts : mapping, optional
        How many attempts were averaged, see `classy_aesop.data.attempts`.
    attempt_scores : AttemptScores, optional
        The scores of single attempts, with the signs that scores have here, where they are known and enough cells have
        several.
    scale : tuple of float, optional
        The least and the greatest score of the scale that is declared, with the signs of the file.
    grades : tuple of float, optional
        The least and the greatest score, with the signs that they have here, if scores are a few whole numbers.
    clusters : TopicClusters, optional
        What topics lie in, if there are fewer of these than topics.
    unit : {"topic", "task", "year"}
        What the columns of the cells are: with tasks or years, each cell is a mean.
    errors_here : tuple of ndarray, optional
        With tasks or years, the errors of differences over these alone, and their degrees of freedom; both
        (n_systems, n_systems).
    lengths : ndarray, optional
        How long the outputs are, (n_systems, n_topics), if that is known.
    """

    cells: ScoreMatrix
    ratings: NumberedRatings | None = None
    lower_is_better: bool = False
    origin: Mapping[str, Any] = field(default_factory=dict)
    is_pass_or_fail: bool = False
    attempts: Attempts | None = None
    scale: ScaleEnds | None = None
    grades: ScaleEnds | None = None
    attempt_scores: AttemptScores | None = None
    clusters: TopicClusters | None = None
    unit: str = "topic"
    errors_here: tuple[FloatArray, FloatArray] | None = None
    lengths: FloatArray | None = None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The least and the greatest score that there can be, with the signs that scores have here, if known."""
        scale = PASS_OR_FAIL if self.is_pass_or_fail else self.scale
        return None if scale is None else self.restore_interval(*scale)

    def keep_in_bounds(self, means: FloatArray) -> FloatArray:
        """Cut means to the least and the greatest score that there can be, if known."""
        return means if self.bounds is None else np.clip(means, *self.bounds)

    @property
    def year(self) -> str:
        """The year."""
        return self.cells.year

    @property
    def task(self) -> str:
        """The task."""
        return self.cells.task

    @property
    def label(self) -> str:
        """The year and the task, if there are any."""
        return "-".join(filter(None, (self.year, self.task)))

    @property
    def noun(self) -> str:
        """What errors are clustered by: topics, or what these lie in."""
        return self.unit if self.clusters is None else self.clusters.noun

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.cells.summarizers

    @cached_property
    def has_cell(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which system has which topic, (n_systems, n_topics)."""
        return ~np.isnan(self.cells.X)

    @property
    def lacks_cells(self) -> bool:
        """Whether a system lacks a topic that another one has."""
        return not bool(self.has_cell.all())

    @cached_property
    def passes(self) -> FloatArray:
        """Scores that pass or fail as 1 and 0, the one with the sign that is better here; NaN where missing."""
        return self.cells.X + 1.0 if self.lower_is_better else self.cells.X

    @cached_property
    def is_single_pass_or_fail(self) -> bool:
        """Whether every cell is one pass or one fail, not a mean of several."""
        return self.is_pass_or_fail and bool(np.isin(self.passes[self.has_cell], PASS_OR_FAIL).all())

    @cached_property
    def n_topics(self) -> IntArray:
        """Topics of each system."""
        return np.asarray(self.has_cell.sum(axis=1), dtype=np.int64)

    @cached_property
    def raters_vary(self) -> bool:
        """Whether within a topic systems were rated by different raters."""
        if self.ratings is None:
            return False
        n_raters = len(self.ratings.raters)
        n_systems = self.has_cell.sum(axis=0)
        numbers, counts = np.unique(self.ratings.topic * n_raters + self.ratings.rater, return_counts=True)
        return bool((counts != n_systems[numbers // n_raters]).any())

    def restore_sign(self, values: FloatArray) -> FloatArray:
        """Give values of the measure, or differences of them, the sign that they have in their file."""
        return 0.0 - values if self.lower_is_better else values

    def restore_interval(self, low: Ends, high: Ends) -> tuple[Ends, Ends]:
        """Give the ends of intervals of the measure as they are in its file, or here."""
        return (0.0 - high, 0.0 - low) if self.lower_is_better else (low, high)

    def restore_tests(self, tests: Differences) -> Differences:
        """Give differences of the measure the sign that they have in its file."""
        return tests.negate() if self.lower_is_better else tests


def stratify_scores(
    scores: pd.DataFrame,
    metric: str,
    year: str | None = None,
    task: str | None = None,
    *,
    lower_is_better: str | Sequence[str] | None = None,
) -> list[RatedStratum]:
    """Lay out the scores of each year and task of a tidy table."""
    (table,) = set_directions([add_stratum_columns(scores)], lower_is_better)
    origin = origin_of(table)
    rows = select_rows(orient_scores(table), "metric", [metric])
    warn_of_directions(table, [metric])
    is_lower_better = metric in lower_measures(table)
    cells = matrices(select_stratum(mean_ratings(rows), year, task))
    scale = scale_of_measure(table, metric)
    scores_of_rows = rows["score"].to_numpy(dtype=float)
    values = scores_of_rows[~np.isnan(scores_of_rows)]
    attempts = origin.get("attempts", {}).get(metric)
    turned = -values if is_lower_better else values
    is_pass_or_fail = scale in (None, PASS_OR_FAIL) and _are_passes_or_fails(turned, attempts)
    names_raters = "assessor" in rows and metric not in origin.get("unnamed_raters", ())
    ratings_of = _divide_by_stratum(rows.dropna(subset="score") if names_raters else {})
    cluster_of_topic = clusters_of_topics(origin.get("clusters", {}))
    attempts_of = _divide_by_stratum(attempts["scores"] if attempts else {})
    lengths_of = _divide_by_stratum(origin.get("lengths", {}))
    return [
        RatedStratum(
            matrix,
            _number_ratings(matrix, ratings_of.get((matrix.year, matrix.task))),
            is_lower_better,
            origin,
            is_pass_or_fail,
            attempts,
            scale,
            range_of_grades(values),
            _lay_out_attempts(
                matrix, attempts_of.get((matrix.year, matrix.task)), -1.0 if is_lower_better else 1.0
            ),
            _number_clusters(matrix, cluster_of_topic),
            lengths=_lay_out_lengths(matrix, lengths_of.get((matrix.year, matrix.task))),
        )
        for matrix in cells
    ]


def _divide_by_stratum(rows: Mapping[str, list[Any]] | pd.DataFrame) -> dict[Any, pd.DataFrame]:
    """Give the rows of each year and task, of a table or of lists."""
    if not len(rows):
        return {}
    return dict(list(add_stratum_columns(pd.DataFrame(rows)).groupby(["year", "task"], sort=False)))


def noun_of_cluster(column: str) -> str:
    """Give what a cluster is called by the name of its column: ``passage`` of ``PassageID``."""
    return "group" if column == BY_PREFIX else " ".join(words_of(column)).removesuffix(" id") or column


def _number_clusters(
    cells: ScoreMatrix, cluster_of_topic: Mapping[tuple[str, ...], tuple[str, str]]
) -> TopicClusters | None:
    """Number the clusters of topics; None if no cluster is known, or each topic is one of its own."""
    clusters = [cluster_of_topic.get((cells.year, cells.task, topic), ("", "")) for topic in cells.topics]
    columns = {column for _, column in clusters if column}
    if not columns:
        return None
    column = min(columns)
    if ("", "") in clusters:
        topic = cells.topics[clusters.index(("", ""))]
        raise InputError(f"topic {topic} has no {column}; expected one of each topic")
    names, number = np.unique([cluster for cluster, _ in clusters], return_inverse=True)
    return None if len(names) == len(clusters) else TopicClusters(number, noun_of_cluster(column))


def warn_of_clusters(tables: Iterable[pd.DataFrame], method: str) -> None:
    """Warn that a method takes topics as independent where these lie in clusters."""
    clusters = clusters_of_topics(join_lists(*(origin_of(table).get("clusters", {}) for table in tables)))
    names = {*clusters.values()}
    if len(names) < len(clusters):
        noun = noun_of_cluster(min(column for _, column in names))
        warn(
            f"topics lie in {count_text(len(names), noun)}, and {method} take topics as independent: "
            f"if those of one {noun} are alike, intervals are too narrow; only compare and power are by {noun}"
        )


def _are_passes_or_fails(scores: FloatArray, attempts: Attempts | None) -> bool:
    """Whether scores are 0 or 1, or means of attempts that are."""
    if attempts is not None and all(attempts["cells"]["is_pass_or_fail"]):
        return bool(((scores >= 0) & (scores <= 1)).all())
    return bool(np.isin(scores, [0.0, 1.0]).all())


def _number_ratings(cells: ScoreMatrix, rows: pd.DataFrame | None) -> NumberedRatings | None:
    """Number the systems, topics and raters of ratings; None if nobody is named."""
    if rows is None or not rows["assessor"].ne("").any():
        return None
    raters = sorted(set(rows["assessor"]), key=natural)
    system = _positions_of_names(rows["summarizer"], cells.summarizers)
    topic = _positions_of_names(rows["topic"], cells.topics)
    rater = _positions_of_names(rows["assessor"], raters)
    return NumberedRatings(rows["score"].to_numpy(dtype=float), system, topic, rater, tuple(raters))


def _lay_out_attempts(cells: ScoreMatrix, rows: pd.DataFrame | None, sign: float) -> AttemptScores | None:
    """Lay out the scores of attempts; None if most cells have one, or another mean than theirs."""
    if rows is None:
        return None
    keys = ["summarizer", "topic"]
    numbered = rows.assign(attempt=rows.groupby(keys).cumcount())
    by_cell = numbered.pivot(index=keys, columns="attempt", values="score")
    laid_out = by_cell.reindex(pd.MultiIndex.from_product([cells.summarizers, cells.topics])).to_numpy(
        dtype=float
    )
    attempts = AttemptScores(sign * laid_out.reshape(*cells.X.shape, -1))
    is_known = attempts.are_repeated and np.allclose(attempts.mean, cells.X, equal_nan=True)
    return attempts if is_known else None


def _lay_out_lengths(cells: ScoreMatrix, rows: pd.DataFrame | None) -> FloatArray | None:
    """Lay out lengths of outputs as scores are; None if none is known."""
    if rows is None:
        return None
    lengths = rows.pivot_table(index="summarizer", columns="topic", values="length", aggfunc="last")
    laid_out = lengths.reindex(index=list(cells.summarizers), columns=list(cells.topics)).to_numpy(
        dtype=float
    )
    return None if np.isnan(laid_out).all() else laid_out


def _positions_of_names(names: pd.Series, order: Sequence[str]) -> IntArray:
    """Give the number of each name among the known."""
    return np.asarray(pd.Index(list(order)).get_indexer(pd.Index(names)), dtype=np.int64)
