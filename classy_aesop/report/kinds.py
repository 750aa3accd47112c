"""What kinds of tables there are, each with the pictures and the sentence that fit it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from classy_aesop import plots
from classy_aesop.report.page import Picture, cells_wide, rows_high
from classy_aesop.report.wide import comparisons, evaluation
from classy_aesop.significance.base import ALPHA

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NUMBERS = {
    "difference", "mean", "rank", "best_rank", "worst_rank", "cluster", "value", "ba", "n_topics",
    "contribution", "score", "human_score", "power", "share", "low", "high", "p", "p_adjusted",
    "p_by_first", "p_overall", "r_first", "r_second", "mean_rank", "n_different", "spearman", "pearson",
    "precision", "recall", "count", "effect", "error", "statistic", "std", "coverage", "before", "after",
    "manual", "automatic",
}  # fmt: skip
"""Columns that pictures and sentences take for numbers."""

_PLACE = ("year", "task", "peers", "target", "metric", "assessor", "level")


@dataclass(frozen=True)
class Kind:
    """A table of some command, known by its columns.

    Parameters
    ----------
    what : str
        What it says, for the caption.
    columns : tuple of str
        The columns that tell it.
    pictures : callable
        Gives its pictures.
    say : callable
        Says in a sentence what was found.
    wide : callable
        Arranges it for human readers.
    """

    what: str
    columns: tuple[str, ...]
    pictures: Callable[[pd.DataFrame], Iterator[Picture]]
    say: Callable[[pd.DataFrame], str]
    wide: Callable[[pd.DataFrame], pd.DataFrame] = comparisons


def kind_of(rows: pd.DataFrame) -> Kind:
    """Find what kind of table this is, by its columns."""
    return next((kind for kind in KINDS if set(kind.columns) <= set(rows)), _PLAIN)


def _groups(rows: pd.DataFrame, names: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
    """Give the rows of each place, with what tells it from the others."""
    varying = [name for name in names if name in rows and rows[name].nunique(dropna=False) > 1]
    if not varying:
        yield "", rows
        return
    for key, own in rows.groupby(varying, sort=False, dropna=False):
        yield ", ".join(f"{name} {one}" for name, one in zip(varying, key, strict=True)) + ": ", own


def _forests(
    by: Sequence[str],
    caption: str,
    *,
    names: str = "metric",
    value: str = "value",
    sort: bool = False,
    marked: str | None = None,
) -> Callable[[pd.DataFrame], Iterator[Picture]]:
    """Make what draws a forest plot of each place, with the interval of the table, or a standard error either way."""

    def pictures(rows: pd.DataFrame) -> Iterator[Picture]:
        if "error" in rows:
            rows = rows.assign(low=rows[value] - rows["error"], high=rows[value] + rows["error"])
        for place, own in _groups(rows, by):
            table = own.sort_values(value, ascending=False, kind="stable") if sort else own
            draw = partial(plots.forest, table, names=names, value=value, marked=marked)
            yield Picture(place + caption, draw, height=rows_high(len(own)))

    return pictures


def _pairs(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, _PLACE):
        yield _matrix(f"{place}who is significantly better than whom", own)


def _matrix(caption: str, rows: pd.DataFrame) -> Picture:
    """Draw a matrix of pairs."""
    side = cells_wide(len(set(rows["first"]) | set(rows["second"])))
    said = f"{caption}; a full cell: the row is better, half a cell: it is worse"
    return Picture(said, partial(plots.pairs, rows), height=side, width=side)


def _clusters(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "metric")):
        caption = f"{place}ranks, and those that the tests leave open; means beside the names, lines between clusters"
        yield Picture(caption, partial(plots.clusters, own), height=rows_high(len(own)))


def _correlations(rows: pd.DataFrame) -> Iterator[Picture]:
    pearson = rows[rows["coefficient"] == rows["coefficient"].iloc[0]]
    name = pearson["coefficient"].iloc[0]
    for place, own in _groups(pearson, ("year", "task", "peers", "target", "level")):
        ordered = own.sort_values("value", ascending=False, kind="stable")
        interval, value = " and its interval" if "low" in own else "", f"{name} correlation"
        draw = partial(plots.forest, ordered.rename(columns={"value": value}), value=value)
        yield Picture(f"{place}{value} with the human scores{interval}", draw, height=rows_high(len(own)))


_CORRECTED = {"p_by_first": "for the tests of the row's metric", "p_overall": "for all pairs"}


def _metric_pairs(rows: pd.DataFrame) -> Iterator[Picture]:
    rows = rows.assign(difference=rows["r_first"] - rows["r_second"])
    for place, own in _groups(rows, ("year", "task", "target", "level", "coefficient")):
        for p, family in _CORRECTED.items():
            one = own.assign(significant=own[p] <= ALPHA)
            yield _matrix(f"{place}which metric correlates better, corrected {family}", one)


_MOST_METRICS = 40  # of thousands of combinations


def _agreement(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = "balanced accuracy: significant differences of humans that the metric finds"
    marked = "ba_bold" if "ba_bold" in rows else None
    caption += "; diamonds are within the interval of the best" if marked else ""
    by = ("year", "task", "target", "over")
    best = rows.sort_values("ba", ascending=False, kind="stable")
    places = [name for name in by if name in rows]
    groups = best.groupby(places, sort=False, dropna=False) if places else best
    shown = groups.head(_MOST_METRICS)
    caption += f"; the best {_MOST_METRICS}" if len(shown) < len(rows) else ""
    return _forests(by, caption, value="ba", marked=marked)(shown)


def _assessors(rows: pd.DataFrame) -> Iterator[Picture]:
    named = rows.assign(assessor=rows["assessor"].where(rows["assessor"] != "", "all together"))
    return _forests(("year", "task", "metric"), "Krippendorff's alpha and its interval", names="assessor")(
        named
    )


def _power(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = "topics that are needed to detect the difference, and their interval"
    pairs = rows.assign(pair=rows["first"] + " and " + rows["second"])
    return _forests(("year", "task", "metric"), caption, names="pair", value="n_topics")(pairs)


def _contributions(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("task", "metric")):
        caption = f"{place}how far each part moves the scores: standard deviation of its contributions"
        n_parts = min(own["part"].nunique(), 15)
        yield Picture(caption, partial(plots.contributions, own), height=rows_high(n_parts))


def _power_curves(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "metric", "target", "level", "topic_effects")):
        caption = (
            f"{place}how often each test detects the difference, by the share that makes it; a line at .8"
        )
        yield Picture(caption, partial(plots.power_curve, own, x="share", by="test"))


def _human_gap(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "target", "metric")):
        caption = f"{place}mean score and mean human score of each summarizer, with the lines of systems and of humans"
        yield Picture(caption, partial(plots.scatter, own, x="score", y="human_score", lines=True))


def _scores(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "metric")):
        if own.duplicated(["topic", "summarizer"]).any() or own["score"].isna().all():
            continue
        caption = f"{place}scores of summarizers (rows) on topics (columns), both in the order of their means"
        height = rows_high(min(own["summarizer"].nunique(), 60), least=2.4)
        yield Picture(caption, partial(plots.heatmap, own), height=height)


def _sizes(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "target")):
        long = own.melt(["metric"], ["spearman", "pearson"], var_name="coefficient", value_name="correlation")
        caption = f"{place}correlations of the means of peers with the human ones, by the size of n-grams"
        yield Picture(caption, partial(plots.curves, long, x="metric", y="correlation", by="coefficient"))


def _hits(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "task", "target")):
        for y in ("recall", "precision"):
            caption = f"{place}{y} of significant differences, by the size of n-grams; a line a level"
            levels = own.assign(level="alpha " + own["alpha"].astype(str))
            yield Picture(caption, partial(plots.curves, levels, x="metric", y=y, by="level"))


def _confusion(rows: pd.DataFrame) -> Iterator[Picture]:
    for place, own in _groups(rows, ("year", "metric", "assessor")):
        side = cells_wide(max(own["low"].nunique(), own["high"].nunique()))
        caption = f"{place}how often two ratings of one unit are these"
        yield Picture(caption, partial(_confused, own), height=side, width=side)


def _confused(rows: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the counts of pairs of ratings, both in the order of values."""
    named = {"low": "summarizer", "high": "topic", "count": "score"}
    counts = rows.rename(columns=named).assign(metric="pairs")
    plots.heatmap(counts, by_mean=False, ax=ax).set_xlabel("higher rating")
    ax.set_title("rows: lower rating", fontsize=8)
    return ax


