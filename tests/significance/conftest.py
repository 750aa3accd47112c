"""What other programs do with scores that differ by rounding only."""

import numpy as np
import pytest


@pytest.fixture(scope="session")
def ranks_noise():
    """Whether another program ranks rounding noise in a matrix at a level, which this package takes for ties."""

    def found(X, level, coefficient):
        steps = np.diff(np.sort(X, axis=0), axis=0)
        noise = ((steps > 0) & (steps < 1e-12 * np.abs(X).max(axis=0))).any()
        return bool(noise) and level in ("input", "global") and coefficient in ("spearman", "kendall")

    return found
