"""Estimates of two to four systems: squared errors over plain differences', and how many intervals of them hold.

``python -m benchmarks.few_systems DIR``, where DIR has SummEval and REALSumm. Scores are ROUGE, worthless and reversed.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.search_peers import Array
from classy_aesop.data import matrix, read_scores
from classy_aesop.significance.estimation import estimate_means

SETS = (("summeval", "relevance", "rouge-2.f1"), ("realsumm", "litepyramid_recall", "rouge-1.recall"))


def real(shared: Path, name: str, target: str, metric: str) -> tuple[Array, Array]:
    """Give the human scores of a corpus and those of a metric, of the systems and topics that both have."""
    y, who, topics = matrix(read_scores(shared / name / "judgments.jsonl"), target)
    f, others, of_f = matrix(read_scores(shared / name / "scores_rouge.jsonl"), metric)
    y = y[np.isin(who, others)][:, np.isin(topics, of_f)]
    return y, f[np.isin(others, who)][:, np.isin(of_f, topics)]


def measured(y: Array, f: Array, n_systems: int, n_judged: int, n_draws: int = 1000) -> tuple[float, float]:
    """Give the ratio of squared errors of differences, and the share of draws in which all hold."""
    rng = np.random.default_rng(5)
    drawn = rng.random((n_draws, len(y))).argsort(axis=1)[:, :n_systems]
    judged = rng.random((n_draws, 1, y.shape[1])).argsort(axis=2) < n_judged
    found = estimate_means(np.where(judged, y[drawn], np.nan), f[drawn])
    pairs = found.differences(rng, n_draws=1000)
    first, second = pairs.first, pairs.second
    truth, plain = (means[:, first] - means[:, second] for means in (y[drawn].mean(axis=2), found.plain.mean))
    held = ((pairs.low <= truth) & (truth <= pairs.high)).all(axis=1)
    return float(((pairs.difference - truth) ** 2).sum() / ((plain - truth) ** 2).sum()), float(held.mean())


def main(shared: Path) -> None:
    """Print a row for each set, kind of scores, number of systems and of judged topics."""
    for name, target, metric in SETS:
        y, f = real(shared, name, target, metric)
        worthless = np.random.default_rng(0).normal(size=y.shape)
        for kind, scores in (("ROUGE", f), ("worthless", worthless), ("reversed", -f)):
            for n_systems in (2, 3, 4):
                found = [measured(y, scores, n_systems, n) for n in (3, 5, 10)]
                print(name, kind, n_systems, *(f"{ratio:.2f} {held:.3f}" for ratio, held in found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
