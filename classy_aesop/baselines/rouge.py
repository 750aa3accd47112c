"""ROUGE-1.5.5 with exactly its numbers, for a pair of texts or a whole corpus in one pass.

The settings of `Rouge` are the options of the original; the defaults are those of NIST
(``-n 4 -w 1.2 -m -2 4 -u -f A -p 0.5 -t 0``). To compare systems with humans, NIST scored a system by the mean over
leaving each reference out (the jackknife), since a human's summary is compared with the other humans' references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from classy_aesop.baselines.rouge_metrics import (
    AGGREGATES,
    METRICS,
    STATISTICS,
    Aggregate,
    RougeMetric,
    Scoring,
    Statistic,
    checked,
    first_bytes,
    first_words,
)
from classy_aesop.baselines.rouge_tables import ScoreTable
from classy_aesop.data.scores import without_empty_places
from classy_aesop.data.topics import Reference, ReferenceTexts, Summary, Texts, Topic, text_rows
from classy_aesop.errors import InputError
from classy_aesop.features.batches import Split, TopicBatch, thread_vocabulary, topic_groups
from classy_aesop.features.counts import TopicCounts, jackknifed
from classy_aesop.features.table import FewReferences, n_topics
from classy_aesop.text.arrays import Floats
from classy_aesop.text.lines import Lines
from classy_aesop.text.sentence_pairs import SentencePairs
from classy_aesop.text.sentences import SENTENCES, Sentences
from classy_aesop.text.sentences import sentences as sentences_of
from classy_aesop.text.stems import STEMMERS, Stemming
from classy_aesop.text.tokens import content_blanked, rouge_blanked
from classy_aesop.work.workers import keep_freed_memory, show_progress

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["METRICS", "STEMMERS", "Rouge", "RougeScore", "rouge"]


class RougeScore(NamedTuple):
    """Recall, precision and F of one summary by one metric, 0 to 1."""

    recall: float
    precision: float
    f: float


@dataclass(frozen=True)
class Rouge:
    """ROUGE-1.5.5 with its options.

    Parameters
    ----------
    stemming : {"exceptions", "well", "porter", "none"}
        A key of `STEMMERS`. ``-m`` with the original's full data; the same, but *better* and *best* give *well* (their
        base depends on how the original's list was built); ``-m`` with an empty list; no ``-m``.
    stop_words : bool
        Whether to remove stop words (``-s``).
    aggregate : {"average", "best"}
        Pool hits and counts of all references (``-f A``), or take the reference with the highest recall (``-f B``).
    limit_words, limit_bytes : int, optional
        Cut every text, including references, to this number of words (``-l``) or bytes (``-b``); not both.
    recall_weight : float
        Weight of recall in F, 0 to 1 (``-p``).
    rounded : bool
        Whether to round to five decimals as the original does, with F computed from rounded recall and precision.
    metrics : tuple of str
        Keys of `METRICS`; by default all.

    Raises
    ------
    InputError
        If an option has an unknown value, ``recall_weight`` is not in 0 to 1, a limit is below 1, or both limits are
        given.

    Notes
    -----
    With a summary or reference without tokens, recall, precision and F are 0 for every metric; for ROUGE-W, such a
    reference stops the original with a division by zero. For two texts of one token each, ROUGE-1, ROUGE-L and
    ROUGE-W can be 1; the other metrics are 0, including ROUGE-SU4, which never counts the last unigram of a text.
    Every character outside ASCII is treated as a blank.

    Examples
    --------
    >>> scores = Rouge(metrics=("ROUGE-2",)).score(["The cat sat."], [["The cat ran."], ["A cat sat down."]])
    >>> scores["ROUGE-2"]
    RougeScore(recall=0.4, precision=0.5, f=0.44444)
    """

    stemming: Stemming = "exceptions"
    stop_words: bool = False
    aggregate: Aggregate = "average"
    limit_words: int | None = None
    limit_bytes: int | None = None
    recall_weight: float = 0.5
    rounded: bool = True
    metrics: tuple[RougeMetric, ...] = tuple(METRICS)

    def __post_init__(self) -> None:
        checked(self.metrics, METRICS, "ROUGE metric")
        checked([self.aggregate], AGGREGATES, "aggregate")
        checked([self.stemming], STEMMERS, "way to stem")
        if not 0 <= self.recall_weight <= 1:
            raise InputError(f"recall_weight is {self.recall_weight}; expected 0 to 1")
        if self.limit_words is not None and self.limit_bytes is not None:
            raise InputError("limit_words and limit_bytes are both given; expected at most one of them")
        for name in ("limit_words", "limit_bytes"):
            limit = getattr(self, name)
            if limit is not None and limit < 1:
                raise InputError(f"{name} is {limit}; expected 1 or more")

    def score(self, peer: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, RougeScore]:
        """Score one summary.

        Parameters
        ----------
        peer : sequence of str
            The summary, one item per sentence (sentences matter for ROUGE-L and ROUGE-W only).
        references : sequence of sequences of str
            The references, in the same form.

        Raises
        ------
        InputError
            If there is no reference, or a text is a string instead of a list of sentences.
        """
        if isinstance(peer, str):
            raise InputError("peer is one string; expected a list of sentences")
        if isinstance(references, str) or any(isinstance(text, str) for text in references):
            raise InputError(
                "a reference is one string; expected a list of references, each a list of sentences"
            )
        if not references:
            raise InputError("no references; expected one or more")
        texts = enumerate(references, 1)
        topic = Topic(
            "",
            "",
            "",
            (Summary("summary", tuple(peer)),),
            tuple(Reference(f"reference {number}", tuple(text)) for number, text in texts),
        )
        ((_, scores),) = self._score_topics([topic], lambda text: text)
        return scores

    def score_all(
        self, summaries: Texts, references: ReferenceTexts, *, sentences: Sentences = "given"
    ) -> list[dict[str, RougeScore]]:
        """Score a list of summaries; references that several of them share are counted once.

        Parameters
        ----------
        summaries : iterable of str
            One text a row; a list of strings is a text in sentences.
        references : iterable of str or of lists
            The reference of each summary, or the list of its references.
        sentences : {"given", "auto", "split"}
            How sentences are found, for ROUGE-L and ROUGE-W; see `classy_aesop.text.sentences.sentences`. With
            ``"given"`` the lines of a string are its sentences, as in ROUGE-Lsum of the package rouge-score.

        Returns
        -------
        list of dict
            As `score`, for each summary; NaN for a summary whose list of references is empty.

        Raises
        ------
        InputError
            As `text_rows`.

        Examples
        --------
        >>> found = Rouge().score_all(["The cat sat.", "A dog."], ["The cat ran.", ["A dog ran.", "The dog."]])
        >>> [scores["ROUGE-1"].recall for scores in found]
        [0.66667, 0.6]
        """
        checked([sentences], SENTENCES, "way to find sentences")
        rows = text_rows(summaries, references)
        scores: list[dict[str, RougeScore]] = [{}] * len(rows.keys)
        for summary, score in self._score_topics(rows.topics, lambda text: sentences_of(text, sentences)):
            scores[int(summary.summarizer) - 1] = score
        return scores

    def _score_topics(
        self, topics: Iterable[Topic], split: Split
    ) -> Iterator[tuple[Summary, dict[str, RougeScore]]]:
        """Score every summary of topics."""
        for batch, counts in self._count_topics(topics, split):
            scores = [
                map(RougeScore, *(values.tolist() for values in self._scoring.score(metric, counts)))
                for metric in self.metrics
            ]
            for summary, score in zip(batch.summaries, zip(*scores, strict=True), strict=True):
                yield summary, dict(zip(self.metrics, score, strict=True))

    def _count_topics(
        self, topics: Iterable[Topic], split: Split
    ) -> Iterator[tuple[TopicBatch, TopicCounts]]:
        """Read topics, several at once, split into sentences and cut to the limit."""
        keep_freed_memory()
        vocabulary = thread_vocabulary(content_blanked if self.stop_words else rouge_blanked, self.stemming)
        for group in topic_groups(topics):
            batch = TopicBatch.read_topics(group, vocabulary, lambda text: self._cut(split(text)))
            counts = batch.counts
            if self.limit_bytes is not None:
                texts = batch.read_again(lambda text: self._cut_lines(split(text))).counts.texts
                counts = replace(counts, lines=Lines(SentencePairs(texts, counted=counts.texts)))
            yield batch, counts

    def table(
        self,
        corpus: Iterable[Topic],
        *,
        jackknife: bool,
        statistics: Iterable[Statistic] | None = None,
        sentences: Sentences = "given",
        progress: bool = False,
    ) -> pd.DataFrame:
        """Score every summary of a corpus, like the function `rouge`, with the settings of this object.

        Raises
        ------
        InputError
            As `rouge`, and for ROUGE-L and ROUGE-W with ``limit_bytes``, which only `score` can compute.
        """
        if self.limit_bytes is not None and {"ROUGE-L", "ROUGE-W-1.2"} & set(self.metrics):
            raise InputError("ROUGE-L and ROUGE-W with limit_bytes can only be computed by Rouge.score")
        checked([sentences], SENTENCES, "way to find sentences")
        names, letters = self._name_rows(statistics)
        total = n_topics(corpus)
        few = FewReferences()
        topics = few.watch(corpus) if jackknife else corpus
        watched_topics = show_progress(topics, "ROUGE", "topics", shown=progress, total=total)
        table = ScoreTable(names)
        for batch, counts in self._count_topics(
            drop_earlier_references(watched_topics), lambda text: sentences_of(text, sentences)
        ):
            scores = [self._score_metric(metric, counts, batch, jackknife) for metric in self.metrics]
            table.append(batch.topics, np.concatenate([score[letters] for score in scores]))
        few.warn()
        return without_empty_places(table.to_frame())

    def _score_metric(self, metric: str, counts: TopicCounts, batch: TopicBatch, jackknife: bool) -> Floats:
        """Recall, precision and F of every summary, shape (3, n_summaries)."""
        score = self._scoring.score
        if jackknife:
            return jackknifed(lambda topics: np.stack(score(metric, topics)), counts, batch.is_human)
        return np.stack(score(metric, counts))

    def _name_rows(self, statistics: Iterable[Statistic] | None) -> tuple[list[str], list[int]]:
        """Names of the rows of a summary, and the places of their statistics in a score of one metric."""
        if statistics is None:
            return list(self.metrics), [0]
        letters = checked(list(statistics), STATISTICS, "statistic")
        names = [f"{metric}-{letter}" for metric in self.metrics for letter in letters]
        return names, [STATISTICS.index(letter) for letter in letters]

    @property
    def _scoring(self) -> Scoring:
        return Scoring(self.aggregate, self.recall_weight, self.rounded)

    def _cut(self, text: Sequence[str]) -> list[str]:
        if self.limit_words is not None:
            return first_words(text, self.limit_words)
        if self.limit_bytes is not None:
            return first_bytes(text, self.limit_bytes)
        return list(text)

    def _cut_lines(self, text: Sequence[str]) -> list[str]:
        """Cut a text for ROUGE-L and ROUGE-W, whose bytes are those of each sentence."""
        limit = self.limit_bytes
        return list(text) if limit is None else first_bytes(text, limit, of_text=False)


COMMON: tuple[RougeMetric, ...] = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")
"""What is reported as a baseline: the metrics of the TAC evaluations, and those that are reported most."""


def rouge(
    corpus: Iterable[Topic],
    *,
    jackknife: bool,
    stemming: Stemming = "exceptions",
    metrics: Iterable[RougeMetric] = COMMON,
    statistics: Iterable[Statistic] | None = None,
    sentences: Sentences = "given",
) -> pd.DataFrame:
    """Score every summary by ROUGE, unrounded; for other settings use `Rouge` and its method ``table``.

    Parameters
    ----------
    corpus : Corpus or iterable of Topic
        The summaries and the references that each of them is compared with.
    jackknife : bool
        Whether systems get the mean over leaving each reference out, which makes them comparable with humans.
    stemming : {"exceptions", "well", "porter", "none"}
        A key of `STEMMERS`.
    metrics : iterable of str
        Keys of `METRICS`; by default `COMMON`.
    statistics : iterable of str, optional
        Some of ``"R"``, ``"P"`` and ``"F"``: one row for each, with metrics named like ``ROUGE-2-F``. By default
        only recall, under the metric's own name.
    sentences : {"given", "auto", "split"}
        How sentences are found, for ROUGE-L and ROUGE-W; see `classy_aesop.text.sentences.sentences`.

    Returns
    -------
    pandas.DataFrame
        A score table with scores of 0 to 1; 0 if nothing matches, NaN for a summary compared with no reference.

    Raises
    ------
    InputError
        If an option has an unknown value, or a topic has fewer than two references and one is to be left out.

    Examples
    --------
    >>> from classy_aesop import Corpus
    >>> rows = [{"topic": "1", "system": "a", "summary": "Rain fell.", "reference": "Rain fell all day."}]
    >>> rouge(Corpus.from_rows(rows), jackknife=False, metrics=["ROUGE-1"])[["metric", "score"]].values.tolist()
    [['ROUGE-1', 0.5]]
    """
    settings = Rouge(
        stemming=stemming, rounded=False, metrics=tuple(checked(metrics, METRICS, "ROUGE metric"))
    )
    return settings.table(corpus, jackknife=jackknife, statistics=statistics, sentences=sentences)


def drop_earlier_references(topics: Iterable[Topic]) -> Iterator[Topic]:
    """Leave out earlier references, which no metric looks at."""
    for topic in topics:
        yield replace(topic, earlier_references=()) if topic.earlier_references else topic
