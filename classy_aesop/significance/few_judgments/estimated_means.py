"""Means of systems by name: from their judgments alone, or with strength borrowed from their scores.

Plain means and control variates are direct means (:mod:`classy_aesop.significance.few_judgments.direct_means`). The
hierarchical ones (:mod:`classy_aesop.significance.few_judgments.small_area`) have the smaller error on average over
systems, but one that depends on the systems' scores. Systems are therefore compared by the control variate, so that
equal systems do not differ significantly because a metric prefers one.

The line that the scores predict needs three systems more than it has columns (a constant and the metrics). With fewer
the means are those of the control variate, whose slope is shrunk toward that of all judged cells, or toward 1 for
predictions.

All estimates of the model have one variance for all systems, and independent
errors. In fact some systems vary more, systems of one kind err on the same topics, and some topics separate all
systems more than others do (Mandel, 1961). So the covariance is also estimated from the residuals of each topic:
White's (1980) and Liang and Zeger's (1986) sandwich, with topics as clusters. An estimate with the covariance ``P``
changes with the direct means by ``P V^-1`` (Efron, 2015, for posterior means). Hence ``P + P V^-1 (C - V) V^-1 P``:
``P`` if the residuals of topics agree with the model, ``C = V``; and ``C`` for means that are not shrunk, ``P = V``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, IntArray, positive_part
from classy_aesop.significance.choices import ALPHA, MethodOfMeans
from classy_aesop.significance.differences import Differences
from classy_aesop.significance.equality import round_to_zero, snap_ties
from classy_aesop.significance.few_judgments.direct_means import (
    MAX_TOPICS_OF_POOR_VARIANCE,
    MIN_SYSTEMS_FOR_POOLED_VARIANCE,
    DirectMeans,
    direct_means,
)
from classy_aesop.significance.few_judgments.small_area import (
    MIN_EXTRA_SYSTEMS,
    effective_share,
    hierarchical,
)
from classy_aesop.significance.multiplicity.simultaneous import (
    rank_intervals,
    simultaneous_differences,
)

METHODS_OF_MEANS: tuple[str, ...] = get_args(MethodOfMeans)
"""The methods, the default first."""

HIERARCHICAL = METHODS_OF_MEANS[0]
"""The method that shrinks means toward the line that the scores predict."""

PRIOR_TOPICS = 2.0
"""The weight of the model's covariance, in judged topics."""


