"""Means of systems by name: from their judgments alone, or with strength borrowed from their scores.

Direct means (:mod:`classy_aesop.significance.direct_means`), which scores of systems are added to in
:mod:`classy_aesop.significance.small_area`, have one variance for all systems, and independent
errors. In truth some vary more, systems of one kind err on the same topics, and some topics tell all systems apart more
than others (Mandel, 1961). So their covariance is also taken from the residuals of each topic: White's (1980) and Liang
and Zeger's (1986) sandwich, with topics as clusters. An estimate with the covariance ``P`` moves with the direct means
by ``P V^-1`` (Efron, 2015, for posterior means). Hence ``P + P V^-1 (C - V) V^-1 P``: as before if topics tell what the
model says, ``C = V``; and ``C`` for means that are not drawn to anything, ``P = V``.

Plain means and control variates are direct means. The others, Fay-Herriot and hierarchical, have the smaller error on
average over systems, but one that depends on where its scores put a system. Systems are therefore compared by the
control variate, so that equal systems are not told apart because a metric prefers one.

Fewer systems than metrics, a constant and three more do not tell how far scores are right of systems. Their means are
those of the control variate, whose slope is drawn to that of all judged cells, or to 1 for predictions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from classy_aesop.significance.base import FloatArray, IntArray, Result, eigh, one_of, settled, snapped
from classy_aesop.significance.choices import MethodOfMeans
from classy_aesop.significance.clusters import cluster_numbers
from classy_aesop.significance.direct_means import FEW, DirectMeans, direct_means
from classy_aesop.significance.multiplicity import N_DRAWS, Differences, differences, rank_intervals
from classy_aesop.significance.small_area import MORE_SYSTEMS, effective_share, fay_herriot, hierarchical

PRIOR = 2.0
"""Topics that the model's covariance counts for beside the judged ones."""


def sandwiched(covariance: FloatArray, direct: DirectMeans) -> tuple[FloatArray, FloatArray]:
    """Give the covariance of estimates' errors, as far as topics tell it.

    Parameters
    ----------
    covariance : ndarray, shape (..., n_systems, n_systems)
        Of the errors of estimates, by the model.
    direct : DirectMeans
        What they were made of.

    Returns
    -------
    covariance : ndarray, shape (..., n_systems, n_systems)
        Of the errors.
    told : ndarray, shape (..., n_systems, n_systems)
        The part of it that topics tell; of a system it has one degree of freedom less than it has judgments.
    """
    share = np.sqrt(share_of_topics(direct.topics_df))
    moves = np.asarray(np.linalg.solve(direct.covariance, covariance).mT * share[..., None, :])
    told = moves @ direct.by_topics @ moves.mT
    rest = covariance - moves @ direct.covariance @ moves.mT
    roots, axes = eigh((rest + rest.mT) / 2)
    return told + (axes * np.maximum(roots, 0)[..., None, :]) @ axes.mT, told


def share_of_topics(topics_df: ArrayLike) -> FloatArray:
    """Share of the direct means' covariance that is taken from topics, by their degrees of freedom."""
    df = np.asarray(topics_df, dtype=np.float64)
    return np.asarray(df / (df + PRIOR))


def half_widths(
    confidence: float,
    total: FloatArray,
    told: FloatArray,
    spread: FloatArray,
    *,
    topics_df: ArrayLike,
    df: ArrayLike,
    shares_topics: ArrayLike = True,
    are_few: bool = False,
) -> FloatArray:
    """Give half the width of intervals, by Student's t.

    Satterthwaite's rule gives the degrees of freedom of a sum of variances. Where the variance itself is open, the
    error is a mixture of normal ones, and t has its kurtosis: ``4 + 2 total^2 / spread`` degrees of freedom. Such a t
    is wider than the mixture, and is taken back to its variance. It is left wider where systems share topics: what they
    err together tells less of the variance than was made of it.

    Parameters
    ----------
    confidence : float
        Of each interval.
    total, told, spread : ndarray
        The variance of the error, the part of it that topics tell, and the variance of the variance over what the
        judgments leave open.
    topics_df, df : array_like
        Degrees of freedom of what topics tell, and of the common variance.
    shares_topics : array_like of bool
        Whether systems share their topics.
    are_few : bool
        Whether systems are so few that what topics tell and the common variance are much the same: of two systems, all.
    """
    total = np.maximum(total, np.sqrt(np.finfo(float).tiny))
    told, of_mixture = np.minimum(told / total, 1), spread / (4 * spread + 2 * total**2)
    inverse = told**2 / np.maximum(topics_df, 1) + (1 - told) ** 2 / np.asarray(df) + of_mixture
    inverse = inverse + 2 * told * (1 - told) / np.asarray(df) * are_few
    wider = np.where(shares_topics, 0.0, 2 * of_mixture)
    return np.asarray(stats.t.ppf((1 + confidence) / 2, 1 / inverse) * np.sqrt(total * (1 - wider)))


