"""Metric against metric: does the first correlate better with humans than the second, for whom, and which is best?

``p`` is for other systems like these, by the chosen test; ``p_here`` for these systems and topics, by exchanging single
cells (PERM-BOTH); see :mod:`classy_aesop.significance.metrics.metric_tests`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import combinations
from typing import Unpack

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import MetricPairKeywords, MetricPairTest
from classy_aesop.answers.correlation_tables import (
    COEFFICIENT,
    LEVEL,
    draw_correlations,
    highest_rows,
    keep_informative,
    say_by_target,
)
from classy_aesop.answers.evaluated_metrics import read_evaluated
from classy_aesop.answers.findings import (
    BASELINE,
    count_better_and_worse,
    count_significant,
    find_baselines,
    name_leaders,
    name_unseen,
    select_pairs_with,
)
from classy_aesop.answers.metrics import check_fisher, correlation_interval, warn_of_metrics
from classy_aesop.answers.metrics_and_humans import EvaluatedMetrics, MetricSelection, SelectionKeywords
from classy_aesop.answers.pilots import unseen_by_intervals
from classy_aesop.answers.rater_shares import warn_of_rater_shares
from classy_aesop.answers.score_matrices import (
    Grid,
    join_stratum_names,
    judged_grids,
    keep_large_enough,
    name_sequence,
    pair_levels_with_coefficients,
    shared_names,
    warn_of_few_resamples,
)
from classy_aesop.answers.tested_pairs import UNSEEN, check_baselines, pair_with_baselines
from classy_aesop.data import natural
from classy_aesop.data.scores import JoinedScores
from classy_aesop.errors import UsageError, join_names, warn
from classy_aesop.keywords import explain_keywords, take_keywords
from classy_aesop.plots.captioned import Picture, pairs_picture
from classy_aesop.reading.given_tables import ScoreTables
from classy_aesop.significance.choices import ALPHA, Means
from classy_aesop.significance.correlations.coefficients import lowest_value
from classy_aesop.significance.correlations.correlation_intervals import Interval
from classy_aesop.significance.decisions import greedy_clusters, is_significant
from classy_aesop.significance.equality import snap_ties
from classy_aesop.significance.metrics.metric_tests import (
    METRIC_TESTS,
    PERM_BOTH,
    MetricTest,
    Stratum,
)
from classy_aesop.significance.metrics.stratified_means import StratifiedMean, stratified_mean
from classy_aesop.significance.multiplicity.corrections import adjust_p_values, resamples_needed
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import (
    MAIN,
    PEER_SET,
    SELDOM,
    TARGET,
    TASK,
    YEAR,
    column_names,
    count,
    estimate,
    interval,
    item,
    optional,
    p_value,
    remark,
    setting,
)
from classy_aesop.tables.wording import (
    count_text,
    interval_text,
    names_text,
    number_text,
    p_text,
    split_first_stratum,
    verb,
)
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import map_workers, show_progress

COMPARED_WITHIN = column_names(YEAR, TASK, PEER_SET, TARGET, LEVEL, COEFFICIENT)
"""What a comparison is of."""

PAIRS_OF_A_BLOCK = 32
"""Pairs of metrics that a worker tests at once, on the same resamples."""

# --- what the tables say ---


def count_better_metrics(rows: pd.DataFrame) -> str:
    """Count the differences between metrics that are significant, on other systems and on these, by each target."""
    return say_by_target(rows, _count_better_metrics)


def _count_better_metrics(rows: pd.DataFrame) -> str:
    """Count the significant differences by one target; of a single pair give the difference."""
    alpha = rows["alpha"].iloc[0] if "alpha" in rows else ALPHA
    for_others = is_significant(rows["p_adjusted"], alpha)
    for_these = is_significant(rows["p_here_adjusted"], alpha)
    unseen = name_unseen(rows, (), " of correlations")
    if len(rows) == 1:
        sentence = _difference_of_two_metrics(rows.iloc[0], bool(for_others[0]), bool(for_these[0]))
        return f"{sentence}{unseen}"
    first, where = split_first_stratum(rows, METRIC_COMPARISON.strata_in(rows))
    if baselines := find_baselines(first):
        sentences = [_name_better_metrics(first, name, where) for name in baselines]
        return f"{' '.join(sentences)}{unseen}"
    by_target = f" by {rows['target'].iloc[0]}" if "target" in rows else ""
    differences = f"{count_text(len(rows), 'difference')} between metrics{by_target}"
    counts = count_significant(int(for_others.sum()), differences)
    return (
        f"{counts} for other systems like these, {for_these.sum()} for these (p_adjusted and p_here_adjusted at "
        f"most {alpha:g}).{unseen}"
    )


def _difference_of_two_metrics(row: pd.Series, is_for_others: bool, is_for_these: bool) -> str:
    """Say by how much the better metric of a pair agrees better, and for whom that holds."""
    if pd.isna(row["difference"]) or row["difference"] == 0:
        size = "undefined" if pd.isna(row["difference"]) else number_text(0.0)
        return f"The difference between {join_names([row['first'], row['second']])} is {size}."
    pair = [row["first"], row["second"]]
    better, other = pair if row["difference"] > 0 else reversed(pair)
    scope = describe_scope(is_for_others, is_for_these, row["p"], row["p_here"])
    claim = f"{better} agrees better with {row.get('target', 'human scores')} than {other}"
    return f"{claim} by {number_text(abs(row['difference']))}: {scope}."


def _name_better_metrics(rows: pd.DataFrame, baseline: str, where: str) -> str:
    """Say which metrics agree significantly better than one that all are compared with, and which worse."""
    rows = select_pairs_with(rows, baseline)
    alpha = rows["alpha"].iloc[0]
    n_here = int(is_significant(rows["p_here_adjusted"], alpha).sum())
    rows = rows.assign(significant=is_significant(rows["p_adjusted"], alpha))
    target = rows.get("target", pd.Series(["human scores"])).iloc[0]
    return (
        f"Compared with {baseline}{where} by {target}: {count_better_and_worse(rows, 'agrees', 'agree')}. Tested on "
        f"these systems alone, {n_here or 'none'} {verb(max(n_here, 1), 'differs', 'differ')}."
    )


def describe_scope(is_for_others: bool, is_for_these: bool, p: float, p_here: float) -> str:
    """Say whether a difference is significant for other systems, and for these."""
    conjunctions = {(1, 1): "and", (1, 0): "but not", (0, 1): "but significant", (0, 0): "nor"}
    sentence = f"{'' if is_for_others else 'not '}significant for other systems like these ({p_text(p)})"
    return f"{sentence}, {conjunctions[is_for_others, is_for_these]} for these ({p_text(p_here)})"


def name_best_metrics(rows: pd.DataFrame) -> str:
    """Name the best metric of a ranking by each target, and count those that are significantly worse."""
    return say_by_target(rows, _name_best_metric)


def _name_best_metric(rows: pd.DataFrame) -> str:
    """Name the best metric by one target, and count those that are significantly worse."""
    rows, reason = keep_informative(rows)
    if rows.empty:
        return f"{reason}."
    first, where = split_first_stratum(rows, METRIC_RANKING.strata_in(rows))
    first = first.sort_values("rank", kind="stable")
    best = first.iloc[0]
    if pd.isna(best["value"]):
        return f"No metric has a correlation that is defined{where}."
    ties = highest_rows(first, "value")
    names = names_text(ties["metric"], first["metric"])
    target = best.get("target", "human scores")
    value = f"{best['value']:z.3f}{interval_text(best)}"
    prefix = f"{reason}. " if reason else ""
    n_others = len(first) - len(ties)
    if len(first) == 1:
        return f"{prefix}{names} is the only metric; its correlation with {target} is {value}{where}."
    sentence = f"{prefix}{names} {verb(len(ties), 'agrees', 'agree')} best with {target} ({value})"
    highest = name_leaders(ties["metric"], first["metric"], f"highest value ({value})")
    if best.get("low", np.nan) <= 0:
        sentence = f"{prefix}{highest}, but {verb(len(ties))} not shown to agree with {target}"
    if best["value"] < 0:
        sentence = f"{prefix}No metric correlates positively with {target}; {highest}"
    if not n_others:
        return f"{sentence}{where}."
    n_worse = len(first) - 1 - best["beats"].split().count("=")
    n_here = int(first["cluster_here"].ne(best["cluster_here"]).sum())
    of_others = f"of the {n_others} others" if n_others > 1 else "of 1 other"
    worse = f"{n_worse or 'none'} {of_others} {verb(max(n_worse, 1))} significantly worse"
    return f"{sentence}; {worse}{where}. Tested on these systems alone, {n_here or 'none'} {verb(max(n_here, 1))}."


def join_signs(rows: pd.DataFrame) -> pd.DataFrame:
    """Write the signs of a ranking without spaces, and its second cluster in two words."""
    if "beats" not in rows:
        return rows
    signs = rows["beats"].str.replace(" ", "")
    return rows.assign(beats=signs).rename(columns={"cluster_here": "cluster here"})


SCOPE_OF_P = {
    "p_adjusted": " on other systems like these, corrected for all pairs",
    "p_here_adjusted": " on these systems, corrected for all pairs",
    "p_by_first": ", corrected for the tests of the row's metric",
    "p_overall": ", corrected for all pairs",
}
"""What is drawn of pairs of metrics: of what each p-value is, ours and those of Deutsch et al. (2021)."""


def draw_metric_pairs(rows: pd.DataFrame) -> Iterator[Picture]:
    """Draw which metric is better than which, by each of two p-values."""
    rows = rows.assign(difference=rows["r_first"] - rows["r_second"])
    for name, scope in SCOPE_OF_P.items():
        if name in rows:
            tested = rows.assign(significant=is_significant(rows[name]))
            yield pairs_picture(tested, f"which metric correlates better{scope}")


# --- the declared tables ---

TOGETHER = (
    estimate("spread", "standard deviation of the true values between years and tasks", priority=SELDOM),
    *interval("low_others", "high_others", "the interval for other years and tasks like these"),
    count("n_strata", "years and tasks that are taken together"),
)
OF_STRATA = column_names(*TOGETHER)
"""The columns of years and tasks together, after the interval."""

METRIC_COMPARISON = Answer(
    name="evaluate --pairs",
    caption="Tests of pairs of metrics",
    question="Which metrics differ?",
    columns=(
        YEAR,
        TASK,
        *optional(PEER_SET),
        TARGET,
        LEVEL,
        COEFFICIENT,
        item("first", "the metric with the higher correlation, or the one that is no baseline"),
        item("second", "the metric that it is compared with: the baseline, if there is one"),
        estimate("r_first", "correlation of the first with the human scores", priority=MAIN),
        estimate("r_second", "correlation of the second", priority=MAIN),
        estimate("difference", "correlation of the first less that of the second", priority=MAIN),
        *interval(
            "low",
            "high",
            "the interval of confidence 1 - alpha that the test leaves open, uncorrected",
            cell="difference",
        ),
        *optional(*TOGETHER),
        setting("means", "which means of systems are correlated; empty at other levels"),
        estimate("statistic", "of the test", priority=4 * SELDOM),
        count("n", "points that are correlated"),
        p_value("p", "for other systems like these, by the test"),
        p_value("p_here", "for these systems and topics (PERM-BOTH)"),
        p_value("p_adjusted", "p corrected for all pairs", is_corrected=True, priority=MAIN),
        p_value("p_here_adjusted", "p_here corrected for all pairs", is_corrected=True, priority=MAIN),
        remark("flag", "why there is no test", priority=2 * SELDOM),
        setting("test", "the test of two metrics", shown="always"),
        setting("correction", "of p-values for all pairs", shown="always", priority=SELDOM),
        setting("alpha", "significant is a corrected p of at most this", "float"),
        UNSEEN,
        setting("n_resamples", "of the test", "int"),
        setting("n_dropped", "replicates without a value", "int"),
        setting("seed", "of the resamples", "int", shown="always", priority=4 * SELDOM),
        *optional(BASELINE),
    ),
    sentence=count_better_metrics,
    pictures=draw_metric_pairs,
    shown_first=("first", "second", "difference", "p_adjusted", "p_here_adjusted"),
    sorted_by=("p_adjusted", "p"),
    prints_first=True,
    beside=TARGET.name,
    not_printed=("r_first", "r_second", "statistic", "p", "p_here", "p_here_adjusted", "seed"),
)

METRIC_RANKING = Answer(
    name="evaluate --ranking",
    caption="Correlations of metrics with human scores, the best first",
    question="Which metric agrees best with people?",
    columns=(
        YEAR,
        TASK,
        *optional(PEER_SET),
        TARGET,
        LEVEL,
        COEFFICIENT,
        item("metric", "the metric"),
        estimate("rank", "by the correlation, 1 for the highest", "int", shown="never"),
        estimate(
            "cluster", "each metric above is better than all in it for other systems", "int", priority=MAIN
        ),
        estimate(
            "cluster_here",
            "each metric above is better than all in it for these systems and topics",
            "int",
            priority=MAIN,
        ),
        estimate("value", "the correlation; together, its mean over years and tasks", priority=MAIN),
        *interval("low", "high", "the interval of the correlation", cell="value"),
        remark("flag", "why a value shows nothing"),
        *optional(TOGETHER[0]),
        estimate(
            "beats",
            "a sign a metric: > significantly better, = not, . itself and those above",
            "text",
            priority=MAIN,
        ),
        p_value(
            "p_best",
            "corrected, of the difference from the best metric; missing of that one",
            is_corrected=True,
            priority=SELDOM,
        ),
    ),
    sentence=name_best_metrics,
    pictures=draw_correlations,
    shown_first=("cluster", "cluster here", "metric", "value", "flag", "spread", "beats"),
    arrange_rows=join_signs,
    choose_bold_columns=lambda _: ("value",),
    block="cluster",
    beside=TARGET.name,
    not_printed=("cluster", "cluster_here", "low", "high", "beats"),
)


# --- what is compared ---


@dataclass(frozen=True)
class ComparedGrids:
    """The scores of some metrics in one year and task, or in all that are taken together, and what is correlated."""

    grids: tuple[Grid, ...]
    level: str
    coefficient: str
    means: Means = "plain"
    target: str = ""
    peers: str = ""

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics."""
        return list(self.grids[0].metrics)

    @property
    def correlation_options(self) -> dict[str, str]:
        """How correlations are computed."""
        return {"level": self.level, "coefficient": self.coefficient, "means": self.means}

    @property
    def ids(self) -> dict[str, str]:
        """The columns that say where, and by which means; the names of several years or tasks are joined."""
        return {
            **join_stratum_names(self.grids),
            "peers": self.peers,
            "target": self.target,
            "level": self.level,
            "coefficient": self.coefficient,
        }

    @property
    def means_used(self) -> str:
        """Which means of systems are correlated; empty at other levels."""
        return self.means if self.level == "system" else ""

    def strata(self, seed: int) -> list[Stratum]:
        """Give the scores of each year and task with their own source of resamples."""
        return [
            Stratum(
                list(grid.metrics.values()),
                grid.truth,
                seeded_rng(seed, grid.year, grid.task, self.level, self.coefficient),
            )
            for grid in self.grids
        ]


