"""The pyramid method with n-grams for content units: n-grams that more references hold count more.

The weight of an n-gram is the number of the references met that hold it; how often a text repeats it does not
matter. All have shape (n_summaries,), are 0 for a summary without n-grams or references without any, and NaN where
no reference is met.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Floats, IntArray

_SOURCE = "Nenkova and Passonneau (2004), on n-grams"

_feature = partial(feature, kind="content", group="pyramid", bounds=(0, 1), source=_SOURCE)


@_feature(
    why="what several references say counts more; a short summary is compared with the best one of its size"
)
def pyramid1(topic: TopicCounts) -> Floats:
    """Weight of the summary's distinct content words, as a share of the largest that so many words can have."""
    return _share(topic, topic.word_tiers.weight, topic.word_tiers.ideal_weight)


@_feature(why="the same for pairs of words")
def pyramid2(topic: TopicCounts) -> Floats:
    """Weight of the summary's distinct bigrams, as a share of the largest that so many bigrams can have."""
    return _share(topic, topic.bigram_tiers.weight, topic.bigram_tiers.ideal_weight)


@_feature(why="recall of what the references agree on")
def shared1(topic: TopicCounts) -> Floats:
    """Share of the content words of two or more references that the summary holds.

    Where no two references have one in common, of those of any reference.
    """
    return _share(topic, topic.word_tiers.n_shared, topic.word_tiers.most_shared)


@_feature(why="the same for pairs of words")
def shared2(topic: TopicCounts) -> Floats:
    """Share of the bigrams of two or more references that the summary holds.

    Where no two references have one in common, of those of any reference.
    """
    return _share(topic, topic.bigram_tiers.n_shared, topic.bigram_tiers.most_shared)


@_feature(why="recall of everything, where what several references say counts more")
def weighted_recall1(topic: TopicCounts) -> Floats:
    """Weight of the summary's distinct content words, as a share of that of all words of the references."""
    return _share(topic, topic.word_tiers.weight, topic.word_tiers.total_weight)


@_feature(why="the same for pairs of words")
def weighted_recall2(topic: TopicCounts) -> Floats:
    """Weight of the summary's distinct bigrams, as a share of that of all bigrams of the references."""
    return _share(topic, topic.bigram_tiers.weight, topic.bigram_tiers.total_weight)


@_feature(why="what no reference mentions is off the subject or a detail")
def precision1(topic: TopicCounts) -> Floats:
    """Share of the summary's distinct content words that some reference holds."""
    return _share(topic, topic.word_tiers.n_known, topic.word_tiers.n_distinct)


@_feature(why="the same for pairs of words")
def precision2(topic: TopicCounts) -> Floats:
    """Share of the summary's distinct bigrams that some reference holds."""
    return _share(topic, topic.bigram_tiers.n_known, topic.bigram_tiers.n_distinct)


def _share(topic: TopicCounts, count: IntArray, total: IntArray) -> Floats:
    return count / np.maximum(total, 1) + topic.nothing_met
