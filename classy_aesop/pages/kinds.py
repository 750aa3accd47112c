"""What kinds of tables there are, each with the pictures, the sentence and the arrangement that fit it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import pandas as pd

from classy_aesop import plots
from classy_aesop.answers.correlation_tables import (
    draw_correlations,
    name_best_by,
    name_correlations,
    spread_correlations,
)
from classy_aesop.answers.declared import DECLARED, declared_answer, load_answer
from classy_aesop.answers.metric_pairs import draw_metric_pairs
from classy_aesop.answers.metrics import EVALUATION, draw_agreement, sort_by_accuracy
from classy_aesop.answers.scored_summaries import draw_contributions, draw_scores
from classy_aesop.pages import arrangement, drawing, sentences
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.tables.answer import Answer, draw_nothing
from classy_aesop.tables.layout import Layout, arrange_cells, cell_text, lay_out
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import MAIN
from classy_aesop.tables.wording import varying_strata


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

    @classmethod
    def of_answer(cls, answer: Answer) -> Kind:
        """Give what pages show of a declared answer."""
        return cls(
            answer.caption,
            " ".join(answer.needs),
            answer.pictures,
            " ".join(answer.drawn_together),
            answer.sentence,
            lambda rows: arrange_cells(rows, answer)[0],
            answer.max_rows,
            answer.name_best,
        )


NEAR = 0.01
"""Subsets whose score is at most this much below the best one are near ties."""


def answer_of(result: Result) -> Answer | None:
    """Give what is declared of a result, or of its kind where it was made without an answer."""
    return result.answer or declared_answer(result.kind)


def kind_of(result: Result) -> Kind:
    """Give what is known of a result's kind."""
    return KINDS.get(result.kind) or Kind(f"Table of {result.kind}")


def has_pictures(name: str) -> bool:
    """Whether tables of a kind are drawn."""
    return name in KINDS and KINDS[name].draw not in (Kind.draw, draw_nothing)


def readable(result: Result) -> pd.DataFrame:
    """Arrange the table of a result for human readers."""
    return kind_of(result).arrange(result.table)


def answer(result: Result) -> str:
    """Write what was found; nothing of a kind without a sentence of its own, or of no rows."""
    sentence = kind_of(result).sentence
    return sentence(result.table) if len(result.table) and sentence is not Kind.sentence else ""


def layout(result: Result) -> Layout:
    """Lay the table of a result out for readers, as its answer declares it or as lists of names say."""
    declared = answer_of(result)
    if declared is not None:
        return lay_out(result.table, declared)
    kind = kind_of(result)
    whole = kind.arrange(result.table)
    table, shared = arrangement.without_constants(whole)
    best = kind.best(table)
    main = ["metric", *best] if best else [*kind.columns.split(), *_MAIN]
    return Layout(
        kind.caption,
        lambda: answer(result),
        {name: cell_text(value) for name, value in shared.items()},
        table,
        whole,
        dict.fromkeys(main, MAIN) | dict(zip(_SELDOM, range(-len(_SELDOM), 0), strict=True)),
        best,
        [name for name in sentences.PLACES if name != "metric"],
        [name for name in _CORRECTED if name in table] or ["p"],
        is_pair={"first", "difference"} <= set(main),
    )


_MAIN = ("p_adjusted", "p_here_adjusted", "low", "high", "verdict")
"""Columns that are kept longest on a narrow screen, beside those of the kind."""

_SELDOM = (
    "seed", "statistic", "preset", "n_skipped", "low_all", "high_all", "flag", "error", "effect", "correction",
)  # fmt: skip
"""Columns that are left out first."""

_CORRECTED = ("p_adjusted", "p_here_adjusted", "p_overall", "p_by_first", "p_equivalence")
"""Columns of corrected p-values, which are marked where they are significant; without any, those of ``p``."""


def pictures(result: Result) -> Iterator[Picture]:
    """Give the pictures of a result, those of each place after another."""
    kind = kind_of(result)
    table = result.table
    declared = answer_of(result)
    if declared is None:
        varying = sentences.varying(table, but=kind.within)
    else:
        varying = varying_strata(table, declared.strata_in(table, but=declared.drawn_together))
    groups = table.groupby(varying, sort=False, dropna=False) if varying else [((), table)]
    for key, rows in groups:
        place = ", ".join(f"{name} {value}" for name, value in zip(varying, key, strict=True))
        drawn = kind.draw(rows)
        for picture in [drawn] if isinstance(drawn, Picture) else drawn:
            yield replace(picture, caption=f"{place}: {picture.caption}") if place else picture