def metric_places(
    grids: Sequence[Grid],
    levels_and_coefficients: Sequence[tuple[str, str]],
    *,
    together: bool = False,
    means: Means = "plain",
    target: str = "",
    peers: str = "",
) -> list[ComparedGrids]:
    """Give where metrics are compared: each level and coefficient of each year and task, or of all ``together``."""
    grids = _keep_shared_metrics(grids) if together else grids
    large_enough = keep_large_enough(grids, lambda grid: len(grid.metrics), 2, "metrics")
    groups = [tuple(large_enough)] if together else [(grid,) for grid in large_enough]
    return [
        ComparedGrids(group, *level_and_coefficient, means, target, peers)
        for group in groups
        for level_and_coefficient in levels_and_coefficients
    ]


def _keep_shared_metrics(grids: Sequence[Grid]) -> list[Grid]:
    """Keep the metrics that every year and task has."""
    shared = shared_names([grid.metrics for grid in grids], "metrics")
    return [
        replace(grid, metrics={name: X for name, X in grid.metrics.items() if name in shared})
        for grid in grids
    ]


def _check_test(options: MetricPairTest) -> None:
    """Raise UsageError for what cannot be tested, or has no interval."""
    check_fisher(options, name_sequence(options.coefficient or "pearson"))
    if options.together and not METRIC_TESTS[options.test].resamples:
        raise UsageError(f"{options.test} cannot combine years; expected a test that resamples")
    if options.together and not options.is_resampled:
        raise UsageError(f"interval {options.interval} cannot combine years; expected one that resamples")


