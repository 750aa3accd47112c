"""How often the test on shared topics and the least-squares means point to different systems.

python benchmarks/comparing/contradictions.py
"""

from __future__ import annotations

import numpy as np
from additive_model import BALANCED, DESIGNS, Design, draw

from classy_aesop.significance.additive import compare_least_squares_means, fit_additive_model
from classy_aesop.significance.pair_tests import Recipe
from classy_aesop.significance.pairs import compare_pairs


def main() -> None:
    """Print shares of pairs."""
    rng = np.random.default_rng(5)
    designs = {
        name: DESIGNS[name]
        for name in ("no raters, random missing", "no raters, sparse", "raters, random missing")
    }
    designs["no raters, 4 systems, 20 topics, half missing"] = Design(4, 20, missing="easy", **BALANCED)
    for name, design in designs.items():
        counts = np.zeros(4)
        for _ in range(300):
            y, system, topic, shares = draw(design, 0.25, rng)
            X = np.full((design.n_systems, design.n_topics), np.nan)
            X[system, topic] = y
            ranks = compare_pairs(X, preset=Recipe(exact="ties"), confidence=None, correction="none")
            plain = compare_pairs(X, test="paired_t", confidence=None, correction="none")
            model = fit_additive_model(y, system, topic, n_systems=design.n_systems, shares=shares)
            fitted = compare_least_squares_means(model).difference
            against = np.sign(plain.difference) * np.sign(fitted) < 0
            counts += len(fitted), against.sum(), (ranks.p <= 0.05).sum(), (against & (ranks.p <= 0.05)).sum()
        print(
            f"{name}: opposite signs {counts[1] / counts[0]:.3f} of pairs; {counts[3] / max(counts[2], 1):.4f} of the significant ones"
        )


if __name__ == "__main__":
    main()
