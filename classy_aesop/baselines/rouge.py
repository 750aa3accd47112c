"""ROUGE-1.5.5 with exactly its numbers, for a pair of texts or a whole corpus in one pass.

The settings of `Rouge` are the options of the original; the defaults are those of NIST
(``-n 4 -w 1.2 -m -2 4 -u -f A -p 0.5 -t 0``). To compare systems with humans, NIST scored a system by the mean over
leaving each reference out (the jackknife), since a human's summary is compared with the other humans' references.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from msgspec import structs

from classy_aesop.baselines.rouge_metrics import (
    AGGREGATES,
    METRICS,
    Aggregate,
    RougeMetric,
    Scoring,
    Statistic,
    checked,
    first_bytes,
    first_words,
)
from classy_aesop.data import COLUMNS
from classy_aesop.data.scores import without_empty_places
from classy_aesop.data.topics import Reference, ReferenceTexts, Summary, Texts, Topic, text_rows
from classy_aesop.errors import InputError
from classy_aesop.features.counts import FeatureOptions, topic_counts
from classy_aesop.features.rows import feature_rows
from classy_aesop.features.table import FewReferences, n_topics
from classy_aesop.text.arrays import Floats
from classy_aesop.text.ngrams import count_table
from classy_aesop.text.sentences import SENTENCES, Sentences
from classy_aesop.text.sentences import sentences as sentences_of
from classy_aesop.text.stems import STEMMERS, Stemming
from classy_aesop.text.subsequences import Lines
from classy_aesop.text.terms import term_ids
from classy_aesop.text.tokens import content_blanked, rouge_blanked
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.work.workers import show_progress

if TYPE_CHECKING:
    import pandas as pd

Written = TypeVar("Written", Summary, Reference)

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
        return self._scored([peer], references, self._vocabulary())[0]

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
        rows, words = text_rows(summaries, references), self._vocabulary()
        found: dict[int, dict[str, RougeScore]] = {}
        for topic in rows.topics:
            met = [sentences_of(one.text, sentences) for one in topic.references]
            texts = [sentences_of(one.text, sentences) for one in topic.summaries]
            numbers = (int(one.summarizer) for one in topic.summaries)
            found |= zip(numbers, self._scored(texts, met, words), strict=True)
        return [found[number] for number in range(1, len(rows.keys) + 1)]

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
        import pandas as pd

        if self.limit_bytes is not None and {"ROUGE-L", "ROUGE-W-1.2"} & set(self.metrics):
            raise InputError("ROUGE-L and ROUGE-W with limit_bytes can only be computed by Rouge.score")
        checked([sentences], SENTENCES, "way to find sentences")
        functions = self._scoring.functions(self.metrics, statistics)
        options = FeatureOptions(sentences="given", references="jackknife" if jackknife else "unequal")
        total, topics = n_topics(corpus), self._prepared(corpus, sentences)
        rows: list[tuple[str, ...]] = []
        scores: list[Floats] = []
        few = FewReferences()
        done = feature_rows(
            few.watch(topics) if jackknife else topics,
            options,
            names=(),
            metrics=functions,
            vocabulary=self._vocabulary(),
        )
        for topic in show_progress(done, "ROUGE", "topics", shown=progress, total=total):
            for metric, values in topic.scores.items():
                scores.append(values)
                rows += [(*topic.key, summarizer, metric) for summarizer in topic.summarizers]
        few.warn()
        table = pd.DataFrame(rows, columns=COLUMNS[:-1], dtype=str)
        return without_empty_places(table.assign(score=np.concatenate(scores) if scores else np.zeros(0)))

    @property
    def _scoring(self) -> Scoring:
        return Scoring(self.aggregate, self.recall_weight, self.rounded)

    def _vocabulary(self) -> Vocabulary:
        blanked = content_blanked if self.stop_words else rouge_blanked
        return Vocabulary(blanked, STEMMERS[self.stemming])

    def _cut(self, text: Sequence[str]) -> list[str]:
        if self.limit_words is not None:
            return first_words(text, self.limit_words)
        if self.limit_bytes is not None:
            return first_bytes(text, self.limit_bytes)
        return list(text)

    def _scored(
        self, summaries: Sequence[Sequence[str]], references: Sequence[Sequence[str]], words: Vocabulary
    ) -> list[dict[str, RougeScore]]:
        """Score summaries that are all compared with the same references."""
        n, every = len(references), (*references, *summaries)
        texts = [self._cut(text) for text in every]
        topic, _ = topic_counts(texts[n:], texts[:n], np.ones((len(summaries), n), bool), vocabulary=words)
        if self.limit_bytes is not None:
            lines = [first_bytes(text, self.limit_bytes, of_text=False) for text in every]
            topic = replace(topic, given_lines=_counted_lines(texts, lines, n, words))
        scores = {metric: self._scoring.score(metric, topic) for metric in self.metrics}
        return [
            {metric: RougeScore(*(float(values[at]) for values in score)) for metric, score in scores.items()}
            for at in range(len(summaries))
        ]

    def _prepared(self, topics: Iterable[Topic], how: str) -> Iterable[Topic]:
        """Split every text into sentences and cut it to the limit."""
        is_cut = self.limit_words is not None or self.limit_bytes is not None
        if how == "given" and not is_cut:
            return topics

        def prepared(texts: Sequence[Written]) -> tuple[Written, ...]:
            """Split and cut summaries, or references."""
            cut = (tuple(self._cut(sentences_of(one.text, how))) for one in texts)
            return tuple(structs.replace(one, text=text) for one, text in zip(texts, cut, strict=True))

        return (
            replace(topic, summaries=prepared(topic.summaries), references=prepared(topic.references))
            for topic in topics
        )


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


def _counted_lines(
    texts: Sequence[Sequence[str]], lines: Sequence[Sequence[str]], n_references: int, vocabulary: Vocabulary
) -> Lines:
    """Take the sentences of references and summaries from ``lines``, but the counts of their terms from ``texts``."""
    n = len(texts)
    ids = term_ids([*texts, *lines], vocabulary)
    counted, read = ids.part(0, n), ids.part(n, 2 * n)
    unigrams = count_table(counted.term, ids.n_terms, counted.text, n, n_references)
    return Lines(read, slice(0, n_references), read.part(n_references, n), unigrams, all_counted=False)
