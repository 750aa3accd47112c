"""Ensembles of regression trees, which find what the other fitters cannot: curves and interactions of columns.

They are grown by scikit-learn and kept as `classy_aesop.formulas.Trees`. Trees are kept small: with some twenty
topics a year, a deep tree learns the topics.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from classy_aesop.fitters.base import Fitter
from classy_aesop.fitters.least_squares import column_units
from classy_aesop.formulas import Trees
from classy_aesop.formulas.base import Array
from classy_aesop.formulas.tree_sums import copy_tree

SMALLEST_SPREAD = 2.0**-10
"""Columns of a smaller standard deviation are scaled up: for scikit-learn values less than 1e-7 apart are equal."""

LARGEST_SPREAD = 2.0**80
"""Columns of a larger standard deviation are scaled down: scikit-learn takes what single precision can hold."""


class TreeFitter(Fitter):
    """Grows trees; subclasses write only `grow`.

    Attributes
    ----------
    formula_ : Trees
        The trees as plain data, which also make the predictions.
    n_features_in_ : int
        Number of columns at `fit`.
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Grow the trees for X (n_instances, n_columns) and y (n_instances,); raise ValueError for a missing value."""
        X, y = self.check_arrays(X, y)
        units = units_for_trees(X)
        trees = self.grow(X / units, y)
        if not isinstance(trees, Trees):
            raise TypeError(f"{type(self).__name__}.grow gives {type(trees).__name__}; expected Trees")
        self.formula_ = _scale_thresholds(trees, units)
        return self

    @abstractmethod
    def grow(self, X: Any, y: Any) -> Trees:
        """Return the trees for checked arrays."""

    @property
    def formula(self) -> Trees:
        """The trees."""
        return self.formula_


def units_for_trees(X: Array) -> Array:
    """Return what to divide each column of X (n, p) by, a power of two, so that scikit-learn can split it, (p,)."""
    units = column_units(X)
    spread = (X / units).std(axis=0)
    is_extreme = (spread > 0) & ((spread < SMALLEST_SPREAD) | (spread > LARGEST_SPREAD))
    return units * np.where(is_extreme, 2.0 ** np.round(np.log2(np.where(is_extreme, spread, 1.0))), 1.0)


def _scale_thresholds(formula: Trees, units: Array) -> Trees:
    """Multiply every threshold by the unit of its column."""
    if (units == 1).all():
        return formula
    factors = [*units.tolist(), 1.0]  # the last one for leaves, whose column is -1
    trees = []
    for tree in formula.trees:
        cuts = (factors[column] * cut for column, cut in zip(tree.feature, tree.threshold, strict=True))
        trees.append(replace(tree, threshold=tuple(cuts)))
    return replace(formula, trees=tuple(trees))


@dataclass(eq=False, repr=False)
class BoostedTrees(TreeFitter):
    """Gradient boosting: each small tree is fitted to what the others left (Friedman, 2001; 2002 for drawing rows).

    Parameters
    ----------
    n_trees : int, default 80
    depth : int, default 3
        Questions on a path, so columns that act together.
    rate : float, default 0.08
        Share of each tree's correction that is used.
    share : float, default 0.5
        Share of the rows drawn for each tree.
    column_share : float, default 0.25
        Share of the columns drawn for each question.
    smallest_leaf : int, default 10
        Least number of rows in a leaf.
    random_state : int, default 0
        Seed of the draws.

    Attributes
    ----------
    formula_ : Trees
        See `TreeFitter`.
    n_features_in_ : int
        See `TreeFitter`.
    """

    n_trees: int = 80
    depth: int = 3
    rate: float = 0.08
    share: float = 0.5
    column_share: float = 0.25
    smallest_leaf: int = 10
    random_state: int = 0

    def grow(self, X: Any, y: Any) -> Trees:
        """Return the trees, their values times the rate, and the mean of y."""
        from sklearn.ensemble import GradientBoostingRegressor

        ensemble = GradientBoostingRegressor(
            n_estimators=self.n_trees,
            max_depth=self.depth,
            learning_rate=self.rate,
            subsample=self.share,
            max_features=self.column_share,
            min_samples_leaf=self.smallest_leaf,
            random_state=self.random_state,
        ).fit(X, y)
        trees = tuple(copy_tree(estimator.tree_, self.rate) for estimator in ensemble.estimators_[:, 0])
        return Trees(float(ensemble.init_.constant_[0, 0]), trees)


@dataclass(eq=False, repr=False)
class ExtraTrees(TreeFitter):
    """The mean of trees on all rows whose thresholds are drawn at random (Geurts, Ernst and Wehenkel, 2006).

    Parameters
    ----------
    n_trees : int, default 60
        Number of trees.
    most_leaves : int, default 32
        Leaves of a tree, so that the predictor's file stays readable.
    smallest_leaf : int, default 5
        Least number of rows in a leaf.
    column_share : float, default 1/3
        Share of the columns drawn for each question.
    random_state : int, default 0
        Seed of the draws.

    Attributes
    ----------
    formula_ : Trees
        See `TreeFitter`.
    n_features_in_ : int
        See `TreeFitter`.
    """

    n_trees: int = 60
    most_leaves: int = 32
    smallest_leaf: int = 5
    column_share: float = 1 / 3
    random_state: int = 0

    def grow(self, X: Any, y: Any) -> Trees:
        """Return the trees, their values over their number."""
        from sklearn.ensemble import ExtraTreesRegressor

        ensemble = ExtraTreesRegressor(
            n_estimators=self.n_trees,
            max_leaf_nodes=self.most_leaves,
            min_samples_leaf=self.smallest_leaf,
            max_features=self.column_share,
            random_state=self.random_state,
        ).fit(X, y)
        return Trees(
            0.0, tuple(copy_tree(estimator.tree_, 1 / self.n_trees) for estimator in ensemble.estimators_)
        )
