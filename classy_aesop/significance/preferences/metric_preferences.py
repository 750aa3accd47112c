"""How often does a metric prefer what people prefer?

Of all comparisons in which people preferred one of the two outputs, the share in which the metric scores that output
higher; two equal scores are half a hit. Human ties are left out: there is nothing to prefer. The interval is that of
the log-odds of the share, with the jackknife's variance over topics and t quantiles, so that it stays within 0 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import Result, check_share, score_matrix
from classy_aesop.significance.decisions import sign_of_effect
from classy_aesop.significance.equality import ROUNDING, round_to_zero, rounding_slack
from classy_aesop.significance.flags import TOO_FEW_TOPICS
from classy_aesop.significance.leave_one_out import leave_one_out_errors
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.win_rates import NO_SPREAD_OF_TOPICS, log_odds_interval

NOTHING_TO_PREFER = "no comparison that people decided and the metric scored"


@dataclass(frozen=True, slots=True)
class MetricPreference(Result):
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
    confidence: float


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
    check_share(confidence, "confidence")
    matrix = score_matrix(scores, "scores")
    expected = (comparisons.n_systems, comparisons.n_topics)
    if matrix.shape != expected:
        raise ValueError(f"scores have shape {matrix.shape}; expected {expected}, systems x topics")
    difference = matrix[comparisons.first, comparisons.topic] - matrix[comparisons.second, comparisons.topic]
    human_side = sign_of_effect(comparisons.wins - 0.5)
    metric_side = sign_of_effect(round_to_zero(difference, float(rounding_slack(matrix))))
    is_decided = human_side != 0
    is_used = is_decided & ~np.isnan(difference)
    hits = (1 + human_side * metric_side)[is_used] / 2
    topic = comparisons.topic[is_used]
    n_of_topic = np.bincount(topic, minlength=comparisons.n_topics).astype(np.float64)
    hits_of_topic = np.bincount(topic, weights=hits, minlength=comparisons.n_topics)
    n_topics = int(np.count_nonzero(n_of_topic))
    n_used = len(hits)
    share = float(hits.mean()) if n_used else np.nan
    flag = NOTHING_TO_PREFER if not n_used else TOO_FEW_TOPICS if n_topics < 2 else ""
    low = high = np.full(1, np.nan)
    if not flag:
        without = (hits.sum() - hits_of_topic) / (n_used - n_of_topic)
        error, df = leave_one_out_errors(without[:, None], np.array([share]), n_of_topic[:, None])
        if error[0] <= ROUNDING:
            flag = NO_SPREAD_OF_TOPICS
        else:
            low, high = log_odds_interval(np.array([share]), error, df, confidence)
    return MetricPreference(
        share=share,
        low=float(low[0]),
        high=float(high[0]),
        n_comparisons=n_used,
        n_topics=n_topics,
        n_human_ties=int(np.count_nonzero(~is_decided)),
        n_metric_ties=int(np.count_nonzero(metric_side[is_used] == 0)),
        n_missing=int(np.count_nonzero(is_decided & np.isnan(difference))),
        flag=flag,
        confidence=confidence,
    )
