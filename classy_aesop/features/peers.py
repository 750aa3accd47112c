"""Consensus: content that many systems of a topic have is likely to be important. It needs no reference.

A summary is held against the systems of its topic other than itself. Near copies are one voice. It says what at least
half of them say, and none of them supports another. So a system that is entered again and again, each time with a word
changed, changes nothing. Each summary is a set of content words (n = 1), or of bigrams that do not span sentences
(n = 2). All features have shape (n_summaries,), and are 0 for a summary without n-grams and where there is no other
system.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from classy_aesop.features.registry import feature
from classy_aesop.text.arrays import Booleans, Floats, IntArray, place_of_equal, run_sums
from classy_aesop.text.near_copies import NgramSets, edits, near_copies
from classy_aesop.text.terms import TermIds

MOST_SUPPORTED = 60
"""How many n-grams of a topic are the most supported ones, without those that tie with the last of them."""


@dataclass(frozen=True, eq=False)
class Peers:
    """The input of a feature that looks at the other summaries: all summaries of one topic or of several.

    Parameters
    ----------
    summaries : TermIds
        Their tokens. Between summaries of different topics, equal ids need not be the same term.
    topic : array of int, shape (n_summaries,)
        The number of the topic of each summary, ascending from 0.
    is_human : array of bool, shape (n_summaries,)
        Whether a human wrote it. Humans are held against systems, and systems against other systems.
    edited : bool
        Whether a copy in which one word in ten is another is a near copy, too.
    """

    summaries: TermIds
    topic: IntArray
    is_human: Booleans
    edited: bool = False

    @cached_property
    def words(self) -> Support:
        """Support of the content words of each summary."""
        return Support(self._words, self.topic, self.is_human, self.voice)

    @cached_property
    def bigrams(self) -> Support:
        """Support of its bigrams, which do not span sentences."""
        return Support(self._bigrams, self.topic, self.is_human, self.voice)

    @cached_property
    def voice(self) -> IntArray:
        """The first near copy of each summary, or the summary itself; humans are no near copies."""
        if self.edited:
            return edits(NgramSets.words(self.summaries, self.topic), self.topic, ~self.is_human)
        return near_copies([self._bigrams, self._words], self.topic, ~self.is_human)

    @cached_property
    def _words(self) -> NgramSets:
        return NgramSets.content_words(self.summaries, self.topic)

    @cached_property
    def _bigrams(self) -> NgramSets:
        return NgramSets.bigrams(self.summaries, self.topic)


@dataclass(frozen=True, eq=False)
class Support:
    """The share of the other voices that have each n-gram of a summary; arrays are as in `Peers`."""

    held: NgramSets  # the n-grams of the summaries
    topic: IntArray
    is_human: Booleans
    voice: IntArray

    @cached_property
    def n_others(self) -> IntArray:
        """Number of other voices that each summary is held against, or 1 if there is none; shape (n_summaries,)."""
        is_voice = ~self.is_human & (self.voice == np.arange(self.voice.size))
        n_voices = np.bincount(self.topic.compress(is_voice), minlength=int(self.topic.max(initial=0)) + 1)
        return np.maximum(n_voices.take(self.topic) - ~self.is_human, 1)

    @cached_property
    def total(self) -> Floats:
        """Sum, over the n-grams of each summary, of the share of other voices that have it, shape (n_summaries,)."""
        return self._summed(self._n_others_with) / self.n_others

    @property
    def mean(self) -> Floats:
        """Mean of these shares over the n-grams of each summary, shape (n_summaries,)."""
        return self.total / np.maximum(self.held.sizes, 1)

    @property
    def squares(self) -> Floats:
        """Sum of the squares of these shares, shape (n_summaries,)."""
        return self._summed(self._n_others_with**2) / self.n_others**2

    @property
    def top_held(self) -> Floats:
        """Share of the n-grams that most other voices have, `MOST_SUPPORTED` and ties, which each summary has."""
        n_at_least = self._n_at_least
        # Without its own voice every n-gram of a summary has one voice less, and so has the last of the most supported.
        most = np.maximum((n_at_least >= MOST_SUPPORTED).sum(axis=1) - 1, 1).take(self.topic)
        n_most = n_at_least[self.topic, most] - self._n_said(most)
        least = np.where(n_most < MOST_SUPPORTED, np.maximum(most - 1, 1), most)
        n_top: IntArray = n_at_least[self.topic, least] - self._n_said(least)
        is_top: Booleans = self._n_others_with >= least.take(self.held.owner)
        return self._summed(is_top) / np.maximum(n_top, 1)

    def _summed(self, values: IntArray | Booleans) -> Floats:
        """Sum of whole numbers over the n-grams of each summary: exact, in whatever order they are."""
        return run_sums(values, self.held.sizes).astype(float)

    @cached_property
    def _is_said(self) -> Booleans:
        """Whether the voice of its summary says each n-gram of ``held``: half of its near copies do, or more."""
        by_system = ~self.is_human.take(self.held.owner)
        if not self._has_copies:
            return by_system
        n_copies = np.bincount(self.voice, minlength=self.voice.size)
        n_with = np.bincount(self._place_in_voice, minlength=self.held.owner.size).take(self._place_in_voice)
        said: Booleans = by_system & (2 * n_with >= n_copies.take(self._voice_of_ngram))
        return said

    @cached_property
    def _is_said_once(self) -> Booleans:
        """The same, for one of the equal n-grams of a voice; the others are not marked."""
        if not self._has_copies:
            return self._is_said
        once: Booleans = self._is_said & (self._place_in_voice == np.arange(self.held.owner.size))
        return once

    @cached_property
    def _place_in_voice(self) -> IntArray:
        """The place in ``held`` of one n-gram of the same voice that equals each: itself, but for near copies."""
        place, voice = np.arange(self.held.owner.size), self._voice_of_ngram
        copied = np.flatnonzero(np.bincount(self.voice).take(voice) > 1)
        key = voice.take(copied) * self.held.n_ngrams + self.held.ngram.take(copied)
        place[copied] = copied.take(place_of_equal(key))
        return place

    @cached_property
    def _has_copies(self) -> bool:
        return bool((self.voice != np.arange(self.voice.size)).any())

    @cached_property
    def _voice_of_ngram(self) -> IntArray:
        return self.voice.take(self.held.owner) if self._has_copies else self.held.owner

    @cached_property
    def _n_with(self) -> IntArray:
        """Number of voices that say each n-gram, by its number."""
        return np.bincount(self.held.ngram.compress(self._is_said_once), minlength=self.held.n_ngrams)

    @cached_property
    def _n_with_each(self) -> IntArray:
        """The same for each n-gram of ``held``."""
        return self._n_with.take(self.held.ngram)

    @cached_property
    def _n_others_with(self) -> IntArray:
        """Number of other voices that say each n-gram of ``held``."""
        n_others: IntArray = self._n_with_each - self._is_said
        return n_others

    @cached_property
    def _n_at_least(self) -> IntArray:
        """Number of n-grams of each topic that at least 0, 1, 2 ... voices have, shape (n_topics, ...)."""
        topic = np.zeros(self.held.n_ngrams, np.intp)
        topic[self.held.ngram] = self.topic.take(self.held.owner)
        width, n_topics = int(self._n_with.max(initial=0)) + 2, int(self.topic.max(initial=0)) + 1
        counts = np.bincount(topic * width + self._n_with, minlength=n_topics * width)
        return counts.reshape(n_topics, width)[:, ::-1].cumsum(axis=1)[:, ::-1]

    def _n_said(self, n_voices: IntArray) -> IntArray:
        """Number of n-grams that each summary's own voice says and so many voices say; 0 for a human."""
        is_so = self._is_said_once & (self._n_with_each == n_voices.take(self._voice_of_ngram))
        return np.bincount(self._voice_of_ngram.compress(is_so), minlength=self.voice.size).take(self.voice)


