"""Metrics for comparison with our predictors: each is a function from a corpus to a score table."""

from classy_aesop.baselines.base import Baseline
from classy_aesop.baselines.divergence import jensen_shannon, js_documents
from classy_aesop.baselines.elements import basic_elements
from classy_aesop.baselines.graphs import ngram_graphs
from classy_aesop.baselines.lsa import lsa
from classy_aesop.baselines.ngram import bleu, chrf, ngram, vert_like
from classy_aesop.baselines.rouge import Rouge, RougeScore, rouge
from classy_aesop.baselines.topic_averages import rouge_averages
from classy_aesop.baselines.weighted_unigrams import weighted_unigrams

__all__ = [
    "BASELINES",
    "ONLY_BY_NAME",
    "Rouge",
    "RougeScore",
    "basic_elements",
    "bleu",
    "chrf",
    "jensen_shannon",
    "js_documents",
    "lsa",
    "ngram",
    "ngram_graphs",
    "rouge",
    "rouge_averages",
    "vert_like",
    "weighted_unigrams",
]

BASELINES: dict[str, Baseline] = {
    "rouge": rouge,
    "ngram": ngram,
    "js": jensen_shannon,
    "js_documents": js_documents,
    "lsa": lsa,
    "vert_like": vert_like,
    "ngram_graphs": ngram_graphs,
    "basic_elements": basic_elements,
    "bleu": bleu,
    "chrf": chrf,
    "weighted_unigrams": weighted_unigrams,
}
"""The baselines by name; each takes a corpus, ``jackknife`` and further options."""

ONLY_BY_NAME = frozenset({"basic_elements", "bleu", "chrf", "weighted_unigrams"})
"""Baselines that need a folder of files, another package or many topics, and are computed only where they are named."""


def __dir__() -> list[str]:
    return sorted(__all__)
