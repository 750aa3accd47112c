"""Long tables of correlations laid out side by side, for people; programs get the long ones."""

from __future__ import annotations

import pandas as pd


def evaluation(table: pd.DataFrame) -> pd.DataFrame:
    """Put the coefficients of an evaluation side by side: a line for each year, task, metric, target and level."""
    lines = ["year", "task", "metric", "target", "level", "n_summarizers", "n_topics", "n_skipped"]
    wide = _beside(table, lines, "coefficient", "value")
    counts = ["n_summarizers", "n_topics", "n_skipped"]
    return _without_empty(wide[[name for name in wide if name not in counts] + counts])


def spread(table: pd.DataFrame) -> pd.DataFrame:
    """Put the levels of a study side by side, Pearson only: mean, and standard deviation over the seeds."""
    pearson = table[table["coefficient"] == "pearson"]
    cells = [f"{mean:.3f} ({std:.3f})" for mean, std in zip(pearson["mean"], pearson["std"], strict=True)]
    lines = ["task", "peers", "target", "metric", "fit_level", "count"]
    wide = _beside(pearson.assign(cell=cells), lines, "level", "cell")
    return _without_empty(wide.rename(columns={"count": "seeds"}))


def _beside(table: pd.DataFrame, lines: list[str], across: str, cell: str) -> pd.DataFrame:
    """Spread one column's values over columns, lines and columns in the order in which they first come."""
    order = {name: place for place, name in enumerate(table[across].unique())}
    wide = table.pivot_table(
        index=lines, columns=across, values=cell, aggfunc="first", sort=False, dropna=False
    )
    wide = wide.dropna(how="all")
    return wide[sorted(wide, key=lambda name: order[str(name)])].rename_axis(columns=None).reset_index()


def _without_empty(table: pd.DataFrame) -> pd.DataFrame:
    """Leave out years and tasks where no line has one."""
    empty = [name for name in ("year", "task") if name in table and (table[name] == "").all()]
    return table.drop(columns=empty)
