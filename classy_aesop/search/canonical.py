"""Canonical correlation on every subset, from one covariance.

Idea. Make the measures uncorrelated with variance 1 (T, by QR). Of the part of T that a subset of columns
explains, E is the covariance (n_measures x n_measures): the canonical correlations are the roots of its
eigenvalues, and with u its first eigenvector, the direction is that of least squares of T u on the columns.
Elimination (`lattice`) gives E and those least squares weights for all subsets; the eigenvectors of all these
small matrices are turned out by Jacobi rotations, all subsets at a time. Proof: the correlation of X a and T
b is largest over a, for given b of length 1, at the regression of T b on X, where its square is b'Eb.

With the target t = T l, the score's regression on itself is the score times l'u: calibration costs nothing.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from classy_aesop.fitters.least_squares import centred, pivoted_basis
from classy_aesop.search.base import Solutions, Standard, Training
from classy_aesop.search.design import Array, Integers
from classy_aesop.search.lattice import SAFE_PIVOT, least_squares_of_subsets

SAFE_GAP = 1e-5
"""Least distance of the first two squared correlations; nearer ones leave the direction to rounding."""


class CanonicalKernel:
    """`CanonicalRegression` on all subsets."""

    chunk: ClassVar[int] = 4096
    tie: ClassVar[float] = 1e-9

    def __init__(self, fitter: Any, training: Training) -> None:
        self.training, self.calibrate = training, fitter.calibrate
        self.standard = Standard.of(training.X)
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
        roots, vectors = eigenvectors(np.eye(kept)[:, :, None] - leaves.residual)
        first = np.argmax(roots, axis=0) if kept else np.zeros(masks.size, dtype=int)
        u = (
            np.take_along_axis(vectors, first[None, None], axis=1)[:, 0]
            if kept
            else np.zeros((0, masks.size))
        )
        ordered = np.sort(np.vstack([np.zeros((2, masks.size)), roots]), axis=0)
        signs = self._signs(u)
        coef = np.einsum("pqk,qk->pk", leaves.coef, u) * self._factor(ordered[-1], u, signs[0])
        weights, constant = self.standard.raw(coef, self.mean if self.calibrate else 0.0)
        clear = (ordered[-1] > 0) & ((ordered[-1] - ordered[-2] > SAFE_GAP) | (kept == 1))
        hard = ~(clear & (leaves.pivot > SAFE_PIVOT)) & np.isfinite(leaves.pivot)
        every = np.arange(masks.size)
        return Solutions(weights, constant, every >= 0, hard, every, signs * signs[0])

    def _signs(self, u: Array) -> Array:
        """Return the signs (1 + n_others, n) that turn T u towards the targets, see `orientation`."""
        with_targets = self.loads[:, [self.training.target, *self.training.others]].T @ u
        lengths = np.sqrt(np.einsum("ij,ij->j", self.loads, self.loads))
        with_all = (self.loads / np.where(lengths > 0, lengths, 1.0)).sum(axis=1) @ u
        return np.where(np.where(with_targets != 0, with_targets, with_all) < 0, -1.0, 1.0)

    def _factor(self, root: Array, u: Array, sign: Array) -> Array:
        """Return what brings the regression of T u to the target's scale, or to variance 1 and its sign."""
        if self.calibrate:
            return np.asarray(self.loads[:, self.training.target] @ u)
        return np.asarray(sign * self.per_row / np.sqrt(np.where(root > 0, root, 1.0)))


def eigenvectors(matrices: Array, *, sweeps: int = 12) -> tuple[Array, Array]:
    """Return eigenvalues (q, n) and eigenvectors (q, q, n; one a column) of symmetric matrices (q, q, n).

    Cyclic Jacobi: each rotation makes one pair of off-diagonal entries 0, in all matrices at once.
    """
    A, q = matrices.copy(), len(matrices)
    V = np.broadcast_to(np.eye(q)[:, :, None], A.shape).copy()
    pairs = [(i, j) for i in range(q) for j in range(i + 1, q)]
    for _ in range(sweeps):
        if max((float(np.max(np.abs(A[i, j]), initial=0.0)) for i, j in pairs), default=0.0) < 1e-17:
            break
        for i, j in pairs:
            cosine, sine = _rotation(A[i, i], A[j, j], A[i, j])
            _rotate(A, i, j, cosine, sine)
            _rotate(A.transpose(1, 0, 2), i, j, cosine, sine)
            A[i, j] = A[j, i] = 0.0
            _rotate(V.transpose(1, 0, 2), i, j, cosine, sine)
    return A[range(q), range(q)], V


def _rotation(first: Array, second: Array, between: Array) -> tuple[Array, Array]:
    """Return the cosine and sine of the smaller rotation that clears `between`."""
    clear = np.abs(between) <= 1e-300
    theta = (second - first) / (2 * np.where(clear, 1.0, between))
    tangent = np.where(theta < 0, -1.0, 1.0) / (np.abs(theta) + np.hypot(theta, 1.0))
    cosine = 1 / np.hypot(tangent, 1.0)
    return np.where(clear, 1.0, cosine), np.where(clear, 0.0, tangent * cosine)


def _rotate(rows: Array, i: int, j: int, cosine: Array, sine: Array) -> None:
    """Replace rows i and j by their rotation, in place."""
    old = rows[i].copy()
    rows[i] = cosine * old - sine * rows[j]
    rows[j] = sine * old + cosine * rows[j]
