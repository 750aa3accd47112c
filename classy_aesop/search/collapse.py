"""Where robust regression ends at a constant: more than half of the target values are equal.

Idea. Once the weights have left exactly the rows with the commonest value c, the next weighted least squares fit
is c for every row, whatever the columns, as long as these are independent on those rows. Then so many residuals
are 0 that the scale is 0 too, all other rows keep the weight 0, and c is the end. So the literal iteration need
only be followed until then. Proof that nothing else can follow: least squares fits those rows without error, by
c and by nothing else; the scale is the median of the residuals without the r - 1 smallest (r unknowns), which
is 0 as soon as the zeros are more than half of what is left.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.fitters.standard import Standard
from classy_aesop.search.base import Training
from classy_aesop.search.design import Array, Integers, Mask
from classy_aesop.search.lattice import SAFE_PIVOT, least_squares_of_subsets


class Majority:
    """The rows (n,) with the commonest target value.

    Attributes
    ----------
    value : float
    rows : (n,) of bool
    exists : bool
        Whether they are more than half of all. Otherwise nothing here can happen.
    """

    def __init__(self, training: Training) -> None:
        y = training.Y[:, training.target]
        values, counts = np.unique(y, return_counts=True)
        self.value, self.count = float(values[counts.argmax()]), int(counts.max())
        self.rows: Mask = y == self.value
        self.exists = 2 * self.count > y.size
        self.groups = training.groups
        if self.exists:
            Z = Standard.of(training.X[self.rows]).Z
            self.moments = Z.T @ Z / self.count

    def can_decide(self, masks: Integers, sizes: Integers) -> Mask:
        """Return whether the constant is an end for ascending masks (n_subsets,) with `sizes` unknowns."""
        if not self.exists:
            return np.zeros(masks.size, dtype=bool)
        independent = least_squares_of_subsets(self.moments, 0, self.groups, masks).pivot > SAFE_PIVOT
        left_out = sizes - 1
        enough: Mask = 2 * (self.count - left_out) > self.rows.size - left_out
        return independent & enough

    def decides(self, weights: Array) -> Mask:
        """Return whether exactly these rows have weight, for each of weights (n_subsets, n)."""
        alone: Mask = ((weights > 0) == self.rows).all(axis=1)
        return alone
