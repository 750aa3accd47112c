"""Metrics that we are compared with: each a function from a corpus to rows of a score table."""

from classy_aesop.baselines.rouge import Rouge, RougeScore, rouge
from classy_aesop.baselines.rouge_averages import rouge_averages

__all__ = ["BASELINES", "Rouge", "RougeScore", "rouge", "rouge_averages"]

BASELINES = {"rouge": rouge}
"""The baselines by name."""
