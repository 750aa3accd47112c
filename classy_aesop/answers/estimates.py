"""Mean human scores of summarizers from a part of the judgments, and how many judgments make them precise enough."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from classy_aesop.answers.estimate_options import EstimateOptions, Population
from classy_aesop.answers.findings import best_rows, count_differing_pairs, name_leaders
from classy_aesop.answers.judgments import JudgedStratum, NotIdentifiedError, judged_strata
from classy_aesop.answers.metrics_and_humans import read_judged_tables
from classy_aesop.answers.pair_test_options import PairTest
from classy_aesop.answers.pilots import (
    PairPilot,
    PlanRequest,
    added_rater_variance,
    check_possible_difference,
    count_ratings,
    lacking_text,
    pilot_of_leaders,
    ratings_of_cells,
    ratings_per_cell,
)
from classy_aesop.answers.strata import stratify_scores
from classy_aesop.answers.wholly_judged import (
    LEAST_SQUARES,
    compare_judged,
    difference_rows,
    mean_rows,
    rank_judged,
)
from classy_aesop.data.cells import GivenColumns
from classy_aesop.data.directions import is_lower_better
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.errors import InputError, UsageError
from classy_aesop.keywords import explain_keywords
from classy_aesop.plots.captioned import Picture, forest_picture, pairs_picture
from classy_aesop.plots.pictures import curves
from classy_aesop.predictor import Predictor
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.choices import Margin, MethodOfMeans, RaterModel
from classy_aesop.significance.equivalence import margin_ends
from classy_aesop.significance.few_judgments.direct_means import MAX_TOPICS_OF_POOR_VARIANCE
from classy_aesop.significance.planning.precision import plan_precision, plan_precision_without_pilot
from classy_aesop.significance.planning.t_test_power import detectable_difference
from classy_aesop.significance.planning.topics_needed import MAX_TOPICS
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
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
    remark,
    setting,
)
from classy_aesop.tables.result_columns import estimate as estimate_column
from classy_aesop.tables.wording import (
    first_stratum,
    interval_text,
    number_text,
    range_text,
    stratum_text,
)
from classy_aesop.work.records import signature
from classy_aesop.work.seeds import seeded_rng

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_TOPICS = 1_000
"""Most topics that are planned for, unless a difference takes more."""

STEPS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, MOST_TOPICS)
"""Numbers of topics that are shown."""

TOPICS_OF_POPULATION: dict[str, str] = {"at-hand": "the topics at hand", "like": "topics like these"}
"""What sentences call the topics of a population."""

# --- what the tables say ---


def state_effective_topics(rows: pd.DataFrame) -> str:
    """Name the best estimated mean, and say how many topics judged alone are as precise as the estimates."""
    strata = ESTIMATES.strata_in(rows)
    first = first_stratum(rows, strata)
    where = stratum_text(rows, strata)
    extreme = "lowest" if is_lower_better(first) else "highest"
    leaders = first[best_rows(first, "estimate")]
    best = leaders.iloc[0]
    name_best = partial(name_leaders, leaders["summarizer"], first["summarizer"])
    mean = f"{number_text(best['estimate'])}{interval_text(best)}"
    if pd.notna(best.get("raters_low")):
        mean += f"; of raters like these [{best['raters_low']:z.3f}, {best['raters_high']:z.3f}]"
    if first["worth"].isna().all():
        return f"{name_best(f'{extreme} mean prediction ({mean})')}; no judgment tests it yet{where}."
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
    counts = count_differing_pairs(rows, DIFFERENCES.strata_in(rows))
    populations = rows.get("population", pd.Series(dtype=str)).unique()
    topics = " and".join(_topics_text(population) for population in populations)
    return f"{counts} Differences are{topics}." if topics else counts


def state_needed_topics(rows: pd.DataFrame) -> str:
    """Say how many judged topics give the wanted width or difference, or separate the best system from the next."""
    strata = PLAN.strata_in(rows)
    first = first_stratum(rows, strata)
    where = stratum_text(rows, strata)
    last = first.sort_values("n_topics").iloc[-1]
    first_topics = first["first_topics"].iloc[0] if "first_topics" in first else ""
    begin = (
        f"Judge topics {first_topics} first, drawn at random, for every summarizer{where}. "
        if first_topics
        else ""
    )
    for column, purpose in (
        ("needed", "for estimates as precise as asked"),
        ("settled", "to separate the first from the second"),
    ):
        if first[column].notna().any():
            row = first[first["n_topics"] == first[column].dropna().iloc[0]].iloc[0]
            low = row.get(f"{column}_low")
            high = row.get(f"{column}_high")
            ends = "" if pd.isna(low) or pd.isna(high) else f" [{low:g}, {high:g}]"
            needed = f"{row['n_topics']:g}{ends} topics are needed {purpose}{lacking_text(row)}{where}."
            return f"{begin}{needed}"
    if first_topics:
        return begin.rstrip()
    unsettled = f"Not even {last['n_topics']:g} judged topics would separate the first from the second"
    return f"{unsettled}; an interval is then {last['width']:z.3f} wide{where}."


def draw_estimates(rows: pd.DataFrame) -> Picture:
    """Draw the estimated means of one stratum beside the means of the judgments."""
    caption = "estimated mean human scores and their intervals; crosses are the means of the judgments"
    return forest_picture(rows, caption, "summarizer", "estimate", crosses="plain")


def draw_differences(rows: pd.DataFrame) -> Picture:
    """Draw who is better than whom in one stratum."""
    return pairs_picture(rows, "who is significantly better than whom")


def draw_widths(rows: pd.DataFrame) -> Picture:
    """Draw how narrow an interval gets with more topics."""
    caption = "width of an interval by the number of judged topics, with the range that the pilot allows"
    caption += "; line: as narrow as asked" if rows["needed"].notna().any() else ""
    caption += "; dots: the best is separated from the next" if rows["settled"].notna().any() else ""
    return Picture(caption, partial(_draw_width_curves, rows))


def _draw_width_curves(rows: pd.DataFrame, ax: Axes) -> Axes:
    estimated = rows.assign(means="estimates", low=rows["width_low"], high=rows["width_high"])
    plain = rows.assign(means="plain", width=rows["plain_width"], low=float("nan"), high=float("nan"))
    curves(pd.concat([estimated, plain]), x="n_topics", y="width", by="means", ax=ax)
    for column, style, line_width in (("needed", "--", 0.8), ("settled", ":", 1.2)):
        for n_topics in rows[column].dropna().unique():
            ax.axvline(float(n_topics), color="#767676", lw=line_width, ls=style)
    ax.set_xscale("log")
    ticks = [n for n in (2, 5, 10, 20, 50, 100, 200, 500, 1_000) if n <= rows["n_topics"].max()]
    ax.set_xticks(ticks, [str(n) for n in ticks])
    ax.minorticks_off()
    return ax


# --- the declared tables ---

HOW_ESTIMATED = (
    setting("estimator", "how means are estimated", shown="always"),
    setting("population", "for which topics: these (at-hand), or topics like them (like)", shown="always"),
    setting("confidence", "of the intervals", "float"),
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
        *interval("low", "high", "the interval of the estimate", priority=MAIN),
        estimate_column("rank", "by the estimate, 1 for the best", "int"),
        *interval("rank_low", "rank_high", "the interval of the rank, which holds by itself", "int"),
        *interval("together_low", "together_high", "the intervals of all ranks, which hold together", "int"),
        estimate_column("cluster", "everyone above is shown to be better than everyone in it", "int"),
        estimate_column("effect", "estimate less the mean of all summarizers", priority=SELDOM),
        *interval("effect_low", "effect_high", "the interval of the effect"),
        *optional(
            *interval("raters_low", "raters_high", "the interval of the mean of raters like these"),
        ),
        estimate_column("worth", "fully judged topics that give plain means with such errors", priority=MAIN),
        *HOW_ESTIMATED,
        setting("rank_population", "for which topics ranks and clusters hold", shown="always"),
        DIRECTION_COLUMN,
    ),
    needs=("summarizer", "n_judged", "plain", "estimate", "low", "high", "worth"),
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
        DIRECTION_COLUMN,
    ),
    needs=("first", "second", "difference", "significant"),
    sentence=count_differing_means,
    pictures=draw_differences,
)

PLAN = Answer(
    name="estimate --plan",
    caption="Precision by judged topics",
    columns=(
        YEAR,
        TASK,
        HUMAN_MEASURE,
        item("n_topics", "judged topics", "int"),
        count("n_more", "topics more than are at hand"),
        count("n_ratings", "ratings of all summarizers on these topics, with as many a cell as now"),
        estimate_column("width", "of the interval of an effect", priority=MAIN),
        *interval(
            "width_low", "width_high", "the widths that the pilot leaves possible (95 %)", priority=MAIN
        ),
        estimate_column("plain_width", "of the interval of an effect by plain means", priority=MAIN),
        estimate_column("difference", "found with the wanted power"),
        *interval("difference_low", "difference_high", "the differences that the pilot leaves possible"),
        count("needed", "topics that reach what is wanted", priority=MAIN),
        count("needed_low", "the fewest of these that the pilot leaves possible"),
        count("needed_high", "the most of these that the pilot leaves possible"),
        count("settled", "topics that separate the best summarizer from the next", priority=MAIN),
        count("n_observed", "topics at hand: on which all who are judged are, or the best and the next"),
        *optional(
            remark("first_topics", "topics to judge first, drawn at random, before judgments tell anything")
        ),
        setting("power", "wanted chance to find the difference", "float", shown="always"),
        *HOW_ESTIMATED,
    ),
    needs=("n_topics", "width", "width_low", "width_high", "plain_width", "needed", "settled"),
    sentence=state_needed_topics,
    pictures=draw_widths,
)

# --- from judgments to tables ---


@explain_keywords(
    differences="estimate_differences(judgments, scores)",
    plan="estimate_plan(judgments, scores)",
)
def estimate(
    judgments: ScoreTables,
    scores: ScoreTables | None = None,
    *,
    target: str,
    metric: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
    predictor: Predictor | None = None,
    estimator: MethodOfMeans = "hierarchical",
    population: Population | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    raters: RaterModel = "model",
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
) -> Result:
    """Estimate the mean human score of every summarizer.

    Parameters
    ----------
    judgments : DataFrame
        A score table of human scores: some topics, some summarizers or any cells; ratings by several assessors are
        averaged. Where named raters vary within topics, what each adds, by the additive model of systems, topics and
        raters, is taken from its ratings first, and the errors of that are in all intervals; ``raters="ignore"``
        averages ratings as they are.
    scores : DataFrame, optional
        A score table with a score of each metric for every summarizer on every topic: predictions, or metrics.
        Without it, summarizers and topics are those of the judgments.
    target : str
        The human measure.
    metric : str, or sequence of str, optional
        Which scores are used; by default all but the target. Each needs a summarizer more.
    year, task : str, optional
        Only these; by default every one, each on its own.
    lower_is_better : str, or sequence of str, optional
        The target, if lower judgments are better, and metrics of which lower scores are, see
        :mod:`classy_aesop.data.directions`. Ranks then begin with the lowest estimate.
    predictor, estimator, population, confidence, seed, raters
        How the means are estimated, see :class:`classy_aesop.answers.estimate_options.EstimateOptions`.
    columns : mapping, optional
        What columns are, where their names do not say so, as for :func:`classy_aesop.answers.metrics.evaluate`.

    Returns
    -------
    Result
        A row a summarizer, the best first in each year and task; `ESTIMATES` declares its columns. Intervals are those
        of the mean of these ratings; where summaries have several, ``raters_low, raters_high`` is that of the mean of
        raters like these. Before judgments identify anything, the rows are the mean predictions of a predictor with
        its own intervals: the estimator is ``predictor``.

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
        judgments that are all equal, or on another scale than predictions; for what to judge first, before they tell.
        For raters who cannot be separated from systems; with ``raters="ignore"`` for raters whose shares differ
        between systems.

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
    options = EstimateOptions(
        predictor=predictor,
        estimator=estimator,
        population=population,
        confidence=confidence,
        seed=seed,
        raters=raters,
    )
    judgments, scores = read_judged_tables(judgments, scores, metric=metric, columns=columns)
    strata = judged_strata(
        judgments,
        scores,
        target=target,
        metric=metric,
        year=year,
        task=task,
        options=options,
        needs_judgments=options.predictor_of(target) is None,
        keeps_ratings=True,
        lower_is_better=lower_is_better,
    )
    return _answer_by_stratum(
        ESTIMATES,
        strata,
        options,
        estimate_rows=lambda stratum: stratum.mean_rows(options),
        compare=lambda judged: rank_judged(judged, options),
        rows_of_comparison=lambda stratum, ranking: mean_rows(stratum, ranking, options),
    )


