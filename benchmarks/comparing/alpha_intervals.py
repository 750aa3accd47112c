"""How often the interval of Krippendorff's alpha is given, and how often it holds the true alpha.

    python benchmarks/comparing/alpha_intervals.py [--draws 1000]

Beside it are the percentiles of resampled units, which drop the resamples without variation. Designs:

rare      two raters, two grades, 90 % of one, true alpha .73
even      two raters, five grades equally often
three     three raters, five grades equally often
missing   three raters, five grades equally often, 30 % of the ratings missing

A rater repeats the true grade with a chance, the root of the true alpha, and otherwise grades at random.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.raters.krippendorff import krippendorff_alpha

N_UNITS = (10, 20, 50, 100)
N_RESAMPLES = 500


@dataclass(frozen=True)
class Design:
    """Raters who repeat a true grade with the chance ``root_of_alpha``, and else draw one of ``grades``."""

    n_raters: int
    grades: tuple[float, ...]
    share_of_first: float
    root_of_alpha: float
    share_missing: float = 0.0

    def draw(self, n_units: int, rng: np.random.Generator) -> FloatArray:
        """Draw ratings, (n_raters, n_units)."""
        chance_of_other = (1 - self.share_of_first) / (len(self.grades) - 1)
        chances = [self.share_of_first, *[chance_of_other] * (len(self.grades) - 1)]
        truth = rng.choice(self.grades, n_units, p=chances)
        shape = (self.n_raters, n_units)
        by_chance = rng.choice(self.grades, shape, p=chances)
        ratings = np.where(rng.random(shape) < self.root_of_alpha, truth, by_chance)
        ratings[rng.random(shape) < self.share_missing] = np.nan
        return ratings


EVEN = (1.0, 2.0, 3.0, 4.0, 5.0)

DESIGNS = {
    "rare": Design(2, (0.0, 1.0), 0.9, 0.73**0.5),
    "even": Design(2, EVEN, 0.2, 0.8),
    "three": Design(3, EVEN, 0.2, 0.8),
    "missing": Design(3, EVEN, 0.2, 0.8, share_missing=0.3),
}

Ends = tuple[float, float]


def jackknife(ratings: FloatArray, rng: np.random.Generator) -> Ends:
    """Give the package's interval; NaN where it gives none."""
    alpha = krippendorff_alpha(ratings)
    return alpha.low, alpha.high


def bootstrap(ratings: FloatArray, rng: np.random.Generator) -> Ends:
    """Give the percentiles of alpha on resampled units, without those that do not vary."""
    is_rated = ~np.isnan(ratings)
    pairable = is_rated.sum(axis=0) > 1
    values = np.nan_to_num(ratings[:, pairable])
    n_ratings = is_rated[:, pairable].sum(axis=0)
    total = values.sum(axis=0)
    square = (values**2).sum(axis=0)
    within = 2 * (n_ratings * square - total**2) / np.maximum(n_ratings - 1, 1)
    units = np.stack([within, n_ratings, total, square])
    if not units.shape[1]:
        return np.nan, np.nan
    resamples = rng.integers(units.shape[1], size=(N_RESAMPLES, units.shape[1]))
    within, n_ratings, total, square = units[:, resamples].sum(axis=2)
    expected = 2 * (n_ratings * square - total**2)
    varies = expected > 1e-9
    if not varies.any():
        return np.nan, np.nan
    alphas = 1 - ((n_ratings - 1) * within)[varies] / expected[varies]
    low, high = np.quantile(alphas, [0.025, 0.975])
    return float(low), float(high)


INTERVALS: dict[str, Callable[[FloatArray, np.random.Generator], Ends]] = {
    "jackknife": jackknife,
    "bootstrap": bootstrap,
}


def main() -> None:
    """Print for each design and number of units the share of draws with an interval, its coverage and median width."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=1000)
    n_draws = parser.parse_args().draws
    print("design   units  true alpha  interval   none   covers  median width")
    for name, design in DESIGNS.items():
        true_alpha = design.root_of_alpha**2
        for n_units in N_UNITS:
            rng = np.random.default_rng([sum(name.encode()), n_units])
            tables = [design.draw(n_units, rng) for _ in range(n_draws)]
            for method, interval in INTERVALS.items():
                ends = np.array([interval(ratings, rng) for ratings in tables])
                finite_ends = ends[~np.isnan(ends[:, 0])]
                covers = (finite_ends[:, 0] <= true_alpha) & (true_alpha <= finite_ends[:, 1])
                figures = f"{1 - len(finite_ends) / n_draws:5.3f}"
                if len(finite_ends):
                    width = np.median(finite_ends[:, 1] - finite_ends[:, 0])
                    figures += f"  {covers.mean():7.3f}  {width:12.2f}"
                print(f"{name:8} {n_units:5}  {true_alpha:10.2f}  {method:9}  {figures}", flush=True)


if __name__ == "__main__":
    main()
