"""Widths that are planned from a pilot, over those that campaigns then obtain.

``python -m benchmarks.plans DIR [SEED]``, where DIR has SummEval and REALSumm. Scores of made-up years, six of a kind,
are right of systems up to half, or a tenth, of the systems' standard deviation.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.few_systems import read_published
from benchmarks.search_peers import Array
from classy_aesop.significance.few_judgments.estimated_means import estimate_means
from classy_aesop.significance.planning.precision import plan_precision

SETS = [("summeval", target, "rouge-2.f1") for target in ("relevance", "consistency", "coherence", "fluency")]
SETS += [("realsumm", "litepyramid_recall", "rouge-1.recall")]
N_TOPICS = (5, 10, 20, 30)
N_CAMPAIGNS = 40
N_PILOTS = 10
N_YEARS = 6
PILOT_SIZES = (3, 5, 10, 20, 0)  # 0: all topics


def draw_year(seed: int, error: float, n_systems: int = 50, n_topics: int = 45) -> tuple[Array, Array]:
    """Give human scores and a metric's of a year; systems and single scores of both are related."""
    rng = np.random.default_rng(seed)
    mean = 0.5 * rng.normal(size=(n_systems, 1))
    cell = rng.normal(size=(n_systems, n_topics))
    y = mean + 0.9 * cell + 0.6 * rng.normal(size=n_topics)
    errors = error * rng.normal(size=(n_systems, 1)) + 0.4 * rng.normal(size=(n_systems, n_topics))
    return y, mean + 0.4 * cell + errors + 0.4 * rng.normal(size=n_topics)


def measure_ratios(y: Array, f: Array, seed: int, *, finite: bool) -> Array:
    """Give the ratio for each size of the pilot, and each number of topics of a campaign."""
    order = np.random.default_rng(seed).random((N_CAMPAIGNS, 1, y.shape[1])).argsort(axis=2)
    F = np.broadcast_to(f, (N_CAMPAIGNS, *f.shape))
    rng = np.random.default_rng(1)
    planned = []
    ends = [estimate_means(np.where(order < n, y, np.nan), F, finite=finite).effects()[1:] for n in N_TOPICS]
    for n_pilot in PILOT_SIZES:
        n_judged = n_pilot or y.shape[1]
        judged = [np.where(positions < n_judged, y, np.nan) for positions in order[:N_PILOTS]]
        pilots = (estimate_means(judgments, f, finite=finite) for judgments in judged)
        widths = [plan_precision(pilot, N_TOPICS, rng).width[:, 0] for pilot in pilots]
        planned.append(np.mean(widths, axis=0))
    return np.asarray(planned / np.array([np.mean(high - low) for low, high in ends]))


def main(shared: Path, seed: int = 0) -> None:
    """Print a row for each set, population and pilot."""
    sets = {" ".join(names[:2]): [read_published(shared, *names)] for names in SETS}
    for error in (0.25, 0.05):
        sets[f"made up, {error}"] = [draw_year(N_YEARS * seed + year, error) for year in range(N_YEARS)]
    for name, years in sets.items():
        for finite in (True, False):
            ratios = np.mean([measure_ratios(y, f, seed, finite=finite) for y, f in years], axis=0)
            for n_pilot, row in zip(PILOT_SIZES, ratios, strict=True):
                population = "at hand" if finite else "like"
                cells = (f"{ratio:.2f}" for ratio in row)
                print(name, population, n_pilot or "all", *cells, sep="\t", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
