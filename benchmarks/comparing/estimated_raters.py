"""How often does `estimate` find two systems different that are equal, or .5 apart, whose raters vary?

    python benchmarks/comparing/estimated_raters.py [--draws 400]

Forty topics, grades 1 to 5, one of two raters a summary. Raters differ by the gap; the second rater has
this share of the first system's topics, and one less the share of the other system's.
"""

from __future__ import annotations

import argparse
import warnings

import numpy as np
import pandas as pd

from classy_aesop.answers.estimates import estimate_differences
from classy_aesop.errors import DataWarning

N_TOPICS = 40
DESIGNS = ((1.0, 0.65), (1.0, 0.80), (2.0, 0.50), (2.0, 0.80))


def draw(gap: float, share: float, effect: float, rng: np.random.Generator) -> pd.DataFrame:
    """Draw a table with a rating a row."""
    topic = 0.7 * rng.normal(size=N_TOPICS)
    tables = []
    for system, share_of_second, system_effect in (("a", share, effect), ("b", 1 - share, 0.0)):
        rater = (rng.random(N_TOPICS) < share_of_second).astype(int)
        mean = 3 + topic + system_effect + gap * (rater - 0.5)
        grades = np.clip(np.rint(mean + 0.7 * rng.normal(size=N_TOPICS)), 1, 5)
        columns = {"topic": np.arange(N_TOPICS), "system": system, "rater": np.array(["x", "y"])[rater]}
        tables.append(pd.DataFrame({**columns, "quality": grades}))
    return pd.concat(tables)


def main() -> None:
    """Print the shares of tables with a significant difference, by design and treatment of raters."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=400)
    n_draws = parser.parse_args().draws
    warnings.simplefilter("ignore", DataWarning)
    print("gap  share  raters  false positives  power at .5")
    for gap, share in DESIGNS:
        for raters in ("ignore", "model"):
            n_significant = {0.0: 0, 0.5: 0}
            for effect in n_significant:
                for seed in range(n_draws):
                    table = draw(gap, share, effect, np.random.default_rng([seed, int(10 * effect)]))
                    result = estimate_differences(table, target="quality", population="like", raters=raters)
                    n_significant[effect] += bool(result.table["significant"].item())
            shares = [count / n_draws for count in n_significant.values()]
            print(f"{gap:3.0f}  {share:5.2f}  {raters:6}  {shares[0]:15.3f}  {shares[1]:11.3f}", flush=True)


if __name__ == "__main__":
    main()
