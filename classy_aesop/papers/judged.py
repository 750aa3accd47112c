"""What the studies of papers work on: judged corpora, metrics of the same summaries, and tables of topics.

Without a table of metrics ROUGE is computed, recall alone, as the papers report it. Among all peers and among humans,
systems are compared by leaving one reference out at a time, and a measure's jackknifed twin stands for it if there is
one.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pandas as pd

from classy_aesop.answers.score_matrices import (
    Grid,
    Peers,
    PeerSelection,
    ScoreMatrix,
    in_place,
    judged_grids,
    matrices,
    only,
)
from classy_aesop.baselines.rouge import Rouge
from classy_aesop.baselines.rouge_metrics import RougeMetric
from classy_aesop.data import JACKKNIFED, KEYS, key_table, mean_ratings, named
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.scores import with_places
from classy_aesop.data.topics import Summary, Topic
from classy_aesop.data.where import Where
from classy_aesop.errors import DataWarning, InputError, NoTextError, listed
from classy_aesop.reading import Humans, read_corpus, read_humans, read_scores
from classy_aesop.reading.byte_sources import text_of
from classy_aesop.reading.table_files import tsv_rows
from classy_aesop.significance.choices import AnyLevel

LEVELS: tuple[AnyLevel, ...] = ("system", "input")
"""The levels of correlations in the papers."""

MADE_OF_HUMAN_TEXT = ("2", "3")
"""Peers of TAC 2009 whose summaries were made of human text; the papers leave them out."""

JACKKNIFED_ENDINGS = (JACKKNIFED, "_jk")
"""How the names of jackknifed measures end, here and in SacreROUGE's files."""

ROUGE_METRICS: tuple[RougeMetric, ...] = ("ROUGE-1", "ROUGE-2", "ROUGE-SU4")
"""The metrics that are computed where none are given."""


def read_judged(path: str | Path, *, year: str | None = None) -> Corpus:
    """Read a judged corpus, or a table of judgments as a corpus whose summaries have no text.

    Parameters
    ----------
    path : path-like
        What `read_corpus` or `read_scores` can read.
    year : str, optional
        The year of rows without one.

    Raises
    ------
    InputError
        Something in the file is wrong, or it holds neither texts nor scores.
    """
    try:
        return read_corpus(path, year=year)
    except NoTextError:
        ratings = read_scores(path, year=year or "", of_humans=True)
        humans = read_humans(path, year=year or "")
    judgments = mean_ratings(ratings)
    topics = [
        Topic(str(key[0]), str(key[1]), str(key[2]), tuple(_without_text(names, str(key[0]), humans)))
        for key, names in judgments.groupby(["year", "topic", "task"], sort=False)["summarizer"]
    ]
    return Corpus(tuple(topics), judgments, ratings if "assessor" in ratings else ratings.iloc[:0])


def _without_text(names: pd.Series, year: str, humans: Humans) -> Iterator[Summary]:
    """Give summaries without text; where the file does not say so, who has a capital letter for a name is human."""
    for name in dict.fromkeys(names):
        is_human = humans.get((year, name), re.fullmatch("[A-Z]", name) is not None)
        yield Summary(name, (), human=is_human)


