"""How reliable human scores are: variance components of ratings, and the correlations that noise allows.

A rating is the mean plus effects of its system, its topic, its rater, of every two of them, and
a residual, all random. Their variances are estimated by Henderson's first method: each sum of squares of group totals
is set to its expected value, linear in the variances. It is unbiased also where raters rated different summaries, and
the analysis of variance where everyone rated everything (Searle, Casella and McCulloch 1992, chapter 5; Brennan 2001,
chapter 7). What raters do not share is noise: the effects of raters, and the residual. From the variances follow the
correlations that the noise allows: Pearson's, of systems and within topics, as
:mod:`classy_aesop.significance.correlations.correlation_levels` computes them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import ROUNDING, round_to_zero
from classy_aesop.significance.raters.ratings import EFFECTS, Ratings

NOT_SEPARABLE = "not separable from "
NO_ESTIMATE = "no estimate"
"""Flags of an effect without a variance; the first with the effect that has the same groups."""

MAX_CONDITION = 1e10
"""Condition number up to which sums of squares separate effects."""

SHARED_EFFECTS = ("system", "topic", "system:topic")
"""Effects that all raters would agree on."""


@dataclass(frozen=True, slots=True)
class Component:
    """The variance of one effect.

    Attributes
    ----------
    effect : str
        One of `EFFECTS`.
    variance : float
        Not below 0; NaN where the ratings cannot separate it from another effect.
    n : int
        Number of groups: of systems, of pairs of a system and a rater, ...
    flag : str
        Why it is not the plain estimate; else empty.
    """

    effect: str
    variance: float
    n: int
    flag: str = ""


def variance_components(ratings: Ratings) -> tuple[Component, ...]:
    """Estimate the variance of each effect by Henderson's first method, from two ratings or more.

    Examples
    --------
    >>> ratings = Ratings.from_arrays([1, 2, 6, 4, 6, 8], [0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [0] * 6)
    >>> {part.effect: round(part.variance, 3) for part in variance_components(ratings) if part.variance > 0}
    {'residual': 0.5, 'system': 4.333, 'topic': 5.0}

    By hand: the means of the two systems are 3 and 6, of the three topics 2.5, 4 and 7. The mean squares are 13.5 for
    systems, 10.5 for topics and 0.5 for the rest, so the variances are (13.5 - 0.5)/3, (10.5 - 0.5)/2 and 0.5.
    """
    effects, flags = _separate_effects(ratings)
    variances = dict.fromkeys(EFFECTS, float("nan"))
    if effects:
        centred = ratings.scores - ratings.scores.mean()
        square_sums = [0.0]
        for groups in map(ratings.groups, effects):  # squared totals over their sizes
            square_sums.append(float(np.sum(np.bincount(groups, centred) ** 2 / np.bincount(groups))))
        solution = np.linalg.solve(_expected_squares(ratings, effects), np.array(square_sums))
        rounding = ROUNDING * np.abs(solution[1:]).max()
        variances |= dict(zip(effects, solution[1:].tolist(), strict=True))
        flags |= {effect: "negative" for effect in effects if variances[effect] < -rounding}
    return tuple(
        Component(
            effect,
            0.0 if variances[effect] < 0 else variances[effect],
            int(ratings.groups(effect).max(initial=-1)) + 1,
            flags[effect],
        )
        for effect in EFFECTS
    )


def _separate_effects(ratings: Ratings) -> tuple[list[str], dict[str, str]]:
    """Choose the effects that the ratings can separate, and say why not the others."""
    effects: list[str] = []
    flags: dict[str, str] = {}
    for name in EFFECTS:
        groups = ratings.groups(name)
        equal = [effect for effect in effects if np.array_equal(groups, ratings.groups(effect))]
        if equal:
            flags[name] = f"{NOT_SEPARABLE}{equal[0]}"
            continue
        flags[name] = NO_ESTIMATE
        if len(np.unique(groups)) > 1:
            matrix = _expected_squares(ratings, [*effects, name])
            if np.linalg.cond(matrix / np.abs(matrix).max(axis=0)) < MAX_CONDITION:
                effects.append(name)
                flags[name] = ""
    return effects, flags


def _expected_squares(ratings: Ratings, effects: list[str]) -> FloatArray:
    """Coefficients of the squared mean and of each variance in the expected squared totals over their sizes."""
    n = len(ratings.scores)
    groups = [np.zeros(n, dtype=np.int64), *map(ratings.groups, effects)]
    matrix = np.full((len(groups), len(groups)), float(n))
    for i, row_groups in enumerate(groups):
        for j, column_groups in enumerate(groups[1:], start=1):
            intersections = csr_array((np.ones(n), (row_groups, column_groups)))
            # squared sizes of intersections with other groups over own sizes
            matrix[i, j] = (intersections.power(2).sum(axis=1) / np.bincount(row_groups)).sum()
    return matrix


@dataclass(frozen=True, slots=True)
class Reliability:
    """Pearson's correlations that the raters' disagreement allows at one level.

    Attributes
    ----------
    reliability : float
        Share of the variance of the points, the raters' means, that all raters would agree on.
    ceiling : float
        Correlation of what they would agree on with these means: the most that a metric can expect.
    rater : float
        Correlation of one more rater, who rates everything once, with these means.
    """

    reliability: float
    ceiling: float
    rater: float


def reliability(ratings: Ratings, components: tuple[Component, ...], *, level: str = "system") -> Reliability:
    """Reliability of the raters' means of systems, or (``input``) of summaries within topics, and what noise allows."""
    # agreement is identified if an effect that has the groups of summaries was estimated: with one topic, of systems
    n_summaries = next(part.n for part in components if part.effect == "system:topic")
    of_summaries = [part for part in components if part.effect in SHARED_EFFECTS and part.n == n_summaries]
    if all(np.isnan(part.variance) for part in of_summaries):
        return Reliability(float("nan"), float("nan"), float("nan"))
    share = _shared_variance(ratings, components, level)
    share_once = _shared_variance(ratings.rate_once(), components, level)
    return Reliability(share, float(np.sqrt(share)), float(np.sqrt(share * share_once)))


def generalizability(ratings: Ratings, components: tuple[Component, ...]) -> float:
    """Share of the variance between system means that would remain on other topics and by other raters.

    The generalizability coefficient for the order of systems; where systems were rated on different topics or by
    different raters, these count as error too (Brennan 2001, section 2.2).
    """
    factors = _variance_factors(ratings, "system")
    variances = {part.effect: part.variance * factors[part.effect] for part in components}
    total = sum(variance for variance in variances.values() if not np.isnan(variance))
    return float(variances["system"] / total) if total > 0 else float("nan")


def _shared_variance(ratings: Ratings, components: tuple[Component, ...], level: str) -> float:
    """Share of the expected variance between the points of a level that is of shared effects."""
    factors = _variance_factors(ratings, level)
    variances = {part.effect: np.nan_to_num(part.variance) * factors[part.effect] for part in components}
    shared = sum(variances[effect] for effect in SHARED_EFFECTS)
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.float64(shared) / sum(variances.values()))


