"""N-gram graphs: what characters of a summary stand near each other, and whether they do so in the references.

As no word need be equal, other forms of a word count in part. Text is compared as it is written, a sentence a line.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Floats


@feature(kind="content", group="graph", bounds=(0, 1), source="Giannakopoulos and others (2008): AutoSummENG")
def graph_similarity(topic: TopicCounts) -> Floats:
    """Mean value similarity of the summary's graph of character 3-grams with that of each reference."""
    return topic.total(topic.graphs.value_similarities) / np.maximum(topic.n_met, 1)
