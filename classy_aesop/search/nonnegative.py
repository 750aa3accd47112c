"""Nonnegative least squares on every subset, by shared supports.

Idea. Let x be the optimum over the names in A and T the names that x gives weight to. Then x is the optimum
of *every* subset between T and A. So one solution serves all those subsets, and the others lack some name of
T: they are subsets of A without t_1, or (holding t_1) of A without t_2, and so on; each of these sets is
solved in turn. A few hundred solutions cover thousands of subsets. Proof: a subset S with T <= S <= A offers
no point that A does not, and x is among its points.

The sets that are wanted at a time are solved together (`pivoting`), each from the support of the set that it was
cut from. Where the columns of all names together are nearly dependent, each is solved by scipy's `nnls` instead,
on R from the QR factors of (columns, target): p + 1 rows instead of thousands.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from classy_aesop.fitters.nonnegative import marginal_signs
from classy_aesop.fitters.standard import Standard
from classy_aesop.search.base import Solutions, Training
from classy_aesop.search.design import Array, Integers, Mask
from classy_aesop.search.lattice import SAFE_PIVOT, least_squares_of_subsets
from classy_aesop.search.pivoting import Supports


class NonNegativeKernel:
    """`NonNegativeRegression` on all subsets."""

    chunk: ClassVar[int] = 2**20
    tie: ClassVar[float] = 1e-9

    def __init__(self, fitter: Any, training: Training) -> None:
        self.training = training
        centre, y = fitter.fit_intercept, training.Y[:, training.target]
        self.signs = marginal_signs(training.X, y)
        self.standard = Standard.of(training.X * self.signs, centre=centre)
        self.mean = float(y.mean()) if centre else 0.0
        joint = np.column_stack([self.standard.Z, y - self.mean])
        self.joint, self.moments = joint, joint.T @ joint / len(y)
        self.independent = self._smallest_pivot() > SAFE_PIVOT

    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of masks in any order."""
        hard = self._near_dependence(masks)
        owner = np.zeros(masks.size, dtype=np.int64)
        owner[~hard], solutions = self._supports(masks[~hard])
        weights, constant = self.standard.raw(solutions.T, self.mean)
        converged = np.ones(weights.shape[1], dtype=bool)
        return Solutions(weights * self.signs[:, None], constant, converged, hard, owner)

    @cached_property
    def root(self) -> Array:
        """R of the columns and the target: the same sums of squares in p + 1 rows."""
        return np.asarray(np.linalg.qr(self.joint).R)

    def _smallest_pivot(self) -> float:
        """Return the least variance that a column has given all the others: no subset has a smaller pivot."""
        used = [column for columns in self.training.groups for column in columns]
        gram = self.moments[np.ix_(used, used)]
        if not used or np.linalg.matrix_rank(gram, hermitian=True) < len(used):
            return 0.0
        return float(1 / np.diag(np.linalg.inv(gram)).max())

    def _near_dependence(self, masks: Integers) -> Mask:
        if self.independent:
            return np.zeros(masks.size, dtype=bool)
        moments = self.moments[:-1, :-1]
        hard = [
            least_squares_of_subsets(moments, 0, self.training.groups, part).pivot <= SAFE_PIVOT
            for part in np.array_split(masks, max(1, masks.size // 8192))
        ]
        return np.concatenate(hard)

    def _supports(self, masks: Integers) -> tuple[Integers, Array]:
        """Return which solution each mask has, and the solutions (n_solutions, p)."""
        supports = Supports(self.moments, self.training.groups)
        low = 2 ** (len(self.training.groups) // 2) - 1
        everything = np.bitwise_or.reduce(masks, initial=0)
        ends = np.bincount(masks & low, minlength=low + 1) > 0
        first = np.flatnonzero(ends) | everything & ~low
        guess = supports.numbered(self.training.used(np.atleast_1d(everything)))
        numbers = supports.settled(np.repeat(guess, first.size), first)[0]
        numbers, left = supports.settled(numbers[(np.cumsum(ends) - 1)[masks & low]], masks)
        solutions = supports.weights
        numbers[left] = len(solutions) + np.arange(left.size)
        return _used_ones(numbers, np.vstack([solutions, *map(self._by_scipy, self.training.used(masks[left]))]))

    def _by_scipy(self, used: Mask) -> Array:
        from scipy.optimize import nnls

        weights, columns = np.zeros(used.size), np.flatnonzero(used)
        if columns.size:  # nnls without columns ends the interpreter
            weights[columns] = nnls(self.root[:, columns], self.root[:, -1])[0]
        return weights


def _used_ones(owner: Integers, solutions: Array) -> tuple[Integers, Array]:
    """Drop the solutions that nobody owns."""
    used = np.zeros(len(solutions), dtype=bool)
    used[owner] = True
    return (np.cumsum(used) - 1)[owner], solutions[used]
