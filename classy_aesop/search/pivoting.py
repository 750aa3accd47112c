"""Nonnegative least squares of many sets of columns at once, by exchanging blocks of columns.

Idea. Guess which columns have weight, solve least squares on these, and exchange all that are wrong: those whose
weight is negative go out, those left out on which the residual still leans come in. When none is wrong, the
conditions of the minimum hold (Karush, Kuhn and Tucker), and it is the only one as the columns are
independent. A guess from a neighbouring set is right at once or after an exchange or two. Exchanging all at
once could go in circles; what is not done after some rounds is left to the caller. Portugal, Judice and
Vicente (1994); Kim and Park (2011).
"""

from __future__ import annotations

import numpy as np

from classy_aesop.search.design import Array, Mask

ROUNDS = 12
LEANS = 1e-13
"""A share of the target's length, by which the residual must lean on a standard column to let it in."""
AT_ONCE = 4096


def nonnegative_optima(moments: Array, allowed: Mask, guess: Mask) -> tuple[Array, Mask]:
    """Return weights (n, p) and which sets are done (n,).

    Parameters
    ----------
    moments : (p + 1, p + 1)
        Second moments of the standard columns, which are independent, then of the target.
    allowed, guess : (n, p) of bool
        The columns of each set, and those among them that may have weight.
    """
    weights, done = np.zeros(allowed.shape), np.zeros(len(allowed), dtype=bool)
    for start in range(0, len(allowed), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        weights[part], done[part] = _exchange(moments, allowed[part], guess[part])
    return weights, done


def _exchange(moments: Array, allowed: Mask, guess: Mask) -> tuple[Array, Mask]:
    gram, products, leans = moments[:-1, :-1], moments[:-1, -1], LEANS * np.sqrt(moments[-1, -1])
    weights, waiting, holds = np.zeros(allowed.shape), np.arange(len(allowed)), guess
    for _ in range(ROUNDS):
        solved = _least_squares(gram, products, holds)
        wrong = np.where(holds, solved < 0, allowed & (products - solved @ gram > leans))
        left = wrong.any(axis=1)
        weights[waiting[~left]] = solved[~left]
        waiting, allowed, holds = waiting[left], allowed[left], (holds ^ wrong)[left]
        if not waiting.size:
            break
    done = np.ones(len(weights), dtype=bool)
    done[waiting] = False
    return weights, done


def _least_squares(gram: Array, products: Array, holds: Mask) -> Array:
    """Return the weights (n, p) of least squares on the columns that each row (n, p) holds, 0 elsewhere.

    Each matrix has the size of the largest set; what a smaller one lacks is filled from the identity.
    """
    size = int(holds.sum(axis=1).max(initial=0))
    columns = np.argsort(~holds, axis=1, kind="stable")[:, :size]
    held = np.take_along_axis(holds, columns, axis=1)
    matrices = gram[columns[:, :, None], columns[:, None, :]] * (held[:, :, None] & held[:, None, :])
    diagonal = np.arange(size)
    matrices[:, diagonal, diagonal] += ~held
    solved = np.linalg.solve(matrices, (products[columns] * held)[:, :, None])[:, :, 0]
    weights = np.zeros(holds.shape)
    np.put_along_axis(weights, columns, solved, axis=1)
    return weights
