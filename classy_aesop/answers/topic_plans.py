"""How many more topics? To show that the means of two summarizers differ, or to estimate means: from a pilot."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Unpack

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import EstimateOptions, PairTest, PlanKeywords, PlanTest
from classy_aesop.answers.comparisons import compare_stratum
from classy_aesop.answers.findings import name_model
from classy_aesop.answers.metrics_and_humans import choose_measure
from classy_aesop.answers.pilots import (
    CELLS_PER_TOPIC,
    PLANNED_BY_VARIANCE,
    PairPilot,
    added_rater_variance,
    check_possible_difference,
    lacking_text,
    pilot_of_pair,
    ratings_of_cells,
    ratings_per_cell,
)
from classy_aesop.answers.score_matrices import select_rows
from classy_aesop.answers.selection import TableKeywords, TablePart
from classy_aesop.answers.strata import RatedStratum, stratify_scores
from classy_aesop.answers.tested_pairs import CLUSTERED_BY
from classy_aesop.data import natural
from classy_aesop.data.directions import set_directions
from classy_aesop.errors import InputError, UsageError, join_names
from classy_aesop.keywords import explain_keywords, take_keywords
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.reading.given_tables import ScoreTables, read_score_table
from classy_aesop.significance.planning.topics_needed import TopicsNeeded
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    SELDOM,
    TASK,
    YEAR,
    count,
    estimate,
    interval,
    item,
    optional,
    remark,
    setting,
)
from classy_aesop.tables.wording import count_text, number_text, range_text, reasons_text
from classy_aesop.work.workers import map_workers, show_progress

if TYPE_CHECKING:
    from classy_aesop.predictor import Predictor

MAX_PLANNED_PAIRS = 10
"""Most pairs that are planned for by default."""

CURVE = (1.0, 0.7, 0.5, 0.35, 0.25)
"""Differences that are planned for where none is given, beside the observed one: shares of a pair's deviation."""


# --- what the table says ---


def state_topics_needed(rows: pd.DataFrame) -> str:
    """Give the numbers of topics that are needed, for how many pairs one was found, and what the pilot cannot show."""
    n_found = rows["n_topics"].count()
    if not n_found:
        reasons = reasons_text(rows["flag"].fillna("")) if "flag" in rows else ""
        return f"No number of topics was found{reasons and f' ({reasons})'}.{name_model(rows)}"
    goal = f" with a power of {rows['wanted'].iloc[0]:g}" if "wanted" in rows else ""
    if "difference" in rows and rows["difference"].nunique() > 1:
        observed = _observed_row(rows)
        if observed is None:
            return f"{_sizes_text(rows, goal)}{name_model(rows)}"
        return f"{_row_text(observed, goal, _sizes_text(rows.drop(observed.name), goal))}{name_model(rows)}"
    if len(rows) == 1:
        return f"{_row_text(rows.iloc[0], goal)}{name_model(rows)}"
    of_pairs = f" for {n_found} of {len(rows)} pairs" if n_found < len(rows) else ""
    sizes = f" to see a difference of {rows['difference'].iloc[0]:g}" if "difference" in rows else ""
    return f"{range_text(rows['n_topics'], 'g')} topics are needed{of_pairs}{sizes}{goal}.{name_model(rows)}"


def _observed_row(rows: pd.DataFrame) -> pd.Series | None:
    """Give the row of the observed difference of a single pair; None of several, or without a plan for it."""
    if "observed" not in rows or len(rows[["first", "second"]].drop_duplicates()) > 1:
        return None
    is_observed = rows["difference"].eq(rows["observed"].abs()) & rows["n_topics"].notna()
    return rows[is_observed].iloc[0] if is_observed.any() else None


def _sizes_text(rows: pd.DataFrame, goal: str) -> str:
    """Say how many topics the smallest and the largest of several differences take."""
    by_size = rows.dropna(subset="n_topics").sort_values("n_topics").to_dict("records")
    if not by_size:
        return ""
    smallest = by_size[0]
    largest = by_size[-1]
    return (
        f"A difference of {smallest['difference']:.4g} takes {smallest['n_topics']:g} topics, one of "
        f"{largest['difference']:.4g} takes {largest['n_topics']:g}{goal}."
    )


def _row_text(row: pd.Series, goal: str, of_others: str = "") -> str:
    """Say how many topics and ratings a difference takes, how many are lacking, and what those at hand can show."""
    has_ends = pd.notna(row.get("low")) and pd.notna(row.get("high"))
    ends = f" [{row['low']:g}, {row['high']:g}]" if has_ends else ""
    size = f" to see a difference of {row['difference']:.4g}" if "difference" in row else ""
    if of_others:
        size = f" to see the observed difference of {number_text(row['difference'])}, as if it were true,"
    clusters = (
        ""
        if pd.isna(row.get("n_clusters"))
        else f" in {count_text(int(row['n_clusters']), row['clustered_by'])}"
    )
    needed = f"{row['n_topics']:g}{ends} topics{clusters} are needed{size}{goal}{lacking_text(row)}."
    return f"{needed} {of_others}".strip()


