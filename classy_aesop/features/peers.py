"""Consensus: content that many systems of a topic have is likely to be important. It needs no reference.

A summary is compared with the systems of its topic other than itself. Near copies form a group that counts as one
system, and none of them supports another. A group has the n-grams that at least half of its members have. So a system
that is entered several times, each time with a word changed, changes nothing. Each summary is a set of content words
(n = 1), or of bigrams that do not span sentences (n = 2). All features have shape (n_summaries,), and are 0 for a
summary without n-grams and where there is no other system.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from classy_aesop.features.registry import feature
from classy_aesop.text.arrays import Booleans, Floats, IndexArray, find_first_equal, run_sums
from classy_aesop.text.near_copies import NgramSets, group_edited_copies, group_near_copies
from classy_aesop.text.term_ids import TermIds

N_MOST_SUPPORTED = 60
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
        Whether a human wrote it. Humans are compared with systems, and systems with other systems.
    joins_edited_copies : bool
        Whether a copy in which one word in ten is another is a near copy, too.
    """

    summaries: TermIds
    topic: IndexArray
    is_human: Booleans
    joins_edited_copies: bool = False

    @cached_property
    def words(self) -> Support:
        """Support of the content words of each summary."""
        return Support(self._words, self.topic, self.is_human, self.copy_group)

    @cached_property
    def bigrams(self) -> Support:
        """Support of its bigrams, which do not span sentences."""
        return Support(self._bigrams, self.topic, self.is_human, self.copy_group)

    @cached_property
    def copy_group(self) -> IndexArray:
        """The group of each summary: its first near copy, or the summary itself; humans are no near copies."""
        if self.joins_edited_copies:
            return group_edited_copies(
                NgramSets.words(self.summaries, self.topic), self.topic, ~self.is_human
            )
        return group_near_copies([self._bigrams, self._words], self.topic, ~self.is_human)

    @cached_property
    def _words(self) -> NgramSets:
        return NgramSets.content_words(self.summaries, self.topic)

    @cached_property
    def _bigrams(self) -> NgramSets:
        return NgramSets.bigrams(self.summaries, self.topic)


@dataclass(frozen=True, eq=False)
class Support:
    """The share of the other groups of near copies that have each n-gram of a summary; arrays are as in `Peers`."""

    ngrams: NgramSets  # the n-grams of the summaries
    topic: IndexArray
    is_human: Booleans
    copy_group: IndexArray

    @cached_property
    def n_others(self) -> IndexArray:
        """Number of other groups that each summary is compared with, or 1 if there is none; shape (n_summaries,)."""
        is_first = ~self.is_human & (self.copy_group == np.arange(self.copy_group.size))
        n_groups = np.bincount(self.topic.compress(is_first), minlength=int(self.topic.max(initial=0)) + 1)
        return np.maximum(n_groups.take(self.topic) - ~self.is_human, 1)

    @cached_property
    def total(self) -> Floats:
        """Sum, over the n-grams of each summary, of the share of other groups that have it, shape (n_summaries,)."""
        return self._sum_ngrams(self._n_others_with) / self.n_others

    @property
    def mean(self) -> Floats:
        """Mean of these shares over the n-grams of each summary, shape (n_summaries,)."""
        return self.total / np.maximum(self.ngrams.sizes, 1)

    @property
    def squares(self) -> Floats:
        """Sum of the squares of these shares, shape (n_summaries,)."""
        return self._sum_ngrams(self._n_others_with**2) / self.n_others**2

    @property
    def share_of_top(self) -> Floats:
        """Share of the n-grams that most other groups have, `N_MOST_SUPPORTED` and ties, which each summary has."""
        n_at_least = self._n_at_least
        # Without its own group every n-gram of a summary has one group less, and so has the last of the most supported.
        n_groups = np.maximum((n_at_least >= N_MOST_SUPPORTED).sum(axis=1) - 1, 1).take(self.topic)
        n_supported = n_at_least[self.topic, n_groups] - self._count_of_own_group(n_groups)
        threshold = np.where(n_supported < N_MOST_SUPPORTED, np.maximum(n_groups - 1, 1), n_groups)
        n_top: IndexArray = n_at_least[self.topic, threshold] - self._count_of_own_group(threshold)
        is_top: Booleans = self._n_others_with >= threshold.take(self.ngrams.owner)
        return self._sum_ngrams(is_top) / np.maximum(n_top, 1)

    def _sum_ngrams(self, values: IndexArray | Booleans) -> Floats:
        """Sum whole numbers over the n-grams of each summary: exact, in whatever order they are."""
        return run_sums(values, self.ngrams.sizes).astype(float)

    @cached_property
    def _group_has(self) -> Booleans:
        """Whether the group of its summary has each n-gram: half of its near copies have it, or more."""
        by_system = ~self.is_human.take(self.ngrams.owner)
        if not self._has_copies:
            return by_system
        n_copies = np.bincount(self.copy_group, minlength=self.copy_group.size)
        n_with = np.bincount(self._first_of_group, minlength=self.ngrams.owner.size).take(
            self._first_of_group
        )
        group_has: Booleans = by_system & (2 * n_with >= n_copies.take(self._group_of_ngram))
        return group_has

    @cached_property
    def _group_has_once(self) -> Booleans:
        """The same, for one of the equal n-grams of a group; the others are not marked."""
        if not self._has_copies:
            return self._group_has
        compute_once: Booleans = self._group_has & (self._first_of_group == np.arange(self.ngrams.owner.size))
        return compute_once

    @cached_property
    def _first_of_group(self) -> IndexArray:
        """The place of the first n-gram of the same group that equals each: itself, but for near copies."""
        place = np.arange(self.ngrams.owner.size)
        copy_group = self._group_of_ngram
        copied = np.flatnonzero(np.bincount(self.copy_group).take(copy_group) > 1)
        key = copy_group.take(copied) * self.ngrams.n_ngrams + self.ngrams.ngram.take(copied)
        place[copied] = copied.take(find_first_equal(key))
        return place

    @cached_property
    def _has_copies(self) -> bool:
        """Whether any summary is a near copy of another."""
        return bool((self.copy_group != np.arange(self.copy_group.size)).any())

    @cached_property
    def _group_of_ngram(self) -> IndexArray:
        """The group of the summary of each n-gram."""
        return self.copy_group.take(self.ngrams.owner) if self._has_copies else self.ngrams.owner

    @cached_property
    def _n_with(self) -> IndexArray:
        """Number of groups that have each n-gram, by its number."""
        return np.bincount(self.ngrams.ngram.compress(self._group_has_once), minlength=self.ngrams.n_ngrams)

    @cached_property
    def _n_with_each(self) -> IndexArray:
        """The same for each n-gram of a summary."""
        return self._n_with.take(self.ngrams.ngram)

    @cached_property
    def _n_others_with(self) -> IndexArray:
        """Number of other groups that have each n-gram of a summary."""
        n_others: IndexArray = self._n_with_each - self._group_has
        return n_others

    @cached_property
    def _n_at_least(self) -> IndexArray:
        """Number of n-grams of each topic that at least 0, 1, 2 ... groups have, shape (n_topics, ...)."""
        topic = np.zeros(self.ngrams.n_ngrams, np.intp)
        topic[self.ngrams.ngram] = self.topic.take(self.ngrams.owner)
        width = int(self._n_with.max(initial=0)) + 2
        n_topics = int(self.topic.max(initial=0)) + 1
        counts = np.bincount(topic * width + self._n_with, minlength=n_topics * width)
        return counts.reshape(n_topics, width)[:, ::-1].cumsum(axis=1)[:, ::-1]

    def _count_of_own_group(self, n_groups: IndexArray) -> IndexArray:
        """Count the n-grams that each summary's own group has and so many groups have; 0 for a human."""
        is_counted = self._group_has_once & (self._n_with_each == n_groups.take(self._group_of_ngram))
        counts = np.bincount(self._group_of_ngram.compress(is_counted), minlength=self.copy_group.size)
        return counts.take(self.copy_group)


