"""Tests and intervals of least-squares means, as other tests of pairs give theirs: corrected, simultaneous, in margins.

The additive model is fitted and its contrasts are tested in :mod:`classy_aesop.significance.additive`. Here the results
become `PairTests` and `EquivalenceTests`, so that clusters, ranks and gates take them as they take signed ranks.

The interval of one mean is for topics like these. Each topic moves the estimate by its level and by what it adds to the
contrast of effects; the variance of these parts over topics is that of the mean. On a complete table it is the interval
by Student's t of the system's own scores.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive import (
    NO_RESIDUAL,
    NOT_CONNECTED,
    AdditiveModel,
    AdditiveTests,
    compare_least_squares_means,
)
from classy_aesop.significance.base import ALPHA, ROUNDING, FloatArray, IntArray, is_significant
from classy_aesop.significance.multiplicity import adjusted
from classy_aesop.significance.pairs import (
    DIFFERENT,
    UNDECIDED,
    EquivalenceTests,
    Margin,
    PairTests,
    levels_of,
    margin_ends,
    shown_within,
)

ADDITIVE = "additive"
"""The name of the test."""

NOTHING_SHARED = "no shared topics link them"
RATERS_CONFOUNDED = "raters confounded with systems"


def compare_means(
    model: AdditiveModel,
    pairs: ArrayLike,
    n_shared: ArrayLike,
    *,
    correction: str = "holm",
    confidence: float = 0.95,
) -> PairTests:
    """Test pairs of least-squares means, two-sided, with topics as clusters.

    Parameters
    ----------
    model : AdditiveModel
        The fitted model.
    pairs : array_like of int, shape (n_pairs, 2)
        Systems to compare.
    n_shared : array_like of int, shape (n_pairs,)
        Topics that both have, as they are reported.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the family of these pairs.
    confidence : float
        Of the intervals.

    Returns
    -------
    PairTests
        p is 1, with a flag, where the difference is not estimable or its variance is not known. ``effect`` is t over
        the root of one more than its degrees of freedom: on a complete table Cohen's d_z.

    Examples
    --------
    >>> from classy_aesop.significance.additive import fit_additive_model
    >>> y, system, topic = [3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]
    >>> model = fit_additive_model(y, system, topic, n_systems=2)
    >>> tests = compare_means(model, [(0, 1)], [3])
    >>> tests.difference.round(3).tolist(), tests.p.round(4).tolist()
    ([1.667], [0.0377])
    """
    tests = compare_least_squares_means(model, pairs)
    shared = np.asarray(n_shared, dtype=np.int64)
    ends = {
        suffix: _interval(tests, level)
        for suffix, level in levels_of(confidence, correction, len(tests.first)).items()
        if level is not None
    }
    tested = tests.flag == ""
    return PairTests(
        test=ADDITIVE,
        alternative="two-sided",
        correction=correction,
        first=tests.first,
        second=tests.second,
        n=shared,
        n_used=shared,
        difference=tests.difference,
        low=ends[""][0],
        high=ends[""][1],
        low_all=ends["_all"][0],
        high_all=ends["_all"][1],
        effect=np.where(tested, tests.statistic / np.sqrt(np.where(tested, tests.df, 0.0) + 1), 0.0),
        statistic=tests.statistic,
        p=tests.p,
        p_adjusted=adjusted(tests.p, correction=correction),
        flag=_reasons(tests, shared),
        confidence=confidence,
    )


def _reasons(tests: AdditiveTests, shared: IntArray) -> np.ndarray[Any, Any]:
    """Say why differences are not estimable: two that share topics are separated by raters alone."""
    why = np.where(shared > 0, RATERS_CONFOUNDED, NOTHING_SHARED)
    return np.where(tests.flag == NOT_CONNECTED, why, tests.flag)


def _interval(tests: AdditiveTests, level: float) -> tuple[FloatArray, FloatArray]:
    """Give intervals by t; NaN without a test."""
    from scipy.special import stdtrit

    tested = tests.flag == ""
    half = np.full(len(tests.p), np.nan)
    half[tested] = stdtrit(tests.df[tested], (1 + level) / 2) * tests.error[tested]
    return tests.difference - half, tests.difference + half


def equivalent_means(
    model: AdditiveModel,
    margin: Margin,
    pairs: ArrayLike,
    n_shared: ArrayLike,
    *,
    correction: str = "holm",
    alpha: float = ALPHA,
) -> EquivalenceTests:
    """Test pairs of least-squares means for equivalence within a margin, by two one-sided t-tests.

    Parameters
    ----------
    model, pairs, n_shared, correction
        As for :func:`compare_means`; p-values of equivalence and of difference are two families.
    margin : float or (float, float)
        Differences that do not matter, around 0; one end may be infinite.
    alpha : float
        Below 1/2.

    Returns
    -------
    EquivalenceTests
        Undecided where no difference is tested.

    Raises
    ------
    ValueError
        For a margin without 0 inside, or an alpha out of range.

    Examples
    --------
    >>> from classy_aesop.significance.additive import fit_additive_model
    >>> y, system, topic = [3, 3.1, 4, 4, 6, 5.9], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]
    >>> model = fit_additive_model(y, system, topic, n_systems=2)
    >>> equivalent_means(model, 0.5, [(0, 1)], [3]).verdict.tolist()
    ['equivalent']
    """
    from scipy.special import stdtr

    lower, upper = margin_ends(margin)
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha is {alpha}; expected above 0 and below 0.5")
    plain = compare_means(model, pairs, n_shared, correction="none", confidence=1 - 2 * alpha)
    difference = replace(plain, correction=correction, p_adjusted=adjusted(plain.p, correction=correction))
    tests = compare_least_squares_means(model, pairs)
    tested = tests.flag == ""
    p_one_sided = np.ones((2, len(tests.p)))
    for row, distance in ((0, tests.difference - lower), (1, upper - tests.difference)):
        limit = np.where(np.isinf(distance), 0.0, 1.0)
        t = np.where(np.isinf(distance[tested]), np.inf, distance[tested] / tests.error[tested])
        p_one_sided[row, tested] = np.where(limit[tested] == 0.0, 0.0, stdtr(tests.df[tested], -t))
    p_equivalence = adjusted(p_one_sided.max(axis=0), correction=correction)
    verdict = np.select(
        [is_significant(p_equivalence, alpha), difference.significant(alpha)],
        [shown_within(lower, upper), DIFFERENT],
        UNDECIDED,
    )
    return EquivalenceTests(
        lower, upper, alpha, difference, p_equivalence, difference.low, difference.high, verdict
    )


def variance_on_a_topic(model: AdditiveModel, first: int, second: int) -> tuple[float, float]:
    """Give the variance of the difference of two systems on one topic that both have, and its degrees of freedom.

    It is the clustered variance of the contrast, less what missing cells and raters add to it: over the variance that
    the contrast has with errors of variance 1, and twice that for two cells. With two systems on the same topics it is
    the variance of their differences.

    Parameters
    ----------
    model : AdditiveModel
        The fitted model.
    first, second : int
        The systems.

    Returns
    -------
    variance, df : float
        NaN and 0 where the difference is not estimable or no degrees of freedom are left.

    Examples
    --------
    >>> from classy_aesop.significance.additive import fit_additive_model
    >>> model = fit_additive_model([3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], n_systems=2)
    >>> variance, df = variance_on_a_topic(model, 0, 1)  # of 2, 2 and 1
    >>> round(variance, 4), round(df, 4)
    (0.3333, 2.0)
    """
    tests = compare_least_squares_means(model, [(first, second)])
    if tests.flag[0] == NO_RESIDUAL:
        return 0.0, float(tests.df[0])
    if tests.flag[0]:
        return float("nan"), 0.0
    share = model.inverse[first, first] + model.inverse[second, second] - 2 * model.inverse[first, second]
    return float(2 * tests.error[0] ** 2 / share), float(tests.df[0])


def mean_intervals(
    model: AdditiveModel, y: ArrayLike, *, confidence: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Give the interval of each least-squares mean, for topics like these.

    Parameters
    ----------
    model : AdditiveModel
        The fitted model.
    y : array_like, shape (n_rows,)
        The scores that it was fitted to.
    confidence : float
        Of each interval by itself, by Student's t with one less than the topics of the system as degrees of freedom.

    Returns
    -------
    low, high : ndarray, shape (n_systems,)
        NaN where a system has one topic, or where nothing varies over topics.

    Examples
    --------
    >>> from classy_aesop.significance.additive import fit_additive_model
    >>> y = [3, 1, 4, 2, 6, 5]
    >>> model = fit_additive_model(y, [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], n_systems=2)
    >>> low, high = mean_intervals(model, y)  # of 3, 4 and 6 alone: 4.333 and 3.795 around it
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.539, -2.504], [8.128, 7.838])
    """
    from scipy import sparse
    from scipy.special import stdtrit

    design, _ = model.centred
    n_systems = len(model.mean)
    system = design[:, :n_systems].indices
    level_of_row = np.asarray(y, dtype=np.float64) - model.coefficients[system]
    rows = np.arange(len(system))
    n_topics_in_all = int(model.topic.max(initial=-1)) + 1
    by_topic = sparse.csr_array((np.ones(len(rows)), (model.topic, rows)), shape=(n_topics_in_all, len(rows)))
    n_topics = np.zeros(n_systems, dtype=np.int64)
    np.add.at(
        n_topics, np.unique(system * max(n_topics_in_all, 1) + model.topic) // max(n_topics_in_all, 1), 1
    )
    low, high = np.full((2, n_systems), np.nan)
    for number in range(int(model.group.max(initial=-1)) + 1):
        members = np.flatnonzero(model.group == number)
        inside = np.flatnonzero(model.group[system] == number)
        topics, place, n_rows = np.unique(model.topic[inside], return_inverse=True, return_counts=True)
        n = len(topics)
        level = np.bincount(place, level_of_row[inside]) / n_rows
        share = np.bincount(system[inside], 1 / n_rows[place] / n, minlength=n_systems)
        contrasts = np.zeros((design.shape[1], len(members)))  # the topics keep their raters
        contrasts[:n_systems] = np.eye(n_systems)[:, members] - share[:, None]
        moved = design @ (model.inverse @ contrasts)
        influence = (by_topic @ (model.residual[:, None] * moved))[topics]
        influence += (level - level.mean())[:, None] / n
        error = np.sqrt(n / max(n - 1, 1) * np.square(influence).sum(axis=0))
        known = (n_topics[members] > 1) & (error > ROUNDING * model.scale)
        half = np.full(len(members), np.nan)
        half[known] = stdtrit(n_topics[members][known] - 1.0, (1 + confidence) / 2) * error[known]
        low[members] = model.mean[members] - half
        high[members] = model.mean[members] + half
    return low, high


