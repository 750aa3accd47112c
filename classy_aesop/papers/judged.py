"""What the studies of papers work on: judged corpora, metrics of the same summaries, and tables of topics.

Without a table of metrics ROUGE is computed, recall alone, as the papers report it. Among all peers and among humans,
systems are compared by leaving one reference out at a time, and a measure's jackknifed twin stands for it if there is
one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import (
    Grid,
    ScoreMatrix,
    judged_grids,
    matrices,
    select_rows,
    select_stratum,
)
from classy_aesop.answers.selection import PeerSet, Selection
from classy_aesop.baselines.rouge import Rouge
from classy_aesop.baselines.rouge_metrics import RougeMetric
from classy_aesop.data import JACKKNIFED, KEYS, format_key, key_table, mean_ratings
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.data.topics import Summary, Topic
from classy_aesop.errors import InputError, NoTextError, join_names, warn
from classy_aesop.papers.printed import printed_name
from classy_aesop.papers.study_tables import study_result
from classy_aesop.reading import Humans, read_corpus, read_humans, read_scores
from classy_aesop.reading.byte_sources import Source
from classy_aesop.reading.corpus import Corpus, keep_summaries, keys_of_rows
from classy_aesop.reading.table_files import read_table_file
from classy_aesop.significance.base import BoolArray, FloatArray
from classy_aesop.significance.choices import Level
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result

LEVELS: tuple[Level, ...] = ("system", "input")
"""The levels of correlations in the papers."""

MADE_OF_HUMAN_TEXT = ("2", "3")
"""PeerSet of TAC 2009 whose summaries were made of human text; the papers leave them out."""

JACKKNIFED_NAME = re.compile(rf"({JACKKNIFED}|_jk)(?=$|[._](precision|recall|f1)$)")
"""What the names of jackknifed scores have more than those of plain ones, here and in SacreROUGE's files."""

ROUGE_METRICS: tuple[RougeMetric, ...] = ("ROUGE-1", "ROUGE-2", "ROUGE-SU4")
"""The metrics that are computed where none are given."""


def read_judged_corpus(path: str | Path, *, year: str | None = None) -> Corpus:
    """Read a judged corpus, or a table of judgments as a corpus whose summaries have no text."""
    try:
        return read_corpus(path, year=year)
    except NoTextError:
        ratings = read_scores(path, year=year or "")
        humans = read_humans(path, year=year or "")
    judgments = mean_ratings(ratings)
    topics = []
    for key, names in judgments.groupby(KEYS[:3], sort=False)["summarizer"]:
        of_year, topic, task = map(str, key)
        summaries = (
            Summary(name, (), human=humans.get((of_year, name), re.fullmatch("[A-Z]", name) is not None))
            for name in names.unique()
        )
        topics.append(Topic(of_year, topic, task, (*summaries,)))
    return Corpus((*topics,), judgments, ratings if "assessor" in ratings else ratings.iloc[:0])


