"""How many judged topics make estimates of mean human scores precise enough? From the judgments there are, a pilot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import EstimateOptions, PlanTest
from classy_aesop.answers.judgments import (
    JudgedStratum,
    judged_strata,
)
from classy_aesop.answers.metrics_and_humans import choose_measure, read_judged_tables
from classy_aesop.answers.pilots import (
    CELLS_PER_TOPIC,
    PairPilot,
    added_rater_variance,
    check_possible_difference,
    lacking_text,
    pilot_of_leaders,
    ratings_of_cells,
    ratings_per_cell,
)
from classy_aesop.answers.selection import TablePart
from classy_aesop.answers.strata import stratify_scores
from classy_aesop.errors import InputError, UsageError
from classy_aesop.plots.captioned import Picture
from classy_aesop.plots.pictures import curves
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.planning.precision import plan_precision
from classy_aesop.significance.planning.topics_needed import detectable_difference
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import (
    HUMAN_MEASURE,
    MAIN,
    SELDOM,
    TASK,
    YEAR,
    count,
    interval,
    item,
    optional,
    setting,
)
from classy_aesop.tables.result_columns import estimate as estimate_column
from classy_aesop.tables.wording import split_first_stratum
from classy_aesop.work.seeds import seeded_rng

MOST_TOPICS = 1_000
"""Most topics that are planned for, unless a difference takes more."""

STEPS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, MOST_TOPICS)
"""Numbers of topics that are shown."""


# --- what the table says ---


def state_needed_topics(rows: pd.DataFrame) -> str:
    """Say how many judged topics give the wanted width or difference, or separate the best system from the next."""
    first, where = split_first_stratum(rows, PRECISION.strata_in(rows))
    last = first.sort_values("n_topics").iloc[-1]
    for column, purpose in (
        ("needed", "for estimates as precise as asked"),
        ("settled", "to separate the first from the second"),
    ):
        if first[column].notna().any():
            row = first[first["n_topics"] == first[column].dropna().iloc[0]].iloc[0]
            low = row.get(f"{column}_low")
            high = row.get(f"{column}_high")
            ends = "" if pd.isna(low) or pd.isna(high) else f" [{low:g}, {high:g}]"
            return f"{row['n_topics']:g}{ends} topics are needed {purpose}{lacking_text(row)}{where}."
    if "summarizer" in first:
        row = first[first["n_topics"] <= first["n_observed"]].iloc[-1]
        return f"With {row['n_topics']:g} judged topics the interval of the mean is {row['width']:z.3f} wide{where}."
    unsettled = f"Not even {last['n_topics']:g} judged topics would separate the first from the second"
    return f"{unsettled}; an interval is then {last['width']:z.3f} wide{where}."


def draw_widths(rows: pd.DataFrame) -> Picture:
    """Draw how narrow an interval gets with more topics; their numbers are names, as the steps between them grow."""
    caption = "width of an interval by the number of judged topics, with the range that the pilot allows"
    rows = rows.assign(n_topics=rows["n_topics"].map(str))
    estimated = rows.assign(means="estimates", low=rows["width_low"], high=rows["width_high"])
    plain = rows.assign(means="plain", width=rows["plain_width"], low=np.nan, high=np.nan)
    return Picture(
        caption, partial(curves, pd.concat([estimated, plain]), x="n_topics", y="width", by="means")
    )


PRECISION = Answer(
    name="power --scores",
    caption="Precision by judged topics",
    columns=(
        YEAR,
        TASK,
        HUMAN_MEASURE,
        item("n_topics", "judged topics", "int"),
        estimate_column("n_more", "topics more than are at hand", "int", priority=MAIN),
        estimate_column(
            "n_ratings", "ratings of all in all, with as many a cell as now", "int", priority=MAIN
        ),
        estimate_column("width", "of the interval of an effect", priority=MAIN),
        *interval(
            "width_low", "width_high", "the widths that the pilot leaves possible (95 %)", priority=MAIN
        ),
        estimate_column("plain_width", "of the interval of an effect by plain means", priority=MAIN),
        *optional(
            estimate_column("difference", "found with the wanted power"),
            *interval("difference_low", "difference_high", "the differences that the pilot leaves possible"),
        ),
        count("needed", "topics that reach what is wanted", priority=MAIN),
        count("needed_low", "the fewest of these that the pilot leaves possible"),
        count("needed_high", "the most of these that the pilot leaves possible"),
        count("settled", "topics that separate the best summarizer from the next", priority=MAIN),
        count("n_observed", "topics at hand: on which all who are judged are, or the best and the next"),
        *optional(item("summarizer", "the only one there is, of whose mean the intervals are")),
        setting("wanted", "wanted power to find the difference", "float", shown="always"),
        setting("estimator", "how means are estimated", shown="always"),
        setting(
            "population", "for which topics: these (at-hand), or topics like them (like)", shown="always"
        ),
        setting("seed", "of the draws", "int", shown="always", priority=SELDOM),
    ),
    sentence=state_needed_topics,
    pictures=draw_widths,
)

# --- from judgments to the table ---


def plan_estimates(
    judgments: ScoreTables,
    scores: ScoreTables | None,
    options: EstimateOptions,
    plan: PlanTest,
    *,
    target: str | None,
    metric: str | Sequence[str] | None,
    part: TablePart,
    goals: Mapping[str, float | None],
) -> Result:
    """Foresee how precise estimates are from more or fewer judged topics, see `power`; a row a number of topics."""
    judgments, scores = read_judged_tables(judgments, scores, metric=metric, columns=part.columns)
    target = choose_measure(judgments, target, "target")
    added_variance = 0.0
    if plan.raters_per_summary is not None:
        added_variance = added_rater_variance(judgments, target, plan.raters_per_summary)
    strata = judged_strata(
        judgments,
        scores,
        target=target,
        metric=metric,
        part=part,
        options=options,
    )
    tables = []
    for stratum in strata:
        table = _plan_stratum(stratum, options, plan, added_variance, goals)
        ratings = plan.raters_per_summary or ratings_per_cell(
            judgments, target, stratum.names[:2], stratum.summarizers
        )
        n_ratings = ratings_of_cells(len(stratum.summarizers) * table["n_topics"], ratings)
        tables.append(
            table.assign(n_ratings=n_ratings if np.isnan(n_ratings).any() else n_ratings.astype(int))
        )
    table = pd.concat(tables, ignore_index=True)
    return make_answer_result(
        PRECISION,
        table,
        target=target,
        power=plan.power,
        alpha=plan.alpha,
        seed=options.seed,
    )


def _pilot_of_judged(
    ratings: pd.DataFrame, target: str, plan: PlanTest, added_variance: float, difference: float | None
) -> PairPilot:
    """Give what wholly judged cells say of the best system and the next."""
    (rated,) = stratify_scores(ratings, target)
    if difference is not None:
        check_possible_difference(difference, rated)
    pilot = pilot_of_leaders(rated, plan.pair_test)
    return pilot if plan.raters_per_summary is None else pilot.add_variance(CELLS_PER_TOPIC * added_variance)


def _plan_stratum(
    stratum: JudgedStratum,
    options: EstimateOptions,
    plan: PlanTest,
    added_variance: float,
    goals: Mapping[str, float | None],
) -> pd.DataFrame:
    """Plan for one year and task.

    Where everything is judged, the best and the next system say when a difference is found. ``added_variance`` is what
    a changed number of raters adds to the variance of a judgment.
    """
    if len(stratum.summarizers) == 1:
        return _plan_single_summarizer(stratum, options, plan, goals)
    difference = goals["difference"]
    pilot = None
    planned: dict[str, int | None] = {}
    if stratum.ratings is not None:
        pilot = _pilot_of_judged(stratum.ratings, stratum.target, plan, added_variance, difference)
        options = replace(options, population="like")
        planned["settled"] = pilot.plan(abs(pilot.observed), plan).n_topics
        if difference is not None:
            topics = pilot.plan(abs(difference), plan)
            planned |= {"": topics.n_topics, "_low": topics.low, "_high": topics.high}
    means = stratum.estimate_means(options)
    if np.isinf(means.direct.variance_inflation):
        raise InputError(
            "a plan needs judgments that differ beyond summarizers and topics; judge more topics first"
        )
    n = np.arange(2, (means.direct.n_topics if means.direct.finite else MOST_TOPICS) + 1)
    n = np.union1d(n, [number for number in planned.values() if number is not None]).astype(np.int64)
    unit = abs(stratum.unit)
    observed_gap = unit * float(np.ptp(np.sort(means.mean)[-2:]))
    rng = seeded_rng(options.seed, "plan", *stratum.names)
    precision = plan_precision(
        means, n, rng, rater_variance=added_variance / unit / unit, power=plan.power, alpha=plan.alpha
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
    needed: dict[str, int | None] = {}
    for end in ENDS:
        goals_reached = [
            planned[end]
            if name == "difference" and pilot is not None
            else _fewest_topics(table, name + end, goal)
            for name, goal in goals.items()
            if goal is not None
        ]
        numbers = [number for number in goals_reached if number is not None]
        needed[f"needed{end}"] = max(numbers) if numbers and len(numbers) == len(goals_reached) else None
    needed["settled"] = (
        _fewest_topics(table, "difference", observed_gap) if pilot is None else planned["settled"]
    )
    shown = _select_steps(table, needed, plan, n_observed)
    if pilot is not None:
        shown = shown.assign(**_detectable_differences(shown["n_topics"], pilot, plan))
    return stratum.label_rows(shown, options, means.method)


def _select_steps(
    table: pd.DataFrame, needed: Mapping[str, int | None], plan: PlanTest, n_observed: int
) -> pd.DataFrame:
    """Select the numbers of topics that are shown, and add those that are needed."""
    n_topics = table["n_topics"]
    shown = table[n_topics.isin({*STEPS, n_topics.iloc[-1], *filter(None, needed.values())})]
    whole = {name: pd.array([value] * len(shown), dtype="Int64") for name, value in needed.items()}
    return shown.assign(**whole, n_observed=n_observed, wanted=plan.power)


def _plan_single_summarizer(
    stratum: JudgedStratum, options: EstimateOptions, plan: PlanTest, goals: Mapping[str, float | None]
) -> pd.DataFrame:
    """Foresee how wide the interval of the mean of the only summarizer is, by the number of judged topics."""
    if goals["difference"] is not None:
        raise UsageError(
            f"a difference is one of two summarizers, and {stratum.summarizers[0]} is the only one; expected a width"
        )
    mean = stratum.estimate_mean_of_single(options)
    n = np.arange(2, (mean.n_topics if mean.finite else MOST_TOPICS) + 1)
    widths = mean.foresee_widths(n, 1 - plan.alpha)
    table = pd.DataFrame({"n_topics": n, "n_more": np.maximum(n - mean.n_judged, 0), **widths})
    goal = goals["width"]
    needed = {
        f"needed{end}": None if goal is None else _fewest_topics(table, f"width{end}", goal) for end in ENDS
    }
    shown = _select_steps(table, {**needed, "settled": None}, plan, mean.n_judged)
    shown = shown.assign(summarizer=stratum.summarizers[0])
    estimator = "control-variate" if mean.slope.any() else "plain"
    return stratum.label_rows(shown, options, estimator)


ENDS = ("", "_low", "_high")
"""Of a number, and of the ends of its interval."""


def _detectable_differences(n_topics: pd.Series, pilot: PairPilot, plan: PlanTest) -> dict[str, list[float]]:
    """Give the difference that each number of topics shows, with the ends that the pilot leaves possible."""
    ratios = (1.0, *pilot.on_a_topic.plausible_ratios())
    return {
        f"difference{end}": [
            detectable_difference(n, pilot.on_a_topic, ratio=ratio, target=plan.power, alpha=plan.alpha)
            for n in n_topics
        ]
        for end, ratio in zip(ENDS, ratios, strict=True)
    }


def _fewest_topics(table: pd.DataFrame, column: str, goal: float) -> int | None:
    """Find the fewest topics with at most this width or difference; None if no number has."""
    enough = table.loc[table[column] <= goal, "n_topics"]
    return int(enough.iloc[0]) if len(enough) else None
