"""Tables of correlations with human scores: their columns, which metric is best, and a row a metric for readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd

from classy_aesop.answers.findings import name_leaders
from classy_aesop.errors import join_names
from classy_aesop.plots.base import COEFFICIENT_LABELS
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.significance.equality import snap_ties
from classy_aesop.significance.flags import NOT_CONNECTED, TWO_SYSTEMS
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.layout import cell_text, interval_cell, sort_rows, spread_columns
from classy_aesop.tables.result_columns import (
    MAIN,
    PEER_SET,
    SELDOM,
    TARGET,
    TASK,
    YEAR,
    column_names,
    count,
    estimate,
    interval,
    item,
    optional,
    remark,
    setting,
    stratum,
)
from classy_aesop.tables.wording import first_stratum, interval_text, stratum_text, verb

# --- columns ---

LEVEL = stratum("level", "system, input, global or centred: what is correlated")
COEFFICIENT = stratum("coefficient", "of correlation, or an accuracy")
SOURCE = item("source", "baseline, predictor or imported")
METRIC_ITEM = item("metric", "the metric")

N_SUMMARIZERS = count("n_summarizers", "summarizers with both scores")
N_TOPICS = count("n_topics", "topics with both scores")
N_SKIPPED = count("n_skipped", "topics, or summarizers, without a correlation", priority=SELDOM)

OF_MEANS = (
    setting("means", "which means of systems are correlated; empty at other levels"),
    remark("flag", "why a value shows nothing, or why there is no interval", priority=SELDOM),
)

OF_ACCURACY = tuple(
    optional(
        estimate("chance", "expected value if the metric's scores are dealt anew at random"),
        estimate("epsilon", "tie threshold of acc_eq_calibrated, chosen on these scores"),
    )
)

OF_INTERVAL = tuple(
    optional(
        *interval("low", "high", "the interval of the value", priority=MAIN),
        count("n_dropped", "resamples without a value"),
    )
)

KEYS_OF_ROWS = column_names(YEAR, TASK, PEER_SET, LEVEL, COEFFICIENT, TARGET, SOURCE, METRIC_ITEM)
"""The columns that identify a row for readers, in their order."""

COUNTS_OF_ROWS = column_names(N_SUMMARIZERS, N_TOPICS, N_SKIPPED)
"""How much data a row for readers rests on."""


# --- which metric is best ---

MAX_TARGETS_NAMED = 4
"""Targets whose best metrics a headline names."""

MESSAGE_OF_FLAG = {
    TWO_SYSTEMS: "Two systems are no correlation: that of their means is 1 or -1",
    NOT_CONNECTED: "Systems share no topics: their means cannot be compared",
}
"""Why correlations at system level are uninformative, by their flags."""


def keep_informative(rows: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Keep the rows of correlations that are informative, and give the reasons why others are not."""
    flags = rows.get("flag", pd.Series("", index=rows.index)).fillna("")
    levels = rows.get("level", pd.Series("", index=rows.index))
    is_uninformative = flags.isin(list(MESSAGE_OF_FLAG)) & levels.eq("system")
    reasons = [MESSAGE_OF_FLAG[flag] for flag in dict.fromkeys(flags[is_uninformative])]
    return rows[~is_uninformative], "; ".join(reasons)


def highest_rows(rows: pd.DataFrame, column: str) -> pd.DataFrame:
    """Keep the rows with the highest value, equal within rounding."""
    level = snap_ties(rows[column].to_numpy(dtype=float))
    highest: pd.DataFrame = rows.loc[level == np.nanmax(level)]
    return highest


def say_by_target(rows: pd.DataFrame, say: Callable[[pd.DataFrame], str]) -> str:
    """Write the sentence of each human measure, which names it; of many those of the first."""
    targets = list(rows[TARGET.name].unique()) if TARGET.name in rows else []
    if len(targets) < 2:
        return say(rows)
    sentences = [say(rows[rows[TARGET.name] == target]) for target in targets[:MAX_TARGETS_NAMED]]
    n_more = len(targets) - len(sentences)
    sentences += [f"{n_more} more {'target' if n_more == 1 else 'targets'} below."] if n_more else []
    return " ".join(sentences)


