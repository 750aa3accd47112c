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

from classy_aesop.baselines.base import check_known_names
from classy_aesop.baselines.length_limits import first_bytes, first_words
from classy_aesop.baselines.rouge_metrics import (
    AGGREGATES,
    MATCHES_BY_NAME,
    METRICS,
    ROUGE_STATISTICS,
    Aggregate,
    OriginalMetric,
    RougeMetric,
    Statistic,
    divide_or_zero,
    round_like_printf,
)
from classy_aesop.data.scores import drop_empty_stratum_columns, empty_table, key_table
from classy_aesop.data.topics import (
    ReferenceTexts,
    Summary,
    Texts,
    Topic,
    drop_earlier_references,
    text_rows,
)
from classy_aesop.errors import InputError
from classy_aesop.features.counts import TopicCounts, score_by_jackknife
from classy_aesop.features.table import (
    FewReferences,
    TopicSource,
    count_topics,
    read_topics,
    warn_of_lost_letters,
)
from classy_aesop.features.topic_batches import Split, TopicBatch, group_topics, thread_vocabulary
from classy_aesop.keywords import explain_keywords
from classy_aesop.text.arrays import Floats
from classy_aesop.text.common_subsequences import CommonSubsequences
from classy_aesop.text.sentence_pairs import SentencePairs
from classy_aesop.text.sentence_splitting import SENTENCES, Sentences, given_sentences, split_sentences
from classy_aesop.text.stems import STEMMERS, Stemming
from classy_aesop.text.tokens import CONTENT_TOKENIZERS, TOKENIZERS, Tokenizer
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
    stemming : {"exceptions", "well", "porter", "none"}, optional
        A key of `STEMMERS`. ``-m`` with the original's full data; the same, but *better* and *best* give *well* (their
        base depends on how the original's list was built); ``-m`` with an empty list; no ``-m``. All are for English.
        By default ``"exceptions"``, and ``"none"`` with ``tokenizer="unicode"``.
    stop_words : bool
        Whether to remove English stop words (``-s``).
    aggregate : {"average", "best"}
        Pool hits and counts of all references (``-f A``), or take the reference with the highest recall (``-f B``).
    limit_words, limit_bytes : int, optional
        Cut every text, including references, to this number of words (``-l``) or bytes of UTF-8 (``-b``); not both.
        Words are separated by white space, and a blank at the start of a sentence counts as a word, as in the original.
    recall_weight : float
        Weight of recall in F, 0 to 1: with 1, F is recall, with 0 precision. The original's ``-p`` is the weight of
        precision, 1 less this one.
    rounded : bool
        Whether to round to five decimals as the original does, with F computed from rounded recall and precision.
    metrics : str, or iterable of str
        Some of `METRICS`; by default all. Or names of the package rouge-score: ``rouge1`` to ``rouge4``;
        ``rougeLsum``, which is ROUGE-L; and ``rougeL``, which takes each text as one sentence. Scores have the names
        that were asked for.
    tokenizer : {"rouge", "unicode"}
        The original's tokens, of ASCII letters and digits; or letters and digits of any script, see
        `classy_aesop.text.tokens`.

    Raises
    ------
    InputError
        If an option has an unknown value, ``recall_weight`` is not in 0 to 1, a limit is no whole number of 1 or more,
        or both limits are given.

    Warns
    -----
    DataWarning
        When texts are scored by the original's tokens, if more than 5 % of their letters are outside ASCII.

    Notes
    -----
    With a summary or reference without tokens, recall, precision and F are 0 for every metric; for ROUGE-W, such a
    reference stops the original with a division by zero. For two texts of one token each, ROUGE-1, ROUGE-L and
    ROUGE-W can be 1; the other metrics are 0, including ROUGE-SU4, which never counts the last unigram of a text.
    Every character outside ASCII is treated as a blank, unless the tokenizer is ``"unicode"``.

    Examples
    --------
    >>> Rouge(metrics="rouge1").score_all(["The cat sat."], [["The cat ran.", "A cat sat down."]])
    [{'rouge1': RougeScore(recall=0.57143, precision=0.66667, f=0.61539)}]
    >>> Rouge(metrics="rouge1", tokenizer="unicode").score_all(["Да, дом."], ["дом"])[0]["rouge1"].precision
    0.5
    """

    stemming: Stemming | None = None
    stop_words: bool = False
    aggregate: Aggregate = "average"
    limit_words: int | None = None
    limit_bytes: int | None = None
    recall_weight: float = 0.5
    rounded: bool = True
    metrics: Iterable[RougeMetric] = METRICS
    tokenizer: Tokenizer = "rouge"

    def __post_init__(self) -> None:
        metrics = check_known_names(self.metrics, MATCHES_BY_NAME, "ROUGE metric")
        object.__setattr__(self, "metrics", tuple(metrics))
        check_known_names([self.aggregate], AGGREGATES, "aggregate")
        check_known_names([self.tokenizer], TOKENIZERS, "tokenizer")
        if self.stemming is not None:
            check_known_names([self.stemming], STEMMERS, "way to stem")
        weight: object = self.recall_weight
        if not isinstance(weight, int | float) or not 0 <= weight <= 1:
            raise InputError(f"recall_weight is {weight!r}; expected 0 to 1")
        if self.limit_words is not None and self.limit_bytes is not None:
            raise InputError("limit_words and limit_bytes are both given; expected at most one of them")
        for name in ("limit_words", "limit_bytes"):
            limit = getattr(self, name)
            if limit is not None and (not isinstance(limit, int | np.integer) or limit < 1):
                raise InputError(f"{name} is {limit!r}; expected 1 or more")

    @property
    def used_stemming(self) -> Stemming:
        """The way to stem, given or by default."""
        if self.stemming is not None:
            return self.stemming
        return "exceptions" if self.tokenizer == "rouge" else "none"

    def score_all(
        self, predictions: Texts, references: ReferenceTexts, *, sentences: Sentences = "given"
    ) -> list[dict[str, RougeScore]]:
        """Score a list of summaries; references that several of them share are counted once.

        Parameters
        ----------
        predictions : iterable of str
            The summaries, one text a row; a list of strings is a text in sentences.
        references : iterable of str or of lists
            The reference of each summary, or the list of its references.
        sentences : {"given", "auto", "split"}
            How sentences are found, for ROUGE-L and ROUGE-W; see
            `classy_aesop.text.sentence_splitting.split_sentences`. With ``"given"`` the lines of a string are its
            sentences, as in ROUGE-Lsum of the package rouge-score.

        Returns
        -------
        list of dict
            The `RougeScore` of each metric by its name, for each summary; NaN for one with an empty list of references.

        Raises
        ------
        InputError
            As `text_rows`.

        Examples
        --------
        >>> references = ["The cat ran.", ["A dog ran.", "The dog."]]
        >>> scores = Rouge().score_all(predictions=["The cat sat.", "A dog."], references=references)
        >>> [score["ROUGE-1"].recall for score in scores]
        [0.66667, 0.6]
        """
        check_known_names([sentences], SENTENCES, "way to find sentences")
        rows = text_rows(predictions, references)
        scores: list[dict[str, RougeScore]] = [{}] * len(rows.keys)
        for summary, score in self._score_topics(rows.topics, self._make_splitter(sentences)):
            scores[int(summary.summarizer) - 1] = score
        return scores

    def _score_topics(
        self, topics: Iterable[Topic], split: Split
    ) -> Iterator[tuple[Summary, dict[str, RougeScore]]]:
        """Score every summary of topics."""
        for batch, counts in self._count_topics(topics, split):
            scores = [
                map(RougeScore, *(values.tolist() for values in self._score_counts(metric, counts)))
                for metric in self.metrics
            ]
            for summary, score in zip(batch.summaries, zip(*scores, strict=True), strict=True):
                yield summary, dict(zip(self.metrics, score, strict=True))

    def _count_topics(
        self, topics: Iterable[Topic], split: Split
    ) -> Iterator[tuple[TopicBatch, TopicCounts]]:
        """Read topics, several at once, split into sentences and cut to the limit; at last warn of dropped letters."""
        keep_freed_memory()
        tokenizers = CONTENT_TOKENIZERS if self.stop_words else TOKENIZERS
        vocabulary = thread_vocabulary(tokenizers[self.tokenizer], self.used_stemming)
        letters = []
        for group in group_topics(topics):
            batch = TopicBatch.read_topics(group, vocabulary, lambda text: self._cut_to_limit(split(text)))
            counts = batch.counts
            if self.tokenizer == "rouge":
                letters.append(batch.letters)
            if self.limit_bytes is not None:
                texts = batch.read_again(lambda text: self._cut_lines(split(text))).counts.texts
                counts = replace(counts, lines=CommonSubsequences(SentencePairs(texts, counted=counts.texts)))
            yield batch, counts
        warn_of_lost_letters(letters)

    def _make_splitter(self, sentences: Sentences) -> Split:
        """Make the function that splits a text; blanks around given sentences stay, since limits count them."""

        def split_text(text: Sequence[str]) -> Sequence[str]:
            if sentences == "split":
                return split_sentences(text, "split", self.tokenizer)
            lines = given_sentences(text)
            if sentences == "auto" and len(lines) == 1:
                return split_sentences(lines, "split", self.tokenizer)
            return lines

        return split_text

    def table(
        self,
        corpus: TopicSource,
        *,
        jackknife: bool,
        statistics: Iterable[Statistic] | None = None,
        sentences: Sentences = "given",
        progress: bool = False,
    ) -> pd.DataFrame:
        """Score every summary of a corpus, like the function `rouge`, with the settings of this object.

        Parameters
        ----------
        corpus, jackknife, statistics, sentences, progress
            As for the function `rouge`.

        Raises
        ------
        InputError
            As `rouge`.
        """
        import pandas as pd

        check_known_names([sentences], SENTENCES, "way to find sentences")
        names, statistic_indices = self._name_rows(statistics)
        corpus = read_topics(corpus)
        total = count_topics(corpus)
        few_references = FewReferences()
        topics = few_references.watch(corpus) if jackknife else corpus
        watched_topics = show_progress(topics, "ROUGE", "topics", shown=progress, total=total)
        tables = [empty_table()]
        for batch, counts in self._count_topics(
            drop_earlier_references(watched_topics), self._make_splitter(sentences)
        ):
            scores = [self._score_metric(metric, counts, batch, jackknife) for metric in self.metrics]
            values = np.concatenate([score[statistic_indices] for score in scores])
            tables.append(_list_rouge_scores(batch, names, values))
        few_references.warn()
        return drop_empty_stratum_columns(pd.concat(tables, ignore_index=True))

    def _score_metric(self, metric: str, counts: TopicCounts, batch: TopicBatch, jackknife: bool) -> Floats:
        """Recall, precision and F of every summary, shape (3, n_summaries)."""
        if jackknife:
            return score_by_jackknife(
                lambda topics: self._score_counts(metric, topics), counts, batch.is_human
            )
        return self._score_counts(metric, counts)

    def _score_counts(self, metric: str, topics: TopicCounts) -> Floats:
        """Score every summary, shape (3, n_summaries); 0 if nothing matches, NaN if no reference is met."""
        matches = topics.compute_once(MATCHES_BY_NAME[metric])
        is_best = self.aggregate == "best"
        hits, reference_sizes, summary_sizes = (
            matches.select_best(topics) if is_best else matches.pool_references(topics)
        )
        recall = self._round(divide_or_zero(hits, reference_sizes) ** (1 / matches.power))
        precision = self._round(divide_or_zero(hits, summary_sizes) ** (1 / matches.power))
        weighted_sum = self.recall_weight * precision + (1 - self.recall_weight) * recall
        f = self._round(divide_or_zero(precision * recall, weighted_sum))
        return np.stack([recall, precision, f])

    def _round(self, values: Floats) -> Floats:
        return round_like_printf(values) if self.rounded else values

    def _name_rows(self, statistics: Iterable[Statistic] | None) -> tuple[list[str], list[int]]:
        """Give the names of a summary's rows, and the indices of their statistics in a score of one metric."""
        if statistics is None:
            return list(self.metrics), [0]
        letters = check_known_names(list(statistics), ROUGE_STATISTICS, "statistic")
        names = [f"{metric}-{letter}" for metric in self.metrics for letter in letters]
        return names, [ROUGE_STATISTICS.index(letter) for letter in letters]

    def _cut_to_limit(self, text: Sequence[str]) -> Sequence[str]:
        """Cut a text to the limit of words or bytes, if there is one."""
        if self.limit_words is not None:
            return first_words(text, self.limit_words)
        if self.limit_bytes is not None:
            return first_bytes(text, self.limit_bytes)
        return text

    def _cut_lines(self, text: Sequence[str]) -> list[str]:
        """Cut a text for ROUGE-L and ROUGE-W, whose bytes are those of each sentence."""
        limit = self.limit_bytes
        return list(text) if limit is None else first_bytes(text, limit, whole_text=False)


