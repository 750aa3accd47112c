"""Every subset of features: one batched kernel per fitter, a plain loop for the rest, one ranking."""

from classy_aesop.search.design import Design, stack
from classy_aesop.search.exhaustive import search_subsets, search_targets
from classy_aesop.search.kernels import KERNELS
from classy_aesop.search.refit import fit_subsets
from classy_aesop.search.resample import Resamples
from classy_aesop.search.result import SearchResult, Subset, mean_result
from classy_aesop.search.winners import RULES, Member, SelectedSubsets, select_subsets

__all__ = [
    "KERNELS",
    "RULES",
    "Design",
    "Member",
    "Resamples",
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
