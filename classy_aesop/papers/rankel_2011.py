"""Rankel et al. (2011): which pairs of summarizers differ, scores by summarizer and topic, and which topics differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import ScoreMatrix, keep_large_enough, mixed_pairs
from classy_aesop.data import natural
from classy_aesop.errors import UsageError
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.pair_resampling import (
    RESAMPLING_METHODS,
    resample_pairs,
)
from classy_aesop.papers.study_tables import (
    HUMAN_COLUMN,
    SCORE,
    SIGNIFICANT_PAIRS,
    SIGNIFICANT_SHARE,
    SUMMARIZER,
    TESTED_PAIRS,
    printed_columns,
    state_range,
)
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.plots.pictures import heatmap
from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import midranks
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS, compare_pairs
from classy_aesop.significance.pairs.signed_ranks import RECIPES, signed_rank_test
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    TASK,
    YEAR,
    count,
    estimate,
    interval,
    item,
    optional,
    p_value,
    stratum,
)
from classy_aesop.work.seeds import seeded_rng

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RECIPE_OF_2011 = RECIPES["rankel2011"]
"""How the paper's tests were computed; its p-values have no correction."""

# --- pictures ---


def draw_score_map(rows: pd.DataFrame) -> Picture:
    """Draw a score matrix as the papers do: a row a topic, a column a summarizer; white where there is no score."""
    caption = "scores by topic (rows) and summarizer (columns); white: no score"
    height = max(2.6, 0.6 + 0.12 * rows["topic"].nunique())
    width = max(3.4, 1.2 + 0.14 * rows["summarizer"].nunique())  # of the bar of colours, and of the cells
    return Picture(caption, partial(_draw_cells, rows), height=height, width=width)


