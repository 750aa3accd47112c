"""Metrics that we are compared with: each a function from a corpus to rows of a score table."""

from classy_aesop.baselines.rouge import rouge

BASELINES = {"rouge": rouge}
"""The baselines by name."""