def _places_of(evaluated: EvaluatedMetrics, options: MetricPairTest) -> list[ComparedGrids]:
    """Give where metrics are compared, by each human measure; of two systems by default within topics."""
    places = []
    for target in sorted(set(evaluated.judgments["metric"]), key=natural):
        grids = judged_grids(evaluated.scores, evaluated.judgments, target)
        has_two = all(len(grid.summarizers) <= 2 for grid in grids)
        levels = options.level or ("input" if has_two else "system")
        pairs = pair_levels_with_coefficients(levels, options.coefficient or "pearson")
        places += metric_places(
            grids,
            pairs,
            together=options.together,
            means=options.means,
            target=target,
            peers=evaluated.peers,
        )
        warn_of_rater_shares(evaluated.judgments, target)
    return places


# --- tests of pairs ---

PairsOfPlace = tuple[ComparedGrids, list[tuple[int, int]]]
"""Where metrics are compared, and the positions of the metrics of each pair that is tested."""


def _tabulate_places(
    answer: Answer, table: pd.DataFrame, places: Sequence[ComparedGrids], options: MetricPairTest
) -> Result:
    """Put rows about some places into the table of an answer."""
    if not options.together:
        table = table.drop(columns=OF_STRATA, errors="ignore")
    if not any(place.peers for place in places):
        table = table.drop(columns=PEER_SET.name)
    draws = {"seed": options.seed, "n_resamples": options.n_resamples_of_tests}
    targets = list(dict.fromkeys(place.target for place in places))
    return make_answer_result(
        answer,
        table,
        {**options.recorded_options(), **draws},
        target=targets,
        test=options.test,
        correction=options.correction,
        **draws,
    )


