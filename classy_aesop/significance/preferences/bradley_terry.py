"""Strengths of systems from comparisons, by the model of Bradley and Terry (1952).

A system of strength s is preferred to one of strength r with probability 1 / (1 + exp(r - s)). Strengths are log-odds
with mean 0, of the greatest likelihood, in which a tie counts as half a win of each side. They are found by Newton's
method; the likelihood is concave, and its maximum is finite exactly where the systems cannot be divided into two sets
of which one wins all comparisons with the other (Ford 1957): where the graph from winners to losers is strongly
connected.

Systems that any chain of comparisons links have a common order all the same: who wins everything is the best. Where
their maximum is not finite, all strengths of such a group are those of the greatest penalized likelihood, with
Jeffreys' prior (Firth 1993): always finite (Heinze and Schemper 2002), and worth as many comparisons in all as there
are systems less one. Of two systems with w and l wins their difference is log((w + 1/2) / (l + 1/2)). They give the
order. Within a strongly connected part differences are those of its own greatest likelihood; between two parts their
size is unknown.

Variances are the jackknife's over topics: the fit is repeated without each topic. With more than `MAX_REFITS` topics it
is one Newton step from the whole fit, with the information of the others; by then the two agree to three digits. A
topic without which some strength is not finite leaves all variances unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, stdtrit

from classy_aesop.significance.base import (
    FloatArray,
    IntArray,
    batch_slices,
    difference_forms,
)
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import TOO_FEW_TOPICS
from classy_aesop.significance.leave_one_out import effective_number, leave_one_out_covariance
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons

MAX_NEWTON_STEPS = 2_000
"""Newton's steps; few are needed without a penalty, and with one each reduces the error by a factor."""

MAX_HALVINGS = 30

MAX_REFITS = 500
"""Topics up to which the jackknife fits anew without each."""

_LAST_STEP = 1e-7
"""The fit has converged after a step that is no longer: the next one would be about its square."""

_LAST_PENALIZED_STEP = 1e-10

_MAX_NUMBERS_OF_CONTRASTS = 1_000_000

_MAX_NUMBERS_OF_RESAMPLES = 2_000_000

NO_COMPARISON = "no comparison"
NO_JACKKNIFE = "no interval: without one topic some strength is not finite"
NO_FINITE_STRENGTH = "no finite strength: "
"""How the reason begins why a strength has no finite size."""

NOT_FINITE_GROUP = f"{NO_FINITE_STRENGTH}in a group that won or lost every comparison with another"


@dataclass(frozen=True, slots=True)
class Strengths:
    """Strengths of systems; arrays of shape (n_systems,).

    Attributes
    ----------
    strength : ndarray
        Log-odds with mean 0 within a group, penalized where ``flag`` says that they are not finite; NaN of a system
        without any comparison.
    low, high : ndarray
        Interval by the jackknife over topics and t quantiles; NaN where ``flag`` says why, or there is no strength.
    group : ndarray of int
        Systems of one number, from 0, are linked by comparisons, so that their order is known.
    core : ndarray of int
        Systems of one number, from 0, have finite differences of strengths: strongly connected components.
    covariance : ndarray, shape (n_systems, n_systems)
        Of the strengths; NaN where unknown.
    flag : ndarray of str
        Why there is no strength, or no interval; else empty.
    """

    strength: FloatArray
    low: FloatArray
    high: FloatArray
    group: IntArray
    core: IntArray
    covariance: FloatArray
    flag: np.ndarray[tuple[int], np.dtype[np.str_]]


def strongly_connected(won: ArrayLike) -> IntArray:
    """Number the strongly connected components of the graph from winners to losers, from 0, (n_systems,).

    Shapes: ``won`` (n_systems, n_systems).

    Examples
    --------
    >>> labels = strongly_connected([[0, 1, 1], [1, 0, 1], [0, 0, 0]])
    >>> labels[0] == labels[1], labels[0] == labels[2]
    (np.True_, np.False_)
    """
    edges = csr_array(np.asarray(won) > 0)
    return np.asarray(connected_components(edges, directed=True, connection="strong")[1], dtype=np.int64)


