"""What the tables of several studies share: columns, sentences that give a range or count tests, and a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from classy_aesop.errors import join_names
from classy_aesop.papers.printed import misprints
from classy_aesop.papers.printed_tables import add_printed_numbers, printed_columns_of
from classy_aesop.plots.captioned import Picture
from classy_aesop.plots.pictures import curves
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    Column,
    count,
    estimate,
    item,
    optional,
    setting,
)
from classy_aesop.tables.wording import range_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# --- columns ---

SUMMARIZER = item("summarizer", "who wrote the summaries")
HUMAN_COLUMN = item("human", "whether the summarizer is a human", "bool", priority=0)
SCORE = estimate("score", "the score by the metric", priority=MAIN)
MEAN_SCORE = estimate("score", "mean score by the metric", priority=MAIN)
MEAN_HUMAN_SCORE = estimate("human_score", "mean human score", priority=MAIN)

SIGNIFICANCE_LEVEL = setting("alpha", "a p-value of at most this is significant", "float")
TRIALS = setting("n_trials", "simulated trials", "int")

TESTED_PAIRS = count("n_pairs", "pairs that are tested")
SIGNIFICANT_PAIRS = estimate("n_significant", "pairs that differ significantly", "int", priority=MAIN)
SIGNIFICANT_SHARE = estimate("share", "share of the pairs that differ significantly", priority=MAIN)

MONTE_CARLO_ERROR = "standard error by the number of trials"


def printed_columns(study: str) -> Iterator[Column]:
    """Declare the columns of printed numbers that stand beside ours."""
    meaning = "{} as the paper prints it, where the data are the paper's"
    columns = printed_columns_of(study).items()
    return optional(*(estimate(column, meaning.format(cell)) for cell, column in columns))


# --- sentences ---


def state_range(column: str, sentence: str, number_format: str = "z.3f") -> Callable[[pd.DataFrame], str]:
    """Make the function that writes the smallest and the largest value of a column."""

    def state(rows: pd.DataFrame) -> str:
        """Write both values in the sentence."""
        values = rows[column]
        return sentence.format("undefined" if values.isna().all() else range_text(values, number_format))

    return state


def name_most_powerful(rows: pd.DataFrame, *, share_of_no_difference: float) -> str:
    """Name the test with the highest mean power over the shares at which there is a difference."""
    power = rows[rows["share"] != share_of_no_difference].groupby("test", sort=False)["power"].mean().dropna()
    if power.empty:
        return "No share has a difference that a test could detect."
    highest = power.max()
    names = [str(name) for name in power.index[power == highest]]
    lower = power[power < highest]
    verb = "detects" if len(names) == 1 else "detect"
    power_of_others = f"; the others {range_text(lower, 'z.3f')}" if len(lower) else ""
    return (
        f"{join_names(names)} {verb} most: mean power {highest:z.3f} over all shares with a difference"
        f"{power_of_others}."
    )


# --- pictures ---


def draw_rows(rows: pd.DataFrame, caption: str, plot: Callable[..., Axes], **columns: object) -> Picture:
    """Draw the rows by one of `classy_aesop.plots`."""
    return Picture(caption, partial(plot, rows, **columns))


def draw_power(rows: pd.DataFrame, *, of: str) -> Picture:
    """Draw the power of each test by a share ``of`` what is changed."""
    x = f"share of {of}"
    renamed = rows.rename(columns={"share": x})
    return draw_rows(
        renamed, f"power of each test by the {x}; a line at .8", curves, x=x, y="power", by="test", goal=0.8
    )


# --- results ---


def study_result(table: pd.DataFrame, answer: Answer, judgments: pd.DataFrame | None = None) -> Result:
    """Give the result of a study: its declared columns in their order, and what is misprinted in the paper's table.

    With the ``judgments`` that it is made of, printed numbers stand beside ours where these are a paper's.
    """
    if judgments is not None:
        table = add_printed_numbers(table, answer.name.removeprefix("study "), judgments)
    return Result(answer.order_columns(table), notes=misprints(answer.name), answer=answer)