def draw_topics(rows: pd.DataFrame) -> Picture:
    """Draw the number of topics that each pair needs."""
    pair = rows["first"] + " and " + rows["second"]
    sizes = rows["difference"].map(" by {:.3g}".format) if pair.duplicated().any() else ""
    caption = "topics needed to detect the difference, with their interval"
    return forest_picture(rows.assign(pair=pair + sizes), caption, "pair", "n_topics")


POWER = Answer(
    name="power",
    caption="Topics needed",
    question="How many topics are needed?",
    columns=(
        YEAR,
        TASK,
        METRIC,
        item("first", "a summarizer"),
        item("second", "the summarizer that it is compared with"),
        count("n_observed", "topics that both have now"),
        item("observed", "their mean difference now", "float", priority=SELDOM),
        *interval(
            "observed_low", "observed_high", "the observed difference", cell="observed", priority=SELDOM
        ),
        item("difference", "size of the difference of means that should be seen", "float", priority=0),
        estimate("n_topics", "topics that show it; missing if no number was found", "int", priority=MAIN),
        *interval(
            "low", "high", "the number of topics (95 % of what so few leave possible)", "int", priority=MAIN
        ),
        estimate("n_more", "topics more than both have now", "int", priority=MAIN),
        estimate("n_ratings", "ratings of the two in all, with as many a cell as now", "int", priority=MAIN),
        estimate("power", "chance to find the difference on so many topics", priority=MAIN),
        estimate("power_now", "the same on the topics that both have now"),
        estimate("error", "Monte Carlo standard error of a simulated power", priority=2 * SELDOM),
        remark("flag", "why no number was found", priority=3 * SELDOM),
        setting("test", "the test of two summarizers", shown="always"),
        setting("wanted", "wanted power", "float"),
        setting("seed", "of the simulations", "int", shown="always", priority=SELDOM),
        *optional(
            estimate(
                "n_clusters",
                "clusters that so many topics lie in, with as many each as now",
                "int",
                priority=MAIN,
            ),
            CLUSTERED_BY,
        ),
    ),
    sentence=state_topics_needed,
    pictures=draw_topics,
)

# --- from scores to the table ---


class KeywordsOfPlans(PlanKeywords, TableKeywords):
    """What `power` takes by name."""


