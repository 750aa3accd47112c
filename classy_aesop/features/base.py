"""What a feature is, what it may look at, and the table of all features.

A feature is a function from `TopicCounts` to one number a summary. It keeps nothing; the decorator `feature`
only writes down what the function is. Everything is counted once a topic and shared by all features.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from classy_aesop.features.overlaps import SentenceLikeness, SentenceOverlaps
from classy_aesop.text.counts import (
    Booleans,
    Floats,
    IntArray,
    NgramCounts,
    Ngrams,
    TermIds,
    Vocabulary,
    ngram_counts,
    term_ids,
)
from classy_aesop.text.graph_similarity import Graphs
from classy_aesop.text.matching import Lines, Texts
from classy_aesop.text.writing import Writing

Kind = Literal["content", "linguistic"]

GROUPS = {
    "classic": "the 13 of Rankel (2016)",
    "rouge": "words, longer n-grams and common subsequences of a reference",
    "divergence": "how far the words are distributed as in the references",
    "graph": "characters and their neighbours, in the references too",
    "readability": "length and variety of the words",
    "anaphora": "words that point to what was said before",
    "form": "sentences, punctuation and capitals as they are written",
    "repetition": "what is said again",
    "flow": "how alike neighbouring sentences are",
}
"""What features are switched on together, in table order, and what they look at."""


@dataclass(frozen=True)
class TopicCounts:
    """All that a feature may look at: the summaries of one topic and the references that each of them meets.

    Parameters
    ----------
    summaries : TermIds
        The tokens of the summaries.
    ngrams : Ngrams
        Their n-grams against each reference; ``bigrams`` and ``skip_bigrams`` for short.
    meets : array of bool, shape (..., n_summaries, n_references)
        Which references each summary is compared with. Axes in front ask for the same summaries against
        several choices of references, and every value of a content feature has them too.
    texts : Texts
        The words of summaries and references, for longer n-grams.
    lines : Lines
        Their sentences, for common subsequences.
    writing : Writing
        The summaries as they are written, for what their tokens have lost.
    graphs : Graphs
        Graphs of the characters of summaries and references.
    """

    summaries: TermIds
    ngrams: Ngrams
    meets: Booleans
    texts: Texts
    lines: Lines
    writing: Writing
    graphs: Graphs

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
    def overlaps(self) -> SentenceOverlaps:
        """How many terms the sentences of each summary have in common."""
        return SentenceOverlaps.of(self.summaries)

    @cached_property
    def likeness(self) -> SentenceLikeness:
        """How alike any two sentences of each summary are."""
        return SentenceLikeness.of(self.summaries)

    def best_reference(self, values: Floats | IntArray) -> Floats:
        """Greatest of (n_summaries, n_references) values >= 0 over the references met, else NaN."""
        greatest: Floats = (values * self.meets).max(axis=-1, initial=0) + self.nothing_met
        return greatest

    def total(self, values: Floats | IntArray) -> Floats:
        """Sum of (n_summaries, n_references) values over the references met, else NaN."""
        total: Floats = (values * self.meets).sum(axis=-1) + self.nothing_met
        return total

    def entropy(self, counts: IntArray, owner: IntArray) -> Floats:
        """Entropy in bits of the counts that each summary owns, as shares of its tokens; 0 if empty."""
        shares = counts / self.summaries.n_tokens[owner]
        bits = np.bincount(owner, -shares * np.log2(shares), minlength=self.summaries.n_tokens.size)
        return np.maximum(bits, 0.0)

    def leaving_one_out(self) -> TopicCounts:
        """The same topic where, for each reference in turn, nobody meets it."""
        return replace(self, meets=leaving_one_out(self.meets))


FeatureFunction = Callable[[TopicCounts], Floats]


class Feature(NamedTuple):
    """A registered feature: its name, its function and what the decorator was told."""

    name: str
    function: FeatureFunction
    kind: Kind
    group: str
    bounds: tuple[float, float]
    source: str


FEATURES: dict[str, Feature] = {}
"""Every feature by name; filled by the modules of this package."""


def feature(
    *, kind: Kind, group: str, bounds: tuple[float, float] = (-np.inf, np.inf), source: str
) -> Callable[[FeatureFunction], FeatureFunction]:
    """Register a function as the feature of its name, and return it unchanged.

    Parameters
    ----------
    kind : {"content", "linguistic"}
        Whether it compares with references; a content feature has a column for each set of references.
    group : str
        One of `GROUPS`: with which others it is switched on.
    bounds : pair of float
        Least and greatest value that it can take.
    source : str
        Where it is defined.

    Raises
    ------
    ValueError
        If a feature or a group has this name, or the group is unknown.
    """
    if group not in GROUPS:
        raise ValueError(f"no group is named {group!r}; expected one of {', '.join(GROUPS)}")

    def register(function: FeatureFunction) -> FeatureFunction:
        name = function.__name__
        if name in GROUPS:
            raise ValueError(f"feature {name!r} has the name of a group")
        if name in FEATURES:
            raise ValueError(f"feature {name!r} exists already, in {FEATURES[name].function.__module__}")
        FEATURES[name] = Feature(name, function, kind, group, bounds, source)
        return function

    return register


def topic_counts(
    summaries: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    meets: Booleans,
    *,
    earlier: Sequence[Sequence[str]] = (),
    vocabulary: Vocabulary,
) -> tuple[TopicCounts, TopicCounts]:
    """Count the texts of a topic, each given as its sentences.

    Returns
    -------
    own, earlier : TopicCounts
        The summaries against the references of their own set, and against the earlier ones, which all of them
        meet.
    """
    n_own, n_references = len(references), len(references) + len(earlier)
    ids = term_ids([*references, *earlier, *summaries], vocabulary)
    ngrams = ngram_counts(ids, n_references)
    written, writing = ids.after(n_references), Writing(summaries)
    read_by_line = [*references, *earlier]

    def against(first: int, last: int, meets: Booleans) -> TopicCounts:
        part, read = ngrams.against(slice(first, last)), ids.part(first, last)
        texts, lines = Texts(read, written), Lines(read, written, part.unigrams)
        graphs = Graphs(read_by_line[first:last], summaries)
        return TopicCounts(written, part, meets, texts, lines, writing, graphs)

    meets_earlier = np.ones((len(summaries), len(earlier)), bool)
    return against(0, n_own, meets), against(n_own, n_references, meets_earlier)


def jackknifed(function: FeatureFunction, topic: TopicCounts, is_human: Booleans) -> Floats:
    """Score every system that meets all references by the mean over leaving one of them out.

    People and systems that meet only a part of the references are scored as they are. A system's score then
    rests on as many references as that of a person who wrote one of them. The topic must have two references
    or more.
    """
    return mean_left_out(function(topic.leaving_one_out()), function(topic), topic.meets, is_human)


def leaving_one_out(meets: Booleans) -> Booleans:
    """Let nobody meet each reference in turn: (n_references, n_summaries, n_references) choices of one."""
    return meets & ~np.eye(meets.shape[1], dtype=bool)[:, None]


def mean_left_out(left_out: Floats, plain: Floats, meets: Booleans, is_human: Booleans) -> Floats:
    """Give systems that meet all references the mean over leaving one out, others their plain score.

    Parameters
    ----------
    left_out : array, shape (n_references, n_summaries)
        Scores for each choice of `leaving_one_out`.
    plain : array, shape (n_summaries,)
        Scores where nothing is left out.
    meets : array of bool, shape (n_summaries, n_references)
    is_human : array of bool, shape (n_summaries,)
    """
    is_whole = ~is_human & meets.all(axis=1)
    return np.where(is_whole, left_out.sum(axis=0) / max(len(left_out), 1), plain)
