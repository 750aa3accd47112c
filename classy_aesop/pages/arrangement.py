"""Tables of undeclared answers as readers get them: related numbers side by side, columns by lists of their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from classy_aesop.tables.layout import cell_text, interval_cell
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
    if {"by_plain_means", "by_least_squares", "means"} <= set(table):
        differs = (table["by_plain_means"] - table["by_least_squares"]).abs().gt(5e-4).any()
        other = "by_plain_means" if table["means"].ne("plain").any() else "by_least_squares"
        dropped = {"by_plain_means", "by_least_squares", "means"} - ({other} if differs else set())
        table = table.drop(columns=[*dropped])
    table = _without_undiffering(by_place(table, "level", "coefficient", by=by))
    if "low" in table:
        differences = map(interval_cell, table["difference"], table["low"], table["high"])
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