def _pair_metrics(places: Sequence[ComparedGrids], baselines: Sequence[str]) -> list[PairsOfPlace]:
    """Pair all metrics of each place, or each one with every baseline, where a place has one."""
    if not baselines:
        return [(place, list(combinations(range(len(place.metrics)), 2))) for place in places]
    strata = ["-".join(filter(None, (place.ids["year"], place.ids["task"]))) for place in places]
    check_baselines(baselines, zip(strata, [place.metrics for place in places], strict=True), "metric")
    pairs_of_places = [(place, pair_with_baselines(place.metrics, baselines)) for place in places]
    return [(place, pairs) for place, pairs in pairs_of_places if pairs]


def _test_metrics(
    pairs_of_places: Sequence[PairsOfPlace],
    options: MetricPairTest,
    selection: MetricSelection,
    *,
    keeps_order: bool,
) -> pd.DataFrame:
    """Test pairs of metrics everywhere; the better one comes first, unless all are compared with baselines."""
    blocks = [
        (place, pairs[start : start + PAIRS_OF_A_BLOCK], options, METRIC_TESTS[options.test])
        for place, pairs in pairs_of_places
        for start in range(0, len(pairs), PAIRS_OF_A_BLOCK)
    ]
    tested = map_workers(_test_block, blocks, n_jobs=selection.n_jobs if len(blocks) > 1 else 1)
    shown = show_progress(tested, "metrics", "blocks", shown=selection.progress, total=len(blocks))
    table = pd.concat(list(shown), ignore_index=True)
    table = table if keeps_order else _put_higher_first(table)
    for _, of_place in table.groupby(COMPARED_WITHIN, sort=False):
        place = of_place.index
        for p in ("p", "p_here"):
            adjusted = adjust_p_values(of_place[p], correction=options.correction)
            table.loc[place, f"{p}_adjusted"] = adjusted
        table.loc[place, "unseen"] = unseen_by_intervals(
            of_place["difference"],
            (of_place["low"], of_place["high"]),
            is_significant(table.loc[place, "p_adjusted"], options.alpha),
            alpha=options.alpha,
            n_tests=1 if options.correction == "none" else len(of_place),
        )
    return table.assign(
        test=options.test, correction=options.correction, alpha=options.alpha, seed=options.seed
    )


