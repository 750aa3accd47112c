"""Systems compared by preferences: by their win rates, or by their strengths where some never met.

Where each system met each other one, two are compared by the difference of their win rates, with sign flips of topics
(:mod:`classy_aesop.significance.sign_flips`). Topic t contributes to the difference of i and j

    u_t = [sum_k (y_ikt - n_ikt p_k) / N_ik - sum_k (y_jkt - n_jkt p_k) / N_jk + (y_ijt - y_jit) / N_ij] / (n - 1),

where y_ikt is what i won of its n_ikt comparisons with k on the topic, N_ik the sum of n_ikt over topics, and p_k, for
every third system k, the mean share that i and j won against it, which is what both would win if they were equal. The
contributions add up to the difference. Where i and j met the others equally often on each topic, p_k drops out, and the
test is exact.

Where some never met, win rates rest on different opponents and say nothing of each other: two are then compared by the
difference of their strengths (:mod:`classy_aesop.significance.preferences.bradley_terry`), with the jackknife's
variance over topics and t quantiles. Where that variance is unknown, as of a system that won everything, two that met
are compared by sign flips of the topics of their own comparisons, which is exact. Such a test decides nothing where the
two strengths have another order than their own comparisons.

A rater's severity drops out of a comparison, so raters have no effects of their own here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, batch_slices, divide
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES
from classy_aesop.significance.differences import (
    Differences,
    IntervalLevels,
    differences_by_t,
    interval_levels,
    join_differences,
    rows_of_pairs,
)
from classy_aesop.significance.equality import ROUNDING, round_to_zero
from classy_aesop.significance.flags import NO_DIFFERENCE
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.preferences.bradley_terry import Strengths, contrast_tests, fit_strengths
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.win_rates import WinRates, win_rates
from classy_aesop.significance.sign_flips import MAX_ENUMERATED_TOPICS, SignFlips, flip_signs

_MAX_NUMBERS_OF_CONTRIBUTIONS = 1_000_000

NEVER_LINKED = "no comparison links the two"
NO_FINITE_DIFFERENCE = "no finite difference of strengths, and the two never met"
NO_VARIANCE = "the variance of the difference of strengths is unknown"
OTHER_ORDER = "their own comparisons have another order than their strengths"

SIGN_FLIPS = "sign_flips"
BRADLEY_TERRY = "bradley_terry"


@dataclass(frozen=True, slots=True)
class PreferenceEstimates:
    """Systems by preferences: their win rates and strengths, and the tests of their pairs.

    Attributes
    ----------
    rates : WinRates
        Of each system.
    strengths : Strengths
        Of each system.
    pairs : Differences
        Tests of pairs of systems: of win rates, or of strengths where some never met; ``n`` counts the topics of
        either.
    """

    rates: WinRates
    strengths: Strengths
    pairs: Differences

    @property
    def quantity(self) -> Literal["win rate", "strength"]:
        """What is compared: of all systems, or, where some never met, by the model of Bradley and Terry."""
        return "win rate" if self.pairs.test == SIGN_FLIPS else "strength"

    @property
    def order(self) -> FloatArray:
        """What systems are ranked by, (n_systems,): win rates, or strengths where some never met."""
        return self.rates.rate if self.quantity == "win rate" else self.strengths.strength

    @property
    def is_own(self) -> BoolArray:
        """Whether a pair is tested by its own comparisons, as the difference of its strengths has no variance.

        Its difference is that of strengths, penalized where it is not finite, and has no interval.
        """
        if self.pairs.error is None:
            return np.zeros(len(self.pairs.p), dtype=bool)
        return np.isnan(self.pairs.error) & (self.pairs.flag == "")


def estimate_preferences(
    comparisons: PairedComparisons,
    *,
    pairs: ArrayLike | None = None,
    correction: str = "holm",
    alpha: float = ALPHA,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
) -> PreferenceEstimates:
    """Estimate win rates and strengths, and test pairs of systems.

    Shapes: ``pairs`` (n_pairs, 2).

    Examples
    --------
    >>> topic = np.repeat(np.arange(8), 3)
    >>> first, second = [0, 0, 1] * 8, [1, 2, 2] * 8
    >>> wins = [1, 1, 1, 1, 0.5, 0.5, 1, 1, 0.5, 0.5, 1, 1, 1, 1, 0.5, 1, 1, 1, 0, 1, 1, 1, 1, 1]
    >>> tests = estimate_preferences(PairedComparisons.from_arrays(topic, first, second, wins))
    >>> tests.quantity, tests.rates.rate.round(3).tolist()
    ('win rate', [0.875, 0.5, 0.125])
    >>> tests.pairs.difference.round(3).tolist(), tests.pairs.p.round(4).tolist()
    ([0.375, 0.75, 0.375], [0.0938, 0.0078, 0.0625])
    """
    rates = win_rates(comparisons)
    strengths = fit_strengths(comparisons)
    rows = np.stack(rows_of_pairs(pairs, comparisons.n_systems), axis=1)
    levels = interval_levels(1 - alpha, correction, len(rows))
    pairs_a_block = max(1, _MAX_NUMBERS_OF_CONTRIBUTIONS // comparisons.n_topics)
    blocks = [rows[block] for block in batch_slices(max(len(rows), 1), pairs_a_block)]
    if comparisons.is_complete:
        tested = [
            _test_win_rates(block, *contributions, levels, n_resamples, seed)
            for block, contributions in zip(blocks, _contributions(comparisons, blocks), strict=True)
        ]
    else:
        tested = [
            _test_strengths(comparisons, strengths, block, levels, n_resamples, seed) for block in blocks
        ]
    tests = join_differences(tested)
    is_drawn = (tests.flag == "") & (tests.n_used > MAX_ENUMERATED_TOPICS) & (tests.p_least > 0)
    corrected = replace(
        tests.align_intervals(levels),
        p_adjusted=adjust_p_values(tests.p, correction=correction),
        p_least=adjust_p_values(tests.p_least, correction=correction),
        correction=correction,
        confidence=levels.single,
        n_resamples=n_resamples if is_drawn.any() else 0,
    )
    return PreferenceEstimates(rates, strengths, corrected)


def _test_win_rates(
    pairs: IntArray,
    contributions: FloatArray,
    weights: FloatArray,
    levels: IntervalLevels,
    n_resamples: int,
    seed: int,
) -> Differences:
    """Test differences of win rates by sign flips of topics; p-values are not corrected."""
    confidences = tuple(level for level in levels if level is not None)
    flips = flip_signs(contributions, weights, levels=confidences, n_resamples=n_resamples, seed=seed)
    return Differences(
        first=pairs[:, 0],
        second=pairs[:, 1],
        difference=flips.estimate,
        low=_win_rate_limits(flips.low[0]),
        high=_win_rate_limits(flips.high[0]),
        low_all=_win_rate_limits(flips.low[1]),
        high_all=_win_rate_limits(flips.high[1]),
        effect=flips.estimate,
        statistic=divide(contributions.sum(axis=1), np.linalg.norm(contributions, axis=1), 0.0),
        p=flips.p,
        p_adjusted=flips.p,
        flag=np.where(flips.n_used == 0, NO_DIFFERENCE, ""),
        test=SIGN_FLIPS,
        correction="none",
        n=np.count_nonzero(weights, axis=1),
        n_used=flips.n_used,
        p_least=flips.p_least,
    )


def _win_rate_limits(ends: FloatArray) -> FloatArray:
    """Keep ends of intervals of differences (n_pairs,) within -1 and 1; without an end, NaN."""
    return np.where(np.isinf(ends), np.nan, np.clip(ends, -1.0, 1.0))


def _contributions(
    comparisons: PairedComparisons, blocks: Sequence[IntArray]
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Give what each topic adds to each difference of win rates and its weight there, for blocks of pairs.

    Each block has two arrays of shape (n_pairs_of_block, n_topics).
    """
    n_systems = comparisons.n_systems
    n_topics = comparisons.n_topics
    entries = comparisons.n_compared.tocoo()
    topic, pair = entries.coords
    lower, upper = comparisons.pairs[pair].T
    share = entries.data / comparisons.counts[pair]
    won = comparisons.n_won.tocoo().data / comparisons.counts[pair]
    # each comparison from the side of either system, a row for each system and topic
    cells = np.concatenate([lower, upper]) * n_topics + np.tile(topic, 2)
    opponents = np.concatenate([upper, lower])
    shares = csr_array((np.tile(share, 2), (cells, opponents)), shape=(n_systems * n_topics, n_systems))
    weight = shares.sum(axis=1).reshape(n_systems, n_topics)
    gained = np.bincount(cells, np.concatenate([won, share - won]), n_systems * n_topics)
    gained = gained.reshape(n_systems, n_topics)
    shares_of = [shares[system * n_topics : (system + 1) * n_topics] for system in range(n_systems)]
    rates = np.nan_to_num(comparisons.rates)
    expected_own = [of_system @ rates[system] for system, of_system in enumerate(shares_of)]
    for block in blocks:
        contributions = np.empty((len(block), n_topics))
        for row, (first, second) in enumerate(block):
            # what each would expect with its own shares won and with those of the other one
            expected = expected_own[first] - expected_own[second]
            expected += shares_of[first] @ rates[second] - shares_of[second] @ rates[first]
            # of their own comparisons the expectation is a half; the sums above have the shares of the two
            own_shares = shares_of[first][:, [second]].toarray()[:, 0]
            expected -= own_shares * (rates[first, second] - rates[second, first])
            contributions[row] = gained[first] - gained[second] - expected / 2
        first, second = block.T
        yield contributions / (n_systems - 1), (weight[first] + weight[second]) / 2 / (n_systems - 1)


