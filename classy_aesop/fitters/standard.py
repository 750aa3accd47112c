"""Columns less their means and divided by their lengths, and the way back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.fitters.least_squares import Array
from classy_aesop.fitters.units import units_of


@dataclass(frozen=True)
class Standard:
    """Columns less their means (or not) and divided by their lengths, and the way back.

    Standard columns have second moments 1; raw ones can be apart by millions, which costs digits.
    """

    Z: Array
    shift: Array
    scale: Array

    @classmethod
    def of(cls, X: Array, *, centre: bool = True) -> Standard:
        """Standardize X (n, p); a constant column becomes 0."""
        shift, units = X.mean(axis=0) if centre else np.zeros(X.shape[1]), units_of(X)
        Z = (X - shift) / units
        if centre:
            Z[:, np.ptp(X, axis=0) == 0] = 0.0
        length = np.sqrt(np.einsum("ij,ij->j", Z, Z) / len(X))
        scale = np.where(length > 0, length, 1.0)
        return cls(Z / scale, shift, scale * np.where(length > 0, units, 1.0))

    def raw(self, coef: Array, constant: Array | float) -> tuple[Array, Array]:
        """Return the raw weights (p, n) and constants (n,) for standard weights (p, n) and constants (n,)."""
        weights = coef / self.scale[:, None]
        return weights, np.asarray(constant - self.shift @ weights)