def _test_block(
    place: ComparedGrids,
    pairs: Sequence[tuple[int, int]],
    options: MetricPairTest,
    metric_test: MetricTest,
) -> pd.DataFrame:
    """Test pairs of metrics in one place, by the test that was chosen, which a worker may not know by its name."""

    def test_pairs(metric_test: MetricTest) -> pd.DataFrame:
        strata = place.strata(options.seed)
        tests = metric_test.test_pairs(
            strata,
            pairs,
            **place.correlation_options,
            n_resamples=options.n_resamples_of_tests,
            alpha=options.alpha,
        )
        return pd.DataFrame([asdict(test) for test in tests])

    tests = test_pairs(metric_test)
    here = tests if options.test == PERM_BOTH.name else test_pairs(PERM_BOTH)
    names = np.array(place.metrics, dtype=object)
    first, second = np.transpose(pairs)
    return tests.rename(columns={"first": "r_first", "second": "r_second"}).assign(
        **place.ids,
        first=names[first],
        second=names[second],
        p_here=here["p"],
        means=place.means_used,
    )


_SWAPPED = {"first": "second", "r_first": "r_second", "low": "high", "low_others": "high_others"}


def _put_higher_first(table: pd.DataFrame) -> pd.DataFrame:
    """Turn pairs so that the metric with the higher correlation is first."""
    turned = table.rename(columns=_SWAPPED | {second: first for first, second in _SWAPPED.items()})
    signed = ["difference", "statistic", "low", "high", *OF_STRATA[1:3]]
    turned[signed] = 0.0 - turned[signed]
    return table.where(~(table["r_second"] > table["r_first"]), turned[list(table)])