def _test_strengths(
    comparisons: PairedComparisons,
    strengths: Strengths,
    pairs: IntArray,
    levels: IntervalLevels,
    n_resamples: int,
    seed: int,
) -> Differences:
    """Test differences of strengths by t with the jackknife's variance; a pair without it by its own comparisons.

    Such a pair has no error. P-values are not corrected.
    """
    first, second = pairs.T
    difference, error, df = contrast_tests(comparisons, strengths, pairs)
    unknown = np.flatnonzero(~((error > 0) & (df > 0)))
    error[unknown] = np.nan
    is_present = comparisons.n_by_topic_and_system > 0
    n = np.count_nonzero(is_present[:, first] | is_present[:, second], axis=0)
    flips = flip_own_comparisons(comparisons, pairs[unknown], n_resamples=n_resamples, seed=seed)
    order_of_strengths = np.sign(round_to_zero(difference[unknown], ROUNDING))
    own_order = np.sign(np.nan_to_num(flips.estimate))
    has_other_order = (own_order != 0) & (own_order != order_of_strengths)
    is_decided = (flips.n_used > 0) & ~has_other_order
    is_finite = strengths.core[first[unknown]] == strengths.core[second[unknown]]
    conditions = [is_decided, has_other_order, np.isnan(difference[unknown]), is_finite]
    flag = np.full(len(pairs), "", dtype=object)
    flag[unknown] = np.select(conditions, ["", OTHER_ORDER, NEVER_LINKED, NO_VARIANCE], NO_FINITE_DIFFERENCE)
    p_least = np.zeros(len(pairs))
    p_least[unknown] = np.where(is_decided, flips.p_least, 1.0)
    tests = differences_by_t(
        (first, second),
        difference,
        error,
        df,
        n,
        flag=flag.astype(str),
        test=BRADLEY_TERRY,
        levels=levels,
    )
    p = tests.p.copy()
    n_used = n.copy()
    p[unknown[is_decided]] = flips.p[is_decided]
    n_used[unknown[is_decided]] = flips.n_used[is_decided]
    return replace(tests, p=p, n_used=n_used, p_least=p_least)