_consensus = partial(feature, kind="peers", group="consensus", source="Louis and Nenkova (2013)")


@_consensus(bounds=(0, 1), why="what many systems say is likely to matter, and what one says alone is not")
def consensus_mean1(peers: Peers) -> Floats:
    """Mean, over the summary's distinct content words, of the share of other systems that have the word."""
    return peers.words.mean


@_consensus(bounds=(0, 1), why="the same for pairs of words")
def consensus_mean2(peers: Peers) -> Floats:
    """Mean, over the summary's distinct bigrams, of the share of other systems that have the bigram."""
    return peers.bigrams.mean


@_consensus(bounds=(0, np.inf), why="how much of what others say it has; a longer summary can have more")
def consensus_sum1(peers: Peers) -> Floats:
    """Sum, over the summary's distinct content words, of the share of other systems that have the word."""
    return peers.words.total


@_consensus(bounds=(0, np.inf), why="the same for pairs of words")
def consensus_sum2(peers: Peers) -> Floats:
    """Sum, over the summary's distinct bigrams, of the share of other systems that have the bigram."""
    return peers.bigrams.total


@_consensus(bounds=(0, np.inf), why="the same, where wide agreement counts more")
def consensus_squares1(peers: Peers) -> Floats:
    """Sum, over the summary's distinct content words, of the squared share of other systems that have the word."""
    return peers.words.squares


@_consensus(bounds=(0, np.inf), why="the same for pairs of words")
def consensus_squares2(peers: Peers) -> Floats:
    """Sum, over the summary's distinct bigrams, of the squared share of other systems that have the bigram."""
    return peers.bigrams.squares


@_consensus(bounds=(0, 1), why="recall of what others agree on")
def consensus_top1(peers: Peers) -> Floats:
    """Share of the 60 content words that most other systems have (and of those that tie) which the summary has."""
    return peers.words.share_of_top


@_consensus(bounds=(0, 1), why="the same for pairs of words")
def consensus_top2(peers: Peers) -> Floats:
    """Share of the 60 bigrams that most other systems have (and of those that tie) which the summary has."""
    return peers.bigrams.share_of_top
