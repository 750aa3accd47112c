"""What kinds of tables there are, each with the pictures, the sentence and the arrangement that fit it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from classy_aesop import plots
from classy_aesop.report import wide
from classy_aesop.report.page import Picture, cells_wide, rows_high
from classy_aesop.report.result import Result
from classy_aesop.significance.base import ALPHA

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def _count_rows(rows: pd.DataFrame) -> str:
    return f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}."


@dataclass(frozen=True)
class Kind:
    """What is shown of the table of a command.

    Parameters
    ----------
    caption : str
        What it shows.
    columns : str
        The columns that its pictures and its sentence read.
    draw : callable
        Gives the pictures of one place: a year, task, metric and what else is in `PLACES`.
    within : str
        Columns of `PLACES` whose values are in one picture.
    sentence : callable
        Writes what was found.
    wide : callable
        Arranges it for human readers.
    most : int
        Rows that a page shows; all are in the files beside it.
    """

    caption: str = ""
    columns: str = ""
    draw: Callable[[pd.DataFrame], Iterable[Picture]] = lambda _: ()
    within: str = ""
    sentence: Callable[[pd.DataFrame], str] = _count_rows
    wide: Callable[[pd.DataFrame], pd.DataFrame] = wide.without_settings
    most: int = 200


NEAR = 0.01
"""Subsets whose score is at most this much below the best one are near ties."""

PLACES = "year task peers target metric assessor level coefficient over topic_effects kind"
"""Columns by which the rows of a table are about different things."""


def kind_of(result: Result) -> Kind:
    """Give what is known of a result's kind."""
    return KINDS.get(result.kind) or Kind(f"Table of {result.kind}")


def readable(result: Result) -> pd.DataFrame:
    """Arrange the table of a result for human readers."""
    return kind_of(result).wide(result.table)


def pictures(result: Result) -> Iterator[Picture]:
    """Give the pictures of a result, those of each place after another."""
    kind, table = kind_of(result), result.table
    names = [name for name in PLACES.split() if name in table and name not in kind.within.split()]
    varying = [name for name in names if table[name].nunique(dropna=False) > 1]
    groups = table.groupby(varying, sort=False, dropna=False) if varying else [((), table)]
    for key, rows in groups:
        place = ", ".join(f"{name} {value}" for name, value in zip(varying, key, strict=True))
        for picture in kind.draw(rows):
            yield replace(picture, caption=f"{place}: {picture.caption}") if place else picture


def forest(
    rows: pd.DataFrame, caption: str, names: str, value: str, *, sort: bool = False, marked: str | None = None
) -> Picture:
    """Draw a line a row, with the interval of the table, or a standard error either way."""
    if "error" in rows and "low" not in rows:
        rows = rows.assign(low=rows[value] - rows["error"], high=rows[value] + rows["error"])
    table = rows.sort_values(value, ascending=False, kind="stable") if sort else rows
    draw = partial(plots.forest, table, names=names, value=value, marked=marked)
    return Picture(caption, draw, height=rows_high(len(rows)))


def _one(
    draw: Callable[..., Picture], *caption_and_columns: Any, **options: Any
) -> Callable[[pd.DataFrame], list[Picture]]:
    """Declare one picture of the rows of a place."""
    return lambda rows: [draw(rows, *caption_and_columns, **options)]


def _plot(rows: pd.DataFrame, caption: str, plot: Callable[..., Axes], **columns: Any) -> Picture:
    return Picture(caption, partial(plot, rows, **columns))


def _matrix(rows: pd.DataFrame, caption: str) -> Picture:
    """Draw a matrix of pairs."""
    side = cells_wide(len(set(rows["first"]) | set(rows["second"])))
    meaning = f"{caption}; a full cell: the row is better, half a cell: it is worse"
    return Picture(meaning, partial(plots.pairs, rows), height=side, width=side)


