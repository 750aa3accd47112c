"""What kinds of tables there are, each with the pictures, the sentence and the arrangement that fit it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd

from classy_aesop import plots
from classy_aesop.report import arrangement, drawing, sentences
from classy_aesop.report.drawing import Picture
from classy_aesop.report.result import Result


@dataclass(frozen=True)
class Kind:
    """What is shown of the table of a command."""

    caption: str = ""
    columns: str = ""
    """What its pictures and its sentence read."""
    draw: Callable[[pd.DataFrame], Picture | Iterable[Picture]] = lambda _: ()
    """Gives what is drawn of one place: a year, task, metric and what else is in `sentences.PLACES`."""
    within: str = ""
    """Columns of `sentences.PLACES` whose values are in one picture."""
    sentence: Callable[[pd.DataFrame], str] = sentences.count_rows
    arrange: Callable[[pd.DataFrame], pd.DataFrame] = arrangement.without_settings
    most: int = 200
    """Rows that a page shows; all are in the files beside it."""
    best: Callable[[pd.DataFrame], Sequence[str]] = lambda _: ()
    """Names the columns of the arranged table whose greatest number is best."""


NEAR = 0.01
"""Subsets whose score is at most this much below the best one are near ties."""


def kind_of(result: Result) -> Kind:
    """Give what is known of a result's kind."""
    return KINDS.get(result.kind) or Kind(f"Table of {result.kind}")


def has_pictures(name: str) -> bool:
    """Whether tables of a kind are drawn."""
    return name in KINDS and KINDS[name].draw is not Kind.draw


def readable(result: Result) -> pd.DataFrame:
    """Arrange the table of a result for human readers."""
    return kind_of(result).arrange(result.table)


@dataclass(frozen=True)
class Layout:
    """How a table is shown in every format: what all rows share, the other columns, and those whose best is marked."""

    shared: dict[str, str]
    table: pd.DataFrame
    best: Sequence[str]

    def said_once(self) -> str:
        """Write what all rows share."""
        return ", ".join(f"{name} {value}" for name, value in self.shared.items())


def answer(result: Result) -> str:
    """Write what was found; nothing of a kind without a sentence of its own, or of no rows."""
    sentence = kind_of(result).sentence
    return sentence(result.table) if len(result.table) and sentence is not Kind.sentence else ""


def layout(result: Result) -> Layout:
    """Lay the table of a result out for readers."""
    kind = kind_of(result)
    table, shared = arrangement.without_constants(kind.arrange(result.table))
    cells = {name: arrangement.cell(value) for name, value in shared.items()}
    return Layout(cells, table, kind.best(table))


def pictures(result: Result) -> Iterator[Picture]:
    """Give the pictures of a result, those of each place after another."""
    kind, table = kind_of(result), result.table
    varying = sentences.varying(table, but=kind.within)
    groups = table.groupby(varying, sort=False, dropna=False) if varying else [((), table)]
    for key, rows in groups:
        place = ", ".join(f"{name} {value}" for name, value in zip(varying, key, strict=True))
        drawn = kind.draw(rows)
        for picture in [drawn] if isinstance(drawn, Picture) else drawn:
            yield replace(picture, caption=f"{place}: {picture.caption}") if place else picture


def _runs_named(rows: pd.DataFrame) -> pd.DataFrame:
    """Name a run by its number and its fitter, and a metric by itself."""
    return rows.assign(metric=rows["metric"].where(rows["run"] == "", rows["run"] + " " + rows["fitter"]))


_CORRELATED = ("agree best with {target}", "{coefficient}, {level} level")
_ACCURACY = ("find the significant differences of humans best", "balanced accuracy")

