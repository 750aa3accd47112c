"""Fitted predictors: applied to new summaries, saved, explained, with intervals; and those that come ready."""

from classy_aesop.predictor.base import Predictor

__all__ = ["Predictor"]
