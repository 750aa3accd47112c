"""Flow: whether sentences share terms with those before them, and how far that depends on their order.

The similarity of two sentences is their number of common terms over the geometric mean of both numbers of terms.
All features have shape (n_summaries,) and are 0 for a summary of one sentence or none. Unlike the overlaps of
Rankel (2016) they are means, so longer summaries do not get higher values.
"""

from __future__ import annotations

from functools import partial

from classy_aesop.features.base import SummaryCounts, feature
from classy_aesop.text.counts import Floats

_feature = partial(
    feature, kind="linguistic", group="flow", bounds=(0, 1), source="Lapata and Barzilay (2005)"
)


@_feature(why="local coherence, whatever the number of sentences")
def flow_next(written: SummaryCounts) -> Floats:
    """Mean similarity of neighbouring sentences."""
    return written.sentence_similarity.next


@_feature(source="Guinaudeau and Strube (2013)", why="the same where the link skips a sentence")
def flow_near(written: SummaryCounts) -> Floats:
    """Mean similarity of all pairs of sentences, weighted by 1 over their distance."""
    return written.sentence_similarity.near


@_feature(
    bounds=(-1, 1),
    why="coherence that is due to the order: zero on average when sentences are shuffled, however repetitive",
)
def flow_order(written: SummaryCounts) -> Floats:
    """Mean similarity of neighbouring sentences minus that of all pairs: the effect of their order."""
    return written.sentence_similarity.next - written.sentence_similarity.any
