"""The features: one function each, and the table that they make."""

from classy_aesop.features import content, linguistic
from classy_aesop.features.base import FEATURES, Feature, TopicCounts, feature

__all__ = ["FEATURES", "Feature", "TopicCounts", "content", "feature", "linguistic"]
