"""How often do intervals of a correlation cover it? On made-up scores, whose correlation is known.

``python -m benchmarks.coverage [--systems N] [--topics N] [--trials N] [--coefficient NAMES]``. Each system has a true
score by the metric and one by humans, normal with a given correlation; a cell is that, the topic, and noise of its own.
So the correlation of very many systems on as many topics is known, and the intervals should cover it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from benchmarks.report import table
from classy_aesop.papers.trials import COVERAGE_METHODS
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval, fisher_interval
from classy_aesop.work.seeds import seeded_rng

Array = NDArray[np.float64]
CORRELATIONS = (0.0, 0.5, 0.9)
NOISE_LEVELS = (1.0, 3.0)
CONFIDENCE = 0.95
FISHER_COEFFICIENTS = ("pearson", "spearman", "kendall")


def _tau_ap_of_normal(r: float, n_nodes: int = 200) -> float:
    """Integrate, over the items of a ranking and those above each, the probability that these are right."""
    from scipy.special import ndtr, ndtri

    nodes, weights = np.polynomial.legendre.leggauss(n_nodes)
    share = (nodes + 1) / 2
    weights = weights / 2
    item = ndtri(share)[:, None]
    item_above = ndtri(share[:, None] + (1 - share[:, None]) * share)
    p_right = ndtr(r * (item_above - item) / np.sqrt(2 * max(1 - r * r, np.finfo(float).tiny)))
    return float(2 * weights @ p_right @ weights - 1)


COEFFICIENTS_OF_NORMAL: dict[str, Callable[[float], float]] = {
    "pearson": lambda r: r,
    "spearman": lambda r: 6 / np.pi * np.arcsin(r / 2),
    "kendall": lambda r: 2 / np.pi * np.arcsin(r),
    "tau_ap": _tau_ap_of_normal,
    "pairwise_accuracy": lambda r: 0.5 + np.arcsin(r) / np.pi,
}
"""The coefficients of two normal variables with the correlation r."""


@dataclass(frozen=True)
class Design:
    """Scores that are made up: correlation of true scores, and noise of a cell in their standard deviations."""

    n_systems: int
    n_topics: int
    correlation: float
    noise: float
    shared: float = 0.3

    def draw(self, rng: np.random.Generator) -> tuple[Array, Array]:
        """Draw scores of a metric and of humans, (n_systems, n_topics) each."""
        systems = _correlated_normal(rng, self.correlation, (self.n_systems, 1))
        topics = _correlated_normal(rng, 0.5, (1, self.n_topics))
        X, Z = (
            systems
            + topics
            + self.noise * _correlated_normal(rng, self.shared, (self.n_systems, self.n_topics))
        )
        return X, Z

    def truth(self, level: str, coefficient: str) -> float:
        """Give the correlation of very many systems on as many topics."""
        noise = self.noise**2 / (self.n_topics if level == "system" else 1)
        return float(
            COEFFICIENTS_OF_NORMAL[coefficient]((self.correlation + self.shared * noise) / (1 + noise))
        )


def _correlated_normal(rng: np.random.Generator, correlation: float, shape: tuple[int, int]) -> Array:
    """Draw two normal arrays with a correlation."""
    first, independent = rng.normal(size=(2, *shape))
    return np.stack([first, correlation * first + np.sqrt(1 - correlation**2) * independent])


def coverage_by_interval(
    design: Design, level: str, coefficient: str, n_trials: int, n_resamples: int, seed: int
) -> dict[str, float]:
    """Give the share of trials in which the interval of each method covers the true correlation."""
    names = [name for name in COVERAGE_METHODS if name != "fisher" or coefficient in FISHER_COEFFICIENTS]
    rng = seeded_rng(seed, *map(str, (design.correlation, design.noise)), level, coefficient)
    truth = design.truth(level, coefficient)
    n_covering = dict.fromkeys(names, 0)
    for _ in range(n_trials):
        X, Z = design.draw(rng)
        for name in names:
            if name == "fisher":
                interval = fisher_interval(X, Z, level=level, coefficient=coefficient, confidence=CONFIDENCE)
            else:
                interval = bootstrap_interval(
                    X,
                    Z,
                    level=level,
                    coefficient=coefficient,
                    resample=name,
                    confidence=CONFIDENCE,
                    n_resamples=n_resamples,
                    rng=rng,
                )
            n_covering[name] += interval.low <= truth <= interval.high
    return {name: count / n_trials for name, count in n_covering.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each level and coefficient."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage", description=__doc__)
    for name, default in (("systems", 58), ("topics", 48), ("trials", 200), ("resamples", 300), ("seed", 0)):
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N")
    parser.add_argument("--coefficient", default="pearson", metavar="NAMES")
    parser.add_argument("--level", default="system,input", metavar="NAMES")
    options = parser.parse_args(arguments)
    settings = list(product(CORRELATIONS, NOISE_LEVELS))
    designs = [Design(options.systems, options.topics, *setting) for setting in settings]
    for level, coefficient in product(options.level.split(","), options.coefficient.split(",")):
        columns = [
            coverage_by_interval(design, level, coefficient, options.trials, options.resamples, options.seed)
            for design in designs
        ]
        head = (f"{coefficient}, {level}", *(f"{r:g}, {noise:g}" for r, noise in settings))
        rows = ((name, *(f"{column[name]:.3f}" for column in columns)) for name in columns[0])
        print(table(head, rows), "\n")


if __name__ == "__main__":
    main()