@dataclass(frozen=True)
class Judged:
    """The score tables of those who are compared: human scores, metrics of the same summaries, and who is human.

    ``judgments_of_paper`` are the human scores if those are compared whom the paper compares.
    """

    judgments: pd.DataFrame
    scores: pd.DataFrame
    humans: Humans
    judgments_of_paper: pd.DataFrame | None

    def sides(self, target: str, metrics: Sequence[str] | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Return the scores of some metrics (None: all), and those of a human measure; UsageError lists the known."""
        scores = select_rows(self.scores, "metric", metrics)
        return scores, select_rows(self.judgments, "metric", [target], label="target")

    def grids(self, target: str, metrics: Sequence[str] | None = None) -> list[Grid]:
        """Lay out some metrics (None: all) beside a human measure, a year and task at a time."""
        return judged_grids(select_rows(self.scores, "metric", metrics), self.judgments, target)

    def matrices(self, metrics: Sequence[str] | None = None) -> list[ScoreMatrix]:
        """Lay out some human measures and metrics (None: all); UsageError lists the known."""
        return matrices(select_rows(pd.concat([self.judgments, self.scores]), "metric", metrics))

    def are_human(self, year: str, summarizers: Iterable[str]) -> BoolArray:
        """Say which summarizers of a year are humans."""
        return np.array([self.humans[year, name] for name in summarizers], dtype=bool)

    def result(self, answer: Answer, parts: Parts, *, is_as_in_paper: bool = True) -> Result:
        """Give the result of a study: the rows of each part, with the columns that name it.

        Printed numbers stand beside ours unless an option differs from the paper's.
        """
        table = pd.concat([pd.DataFrame(rows).assign(**ids) for ids, rows in parts], ignore_index=True)
        return study_result(table, answer, self.judgments_of_paper if is_as_in_paper else None)


Parts = Iterable[tuple[Mapping[str, Any], pd.DataFrame | list[Any]]]
"""The rows of parts of the data, each after the columns that name the part."""


def scores_by_metric(grids: Iterable[Grid], target: str) -> Iterator[tuple[dict[str, str], Grid, FloatArray]]:
    """Yield each metric's scores in each year and task, after the columns that name them."""
    for grid in grids:
        for name, X in grid.metrics.items():
            yield {"year": grid.year, "task": grid.task, "target": target, "metric": name}, grid, X


def mean_points(grid: Grid, X: FloatArray) -> pd.DataFrame:
    """Give the means of each summarizer by a metric and by humans."""
    scores, human_scores = grid.means(X)
    return pd.DataFrame({"summarizer": grid.summarizers, "score": scores, "human_score": human_scores})


Score = Callable[..., pd.DataFrame]
"""Scores the summaries of a corpus; with ``jackknife`` systems by the mean over leaving each reference out."""


def rouge_recall(
    corpus: Corpus, *, jackknife: bool, metrics: Sequence[RougeMetric] = ROUGE_METRICS
) -> pd.DataFrame:
    """Score a corpus by the recall of some variants of ROUGE."""
    table = Rouge(metrics=tuple(metrics)).table(corpus, jackknife=jackknife, statistics=["R"])
    return add_stratum_columns(table)


def add_rouge(data: StudyData, peers: PeerSet, metrics: Sequence[RougeMetric]) -> StudyData:
    """Add the recall of the variants of ROUGE that data do not have, of corpora with texts."""
    names = set(map(printed_name, strip_jackknifed(pd.Series(data.metric_names, dtype=str))))
    missing = [metric for metric in metrics if printed_name(metric) not in names]
    corpora = [corpus for corpus in data.selected_corpora(peers) if missing and _has_texts(corpus)]
    if not corpora:
        return data
    computed = [rouge_recall(corpus, jackknife=has_humans(corpus), metrics=missing) for corpus in corpora]
    return replace(data, scores=pd.concat([data.scores, *computed], ignore_index=True))


def has_humans(corpus: Corpus) -> bool:
    """Whether summaries by humans are among those of a corpus."""
    return any(summary.human for _, summary in corpus.summaries())


@dataclass(frozen=True)
class StudyData:
    """What a study looks at: judged corpora, and who and what of them.

    Scores of metrics without a year are of the corpora's only year; without scores metrics are computed. ``peers`` are
    by default whom the study asks for.
    """

    corpora: Sequence[Corpus]
    scores: pd.DataFrame | None = None
    peers: PeerSet | None = None
    year: str | None = None
    task: str | None = None

    @property
    def metric_names(self) -> list[str]:
        """The names of the metrics that are given."""
        return [] if self.scores is None else list(self.scores["metric"].unique())

    def tables(
        self,
        peers: PeerSet,
        *,
        score: Score | None = rouge_recall,
        use_jackknifed: bool = False,
        requested: Sequence[str] | None = None,
        needs_metrics: bool = False,
    ) -> Judged:
        """Gather the human scores of all corpora, and the metrics of those who are compared."""
        _check_years(self.corpora)
        selected = self.selected_corpora(peers)
        if pd.concat(map(_instances, selected), ignore_index=True).duplicated().any():
            raise InputError("two corpora hold the same summaries; expected each year and topic once")
        measures = [select_measures(corpus, use_jackknifed or has_humans(corpus)) for corpus in selected]
        judgments = pd.concat(measures, ignore_index=True)
        if judgments.empty:
            raise InputError("no summary has a human score; expected judged corpora")
        given_scores = None if self.scores is None else self._scores_of_corpora(self.scores)
        are_measures = bool(requested) and set(requested or ()) <= set(judgments["metric"])
        parts = []
        for corpus in selected:
            humans = has_humans(corpus)
            if given_scores is not None:
                rows = given_scores.merge(_instances(corpus), on=KEYS)
                parts.append(use_jackknifed_scores(rows) if humans else rows)
            elif score is not None and not are_measures and _has_texts(corpus):
                parts.append(score(corpus, jackknife=humans))
        scores = pd.concat(parts or [judgments.iloc[:0]], ignore_index=True)
        if needs_metrics and scores.empty:
            raise InputError("no metrics, and no texts to compute some of; expected --scores FILE, or texts")
        are_human = {key: human for corpus in selected for key, human in corpus.humans().items()}
        return Judged(judgments, scores, are_human, judgments if self.peers in (None, peers) else None)

    def selected_corpora(self, peers: PeerSet) -> list[Corpus]:
        """Return what the corpora hold of the year, the task, and those who are compared, by default ``peers``."""
        selection = Selection(peers=self.peers or peers)
        return [selection.select_corpus(corpus) for corpus in self._corpora_of_stratum()]

    def _corpora_of_stratum(self) -> list[Corpus]:
        """Return the corpora, or what they hold of the year and task."""
        judgments = pd.concat([corpus.judgments for corpus in self.corpora])
        select_stratum(judgments, self.year, self.task)  # a usage error names the known ones
        of_stratum = []
        for corpus in map(_exclude_human_text, self.corpora):
            of_year = (topic for topic in corpus.topics if self.year in (None, topic.year))
            topics = tuple(topic for topic in of_year if self.task in (None, topic.task))
            of_stratum += [corpus.replace_topics(topics)] if topics else []
        return of_stratum

    def _scores_of_corpora(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Return the scores of summaries that the corpora hold, with a warning for the others."""
        instances = pd.concat(map(_instances, self.corpora))
        years = set(instances["year"])
        years_of_scores = scores["year"].replace("", *years) if len(years) == 1 else scores["year"]
        averaged = mean_ratings(scores.assign(year=years_of_scores))
        scored = {*keys_of_rows(averaged)}
        unknown = sorted(scored.difference(keys_of_rows(instances)))
        unknown_keys = join_names(map(format_key, unknown), limit=3)
        message = f"{len(unknown)} scored summaries are in none of the corpora: {unknown_keys}"
        if len(unknown) == len(scored):
            raise InputError(f"{message}; expected the same year, topic, task and summarizer")
        if unknown:
            warn(f"left out: {message}")
        return averaged


def _has_texts(corpus: Corpus) -> bool:
    """Whether a corpus has texts; a table of judgments alone has none."""
    return any(summary.text for _, summary in corpus.summaries())


def _check_years(corpora: Sequence[Corpus]) -> None:
    """Raise an InputError if corpora without years have a task in common: their systems would be taken for the same."""
    tasks = [task for corpus in corpora for task in {topic.task for topic in corpus.topics if not topic.year}]
    if len(tasks) > len({*tasks}):
        raise InputError(
            "several corpora of one task have no year: system 1 of one would be taken for system 1 of another; "
            "expected a year in each file (a column or field year), or one corpus at a time with --year"
        )


def _exclude_human_text(corpus: Corpus) -> Corpus:
    """Leave two peers out of TAC 2009 as the papers do, with a warning; other corpora stay as they are."""
    topics = {topic.topic for topic in corpus.topics if topic.year == "2009"}
    systems = {name for (year, name), human in corpus.humans().items() if year == "2009" and not human}
    if (len(topics), len(systems)) != (44, 55) or not systems >= {*MADE_OF_HUMAN_TEXT}:
        return corpus
    names = " and ".join(MADE_OF_HUMAN_TEXT)
    warn(f"peers {names} of TAC 2009 are made of human text; they are left out, as in the papers")
    excluded = {("2009", name) for name in MADE_OF_HUMAN_TEXT}
    return corpus.replace_topics(keep_summaries(corpus, lambda *summarizer: summarizer not in excluded))


def _instances(corpus: Corpus) -> pd.DataFrame:
    """Return the keys of the summaries, a row each."""
    return key_table((*topic.key, summary.summarizer) for topic, summary in corpus.summaries())


def select_measures(corpus: Corpus, jackknifed: bool) -> pd.DataFrame:
    """Return the human scores: a jackknifed measure stands for the plain one, or is left out."""
    table = corpus.judgments
    is_plain = table["metric"].eq(strip_jackknifed(table["metric"]))
    return use_jackknifed_scores(table) if jackknifed else table[is_plain]


def use_jackknifed_scores(table: pd.DataFrame) -> pd.DataFrame:
    """Let jackknifed scores stand for the plain ones of their name, which are left out."""
    plain_names = strip_jackknifed(table["metric"])
    replaced = set(plain_names[plain_names != table["metric"]])
    is_replaced = table["metric"].isin(replaced)
    return table.assign(metric=plain_names)[~is_replaced]


def strip_jackknifed(names: pd.Series) -> pd.Series:
    """Return the plain names of jackknifed measures and metrics; others are as they were."""
    return names.str.replace(JACKKNIFED_NAME, "", regex=True)


TOPIC_COLUMNS = (*KEYS[:3], "assessor", "category")
"""The columns that are read; all but ``topic`` may be missing."""


def read_topic_labels(path: str | Path) -> pd.DataFrame:
    """Read a table of topics: those of `TOPIC_COLUMNS` that the file has."""
    table = rows_of_topics(path, TOPIC_COLUMNS, {"topic"})
    refuse_row(
        table, table.duplicated(table.columns.intersection(KEYS)), "topic '{topic}' is there twice", path
    )
    return table


def rows_of_topics(path: str | Path, columns: Sequence[str], needed: set[str]) -> pd.DataFrame:
    """Read columns of a table with a row a topic or more, as text; its index has the lines."""
    file = read_table_file(Source.from_path(path))
    missing = [name for name in columns if name in needed.difference(file.columns)]
    if missing:
        names = join_names(file.columns, limit=20)
        raise file.header.error(f"the columns are {names}; expected also {join_names(missing)}")
    lines = [where.line for where, _ in file.rows]
    table = pd.DataFrame([row for _, row in file.rows], lines, file.columns).fillna("").astype(str)
    return table[[name for name in columns if name in table]]


def refuse_row(table: pd.DataFrame, is_faulty: pd.Series, fault: str, path: str | Path) -> None:
    """Raise an InputError with the line of the first faulty row; ``fault`` may hold fields of it."""
    if is_faulty.any():
        row = table[is_faulty].iloc[0]
        raise InputError(fault.format_map(row), path=path, line=table.index[is_faulty][0])


def add_labels(rows: pd.DataFrame, labels: pd.DataFrame, label: str) -> pd.DataFrame:
    """Add the assessor or the category of each row's topic."""
    if label not in labels:
        raise InputError(f"the table of topics has no column {label}; expected one")
    keys = [name for name in KEYS if name in labels]
    labelled = rows.drop(columns=label, errors="ignore").merge(labels[[*keys, label]], on=keys, how="left")
    unlabelled = labelled.loc[labelled[label].isna() | (labelled[label] == ""), "topic"]
    if len(unlabelled):
        raise InputError(
            f"the table of topics names no {label} of topic {unlabelled.iloc[0]!r}; expected one of each"
        )
    return labelled
