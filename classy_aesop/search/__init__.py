"""Every subset of features: one batched kernel per fitter, a plain loop for the rest, one ranking."""

from classy_aesop.search.exhaustive import search_subsets
from classy_aesop.search.kernels import KERNELS
from classy_aesop.search.row_arrays import Rows, stack
from classy_aesop.search.search_result import (
    SearchResult,
    Subset,
    best_fitter,
    mean_result,
)

__all__ = [
    "KERNELS",
    "Rows",
    "SearchResult",
    "Subset",
    "best_fitter",
    "mean_result",
    "search_subsets",
    "stack",
]
