"""The tables of a run: what ``train`` writes into its folder, and what its page makes of them."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from classy_aesop.answers.correlation_tables import (
    COEFFICIENT,
    EVALUATION,
    LEVEL,
    N_SKIPPED,
    N_SUMMARIZERS,
    N_TOPICS,
    correlation_columns,
    spread_correlations,
)
from classy_aesop.answers.scored_summaries import SCORE_TABLE, draw_contributions
from classy_aesop.answers.systems import SYSTEM_RANKING
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result_columns import (
    MAIN,
    SELDOM,
    count,
    estimate,
    interval,
    item,
    optional,
    remark,
)
from classy_aesop.training.run_columns import (
    CONTRIBUTIONS,
    CORRELATION_ENDS,
    PREDICTIONS,
    RUN_OF_METRIC,
    VERDICT,
)

# --- what the tables say and show ---


def name_runs(rows: pd.DataFrame) -> pd.DataFrame:
    """Name a run by its number and its fitter, and a metric by itself."""
    return rows.assign(metric=rows["metric"].where(rows["run"] == "", rows["run"] + " " + rows["fitter"]))


def draw_predictors(rows: pd.DataFrame) -> Picture:
    """Draw the predictions of each target, and the other metrics, by Pearson's correlation of system means."""
    rows = rows[(rows["level"] == "system") & (rows["coefficient"] == "pearson")]
    rows = rows.rename(columns={"value": "Pearson correlation"}).assign(ours=rows["run"] != "")
    rows = rows.sort_values(["target", "Pearson correlation"], ascending=[True, False], kind="stable")
    names = rows["metric"].where(~rows["ours"], "run " + rows["run"])
    names = rows["target"] + "  " + names if rows["target"].nunique() > 1 else names
    caption = (
        "Pearson's r of system means with the human scores, and 95 % intervals; diamonds are predictions"
    )
    rows = rows.assign(names=names)
    return forest_picture(rows, caption, "names", "Pearson correlation", sort=False, marked="ours")


# --- files of the folder ---

CORRELATIONS_OF_RUN = (
    *RUN_OF_METRIC,
    LEVEL,
    COEFFICIENT,
    EVALUATION["value"],
    N_SUMMARIZERS,
    N_TOPICS,
    N_SKIPPED,
    *CORRELATION_ENDS,
)

SUMMARY_OF_RUN = replace(
    EVALUATION,
    name="train summary",
    caption="Correlations with the human scores; those of system means have 95 % intervals (Fisher)",
    columns=CORRELATIONS_OF_RUN,
    sentence=lambda rows: EVALUATION.sentence(name_runs(rows)),
    pictures=draw_predictors,
    drawn_together=("target", "level", "coefficient"),
    arrange_rows=lambda rows: spread_correlations(name_runs(rows)),
    choose_bold_columns=correlation_columns,
)

PREDICTIONS_OF_RUN = replace(
    SCORE_TABLE,
    name="train predictions",
    caption="Every prediction, with its interval and the human score",
    columns=PREDICTIONS,
)

VERDICT_OF_RUN = Answer(
    name="train verdict",
    caption="Each run against its rival: p on other systems like these, p_here on these (Holm)",
    columns=VERDICT,
)

CONTRIBUTIONS_OF_RUN = Answer(
    name="train contributions",
    caption="Contributions of the columns",
    columns=CONTRIBUTIONS,
    pictures=draw_contributions,
)

FEATURE_NAMES = item("names", "the features of the subset")
SUBSET_SCORE = estimate("score", "on the selection years", priority=MAIN)
SUBSET_COLUMNS = (
    item("mask", "the subset as a number: a bit a feature", "int", priority=SELDOM),
    item("n_names", "features of the subset", "int"),
    FEATURE_NAMES,
    SUBSET_SCORE,
    estimate("converged", "whether the fit converged", "bool", priority=SELDOM),
    remark("note", "what is special about the fit"),
)
RANK_OF_SUBSET = item("rank", "by the score, 1 for the best", "int")

BEST_SUBSETS = Answer(
    name="train top",
    caption="The 100 best subsets",
    columns=(RANK_OF_SUBSET, *SUBSET_COLUMNS),
    max_rows=10,
)

BEST_OF_SIZES = Answer(
    name="train sizes",
    caption="Best subset of each size",
    columns=SUBSET_COLUMNS,
)

INCLUSION = Answer(
    name="train inclusion",
    caption="How often each name is in the 100 best subsets",
    columns=(
        item("name", "the feature"),
        estimate("count", "of the best subsets that contain it", "int", priority=MAIN),
        estimate("share", "of the best subsets that contain it", priority=MAIN),
    ),
)

# --- tables of the page alone ---

RANK_COLUMNS_OF_RUN = (
    SYSTEM_RANKING["rank"],
    SYSTEM_RANKING["best_rank"],
    SYSTEM_RANKING["worst_rank"],
    SYSTEM_RANKING["cluster"],
    SYSTEM_RANKING["wins"],
    SYSTEM_RANKING["losses"],
)
"""What a ranking says of the mean of each summarizer."""

MEANS_OF_RUN = Answer(
    name="train means",
    caption="Each summarizer's mean prediction and human score, its rank, the ranks left open, and its cluster",
    columns=(
        item("summarizer", "who wrote the summaries"),
        item("human", "whether it is a human", "bool", priority=0),
        count("n_topics", "topics with a prediction and a judgment"),
        estimate("score", "mean prediction", priority=MAIN),
        estimate("judged", "mean human score", priority=MAIN),
        *optional(*interval("low", "high", "the interval of the mean judgment", cell="score")),
        *RANK_COLUMNS_OF_RUN,
    ),
)