@explain_keywords(
    PlanTest,
    TablePart,
    effect_size="difference=",
    preset="test='wilcoxon'",
    n_topics="difference=; the number of topics is what is planned",
)
def power(
    judgments: ScoreTables,
    metric: str | Sequence[str] | None = None,
    difference: float | None = None,
    *,
    scores: ScoreTables | None = None,
    target: str | None = None,
    systems: Sequence[str] | None = None,
    predictor: Predictor | None = None,
    n_jobs: int = 1,
    progress: bool = False,
    **options: Unpack[KeywordsOfPlans],
) -> Result:
    """Plan how many topics are needed, and how many more than there are.

    By default the topics that show that the means of two summarizers differ. With scores of everything, a predictor or
    a width, the judged topics that make estimates of all means as precise as wanted, see :func:`estimate`.

    Parameters
    ----------
    judgments
        As for :func:`compare`, or for :func:`estimate`: a pilot, or the judgments of another year.
    metric : str, or sequence of str, optional
        The metric or human measure that a future evaluation will use; with ``scores`` which of them are used.
    difference : float, optional
        Size of the difference of means that is to be detected; not 0. Its sign is the observed one. By default the
        observed difference of each pair, as if it were true, and the shares `CURVE` of the standard deviation of the
        pair's differences; of estimates none.
    scores : DataFrame, optional
        A score table with a score of each metric for every summarizer on every topic, as for :func:`estimate`.
    target : str, optional
        The human measure that is estimated; without scores another word for ``metric``.
    predictor
        As for :func:`estimate`.
    systems : sequence of str, optional
        Summarizers whose pairs are planned for, two or more; by default all, if that makes at most `MAX_PLANNED_PAIRS`
        pairs. Estimates are of all.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.
    **options
        What is planned: the fields of :class:`classy_aesop.answers.answer_options.PlanTest`. And which part of the
        tables is used: the fields of :class:`classy_aesop.answers.selection.TablePart`. Tests of means are planned by
        the variance of a difference on one topic, without simulation; others by drawing the topics at hand again.
        Nothing is corrected for several pairs, and intervals of estimates have the confidence 1 - ``alpha``.
        ``raters_per_summary`` needs single ratings by several assessors, and a test of means.

    Returns
    -------
    Result
        A row a year, task, pair and difference; `POWER` declares its columns. ``low, high`` are the ends between which
        the number lies for 95 % of what so few topics leave possible. Without an answer
        ``n_topics`` is missing and ``flag`` says why; a pair whose difference the data do not identify has one row.
        Of estimates a row a number of topics; `classy_aesop.answers.estimate_plans.PRECISION` declares its columns.
        ``needed`` is missing if no number reaches what is wanted, or nothing is; ``settled`` if no number separates
        the best summarizer from the next with the wanted power, where they are as far apart as they seem now. Where
        everything is judged, both, and ``difference``, are those of this pair without scores.

    Raises
    ------
    UsageError
        There is no such metric, year, task or summarizer; too many pairs and none named; a difference of 0, or one
        of 1 and more of scores that pass or fail; not 0 < alpha < power < 1; or an option of pairs with estimates, or
        of estimates without any.
    InputError
        Fewer than two summarizers; for estimates as :func:`estimate`.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3, 4] * 2, "system": sorted("ab" * 4)})
    >>> table["quality"] = [5, 4, 5, 3, 3, 3, 4, 4]
    >>> plan = power(table, "quality", difference=1)
    >>> plan.table[["first", "second", "observed", "n_topics", "n_more", "n_ratings"]].values.tolist()
    [['a', 'b', 0.75, 15, 11, 30]]
    >>> scores = table.drop(columns="quality").assign(rouge=[0.4, 0.3, 0.4, 0.2, 0.2, 0.1, 0.3, 0.2])
    >>> plan = power(table, scores=scores, target="quality", width=1.0)
    >>> plan.table[["n_topics", "n_more", "n_ratings", "needed"]].values.tolist()[:2]
    [[2, 0, 4, 6], [3, 0, 6, 6]]
    """
    if difference is not None and (difference == 0 or not math.isfinite(difference)):
        raise UsageError(f"difference is {difference}; expected a number that is not 0")
    plan = take_keywords(options, PlanTest)
    part = take_keywords(options, TablePart)
    has_both = target is not None and metric is not None
    if scores is not None or plan.width is not None or predictor is not None or has_both:
        if plan.test is not None or systems is not None:
            raise UsageError(
                "test and systems are of pairs; expected neither with scores, width or predictor"
            )
        from classy_aesop.answers.estimate_plans import plan_estimates

        planned = EstimateOptions(
            predictor=predictor, population=plan.population, confidence=1 - plan.alpha, seed=plan.seed
        )
        if scores is None and target is None:
            target = _only_measure(metric)
            metric = None
        goals = {"width": plan.width, "difference": difference}
        return plan_estimates(
            judgments, scores, planned, plan, target=target, metric=metric, part=part, goals=goals
        )
    if plan.population is not None:
        raise UsageError("population is of estimates; expected scores, width or predictor too")
    (table,) = set_directions([read_score_table(judgments, columns=part.columns)], part.lower_is_better)
    measure = choose_measure(table, _only_measure(target or metric), "metric")
    strata = stratify_scores(table, measure, part.year, part.task)
    pairs = _planned_pairs({name for stratum in strata for name in stratum.systems}, systems)
    return _plan_pairs(table, strata, pairs, difference, plan, n_jobs=n_jobs, progress=progress)


def _only_measure(names: str | Sequence[str] | None) -> str | None:
    """Give the only measure that is named, if any."""
    if names is None or isinstance(names, str):
        return names
    if len(names) != 1:
        raise UsageError(f"metric is {join_names(names)}; expected one, whose topics are planned")
    return names[0]


def _plan_pairs(
    scores: pd.DataFrame,
    strata: Sequence[RatedStratum],
    pairs: Sequence[tuple[str, str]],
    difference: float | None,
    options: PlanTest,
    *,
    n_jobs: int,
    progress: bool,
) -> Result:
    """Plan the topics that show the difference of each pair."""
    metric = strata[0].cells.metric
    if difference is not None:
        for stratum in strata:
            check_possible_difference(difference, stratum)
    pilots = [pilot for stratum in strata for pilot in _pilots_of_stratum(stratum, pairs, options.pair_test)]
    simulated_tests = [pilot.test for pilot in pilots if pilot.test not in PLANNED_BY_VARIANCE]
    if options.raters_per_summary is not None:
        if simulated_tests:
            raise UsageError(
                f"raters_per_summary needs a test of means, and {simulated_tests[0]} is planned by its draws"
            )
        added = added_rater_variance(scores, metric, options.raters_per_summary)
        pilots = [pilot.add_variance(CELLS_PER_TOPIC * added) for pilot in pilots]
    work = [(pilot, size) for pilot in pilots for size in _planned_sizes(pilot, difference)]
    done = map_workers(partial(PairPilot.plan, options=options), work, n_jobs=n_jobs)
    plans = show_progress(done, "topics needed", "pairs", shown=progress, total=len(work))
    rows = [
        _plan_row(pilot, size, plan, scores, options.raters_per_summary)
        for (pilot, size), plan in zip(work, plans, strict=True)
    ]
    simulation: dict[str, int | None] = {"n_trials": None, "seed": None}
    if simulated_tests:
        simulation = {"n_trials": options.n_trials, "seed": options.seed}
    table = pd.DataFrame(rows).assign(wanted=options.power, seed=simulation["seed"])
    whole_numbers = [column.name for column in POWER.columns if column.type == "int" and column.name in table]
    table[whole_numbers] = table[whole_numbers].astype("Int64")
    return make_answer_result(
        POWER,
        table,
        simulation,
        metric=metric,
        power=options.power,
        test=options.test or "auto",
        alpha=options.alpha,
        **(simulation if simulated_tests else {}),
    )


