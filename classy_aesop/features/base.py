"""Features: their definition, their input, and the table of all of them.

A feature is a function to one number per summary: from `TopicCounts`; from `SummaryCounts` if it is linguistic; from
`peers.Peers` if it looks at the other summaries; from `sources.Sources` if it looks at the source documents. It has no
state; the decorator `feature` only registers the function with its attributes. Everything is counted once per topic and
shared by all features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, chain, pairwise
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from classy_aesop.features.long_texts import LongText
from classy_aesop.features.overlaps import (
    Matrices,
    SentenceOverlaps,
    SentenceSimilarity,
    long_texts,
    overlap_matrices,
)
from classy_aesop.features.tiers import ReferenceSets, Tiers
from classy_aesop.text.chunks import Chunks, joined_chunks
from classy_aesop.text.counts import (
    Booleans,
    Floats,
    IntArray,
    NgramCounts,
    SmallIntegers,
    TermIds,
    Vocabulary,
    joined,
    terms_of,
)
from classy_aesop.text.matching import Lines
from classy_aesop.text.ngram_graphs import Graphs
from classy_aesop.text.shared_ngrams import Ngrams, Sequences
from classy_aesop.text.writing import Writing

Kind = Literal["content", "linguistic", "peers", "sources"]

GROUPS = {
    "classic": "the 13 of Rankel (2016)",
    "rouge": "words, longer n-grams and common subsequences of a reference",
    "divergence": "distance between the distribution of words in the summary and in the references",
    "pyramid": "content words and bigrams, weighted by how many references hold them",
    "graph": "neighbouring characters, compared with those of the references",
    "readability": "length and variety of the words",
    "anaphora": "words that refer to earlier text",
    "form": "sentences, punctuation and capitals as they are written",
    "repetition": "repeated content",
    "flow": "similarity of neighbouring sentences",
    "consensus": "content words and bigrams, weighted by how many other systems have them",
    "sources": "content of the source documents, and where it stands there",
}
"""Groups of features that can be selected together, in table order, and what they look at."""


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

    @cached_property
    def overlap_matrices(self) -> Matrices:
        """Numbers of terms that each two sentences of a summary have in common; without long summaries."""
        return overlap_matrices(self.summaries)

    @cached_property
    def long_texts(self) -> dict[int, LongText]:
        """The terms of the sentences of long summaries."""
        return long_texts(self.summaries)

    @cached_property
    def overlaps(self) -> SentenceOverlaps:
        """The sums over these matrices that describe their sentences, neighbours and themes."""
        return SentenceOverlaps.of(self.summaries, self.overlap_matrices, self.long_texts)

    @cached_property
    def sentence_similarity(self) -> SentenceSimilarity:
        """Mean similarity of the sentences of each summary."""
        return SentenceSimilarity.of(self.summaries.n_texts, self.overlap_matrices, self.long_texts)

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
    lines : Lines
        Their sentences, for common subsequences.
    graphs : Graphs
        Character n-gram graphs of the summaries and of all references of both sets.
    in_graphs : slice
        Which of the references in ``graphs`` are those of ``meets``.
    """

    ngrams: Ngrams
    meets: Booleans
    lines: Lines
    graphs: Graphs
    in_graphs: slice

    @property
    def bigrams(self) -> NgramCounts:
        """Bigrams of the summaries and of each reference."""
        return self.ngrams.bigrams

    @property
    def skip_bigrams(self) -> NgramCounts:
        """Skip-bigrams and unigrams of ROUGE-SU4."""
        return self.ngrams.skip_bigrams

    @cached_property
    def n_met(self) -> IntArray:
        """Number of references that each summary meets, shape (..., n_summaries)."""
        met: IntArray = np.count_nonzero(self.meets, axis=-1)
        return met

    @cached_property
    def nothing_met(self) -> Floats:
        """NaN for each summary that meets no reference, else 0; shape (..., n_summaries)."""
        return np.where(self.n_met > 0, 0.0, np.nan)

    @cached_property
    def sets_met(self) -> ReferenceSets:
        """The distinct sets of references that summaries meet."""
        return ReferenceSets.of(self.meets)

    @cached_property
    def word_tiers(self) -> Tiers:
        """Words that are not stop words, by how many of the references met hold them."""
        return Tiers.of(self.ngrams.content_words, self.summaries.n_content_words, self.sets_met)

    @cached_property
    def bigram_tiers(self) -> Tiers:
        """Bigrams by how many of the references met hold them."""
        return Tiers.of(self.bigrams, self.summaries.n_distinct_bigrams, self.sets_met)

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
        return replace(self, meets=leaving_one_out(self.meets))


FeatureFunction = Callable[[TopicCounts], Floats]
"""A content feature, or another metric."""


Function = TypeVar("Function", bound=Callable[..., Floats])


class Feature(NamedTuple):
    """A registered feature: its name, its function and the arguments of its decorator.

    The function of a content feature takes `TopicCounts`, that of a linguistic one `SummaryCounts`, and that of one
    that looks at the other summaries `peers.Peers`, at the source documents `sources.Sources`.
    """

    name: str
    function: Callable[[Any], Floats]
    kind: Kind
    group: str
    bounds: tuple[float, float]
    source: str
    why: str = ""

    def checked(self, values: Floats, n_summaries: int) -> Floats:
        """Return values of its function as they are.

        Raises
        ------
        ValueError
            If they are not one a summary, or one is outside the bounds that the feature declares.
        """
        if np.shape(values) != (n_summaries,):
            shape = np.shape(values)
            raise ValueError(f"feature {self.name} gives values of shape {shape}; expected ({n_summaries},)")
        low, high = self.bounds
        ends = np.fmin.reduce(values, initial=np.inf), np.fmax.reduce(values, initial=-np.inf)
        if ends[0] < low - _ROUNDING or ends[1] > high + _ROUNDING:
            found = ends[0] if ends[0] < low - _ROUNDING else ends[1]
            raise ValueError(f"feature {self.name} is {found:g}; expected {low:g} to {high:g} as it declares")
        return values


