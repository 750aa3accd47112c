"""Every subset of features: one batched kernel per fitter, a plain loop for the rest, one ranking."""

from classy_aesop.search.design import Design
from classy_aesop.search.exhaustive import KERNELS, search_subsets, search_targets
from classy_aesop.search.plain import score_by_loop
from classy_aesop.search.result import SearchResult, Subset

__all__ = ["KERNELS", "Design", "SearchResult", "Subset", "score_by_loop", "search_subsets", "search_targets"]
