"""What scores at hand, a pilot, say of the difference of two systems, and the topics that show it.

Plans of pairs and of estimates start from the same fit as `compare` and count the same: topics in all, topics more
than are at hand, and ratings in all. A *cell* is one system on one topic; a *rating* is one score of a cell, by a rater
or of an attempt; where neither has a column, a cell is one rating. Ratings in all are of every system on every topic,
with as many a cell as now. Where topics lie in clusters, clusters are counted, each with as many topics as now.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtri

from classy_aesop.answers.answer_options import ADDITIVE_TEST, DEFAULT_TEST, PairTest, PlanTest
from classy_aesop.answers.comparisons import Comparison, compare_stratum
from classy_aesop.answers.strata import RatedStratum
from classy_aesop.data import KEYS
from classy_aesop.data.scores import add_stratum_columns, origin_of
from classy_aesop.errors import UsageError
from classy_aesop.significance.additive.additive_model import is_crowd
from classy_aesop.significance.additive.contrasts import deviation_on_a_topic
from classy_aesop.significance.additive.two_way_fit import TwoWayFit
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import shift_near_zero
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, TOO_FEW_CLUSTERS, TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pass_rate_test import PASS_RATES
from classy_aesop.significance.planning.topics_needed import (
    PilotDifference,
    TopicsNeeded,
    detectable_difference,
    topics_needed,
    topics_needed_for_variance,
)
from classy_aesop.work.seeds import seeded_rng

PLANNED_BY_VARIANCE = (DEFAULT_TEST, PASS_RATES.name, ADDITIVE_TEST)
"""Tests of means, whose power follows from the variance of a difference."""

MIN_TOPICS = 2
"""Fewer topics leave the variance of a difference unknown."""

POWER_OF_UNSEEN = 0.8
"""A difference that is found with a lower power is said to stay unseen."""

CELLS_PER_TOPIC = 2
"""Cells of a pair of systems on a topic."""


@dataclass(frozen=True)
class PairPilot:
    """What the scores of a year and task say of the difference of two systems.

    Attributes
    ----------
    stratum : RatedStratum
        The scores.
    first, second : str
        The systems.
    test : str
        What is planned for.
    observed, low, high : float
        The difference of their means and its interval, as `compare` prints them; the plain difference on the topics
        that both have, without interval, where the test is not one of means.
    x, y : ndarray, shape (n_topics,)
        Their scores; NaN where missing.
    on_a_topic : PilotDifference
        Their difference on one topic, or on one cluster of topics.
    reason_without_plan : str
        Why the difference is not estimable; else empty.
    """

    stratum: RatedStratum
    first: str
    second: str
    test: str
    x: FloatArray
    y: FloatArray
    on_a_topic: PilotDifference
    observed: float = math.nan
    low: float = math.nan
    high: float = math.nan
    reason_without_plan: str = ""

    def plan(self, difference: float, options: PlanTest) -> TopicsNeeded:
        """Find the topics that show a difference of this size, whose sign is the observed one."""
        n_shared = int((~np.isnan(self.x + self.y)).sum())
        if not self.can_be_planned(difference):
            reason = TOO_FEW_TOPICS if n_shared < MIN_TOPICS else CONSTANT_DIFFERENCE
            return TopicsNeeded(n_observed=n_shared, flag=self.reason_without_plan or reason)
        if self.test in PLANNED_BY_VARIANCE:
            plan = topics_needed_for_variance(
                self.on_a_topic,
                difference,
                target=options.power,
                alpha=options.alpha,
                max_topics=max(MIN_TOPICS, int(options.max_topics / self.n_topics_each)),
            )
            return replace(
                plan,
                n_topics=self._count_topics(plan.n_topics),
                low=self._count_topics(plan.low),
                high=self._count_topics(plan.high),
                n_observed=n_shared,
                flag=self.reason_without_plan or plan.flag,
            )
        differences = self.on_a_topic.differences
        observed = float(differences.mean()) if n_shared else 0.0
        return topics_needed(
            self.x,
            self.y,
            math.copysign(difference, observed or 1.0),
            target=options.power,
            test=self.test,
            alpha=options.alpha,
            max_topics=options.max_topics,
            n_trials=options.n_trials,
            rng=seeded_rng(options.seed, *self.stratum.cells.names, self.first, self.second),
        )

    @property
    def n_topics_each(self) -> float:
        """Topics of a cluster on average; 1 where topics are independent."""
        return 1.0 if self.stratum.clusters is None else self.stratum.clusters.n_topics_each

    def _count_topics(self, n_clusters: int | None) -> int | None:
        """Give the topics of so many clusters, if a number was found."""
        return None if n_clusters is None else math.ceil(round(n_clusters * self.n_topics_each, 6))

    def can_be_planned(self, size: float) -> bool:
        """Whether a size is that of a difference: above 0, and below 1 of scores that pass or fail."""
        return 0 < size < (1.0 if self.stratum.is_pass_or_fail else math.inf)

    def add_variance(self, added: float) -> PairPilot:
        """Give the pilot with another variance of a difference, by so much."""
        deviation = math.sqrt(max(self.on_a_topic.deviation**2 + added, 0.0))
        return replace(self, on_a_topic=replace(self.on_a_topic, deviation=deviation))


def pilot_of_pair(comparison: Comparison, first: str, second: str) -> PairPilot:
    """Give what a comparison says of a pair: one that it has tested, or one of which it lacks a system."""
    stratum = comparison.stratum
    tests = comparison.tests
    if not {first, second} <= {*stratum.systems}:
        nothing = np.full(len(stratum.cells.topics), np.nan)
        on_a_topic = PilotDifference.from_differences(np.array([]))
        return PairPilot(stratum, first, second, tests.test, nothing, nothing, on_a_topic)
    numbers = stratum.systems.index(first), stratum.systems.index(second)
    pair = int(np.flatnonzero((comparison.pairs == numbers).all(axis=1))[0])
    x, y = shift_near_zero(stratum.cells.X)[list(numbers)]
    differences = x - y
    if stratum.clusters is not None:
        differences = stratum.clusters.average(differences)
    differences = differences[~np.isnan(differences)]
    are_averaged = stratum.attempts is not None or stratum.clusters is not None
    is_single_pass = stratum.is_pass_or_fail and (
        not are_averaged or not differences.size or differences.min() == differences.max()
    )
    on_a_topic = PilotDifference.from_differences(differences, is_pass_or_fail=is_single_pass)
    pilot = PairPilot(stratum, first, second, tests.test, x, y, on_a_topic)
    if pilot.test not in PLANNED_BY_VARIANCE:
        observed = differences.mean() if len(differences) else math.nan
        return replace(pilot, observed=float(stratum.restore_sign(np.asarray(observed))))
    if comparison.fit is not None and pilot.test == ADDITIVE_TEST:
        deviation, df = deviation_on_a_topic(comparison.fit.model, *numbers)
        on_a_topic = replace(on_a_topic, deviation=deviation, df=df)
    is_without_plan = np.isnan(tests.difference[pair]) or tests.flag[pair] == TOO_FEW_CLUSTERS
    ends = stratum.restore_sign(np.array([tests.low[pair], tests.high[pair]]))
    return replace(
        pilot,
        on_a_topic=on_a_topic,
        observed=float(stratum.restore_sign(tests.difference[pair])),
        low=float(ends.min()),
        high=float(ends.max()),
        reason_without_plan=str(tests.flag[pair]) if is_without_plan else "",
    )


def unseen_difference(comparison: Comparison) -> float:
    """Give the least difference that the tests of a comparison would show with a power of `POWER_OF_UNSEEN`.

    It is that of the pair of middle variance, after the correction for all pairs; NaN where a difference is
    significant, a test is not of means, or nothing varies.
    """
    tests = comparison.tests
    if tests.significant(comparison.options.level).any():
        return math.nan
    tested = np.flatnonzero((tests.flag == "") & (tests.high > tests.low) & (tests.n >= MIN_TOPICS))
    if tests.test not in PLANNED_BY_VARIANCE or not tested.size:
        return math.nan
    widths = (tests.high - tests.low)[tested]
    middle = tested[np.argsort(widths, kind="stable")[len(tested) // 2]]
    systems = comparison.stratum.systems
    pilot = pilot_of_pair(comparison, systems[tests.first[middle]], systems[tests.second[middle]])
    options = comparison.options
    n_corrected = 1 if options.correction == "none" else len(tests.first)
    return detectable_difference(
        int(tests.n_used.max()), pilot.on_a_topic, target=POWER_OF_UNSEEN, alpha=options.level / n_corrected
    )


def unseen_by_intervals(
    difference: ArrayLike,
    ends: tuple[ArrayLike, ArrayLike],
    significant: ArrayLike,
    *,
    alpha: float,
    n_joint: int = 1,
    n_tests: int = 1,
) -> float:
    """Give the least difference that tests with intervals would show with a power of `POWER_OF_UNSEEN`.

    The error is that of the pair of middle width, by the normal distribution, where ``n_joint`` intervals hold together
    and p is corrected for ``n_tests``; NaN where a difference is significant, or there is no interval.
    """
    low, high = np.asarray(ends) - np.asarray(difference)
    widths = np.fmax(high, -low)  # a share or a correlation ends at 1
    widths = widths[widths > 0]
    if np.any(significant) or not widths.size:
        return math.nan
    error = np.median(widths) / ndtri(1 - alpha / n_joint / 2)
    return float(error * (ndtri(1 - alpha / n_tests / 2) + ndtri(POWER_OF_UNSEEN)))


def check_possible_difference(difference: float, stratum: RatedStratum) -> None:
    """Raise UsageError for a difference that scores that pass or fail cannot have, or have on every topic."""
    if stratum.is_pass_or_fail and abs(difference) >= 1:
        raise UsageError(
            f"difference is {difference}; expected one below 1, since {stratum.cells.metric} is 0 or 1"
        )


def ratings_per_cell(
    scores: pd.DataFrame, measure: str, stratum: tuple[str, str], systems: Sequence[str]
) -> float:
    """Give the mean number of ratings of a cell of some systems, of attempts the average; NaN without any."""
    rows = add_stratum_columns(scores[(scores["metric"] == measure) & scores["summarizer"].isin(systems)])
    rows = rows[(rows["year"] == stratum[0]) & (rows["task"] == stratum[1])].dropna(subset="score")
    n_cells = len(rows[KEYS].drop_duplicates())
    attempts = origin_of(scores).get("attempts", {}).get(measure)
    n_attempts = np.mean(attempts["cells"]["n_attempts"]) if attempts else 1.0
    return float(len(rows) / n_cells * n_attempts) if n_cells else math.nan


def ratings_of_cells(n_cells: ArrayLike, per_cell: float) -> FloatArray:
    """Give whole numbers of ratings of so many cells; NaN where it is not known how many a cell has."""
    return np.ceil(np.round(np.asarray(n_cells) * per_cell, 6))


def added_rater_variance(scores: pd.DataFrame, measure: str, raters_per_summary: int) -> float:
    """Compute by how much the variance of a cell's mean changes with another number of raters; below 0 with more.

    Where raters are named, they rate all systems of a topic alike, so that what one rater adds to
    every rating cancels from differences and does not count.
    """
    rows = add_stratum_columns(scores[scores["metric"] == measure]).dropna(subset="score")
    cells = rows.groupby(KEYS)["score"]
    counts = cells.count()
    has_raters = "assessor" in rows and not (rows["assessor"] == "").any()
    if has_raters and not is_crowd(rows["assessor"].factorize()[0]):
        by_rater = rows.assign(cell=cells.ngroup()).pivot_table(
            index="assessor", columns="cell", values="score"
        )
        ratings = by_rater.to_numpy()
        fit = TwoWayFit(~np.isnan(ratings))
        squares = float((fit.residuals(ratings[None]) ** 2).sum())
        df = int(fit.df)
    else:
        squares = float(((counts - 1) * cells.var().fillna(0.0)).sum())
        df = int((counts - 1).sum())
    if not df > 0:
        raise UsageError("how raters differ is unknown; expected single ratings by several assessors")
    return squares / df * float(1 / raters_per_summary - (1 / counts).mean())


def lacking_text(row: pd.Series) -> str:
    """Say how many topics and ratings a plan lacks, and what those at hand can show."""
    if pd.isna(row.get("n_more")):
        return ""
    now = "" if pd.isna(row.get("power_now")) else f", whose power is {row['power_now']:z.2f}"
    if not row["n_more"]:
        return f"; {row['n_observed']:z.0f} are at hand{now}"
    ratings = "" if pd.isna(row.get("n_ratings")) else f", and {row['n_ratings']:z.0f} ratings in all"
    return f": {row['n_more']:z.0f} more than the {row['n_observed']:z.0f} at hand{now}{ratings}"


def pilot_of_leaders(stratum: RatedStratum, options: PairTest) -> PairPilot:
    """Give what the scores say of the system with the best mean and the next that it can be compared with."""
    pairs = np.argwhere(np.tri(len(stratum.systems), k=-1).T)
    comparison = compare_stratum(stratum, pairs, options)
    order = np.argsort(-comparison.mean, kind="stable")
    is_comparable = comparison.group[order] == comparison.group[order[0]]
    comparable = order[1:][is_comparable[1:]]
    leaders = sorted((order[0], comparable[0] if len(comparable) else order[1]))
    return pilot_of_pair(comparison, *(stratum.systems[number] for number in leaders))
