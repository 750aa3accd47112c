"""How precise would estimates of means be with more judged topics?

Campaigns with each number of topics are simulated and estimated anew, because the variance around the line would be
estimated from them and not from the pilot. Their true means vary around the line as those of the pilot do, less the
pilot's errors and with those of the campaign, which is unbiased. Means over the topics at hand vary around it at
least as much as so few topics do by chance. Systems keep their own variances, and where systems with similar scores
err on the same topics, contrasts along the scores have a greater variance than the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from classy_aesop.significance.base import FloatArray, IntArray, divide
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.few_judgments.direct_means import DirectMeans
from classy_aesop.significance.few_judgments.estimated_means import (
    HIERARCHICAL,
    EstimatedMeans,
    empirical_share,
    half_widths,
)
from classy_aesop.significance.few_judgments.small_area import (
    hierarchical,
    plausible_tau2,
)
from classy_aesop.significance.planning.topics_needed import PLAUSIBLE_QUANTILES

N_VARIANCE_DRAWS = 2_000
"""Random draws of the variances that the pilot leaves plausible."""

N_CAMPAIGNS = 60
"""Campaigns simulated for each of a few numbers of topics."""

N_SIMULATED_SIZES = 6
"""Numbers of topics that are simulated; others are interpolated."""


@dataclass(frozen=True, slots=True)
class PlannedPrecision:
    """Precision by the number of judged topics; arrays of shape (n_plans,), or (n_plans, 3).

    Attributes
    ----------
    width : ndarray
        Width of the interval of a system's effect, expected with the most likely variances given the pilot, and the
        limits of 95 % of the plausible ones.
    difference : ndarray
        Difference of two systems that is detected with the power, and its limits.
    plain_width : ndarray
        Width with plain means.
    """

    width: FloatArray
    difference: FloatArray
    plain_width: FloatArray


def plan_precision(
    pilot: EstimatedMeans,
    n: IntArray,
    rng: np.random.Generator,
    *,
    power: float = 0.8,
    alpha: float = ALPHA,
    rater_variance: float = 0.0,
) -> PlannedPrecision:
    """Predict the precision of estimates with more judged topics from the judgments of a pilot.

    Shapes: ``n`` (n_plans,).
    """
    from scipy.special import stdtrit

    direct = pilot.direct
    n_systems = len(pilot.mean)
    factor = np.maximum(1 / n - direct.finite / direct.n_topics, 0)
    score_variance = _variance_of_scores(direct)
    # variance of a direct mean if that of a judgment is the pilot's, or a plausible multiple
    ratios = np.append(1.0, pilot.df / rng.chisquare(pilot.df, N_VARIANCE_DRAWS))[:, None]
    variances = np.maximum(direct.variance * ratios + rater_variance, 0) * factor + score_variance
    plain = np.maximum(pilot.plain.variance + rater_variance, 0) * factor
    effects = direct_effects = _Effects(direct.own_variance / direct.variance, 1 - 1 / n_systems)
    mse = effects.errors(variances)
    mse_variance = np.zeros(len(n))
    if pilot.method == HIERARCHICAL:
        X = direct.design
        # the line changes with the scores of these topics, so that means do not vary around it because of them
        covariance = direct.covariance - score_variance * np.eye(n_systems)
        clustered = direct.clustered_covariance - direct.covariance + covariance
        effects = direct_effects.along_scores(clustered, covariance, X)
        tau2, by_moments = plausible_tau2(
            direct.mean, covariance, X, rng, N_VARIANCE_DRAWS, weight=pilot.independent_share
        )
        tau2 = tau2[:, None]
        lowest_tau2 = direct.variance / direct.n_topics if direct.finite else -np.inf
        excess = np.maximum(tau2 - score_variance, 0)
        campaign_mse = effects.errors(variances[0], excess[:N_CAMPAIGNS])
        simulated_mse, _ = _simulate_campaigns(variances[0], score_variance, tau2[:N_CAMPAIGNS], n, X, rng)
        added = np.maximum(simulated_mse - np.sqrt(campaign_mse).mean(0) ** 2, 0)
        mse[1:] = np.minimum(effects.errors(variances[1:], excess) + added, mse[1:])
        expected_tau2 = np.full((N_CAMPAIGNS, 1), max(by_moments, lowest_tau2))
        mse[0], mse_variance = _simulate_campaigns(variances[0], score_variance, expected_tau2, n, X, rng)
    half_widths = effects.half_widths(alpha, mse[0], variances[0], score_variance, mse_variance, n)
    plain_half_widths = direct_effects.half_widths(
        alpha, direct_effects.errors(plain), plain, 0.0, np.zeros(len(n)), n
    )
    df = np.maximum((n_systems - 1) * (n - 1), 1)
    quantiles = stdtrit(df, 1 - alpha / 2) + stdtrit(df, power)
    relative_errors = np.sqrt(_add_limits(mse) / np.where(mse[0] > 0, mse[0], 1)[:, None])
    return PlannedPrecision(
        width=2 * half_widths[:, None] * relative_errors,
        difference=quantiles[:, None] * np.sqrt(_add_limits(2 * variances)),
        plain_width=2 * plain_half_widths,
    )


def _variance_of_scores(direct: DirectMeans) -> float:
    """Variance that the scores of these topics add to means over topics like them; 0 for means over these topics."""
    if not direct.shares_topics or direct.finite:
        return 0.0
    V = direct.covariance
    n_systems = len(V)
    own_variance = (np.trace(V) - V.mean() * n_systems) / (n_systems - 1)
    return max(float(own_variance - direct.variance / direct.n_judged_topics), 0.0)


def _simulate_campaigns(
    variance: FloatArray,
    score_variance: float,
    tau2: FloatArray,
    n: IntArray,
    X: FloatArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """Mean squared errors of effects where a campaign estimates ``tau2`` anew, and their posterior variance.

    Shapes: ``variance`` and ``n`` (n_plans,), ``tau2`` (n_draws, 1), ``X`` (n_systems, n_columns).
    """
    uncertain = np.flatnonzero(variance > 0)
    if not len(uncertain):
        return np.zeros(len(n)), np.zeros(len(n))
    steps = np.geomspace(1, len(uncertain), N_SIMULATED_SIZES).astype(int) - 1
    simulated = uncertain[np.unique(steps)]
    n_systems = len(X)
    normal = rng.standard_normal((len(tau2), n_systems))
    mse_shares = []
    relative_variances = []
    for plan_variance in variance[simulated]:
        deviation = np.sqrt(np.maximum(max(plan_variance - score_variance, 0) + tau2, 0))
        _, covariance, variances_of_mse = hierarchical(
            normal * deviation, plan_variance * np.eye(n_systems), X
        )
        mean_variance = np.diagonal(covariance, axis1=-2, axis2=-1).mean(axis=-1)
        mse = mean_variance - plan_variance / n_systems
        mse_shares.append(np.sqrt(mse).mean() ** 2 / plan_variance)
        relative_variances.append(variances_of_mse.mean() / mse.mean() ** 2)
    log_n = np.log(n)
    mse = variance * np.interp(log_n, log_n[simulated], mse_shares)
    return mse, np.interp(log_n, log_n[simulated], relative_variances) * mse**2


@dataclass(frozen=True, slots=True)
class _Effects:
    """Contrasts of systems: those along the line that the scores predict, and those that are shrunk toward it.

    Attributes
    ----------
    own_variances : ndarray, shape (n_systems,)
        Variances of systems, as multiples of the pooled one.
    along_share, free_share : float
        Shares of either kind of contrasts, of all systems.
    clustered_ratios : ndarray, shape (2,)
        Variance of either kind that is estimated from topics, as a multiple of the model's.
    """

    own_variances: FloatArray
    along_share: float
    free_share: float = 0.0
    clustered_ratios: FloatArray = field(default_factory=lambda: np.ones(2))

    def along_scores(self, clustered: FloatArray, V: FloatArray, X: FloatArray) -> _Effects:
        """Divide contrasts by the scores ``X``: systems with similar scores may err on the same topics."""
        n_systems, n_columns = X.shape
        centred = X - X.mean(axis=0)
        along = centred @ np.linalg.pinv(centred, rcond=1e-10)
        projections = np.stack([along, np.eye(n_systems) - 1 / n_systems - along])
        by_topics = (projections * clustered).sum(axis=(1, 2))
        by_model = (projections * V).sum(axis=(1, 2))
        return replace(
            self,
            along_share=(n_columns - 1) / n_systems,
            free_share=1 - n_columns / n_systems,
            clustered_ratios=divide(by_topics, by_model, 1.0),
        )

    def errors(self, variance: FloatArray, tau2: FloatArray | float = 0.0) -> FloatArray:
        """Mean squared errors of effects, for direct means of a variance with ``tau2`` around the line."""
        total = tau2 + variance
        weight = divide(tau2, total, 1.0)
        return variance * (self.along_share + weight * self.free_share)

    def half_widths(
        self,
        alpha: float,
        mse: FloatArray,
        variance: FloatArray,
        score_variance: float,
        mse_variance: FloatArray,
        n: IntArray,
    ) -> FloatArray:
        """Half the widths of intervals of effects with mean squared errors ``mse``, averaged over systems."""
        # an estimate changes with its direct mean by the ratio of their variances
        free_variance = variance * self.free_share
        weight = divide(mse - variance * self.along_share, free_variance, 0.0)
        shares = np.array([np.full(len(variance), self.along_share), self.free_share * weight**2])
        influence = empirical_share(n - 1) * shares
        judgment_variance = np.maximum(variance - score_variance, 0)
        clustered = (
            influence.sum(0) * score_variance
            + self.own_variances[:, None] * (self.clustered_ratios @ influence) * judgment_variance
        )
        total = np.maximum(mse - influence.sum(0) * variance, 0) + clustered
        df = np.maximum((len(self.own_variances) - 1) * (n - 1), 1)
        widths = half_widths(
            1 - alpha, total, clustered, mse_variance, topics_df=(n - 1).astype(float), df=df
        )
        return widths.mean(axis=0)


def _add_limits(values: FloatArray) -> FloatArray:
    """Give expected values, the first row, with the limits of 95 % of plausible ones, which include the expected."""
    low, high = np.quantile(values[1:], PLAUSIBLE_QUANTILES, axis=0)
    return np.column_stack([values[0], np.minimum(low, values[0]), np.maximum(high, values[0])])
