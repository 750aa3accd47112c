"""Consensus: content that many systems have is likely to be important. It needs no reference.

A summary is compared with the systems of its topic other than itself; near copies count once (`features.peers`). Each
is a set of content words (n = 1), or of bigrams that do not span sentences (n = 2). All have shape (n_summaries,), and
are 0 for a summary without n-grams and where there is no other system.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import feature
from classy_aesop.features.peers import Peers, Support
from classy_aesop.text.counts import Floats

_feature = partial(feature, kind="peers", group="consensus", source="Louis and Nenkova (2013)")


@_feature(bounds=(0, 1), why="what many systems say is likely to matter, and what one says alone is not")
def consensus_mean1(peers: Peers) -> Floats:
    """Mean, over the summary's distinct content words, of the share of other systems that have the word."""
    return _mean(peers.words)


@_feature(bounds=(0, 1), why="the same for pairs of words")
def consensus_mean2(peers: Peers) -> Floats:
    """Mean, over the summary's distinct bigrams, of the share of other systems that have the bigram."""
    return _mean(peers.bigrams)


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


def _mean(support: Support) -> Floats:
    return support.total / np.maximum(support.held.sizes, 1)