def flip_own_comparisons(
    comparisons: PairedComparisons, pairs: IntArray, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> SignFlips:
    """Test by sign flips of topics whether one of two systems wins more of the comparisons of the two.

    Shapes: ``pairs`` (n_pairs, 2).

    Examples
    --------
    >>> comparisons = PairedComparisons.from_arrays(range(12), [0] * 12, [1] * 12, [1.0] * 12)
    >>> flip_own_comparisons(comparisons, np.array([[0, 1]])).p.tolist()  # 2 / 2^12
    [0.00048828125]
    """
    number = np.full((comparisons.n_systems, comparisons.n_systems), -1)
    number[tuple(comparisons.pairs.T)] = np.arange(len(comparisons.pairs))
    lower, upper = np.sort(pairs, axis=1).T
    has_met = number[lower, upper] >= 0
    met = number[lower, upper][has_met]
    contributions, weights = np.zeros((2, len(pairs), comparisons.n_topics))
    contributions[has_met] = (2 * comparisons.n_won - comparisons.n_compared)[:, met].toarray().T
    contributions[pairs[:, 0] > pairs[:, 1]] *= -1
    weights[has_met] = comparisons.n_compared[:, met].toarray().T
    return flip_signs(contributions, weights, n_resamples=n_resamples, seed=seed)