@dataclass(frozen=True, slots=True)
class EstimatedMeans:
    """Estimated means of systems.

    Attributes
    ----------
    method : str
        One of `METHODS_OF_MEANS`: ``control-variate`` also in place of another that needs more systems.
    mean, covariance : ndarray
        The estimates and the covariance of their errors.
    plain, direct : DirectMeans
        The plain means, and the means by which systems are compared.
    independent_share : float
        Effective share of independent contrasts, see
        :func:`classy_aesop.significance.few_judgments.small_area.effective_share`.
    clustered_covariance : ndarray
        The component of the covariance that is estimated from the residuals of topics, see :func:`sandwich_covariance`.
    mse_variance : ndarray, shape (n_systems,)
        Posterior variance of the mean squared errors, see
        :func:`classy_aesop.significance.few_judgments.small_area.hierarchical`; 0 for means that are not shrunk.
    """

    method: str
    mean: FloatArray
    covariance: FloatArray
    plain: DirectMeans
    direct: DirectMeans
    independent_share: float
    clustered_covariance: FloatArray
    mse_variance: FloatArray

    def for_population(self, *, finite: bool) -> EstimatedMeans:
        """Give the estimates of the means over these topics, or over topics like them, from the same fits."""
        plain = replace(self.plain, finite=finite)
        direct = replace(self.direct, finite=finite)
        return _shrink_means(self.method, plain, direct)

    def interval(self, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Give the intervals of the means, low and high; without ends where all judgments are equal.

        With few judged topics, all of the variance between topics has their degrees of freedom.
        """
        direct = self.direct
        from_topics = np.diag(self.clustered_covariance)
        if direct.n_judged_topics <= MAX_TOPICS_OF_POOR_VARIANCE:
            by_topics = direct.topic_variance * direct.unjudged_share / np.maximum(direct.n_judged, 1)
            from_topics = from_topics + (1 - empirical_share(direct.topics_df)) * by_topics
        half_width = self._half_width(
            confidence,
            np.diag(self.covariance),
            from_topics,
            topics_df=direct.topics_df - direct.has_topic_slope,
        )
        return self.mean - half_width, self.mean + half_width

    def effects(self, confidence: float = 0.95) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Give each mean less the mean of all systems, and its interval; the topics' error cancels here."""
        effect = round_to_zero(self.mean - self.mean.mean(), self.direct.slack)
        half_width = self._half_width(
            confidence,
            _effect_variances(self.covariance),
            _effect_variances(self.clustered_covariance),
            topics_df=self.direct.topics_df,
        )
        return effect, effect - half_width, effect + half_width

    def _half_width(
        self, confidence: float, total: FloatArray, clustered: FloatArray, *, topics_df: FloatArray
    ) -> FloatArray:
        """Half the width of intervals, see :func:`half_widths`."""
        direct = self.direct
        half_width = half_widths(
            confidence,
            total,
            clustered,
            self.mse_variance,
            topics_df=topics_df,
            df=direct.df,
            shares_topics=direct.shares_topics,
            has_few_systems=len(self.mean) < MIN_SYSTEMS_FOR_POOLED_VARIANCE,
        )
        return half_width * np.sqrt(direct.variance_inflation)

    @property
    def df(self) -> float:
        """Degrees of freedom of the variance: fewer where the errors of systems are correlated."""
        direct_df = self.direct.df
        return max(self.independent_share * direct_df, min(self.direct.n_judged_topics - 1, direct_df))

    @property
    def effective_n_topics(self) -> float:
        """Number of topics, judged for all systems, with which plain means would have as small an error.

        Of plain means without an error it is the number of judged topics.
        """
        if self.plain.has_no_error:
            return self.plain.n_judged_topics
        variance_of_topic = self.plain.variance * (1 - 1 / len(self.mean))
        relative_variance = _effect_variances(self.covariance).mean() / variance_of_topic
        share_of_census = self.plain.finite / self.plain.n_topics
        return float(1 / max(relative_variance + share_of_census, np.finfo(float).tiny))

    def differences(
        self,
        rng: np.random.Generator,
        *,
        alpha: float = ALPHA,
        pairs: IntArray | None = None,
    ) -> Differences:
        """Compare all pairs of systems, or some, (n_pairs, 2), with intervals that hold together."""
        direct = self.direct
        own_change = direct.own_error_variance * (1 - direct.variance / direct.own_variance)
        return simultaneous_differences(
            direct.mean,
            direct.covariance + np.diag(own_change) + direct.slope_covariance,
            rng,
            df=self.df,
            own_variance=direct.own_error_variance,
            own_df=direct.own_df,
            variance_inflation=direct.variance_inflation,
            pairs=pairs,
            alpha=alpha,
        )

    def ranks(self, rng: np.random.Generator, *, alpha: float = ALPHA) -> tuple[IntArray, IntArray, IntArray]:
        """Give the rank of each system, equal ones the first of theirs, and the interval of its true rank."""
        rank = 1 + (self.mean > self.mean[:, None]).sum(axis=1)
        inflation = self.direct.variance_inflation
        covariance = self.covariance * (1.0 if np.isinf(inflation) else inflation)
        best, worst = rank_intervals(self.mean, covariance, rng, alpha=alpha)
        return rank, np.minimum(best, rank), np.maximum(worst, rank)


def estimate_means(
    y: ArrayLike,
    f: ArrayLike | None = None,
    *,
    method: str = HIERARCHICAL,
    finite: bool = True,
    slope_prior: float = 0,
    rater_errors: FloatArray | float = 0.0,
    rater_df: int = 0,
) -> EstimatedMeans:
    """Estimate the means of systems from judgments of a part and scores for everything.

    Examples
    --------
    >>> y = [[3, 5, np.nan], [2, 4, np.nan], [1, 1, np.nan], [4, 5, np.nan], [3, 2, np.nan]]
    >>> f = [[3, 4, 3], [2, 4, 3], [1, 2, 1], [4, 4, 5], [2, 2, 2]]
    >>> estimate_means(y, f).mean.round(1).tolist()
    [3.8, 3.1, 1.0, 4.9, 2.3]
    """
    estimate_direct = partial(direct_means, y, finite=finite, rater_errors=rater_errors, rater_df=rater_df)
    plain = estimate_direct()
    n_metrics = 0 if f is None else np.size(f) // np.size(y)
    has_few_systems = len(plain.mean) < n_metrics + 1 + MIN_EXTRA_SYSTEMS
    direct = plain
    if f is not None and method != "plain":
        direct = estimate_direct(f, slope_prior=slope_prior if has_few_systems else None)
    if method == HIERARCHICAL and has_few_systems:
        method = "control-variate"
    return _shrink_means(method, plain, direct)


def _shrink_means(method: str, plain: DirectMeans, direct: DirectMeans) -> EstimatedMeans:
    """Make estimates of direct means, shrunk toward the line that the scores predict if the method does so."""
    mean = direct.mean
    covariance = direct.covariance
    mse_variance = np.zeros_like(direct.mean)
    if method == HIERARCHICAL:
        mean, covariance, mse_variance = hierarchical(mean, covariance, direct.design)
    covariance, clustered_covariance = sandwich_covariance(covariance, direct)
    covariance = covariance + direct.slope_covariance
    share = effective_share(direct.clustered_covariance, direct.n_judged_topics - 1, direct.design)
    return EstimatedMeans(
        method=method,
        mean=snap_ties(mean, direct.slack),
        covariance=covariance,
        plain=plain,
        direct=direct,
        independent_share=share if direct.shares_topics else 1.0,
        clustered_covariance=clustered_covariance,
        mse_variance=mse_variance,
    )


def _effect_variances(V: FloatArray) -> FloatArray:
    """Variances of the means less the mean of all."""
    row_means = V.mean(axis=1)
    return np.maximum(np.diag(V) - 2 * row_means + row_means.mean(), 0.0)


def sandwich_covariance(covariance: FloatArray, direct: DirectMeans) -> tuple[FloatArray, FloatArray]:
    """Covariance of the errors of estimates, by the model and by the residuals of topics.

    Shapes: ``covariance`` (n_systems, n_systems); gives ``covariance, clustered`` (n_systems, n_systems).
    """
    share = np.sqrt(empirical_share(direct.topics_df))
    influence = np.linalg.solve(direct.covariance, covariance).T * share
    clustered = influence @ direct.clustered_covariance @ influence.T
    remainder = covariance - influence @ direct.covariance @ influence.T
    return clustered + positive_part((remainder + remainder.T) / 2), clustered


def empirical_share(topics_df: FloatArray | IntArray) -> FloatArray:
    """Share of the direct means' covariance that is estimated from topics, by their degrees of freedom."""
    return topics_df / (topics_df + PRIOR_TOPICS)


def half_widths(
    confidence: float,
    total: FloatArray,
    clustered: FloatArray,
    mse_variance: FloatArray,
    *,
    topics_df: FloatArray | int,
    df: FloatArray | float,
    shares_topics: bool = True,
    has_few_systems: bool = False,
) -> FloatArray:
    """Half the width of intervals, by Student's t.

    Satterthwaite's rule gives the degrees of freedom of a sum of variances. Where the variance itself is uncertain, the
    error is a mixture of normal ones, and t has its kurtosis: ``4 + 2 total^2 / mse_variance`` degrees of freedom. Such
    a t has a greater variance than the mixture, and is scaled to its variance; but not where systems share topics:
    their correlated errors estimate the variance less well than was assumed.

    Shapes: ``total``, ``clustered`` and ``mse_variance`` (..., n_systems); gives the same.
    """
    from scipy.special import stdtrit

    total = np.maximum(total, np.sqrt(np.finfo(float).tiny))
    share = np.minimum(clustered / total, 1)
    inverse_mixture_df = mse_variance / (4 * mse_variance + 2 * total**2)
    inverse_df = share**2 / np.maximum(topics_df, 1) + (1 - share) ** 2 / df + inverse_mixture_df
    inverse_df = inverse_df + 2 * share * (1 - share) / df * has_few_systems
    excess_variance = 0.0 if shares_topics else 2 * inverse_mixture_df
    quantile = stdtrit(1 / inverse_df, (1 + confidence) / 2)
    return quantile * np.sqrt(total * (1 - excess_variance))
