"""What a predictor computes with, as plain data: weights, trees, or a mixture of both.

Each kind predicts, splits its predictions into contributions, and has a name that identifies it in a predictor's file.
numpy only: a saved predictor needs no scikit-learn.
"""

from classy_aesop.formulas.base import Formula, Linear, Mixture
from classy_aesop.formulas.tree_sums import Tree, Trees

FORMULAS: dict[str, type[Formula]] = {"linear": Linear, "trees": Trees, "mixture": Mixture}
"""The kinds of formula by name."""

__all__ = ["FORMULAS", "Formula", "Linear", "Mixture", "Tree", "Trees"]
