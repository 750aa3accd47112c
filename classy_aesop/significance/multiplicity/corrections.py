"""Corrections of p-values for the number of tests.

Holm (1979) and Bonferroni bound the chance of any false finding in the family; Benjamini and Hochberg (1995; ``"bh"``,
for independent or positively dependent tests) and Benjamini and Yekutieli (2001; ``"by"``, for any) bound the
expected share of false findings.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping
from math import ceil

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import ROUNDING


def adjust_p_values(p: ArrayLike, *, correction: str = "holm") -> FloatArray:
    """Adjust p-values so that each can be compared with alpha itself.

    Examples
    --------
    >>> adjust_p_values([0.01, 0.04, 0.03]).round(6).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p, dtype=np.float64)
    is_tested = ~np.isnan(p)
    family = p[is_tested]
    order = np.argsort(family, kind="stable")
    adjusted_family = np.empty_like(family)
    adjusted_family[order] = CORRECTIONS_OF_STUDIES[correction](family[order])
    adjusted = np.full(p.shape, np.nan)
    adjusted[is_tested] = np.minimum(adjusted_family, 1.0)
    return adjusted


def resamples_needed(n_tests: int, *, correction: str = "holm", alpha: float = ALPHA) -> int:
    """Fewest resamples by which the smallest p of a family can be significant after correction.

    Examples
    --------
    >>> resamples_needed(1), resamples_needed(78), resamples_needed(78, correction="bh")
    (19, 1559, 19)
    """
    smallest_factor = float(CORRECTIONS_OF_STUDIES[correction](np.ones(n_tests)).min())
    return ceil(smallest_factor / alpha * (1 - ROUNDING)) - 1


def _holm(ascending: FloatArray) -> FloatArray:
    """Holm's step-down correction (1979): the chance of any false finding."""
    return np.maximum.accumulate(ascending * np.arange(len(ascending), 0, -1))


def _bonferroni(ascending: FloatArray) -> FloatArray:
    """Bonferroni's correction: p times the number of tests."""
    return ascending * len(ascending)


def _benjamini_hochberg(ascending: FloatArray) -> FloatArray:
    """Benjamini and Hochberg's step-up correction (1995): the false discovery rate of independent tests."""
    from scipy.stats import false_discovery_control

    return np.asarray(false_discovery_control(ascending))


def _benjamini_yekutieli(ascending: FloatArray) -> FloatArray:
    """Benjamini and Yekutieli's correction (2001): the false discovery rate of tests with any dependence."""
    return _benjamini_hochberg(ascending) * np.sum(1 / np.arange(1, len(ascending) + 1))


def _no_correction(ascending: FloatArray) -> FloatArray:
    """p as it is."""
    return ascending


CORRECTIONS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "holm": _holm,
    "bh": _benjamini_hochberg,
    "by": _benjamini_yekutieli,
    "none": _no_correction,
}
"""Corrections by name; each takes the p-values of a family in ascending order."""

CORRECTIONS_OF_STUDIES: Mapping[str, Callable[[FloatArray], FloatArray]] = ChainMap(
    {"bonferroni": _bonferroni}, CORRECTIONS
)
"""The same, with that of Deutsch et al. (2021), which Holm's rejects as much as and more."""
