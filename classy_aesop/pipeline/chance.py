"""Random draws that depend on the seed and on what is tested, never on what was tested before; are they enough?"""

from __future__ import annotations

import warnings

import numpy as np

from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.significance.base import ALPHA
from classy_aesop.significance.multiplicity import resamples_needed


def generator(seed: int, *names: str) -> np.random.Generator:
    """Give the generator for one seed and the names of one test: year, task, metric and so on.

    So every test of a table keeps its draws when rows, metrics or tasks come in another order, or alone.

    Examples
    --------
    >>> first, again, other = (generator(7, name).random() for name in ("r2", "r2", "su4"))
    >>> first == again, first == other
    (True, False)
    """
    if seed < 0:
        raise UsageError(f"seed is {seed}; expected a whole number from 0")
    return np.random.default_rng([seed, *"\x1f".join(names).encode()])


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
