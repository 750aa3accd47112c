"""One year and task compared: its tests, means and groups, of which all that is said of it is made.

Means, differences, intervals, wins and ranks come from one fit where the additive model is used, so that they cannot
disagree. Tests asked for by name look at the topics that both of a pair have; what they find is then no statement of
the means over all topics.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from classy_aesop.answers.answer_options import DEFAULT_TEST, PairTest
from classy_aesop.answers.strata import RatedStratum
from classy_aesop.errors import UsageError, join_names
from classy_aesop.significance.additive.additive_model import AdditiveModel, fit_additive_model
from classy_aesop.significance.additive.contrasts import (
    ADDITIVE,
    compare_least_squares_means,
    errors_of_least_squares_means,
    rater_differences,
)
from classy_aesop.significance.additive.mean_intervals import (
    MeanErrors,
    errors_of_plain_means,
)
from classy_aesop.significance.additive.two_way_fit import summarizer_means
from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.differences import Differences, Ranking
from classy_aesop.significance.equality import rounding_slack, shift_near_zero
from classy_aesop.significance.flags import NOT_CONNECTED
from classy_aesop.significance.mean_differences import MeanDifferences
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.multiplicity.simultaneous import quantiles_of_largest_t
from classy_aesop.significance.pairs.few_topics import find_few_topics
from classy_aesop.significance.pairs.pair_comparisons import (
    compare_pairs,
    lowest_possible_p,
)
from classy_aesop.significance.pairs.pass_rate_test import PASS_RATES
from classy_aesop.tables.wording import count_text, names_text
from classy_aesop.work.seeds import seeded_rng

CONFIDENCE_OF_MEANS = 0.95
SEED_OF_CHOICE = 0
"""Of the simulated choice of the best system: its interval is the same in every run."""

MIN_SYSTEMS_OF_CHOICE = 3
"""Of two equal systems the better one's usual interval covers in .95 of tables: its lower end alone in .975 ** 2."""

ROUNDING_OF_FITS = 1e-9
"""Least-squares means that differ by at most this share of the largest score are equal."""


@dataclass(frozen=True)
class StratumFit:
    """The additive model of a stratum, fitted to scores less ``shift``, which is 0 unless they hardly differ."""

    model: AdditiveModel
    shift: float


