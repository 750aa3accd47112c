"""Win rates at equal length: what systems would win of each other if outputs were equally long.

A judge who prefers long outputs prefers a system that writes them. So the log-odds that one output is preferred to
another are taken as the difference of their systems' strengths plus an effect of how much longer it is,

    logit P(i is preferred to j) = s_i - s_j + b tanh(d / D),

where d is the length of the output of i less that of j, and D the root mean square of these differences: beyond some
length more of it matters no more (Dubois et al. 2024, *Length-Controlled AlpacaEval*, without their term for the
instruction). At equal length d is 0. The win rate of a system is the mean over its opponents of these probabilities, a
tie counts as half a win of each, and variances are clustered by topic (Liang and Zeger 1986).

The effect of length is not told from that of the system where one output is always the longer one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.flags import EQUALLY_LONG, MIN_LONGER, NO_OVERLAP, TOO_FEW_TOPICS
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.win_rates import log_odds_interval

NOT_FINITE = "no finite effect of length or system"

MAX_STEPS = 50
MAX_LOG_ODDS = 20.0
"""Larger effects are those of a likelihood without a maximum."""


@dataclass(frozen=True, slots=True)
class EqualLengthRates:
    """Win rates at equal length with their intervals, (n_systems,), NaN with a ``flag`` that says why.

    ``effect`` is b, the log-odds that a much longer output gains.
    """

    rate: FloatArray
    low: FloatArray
    high: FloatArray
    effect: float
    flag: str


def win_rates_at_equal_length(comparisons: PairedComparisons, longer: FloatArray) -> EqualLengthRates:
    """Estimate win rates at equal length.

    Shapes: ``longer`` (n_comparisons,), by how much the output of the first system is longer.

    Examples
    --------
    >>> longer, wins = np.repeat([[1.0, 1, -1, -1], [1, 0, 1, 0]], [6, 4, 2, 8], axis=1)
    >>> comparisons = PairedComparisons.from_arrays(range(20), [0] * 20, [1] * 20, wins)
    >>> rates = win_rates_at_equal_length(comparisons, longer)  # the mean log-odds of 6 to 4 and 2 to 8
    >>> rates.rate.round(3).tolist(), round(float(np.log(6 / 4 * 2 / 8)) / 2, 3)
    ([0.38, 0.62], -0.49)
    """
    n_systems = comparisons.n_systems
    strengths, covariance, flag = _fit(comparisons, longer)
    if flag:
        unknown = np.full(n_systems, np.nan)
        return EqualLengthRates(unknown, unknown, unknown, float("nan"), flag)
    has_met = ~np.isnan(comparisons.rates)
    n_opponents = has_met.sum(axis=1)
    probabilities = np.where(has_met, expit(strengths[:n_systems, None] - strengths[:n_systems]), 0.0)
    rate = probabilities.sum(axis=1) / n_opponents
    slopes = probabilities * (1 - probabilities)
    gradient = (np.diag(slopes.sum(axis=1)) - slopes) / n_opponents[:, None]
    error = np.sqrt(np.einsum("ij,jk,ik->i", gradient, covariance[:n_systems, :n_systems], gradient))
    df = np.count_nonzero(comparisons.n_by_topic_and_system, axis=0) - 1.0
    low, high = log_odds_interval(rate, error, df, 1 - ALPHA)
    return EqualLengthRates(rate, low, high, float(strengths[-1]), "")


def _fit(comparisons: PairedComparisons, longer: FloatArray) -> tuple[FloatArray, FloatArray, str]:
    """Fit strengths and the effect of length, (n_systems + 1,), with their covariance; or say why they are unknown."""
    n_systems = comparisons.n_systems
    nothing = np.empty(0), np.empty((0, 0))
    scale = np.sqrt(np.mean(longer**2))
    if not scale > 0:
        return *nothing, EQUALLY_LONG
    is_lower = comparisons.first < comparisons.second
    sign = np.sign(longer) * np.where(is_lower, 1, -1)
    n_pairs = len(comparisons.pairs)
    for side in (1, -1):
        if np.bincount(comparisons.pair, sign == side, n_pairs).min() < MIN_LONGER:
            return *nothing, NO_OVERLAP
    row = np.arange(len(longer))
    design = np.zeros((len(longer), n_systems + 1))
    design[row, comparisons.first] = 1.0
    design[row, comparisons.second] = -1.0
    design[:, -1] = np.tanh(longer / scale)
    effects = np.zeros(n_systems + 1)
    for _ in range(MAX_STEPS):
        probability = expit(design @ effects)
        residuals = (comparisons.wins - probability) * comparisons.weights
        weights = probability * (1 - probability) * comparisons.weights
        # only differences of strengths are known, of which the least-squares inverse gives those with mean 0
        inverse = np.linalg.pinv(design.T @ (weights[:, None] * design), hermitian=True)
        step = inverse @ (design.T @ residuals)
        effects = effects + step
        if np.abs(effects).max() > MAX_LOG_ODDS:
            return *nothing, NOT_FINITE
        if np.abs(step).max() < 1e-9:
            break
    else:
        return *nothing, NOT_FINITE
    scores = np.zeros((comparisons.n_topics, n_systems + 1))
    np.add.at(scores, comparisons.topic, residuals[:, None] * design)
    n_topics = len(np.unique(comparisons.topic))
    if n_topics < 2:
        return *nothing, TOO_FEW_TOPICS
    covariance = n_topics / (n_topics - 1) * inverse @ scores.T @ scores @ inverse
    return effects, covariance, ""
