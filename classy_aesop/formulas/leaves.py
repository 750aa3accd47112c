"""The leaf of each tree that each row reaches: all rows go down a tree at once, a bit a row.

At an inner node a row of bits says which rows go left. A node is reached by the rows that reach the one above it and
turn to its side, so each takes one operation on bits; how deep a tree is makes no difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Singles = NDArray[np.float32]
Bits = NDArray[np.uint8]

_TOGETHER = 1024
"""Most rows at a time, whose bits stay in the cache."""

_SMALL_BUFFER = 16
"""Elements; numpy copies short rows that it compares with one number until they fill its buffer."""


class _Level(NamedTuple):
    """The inner nodes of one level: the places of their bits, their decisions, and where what follows begins.

    All nodes on the left are followed by all on the right.
    """

    nodes: Integers
    decisions: Integers
    start: int


class _Column(NamedTuple):
    """The thresholds of one column, and the place of the first decision by it."""

    column: int
    thresholds: Singles
    start: int


@dataclass(frozen=True, eq=False)
class Leaves:
    """The decisions of several trees, by column, and their nodes, level by level.

    Parameters
    ----------
    columns : list
        What is decided.
    levels : list
        Who decides, from the roots down.
    leaves : array of int, shape (n_trees, n_places)
        The places of the leaves of each tree; after the last leaf that of a node which no row reaches. The number of
        places is a power of 2.
    values : array, shape (n_trees, n_places)
        Their values, and 0.
    n_nodes : int
        Of all trees.
    """

    columns: list[_Column]
    levels: list[_Level]
    leaves: Integers
    values: NDArray[np.float64]
    n_nodes: int

    @classmethod
    def of(
        cls,
        feature: Integers,
        threshold: NDArray[np.float64],
        ways: Integers,
        value: NDArray[np.float64],
        roots: Integers,
    ) -> Leaves:
        """Put the nodes in order.

        Parameters
        ----------
        feature, threshold, value : array, shape (n_nodes,)
            Of each node.
        ways : array of int, shape (n_nodes, 2)
            The nodes on its left and right; of a leaf the leaf itself.
        roots : array of int, shape (n_trees,)
            The root of each tree; its nodes follow.
        """
        is_inner = ways[:, 0] != np.arange(len(ways))
        inner = np.flatnonzero(is_inner)
        by_column = inner[np.argsort(feature[inner], kind="stable")]
        decision = np.zeros(len(ways), np.int64)
        decision[by_column] = np.arange(by_column.size)
        columns, starts = np.unique(feature[by_column], return_index=True)
        parts = np.split(_rounded_down(threshold[by_column]), starts[1:])
        place = np.zeros(len(ways), np.int64)
        levels, nodes, n_placed = [], roots, 0
        while nodes.size:
            place[nodes] = np.arange(n_placed, n_placed + nodes.size)
            n_placed += nodes.size
            above = nodes[is_inner[nodes]]
            levels.append(_Level(place[above], decision[above], n_placed))
            nodes = ways[above].T.ravel()
        leaf = np.flatnonzero(~is_inner)
        tree = np.searchsorted(roots, leaf, side="right") - 1
        n_leaves = np.bincount(tree, minlength=roots.size)
        number = np.arange(leaf.size) - (np.cumsum(n_leaves) - n_leaves)[tree]
        shape = roots.size, 1 << (int(n_leaves.max(initial=1)) - 1).bit_length()
        leaves, values = np.full(shape, len(ways)), np.zeros(shape)
        leaves[tree, number], values[tree, number] = place[leaf], value[leaf]
        known = [_Column(*one) for one in zip(columns.tolist(), parts, starts.tolist(), strict=False)]
        return cls(known, levels, leaves, values, len(ways))

    def sums(self, X: Singles, constant: float) -> NDArray[np.float64]:
        """Add the values of the leaves that each row of X reaches to a constant, in the order of the trees."""
        parts = np.array_split(X, max(1, -(-len(X) // _TOGETHER)))
        return np.concatenate([self._sums(part, constant) for part in parts])

    def _sums(self, X: Singles, constant: float) -> NDArray[np.float64]:
        sums = np.full(len(X), constant)
        for values, leaf in zip(self.values, self._numbers(self._reached(X), len(X)), strict=True):
            sums += values.take(leaf)
        return sums

    def _is_left(self, X: Singles) -> Bits:
        """Which rows go left by each decision, (n_decisions, n_bytes)."""
        n_decisions = sum(one.thresholds.size for one in self.columns)
        bits, values = np.empty((n_decisions, -(-len(X) // 8)), np.uint8), np.ascontiguousarray(X.T)
        with np.errstate():  # at its end the size of the buffer is what it was
            np.setbufsize(_SMALL_BUFFER)
            for column, thresholds, start in self.columns:
                is_left = values[column] <= thresholds[:, None]
                bits[start : start + thresholds.size] = np.packbits(is_left, axis=1)
        return bits

    def _reached(self, X: Singles) -> Bits:
        """Which rows reach each node, (n_nodes + 1, n_bytes); none the last one."""
        is_left = self._is_left(X)
        reached = np.empty((self.n_nodes + 1, is_left.shape[1]), np.uint8)
        reached[: len(self.leaves)], reached[-1] = 255, 0
        for nodes, decisions, start in self.levels:
            here, middle = reached.take(nodes, axis=0), start + nodes.size
            left = np.bitwise_and(here, is_left.take(decisions, axis=0), out=reached[start:middle])
            np.bitwise_xor(here, left, out=reached[middle : middle + nodes.size])
        return reached

    def _numbers(self, reached: Bits, n_rows: int) -> Integers:
        """Number of the leaf of each tree that each row reaches, (n_trees, n_rows): digit by digit."""
        among = reached.take(self.leaves, axis=0)  # runs of leaves, at first of one each
        numbers = np.zeros((len(self.leaves), n_rows), np.uint16)
        for digit in range((self.leaves.shape[1] - 1).bit_length()):
            even, odd = among[:, ::2], among[:, 1::2]
            bits = np.bitwise_or.reduce(odd, axis=1)
            numbers |= np.unpackbits(bits, axis=1, count=n_rows).astype(np.uint16) << digit
            among = even | odd
        return numbers.astype(np.int64)


def _rounded_down(threshold: NDArray[np.float64]) -> Singles:
    """Give the largest single below or at each threshold, to which singles compare as to the threshold."""
    single = threshold.astype(np.float32)
    return np.where(single > threshold, np.nextafter(single, np.float32(-np.inf)), single)
