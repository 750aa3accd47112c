"""How reliable human scores are: what raters leave possible, and Krippendorff's alpha.

*Variance components.* A rating is the mean plus effects of its system, its topic, its rater, of every two of them, and
a residual, all random. Their variances are estimated by Henderson's first method: each sum of squares of group totals
is set to its expected value, linear in the variances. It is unbiased also where raters saw different parts, and
the analysis of variance where everyone rated everything (Searle, Casella and McCulloch 1992, chapter 5; Brennan 2001,
chapter 7). What raters do not share is noise: the effects of raters, and the residual. From the variances follow the
correlations that the noise leaves possible: Pearson's, at each level of
:mod:`classy_aesop.significance.correlation`.

*Alpha.* Ratings are an array of raters x units, NaN where a rater has not rated. For one assessor who met the same
text several times a unit is that text, and "raters" are the first time, the second time and so on
(:func:`ratings_of_units`). A unit with a single rating says nothing about agreement and drops out.
alpha = 1 - D_o/D_e. D_o is the mean difference within units, each unit's pairs weighted by 1/(m - 1) where it
has m ratings; D_e is the mean difference of all ratings with each other. Differences are ``nominal`` (0 or 1),
``interval`` ((c - k)^2), ``ratio`` (((c - k)/(c + k))^2) or ``ordinal``: the interval difference of mid-ranks,
which is Krippendorff's sum over the ratings between c and k.
Krippendorff (2011), "Computing Krippendorff's alpha-reliability"; Rankel (2016), section 3.6 and chapter 6.

Its interval is the jackknife's: with alpha_u the value without unit u, log(1 - alpha) has the variance
(n - 1)/n times the sum over units of (log(1 - alpha_u) - mean)^2, and a t distribution with n - 1 degrees of freedom
(Miller 1974, "The jackknife: a review", sections 2 and 3). Few units, or few that leave the commonest grade, leave the
variance unknown, and then there is no interval. Percentiles of resampled units, which drop the resamples without
variation, cover a quarter to two thirds of true values there (``benchmarks/comparing/alpha_intervals.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    ROUNDING,
    FloatArray,
    IntArray,
    Result,
    check_share,
    one_of,
    score_matrix,
    score_vector,
    snapped,
)
from classy_aesop.significance.choices import ALL_LEVELS, Scale
from classy_aesop.significance.resampling import chunks

TRUE = ("system", "topic", "system:topic")
"""Effects that all raters would agree on."""

NOISE = ("rater", "system:rater", "topic:rater", "residual")
"""Effects of who rates."""

EFFECTS = ("residual", "system", "topic", "system:topic", "rater", "system:rater", "topic:rater")
"""All of them, in the order in which they are kept where the ratings cannot tell them apart."""


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


@dataclass(frozen=True)
class Ratings:
    """Ratings of systems on topics by raters, one an element.

    Attributes
    ----------
    scores : ndarray, shape (n_ratings,)
        Without NaN.
    systems, topics, raters : ndarray of int, shape (n_ratings,)
        Of what, and by whom, from 0.
    """

    scores: FloatArray
    systems: IntArray
    topics: IntArray
    raters: IntArray

    @classmethod
    def of(cls, scores: ArrayLike, systems: ArrayLike, topics: ArrayLike, raters: ArrayLike) -> Ratings:
        """Number the systems, topics and raters, and leave out missing scores."""
        values = score_vector(scores, "ratings")
        there = ~np.isnan(values)
        codes = (
            np.unique(np.asarray(names)[there], return_inverse=True)[1] for names in (systems, topics, raters)
        )
        systems, topics, raters = codes
        return cls(values[there], systems, topics, raters)

    def groups(self, effect: str) -> IntArray:
        """Number the groups of an effect as they appear, (n_ratings,): the same groups have the same numbers."""
        if effect == "residual":
            return np.arange(len(self.scores))
        names = {"system": self.systems, "topic": self.topics, "rater": self.raters}
        codes = np.stack([names[name] for name in effect.split(":")])
        _, first, group = np.unique(codes, axis=1, return_index=True, return_inverse=True)
        return np.asarray(first.argsort().argsort()[group.ravel()])

    def by_one_rater(self) -> Ratings:
        """Give the same cells, each rated once, by one and the same rater; scores are 0."""
        systems, topics = np.unique(np.stack([self.systems, self.topics]), axis=1)
        return Ratings(np.zeros(len(systems)), systems, topics, np.zeros_like(systems))


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
    one_of(level, ALL_LEVELS, "level")
    variances = {one.effect: one.variance for one in components}
    # agreement is told if an effect that has the groups of summaries was estimated: of one topic it is that of systems
    n_summaries = next(one.n for one in components if one.effect == "system:topic")
    of_summaries = [one for one in components if one.effect in TRUE and one.n == n_summaries]
    if all(np.isnan(one.variance) for one in of_summaries):
        return Reliability(level, *[float("nan")] * 3)
    now, once = (
        np.array([sum(f[name] * np.nan_to_num(variances[name]) for name in names) for names in (TRUE, NOISE)])
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


# --- do assessors agree with themselves and with each other ---


SCALES: tuple[str, ...] = get_args(Scale)

#: Reasons for an undefined alpha.
NO_UNITS, NO_VARIATION = "no unit with two ratings", "all ratings alike"

#: Reason for no interval where the jackknife has no variance, or no end.
NO_INTERVAL = "no interval: alpha is 1 without one unit, or the same without any"

MIN_UNITS = 20
"""Units from which alpha has an interval."""

MIN_UNITS_OFF_MODE = 8
"""Units with a rating other than the commonest one from which alpha has an interval.