@dataclass(frozen=True)
class Comparison:
    """The pairs of a stratum, tested, and the means of its systems.

    Attributes
    ----------
    stratum : RatedStratum
        Whose scores they are.
    pairs : ndarray of int, shape (n_pairs, 2)
        Systems that were tested.
    options : PairTest
        What was asked for.
    reason : str
        Why this test was used.
    tests : Differences
        Of the pairs.
    mean, plain_mean : ndarray, shape (n_systems,)
        Means over all topics, and over those that each system has; the same where no cell is missing and raters are
        not in the model.
    group : ndarray of int, shape (n_systems,)
        Systems of one number can be compared.
    slack : float
        Means that differ by at most this are equal.
    fit : StratumFit, optional
        Where the means are those of the additive model.
    equivalence : Differences, optional
        With a margin.
    """

    stratum: RatedStratum
    pairs: IntArray
    options: PairTest
    reason: str
    tests: Differences
    mean: FloatArray
    plain_mean: FloatArray
    group: IntArray
    slack: float
    fit: StratumFit | None = None
    equivalence: Differences | None = None

    @property
    def uses_raters(self) -> bool:
        """Whether raters have effects in the model."""
        return self.fit is not None and self.fit.model.raters_vary

    @cached_property
    def mean_errors(self) -> MeanErrors:
        """The errors of the means, for topics like these."""
        if self.fit is None:
            errors = errors_of_plain_means(self.stratum.cells.X)
        else:
            errors = errors_of_least_squares_means(self.fit.model)
        return replace(errors, mean=self.mean)

    def mean_intervals(self) -> tuple[FloatArray, FloatArray]:
        """Give the 95 % interval of each mean; within the bounds of the scores, where these are known."""
        errors = self.mean_errors
        return errors.interval(errors.quantile(CONFIDENCE_OF_MEANS), self.stratum.bounds)

    def lower_ends_of_best(self, is_best: BoolArray) -> FloatArray:
        """Give the lower end of each best mean's interval, which allows for its choice from its group; else NaN.

        Of two systems the usual interval of the better one holds as it should, so that its end is not given either.
        """
        errors = self.mean_errors
        quantile = errors.quantile(CONFIDENCE_OF_MEANS)
        rng = seeded_rng(SEED_OF_CHOICE, *self.stratum.cells.names)
        is_chosen = np.zeros(len(is_best), dtype=bool)
        for number in np.unique(self.group[is_best]):
            members = self.group == number
            if members.sum() >= MIN_SYSTEMS_OF_CHOICE:
                quantile[members] = quantiles_of_largest_t(
                    errors.correlation(members), errors.df[members], (1 + CONFIDENCE_OF_MEANS) / 2, rng
                )
                is_chosen |= members & is_best
        low, _ = errors.interval(quantile, self.stratum.bounds)
        return np.where(is_chosen, low, np.nan)

    @cached_property
    def tests_here(self) -> Differences | None:
        """The differences over these tasks or years alone, whose errors are those within them; of topics None."""
        if self.stratum.errors_here is None:
            return None
        tests = self.tests
        pair = tests.first, tests.second
        error, df = self.stratum.errors_here
        differences = MeanDifferences(tests.difference, error[pair], df[pair], tests.n)
        low, high = differences.interval(1 - self.options.level)
        p_adjusted = adjust_p_values(differences.p(), correction=self.options.correction)
        p_adjusted = np.where(np.isnan(low), np.nan, p_adjusted)
        return replace(tests, low=low, high=high, p_adjusted=p_adjusted)

    def rank(self, tests: Differences) -> Ranking:
        """Rank the systems by their means and some tests of their pairs."""
        return tests.clusters(self.mean, group=self.group, slack=self.slack, alpha=self.options.level)

    def few_topics(self) -> list[str]:
        """Name the few topics that each significant difference rests on, where there are such; of paired t-tests."""
        texts = [""] * len(self.pairs)
        if self.tests.test != "paired_t":
            return texts
        cells = self.stratum.cells
        topics = np.array(cells.topics, dtype=object)
        for row in np.flatnonzero(self.tests.significant(self.options.level)):
            differences = cells.X[self.tests.first[row]] - cells.X[self.tests.second[row]]
            names = topics[np.sort(find_few_topics(differences, alpha=self.options.level))]
            if len(names):
                texts[row] = f"{count_text(len(names), self.stratum.unit)}: {names_text(names, topics)}"
        return texts

    def differences_by_rater(self, pairs: IntArray) -> list[str]:
        """Write each rater's own difference of some pairs, where raters are in the model or all rated both of two."""
        ratings = self.stratum.ratings
        n_systems = len(self.stratum.systems)
        is_of_two = n_systems == 2
        if ratings is None or not (self.uses_raters or (is_of_two and len(ratings.raters) > 1)):
            return [""] * len(pairs)
        numbers = rater_differences(
            ratings.y,
            ratings.system,
            ratings.topic,
            ratings.rater,
            n_systems=n_systems,
            n_raters=len(ratings.raters),
            pairs=pairs,
        )
        return [
            join_names(
                (
                    f"{name} {difference:+z.3f} ({n})"
                    for name, difference, n in zip(
                        ratings.raters, self.stratum.restore_sign(row), counts, strict=True
                    )
                    if n
                ),
                limit=MAX_RATERS_NAMED,
            )
            for row, counts in zip(*numbers, strict=True)
        ]


MAX_RATERS_NAMED = 12
"""Most raters whose own differences stand beside a pair."""


def choose_test(options: PairTest, stratum: RatedStratum) -> tuple[str, str]:
    """Give the test of a stratum, and why it is this one."""
    _check_independence(options, stratum)
    lacks_cells = stratum.lacks_cells
    if options.uses_plain_means and lacks_cells:
        return options.usual_test, "plain means, shared topics only"
    raters_vary = stratum.raters_vary and not options.uses_plain_means
    if options.test == ADDITIVE:
        return ADDITIVE, "by name, raters vary" if raters_vary else "by name"
    if options.test is not None:
        return options.test, "by name, shared topics only" if lacks_cells else "by name"
    causes = ["cells missing"] * lacks_cells + ["raters vary"] * raters_vary
    if causes:
        return ADDITIVE, ", ".join(causes)
    if stratum.clusters is not None:
        return ADDITIVE, "topics in clusters"
    is_tested_by_rates = stratum.is_single_pass_or_fail and not (options.together or options.uses_plain_means)
    return PASS_RATES.name if is_tested_by_rates else DEFAULT_TEST, "complete"


def _check_independence(options: PairTest, stratum: RatedStratum) -> None:
    """Refuse tests to which topics are independent where they lie in clusters."""
    if stratum.clusters is None or (options.test in (None, ADDITIVE) and not options.uses_plain_means):
        return
    test = "the test of plain means" if options.test is None else options.test
    raise UsageError(
        f"{test} takes topics as independent, and {stratum.clusters.describe()}; expected no test, or --columns "
        "cluster= to ignore this (columns={'cluster': []} in Python)"
    )


