"""How many topics show that the means of two summarizers differ? From scores that are there, a pilot."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.answers.comparisons import choose_test, fit_stratum, reasons_not_estimable
from classy_aesop.answers.metrics_and_humans import choose_measure
from classy_aesop.answers.pair_test_options import PairTest
from classy_aesop.answers.pair_wording import name_model
from classy_aesop.answers.score_matrices import select_rows, select_scores
from classy_aesop.answers.strata import RatedStratum, stratify_scores
from classy_aesop.answers.topic_plan_options import PlanTest
from classy_aesop.data import natural
from classy_aesop.data.cells import Fields
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.errors import InputError, UsageError
from classy_aesop.keywords import explain_keywords
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.reading.given_tables import ScoreTables, read_score_table
from classy_aesop.significance.additive.contrasts import variance_on_a_topic
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import ALPHA, Preset, RaterModel, SystemTest
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import round_to_zero, rounding_slack, shift_near_zero
from classy_aesop.significance.flags import NOT_CONNECTED
from classy_aesop.significance.pairs.lowest_p import lowest_possible_p
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
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
    remark,
    setting,
)
from classy_aesop.tables.wording import count_text, range_text, reasons_text
from classy_aesop.work.records import signature
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import map_workers, show_progress

MAX_PLANNED_PAIRS = 10
"""Most pairs that are planned for by default: each takes a second or two."""

CURVE = (1.0, 0.7, 0.5, 0.35, 0.25)
"""Differences that are planned for where none is given, as shares of the standard deviation of a pair's differences."""


# --- what the table says ---


def state_topics_needed(rows: pd.DataFrame) -> str:
    """Give the numbers of topics that are needed, for how many pairs one was found, and what the pilot cannot show."""
    needed = f"{_range_of_topics(rows)}{name_model(rows)}"
    if "p_least" not in rows:
        return needed
    too_few = rows[~is_significant(rows["p_least"], rows["alpha"].iloc[0])]
    if too_few.empty:
        return needed
    n_topics = int(too_few["n_observed"].max())
    topics = f"{count_text(n_topics, 'topic')} at hand {'allows' if n_topics == 1 else 'allow'}"
    return f"{needed} The {topics} no p below {too_few['p_least'].min():.3g}, whatever the difference."


def _range_of_topics(rows: pd.DataFrame) -> str:
    """Give the least and the greatest number of topics."""
    n_found = rows["n_topics"].count()
    if not n_found:
        reasons = reasons_text(rows["flag"].fillna("")) if "flag" in rows else ""
        return f"No number of topics was found{reasons and f' ({reasons})'}."
    goal = f" with a power of {rows['wanted'].iloc[0]:g}" if "wanted" in rows else ""
    if "difference" in rows and rows["difference"].nunique() > 1:
        by_size = rows.dropna(subset="n_topics").sort_values("n_topics").to_dict("records")
        fewest = by_size[0]
        largest = by_size[-1]
        return (
            f"A difference of {fewest['difference']:g} takes {fewest['n_topics']:g} topics, one of "
            f"{largest['difference']:g} takes {largest['n_topics']:g}{goal}."
        )
    of_pairs = f" for {n_found} of {len(rows)} pairs" if n_found < len(rows) else ""
    ends = rows[["low", "high"]].iloc[0] if len(rows) == 1 and "low" in rows else pd.Series(dtype=float)
    between = f" [{ends['low']:g}, {ends['high']:g}]" if ends.notna().sum() == 2 else ""
    sizes = f" to see a difference of {rows['difference'].iloc[0]:g}" if "difference" in rows else ""
    needed = f"{range_text(rows['n_topics'], 'g')}{between} topics are needed{of_pairs}{sizes}{goal}"
    return f"{needed}{_more_text(rows) if len(rows) == 1 else ''}."


def _more_text(rows: pd.DataFrame) -> str:
    """Say how many topics and ratings are lacking, and what those at hand can show."""
    if "n_more" not in rows or rows["n_more"].isna().any():
        return ""
    row = rows.iloc[0]
    now = "" if pd.isna(row["power_now"]) else f", whose power is {row['power_now']:.2f}"
    if not row["n_more"]:
        return f"; {row['n_observed']} are at hand{now}"
    return f": {row['n_more']} more than the {row['n_observed']} at hand{now}, and {row['n_ratings']} ratings in all"