_feature = partial(feature, kind="peers", group="consensus", source="Louis and Nenkova (2013)")


@_feature(bounds=(0, 1), why="what many systems say is likely to matter, and what one says alone is not")
def consensus_mean1(peers: Peers) -> Floats:
    """Mean, over the summary's distinct content words, of the share of other systems that have the word."""
    return peers.words.mean


@_feature(bounds=(0, 1), why="the same for pairs of words")
def consensus_mean2(peers: Peers) -> Floats:
    """Mean, over the summary's distinct bigrams, of the share of other systems that have the bigram."""
    return peers.bigrams.mean


@_feature(bounds=(0, np.inf), why="how much of what others say it has; a longer summary can have more")
def consensus_sum1(peers: Peers) -> Floats:
    """Sum, over the summary's distinct content words, of the share of other systems that have the word."""
    return peers.words.total


@_feature(bounds=(0, np.inf), why="the same for pairs of words")
def consensus_sum2(peers: Peers) -> Floats:
    """Sum, over the summary's distinct bigrams, of the share of other systems that have the bigram."""
    return peers.bigrams.total


@_feature(bounds=(0, np.inf), why="the same, where wide agreement counts more")
def consensus_squares1(peers: Peers) -> Floats:
    """Sum, over the summary's distinct content words, of the squared share of other systems that have the word."""
    return peers.words.squares


@_feature(bounds=(0, np.inf), why="the same for pairs of words")
def consensus_squares2(peers: Peers) -> Floats:
    """Sum, over the summary's distinct bigrams, of the squared share of other systems that have the bigram."""
    return peers.bigrams.squares


@_feature(bounds=(0, 1), why="recall of what others agree on")
def consensus_top1(peers: Peers) -> Floats:
    """Share of the 60 content words that most other systems have (and of those that tie) which the summary has."""
    return peers.words.top_held


@_feature(bounds=(0, 1), why="the same for pairs of words")
def consensus_top2(peers: Peers) -> Floats:
    """Share of the 60 bigrams that most other systems have (and of those that tie) which the summary has."""
    return peers.bigrams.top_held
