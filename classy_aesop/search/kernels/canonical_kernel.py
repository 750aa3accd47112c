"""Canonical correlation on every subset, from one covariance.

Idea. Make the measures uncorrelated with variance 1 (T, by QR). Of the part of T that a subset of columns
explains, E is the covariance (n_measures x n_measures): the canonical correlations are the roots of its
eigenvalues, and with u its first eigenvector, the direction is that of least squares of T u on the columns.
Elimination (`elimination`) gives E and those least squares weights for all subsets; the eigenvectors of all these
small matrices are found from their polynomial, or by squaring, all subsets at a time. Proof: the correlation
of X a and T b is largest over a, for given b of length 1, at the regression of T b on X, where its square is
b'Eb.

With the target t = T l, the score's regression on itself is the score times l'u: rescaling to the target costs nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from classy_aesop.fitters.least_squares import StandardColumns, centre_columns, pivoted_basis
from classy_aesop.formulas.base import Array
from classy_aesop.search.kernels.base import Kernel, Solutions, Training
from classy_aesop.search.kernels.elimination import MIN_SAFE_PIVOT, least_squares_of_subsets
from classy_aesop.search.row_arrays import Integers

MIN_GAP = 1e-5
"""Least distance of the first two squared correlations; nearer ones leave the direction to rounding."""
MIN_ADJUGATE = 1e-4
"""Least adjugate of a matrix of trace 1 whose vector keeps eleven digits."""
MAX_NEWTON_STEPS = 60
MAX_SQUARINGS = 24
"""Enough for that distance: (1 - 1e-5)^(2^24) is less than 1e-70."""


class CanonicalKernel(Kernel):
    """`CanonicalRegression` on all subsets."""

    chunk = 8192

    def __init__(self, fitter: Any, training: Training) -> None:
        self.training = training
        self.rescales = fitter.is_on_scale
        self.standard = StandardColumns.standardize(training.X)
        measures, means = centre_columns(training.Y)
        basis = pivoted_basis(measures)
        n = len(measures)
        self.mean = float(means[training.target])
        joint = np.column_stack([self.standard.Z, basis.q * np.sqrt(n)])
        self.moments = joint.T @ joint / n
        self.loads = (basis.q.T @ measures) / np.sqrt(n)  # (n_factors, n_targets): measures = T @ loads
        self.per_row = np.sqrt((n - 1) / n)  # the raw score has variance 1 by n - 1

    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of ascending masks."""
        n_factors = len(self.loads)
        leaves = least_squares_of_subsets(self.moments, n_factors, self.training.groups, masks)
        explained = np.eye(n_factors)[:, :, None] - leaves.residual
        first, second, u = first_eigenvectors(explained)
        # what brings its regression to the target's scale, or to variance 1 and its sign
        factor = self._signs(u) * self.per_row / np.sqrt(np.where(first > 0, first, 1.0))
        if self.rescales:
            factor = self.loads[:, self.training.target] @ u
        coef = np.einsum("pqk,qk->pk", leaves.coef, u) * factor
        weights, constant = self.standard.raw_weights(coef, self.mean if self.rescales else 0.0)
        is_distinct = (first > 0) & ((first - second > MIN_GAP) | (n_factors == 1))
        hard = ~(is_distinct & (leaves.pivot > MIN_SAFE_PIVOT)) & np.isfinite(leaves.pivot)
        subsets = np.arange(masks.size)
        return Solutions(weights, constant, subsets >= 0, hard, subsets)

    def _signs(self, u: Array) -> Array:
        """Return the signs (n,) of the correlations of T u with the target, see `orientation`."""
        with_target = self.loads[:, self.training.target] @ u
        lengths = np.sqrt(np.einsum("ij,ij->j", self.loads, self.loads))
        with_all = (self.loads / np.where(lengths > 0, lengths, 1.0)).sum(axis=1) @ u
        return np.where(np.where(with_target != 0, with_target, with_all) < 0, -1.0, 1.0)


