"""Which summarizers do people prefer, which differ, do raters agree, and do metrics prefer the same?

Preferences are comparisons of two outputs, :class:`classy_aesop.data.preference_records.Preferences`. What is estimated
and tested is in :mod:`classy_aesop.significance.preferences`. Findings are for the raters at hand: their severity drops
out of a comparison, their tastes do not, so that each rater's own share stands beside each pair.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.answers.answer_options import PairTest
from classy_aesop.answers.findings import (
    count_differing_pairs,
    describe_tests_of_ranking,
    name_leaders,
    name_unseen,
)
from classy_aesop.answers.gates import OWN_COMPARISONS
from classy_aesop.answers.pilots import unseen_by_intervals
from classy_aesop.answers.score_matrices import name_sequence, select_rows, warn_of_few_resamples
from classy_aesop.answers.tested_pairs import (
    DECISION,
    ENDS_OF_DIFFERENCE,
    LIMITS_OF_SYSTEM,
    P_LEAST_OF_PAIR,
    UNDECIDED_OF_SYSTEM,
    UNSEEN,
    check_baselines,
    pair_columns,
    pair_with_baselines,
    rank_columns,
    system_columns,
)
from classy_aesop.data import mean_ratings, natural
from classy_aesop.data.directions import orient_scores, set_directions, warn_of_directions
from classy_aesop.data.preference_records import (
    NO_RATER,
    PREFERENCE_MEASURE,
    Preferences,
    describe_one_order,
)
from classy_aesop.data.scores import describe_similar_keys
from classy_aesop.errors import InputError, UsageError, join_names, warn
from classy_aesop.plots.captioned import forest_picture, pairs_picture
from classy_aesop.reading.given_tables import ScoreTables, read_score_table
from classy_aesop.significance.base import IntArray
from classy_aesop.significance.preferences.bradley_terry import NO_FINITE_STRENGTH
from classy_aesop.significance.preferences.equal_length import win_rates_at_equal_length
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.preference_tests import PreferenceEstimates, estimate_preferences
from classy_aesop.significance.preferences.shown_order import (
    ShownOrder,
    balance_orders,
    estimate_shown_order,
    find_cycle,
)
from classy_aesop.significance.preferences.win_rates import metric_preference
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    SELDOM,
    count,
    estimate,
    interval,
    item,
    optional,
    p_value,
    remark,
    setting,
    stratum,
)
from classy_aesop.tables.wording import (
    count_text,
    interval_text,
    names_text,
    p_text,
    reasons_text,
    verb,
)
from classy_aesop.work.options import GivenColumns

NOT_OF_PREFERENCES: dict[str, object] = dict.fromkeys(("peers", "means"))
"""What a signature does not say of preferences, though commands have such options."""

SLACK = 1e-9
"""Win rates or strengths that differ by at most this are equal."""

MAX_NAMES_OF_NOTE = 8
"""Most summarizers that a note names."""

MAX_RATERS_OF_PAIR = 12
"""Most raters whose own shares stand beside a pair."""

# --- what the tables say ---


def name_most_preferred(rows: pd.DataFrame) -> str:
    """Name who is preferred most often, and count the significant differences."""
    best = rows[rows["rank"].eq(1) & rows["comparable"].eq(rows["comparable"].iloc[0])]
    leaders = name_leaders(best["summarizer"], rows["summarizer"], f"highest {_write_quantity(best.iloc[0])}")
    sentence = f"{leaders}; {describe_tests_of_ranking(rows.assign(flag=rows['test_flag']))}"
    n_groups = int(rows["comparable"].nunique())
    if n_groups > 1:
        n_first = int(rows["comparable"].eq(rows["comparable"].iloc[0]).sum())
        sentence = (
            f"No comparison links the {n_groups} groups of summarizers, so no order holds for all; of the first, of "
            f"{n_first}, {sentence}"
        )
    unseen = (
        "" if rows["losses"].any() else name_unseen(rows, (), f" of {quantity_of_test(rows)}", "n_topics")
    )
    return f"{sentence}{_for_raters(rows)}.{unseen}{_name_best_at_equal_length(rows)}"


DECIMALS_OF_FIT = 9
"""Win rates at equal length that differ by less are equal: they are fitted by iterations."""


def _name_best_at_equal_length(rows: pd.DataFrame) -> str:
    """Name who has the highest win rate at equal length, or say why it is unknown; nothing without lengths."""
    if "length_flag" not in rows:
        return ""
    if reason := rows["length_flag"].iloc[0]:
        return f" Win rates at equal length are unknown: {reason}."
    rates = rows["win_rate_at_length"].round(DECIMALS_OF_FIT)
    best = rows[rates.eq(rates.max())]
    interval = interval_text(best.iloc[0], "low_at_length", "high_at_length") if len(best) == 1 else ""
    claim = f"highest win rate ({rates.max():z.3f}{interval})"
    return f" At equal length of outputs {name_leaders(best['summarizer'], rows['summarizer'], claim)}."


def quantity_of_test(rows: pd.DataFrame) -> str:
    """Name what the tests of a table compare."""
    return "win rates" if rows["test"].iloc[0] == "sign_flips" else "strengths"


def _write_quantity(row: pd.Series) -> str:
    """Write by what a summarizer is ranked: its win rate, or its strength where some never met."""
    if row["test"] == "sign_flips":
        return f"win rate ({row['win_rate']:z.3f}{interval_text(row)})"
    size = f" ({row['strength']:+z.3f}{interval_text(row, 'strength_low', 'strength_high')})"
    if NO_FINITE_STRENGTH in row["flag"]:
        reason = row["flag"].partition(NO_FINITE_STRENGTH)[2]
        size = f", of no finite size ({reason}; the order is that of penalized strengths)"
    return f"strength{size}; some pairs never met, so win rates are not compared"


def _for_raters(rows: pd.DataFrame) -> str:
    """Say for whom findings hold."""
    n_raters = int(rows["n_raters"].max())
    return f", for {'this rater' if n_raters == 1 else f'these {n_raters} raters'}" if n_raters else ""


def count_differing_pairs_of_preferences(rows: pd.DataFrame) -> str:
    """Count the differences that are significant; of a single pair give the difference."""
    n_own = int(rows["test"].eq(OWN_COMPARISONS).sum())
    by_own = (
        f" {n_own} {verb(n_own)} tested by the comparisons of the two alone, as strengths have no finite difference or "
        "no variance."
    )
    return f"{count_differing_pairs(rows, (), quantity_of_test(rows), _for_raters(rows))}{by_own if n_own else ''}"


def name_metric_of_people(rows: pd.DataFrame) -> str:
    """Name the metric that prefers most often what people prefer."""
    decided = rows.dropna(subset="share")
    if decided.empty:
        return f"No metric can be judged: {rows['flag'].iloc[0]}."
    best = decided.iloc[0]
    prefix = f"Of {len(decided)} metrics " if len(decided) > 1 else ""
    most_often = " most often," if prefix else ""
    chance = "" if pd.isna(best["low"]) or best["low"] > 0.5 else ", which chance (0.5) may give"
    return (
        f"{prefix}{best['metric']} prefers what people prefer{most_often} in a share of "
        f"{best['share']:z.3f}{interval_text(best)} of {count_text(int(best['n_comparisons']), 'comparison')}{chance}."
    )


# --- the declared tables ---

TEST_SETTINGS = (
    setting(
        "test",
        "sign_flips of win rates, bradley_terry where some never met, or own_comparisons of two alone",
        shown="always",
    ),
    setting("correction", "of p-values for all pairs", shown="always", priority=SELDOM),
    setting("alpha", "a pair is significant if its corrected p is at most this", "float"),
    setting("n_resamples", "random sign flips; 0 if all were enumerated, or none are needed", "int"),
    setting("seed", "of the flips; missing if none were drawn", "int", shown="always", priority=SELDOM),
    UNSEEN,
)

PREFERENCE_RANKING = Answer(
    name="compare of preferences",
    caption="Win rates and strengths, their intervals, ranks and clusters",
    question="Which systems do people prefer?",
    columns=(
        METRIC,
        item("summarizer", "whose outputs were compared"),
        estimate(
            "win_rate",
            "mean over its opponents of the share that it won against each, ties half",
            priority=MAIN,
        ),
        *interval("low", "high", "the 95 % interval of the win rate for topics like these", cell="win_rate"),
        *optional(
            estimate(
                "win_rate_at_length",
                "win rate if all outputs were equally long, with an effect of length in the model of strengths",
                priority=MAIN,
            ),
            *interval(
                "low_at_length",
                "high_at_length",
                "the 95 % interval of the win rate at equal length",
                cell="win_rate_at_length",
            ),
            remark("length_flag", "why there is no win rate at equal length"),
        ),
        estimate(
            "strength",
            "log-odds by Bradley and Terry, of mean 0; penalized where the flag says not finite",
        ),
        *interval("strength_low", "strength_high", "the 95 % interval of the strength", cell="strength"),
        *rank_columns("by win rate, or by strength where some never met; 1 for the best"),
        count("n_comparisons", "comparisons of it"),
        count("n_topics", "topics of these"),
        count("n_opponents", "summarizers that it met"),
        count("n_raters", "raters of all comparisons who are named"),
        *UNDECIDED_OF_SYSTEM,
        remark("flag", "why there is no finite strength or no interval", priority=2 * SELDOM),
        remark("test_flag", "why no test decides a difference of it", priority=2 * SELDOM),
        *LIMITS_OF_SYSTEM,
        *optional(p_value("p", "of the test of the difference of two summarizers", priority=MAIN)),
        *TEST_SETTINGS,
    ),
    sentence=name_most_preferred,
    pictures=partial(
        forest_picture,
        caption="win rates and their 95 % intervals over topics, best first; lines between clusters",
        names="summarizer",
        value="win_rate",
        sort=False,
        separate_by="cluster",
    ),
    shown_first=("comparable", "rank", "summarizer", "win_rate", "strength"),
    block="cluster",
)

PREFERENCE_PAIRS = Answer(
    name="compare --pairs of preferences",
    caption="Tests of pairs of summarizers by preferences",
    columns=(
        METRIC,
        item("first", "a summarizer"),
        item("second", "the summarizer that it is compared with"),
        count("n", "topics on which either was compared"),
        estimate(
            "difference",
            "win rate of the first less that of the second, or strength, penalized where not finite",
            priority=MAIN,
        ),
        *ENDS_OF_DIFFERENCE,
        estimate("direct", "share that the first won against the second, orders weighted as in the test"),
        count("n_direct", "comparisons of these two"),
        *DECISION,
        remark("flag", "why p comes from no test, and is 1", priority=2 * SELDOM),
        remark("by_rater", "share that the first won against the second, by rater"),
        count("n_raters", "raters of all comparisons who are named", shown="never"),
        P_LEAST_OF_PAIR,
        count("n_used", "topics that the test used; of sign flips those that differ", shown="never"),
        *TEST_SETTINGS,
    ),
    sentence=count_differing_pairs_of_preferences,
    pictures=partial(pairs_picture, caption="who is significantly preferred to whom"),
    shown_first=("first", "second", "difference", "direct", "n_direct", "p_adjusted"),
    sorted_by=("p_adjusted", "p"),
)

METRIC_PREFERENCES = Answer(
    name="evaluate of preferences",
    caption="How often metrics prefer what people prefer",
    columns=(
        item("metric", "the metric"),
        stratum("target", "what it is compared with"),
        estimate("share", "of the comparisons that people decided; ties of the metric half", priority=MAIN),
        *interval("low", "high", "the interval of the share for topics like these", cell="share"),
        count("n_comparisons", "comparisons that people decided and the metric scored"),
        count("n_topics", "topics of these"),
        count("n_human_ties", "ties of people, which are left out"),
        count("n_metric_ties", "comparisons with equal scores of the metric"),
        count("n_missing", "comparisons that people decided, and the metric did not score"),
        remark("flag", "why there is no share or no interval"),
        setting("confidence", "of the interval", "float"),
    ),
    sentence=name_metric_of_people,
    pictures=partial(
        forest_picture,
        caption="share of people's preferences that each metric has",
        names="metric",
        value="share",
    ),
)

UNUSED_BY_PREFERENCES = ("test", "look", "equivalence", "means", "together")
"""Options of tests of pairs that preferences have no use for."""

# --- from preferences to tables ---


def paired_comparisons(preferences: Preferences) -> PairedComparisons:
    """Give preferences as the arrays that are tested.

    Examples
    --------
    >>> paired_comparisons(Preferences.from_names(["t1"], ["a"], ["b"], ["tie"])).wins.tolist()
    [0.5]
    """
    return PairedComparisons.from_arrays(
        preferences.topic,
        preferences.first,
        preferences.second,
        preferences.wins,
        n_systems=len(preferences.systems),
        n_topics=len(preferences.topics),
    )


def check_preference_options(metric: str | None, options: PairTest, choices: Mapping[str, object]) -> None:
    """Refuse what preferences have no use for: other measures, tests of scores, and choices of a part of the data."""
    if metric not in (None, PREFERENCE_MEASURE):
        raise UsageError(f"no measure {metric!r}; a table of preferences has {PREFERENCE_MEASURE}")
    default = PairTest()
    unused = [name for name in UNUSED_BY_PREFERENCES if getattr(options, name) != getattr(default, name)]
    unused += [name for name, value in choices.items() if value is not None]
    if unused:
        raise UsageError(
            f"{unused[0]} cannot be combined with preferences, whose pairs are tested by sign flips"
        )


def rank_preferences(preferences: Preferences, options: PairTest) -> Result:
    """Rank summarizers by preferences, in clusters: each one above a cluster is significantly better than each in it.

    Where each summarizer met each other one, they are ranked by their win rates, and pairs are tested by sign flips of
    topics; where some never met, by strengths of the model of Bradley and Terry. Summarizers that no comparisons link
    have ranks of their own.

    Examples
    --------
    >>> first, second = ["a", "a", "b"] * 6, ["b", "c", "c"] * 6
    >>> winner = ["first", "first", "tie", "first", "first", "first"] * 3
    >>> topics = [topic for topic in "123456" for _ in range(3)]
    >>> ranking = rank_preferences(Preferences.from_names(topics, first, second, winner), PairTest())
    >>> ranking.table[["summarizer", "win_rate", "rank"]].values.tolist()
    [['a', 1.0, 1], ['b', 0.375, 2], ['c', 0.125, 3]]
    """
    comparisons, tests = _run_tests(preferences, None, options)
    pairs = tests.pairs
    group = np.zeros(len(preferences.systems), dtype=np.int64)
    if tests.quantity == "strength":
        group = tests.strengths.group
    ranking = pairs.clusters(tests.order, group=group, slack=SLACK, alpha=options.alpha)
    of_systems = system_columns(pairs, len(group))
    rates = tests.rates
    strengths = tests.strengths
    flags = [
        reasons_text(["" if of_rate in of_strength else of_rate, of_strength])
        for of_rate, of_strength in zip(rates.flag, strengths.flag, strict=True)
    ]
    columns = {
        **asdict(rates),
        "summarizer": np.array(preferences.systems, dtype=object),
        "win_rate": rates.rate,
        **_rates_at_equal_length(preferences, comparisons),
        "strength": strengths.strength,
        "strength_low": strengths.low,
        "strength_high": strengths.high,
        "comparable": group + 1,
        **of_systems,
        "flag": np.array(flags, dtype=object),
        "test_flag": of_systems["flag"],
        **({"p": np.repeat(pairs.p, len(group))} if len(pairs.p) == 1 else {}),
        **ranking._asdict(),
    }
    best_first = np.lexsort((ranking.rank, group))
    table = PREFERENCE_RANKING.make_table({name: values[best_first] for name, values in columns.items()})
    return _make_result(PREFERENCE_RANKING, table, tests, preferences, options, _notes_of_flags(table))


def _rates_at_equal_length(
    preferences: Preferences, comparisons: PairedComparisons
) -> dict[str, NDArray[Any]]:
    """Give the columns of win rates at equal length; none where no lengths are known."""
    if preferences.lengths is None:
        return {}
    longer = np.subtract(*preferences.lengths)
    is_known = ~np.isnan(longer)
    if not is_known.all():
        warn(
            f"{(~is_known).sum()} of {len(longer)} comparisons lack a length: win rates at equal length are without"
        )
    rates = win_rates_at_equal_length(comparisons.subset(is_known), longer[is_known])
    return {
        "win_rate_at_length": rates.rate,
        "low_at_length": rates.low,
        "high_at_length": rates.high,
        "length_flag": np.full(len(rates.rate), rates.flag, dtype=object),
    }


def compare_preference_pairs(
    preferences: Preferences, options: PairTest, baseline: str | Sequence[str] | None = None
) -> Result:
    """Test every pair of summarizers by preferences, or each against every baseline.

    Examples
    --------
    >>> judged = Preferences.from_names(list("123456"), ["a"] * 6, ["b"] * 6, ["first"] * 6)
    >>> pairs = compare_preference_pairs(judged, PairTest()).table
    >>> pairs[["first", "second", "difference", "direct", "p"]].values.tolist()
    [['a', 'b', 1.0, 1.0, 0.03125]]
    """
    systems = preferences.systems
    pairs = None
    if baseline is not None:
        check_baselines(name_sequence(baseline), [("", systems)])
        pairs = np.array(pair_with_baselines(systems, name_sequence(baseline)))
    comparisons, tests = _run_tests(preferences, pairs, options)
    tested = tests.pairs
    counts = np.zeros((len(systems), len(systems)), dtype=np.int64)
    np.add.at(counts, (comparisons.first, comparisons.second), 1)
    table = pd.DataFrame(
        {
            **pair_columns(tested, systems, options.alpha),
            "direct": comparisons.rates[tested.first, tested.second],
            "n_direct": (counts + counts.T)[tested.first, tested.second],
            "by_rater": _shares_by_rater(preferences, tested.first, tested.second),
        }
    )
    result = _make_result(PREFERENCE_PAIRS, table, tests, preferences, options)
    result.table.loc[tests.is_own, "test"] = OWN_COMPARISONS
    return result


def evaluate_by_preferences(
    scores: ScoreTables,
    preferences: Preferences,
    *,
    metric: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
    lower_is_better: str | Sequence[str] | None = None,
    confidence: float = 0.95,
) -> Result:
    """Compute how often each metric prefers the output that people prefer.

    Parameters
    ----------
    scores : DataFrame, or sequence of DataFrame
        A score table; its topics and summarizers are those of the preferences.
    preferences : Preferences
        What people preferred; ties are left out.
    metric : str, or sequence of str, optional
        Only these.
    columns : mapping, optional
        What columns are, where their names do not say so, e.g. ``{"topic": "prompt", "summarizer": "model"}``.
    lower_is_better : str, or sequence of str, optional
        Metrics of which lower scores are better, see :mod:`classy_aesop.data.directions`.
    confidence : float
        Of the intervals.

    Returns
    -------
    Result
        One row for each metric, the best first; `METRIC_PREFERENCES` declares its columns.

    Raises
    ------
    UsageError
        There is no such metric.
    InputError
        No output of a comparison has a score, or a summary has several scores of a metric.

    Examples
    --------
    >>> judged = Preferences.from_names(list("123"), ["a"] * 3, ["b"] * 3, ["first", "second", "first"])
    >>> table = pd.DataFrame({"topic": list("123123"), "system": list("aaabbb"), "bleu": [3, 1, 2, 1, 2, 3]})
    >>> evaluate_by_preferences(table, judged).table[["metric", "share"]].round(3).values.tolist()
    [['bleu', 0.667]]
    """
    (table,) = set_directions([read_score_table(scores, columns=columns)], lower_is_better)
    rows = select_rows(mean_ratings(orient_scores(table)), "metric", metric).dropna(subset="score")
    warn_of_directions(table, rows["metric"].unique())
    duplicates = rows[rows.duplicated(["topic", "summarizer", "metric"])]
    if len(duplicates):
        row = duplicates.iloc[0]
        raise InputError(
            f"{row['metric']} has several scores of {row['summarizer']} on topic {row['topic']}, in several years or "
            "tasks; expected one"
        )
    _check_shared(rows, preferences)
    comparisons = paired_comparisons(preferences)
    measured = []
    for name in sorted(rows["metric"].unique(), key=natural):
        wide = rows[rows["metric"] == name].pivot(index="summarizer", columns="topic", values="score")
        matrix = wide.reindex(index=list(preferences.systems), columns=list(preferences.topics))
        preference = metric_preference(matrix.to_numpy(dtype=float), comparisons, confidence=confidence)
        measured.append({"metric": name, "target": PREFERENCE_MEASURE, **asdict(preference)})
    measures = pd.DataFrame(measured).assign(confidence=confidence)
    result = measures.sort_values("share", ascending=False, kind="stable", ignore_index=True)
    recorded = {
        **NOT_OF_PREFERENCES,
        "command": METRIC_PREFERENCES.name,
        "confidence": confidence,
        "n_resamples": None,
        "seed": None,
        "judge_scale": None,
    }
    return make_answer_result(METRIC_PREFERENCES, result, recorded, confidence=confidence)


def _check_shared(rows: pd.DataFrame, preferences: Preferences) -> None:
    """Refuse scores of which no compared output has one."""
    scored = {*rows[["topic", "summarizer"]].itertuples(index=False, name=None)}
    compared = {
        (preferences.topics[topic], preferences.systems[system])
        for side in (preferences.first, preferences.second)
        for topic, system in zip(preferences.topic.tolist(), side.tolist(), strict=True)
    }
    if not scored & compared:
        examples = [
            join_names(["/".join(key) for key in sorted(keys)], limit=3) for keys in (scored, compared)
        ]
        hint = describe_similar_keys(scored, compared)
        raise InputError(
            f"no compared output has a score: scores have {examples[0]}; preferences have {examples[1]} "
            f"(topic, summarizer){hint and f'; {hint}'}"
        )


def _run_tests(
    preferences: Preferences, pairs: IntArray | None, options: PairTest
) -> tuple[PairedComparisons, PreferenceEstimates]:
    """Estimate and test, with both orders of a pair weighted alike where they are unequal; also give the comparisons.

    Warn of what the order of outputs, circles or too few flips do to the answer.
    """
    unweighted = paired_comparisons(preferences)
    order = estimate_shown_order(unweighted, n_resamples=options.n_resamples, seed=options.seed)
    comparisons = balance_orders(unweighted, order) if order.are_orders_unequal else unweighted
    tests = estimate_preferences(
        comparisons,
        pairs=pairs,
        correction=options.correction,
        alpha=options.alpha,
        n_resamples=options.n_resamples,
        seed=options.seed,
    )
    cautions = (
        describe_one_order(preferences),
        _describe_place(preferences, comparisons, order),
        _describe_cycle(preferences, comparisons, options),
    )
    for caution in filter(None, cautions):
        warn(caution)
    if tests.pairs.n_resamples:
        warn_of_few_resamples(
            options.n_resamples, len(tests.pairs.p), correction=options.correction, alpha=options.alpha
        )
    return comparisons, tests


def _describe_place(preferences: Preferences, comparisons: PairedComparisons, order: ShownOrder) -> str:
    """Say that orders are unequal, or that raters prefer one of the two places; else nothing."""
    ends = "" if np.isnan(order.low) else f" [{(1 + order.low) / 2:z.3f}, {(1 + order.high) / 2:z.3f}]"
    share = f"of equal outputs the first would win a share of {(1 + order.effect) / 2:z.3f}{ends} ({p_text(order.p)}"
    if order.are_orders_unequal:
        surplus = np.where(order.has_both, order.n_lower_first - order.n_upper_first, 0)
        worst = int(np.argmax(np.abs(surplus)))
        lower, upper = [preferences.systems[number] for number in comparisons.pairs[worst]]
        counts = {
            f"{lower} before {upper}": int(order.n_lower_first[worst]),
            f"{upper} before {lower}": int(order.n_upper_first[worst]),
        }
        names = max(counts, key=counts.__getitem__)
        return (
            f"outputs stand more often in one order than chance allows, as {names} in {counts[names]} of "
            f"{sum(counts.values())} comparisons, so both orders of a pair are weighted alike; {share})"
        )
    if order.is_place_preferred:
        place = "first" if order.effect > 0 else "second"
        return (
            f"raters prefer the output that stands {place}: {share}, {order.n} comparisons of pairs in both orders); "
            "both orders are about as frequent, so it cancels out of differences, but adds noise"
        )
    return ""


def _describe_cycle(preferences: Preferences, comparisons: PairedComparisons, options: PairTest) -> str:
    """Say that significant preferences run in a circle; else nothing."""
    cycle = find_cycle(comparisons, correction=options.correction, alpha=options.alpha)
    if not cycle:
        return ""
    names = [preferences.systems[number] for number in cycle]
    steps = [f"{winner} to {loser}" for winner, loser in zip(names, [*names[1:], names[0]], strict=True)]
    return (
        f"preferences run in a circle: {', '.join(steps[:-1])} and {steps[-1]}, each significantly in their own "
        "comparisons, so no order fits all; see the pairs"
    )


def _make_result(
    answer: Answer,
    table: pd.DataFrame,
    tests: PreferenceEstimates,
    preferences: Preferences,
    options: PairTest,
    notes: Sequence[str] = (),
) -> Result:
    """Add how pairs were tested."""
    pairs = tests.pairs
    settings: dict[str, str | float] = {"correction": options.correction, "alpha": options.alpha}
    recorded: dict[str, object] = {**NOT_OF_PREFERENCES, "command": answer.name, "test": pairs.test}
    if pairs.n_resamples:
        settings["seed"] = options.seed
    else:
        recorded |= {"n_resamples": None, "seed": None}
    unseen = unseen_by_intervals(
        pairs.difference,
        (pairs.low, pairs.high),
        pairs.significant(options.alpha),
        alpha=options.alpha,
        n_tests=1 if options.correction == "none" else len(pairs.p),
    )
    whole = table.assign(
        correction=options.correction,
        alpha=options.alpha,
        metric=PREFERENCE_MEASURE,
        n_raters=len(preferences.raters),
        seed=pd.array([options.seed if pairs.n_resamples else pd.NA] * len(table), dtype="Int64"),
        test=pairs.test,
        n_resamples=pairs.n_resamples,
        unseen=unseen,
    )
    return replace(make_answer_result(answer, whole, recorded, **settings), notes=notes)


def _notes_of_flags(table: pd.DataFrame) -> list[str]:
    """Write which summarizers have no finite strength or no interval, each reason once; nothing where all share one."""
    if table["flag"].nunique() == 1:  # which stands above the rows
        return []
    names_by_flag = table[table["flag"].ne("")].groupby("flag", sort=False)["summarizer"]
    return [
        f"{names_text(names, table['summarizer'], limit=MAX_NAMES_OF_NOTE)}: {flag}"
        for flag, names in names_by_flag
    ]


def _shares_by_rater(preferences: Preferences, first: IntArray, second: IntArray) -> list[str]:
    """Write the share that the first of each pair won against the second by each rater; nothing of one rater."""
    if len(preferences.raters) < 2:
        return [""] * len(first)
    sides = [(preferences.first, preferences.second, preferences.wins)]
    sides.append((preferences.second, preferences.first, 1 - preferences.wins))
    won = pd.concat(
        pd.DataFrame({"system": system, "opponent": opponent, "rater": preferences.rater, "won": wins})
        for system, opponent, wins in sides
    )
    by_rater = (
        won[won["rater"] != NO_RATER].groupby(["system", "opponent", "rater"])["won"].agg(["mean", "size"])
    )
    shares: dict[tuple[int, int], list[str]] = {}
    for (system, opponent, rater), share, n in by_rater.itertuples():
        shares.setdefault((system, opponent), []).append(f"{preferences.raters[rater]} {share:z.3f} ({n})")
    pairs = zip(first.tolist(), second.tolist(), strict=True)
    return [join_names(shares.get(pair, ()), limit=MAX_RATERS_OF_PAIR) for pair in pairs]
