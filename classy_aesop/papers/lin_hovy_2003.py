"""Lin and Hovy (2003): n-gram recall against human scores, and coverage of marked units.

The sizes of their summaries (50 to 400 words) are tasks here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import Grid
from classy_aesop.answers.scored_summaries import declare_scores
from classy_aesop.baselines.corpus_scores import corpus_scores
from classy_aesop.baselines.ngram import ngram
from classy_aesop.data import KEYS
from classy_aesop.errors import InputError
from classy_aesop.papers.judged import (
    Judged,
    StudyData,
    mean_points,
    refuse_row,
    rows_of_topics,
    scores_by_metric,
)
from classy_aesop.papers.label_agreement import Labels, compare_labels
from classy_aesop.papers.printed import AVERAGE
from classy_aesop.papers.rankel_2013 import COUNTED_PAIRS, LABELS
from classy_aesop.papers.study_tables import (
    MEAN_HUMAN_SCORE,
    MEAN_SCORE,
    SUMMARIZER,
    draw_rows,
    printed_columns,
    state_range,
    study_result,
)
from classy_aesop.plots.captioned import Picture
from classy_aesop.plots.pictures import curves, scatter
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.additive.two_way_fit import summarizer_means
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.correlations.coefficients import spearman
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import midranks, round_to_zero, rounding_slack
from classy_aesop.significance.pairs.pair_statistics import row_moments
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    TARGET,
    TASK,
    YEAR,
    column_names,
    count,
    estimate,
    item,
)

LENGTHS = ((1, 4), (1, 1), (2, 2), (3, 3), (4, 4))
"""The shortest and longest n-grams of the paper's metrics."""

STATISTICS = (
    estimate("spearman", "Spearman's correlation of the peers' means with the human ones", priority=MAIN),
    estimate("regression_t", "LR_t: t of the regression of human means on the metric's"),
    estimate("pearson", "Pearson's correlation of the peers' means with the human ones", priority=MAIN),
    estimate("determination", "CD: the coefficient of determination, the square of pearson"),
)
"""What Tables 2 and 3 print of each metric."""

# --- pictures ---


