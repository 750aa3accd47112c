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
LAST_STEP = 1e-9
MAX_LOG_ODDS = 20.0
"""Larger effects are those of a likelihood without a maximum."""


@dataclass(frozen=True, slots=True)
class EqualLengthRates:
    """Win rates at equal length with their intervals, (n_systems,), NaN with a ``flag`` that says why."""

    rate: FloatArray
    low: FloatArray
    high: FloatArray
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
    flag = _reason_without_rates(comparisons, longer)
    fit = None if flag else _fit(comparisons, np.tanh(longer / np.sqrt(np.mean(longer**2))))
    if fit is None:
        unknown = np.full(n_systems, np.nan)
        return EqualLengthRates(unknown, unknown, unknown, flag or NOT_FINITE)
    strengths, covariance = fit
    has_met = ~np.isnan(comparisons.rates)
    n_opponents = has_met.sum(axis=1)
    probabilities = np.where(has_met, expit(strengths[:, None] - strengths), 0.0)
    slopes = probabilities * (1 - probabilities)
    gradient = (np.diag(slopes.sum(axis=1)) - slopes) / n_opponents[:, None]
    error = np.sqrt(np.einsum("ij,jk,ik->i", gradient, covariance, gradient))
    rate = probabilities.sum(axis=1) / n_opponents
    df = np.count_nonzero(comparisons.n_by_topic_and_system, axis=0) - 1.0
    return EqualLengthRates(rate, *log_odds_interval(rate, error, df, 1 - ALPHA), "")


def _reason_without_rates(comparisons: PairedComparisons, longer: FloatArray) -> str:
    """Say why the effect of length cannot be told from that of the system; empty if it can."""
    if not longer.any():
        return EQUALLY_LONG
    first_is_longer = np.where(comparisons.first < comparisons.second, longer, -longer)
    n_pairs = len(comparisons.pairs)
    n_longer = [
        np.bincount(comparisons.pair, side > 0, n_pairs) for side in (first_is_longer, -first_is_longer)
    ]
    if np.min(n_longer) < MIN_LONGER:
        return NO_OVERLAP
    return TOO_FEW_TOPICS if len(np.unique(comparisons.topic)) < 2 else ""


def _fit(comparisons: PairedComparisons, advantage: FloatArray) -> tuple[FloatArray, FloatArray] | None:
    """Fit strengths with the advantage of each first system's length; give them with their covariance, if finite."""
    n_systems = comparisons.n_systems
    row = np.arange(len(advantage))
    design = np.zeros((len(advantage), n_systems + 1))
    design[row, comparisons.first] = 1.0
    design[row, comparisons.second] = -1.0
    design[:, -1] = advantage
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
            return None
        if np.abs(step).max() < LAST_STEP:
            break
    else:
        return None
    scores = np.zeros((comparisons.n_topics, n_systems + 1))
    np.add.at(scores, comparisons.topic, residuals[:, None] * design)
    n_topics = len(np.unique(comparisons.topic))
    covariance = n_topics / (n_topics - 1) * inverse @ scores.T @ scores @ inverse
    return effects[:-1], covariance[:-1, :-1]