def draw_topics(rows: pd.DataFrame) -> Picture:
    """Draw the number of topics that each pair needs."""
    pair = rows["first"] + " and " + rows["second"]
    sizes = rows["difference"].map(" by {:g}".format) if pair.duplicated().any() else ""
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
        estimate("observed", "their mean difference now"),
        item(
            "difference", "mean of the first less mean of the second that should be seen", "float", priority=0
        ),
        estimate("n_topics", "topics that show it; missing if no number was found", "int", priority=MAIN),
        *interval(
            "low", "high", "the number of topics (95 % of what so few leave possible)", "int", priority=MAIN
        ),
        estimate("n_more", "topics more than both have now", "int", priority=MAIN),
        estimate("n_ratings", "ratings of the two in all, with as many a topic as now", "int", priority=MAIN),
        estimate("power", "chance to find the difference on so many topics", priority=MAIN),
        estimate("power_now", "the same on the topics that both have now"),
        estimate("error", "Monte Carlo standard error of the power", priority=2 * SELDOM),
        remark("flag", "why no number was found", priority=3 * SELDOM),
        estimate("p_least", "least p that the topics at hand allow; 0 without a limit", shown="never"),
        setting("test", "the test of two summarizers", shown="always"),
        setting("test_reason", "why this test was used", shown="never"),
        setting("preset", "how the test is computed", priority=SELDOM),
        setting("alpha", "a difference is significant if its p is at most this", "float"),
        setting("wanted", "wanted power", "float"),
        setting("n_trials", "simulated evaluations", "int"),
        setting("seed", "of the simulations", "int", shown="always", priority=SELDOM),
    ),
    needs=("first", "second", "n_topics", "power", "low", "high"),
    sentence=state_topics_needed,
    pictures=draw_topics,
)

# --- from scores to the table ---


