"""Families of tests: whether so many resamples can make any test of a family significant."""

from __future__ import annotations

import warnings

from classy_aesop.errors import DataWarning
from classy_aesop.significance.base import ALPHA
from classy_aesop.significance.multiplicity import resamples_needed


def warn_of_few_resamples(
    n_resamples: int, n_tests: int, *, correction: str = "none", alpha: float = ALPHA
) -> None:
    """Warn if even the smallest p that so many resamples give is not significant in a family of so many tests."""
    needed = resamples_needed(n_tests, correction=correction, alpha=alpha)
    if n_resamples < needed:
        warnings.warn(
            f"{n_resamples} resamples cannot make a p of {n_tests} tests significant at {alpha:g} (correction: "
            f"{correction}); {needed} or more can",
            DataWarning,
            stacklevel=3,
        )
