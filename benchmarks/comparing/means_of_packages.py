"""Means of systems from a part of the judgments: error, coverage, width and time of `estimate` and of other packages.

    python benchmarks/comparing/means_of_packages.py DIR [--draws 100]

DIR has SummEval and REALSumm. Each draw takes as many topics as there are, with replacement, of which 10 or 30 are
judged; so the mean over all topics of the corpus is the true mean of topics like them. Packages that are installed
estimate one system at a time (ppi-python and glide-py: PPI++; ppi-aipw: AIPW; cje-eval: calibrated, on grades from 0 to
1), and this package all at once. Root mean squared errors, of means and of means less the mean of all systems, and
widths are divided by those of plain means of the judged topics. Time is CPU time over that of the default method.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time

import numpy as np
from numpy.typing import NDArray

from benchmarks.few_systems import real
from classy_aesop.significance.few_judgments.estimated_means import estimate_means

Floats = NDArray[np.float64]
Interval = tuple[float, float, float]
"""An estimate and the ends of its interval of 95 %."""

CORPORA = (
    ("summeval", "relevance", "rouge-2.f1", 1.0, 5.0),
    ("realsumm", "litepyramid_recall", "rouge-1.recall", 0.0, 1.0),
)
"""Corpora, with a human measure, a metric and the ends of the measure's scale."""

N_JUDGED = (10, 30)


def by_ppi_python(judged: Floats, scores: Floats, other_scores: Floats) -> Interval:
    """Estimate the mean by PPI++ as in ppi-python."""
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    mean = ppi_mean_pointestimate(judged, scores, other_scores)
    low, high = ppi_mean_ci(judged, scores, other_scores, alpha=0.05)
    return float(np.squeeze(mean)), float(np.squeeze(low)), float(np.squeeze(high))


def by_glide(judged: Floats, scores: Floats, other_scores: Floats) -> Interval:
    """Estimate the mean by PPI++ as in glide-py."""
    from glide.estimators import PPIMeanEstimator

    labels = np.concatenate([judged, np.full(other_scores.size, np.nan)])
    result = PPIMeanEstimator().estimate(labels, np.concatenate([scores, other_scores]))
    interval = result.confidence_interval
    return float(interval.mean), float(interval.lower_bound), float(interval.upper_bound)


def by_ppi_aipw(judged: Floats, scores: Floats, other_scores: Floats) -> Interval:
    """Estimate the mean by ppi-aipw, with the scores as they are and the best weight of them."""
    from ppi_aipw import mean_inference

    result = mean_inference(
        judged, scores, other_scores, method="aipw", alpha=0.05, efficiency_maximization=True
    )
    return float(result.pointestimate), float(result.ci[0]), float(result.ci[1])


def by_linear_aipw(judged: Floats, scores: Floats, other_scores: Floats) -> Interval:
    """Estimate the mean by ppi-aipw, with scores that are calibrated by a line."""
    from ppi_aipw import mean_inference

    result = mean_inference(judged, scores, other_scores, method="linear", alpha=0.05)
    return float(result.pointestimate), float(result.ci[0]), float(result.ci[1])


def by_cje(judged: Floats, scores: Floats, other_scores: Floats) -> Interval:
    """Estimate the mean by cje-eval."""
    from cje import calibrated_mean_ci

    labels = np.concatenate([judged, np.full(other_scores.size, np.nan)])
    result = calibrated_mean_ci(np.concatenate([scores, other_scores]), labels)
    return result.estimate, result.ci[0], result.ci[1]


PEERS: dict[str, tuple[str, Callable[[Floats, Floats, Floats], Interval]]] = {
    "ppi-python": ("ppi_py", by_ppi_python),
    "glide-py": ("glide", by_glide),
    "ppi-aipw, aipw": ("ppi_aipw", by_ppi_aipw),
    "ppi-aipw, linear": ("ppi_aipw", by_linear_aipw),
    "cje-eval": ("cje", by_cje),
}
"""Methods of other packages, and the modules that they need."""

METHODS = ("hierarchical", "control-variate", "plain")
"""Methods of this package, the default first."""


@dataclass
class Tally:
    """What a method gave in all draws."""

    squared_errors: list[float] = field(default_factory=list)
    squared_errors_of_effects: list[float] = field(default_factory=list)
    held: list[float] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, intervals: Floats, truth: Floats, seconds: float) -> None:
        """Add estimates and ends of intervals, (3, n_systems)."""
        mean, low, high = intervals
        self.squared_errors.append(float(((mean - truth) ** 2).mean()))
        self.squared_errors_of_effects.append(float((mean - truth).var()))
        self.held.append(float(((low <= truth) & (truth <= high)).mean()))
        self.widths.append(float((high - low).mean()))
        self.seconds += seconds


def estimate_here(judgments: Floats, scores: Floats, method: str) -> Floats:
    """Estimate all means by this package, for topics like these: (3, n_systems)."""
    means = estimate_means(judgments, None if method == "plain" else scores, method=method, finite=False)
    return np.stack([means.mean, *means.interval(0.95)])


def measure(judgments: Floats, scores: Floats, n_judged: int, n_draws: int) -> dict[str, Tally]:
    """Draw topics, and estimate by every method that is there."""
    peers = {name: call for name, (module, call) in PEERS.items() if importlib.util.find_spec(module)}
    tallies = {name: Tally() for name in (*METHODS, *peers)}
    truth = judgments.mean(axis=1)
    n_topics = judgments.shape[1]
    for call in peers.values():  # imports what is imported late
        call(judgments[0, :n_judged], scores[0, :n_judged], scores[0, n_judged:])
    rng = np.random.default_rng(1)
    for _ in range(n_draws):
        topics = rng.integers(n_topics, size=n_topics)
        y = judgments[:, topics].copy()
        f = scores[:, topics]
        y[:, n_judged:] = np.nan
        for name in METHODS:
            start = process_time()
            intervals = estimate_here(y, f, name)
            tallies[name].add(intervals, truth, process_time() - start)
        for name, call in peers.items():
            start = process_time()
            rows = [
                call(y[system, :n_judged], f[system, :n_judged], f[system, n_judged:])
                for system in range(len(y))
            ]
            tallies[name].add(np.array(rows).T, truth, process_time() - start)
    return tallies


def main() -> None:
    """Print a table for each corpus and number of judged topics."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--draws", type=int, default=100)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable()
    print("corpus    judged  method            error  of effects  covered  width    time")
    for name, target, metric, lowest, highest in CORPORA:
        judgments, scores = real(arguments.folder, name, target, metric)
        judgments = (judgments - lowest) / (highest - lowest)
        for n_judged in N_JUDGED:
            tallies = measure(judgments, scores, n_judged, arguments.draws)
            plain = tallies["plain"]
            default = tallies[METHODS[0]]
            for method, tally in tallies.items():
                error = np.sqrt(np.mean(tally.squared_errors) / np.mean(plain.squared_errors))
                ratio = np.mean(tally.squared_errors_of_effects) / np.mean(plain.squared_errors_of_effects)
                width = np.mean(tally.widths) / np.mean(plain.widths)
                covered = np.mean(tally.held)
                time = tally.seconds / default.seconds
                print(
                    f"{name:9} {n_judged:6d}  {method:16}  {error:5.2f}  {ratio**0.5:10.2f}  "
                    f"{covered:7.3f}  {width:5.2f}  {time:6.1f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
