"""How well are systems ranked by what was learned from 80 judgments, and is it better than one metric?

``python -m benchmarks.few_labels DIR``, where DIR has SummEval and REALSumm, draws 8 topics and 10 systems
(``--topics``, ``--systems``), learns from their judgments and thirteen imported metrics, and predicts the other topics:
of these systems, and of all. It prints the mean over the draws of Pearson's correlation and Kendall's tau of system
means with the human ones, and the 5 % quantile of the former, of

- ``topicwise``, the default method, learned from one year and used for systems that may be others (``train FILE``);
- ``the same systems``, where the predicted year is known to have the systems that were learned from;
- the best single metric, chosen on the same 80 judgments by one of three correlations: of system means, of summaries
  within topics, or the mean of both;
- all metrics together, each divided by its standard deviation;
- the rule that the default method had before: shares in proportion to the fourth power of the correlation within
  topics, and the same without metrics that it reverses.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from benchmarks.made_up import generate
from benchmarks.report import table
from benchmarks.search_peers import Array
from classy_aesop import Corpus
from classy_aesop.baselines.baseline_scores import score_baselines
from classy_aesop.config import SearchOptions
from classy_aesop.data import matrix
from classy_aesop.errors import DataWarning
from classy_aesop.features.relative import relative_columns, relative_values
from classy_aesop.reading import read_scores
from classy_aesop.search import Rows
from classy_aesop.search.row_arrays import Integers
from classy_aesop.training.fit_options import FitOptions
from classy_aesop.training.forms import fit_forms
from classy_aesop.training.learners import Learner, MeanOfLearners, SingleColumn, make_learners
from classy_aesop.training.shares import mix_learners
from classy_aesop.training.year_rows import YearRows

PUBLISHED_METRICS = (
    *("rouge-1.f1", "rouge-2.f1", "rouge-l.f1", "AutoSummENG", "MeMoG", "NPowER", "bertscore.recall"),
    *("BEwTE.f1", "METEOR", "MoverScore", "qa-eval.f1", "s3.pyr", "s3.resp"),
)
MADE_UP_METRICS = (
    *("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4", "AutoSummENG", "MeMoG", "NPowER"),
    *("JS-1", "JS-2", "LSA-terms", "LSA-topic", "Ngram(1,4)", "VERT-like-chi2"),
)
FILES = ("rouge", "autosummeng", "bertscore", "bewte", "meteor", "moverscore", "qaeval", "s3")
TARGETS = (
    ("summeval", "relevance"),
    ("summeval", "coherence"),
    ("summeval", "consistency"),
    ("summeval", "fluency"),
    ("realsumm", "litepyramid_recall"),
)
MADE_UP_TARGETS = ("responsiveness", "pyramid", "readability")


class Scores(NamedTuple):
    """Human scores (n_systems, n_topics), and those of metrics (n_metrics, n_systems, n_topics)."""

    human: Array
    metrics: Array

    def take(self, systems: Integers, topics: Integers) -> Scores:
        """Return the cells of some systems and topics."""
        cells = np.ix_(systems, topics)
        return Scores(self.human[cells], np.stack([metric[cells] for metric in self.metrics]))

    def design(self) -> Rows:
        """Return a row a summary, with the metrics and then their relative forms."""
        n_systems, n_topics = self.human.shape
        topics = np.tile(np.arange(n_topics), n_systems)
        X = self.metrics.reshape(len(self.metrics), -1).T
        return Rows(
            np.hstack([X, relative_values(X, topics)]),
            self.human.reshape(-1, 1),
            np.repeat(np.arange(n_systems), n_topics),
            topics,
        )


def read_published(shared: Path, corpus: str, target: str) -> Scores:
    """Read the judgments and the published scores of a corpus."""
    tables = [read_scores(shared / corpus / f"scores_{name}.jsonl") for name in FILES]
    scores = pd.concat(tables)
    human, _, _ = matrix(read_scores(shared / corpus / "judgments.jsonl"), target)
    return Scores(human, np.stack([matrix(scores, metric)[0] for metric in PUBLISHED_METRICS]))


def make_up(target: str, seed: int) -> Scores:
    """Make up a year of 24 systems and 48 topics, and score it by baselines."""
    year = generate(seed, year="2021", n_topics=48, n_systems=24, n_humans=4, tasks=["A"], enough=0.6)
    corpus = Corpus.from_records(year.summaries, year.judgments)
    systems = sorted({name for (_, name), human in corpus.humans().items() if not human})
    scores = score_baselines(corpus, jackknife=True)
    of_systems = [
        table[table["summarizer"].isin(systems)].reset_index(drop=True)
        for table in (corpus.judgments, scores)
    ]
    human, _, _ = matrix(of_systems[0], target)
    return Scores(human, np.stack([matrix(of_systems[1], metric)[0] for metric in MADE_UP_METRICS]))


class Size(NamedTuple):
    """How many systems and topics are judged, and how often they are drawn."""

    n_systems: int
    n_topics: int
    n_draws: int


def draw(scores: Scores, size: Size, seed: int = 0) -> Iterator[tuple[Scores, Scores]]:
    """Yield what is judged, and all systems on the other topics, those that were judged first."""
    rng = np.random.default_rng(seed)
    n_systems, n_topics = scores.human.shape
    for _ in range(size.n_draws):
        systems = rng.permutation(n_systems)
        topics = rng.permutation(n_topics)
        yield (
            scores.take(systems[: size.n_systems], topics[: size.n_topics]),
            scores.take(systems, topics[size.n_topics :]),
        )


# --- what predicts system means from what is judged ---

Predict = Callable[[Scores, Scores], Array]
"""Gives the score of each system (n_systems,) of the second from what is judged in the first."""


def topicwise(*, same_systems: bool) -> Predict:
    """Learn by the default method from scores alone."""

    def predict(judged: Scores, others: Scores) -> Array:
        """Fit the mixture as `train` does."""
        search = SearchOptions()
        names = [f"metric-{number}" for number in range(len(judged.metrics))]
        relative = relative_columns(names)
        options = FitOptions(0, effects=search.effects, fitter_options=search.fitter_options)
        rows = judged.design()
        stacked = YearRows(
            **vars(rows),
            years=np.zeros(len(rows.X), int),
            topic_names=rows.topics,
            summarizer_names=rows.summarizers,
            human=np.zeros(len(rows.X), bool),
        )
        learners = make_learners(
            search.learners, (*names, *relative), options, imported=names, relative=relative
        )
        mixture = mix_learners(
            learners, stacked, 0, relative=relative, imported=names, same_summarizers=same_systems
        )
        forms = fit_forms(mixture, rows, options, relative)
        predictions = forms.predict(others.design())[0].reshape(others.human.shape)
        return np.asarray(predictions.mean(axis=1))

    return predict


def fourth_powers(*, may_reverse: bool) -> Predict:
    """Mix lines on single metrics by the fourth power of their correlations within topics."""

    def predict(judged: Scores, others: Scores) -> Array:
        """Fit a line on each metric."""
        correlations = within_topics(judged)
        if not may_reverse:
            correlations = np.maximum(correlations, 0.0)
        powers = correlations**4
        shares = powers / powers.sum() if powers.any() else np.full(len(powers), 1 / len(powers))
        learners: list[Learner] = [SingleColumn(str(number), number) for number in range(len(shares))]
        mixture = MeanOfLearners("mixture", tuple(learners), tuple(shares.tolist()))
        rows = judged.design().select_columns(slice(len(shares))).prepare_for_fit("topic", "summary")
        formula = mixture.fit(rows, 0)
        X = others.metrics.reshape(len(shares), -1).T
        predictions = np.asarray(formula.predict(X)).reshape(others.human.shape)
        return np.asarray(predictions.mean(axis=1))

    return predict


def best_metric(correlate: Callable[[Scores], Array]) -> Predict:
    """Choose one metric by a correlation on what is judged."""
    return lambda judged, others: others.metrics.mean(axis=2)[correlate(judged).argmax()]


def all_metrics(judged: Scores, others: Scores) -> Array:
    """Add all metrics, each divided by its standard deviation within topics."""
    deviations = (judged.metrics - judged.metrics.mean(axis=1, keepdims=True)).std(axis=(1, 2))
    return np.asarray(others.metrics.mean(axis=2).T @ (1 / np.where(deviations > 0, deviations, np.inf)))


def within_topics(scores: Scores) -> Array:
    """Correlate each metric with the human scores, both less their topic's mean, (n_metrics,)."""
    return _correlate(
        scores.metrics - scores.metrics.mean(axis=1, keepdims=True), scores.human - scores.human.mean(axis=0)
    )