def _warn_of_places(places: Sequence[ComparedGrids], means: Means) -> None:
    """Warn of what limits the correlations of metrics, as `evaluate` does; of two systems of few ones in any case."""
    joined = {
        (grid.year, grid.task, name, place.target): JoinedScores(X, grid.truth, grid.summarizers, grid.topics)
        for place in places
        for grid in place.grids
        for name, X in grid.metrics.items()
    }
    coefficients = list(dict.fromkeys(place.coefficient for place in places if place.level == "system"))
    has_two = all(len(scores.summarizers) <= 2 for scores in joined.values())
    warn_of_metrics(joined, coefficients, means, counts_systems=bool(coefficients) or has_two)


def _warn_of_few(pairs_of_places: Sequence[PairsOfPlace], options: MetricPairTest) -> None:
    """Warn where no p can be significant: too few resamples for the pairs, or too few systems to exchange."""
    places = [place for place, _ in pairs_of_places]
    n_tests = max(len(pairs) for _, pairs in pairs_of_places)
    warn_of_few_resamples(
        options.n_resamples_of_tests, n_tests, correction=options.correction, alpha=options.alpha
    )
    n_systems = min(sum(len(grid.summarizers) for grid in place.grids) for place in places)
    n_exchanges = resamples_needed(n_tests, correction=options.correction, alpha=options.alpha)
    needed = 2 + int(math.log2(n_exchanges))
    if options.test == "perm-systems" and n_systems < needed:
        warn(
            f"{n_systems} systems: by exchanging whole systems no p of {n_tests} tests can be below"
            f" {2 / 2**n_systems:.3g}, so none is significant (correction: {options.correction}); expected"
            f" {needed} or more systems"
        )


