"""A sum of regression trees as readable arrays.

A tree is a list of nodes, the root first; a node comes after the one that leads to it. From an inner node one goes
left where the column is at most the threshold, else right. Columns are compared in single precision, as scikit-learn
compares them, so that a tree decides here exactly as where it was grown.

Contributions follow the decision path: with each step the value of the node changes, and the change belongs to the
column that decided the step. They add up to the prediction less the sum of the roots' values (Saabas, 2014,
"Interpreting random forests"; for one tree Kuz'min et al., 2011).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classy_aesop.formulas.base import Array, Formula

Integers = NDArray[np.int64]
LEAF = -1


@dataclass(frozen=True)
class Tree:
    """One regression tree: five lists of the same length, an entry a node.

    Parameters
    ----------
    feature : tuple of int
        The column that decides, -1 in a leaf.
    threshold : tuple of float
        Up to which one goes left; 0 in a leaf.
    left, right : tuple of int
        Where one goes, -1 in a leaf.
    value : tuple of float
        What the tree adds to the prediction where the path ends; in an inner node the mean over its training rows.

    Raises
    ------
    ValueError
        Lists of unequal lengths, or a node that leads nowhere or back.
    """

    feature: tuple[int, ...]
    threshold: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    value: tuple[float, ...]

    def __post_init__(self) -> None:
        lengths = {len(part) for part in (self.feature, self.threshold, self.left, self.right, self.value)}
        if len(lengths) > 1 or 0 in lengths:
            raise ValueError(f"a tree's lists have the lengths {sorted(lengths)}; expected one, 1 or more")
        for node, (column, *ways) in enumerate(zip(self.feature, self.left, self.right, strict=True)):
            leaf = column == LEAF and ways == [LEAF, LEAF]
            if not leaf and (column < 0 or not all(node < way < len(self.feature) for way in ways)):
                raise ValueError(
                    f"node {node} of a tree leads to {ways}; expected later nodes, or none in a leaf"
                )

    def steps(self, X: NDArray[np.float32]) -> Iterator[tuple[Integers, Integers, Integers]]:
        """Walk all rows of X (n, n_columns) down at once: yield the rows that go on, their node, the next node."""
        feature, left, right = (np.array(part) for part in (self.feature, self.left, self.right))
        threshold = np.array(self.threshold)
        rows, node = np.arange(len(X)), np.zeros(len(X), dtype=np.int64)
        while True:
            inner = feature[node] != LEAF
            rows, node = rows[inner], node[inner]
            if not rows.size:
                return
            below = X[rows, feature[node]] <= threshold[node]
            after = np.where(below, left[node], right[node])
            yield rows, node, after
            node = after


@dataclass(frozen=True)
class Trees(Formula):
    """A constant and a sum of trees.

    Examples
    --------
    >>> one = Tree((1, -1, -1), (0.5, 0, 0), (1, -1, -1), (2, -1, -1), (2.0, 1.0, 4.0))
    >>> formula = Trees(10.0, (one,))
    >>> formula.predict(np.array([[0, 0.5], [0, 0.6]]))
    array([11., 14.])
    >>> formula.contributions(np.array([[0, 0.5], [0, 0.6]]), means=np.zeros(2))
    (array([[ 0., -1.],
           [ 0.,  2.]]), 12.0)
    """

    kind: ClassVar[str] = "trees"

    constant: float
    trees: tuple[Tree, ...]

    def predict(self, X: Array) -> Array:
        """Return the predictions (n,) for X (n, n_columns); NaN where a column is."""
        single, total = X.astype(np.float32), np.full(len(X), self.constant)
        for tree in self.trees:
            end = np.zeros(len(X), dtype=np.int64)
            for rows, _, after in tree.steps(single):
                end[rows] = after
            total += np.array(tree.value)[end]
        total[np.isnan(X).any(axis=1)] = np.nan
        return total

    def contributions(self, X: Array, means: Array) -> tuple[Array, float]:
        """Return what the steps of the decision paths add, (n, n_columns), and the sum of the roots and the constant.

        The roots are means over the training rows, so ``means`` is not needed.
        """
        single, added = X.astype(np.float32), np.zeros(X.shape)
        for tree in self.trees:
            value, feature = np.array(tree.value), np.array(tree.feature)
            for rows, node, after in tree.steps(single):
                added[rows, feature[node]] += value[after] - value[node]
        baseline = self.constant + sum(tree.value[0] for tree in self.trees)
        added[np.isnan(X).any(axis=1)] = np.nan
        return added, float(baseline)

    def check_columns(self, n_columns: int) -> None:
        """Raise `ValueError` if a tree reads a column that is not there."""
        highest = max((column for tree in self.trees for column in tree.feature), default=LEAF)
        if highest >= n_columns:
            raise ValueError(f"a tree reads column {highest} (counted from 0); there are {n_columns}")


def tree_of(grown: Any, scale: float = 1.0) -> Tree:
    """Copy a fitted scikit-learn regression tree (its ``tree_``), its values times a scale."""
    inner = grown.children_left != LEAF
    return Tree(
        feature=_plain(np.where(inner, grown.feature, LEAF)),
        threshold=_plain(np.where(inner, grown.threshold, 0.0)),
        left=_plain(grown.children_left),
        right=_plain(grown.children_right),
        value=_plain(grown.value[:, 0, 0] * scale),
    )


def _plain(values: Sequence[Any] | NDArray[Any]) -> tuple[Any, ...]:
    return tuple(np.asarray(values).tolist())