def _residual_tests(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = (
        f"W of Shapiro and Wilk for each summarizer's residuals; diamonds: not normal (p at most {ALPHA:g})"
    )
    table = rows.assign(rejected=rows["p"] <= ALPHA).rename(columns={"statistic": "W"})
    by = ("year", "task", "metric")
    return _forests(by, caption, names="summarizer", value="W", sort=True, marked="rejected")(table)


def _retrained(rows: pd.DataFrame) -> Iterator[Picture]:
    long = rows.melt(["metric", "level"], ["before", "after"], var_name="training", value_name="correlation")
    long = long.assign(run=long["metric"] + "  " + long["training"], fewer=long["training"] == "after")
    caption = "correlation of each run; diamonds: trained without the topics that are left out"
    own = long.sort_values("metric", kind="stable")
    return _forests(("level",), caption, names="run", value="correlation", marked="fewer")(own)


def _nothing(_: pd.DataFrame) -> Iterator[Picture]:
    return iter(())


def _say_pairs(rows: pd.DataFrame) -> str:
    return f"{rows['significant'].eq(True).sum()} of {len(rows)} pairs of summarizers differ significantly."


def _say_clusters(rows: pd.DataFrame) -> str:
    most = rows["cluster"].nunique()
    clusters = "1 cluster" if most == 1 else f"up to {most} clusters"
    return f"{len(rows)} ranks of summarizers, in {clusters}."


def _say_best(rows: pd.DataFrame) -> str:
    best = rows.iloc[int(rows["value"].argmax())] if rows["value"].notna().any() else None
    if best is None:
        return "No correlation is defined."
    leader = f"{best['metric']}'s {best['value']:.3f} ({best['level']} level, {best['coefficient']})"
    n_metrics = rows["metric"].nunique()
    return f"{n_metrics} {'metric' if n_metrics == 1 else 'metrics'}; the highest correlation is {leader}."


def _say_metric_pairs(rows: pd.DataFrame) -> str:
    better = (rows["p_by_first"] <= ALPHA).sum()
    said = f"In {better} of {len(rows)} ordered pairs the first metric is significantly better"
    return f"{said} (corrected p at most {ALPHA:g})."


def _say_agreement(rows: pd.DataFrame) -> str:
    if rows["ba"].isna().all():
        return "No balanced accuracy is defined."
    best = rows.iloc[int(rows["ba"].argmax())]
    return f"{best['metric']} finds the significant differences of humans best: balanced accuracy {best['ba']:.3f}."


def _say_assessors(rows: pd.DataFrame) -> str:
    if rows["value"].isna().all():
        return "Krippendorff's alpha is undefined."
    return f"Krippendorff's alpha is {_range(rows['value'], '.3f')}."


def _say_power(rows: pd.DataFrame) -> str:
    n_open = rows["n_topics"].isna().sum()
    if n_open == len(rows):
        return "No number of topics was found."
    left = f" for {len(rows) - n_open} of {len(rows)} pairs" if n_open else ""
    return f"{_range(rows['n_topics'], 'g')} topics are needed{left}."


def _range(values: pd.Series, form: str) -> str:
    """Write the least and the greatest value, once if they look the same."""
    ends = dict.fromkeys(f"{end:{form}}" for end in (values.min(), values.max()))
    return " to ".join(ends)


def _say_rows(rows: pd.DataFrame) -> str:
    return f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}."