METHODS: tuple[str, ...] = get_args(MethodOfMeans)
"""The methods, the default first."""

SHRUNKEN = METHODS[:2]
"""Those that are drawn to what the scores say."""


@dataclass(frozen=True, slots=True)
class EstimatedMeans(Result):
    """Estimated means of systems; arrays have the leading axes of the judgments.

    Attributes
    ----------
    method : str
        One of `METHODS`: ``control-variate`` also in place of another that needs more systems.
    mean, covariance : ndarray
        The estimates and the covariance of their errors.
    plain, direct : DirectMeans
        The plain means, and the means by which systems are compared.
    weight : ndarray, shape (...)
        Share of contrasts that are as good as independent, see
        :func:`classy_aesop.significance.small_area.effective_share`.
    told : ndarray
        The part of the covariance that topics tell, see :mod:`classy_aesop.significance.estimation`.
    spread : ndarray, shape (..., n_systems)
        Variance of the mean squared errors over what judgments leave possible, see
        :class:`classy_aesop.significance.small_area.SmallAreaMeans`; 0 for means that are not drawn to the scores.
    """

    method: str
    mean: FloatArray
    covariance: FloatArray
    plain: DirectMeans
    direct: DirectMeans
    weight: FloatArray
    told: FloatArray
    spread: FloatArray

    def interval(self, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Give the intervals of the means, low and high; without ends where all judgments are equal."""
        half = self._half(confidence, _diagonal(self.covariance), _diagonal(self.told))
        return self.mean - half, self.mean + half

    def effects(self, confidence: float = 0.95) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give each mean less the mean of all systems, and its interval; the topics' error cancels here."""
        effect = settled(self.mean - self.mean.mean(axis=-1, keepdims=True), self.direct.slack)
        half = self._half(confidence, _of_effects(self.covariance), _of_effects(self.told))
        return effect, effect - half, effect + half

    def _half(self, confidence: float, total: FloatArray, told: FloatArray) -> FloatArray:
        """Give half the width of intervals, see :func:`classy_aesop.significance.estimation.half_widths`."""
        found, are_few = self.direct, self.mean.shape[-1] < FEW
        how = {"df": found.df[..., None], "shares_topics": found.shares_topics[..., None], "are_few": are_few}
        half = half_widths(confidence, total, told, self.spread, topics_df=found.topics_df, **how)
        return half * np.sqrt(found.wider)[..., None]

    @property
    def df(self) -> FloatArray:
        """Degrees of freedom of the variance: systems that err together tell less of it than as many others."""
        own = self.direct.df
        return np.maximum(self.weight * own, np.minimum(self.direct.n_judged_topics - 1, own))

    @property
    def worth(self) -> FloatArray:
        """How many topics, judged for all systems, would give plain means with as small an error.

        Plain means without an error are worth the topics that were judged.
        """
        of_one_topic = self.plain.variance * (1 - 1 / self.mean.shape[-1])
        left = _of_effects(self.covariance).mean(axis=-1) / of_one_topic
        judged_all = 1 / self.plain.n_topics if self.plain.finite else 0.0
        found = 1 / np.maximum(left + judged_all, np.finfo(float).tiny)
        return np.where(self.plain.is_sure, self.plain.n_judged_topics, found)

    def differences(
        self,
        rng: np.random.Generator,
        *,
        alpha: float = 0.05,
        baseline: int | None = None,
        n_draws: int = N_DRAWS,
    ) -> Differences:
        """Compare all pairs of systems, or all with one, see :mod:`classy_aesop.significance.multiplicity`."""
        found, df = self.direct, self.df
        own: dict[str, Any] = {"own": found.own_errors, "own_df": found.own_df, "wider": found.wider}
        how: dict[str, Any] = {"baseline": baseline, "alpha": alpha, "n_draws": n_draws}
        return differences(found.mean, found.own_covariance, rng, df=df, **own, **how)

    def ranks(
        self, rng: np.random.Generator, *, alpha: float = 0.05, n_draws: int = N_DRAWS
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Give the rank of each system, equal ones the first of theirs, and the interval of its true rank."""
        rank = stats.rankdata(-self.mean, method="min", axis=-1).astype(np.int64)
        wider = np.where(np.isinf(self.direct.wider), 1.0, self.direct.wider)[..., None, None]
        low, high = rank_intervals(self.mean, self.covariance * wider, rng, alpha=alpha, n_draws=n_draws)
        return rank, np.minimum(low, rank), np.maximum(high, rank)

    def clusters(self, found: Differences) -> IntArray:
        """Give clusters: each system above one is shown to be better than each in it."""
        order = np.argsort(-self.mean, kind="stable")
        better = found.better(len(order))
        cluster = np.empty(len(order), dtype=np.int64)
        cluster[order] = cluster_numbers(better[np.ix_(order, order)])
        return cluster


def estimate_means(
    y: ArrayLike,
    f: ArrayLike | None = None,
    *,
    method: str = METHODS[0],
    finite: bool = True,
    drawn_to: float = 0,
    rater_errors: ArrayLike | None = None,
    rater_df: int = 0,
) -> EstimatedMeans:
    """Estimate the means of systems.

    Parameters
    ----------
    y, f, finite, drawn_to, rater_errors, rater_df
        As for :func:`classy_aesop.significance.direct_means.direct_means`; ``drawn_to`` is of few systems. Without
        ``f`` the means of ``fay-herriot`` and ``hierarchical`` are drawn to each other.
    method : str
        One of `METHODS`.

    Raises
    ------
    TooFewJudgments, ValueError
        As :func:`direct_means`.

    Examples
    --------
    >>> y = [[3, 5, np.nan], [2, 4, np.nan], [1, 1, np.nan], [4, 5, np.nan], [3, 2, np.nan]]
    >>> f = [[3, 4, 3], [2, 4, 3], [1, 2, 1], [4, 4, 5], [2, 2, 2]]
    >>> estimate_means(y, f).mean.round(1).tolist()
    [3.8, 3.1, 1.0, 4.9, 2.3]
    """
    one_of(method, METHODS, "method")
    raters: dict[str, Any] = {"rater_errors": rater_errors, "rater_df": rater_df}
    plain = direct = direct_means(y, finite=finite, **raters)
    n_metrics = 0 if f is None else np.shape(f)[-3] if np.ndim(f) > np.ndim(y) else 1
    are_few = plain.mean.shape[-1] < n_metrics + 1 + MORE_SYSTEMS
    if f is not None and method != "plain":
        direct = direct_means(y, f, finite=finite, drawn_to=drawn_to if are_few else None, **raters)
    mean, covariance, spread = direct.mean, direct.covariance, np.zeros_like(direct.mean)
    if method in SHRUNKEN and are_few:
        method = "control-variate"
    elif method in SHRUNKEN:
        model = fay_herriot if method == "fay-herriot" else hierarchical
        found = model(mean, covariance, direct.design)
        mean, covariance, spread = found.mean, found.covariance, found.spread
    covariance, told = sandwiched(covariance, direct)
    share = effective_share(direct.by_topics, direct.n_judged_topics - 1, direct.design)
    weight = np.where(direct.shares_topics, share, 1.0)
    return EstimatedMeans(
        method, snapped(mean, direct.slack), covariance, plain, direct, weight, told, spread
    )


def _diagonal(V: FloatArray) -> FloatArray:
    return np.diagonal(V, axis1=-2, axis2=-1)


def _of_effects(V: FloatArray) -> FloatArray:
    """Variances of the means less the mean of all."""
    rows = V.mean(axis=-1)
    return np.asarray(np.maximum(_diagonal(V) - 2 * rows + rows.mean(axis=-1, keepdims=True), 0.0))
