"""Flow: whether sentences go on where those before them left off, and how much their order has to do with it.

The similarity of two sentences is their number of common terms over the geometric mean of both numbers of terms.
All features have shape (n_summaries,) and are 0 for a summary of one sentence or none. Unlike the overlaps of
Rankel (2016) they are means, so longer summaries do not get higher values.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Floats


@feature(kind="linguistic", group="flow", bounds=(0, 1), source="Lapata and Barzilay (2005)")
def flow_next(topic: TopicCounts) -> Floats:
    """Mean similarity of neighbouring sentences."""
    return _mean_likeness(topic, (topic.likeness.distance == 1).astype(float))


@feature(kind="linguistic", group="flow", bounds=(0, 1), source="Guinaudeau and Strube (2013)")
def flow_near(topic: TopicCounts) -> Floats:
    """Mean similarity of any two sentences, weighted by 1 over their distance."""
    return _mean_likeness(topic, 1 / topic.likeness.distance)


@feature(kind="linguistic", group="flow", bounds=(-1, 1), source="Lapata and Barzilay (2005)")
def flow_order(topic: TopicCounts) -> Floats:
    """Mean similarity of neighbouring sentences less that of any two: the effect of sentence order."""
    return flow_next(topic) - _mean_likeness(topic, np.ones(topic.likeness.distance.size))


def _mean_likeness(topic: TopicCounts, weight: Floats) -> Floats:
    pairs, n = topic.likeness, topic.summaries.n_texts
    total = np.bincount(pairs.text, weight, minlength=n)
    cosines = np.bincount(pairs.text, weight * pairs.cosine, minlength=n)
    return cosines / np.where(total > 0, total, 1.0)
