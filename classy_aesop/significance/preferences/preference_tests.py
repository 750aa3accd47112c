"""Systems compared by preferences: by their win rates, or by their strengths where some never met.

Where each system met each other one, two are compared by the difference of their win rates, with sign flips of topics
(:mod:`classy_aesop.significance.preferences.sign_flips`). Topic t contributes to the difference of i and j

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

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import NO_DIFFERENCE
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import PairTests, align_intervals, interval_levels
from classy_aesop.significance.preferences.bradley_terry import Strengths, contrast_tests, fit_strengths
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.sign_flips import ALL_FLIPS_UP_TO, SignFlips, flip_signs
from classy_aesop.significance.preferences.win_rates import WinRates, win_rates

_MAX_NUMBERS_OF_CONTRIBUTIONS = 1_000_000

NEVER_LINKED = "no comparison links the two"
NO_FINITE_DIFFERENCE = "no finite difference of strengths, and the two never met"
NO_VARIANCE = "the variance of the difference of strengths is unknown"
OTHER_ORDER = "their own comparisons have another order than their strengths"


@dataclass(frozen=True, slots=True)
class PreferenceTests(Result):
    """Systems compared by preferences.

    Attributes
    ----------
    quantity : {"win rate", "strength"}
        What is compared: of all systems, or, where some never met, by the model of Bradley and Terry.
    rates : WinRates
        Of each system.
    strengths : Strengths
        Of each system.
    pairs : PairTests
        Tests of all pairs of systems; ``n`` counts the topics of either.
    is_own : ndarray of bool, shape (n_pairs,)
        Whether a pair is tested by its own comparisons, as the difference of its strengths has no variance. Its
        difference is that of strengths, penalized where it is not finite, and has no interval.
    p_least : ndarray, shape (n_pairs,)
        The least corrected p that the data allow; 0 without a limit.
    """

    quantity: Literal["win rate", "strength"]
    rates: WinRates
    strengths: Strengths
    pairs: PairTests
    is_own: BoolArray
    p_least: FloatArray

    @property
    def order(self) -> FloatArray:
        """What systems are ranked by, (n_systems,): win rates, or strengths where some never met."""
        return self.rates.rate if self.quantity == "win rate" else self.strengths.strength


def estimate_preferences(
    comparisons: PairedComparisons,
    *,
    pairs: ArrayLike | None = None,
    correction: str = "holm",
    alpha: float = ALPHA,
    n_resamples: int = N_RESAMPLES,
    seed: int = 0,
) -> PreferenceTests:
    """Estimate win rates and strengths, and test pairs of systems.

    Parameters
    ----------
    comparisons : PairedComparisons
        Who won what.
    pairs : array_like of int, shape (n_pairs, 2), optional
        The pairs that are tested, first less second; by default each system with each later one.
    correction : str
        For the family of these pairs, see :func:`classy_aesop.significance.multiplicity.corrections.adjust_p_values`.
    alpha : float
        1 less the confidence of the pairs' intervals; those of systems have 95 %.
    n_resamples, seed : int
        Random flips, where not all are enumerated.

    Returns
    -------
    PreferenceTests
        Of all systems and pairs.

    Raises
    ------
    ValueError
        As :func:`classy_aesop.significance.multiplicity.corrections.adjust_p_values` and
        :func:`classy_aesop.significance.preferences.sign_flips.flip_signs`.

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
    if pairs is None:
        rows = np.stack(np.triu_indices(comparisons.n_systems, k=1), axis=1)
    else:
        rows = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    levels = interval_levels(1 - alpha, correction, len(rows))
    confidences = tuple(level for level in levels if level is not None)
    quantity: Literal["win rate", "strength"]
    if comparisons.is_complete:
        quantity = "win rate"
        is_own = np.zeros(len(rows), dtype=bool)
        tests, p_least = _test_win_rates(comparisons, rows, correction, confidences, n_resamples, seed)
    else:
        quantity = "strength"
        tests, is_own, p_least = _test_strengths(
            comparisons, strengths, rows, correction, confidences, n_resamples, seed
        )
    return PreferenceTests(
        quantity=quantity,
        rates=rates,
        strengths=strengths,
        pairs=align_intervals(tests, tests.p),
        is_own=is_own,
        p_least=adjust_p_values(p_least, correction=correction),
    )