def differences_by_rater(
    y: ArrayLike, system: ArrayLike, topic: ArrayLike, rater: ArrayLike, pairs: ArrayLike, *, n_raters: int
) -> tuple[FloatArray, IntArray]:
    """Give each rater's own mean difference of each pair, over the topics of which the rater rated both.

    Parameters
    ----------
    y : array_like, shape (n_ratings,)
        Ratings, each of one system and topic by one rater, once.
    system, topic, rater : array_like of int, shape (n_ratings,)
        Their numbers.
    pairs : array_like of int, shape (n_pairs, 2)
        Systems.
    n_raters : int
        How many raters there are.

    Returns
    -------
    difference : ndarray, shape (n_pairs, n_raters)
        First less second; NaN where a rater rated no topic of both.
    n_topics : ndarray of int, shape (n_pairs, n_raters)
        Topics that it rests on.

    Examples
    --------
    >>> ratings = [5, 3, 4, 4], [0, 1, 0, 1], [0, 0, 1, 1], [0, 0, 1, 1]
    >>> difference, n_topics = differences_by_rater(*ratings, [(0, 1)], n_raters=2)
    >>> difference.tolist(), n_topics.tolist()
    ([[2.0, 0.0]], [[1, 1]])
    """
    values = np.asarray(y, dtype=np.float64)
    systems = np.asarray(system)
    raters = np.asarray(rater)
    cell = np.asarray(topic) * n_raters + raters
    order = np.lexsort((cell, systems))
    starts = np.searchsorted(systems[order], np.arange(int(systems.max(initial=-1)) + 2))
    rows = [order[start:stop] for start, stop in itertools.pairwise(starts)]
    chosen = np.asarray(pairs).reshape(-1, 2)
    total = np.zeros((len(chosen), n_raters))
    n_topics = np.zeros((len(chosen), n_raters), dtype=np.int64)
    for number, (first, second) in enumerate(chosen):
        both, of_first, of_second = np.intersect1d(
            cell[rows[first]], cell[rows[second]], assume_unique=True, return_indices=True
        )
        gap = values[rows[first][of_first]] - values[rows[second][of_second]]
        total[number] = np.bincount(both % n_raters, gap, minlength=n_raters)
        n_topics[number] = np.bincount(both % n_raters, minlength=n_raters)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n_topics > 0, total / n_topics, np.nan), n_topics