def _runs_named(rows: pd.DataFrame) -> pd.DataFrame:
    """Name a run by its number and its fitter, and a metric by itself."""
    return rows.assign(metric=rows["metric"].where(rows["run"] == "", rows["run"] + " " + rows["fitter"]))


_ACCURACY = ("find the significant differences of humans best", "balanced accuracy")

_AGREEMENT_2013 = Kind(
    "Agreement with human decisions",
    "metric tp fn ba",
    draw_agreement,
    "metric",
    name_best_by("ba_pv", *_ACCURACY, [name for name in sentences.PLACES if name != "metric"]),
    sort_by_accuracy,
    best=lambda _: ("ba_pv",),
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
_SCORES = Kind("Scores", "topic summarizer metric score", draw_scores)
_BETTER = "{} between metrics are significant (p_overall, corrected for all pairs, at most {})."
_NOT_NORMAL = "In {} a summarizer's residuals are not normal (Shapiro-Wilk, p at most {}, not corrected)."
_DIFFERENT_ASSESSORS = (
    "In {} of a year and task some assessors score higher than others (F test, p at most {})."
)
_RANKS = "mean ranks of topics; those differ whose comparison intervals do not overlap"
_GAPS = "manual minus automatic pyramid by assessor, and its standard error over topics"
_BOTH_RANKS = "rank of each summarizer by the metric and by humans, 1 for the best"
_MEANS = "mean score and mean human score of each summarizer, with the lines of systems and of humans"

_UNDECLARED: dict[str, Kind] = {
    "": Kind("Table", arrange=lambda rows: rows),
    "study coverage": Kind(
        "Coverage of intervals",
        "method coverage error level",
        sentence=sentences.range_of("coverage", "Intervals cover the left-out value in {} of the trials."),
    ),
    "study metric-power": _POWER_CURVES,
    "study mixture-power": _POWER_CURVES,
    "study metric-intervals": Kind(
        EVALUATION.caption,
        " ".join(EVALUATION.needs),
        draw_correlations,
        "metric coefficient",
        EVALUATION.sentence,
        arrangement.without_settings,
        best=lambda _: ("value",),
    ),
    "study metric-pairs": Kind(
        "Tests of pairs of metrics",
        "first second r_first r_second p_by_first p_overall",
        draw_metric_pairs,
        sentence=sentences.count_significant(_BETTER, "difference", "p_overall"),
        arrange=arrangement.pairs,
    ),
    "study score-map": replace(_SCORES, columns="topic summarizer score row column", draw=drawing.score_map),
    "study distributions": Kind(
        "Percentiles of resampled correlations",
        "metric percent value",
        drawing.distributions,
        "metric",
    ),
    "study williams-shift": Kind("Significant pairs of metrics by Williams' test"),
    "study bleu-correlations": Kind("Rank correlations of BLEU and NIST"),
    "study total-consistency": Kind("Consistency of assessors over all years"),
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
        partial(forest_picture, caption=_GAPS, names="assessor", value="difference", error="error"),
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
        lambda rows: EVALUATION.sentence(_runs_named(rows)),
        lambda rows: arrangement.without_settings(spread_correlations(_runs_named(rows))),
        best=name_correlations,
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
        "Contributions of the columns", "metric part mean spread", draw_contributions
    ),
}
"""What is known of tables that declare no columns yet."""


class Kinds(Mapping[str, Kind]):
    """What is known of tables by their kinds; declared answers are imported when they are looked up."""

    def __getitem__(self, name: str) -> Kind:
        return Kind.of_answer(load_answer(name)) if name in DECLARED else _UNDECLARED[name]

    def __iter__(self) -> Iterator[str]:
        return iter([*_UNDECLARED, *DECLARED])

    def __len__(self) -> int:
        return len(_UNDECLARED) + len(DECLARED)


KINDS = Kinds()
