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


@dataclass(frozen=True)
class Leaves:
    """What remains for each of n subsets.

    Parameters
    ----------
    coef : (n_columns, n_targets, n)
        Least squares weights.
    residual : (n_targets, n_targets, n)
        Second moments of the targets given the columns.
    pivot : (n,)
        Smallest pivot; infinite for a subset without columns.
    """

    coef: Array
    residual: Array
    pivot: Array


def least_squares_of_subsets(
    moments: Array, n_targets: int, groups: Sequence[Sequence[int]], masks: Integers
) -> Leaves:
    """Eliminate along the tree of ascending masks (n,).

    Parameters
    ----------
    moments : (n_columns + n_targets, n_columns + n_targets)
        Second moments of the standard columns, then of the targets.
    groups : sequence of lists of int
        The columns of each name; a column belongs to at most one.
    """
    n_columns = len(moments) - n_targets
    order = [*range(n_columns, len(moments)), *(column for columns in groups for column in columns)]
    M, W = moments[np.ix_(order, order)][:, :, None], np.zeros((0, len(order), 1))
    pivot, prefix, done = np.full(1, np.inf), np.zeros(1, dtype=np.int64), []
    for name in reversed(range(len(groups))):
        child = _distinct(masks >> name)
        parent = np.searchsorted(prefix, child >> 1)
        M, W, pivot, prefix = M[:, :, parent], W[:, :, parent], pivot[parent], child
        for column in reversed(groups[name]):
            M, W, pivot = _eliminate(M, W, pivot, child & 1 == 1)
            done.append(column)
    coef = np.zeros((n_columns, n_targets, masks.size))
    coef[done] = W
    return Leaves(coef, M, pivot)


def _distinct(ascending: Integers) -> Integers:
    """Return each value once."""
    return ascending[np.append(True, np.diff(ascending) != 0)] if ascending.size else ascending


def _eliminate(M: Array, W: Array, pivot: Array, use: Mask) -> tuple[Array, Array, Array]:
    """Use the last column of M in some nodes (n_nodes,), forget it in the others."""
    last = len(M) - 1
    variance = M[last, last]
    safe = np.where(variance > 0, variance, 1.0)  # no pivot of 0 is meant to be used: it is told by `pivot`
    share = M[last, :last] * (use / safe)
    W = np.concatenate([W[:, :last] - W[:, last:] * share, share[None]])
    M = M[:last, :last] - share[:, None] * M[last, :last]
    return M, W, np.where(use, np.minimum(pivot, variance), pivot)