_CORRELATIONS = Kind(
    "Correlations with human scores",
    "metric target level coefficient value n_summarizers n_topics n_skipped",
    drawing.correlations,
    "metric coefficient",
    sentences.best_by("value", *_CORRELATED, beside="target level coefficient"),
    arrangement.evaluation,
    best=arrangement.correlations,
)
_PAIRS = Kind(
    "Differences of estimated means",
    "first second difference significant",
    partial(drawing.matrix, caption="who is significantly better than whom"),
    sentence=sentences.count_differing_pairs,
)
_METRIC_PAIRS = Kind(
    "Tests of pairs of metrics",
    "first second r_first r_second difference p_adjusted p_here_adjusted",
    drawing.metric_pairs,
    sentence=sentences.count_better_metrics,
    arrange=arrangement.pairs,
)
_AGREEMENT = Kind(
    "Agreement with human decisions",
    "metric tp fn ba",
    drawing.agreement,
    "metric",
    sentences.best_by("ba", *_ACCURACY),
    arrangement.agreement,
    best=lambda _: ("ba",),
)
_AGREEMENT_2013 = replace(
    _AGREEMENT, sentence=sentences.best_by("ba_pv", *_ACCURACY), best=lambda _: ("ba_pv",)
)
"""The balanced accuracy that the tables of Rankel et al. (2013) hold."""
_DETECTED = "power of each test by the share of changed topics; a line at .8"
_POWER_CURVES = Kind(
    "Power of tests",
    "share test power",
    partial(drawing.plotted, caption=_DETECTED, plot=plots.curves, x="share", y="power", by="test", goal=0.8),
    sentence=sentences.range_of_power,
)
_COUNTED_PAIRS = Kind(
    "Pairs that differ significantly",
    sentence=sentences.range_of("share", "A share of {} of the pairs of summarizers differ significantly."),
)
_SCORES = Kind("Scores", "topic summarizer metric score", drawing.scores)
_BETTER = "{} between metrics are significant (p_overall, corrected for all pairs, at most {})."
_NOT_NORMAL = "In {} a summarizer's residuals are not normal (Shapiro-Wilk, p at most {}, not corrected)."
_DIFFERENT_ASSESSORS = (
    "In {} of a year and task some assessors score higher than others (F test, p at most {})."
)
_RANKS = "mean ranks of topics; those differ whose comparison intervals do not overlap"
_GAPS = "manual minus automatic pyramid by assessor, and its standard error over topics"
_RANKED = "means and their 95 % intervals over topics, best first; lines between clusters"
_BIASES = "judge on the human scale less human scores, and 95 % intervals over topics"
_ESTIMATED = "estimated mean human scores and their intervals; crosses are the means of the judgments"
_BOTH_RANKS = "rank of each summarizer by the metric and by humans, 1 for the best"
_MEANS = "mean score and mean human score of each summarizer, with the lines of systems and of humans"

