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
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.formulas.base import Array, Formula

NodeNumbers = NDArray[np.int64]
Singles = NDArray[np.float32]
LEAF = -1
_ROWS_AT_A_TIME = 1 << 12  # whose bits stay in the cache
_SMALL_BUFFER = 16  # elements; numpy copies rows that it compares with one number until they fill its buffer
_MIN_SINGLE_THRESHOLD = 2.0**-80


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
        size = len(self.feature)
        for node, (column, *children) in enumerate(zip(self.feature, self.left, self.right, strict=True)):
            is_leaf = column == children[0] == children[1] == LEAF
            if not is_leaf and (column < 0 or not all(node < child < size for child in children)):
                raise ValueError(
                    f"node {node} of a tree leads to {children}; expected later nodes, or none in a leaf"
                )
        n_parents = Counter((*self.left, *self.right))
        if len(n_parents) < size or n_parents[LEAF] != size + 1:
            node = next(node for node in range(1, size) if n_parents[node] != 1)
            raise ValueError(f"{n_parents[node]} nodes of a tree lead to node {node}; expected one")


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
        compared = self._to_compared_units(X)
        total = np.concatenate(
            [self._nodes.sums(compared[part], self.constant) for part in self._row_blocks(X)]
        )
        missing = np.isnan(X)
        if missing.any():  # quicker than row by row
            total[missing.any(axis=1)] = np.nan
        return total

    def contributions(self, X: Array, means: Array) -> tuple[Array, float]:
        """Return what the steps of the decision paths add, (n, n_columns), and the sum of the roots and the constant.

        The roots are means over the training rows, so ``means`` is not needed.
        """
        compared = self._to_compared_units(X)
        added = np.concatenate([self._nodes.changes(compared[part]) for part in self._row_blocks(X)])
        baseline = self.constant + sum(tree.value[0] for tree in self.trees)
        added[np.isnan(X).any(axis=1)] = np.nan
        return added, float(baseline)

    def _row_blocks(self, X: Array) -> list[slice]:
        """Give the rows that are worked on together, which stay in the cache."""
        return [slice(start, start + _ROWS_AT_A_TIME) for start in range(0, max(len(X), 1), _ROWS_AT_A_TIME)]

    def _to_compared_units(self, X: Array) -> Singles:
        """Give the values in single precision and in the units of their columns."""
        for column, unit in self._nodes.units.items():
            X = np.where(np.arange(X.shape[1]) == column, X / unit, X)
        return X.astype(np.float32)

    @cached_property
    def _nodes(self) -> _Nodes:
        return _Nodes.join(self.trees)

    def check_columns(self, n_columns: int) -> None:
        """Raise `ValueError` if a tree reads a column that is not there."""
        highest = max((max(tree.feature) for tree in self.trees), default=LEAF)
        if highest >= n_columns:
            raise ValueError(f"a tree reads column {highest} (counted from 0); there are {n_columns}")


class _Level(NamedTuple):
    """The inner nodes of one level; those on their left, from ``start`` on, are followed by those on their right."""

    nodes: NodeNumbers
    decisions: NodeNumbers
    columns: NodeNumbers
    start: int