@dataclass(frozen=True)
class Judged:
    """The score tables of those who are compared: human scores, metrics of the same summaries, and who is human."""

    judgments: pd.DataFrame
    scores: pd.DataFrame
    humans: Humans

    def sides(self, target: str, metrics: Sequence[str] | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Give the scores of some metrics (None: all), and those of a human measure; UsageError lists the known."""
        scores = only(self.scores, "metric", metrics)
        return scores, only(self.judgments, "metric", [target], what="target")

    def grids(self, target: str, metrics: Sequence[str] | None = None) -> list[Grid]:
        """Lay out some metrics (None: all) beside a human measure, a year and task at a time."""
        return judged_grids(only(self.scores, "metric", metrics), self.judgments, target)

    def matrices(self, metrics: Sequence[str] | None = None) -> list[ScoreMatrix]:
        """Lay out some human measures and metrics (None: all); UsageError lists the known."""
        return matrices(only(pd.concat([self.judgments, self.scores]), "metric", metrics))


class Score(Protocol):
    """A function that scores the summaries of a corpus."""

    def __call__(self, corpus: Corpus, *, jackknife: bool) -> pd.DataFrame:
        """Score them; with ``jackknife`` systems by the mean over leaving each reference out."""
        ...


def rouge_recall(
    corpus: Corpus, *, jackknife: bool, metrics: Sequence[RougeMetric] = ROUGE_METRICS
) -> pd.DataFrame:
    """Score by the recall of some variants of ROUGE."""
    table = Rouge(metrics=tuple(metrics)).table(corpus, jackknife=jackknife, statistics=["R"])
    return with_places(table)


@dataclass(frozen=True)
class StudyData:
    """What a study looks at: judged corpora, and who and what of them.

    Scores of metrics without a year are of the corpora's only year; without scores metrics are computed. ``peers`` are
    by default whom the study asks for.
    """

    corpora: Sequence[Corpus]
    scores: pd.DataFrame | None = None
    peers: Peers | None = None
    year: str | None = None
    task: str | None = None

    def tables(
        self,
        peers: Peers,
        *,
        score: Score | None = rouge_recall,
        twins: bool | None = None,
        wanted: Sequence[str] | None = None,
        needs_metrics: bool = False,
    ) -> Judged:
        """Gather the human scores of all corpora, and the metrics of those who are compared.

        ``score`` computes metrics of a corpus where none are given (None: there are none); ``twins``: whether
        jackknifed measures stand for plain ones, by default where humans take part; without a metric among the
        measures and metrics that are ``wanted``, none is computed, nor of corpora without texts. InputError if a corpus
        has no judgments, two have a year and topic in common, or a task but no year, or the scores are of other
        summaries; or if the study ``needs_metrics`` and there are none.
        """
        _check_years(self.corpora)
        selection = PeerSelection(self.peers or peers)
        selected = [selection.of_corpus(corpus) for corpus in self._all_in_place()]
        parts = [(part, any(one.human for _, one in part.summaries())) for part in selected]
        instances = pd.concat([_instances(part) for part, _ in parts], ignore_index=True)
        if instances.duplicated().any():
            raise InputError("two corpora hold the same summaries; expected each year and topic once")
        human_scores = [_measures(part, twins=humans if twins is None else twins) for part, humans in parts]
        judgments = pd.concat(human_scores, ignore_index=True)
        if judgments.empty:
            raise InputError("no summary has a human score; expected judged corpora")
        if self.scores is not None:
            found = self._given(self.scores).merge(instances, on=KEYS)
        elif score is not None and not (wanted and set(wanted) <= set(judgments["metric"])):
            scored = [score(part, jackknife=humans) for part, humans in parts if _has_texts(part)]
            found = pd.concat([judgments.iloc[:0], *scored], ignore_index=True)
        else:
            found = judgments.iloc[:0]
        if needs_metrics and found.empty:
            raise InputError("no metrics, and no texts to compute some of; expected --scores FILE, or texts")
        humans = {key: human for part, _ in parts for key, human in part.humans().items()}
        return Judged(judgments, found, humans)

    def _all_in_place(self) -> list[Corpus]:
        """Give the corpora, or what they hold of the year and task."""
        judgments = pd.concat([corpus.judgments for corpus in self.corpora])
        in_place(judgments, self.year, self.task)  # a usage error names the known ones
        kept = []
        for corpus in map(_as_in_the_papers, self.corpora):
            of_year = (topic for topic in corpus.topics if self.year in (None, topic.year))
            topics = tuple(topic for topic in of_year if self.task in (None, topic.task))
            kept += [corpus.with_topics(topics)] if topics else []
        return kept

    def _given(self, scores: pd.DataFrame) -> pd.DataFrame:
        """Give the scores of summaries that the corpora hold, with a warning for the others."""
        known = pd.concat([_instances(corpus) for corpus in self.corpora], ignore_index=True)
        years = set(known["year"])
        named_years = scores["year"].replace("", *years) if len(years) == 1 else scores["year"]
        averaged = mean_ratings(scores.assign(year=named_years))
        theirs = set(known.itertuples(index=False, name=None))
        unknown = sorted(set(averaged[KEYS].itertuples(index=False, name=None)) - theirs)
        message = f"{len(unknown)} scored summaries are in none of the corpora: {listed(map(named, unknown), most=3)}"
        if len(unknown) == len(averaged[KEYS].drop_duplicates()):
            raise InputError(f"{message}; expected the same year, topic, task and summarizer")
        if unknown:
            warnings.warn(f"left out: {message}", DataWarning, stacklevel=4)
        return averaged


def _has_texts(corpus: Corpus) -> bool:
    """Say whether a corpus has texts; a table of judgments alone has none."""
    return any(summary.text for _, summary in corpus.summaries())


def _check_years(corpora: Sequence[Corpus]) -> None:
    """Raise an InputError if corpora without years have a task in common: their systems would be taken for the same."""
    tasks = [{topic.task for topic in corpus.topics if not topic.year} for corpus in corpora]
    shared = {task for task in set().union(*tasks) if sum(task in own for own in tasks) > 1}
    if shared:
        of_task = listed([f"task {task}" for task in sorted(shared) if task])
        raise InputError(
            f"{sum(map(bool, tasks))} corpora have no year{of_task and f' and share {of_task}'}: system 1 of one would "
            "be taken for system 1 of another; expected a year in each file (a column or field year), or one corpus at "
            "a time with --year"
        )


def _as_in_the_papers(corpus: Corpus) -> Corpus:
    """Leave two peers out of TAC 2009, and say so."""
    written = [(topic, one) for topic, one in corpus.summaries() if topic.year == "2009"]
    systems = {one.summarizer for _, one in written if not one.human}
    if (
        len({topic.topic for topic, _ in written}) != 44
        or len(systems) != 55
        or not systems >= {*MADE_OF_HUMAN_TEXT}
    ):
        return corpus
    names = " and ".join(MADE_OF_HUMAN_TEXT)
    message = f"peers {names} of TAC 2009 are made of human text; they are left out, as in the papers"
    warnings.warn(message, DataWarning, stacklevel=5)
    return corpus.select(exclude={"2009": MADE_OF_HUMAN_TEXT})


def _instances(corpus: Corpus) -> pd.DataFrame:
    return key_table((*topic.key, one.summarizer) for topic, one in corpus.summaries())


def _measures(corpus: Corpus, *, twins: bool) -> pd.DataFrame:
    """Give the human scores; with twins a jackknifed measure stands for the plain one, else it is left out."""
    table = corpus.judgments
    twin = table["metric"].str.endswith(JACKKNIFED_ENDINGS)
    if not twins:
        return table[~twin]
    replaced = set(_without_ending(table.loc[twin, "metric"]))
    kept = table[~table["metric"].isin(replaced)]
    return kept.assign(metric=_without_ending(kept["metric"]))


def _without_ending(names: pd.Series) -> pd.Series:
    """Give the plain names of jackknifed measures; others are as they were."""
    for ending in JACKKNIFED_ENDINGS:
        names = names.str.removesuffix(ending)
    return names


TOPICS = ("year", "topic", "task", "assessor", "category")
"""The columns that are read; all but ``topic`` may be missing."""


def read_topic_labels(path: str | Path) -> pd.DataFrame:
    """Read a tab-separated table of topics: those of `TOPICS` that the file has.

    InputError if there is no column ``topic``, or neither ``assessor`` nor ``category``; if a row has another number
    of cells than the header, or a topic is there twice.
    """
    either = {"assessor", "category"}
    table, lines = rows_of_topics(path, TOPICS, "assessor or category", lambda found: bool(found & either))
    again = table.duplicated([name for name in KEYS if name in table])
    if again.any():
        at = int(again.to_numpy().argmax())
        raise Where(str(path), lines[at]).error(f"topic {table['topic'].iloc[at]!r} is there twice")
    return table


def rows_of_topics(
    path: str | Path, columns: Sequence[str], needed: str, is_complete: Callable[[set[str]], bool]
) -> tuple[pd.DataFrame, list[int]]:
    """Read the columns of a tab-separated table with a row a topic or more, as text, and the line of each row."""
    (line, header), *rows = tsv_rows(text_of(path))
    if "topic" not in header or not is_complete(set(header)):
        found = ", ".join(header)
        raise Where(str(path), line).error(f"the columns are {found}; expected topic, and {needed}")
    for at, cells in rows:
        if len(cells) != len(header):
            raise Where(str(path), at).error(f"{len(cells)} cells; expected {len(header)}, as in the header")
    table = pd.DataFrame([cells for _, cells in rows], columns=header, dtype=str)
    return table[[name for name in columns if name in header]], [at for at, _ in rows]


def with_labels(rows: pd.DataFrame, labels: pd.DataFrame, wanted: str) -> pd.DataFrame:
    """Put the assessor or the category of each row's topic beside it; InputError where the table has none."""
    if wanted not in labels:
        raise InputError(f"the table of topics has no column {wanted}; expected one")
    keys = [name for name in KEYS if name in labels]
    found = rows.drop(columns=wanted, errors="ignore").merge(labels[[*keys, wanted]], on=keys, how="left")
    lacking = found.loc[found[wanted].isna() | (found[wanted] == ""), "topic"]
    if len(lacking):
        raise InputError(
            f"the table of topics names no {wanted} of topic {lacking.iloc[0]!r}; expected one of each"
        )
    if wanted in rows and (twice := found.duplicated([*KEYS, "metric", wanted])).any():
        row = found[twice].iloc[0]
        raise InputError(
            f"the table of topics names one {wanted} of topic {row['topic']!r}, but summaries have several ratings of "
            f"{row['metric']}; expected ratings by one {wanted} a topic, or no table of topics"
        )
    return found
