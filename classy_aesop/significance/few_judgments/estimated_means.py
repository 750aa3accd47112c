"""Means of systems by name: from their judgments alone, or with strength borrowed from their scores.

Plain means and control variates are direct means (:mod:`classy_aesop.significance.few_judgments.direct_means`). The
others, Fay-Herriot and hierarchical (:mod:`classy_aesop.significance.few_judgments.small_area`), have the smaller error
on average over systems, but one that depends on the systems' scores. Systems are therefore compared by the control
variate, so that equal systems do not differ significantly because a metric prefers one.

The line that the scores predict needs three systems more than it has columns (a constant and the metrics). With fewer
the means are those of the control variate, whose slope is shrunk toward that of all judged cells, or toward 1 for
predictions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from classy_aesop.significance.base import FloatArray, IntArray, Result, check_choice
from classy_aesop.significance.choices import MethodOfMeans
from classy_aesop.significance.equality import round_to_zero, snap_ties
from classy_aesop.significance.few_judgments.direct_means import (
    MIN_SYSTEMS_FOR_POOLED_VARIANCE,
    DirectMeans,
    direct_means,
)
from classy_aesop.significance.few_judgments.mean_errors import half_widths, sandwich_covariance
from classy_aesop.significance.few_judgments.small_area import (
    MIN_EXTRA_SYSTEMS,
    effective_share,
    fay_herriot,
    hierarchical,
)
from classy_aesop.significance.multiplicity.simultaneous import (
    N_ERROR_DRAWS,
    SimultaneousDifferences,
    rank_intervals,
    simultaneous_differences,
)
from classy_aesop.significance.pairs.rank_clusters import cluster_numbers

METHODS_OF_MEANS: tuple[str, ...] = get_args(MethodOfMeans)
"""The methods, the default first."""

SHRINKING_METHODS = METHODS_OF_MEANS[:2]
"""Those that are drawn to what the scores say."""


@dataclass(frozen=True, slots=True)
class EstimatedMeans(Result):
    """Estimated means of systems; arrays have the leading axes of the judgments.

    Attributes
    ----------
    method : str
        One of `METHODS_OF_MEANS`: ``control-variate`` also in place of another that needs more systems.
    mean, covariance : ndarray
        The estimates and the covariance of their errors.
    plain, direct : DirectMeans
        The plain means, and the means by which systems are compared.
    weight : ndarray, shape (...)
        Share of contrasts that are as good as independent, see
        :func:`classy_aesop.significance.few_judgments.small_area.effective_share`.
    told : ndarray
        The part of the covariance that topics tell, see :mod:`classy_aesop.significance.few_judgments.estimated_means`.
    spread : ndarray, shape (..., n_systems)
        Variance of the mean squared errors over what judgments leave possible, see
        :class:`classy_aesop.significance.few_judgments.small_area.SmallAreaMeans`; 0 for means that are not drawn to
        the scores.
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
        effect = round_to_zero(self.mean - self.mean.mean(axis=-1, keepdims=True), self.direct.slack)
        half = self._half(confidence, _of_effects(self.covariance), _of_effects(self.told))
        return effect, effect - half, effect + half

    def _half(self, confidence: float, total: FloatArray, told: FloatArray) -> FloatArray:
        """Half the width of intervals, see `half_widths` of `mean_errors`."""
        found, are_few = self.direct, self.mean.shape[-1] < MIN_SYSTEMS_FOR_POOLED_VARIANCE
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
        n_draws: int = N_ERROR_DRAWS,
    ) -> SimultaneousDifferences:
        """Compare all pairs of systems, or all with one, with intervals that hold together."""
        found, df = self.direct, self.df
        own: dict[str, Any] = {"own": found.own_errors, "own_df": found.own_df, "wider": found.wider}
        how: dict[str, Any] = {"baseline": baseline, "alpha": alpha, "n_draws": n_draws}
        return simultaneous_differences(found.mean, found.own_covariance, rng, df=df, **own, **how)

    def ranks(
        self, rng: np.random.Generator, *, alpha: float = 0.05, n_draws: int = N_ERROR_DRAWS
    ) -> tuple[IntArray, IntArray, IntArray]:
        """Give the rank of each system, equal ones the first of theirs, and the interval of its true rank."""
        rank = stats.rankdata(-self.mean, method="min", axis=-1).astype(np.int64)
        wider = np.where(np.isinf(self.direct.wider), 1.0, self.direct.wider)[..., None, None]
        low, high = rank_intervals(self.mean, self.covariance * wider, rng, alpha=alpha, n_draws=n_draws)
        return rank, np.minimum(low, rank), np.maximum(high, rank)

    def clusters(self, found: SimultaneousDifferences) -> IntArray:
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
    method: str = METHODS_OF_MEANS[0],
    finite: bool = True,
    drawn_to: float = 0,
    rater_errors: ArrayLike | None = None,
    rater_df: int = 0,
) -> EstimatedMeans:
    """Estimate the means of systems.

    Parameters
    ----------
    y, f, finite, drawn_to, rater_errors, rater_df
        As for :func:`classy_aesop.significance.few_judgments.direct_means.direct_means`; ``drawn_to`` is of few
        systems. Without ``f`` the means of ``fay-herriot`` and ``hierarchical`` are drawn to each other.
    method : str
        One of `METHODS_OF_MEANS`.

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
    check_choice(method, METHODS_OF_MEANS, "method")
    raters: dict[str, Any] = {"rater_errors": rater_errors, "rater_df": rater_df}
    plain = direct = direct_means(y, finite=finite, **raters)
    n_metrics = 0 if f is None else np.shape(f)[-3] if np.ndim(f) > np.ndim(y) else 1
    are_few = plain.mean.shape[-1] < n_metrics + 1 + MIN_EXTRA_SYSTEMS
    if f is not None and method != "plain":
        direct = direct_means(y, f, finite=finite, drawn_to=drawn_to if are_few else None, **raters)
    mean, covariance, spread = direct.mean, direct.covariance, np.zeros_like(direct.mean)
    if method in SHRINKING_METHODS and are_few:
        method = "control-variate"
    elif method in SHRINKING_METHODS:
        model = fay_herriot if method == "fay-herriot" else hierarchical
        found = model(mean, covariance, direct.design)
        mean, covariance, spread = found.mean, found.covariance, found.spread
    covariance, told = sandwich_covariance(covariance, direct)
    share = effective_share(direct.by_topics, direct.n_judged_topics - 1, direct.design)
    weight = np.where(direct.shares_topics, share, 1.0)
    return EstimatedMeans(
        method, snap_ties(mean, direct.slack), covariance, plain, direct, weight, told, spread
    )


def _diagonal(V: FloatArray) -> FloatArray:
    return np.diagonal(V, axis1=-2, axis2=-1)


def _of_effects(V: FloatArray) -> FloatArray:
    """Variances of the means less the mean of all."""
    rows = V.mean(axis=-1)
    return np.asarray(np.maximum(_diagonal(V) - 2 * rows + rows.mean(axis=-1, keepdims=True), 0.0))