def _test_win_rates(
    comparisons: PairedComparisons,
    pairs: IntArray,
    correction: str,
    confidences: tuple[float, ...],
    n_resamples: int,
    seed: int,
) -> tuple[PairTests, FloatArray]:
    """Test differences of win rates by sign flips of topics; also give the lowest p that each can have."""
    first, second = pairs.T
    pairs_a_block = max(1, _MAX_NUMBERS_OF_CONTRIBUTIONS // comparisons.n_topics)
    blocks = []
    statistics = []
    topics = []
    for contributions, weights in _contributions(comparisons, pairs, pairs_a_block):
        blocks.append(
            flip_signs(contributions, weights, levels=confidences, n_resamples=n_resamples, seed=seed)
        )
        sizes = np.square(contributions).sum(axis=1)
        statistics.append(contributions.sum(axis=1) / np.sqrt(np.where(sizes > 0, sizes, 1.0)))
        topics.append(np.count_nonzero(weights, axis=1))
    flips = _join_flips(blocks)
    statistic = np.concatenate(statistics)
    low = _clip_to_shares(flips.low)
    high = _clip_to_shares(flips.high)
    tests = PairTests(
        test="sign_flips",
        alternative="two-sided",
        correction=correction,
        first=first,
        second=second,
        n=np.concatenate(topics),
        n_used=flips.n_used,
        difference=flips.estimate,
        low=low[0],
        high=high[0],
        low_all=low[1],
        high_all=high[1],
        effect=flips.estimate,
        statistic=statistic,
        p=flips.p,
        p_adjusted=adjust_p_values(flips.p, correction=correction),
        flag=np.where(flips.n_used == 0, NO_DIFFERENCE, ""),
        n_resamples=n_resamples if _are_drawn(flips) else 0,
        confidence=confidences[0],
    )
    return tests, flips.p_least


def _are_drawn(flips: SignFlips) -> bool:
    """Whether flips were drawn for some sum, neither all enumerated nor replaced by the normal distribution."""
    return bool(((flips.n_used > ALL_FLIPS_UP_TO) & (flips.p_least > 0)).any())


def _join_flips(blocks: list[SignFlips]) -> SignFlips:
    """Put tests of blocks of pairs together."""
    columns = (
        np.concatenate([getattr(block, field.name) for block in blocks], axis=-1)
        for field in fields(SignFlips)
    )
    return SignFlips(*columns)


def _clip_to_shares(ends: FloatArray) -> FloatArray:
    """Give ends of differences of shares: within -1 and 1, NaN where nothing is excluded."""
    return np.where(np.isinf(ends), np.nan, np.clip(ends, -1.0, 1.0))


def _contributions(
    comparisons: PairedComparisons, pairs: IntArray, pairs_a_block: int
) -> Iterator[tuple[FloatArray, FloatArray]]:
    """Give what each topic adds to each difference of win rates and its weight there, in blocks of pairs.

    Each block has two arrays of shape (n_pairs_of_block, n_topics).
    """
    n_systems = comparisons.n_systems
    n_topics = comparisons.n_topics
    rates = np.nan_to_num(comparisons.rates)
    counts, _ = comparisons.count_pairs()
    entries = comparisons.n_compared.tocoo()
    topic, pair = entries.coords
    lower, upper = comparisons.pairs[pair].T
    share = entries.data / counts[pair]
    won = comparisons.n_won.tocoo().data / counts[pair]
    # each comparison from the side of either system
    topics = np.concatenate([topic, topic])
    systems = np.concatenate([lower, upper])
    opponents = np.concatenate([upper, lower])
    shares = np.concatenate([share, share])
    cells = systems * n_topics + topics

    def sum_by_system(values: FloatArray) -> FloatArray:
        sums = np.bincount(cells, weights=values, minlength=n_systems * n_topics)
        return np.asarray(sums.reshape(n_systems, n_topics), dtype=np.float64)

    gained = sum_by_system(np.concatenate([won, share - won]))
    weight = sum_by_system(shares)
    expected_own = sum_by_system(shares * rates[systems, opponents])
    share_against = np.zeros((n_systems, n_topics))
    for begin in range(0, len(pairs), pairs_a_block):
        block = pairs[begin : begin + pairs_a_block]
        contributions = np.empty((len(block), n_topics))
        weights = np.empty((len(block), n_topics))
        for first in np.unique(block[:, 0]):
            rows = np.flatnonzero(block[:, 0] == first)
            second = block[rows, 1]
            # what each system would expect with the shares that `first` won
            expected_as_first = sum_by_system(shares * rates[first, opponents])
            is_first = systems == first
            share_against[:] = 0.0
            share_against[opponents[is_first], topics[is_first]] = shares[is_first]
            expected = expected_own[first] - expected_own[second]
            expected += rates[second] @ share_against - expected_as_first[second]
            # of their own comparisons the expectation is a half; the sums above have the shares of the two
            difference_of_rates = (rates[first, second] - rates[second, first])[:, None]
            expected -= share_against[second] * difference_of_rates
            contributions[rows] = gained[first] - gained[second] - expected / 2
            weights[rows] = (weight[first] + weight[second]) / 2
        yield contributions / (n_systems - 1), weights / (n_systems - 1)


def _test_strengths(
    comparisons: PairedComparisons,
    strengths: Strengths,
    pairs: IntArray,
    correction: str,
    confidences: tuple[float, ...],
    n_resamples: int,
    seed: int,
) -> tuple[PairTests, BoolArray, FloatArray]:
    """Test differences of strengths by t with the jackknife's variance; a pair without it by its own comparisons.

    Also give which pairs these are, and the lowest p that each pair can have.
    """
    from scipy.special import stdtr, stdtrit

    first, second = pairs.T
    difference, error, df = contrast_tests(comparisons, strengths, pairs)
    is_known = (error > 0) & (df > 0)
    statistic = np.divide(difference, error, out=np.full(len(pairs), np.nan), where=is_known)
    known_df = np.where(is_known, df, 1.0)
    p = np.where(is_known, 2 * stdtr(known_df, -np.abs(np.nan_to_num(statistic))), 1.0)
    p_least = np.where(is_known, 0.0, 1.0)
    ends = {}
    for name, level in zip(("", "_all"), confidences, strict=True):
        margin = np.where(is_known, stdtrit(known_df, (1 + level) / 2) * error, np.nan)
        ends[f"low{name}"] = difference - margin
        ends[f"high{name}"] = difference + margin
    is_finite = strengths.core[first] == strengths.core[second]
    why_unknown = np.where(is_finite, NO_VARIANCE, NO_FINITE_DIFFERENCE)
    flag = np.where(is_known, "", np.where(np.isnan(difference), NEVER_LINKED, why_unknown)).astype(object)
    flips = flip_own_comparisons(comparisons, pairs[~is_known], n_resamples=n_resamples, seed=seed)
    has_met = flips.n_used > 0
    order_of_strengths = np.sign(np.where(np.abs(difference) <= ROUNDING, 0.0, difference)[~is_known])
    own_order = np.sign(np.nan_to_num(flips.estimate))
    has_other_order = (own_order != 0) & (own_order != order_of_strengths)
    is_decided = has_met & ~has_other_order
    is_own = ~is_known
    is_own[~is_known] = is_decided
    p[is_own] = flips.p[is_decided]
    p_least[is_own] = flips.p_least[is_decided]
    flag[is_own] = ""
    flag[np.flatnonzero(~is_known)[has_other_order]] = OTHER_ORDER
    is_present = (comparisons.n_by_topic_and_system > 0).astype(np.float64)
    n_shared = is_present.T @ is_present
    n = np.rint(np.diag(n_shared)[first] + np.diag(n_shared)[second] - n_shared[first, second])
    n_used = n.astype(np.int64)
    n_used[is_own] = flips.n_used[is_decided]
    tests = PairTests(
        test="bradley_terry",
        alternative="two-sided",
        correction=correction,
        first=first,
        second=second,
        n=n.astype(np.int64),
        n_used=n_used,
        difference=difference,
        effect=np.nan_to_num(difference),
        statistic=statistic,
        p=p,
        p_adjusted=adjust_p_values(p, correction=correction),
        flag=flag.astype(str),
        n_resamples=n_resamples if _are_drawn(flips) else 0,
        confidence=confidences[0],
        **ends,
    )
    return tests, is_own, p_least


def flip_own_comparisons(
    comparisons: PairedComparisons, pairs: IntArray, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> SignFlips:
    """Test by sign flips of topics whether one of two systems wins more of the comparisons of the two.

    Parameters
    ----------
    comparisons : PairedComparisons
        Who won what.
    pairs : ndarray of int, shape (n_pairs, 2)
        The systems of each; a pair that never met has a p of 1.
    n_resamples, seed : int
        Random flips, where not all are enumerated.

    Examples
    --------
    >>> comparisons = PairedComparisons.from_arrays(range(12), [0] * 12, [1] * 12, [1.0] * 12)
    >>> flip_own_comparisons(comparisons, np.array([[0, 1]])).p.tolist()  # 2 / 2^12
    [0.00048828125]
    """
    lower = pairs.min(axis=1, initial=comparisons.n_systems)
    upper = pairs.max(axis=1, initial=-1)
    codes = comparisons.pairs[:, 0] * comparisons.n_systems + comparisons.pairs[:, 1]
    place = np.minimum(np.searchsorted(codes, lower * comparisons.n_systems + upper), len(codes) - 1)
    met = np.flatnonzero(codes[place] == lower * comparisons.n_systems + upper)
    compared = comparisons.n_compared.tocsc()[:, place[met]]
    won = comparisons.n_won.tocsc()[:, place[met]]
    n_topics = np.diff(compared.indptr)  # of each pair: a row has its own topics alone
    rows = np.repeat(np.arange(len(met)), n_topics)
    position = np.arange(len(rows)) - np.repeat(compared.indptr[:-1], n_topics)
    contributions = np.zeros((len(pairs), int(n_topics.max(initial=1))))
    weights = np.zeros(contributions.shape)
    sign = np.where(pairs[met, 0] < pairs[met, 1], 1.0, -1.0)
    contributions[met[rows], position] = sign[rows] * (2 * won.data - compared.data)
    weights[met[rows], position] = compared.data
    return flip_signs(contributions, weights, n_resamples=n_resamples, seed=seed)
