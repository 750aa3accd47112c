"""Tables of undeclared answers as readers get them: related numbers side by side, columns by lists of their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from classy_aesop.tables.layout import cell_text, spread_columns, with_ends
from classy_aesop.tables.screen import is_number_with_interval

SETTINGS = {
    "preset", "alpha", "n_resamples", "n_dropped", "top", "n_metrics", "units", "scale",
    "confidence", "wanted", "n_trials", "margin", "variant",
}  # fmt: skip
"""Columns that show how numbers were made, as the signature does."""

_OF_ALL = {"spread", "worth", "power", "share", "statistic", "effect", "slope"}
"""Numbers that are told once where they are the same in every row."""

_MAY_BE_EMPTY = {"year", "task", "assessor", "other", "flag", "seed", "beyond", "outside"}


def without_settings(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out settings that are the same in every row, and what is empty of `_MAY_BE_EMPTY`."""
    same = {name for name in table if table[name].nunique(dropna=False) <= 1}
    empty = {name for name in same & _MAY_BE_EMPTY if (table[name].isna() | (table[name] == "")).all()}
    return table.drop(columns=[*(same & SETTINGS), *empty])


def pairs(table: pd.DataFrame) -> pd.DataFrame:
    """Put the pairs that differ most surely first in each place, each with its difference, interval and p."""
    by = [name for name in ("p_adjusted", "p_overall", "p") if name in table]
    if {"by_plain_means", "by_least_squares"} <= set(table):
        differs = (table["by_plain_means"] - table["by_least_squares"]).abs().gt(5e-4).any()
        other = "by_plain_means" if table["means"].ne("plain").any() else "by_least_squares"
        dropped = {"by_plain_means", "by_least_squares", "means"} - ({other} if differs else set())
        table = table.drop(columns=[*dropped])
    table = _without_undiffering(by_place(table, "level", "coefficient", by=by))
    if "low" in table:
        differences = map(with_ends, table["difference"], table["low"], table["high"])
        table = table.assign(difference=list(differences)).drop(columns=["low", "high"])
    return without_settings(
        _first(table, "difference", "p_adjusted", "p_here_adjusted", "verdict", after="second")
    )