With two raters, two grades and 10 % of the rarer one, intervals with fewer hold the true alpha too rarely: with 6,
.85 of those on 40 units (true alpha .3); with 8, .89 to .96 of those on 40 and more (true alpha .3 to .9).
"""


@dataclass(frozen=True, slots=True)
class Alpha(Result):
    """Krippendorff's alpha and what it was computed from.

    Attributes
    ----------
    value : float
        At most 1 (full agreement); 0 is what chance gives; NaN where undefined, see ``flag``.
    low, high : float
        The jackknife's interval; NaN where ``flag`` says why not.
    n_units, n_ratings, n_pairs : int
        Units with at least two ratings, the ratings in them, and the unordered pairs these make.
    n_single : int
        Units left out because they have one rating.
    flag : str
        Why there is no alpha, or no interval; else empty.
    """

    value: float
    low: float
    high: float
    confidence: float
    scale: str
    n_units: int
    n_ratings: int
    n_pairs: int
    n_single: int
    flag: str


def krippendorff_alpha(ratings: ArrayLike, *, scale: str = "interval", confidence: float = 0.95) -> Alpha:
    """Krippendorff's alpha, with the jackknife's interval over units.

    The value is NaN, with a flag, if no unit has two ratings or all ratings are alike. There is no interval, with a
    flag, below `MIN_UNITS` units, below `MIN_UNITS_OFF_MODE` that leave the commonest grade, where alpha is 1 with or
    without some unit, and where leaving out any unit gives the same value.

    Parameters
    ----------
    ratings : array_like, shape (n_raters, n_units)
        NaN where missing. Names as ratings are numbered by the caller (nominal only).
    scale : {"interval", "ordinal", "nominal", "ratio"}
        How ratings differ, see the module; ``ratio`` is for ratings that are not negative.
    confidence : float
        Of the interval, between 0 and 1.

    Returns
    -------
    Alpha
        The value, its interval, and what they rest on.

    Raises
    ------
    ValueError
        The scale is unknown, the confidence is not between 0 and 1, or a rating is below 0 on a ratio scale.

    Examples
    --------
    >>> found = krippendorff_alpha([[3, 2, 4, 5, 1], [3, 3, 4, 4, 1]])
    >>> found.value, found.flag
    (0.8875, 'no interval: 5 units; expected 20 or more')
    >>> found = krippendorff_alpha([[3, 2, 4, 5, 1] * 5, [3, 3, 4, 4, 1] * 5])
    >>> round(found.low, 3), round(found.high, 3)
    (0.757, 0.938)
    """
    check_share(confidence, "confidence")
    values, counts, n_single = _pairable(ratings, scale)
    n = counts.sum(axis=1)
    value = float(_alphas(values, counts, np.ones((1, len(counts))), scale)[0])
    low, high, flag = np.nan, np.nan, NO_VARIATION if len(counts) else NO_UNITS
    if not np.isnan(value):
        flag = _lacks_for_interval(counts)
    if not flag:
        low, high = _jackknife_interval(value, values, counts, scale, confidence)
        flag = NO_INTERVAL if np.isnan(low) else ""
    return Alpha(
        value=value,
        low=float(low),
        high=float(high),
        confidence=confidence,
        scale=scale,
        n_units=len(counts),
        n_ratings=int(n.sum()),
        n_pairs=int((n * (n - 1) / 2).sum()),
        n_single=n_single,
        flag=flag,
    )


def _lacks_for_interval(counts: FloatArray) -> str:
    """Say what units with the counts of their ratings, (n_units, n_values), lack for an interval; nothing if enough."""
    if len(counts) < MIN_UNITS:
        return f"no interval: {len(counts)} units; expected {MIN_UNITS} or more"
    totals = counts.sum(axis=0)
    is_mode = totals == totals.max()
    leaves_mode = counts[:, is_mode] < counts.sum(axis=1, keepdims=True)
    n_off_mode = int(leaves_mode.sum(axis=0).min())
    if n_off_mode < MIN_UNITS_OFF_MODE:
        expected = f"expected {MIN_UNITS_OFF_MODE} or more"
        return f"no interval: {n_off_mode} units with another rating than the commonest; {expected}"
    return ""


def _jackknife_interval(
    value: float, values: FloatArray, counts: FloatArray, scale: str, confidence: float
) -> tuple[float, float]:
    """Give the t interval of log(1 - alpha), turned back; NaN where no unit, or only one, makes a difference."""
    from scipy.special import stdtrit

    # units with the same ratings are one pattern: leaving out any of them gives the same value
    patterns, n_of_pattern = np.unique(counts, axis=0, return_counts=True)
    sizes = chunks(len(patterns))
    starts = np.cumsum([0, *sizes[:-1]])
    weights = (
        n_of_pattern - np.eye(size, len(patterns), k=start) for start, size in zip(starts, sizes, strict=True)
    )
    left_out = np.concatenate([_alphas(values, patterns, part, scale) for part in weights])
    if np.isnan(left_out).any() or max(value, left_out.max()) >= 1:
        return np.nan, np.nan
    n = len(counts)
    logs = np.log1p(-left_out)
    deviations = logs - n_of_pattern @ logs / n
    error = np.sqrt((n - 1) / n * (n_of_pattern @ deviations**2))
    if error <= ROUNDING:
        return np.nan, np.nan
    margin = float(stdtrit(n - 1, (1 + confidence) / 2) * error)
    return 1 - (1 - value) * np.exp(margin), 1 - (1 - value) * np.exp(-margin)


def confusion_counts(ratings: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Count the pairs of values that the ratings of one unit have; (n_raters, n_units), NaN where missing.

    Rankel (2016), chapter 6, Figures 6.1 and 6.2.

    Returns
    -------
    values : ndarray, shape (n_values,)
        Distinct ratings, ascending.
    counts : ndarray of int, shape (n_values, n_values)
        Unordered pairs of ratings of one unit, the lower value by row and the higher by column; 0 below the diagonal.

    Examples
    --------
    >>> confusion_counts([[3, 2, 2], [3, 3, 2]])[1].tolist()
    [[1, 1], [0, 1]]
    """
    values, counts, _ = _pairable(ratings, "nominal")
    pairs = counts.T @ counts
    same = (np.diag(pairs) - counts.sum(axis=0)) / 2
    return values, np.rint(np.triu(pairs, k=1) + np.diag(same)).astype(np.int64)


