"""What is drawn of a table: for each kind that has pictures, a function of the rows of one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from classy_aesop import plots
from classy_aesop.plots.captioned import Picture, forest_picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plotted(rows: pd.DataFrame, caption: str, plot: Callable[..., Axes], **columns: Any) -> Picture:
    """Draw the rows by one of `plots`."""
    return Picture(caption, partial(plot, rows, **columns))


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


def score_map(rows: pd.DataFrame) -> Picture:
    """Draw a score matrix as the papers do: a row a topic, a column a summarizer; white where there is no score."""
    caption = "scores by topic (rows) and summarizer (columns); white: no score"
    height = max(2.6, 0.6 + 0.11 * rows["topic"].nunique())
    width = max(3.4, 0.11 * rows["summarizer"].nunique())
    return Picture(caption, partial(_draw_map, rows), height=height, width=width)


def _draw_map(rows: pd.DataFrame, ax: Axes) -> Axes:
    order = {
        name: list(dict.fromkeys(rows.sort_values(place, kind="stable")[name]))
        for name, place in (("summarizer", "row"), ("topic", "column"))
    }
    exchanged = rows.rename(columns={"summarizer": "topic", "topic": "summarizer"})
    return plots.heatmap(exchanged, rows=order["topic"], columns=order["summarizer"], ax=ax)


def topic_ranks(rows: pd.DataFrame) -> Picture:
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


def distributions(rows: pd.DataFrame) -> Picture:
    """Draw the percentiles of the resampled correlations, a line a metric."""
    caption = "percentiles of the resampled correlations"
    return plotted(rows, caption, plots.curves, x="value", y="percent", by="metric")


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