def _clusters(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = "ranks, and those that the tests leave open; means beside the names, lines between clusters"
    yield Picture(caption, partial(plots.clusters, rows), height=rows_high(len(rows)))


def _correlations(rows: pd.DataFrame) -> Iterator[Picture]:
    name = rows["coefficient"].iloc[0]
    value, interval = f"{name} correlation", " and its interval" if "low" in rows else ""
    first = rows[rows["coefficient"] == name].rename(columns={"value": value})
    yield forest(first, f"{value} with the human scores{interval}", "metric", value, sort=True)


def _trained(rows: pd.DataFrame) -> Iterator[Picture]:
    rows = rows[(rows["level"] == "system") & (rows["coefficient"] == "pearson")]
    rows = rows.rename(columns={"value": "Pearson correlation"}).assign(ours=rows["run"] != "")
    rows = rows.sort_values(["target", "ours"], ascending=[True, False], kind="stable")
    names = rows["target"] + "  " + rows["metric"].where(~rows["ours"], "run " + rows["run"])
    caption = (
        "Pearson's correlation of system means with the human scores, and 95 % intervals; "
        "diamonds are predictions, circles other metrics"
    )
    yield forest(rows.assign(names=names), caption, "names", "Pearson correlation", marked="ours")


def _runs_named(rows: pd.DataFrame) -> pd.DataFrame:
    """Name a run by its number and a metric by itself, and put the coefficients side by side."""
    names = rows["metric"].where(rows["run"] == "", rows["run"] + " " + rows["fitter"])
    return wide.evaluation(rows.assign(metric=names))


def _metric_pairs(rows: pd.DataFrame) -> Iterator[Picture]:
    rows = rows.assign(difference=rows["r_first"] - rows["r_second"])
    for p, family in (("p_by_first", "the tests of the row's metric"), ("p_overall", "all pairs")):
        tested = rows.assign(significant=rows[p] <= ALPHA)
        yield _matrix(tested, f"which metric correlates better, corrected for {family}")


_MOST_METRICS = 40  # of thousands of combinations


def _agreement(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = "balanced accuracy: significant differences of humans that the metric finds"
    marked = "ba_bold" if "ba_bold" in rows else None
    caption += "; diamonds are within the interval of the best" if marked else ""
    caption += f"; the best {_MOST_METRICS}" if len(rows) > _MOST_METRICS else ""
    best = rows.sort_values("ba", ascending=False, kind="stable").head(_MOST_METRICS)
    yield forest(best, caption, "metric", "ba", marked=marked)


def _assessors(rows: pd.DataFrame) -> Iterator[Picture]:
    named = rows.assign(assessor=rows["assessor"].where(rows["assessor"] != "", "all together"))
    yield forest(named, "Krippendorff's alpha and its interval", "assessor", "value")


def _power(rows: pd.DataFrame) -> Iterator[Picture]:
    named = rows.assign(pair=rows["first"] + " and " + rows["second"])
    caption = "topics that are needed to detect the difference, and their interval"
    yield forest(named, caption, "pair", "n_topics")


def _estimates(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = "estimated mean human scores and their intervals; crosses are the means of the judgments"
    draw = partial(plots.forest, rows, names="summarizer", value="estimate", beside="plain")
    yield Picture(caption, draw, height=rows_high(len(rows)))


def _state_worth(rows: pd.DataFrame) -> str:
    worth = f"The estimates are worth {_range(rows['worth'], '.1f')} topics judged for everyone"
    return f"{worth}; the judgments are of {_range(rows['n_judged'], 'g')} topics."


def _widths(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = "width of an interval by the number of judged topics, and what the pilot leaves possible"
    caption += "; a line where it is as narrow as wanted" if rows["needed"].notna().any() else ""
    yield Picture(caption, partial(_width_curves, rows))


def _width_curves(rows: pd.DataFrame, ax: Axes) -> Axes:
    own = rows.assign(means="estimates", low=rows["width_low"], high=rows["width_high"])
    plain = rows.assign(means="plain", width=rows["plain_width"], low=float("nan"), high=float("nan"))
    plots.curves(pd.concat([own, plain]), x="n_topics", y="width", by="means", ax=ax)
    for needed in rows["needed"].dropna().unique():
        ax.axvline(float(needed), color="#767676", lw=0.8, ls="--")
    ax.set_xscale("log")
    ticks = [n for n in (2, 5, 10, 20, 50, 100, 200, 500, 1_000) if n <= rows["n_topics"].max()]
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
    return ax


def _power_curves(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = "how often each test detects the difference, by the share that makes it; a line at .8"
    yield Picture(caption, partial(plots.power_curve, rows, x="share", by="test"))


def _contributions(rows: pd.DataFrame) -> Iterator[Picture]:
    caption = "how far each part moves the scores: standard deviation of its contributions"
    height = rows_high(min(rows["part"].nunique(), 15))
    yield Picture(caption, partial(plots.contributions, rows), height=height)


def _scores(rows: pd.DataFrame) -> Iterator[Picture]:
    if not rows.duplicated(["topic", "summarizer"]).any() and rows["score"].notna().any():
        caption = "scores of summarizers (rows) on topics (columns), both in the order of their means"
        height = rows_high(min(rows["summarizer"].nunique(), 60), least=2.4)
        yield Picture(caption, partial(plots.heatmap, rows), height=height)


def _sizes(rows: pd.DataFrame) -> Iterator[Picture]:
    long = rows.melt(["metric"], ["spearman", "pearson"], var_name="coefficient", value_name="correlation")
    caption = "correlations of the means of peers with the human ones, by the size of n-grams"
    yield _plot(long, caption, plots.curves, x="metric", y="correlation", by="coefficient")


def _hits(rows: pd.DataFrame) -> Iterator[Picture]:
    levels = rows.assign(level="alpha " + rows["alpha"].astype(str))
    for y in ("recall", "precision"):
        caption = f"{y} of significant differences, by the size of n-grams; a line a level"
        yield _plot(levels, caption, plots.curves, x="metric", y=y, by="level")


def _confusion(rows: pd.DataFrame) -> Iterator[Picture]:
    side = cells_wide(max(rows["low"].nunique(), rows["high"].nunique()))
    yield Picture("how often two ratings of one unit are these", partial(_confused, rows), side, side)


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
    yield forest(table, caption, "summarizer", "W", sort=True, marked="rejected")


def _retrained(rows: pd.DataFrame) -> Iterator[Picture]:
    long = rows.melt("metric", ["before", "after"], var_name="training", value_name="correlation")
    long = long.assign(run=long["metric"] + "  " + long["training"], fewer=long["training"] == "after")
    caption = "correlation of each run; diamonds: trained without the topics that are left out"
    yield forest(long.sort_values("metric", kind="stable"), caption, "run", "correlation", marked="fewer")


def _count_differing_pairs(rows: pd.DataFrame) -> str:
    return f"{rows['significant'].eq(True).sum()} of {len(rows)} pairs of summarizers differ significantly."


def _count_clusters(rows: pd.DataFrame) -> str:
    most = rows["cluster"].nunique()
    clusters = "1 cluster" if most == 1 else f"up to {most} clusters"
    return f"{len(rows)} ranks of summarizers, in {clusters}."


def _name_highest(rows: pd.DataFrame) -> str:
    if rows["value"].isna().all():
        return "No correlation is defined."
    best, n_metrics = rows.iloc[int(rows["value"].argmax())], rows["metric"].nunique()
    leader = f"{best['metric']}'s {best['value']:.3f} ({best['level']} level, {best['coefficient']})"
    return f"{n_metrics} {'metric' if n_metrics == 1 else 'metrics'}; the highest correlation is {leader}."


def _count_better_metrics(rows: pd.DataFrame) -> str:
    better = f"In {(rows['p_by_first'] <= ALPHA).sum()} of {len(rows)} ordered pairs the first metric is"
    return f"{better} significantly better (corrected p at most {ALPHA:g})."


def _name_most_accurate(rows: pd.DataFrame) -> str:
    if rows["ba"].isna().all():
        return "No balanced accuracy is defined."
    best = rows.iloc[int(rows["ba"].argmax())]
    return f"{best['metric']} finds the significant differences of humans best: balanced accuracy {best['ba']:.3f}."


def _range_of_alpha(rows: pd.DataFrame) -> str:
    if rows["value"].isna().all():
        return "Krippendorff's alpha is undefined."
    return f"Krippendorff's alpha is {_range(rows['value'], '.3f')}."


def _range_of_topics(rows: pd.DataFrame) -> str:
    n_found = rows["n_topics"].count()
    if not n_found:
        return "No number of topics was found."
    of_pairs = f" for {n_found} of {len(rows)} pairs" if n_found < len(rows) else ""
    return f"{_range(rows['n_topics'], 'g')} topics are needed{of_pairs}."


def _range(values: pd.Series, form: str) -> str:
    """Write the least and the greatest value, once if they look the same."""
    return " to ".join(dict.fromkeys(f"{end:{form}}" for end in (values.min(), values.max())))


def _count_differing_topics(rows: pd.DataFrame) -> str:
    return f"{int(rows['n_different'].gt(0).sum())} of {len(rows)} topics differ from another."


_CORRELATIONS = Kind(
    "Correlations with human scores",
    "metric target level coefficient value n_summarizers n_topics n_skipped",
    _correlations,
    "metric coefficient",
    _name_highest,
    wide.evaluation,
)
_METRIC_PAIRS = Kind(
    "Tests of pairs of metrics",
    "first second r_first r_second p_by_first p_overall",
    _metric_pairs,
    sentence=_count_better_metrics,
)
_AGREEMENT = Kind(
    "Agreement with human decisions", "metric tp fn ba", _agreement, "metric", _name_most_accurate
)
_DETECTED = "how often each test detects the difference, by the share that makes it; a line at .8"
_POWER_CURVES = Kind(
    "Power of tests", "share test power", _one(_plot, _DETECTED, plots.power_curve, x="share", by="test")
)
_SCORES = Kind("Scores", "topic summarizer metric score", _scores)
_RANKS = "mean ranks of topics; those differ whose comparison intervals do not overlap"
_GAPS = "manual less automatic pyramid by assessor, and its standard error over topics"
_MEANS = "mean score and mean human score of each summarizer, with the lines of systems and of humans"

KINDS: dict[str, Kind] = {
    "": Kind("Table", wide=lambda rows: rows),
    "scores": replace(_SCORES, wide=lambda rows: rows),
    "predict": _SCORES,
    "explain": Kind(
        "Contributions",
        "year topic task summarizer metric part contribution",
        _contributions,
        wide=wide.contributions,
    ),
    "rouge --per-summary": _SCORES,
    "baselines": _SCORES,
    "leaderboard": _CORRELATIONS,
    "evaluate": _CORRELATIONS,
    "compare": Kind(
        "Tests of pairs of summarizers",
        "first second difference significant",
        _one(_matrix, "who is significantly better than whom"),
        sentence=_count_differing_pairs,
        wide=wide.pairs,
    ),
    "compare --clusters": Kind(
        "Ranks and clusters",
        "summarizer cluster best_rank worst_rank mean rank",
        _clusters,
        sentence=_count_clusters,
    ),
    "estimate": Kind(
        "Estimated mean human scores",
        "summarizer n_judged plain estimate low high worth",
        _estimates,
        sentence=_state_worth,
    ),
    "estimate --differences": Kind(
        "Differences of estimated means",
        "first second difference significant",
        _one(_matrix, "who is significantly better than whom"),
        sentence=_count_differing_pairs,
    ),
    "estimate-plan": Kind(
        "Precision by judged topics", "n_topics width width_low width_high plain_width needed", _widths
    ),
    "compare-metrics": _METRIC_PAIRS,
    "agreement": _AGREEMENT,
    "assessors": Kind(
        "Agreement of assessors", "assessor value low high n_units", _assessors, "assessor", _range_of_alpha
    ),
    "assessors --confusion": Kind("Two ratings of one unit", "assessor low high count share", _confusion),
    "power": Kind("Topics needed", "first second n_topics power low high", _power, sentence=_range_of_topics),
    "study repeats": Kind("Correlations over seeds", wide=wide.spread),
    "study samples": Kind("Correlations over made-up samples", wide=wide.spread),
    "study methods": Kind("Methods of learning compared", wide=wide.methods),
    "study coverage": Kind(
        "Coverage of intervals",
        "method coverage error level",
        _one(
            forest, "share of intervals that hold the correlation of what was left out", "method", "coverage"
        ),
    ),
    "study metric-power": _POWER_CURVES,
    "study mixture-power": _POWER_CURVES,
    "study metric-intervals": replace(_CORRELATIONS, wide=wide.without_settings),
    "study metric-pairs": _METRIC_PAIRS,
    "study score-map": _SCORES,
    "study marked-units": _SCORES,
    "study topic-ranks": Kind(
        "Mean ranks of topics",
        "topic mean_rank low high n_different",
        _one(forest, _RANKS, "topic", "mean_rank", sort=True),
        sentence=_count_differing_topics,
    ),
    "study residuals": Kind("Residuals of summarizers", "summarizer statistic p std", _residual_tests),
    "study label-agreement": _AGREEMENT,
    "study best-metrics": _AGREEMENT,
    "study human-gap": Kind(
        "Scores beside human scores",
        "summarizer score human_score",
        _one(_plot, _MEANS, plots.scatter, x="score", y="human_score", lines=True),
    ),
    "study assessor-effects": Kind(
        "Effects of assessors and categories",
        "kind name effect error",
        _one(forest, "effects on the mean score of a topic, and their standard errors", "name", "effect"),
    ),
    "study pyramid-gap": Kind(
        "Manual less automatic pyramid",
        "assessor manual automatic difference error",
        _one(forest, _GAPS, "assessor", "difference"),
        "assessor",
    ),
    "study retraining": Kind(
        "Training with and without some assessors",
        "metric level before after",
        _retrained,
        "metric target task peers",
    ),
    "study ngram-correlations": Kind(
        "Correlations of n-gram recall", "metric spearman pearson", _sizes, "metric"
    ),
    "study ngram-ranks": Kind(
        "Ranks by n-gram recall and by humans",
        "summarizer rank human_rank",
        _one(_plot, _MEANS, plots.scatter, x="rank", y="human_rank"),
    ),
    "study ngram-hits": Kind(
        "Significant differences found by n-gram recall", "metric alpha recall precision", _hits, "metric"
    ),
    "train summary": Kind(
        "Correlations with the human scores; those of system means have 95 % intervals (Fisher)",
        "run target task peers fitter metric level coefficient value low high n_summarizers n_topics n_skipped",
        _trained,
        "target metric level coefficient",
        _name_highest,
        _runs_named,
    ),
    "train predictions": replace(
        _SCORES,
        caption="Every prediction, with its interval and the human score",
        columns="topic task summarizer metric score low high judged",
    ),
    "train verdict": Kind(
        "Each run against its rival (PERM-BOTH, Holm)",
        "target metric against selected value rival difference p p_adjusted n_resamples",
    ),
    "train top": Kind(columns="rank names score"),
    "train near": Kind(
        f"Near ties: subsets whose score is at most {NEAR} below the best, of the 100 best",
        wide=lambda rows: rows[["rank", "names", "score", "less"]],
        most=10,
    ),
    "train sizes": Kind("Best subset of each size", "n_names score"),
    "train inclusion": Kind("How often each name is in the 100 best subsets, or chosen on a resample"),
    "train optimism": Kind("Optimism of the best score"),
    "train weights": Kind("Subsets that are averaged, with their weights"),
    "train means": Kind(
        "Each summarizer's mean prediction and human score, its rank, the ranks left open, and its cluster"
    ),
    "train pairs": Kind(most=15),
    "train cautions": Kind(
        "Summaries that lack a score or a judgment, and those outside the range of the training data"
    ),
    "train learners": Kind("Learners and their shares"),
    "train contributions": Kind("Contributions of the columns", "metric part mean spread", _contributions),
}
"""What is known of tables by their kinds; the others have no picture."""
