"""Metrics that we are compared with: each a function from a corpus to rows of a score table."""

from classy_aesop.baselines.ngram_graphs import ngram_graphs
from classy_aesop.baselines.rouge import rouge

BASELINES = {"rouge": rouge, "ngram_graphs": ngram_graphs}
"""The baselines by name."""
