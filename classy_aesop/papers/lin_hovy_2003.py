"""Lin and Hovy (2003): n-gram recall against human scores, and coverage of marked units.

The sizes of their summaries (50 to 400 words) are tasks here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import Grid, matrices
from classy_aesop.baselines.corpus_scores import corpus_scores
from classy_aesop.baselines.ngram import ngram
from classy_aesop.data import KEYS
from classy_aesop.data.corpus import Corpus
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.judged import Judged, StudyData, rows_of_topics
from classy_aesop.papers.printed import AVERAGE, LIN_HOVY_2003, add_printed_cells
from classy_aesop.significance.additive.system_means import summarizer_means
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.correlations.coefficients import spearman
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.equality import midranks, rounding_slack
from classy_aesop.significance.metrics.lin_hovy import regression_t, significant_hits

LENGTHS = ((1, 4), (1, 1), (2, 2), (3, 3), (4, 4))
"""The shortest and longest n-grams of the paper's metrics."""

STATISTICS = ("spearman", "regression_t", "pearson", "determination")
"""What Tables 2 and 3 print of each metric."""


def ngram_correlations(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> pd.DataFrame:
    """Correlation of Ngram(i,j), with and without stop words, with the means of a human measure: Tables 1 to 3.

    Tables 1 and 3 are of the metrics with stop words, Tables 1 and 2 of those without (``-content``).

    Parameters
    ----------
    data : StudyData
        Judged corpora; metrics that are given stand for Ngram(i,j).
    target : str
        The human measure.
    metrics : sequence of str, optional
        Only these metrics.

    Returns
    -------
    DataFrame
        ``year, task, target, metric, spearman, regression_t`` (LR_t), ``df, pearson, determination`` (CD) and ``n``,
        the peers. A year of several tasks has rows of the task ``all`` as well: each peer by the mean of its tasks'
        means, for peers that every task has. With ``printed_spearman`` and so on where the data are the paper's, whose
        tasks are ``SD-100, MD-50, MD-100, MD-200, MD-400``, and ``all`` those of sets of documents.
    """
    tables = ngram_tables(data)
    rows = []
    for grid in add_averages(tables.grids(target, metrics)):
        for name, X in grid.metrics.items():
            rho = correlation(X, grid.truth, coefficient="spearman").value
            estimate = correlation(X, grid.truth, coefficient="pearson")
            r = estimate.value
            rows.append(
                {
                    "year": grid.year,
                    "task": grid.task,
                    "target": target,
                    "metric": name,
                    "spearman": rho,
                    "regression_t": regression_t(r, estimate.n),
                    "df": estimate.n - 2,
                    "pearson": r,
                    "determination": r * r,
                    "n": estimate.n,
                }
            )
    table = pd.DataFrame(rows)
    printed = {name: f"printed_{name}" for name in STATISTICS}
    is_content = table["metric"].str.endswith("-content")
    parts = [
        add_printed_cells(
            table[are_of_item], tables.judgments, f"{LIN_HOVY_2003}, {item}", ["metric"], printed
        )
        for item, are_of_item in (("Table 2", is_content), ("Table 3", ~is_content))
        if are_of_item.any()
    ]
    return pd.concat(parts).sort_index()


def bleu_correlations(data: StudyData, target: str) -> pd.DataFrame:
    """Spearman's correlation of BLEU and NIST of each peer's summaries together with a human measure: section 3.

    Parameters
    ----------
    data : StudyData
        Judged corpora with texts and references.
    target : str
        The human measure.

    Returns
    -------
    DataFrame
        A row for each year, task, metric (``BLEU`` and ``NIST``, of `classy_aesop.baselines.corpus_scores`) and number
        of references, one or all: ``year, task, target, metric, n_references, spearman, n`` (peers). With ``printed``
        where the data are the paper's, which does not say of which size its summaries of several documents are.

    Raises
    ------
    InputError
        No summary has a text and a reference.
    """
    tables = data.tables("no_models", score=None)
    human_means = {
        (matrix.year, matrix.task): dict(
            zip(matrix.summarizers, summarizer_means(matrix.X, ~np.isnan(matrix.X)), strict=True)
        )
        for matrix in matrices(tables.sides(target)[1])
    }
    corpora = data.selected_corpora("no_models")
    parts = [
        corpus_scores(corpus.topics, max_references=max_references)
        for max_references in (1, None)
        for corpus in corpora
    ]
    largest = [part.groupby(["year", "task"])["n_references"].transform("max") for part in parts]
    parts = [part.assign(n_references=n) for part, n in zip(parts, largest, strict=True)]
    scores = pd.concat(parts, ignore_index=True).drop_duplicates()
    if scores.empty:
        raise InputError("no summary has a text and a reference; expected a corpus with both")
    rows = []
    ids = ["year", "task", "metric", "n_references"]
    for key, of_key in scores.groupby(ids, sort=False):
        means = human_means.get((str(key[0]), str(key[1])), {})
        judged = of_key[of_key["summarizer"].isin(means)]
        pairs = [judged["score"].to_numpy(), np.array([means[name] for name in judged["summarizer"]])]
        rho = spearman(*pairs) if len(judged) > 1 else float("nan")
        rows.append({**dict(zip(ids, key, strict=True)), "target": target, "spearman": rho, "n": len(judged)})
    table = pd.DataFrame(rows)
    table = table.assign(references=[f"{number} references" for number in table["n_references"]])
    table = add_printed_cells(
        table,
        tables.judgments,
        f"{LIN_HOVY_2003}, section 3",
        ["metric", "references"],
        {"spearman": "printed"},
    )
    shown = ["year", "task", "target", "metric", "n_references", "spearman", "n", "printed"]
    return table[[name for name in shown if name in table]]


def ngram_ranks(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> pd.DataFrame:
    """Ranks of the peers by Ngram(i,j) and by humans: the points of Figure 2.

    Parameters
    ----------
    data, target, metrics
        As for :func:`ngram_correlations`.

    Returns
    -------
    DataFrame
        ``year, task, target, metric, summarizer, score, human_score`` (means over the topics with both), ``rank,
        human_rank``: 1 for the highest mean, equal means share the mean rank. Tasks and their average as for
        :func:`ngram_correlations`.
    """
    return pd.DataFrame(
        {"year": grid.year, "task": grid.task, "target": target, "metric": name, **row}
        for grid in add_averages(ngram_tables(data).grids(target, metrics))
        for name, X in grid.metrics.items()
        for row in rank_peers(grid, X)
    )


def rank_peers(grid: Grid, X: FloatArray) -> Iterator[dict[str, object]]:
    """Yield the means of each peer by a metric and by humans, and its ranks."""
    scores, truth = grid.means(X)
    is_scored = ~np.isnan(scores)
    ranks = midranks(-scores[is_scored], rounding_slack(X))
    human_ranks = midranks(-truth[is_scored], rounding_slack(grid.truth))
    names = np.array(grid.summarizers)[is_scored].tolist()
    for name, *values in zip(names, scores[is_scored], truth[is_scored], ranks, human_ranks, strict=True):
        columns = ("score", "human_score", "rank", "human_rank")
        yield {"summarizer": name, **dict(zip(columns, map(float, values), strict=True))}


def ngram_hits(data: StudyData, target: str, *, metrics: Sequence[str] | None = None) -> pd.DataFrame:
    """Recall and precision of the significant differences that Ngram(i,j) predicts, by level: Figures 3 and 4.

    Of the levels the paper prints .25 for .025.

    Parameters
    ----------
    data, target, metrics
        As for :func:`ngram_correlations`.

    Returns
    -------
    DataFrame
        ``year, task, target, metric, alpha, n_pairs, n_human, n_metric, n_hits`` (pairs that are significant by human
        scores, by the metric's, by both), ``n_contradictions`` (hits with opposite directions), ``recall`` (NaN if no
        pair is significant by human scores), ``precision`` (NaN if none is by the metric's).
    """
    return pd.DataFrame(
        {
            "year": grid.year,
            "task": grid.task,
            "target": target,
            "metric": name,
            "alpha": alpha,
            "n_pairs": counted.n,
            "n_human": counted.tp + counted.fn,
            "n_metric": counted.tp + counted.fp,
            "n_hits": counted.tp,
            "n_contradictions": counted.contradictions,
            "recall": counted.recall,
            "precision": counted.precision,
        }
        for grid in ngram_tables(data).grids(target, metrics)
        for name, X in grid.metrics.items()
        for alpha, counted in significant_hits(X, grid.truth).items()
    )


def add_averages(grids: Sequence[Grid]) -> Iterator[Grid]:
    """Yield the grids, and after those of a year with several tasks their average."""
    for _, of_year in groupby(grids, key=lambda grid: grid.year):
        tasks = list(of_year)
        yield from tasks
        if len(tasks) > 1:
            yield average_tasks(tasks)


def average_tasks(tasks: Sequence[Grid]) -> Grid:
    """Return a grid whose columns are the tasks: the means of each summarizer that every task has."""
    in_all_tasks = set.intersection(*(set(grid.summarizers) for grid in tasks))
    summarizers = tuple(name for name in tasks[0].summarizers if name in in_all_tasks)
    names = [name for name in tasks[0].metrics if all(name in grid.metrics for grid in tasks)]
    rows_of_tasks = [[grid.summarizers.index(name) for name in summarizers] for grid in tasks]
    metrics = {}
    for name in names:
        means = [grid.means(grid.metrics[name]) for grid in tasks]
        metrics[name] = np.column_stack([X[rows] for (X, _), rows in zip(means, rows_of_tasks, strict=True)])
    truth = np.column_stack(
        [
            summarizer_means(grid.truth, ~np.isnan(grid.truth))[rows]
            for grid, rows in zip(tasks, rows_of_tasks, strict=True)
        ]
    )
    return Grid(tasks[0].year, AVERAGE, summarizers, tuple(grid.task for grid in tasks), truth, metrics)


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


MARKED = (*KEYS, "marked", "units", "completeness", "brevity")
"""The columns of a table of marked units; year, task and brevity may be missing."""


def read_marked(path: str | Path) -> pd.DataFrame:
    """Read a tab-separated table of marked units, a row a summary: `MARKED`, without brevity if the file has none.

    ``marked`` of the ``units`` of the reference are in it, with a ``completeness`` and a ``brevity`` of 0 to 1.
    InputError if a column is missing, a summary is there twice, or a number is not in its range.
    """
    needed = {"summarizer", "marked", "units", "completeness"}
    expected = "summarizer, marked, units and completeness"
    table, lines = rows_of_topics(path, MARKED, expected, needed.issubset)
    table = table.assign(**{name: "" for name in ("year", "task") if name not in table})
    faults = {"is there twice": table.duplicated(KEYS)}
    numbers = [name for name in MARKED[len(KEYS) :] if name in table]
    table = table.assign(**{name: pd.to_numeric(table[name], errors="coerce") for name in numbers})
    faults["needs 0 <= marked <= units"] = ~table["marked"].between(0, table["units"])
    faults["needs units above 0"] = ~table["units"].gt(0)
    for name in numbers[2:]:
        faults[f"needs a {name} from 0 to 1"] = ~table[name].between(0, 1)
    for fault, is_faulty in faults.items():
        if is_faulty.any():
            first = int(is_faulty.to_numpy().argmax())
            name = f"{table['summarizer'].iloc[first]} on {table['topic'].iloc[first]}"
            raise InputError(f"the summary of {name} {fault}", path=path, line=lines[first])
    return table


def marked_units(marked: pd.DataFrame, *, weight: float = 1.0) -> pd.DataFrame:
    """Score summaries by their marked units, a table as of `read_marked`.

    The metric ``coverage`` is the share of the units that is marked, times their completeness; with a ``weight`` below
    1 it is ``length_adjusted_coverage``, in DUC 2002 C' = weight C + (1 - weight) B, which needs brevity (else
    InputError).

    Examples
    --------
    >>> rows = [("", "t1", "", "1", 3, 6, 0.5, 0.2)]
    >>> marked = pd.DataFrame(rows, columns=MARKED)
    >>> float(marked_units(marked)["score"][0]), float(marked_units(marked, weight=0.5)["score"][0])
    (0.25, 0.225)
    """
    if not 0 <= weight <= 1:
        raise UsageError(f"weight is {weight}; expected 0 to 1")
    coverage = marked["marked"] * marked["completeness"] / marked["units"]
    if weight == 1:
        return marked[KEYS].assign(metric="coverage", score=coverage)
    if "brevity" not in marked:
        raise InputError("the table has no column brevity; expected one, or a weight of 1")
    score = weight * coverage + (1 - weight) * marked["brevity"]
    return marked[KEYS].assign(metric="length_adjusted_coverage", score=score)
