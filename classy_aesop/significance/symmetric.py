"""Eigenvalues and eigenvectors of symmetric matrices, many at once."""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray


def eigh(A: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the eigenvalues, in ascending order, and the eigenvectors of each matrix, (..., n) and (..., n, n).

    LAPACK's divide and conquer, by which numpy finds them, ends without them for a rare matrix that has nothing odd.
    All are then found by LAPACK's relatively robust representations.

    Examples
    --------
    >>> values, vectors = eigh(np.array([[2.0, 0.0], [0.0, 1.0]]))
    >>> values.tolist()
    [1.0, 2.0]
    """
    try:
        values, vectors = np.linalg.eigh(A)
    except np.linalg.LinAlgError:
        from scipy import linalg

        found = [linalg.eigh(each, driver="evr") for each in A.reshape(-1, *A.shape[-2:])]
        values = np.array([one for one, _ in found]).reshape(A.shape[:-1])
        vectors = np.array([one for _, one in found]).reshape(A.shape)
    return values, vectors
