"""What features look at: the texts of a topic, read by the options and counted once for all features.

`TopicCounts` is the input of a feature that compares with references, and `SummaryCounts` of one that looks at each
summary alone. `mean_left_out` scores a system by leaving each reference out in turn, for features and baselines.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import numpy as np

from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.text.arrays import Booleans, Floats, IntArray, SmallIntegers
from classy_aesop.text.ngram_graphs import Graphs
from classy_aesop.text.ngrams import NgramCounts, Ngrams, Sequences
from classy_aesop.text.sentences import SENTENCES, SPLITTER, Sentences
from classy_aesop.text.subsequences import Lines
from classy_aesop.text.terms import TermIds, joined, terms_of
from classy_aesop.text.tokens import TOKENIZERS, Tokenizer
from classy_aesop.text.vocabulary import Chunks, Vocabulary, joined_chunks
from classy_aesop.text.writing import Writing

References = Literal["unequal", "jackknife", "none"]

REFERENCES: tuple[References, ...] = get_args(References)
"""What summaries are compared with: all their references, all but one at a time, or no reference at all."""

CHOICES = {"sentences": SENTENCES, "tokenizer": tuple(TOKENIZERS), "references": REFERENCES}
"""The choices of each option."""


@dataclass(frozen=True)
class FeatureOptions:
    """How texts are read and compared.

    Parameters
    ----------
    sentences : {"auto", "given", "split"}
        How sentences are found; see `classy_aesop.text.sentences.sentences`.
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

    sentences: Sentences = "auto"
    tokenizer: Tokenizer = "rouge"
    references: References = "unequal"

    def __post_init__(self) -> None:
        for name, known in CHOICES.items():
            if getattr(self, name) not in known:
                raise InputError(f"{name} is {getattr(self, name)!r}; expected one of {', '.join(known)}")

    def to_dict(self) -> dict[str, str]:
        """Return the options and the version of the sentence splitter, on which linguistic features depend.

        Examples
        --------
        >>> FeatureOptions(references="jackknife").to_dict()["references"]
        'jackknife'
        """
        return asdict(self) | {"splitter": SPLITTER}

    @classmethod
    def from_dict(cls, values: Mapping[str, str]) -> FeatureOptions:
        """Make the options from the result of `to_dict`.

        Warns
        -----
        DataWarning
            If the result names another version of the sentence splitter.
        """
        options: dict[str, Any] = dict(values)
        splitter = options.pop("splitter", SPLITTER)
        if splitter != SPLITTER:
            message = f"made with the sentence splitter {splitter}; this version uses {SPLITTER}"
            warnings.warn(message, DataWarning, stacklevel=2)
        return cls(**options)


Value = TypeVar("Value")


@dataclass(frozen=True)
class SummaryCounts:
    """The input of a linguistic feature: summaries, of one topic or of several, whose values do not depend on others.

    Parameters
    ----------
    summaries : TermIds
        The tokens of the summaries. Between summaries of different topics, equal ids need not be the same term.
    writing : Writing
        The summaries as they are written, with the capitals and punctuation that tokens lack.
    """

    summaries: TermIds
    writing: Writing

    @classmethod
    def together(cls, parts: Sequence[SummaryCounts]) -> SummaryCounts:
        """Put the summaries of several topics one after another, at least of one, read by one vocabulary."""
        chunks = joined_chunks([part.writing.chunks for part in parts])
        return cls(joined([part.summaries for part in parts]), Writing(chunks))

    def once(self, function: Callable[[Any], Value]) -> Value:
        """Value of a function of these counts, computed on first use and shared by all features that ask for it."""
        if function not in self._known:
            self._known[function] = function(self)
        known: Value = self._known[function]
        return known

    @cached_property
    def _known(self) -> dict[Callable[[Any], Any], Any]:
        return {}

    def entropy(self, counts: IntArray, owner: IntArray) -> Floats:
        """Entropy, in bits, of each summary's counts as shares of its tokens; 0 if it is empty.

        ``owner`` is the summary that each count belongs to.
        """
        shares = counts / self.summaries.n_tokens.take(owner)
        bits = np.bincount(owner, -shares * np.log2(shares), minlength=self.summaries.n_tokens.size)
        return np.maximum(bits, 0.0)


