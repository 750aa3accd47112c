"""ROUGE-1.5.5, number for number: a pair of texts, or a whole corpus in one pass.

The settings of `Rouge` are the options of the original. NIST's were ``-n 4 -w 1.2 -m -2 4 -u -f A -p 0.5 -t 0``:
the defaults here. To compare systems with people NIST scored a system by the mean over leaving one reference out
(the jackknife); a person's summary meets the other references anyhow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from classy_aesop.baselines.rouge_metrics import AGGREGATES, METRICS, Aggregate, Scoring, checked
from classy_aesop.corpus.data import Text, Topic
from classy_aesop.errors import InputError
from classy_aesop.features.base import TopicCounts, topic_counts
from classy_aesop.features.options import FeatureOptions
from classy_aesop.features.rows import feature_rows
from classy_aesop.features.table import HasTopics, topics_of
from classy_aesop.scores import COLUMNS
from classy_aesop.text.counts import Floats, Vocabulary, count_table, term_ids
from classy_aesop.text.limits import first_bytes, first_words
from classy_aesop.text.matching import Lines
from classy_aesop.text.sentences import SENTENCES
from classy_aesop.text.sentences import sentences as sentences_of
from classy_aesop.text.stems import STEMMERS
from classy_aesop.text.stop_words import content_blanked
from classy_aesop.text.tokens import rouge_blanked

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["METRICS", "STEMMERS", "Rouge", "RougeScore", "rouge", "with_texts"]


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
        Take stop words out (``-s``).
    aggregate : {"average", "best"}
        Pool hits and counts of all references (``-f A``), or take the one with the highest recall (``-f B``).
    limit_words, limit_bytes : int, optional
        Cut every text, references too, to so many words (``-l``) or bytes (``-b``); one of the two.
    alpha : float
        Weight of recall in F, 0 to 1 (``-p``).
    rounded : bool
        Round to five decimals as the original does, F from rounded recall and precision.
    metrics : tuple of str
        Keys of `METRICS`; by default all. Only these are computed.

    Raises
    ------
    InputError
        For an unknown choice, an ``alpha`` beyond 0 to 1, a limit below 1, or both limits.

    Notes
    -----
    A text without tokens has recall, precision and F of 0 by every metric, as summary and as reference; the
    original stops with a division by zero at ROUGE-W of such a reference. Of one token each, ROUGE-1, ROUGE-L and
    ROUGE-W can be 1; the others are 0, also ROUGE-SU4, which never counts a text's last unigram. Every character
    outside ASCII is a blank.

    Examples
    --------
    >>> scores = Rouge(metrics=("ROUGE-2",)).score(["The cat sat."], [["The cat ran."], ["A cat sat down."]])
    >>> scores["ROUGE-2"]
    RougeScore(recall=0.4, precision=0.5, f=0.44444)
    """

    stemming: str = "exceptions"
    stop_words: bool = False
    aggregate: Aggregate = "average"
    limit_words: int | None = None
    limit_bytes: int | None = None
    alpha: float = 0.5
    rounded: bool = True
    metrics: tuple[str, ...] = tuple(METRICS)

    def __post_init__(self) -> None:
        checked(self.metrics, METRICS, "ROUGE metric")
        checked([self.aggregate], AGGREGATES, "aggregate")
        checked([self.stemming], STEMMERS, "way to stem")
        if not 0 <= self.alpha <= 1:
            raise InputError(f"alpha is {self.alpha}; expected 0 to 1")
        limits = [limit for limit in (self.limit_words, self.limit_bytes) if limit is not None]
        if len(limits) > 1 or min(limits, default=1) < 1:
            raise InputError(f"limits are {limits}; expected one whole number from 1 at most")

    def score(self, peer: Sequence[str], references: Sequence[Sequence[str]]) -> dict[str, RougeScore]:
        """Score one summary.

        Parameters
        ----------
        peer : sequence of str
            The summary, one item a sentence (they matter for ROUGE-L and ROUGE-W only).
        references : sequence of sequences of str
            The texts it is compared with, likewise.

        Raises
        ------
        InputError
            If there is no reference, or a text is one string.
        """
        if not references or any(isinstance(text, str) for text in (peer, references, *references)):
            raise InputError(
                "expected a list of sentences, and a list of one or more such lists as references"
            )
        topic = self._counted(peer, references)
        scores = ((metric, self._scoring.score(metric, topic)) for metric in self.metrics)
        return {metric: RougeScore(*(float(values[0]) for values in score)) for metric, score in scores}

    def table(
        self,
        corpus: HasTopics | Iterable[Topic],
        *,
        jackknife: bool,
        statistics: Iterable[str] | None = None,
        sentences: str = "given",
    ) -> pd.DataFrame:
        """Score every summary of a corpus; as the function `rouge`, with the settings of this object.

        Raises
        ------
        InputError
            As `rouge`, and for ROUGE-L and ROUGE-W under a limit of bytes, which only `score` computes.
        """
        if self.limit_bytes is not None and {"ROUGE-L", "ROUGE-W-1.2"} & set(self.metrics):
            raise InputError("ROUGE-L and ROUGE-W under a limit of bytes are computed by Rouge.score only")
        checked([sentences], SENTENCES, "way to find sentences")
        functions = self._scoring.functions(self.metrics, statistics)
        options = FeatureOptions(sentences="given", references="jackknife" if jackknife else "unequal")
        topics = self._prepared(topics_of(corpus), sentences)
        rows: list[tuple[str, ...]] = []
        scores: list[Floats] = []
        for topic in feature_rows(
            topics, options, names=(), metrics=functions, vocabulary=self._vocabulary()
        ):
            for metric, values in topic.scores.items():
                scores.append(values)
                rows += [(*topic.key, summarizer, metric) for summarizer in topic.summarizers]
        return _framed(rows, scores)

    @property
    def _scoring(self) -> Scoring:
        return Scoring(self.aggregate, self.alpha, self.rounded)

    def _vocabulary(self) -> Vocabulary:
        blanked = content_blanked if self.stop_words else rouge_blanked
        return Vocabulary(blanked, STEMMERS[self.stemming])

    def _cut(self, text: Sequence[str]) -> list[str]:
        if self.limit_words is not None:
            return first_words(text, self.limit_words)
        if self.limit_bytes is not None:
            return first_bytes(text, self.limit_bytes)
        return list(text)

    def _counted(self, peer: Sequence[str], references: Sequence[Sequence[str]]) -> TopicCounts:
        """Count a summary and the references that it meets, cut to the limit."""
        texts, words = [self._cut(text) for text in (*references, peer)], self._vocabulary()
        meets = np.ones((1, len(references)), bool)
        own, _ = topic_counts(texts[-1:], texts[:-1], meets, vocabulary=words)
        if self.limit_bytes is None:
            return own
        lines = [first_bytes(text, self.limit_bytes, of_text=False) for text in (*references, peer)]
        return replace(own, lines=_counted_lines(texts, lines, words))

    def _prepared(self, topics: Iterable[Topic], how: str) -> Iterable[Topic]:
        """Find the sentences of every text, and cut it."""
        is_cut = self.limit_words is not None or self.limit_bytes is not None
        if how == "given" and not is_cut:
            return topics

        def prepared(text: Text) -> Text:
            return tuple(self._cut(sentences_of(text, how)))

        return (with_texts(topic, prepared) for topic in topics)