def _without_undiffering(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out what a headline says, and counts and means beside others that they equal."""
    dropped = [name for name in ("p_least", "p_least_equivalence", "n_used", "test_reason") if name in table]
    if {"n_first", "n_second"} <= set(table) and table["n_first"].eq(table["n_second"]).all():
        dropped += [name for name in ("n_first", "n_second") if table[name].eq(table["n"]).all()]
    if "by_rater" in table and table["by_rater"].fillna("").eq("").all():
        dropped.append("by_rater")
    return table.drop(columns=dropped)


def agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Put the metrics with the highest balanced accuracy first in each place, and this before what it is made of."""
    ordered = by_place(table.assign(less=-table["ba"]), by=["less"]).drop(columns="less")
    return without_settings(_first(ordered, "ba", "precision", "recall", after="metric"))


def _first(table: pd.DataFrame, *names: str, after: str) -> pd.DataFrame:
    """Put columns behind another one, those that there are."""
    moved = [name for name in names if name in table]
    kept = list(table.columns.drop(moved))
    at = kept.index(after) + 1
    return table[[*kept[:at], *moved, *kept[at:]]]


def by_place(table: pd.DataFrame, *more: str, by: Sequence[str] = ()) -> pd.DataFrame:
    """Put the rows of one year and task together, places in the order of their first rows, and sort them within."""
    place = [name for name in dict.fromkeys(("year", "task", *more)) if name in table]
    groups = table.groupby(place, sort=False, dropna=False).ngroup() if place else 0
    ordered = table.assign(place=groups).sort_values(["place", *by], kind="stable", ignore_index=True)
    return ordered.drop(columns="place")


def without_constants(table: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Take out names, counts and settings that are the same in all of several rows; give the rest, and these.

    What was found (numbers with a fraction or their intervals, truth values) stays; what is empty in every row goes.
    """
    if len(table) < 2:
        return table, {}
    same = []
    for name, values in table.items():
        if values.nunique(dropna=False) > 1:
            continue
        if pd.api.types.is_float_dtype(values) or pd.api.types.is_bool_dtype(values):
            is_found = name not in SETTINGS | _OF_ALL and bool(values.notna().any())
        else:
            is_found = is_number_with_interval(values)
        same += [] if is_found else [name]
    kept = [name for name in table if name not in same] or list(table)[-1:]
    constants = {str(name): table[name].iloc[0] for name in same if name not in kept}
    return table[kept], {
        name: value for name, value in constants.items() if cell_text(value) not in ("", "-")
    }


_KEYS = ["year", "task", "peers", "level", "coefficient", "target", "source", "metric"]
_COUNTS = ["n_summarizers", "n_topics", "n_skipped"]


def evaluation(table: pd.DataFrame) -> pd.DataFrame:
    """Give each metric a row in its year, task and peer set, the best first by the first column of correlations.

    Levels and coefficients are columns, or the targets if there are several; each level and coefficient then has its
    own rows. With an interval, a cell is ``value [low, high]``; an accuracy is followed by its chance level.
    """
    if table.empty:
        return without_settings(table)
    table = _note_flags(_with_raters(_with_chance(table.assign(shown=table["value"]))))
    varying = [name for name in ("level", "coefficient") if table[name].nunique() > 1] or ["coefficient"]
    names = ["target"] if table["target"].nunique() > 1 else varying
    table["across"] = table[names].astype(str).agg(" ".join, axis=1)
    columns = list(table["across"].unique())
    keys = [name for name in _KEYS if name in table and name not in names]
    first = table["value"].where(table["across"] == columns[0])
    best = first.groupby([table[name] for name in keys], dropna=False).transform("max")
    place = [name for name in keys if name not in ("source", "metric")]
    table = by_place(table.assign(less=-best), *place, by=["less"])
    wide = spread_columns(table, keys, "across", "shown")[[*keys, *columns]]
    for name in _COUNTS:
        wide[name] = spread_columns(table, keys, "across", name)[columns].max(axis=1).astype("Int64")
    return without_settings(wide)


def correlations(table: pd.DataFrame) -> list[str]:
    """Name the columns of correlations in a table that is arranged like this."""
    return [str(name) for name in table if name not in (*_KEYS, *_COUNTS)]


def metric_ranks(table: pd.DataFrame) -> pd.DataFrame:
    """Show a ranking of metrics: both clusters, the interval beside each correlation, and who is better last."""
    cells = list(map(with_ends, table["value"], table["low"], table["high"]))
    shown = [*table.columns[: table.columns.get_loc("metric")], "cluster", "cluster_here", "metric"]
    by_strata = ["spread"] if "spread" in table else []
    signs = table["beats"].str.replace(" ", "")
    flagged = ["flag"] if table.get("flag", pd.Series(dtype=str)).fillna("").ne("").any() else []
    table = table.assign(value=cells, beats=signs)[[*shown, "value", *flagged, *by_strata, "beats"]]
    return without_settings(table.rename(columns={"cluster_here": "cluster here"}))


def biases(table: pd.DataFrame) -> pd.DataFrame:
    """Show biases of judges: both ranks, both means, and each bias with its interval."""
    cells = list(map(with_ends, table["bias"], table["low"], table["high"]))
    table = table.assign(bias=cells).drop(columns=["low", "high", "correction"])
    return without_settings(table)


def _note_flags(table: pd.DataFrame) -> pd.DataFrame:
    """Write why a correlation shows nothing beside it, and put levels that show nothing last."""
    flags = table.get("flag", pd.Series("", index=table.index)).fillna("")
    empty = flags.ne("") & table["level"].eq("system")
    if not empty.any():
        return table
    noted = [f"{cell_text(value)} ({flag})" for value, flag in zip(table["shown"], flags, strict=True)]
    table = table.assign(shown=table["shown"].astype(object).where(~empty, noted))
    by_level = empty.groupby(table["level"]).transform("all")
    return table.assign(last=by_level).sort_values("last", kind="stable").drop(columns="last")


def _with_raters(table: pd.DataFrame) -> pd.DataFrame:
    """Put the ceiling, the others and the rater after each coefficient, as if they were coefficients."""
    parts = [table]
    for column, name in (("ceiling", " ceiling"), ("of_others", ", others"), ("rater_of_others", ", rater")):
        there = table[table[column].notna()] if column in table else table[:0]
        parts.append(there.assign(shown=there.get(column), coefficient=there["coefficient"] + name))
    return pd.concat([one for one in parts if len(one)] or [table]).sort_index(kind="stable")


def _with_chance(table: pd.DataFrame) -> pd.DataFrame:
    """Write a correlation with its interval, and with its chance level, which is then named, where that is not 0."""
    if "low" in table:
        table["shown"] = list(map(with_ends, table["value"], table["low"], table["high"]))
    if "chance" not in table:
        return table
    above = table["chance"] != 0
    cells = [
        f"{cell_text(value)} ({cell_text(chance)})"
        for value, chance in zip(table["shown"], table["chance"], strict=True)
    ]
    return table.assign(
        shown=table["shown"].astype(object).where(~above, cells),
        coefficient=table["coefficient"].where(~above, table["coefficient"] + " (chance)"),
    )
