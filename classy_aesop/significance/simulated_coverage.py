"""Do intervals of a correlation hold the one that made-up scores have?

Each system has a true score by the metric and one by humans, which are normal with a given correlation; a cell is that,
the topic, and noise of its own. The correlation at every level is then known, with as many topics as there are: the
intervals should hold it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import FloatArray, Result, one_of
from classy_aesop.significance.coverage import METHODS, Case, Coverage, covered

LEVELS = ("system", "input")


def _tau_ap_of_normal(r: float, n_nodes: int = 200) -> float:
    """Integrate, over the items of a ranking and those above each, how likely the one above is rightly above."""
    from scipy.special import ndtr, ndtri

    nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
    share, weights = (nodes + 1) / 2, weights / 2
    item, above = ndtri(share)[:, None], ndtri(share[:, None] + (1 - share[:, None]) * share)
    rightly = ndtr(r * (above - item) / np.sqrt(2 * max(1 - r * r, np.finfo(float).tiny)))
    return float(2 * weights @ rightly @ weights - 1)


_OF_NORMAL: dict[str, Callable[[float], float]] = {
    "pearson": lambda r: r,
    "spearman": lambda r: 6 / np.pi * np.arcsin(r / 2),
    "kendall": lambda r: 2 / np.pi * np.arcsin(r),
    "tau_ap": _tau_ap_of_normal,
    "pairwise_accuracy": lambda r: 0.5 + np.arcsin(r) / np.pi,
    "acc_eq": lambda r: 0.5 + np.arcsin(r) / np.pi,
}
"""The coefficients of two normal variables with the correlation r."""


@dataclass(frozen=True, slots=True)
class Design(Result):
    """Scores that are made up.

    Attributes
    ----------
    n_systems, n_topics : int
    correlation : float
        Of the true scores of systems.
    noise : float
        Standard deviation of a cell around them, in standard deviations of systems.
    shared : float
        Correlation of the noise of metric and humans.
    """

    n_systems: int
    n_topics: int
    correlation: float
    noise: float
    shared: float = 0.3

    def draw(self, rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
        """Draw scores of a metric and of humans, (n_systems, n_topics) each."""
        shape = self.n_systems, self.n_topics
        systems = _pair(rng, self.correlation, (self.n_systems, 1))
        topics = _pair(rng, 0.5, (1, self.n_topics))
        X, Z = systems + topics + self.noise * _pair(rng, self.shared, shape)
        return X, Z

    def truth(self, level: str, coefficient: str) -> float:
        """Give the correlation of very many systems on as many topics."""
        one_of(level, LEVELS, "level")
        one_of(coefficient, _OF_NORMAL, "coefficient")
        noise = self.noise**2 / (self.n_topics if level == "system" else 1)
        return float(_OF_NORMAL[coefficient]((self.correlation + self.shared * noise) / (1 + noise)))


def _pair(rng: np.random.Generator, correlation: float, shape: tuple[int, int]) -> FloatArray:
    """Draw two correlated normal variables, (2, *shape)."""
    first, other = rng.normal(size=(2, *shape))
    return np.stack([first, correlation * first + np.sqrt(1 - correlation**2) * other])


def simulated_coverage(
    design: Design,
    *,
    methods: Iterable[str] = METHODS,
    level: str = "system",
    coefficient: str = "pearson",
    confidence: float = 0.95,
    n_trials: int = 1_000,
    n_resamples: int = 1_000,
    rng: np.random.Generator,
) -> tuple[Coverage, ...]:
    """Share of intervals that hold the correlation of a design.

    Parameters
    ----------
    design : Design
        How the scores are made.
    level : {"system", "input"}
        Of the correlation.
    coefficient : {"pearson", "spearman", "kendall", "tau_ap", "pairwise_accuracy", "acc_eq"}
        Those whose value is known for normal scores.
    methods, confidence, n_trials, n_resamples, rng
        As for :func:`classy_aesop.significance.coverage.interval_coverage`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> design = Design(20, 10, correlation=0.5, noise=1.0)
    >>> found = simulated_coverage(design, methods=["inputs", "both_normal"], n_trials=20, n_resamples=99, rng=rng)
    >>> found[0].coverage < found[1].coverage
    True
    """
    value = design.truth(level, coefficient)
    cases: Iterator[Case] = ((*design.draw(rng), value) for _ in range(n_trials))
    return covered(
        cases,
        tuple(methods),
        level=level,
        coefficient=coefficient,
        confidence=confidence,
        n_trials=n_trials,
        n_resamples=n_resamples,
        rng=rng,
    )
