"""The features, one function each, and the feature table."""

from classy_aesop.features import (
    anaphora,
    consensus,
    content,
    divergence,
    flow,
    form,
    graph,
    linguistic,
    pyramid,
    readability,
    repetition,
    rouge,
    sources,
)
from classy_aesop.features.base import FEATURES, GROUPS, Feature, SummaryCounts, TopicCounts, feature
from classy_aesop.features.columns import columns
from classy_aesop.features.options import FeatureOptions
from classy_aesop.features.peers import Peers
from classy_aesop.features.rows import TopicRows, feature_rows
from classy_aesop.features.table import feature_table

__all__ = [
    "FEATURES",
    "GROUPS",
    "Feature",
    "FeatureOptions",
    "Peers",
    "SummaryCounts",
    "TopicCounts",
    "TopicRows",
    "anaphora",
    "columns",
    "consensus",
    "content",
    "divergence",
    "feature",
    "feature_rows",
    "feature_table",
    "flow",
    "form",
    "graph",
    "linguistic",
    "pyramid",
    "readability",
    "repetition",
    "rouge",
    "sources",
]