def fit_strengths(comparisons: PairedComparisons) -> Strengths:
    """Estimate the strengths of systems, each within those that comparisons link, with 95 % intervals.

    Examples
    --------
    >>> topic = np.repeat(np.arange(8), 2)
    >>> wins = [1, 1, 1, 0, 0.5, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1]
    >>> strengths = fit_strengths(PairedComparisons.from_arrays(topic, [0] * 16, [1] * 16, wins))
    >>> strengths.strength.round(3).tolist(), strengths.low.round(3).tolist()
    ([0.636, -0.636], [0.016, -1.257])
    """
    core = strongly_connected(comparisons.rates)
    group = strongly_connected(~np.isnan(comparisons.rates))
    n_systems = comparisons.n_systems
    strength, df = np.full((2, n_systems), np.nan)
    covariance = np.full((n_systems, n_systems), np.nan)
    flag = np.full(n_systems, "", dtype=object)
    for number in np.unique(group):
        members = np.flatnonzero(group == number)
        if len(members) == 1:
            flag[members] = NO_COMPARISON
            continue
        parts = np.unique(core[members])
        strength[members] = 0.0
        if len(parts) > 1:
            strength[members] = _maximize_of_all(comparisons.keep_systems(members), is_penalized=True)
        for part in parts:
            inside = members[core[members] == part]
            if len(inside) == 1:
                flag[inside] = _why_not_finite(comparisons.rates, int(inside[0]))
                continue
            fitted, covariance_inside, df_inside, reason = _fit_component(comparisons.keep_systems(inside))
            strength[inside] = strength[inside].mean() + fitted
            covariance[np.ix_(inside, inside)] = covariance_inside
            flag[inside] = NOT_FINITE_GROUP
            if len(parts) == 1:
                df[inside] = df_inside
                flag[inside] = reason
    strength = np.where(np.abs(strength) <= ROUNDING, 0.0, strength)
    quantile = stdtrit(np.where(df > 0, df, np.nan), 1 - ALPHA / 2)
    margin = quantile * np.sqrt(np.diag(covariance))
    low = strength - margin
    high = strength + margin
    return Strengths(strength, low, high, group, core, covariance, flag.astype(str))


def _why_not_finite(rates: FloatArray, system: int) -> str:
    """Say why the strength of a system alone in its component is not finite."""
    met_rates = rates[system][~np.isnan(rates[system])]
    if (met_rates == 1).all():
        return f"{NO_FINITE_STRENGTH}won every comparison"
    if (met_rates == 0).all():
        return f"{NO_FINITE_STRENGTH}lost every comparison"
    return f"{NO_FINITE_STRENGTH}won every comparison with some and lost every comparison with others"


def _fit_component(comparisons: PairedComparisons) -> tuple[FloatArray, FloatArray, FloatArray, str]:
    """Fit systems that are strongly connected, again without each topic.

    Gives strengths, their covariance, degrees of freedom, and why there is no covariance.
    """
    n_systems = comparisons.n_systems
    n_topics = comparisons.n_topics
    strength = _maximize_of_all(comparisons)
    df = _degrees_of_freedom(strength, comparisons, np.eye(n_systems) - 1 / n_systems)
    if n_topics < 2 or not _stays_connected(comparisons):
        unknown = np.full((n_systems, n_systems), np.nan)
        return strength, unknown, df, NO_JACKKNIFE if n_topics > 1 else TOO_FEW_TOPICS
    if n_topics > MAX_REFITS:
        without = strength + _steps_without_topics(strength, comparisons)
    else:
        refits = [
            maximize_likelihood(
                comparisons.pairs,
                comparisons.counts - comparisons.n_compared[part].toarray(),
                comparisons.won - comparisons.n_won[part].toarray(),
                strength,
            )
            for part in batch_slices(n_topics, _samples_a_batch(comparisons))
        ]
        without = np.concatenate(refits)
    return strength, leave_one_out_covariance(without, strength), df, ""


