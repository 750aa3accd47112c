"""Win rates of systems, with intervals for topics like these.

The win rate of a system is the mean, over the opponents that it met, of the share that it won against each, a tie
being half a win. Opponents count equally, however often they were met.

Comparisons of one topic are not independent, so topics are what is resampled: the interval is that of the log-odds of
the rate, with the jackknife's variance over topics and t quantiles. So it stays within 0 and 1.

How often a metric prefers what people prefer has the same interval: of all comparisons in which people preferred one of
the two outputs, it is the share in which the metric scores that output higher; two equal scores are half a hit. Human
ties are left out: there is nothing to prefer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray, divide
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import sign_of_effect
from classy_aesop.significance.equality import ROUNDING, round_to_zero, rounding_slack
from classy_aesop.significance.flags import TOO_FEW_TOPICS
from classy_aesop.significance.leave_one_out import leave_one_out_errors
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons

NO_SPREAD_OF_TOPICS = "the same on all topics"
NEVER_MET = "no comparison"


@dataclass(frozen=True, slots=True)
class WinRates:
    """Win rates of systems; arrays of shape (n_systems,).

    Attributes
    ----------
    rate : ndarray
        Mean share won over opponents; NaN of a system that was never compared.
    low, high : ndarray
        Interval within 0 and 1; NaN where ``flag`` says why.
    n_comparisons, n_topics, n_opponents : ndarray of int
        What each rate rests on.
    flag : ndarray of str
        Why there is no rate or no interval; else empty.
    """

    rate: FloatArray
    low: FloatArray
    high: FloatArray
    n_comparisons: IntArray
    n_topics: IntArray
    n_opponents: IntArray
    flag: np.ndarray[tuple[int], np.dtype[np.str_]]


def win_rates(comparisons: PairedComparisons, *, confidence: float = 1 - ALPHA) -> WinRates:
    """Win rate of each system, with its interval for topics like these.

    Examples
    --------
    >>> wins = [1, 1, 0, 0.5, 1]
    >>> comparisons = PairedComparisons.from_arrays([0, 0, 1, 1, 2], [0, 0, 0, 1, 1], [1, 2, 1, 2, 2], wins)
    >>> rates = win_rates(comparisons)
    >>> rates.rate.tolist(), rates.n_opponents.tolist()
    ([0.75, 0.625, 0.125], [2, 2, 2])
    """
    by_topic = comparisons.n_by_topic_and_system
    n_topics = np.count_nonzero(by_topic, axis=0)
    n_opponents = np.count_nonzero(~np.isnan(comparisons.rates), axis=1)
    rate = divide(np.nansum(comparisons.rates, axis=1), n_opponents)
    error, df = leave_one_out_errors(_rates_without_topics(comparisons), rate, by_topic)
    flag = np.full(len(rate), "", dtype=object)
    flag[error <= ROUNDING] = NO_SPREAD_OF_TOPICS
    flag[np.isnan(error)] = "an opponent was met on one topic only"
    flag[rate == 1] = "won every comparison"
    flag[rate == 0] = "lost every comparison"
    flag[n_topics < 2] = TOO_FEW_TOPICS
    flag[n_topics == 0] = NEVER_MET
    is_known = (flag == "") & (df > 0)
    low, high = log_odds_interval(rate, np.where(is_known, error, np.nan), df, confidence)
    return WinRates(
        rate=rate,
        low=low,
        high=high,
        n_comparisons=by_topic.sum(axis=0).astype(np.int64),
        n_topics=n_topics,
        n_opponents=n_opponents,
        flag=flag.astype(str),
    )


def log_odds_interval(
    rate: FloatArray, error: FloatArray, df: FloatArray, confidence: float
) -> tuple[FloatArray, FloatArray]:
    """Interval of rates by t quantiles of their log-odds, within 0 and 1; NaN for an unknown error or a rate of 0 or 1.

    Shapes: ``rate``, ``error`` and ``df`` (n_rates,); gives ``low, high`` (n_rates,).

    Examples
    --------
    >>> low, high = log_odds_interval(np.array([0.9]), np.array([0.05]), np.array([19.0]), 0.95)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.738], [0.966])
    """
    from scipy.special import expit, logit, stdtrit

    variance = rate * (1 - rate)
    is_known = (error > 0) & (df > 0) & (variance > 0)
    scaled = np.where(is_known, divide(error, variance), np.nan)
    margin = stdtrit(np.where(is_known, df, 1.0), (1 + confidence) / 2) * scaled
    log_odds = logit(np.where(is_known, rate, 0.5))
    return expit(log_odds - margin), expit(log_odds + margin)


def _rates_without_topics(comparisons: PairedComparisons) -> FloatArray:
    """Give the win rates without each topic, (n_topics, n_systems); NaN without any opponent."""
    entries = comparisons.n_compared.tocoo()
    topic, pair = entries.coords
    n_left = comparisons.counts[pair] - entries.data
    won_left = comparisons.won[pair] - comparisons.n_won.tocoo().data
    is_met = n_left > ROUNDING * comparisons.counts[pair]
    share = (comparisons.won / comparisons.counts)[pair]
    change = np.where(is_met, divide(won_left, n_left), 0.0) - share
    change_of_upper = np.where(is_met, -change, share - 1)
    cells = (topic * comparisons.n_systems + comparisons.pairs[pair].T).ravel()
    shape = comparisons.n_topics, comparisons.n_systems
    changes = np.bincount(cells, np.concatenate([change, change_of_upper]), shape[0] * shape[1])
    n_lost = np.bincount(cells, np.tile(~is_met, 2), shape[0] * shape[1])
    n_opponents = np.count_nonzero(~np.isnan(comparisons.rates), axis=1)
    sums = np.nansum(comparisons.rates, axis=1) + changes.reshape(shape)
    return divide(sums, n_opponents - n_lost.reshape(shape))


NOTHING_TO_PREFER = "no comparison that people decided and the metric scored"


@dataclass(frozen=True, slots=True)
class MetricPreference:
    """How often a metric prefers what people prefer.

    Attributes
    ----------
    share : float
        Of the comparisons; a half is what chance gives; NaN without any.
    low, high : float
        Interval within 0 and 1; NaN where ``flag`` says why.
    n_comparisons, n_topics : int
        Comparisons that people decided and the metric scored, and their topics.
    n_human_ties, n_metric_ties, n_missing : int
        Comparisons left out as ties of people, those of equal scores (half a hit each), and those that people decided
        but of which the metric lacks a score.
    flag : str
        Why there is no share or no interval; else empty.
    """

    share: float
    low: float
    high: float
    n_comparisons: int
    n_topics: int
    n_human_ties: int
    n_metric_ties: int
    n_missing: int
    flag: str


def metric_preference(
    scores: ArrayLike, comparisons: PairedComparisons, *, confidence: float = 0.95
) -> MetricPreference:
    """Share of people's preferences that a metric shares, with its interval for topics like these.

    Shapes: ``scores`` (n_systems, n_topics).

    Examples
    --------
    >>> comparisons = PairedComparisons.from_arrays([0, 1, 2, 3], [0, 0, 0, 0], [1, 1, 1, 1], [1, 0, 0.5, 1])
    >>> found = metric_preference([[3, 3, 3, 3], [1, 1, 1, 3]], comparisons)
    >>> found.share, found.n_comparisons, found.n_human_ties, found.n_metric_ties
    (0.5, 3, 1, 1)
    """
    matrix = np.asarray(scores, dtype=np.float64)
    difference = matrix[comparisons.first, comparisons.topic] - matrix[comparisons.second, comparisons.topic]
    human_side = sign_of_effect(comparisons.wins - 0.5)
    metric_side = sign_of_effect(round_to_zero(difference, float(rounding_slack(matrix))))
    is_decided = human_side != 0
    is_used = is_decided & ~np.isnan(difference)
    hits = (1 + human_side * metric_side)[is_used] / 2
    metric_against_people = PairedComparisons.from_arrays(
        comparisons.topic[is_used],
        np.zeros(len(hits)),
        np.ones(len(hits)),
        hits,
        n_systems=2,
        n_topics=comparisons.n_topics,
    )
    rates = win_rates(metric_against_people, confidence=confidence)
    flag = str(rates.flag[0])
    if not len(hits):
        flag = NOTHING_TO_PREFER
    elif flag != TOO_FEW_TOPICS and rates.rate[0] in (0, 1):
        flag = NO_SPREAD_OF_TOPICS
    return MetricPreference(
        share=float(rates.rate[0]),
        low=float(rates.low[0]),
        high=float(rates.high[0]),
        n_comparisons=len(hits),
        n_topics=int(rates.n_topics[0]),
        n_human_ties=int(np.count_nonzero(~is_decided)),
        n_metric_ties=int(np.count_nonzero(metric_side[is_used] == 0)),
        n_missing=int(np.count_nonzero(is_decided & np.isnan(difference))),
        flag=flag,
    )
