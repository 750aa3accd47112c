"""Canonical correlation on every subset, from one covariance.

Idea. Make the measures uncorrelated with variance 1 (T, by QR). Of the part of T that a subset of columns
explains, E is the covariance (n_measures x n_measures): the canonical correlations are the roots of its
eigenvalues, and with u its first eigenvector, the direction is that of least squares of T u on the columns.
Elimination (`lattice`) gives E and those least squares weights for all subsets; the eigenvectors of all these
small matrices are found from their polynomial, or by squaring, all subsets at a time. Proof: the correlation
of X a and T b is largest over a, for given b of length 1, at the regression of T b on X, where its square is
b'Eb.

With the target t = T l, the score's regression on itself is the score times l'u: rescaling to the target costs nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from classy_aesop.fitters.least_squares import StandardColumns, centred, pivoted_basis
from classy_aesop.search.design import Array, Integers
from classy_aesop.search.lattice import SAFE_PIVOT, least_squares_of_subsets
from classy_aesop.search.subsets import Kernel, Solutions, Training

SAFE_GAP = 1e-5
"""Least distance of the first two squared correlations; nearer ones leave the direction to rounding."""
SAFE_SIZE = 1e-4
"""Least adjugate of a matrix of trace 1 whose vector keeps eleven digits."""
MOST_STEPS = 60
MOST_SQUARINGS = 24
"""Enough for that distance: (1 - 1e-5)^(2^24) is less than 1e-70."""


class CanonicalKernel(Kernel):
    """`CanonicalRegression` on all subsets."""

    chunk = 8192
    any_target = True

    def __init__(self, fitter: Any, training: Training) -> None:
        self.training, self.rescales = training, fitter.is_on_scale
        self.standard = StandardColumns.standardize(training.X)
        measures, means = centred(training.Y)
        basis, n = pivoted_basis(measures), len(measures)
        self.mean = float(means[training.target])
        joint = np.column_stack([self.standard.Z, basis.q * np.sqrt(n)])
        self.moments = joint.T @ joint / n
        self.loads = (basis.q.T @ measures) / np.sqrt(n)  # (n_kept, n_targets): measures = T @ loads
        self.per_row = np.sqrt((n - 1) / n)  # the raw score has variance 1 by n - 1

    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of ascending masks."""
        kept = len(self.loads)
        leaves = least_squares_of_subsets(self.moments, kept, self.training.groups, masks)
        first, second, u = first_eigenvectors(np.eye(kept)[:, :, None] - leaves.residual)
        with_targets = self.loads[:, [self.training.target, *self.training.others]].T @ u
        lengths = np.sqrt(np.einsum("ij,ij->j", self.loads, self.loads))
        with_all = (self.loads / np.where(lengths > 0, lengths, 1.0)).sum(axis=1) @ u
        # what turns T u towards the targets, (1 + n_others, n), see `orientation`
        signs = np.where(np.where(with_targets != 0, with_targets, with_all) < 0, -1.0, 1.0)
        # what brings its regression to the target's scale, or to variance 1 and its sign
        factor = signs[0] * self.per_row / np.sqrt(np.where(first > 0, first, 1.0))
        if self.rescales:
            factor = self.loads[:, self.training.target] @ u
        coef = np.einsum("pqk,qk->pk", leaves.coef, u) * factor
        weights, constant = self.standard.raw_weights(coef, self.mean if self.rescales else 0.0)
        clear = (first > 0) & ((first - second > SAFE_GAP) | (kept == 1))
        hard = ~(clear & (leaves.pivot > SAFE_PIVOT)) & np.isfinite(leaves.pivot)
        every = np.arange(masks.size)
        return Solutions(weights, constant, every >= 0, hard, every, signs * signs[0])


def first_eigenvectors(matrices: Array) -> tuple[Array, Array, Array]:
    """Roots (n,), second roots or bounds (n,) and vectors (q, n) of nonnegative definite matrices (q, q, n)."""
    if not len(matrices):  # every human measure is constant
        none = np.zeros(matrices.shape[1:])
        return none.sum(axis=0), none.sum(axis=0), none
    return _of_three(matrices) if len(matrices) == 3 else _by_powers(matrices)


