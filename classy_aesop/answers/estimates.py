"""Mean human scores of summarizers from a part of the judgments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Unpack

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import EstimateKeywords, EstimateOptions
from classy_aesop.answers.findings import best_rows, count_differing_pairs, name_leaders
from classy_aesop.answers.judgments import JudgedStratum, judged_strata
from classy_aesop.answers.metrics_and_humans import read_judged_tables
from classy_aesop.answers.score_matrices import name_sequence
from classy_aesop.answers.selection import TableKeywords, TablePart
from classy_aesop.answers.tested_pairs import UNSEEN, check_baselines
from classy_aesop.answers.wholly_judged import (
    LEAST_SQUARES,
    compare_judged,
    difference_rows,
    mean_rows,
    rank_judged,
)
from classy_aesop.data.directions import is_lower_better
from classy_aesop.errors import UsageError
from classy_aesop.keywords import explain_keywords, take_keywords
from classy_aesop.plots.captioned import Picture, forest_picture, pairs_picture
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.choices import Margin
from classy_aesop.significance.differences import margin_ends
from classy_aesop.significance.few_judgments.direct_means import MAX_TOPICS_OF_POOR_VARIANCE
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import (
    DIRECTION_COLUMN,
    HUMAN_MEASURE,
    MAIN,
    SELDOM,
    TASK,
    YEAR,
    count,
    interval,
    item,
    optional,
    p_value,
    setting,
)
from classy_aesop.tables.result_columns import estimate as estimate_column
from classy_aesop.tables.wording import (
    interval_text,
    number_text,
    range_text,
    split_first_stratum,
)

TOPICS_OF_POPULATION: dict[str, str] = {"at-hand": "the topics at hand", "like": "topics like these"}
"""What sentences call the topics of a population."""

# --- what the tables say ---


def state_effective_topics(rows: pd.DataFrame) -> str:
    """Name the best estimated mean, and say how many topics judged alone are as precise as the estimates."""
    first, where = split_first_stratum(rows, ESTIMATES.strata_in(rows))
    extreme = "lowest" if is_lower_better(first) else "highest"
    leaders = first[best_rows(first, "estimate")]
    best = leaders.iloc[0]
    name_best = partial(name_leaders, leaders["summarizer"], first["summarizer"])
    mean = f"{number_text(best['estimate'])}{interval_text(best)}"
    if len(first) == 1 and "plain_low" in first:
        return _state_single_mean(best, where)
    population = best.get("population", "")
    topics = _topics_text(population)
    if first.get("estimator", pd.Series(dtype=str)).eq(LEAST_SQUARES).any():
        return f"{name_best(f'{extreme} mean ({mean})')}{topics}, by the judgments alone{where}."
    judged = range_text(first["n_judged"], "g")
    alone = range_text(first["worth"], "z.1f")
    rank_population = best.get("rank_population", population)
    ranks = ""
    if rank_population != population:
        ranks = f"ranks and clusters are{_topics_text(rank_population)}; "
    return (
        f"{name_best(f'{extreme} estimated mean of these ratings ({mean})')}{topics}; {ranks}"
        f"{judged} judged topics with scores are as precise as {alone} judged topics alone{where}."
        f"{_note_few_topics(first)}"
    )


def _state_single_mean(row: pd.Series, where: str) -> str:
    """Give the mean of the only summarizer, beside that of its judgments alone, and what the scores are worth."""
    topics = _topics_text(row.get("population", ""))
    mean = f"{row['summarizer']} has an estimated mean of {number_text(row['estimate'])}{interval_text(row)}{topics}"
    n_judged = int(row["n_judged"])
    if row["estimate"] == row["plain"]:
        return f"{mean}, by {n_judged} judgments alone{where}."
    plain = f"{number_text(row['plain'])}{interval_text(row, 'plain_low', 'plain_high')}"
    return (
        f"{mean}; the {n_judged} judgments alone give {plain}. With the scores they are as precise as "
        f"{row['worth']:z.1f} judgments alone{where}."
    )


def _topics_text(population: str) -> str:
    """Say for which topics numbers are; nothing of rows that do not name them."""
    return f" for {TOPICS_OF_POPULATION[population]}" if population in TOPICS_OF_POPULATION else ""


def _note_few_topics(rows: pd.DataFrame) -> str:
    """Say that intervals are wide since few topics are judged; nothing where more are, or summarizers have others."""
    n_judged = int(rows["n_judged"].iloc[0])
    if rows["n_judged"].nunique() > 1 or n_judged > MAX_TOPICS_OF_POOR_VARIANCE:
        return ""
    return (
        f" With only {n_judged} judged topics, how much topics vary is poorly estimated: intervals of means are wide, "
        "and may still hold too seldom; differences suffer less."
    )


def count_differing_means(rows: pd.DataFrame) -> str:
    """Say how many differences of estimated means are significant, and for which topics."""
    is_untested = rows.filter(["low", "p"]).isna().sum(axis=1).eq(2)
    flagged = rows.assign(flag=np.where(is_untested, "how judgments vary cannot be estimated", ""))
    counts = count_differing_pairs(flagged, DIFFERENCES.strata_in(rows))
    populations = rows.get("population", pd.Series(dtype=str)).unique()
    topics = " and".join(_topics_text(population) for population in populations)
    return f"{counts} Differences are{topics}." if topics and not is_untested.all() else counts


def draw_estimates(rows: pd.DataFrame) -> Picture:
    """Draw the estimated means of one stratum beside the means of the judgments."""
    caption = "estimated mean human scores and their intervals; crosses are the means of the judgments"
    return forest_picture(rows, caption, "summarizer", "estimate", crosses="plain")


def draw_differences(rows: pd.DataFrame) -> Picture:
    """Draw who is better than whom in one stratum."""
    return pairs_picture(rows, "who is significantly better than whom")


# --- the declared tables ---

HOW_ESTIMATED = (
    setting("estimator", "how means are estimated", shown="always"),
    setting("population", "for which topics: these (at-hand), or topics like them (like)", shown="always"),
    setting("seed", "of the draws for ranks and differences", "int", shown="always", priority=SELDOM),
)

ESTIMATES = Answer(
    name="estimate",
    caption="Estimated mean human scores",
    question="Which systems are best?",
    columns=(
        YEAR,
        TASK,
        HUMAN_MEASURE,
        item("summarizer", "who wrote the summaries"),
        count("n_judged", "judged topics", priority=MAIN),
        estimate_column("plain", "mean of the judgments, topics' effects taken out", priority=MAIN),
        estimate_column("estimate", "mean human score of these ratings", priority=MAIN),
        *interval("low", "high", "the interval of the estimate", cell="estimate", priority=MAIN),
        estimate_column("rank", "by the estimate, 1 for the best", "int"),
        *interval(
            "rank_low", "rank_high", "the interval of the rank, which holds by itself", "int", cell="rank"
        ),
        *interval(
            "together_low",
            "together_high",
            "the intervals of all ranks, which hold together",
            "int",
            shown="on request",
        ),
        estimate_column(
            "cluster", "everyone above is shown to be better than everyone in it", "int", shown="on request"
        ),
        estimate_column("effect", "estimate less the mean of all summarizers", priority=SELDOM),
        *interval("effect_low", "effect_high", "the interval of the effect", cell="effect"),
        *optional(*interval("plain_low", "plain_high", "the interval by the judgments alone", cell="plain")),
        estimate_column("worth", "fully judged topics that give plain means with such errors", priority=MAIN),
        *HOW_ESTIMATED,
        setting("rank_population", "for which topics ranks and clusters hold", shown="always"),
        DIRECTION_COLUMN,
    ),
    sentence=state_effective_topics,
    pictures=draw_estimates,
)

DIFFERENCES = Answer(
    name="estimate --differences",
    caption="Differences of estimated means",
    question="Which systems differ?",
    columns=(
        YEAR,
        TASK,
        HUMAN_MEASURE,
        item("first", "a summarizer"),
        item("second", "the summarizer that it is compared with"),
        estimate_column("difference", "estimate of the first less that of the second", priority=MAIN),
        *interval("low", "high", "the intervals of all differences, which hold together", priority=MAIN),
        p_value("p", "corrected for all pairs"),
        estimate_column("significant", "whether the interval excludes 0", "bool", priority=MAIN),
        estimate_column(
            "verdict",
            "different or undecided; with a margin also equivalent, not worse or not better",
            "text",
            priority=MAIN,
        ),
        *HOW_ESTIMATED,
        *optional(UNSEEN),
        DIRECTION_COLUMN,
    ),
    sentence=count_differing_means,
    pictures=draw_differences,
)

# --- from judgments to tables ---


class KeywordsOfEstimates(EstimateKeywords, TableKeywords):
    """What `estimate` and `estimate_differences` take by name."""


@explain_keywords(
    EstimateOptions,
    TablePart,
    differences="estimate_differences(judgments, scores)",
    plan="power(judgments, scores=scores, target=target)",
)
def estimate(
    judgments: ScoreTables,
    scores: ScoreTables | None = None,
    *,
    target: str,
    metric: str | Sequence[str] | None = None,
    **options: Unpack[KeywordsOfEstimates],
) -> Result:
    """Estimate the mean human score of every summarizer.

    Parameters
    ----------
    judgments : DataFrame
        A score table of human scores: some topics, some summarizers or any cells; ratings by several assessors are
        averaged. Where named raters vary within topics, what each adds, by the additive model of systems, topics and
        raters, is taken from its ratings first, and the errors of that are in all intervals.
    scores : DataFrame, optional
        A score table with a score of each metric for every summarizer on every topic: predictions, or metrics.
        Without it, summarizers and topics are those of the judgments.
    target : str
        The human measure.
    metric : str, or sequence of str, optional
        Which scores are used; by default all but the target. Each needs a summarizer more.
    **options
        How the means are estimated: the fields of :class:`classy_aesop.answers.answer_options.EstimateOptions`. And
        which part of the tables is used: the fields of :class:`classy_aesop.answers.selection.TablePart`; of the target
        and of metrics lower scores may be better.

    Returns
    -------
    Result
        A row a summarizer, the best first in each year and task; `ESTIMATES` declares its columns. Intervals are those
        of the mean of these ratings.

    Raises
    ------
    UsageError
        There is no such target, metric, year, task or estimator.
    InputError
        A summarizer has not every score, no judgment is of a summary with scores, or there are too few judgments.

    Warns
    -----
    DataWarning
        For judgments of summaries without scores, and years and tasks without a judgment: they are left out. For
        judgments that are all equal, or on another scale than predictions.
        For raters who cannot be separated from systems.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> judged = table.loc[table["topic"] < 3, ["topic", "system", "quality"]]
    >>> found = estimate(judged, table.drop(columns="quality"), target="quality", estimator="control-variate")
    >>> found.table[["summarizer", "plain", "estimate"]].round(2).values.tolist()
    [['a', 4.5, 4.58], ['b', 3.0, 3.01], ['c', 3.0, 2.94], ['d', 1.0, 0.96]]
    """
    settings = take_keywords(options, EstimateOptions)
    strata = _read_strata(judgments, scores, target, metric, settings, take_keywords(options, TablePart))
    ranking = rank_judged(strata, settings)
    tables = [mean_rows(stratum, ranking, settings) for stratum in strata]
    return _join_strata(ESTIMATES, strata, tables, ranking, settings)


@explain_keywords(EstimateOptions, TablePart)
def estimate_differences(
    judgments: ScoreTables,
    scores: ScoreTables | None = None,
    *,
    target: str,
    metric: str | Sequence[str] | None = None,
    baseline: str | Sequence[str] | None = None,
    equivalence: Margin | None = None,
    **options: Unpack[KeywordsOfEstimates],
) -> Result:
    """Compare the estimated means of all pairs of summarizers, or of all with a baseline.

    The differences are those of control variates (of plain means with the estimator ``plain``), which are unbiased
    whatever the scores are.

    Parameters
    ----------
    judgments, scores, target, metric, **options
        As for :func:`estimate`.
    baseline : str, or sequence of str, optional
        Compare the others with this one only, or with each of several; it is the second of each pair.
    equivalence : float or (float, float), optional
        Differences that do not matter, see :mod:`classy_aesop.significance.pairs.pair_comparisons`; ``(-0.2, inf)``
        asks who is not worse by 0.2.

    Returns
    -------
    Result
        A row a pair; `DIFFERENCES` declares its columns. With a margin a ``verdict`` is ``equivalent``, ``not worse``
        or ``not better`` where the interval is inside it.

    Raises
    ------
    UsageError, InputError
        As :func:`estimate`; or the baseline does not exist, or the margin has not 0 inside.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> judged = table.loc[table["topic"] < 3, ["topic", "system", "quality"]]
    >>> scores = table.drop(columns="quality")
    >>> found = estimate_differences(judged, scores, target="quality", baseline="a", estimator="control-variate")
    >>> found.table[["first", "second", "difference", "verdict"]].round(2).values.tolist()
    [['b', 'a', -1.57, 'undecided'], ['c', 'a', -1.64, 'undecided'], ['d', 'a', -3.62, 'different']]
    """
    settings = take_keywords(options, EstimateOptions)
    part = take_keywords(options, TablePart)
    try:
        ends = None if equivalence is None else margin_ends(equivalence)
    except ValueError as error:
        raise UsageError(str(error)) from error
    strata = _read_strata(judgments, scores, target, metric, settings, part)
    baselines = name_sequence(baseline or ())
    for stratum in strata:
        check_baselines(baselines, [("", stratum.summarizers)])
    pairs = compare_judged(strata, settings, baseline, equivalence)
    tables = [
        stratum.difference_rows(settings, baselines, ends)
        if stratum.ratings is None or pairs is None
        else difference_rows(stratum, pairs, settings)
        for stratum in strata
    ]
    return _join_strata(DIFFERENCES, strata, tables, pairs, settings)


def _read_strata(
    judgments: ScoreTables,
    scores: ScoreTables | None,
    target: str,
    metric: str | Sequence[str] | None,
    options: EstimateOptions,
    part: TablePart,
) -> list[JudgedStratum]:
    """Read judgments and scores, and lay them out by year and task."""
    judged, scored = read_judged_tables(judgments, scores, metric=metric, columns=part.columns)
    return [*judged_strata(judged, scored, target=target, metric=metric, part=part, options=options)]


def _join_strata(
    answer: Answer,
    strata: Sequence[JudgedStratum],
    tables: Sequence[pd.DataFrame],
    comparison: Result | None,
    options: EstimateOptions,
) -> Result:
    """Join the rows of all strata; where all are wholly judged, what `compare` says of them is their sentence."""
    table = pd.concat(tables, ignore_index=True)
    missing = [name for name in answer.required_names if name not in table]
    if comparison is not None and all(stratum.ratings is not None for stratum in strata):
        sentence = comparison.sentence
        answer = replace(answer, sentence=lambda _: sentence)
    return make_answer_result(
        answer,
        table.reindex(columns=[*table, *missing]),
        target=strata[0].target,
        estimator=options.estimator,
        confidence=options.confidence,
        seed=options.seed,
    )