@dataclass(frozen=True)
class TopicCounts(SummaryCounts):
    """The input of a content feature: the summaries of one topic and the references that each is compared with.

    Parameters
    ----------
    summaries, writing
        As `SummaryCounts`.
    ngrams : Ngrams
        N-gram counts of the summaries and of each reference; ``bigrams`` and ``skip_bigrams`` are shortcuts.
    meets : array of bool, shape (..., n_summaries, n_references)
        Whether each summary is compared with each reference ("meets" it). Leading axes stand for several choices
        of references; the values of a content feature have the same leading axes.
    graphs : Graphs
        Character n-gram graphs of the summaries and of all references of both sets.
    given_lines : Lines, optional
        Their sentences, if others than those that are counted, or if they are known already.
    """

    ngrams: Ngrams
    meets: Booleans
    graphs: Graphs
    given_lines: Lines | None = None

    @property
    def bigrams(self) -> NgramCounts:
        """Bigrams of the summaries and of each reference."""
        return self.ngrams.bigrams

    @property
    def skip_bigrams(self) -> NgramCounts:
        """Skip-bigrams and unigrams of ROUGE-SU4."""
        return self.ngrams.skip_bigrams

    @cached_property
    def lines(self) -> Lines:
        """Sentences of the summaries and of each reference, for common subsequences."""
        own, texts = self.ngrams, self.ngrams.sequences.ids
        return self.given_lines or Lines(texts, own.references, self.summaries, own.unigrams)

    @cached_property
    def n_met(self) -> IntArray:
        """Number of references that each summary meets, shape (..., n_summaries)."""
        met: IntArray = self.meets.sum(axis=-1)
        return met

    @cached_property
    def nothing_met(self) -> Floats:
        """NaN for each summary that meets no reference, else 0; shape (..., n_summaries)."""
        return np.where(self.n_met > 0, 0.0, np.nan)

    @cached_property
    def pooled_bigrams(self) -> SmallIntegers:
        """Counts of bigrams in all references that each summary meets, shape (..., n_summaries, n_bigrams)."""
        return self.bigrams.pooled(self.meets)

    def best_reference(self, values: Floats | IntArray) -> Floats:
        """Maximum of (n_summaries, n_references) values >= 0 over the references met, or NaN if none is met."""
        greatest: Floats = (values * self.meets).max(axis=-1, initial=0) + self.nothing_met
        return greatest

    def total(self, values: Floats | IntArray) -> Floats:
        """Sum of (n_summaries, n_references) values over the references met, or NaN if none is met."""
        total: Floats = (values * self.meets).sum(axis=-1) + self.nothing_met
        return total

    @cached_property
    def leaving_one_out(self) -> TopicCounts:
        """The same topic with each reference left out in turn, along a new first axis of ``meets``."""
        return replace(self, meets=leaving_one_out(self.meets), given_lines=self.lines)


FeatureFunction = Callable[[TopicCounts], Floats]
"""A content feature, or another metric."""


def jackknifed(function: FeatureFunction, topic: TopicCounts, is_human: Booleans) -> Floats:
    """Score every system that meets all references by the mean over leaving each of them out.

    It is then compared with as many references at a time as a human who wrote one of them. Others are scored as usual.
    With fewer than two references it is NaN.
    """
    return mean_left_out(function(topic.leaving_one_out), function(topic), topic.meets, is_human)


def leaving_one_out(meets: Booleans) -> Booleans:
    """Leave each reference out in turn: shape (n_references, n_summaries, n_references)."""
    return meets & ~np.eye(meets.shape[1], dtype=bool)[:, None]