_ROUNDING = 1e-9
"""How far rounding may take a feature out of its bounds."""


def side_by_side(computed: Sequence[tuple[Feature, Floats]], n_summaries: int) -> Floats:
    """Put the values of features side by side, (n_summaries, n_features); they are refused as by `Feature.checked`."""
    if not computed:
        return np.zeros((n_summaries, 0))
    low, high = np.array([one.bounds for one, _ in computed]).T
    X = _stacked([values for _, values in computed], n_summaries)
    if X is not None:
        least, most = low - _ROUNDING, high + _ROUNDING
        if not ((least > X) | (most < X)).any():
            return X
    return np.column_stack([one.checked(values, n_summaries) for one, values in computed])


def _stacked(values: Sequence[Floats], n_summaries: int) -> Floats | None:
    """Give values of features as columns; None if they are not real numbers, one a summary."""
    try:
        stacked = np.array(values)
    except ValueError:  # of different lengths
        return None
    is_right = stacked.shape == (len(values), n_summaries) and stacked.dtype.kind in _REAL
    return stacked.T.astype(float, copy=False) if is_right else None


_REAL = "fiub"
"""Kinds of the types of real numbers."""

FEATURES: dict[str, Feature] = {}
"""Every feature by name; filled by the modules of this package."""


def feature(
    *, kind: Kind, group: str, bounds: tuple[float, float] = (-np.inf, np.inf), source: str, why: str = ""
) -> Callable[[Function], Function]:
    """Register a function as the feature of its name, and return it unchanged.

    Parameters
    ----------
    kind : {"content", "linguistic", "peers", "sources"}
        A content feature compares with references, and has a column for each set of references. A linguistic one looks
        at each summary alone; one of peers looks at the other summaries of the topic. Both are given the summaries of
        several topics at once. One of sources looks at the topic's documents.
    group : str
        One of `GROUPS`.
    bounds : pair of float
        Its smallest and largest possible values.
    source : str
        The publication that defines it.
    why : str
        What it says about a summary, for the page of features.

    Raises
    ------
    ValueError
        If the group is unknown, or a feature or group already has this name.
    """
    if group not in GROUPS:
        raise ValueError(f"unknown group {group!r}; expected one of {', '.join(GROUPS)}")

    def register(function: Function) -> Function:
        name = function.__name__
        if name in GROUPS:
            raise ValueError(f"feature {name!r} has the name of a group")
        if name in FEATURES:
            raise ValueError(f"feature {name!r} exists already, in {FEATURES[name].function.__module__}")
        FEATURES[name] = Feature(name, function, kind, group, bounds, source, why)
        return function

    return register


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
            part = slice(first, last)
            ngrams = Ngrams(sequences, part)
            lines = Lines(ids, part, written, ngrams.unigrams)
            return TopicCounts(written, writing, ngrams, meets, lines, graphs, part)

        own = against(0, n_current, self.meets)
        if not self.earlier:
            return own, None
        return own, against(n_current, n_references, np.ones((len(self.summaries), len(self.earlier)), bool))


class Counted(NamedTuple):
    """The counts of a topic's summaries with its own references and with the earlier ones, and its letters.

    The letters are numbers of those outside ASCII, which ROUGE's tokenizer drops, and of all letters.
    """

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
    """Count the texts of a topic, each given as its sentences.

    Returns
    -------
    own, earlier : TopicCounts
        The summaries with the references of their own set, and with the earlier references, if there are any. All
        summaries are compared with all earlier references.
    """
    (found,) = several_counts([TopicTexts(summaries, references, earlier, meets)], vocabulary)
    return found.own, found.earlier


def jackknifed(function: FeatureFunction, topic: TopicCounts, is_human: Booleans) -> Floats:
    """Score every system that meets all references by the mean over leaving each of them out.

    A system is then compared with as many references at a time as a human who wrote one of them. Humans, and
    systems that meet only some of the references, are scored as usual. With fewer than two references it is NaN.
    """
    return mean_left_out(function(topic.leaving_one_out), function(topic), topic.meets, is_human)


def leaving_one_out(meets: Booleans) -> Booleans:
    """Leave each reference out in turn: shape (n_references, n_summaries, n_references)."""
    return meets & ~np.eye(meets.shape[1], dtype=bool)[:, None]


def mean_left_out(left_out: Floats, plain: Floats, meets: Booleans, is_human: Booleans) -> Floats:
    """Give systems that meet all references the mean over leaving one out, and others their plain score.

    Parameters
    ----------
    left_out : array, shape (n_references, n_summaries)
        Scores with each reference left out.
    plain : array, shape (n_summaries,)
        Scores with all references.
    meets : array of bool, shape (n_summaries, n_references)
        Whether each summary is compared with each reference.
    is_human : array of bool, shape (n_summaries,)
        Whether a human wrote the summary.
    """
    if not len(left_out):
        return plain
    meets_all = ~is_human & meets.all(axis=1)
    return np.where(meets_all, left_out.sum(axis=0) / len(left_out), plain)
