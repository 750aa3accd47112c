"""How good is each summary? Tables of predicted scores and of baselines, their means, and contributions to scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from classy_aesop.answers.findings import name_leaders
from classy_aesop.plots.captioned import Picture, forest_height
from classy_aesop.plots.pictures import contributions, heatmap
from classy_aesop.tables.answer import Answer, say_nothing
from classy_aesop.tables.layout import sort_rows, spread_columns
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    SELDOM,
    TASK,
    YEAR,
    count,
    estimate,
    interval,
    item,
    optional,
    remark,
)
from classy_aesop.tables.wording import (
    count_text,
    interval_text,
    split_first_stratum,
)

# --- what the tables say ---


def name_highest_mean(rows: pd.DataFrame) -> str:
    """Name the summarizers with the highest mean of the first stratum, of scores or of means."""
    first, where = split_first_stratum(rows, SCORE_TABLE.strata_in(rows))
    if "mean" not in first:
        first = first.groupby("summarizer", sort=False)["score"].mean().rename("mean").reset_index()
    best = first[first["mean"] == first["mean"].max()]
    if best.empty:
        return f"No summary has a score{where}."
    claim = f"highest mean ({best['mean'].iloc[0]:z.3f}{interval_text(best.iloc[0])})"
    leaders = name_leaders(best["summarizer"], first["summarizer"], claim)
    return f"{leaders}, of {count_text(len(first), 'summarizer')}{where}."


def name_strongest_part(rows: pd.DataFrame) -> str:
    """Name the part of a score whose contributions vary most between summaries."""
    first, where = split_first_stratum(rows, FEATURE_CONTRIBUTIONS.strata_in(rows))
    deviations = first.groupby("part", sort=False)["contribution"].std(ddof=0)
    if not deviations.max() > 0:
        return "No part moves the scores: each contributes the same to every summary."
    deviation = f"the standard deviation of its contributions is {deviations.max():z.3f}"
    return f"{deviations.idxmax()} moves the scores most: {deviation}{where}."


def draw_scores(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw a score matrix, if every cell has one score."""
    if not rows.duplicated(["topic", "summarizer"]).any() and rows["score"].notna().any():
        caption = "scores of summarizers (rows) on topics (columns), both in the order of their means"
        height = forest_height(min(rows["summarizer"].nunique(), 60), min_height=2.4)
        yield Picture(caption, partial(heatmap, rows), height=height)


def draw_contributions(rows: pd.DataFrame) -> Picture:
    """Draw how far each part moves the scores."""
    caption = "standard deviation of each part's contributions to the scores"
    height = forest_height(min(rows["part"].nunique(), 15))
    return Picture(caption, partial(contributions, rows), height=height)


def spread_contributions(rows: pd.DataFrame) -> pd.DataFrame:
    """Put the contributions to a score side by side, one row per summary, after the score, which is their sum."""
    keys = [name for name in FEATURE_CONTRIBUTIONS.names[: len(OF_SUMMARY)] if name in rows]
    wide = spread_columns(rows, keys, "part", "contribution")
    wide.insert(len(keys), "score", wide.drop(columns=keys).sum(axis=1, skipna=False))
    return wide


# --- the declared tables ---

OF_SUMMARY = (
    YEAR,
    item("topic", "the topic"),
    TASK,
    item("summarizer", "who wrote the summary"),
    METRIC,
)
"""Whose score it is."""

BEYOND = remark(
    "beyond", "which of the score and its ends lie beyond the grades in training", priority=SELDOM
)


def declare_scores(name: str, sentence: Callable[[pd.DataFrame], str] = say_nothing) -> Answer:
    """Declare a table with a row a summary and metric."""
    return Answer(
        name=name,
        caption="Scores",
        columns=(
            *OF_SUMMARY,
            estimate("score", "by the metric, or predicted on the scale of the human measure", priority=MAIN),
            *optional(
                *interval("low", "high", "the interval of a mean judgment of this summary", priority=MAIN),
                remark("group", "the systems by whose errors the interval is made", priority=SELDOM),
                remark(
                    "form",
                    "whether a score is relative to its topic's summaries or by itself",
                    priority=SELDOM,
                ),
                BEYOND,
                remark("outside", "columns that lie outside the range of the training data", priority=SELDOM),
                estimate("judged", "the human score"),
            ),
        ),
        sentence=sentence,
        pictures=draw_scores,
    )


SCORE_TABLE = declare_scores("scores")
PREDICTED_SCORES = declare_scores("predict")
BASELINE_SCORES = declare_scores("baselines", sentence=name_highest_mean)
ROUGE_SCORES = declare_scores("rouge --per-summary")


def put_best_first(rows: pd.DataFrame) -> pd.DataFrame:
    """Order the means of each year, task and metric, the highest first."""
    return sort_rows(rows, PREDICTED_MEANS.strata_in(rows), ["mean"], ascending=False)


PREDICTED_MEANS = Answer(
    name="predict --means",
    caption="Means of predicted scores",
    columns=(
        YEAR,
        TASK,
        item("summarizer", "who wrote the summaries"),
        METRIC,
        count("n_topics", "topics with a predicted score"),
        estimate("mean", "mean predicted score", priority=MAIN),
        *optional(
            *interval("low", "high", "the interval of the mean judgment over as many topics", priority=MAIN),
            remark("group", "the systems by whose errors the interval is made", priority=SELDOM),
            BEYOND,
        ),
    ),
    sentence=name_highest_mean,
    arrange_rows=put_best_first,
)

FEATURE_CONTRIBUTIONS = Answer(
    name="predict --explain",
    caption="Contributions",
    columns=(
        *OF_SUMMARY,
        item("part", "the baseline, a feature, a group of features, or one relative to the topic"),
        *optional(
            estimate("value", "of the feature"),
            estimate("mean", "of the feature in training, or over the topic"),
        ),
        estimate("contribution", "what the part adds to the score; all parts sum to it", priority=MAIN),
    ),
    sentence=name_strongest_part,
    pictures=draw_contributions,
    arrange_rows=spread_contributions,
)

ROUGE_AVERAGES = Answer(
    name="rouge",
    caption="Averages of ROUGE",
    columns=(
        YEAR,
        TASK,
        item("summarizer", "who wrote the summaries"),
        METRIC,
        count("n_topics", "topics with a summary"),
        estimate("mean", "over topics", priority=MAIN),
        estimate("resampled", "mean of the resampled means, as ROUGE-1.5.5 prints it"),
        *interval("low", "high", "the bootstrap interval of the mean"),
    ),
)

CONTENTS = Answer(
    name="validate",
    caption="What is in the data",
    columns=(
        item("what", "what is counted, or what looks wrong"),
        estimate("found", "how much of it there is, and where", "text"),
    ),
)

FEATURE_TABLE = Answer(
    name="features",
    caption="Features of the summaries",
    columns=(
        *(column for column in OF_SUMMARY if column is not METRIC),
        item("human", "whether the summarizer is a human", "bool", priority=0),
        item("empty", "whether the summary has no words", "bool", priority=0),
        count("n_references", "references that the summary is compared with"),
        count("n_earlier", "earlier references of the topic, which an update must not repeat"),
    ),
)
"""The features themselves stand behind these columns; the list of features says what they are."""