def _of_three(matrices: Array) -> tuple[Array, Array, Array]:
    """Find the first root of the characteristic polynomial, and its vector in the adjugate.

    With the roots x > y > z of a matrix A of trace 1, Newton's way from 1 falls to x without passing it, and the
    adjugate of A - x is (x - y)(x - z) u u'. Where that is so small that rounding counts, x is given as the
    second root too.
    """
    A = matrices / _positive(np.einsum("iin->n", matrices))
    adjugate = _adjugate(A)
    minors, determinant = np.einsum("iin->n", adjugate), np.einsum("in,in->n", A[0], adjugate[0])
    x = np.ones(A.shape[2])
    for _ in range(MOST_STEPS):
        step = (((x - 1.0) * x + minors) * x - determinant) / _positive((3.0 * x - 2.0) * x + minors)
        x -= step
        if np.all(np.abs(step) < 1e-15):
            break
    others = np.maximum((1.0 - x) ** 2 - 4.0 * (minors - x * (1.0 - x)), 0.0)
    second = (1.0 - x + np.sqrt(others)) / 2.0
    A[np.arange(3), np.arange(3)] -= x
    adjugate = _adjugate(A)
    size = np.einsum("iin->n", adjugate)
    u = _largest_column(adjugate)
    first = np.einsum("in,ijn,jn->n", u, matrices, u)
    return first, np.where(size > SAFE_SIZE, second / x * first, first), u


def _adjugate(A: Array) -> Array:
    """Return the adjugates of symmetric matrices (3, 3, n)."""
    adjugate = np.empty_like(A)
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        adjugate[i, i] = A[j, j] * A[k, k] - A[j, k] * A[j, k]
        adjugate[j, k] = adjugate[k, j] = A[i, j] * A[i, k] - A[i, i] * A[j, k]
    return adjugate


def _largest_column(matrices: Array) -> Array:
    """Return the vectors u (q, n), of length 1, of matrices (q, q, n) that are multiples of u u'."""
    largest = np.argmax(np.einsum("iin->in", matrices), axis=0)
    u = np.take_along_axis(matrices, largest[None, None], axis=1)[:, 0]
    return np.asarray(u / _positive(np.sqrt(np.einsum("in,in->n", u, u))))


def _by_powers(matrices: Array) -> tuple[Array, Array, Array]:
    """Find roots and vectors for matrices of any size.

    Powers: squared again and again, a matrix with the largest root 1 goes to u u', and faster the smaller the
    second root is. It comes from the sum and the sum of squares of the others: exact for q <= 3, beyond that
    an upper bound (Samuelson's inequality), so that no two roots look further apart than they are.
    """
    q = len(matrices)
    power = matrices / _positive(np.einsum("iin->n", matrices))
    room = np.empty_like(power)
    for _ in range(MOST_SQUARINGS):
        for i in range(q):
            for j in range(i + 1):  # half of the square is computed
                np.einsum("kn,kn->n", power[i], power[j], out=room[i, j])
                room[j, i] = room[i, j]
        power, room = room, power
        trace = _positive(np.einsum("iin->n", power))
        power /= trace
        if np.all(trace > 1 - 1e-9):  # the others had a share of 5e-10 at most; squared, less than rounding
            break
    u = _largest_column(power)
    first = np.einsum("in,ijn,jn->n", u, matrices, u)
    mean = (np.einsum("iin->n", matrices) - first) / max(1, q - 1)
    spread = (np.einsum("ijn,ijn->n", matrices, matrices) - first**2) / max(1, q - 1) - mean**2
    return first, mean + np.sqrt(max(0, q - 2) * np.maximum(spread, 0.0)), u


def _positive(values: Array) -> Array:
    """Replace 0 by 1, so that it can be a divisor."""
    return np.where(values > 0, values, 1.0)
