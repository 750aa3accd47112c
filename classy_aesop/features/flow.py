"""Flow: whether sentences share terms with those before them, and how far that depends on their order.

The similarity of two sentences is their number of common terms over the geometric mean of both numbers of terms.
All features have shape (n_summaries,) and are 0 for a summary of one sentence or none. Unlike the overlaps of
Rankel (2016) they are means, so longer summaries do not get higher values.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import SummaryCounts, feature
from classy_aesop.text.counts import Floats

_feature = partial(
    feature, kind="linguistic", group="flow", bounds=(0, 1), source="Lapata and Barzilay (2005)"
)


@_feature(why="local coherence, whatever the number of sentences")
def flow_next(written: SummaryCounts) -> Floats:
    """Mean similarity of neighbouring sentences."""
    return _mean_similarity(written, (written.sentence_similarity.distance == 1).astype(float))


@_feature(source="Guinaudeau and Strube (2013)", why="the same where the link skips a sentence")
def flow_near(written: SummaryCounts) -> Floats:
    """Mean similarity of all pairs of sentences, weighted by 1 over their distance."""
    return _mean_similarity(written, 1 / written.sentence_similarity.distance)


@_feature(
    bounds=(-1, 1),
    why="coherence that is due to the order: zero on average when sentences are shuffled, however repetitive",
)
def flow_order(written: SummaryCounts) -> Floats:
    """Mean similarity of neighbouring sentences minus that of all pairs: the effect of their order."""
    return flow_next(written) - _mean_similarity(written, np.ones(written.sentence_similarity.distance.size))


def _mean_similarity(written: SummaryCounts, weight: Floats) -> Floats:
    pairs, n = written.sentence_similarity, written.summaries.n_texts
    total = np.bincount(pairs.text, weight, minlength=n)
    cosines = np.bincount(pairs.text, weight * pairs.cosine, minlength=n)
    return cosines / np.where(total > 0, total, 1.0)
