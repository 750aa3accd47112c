"""Widths that are planned from a pilot, over those that campaigns then obtain.

``python -m benchmarks.plans DIR [SEED]``, where DIR has SummEval and REALSumm. Scores of made-up years, six of a kind,
are right of systems up to half, or a tenth, of the systems' standard deviation.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.few_systems import real
from benchmarks.search_peers import Array
from classy_aesop.significance.few_judgments.estimated_means import estimate_means
from classy_aesop.significance.planning.precision import plan_precision

SETS = [("summeval", one, "rouge-2.f1") for one in ("relevance", "consistency", "coherence", "fluency")]
SETS += [("realsumm", "litepyramid_recall", "rouge-1.recall")]
N_TOPICS, N_CAMPAIGNS, N_PILOTS, N_YEARS = (5, 10, 20, 30), 40, 10, 6
PILOTS = (3, 5, 10, 20, 0)  # 0: all topics


def made_up(seed: int, fit: float, n_systems: int = 50, n_topics: int = 45) -> tuple[Array, Array]:
    """Give human scores and a metric's of a year; systems and single scores of both are related."""
    rng = np.random.default_rng(seed)
    mean, own = 0.5 * rng.normal(size=(n_systems, 1)), rng.normal(size=(n_systems, n_topics))
    y = mean + 0.9 * own + 0.6 * rng.normal(size=n_topics)
    errors = fit * rng.normal(size=(n_systems, 1)) + 0.4 * rng.normal(size=(n_systems, n_topics))
    return y, mean + 0.4 * own + errors + 0.4 * rng.normal(size=n_topics)


def measured(y: Array, f: Array, seed: int, *, finite: bool) -> Array:
    """Give the ratio for each pilot, and each number of topics to come."""
    order = np.random.default_rng(seed).random((N_CAMPAIGNS, 1, y.shape[1])).argsort(axis=2)
    F, rng, planned = np.broadcast_to(f, (N_CAMPAIGNS, *f.shape)), np.random.default_rng(1), []
    ends = [estimate_means(np.where(order < n, y, np.nan), F, finite=finite).effects()[1:] for n in N_TOPICS]
    for n_pilot in PILOTS:
        judged = [np.where(one < (n_pilot or y.shape[1]), y, np.nan) for one in order[:N_PILOTS]]
        pilots = (estimate_means(one, f, finite=finite) for one in judged)
        planned.append(np.mean([plan_precision(one, N_TOPICS, rng).width[:, 0] for one in pilots], axis=0))
    return np.asarray(planned / np.array([np.mean(high - low) for low, high in ends]))


def main(shared: Path, seed: int = 0) -> None:
    """Print a row for each set, population and pilot."""
    sets = {" ".join(one[:2]): [real(shared, *one)] for one in SETS}
    for fit in (0.25, 0.05):
        sets[f"made up, {fit}"] = [made_up(N_YEARS * seed + at, fit) for at in range(N_YEARS)]
    for name, years in sets.items():
        for finite in (True, False):
            ratios = np.mean([measured(y, f, seed, finite=finite) for y, f in years], axis=0)
            for n_pilot, row in zip(PILOTS, ratios, strict=True):
                place = name, "at hand" if finite else "like", n_pilot or "all"
                print(*place, *(f"{ratio:.2f}" for ratio in row), sep="\t", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
