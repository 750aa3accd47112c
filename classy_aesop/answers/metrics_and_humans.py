"""Scores of metrics and human scores as they are handed over: two tables, or one that holds both."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

import pandas as pd

from classy_aesop.answers.rater_shares import warn_of_rater_shares
from classy_aesop.answers.score_matrices import check_pairing, name_sequence, select_rows, select_stratum
from classy_aesop.answers.selection import PeerSet, Selection, TableKeywords, TablePart
from classy_aesop.answers.strata import warn_of_clusters
from classy_aesop.data import mean_ratings, natural
from classy_aesop.data.directions import orient_scores, set_directions, warn_of_directions
from classy_aesop.data.scores import origin_of
from classy_aesop.errors import NOTE, UsageError, join_names
from classy_aesop.reading.column_names import is_human_measure
from classy_aesop.reading.file_columns import columns_by_role
from classy_aesop.reading.given_tables import (
    ScoreTables,
    divide_given_columns,
    read_score_table,
)
from classy_aesop.text.tokens import Tokenizer
from classy_aesop.work.options import GivenColumns

if TYPE_CHECKING:
    from classy_aesop.predictor import Predictor

_LOG = logging.getLogger(__name__)

PredictorSource = Union["Predictor", str, Path]
"""A predictor, its file, or the name of one that comes with the package."""


class SelectionKeywords(TableKeywords, total=False):
    """The fields of `MetricSelection`, as keywords."""

    metric: str | Sequence[str] | None
    compute: str | Sequence[str] | None
    predictor: PredictorSource | Sequence[PredictorSource]
    peers: PeerSet | Selection | None
    tokenizer: Tokenizer
    n_jobs: int
    progress: bool


@dataclass(frozen=True, kw_only=True)
class MetricSelection(TablePart):
    """Which metrics are evaluated on which data.

    Attributes
    ----------
    metric : str, or sequence of str, optional
        Only these metrics, by their names in the table.
    compute : str, or sequence of str, optional
        Known metrics that are computed on the texts of a corpus, the last table or the only one: as for
        `score_baselines`; by default all, of texts without scores of metrics; none if empty or ``"none"``.
    predictor : Predictor, path-like or str, or sequence of these
        Predictors, their files, or names of those that come with the package, which score the corpus, too. Their
        imported columns, if any, are taken from the scores.
    peers : Selection, or its ``peers``, optional
        Who is compared in a corpus. Without a choice of systems, humans or all, each peer set is reported that there
        is.
    tokenizer : {"rouge", "unicode"}
        How known metrics find tokens, as for `score_baselines`; predictors have their own.
    columns, year, task, lower_is_better
        See :class:`classy_aesop.answers.selection.TablePart`.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.
    """

    metric: str | Sequence[str] | None = None
    compute: str | Sequence[str] | None = None
    predictor: Any = ()  # a PredictorSource, whose type is imported where one is used
    peers: PeerSet | Selection | None = None
    tokenizer: Tokenizer = "rouge"
    n_jobs: int = 1
    progress: bool = False


@dataclass(frozen=True)
class EvaluatedMetrics:
    """Tidy scores of metrics and judgments of the same summaries, which carry their directions.

    ``peers`` and ``sources`` of the metrics, baseline, predictor or imported, are known of those of a corpus.
    """

    scores: pd.DataFrame
    judgments: pd.DataFrame
    peers: str = ""
    sources: Mapping[str, str] = field(default_factory=dict)

    def average(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Give mean scores and mean judgments of which higher is better; warn of what limits that, or refuse them."""
        scored = mean_ratings(orient_scores(self.scores))
        ratings = orient_scores(self.judgments)
        judged = mean_ratings(ratings)
        warn_of_directions(self.scores, scored["metric"].unique())
        warn_of_directions(self.judgments, judged["metric"].unique())
        check_pairing(scored, judged)
        warn_of_rater_shares(ratings)
        return scored, judged