def _draw_cells(rows: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the cells with topics as rows, by their names, and summarizers in the order of the table."""
    topics = sorted(rows["topic"].unique(), key=natural)
    exchanged = rows.rename(columns={"summarizer": "topic", "topic": "summarizer"})
    return heatmap(exchanged, rows=topics, columns=rows["summarizer"].unique().tolist(), ax=ax)


def draw_topic_ranks(rows: pd.DataFrame) -> Picture:
    """Draw the mean ranks of topics with their comparison intervals; diamonds differ from the topic of a cross."""
    selected = rows["highlight"] == "selected"
    caption = "mean ranks of topics; intervals that do not overlap differ"
    if selected.any():
        caption += f"; diamonds differ from {rows.loc[selected, 'topic'].iloc[0]}, which has a cross"
    marked = rows.assign(
        differs=rows["highlight"] == "differs", selected_rank=rows["mean_rank"].where(selected)
    )
    return forest_picture(
        marked, caption, names="topic", value="mean_rank", marked="differs", crosses="selected_rank"
    )


def count_differing_topics(rows: pd.DataFrame) -> str:
    """Count the topics whose mean ranks differ from that of another."""
    return f"{int(rows['n_different'].gt(0).sum())} of {len(rows)} topics differ from at least one other."


# --- the declared tables ---

PAIR_COUNTS = Answer(
    name="study pair-counts",
    caption="Pairs that differ significantly",
    columns=(
        YEAR,
        TASK,
        METRIC,
        stratum("pairs", "which pairs are counted: all, or mixed ones of a human and a system"),
        item("test", "the test of two summarizers"),
        TESTED_PAIRS,
        SIGNIFICANT_PAIRS,
        SIGNIFICANT_SHARE,
        *optional(
            estimate(
                "n_by_cutoff",
                "pairs whose statistic reaches the papers' cutoff; of tests that resample",
                "int",
            ),
        ),
        *printed_columns("pair-counts"),
    ),
    sentence=state_range("share", "A share of {} of the pairs of summarizers differ significantly."),
)

SCORE_MAP = Answer(
    name="study score-map",
    caption="Scores",
    columns=(
        YEAR,
        TASK,
        METRIC,
        SUMMARIZER,
        HUMAN_COLUMN,
        item("topic", "the topic"),
        SCORE,
    ),
    pictures=draw_score_map,
)

TOPIC_RANKS = Answer(
    name="study topic-ranks",
    caption="Mean ranks of topics",
    columns=(
        YEAR,
        TASK,
        METRIC,
        item("topic", "the topic"),
        count("n", "scores of all topics"),
        estimate("mean_rank", "mean rank of the topic's scores among all", priority=MAIN),
        *interval(
            "low",
            "high",
            "Tukey's comparison interval: topics differ where theirs do not overlap",
            cell="mean_rank",
            priority=MAIN,
        ),
        estimate("n_different", "topics that differ from it", "int", priority=MAIN),
        estimate(
            "highlight",
            "selected, or whether the topic differs from the selected one or is similar",
            "text",
            priority=MAIN,
        ),
        p_value("p", "of Kruskal-Wallis' test of all topics"),
        *printed_columns("topic-ranks"),
    ),
    sentence=count_differing_topics,
    pictures=draw_topic_ranks,
)

# --- which pairs differ ---


def pair_counts(
    data: StudyData,
    *,
    metrics: Sequence[str] | None = None,
    mixed: bool = False,
    with_resampling: bool = False,
    n_resamples: int = 2_000,
    seed: int = 0,
    progress: bool = False,
) -> Result:
    """Count the pairs of all peers that differ significantly (p <= .05, uncorrected) by each test.

    Tables 1 and 2; Rankel (2016), Tables 4.1 and 4.2.
    """
    from tqdm import tqdm

    tables = data.tables("all_peers", requested=metrics)
    pairs_of_matrices = [
        (
            matrix,
            mixed_pairs(matrix.year, matrix.summarizers, tables.humans) if mixed else index_pairs(matrix),
        )
        for matrix in tables.matrices(metrics)
    ]
    items = "pairs of a human and a system" if mixed else "pairs of summarizers"
    tested = keep_large_enough(pairs_of_matrices, lambda matrix_and_pairs: len(matrix_and_pairs[1]), 1, items)
    parts = []
    for matrix, pairs in tqdm(tested, disable=not progress, unit="metric"):
        make_rng = partial(seeded_rng, seed, *matrix.names)
        counts = count_pairs_by_tests(matrix.X, pairs, n_resamples if with_resampling else 0, make_rng)
        parts.append((matrix.ids | {"pairs": "mixed" if mixed else "all"}, counts))
    return tables.result(PAIR_COUNTS, parts)


def index_pairs(scores: ScoreMatrix) -> IntArray:
    """Give all pairs of rows of a matrix, (n_pairs, 2)."""
    return np.stack(np.triu_indices(len(scores.X), k=1), axis=1)


def count_pairs_by_tests(
    X: FloatArray, pairs: IntArray, n_resamples: int, make_rng: Callable[[str], np.random.Generator]
) -> pd.DataFrame:
    """Count the pairs of systems that differ significantly: a row for each test, and for each that resamples."""
    p_values = {
        name: compare_pairs(X, test=test, pairs=pairs, confidence=None, correction="none").p
        for name, test in (PAIR_TESTS | {"wilcoxon": signed_rank_test(RECIPE_OF_2011)}).items()
    }
    p_by_cutoff = {}
    for method in RESAMPLING_METHODS if n_resamples else ():
        for test in PAIR_TESTS:
            resampled = resample_pairs(
                X,
                method=method,
                test=test,
                pairs=pairs,
                n_resamples=n_resamples,
                recipe=RECIPE_OF_2011,
                rng=make_rng(method),
            )
            p_values[f"{method}_{test}"] = resampled.p
            p_by_cutoff[f"{method}_{test}"] = resampled.p_by_cutoff
    table = pd.DataFrame({"n_significant": count_by_test(p_values)}).rename_axis("test")
    if n_resamples:
        table = table.assign(n_by_cutoff=count_by_test(p_by_cutoff).astype("Int64"))
    return table.assign(n_pairs=len(pairs), share=table["n_significant"] / len(pairs)).reset_index()


def count_by_test(p_values: Mapping[str, FloatArray]) -> pd.Series:
    """Count the significant pairs of each test."""
    return pd.Series({test: is_significant(p).sum() for test, p in p_values.items()})


def score_map(data: StudyData, metric: str) -> Result:
    """Lay out the scores of a measure or metric by summarizer and topic: the cells of a heat map, Figures 2 to 5.

    Both are in the order of their names, humans after systems.
    """
    tables = data.tables("all_peers", requested=[metric])
    parts = []
    for matrix in tables.matrices([metric]):
        cells = pd.DataFrame(matrix.X.T, [*matrix.topics], [*matrix.summarizers]).rename_axis("topic")
        rows = (
            cells.melt(var_name="summarizer", value_name="score", ignore_index=False).dropna().reset_index()
        )
        rows = rows.assign(human=tables.are_human(matrix.year, rows["summarizer"]))
        parts.append((matrix.ids, rows.sort_values("human", kind="stable")))
    return tables.result(SCORE_MAP, parts)


def topic_ranks(
    data: StudyData,
    metric: str,
    *,
    topic: str | None = None,
) -> Result:
    """Test topics by Kruskal-Wallis, and compare their mean ranks by Tukey's method: the bars of Figure 1.

    The chance of any false difference between two topics is .05. Also Rankel (2016), section 3.4.
    """
    tables = data.tables("all_peers", requested=[metric])
    matrices = tables.matrices([metric])
    if topic is not None and not any(topic in matrix.topics for matrix in matrices):
        raise UsageError(f"--topic {topic}: no scores of {metric} are of that topic")
    return tables.result(TOPIC_RANKS, ((matrix.ids, compare_topics(matrix, topic)) for matrix in matrices))


def compare_topics(scores: ScoreMatrix, selected: str | None) -> pd.DataFrame:
    """Return the rows of one matrix, with the topics that differ from the selected one.

    The error of each difference is divided between its two topics (Hochberg and Tamhane 1987, equation 3.32).
    """
    from scipy.stats import kruskal, studentized_range

    ranks = np.full(scores.X.shape, np.nan)
    is_scored = ~np.isnan(scores.X)
    ranks[is_scored] = midranks(scores.X[is_scored])
    n = is_scored.sum(axis=0)
    n_topics = len(n)
    mean_ranks = np.nanmean(ranks, axis=0)
    variances = np.nanvar(ranks, ddof=1) / n
    errors = np.sqrt(variances + variances[:, None])
    quantile = studentized_range.ppf(1 - ALPHA, max(n_topics, 2), np.inf) / np.sqrt(2)
    np.fill_diagonal(errors, 0.0)
    differs = (np.abs(mean_ranks - mean_ranks[:, None]) >= quantile * errors) & (errors > 0)
    sums = errors.sum(axis=0)
    if n_topics > 2:
        sums = 2 * (sums - sums.sum() / 2 / (n_topics - 1)) / (n_topics - 2)
    n_different = differs.sum(axis=1)
    position = scores.topics.index(selected) if selected in scores.topics else int(n_different.argmax())
    highlight = np.where(differs[position], "differs", "similar").astype(object)
    highlight[position] = "selected"
    return pd.DataFrame(
        {
            "topic": scores.topics,
            "n": n,
            "mean_rank": mean_ranks,
            "low": mean_ranks - quantile * sums / 2,
            "high": mean_ranks + quantile * sums / 2,
            "n_different": n_different,
            "highlight": highlight,
            "p": kruskal(*ranks.T, nan_policy="omit").pvalue if errors.any() else 1.0,
        }
    )