CHANCE_ACCURACY = 0.5
"""The balanced accuracy of guessing, or of saying the same of every pair."""


def name_best_by(
    value: str, claim: str, measure: str, strata: Sequence[str], *, spread: Sequence[str] = ()
) -> Callable[[pd.DataFrame], str]:
    """Make the function that names the metric with the highest value of the first stratum in a sentence.

    No metric is said to agree where the highest value is negative, its interval includes 0, or it is a balanced
    accuracy at the level of chance.
    """

    def name_best(rows: pd.DataFrame) -> str:
        """Name the best metric."""
        rows, reason = keep_informative(rows)
        if rows.empty:
            return f"{reason}."
        if TARGET.name in spread and rows[TARGET.name].nunique() > 1:
            return " ".join([f"{reason}."] * bool(reason) + [say_by_target(rows, name_best)])
        first = first_stratum(rows, strata)
        measured = measure.format_map(first.iloc[0])
        where = stratum_text(rows, [name for name in strata if name not in spread])
        prefix = f"{reason}. " if reason else ""
        if first[value].isna().all():
            return f"{prefix}No metric can be ranked: every value ({measured}) is undefined{where}."
        best = highest_rows(first, value)
        row = best.iloc[0]
        n_metrics = first["metric"].nunique()
        number_of_metrics = f", of {n_metrics} metrics" if n_metrics > 1 else ""
        value_text = f"{row[value]:z.3f}{interval_text(row)}{number_of_metrics}"
        highest = name_leaders(best["metric"], first["metric"], f"highest value: {value_text}{where}")
        if row[value] <= CHANCE_ACCURACY and measured == "balanced accuracy":
            no_metric = (
                f"No metric finds the significant differences of humans better than chance ({measured})"
            )
            return f"{prefix}{no_metric}; {highest}."
        if row[value] < 0:
            no_metric = f"No metric correlates positively with {row['target']} ({measured})"
            return f"{prefix}{no_metric}; {highest}."
        names = join_names(best["metric"], limit=3)
        predicate = f"{claim.format_map(first.iloc[0])} ({measured})"
        if row.get("low", np.nan) <= 0:
            open_claim = f"{verb(len(best))} not shown to {predicate.replace(' best', '')}"
            if n_metrics > 1:
                return f"{prefix}{highest}, but {open_claim}."
            return f"{prefix}{names} {open_claim}: {value_text}{where}."
        if len(best) == 1:
            predicate = predicate.replace(" ", "s ", 1)
        if n_metrics == 1:
            predicate = predicate.replace(" best", "")
        return f"{prefix}{names} {predicate}: {value_text}{where}."

    return name_best


def draw_correlations(rows: pd.DataFrame) -> Picture:
    """Draw the first coefficient of each metric; of ranked metrics, with lines between their clusters."""
    name = rows["coefficient"].iloc[0]
    ends = " and its interval" if "low" in rows else ""
    caption = f"{COEFFICIENT_LABELS.get(name, name)} with the human scores{ends}"
    if "cluster" in rows:
        caption += ", best first; lines between clusters"
        return forest_picture(rows, caption, "metric", "value", sort=False, separate_by="cluster")
    return forest_picture(rows[rows["coefficient"] == name], caption, "metric", "value")


# --- a row a metric ---