def _variance_factors(ratings: Ratings, level: str) -> dict[str, float]:
    """Factor of each effect's variance in the expected variance between the points of a level.

    A point is a weighted mean of ratings; so the factor is the variance between points of the weights of the effect's
    groups, summed over the groups, and averaged over the lists of points that are correlated.
    """
    cells = ratings.groups("system:topic")
    weights = 1 / np.bincount(cells)[cells]
    points, lists = cells, ratings.topics
    if level == "system":
        weights = weights / np.bincount(ratings.systems, weights)[ratings.systems]
        points, lists = ratings.systems, np.zeros_like(cells)
    list_of_point = lists[np.unique(points, return_index=True)[1]]
    n_points = np.bincount(list_of_point)
    varies = n_points > 1
    factors = dict.fromkeys(EFFECTS, float("nan"))
    for effect in EFFECTS if varies.any() else ():
        groups = ratings.groups(effect)
        of_points = csr_array((weights, (points, groups))).power(2).sum(axis=1)
        of_lists = csr_array((weights, (lists, groups))).power(2).sum(axis=1)
        square_sums = np.bincount(list_of_point, of_points) - of_lists / n_points
        mean = (square_sums[varies] / (n_points[varies] - 1)).mean()
        factors[effect] = float(round_to_zero(mean, ROUNDING))
    return factors
