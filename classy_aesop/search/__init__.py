"""Every subset of features: one batched kernel per fitter, a plain loop for the rest, one ranking."""

from classy_aesop.search.design import Design, stack
from classy_aesop.search.exhaustive import search_subsets, search_targets
from classy_aesop.search.kernels import KERNELS
from classy_aesop.search.search_result import (
    RULES,
    Member,
    SearchResult,
    SelectedSubsets,
    Subset,
    mean_result,
    select_subsets,
)
from classy_aesop.search.subset_fits import fit_subsets
from classy_aesop.search.subset_scores import ResampleCounts

__all__ = [
    "KERNELS",
    "RULES",
    "Design",
    "Member",
    "ResampleCounts",
    "SearchResult",
    "SelectedSubsets",
    "Subset",
    "fit_subsets",
    "mean_result",
    "search_subsets",
    "search_targets",
    "select_subsets",
    "stack",
]
