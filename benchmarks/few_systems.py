"""Estimates of two to four systems: squared errors over plain differences', intervals that hold, and false positives.

``python -m benchmarks.few_systems DIR``, where DIR has SummEval and REALSumm, prints the three for 3, 5 and 10 judged
topics. Scores are ROUGE, and predictions of a year that was not learned from (of REALSumm, for other systems); then
these in no order, and reversed. Systems are equal where their judgments and scores are exchanged topic by topic.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.predictions import TAC, experiments
from benchmarks.search_peers import Array
from classy_aesop import read_config
from classy_aesop.config import SearchOptions
from classy_aesop.data import matrix
from classy_aesop.reading import read_scores
from classy_aesop.significance.few_judgments.estimated_means import estimate_means

SETS = (
    ("summeval", "relevance", "rouge-2.f1"),
    ("summeval", "consistency", "rouge-2.f1"),
    ("summeval", "fluency", "rouge-2.f1"),
    ("realsumm", "litepyramid_recall", "rouge-1.recall"),
)


def real(shared: Path, name: str, target: str, metric: str) -> tuple[Array, Array]:
    """Give the human scores of a corpus and those of a metric, of the systems and topics that both have."""
    y, who, topics = matrix(read_scores(shared / name / "judgments.jsonl"), target)
    f, others, of_f = matrix(read_scores(shared / name / "scores_rouge.jsonl"), metric)
    y = y[np.isin(who, others)][:, np.isin(topics, of_f)]
    return y, f[np.isin(others, who)][:, np.isin(of_f, topics)]


def measured(y: Array, f: Array, n_systems: int, n_judged: int, stated: float) -> tuple[float, ...]:
    """Give the ratio of squared errors, the share of draws in which all intervals hold, and of false findings."""
    rng, n_draws = np.random.default_rng(5), 1000
    drawn = rng.random((n_draws, len(y))).argsort(axis=1)[:, :n_systems]
    judged = rng.random((n_draws, 1, y.shape[1])).argsort(axis=2) < n_judged
    found = estimate_means(np.where(judged, y[drawn], np.nan), f[drawn], drawn_to=stated)
    pairs = found.differences(rng, n_draws=1000)
    both = y[drawn].mean(axis=2), found.plain.mean
    truth, plain = (means[:, pairs.first] - means[:, pairs.second] for means in both)
    held = ((pairs.low <= truth) & (truth <= pairs.high)).all(axis=1)
    ratio = ((pairs.difference - truth) ** 2).sum() / ((plain - truth) ** 2).sum()
    order = rng.random((n_draws, n_systems, y.shape[1])).argsort(axis=1)
    y, f = (np.take_along_axis(each[drawn], order, axis=1) for each in (y, f))
    equal = estimate_means(np.where(judged, y, np.nan), f, finite=False, drawn_to=stated)
    return float(ratio), float(held.mean()), float((equal.differences(rng, n_draws=1000).p <= 0.05).mean())


def predicted() -> Iterator[tuple[str, Array, Array]]:
    """Give the judgments and the predictions of systems of held-out years."""
    how = {"topicwise": SearchOptions.from_method("topicwise")}
    for name, config in (("made up", None), ("realsumm", read_config("configs/realsumm.toml"))):
        trained = experiments(config, [1], how, TAC, other_systems=config is not None, references=True)
        found = next(trained)[2]
        learned = next(one.predictor for one in found.trained if one.run.peers == "no_models")
        rows = found.points[found.points["metric"] == learned.name]
        y, f = (rows.pivot(index="summarizer", columns="topic", values=of) for of in ("judged", "score"))
        yield name, y.to_numpy(float), f.to_numpy(float)


def main(shared: Path) -> None:
    """Print a row for each set, kind of scores and number of systems."""
    sets = [(f"{name} {target}", *real(shared, name, target, metric), 0.0) for name, target, metric in SETS]
    sets += [(f"{name} predictions", y, f, 1.0) for name, y, f in predicted()]
    for name, y, f, stated in sets:
        for kind, scores in (("", f), ("worthless", np.random.default_rng(0).permuted(f)), ("reversed", -f)):
            for n_systems in (2, 3, 4):
                found = (measured(y, scores, n_systems, n, stated) for n in (3, 5, 10))
                said = ["{:.2f} {:.3f} {:.3f}".format(*one) for one in found]
                print(name, kind, n_systems, *said, sep="  ", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
