"""Corrections of p-values for the number of tests.

Holm (1979) and Bonferroni bound the chance of any false finding in the family; Benjamini and Hochberg (1995; ``"bh"``,
for independent or positively dependent tests) and Benjamini and Yekutieli (2001; ``"by"``, for any) bound the
expected share of false findings.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, check_choice
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import ROUNDING


def adjust_p_values(p: ArrayLike, *, correction: str = "holm") -> FloatArray:
    """Adjust p-values so that each can be compared with alpha itself.

    The results are in [0, 1], and never below ``p``.

    Raises ValueError for an unknown correction or a p outside [0, 1].

    Parameters
    ----------
    p : array_like, any shape
        One family. NaN is no test: it stays NaN and does not count.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        How to adjust, see the module.

    Examples
    --------
    >>> adjust_p_values([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    check_choice(correction, CORRECTIONS, "correction")
    p = np.asarray(p, dtype=np.float64)
    if ((p < 0) | (p > 1)).any():
        raise ValueError(f"p-values reach from {np.nanmin(p)} to {np.nanmax(p)}; expected 0 to 1")
    result = np.full(p.shape, np.nan)
    tested = ~np.isnan(p)
    family = p[tested]
    order = np.argsort(family, kind="stable")
    changed = np.empty_like(family)
    changed[order] = CORRECTIONS[correction](family[order])
    result[tested] = np.minimum(changed, 1.0)
    return result


def adjust_p_matrix(P: ArrayLike, *, family: str = "rows", correction: str = "holm") -> FloatArray:
    """Adjust a matrix of one-sided p-values, each row's metric against each column's.

    NaN where nothing was tested; with ``"smaller"`` also in the direction with the larger p (the later one if equal).

    Deutsch et al. (2021), Figures 5 and 6. Their text says Bonferroni, their code steps down as Holm does:
    choose by ``correction``.

    Parameters
    ----------
    P : array_like, shape (n_metrics, n_metrics)
        NaN on the diagonal and wherever nothing was tested.
    family : {"rows", "smaller"}
        One family for each row, or one of all pairs, of which only the smaller p of either direction is
        tested.
    correction : str
        As for :func:`adjust_p_values`.
    """
    check_choice(family, ("rows", "smaller"), "family")
    P = np.asarray(P, dtype=np.float64)
    if P.ndim != 2 or P.shape[0] != P.shape[1]:
        raise ValueError(f"P has shape {P.shape}; expected a square matrix")
    if family == "rows":
        return np.array([adjust_p_values(row, correction=correction) for row in P]).reshape(P.shape)
    larger = (P > P.T) | ((P == P.T) & ~np.triu(np.ones(P.shape, dtype=bool)))
    return adjust_p_values(np.where(larger, np.nan, P), correction=correction)


def resamples_needed(n_tests: int, *, correction: str = "holm", alpha: float = ALPHA) -> int:
    """Fewest resamples by which the smallest p of a family can be significant after correction.

    The smallest p of a resampling is 1 / (n + 1). Benjamini and Hochberg's and Yekutieli's corrections take it
    for all tests of the family at once, which is the best case.

    Examples
    --------
    >>> resamples_needed(1), resamples_needed(78), resamples_needed(78, correction="bh")
    (19, 1559, 19)
    """
    check_choice(correction, CORRECTIONS, "correction")
    return ceil(float(CORRECTIONS[correction](np.ones(n_tests)).min()) / alpha * (1 - ROUNDING)) - 1


def _bh(ascending: FloatArray) -> FloatArray:
    """Benjamini and Hochberg's step-up correction (1995): the false discovery rate of independent tests."""
    n = len(ascending)
    return np.minimum.accumulate((ascending * (n / np.arange(1, n + 1)))[::-1])[::-1]


#: Corrections by the name a caller gives; each takes the family in ascending order.
CORRECTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "holm": lambda ascending: np.maximum.accumulate(ascending * np.arange(len(ascending), 0, -1)),
    "bonferroni": lambda ascending: ascending * len(ascending),
    "bh": _bh,
    "by": lambda ascending: _bh(ascending) * np.sum(1 / np.arange(1, len(ascending) + 1)),
    "none": lambda ascending: ascending,
}
