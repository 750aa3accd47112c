"""Estimates of two to four systems: squared errors over plain differences', coverage, and false positives.

``python -m benchmarks.few_systems DIR``, where DIR has SummEval and REALSumm, prints the three for 3, 5 and 10 judged
topics. Scores are ROUGE, and predictions of a year that was not learned from (of REALSumm, for other systems); then
these permuted, and reversed. Systems are equal where their judgments and scores are exchanged topic by topic.
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


def read_published(shared: Path, name: str, target: str, metric: str) -> tuple[Array, Array]:
    """Give the human scores of a corpus and those of a metric, of the systems and topics that both have."""
    y, judged_systems, judged_topics = matrix(read_scores(shared / name / "judgments.jsonl"), target)
    f, scored_systems, scored_topics = matrix(read_scores(shared / name / "scores_rouge.jsonl"), metric)
    y = y[np.isin(judged_systems, scored_systems)][:, np.isin(judged_topics, scored_topics)]
    return y, f[np.isin(scored_systems, judged_systems)][:, np.isin(scored_topics, judged_topics)]


def measure(y: Array, f: Array, n_systems: int, n_judged: int, slope_prior: float) -> tuple[float, ...]:
    """Give the ratio of squared errors, the share of draws in which all intervals cover, and of false findings."""
    n_draws = 1000
    rng = np.random.default_rng(5)
    systems = rng.random((n_draws, len(y))).argsort(axis=1)[:, :n_systems]
    judged = rng.random((n_draws, 1, y.shape[1])).argsort(axis=2) < n_judged
    means = estimate_means(np.where(judged, y[systems], np.nan), f[systems], slope_prior=slope_prior)
    pairs = means.differences(rng, n_draws=1000)

    def difference(values: Array) -> Array:
        """Difference of each pair."""
        return values[:, pairs.first] - values[:, pairs.second]

    truth = difference(y[systems].mean(axis=2))
    plain = difference(means.plain.mean)
    covers = ((pairs.low <= truth) & (truth <= pairs.high)).all(axis=1)
    ratio = ((pairs.difference - truth) ** 2).sum() / ((plain - truth) ** 2).sum()
    order = rng.random((n_draws, n_systems, y.shape[1])).argsort(axis=1)
    y_exchanged = np.take_along_axis(y[systems], order, axis=1)
    f_exchanged = np.take_along_axis(f[systems], order, axis=1)
    equal = estimate_means(
        np.where(judged, y_exchanged, np.nan), f_exchanged, finite=False, slope_prior=slope_prior
    )
    false_findings = equal.differences(rng, n_draws=1000).p <= 0.05
    return float(ratio), float(covers.mean()), float(false_findings.mean())


def read_predictions() -> Iterator[tuple[str, Array, Array]]:
    """Give the judgments and the predictions of systems of held-out years."""
    methods = {"topicwise": SearchOptions.from_method("topicwise")}
    for name, config in (("made up", None), ("realsumm", read_config("configs/realsumm.toml"))):
        trained = experiments(config, [1], methods, TAC, other_systems=config is not None, references=True)
        experiment = next(trained)[2]
        predictor = next(run.predictor for run in experiment.trained if run.run.peers == "no_models")
        rows = experiment.points[experiment.points["metric"] == predictor.name]
        judged = rows.pivot(index="summarizer", columns="topic", values="judged")
        scores = rows.pivot(index="summarizer", columns="topic", values="score")
        yield name, judged.to_numpy(float), scores.to_numpy(float)


def main(shared: Path) -> None:
    """Print a row for each set, kind of scores and number of systems."""
    sets = [
        (f"{name} {target}", *read_published(shared, name, target, metric), 0.0)
        for name, target, metric in SETS
    ]
    sets += [(f"{name} predictions", y, f, 1.0) for name, y, f in read_predictions()]
    for name, y, f, slope_prior in sets:
        for kind, scores in (("", f), ("permuted", np.random.default_rng(0).permuted(f)), ("reversed", -f)):
            for n_systems in (2, 3, 4):
                results = (measure(y, scores, n_systems, n, slope_prior) for n in (3, 5, 10))
                cells = ["{:.2f} {:.3f} {:.3f}".format(*result) for result in results]
                print(name, kind, n_systems, *cells, sep="  ", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
