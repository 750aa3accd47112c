"""Scores that are drawn: the quality of each summarizer, and noise."""

import numpy as np


def matrices(seed, n=3, shape=(8, 11), missing=0.0, grades=False):
    """Give so many matrices of one quality, as whole numbers or not; the first without a share of its cells."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(shape[0], 1))
    scores = [quality + rng.normal(size=shape) for _ in range(n)]
    scores = [np.round(S) for S in scores] if grades else scores
    scores[0][rng.random(shape) < missing] = np.nan
    return scores
