"""Any false finding after Holm in tables of equal systems on very few topics, by every test.

    python benchmarks/comparing/small_tables.py [--draws 1000]

Grades 1 to 5, exchangeable: even, or concentrated on one grade; t-tests have no finding where differences are constant.
"""

from __future__ import annotations

import argparse

import numpy as np

from classy_aesop.significance.additive import compare_least_squares_means, fit_additive_model
from classy_aesop.significance.multiplicity import adjusted
from classy_aesop.significance.pair_tests import Recipe
from classy_aesop.significance.pairs import NO_SPREAD, compare_pairs


def main() -> None:
    """Print a line for each table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=1000)
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    shapes = {
        "even": [0.2] * 5,
        "one grade": [0.03, 0.05, 0.8, 0.07, 0.05],
        "two grades": [0.0, 0.5, 0.5, 0.0, 0.0],
    }
    for name, shares in shapes.items():
        for k in (2, 8, 16):
            for n in (2, 3, 4, 5, 6, 8):
                counts = dict.fromkeys(
                    ("paired_t", "unpaired_t", "signed_ranks", "pooled", "clustered", "t with 0"), 0
                )
                system, topic = np.divmod(np.arange(k * n), n)
                for _ in range(options.draws):
                    X = rng.choice(5, size=(k, n), p=shares) + 1.0
                    p = {}
                    for test in ("paired_t", "unpaired_t"):
                        found = compare_pairs(X, test=test, confidence=None)
                        p[test] = np.where(found.flag == NO_SPREAD, 1.0, found.p)
                        if test == "paired_t":
                            p["t with 0"] = np.where(found.flag == NO_SPREAD, 0.0, found.p)
                    p["signed_ranks"] = compare_pairs(X, preset=Recipe(exact="ties"), confidence=None).p
                    model = fit_additive_model(X.ravel(), system, topic, n_systems=k)
                    for errors in ("pooled", "clustered"):
                        p[errors] = compare_least_squares_means(model, errors=errors).p
                    for test, values in p.items():
                        counts[test] += bool((adjusted(values) <= 0.05).any())
                print(
                    name,
                    k,
                    "systems",
                    n,
                    "topics:",
                    {t: round(c / options.draws, 3) for t, c in counts.items()},
                    flush=True,
                )


if __name__ == "__main__":
    main()
