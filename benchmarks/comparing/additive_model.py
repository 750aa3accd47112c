"""False positives and power of tests of systems where tables are unbalanced and raters differ.

    python benchmarks/comparing/additive_model.py [--draws 500] [--only WORD]

Prints a line for each design: the share of pairs of equal systems with p <= .05, the share of tables with any finding
after Holm, and the share of findings where the last system is better by the effect of the design (0.5 of the grades' unit
for five grades).
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.additive import (
    NOT_CONNECTED,
    compare_least_squares_means,
    fit_additive_model,
    rater_shares,
)
from classy_aesop.significance.multiplicity import adjusted
from classy_aesop.significance.pair_tests import Recipe
from classy_aesop.significance.pairs import NO_SPREAD, compare_pairs

TESTS = ("paired_t", "signed_ranks", "pooled", "clustered", "pooled, no raters", "clustered, no raters")


@dataclass(frozen=True)
class Design:
    """How ratings are made: spreads are in units of five grades."""

    n_systems: int = 4
    n_topics: int = 40
    n_grades: int = 5
    n_raters: int = 3
    ratings_a_cell: tuple[int, int] = (1, 1)
    rater_spread: float = 1.0
    preference: float = 1.5  # log odds that a system meets "its" rater
    interaction: float = 0.0  # spread of rater x system
    widest_slope: float = 1.0  # raters' slopes go from 1 to this
    noise_of_first: float = 1.0  # factor of the cell noise of the first system
    twins: float = 0.0  # correlation of the cell noise of the first two systems
    missing: str = (
        ""  # "random", "easy" topics (of the first system), "bad" cells (of the first system), "sparse"
    )
    raters_of_topics: bool = False  # one rater rates a whole topic
    cell_noise: float = 0.4
    rating_noise: float = 0.5


def draw(design: Design, effect: float, rng: np.random.Generator):
    """Give cell means, systems, topics, and shares of raters."""
    k, n, n_raters = design.n_systems, design.n_topics, design.n_raters
    topic_effect = rng.normal(0, 0.8, n)
    rater_effect = (
        rng.permutation(np.linspace(-1, 1, n_raters) if n_raters > 1 else np.zeros(1)) * design.rater_spread
    )
    slope = rng.permutation(np.linspace(1, design.widest_slope, n_raters))
    interaction = (
        rng.normal(0, design.interaction, (n_raters, k)) if design.interaction else np.zeros((n_raters, k))
    )
    cell = rng.normal(0, design.cell_noise, (k, n))
    if design.twins:
        cell[1] = design.twins * cell[0] + np.sqrt(1 - design.twins**2) * cell[1]
    cell[0] *= design.noise_of_first
    kept = np.ones((k, n), dtype=bool)
    if design.missing == "random":
        kept = rng.random((k, n)) > 0.3
    if design.missing == "easy":
        kept[0] = rng.random(n) > 0.7 * (topic_effect < 0)
    if design.missing == "bad":
        kept[0] = rng.random(n) > 0.5 * (cell[0] < 0)
    if design.missing == "sparse":
        kept[:] = False
        for t in range(n):
            kept[rng.choice(k, rng.integers(2, 4), replace=False), t] = True
    y, systems, topics, of_cell, raters = [], [], [], [], []
    weights = np.exp(design.preference * (np.arange(n_raters)[:, None] == np.arange(k) % n_raters))
    weights = weights / weights.sum(axis=0)
    for t in range(n):
        of_topic = rng.integers(n_raters)
        for s in np.flatnonzero(kept[:, t]):
            low, high = design.ratings_a_cell
            number = min(n_raters, int(rng.integers(low, high + 1)))
            chosen = (
                [of_topic] if design.raters_of_topics else rng.choice(n_raters, number, False, weights[:, s])
            )
            ratings = []
            for r in chosen:
                value = slope[r] * (topic_effect[t] + cell[s, t] + effect * (s == k - 1) + interaction[r, s])
                value += rater_effect[r] + rng.normal(0, design.rating_noise)
                unit = design.n_grades / 5
                middle = (design.n_grades + 1) / 2
                ratings.append(np.clip(np.round(middle + unit * value), 1, design.n_grades))
                of_cell.append(len(y))
                raters.append(r)
            y.append(np.mean(ratings))
            systems.append(s)
            topics.append(t)
    shares = rater_shares(of_cell, raters, len(y), n_raters)
    return np.array(y), np.array(systems), np.array(topics), shares


def p_values(design: Design, y, system, topic, shares) -> dict[str, np.ndarray]:
    """p of all pairs by every test; constant differences are no findings of t."""
    k = design.n_systems
    matrix = np.full((k, design.n_topics), np.nan)
    matrix[system, topic] = y
    found = {}
    plain = compare_pairs(matrix, test="paired_t", confidence=None, correction="none")
    found["paired_t"] = np.where(plain.flag == NO_SPREAD, 1.0, plain.p)
    ranks = compare_pairs(matrix, preset=Recipe(exact="ties"), confidence=None, correction="none")
    found["signed_ranks"] = ranks.p
    for name, given in (("", shares), (", no raters", None)):
        model = fit_additive_model(y, system, topic, n_systems=k, shares=given)
        for errors in ("pooled", "clustered"):
            tests = compare_least_squares_means(model, errors=errors)
            found[errors + name] = np.where(tests.flag == NOT_CONNECTED, np.nan, tests.p)
    return found


def measure(
    design: Design, effect: float, n_draws: int, seed: int = 0
) -> dict[str, tuple[float, float, float, float]]:
    """Size of single tests of equal systems (mean, and of the first pair), any finding after Holm, and power."""
    rng = np.random.default_rng(seed)
    size = {test: [] for test in TESTS}
    first_pair = {test: [] for test in TESTS}
    any_found = {test: [] for test in TESTS}
    power = {test: [] for test in TESTS}
    _first, second = np.triu_indices(design.n_systems, 1)
    for _ in range(n_draws):
        for test, p in p_values(design, *draw(design, 0.0, rng)).items():
            size[test].append(np.mean(p <= 0.05))
            first_pair[test].append(p[0] <= 0.05)
            any_found[test].append(bool((adjusted(np.nan_to_num(p, nan=1.0)) <= 0.05).any()))
        if effect:
            for test, p in p_values(design, *draw(design, effect, rng)).items():
                power[test].append(np.mean(p[second == design.n_systems - 1] <= 0.05))
    mean = {
        test: (np.mean(size[test]), np.mean(first_pair[test]), np.mean(any_found[test])) for test in TESTS
    }
    return {test: (*mean[test], np.mean(power[test]) if effect else np.nan) for test in TESTS}


BALANCED = {"rater_spread": 0.0, "preference": 0.0, "n_raters": 1}
DESIGNS = {
    "balanced, 2 systems": Design(2, **BALANCED),
    "balanced, 4 systems": Design(4, **BALANCED),
    "balanced, 12 topics": Design(4, 12, **BALANCED),
    "balanced, 5 topics": Design(4, 5, **BALANCED),
    "balanced, 3 grades": Design(4, 20, 3, **BALANCED),
    "balanced, 100 grades": Design(4, 20, 100, **BALANCED),
    "balanced, noisy first": Design(4, 20, noise_of_first=4.0, **BALANCED),
    "balanced, twins": Design(4, 20, twins=0.95, cell_noise=0.8, rating_noise=0.2, **BALANCED),
    "raters, 2 systems": Design(2, n_raters=2),
    "raters, 4 systems": Design(4),
    "raters, 4 systems, 12 topics": Design(4, 12),
    "raters, 4 systems, 6 topics": Design(4, 6),
    "raters, 16 systems, 20 topics": Design(16, 20, n_raters=4),
    "raters, 3 grades": Design(4, 20, 3),
    "raters, 100 grades": Design(4, 20, 100),
    "raters, 2 a cell": Design(4, 20, ratings_a_cell=(2, 2)),
    "raters, 1 to 3 a cell": Design(4, 20, n_raters=5, ratings_a_cell=(1, 3)),
    "raters, noisy first": Design(4, 20, noise_of_first=4.0),
    "raters, twins": Design(4, 20, twins=0.95, cell_noise=0.8, rating_noise=0.2),
    "raters, slopes to 2": Design(4, 20, widest_slope=2.0),
    "raters, slopes to 2, easy": Design(4, 20, widest_slope=2.0, missing="easy"),
    "raters, random missing": Design(4, 20, missing="random"),
    "raters, easy missing": Design(4, 20, missing="easy"),
    "raters, bad missing": Design(4, 20, missing="bad"),
    "raters, strong preference": Design(4, 20, preference=4.0),
    "raters equal, strong preference": Design(4, 20, rater_spread=0.0, preference=4.0),
    "raters of topics": Design(4, 20, raters_of_topics=True),
    "no raters, random missing": Design(4, 20, missing="random", **BALANCED),
    "no raters, easy missing": Design(4, 20, missing="easy", **BALANCED),
    "no raters, sparse": Design(10, 100, missing="sparse", **BALANCED),
    "no raters, sparse, noisy first": Design(10, 100, missing="sparse", noise_of_first=4.0, **BALANCED),
    "raters, sparse": Design(10, 100, missing="sparse", n_raters=4),
    "40 raters of 80 cells": Design(4, 20, n_raters=40, preference=0.0, rater_spread=0.5),
    "20 raters of 160 cells": Design(4, 40, n_raters=20, preference=0.0, rater_spread=0.5),
    "interaction .2, 3 raters": Design(4, 40, interaction=0.2),
    "interaction .4, 3 raters": Design(4, 40, interaction=0.4),
    "interaction .4, 3 raters, all rate all": Design(
        4, 40, interaction=0.4, ratings_a_cell=(3, 3), preference=0.0
    ),
    "interaction .4, 10 raters": Design(4, 40, interaction=0.4, n_raters=10),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=500)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    print("design: size of all pairs, of the first pair / any after Holm / power")
    for name, design in DESIGNS.items():
        if options.only not in name:
            continue
        draws = max(20, options.draws // (4 if design.n_systems > 8 else 1))
        found = measure(design, 0.5, draws)
        print(name)
        for test, (size, first, family, power) in found.items():
            print(f"    {test:22s} {size:.3f} {first:.3f} / {family:.3f} / {power:.2f}", flush=True)


if __name__ == "__main__":
    main()