def rouge(
    corpus: HasTopics | Iterable[Topic],
    *,
    jackknife: bool,
    stemming: str = "exceptions",
    metrics: Iterable[str] = ("ROUGE-2", "ROUGE-SU4"),
    statistics: Iterable[str] | None = None,
    sentences: str = "given",
) -> pd.DataFrame:
    """Score every summary by ROUGE, not rounded; other settings are those of `Rouge`, by its method ``table``.

    Parameters
    ----------
    corpus : Corpus or iterable of Topic
        The summaries and the references that each of them meets.
    jackknife : bool
        Whether systems are scored by the mean over leaving one reference out, to be compared with people.
    stemming : {"exceptions", "well", "porter", "none"}
        A key of `STEMMERS`.
    metrics : iterable of str
        Keys of `METRICS`; those of the TAC evaluations by default.
    statistics : iterable of str, optional
        ``"R"``, ``"P"`` and ``"F"``: one row for each, named like ``ROUGE-2-F``. By default the recall alone,
        under the metric's own name.
    sentences : {"given", "auto", "split"}
        How sentences are found, for ROUGE-L and ROUGE-W; see `classy_aesop.text.sentences.sentences`.

    Returns
    -------
    pandas.DataFrame
        A score table; scores lie in 0 to 1, are 0 where nothing matches and NaN where no reference is met.

    Raises
    ------
    InputError
        For an unknown choice, or if a topic has fewer than two references and one is to be left out.
    """
    settings = Rouge(
        stemming=stemming,
        rounded=False,
        metrics=tuple(checked(metrics, METRICS, "ROUGE metric")),
    )
    return settings.table(corpus, jackknife=jackknife, statistics=statistics, sentences=sentences)


def _counted_lines(
    texts: Sequence[Sequence[str]], lines: Sequence[Sequence[str]], vocabulary: Vocabulary
) -> Lines:
    """Take the sentences of references and summary from ``lines``, and the counts of their terms from ``texts``."""
    n = len(texts)
    ids = term_ids([*texts, *lines], vocabulary)
    counted, read = ids.part(0, n), ids.part(n, 2 * n)
    unigrams = count_table(counted.term[:, None], ids.n_terms, counted.text, n, n - 1)
    return Lines(read.part(0, n - 1), read.part(n - 1, n), unigrams)


def with_texts(topic: Topic, change: Callable[[Text], Text]) -> Topic:
    """Change every text of a topic's own document set."""
    return replace(
        topic,
        summaries=tuple(replace(one, text=change(one.text)) for one in topic.summaries),
        references=tuple(replace(one, text=change(one.text)) for one in topic.references),
    )


def _framed(rows: Sequence[tuple[str, ...]], scores: Sequence[Floats]) -> pd.DataFrame:
    import pandas as pd

    table = pd.DataFrame(rows, columns=COLUMNS[:-1], dtype=str)
    return table.assign(score=np.concatenate(scores) if scores else np.zeros(0))