def _pilots_of_stratum(
    stratum: RatedStratum, pairs: Sequence[tuple[str, str]], options: PairTest
) -> list[PairPilot]:
    """Give what a year and task say of each pair; one of whom it lacks a system has no scores."""
    numbers = [
        [stratum.systems.index(name) for name in pair] for pair in pairs if {*pair} <= {*stratum.systems}
    ]
    comparison = compare_stratum(stratum, np.array(numbers, dtype=np.int64).reshape(-1, 2), options)
    return [pilot_of_pair(comparison, *pair) for pair in pairs]


def _planned_sizes(pilot: PairPilot, difference: float | None) -> list[float]:
    """Give the sizes that are planned for: the one asked for, or the observed one and shares of the deviation.

    Shares have two digits; of a difference that is not estimable the first says so.
    """
    if difference is not None:
        return [abs(difference)]
    deviation = pilot.on_a_topic.deviation
    observed = abs(pilot.observed)
    sizes = [observed, *(float(f"{share * deviation:.2g}") for share in CURVE)]
    return [size for size in dict.fromkeys(sizes) if pilot.can_be_planned(size)] or [math.nan]


def _plan_row(
    pilot: PairPilot,
    size: float,
    plan: TopicsNeeded,
    scores: pd.DataFrame,
    raters_per_summary: int | None,
) -> dict[str, object]:
    """Give the row of a pair and a difference, with as many ratings a cell as the scores have."""
    stratum = pilot.stratum
    if raters_per_summary is not None:  # the topics at hand have other raters
        plan = replace(plan, power_now=math.nan)
    ratings = raters_per_summary or ratings_per_cell(
        scores, stratum.cells.metric, (stratum.year, stratum.task), (pilot.first, pilot.second)
    )
    planned: dict[str, int | None] = {"n_more": None, "n_ratings": None}
    if plan.n_topics is not None:
        planned = {
            "n_more": max(0, plan.n_topics - plan.n_observed),
            "n_ratings": int(ratings_of_cells(CELLS_PER_TOPIC * plan.n_topics, ratings)),
        }
    return {
        **stratum.cells.ids,
        **asdict(plan),
        "first": pilot.first,
        "second": pilot.second,
        "observed": pilot.observed,
        "observed_low": pilot.low,
        "observed_high": pilot.high,
        "difference": size,
        **planned,
        "test": pilot.test,
        **_count_clusters(pilot, plan.n_topics),
    }


def _count_clusters(pilot: PairPilot, n_topics: int | None) -> dict[str, object]:
    """Give in how many clusters the planned topics lie, and what these are called; nothing without clusters."""
    clusters = pilot.stratum.clusters
    if clusters is None:
        return {}
    n_clusters = None if n_topics is None else int(n_topics / clusters.n_topics_each)
    return {"n_clusters": n_clusters, "clustered_by": clusters.noun}


def _planned_pairs(known_systems: set[str], systems: Sequence[str] | None) -> list[tuple[str, str]]:
    """Give the pairs asked for, or all if they are few."""
    if systems is None:
        names = sorted(known_systems, key=natural)
        if len(names) < 2:
            raise InputError(f"{len(names)} summarizer; expected two or more")
        n_pairs = math.comb(len(names), 2)
        if n_pairs > MAX_PLANNED_PAIRS:
            raise UsageError(
                f"{len(names)} summarizers make {n_pairs} pairs; name two or more to plan for: "
                "--systems NAME NAME, in Python systems=[...]"
            )
        return list(itertools.combinations(names, 2))
    if len(set(systems)) < max(2, len(systems)):
        raise UsageError(f"systems are {', '.join(systems)}; expected two or more different ones")
    select_rows(pd.DataFrame({"summarizer": [*known_systems]}), "summarizer", systems)
    return list(itertools.combinations(systems, 2))
