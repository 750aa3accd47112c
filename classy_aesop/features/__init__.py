"""The features, one function each, and the feature table."""

from classy_aesop.features import content, peers, sentences, source_documents, writing
from classy_aesop.features.counts import FeatureOptions, SummaryCounts, TopicCounts
from classy_aesop.features.peers import Peers
from classy_aesop.features.registry import FEATURES, GROUPS, Feature, columns, feature
from classy_aesop.features.summary_texts import SummaryTexts
from classy_aesop.features.table import feature_table

__all__ = [
    "FEATURES",
    "GROUPS",
    "Feature",
    "FeatureOptions",
    "Peers",
    "SummaryCounts",
    "SummaryTexts",
    "TopicCounts",
    "columns",
    "content",
    "feature",
    "feature_table",
    "peers",
    "sentences",
    "source_documents",
    "writing",
]