def mean_left_out(left_out: Floats, plain: Floats, meets: Booleans, is_human: Booleans) -> Floats:
    """Give systems that meet all references the mean over leaving one out, and others their plain score.

    Given are scores (n_references, n_summaries) with each left out, (n_summaries,) with all, who meets which
    (n_summaries, n_references), and who is human.
    """
    if not len(left_out):
        return plain
    return np.where(~is_human & meets.all(axis=1), left_out.sum(axis=0) / len(left_out), plain)


class TopicTexts(NamedTuple):
    """The texts of a topic, each given as its sentences, and whether each summary meets each reference."""

    summaries: Sequence[Sequence[str]]
    references: Sequence[Sequence[str]]
    earlier: Sequence[Sequence[str]]
    meets: Booleans

    @property
    def every(self) -> list[Sequence[str]]:
        """All texts, the references first."""
        return [*self.references, *self.earlier, *self.summaries]

    def counts(self, ids: TermIds, chunks: Chunks) -> tuple[TopicCounts, TopicCounts | None]:
        """Count the texts; as `topic_counts`."""
        n_current, n_references = len(self.references), len(self.references) + len(self.earlier)
        sequences = Sequences(ids, n_references)
        written, writing = ids.after(n_references), Writing(chunks.part(n_references, chunks.n_texts))
        graphs = Graphs([*self.references, *self.earlier], self.summaries)

        def against(first: int, last: int, meets: Booleans) -> TopicCounts:
            """Count the summaries with some of the references."""
            return TopicCounts(written, writing, Ngrams(sequences, slice(first, last)), meets, graphs)

        own = against(0, n_current, self.meets)
        if not self.earlier:
            return own, None
        return own, against(n_current, n_references, np.ones((len(self.summaries), len(self.earlier)), bool))


class Counted(NamedTuple):
    """Counts of a topic's summaries with its own references and the earlier ones, and letters outside ASCII and all."""

    own: TopicCounts
    earlier: TopicCounts | None
    letters: tuple[int, int]


def several_counts(topics: Sequence[TopicTexts], vocabulary: Vocabulary) -> list[Counted]:
    """Count the texts of several topics, which are read at once."""
    texts = [one.every for one in topics]
    sizes = list(map(len, texts))
    chunks = vocabulary.read(list(chain.from_iterable(texts)))
    found = []
    bounds = pairwise(accumulate(sizes, initial=0))
    for one, ids, (first, last) in zip(topics, terms_of(chunks, vocabulary, sizes), bounds, strict=True):
        here = chunks.part(first, last)
        found.append(Counted(*one.counts(ids, here), here.letters))
    return found


def topic_counts(
    summaries: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    meets: Booleans,
    *,
    earlier: Sequence[Sequence[str]] = (),
    vocabulary: Vocabulary,
) -> tuple[TopicCounts, TopicCounts | None]:
    """Count the texts of a topic, each given as its sentences, with their own references and all earlier ones."""
    (found,) = several_counts([TopicTexts(summaries, references, earlier, meets)], vocabulary)
    return found.own, found.earlier


def meetings(topic: Topic) -> Booleans:
    """Whether each summary is compared with each reference, shape (n_summaries, n_references)."""
    authors = {reference.summarizer for reference in topic.references}
    meets = np.ones((len(topic.summaries), len(topic.references)), bool)
    for at, summary in enumerate(topic.summaries):
        if summary.references is not None or summary.summarizer in authors:
            meets[at] = topic.meets(summary)
    return meets


def is_human(topic: Topic) -> Booleans:
    """Whether a human wrote each summary, shape (n_summaries,)."""
    return np.array([summary.human for summary in topic.summaries], bool)


def strings(topic: Topic) -> Iterator[str]:
    """Yield the sentences of all summaries and references, as given."""
    texts: tuple[Summary | Reference, ...]
    texts = (*topic.summaries, *topic.references, *topic.earlier_references)
    return chain.from_iterable(text.text for text in texts)
