"""What features look at: the texts of several topics, read by the options and counted once for all features.

`TopicCounts` is the input of a feature that compares with references, and `SummaryCounts` of one that looks at each
summary alone. `score_by_jackknife` and `average_left_out` score a system by leaving each reference out in turn, for
features and baselines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from classy_aesop.data.topics import Topic
from classy_aesop.errors import InputError, warn
from classy_aesop.outside import Choices
from classy_aesop.text.arrays import Booleans, Floats, IndexArray
from classy_aesop.text.common_subsequences import CommonSubsequences
from classy_aesop.text.ngram_graphs import Graphs
from classy_aesop.text.ngrams import Ngrams
from classy_aesop.text.pair_counts import PairCounts
from classy_aesop.text.pairs import Pairs
from classy_aesop.text.reference_sets import ReferenceSets
from classy_aesop.text.sentence_pairs import SentencePairs
from classy_aesop.text.sentence_splitting import SENTENCES, SPLITTERS, Sentences
from classy_aesop.text.term_ids import TermIds
from classy_aesop.text.token_batches import TokenBatch
from classy_aesop.text.tokens import TOKENIZERS, Tokenizer
from classy_aesop.text.vocabulary import Chunks
from classy_aesop.text.written_texts import Writing
from classy_aesop.work.options import find_faults, option

References = Literal["unequal", "jackknife", "none"]

REFERENCE_CHOICES: tuple[References, ...] = get_args(References)
"""What summaries are compared with: all their references, all but one at a time, or no reference at all."""


@dataclass(frozen=True)
class FeatureOptions:
    """How texts are read and compared.

    Parameters
    ----------
    sentences : {"auto", "given", "split"}
        How sentences are found; see `classy_aesop.text.sentence_splitting.split_sentences`.
    tokenizer : {"rouge", "unicode"}
        ROUGE-1.5.5's tokens, stemmed; or letters and digits of any script, unstemmed.
    references : {"unequal", "jackknife", "none"}
        Whether a system is compared with all references at once, or gets the mean over leaving each of them out.
        With ``"jackknife"`` it is compared with as many references as a human who wrote one of them. References
        of an earlier set are never left out. With ``"none"`` references are not read, and the features that need them
        are left out.

    Raises
    ------
    InputError
        If an option has an unknown value.

    Examples
    --------
    >>> FeatureOptions(tokenizer="unicode")
    FeatureOptions(sentences='auto', tokenizer='unicode', references='unequal')
    >>> FeatureOptions(tokenizer="words")
    Traceback (most recent call last):
    classy_aesop.errors.InputError: tokenizer is 'words'; expected one of rouge, unicode
    """

    sentences: Sentences = option(
        "auto",
        'how sentences are found: "given"; "split" by rule; "auto": given, unless a text is in one piece',
        choices=Choices(*SENTENCES),
    )
    tokenizer: Tokenizer = option(
        "rouge",
        'how tokens are found: "unicode" for text that is not English',
        choices=Choices(*TOKENIZERS),
    )
    references: References = option(
        "unequal",
        '"jackknife": systems meet as many references as humans; "none": nothing is compared with references',
        choices=Choices(*REFERENCE_CHOICES),
    )

    def __post_init__(self) -> None:
        for name, fault in find_faults(self):
            raise InputError(f"{name} is {fault}")

    def to_dict(self) -> dict[str, str]:
        """Return the options and the version of the sentence splitter, on which linguistic features depend.

        Examples
        --------
        >>> FeatureOptions(references="jackknife").to_dict()["references"]
        'jackknife'
        """
        return asdict(self) | {"splitter": SPLITTERS[self.tokenizer]}

    @classmethod
    def from_dict(cls, values: Mapping[str, str]) -> FeatureOptions:
        """Make the options from the result of `to_dict`.

        Warns
        -----
        DataWarning
            If the result names another version of the sentence splitter.
        """
        choices = dict(values)
        splitter = choices.pop("splitter", None)
        options = cls(**choices)  # type: ignore[arg-type]  # which it checks
        expected = SPLITTERS[options.tokenizer]
        if splitter not in (None, expected):
            message = f"made with the sentence splitter {splitter}; this version uses {expected}"
            warn(message)
        return options


DEFAULT_OPTIONS = FeatureOptions()
"""How texts are read and compared by default."""

CountsValue = TypeVar("CountsValue")


@dataclass(frozen=True)
class SummaryCounts:
    """The input of a linguistic feature: summaries of one topic or of several, whose values do not depend on others.

    Parameters
    ----------
    all_texts : TokenBatch
        The tokens of the summaries and of all references of their topics, of this set and of an earlier one.
    chunks : Chunks
        The same texts as they are written.
    """

    all_texts: TokenBatch
    chunks: Chunks

    @property
    def summaries(self) -> TermIds:
        """The tokens of the summaries. Between summaries of different topics, equal ids need not be the same term."""
        return self.all_texts.summaries

    @cached_property
    def writing(self) -> Writing:
        """The summaries as they are written, with the capitals and punctuation that tokens lack."""
        return Writing(self.chunks.select_texts(~self.all_texts.pairs.is_reference))

    def compute_once(self, function: Callable[[Any], CountsValue]) -> CountsValue:
        """Give the value of a function of these counts, computed on first use and shared by all features."""
        if function not in self._values:
            self._values[function] = function(self)
        value: CountsValue = self._values[function]
        return value

    @cached_property
    def _values(self) -> dict[Callable[[Any], Any], Any]:
        return {}

    def entropy(self, counts: IndexArray, summary: IndexArray) -> Floats:
        """Entropy, in bits, of each summary's counts as shares of its tokens; 0 if it is empty.

        ``summary`` is the one that each count belongs to.
        """
        shares = counts / self.summaries.n_tokens.take(summary)
        bits = np.bincount(summary, -shares * np.log2(shares), minlength=self.summaries.n_tokens.size)
        return np.maximum(bits, 0.0)


@dataclass(frozen=True)
class TopicCounts(SummaryCounts):
    """The input of a content feature: the summaries of several topics and the references that each is compared with.

    What is counted of a summary and a reference has an element for every pair of them, (n_pairs,), see `text.pairs`.

    Parameters
    ----------
    all_texts, chunks
        As `SummaryCounts`.
    ngrams : Ngrams
        N-grams that summaries share with references; ``bigrams`` and ``skip_bigrams`` are shortcuts.
    lines : CommonSubsequences
        Common subsequences of their sentences.
    meets : array of bool, shape (n_pairs,)
        Whether each pair's summary is compared with the reference ("meets" it).
    graphs : Graphs
        Character n-gram graphs of references and summaries.
    """

    ngrams: Ngrams
    lines: CommonSubsequences
    meets: Booleans
    graphs: Graphs

    @classmethod
    def from_texts(
        cls, written: SummaryCounts, texts: TokenBatch, meets: Booleans, sentences: Sequence[Sequence[str]]
    ) -> TopicCounts:
        """Count texts, given also as they are written, each its sentences.

        Parameters
        ----------
        written : SummaryCounts
            The summaries.
        texts : TokenBatch
            The tokens of references and summaries.
        meets : ndarray of bool, shape (n_pairs,)
            Whether each pair's summary is compared with the reference.
        sentences : sequence of sequences of str
            The sentences of each text, for graphs of character n-grams.
        """
        return cls(
            written.all_texts,
            written.chunks,
            Ngrams(texts),
            CommonSubsequences(SentencePairs(texts)),
            meets,
            Graphs(sentences, texts.pairs),
        )

    @property
    def texts(self) -> TokenBatch:
        """The tokens of references and summaries."""
        return self.ngrams.texts

    @property
    def pairs(self) -> Pairs:
        """The pairs of a summary and a reference of its topic."""
        return self.texts.pairs

    @property
    def bigrams(self) -> PairCounts:
        """Bigrams of the summaries and of each reference."""
        return self.ngrams.bigrams

    @property
    def skip_bigrams(self) -> PairCounts:
        """Skip-bigrams and unigrams of ROUGE-SU4."""
        return self.ngrams.skip_bigrams

    @cached_property
    def n_met(self) -> IndexArray:
        """Number of references that each summary meets, shape (n_summaries,)."""
        return self.pairs.sum_pairs(self.meets).astype(np.intp)

    @cached_property
    def nan_without_references(self) -> Floats:
        """NaN for each summary that meets no reference, else 0, shape (n_summaries,)."""
        return np.where(self.n_met > 0, 0.0, np.nan)

    @cached_property
    def sets(self) -> ReferenceSets:
        """The sets of references that summaries meet."""
        return ReferenceSets.find_sets(self.pairs, self.meets)

    def max_over_references(self, values: Floats | IndexArray) -> Floats:
        """Maximum of values >= 0 of pairs over the references that each summary meets, or NaN if it meets none."""
        return self.pairs.max_of_pairs(values * self.meets) + self.nan_without_references

    def sum_over_references(self, values: Floats | IndexArray) -> Floats:
        """Sum of values of pairs over the references that each summary meets, or NaN if it meets none."""
        return self.pairs.sum_pairs(values * self.meets) + self.nan_without_references

    @cached_property
    def leaving_one_out(self) -> list[TopicCounts]:
        """The same topics without the first reference of each, without the second one, and so on."""
        max_references = int(self.pairs.n_references.max(initial=0))
        return [
            replace(self, meets=self.meets & (self.pairs.reference_index != index))
            for index in range(max_references)
        ]


FeatureFunction = Callable[[TopicCounts], Floats]
"""A content feature, or another metric; its values have shape (..., n_summaries)."""


def score_by_jackknife(function: FeatureFunction, topics: TopicCounts, is_human: Booleans) -> Floats:
    """Score every system that meets all references by the mean over leaving each of them out.

    It is then compared with as many references at a time as a human who wrote one of them. Others are scored as usual.

    Shapes: ``is_human`` (n_summaries,); gives (..., n_summaries).
    """
    scores = function(topics)
    n_references = topics.pairs.n_references_of_summary
    sums = np.zeros_like(scores)
    for index, remaining in enumerate(topics.leaving_one_out):
        sums += np.where(n_references > index, function(remaining), 0.0)
    is_jackknifed = ~is_human & (topics.n_met == n_references) & (n_references > 0)
    return np.where(is_jackknifed, sums / np.maximum(n_references, 1), scores)


def average_left_out(score: Callable[[Booleans], Floats], meets: Booleans, is_human: Booleans) -> Floats:
    """Score the summaries of one topic, as `score_by_jackknife` does, by a function of what they meet.

    Shapes: ``meets`` (n_summaries, n_references), ``is_human`` (n_summaries,); gives (n_summaries,).
    """
    references = np.arange(meets.shape[1])
    if not references.size:
        return score(meets)
    without_each = np.sum([score(meets & (references != index)) for index in references], axis=0)
    return np.where(~is_human & meets.all(axis=1), without_each / references.size, score(meets))


def meets_of_topic(topic: Topic) -> Booleans:
    """Whether each summary is compared with each reference, shape (n_summaries, n_references)."""
    return meets_of_pairs([topic]).reshape(len(topic.summaries), len(topic.references))


def meets_of_pairs(topics: Iterable[Topic]) -> Booleans:
    """Whether each pair's summary is compared with its reference, for the pairs of several topics, shape (n_pairs,)."""
    meets: list[bool] = []
    for topic in topics:
        authors = {reference.summarizer for reference in topic.references}
        meets_all = (True,) * len(topic.references)
        for summary in topic.summaries:
            is_special = summary.references is not None or summary.summarizer in authors
            meets += topic.meets(summary) if is_special else meets_all
    return np.array(meets, bool)


def mark_humans(topic: Topic) -> Booleans:
    """Whether a human wrote each summary, shape (n_summaries,)."""
    return np.array([summary.human for summary in topic.summaries], bool)