def of_system_means(scores: Scores) -> Array:
    """Correlate the system means of each metric with the human ones, (n_metrics,)."""
    return _correlate(scores.metrics.mean(axis=2), scores.human.mean(axis=1))


def of_both(scores: Scores) -> Array:
    """Return the mean of both correlations, (n_metrics,)."""
    return (within_topics(scores) + of_system_means(scores)) / 2


def _correlate(metrics: Array, human: Array) -> Array:
    """Correlate each of several arrays with one, 0 where either is constant."""
    x = metrics.reshape(len(metrics), -1)
    x = x - x.mean(axis=1, keepdims=True)
    y = human.ravel() - human.mean()
    scale = np.sqrt((x**2).sum(axis=1) * (y @ y))
    return np.asarray(np.where(scale > 1e-12, x @ y / np.where(scale > 1e-12, scale, 1.0), 0.0))


METHODS: dict[str, Predict] = {
    "topicwise": topicwise(same_systems=False),
    "topicwise, the same systems": topicwise(same_systems=True),
    "best metric by system means": best_metric(of_system_means),
    "best metric within topics": best_metric(within_topics),
    "best metric by both": best_metric(of_both),
    "all metrics": all_metrics,
    "fourth powers (before)": fourth_powers(may_reverse=True),
    "the same, none reversed": fourth_powers(may_reverse=False),
}