def spread_correlations(table: pd.DataFrame) -> pd.DataFrame:
    """Give each metric a row in its year, task and peer set, the best first by the first column of correlations.

    Levels and coefficients are columns, or the targets if there are several; each level and coefficient then has its
    own rows. With an interval, a cell is ``value [low, high]``; an accuracy is followed by its chance level.
    """
    if table.empty:
        return table
    table = _note_flags(_write_cells(table.assign(shown=table["value"])))
    varying = [name for name in ("level", "coefficient") if table[name].nunique() > 1] or ["coefficient"]
    names = ["target"] if "target" in table and table["target"].nunique() > 1 else varying
    table["across"] = table[names].astype(str).agg(" ".join, axis=1)
    columns = list(table["across"].unique())
    keys = [name for name in KEYS_OF_ROWS if name in table and name not in names]
    first = table["value"].where(table["across"] == columns[0])
    best = first.groupby([table[name] for name in keys], dropna=False).transform("max")
    strata = [name for name in keys if name not in ("source", "metric")]
    table = sort_rows(table.assign(best=best), strata, ["best"], ascending=False)
    wide = spread_columns(table, keys, "across", "shown")[[*keys, *columns]]
    for name in filter(table.__contains__, COUNTS_OF_ROWS):
        wide[name] = spread_columns(table, keys, "across", name)[columns].max(axis=1).astype("Int64")
    return wide


def correlation_columns(table: pd.DataFrame) -> list[str]:
    """Give the columns of correlations in a table of `spread_correlations`."""
    return [str(name) for name in table if name not in (*KEYS_OF_ROWS, *COUNTS_OF_ROWS)]


def _note_flags(table: pd.DataFrame) -> pd.DataFrame:
    """Write beside a correlation why it is uninformative, and put levels that are uninformative last."""
    flags = table.get("flag", pd.Series("", index=table.index)).fillna("")
    is_flagged = flags.ne("") & table["level"].eq("system")
    if not is_flagged.any():
        return table
    noted = [f"{cell_text(value)} ({flag})" for value, flag in zip(table["shown"], flags, strict=True)]
    table = table.assign(shown=table["shown"].astype(object).where(~is_flagged, noted))
    by_level = is_flagged.groupby(table["level"]).transform("all")
    return table.assign(last=by_level).sort_values("last", kind="stable").drop(columns="last")


def _write_cells(table: pd.DataFrame) -> pd.DataFrame:
    """Write cells of correlations, with their interval if there is one, and their chance level if it is not 0."""
    if "low" in table:
        table["shown"] = list(map(interval_cell, table["value"], table["low"], table["high"]))
    if "chance" not in table:
        return table
    has_chance = table["chance"] != 0
    cells = [
        f"{cell_text(value)} ({cell_text(chance)})"
        for value, chance in zip(table["shown"], table["chance"], strict=True)
    ]
    return table.assign(
        shown=table["shown"].astype(object).where(~has_chance, cells),
        coefficient=table["coefficient"].where(~has_chance, table["coefficient"] + " (chance)"),
    )


EVALUATION = Answer(
    name="evaluate",
    caption="Correlations with human scores",
    question="Which metric agrees best with people?",
    columns=(
        YEAR,
        TASK,
        *optional(PEER_SET, SOURCE),
        METRIC_ITEM,
        TARGET,
        LEVEL,
        COEFFICIENT,
        estimate("value", "the correlation, or accuracy", priority=MAIN),
        N_SUMMARIZERS,
        N_TOPICS,
        N_SKIPPED,
        *OF_MEANS,
        *OF_ACCURACY,
        *OF_INTERVAL,
    ),
    sentence=name_best_by(
        "value",
        "agree best with {target}",
        "{coefficient}, {level} level",
        [column.name for column in (YEAR, TASK, PEER_SET, TARGET, LEVEL, COEFFICIENT)],
        spread=[column.name for column in (TARGET, LEVEL, COEFFICIENT)],
    ),
    pictures=draw_correlations,
    drawn_together=("coefficient",),
    arrange_rows=spread_correlations,
    choose_bold_columns=correlation_columns,
    beside=TARGET.name,
    not_printed=("low", "high", "chance", "n_skipped"),
)