def _say_different(rows: pd.DataFrame) -> str:
    return f"{int(rows['n_different'].gt(0).sum())} of {len(rows)} topics differ from another."


_PLACES = ("year", "task", "metric")

KINDS = (
    Kind("Tests of pairs of metrics", ("first", "second", "r_first", "r_second", "p_by_first", "p_overall"),
         _metric_pairs, _say_metric_pairs),
    Kind("Tests of pairs of summarizers", ("first", "second", "difference", "significant"), _pairs, _say_pairs),
    Kind("Ranks and clusters", ("summarizer", "cluster", "best_rank", "worst_rank", "mean", "rank"), _clusters,
         _say_clusters),
    Kind("Correlations with human scores", ("metric", "target", "level", "coefficient", "value", "n_summarizers",
         "n_topics", "n_skipped"), _correlations, _say_best, evaluation),
    Kind("Agreement with human decisions", ("metric", "tp", "fn", "ba"), _agreement, _say_agreement),
    Kind("Agreement of assessors", ("assessor", "value", "low", "high", "n_units"), _assessors, _say_assessors),
    Kind("Two ratings of one unit", ("assessor", "low", "high", "count", "share"), _confusion, _say_rows),
    Kind("Power of tests", ("share", "test", "power"), _power_curves, _say_rows),
    Kind("Scores beside human scores", ("summarizer", "score", "human_score", "slope"), _human_gap, _say_rows),
    Kind("Topics needed", ("first", "second", "n_topics", "power"), _power, _say_power),
    Kind("Contributions", ("part", "contribution"), _contributions, _say_rows),
    Kind("Mean ranks of topics", ("topic", "mean_rank", "low", "high", "n_different"),
         _forests(_PLACES, "mean ranks of topics; those differ whose comparison intervals do not overlap",
                  names="topic", value="mean_rank", sort=True), _say_different),
    Kind("Correlations of n-gram recall", ("metric", "spearman", "pearson", "regression_t"), _sizes, _say_rows),
    Kind("Significant differences found by n-gram recall", ("metric", "n_hits", "recall", "precision"), _hits,
         _say_rows),
    Kind("Effects of assessors and categories", ("kind", "name", "effect", "error"),
         _forests((*_PLACES, "kind"), "effects on the mean score of a topic, and their standard errors",
                  names="name", value="effect"), _say_rows),
    Kind("Residuals of summarizers", ("summarizer", "statistic", "p", "std"), _residual_tests, _say_rows),
    Kind("Coverage of intervals", ("interval", "coverage", "level"),
         _forests((*_PLACES, "target", "level", "coefficient"),
                  "share of intervals that hold the correlation of what was left out", names="interval",
                  value="coverage"), _say_rows),
    Kind("Training with and without some assessors", ("metric", "level", "before", "after"), _retrained, _say_rows),
    Kind("Manual less automatic pyramid", ("assessor", "manual", "automatic", "difference", "error"),
         _forests(_PLACES, "manual less automatic pyramid by assessor, and its standard error over topics",
                  names="assessor", value="difference"), _say_rows),
    Kind("Scores", ("topic", "summarizer", "metric", "score"), _scores, _say_rows),
)  # fmt: skip
"""Kinds of tables, the first that fits counts."""

_PLAIN = Kind("Table", (), _nothing, _say_rows, lambda rows: rows)
