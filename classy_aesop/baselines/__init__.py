"""Metrics that we are compared with: each a function from a corpus to rows of a score table."""

from classy_aesop.baselines.base import Baseline
from classy_aesop.baselines.basic_elements import basic_elements, basic_elements_like
from classy_aesop.baselines.ngram_graphs import ngram_graphs
from classy_aesop.baselines.rouge import Rouge, RougeScore, rouge
from classy_aesop.baselines.rouge_averages import rouge_averages

__all__ = [
    "BASELINES",
    "Rouge",
    "RougeScore",
    "basic_elements",
    "basic_elements_like",
    "ngram_graphs",
    "rouge",
    "rouge_averages",
]

BASELINES: dict[str, Baseline] = {
    "rouge": rouge,
    "ngram_graphs": ngram_graphs,
    "basic_elements": basic_elements,
    "basic_elements_like": basic_elements_like,
}
"""The baselines by name; each takes a corpus and ``jackknife``, and options of its own."""
