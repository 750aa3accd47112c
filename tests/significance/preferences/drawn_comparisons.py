"""Comparisons that several tests draw."""

import numpy as np

from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons


def draw_comparisons(seed, *, n_systems=4, n_topics=12, n=80, ties=0.2):
    """Draw random pairs of systems on random topics."""
    rng = np.random.default_rng(seed)
    first = rng.integers(n_systems, size=n)
    second = (first + 1 + rng.integers(n_systems - 1, size=n)) % n_systems
    chances = [(1 - ties) / 2, ties, (1 - ties) / 2]
    wins = rng.choice([0.0, 0.5, 1.0], size=n, p=chances)
    return PairedComparisons.from_arrays(
        rng.integers(n_topics, size=n), first, second, wins, n_systems=n_systems, n_topics=n_topics
    )


def arena():
    """Give the 24 comparisons of three systems on eight topics, by which win rates are .875, .5 and .125."""
    wins = [1, 1, 1, 1, 0.5, 0.5, 1, 1, 0.5, 0.5, 1, 1, 1, 1, 0.5, 1, 1, 1, 0, 1, 1, 1, 1, 1]
    return PairedComparisons.from_arrays(np.repeat(np.arange(8), 3), [0, 0, 1] * 8, [1, 2, 2] * 8, wins)


def won_and_compared(comparisons):
    """Give dense wins and counts by topic, system and opponent, (n_topics, n_systems, n_systems) each."""
    shape = comparisons.n_topics, comparisons.n_systems, comparisons.n_systems
    won, compared = np.zeros(shape), np.zeros(shape)
    for t, i, j, win in zip(
        comparisons.topic, comparisons.first, comparisons.second, comparisons.wins, strict=True
    ):
        won[t, i, j] += win
        won[t, j, i] += 1 - win
        compared[t, i, j] += 1
        compared[t, j, i] += 1
    return won, compared
