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

from classy_aesop.search.design import Array, Integers, Mask

SAFE_PIVOT = 1e-6
"""Least conditional variance of a standard column at which elimination still keeps ten digits."""

MOSTLY = 0.9
"""Share of nodes from which all are taken along."""


@dataclass(frozen=True)
class Leaves:
    """The result of elimination for each of n subsets."""

    coef: Array  # (n_columns, n_targets, n): least squares weights
    residual: Array  # (n_targets, n_targets, n): second moments of the targets given the columns
    pivot: Array  # (n,): the smallest pivot; infinite for a subset without columns


def least_squares_of_subsets(
    moments: Array, n_targets: int, groups: Sequence[Sequence[int]], masks: Integers
) -> Leaves:
    """Eliminate along the tree of ascending masks (n,), given second moments of standard columns, then the targets."""
    n_columns = len(moments) - n_targets
    order = [*range(n_columns, len(moments)), *(column for columns in groups for column in columns)]
    nodes = Nodes(
        np.zeros(1, dtype=np.int64), moments[np.ix_(order, order)][:, :, None], np.zeros((0, len(order), 1))
    )
    for name in reversed(range(len(groups))):
        children = masks >> name
        distinct = np.diff(children, prepend=-1) != 0  # they ascend
        nodes = nodes.decided(children[distinct], len(groups[name]))
    place = np.zeros(1 + nodes.prefix.max(initial=0), dtype=np.int64)
    place[nodes.prefix] = np.arange(nodes.prefix.size)
    ascending = place[masks]
    coef = np.zeros((n_columns, n_targets, masks.size))
    for column, weights in zip(reversed(order[n_targets:]), nodes.W, strict=True):
        np.take(weights, ascending, axis=1, out=coef[column], mode="clip")
    return Leaves(coef, nodes.M[:, :, ascending], nodes.pivot[ascending])


class Nodes:
    """The nodes of one level of the tree, those that do not use its name first; a few may not be wanted.

    The decisions so far are the bits of ``prefix`` (n_nodes,). ``M`` (n_left, n_left, n_nodes) are conditional second
    moments of the targets and the columns still to come, these last; ``W`` (n_done, n_left, n_nodes) their weights on
    the columns that were decided on; ``pivot`` (n_nodes,) the smallest so far.
    """

    def __init__(self, prefix: Integers, M: Array, W: Array, pivot: Array | None = None) -> None:
        self.prefix, self.M, self.W = prefix, M, W
        self.pivot = np.full(prefix.size, np.inf) if pivot is None else pivot

    def decided(self, children: Integers, n_columns: int) -> Nodes:
        """Decide on the next name, which has the last columns; some of its children are wanted."""
        table = np.zeros(2 + max(2 * self.prefix.max(initial=0), children.max(initial=0)), dtype=bool)
        table[children] = True
        marked = (table[2 * self.prefix + bit] for bit in (0, 1))
        # of few that are not wanted, the nodes cost less than leaving them out
        without, using = (slice(None) if one.sum() >= MOSTLY * one.size else one for one in marked)
        prefix = np.concatenate([2 * self.prefix[without], 2 * self.prefix[using] + 1])
        middle, left, done = self.prefix[without].size, len(self.M) - n_columns, len(self.W)
        M, W = np.empty((left, left, prefix.size)), np.empty((done + n_columns, left, prefix.size))
        M[:, :, :middle], W[:done, :, :middle] = self.M[:left, :left, without], self.W[:, :left, without]
        W[done:, :, :middle] = 0.0
        pivot = self.pivot[without]
        if middle < prefix.size:
            used = self._used(using, n_columns, M[:, :, middle:], W[:, :, middle:])
            pivot = np.concatenate([pivot, used])
        return Nodes(prefix, M, W, pivot)

    def _used(self, using: Mask | slice, n_columns: int, into_M: Array, into_W: Array) -> Array:
        """Write some nodes with the last columns used; return their pivots."""
        M, W, pivot = self.M[:, :, using], self.W[:, :, using], self.pivot[using]
        if not n_columns:
            into_M[:], into_W[:] = M, W
        for column in range(n_columns):
            left = len(M) - 1
            pivot = np.minimum(pivot, M[left, left])
            room = into_M, into_W
            if column < n_columns - 1:
                room = np.empty_like(M[:left, :left]), np.empty((len(W) + 1, left, W.shape[2]))
            M, W = _eliminate(M, W, *room)
        return pivot


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