# --- the ranking ---


def _rank_metrics(
    places: Sequence[ComparedGrids], pairs: pd.DataFrame, options: MetricPairTest, n_jobs: int
) -> Result:
    """Rank metrics by their correlations, in clusters of those that the tests of their pairs do not tell apart."""
    work = ((place, name, options) for place in places for name in place.metrics)
    rows = pd.DataFrame(list(map_workers(_correlate_metric, work, n_jobs=n_jobs)))
    pairs_of = dict(list(pairs.groupby(COMPARED_WITHIN, sort=False)))
    ranked = [
        _cluster_metrics(of_place, pairs_of[names], options.alpha)
        for names, of_place in rows.groupby(COMPARED_WITHIN, sort=False, dropna=False)
    ]
    return _tabulate_places(METRIC_RANKING, pd.concat(ranked, ignore_index=True), places, options)


def _correlate_metric(place: ComparedGrids, name: str, options: MetricPairTest) -> dict[str, object]:
    """Give a metric's correlation with its interval; together, the means over years and tasks."""
    intervals = [
        correlation_interval(
            grid.metrics[name],
            grid.truth,
            place.level,
            place.coefficient,
            (grid.year, grid.task, name, place.target),
            options,
        )
        for grid in place.grids
    ]
    mean: Interval | StratifiedMean = intervals[0]
    spread = {}
    if options.together:
        overall = stratified_mean(
            [of_grid.value for of_grid in intervals],
            [of_grid.error for of_grid in intervals],
            confidence=options.confidence,
            lowest=lowest_value(place.coefficient),
        )
        spread = {"spread": overall.spread}
        mean = overall
    flags = {of_grid.flag for of_grid in intervals}
    return {
        **place.ids,
        "metric": name,
        "value": mean.value,
        "low": mean.low,
        "high": mean.high,
        "flag": flags.pop() if len(flags) == 1 else "",
        **spread,
    }


def _cluster_metrics(rows: pd.DataFrame, pairs: pd.DataFrame, alpha: float) -> pd.DataFrame:
    """Sort the metrics of a place, best first, and cluster them by the tests of their pairs."""
    level = snap_ties(rows["value"].to_numpy(dtype=float))
    rows = rows.iloc[np.argsort(-level, kind="stable")]
    names = rows["metric"].tolist()
    columns = {}
    for clusters, p in (("cluster_here", "p_here_adjusted"), ("cluster", "p_adjusted")):
        P = pairs.pivot(index="first", columns="second", values=p).reindex(index=names, columns=names)
        P = P.fillna(P.T)
        better = np.triu(is_significant(P, alpha), 1)
        columns[clusters] = pd.array(greedy_clusters(better), dtype="Int64")
        columns[clusters][rows["value"].isna().to_numpy()] = pd.NA
    signs = np.where(np.tri(len(rows), dtype=bool), ".", np.where(better, ">", "="))
    return rows.assign(
        rank=np.arange(1, len(rows) + 1),
        **columns,
        beats=[" ".join(row) for row in signs],
        p_best=P.iloc[0].to_numpy(),
    )