@dataclass(frozen=True)
class _Nodes:
    """The nodes of several trees, level by level, and what decides.

    All rows go down all trees at once, a bit a row: at an inner node an array of bits says which rows go left. The rows
    that reach a node are those that reach its parent and go to its side, so each takes one operation on bits.
    """

    thresholds: list[tuple[int, Singles]]  # of each column that decides, in the order of decisions
    levels: list[_Level]
    leaves: NodeNumbers  # (n_trees, a power of 2): the leaves of each tree, then a node that no row reaches
    value: Array
    units: dict[int, float]  # a power of two for each column whose thresholds single precision cannot hold

    @classmethod
    def join(cls, trees: Sequence[Tree]) -> _Nodes:
        """Put the nodes of several trees into one set of arrays."""
        feature = _concatenate(trees, "feature", np.int64)
        is_leaf = feature == LEAF
        threshold, units = _scale_extreme_thresholds(feature, _concatenate(trees, "threshold", float))
        thresholds, decision = _order_decisions(feature, _round_down(threshold))
        sizes = [len(tree.value) for tree in trees]
        roots = np.cumsum([0, *sizes])[:-1]
        children = np.stack([_concatenate(trees, "left", np.int64), _concatenate(trees, "right", np.int64)])
        children += np.repeat(roots, sizes)
        nodes_by_level = [roots]
        levels: list[_Level] = []
        n_placed = 0
        while nodes_by_level[-1].size:
            inner = np.flatnonzero(~is_leaf[nodes_by_level[-1]])
            nodes = nodes_by_level[-1][inner]
            start = n_placed + nodes_by_level[-1].size
            levels.append(_Level(n_placed + inner, decision[nodes], feature[nodes], start))
            nodes_by_level.append(children[:, nodes].ravel())
            n_placed = start
        order = np.concatenate(nodes_by_level)
        tree_of_node = np.repeat(np.arange(len(trees)), sizes)[order]
        leaves = _leaves_by_tree(np.flatnonzero(is_leaf[order]), tree_of_node, len(trees))
        return cls(thresholds, levels, leaves, _concatenate(trees, "value", float)[order], units)

    def leaf_numbers(self, X: Singles) -> NDArray[np.unsignedinteger]:
        """Return which of its leaves, by number, each row reaches in each tree, (n_trees, n) for X (n, n_columns)."""
        columns = np.ascontiguousarray(X.T)
        n_bytes = -(-len(X) // 8)
        with np.errstate():  # at its end the size of the buffer is what it was
            np.setbufsize(_SMALL_BUFFER)
            goes_left = [
                np.packbits(columns[column] <= limits[:, None], axis=1) for column, limits in self.thresholds
            ]
        left_bits = np.concatenate([np.zeros((0, n_bytes), np.uint8), *goes_left])
        reached = np.empty((self.value.size + 1, n_bytes), np.uint8)
        reached[: len(self.leaves)] = 255  # every row reaches the roots
        reached[-1] = 0  # and none the node that stands for no leaf
        for nodes, decisions, _, start in self.levels:
            at_nodes = reached.take(nodes, axis=0)
            middle = start + nodes.size
            to_left = np.bitwise_and(at_nodes, left_bits.take(decisions, axis=0), out=reached[start:middle])
            np.bitwise_xor(at_nodes, to_left, out=reached[middle : middle + nodes.size])
        candidates = reached.take(
            self.leaves.T, axis=0
        )  # halved again and again: which half says a binary digit
        number = np.zeros((len(self.leaves), len(X)), np.min_scalar_type(self.leaves.shape[1] - 1))
        while len(candidates) > 1:
            first, second = np.split(candidates, 2)
            number += number
            number |= np.unpackbits(np.bitwise_or.reduce(second), axis=1, count=len(X))
            candidates = first | second
        return number

    def sums(self, X: Singles, constant: float) -> Array:
        """Add the values of the leaves that each row reaches to a constant, in the order of the trees, (n,)."""
        total = np.full(len(X), constant)
        for values, numbers in zip(self.values, self.leaf_numbers(X), strict=True):
            total += values.take(numbers)
        return total

    def changes(self, X: Singles) -> Array:
        """Add up by how much the steps of each row change the value, for each column that decides; (n, n_columns)."""
        changes = np.zeros(X.shape)
        for leaves, numbers in zip(self.leaves, self.leaf_numbers(X), strict=True):
            changes[:, : self.paths.shape[1]] += self.paths[leaves.take(numbers)]
        return changes

    @cached_property
    def values(self) -> Array:
        """The values of the leaves of each tree, (n_trees, a power of 2); 0 where there is none."""
        return np.append(self.value, 0.0).take(self.leaves)

    @cached_property
    def paths(self) -> Array:
        """What the steps from the root to each node change, by the column that decides, (n_nodes, n_used_columns)."""
        changes = np.zeros((self.value.size, 1 + max((column for column, _ in self.thresholds), default=0)))
        for nodes, _, columns, start in self.levels:
            for children in (np.arange(nodes.size) + start, np.arange(nodes.size) + start + nodes.size):
                changes[children] = changes[nodes]
                changes[children, columns] += self.value[children] - self.value[nodes]
        return changes


def _concatenate(trees: Sequence[Tree], name: str, dtype: type) -> NDArray[Any]:
    """Put one of the five lists of all trees into one array, (n_nodes,)."""
    size = sum(len(tree.value) for tree in trees)
    return np.fromiter(chain.from_iterable(map(attrgetter(name), trees)), dtype, size)


def _scale_extreme_thresholds(feature: NodeNumbers, threshold: Array) -> tuple[Array, dict[int, float]]:
    """Give columns whose thresholds single precision cannot hold a unit; return the thresholds and the units."""
    largest = np.zeros(1 + feature.max(initial=0))
    np.maximum.at(largest, np.maximum(feature, 0), np.abs(threshold))
    is_extreme = (largest < _MIN_SINGLE_THRESHOLD) | (largest > 1 / _MIN_SINGLE_THRESHOLD)
    units = {}
    for column in np.flatnonzero((largest > 0) & is_extreme):
        units[int(column)] = float(2.0 ** np.floor(np.log2(largest[column])))
        threshold[feature == column] /= units[int(column)]
    return threshold, units


def _round_down(threshold: Array) -> Singles:
    """Return the largest single-precision numbers that are not above the thresholds."""
    single = threshold.astype(np.float32)
    return np.where(single > threshold, np.nextafter(single, np.float32(-np.inf)), single)


def _order_decisions(feature: NodeNumbers, single: Singles) -> tuple[list[tuple[int, Singles]], NodeNumbers]:
    """Return the thresholds of each column that decides, and the number of each node's decision in their order."""
    is_leaf = feature == LEAF
    by_column = np.argsort(feature, kind="stable")[is_leaf.sum() :]
    decision = np.zeros(is_leaf.size, np.int64)
    decision[by_column] = np.arange(by_column.size)
    columns = np.unique(feature[by_column])
    return [(int(column), single[by_column[feature[by_column] == column]]) for column in columns], decision


def _leaves_by_tree(leaf: NodeNumbers, tree_of_node: NodeNumbers, n_trees: int) -> NodeNumbers:
    """Return the leaves of each tree, (n_trees, a power of 2), filled up with a node that no row reaches."""
    n_leaves = np.bincount(tree_of_node[leaf], minlength=n_trees)
    width = 1 << (int(n_leaves.max(initial=1)) - 1).bit_length()
    leaves = np.full((n_trees, width), tree_of_node.size)
    leaves[np.arange(width) < n_leaves[:, None]] = leaf[np.argsort(tree_of_node[leaf], kind="stable")]
    return leaves


def copy_tree(fitted: Any, scale: float = 1.0) -> Tree:
    """Copy a fitted scikit-learn regression tree (its ``tree_``), its values times a scale."""
    is_inner = fitted.children_left != LEAF
    return Tree(
        feature=_to_tuple(np.where(is_inner, fitted.feature, LEAF)),
        threshold=_to_tuple(np.where(is_inner, fitted.threshold, 0.0)),
        left=_to_tuple(fitted.children_left),
        right=_to_tuple(fitted.children_right),
        value=_to_tuple(fitted.value[:, 0, 0] * scale),
    )


def _to_tuple(values: Sequence[Any] | NDArray[Any]) -> tuple[Any, ...]:
    return tuple(np.asarray(values).tolist())
