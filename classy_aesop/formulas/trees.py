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

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from classy_aesop.formulas.base import Array, Formula

Integers = NDArray[np.int64]
Singles = NDArray[np.float32]
LEAF = -1
_ROWS_TOGETHER = 1 << 12  # whose bits stay in the cache
_SMALL_BUFFER = 16  # elements; numpy copies rows that it compares with one number until they fill its buffer
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
        size = len(self.feature)
        for node, (column, left, right) in enumerate(zip(self.feature, self.left, self.right, strict=True)):
            is_leaf = column == left == right == LEAF
            if not is_leaf and (column < 0 or not (node < left < size > right > node)):
                raise ValueError(
                    f"node {node} of a tree leads to {[left, right]}; expected later nodes, or none in a leaf"
                )
        ways = (*self.left, *self.right)
        if len({*ways}) < size or ways.count(LEAF) != size + 1:
            node = next(node for node in range(1, size) if ways.count(node) != 1)
            raise ValueError(f"{ways.count(node)} nodes of a tree lead to node {node}; expected one")


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
        return [slice(at, at + _ROWS_TOGETHER) for at in range(0, max(len(X), 1), _ROWS_TOGETHER)]

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
        highest = max((max(tree.feature) for tree in self.trees), default=LEAF)
        if highest >= n_columns:
            raise ValueError(f"a tree reads column {highest} (counted from 0); there are {n_columns}")


class _Level(NamedTuple):
    """The inner nodes of one level; those on their left, from ``start`` on, are followed by those on their right."""

    nodes: Integers
    decisions: Integers
    columns: Integers
    start: int


@dataclass(frozen=True)
class _Nodes:
    """The nodes of several trees, level by level, and what decides.

    All rows go down all trees at once, a bit a row: at an inner node a row of bits says who goes left. A node is
    reached by who reaches the one above it and turns to its side, so each takes one operation on bits.
    """

    thresholds: list[tuple[int, Singles]]  # of each column that decides, in the order of decisions
    levels: list[_Level]
    leaves: Integers  # (n_trees, a power of 2): the leaves of each tree, then a node that no row reaches
    value: Array
    units: dict[int, float]  # a power of two for each column whose thresholds single precision cannot hold

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> _Nodes:
        """Put trees together."""
        sizes = [len(tree.value) for tree in trees]
        roots = np.cumsum([0, *sizes])[:-1]
        kinds = {"feature": np.int64, "threshold": float, "value": float, "left": np.int64, "right": np.int64}
        feature, threshold, value, left, right = (
            np.fromiter(chain.from_iterable(map(attrgetter(name), trees)), kind, sum(sizes))
            for name, kind in kinds.items()
        )
        is_leaf = feature == LEAF
        largest = np.zeros(1 + feature.max(initial=0))
        np.maximum.at(largest, np.maximum(feature, 0), np.abs(threshold))
        odd = np.flatnonzero((largest > 0) & ((largest < _SMALLEST) | (largest > 1 / _SMALLEST)))
        units = {int(column): float(2.0 ** np.floor(np.log2(largest[column]))) for column in odd}
        for column, unit in units.items():
            threshold[feature == column] /= unit
        by_column = np.argsort(feature, kind="stable")[is_leaf.sum() :]
        decision = np.zeros(is_leaf.size, np.int64)
        decision[by_column] = np.arange(by_column.size)
        single = threshold.astype(np.float32)
        single = np.where(single > threshold, np.nextafter(single, np.float32(-np.inf)), single)
        thresholds = [
            (int(one), single[by_column[feature[by_column] == one]]) for one in np.unique(feature[by_column])
        ]
        ways = np.stack([left, right]) + np.repeat(roots, sizes)
        placed, levels, n_placed = [roots], list[_Level](), 0
        while placed[-1].size:
            above = np.flatnonzero(~is_leaf[placed[-1]])
            nodes = placed[-1][above]
            start = n_placed + placed[-1].size
            levels.append(_Level(n_placed + above, decision[nodes], feature[nodes], start))
            placed.append(ways[:, nodes].ravel())
            n_placed = start
        order = np.concatenate(placed)
        leaf, tree = np.flatnonzero(is_leaf[order]), np.repeat(np.arange(len(trees)), sizes)[order]
        n_leaves = np.bincount(tree[leaf], minlength=len(trees))
        leaves = np.full((len(trees), 1 << (int(n_leaves.max(initial=1)) - 1).bit_length()), order.size)
        leaves[np.arange(leaves.shape[1]) < n_leaves[:, None]] = leaf[np.argsort(tree[leaf], kind="stable")]
        return cls(thresholds, levels, leaves, value[order], units)

    def reached(self, X: Singles) -> NDArray[np.unsignedinteger]:
        """Number among its leaves the one that each row reaches in each tree, (n_trees, n) for X (n, n_columns)."""
        columns, n_bytes = np.ascontiguousarray(X.T), -(-len(X) // 8)
        with np.errstate():  # at its end the size of the buffer is what it was
            np.setbufsize(_SMALL_BUFFER)
            is_left = [
                np.packbits(columns[one] <= limits[:, None], axis=1) for one, limits in self.thresholds
            ]
        decided = np.concatenate([np.zeros((0, n_bytes), np.uint8), *is_left])
        reached = np.empty((self.value.size + 1, n_bytes), np.uint8)
        reached[: len(self.leaves)], reached[-1] = 255, 0
        for nodes, decisions, _, start in self.levels:
            here, middle = reached.take(nodes, axis=0), start + nodes.size
            left = np.bitwise_and(here, decided.take(decisions, axis=0), out=reached[start:middle])
            np.bitwise_xor(here, left, out=reached[middle : middle + nodes.size])
        among = reached.take(self.leaves.T, axis=0)  # halves are put together: which of them says a digit
        number = np.zeros((len(self.leaves), len(X)), np.min_scalar_type(self.leaves.shape[1] - 1))
        while len(among) > 1:
            first, second = np.split(among, 2)
            number += number
            number |= np.unpackbits(np.bitwise_or.reduce(second), axis=1, count=len(X))
            among = first | second
        return number

    def sums(self, X: Singles, constant: float) -> Array:
        """Add the values of the leaves that each row reaches to a constant, in the order of the trees, (n,)."""
        total = np.full(len(X), constant)
        for values, reached in zip(self.values, self.reached(X), strict=True):
            total += values.take(reached)
        return total

    def changes(self, X: Singles) -> Array:
        """Add up by how much the steps of each row change the value, for each column that decides; (n, n_columns)."""
        total = np.zeros(X.shape)
        for leaves, reached in zip(self.leaves, self.reached(X), strict=True):
            total[:, : self.paths.shape[1]] += self.paths[leaves.take(reached)]
        return total

    @cached_property
    def values(self) -> Array:
        """The values of the leaves of each tree, (n_trees, a power of 2); 0 where there is none."""
        return np.append(self.value, 0.0).take(self.leaves)

    @cached_property
    def paths(self) -> Array:
        """What the steps from the root to each node change, by the column that decides, (n_nodes, n_used_columns)."""
        added = np.zeros((self.value.size, 1 + max((column for column, _ in self.thresholds), default=0)))
        for nodes, _, columns, start in self.levels:
            for children in (np.arange(nodes.size) + start, np.arange(nodes.size) + start + nodes.size):
                added[children] = added[nodes]
                added[children, columns] += self.value[children] - self.value[nodes]
        return added


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