def ratings_of_units(units: Iterable[Sequence[float]]) -> FloatArray:
    """Lay out units with any number of ratings each as an array, (largest number, n_units), NaN below.

    Examples
    --------
    >>> ratings_of_units([(3, 2), (4, 4, 5)]).tolist()
    [[3.0, 4.0], [2.0, 4.0], [nan, 5.0]]
    """
    units = list(units)
    ratings = np.full((max(map(len, units), default=0), len(units)), np.nan)
    for u, unit in enumerate(units):
        ratings[: len(unit), u] = unit
    return ratings


def _pairable(ratings: ArrayLike, scale: str) -> tuple[FloatArray, FloatArray, int]:
    """Distinct values, how often each unit has them (n_units, n_values), and the units left out."""
    one_of(scale, SCALES, "scale")
    ratings = score_matrix(ratings, "ratings")
    n = np.count_nonzero(~np.isnan(ratings), axis=0)
    kept = ratings[:, n > 1].T
    given = ~np.isnan(kept)
    values, which = np.unique(snapped(kept[given]), return_inverse=True)
    if scale == "ratio" and len(values) and values[0] < 0:
        raise ValueError(f"ratings go down to {values[0]}; expected none below 0 on a ratio scale")
    counts = np.zeros((len(kept), len(values)))
    np.add.at(counts, (np.nonzero(given)[0], which), 1.0)
    return values, counts, int(np.count_nonzero(n == 1))


