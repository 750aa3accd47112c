"""A sum of regression trees as readable arrays.

A tree is a list of nodes, the root first; a node comes after the one that leads to it. From an inner node one goes
left where the column is at most the threshold, else right. Columns are compared in single precision, as scikit-learn
compares them, so that a tree decides here exactly as where it was grown. A column whose thresholds single precision
cannot hold is compared in a unit of its own.

Contributions follow the decision path: with each step the value of the node changes, and the change belongs to the
column that decided the step. They add up to the prediction less the sum of the roots' values (Saabas, 2014,
"Interpreting random forests"; for one tree Kuz'min et al., 2011).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from classy_aesop.formulas.base import Array, Formula

Integers = NDArray[np.int64]
Singles = NDArray[np.float32]
LEAF = -1
_CELLS_TOGETHER = 1 << 15
_SMALLEST = 2.0**-80


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
        Lists of unequal lengths, a node that leads nowhere or back, or one that not exactly one other leads to.
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
        times = Counter(way for way in (*self.left, *self.right) if way != LEAF)
        if set(times.values()) - {1} or len(times) != len(self.feature) - 1:
            node = next(node for node in range(1, len(self.feature)) if times[node] != 1)
            raise ValueError(f"{times[node]} nodes of a tree lead to node {node}; expected one")


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
        compared = self._as_compared(X)
        total = np.concatenate([self._nodes.sums(compared[part], self.constant) for part in self._parts(X)])
        missing = np.isnan(X)
        if missing.any():  # quicker than row by row
            total[missing.any(axis=1)] = np.nan
        return total

    def contributions(self, X: Array, means: Array) -> tuple[Array, float]:
        """Return what the steps of the decision paths add, (n, n_columns), and the sum of the roots and the constant.

        The roots are means over the training rows, so ``means`` is not needed.
        """
        compared = self._as_compared(X)
        added = np.concatenate([self._nodes.changes(compared[part]) for part in self._parts(X)])
        baseline = self.constant + sum(tree.value[0] for tree in self.trees)
        added[np.isnan(X).any(axis=1)] = np.nan
        return added, float(baseline)

    def _parts(self, X: Array) -> list[slice]:
        """Give the rows that are worked on together, which stay in the cache."""
        n_together = max(1, _CELLS_TOGETHER // max(len(self.trees), 1))
        return [slice(at, at + n_together) for at in range(0, max(len(X), 1), n_together)]

    def _as_compared(self, X: Array) -> Singles:
        """Give the values in single precision and in the units of their columns."""
        for column, unit in self._nodes.units.items():
            X = np.where(np.arange(X.shape[1]) == column, X / unit, X)
        return X.astype(np.float32)

    @cached_property
    def _nodes(self) -> _Nodes:
        return _Nodes.of(self.trees)

    def check_columns(self, n_columns: int) -> None:
        """Raise `ValueError` if a tree reads a column that is not there."""
        highest = max((column for tree in self.trees for column in tree.feature), default=LEAF)
        if highest >= n_columns:
            raise ValueError(f"a tree reads column {highest} (counted from 0); there are {n_columns}")


@dataclass(frozen=True)
class _Nodes:
    """The nodes of several trees, level by level, so that the right child of a node follows its left one."""

    feature: Integers  # (n_nodes,), as the next three; 0 in a leaf
    threshold: Singles  # infinite in a leaf
    left: Integers  # where one goes from a node; a leaf leads to itself
    value: Array
    units: dict[int, float]  # a power of two for each column whose thresholds single precision cannot hold
    heap: Integers  # (15, n_trees): the nodes of the first four levels; a leaf is its own child
    n_levels: int

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> _Nodes:
        """Put trees together."""
        sizes = [len(tree.value) for tree in trees]
        roots = np.cumsum([0, *sizes])[:-1]
        feature, threshold, value, left, right = (
            np.array([entry for tree in trees for entry in getattr(tree, name)], kind)
            for name, kind in (
                *(("feature", np.int64), ("threshold", float), ("value", float)),
                *(("left", np.int64), ("right", np.int64)),
            )
        )
        is_leaf = feature == LEAF
        largest = np.zeros(1 + feature.max(initial=0))
        np.maximum.at(largest, np.maximum(feature, 0), np.abs(threshold))
        odd = np.flatnonzero((largest > 0) & ((largest < _SMALLEST) | (largest > 1 / _SMALLEST)))
        units = {int(column): float(2.0 ** np.floor(np.log2(largest[column]))) for column in odd}
        for column, unit in units.items():
            threshold[feature == column] /= unit
        ways = np.stack([left, right], axis=1) + np.repeat(roots, sizes)[:, None]
        levels = [roots]
        while levels[-1].size:
            levels.append(ways[levels[-1][~is_leaf[levels[-1]]]].ravel())
        order = np.concatenate(levels)
        is_leaf, place = is_leaf[order], np.argsort(order)
        left = np.where(is_leaf, np.arange(order.size), place[ways[order, 0] * ~is_leaf])
        heap = [np.arange(len(trees))]
        for at in range(7):
            heap += [left[heap[at]], left[heap[at]] + ~is_leaf[heap[at]]]
        limit = np.where(is_leaf, np.inf, threshold[order])
        single = limit.astype(np.float32)
        single = np.where(single > limit, np.nextafter(single, np.float32(-np.inf)), single)
        feature = np.maximum(feature, 0)[order]
        return cls(feature, single, left, value[order], units, np.array(heap), len(levels) - 2)

    def leaves(self, X: Singles) -> Integers:
        """Find the leaf that each row reaches in each tree, (n_trees, n) for X (n, n_columns).

        Three levels are decided for all rows together, deeper ones for the trees and rows that go on.
        """
        columns, n_trees = np.ascontiguousarray(X.T), self.heap.shape[1]
        right = [columns[self.feature[nodes]] > self.threshold[nodes][:, None] for nodes in self.heap[:7]]
        one, two = right[0], _chosen(right[0], *right[1:3])
        three = _chosen(one, _chosen(two, *right[3:5]), _chosen(two, *right[5:7]))
        at = (one.view(np.uint8) << 2 | two.view(np.uint8) << 1 | three.view(np.uint8)) * np.int64(n_trees)
        at += np.arange(n_trees)[:, None]
        found: Integers = self.heap[7:].take(at).ravel()
        flat, pair, node = X.ravel(), np.arange(found.size if self.n_levels > 3 else 0), found
        first = np.tile(np.arange(len(X)) * X.shape[1], n_trees)
        for level in range(3, self.n_levels):
            if level % 2:  # leave those that have arrived; each time would take longer
                goes_on = np.flatnonzero(self.threshold.take(node) < np.inf)
                pair, node, first = pair.take(goes_on), node.take(goes_on), first.take(goes_on)
            is_right = flat.take(self.feature.take(node) + first) > self.threshold.take(node)
            node = self.left.take(node) + is_right
            if not level % 2 or level == self.n_levels - 1:
                found[pair] = node
        return found.reshape(n_trees, len(X))

    def sums(self, X: Singles, constant: float) -> Array:
        """Add the values of the leaves that each row reaches to a constant, in the order of the trees, (n,)."""
        values = np.vstack([np.full(len(X), constant), self.value.take(self.leaves(X))])
        return np.asarray(np.add.accumulate(values)[-1])

    def changes(self, X: Singles) -> Array:
        """Add up by how much the steps of each row change the value, for each column that decides; (n, n_columns)."""
        total = np.zeros(X.shape)
        for leaf in self.leaves(X):
            total[:, : self.paths.shape[1]] += self.paths[leaf]
        return total

    @cached_property
    def paths(self) -> Array:
        """What the steps from the root to each node change, by the column that decides, (n_nodes, n_used_columns)."""
        added = np.zeros((self.value.size, 1 + self.feature.max(initial=0)))
        for node in np.flatnonzero(self.threshold < np.inf):
            for child in (self.left[node], self.left[node] + 1):
                added[child] = added[node]
                added[child, self.feature[node]] += self.value[child] - self.value[node]
        return added


def _chosen(by: NDArray[np.bool_], no: NDArray[np.bool_], yes: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return no ^ (by & (no ^ yes))  # quicker than `where`


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