@explain_keywords()
def estimate_differences(
    judgments: ScoreTables,
    scores: ScoreTables | None = None,
    *,
    target: str,
    metric: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
    baseline: str | None = None,
    equivalence: Margin | None = None,
    predictor: Predictor | None = None,
    estimator: MethodOfMeans = "hierarchical",
    population: Population | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    raters: RaterModel = "model",
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
) -> Result:
    """Compare the estimated means of all pairs of summarizers, or of all with a baseline.

    The differences are those of control variates (of plain means with the estimator ``plain``), which are unbiased
    whatever the scores are.

    Parameters
    ----------
    judgments, scores, target, metric, columns, predictor, estimator, population, confidence, seed, raters, year, \
    task, lower_is_better
        As for :func:`estimate`.
    baseline : str, optional
        Compare the others with this one only; it is the second of each pair.
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
    options = EstimateOptions(
        predictor=predictor,
        estimator=estimator,
        population=population,
        confidence=confidence,
        seed=seed,
        raters=raters,
    )
    try:
        ends = None if equivalence is None else margin_ends(equivalence)
    except ValueError as error:
        raise UsageError(str(error)) from error
    judgments, scores = read_judged_tables(judgments, scores, metric=metric, columns=columns)
    strata = [
        *judged_strata(
            judgments,
            scores,
            target=target,
            metric=metric,
            year=year,
            task=task,
            options=options,
            keeps_ratings=True,
            lower_is_better=lower_is_better,
        )
    ]
    for judged in strata:
        judged.check_baseline(baseline)
    return _answer_by_stratum(
        DIFFERENCES,
        strata,
        options,
        estimate_rows=lambda stratum: stratum.difference_rows(options, baseline, ends),
        compare=lambda judged: compare_judged(judged, options, baseline, equivalence),
        rows_of_comparison=lambda stratum, pairs: difference_rows(stratum, pairs, options),
    )


@explain_keywords()
def estimate_plan(
    judgments: ScoreTables,
    scores: ScoreTables | None = None,
    *,
    target: str,
    metric: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
    width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    raters_per_summary: int | None = None,
    predictor: Predictor | None = None,
    estimator: MethodOfMeans = "hierarchical",
    population: Population | None = None,
    confidence: float = 0.95,
    seed: int = 0,
    raters: RaterModel = "model",
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
) -> Result:
    """Foresee how precise estimates are from more or fewer judged topics.

    Parameters
    ----------
    judgments, scores, target, metric, columns, year, task, lower_is_better
        As for :func:`estimate`: a pilot, or the judgments of another year. Where
        judgments do not identify the means yet, the plan rests on the calibrated errors of a predictor; without one
        only the topics to judge first are named.
    width : float, optional
        Wanted width of the interval of a summarizer's effect.
    difference : float, optional
        Wanted difference of two summarizers that is found with the chance ``power``.
    raters_per_summary : int, optional
        Raters a summary; by default as many as now. Needs single ratings by several assessors.
    power : float
        The probability of detecting ``difference``, between 1 less the confidence and 1.
    predictor, estimator, population, confidence, seed, raters
        As for :func:`estimate`.

    Returns
    -------
    Result
        A row a number of topics; `PLAN` declares its columns. ``needed`` is missing if no number reaches what is
        wanted, or nothing is; ``settled`` if no number separates the best summarizer from the next with the wanted
        power, where they are as far apart as they seem now. Where everything is judged, both, and ``difference``, are
        those of :func:`power` for these two.

    Raises
    ------
    UsageError, InputError
        As :func:`estimate`; or no summary has several ratings, so that the variance of raters is unknown.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> pilot, scores = table[["topic", "system", "quality"]], table.drop(columns="quality")
    >>> found = estimate_plan(pilot, scores, target="quality", width=1.0, estimator="control-variate")
    >>> found.table[["n_topics", "width", "plain_width"]].round(2).values.tolist()[:2]
    [[2.0, 1.52, 1.73], [3.0, 1.13, 1.22]]
    """
    options = EstimateOptions(
        predictor=predictor,
        estimator=estimator,
        population=population,
        confidence=confidence,
        seed=seed,
        raters=raters,
    )
    if not options.alpha < power < 1:
        raise UsageError(f"power is {power}; expected between {options.alpha:g} and 1")
    judgments, scores = read_judged_tables(judgments, scores, metric=metric, columns=columns)
    added_variance = 0.0
    if raters_per_summary is not None:
        added_variance = added_rater_variance(judgments, target, raters_per_summary, raters)
    goals = {"width": width, "difference": difference}
    strata = judged_strata(
        judgments,
        scores,
        target=target,
        metric=metric,
        year=year,
        task=task,
        options=options,
        needs_judgments=False,
        lower_is_better=lower_is_better,
        keeps_ratings=True,
    )
    request = PlanRequest(
        pair_test=PairTest(alpha=options.alpha, raters=raters), power=power, max_topics=MAX_TOPICS
    )
    counts = count_ratings(judgments, target)
    tables = []
    for judged in strata:
        stratum_year, stratum_task, _ = judged.names
        pilot = None
        if judged.ratings is not None:
            (rated,) = stratify_scores(
                judged.ratings, target, stratum_year, stratum_task, lower_is_better=lower_is_better
            )
            if difference is not None:
                check_possible_difference(difference, rated)
            pilot = pilot_of_leaders(rated, request.pair_test)
            if raters_per_summary is not None:
                pilot = pilot.add_variance(2 * added_variance)
        table = _plan_stratum(judged, pilot, options, request, added_variance, goals)
        ratings = raters_per_summary or ratings_per_cell(
            counts, stratum_year, stratum_task, judged.summarizers
        )
        n_ratings = ratings_of_cells(len(judged.summarizers) * table["n_topics"], ratings)
        tables.append(
            table.assign(n_ratings=n_ratings if np.isnan(n_ratings).any() else n_ratings.astype(int))
        )
    return _make_estimates_result(PLAN, tables, options)


def _answer_by_stratum(
    answer: Answer,
    strata: Iterable[JudgedStratum],
    options: EstimateOptions,
    *,
    estimate_rows: Callable[[JudgedStratum], pd.DataFrame],
    compare: Callable[[Sequence[JudgedStratum]], Result],
    rows_of_comparison: Callable[[JudgedStratum, Result], pd.DataFrame],
) -> Result:
    """Answer by estimates or, where everything is judged, by what `compare` says of the judgments, in its sentence."""
    strata = list(strata)
    judged = [stratum for stratum in strata if stratum.ratings is not None]
    if not judged:
        return _make_estimates_result(answer, [estimate_rows(stratum) for stratum in strata], options)
    comparison = compare(judged)
    tables = [
        rows_of_comparison(stratum, comparison) if stratum.ratings is not None else estimate_rows(stratum)
        for stratum in strata
    ]
    result = _make_estimates_result(answer, tables, options)
    if len(judged) < len(strata):
        return result
    return replace(result, answer=replace(answer, sentence=lambda _: comparison.sentence))


def _make_estimates_result(
    answer: Answer, tables: Sequence[pd.DataFrame], options: EstimateOptions
) -> Result:
    """Join the rows of all years and tasks into the result of an answer about estimates."""
    table = pd.concat(tables, ignore_index=True)
    missing = [name for name in answer.required_names if name not in table]
    table = answer.order_columns(table.reindex(columns=[*table, *missing]))
    if "first_topics" in table and not table["first_topics"].any():
        table = table.drop(columns="first_topics")
    settings = {"estimator": options.estimator, "confidence": options.confidence, "seed": options.seed}
    target = table["metric"].iat[0]
    recorded = signature(command=answer.name, target=target, raters=options.raters, **settings)
    return Result(drop_empty_stratum_columns(table), signature=recorded, answer=answer)


def _plan_stratum(
    stratum: JudgedStratum,
    pilot: PairPilot | None,
    options: EstimateOptions,
    request: PlanRequest,
    added_variance: float,
    goals: dict[str, float | None],
) -> pd.DataFrame:
    """Plan for one year and task: from its judgments or, where these identify nothing, from a predictor's errors.

    Where everything is judged, ``pilot`` is of the best and the next system, and says when a difference is found.
    ``added_variance`` is what a changed number of raters adds to the variance of a judgment.
    """
    n_systems = len(stratum.summarizers)
    alpha = options.alpha
    first_topics: Sequence[str] = ()
    unit = 1.0
    method = str(options.estimator)
    observed_gap = np.nan
    planned = {}
    if pilot is not None:
        options = replace(options, population="like")
        planned = _topics_by_pilot(pilot, request, goals["difference"])
    try:
        means = stratum.estimate_means(options)
    except NotIdentifiedError:
        if stratum.f is None:
            raise
        first_topics = stratum.choose_first_topics(options)
        calibration = (
            options.predictor.calibration if options.predictor is not None and len(stratum.f) == 1 else None
        )
        errors = (np.nan, np.nan) if calibration is None else calibration.variances()
        n = np.array([len(first_topics)]) if np.isnan(errors).any() else np.arange(2, len(stratum.topics) + 1)
        precision = plan_precision_without_pilot(errors, n_systems, n, power=request.power, alpha=alpha)
    else:
        if np.isinf(means.direct.variance_inflation):
            raise InputError(
                "a plan needs judgments that differ beyond summarizers and topics; judge more topics first"
            )
        n = np.arange(2, (means.direct.n_topics if means.direct.finite else MOST_TOPICS) + 1)
        n = np.union1d(n, [number for number in planned.values() if number is not None]).astype(np.int64)
        method = means.method
        unit = abs(stratum.unit)
        observed_gap = unit * float(np.ptp(np.sort(means.mean)[-2:]))
        rng = seeded_rng(options.seed, "plan", *stratum.names)
        precision = plan_precision(
            means, n, rng, rater_variance=added_variance / unit / unit, power=request.power, alpha=alpha
        )
    judged = ~np.isnan(stratum.y)
    n_observed = int(judged[judged.any(axis=1)].all(axis=0).sum()) if judged.any() else 0
    if pilot is not None:
        n_observed = len(pilot.on_a_topic.differences)
    values: dict[str, object] = {"n_topics": n, "n_more": np.maximum(n - n_observed, 0)}
    for name in ("width", "difference"):
        ends = unit * getattr(precision, name).T
        values |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
    table = pd.DataFrame({**values, "plain_width": unit * precision.plain_width})
    if pilot is None:
        needed = {f"needed{end}": _fewest_topics_for(table, end, goals) for end in ENDS}
        needed["settled"] = _fewest_topics_for(table, "", {"difference": observed_gap})
    else:
        needed = _add_topics_for_width(planned, table, goals)
    shown = table[table["n_topics"].isin({*STEPS, n[-1], *filter(None, needed.values())})]
    if pilot is not None:
        shown = shown.assign(**_detectable_differences(shown["n_topics"], pilot, request))
    whole = {name: pd.array([value] * len(shown), dtype="Int64") for name, value in needed.items()}
    shown = shown.assign(
        **whole, n_observed=n_observed, first_topics=", ".join(first_topics), power=request.power
    )
    return stratum.label_rows(shown, options, method)


ENDS = ("", "_low", "_high")
"""Of a number, and of the ends of its interval."""


def _topics_by_pilot(
    pilot: PairPilot, request: PlanRequest, difference: float | None
) -> dict[str, int | None]:
    """Find the topics that show a wanted difference, and those that show the observed one, as `power` does."""
    observed = pilot.plan(abs(pilot.observed), request)
    wanted: list[int | None] = [None, None, None]
    if difference is not None:
        plan = pilot.plan(abs(difference), request)
        wanted = [plan.n_topics, plan.low, plan.high]
    return {f"needed{end}": number for end, number in zip(ENDS, wanted, strict=True)} | {
        "settled": observed.n_topics
    }


def _add_topics_for_width(
    planned: dict[str, int | None], table: pd.DataFrame, goals: dict[str, float | None]
) -> dict[str, int | None]:
    """Give the topics that show a wanted difference and also reach a wanted width."""
    if goals["width"] is None:
        return planned
    needed = dict(planned)
    for end in ENDS:
        for_width = _fewest_topics_for(table, end, {"width": goals["width"]})
        for_difference = planned[f"needed{end}"] if goals["difference"] is not None else 0
        if for_width is None or for_difference is None:
            needed[f"needed{end}"] = None
        else:
            needed[f"needed{end}"] = max(for_width, for_difference)
    return needed


def _detectable_differences(
    n_topics: pd.Series, pilot: PairPilot, request: PlanRequest
) -> dict[str, list[float]]:
    """Give the difference that each number of topics shows, with the ends that the pilot leaves possible."""
    ratios = (1.0, *pilot.on_a_topic.plausible_ratios())
    return {
        f"difference{end}": [
            detectable_difference(
                n, pilot.on_a_topic, ratio=ratio, target=request.power, alpha=request.pair_test.alpha
            )
            for n in n_topics
        ]
        for end, ratio in zip(ENDS, ratios, strict=True)
    }


def _fewest_topics_for(table: pd.DataFrame, end: str, goals: dict[str, float | None]) -> int | None:
    """Find the fewest topics whose width and difference, or these ends of them, are at most the goals."""
    reached = [table[name + end] <= value for name, value in goals.items() if value is not None]
    enough = np.all(reached, axis=0) & bool(reached)
    return int(table["n_topics"].to_numpy()[enough.argmax()]) if enough.any() else None
