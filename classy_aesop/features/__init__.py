"""The features: one function each, and the table that they make."""

from classy_aesop.features import content, linguistic
from classy_aesop.features.base import FEATURES, Feature, TopicCounts, feature
from classy_aesop.features.columns import columns, groups
from classy_aesop.features.options import FeatureOptions
from classy_aesop.features.rows import TopicRows, feature_rows
from classy_aesop.features.table import feature_table

__all__ = [
    "FEATURES",
    "Feature",
    "FeatureOptions",
    "TopicCounts",
    "TopicRows",
    "columns",
    "content",
    "feature",
    "feature_rows",
    "feature_table",
    "groups",
    "linguistic",
]
