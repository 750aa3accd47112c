"""Least squares on every subset of columns, by eliminating columns along a tree of subsets.

Idea. Take the columns one after the other and at each decide to use it or not. What later decisions need to
know of the earlier ones is the covariance of the columns and targets still to come, *given* the columns used
(a Schur complement), and the weights that those columns and targets have on the used ones. Using column k
with conditional variance d turns the conditional covariance M into M - m m'/d (m the k-th column of M) and
the weights B_j of column j into B_j + (m_j / d)(e_k - B_k); not using it just forgets it. Proof: the residual
of j given one column more is the old residual less its regression on the old residual of k (Frisch, Waugh and
Lovell). At the leaves only the targets are left: their weights are the least squares coefficients of that
subset.

All subsets that begin alike share the work, so a leaf costs about as much as a few steps of one elimination;
it is Gaussian elimination of a positive definite matrix and as stable. The smallest pivot d of a subset (of
standard columns, 1 if uncorrelated) says how near it is to dependence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classy_aesop.formulas.base import Array
from classy_aesop.search.row_arrays import Integers, Mask

MIN_SAFE_PIVOT = 1e-6
"""Least conditional variance of a standard column at which elimination still keeps ten digits."""

MIN_SHARE_TO_KEEP_ALL = 0.9
"""Share of the nodes that are needed from which all of them are kept: to leave a few out costs more."""


@dataclass(frozen=True)
class Leaves:
    """The result of elimination for each of n subsets."""

    coef: Array  # (n_columns, n_targets, n): least squares weights
    residual: Array  # (n_targets, n_targets, n): second moments of the targets given the columns
    pivot: Array  # (n,): the smallest pivot; infinite for a subset without columns


def least_squares_of_subsets(
    moments: Array, n_targets: int, groups: Sequence[Sequence[int]], masks: Integers
) -> Leaves:
    """Eliminate columns along the tree of subsets."""
    n_columns = len(moments) - n_targets
    order = [*range(n_columns, len(moments)), *(column for columns in groups for column in columns)]
    root = np.zeros(1, dtype=np.int64)
    nodes = Nodes(root, moments[np.ix_(order, order)][:, :, None], np.zeros((0, len(order), 1)))
    for name in reversed(range(len(groups))):
        children = masks >> name
        is_first = np.diff(children, prepend=-1) != 0  # they ascend
        nodes = nodes.decide(children[is_first], len(groups[name]))
    node_of_prefix = np.zeros(1 + nodes.prefix.max(initial=0), dtype=np.int64)
    node_of_prefix[nodes.prefix] = np.arange(nodes.prefix.size)
    node = node_of_prefix[masks]
    coef = np.zeros((n_columns, n_targets, masks.size))
    for column, weights in zip(reversed(order[n_targets:]), nodes.W, strict=True):
        np.take(weights, node, axis=1, out=coef[column], mode="clip")
    return Leaves(coef, nodes.M[:, :, node], nodes.pivot[node])


class Nodes:
    """The nodes of one level of the tree, those that do not use its name first; a few may not be needed.

    Attributes
    ----------
    prefix : (n_nodes,) integers
        The decisions so far, as bits.
    M : (n_left, n_left, n_nodes)
        Conditional second moments of the targets and the columns still to come, these last.
    W : (n_done, n_left, n_nodes)
        Their weights on the columns that were decided on.
    pivot : (n_nodes,)
        The smallest pivot so far.
    """

    def __init__(self, prefix: Integers, M: Array, W: Array, pivot: Array | None = None) -> None:
        self.prefix = prefix
        self.M = M
        self.W = W
        self.pivot = np.full(prefix.size, np.inf) if pivot is None else pivot

    def decide(self, children: Integers, n_columns: int) -> Nodes:
        """Decide on the next name, to which the last columns belong; some of the children are not needed."""
        is_needed = np.zeros(2 + max(2 * self.prefix.max(initial=0), children.max(initial=0)), dtype=bool)
        is_needed[children] = True
        without = _select_nodes(is_needed[2 * self.prefix])
        using = _select_nodes(is_needed[2 * self.prefix + 1])
        prefix = np.concatenate([2 * self.prefix[without], 2 * self.prefix[using] + 1])
        n_without = self.prefix[without].size
        n_left = len(self.M) - n_columns
        n_done = len(self.W)
        M = np.empty((n_left, n_left, prefix.size))
        W = np.empty((n_done + n_columns, n_left, prefix.size))
        M[:, :, :n_without] = self.M[:n_left, :n_left, without]
        W[:n_done, :, :n_without] = self.W[:, :n_left, without]
        W[n_done:, :, :n_without] = 0.0
        pivot = self.pivot[without]
        if n_without < prefix.size:
            pivot_of_using = self._use_columns(using, n_columns, M[:, :, n_without:], W[:, :, n_without:])
            pivot = np.concatenate([pivot, pivot_of_using])
        return Nodes(prefix, M, W, pivot)

    def _use_columns(self, using: Mask | slice, n_columns: int, into_M: Array, into_W: Array) -> Array:
        """Write some nodes with the last columns used; return their pivots."""
        M = self.M[:, :, using]
        W = self.W[:, :, using]
        pivot = self.pivot[using]
        if not n_columns:
            into_M[:] = M
            into_W[:] = W
        for column in range(n_columns):
            last = len(M) - 1
            pivot = np.minimum(pivot, M[last, last])
            if column == n_columns - 1:
                M, W = _eliminate(M, W, into_M, into_W)
            else:
                M, W = _eliminate(
                    M, W, np.empty_like(M[:last, :last]), np.empty((len(W) + 1, last, W.shape[2]))
                )
        return pivot


def _select_nodes(is_needed: Mask) -> Mask | slice:
    """Select the nodes that are needed, or all where only a few are not."""
    return slice(None) if is_needed.sum() >= MIN_SHARE_TO_KEEP_ALL * is_needed.size else is_needed


def _eliminate(M: Array, W: Array, into_M: Array, into_W: Array) -> tuple[Array, Array]:
    """Use the last column of M in all nodes; write what is left, and return it."""
    last = len(M) - 1
    variance = M[last, last]
    safe = np.where(variance > 0, variance, 1.0)  # a pivot of 0 is never used, see `pivot`
    share = M[last, :last] / safe
    np.multiply(W[:, last:], share, out=into_W[:-1])
    np.subtract(W[:, :last], into_W[:-1], out=into_W[:-1])
    into_W[-1] = share
    np.multiply(share[:, None], M[last, :last], out=into_M)
    np.subtract(M[:last, :last], into_M, out=into_M)
    return into_M, into_W