# --- in Python ---


class PairKeywords(MetricPairKeywords, SelectionKeywords):
    """What `evaluate_pairs` takes by name."""


@explain_keywords(MetricPairTest, MetricSelection)
def evaluate_pairs(
    scores: ScoreTables,
    judgments: ScoreTables | None = None,
    target: str | Sequence[str] | None = None,
    *,
    baseline: str | Sequence[str] | None = None,
    **options: Unpack[PairKeywords],
) -> Result:
    """Test every pair of metrics, two-sided: does one correlate better with humans than the other?

    Parameters
    ----------
    scores, judgments, target
        As for :func:`classy_aesop.answers.metrics.evaluate`.
    baseline : str, or sequence of str, optional
        Test each other metric against this one alone, or against each of several, the ``second`` of every pair: a
        negative difference is one to the worse, and a smaller family costs less correction.
    **options
        How pairs of metrics are tested: the fields of
        :class:`classy_aesop.answers.answer_options.MetricPairTest`. All pairs of a year, task, target, level and
        coefficient use the same resamples. Together, exchanges and resamples are within years and tasks, the statistic
        is the mean of their correlations, and only the metrics count that all of them have. And which metrics on which
        data: the fields of :class:`classy_aesop.answers.metrics_and_humans.MetricSelection`.

    Returns
    -------
    Result
        A row a pair, the metric with the higher correlation first; `METRIC_COMPARISON` declares the columns. The
        interval is of the test: it excludes 0 if and only if ``p``, uncorrected, is at most alpha; Williams' test has
        none. Together, ``year`` and ``task`` join the names, and further columns are of other years and tasks like
        these; see :func:`classy_aesop.significance.metrics.stratified_means.stratified_mean`. Of three metrics or more
        without a baseline ``first()`` ranks them in clusters, as the shared tasks of WMT on metrics do
        (`METRIC_RANKING`, :func:`classy_aesop.significance.decisions.greedy_clusters`).

    Raises
    ------
    UsageError
        A name is not known; or a test or an interval that does not resample, together.
    InputError
        Fewer than two metrics, or no instance is in both tables.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2] * 6, "system": sorted("abcdef" * 2)})
    >>> table["quality"] = [5, 4, 3, 3, 4, 2, 1, 1, 2, 3, 5, 5]
    >>> table["rouge"] = [0.31, 0.25, 0.22, 0.2, 0.28, 0.16, 0.12, 0.1, 0.2, 0.14, 0.36, 0.3]
    >>> table["length"] = [92, 99, 99, 90, 97, 96, 90, 98, 95, 93, 99, 97]
    >>> found = evaluate_pairs(table, target="quality", n_resamples=199)
    >>> found.table[["first", "second", "r_first", "r_second", "p", "p_here"]].round(3).values.tolist()
    [['rouge', 'length', 0.99, 0.771, 0.188, 0.54]]
    """
    test = take_keywords(options, MetricPairTest)
    selection = take_keywords(options, MetricSelection)
    _check_test(test)
    evaluated = read_evaluated(scores, judgments, target, selection)
    places = [place for part in evaluated for place in _places_of(part, test)]
    _warn_of_places(places, test.means)
    baselines = name_sequence(baseline or ())
    pairs_of_places = _pair_metrics(places, baselines)
    _warn_of_few(pairs_of_places, test)
    pairs = _test_metrics(pairs_of_places, test, selection, keeps_order=bool(baselines))
    tested = [place for place, _ in pairs_of_places]
    settings = {BASELINE.name: ", ".join(baselines)} if baselines else {}
    is_ranked = not baselines and any(len(place.metrics) > 2 for place in places)
    first = partial(_rank_metrics, tested, pairs, test, selection.n_jobs) if is_ranked else None
    return replace(_tabulate_places(METRIC_COMPARISON, pairs.assign(**settings), tested, test), first=first)
