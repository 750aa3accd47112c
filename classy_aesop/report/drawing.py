"""What is drawn of a table: for each kind that has pictures, a function of the rows of one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from classy_aesop import plots
from classy_aesop.plots.base import COEFFICIENT_LABELS
from classy_aesop.plots.captioned import Picture, forest_picture, matrix_picture
from classy_aesop.significance.decisions import is_significant

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plotted(rows: pd.DataFrame, caption: str, plot: Callable[..., Axes], **columns: Any) -> Picture:
    """Draw the rows by one of `plots`."""
    return Picture(caption, partial(plot, rows, **columns))


def correlations(rows: pd.DataFrame) -> Picture:
    """Draw the first coefficient of each metric; of ranked metrics, with lines between their clusters."""
    name = rows["coefficient"].iloc[0]
    ends = " and its interval" if "low" in rows else ""
    caption = f"{COEFFICIENT_LABELS.get(name, name)} with the human scores{ends}"
    if "cluster" in rows:
        caption += ", best first; lines between clusters"
        return forest_picture(rows, caption, "metric", "value", sort=False, separate_by="cluster")
    return forest_picture(rows[rows["coefficient"] == name], caption, "metric", "value")


def trained(rows: pd.DataFrame) -> Picture:
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


def metric_pairs(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw which metric is better than which, by each of two p-values: those of Deutsch et al. (2021), or ours."""
    rows = rows.assign(difference=rows["r_first"] - rows["r_second"])
    for p, how in (
        ("p_adjusted", " on other systems like these, corrected for all pairs"),
        ("p_here_adjusted", " on these systems, corrected for all pairs"),
        ("p_by_first", ", corrected for the tests of the row's metric"),
        ("p_overall", ", corrected for all pairs"),
    ):
        if p in rows:
            tested = rows.assign(significant=is_significant(rows[p]))
            yield matrix_picture(tested, f"which metric correlates better{how}")


_MOST_METRICS = 40  # of thousands of combinations


def agreement(rows: pd.DataFrame) -> Picture:
    """Draw the balanced accuracy of each metric."""
    caption = "balanced accuracy: significant differences of humans that the metric finds"
    marked = "ba_bold" if "ba_bold" in rows else None
    caption += "; diamonds are within the interval of the best" if marked else ""
    caption += f"; the best {_MOST_METRICS}" if len(rows) > _MOST_METRICS else ""
    best = rows.sort_values("ba", ascending=False, kind="stable").head(_MOST_METRICS)
    return forest_picture(best, caption, "metric", "ba", marked=marked)


def sizes(rows: pd.DataFrame) -> Picture:
    """Draw correlations by the size of n-grams."""
    long = rows.melt(["metric"], ["spearman", "pearson"], var_name="coefficient", value_name="correlation")
    caption = "correlations of the means of peers with the human ones, by the size of n-grams"
    return plotted(long, caption, plots.curves, x="metric", y="correlation", by="coefficient")


def hits(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw recall and precision of significant differences by the size of n-grams."""
    levels = rows.assign(level="alpha " + rows["alpha"].astype(str))
    for y in ("recall", "precision"):
        caption = f"{y} of significant differences, by the size of n-grams; a line a level"
        yield plotted(levels, caption, plots.curves, x="metric", y=y, by="level")
