"""Made-up scores as matrices of summarizers x topics, of the sizes of an evaluation, with missing cells."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from benchmarks.data import SEED
from benchmarks.search_peers import Array

MISSING = 0.02
"""Share of the systems' cells that are missing."""


@lru_cache(maxsize=4)
def metrics_and_human_scores(n_systems: int = 58, n_topics: int = 48) -> tuple[Array, Array, Array]:
    """Two metrics and human scores on the same cells.

    Humans give points, as in a pyramid. Scores tie within a topic, since each topic has its own sum of points, but
    means do not tie. (Equal means differ by rounding in the peers, and are equal here.)
    """
    rng = np.random.default_rng(SEED)
    quality = rng.standard_normal((n_systems, 1)) + 0.5 * rng.standard_normal((1, n_topics))

    def observe(noise: float) -> Array:
        """Add noise to the quality."""
        return np.asarray(quality + noise * rng.standard_normal(quality.shape))

    points = rng.integers(25, 41, size=n_topics)
    Z = np.rint(points * np.clip(0.4 + 0.12 * observe(1), 0, 1)) / points
    X = 0.3 + 0.05 * observe(1)
    Y = 0.2 + 0.04 * observe(2)
    is_missing = rng.random(Z.shape) < MISSING
    for scores in (X, Y, Z):
        scores[is_missing] = np.nan
    return X, Y, Z


@lru_cache(maxsize=4)
def grades(n_systems: int = 58, n_humans: int = 8, n_topics: int = 48) -> Array:
    """Grades of 1 to 5; each human wrote about half of the topics."""
    scores = np.rint(1 + 4 * metrics_and_human_scores(n_systems + n_humans, n_topics)[2])
    is_missing = np.random.default_rng(SEED).random((n_humans, n_topics)) < 0.5
    scores[n_systems:][is_missing] = np.nan
    return scores
