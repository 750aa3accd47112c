"""Random generators that depend on the seed and on what is tested, never on what was tested before."""

from __future__ import annotations

import numpy as np

from classy_aesop.errors import UsageError


def seeded_rng(seed: int, *names: str) -> np.random.Generator:
    """Make the generator for a seed and the names of one test: year, task, metric and so on.

    Every test of a table therefore keeps its resamples when rows, metrics or tasks are reordered or left out.

    Examples
    --------
    >>> first, again, other = (seeded_rng(7, name).random() for name in ("r2", "r2", "su4"))
    >>> first == again, first == other
    (True, False)
    """
    if seed < 0:
        raise UsageError(f"seed is {seed}; expected a whole number, 0 or more")
    return np.random.default_rng([seed, *"\x1f".join(names).encode()])