def first_eigenvectors(matrices: Array) -> tuple[Array, Array, Array]:
    """Return the first roots (n,), second roots (n,) and vectors (q, n) of nonnegative definite matrices (q, q, n).

    The returned second root is never less than the true one, so that no two look further apart than they are.
    """
    if not len(matrices):  # every human measure is constant
        no_vectors = np.zeros(matrices.shape[1:])
        return no_vectors.sum(axis=0), no_vectors.sum(axis=0), no_vectors
    return _eigenvectors_of_three(matrices) if len(matrices) == 3 else _eigenvectors_by_powers(matrices)


def _eigenvectors_of_three(matrices: Array) -> tuple[Array, Array, Array]:
    """Find the first root of the characteristic polynomial, and its vector in the adjugate.

    With the roots x > y > z of a matrix A of trace 1, Newton's iteration from 1 falls to x without passing it, and the
    adjugate of A - x is (x - y)(x - z) u u'. Where that is so small that rounding matters, x is returned as the
    second root too.
    """
    A = matrices / _replace_zeros(np.einsum("iin->n", matrices))
    adjugate = _adjugate(A)
    minors = np.einsum("iin->n", adjugate)
    determinant = np.einsum("in,in->n", A[0], adjugate[0])
    x = np.ones(A.shape[2])
    for _ in range(MAX_NEWTON_STEPS):
        step = (((x - 1.0) * x + minors) * x - determinant) / _replace_zeros((3.0 * x - 2.0) * x + minors)
        x -= step
        if np.all(np.abs(step) < 1e-15):
            break
    discriminant = np.maximum((1.0 - x) ** 2 - 4.0 * (minors - x * (1.0 - x)), 0.0)
    second = (1.0 - x + np.sqrt(discriminant)) / 2.0
    A[np.arange(3), np.arange(3)] -= x
    adjugate = _adjugate(A)
    size = np.einsum("iin->n", adjugate)
    u = _largest_column(adjugate)
    first = np.einsum("in,ijn,jn->n", u, matrices, u)
    return first, np.where(size > MIN_ADJUGATE, second / x * first, first), u


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
    return np.asarray(u / _replace_zeros(np.sqrt(np.einsum("in,in->n", u, u))))


def _eigenvectors_by_powers(matrices: Array) -> tuple[Array, Array, Array]:
    """Find roots and vectors for matrices of any size.

    Powers: squared again and again, a matrix with the largest root 1 goes to u u', and faster the smaller the
    second root is. It comes from the sum and the sum of squares of the others: exact for q <= 3, beyond that
    an upper bound (Samuelson's inequality), so that no two roots look further apart than they are.
    """
    q = len(matrices)
    power = matrices / _replace_zeros(np.einsum("iin->n", matrices))
    square = np.empty_like(power)
    for _ in range(MAX_SQUARINGS):
        for i in range(q):
            for j in range(i + 1):  # half of the square is computed
                np.einsum("kn,kn->n", power[i], power[j], out=square[i, j])
                square[j, i] = square[i, j]
        power, square = square, power
        trace = _replace_zeros(np.einsum("iin->n", power))
        power /= trace
        if np.all(trace > 1 - 1e-9):  # the others had a share of 5e-10 at most; squared, less than rounding
            break
    u = _largest_column(power)
    first = np.einsum("in,ijn,jn->n", u, matrices, u)
    mean = (np.einsum("iin->n", matrices) - first) / max(1, q - 1)
    spread = (np.einsum("ijn,ijn->n", matrices, matrices) - first**2) / max(1, q - 1) - mean**2
    return first, mean + np.sqrt(max(0, q - 2) * np.maximum(spread, 0.0)), u


def _replace_zeros(values: Array) -> Array:
    """Replace 0 by 1, so that it can be a divisor."""
    return np.where(values > 0, values, 1.0)
