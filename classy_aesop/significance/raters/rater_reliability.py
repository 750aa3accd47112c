"""How reliable human scores are: variance components of ratings, and the correlations that noise allows.

A rating is the mean plus effects of its system, its topic, its rater, of every two of them, and
a residual, all random. Their variances are estimated by Henderson's first method: each sum of squares of group totals
is set to its expected value, linear in the variances. It is unbiased also where raters rated different summaries, and
the analysis of variance where everyone rated everything (Searle, Casella and McCulloch 1992, chapter 5; Brennan 2001,
chapter 7). What raters do not share is noise: the effects of raters, and the residual. From the variances follow the
correlations that the noise allows: Pearson's, at each level of
:mod:`classy_aesop.significance.correlations.correlation_levels`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import FloatArray, IntArray, Result, check_choice
from classy_aesop.significance.choices import ALL_CORRELATION_LEVELS
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.raters.ratings import EFFECTS, Ratings

SHARED_EFFECTS = ("system", "topic", "system:topic")
"""Effects that all raters would agree on."""

NOISE_EFFECTS = ("rater", "system:rater", "topic:rater", "residual")
"""Effects of who rates."""


@dataclass(frozen=True, slots=True)
class Component(Result):
    """The variance of one effect.

    Attributes
    ----------
    effect : str
        One of `EFFECTS`.
    variance : float
        Not below 0; NaN where the ratings cannot tell it from another effect.
    n : int
        Number of groups: of systems, of systems that a rater met, ...
    flag : str
        Why it is no plain estimate; else empty.
    """

    effect: str
    variance: float
    n: int
    flag: str = ""


def variance_components(ratings: Ratings) -> tuple[Component, ...]:
    """Estimate the variance of each effect by Henderson's first method, from two ratings or more.

    Returns
    -------
    tuple of Component
        One of each of `EFFECTS`. An effect that has the groups of one before it in that order, or that the sums of
        squares do not tell apart, is NaN and its variance is in the others; a negative estimate is given as 0. Both
        have a flag.

    Examples
    --------
    >>> ratings = Ratings.of([1, 2, 6, 4, 6, 8], [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0] * 6)
    >>> {one.effect: round(one.variance, 3) for one in variance_components(ratings) if one.variance > 0}
    {'residual': 0.5, 'system': 4.333, 'topic': 5.0}

    By hand: the means of the two systems are 3 and 6, of the three topics 2.5, 4 and 7. The mean squares are 13.5 for
    systems, 10.5 for topics and 0.5 for the rest, so the variances are (13.5 - 0.5)/3, (10.5 - 0.5)/2 and 0.5.
    """
    same, kept = _kept(ratings)
    estimates: dict[str, float] = {}
    if kept:
        centred, totals = ratings.scores - ratings.scores.mean(), [0.0]
        for groups in map(ratings.groups, kept):  # squared totals over their sizes
            totals.append(float(np.sum(np.bincount(groups, centred) ** 2 / np.bincount(groups))))
        solved = np.linalg.solve(_expected(ratings, kept), np.array(totals))
        estimates = dict(zip(kept, solved[1:].tolist(), strict=True))
    rounding = ROUNDING * max(map(abs, estimates.values()), default=0.0)
    found = []
    for name in EFFECTS:
        value, n = estimates.get(name, float("nan")), int(ratings.groups(name).max(initial=-1)) + 1
        flag = "negative" if value < -rounding else ""
        if name not in estimates:
            flag = f"not told from {same[name]}" if name in same else "no estimate"
        found.append(Component(name, 0.0 if value < 0 else value, n, flag))
    return tuple(found)


def _kept(ratings: Ratings) -> tuple[dict[str, str], list[str]]:
    """Choose the effects that the ratings tell apart; name for others the effect that has their groups."""
    kept: list[str] = []
    same: dict[str, str] = {}
    for name in EFFECTS:
        groups = ratings.groups(name)
        alike = [other for other in kept if np.array_equal(groups, ratings.groups(other))]
        if alike:
            same[name] = alike[0]
        elif len(np.unique(groups)) > 1:
            matrix = _expected(ratings, [*kept, name])
            if np.linalg.cond(matrix / np.abs(matrix).max(axis=0)) < 1e10:
                kept.append(name)
    return same, kept


def _expected(ratings: Ratings, effects: list[str]) -> FloatArray:
    """Coefficients of the squared mean and of each variance in the expected squared totals over their sizes."""
    n = len(ratings.scores)
    groups = [np.zeros(n, dtype=np.int64), *map(ratings.groups, effects)]
    matrix = np.full((len(groups), len(groups)), float(n))
    for i, row in enumerate(groups):
        for j, column in enumerate(groups[1:], start=1):
            # squared sizes of parts in other groups over own sizes
            parts, sizes = np.unique(np.stack([row, column]), axis=1, return_counts=True)
            matrix[i, j] = np.sum(sizes**2 / np.bincount(row)[parts[0]])
    return matrix


@dataclass(frozen=True, slots=True)
class Reliability(Result):
    """What the raters' disagreement leaves possible at one level, for Pearson's correlation.

    Attributes
    ----------
    reliability : float
        Share of the variance of the points, the raters' means, that all raters would agree on.
    ceiling : float
        Correlation of what they would agree on with these means: the most that a metric can expect.
    rater : float
        Correlation of one more rater, who rates everything once, with these means.
    """

    level: str
    reliability: float
    ceiling: float
    rater: float


def reliability(ratings: Ratings, components: tuple[Component, ...], *, level: str = "system") -> Reliability:
    """Say how far noise lowers the correlations with the raters' means.

    NaN if the ratings cannot tell agreement from noise: where each summary has one rating; and where nothing varies
    between points.

    ``components`` are those of :func:`variance_components`, of these ratings or of others like them. Where a level has
    several lists, their variances are averaged.
    """
    check_choice(level, ALL_CORRELATION_LEVELS, "level")
    variances = {one.effect: one.variance for one in components}
    # agreement is told if an effect that has the groups of summaries was estimated: of one topic it is that of systems
    n_summaries = next(one.n for one in components if one.effect == "system:topic")
    of_summaries = [one for one in components if one.effect in SHARED_EFFECTS and one.n == n_summaries]
    if all(np.isnan(one.variance) for one in of_summaries):
        return Reliability(level, *[float("nan")] * 3)
    now, once = (
        np.array(
            [
                sum(f[name] * np.nan_to_num(variances[name]) for name in names)
                for names in (SHARED_EFFECTS, NOISE_EFFECTS)
            ]
        )
        for f in (_factors(each, level) for each in (ratings, ratings.by_one_rater()))
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        share, alone = now[0] / now.sum(), once[0] / once.sum()
        return Reliability(level, float(share), float(np.sqrt(share)), float(np.sqrt(share * alone)))


def generalizability(ratings: Ratings, components: tuple[Component, ...]) -> float:
    """Share of the variance between system means that would be there on other topics and by other raters.

    The generalizability coefficient for the order of systems; where systems were rated on different topics or by
    different raters, these count as error too (Brennan 2001, section 2.2).
    """
    variances = {one.effect: one.variance for one in components}
    parts = {name: variances[name] * factor for name, factor in _factors(ratings, "system").items()}
    total = sum(value for value in parts.values() if not np.isnan(value))
    return float(parts["system"] / total) if total > 0 else float("nan")


def _factors(ratings: Ratings, level: str) -> dict[str, float]:
    """Give what each variance is multiplied by in the expected variance between the points of a level.

    A point is a weighted mean of ratings; so a variance counts as often as the weights of its groups differ between the
    points of a list.
    """
    weights, points, lists = _points(ratings, level)
    return {name: _difference(weights, points, lists, ratings.groups(name)) for name in EFFECTS}


def _points(ratings: Ratings, level: str) -> tuple[FloatArray, IntArray, IntArray]:
    """Give the weight of each rating in its point, the point, and the list of points that are correlated."""
    cells = ratings.groups("system:topic")
    weights, everything = 1 / np.bincount(cells)[cells], np.zeros(len(cells), dtype=np.int64)
    if level == "system":
        n_topics = np.bincount(ratings.systems, weights)
        return weights / n_topics[ratings.systems], ratings.systems, everything
    lists = {"input": ratings.topics, "centred": ratings.topics, "within_system": ratings.systems}
    return weights, cells, lists.get(level, everything)


def _difference(weights: FloatArray, points: IntArray, lists: IntArray, groups: IntArray) -> float:
    """Average over lists the variance between their points of the weights of groups, summed over the groups."""
    own, of_own = _summed(np.stack([points, groups, lists]), weights)
    together, of_all = _summed(own[1:], of_own)
    sizes = np.bincount(np.unique(np.stack([points, lists]), axis=1)[1])
    squares = np.bincount(own[2], of_own**2, len(sizes)), np.bincount(together[1], of_all**2, len(sizes))
    several = sizes > 1
    found = (squares[0] - squares[1] / np.maximum(sizes, 1))[several] / (sizes[several] - 1)
    return float(found.mean()) if several.any() else float("nan")


def _summed(keys: IntArray, weights: FloatArray) -> tuple[IntArray, FloatArray]:
    """Sum weights that have the same key, a column each."""
    distinct, place = np.unique(keys, axis=1, return_inverse=True)
    return distinct, np.bincount(np.ravel(place), weights).astype(np.float64)
