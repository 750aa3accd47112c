"""How often do two metrics differ significantly that are equal by construction, and how often those that differ?

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
from classy_aesop.significance.correlations.resampled_correlations import keep_shared_cells
from classy_aesop.significance.metrics.metric_tests import permutation_test

Draw = Callable[[np.random.Generator], tuple[Array, Array, Array]]
N_TRIALS = 2000
N_RESAMPLES = 199
ALPHA = 0.05
ERROR_OF_FIRST = 0.7
"""Standard deviation of the first metric's error on a system."""


def draw_made_up(
    n: int,
    n_topics: int,
    *,
    missing: float = 0.0,
    grades: bool = False,
    error_of_second: float = ERROR_OF_FIRST,
) -> Draw:
    """Give a function that draws two metrics and human scores of new systems.

    ``error_of_second`` is the standard deviation of the second metric's error on a system.
    """

    def draw(rng: np.random.Generator) -> tuple[Array, Array, Array]:
        true = rng.normal(size=(n, 1)) + rng.normal(size=(1, n_topics)) / 2

        def score(error: float) -> Array:
            """Score all cells, with an error on each system."""
            return true + error * rng.normal(size=(n, 1)) + rng.normal(size=true.shape)

        X = score(ERROR_OF_FIRST)
        Y = score(error_of_second)
        Z = score(0)
        Z = np.clip(np.rint(3 + Z), 1, 5) if grades else Z
        for scores in (X, Y, Z):
            scores[rng.random(scores.shape) < missing] = np.nan
        return X, Y, Z

    return draw


def draw_published(folder: Path, target: str, *metrics: tuple[str, str]) -> Draw:
    """Give a function that gives the scores of two metrics, a file and a name each, and of humans."""
    scores = pd.concat([read_scores(folder / f"scores_{file}.jsonl") for file, _ in metrics])
    names = [name for _, name in metrics]
    (grid,) = judged_grids(scores, read_scores(folder / "judgments.jsonl"), target, metric=names)
    first, second = names
    return lambda rng: (grid.metrics[first], grid.metrics[second], grid.truth)


def exchange_systems(X: Array, Y: Array, Z: Array, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Exchange all scores of a system, or none, at random; both metrics are standardized first."""
    X, Y, Z = keep_shared_cells(X, Y, Z)
    X = (X - np.nanmean(X)) / np.nanstd(X)
    Y = (Y - np.nanmean(Y)) / np.nanstd(Y)
    is_exchanged = rng.random((len(X), 1)) < 0.5
    return np.where(is_exchanged, Y, X), np.where(is_exchanged, X, Y), Z


def share_rejected(draw: Draw, level: str, *, are_equal: bool) -> list[float]:
    """Give the share of trials with p <= .05 by the exchange of whole systems, and of single scores."""
    n_rejected = np.zeros(2)
    for trial in range(N_TRIALS):
        rng = np.random.default_rng(trial)
        scores = exchange_systems(*draw(rng), rng) if are_equal else draw(rng)
        test = partial(permutation_test, *scores, level=level, n_resamples=N_RESAMPLES, rng=rng)
        n_rejected += [test(swap=swap).p <= ALPHA for swap in ("systems", "cells")]
    return list(n_rejected / N_TRIALS)


def main(shared: Path) -> None:
    """Print a row a design: its name, and how often tests reject where metrics are equal, and where they differ."""
    rouge, qa, bert = ("rouge", "rouge-2.f1"), ("qaeval", "qa-eval.f1"), ("bertscore", "bertscore.recall")
    for folder, target, first, second, level in (
        ("summeval", "relevance", rouge, qa, "system"),
        ("summeval", "relevance", rouge, qa, "input"),
        ("summeval", "coherence", rouge, bert, "system"),
        ("realsumm", "litepyramid_recall", rouge, bert, "system"),
        ("realsumm", "litepyramid_recall", rouge, bert, "input"),
    ):
        shares = share_rejected(draw_published(shared / folder, target, first, second), level, are_equal=True)
        print(folder, target, first[1], second[1], level, *(f"{share:.3f}" for share in shares), sep="\t")
    for n, n_topics, more, level in (
        (16, 20, {}, "system"),
        (16, 20, {"grades": True, "missing": 0.2}, "input"),
        (30, 40, {"grades": True}, "system"),
        (50, 44, {"missing": 0.1}, "system"),
        (50, 44, {"grades": True, "missing": 0.1}, "input"),
    ):
        shares = share_rejected(draw_made_up(n, n_topics, **more), level, are_equal=True)
        shares += share_rejected(
            draw_made_up(n, n_topics, error_of_second=2 * ERROR_OF_FIRST, **more), level, are_equal=False
        )
        print(f"made up, {n} x {n_topics}", *more, level, *(f"{share:.3f}" for share in shares), sep="\t")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
