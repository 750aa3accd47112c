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
from collections.abc import Iterator, Sequence
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
    """The nodes of several trees, one tree after the other; all rows are walked down all trees at once."""

    feature: Integers  # (n_nodes,), as threshold and value
    threshold: Array
    units: dict[int, float]  # a power of two for each column whose thresholds single precision cannot hold
    value: Array
    ways: Integers  # (2 * n_nodes,): where one goes left and right from each node, alternating
    roots: Integers  # (n_trees,)
    by_depth: Integers  # the trees, the deepest first
    n_deeper: list[int]  # how many trees have steps of a first, a second, ... level

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> _Nodes:
        """Put trees together; a leaf leads to itself, whatever its column says."""
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
        ways = np.stack([left, right], axis=1) + np.repeat(roots, sizes)[:, None]
        ways[is_leaf] = np.flatnonzero(is_leaf)[:, None]
        depth = np.zeros(feature.size, np.int64)
        for node in np.flatnonzero(~is_leaf).tolist():  # a node comes after the one that leads to it
            depth[ways[node]] = depth[node] + 1
        depths = np.maximum.reduceat(depth, roots) if trees else depth
        deeper = np.count_nonzero(depths > np.arange(depths.max(initial=0))[:, None], axis=1)
        by_depth = np.argsort(-depths, kind="stable")
        largest = np.zeros(1 + feature.max(initial=0))
        np.maximum.at(largest, np.maximum(feature, 0), np.abs(threshold))
        odd = np.flatnonzero((largest > 0) & ((largest < _SMALLEST) | (largest > 1 / _SMALLEST)))
        units = {int(column): float(2.0 ** np.floor(np.log2(largest[column]))) for column in odd}
        for column, unit in units.items():
            threshold[feature == column] /= unit
        feature = np.maximum(feature, 0)
        return cls(feature, threshold, units, value, ways.ravel(), roots, by_depth, deeper.tolist())

    def steps(self, X: Singles) -> Iterator[tuple[Integers, Integers]]:
        """Yield nodes (n_unfinished_trees, n) and the next ones, level by level, deepest trees first; leaves stay."""
        flat, first = X.ravel(), np.arange(len(X)) * X.shape[1]
        node = np.repeat(self.roots[self.by_depth][:, None], len(X), axis=1)
        for n in self.n_deeper:
            here = node[:n]
            is_below = flat.take(first + self.feature.take(here)) <= self.threshold.take(here)
            node = self.ways.take(2 * here + ~is_below)
            yield here, node

    def sums(self, X: Singles, constant: float) -> Array:
        """Add the values of the leaves that each row reaches to a constant, in the order of the trees, (n,)."""
        leaf = np.repeat(self.roots[self.by_depth][:, None], len(X), axis=1)
        for _, node in self.steps(X):
            leaf[: len(node)] = node
        total = np.full(len(X), constant)
        for values in self.value.take(leaf)[np.argsort(self.by_depth)]:
            total += values
        return total

    def changes(self, X: Singles) -> Array:
        """Add up by how much the steps of each row change the value, for each column that decides; (n, n_columns)."""
        cells, n_columns = np.zeros(X.size), max(X.shape[1], 1)
        for here, after in self.steps(X):
            cell = np.arange(len(X)) * n_columns + self.feature.take(here)
            change = self.value.take(after) - self.value.take(here)
            cells += np.bincount(cell.ravel(), change.ravel(), minlength=X.size)
        return cells.reshape(X.shape)


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