def _alphas(values: FloatArray, counts: FloatArray, weights: FloatArray, scale: str) -> FloatArray:
    """Alpha with every unit taken ``weights`` times; weights of shape (n_resamples, n_units)."""
    if len(counts) == 0:
        return np.full(len(weights), np.nan)
    marginals = weights @ counts
    if scale in _DISTANCES:
        distance = _DISTANCES[scale](values)
        within = np.einsum("uv,uv->u", counts @ distance, counts) / (counts.sum(axis=1) - 1)
        observed, expected = weights @ within, np.einsum("bv,bv->b", marginals @ distance, marginals)
    else:
        # ordinal: the mid-ranks of each resample; interval: values, centred so that squares do not cancel; squared
        # differences within units and of all are found by sums of squares
        ranks = np.cumsum(marginals, axis=1) - (marginals + 1) / 2
        places = ranks if scale == "ordinal" else (values - values.mean())[None, :]
        m = counts.sum(axis=1)
        sums, squares = places @ counts.T, places**2 @ counts.T
        within = 2 * np.maximum(m * squares - sums**2, 0.0) / (m - 1)
        total, square = (
            np.einsum("bv,bv->b", marginals, np.broadcast_to(S, marginals.shape)) for S in (places, places**2)
        )
        observed = np.einsum("bu,bu->b", weights, np.broadcast_to(within, weights.shape))
        expected = 2 * (marginals.sum(axis=1) * square - total**2)
    n = marginals.sum(axis=1)
    varies = np.count_nonzero(marginals, axis=1) > 1
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(varies, 1 - (n - 1) * observed / expected, np.nan)


_TINY = np.finfo(np.float64).tiny  # two ratings of 0 do not differ

_DISTANCES: dict[str, Callable[[FloatArray], FloatArray]] = {
    "nominal": lambda values: 1.0 - np.eye(len(values)),
    "ratio": lambda values: (
        (np.subtract.outer(values, values) / np.maximum(np.add.outer(values, values), _TINY)) ** 2
    ),
}
