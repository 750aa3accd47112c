"""What can be said where raters like one system more than another: false positives of three tests, and their power.

    python benchmarks/comparing/rater_interactions.py [--draws 300]

additive       t of the additive model, clustered by topic: a statement about these raters
F of raters    does the additive model with a column for each rater and system fit better (.05)?
over raters    each rater's own difference of two systems, t over raters: a statement about raters like these

The null: systems are equal on average over all raters that there could be.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np
from additive_model import Design, draw
from scipy import stats

from classy_aesop.significance.additive import compare_least_squares_means, fit_additive_model


def f_of_raters(y, system, topic, shares, k) -> float:
    """p of the interaction of systems and raters."""
    shares = shares.toarray()
    with_systems = np.hstack([np.where(system[:, None] == s, shares, 0.0) for s in range(k)])
    alone = fit_additive_model(y, system, topic, n_systems=k, shares=shares)
    full = fit_additive_model(y, system, topic, n_systems=k, shares=with_systems)
    df = alone.df - full.df
    if df <= 0 or full.df <= 0:
        return 1.0
    gained = alone.residual @ alone.residual - full.residual @ full.residual
    return float(stats.f.sf(gained / df / full.error_variance, df, full.df))


def over_raters(y, system, topic, shares, k) -> np.ndarray:
    """p of every pair by t over the differences of single raters, from cells that one rater rated alone."""
    shares = shares.toarray()
    differences = []
    for r in range(shares.shape[1]):
        own = shares[:, r] == 1
        if own.sum() < 3:
            continue
        found = compare_least_squares_means(fit_additive_model(y[own], system[own], topic[own], n_systems=k))
        differences.append(found.difference)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.nan_to_num(stats.ttest_1samp(np.array(differences), 0, nan_policy="omit").pvalue, nan=1.0)


def main() -> None:
    """Print a line for each design."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=300)
    options = parser.parse_args()
    rng = np.random.default_rng(3)
    print(
        "raters, interaction: additive size / F of raters found / size where F finds nothing / over raters size; power at .5"
    )
    for n_raters in (3, 6, 12):
        for interaction in (0.0, 0.1, 0.2, 0.4):
            design = Design(
                3, 40, n_raters=n_raters, interaction=interaction, preference=0.0, rater_spread=0.5
            )
            out = []
            for effect in (0.0, 0.5):
                rows = []
                for _ in range(options.draws):
                    y, system, topic, shares = draw(replace(design), effect, rng)
                    p = compare_least_squares_means(
                        fit_additive_model(y, system, topic, n_systems=3, shares=shares)
                    ).p
                    rows.append(
                        (
                            p[1] <= 0.05,
                            f_of_raters(y, system, topic, shares, 3) <= 0.05,
                            over_raters(y, system, topic, shares, 3)[1] <= 0.05,
                        )
                    )
                table = np.array(rows)
                quiet = ~table[:, 1]
                out.append(
                    f"{table[:, 0].mean():.3f} / {table[:, 1].mean():.2f} / {table[quiet, 0].mean() if quiet.any() else np.nan:.3f} / {table[:, 2].mean():.3f}"
                )
            print(n_raters, interaction, "null", out[0], "; effect .5", out[1], flush=True)


if __name__ == "__main__":
    main()