def _samples_a_batch(comparisons: PairedComparisons) -> int:
    """Give how many samples are fitted at once."""
    return max(1, _MAX_NUMBERS_OF_RESAMPLES // max(comparisons.n_systems**2, len(comparisons.pairs)))


def _steps_without_topics(strength: FloatArray, comparisons: PairedComparisons) -> FloatArray:
    """Give the Newton step without each topic, with the information of the other topics, (n_topics, n_systems).

    For a topic with one pair the step has a closed form (Sherman and Morrison 1950).
    """
    pairs = comparisons.pairs
    n_systems = len(strength)
    lower, upper = pairs.T
    probability = expit(strength[lower] - strength[upper])
    variance = probability * (1 - probability)
    residuals = comparisons.n_won - comparisons.n_compared * probability
    n_pairs_of_topic = np.diff(comparisons.n_compared.indptr)
    gradients = residuals @ _incidence(pairs, n_systems)
    changes = np.zeros((comparisons.n_topics, n_systems))
    topics_of_one = np.flatnonzero(n_pairs_of_topic == 1)
    entry = comparisons.n_compared.indptr[topics_of_one]
    pair = comparisons.n_compared.indices[entry]
    inverse = np.linalg.inv(_information(pairs, comparisons.counts * variance, n_systems))
    weight = comparisons.n_compared.data[entry] * variance[pair]
    weight_left = 1 - weight * difference_forms(inverse, lower, upper)[pair]
    changes[topics_of_one] = -(gradients[topics_of_one] @ inverse) / weight_left[:, None]
    topics_of_several = np.flatnonzero(n_pairs_of_topic > 1)
    for batch in batch_slices(len(topics_of_several), _samples_a_batch(comparisons)):
        rows = topics_of_several[batch]
        weights_without = (comparisons.counts - comparisons.n_compared[rows].toarray()) * variance
        information = _information(pairs, weights_without, n_systems)
        changes[rows] = -np.linalg.solve(information, gradients[rows][:, :, None])[:, :, 0]
    return changes - changes.mean(axis=1, keepdims=True)


def _stays_connected(comparisons: PairedComparisons) -> bool:
    """Whether the graph from winners to losers is strongly connected without any one topic."""
    is_won = comparisons.n_won > 0
    is_lost = comparisons.n_compared - comparisons.n_won > 0
    n_with_win = is_won.sum(axis=0)
    n_with_loss = is_lost.sum(axis=0)

    def is_connected(wins_without: IntArray | int, losses_without: IntArray | int) -> bool:
        """Whether the edges of more topics than these connect all systems."""
        lower, upper = comparisons.pairs.T
        has_won = np.zeros((comparisons.n_systems, comparisons.n_systems), dtype=bool)
        has_won[lower, upper] = n_with_win > wins_without
        has_won[upper, lower] = n_with_loss > losses_without
        return not strongly_connected(has_won).any()

    return is_connected(1, 1) or all(
        is_connected(is_won[[topic]].toarray()[0], is_lost[[topic]].toarray()[0])
        for topic in range(comparisons.n_topics)
    )


def _degrees_of_freedom(
    strength: FloatArray, comparisons: PairedComparisons, contrasts: FloatArray
) -> FloatArray:
    """Effective number of topics, less 1, of contrasts of strengths, (n_contrasts,).

    A topic weighs what it adds to the variance of the contrast in the model.
    """
    pairs = comparisons.pairs
    lower, upper = pairs.T
    probability = expit(strength[lower] - strength[upper])
    variance_of_pair = probability * (1 - probability)
    information = _information(pairs, comparisons.counts * variance_of_pair, len(strength))
    directions = np.linalg.solve(information, contrasts.T)  # (n_systems, n_contrasts)
    of_pairs = variance_of_pair[:, None] * np.square(directions[lower] - directions[upper])
    blocks = batch_slices(len(contrasts), max(1, _MAX_NUMBERS_OF_CONTRASTS // comparisons.n_topics))
    numbers = [effective_number(comparisons.n_compared @ of_pairs[:, block]) for block in blocks]
    return np.maximum(np.concatenate(numbers) - 1, 0.0)


def _incidence(pairs: IntArray, n_systems: int) -> FloatArray:
    """Give 1 for the first system of each pair and -1 for its second, (n_pairs, n_systems)."""
    incidence = np.zeros((len(pairs), n_systems))
    incidence[np.arange(len(pairs)), pairs[:, 0]] = 1.0
    incidence[np.arange(len(pairs)), pairs[:, 1]] = -1.0
    return incidence


def _information(pairs: IntArray, weights: FloatArray, n_systems: int) -> FloatArray:
    """Give the information of the strengths, plus 1/n for their common level, (..., n_systems, n_systems)."""
    lower, upper = pairs.T
    matrix = np.zeros((*weights.shape[:-1], n_systems, n_systems))
    matrix[..., lower, upper] = -weights
    matrix[..., upper, lower] = -weights
    own_information = -matrix.sum(axis=-1)
    matrix += 1 / n_systems
    diagonal = np.arange(n_systems)
    matrix[..., diagonal, diagonal] += own_information
    return matrix


def _maximize_of_all(comparisons: PairedComparisons, *, is_penalized: bool = False) -> FloatArray:
    """Find the strengths of greatest likelihood of all comparisons, (n_systems,)."""
    start = np.zeros(comparisons.n_systems)
    return maximize_likelihood(
        comparisons.pairs, comparisons.counts[None], comparisons.won[None], start, is_penalized=is_penalized
    )[0]


def maximize_likelihood(
    pairs: IntArray,
    counts: FloatArray,
    won: FloatArray,
    start: FloatArray,
    *,
    is_penalized: bool = False,
) -> FloatArray:
    """Find the strengths of greatest likelihood of several samples at once, (n_samples, n_systems), with mean 0.

    Each sample has to be strongly connected, unless the likelihood is penalized by Jeffreys' prior: its slope is that
    of a sample in which each pair has half its leverage more wins of either side (Firth 1993). A step that does not
    raise the likelihood is halved.

    Shapes: ``pairs`` (n_pairs, 2), ``counts`` and ``won`` (n_samples, n_pairs), ``start`` (n_systems,).

    Examples
    --------
    >>> pairs = np.array([[0, 1]])
    >>> maximize_likelihood(pairs, np.array([[4.0]]), np.array([[3.0]]), np.zeros(2)).round(4).tolist()
    [[0.5493, -0.5493]]
    >>> always = np.array([[12.0]])
    >>> maximize_likelihood(pairs, always, always, np.zeros(2), is_penalized=True).round(3).tolist()
    [[1.609, -1.609]]
    """
    lower, upper = pairs.T
    n_systems = len(start)
    incidence = _incidence(pairs, n_systems)
    strengths = np.tile(start, (len(counts), 1))
    last_step = _LAST_PENALIZED_STEP if is_penalized else _LAST_STEP

    def log_likelihood(values: FloatArray, sample: IntArray) -> FloatArray:
        """Log-likelihood of some samples, penalized or not, (n_samples,)."""
        differences = values[:, lower] - values[:, upper]
        losses = won[sample] * np.logaddexp(0.0, -differences)
        losses += (counts[sample] - won[sample]) * np.logaddexp(0.0, differences)
        penalty: FloatArray | float = 0.0
        if is_penalized:
            weights = counts[sample] * expit(differences) * expit(-differences)
            penalty = np.linalg.slogdet(_information(pairs, weights, n_systems))[1] / 2
        return penalty - losses.sum(axis=1)

    active = np.arange(len(counts))
    for _ in range(MAX_NEWTON_STEPS):
        values = strengths[active]
        n = counts[active]
        probability = expit(values[:, lower] - values[:, upper])
        weights = n * probability * (1 - probability)
        curvature = _information(pairs, weights, n_systems)
        leverage: FloatArray | float = 0.0
        if is_penalized:
            leverage = weights * difference_forms(np.linalg.inv(curvature), lower, upper)
            curvature = _information(pairs, weights * (1 + leverage / n), n_systems)
        gradient = (won[active] + leverage / 2 - (n + leverage) * probability) @ incidence
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        likelihood = log_likelihood(values, active)
        for _ in range(MAX_HALVINGS):
            trial = values + step
            is_worse = log_likelihood(trial, active) < likelihood - ROUNDING * np.abs(likelihood)
            if not is_worse.any():
                break
            step[is_worse] /= 2
        strengths[active] = trial - trial.mean(axis=1, keepdims=True)
        active = active[np.abs(step).max(axis=1) > last_step]
        if not active.size:
            return strengths
    raise ArithmeticError(f"strengths have not converged in {MAX_NEWTON_STEPS} steps")


def contrast_tests(
    comparisons: PairedComparisons, strengths: Strengths, pairs: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Differences of strengths with their standard errors and degrees of freedom, (n_pairs,) each.

    Shapes: ``pairs`` (n_pairs, 2).
    """
    first, second = pairs.T
    is_linked = strengths.group[first] == strengths.group[second]
    difference = np.where(is_linked, strengths.strength[first] - strengths.strength[second], np.nan)
    error = np.sqrt(np.maximum(difference_forms(strengths.covariance, first, second), 0.0))
    core_of_pair = np.where(strengths.core[first] == strengths.core[second], strengths.core[first], -1)
    df = np.full(len(pairs), np.nan)
    for number in np.unique(core_of_pair[core_of_pair >= 0]):
        members = np.flatnonzero(strengths.core == number)
        rows = core_of_pair == number
        contrasts = _incidence(np.searchsorted(members, pairs[rows]), len(members))
        df[rows] = _degrees_of_freedom(
            strengths.strength[members], comparisons.keep_systems(members), contrasts
        )
    return difference, error, df