def _list_rouge_scores(batch: TopicBatch, metrics: Sequence[str], scores: Floats) -> pd.DataFrame:
    """List scores (n_metrics, n_summaries) in a score table: topic by topic, metric by metric."""
    import pandas as pd

    topic_of_summary = batch.counts.pairs.topic_of_summary
    order = np.argsort(np.tile(topic_of_summary, len(metrics)), kind="stable")
    metric, summary = np.divmod(order, max(topic_of_summary.size, 1))
    keys = key_table((*topic.key, text.summarizer) for topic in batch.topics for text in topic.summaries)
    table = keys.take(summary).reset_index(drop=True)
    return table.assign(
        metric=pd.Series(metrics, dtype=str).array.take(metric), score=scores.ravel().take(order)
    )


COMMON: tuple[OriginalMetric, ...] = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")
"""What is reported as a baseline: the metrics of the TAC evaluations, and those that are reported most."""


@explain_keywords()
def rouge(
    corpus: TopicSource | Texts,
    references: ReferenceTexts | None = None,
    *,
    jackknife: bool = False,
    stemming: Stemming | None = None,
    metrics: Iterable[RougeMetric] = COMMON,
    statistics: Iterable[Statistic] | None = None,
    sentences: Sentences = "given",
    tokenizer: Tokenizer = "rouge",
) -> pd.DataFrame:
    """Score every summary by ROUGE, unrounded; for other settings use `Rouge` and its method ``table``.

    Parameters
    ----------
    corpus : Corpus, iterable of Topic, DataFrame, path-like; or iterable of str
        The summaries and the references that each of them is compared with; or the summaries alone, one text a row.
    references : iterable of str or of lists, optional
        The reference of each summary, or the list of its references, where ``corpus`` is a list of summaries. A single
        summary and its reference may be two strings.
    jackknife : bool
        Whether systems get the mean over leaving each reference out, which makes them comparable with humans.
    stemming, tokenizer
        As for `Rouge`.
    metrics : iterable of str
        As for `Rouge`; by default `COMMON`.
    statistics : iterable of str, optional
        Some of ``"R"``, ``"P"`` and ``"F"``: one row for each, with metrics named like ``ROUGE-2-F``. By default
        only recall, under the metric's own name.
    sentences : {"given", "auto", "split"}
        How sentences are found, for ROUGE-L and ROUGE-W; see `classy_aesop.text.sentence_splitting.split_sentences`.

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
    >>> rouge(["Rain fell."], ["Rain fell all day."], metrics=["ROUGE-1"])["score"].tolist()
    [0.5]
    """
    settings = Rouge(stemming=stemming, rounded=False, metrics=metrics, tokenizer=tokenizer)
    topics: TopicSource = corpus  # type: ignore[assignment]
    if references is not None:
        summaries = [corpus] if isinstance(corpus, str) else corpus
        topics = text_rows(
            summaries,  # type: ignore[arg-type]
            [references] if isinstance(references, str) else references,
        ).topics
    return settings.table(topics, jackknife=jackknife, statistics=statistics, sentences=sentences)
