"""What a predictor computes with, as plain data: weights, or trees.

Each kind has ``predict(X)``, ``contributions(X)`` (what every column adds to a prediction, and the baseline that it
is added to) and ``to_dict``. numpy only: a saved predictor needs no scikit-learn.
"""

from classy_aesop.formulas.linear import Linear
from classy_aesop.formulas.trees import Tree, Trees

Formula = Linear | Trees

__all__ = ["Formula", "Linear", "Tree", "Trees"]