def read_metrics_and_humans(
    scores: ScoreTables,
    judgments: ScoreTables | None,
    *,
    target: str | Sequence[str] | None,
    metric: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the tidy table of metrics and that of human scores from two tables, or from one that holds both.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 1], "system": ["a", "b"], "bleu": [0.1, 0.2], "quality": [3, 4]})
    >>> [sorted(set(scores["metric"])) for scores in read_metrics_and_humans(table, None, target="quality")]
    [['bleu'], ['bleu', 'quality']]
    """
    if isinstance(judgments, str) and judgments in _measures_in(scores):
        raise UsageError(
            f"judgments is {judgments!r}, a column of scores; write metric={judgments!r} or target="
        )
    if judgments is not None:
        of_scores, of_judgments = divide_given_columns(
            columns, {"scores": scores, "judgments": judgments}
        ).values()
        tables = (
            read_score_table(scores, columns=of_scores),
            read_score_table(judgments, columns=of_judgments, name="judgments"),
        )
        warn_of_clusters(tables, "metrics' intervals and tests")
        return tables
    table = read_score_table(scores, columns=columns)
    warn_of_clusters([table], "metrics' intervals and tests")
    judged = table
    if target is None:
        target = find_only_human_measure(table["metric"], _named_measures(columns))
        judged = table[table["metric"] == target]
    if target is None:
        measures = join_names(sorted(set(table["metric"]), key=natural), limit=20)
        raise UsageError(f"target is missing, or a second table with judgments; the first has {measures}")
    if metric is not None:
        return table, judged
    return drop_human_measures(table, [*name_sequence(target), *_named_measures(columns)]), judged


def read_evaluated_tables(
    scores: ScoreTables,
    judgments: ScoreTables | None,
    target: str | Sequence[str] | None,
    metric: str | Sequence[str] | None,
    part: TablePart,
) -> EvaluatedMetrics:
    """Read the metrics and human measures that are asked for, of a part of tables, with their directions."""
    sides = read_metrics_and_humans(scores, judgments, target=target, metric=metric, columns=part.columns)
    scored, judged = set_directions(sides, part.lower_is_better)
    scored = select_stratum(select_rows(scored, "metric", metric), part.year, part.task)
    judged = select_stratum(select_rows(judged, "metric", target, label="target"), part.year, part.task)
    return EvaluatedMetrics(scored, judged)


def _measures_in(scores: ScoreTables) -> Iterable[str]:
    """Give the columns of a DataFrame."""
    return map(str, getattr(scores, "columns", ()))


def _named_measures(columns: GivenColumns | None) -> Iterable[str]:
    """Give the columns that the user calls human measures, ``measures=...``."""
    return name_sequence((columns_by_role(columns) or {}).get("measures", ()))  # type: ignore[arg-type]


def find_only_human_measure(measures: Iterable[str], named_measures: Iterable[str]) -> str | None:
    """Find the human measure of a table of metrics, by what the user calls so or by its name; None if not just one."""
    measures = dict.fromkeys(measures)
    human = [*named_measures] or [name for name in measures if is_human_measure(name)]
    if len(human) != 1 or len(measures) == 1:
        return None
    _LOG.log(NOTE, "target %s, the only human measure", human[0])
    return human[0]


def drop_human_measures(table: pd.DataFrame, named_measures: Collection[str]) -> pd.DataFrame:
    """Leave out the human measures of a table that holds metrics too."""
    has_rater = table["assessor"] != "" if "assessor" in table else pd.Series(False, index=table.index)
    rated = {*table.loc[has_rater, "metric"]} - {*origin_of(table).get("metrics", ())}
    human = {*named_measures, *rated}
    unnamed = [
        name for name in dict.fromkeys(table["metric"]) if name not in human and is_human_measure(name)
    ]
    if unnamed and len({*table["metric"]} - human) > len(unnamed):
        _LOG.log(NOTE, "human measures, not compared as metrics: %s", join_names(unnamed, limit=20))
        human |= {*unnamed}
    return table[~table["metric"].isin(human)]


def choose_measure(table: pd.DataFrame, name: str | None, option: str) -> str:
    """Choose the named measure or, without a name, the only one of a table."""
    if name is not None:
        return name
    measures = sorted(table["metric"].unique(), key=natural)
    if len(measures) != 1:
        raise UsageError(f"{option} is missing; expected one of {join_names(measures, limit=20) or 'none'}")
    return str(measures[0])


def read_judged_tables(
    judgments: ScoreTables,
    scores: ScoreTables | None,
    *,
    metric: str | Sequence[str] | None,
    columns: GivenColumns | None,
) -> tuple[pd.DataFrame, pd.DataFrame | None]:
    """Read the tidy table of human scores and that of metrics: None, or the same one where ``metric`` names some."""
    if scores is None:
        table = read_score_table(judgments, columns=columns, name="judgments")
        return table, table if metric is not None else None
    of_judgments, of_scores = divide_given_columns(
        columns, {"judgments": judgments, "scores": scores}
    ).values()
    return (
        read_score_table(judgments, columns=of_judgments, name="judgments"),
        read_score_table(scores, columns=of_scores),
    )
