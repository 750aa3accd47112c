"""Metrics that we are compared with: each a function from a corpus to rows of a score table."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from classy_aesop.baselines.basic_elements import basic_elements, basic_elements_like
from classy_aesop.baselines.ngram_graphs import ngram_graphs
from classy_aesop.baselines.rouge import Rouge, RougeScore, rouge
from classy_aesop.baselines.rouge_averages import rouge_averages

if TYPE_CHECKING:
    import pandas as pd

BASELINES: dict[str, "Callable[..., pd.DataFrame]"] = {
    "rouge": rouge,
    "ngram_graphs": ngram_graphs,
    "basic_elements": basic_elements,
    "basic_elements_like": basic_elements_like,
}
"""The baselines by name."""
