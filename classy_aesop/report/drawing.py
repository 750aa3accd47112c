"""What is drawn of a table: for each kind that has pictures, a function of the rows of one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from classy_aesop import plots
from classy_aesop.plots.base import COEFFICIENT_LABELS
from classy_aesop.plots.captioned import Picture, forest_height, forest_picture, matrix_picture, matrix_side
from classy_aesop.report.sentences import of_one_or_all
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


def assessors(rows: pd.DataFrame) -> Picture:
    """Draw Krippendorff's alpha of all assessors together, then that of each, and of pairs; or else their leniency."""
    if "leniency" in rows and rows["leniency"].notna().any():
        named = rows[rows["leniency"].notna()].drop(columns=["low", "high"], errors="ignore")
        ends = {"leniency_low": "low", "leniency_high": "high"}
        caption = "leniency: how much higher a rater scores on the same systems and topics"
        return forest_picture(named.rename(columns=ends), caption, "assessor", "leniency", sort=False)
    alpha, is_single = "Krippendorff's alpha", rows["assessor"] != ""
    names = rows["assessor"].where(of_one_or_all(rows), rows["assessor"] + " and " + rows.get("other", ""))
    named = rows.assign(assessor=names.where(is_single, "all together"), single=is_single)
    ordered = named.sort_values(["single", "value"], ascending=[True, False], kind="stable")
    renamed = ordered.rename(columns={"value": alpha})
    return forest_picture(renamed, f"{alpha} and its interval", "assessor", alpha, sort=False)


def power(rows: pd.DataFrame) -> Picture:
    """Draw the number of topics that each pair needs."""
    pair = rows["first"] + " and " + rows["second"]
    sizes = rows["difference"].map(" by {:g}".format) if pair.duplicated().any() else ""
    named = rows.assign(pair=pair + sizes)
    caption = "topics needed to detect the difference, with their interval"
    return forest_picture(named, caption, "pair", "n_topics")


def widths(rows: pd.DataFrame) -> Picture:
    """Draw how narrow an interval gets with more topics."""
    caption = "width of an interval by the number of judged topics, with the range that the pilot allows"
    caption += "; line: as narrow as asked" if rows["needed"].notna().any() else ""
    caption += "; dots: the best is separated from the next" if rows["settled"].notna().any() else ""
    return Picture(caption, partial(_width_curves, rows))


def _width_curves(rows: pd.DataFrame, ax: Axes) -> Axes:
    own = rows.assign(means="estimates", low=rows["width_low"], high=rows["width_high"])
    plain = rows.assign(means="plain", width=rows["plain_width"], low=float("nan"), high=float("nan"))
    plots.curves(pd.concat([own, plain]), x="n_topics", y="width", by="means", ax=ax)
    for column, style, width in (("needed", "--", 0.8), ("settled", ":", 1.2)):
        for n_topics in rows[column].dropna().unique():
            ax.axvline(float(n_topics), color="#767676", lw=width, ls=style)
    ax.set_xscale("log")
    ticks = [n for n in (2, 5, 10, 20, 50, 100, 200, 500, 1_000) if n <= rows["n_topics"].max()]
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
    return ax


def contributions(rows: pd.DataFrame) -> Picture:
    """Draw how far each part moves the scores."""
    caption = "standard deviation of each part's contributions to the scores"
    height = forest_height(min(rows["part"].nunique(), 15))
    return Picture(caption, partial(plots.contributions, rows), height=height)


def scores(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw a score matrix, if every cell has one score."""
    if not rows.duplicated(["topic", "summarizer"]).any() and rows["score"].notna().any():
        caption = "scores of summarizers (rows) on topics (columns), both in the order of their means"
        height = forest_height(min(rows["summarizer"].nunique(), 60), least=2.4)
        yield Picture(caption, partial(plots.heatmap, rows), height=height)


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


def confusion(rows: pd.DataFrame) -> Picture:
    """Draw which two ratings a unit got."""
    side = matrix_side(max(rows["low"].nunique(), rows["high"].nunique()))
    return Picture("how often two ratings of one unit are these", partial(_confused, rows), side, side)


def _confused(rows: pd.DataFrame, ax: Axes) -> Axes:
    named = {"low": "summarizer", "high": "topic", "count": "score"}
    counts = rows.rename(columns=named).assign(metric="pairs")
    plots.heatmap(counts, by_mean=False, ax=ax).set_xlabel("higher rating")
    ax.set_title("rows: lower rating", fontsize=8)
    return ax
