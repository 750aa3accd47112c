"""The features as a scikit-learn transformer, for pipelines and cross-validation."""

from classy_aesop.estimators.summary_features import SummaryFeatures

__all__ = ["SummaryFeatures"]
