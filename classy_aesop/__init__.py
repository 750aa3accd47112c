"""Predict how people would score a summary, and test which systems and metrics really differ."""

__version__ = "0.1.0"