def draw_hits(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw precision against recall of significant differences, a line a metric: Figures 3 and 4."""
    caption = "recall and precision of the significant differences; a line a metric, a point a level alpha"
    is_content = rows["metric"].str.endswith("-content")
    for title, of_title in (("without stop words", rows[is_content]), ("with stop words", rows[~is_content])):
        if len(of_title):
            columns = {"x": "recall", "y": "precision", "by": "metric", "order": "alpha"}
            yield replace(draw_rows(of_title, f"{title}, {caption}", curves, **columns), title=title)


# --- the declared tables ---

PEERS_WITH_BOTH = count("n", "peers with a score and a human score")

NGRAM_CORRELATIONS = Answer(
    name="study ngram-correlations",
    caption="Correlations of n-gram recall",
    columns=(
        YEAR,
        TASK,
        TARGET,
        METRIC,
        *STATISTICS,
        PEERS_WITH_BOTH,
        *printed_columns("ngram-correlations"),
    ),
    sentence=state_range("spearman", "Spearman's correlation of n-gram recall with human scores is {}."),
)

BLEU_CORRELATIONS = Answer(
    name="study bleu-correlations",
    caption="Rank correlations of BLEU and NIST",
    columns=(
        YEAR,
        TASK,
        TARGET,
        METRIC,
        item("n_references", "references of each summary, one or all", "int"),
        STATISTICS[0],
        PEERS_WITH_BOTH,
        *printed_columns("bleu-correlations"),
    ),
)

BOTH_RANKS = "rank of each summarizer by the metric and by humans, 1 for the best; a line where both agree"

NGRAM_RANKS = Answer(
    name="study ngram-ranks",
    caption="Ranks by n-gram recall and by humans",
    columns=(
        YEAR,
        TASK,
        TARGET,
        METRIC,
        SUMMARIZER,
        MEAN_SCORE,
        MEAN_HUMAN_SCORE,
        estimate(
            "rank", "by the metric, 1 for the highest mean; equal means share the mean rank", priority=MAIN
        ),
        estimate("human_rank", "by the human scores", priority=MAIN),
    ),
    pictures=partial(draw_rows, caption=BOTH_RANKS, plot=scatter, x="rank", y="human_rank", diagonal=True),
)

NGRAM_HITS = Answer(
    name="study ngram-hits",
    caption="Significant differences found by n-gram recall",
    columns=(
        YEAR,
        TASK,
        TARGET,
        METRIC,
        item("alpha", "a p-value of at most this is significant", "float"),
        COUNTED_PAIRS,
        *LABELS,
        estimate("recall", "share of the human significant differences that the metric finds", priority=MAIN),
        estimate("precision", "share of the metric's that are human ones", priority=MAIN),
    ),
    sentence=state_range("recall", "N-gram recall finds a share of {} of the significant differences."),
    pictures=draw_hits,
    drawn_together=("metric",),
)

MARKED_UNITS = declare_scores("study marked-units")

# --- n-gram recall ---


def ngram_correlations(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Correlation of Ngram(i,j), with and without stop words, with the means of a human measure: Tables 1 to 3.

    Tables 1 and 3 are of the metrics with stop words, Tables 1 and 2 of those without (``-content``).
    """
    tables = ngram_tables(data)
    grids = add_averages(tables.grids(target, metrics))
    parts = ((ids, correlate_means(X, grid.truth)) for ids, grid, X in scores_by_metric(grids, target))
    return tables.result(NGRAM_CORRELATIONS, parts)


def correlate_means(X: FloatArray, Z: FloatArray) -> list[dict[str, object]]:
    """Give the four statistics of Tables 2 and 3, of the means of a metric and of humans."""
    pearson = correlation(X, Z)
    return [
        {
            "spearman": correlation(X, Z, coefficient="spearman").value,
            "regression_t": regression_t(pearson.value, pearson.n),
            "pearson": pearson.value,
            "determination": pearson.value**2,
            "n": pearson.n,
        }
    ]


def bleu_correlations(data: StudyData, target: str) -> Result:
    """Spearman's correlation of BLEU and NIST of each peer's summaries together with a human measure: section 3."""
    tables = data.tables("no_models", score=None)
    keys = column_names(YEAR, TASK, SUMMARIZER)
    truth = tables.sides(target)[1].dropna(subset="score").groupby(keys)["score"].mean()
    parts = []
    for max_references in (1, None):
        for corpus in data.selected_corpora("no_models"):
            rows = corpus_scores(corpus.topics, max_references=max_references)
            n_references = rows.groupby(["year", "task"])["n_references"].transform("max")
            parts.append(rows.assign(n_references=n_references))
    scores = pd.concat(parts, ignore_index=True).drop_duplicates()
    if scores.empty:
        raise InputError("no summary has a text and a reference; expected a corpus with both")
    judged = scores.join(truth.rename("human"), on=keys, how="inner")
    ids = column_names(YEAR, TASK, METRIC, BLEU_CORRELATIONS["n_references"])
    groups = judged.groupby(ids, sort=False)
    coefficients = groups[["score", "human"]].apply(lambda pairs: spearman(*pairs.to_numpy().T))
    table = pd.DataFrame({"spearman": coefficients, "n": groups.size()}).reset_index()
    return tables.result(BLEU_CORRELATIONS, [({"target": target}, table)])


def ngram_ranks(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Ranks of the peers by Ngram(i,j) and by humans: the points of Figure 2."""
    tables = ngram_tables(data)
    grids = add_averages(tables.grids(target, metrics))
    parts = ((ids, rank_peers(grid, X)) for ids, grid, X in scores_by_metric(grids, target))
    return tables.result(NGRAM_RANKS, parts)


def rank_peers(grid: Grid, X: FloatArray) -> pd.DataFrame:
    """Return the means of each peer by a metric and by humans, and its ranks."""
    points = mean_points(grid, X).dropna(subset="score")
    return points.assign(
        rank=midranks(-points["score"].to_numpy(), rounding_slack(X)),
        human_rank=midranks(-points["human_score"].to_numpy(), rounding_slack(grid.truth)),
    )


def ngram_hits(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> Result:
    """Recall and precision of the significant differences that Ngram(i,j) predicts, by level: Figures 3 and 4.

    Of the levels the paper prints .25 for .025.
    """
    tables = ngram_tables(data)
    parts = (
        (ids, [{"alpha": alpha, **hits} for alpha, hits in significant_hits(X, grid.truth).items()])
        for ids, grid, X in scores_by_metric(tables.grids(target, metrics), target)
    )
    return tables.result(NGRAM_HITS, parts)


LIN_HOVY_ALPHAS = (0.10, 0.05, 0.025, 0.01, 0.005)
"""Error levels of the paper; its table says .25, by the order of the levels a misprint of .025."""


def significant_hits(X: FloatArray, Z: FloatArray) -> dict[float, dict[str, float]]:
    """Compare the significant differences (z-tests, two-sided) of a metric with the human ones, by error level.

    Recall is the share of the pairs that are significant by human scores which are so by the metric's, precision the
    reverse.

    Shapes: ``X`` and ``Z`` (n_summarizers, n_topics).

    Examples
    --------
    >>> Z = np.array([[1.0, 2, 1, 2], [5, 6, 5, 6], [5, 5, 6, 7]])
    >>> agreement = significant_hits(Z, Z)[0.05]
    >>> agreement["tp"], agreement["recall"], agreement["precision"]
    (2, 1.0, 1.0)
    """
    tests = [z_tests(X), z_tests(Z)]
    return {
        alpha: compare_labels(
            *(Labels(is_significant(p, alpha), np.sign(z), np.ones(len(p), dtype=bool)) for z, p in tests)
        )
        for alpha in LIN_HOVY_ALPHAS
    }


def z_tests(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """z and two-sided p of all pairs of rows, in the order of ``numpy.triu_indices(n, k=1)``.

    z = (mean X - mean Y) / sqrt(s_X^2/n_X + s_Y^2/n_Y) over all topics that each has, shared or not.

    Shapes: ``X`` (n_summarizers, n_topics); gives ``z, p`` (n_pairs,).
    """
    from scipy.special import ndtr

    first, second = np.triu_indices(len(X), k=1)
    n = (~np.isnan(X)).sum(axis=1)
    slack = rounding_slack(X, axis=1)[:, 0]
    mean, root = row_moments(X, ~np.isnan(X), n, slack)
    difference = round_to_zero(mean[first] - mean[second], np.maximum(slack[first], slack[second]))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = root / np.sqrt((n - 1.0) * n)
        z = difference / np.hypot(error[first], error[second])
    is_testable = (n[first] > 1) & (n[second] > 1) & (difference != 0)
    z = np.where(is_testable, z, 0.0)
    return z, 2 * ndtr(-np.abs(z))


def regression_t(r: float, n: int) -> float:
    """t of a correlation of n points with n - 2 degrees of freedom, LR_t: infinite if r is 1 or -1, NaN if n < 3.

    Examples
    --------
    >>> round(regression_t(0.907, 13), 3)
    7.143
    """
    if n < 3:
        return float("nan")
    with np.errstate(divide="ignore"):
        return float(r * np.sqrt((n - 2) / np.float64(1 - r * r)))


def add_averages(grids: Sequence[Grid]) -> Iterator[Grid]:
    """Yield the grids, and after those of a year with several tasks their average, without single documents (SD)."""
    for _, of_year in groupby(grids, key=attrgetter("year")):
        tasks = list(of_year)
        yield from tasks
        averaged = [grid for grid in tasks if not grid.task.startswith("SD-")]
        if len(averaged) > 1:
            yield average_tasks(averaged)


def average_tasks(tasks: Sequence[Grid]) -> Grid:
    """Return a grid whose columns are the tasks: the means of each summarizer that every task has."""

    def join_means(matrices: Iterable[FloatArray]) -> pd.DataFrame:
        """Put the means of the tasks beside each other."""
        means = (summarizer_means(X, ~np.isnan(X)) for X in matrices)
        return pd.concat(map(pd.Series, means, names), axis=1, join="inner")

    names = [grid.summarizers for grid in tasks]
    truth = join_means(grid.truth for grid in tasks)
    metrics = {
        name: join_means(np.where(np.isnan(grid.truth), np.nan, grid.metrics[name]) for grid in tasks)
        for name in tasks[0].metrics
        if all(name in grid.metrics for grid in tasks)
    }
    return Grid(
        tasks[0].year,
        AVERAGE,
        (*truth.index,),
        tuple(grid.task for grid in tasks),
        truth.to_numpy(),
        {name: means.loc[truth.index].to_numpy() for name, means in metrics.items()},
    )


def ngram_tables(data: StudyData) -> Judged:
    """Return the human scores, and Ngram(i,j) where no metrics are given."""
    return data.tables("no_models", score=score_ngrams, needs_metrics=True)


def score_ngrams(corpus: Corpus, *, jackknife: bool) -> pd.DataFrame:
    """Score a corpus by the paper's metrics, with and without stop words."""
    parts = [
        ngram(corpus, jackknife=jackknife, lengths=lengths, stop_words=stop_words)
        for stop_words in (True, False)
        for lengths in LENGTHS
    ]
    return pd.concat(parts, ignore_index=True)


MARKED = (*KEYS, "marked", "units", "completeness")
"""The columns of a table of marked units; year and task may be missing."""


def read_marked_units(path: str | Path) -> pd.DataFrame:
    """Read a table with a row a summary: how many units of the reference are marked in it, and how completely."""
    table = rows_of_topics(path, MARKED, {*MARKED} - {"year", "task"})
    numbers = table[[*MARKED[len(KEYS) :]]].apply(pd.to_numeric, errors="coerce")
    strata = {name: "" for name in ("year", "task") if name not in table}
    table = table.assign(**strata, **numbers)
    summary = "the summary of {summarizer} on {topic}"
    for is_faulty, fault in (
        (table.duplicated(KEYS), "is there twice"),
        (~table["marked"].between(0, table["units"]), "needs 0 <= marked <= units"),
        (~table["units"].gt(0), "needs units above 0"),
        (~table["completeness"].between(0, 1), "needs a completeness from 0 to 1"),
    ):
        refuse_row(table, is_faulty, f"{summary} {fault}", path)
    return table


def marked_units(marked: pd.DataFrame) -> Result:
    """Score summaries by the share of the units that is marked, times their completeness: section 2.3."""
    coverage = marked["marked"] * marked["completeness"] / marked["units"]
    return study_result(marked[KEYS].assign(metric="coverage", score=coverage), MARKED_UNITS)