def compare_stratum(stratum: RatedStratum, pairs: IntArray, options: PairTest) -> Comparison:
    """Test the pairs of a stratum by the test that fits it, see :func:`choose_test`.

    Shapes: ``pairs`` (n_pairs, 2).
    """
    test, reason = choose_test(options, stratum)
    X = stratum.cells.X
    mean = plain_mean = summarizer_means(X, stratum.has_cell)
    group = np.zeros(len(stratum.systems), dtype=np.int64)
    slack = float(rounding_slack(shift_near_zero(X)))
    fit = None
    if test == ADDITIVE or (stratum.lacks_cells and not options.uses_plain_means):
        fit = fit_stratum(stratum)
        mean = stratum.keep_in_bounds(fit.model.mean + fit.shift)
        group = fit.model.group
        slack = max(slack, ROUNDING_OF_FITS * fit.model.scale)
    if test == ADDITIVE and fit is not None:
        tests = compare_least_squares_means(
            fit.model,
            pairs,
            correction=options.correction,
            confidence=1 - options.level,
            pass_or_fail=stratum.is_pass_or_fail,
        )
        tests = replace(tests, flag=reasons_not_estimable(fit.model, tests.first, tests.second, tests.flag))
    else:
        compares_rates = test == PASS_RATES.name
        tests = compare_pairs(
            stratum.passes if compares_rates else shift_near_zero(X),
            test=PASS_RATES if compares_rates else test,
            pairs=pairs,
            correction=options.correction,
            confidence=1 - options.level,
            pass_or_fail=stratum.is_pass_or_fail,
        )
    tests = replace(tests, p_least=lowest_possible_p(tests))
    equivalence = None
    margin = options.oriented_margin(lower_is_better=stratum.lower_is_better)
    if margin is not None:
        least_one_sided = np.where(tests.flag == "", lowest_possible_p(tests, correction="none") / 2, 1.0)
        equivalence = replace(
            tests.equivalent(margin, alpha=options.level),
            p_least=adjust_p_values(least_one_sided, correction=options.correction),
        )
    return Comparison(
        stratum=stratum,
        pairs=pairs,
        options=options,
        reason=reason,
        tests=tests,
        mean=mean,
        plain_mean=plain_mean,
        group=group,
        slack=slack,
        fit=fit,
        equivalence=equivalence,
    )


NOTHING_SHARED = "no shared topics link them"
RATERS_CONFOUNDED = "raters confounded with systems"


def reasons_not_estimable(
    model: AdditiveModel, first: IntArray, second: IntArray, flag: NDArray[np.str_]
) -> NDArray[np.str_]:
    """Say why differences are not estimable: of systems that topics connect, because of their raters.

    Shapes: ``first``, ``second`` and ``flag`` (n_pairs,).
    """
    numbers = model.equations.group
    why = np.where(numbers[first] == numbers[second], RATERS_CONFOUNDED, NOTHING_SHARED)
    return np.where(flag == NOT_CONNECTED, why, flag)


def fit_stratum(stratum: RatedStratum, *, log_lengths: FloatArray | None = None) -> StratumFit:
    """Fit the additive model to the scores of a stratum, at equal length where logarithms of lengths are given.

    Shapes: ``log_lengths`` (n_systems, n_topics), NaN where no length is known, so that the score is left out.
    """
    ratings = stratum.ratings if stratum.raters_vary else None
    if ratings is None:
        system, topic = np.nonzero(stratum.has_cell)
        scores = stratum.cells.X[system, topic]
    else:
        system = ratings.system
        topic = ratings.topic
        scores = ratings.y
    covariate = np.zeros(len(scores)) if log_lengths is None else log_lengths[system, topic]
    is_used = ~np.isnan(covariate)
    topic = topic[is_used]
    used_scores = scores[is_used]
    y = shift_near_zero(used_scores)
    model = fit_additive_model(
        y,
        system[is_used],
        topic,
        n_systems=len(stratum.systems),
        rater=None if ratings is None else ratings.rater[is_used],
        n_raters=0 if ratings is None else len(ratings.raters),
        cluster=None if stratum.clusters is None else stratum.clusters.number[topic],
        covariate=None if log_lengths is None else covariate[is_used],
    )
    return StratumFit(model, 0.0 if y is used_scores else float(used_scores[0]))
