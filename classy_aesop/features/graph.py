"""N-gram graphs: which character n-grams of a summary are close together, and whether they are in the references too.

Words need not be equal, so other forms of a word count in part. Text is compared as written, with one sentence per
line.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Floats


@feature(
    kind="content",
    group="graph",
    bounds=(0, 1),
    source="Giannakopoulos and others (2008): AutoSummENG",
    why="compares characters, so other forms of a word count in part, in any language",
)
def graph_similarity(topic: TopicCounts) -> Floats:
    """Mean value similarity between the character 3-gram graphs of each summary and each of its references."""
    return topic.total(topic.graphs.value_similarities[:, topic.in_graphs]) / np.maximum(topic.n_met, 1)