@explain_keywords(
    effect_size="difference=",
    n_topics="difference=; the number of topics is what is planned",
    target="metric=",
)
def power(
    scores: ScoreTables,
    metric: str | None = None,
    difference: float | None = None,
    *,
    systems: Sequence[str] | None = None,
    columns: Fields | None = None,
    power: float = 0.8,
    test: SystemTest | None = None,
    preset: Preset = "standard",
    raters: RaterModel = "model",
    alpha: float = ALPHA,
    year: str | None = None,
    task: str | None = None,
    max_topics: int = 2_000,
    n_trials: int = 2_000,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Plan for pairs of summarizers how many topics are needed to show that their means differ.

    Parameters
    ----------
    scores, metric, columns
        As for :func:`compare`; the metric or human measure that a future evaluation will use.
    difference : float, optional
        Mean of the first less mean of the second that is to be detected; not 0. By default the shares `CURVE` of the
        standard deviation of each pair's differences.
    systems : sequence of str, optional
        Summarizers whose pairs are planned for, two or more; by default all, if that makes at most `MAX_PLANNED_PAIRS`
        pairs.
    power : float
        The probability that an evaluation detects the difference, between ``alpha`` and 1.
    test, preset, raters
        As for :func:`compare` of the pair alone. Where the two were not rated on the same topics by the same raters,
        the variance of their difference is that of the additive model of all scores, and the plan is for a t-test of
        topics that both will have.
    alpha, max_topics, n_trials
        As for :func:`classy_aesop.significance.planning.topics_needed.topics_needed`; nothing is corrected for
        several pairs.
    seed : int
        Of the trials.
    year, task : str, optional
        Only these.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Result
        A row a year, task, pair and difference; `POWER` declares its columns. ``low, high`` are the ends between which
        the number lies for 95 % of what so few topics leave possible, in spite of Monte Carlo error. Without an answer
        ``n_topics`` is missing and ``flag`` says why; a pair whose difference the data do not identify has one row.

    Raises
    ------
    UsageError
        There is no such metric, year, task or summarizer; too many pairs and none named; a difference of 0, or not
        0 < alpha < power < 1.
    InputError
        Fewer than two summarizers.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3, 4] * 2, "system": sorted("ab" * 4)})
    >>> table["quality"] = [5, 4, 5, 3, 3, 3, 4, 4]
    >>> plan = power(table, "quality", difference=1, n_trials=200)
    >>> plan.table[["first", "second", "observed", "n_topics"]].values.tolist()
    [['a', 'b', 0.75, 15]]
    """
    if difference is not None and (difference == 0 or not math.isfinite(difference)):
        raise UsageError(f"difference is {difference}; expected a number that is not 0")
    PlanTest(
        power=power,
        test=test,
        alpha=alpha,
        raters=raters,
        preset=preset,
        max_topics=max_topics,
        n_trials=n_trials,
        seed=seed,
    )
    scores = read_score_table(scores, columns=columns)
    metric = choose_measure(scores, metric, "metric")
    pair_test = PairTest(test=test, preset=preset, raters=raters, alpha=alpha)
    pairs = _planned_pairs(select_scores(scores, [metric], year, task), systems)
    request = PlanRequest(
        pair_test=pair_test, power=power, max_topics=max_topics, n_trials=n_trials, seed=seed
    )
    sizes = [(None, difference)] if difference is not None else [(share, None) for share in CURVE]
    strata = stratify_scores(scores, metric, year, task)
    work = [(stratum, *pair, *size) for stratum in strata for pair in pairs for size in sizes]
    done = map_workers(partial(_plan_pair, request=request), work, n_jobs=n_jobs)
    plans = show_progress(done, "topics needed", "pairs", shown=progress, total=len(work))
    whole_numbers = [column.name for column in POWER.columns if column.type == "int"]
    rows = pd.DataFrame(list(plans))
    table = POWER.order_columns(rows.astype(dict.fromkeys(whole_numbers, "Int64")))
    recorded = {name: value for name, value in pair_test.recorded().items() if name in PLANNED_BY}
    signed = signature(
        command=POWER.name, metric=metric, power=power, n_trials=n_trials, seed=seed, **recorded
    )
    return Result(
        drop_empty_stratum_columns(table.drop_duplicates(ignore_index=True)), signature=signed, answer=POWER
    )


PLANNED_BY = ("test", "alpha", "raters", "preset")
"""Options of a test of pairs that plans depend on."""


PLANNED_BY_VARIANCE = ("paired_t", "additive")
"""Tests of means, whose power follows from the variance of a difference."""


def _count_more(n_topics: int | None, n_observed: int, n_ratings: int) -> dict[str, int | None]:
    """Count the topics that are lacking, and the ratings in all, with as many a topic as now."""
    if n_topics is None or not n_observed:
        return {"n_more": None, "n_ratings": None}
    in_all = math.ceil(n_topics * n_ratings / n_observed)
    return {"n_more": max(0, n_topics - n_observed), "n_ratings": max(n_ratings, in_all)}


SYSTEMS_OF_PAIR = 2
"""Systems of a pair."""


@dataclass(frozen=True, kw_only=True)
class PlanRequest:
    """What is planned for: the test, the wanted power, and how far it is searched."""

    pair_test: PairTest
    power: float
    max_topics: int
    n_trials: int
    seed: int


def _plan_pair(
    stratum: RatedStratum,
    first: str,
    second: str,
    share: float | None,
    difference: float | None,
    *,
    request: PlanRequest,
) -> dict[str, object]:
    """Plan for one pair of one year and task; a summarizer that the stratum lacks has no scores.

    The difference is given, or a share of the standard deviation of the pair's differences, in two digits.
    """
    from classy_aesop.significance.planning.pilot_variance import degrees_of_freedom, variance_of_passes
    from classy_aesop.significance.planning.t_test_power import t_test_power, topics_needed_for_variance
    from classy_aesop.significance.planning.topics_needed import topics_needed

    options = request.pair_test
    present = [stratum.systems.index(name) for name in (first, second) if name in stratum.systems]
    test, reason = (
        choose_test(options, stratum.select_systems(present)) if present else (options.usual_test, "complete")
    )
    absent = np.full(len(stratum.cells.topics), np.nan)
    X = shift_near_zero(stratum.cells.X)
    x = X[stratum.systems.index(first)] if first in stratum.systems else absent
    y = X[stratum.systems.index(second)] if second in stratum.systems else absent
    differences = (x - y)[~np.isnan(x - y)]
    variance = float(differences.var(ddof=1)) if len(differences) > 1 else 0.0
    observed = float(differences.mean()) if len(differences) else math.nan
    df = degrees_of_freedom(differences) if variance > 0 else float(len(differences) - 1)
    reason_without_plan = ""
    if test == "additive" and len(present) == SYSTEMS_OF_PAIR:
        observed, variance, df, reason_without_plan = _pilot_of_model(stratum, first, second, options)
    observed = float(round_to_zero(np.asarray(observed), rounding_slack(X)))
    if difference is None:
        if share is None:
            raise ValueError("expected a difference, or a share of its standard deviation")
        difference = float(f"{share * math.sqrt(variance):.2g}") or share  # who never differ need any size
    is_single_pass = stratum.is_pass_or_fail and (stratum.attempts is None or not variance)
    if test == "paired_t" and len(differences) > 1 and is_single_pass and abs(difference) < 1:
        variance = variance_of_passes(differences, math.copysign(difference, observed or difference))
        df = degrees_of_freedom(np.append(differences, [1.0, -1.0]))
    power_now = math.nan
    if test in PLANNED_BY_VARIANCE:
        plan = topics_needed_for_variance(
            variance,
            df,
            difference,
            n_observed=len(differences),
            target=request.power,
            alpha=options.alpha,
            max_topics=request.max_topics,
        )
        plan = replace(plan, flag=reason_without_plan or plan.flag)
        if variance > 0 and len(differences) > 1:
            power_now = float(
                t_test_power(np.array([float(len(differences))]), difference, variance, alpha=options.alpha)[
                    0
                ]
            )
    else:
        plan = topics_needed(
            x,
            y,
            math.copysign(difference, observed or difference),
            target=request.power,
            test=test,
            preset=options.preset,
            alpha=options.alpha,
            max_topics=request.max_topics,
            n_trials=request.n_trials,
            rng=seeded_rng(request.seed, *stratum.cells.names, first, second),
        )
    return {
        **stratum.cells.ids,
        **plan.to_dict(),
        "first": first,
        "second": second,
        "observed": observed,
        "difference": difference,
        "power_now": power_now,
        **_count_more(plan.n_topics, len(differences), stratum.count_ratings(present)),
        "p_least": 0.0 if test in PLANNED_BY_VARIANCE else _least_p_of_pilot(x, y, test, options),
        "test": test,
        "test_reason": reason,
        "preset": options.preset,
        "alpha": options.alpha,
        "wanted": request.power,
        "n_trials": request.n_trials,
        "seed": request.seed,
    }


def _least_p_of_pilot(x: FloatArray, y: FloatArray, test: str, options: PairTest) -> float:
    """Give the least possible p of the test on the topics that both have, reached if all differences have one sign."""
    n_shared = int((~np.isnan(x + y)).sum())
    if n_shared < 2:
        return 1.0
    X = np.array([np.arange(1.0, n_shared + 1), np.zeros(n_shared)])
    tests = compare_pairs(X, test=test, preset=options.preset, confidence=None, correction="none")
    return float(lowest_possible_p(X, tests, preset=options.preset)[0])


def _pilot_of_model(
    stratum: RatedStratum, first: str, second: str, options: PairTest
) -> tuple[float, float, float, str]:
    """Give the difference in the additive model, its variance on one topic, its degrees of freedom, or why not."""
    model = fit_stratum(stratum, with_raters=options.raters == "model").model
    numbers = [stratum.systems.index(name) for name in (first, second)]
    if model.group[numbers[0]] != model.group[numbers[1]]:
        flag = np.array([NOT_CONNECTED])
        reason = reasons_not_estimable(model, np.array(numbers[:1]), np.array(numbers[1:]), flag)[0]
        return math.nan, math.nan, 0.0, str(reason)
    difference = float(model.mean[numbers[0]] - model.mean[numbers[1]])
    return difference, *variance_on_a_topic(model, *numbers), ""


def _planned_pairs(rows: pd.DataFrame, systems: Sequence[str] | None) -> list[tuple[str, str]]:
    """Give the pairs asked for, or all if they are few."""
    if systems is None:
        names = sorted(set(rows["summarizer"]), key=natural)
        if len(names) < 2:
            raise InputError(f"{len(names)} summarizer; expected two or more")
        n_pairs = math.comb(len(names), 2)
        if n_pairs > MAX_PLANNED_PAIRS:
            raise UsageError(
                f"{len(names)} summarizers make {n_pairs} pairs; name two or more to plan for (systems)"
            )
        return list(itertools.combinations(names, 2))
    if len(set(systems)) < max(2, len(systems)):
        raise UsageError(f"systems are {', '.join(systems)}; expected two or more different ones")
    select_rows(rows, "summarizer", systems)
    return list(itertools.combinations(systems, 2))
