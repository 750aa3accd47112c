"""Anderson acceleration of iterations that go to a fixed point, for many problems at once.

Of the last few steps, take the combination (weights that sum to 1) with the least length, and continue from the
same combination of their ends. The fixed points stay the same; they are only reached sooner. Anderson (1965); Walker
and Ni (2011), equation 2.1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
DEPTH = 3


class Memory:
    """The last steps of k problems; lengths of steps are those of the fitted values.

    Parameters
    ----------
    gram : (p, p)
        The squared length of a step d is ``d @ gram @ d``.
    """

    def __init__(self, gram: Array) -> None:
        self.gram = gram
        self.past: list[tuple[Array, Array]] = []
        self.length: Array | None = None

    def next(self, coef: Array, step: Array, length: Array, near: NDArray[np.bool_]) -> Array:
        """Return the next coefficients (k, p): accelerated where ``near`` and no step has got much longer.

        Parameters
        ----------
        coef, step : (k, p)
            The coefficients, and the step that the plain iteration would take from there.
        length : (k,)
            Length of the step in any unit.
        near : (k,) of bool
            Which problems may be accelerated.
        """
        ahead = coef + step
        if self.length is not None:
            moves = np.stack([step - old for _, old in self.past], axis=1)
            shifts = np.stack([coef - old for old, _ in self.past], axis=1)
            share = self._combination(moves, step)
            trusted = near & (length < 2 * self.length) & np.isfinite(share).all(axis=1)
            share = np.where(trusted[:, None], share, 0.0)
            ahead = ahead - np.einsum("km,kmi->ki", share, moves + shifts)
        self.past = [*self.past, (coef, step)][-DEPTH:]
        self.length = length
        return np.asarray(ahead)

    def _combination(self, moves: Array, step: Array) -> Array:
        measured = moves @ self.gram
        normal = measured @ moves.transpose(0, 2, 1)
        ridge = 1e-12 * np.trace(normal, axis1=1, axis2=2) + 1e-300
        normal += ridge[:, None, None] * np.eye(normal.shape[1])
        return np.asarray(np.linalg.solve(normal, measured @ step[:, :, None])[:, :, 0])

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Keep only the problems that are not done."""
        self.past = [(coef[rows], step[rows]) for coef, step in self.past]
        self.length = self.length[rows] if self.length is not None else None
