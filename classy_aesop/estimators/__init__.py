"""The features and the subset search as scikit-learn estimators, for pipelines and cross-validation."""

from classy_aesop.estimators.subset_search import SubsetSearchRegressor
from classy_aesop.estimators.summary_features import SummaryFeatures

__all__ = ["SubsetSearchRegressor", "SummaryFeatures"]
