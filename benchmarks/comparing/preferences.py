"""How often intervals of preferences hold the truth, and how often equal systems are said to differ.

    python benchmarks/comparing/preferences.py [--draws 1000] [--design NAME]

Systems have a quality, and another one on each topic (normal, standard deviation `SD_OF_TOPIC`). A rater prefers by a
logistic model of the difference, has a threshold of ties, and likes one of the first two systems more than the other:
of two raters one likes the first, the other the second. So the first two systems are equal over the raters. What is
true is integrated over topics, for these raters. Designs:

complete  four systems, each pair once on each of 20 topics, by one of two raters
raters    the same, each pair by both raters
few       the same as complete, 8 topics
two       two systems, 20 topics, both raters
apart     as complete, with systems so unequal that the best wins 93 %
sparse    four systems, two of the six pairs on each of 60 topics
arena     four systems, one pair on each of 200 topics, the first system in most of them
ring      five systems, 60 topics, two of the five pairs of neighbours on each; others never meet
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.preferences.bradley_terry import maximize_likelihood
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.preference_tests import estimate_preferences

SD_OF_TOPIC = 0.7
THRESHOLD_OF_TIES = (0.2, 0.6)
TASTE = 0.5
N_RESAMPLES = 999


@dataclass(frozen=True)
class Design:
    """Systems by their quality, topics, and which pairs are compared on each."""

    quality: tuple[float, ...]
    n_topics: int
    pairs_a_topic: int | None = None
    has_both_raters: bool = False
    is_ring: bool = False
    is_uneven: bool = False

    @property
    def n_systems(self) -> int:
        """How many systems there are."""
        return len(self.quality)

    @property
    def pairs(self) -> IntArray:
        """The pairs that may be compared, (n_pairs, 2)."""
        if self.is_ring:
            first = np.arange(self.n_systems)
            return np.sort(np.stack([first, (first + 1) % self.n_systems], axis=1), axis=1)
        return np.stack(np.triu_indices(self.n_systems, k=1), axis=1)

    def chances(self) -> FloatArray:
        """Give the chance of each pair to be the one that is compared."""
        weights = np.ones(len(self.pairs))
        if self.is_uneven:
            weights[self.pairs[:, 0] == 0] = 3.0
        return np.asarray(weights / weights.sum())

    def tastes(self) -> FloatArray:
        """Give what each of the two raters adds to each system, (2, n_systems)."""
        tastes = np.zeros((2, self.n_systems))
        tastes[0, :2] = TASTE, -TASTE
        tastes[1, :2] = -TASTE, TASTE
        return tastes

    def draw(self, rng: np.random.Generator) -> PairedComparisons:
        """Draw the comparisons of a table."""
        quality = np.array(self.quality) + SD_OF_TOPIC * rng.standard_normal((self.n_topics, self.n_systems))
        n_pairs = len(self.pairs)
        if self.pairs_a_topic is None:
            topic = np.repeat(np.arange(self.n_topics), n_pairs)
            pair = np.tile(np.arange(n_pairs), self.n_topics)
        else:
            keys = rng.exponential(size=(self.n_topics, n_pairs)) / self.chances()
            pair = np.argsort(keys, axis=1)[:, : self.pairs_a_topic].ravel()
            topic = np.repeat(np.arange(self.n_topics), self.pairs_a_topic)
        if self.has_both_raters:
            topic, pair = np.repeat(topic, 2), np.repeat(pair, 2)
            rater = np.tile([0, 1], len(topic) // 2)
        else:
            rater = rng.integers(2, size=len(topic))
        first, second = self.pairs[pair].T
        tastes = self.tastes()
        difference = quality[topic, first] - quality[topic, second]
        difference += tastes[rater, first] - tastes[rater, second]
        threshold = np.array(THRESHOLD_OF_TIES)[rater]
        chance = rng.random(len(topic))
        wins = np.where(chance < expit(difference - threshold), 1.0, 0.5)
        wins[chance > 1 - expit(-difference - threshold)] = 0.0
        return PairedComparisons.from_arrays(
            topic, first, second, wins, n_systems=self.n_systems, n_topics=self.n_topics
        )

    def true_rates(self) -> FloatArray:
        """Integrate the share that each system wins against each other, (n_systems, n_systems)."""
        points, weights = np.polynomial.hermite_e.hermegauss(80)
        quality = np.array(self.quality)
        rates = np.zeros((self.n_systems, self.n_systems))
        for taste, threshold in zip(self.tastes(), THRESHOLD_OF_TIES, strict=True):
            apart = np.subtract.outer(quality + taste, quality + taste)[:, :, None]
            difference = apart + np.sqrt(2) * SD_OF_TOPIC * points
            won = (expit(difference - threshold) + 1 - expit(-difference - threshold)) / 2
            rates += (won @ weights) / weights.sum() / 2
        return rates


DESIGNS = {
    "complete": Design((0.0, 0.0, 0.6, -0.6), 20),
    "raters": Design((0.0, 0.0, 0.6, -0.6), 20, has_both_raters=True),
    "few": Design((0.0, 0.0, 0.6, -0.6), 8),
    "two": Design((0.0, 0.0), 20, has_both_raters=True),
    "apart": Design((0.0, 0.0, 3.5, -1.0), 20),
    "sparse": Design((0.0, 0.0, 0.6, -0.6), 60, pairs_a_topic=2),
    "arena": Design((0.0, 0.0, 0.6, -0.6), 200, pairs_a_topic=1, is_uneven=True),
    "ring": Design((0.0, 0.0, 0.6, 0.0, -0.6), 60, pairs_a_topic=2, is_ring=True),
}


@dataclass(frozen=True)
class Truth:
    """What is true of a design."""

    rate: FloatArray
    strength: FloatArray
    difference: FloatArray

    @classmethod
    def of(cls, design: Design) -> Truth:
        """Give the true win rates, strengths, and differences of all pairs of systems."""
        rates = design.true_rates()
        lower, upper = design.pairs.T
        met = np.full(rates.shape, np.nan)
        met[lower, upper] = rates[lower, upper]
        met[upper, lower] = rates[upper, lower]
        rate = np.nanmean(met, axis=1)
        counts = design.chances()[None]
        strength = maximize_likelihood(design.pairs, counts, counts * rates[lower, upper], design.n_systems)[
            0
        ]
        first, second = np.triu_indices(design.n_systems, k=1)
        order = strength if design.is_ring else rate
        return cls(rate, strength, order[first] - order[second])


def covers(low: FloatArray, high: FloatArray, truth: FloatArray) -> FloatArray:
    """Say whether intervals hold the truth; NaN where there is none."""
    return np.where(np.isnan(low) | np.isnan(high), np.nan, (low <= truth) & (truth <= high))


def main() -> None:
    """Print a row for each design."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--design", choices=DESIGNS)
    options = parser.parse_args()
    print("design    win rates  without  strengths  without  differences  without  false positives")
    for name, design in DESIGNS.items():
        if options.design not in (None, name):
            continue
        rng = np.random.default_rng(sum(name.encode()))
        truth = Truth.of(design)
        held: dict[str, list[FloatArray]] = {"rate": [], "strength": [], "difference": []}
        p_of_equal = []
        for _ in range(options.draws):
            tests = estimate_preferences(design.draw(rng), n_resamples=N_RESAMPLES)
            held["rate"].append(covers(tests.rates.low, tests.rates.high, truth.rate))
            held["strength"].append(covers(tests.strengths.low, tests.strengths.high, truth.strength))
            held["difference"].append(covers(tests.pairs.low, tests.pairs.high, truth.difference))
            p_of_equal.append(tests.pairs.p[0])
        figures = []
        for rows in held.values():
            table = np.array(rows)
            figures.append(f"{np.nanmean(table):9.3f}  {np.isnan(table).mean():7.3f}")
        print(f"{name:8}  {'  '.join(figures)}  {np.mean(np.array(p_of_equal) <= 0.05):15.3f}", flush=True)


if __name__ == "__main__":
    main()