def measure(predicted: Array, truth: Array) -> tuple[float, float]:
    """Return Pearson's correlation and Kendall's tau, 0 where all predictions are equal."""
    if np.ptp(predicted) == 0:
        return 0.0, 0.0
    return float(np.corrcoef(predicted, truth)[0, 1]), float(kendalltau(predicted, truth).statistic)


def compare_methods(scores: Scores, size: Size, names: Sequence[str]) -> list[list[str]]:
    """Return a row a method: both coefficients for the judged systems and for all, and the 5 % quantile."""
    values: dict[str, list[tuple[float, ...]]] = {name: [] for name in names}
    for judged, others in draw(scores, size):
        truth = others.human.mean(axis=1)
        same = Scores(others.human[: size.n_systems], others.metrics[:, : size.n_systems])
        for name in names:
            of_same = METHODS[name](judged, same)
            of_all = METHODS[name](judged, others)
            values[name].append((*measure(of_same, truth[: size.n_systems]), *measure(of_all, truth)))
    rows = []
    for name, of_method in values.items():
        means = np.mean(of_method, axis=0)
        low = np.quantile([row[0] for row in of_method], 0.05)
        rows.append([name, *(f"{mean:.3f}" for mean in means), f"{low:.2f}"])
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each corpus and measure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.few_labels", description=__doc__)
    parser.add_argument("shared", type=Path, metavar="DIR")
    parser.add_argument("--draws", type=int, default=200, metavar="N")
    parser.add_argument("--topics", type=int, default=8, metavar="N")
    parser.add_argument("--systems", type=int, default=10, metavar="N")
    parser.add_argument("--without-trees", action="store_true", help="leave out what takes longest")
    options = parser.parse_args(arguments)
    names = [name for name in METHODS if not (options.without_trees and name.endswith("same systems"))]
    size = Size(options.systems, options.topics, options.draws)
    head = ("method", "Pearson, these systems", "tau", "Pearson, all systems", "tau", "5 % of the first")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        sets = [
            (f"{corpus}, {target}", read_published(options.shared, corpus, target))
            for corpus, target in TARGETS
        ]
        sets += [(f"made up, {target}", make_up(target, seed=1)) for target in MADE_UP_TARGETS]
        for title, scores in sets:
            rows = compare_methods(scores, size, names)
            print(f"{title}, {options.draws} draws\n\n{table(head, rows)}\n", flush=True)


if __name__ == "__main__":
    main()
