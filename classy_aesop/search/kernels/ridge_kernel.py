"""Ridge regression on every subset, from one correlation matrix.

The standard columns of a subset are those of all, so its moments are a part of theirs: blanking the rows and columns
of the unused ones leaves their weights 0 and adds nothing to the trace. All the small eigenproblems of a batch are
solved together. Nothing is badly conditioned here: the strength bounds the inverse, so no subset is hard.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from classy_aesop.fitters.least_squares import StandardColumns
from classy_aesop.fitters.ridge import check_strength, ridge_weights
from classy_aesop.search.kernels.base import Kernel, Solutions, Training
from classy_aesop.search.row_arrays import Integers


class RidgeKernel(Kernel):
    """`RidgeRegression` on all subsets."""

    chunk = 1024

    def __init__(self, fitter: Any, training: Training) -> None:
        check_strength(fitter.strength)
        self.training = training
        self.strength = fitter.strength
        self.n = len(training.X)
        self.standard = StandardColumns.standardize(training.X)
        self.mean = float(training.Y[:, 0].mean())
        target = training.Y[:, 0] - self.mean
        self.R = self.standard.Z.T @ self.standard.Z / self.n
        self.c = self.standard.Z.T @ target / self.n
        self.target_variance = float(target @ target / self.n)

    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of ascending masks."""
        used = self.training.columns_used(masks)
        R = np.where(used[:, :, None] & used[:, None, :], self.R, 0.0)
        weights, _ = ridge_weights(
            R, np.where(used, self.c, 0.0), self.target_variance, self.n, self.strength
        )
        coef, constant = self.standard.raw_weights(weights.T, self.mean)
        subsets = np.arange(masks.size)
        return Solutions(coef, constant, subsets >= 0, subsets < 0, subsets)
