"""How often are two metrics called different that are equal by construction, and how often those that differ?

``python -m benchmarks.exchanged DIR``, where DIR has SummEval and REALSumm. Metrics are made equal by exchanging, at
random, all scores of a system between them; for the power, made-up ones err unequally on new systems.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.search_peers import Array
from classy_aesop.answers.score_matrices import judged_grids
from classy_aesop.reading import read_scores
from classy_aesop.significance.metrics.metric_tests import permutation_test
from classy_aesop.significance.metrics.resampled_differences import keep_shared_cells

Draw = Callable[[np.random.Generator], tuple[Array, Array, Array]]
N_TRIALS, N_RESAMPLES, ALPHA = 2000, 199, 0.05


def made_up(n: int, n_topics: int, *, missing: float = 0.0, grades: bool = False, errs: float = 0.7) -> Draw:
    """Make what draws two metrics and human scores of new systems; the second metric errs by ``errs`` on a system."""

    def draw(rng: np.random.Generator) -> tuple[Array, Array, Array]:
        true = rng.normal(size=(n, 1)) + rng.normal(size=(1, n_topics)) / 2
        X, Y, Z = (true + by * rng.normal(size=(n, 1)) + rng.normal(size=true.shape) for by in (0.7, errs, 0))
        Z = np.clip(np.rint(3 + Z), 1, 5) if grades else Z
        for scores in (X, Y, Z):
            scores[rng.random(scores.shape) < missing] = np.nan
        return X, Y, Z

    return draw


def real(folder: Path, target: str, *metrics: tuple[str, str]) -> Draw:
    """Make what gives the scores of two metrics, a file and a name each, and of humans, on what all have."""
    scores = pd.concat([read_scores(folder / f"scores_{file}.jsonl") for file, _ in metrics])
    names = [name for _, name in metrics]
    (grid,) = judged_grids(scores, read_scores(folder / "judgments.jsonl"), target, metrics=names)
    X, Y = (grid.metrics[name] for name in names)
    return lambda rng: (X, Y, grid.truth)


def exchanged(X: Array, Y: Array, Z: Array, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Exchange all scores of a system, or none, at random; both metrics are on one scale first."""
    X, Y, Z = keep_shared_cells(X, Y, Z)
    X, Y = ((S - np.nanmean(S)) / np.nanstd(S) for S in (X, Y))
    which = rng.random((len(X), 1)) < 0.5
    return np.where(which, Y, X), np.where(which, X, Y), Z


def found(draw: Draw, level: str, *, are_equal: bool) -> list[float]:
    """Give the share of trials with p <= .05 by the exchange of whole systems, and of single scores."""
    hits = np.zeros(2)
    for trial in range(N_TRIALS):
        rng = np.random.default_rng(trial)
        three = exchanged(*draw(rng), rng) if are_equal else draw(rng)
        test = partial(permutation_test, *three, level=level, n_resamples=N_RESAMPLES, rng=rng)
        hits += [test(swap=swap).p <= ALPHA for swap in ("systems", "cells")]
    return list(hits / N_TRIALS)


def main(shared: Path) -> None:
    """Print a row a design: its name, and what is found where metrics are equal, and where they differ."""
    rouge, qa, bert = ("rouge", "rouge-2.f1"), ("qaeval", "qa-eval.f1"), ("bertscore", "bertscore.recall")
    for folder, target, first, second, level in (
        ("summeval", "relevance", rouge, qa, "system"),
        ("summeval", "relevance", rouge, qa, "input"),
        ("summeval", "coherence", rouge, bert, "system"),
        ("realsumm", "litepyramid_recall", rouge, bert, "system"),
        ("realsumm", "litepyramid_recall", rouge, bert, "input"),
    ):
        shares = found(real(shared / folder, target, first, second), level, are_equal=True)
        print(folder, target, first[1], second[1], level, *(f"{share:.3f}" for share in shares), sep="\t")
    for n, n_topics, more, level in (
        (16, 20, {}, "system"),
        (16, 20, {"grades": True, "missing": 0.2}, "input"),
        (30, 40, {"grades": True}, "system"),
        (50, 44, {"missing": 0.1}, "system"),
        (50, 44, {"grades": True, "missing": 0.1}, "input"),
    ):
        shares = found(made_up(n, n_topics, **more), level, are_equal=True)
        shares += found(made_up(n, n_topics, errs=1.4, **more), level, are_equal=False)
        print(f"made up, {n} x {n_topics}", *more, level, *(f"{share:.3f}" for share in shares), sep="\t")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