KINDS: dict[str, Kind] = {
    "": Kind("Table", arrange=lambda rows: rows),
    "scores": replace(_SCORES, arrange=lambda rows: rows),
    "predict": _SCORES,
    "predict --means": Kind("Means of predicted scores", sentence=sentences.name_highest_mean),
    "explain": Kind(
        "Contributions",
        "topic summarizer metric part contribution",
        drawing.contributions,
        sentence=sentences.name_strongest_part,
        arrange=arrangement.contributions,
    ),
    "rouge --per-summary": _SCORES,
    "baselines": replace(_SCORES, sentence=sentences.name_highest_mean),
    "leaderboard": _CORRELATIONS,
    "evaluate": _CORRELATIONS,
    "evaluate --bias": Kind(
        "Biases of judges",
        "summarizer metric target human_rank judge_rank bias low high kinder_than over_pick p_over_pick",
        partial(drawing.forest, caption=_BIASES, names="summarizer", value="bias"),
        sentence=sentences.name_picks,
        arrange=arrangement.biases,
    ),
    "compare": Kind(
        "Mean scores, their intervals, ranks and clusters",
        "summarizer mean low high rank cluster best_rank worst_rank wins losses",
        partial(
            drawing.forest,
            caption=_RANKED,
            names="summarizer",
            value="mean",
            sort=False,
            separate_by="cluster",
        ),
        sentence=sentences.name_best_summarizers,
        arrange=arrangement.ranking,
    ),
    "compare --pairs": replace(_PAIRS, caption="Tests of pairs of summarizers", arrange=arrangement.pairs),
    "estimate": Kind(
        "Estimated mean human scores",
        "summarizer n_judged plain estimate low high worth",
        partial(drawing.forest, caption=_ESTIMATED, names="summarizer", value="estimate", crosses="plain"),
        sentence=sentences.state_worth,
    ),
    "estimate --differences": _PAIRS,
    "estimate-plan": Kind(
        "Precision by judged topics",
        "n_topics width width_low width_high plain_width needed settled",
        drawing.widths,
        sentence=sentences.state_needed,
    ),
    "compare-metrics --pairs": _METRIC_PAIRS,
    "compare-metrics": Kind(
        "Correlations of metrics, their intervals and clusters",
        "metric target level coefficient rank cluster cluster_here value low high beats",
        drawing.correlations,
        "metric",
        sentences.name_best_metrics,
        arrangement.metric_ranks,
    ),
    "agreement": _AGREEMENT,
    "assessors": Kind(
        "Agreement of assessors",
        "assessor other value low high n_units",
        drawing.assessors,
        "assessor",
        sentences.range_of_alpha,
        arrangement.assessors,
    ),
    "assessors --confusion": Kind(
        "Two ratings of one unit",
        "assessor low high count share",
        drawing.confusion,
        sentence=sentences.share_of_equal,
    ),
    "assessors --reliability": Kind("Reliability of ratings", sentence=sentences.state_reliability),
    "power": Kind(
        "Topics needed",
        "first second n_topics power low high",
        drawing.power,
        sentence=sentences.range_of_topics,
        arrange=arrangement.plans,
    ),
    "study coverage": Kind(
        "Coverage of intervals",
        "method coverage error level",
        sentence=sentences.range_of("coverage", "Intervals cover the left-out value in {} of the trials."),
    ),
    "study metric-power": _POWER_CURVES,
    "study mixture-power": _POWER_CURVES,
    "study metric-intervals": replace(
        _CORRELATIONS, arrange=arrangement.without_settings, best=lambda _: ("value",)
    ),
    "study metric-pairs": Kind(
        "Tests of pairs of metrics",
        "first second r_first r_second p_by_first p_overall",
        drawing.metric_pairs,
        sentence=sentences.count_significant(_BETTER, "difference", "p_overall"),
        arrange=arrangement.pairs,
    ),
    "study score-map": replace(_SCORES, columns="topic summarizer score row column", draw=drawing.score_map),
    "study distributions": Kind(
        "Percentiles of resampled correlations",
        "metric percent value",
        drawing.distributions,
        "metric",
        sentence=sentences.range_of("value", "The resampled correlations are {}."),
    ),
    "study williams-shift": Kind(
        "Significant pairs of metrics by Williams' test",
        sentence=sentences.range_of("n_significant", "{} pairs are significant."),
    ),
    "study bleu-correlations": Kind(
        "Rank correlations of BLEU and NIST",
        sentence=sentences.range_of("spearman", "Spearman's correlation with human scores is {}."),
    ),
    "study total-consistency": Kind(
        "Consistency of assessors over all years",
        sentence=sentences.range_of("value", "Krippendorff's alpha is {}."),
    ),
    "study marked-units": _SCORES,
    "study topic-ranks": Kind(
        "Mean ranks of topics",
        "topic mean_rank low high n_different highlight",
        drawing.topic_ranks,
        sentence=sentences.count_differing_topics,
    ),
    "study residuals": Kind(
        "Residuals of summarizers", "p", sentence=sentences.count_significant(_NOT_NORMAL, "test")
    ),
    "study normality": Kind(
        "Normality of scores",
        sentence=sentences.range_of("percent_rejected", "Normality is rejected in {} % of tests."),
    ),
    "study check": Kind("Printed numbers and ours", "verdict", sentence=sentences.count_verdicts),
    "study pair-counts": _COUNTED_PAIRS,
    "study best-pairs": _COUNTED_PAIRS,
    "study label-agreement": _AGREEMENT_2013,
    "study best-metrics": _AGREEMENT_2013,
    "study human-gap": Kind(
        "Scores beside human scores",
        "summarizer score human_score",
        partial(drawing.plotted, caption=_MEANS, plot=plots.scatter, x="score", y="human_score", lines=True),
    ),
    "study assessor-effects": Kind(
        "Effects of assessors and categories",
        "metric kind name effect error p",
        sentence=sentences.count_significant(_DIFFERENT_ASSESSORS, "measure", one_a="kind"),
    ),
    "study pyramid-gap": Kind(
        "Manual minus automatic pyramid",
        "assessor manual automatic difference error",
        partial(drawing.forest, caption=_GAPS, names="assessor", value="difference", error="error"),
        "assessor",
        sentences.range_of("difference", "The manual minus the automatic pyramid is {}."),
    ),
    "study retraining": Kind(
        "Training with and without some assessors",
        "metric level before after",
        sentence=sentences.range_of_lost,
    ),
    "study ngram-correlations": Kind(
        "Correlations of n-gram recall",
        "metric spearman pearson",
        drawing.sizes,
        "metric",
        sentences.range_of("spearman", "Spearman's correlation of n-gram recall with human scores is {}."),
    ),
    "study ngram-ranks": Kind(
        "Ranks by n-gram recall and by humans",
        "summarizer rank human_rank",
        partial(drawing.plotted, caption=_BOTH_RANKS, plot=plots.scatter, x="rank", y="human_rank"),
    ),
    "study ngram-hits": Kind(
        "Significant differences found by n-gram recall",
        "metric alpha recall precision",
        drawing.hits,
        "metric",
        sentences.range_of("recall", "N-gram recall finds a share of {} of the significant differences."),
    ),
    "train summary": Kind(
        "Correlations with the human scores; those of system means have 95 % intervals (Fisher)",
        "run target task peers fitter metric level coefficient value low high n_summarizers n_topics n_skipped",
        drawing.trained,
        "target metric level coefficient",
        lambda rows: _CORRELATIONS.sentence(_runs_named(rows)),
        lambda rows: arrangement.evaluation(_runs_named(rows)),
        best=arrangement.correlations,
    ),
    "train predictions": replace(
        _SCORES,
        caption="Every prediction, with its interval and the human score",
        columns="topic task summarizer metric score low high judged outside",
    ),
    "train verdict": Kind(
        "Each run against its rival: p on other systems like these, p_here on these (Holm)",
        "target metric against selected value rival difference p p_here p_adjusted p_here_adjusted n_resamples",
    ),
    "train top": Kind(columns="rank names score"),
    "train near": Kind(
        f"Near ties: subsets whose score is at most {NEAR} below the best, of the 100 best",
        arrange=lambda rows: rows[["rank", "names", "score", "less"]],
        most=10,
    ),
    "train sizes": Kind("Best subset of each size", "n_names score"),
    "train inclusion": Kind("How often each name is in the 100 best subsets, or chosen on a resample"),
    "train optimism": Kind("Optimism of the best score"),
    "train weights": Kind("Subsets that are averaged, with their weights"),
    "train means": Kind(
        "Each summarizer's mean prediction and human score, its rank, the ranks left open, and its cluster"
    ),
    "train cautions": Kind(
        "Summaries that lack a score or a judgment, and those outside the range of the training data"
    ),
    "train contributions": Kind(
        "Contributions of the columns", "metric part mean spread", drawing.contributions
    ),
}
"""What is known of tables by their kinds; the others have no picture."""
