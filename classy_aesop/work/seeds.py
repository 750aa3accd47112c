"""Random generators by seed and names, and how large a seed may be."""

from __future__ import annotations

import typing

from classy_aesop.errors import UsageError

if typing.TYPE_CHECKING:
    import numpy as np

LARGEST_SEED = 2**63 - 1
"""The largest seed: what a column of integers can store."""


def seeded_rng(seed: int, *names: str) -> np.random.Generator:
    """Make the generator for a seed and the names of one test: year, task, metric and so on.

    Every test of a table therefore keeps its resamples when rows, metrics or tasks are reordered or left out.
    """
    import numpy as np

    if seed < 0:
        raise UsageError(f"seed is {seed}; expected a whole number, 0 or more")
    return np.random.default_rng([seed, *"\x1f".join(names).encode()])
