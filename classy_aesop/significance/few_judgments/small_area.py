"""Means of systems that borrow strength from their scores: the Fay-Herriot model (1979) of small area estimation.

The direct means are ``d = theta + e`` with errors of a known covariance ``V``, and the true means follow the scores:
``theta = X b + u`` with ``u`` of variance ``tau2``. A system's estimate lies between its direct mean and the line that
its scores predict, the nearer to the first the less the scores explain; a slope of the wrong sign is estimated as
negative, and one of scores without information as 0.
Rao and Molina, Small Area Estimation (2015), chapters 5, 6 and 10.

All follows from contrasts that are free of ``b``, rotated so that their errors are independent: ``w`` with variances
``roots + tau2``. The estimate is ``d - V Q (w / (roots + tau2))``, its error given ``tau2`` has the covariance
``V - V Q diag(1 / (roots + tau2)) Q' V`` (g1 and g2 of Prasad and Rao), and the restricted likelihood is that of ``w``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, Result, robust_eigh
from classy_aesop.significance.few_judgments.two_way_fit import TooFewJudgments

N_NODES = 100
"""Values of ``tau`` at which a posterior is evaluated."""

MIN_EXTRA_SYSTEMS = 3
"""Systems beyond the columns that a proper posterior needs."""


@dataclass(frozen=True, slots=True)
class SmallAreaMeans(Result):
    """Means of systems under the Fay-Herriot model.

    Attributes
    ----------
    mean : ndarray, shape (..., n_systems)
        The estimates.
    covariance : ndarray, shape (..., n_systems, n_systems)
        Covariance of their errors; its diagonal contains the mean squared errors.
    mse_variance : ndarray, shape (..., n_systems)
        Posterior variance of each mean squared error, over the values of ``tau2``.
    """

    mean: FloatArray
    covariance: FloatArray
    mse_variance: FloatArray


def hierarchical(d: ArrayLike, V: ArrayLike, X: ArrayLike) -> SmallAreaMeans:
    """Estimate means by the posterior of the Fay-Herriot model, integrated over ``tau2``.

    ``tau2`` is not fixed at one value, so that an estimate of 0 does not make intervals too short when there are few
    judgments.
    Its prior is Jeffreys' (Tiao and Tan, 1965; Box and Tiao, 1973): the square root of the information on it.

    Examples
    --------
    >>> x = [[1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5]]
    >>> hierarchical([1, 2, 3, 5, 5, 7], np.eye(6), x).mean.round(2).tolist()
    [0.94, 2.05, 3.16, 4.63, 5.38, 6.85]
    """
    contrasts = _Contrasts(d, V, X)
    if (contrasts.n_free < MIN_EXTRA_SYSTEMS).any():
        raise TooFewJudgments(
            f"{contrasts.d.shape[-1]} systems; expected three more than the metrics and a constant, or another method"
        )
    tau2, likelihood, prior = contrasts.posterior()
    probability = _normalize(prior * likelihood)
    weights_by_tau2 = 1 / (contrasts.roots[..., None] + tau2[..., None, :])
    weights = (weights_by_tau2 @ probability[..., None])[..., 0]
    deviations = weights_by_tau2 - weights[..., None]
    mean_deviations = contrasts.VQ @ (deviations * contrasts.w[..., None])
    covariance_of_means = (mean_deviations * probability[..., None, :]) @ mean_deviations.mT
    mse_deviations = contrasts.VQ**2 @ deviations
    return SmallAreaMeans(
        mean=contrasts.mean(weights),
        covariance=contrasts.covariance(weights) + covariance_of_means,
        mse_variance=(mse_deviations**2 @ probability[..., None])[..., 0],
    )


def _normalize(weights: FloatArray) -> FloatArray:
    """Divide weights by their sum."""
    return weights / weights.sum(axis=-1, keepdims=True)


def effective_share(C: FloatArray, df: float, X: FloatArray) -> float:
    """Effective share of independent contrasts, of those free of ``X``.

    Systems of one kind err on the same topics, so that all contrasts contain less information on ``tau2`` than as many
    independent ones: that of ``tr(C)^2 / tr(C^2)`` of them (Satterthwaite).

    Shapes: ``C`` (n_systems, n_systems), ``X`` (n_systems, n_columns).

    Examples
    --------
    >>> round(effective_share(np.eye(4), 1e9, np.ones((4, 1))), 3)
    1.0
    """
    projection = _project_off(X)
    projected = projection @ C @ projection
    trace = np.trace(projected)
    n_free = np.trace(projection)
    if df < 2 or trace <= 0 or n_free < 0.5:
        return 1.0
    square = np.square(projected).sum()
    unbiased_square = df**2 / ((df - 1) * (df + 2)) * (square - trace**2 / df)
    n_effective = trace**2 / max(unbiased_square, trace**2 / n_free)
    return float(np.clip(n_effective, 1, n_free) / n_free)


def draw_tau2(
    d: ArrayLike,
    V: ArrayLike,
    X: ArrayLike,
    rng: np.random.Generator,
    n_draws: int,
    *,
    weight: ArrayLike = 1.0,
) -> FloatArray:
    """Draw values of ``tau2`` from their posterior.

    Shapes: gives (n_draws,).
    """
    tau2, likelihood, prior = _Contrasts(d, V, X).posterior()
    probability = _normalize(prior * likelihood ** np.asarray(weight))
    return rng.choice(tau2, n_draws, p=probability)


def estimate_tau2_by_moments(d: ArrayLike, V: ArrayLike, X: ArrayLike) -> FloatArray:
    """Estimate ``tau2`` without bias, (...): it may be below 0."""
    contrasts = _Contrasts(d, V, X)
    squares = contrasts.is_free * (contrasts.w**2 - contrasts.roots)
    return squares.sum(axis=-1) / contrasts.n_free


def _project_off(X: FloatArray) -> FloatArray:
    """Projection on the complement of the columns of ``X``."""
    length = np.sqrt((X**2).sum(axis=-2, keepdims=True))
    units = np.divide(X, length, where=length > 0, out=np.zeros_like(X))
    return np.eye(X.shape[-2]) - units @ np.linalg.pinv(units, rcond=1e-10)


class _Contrasts:
    """Contrasts free of ``X`` with independent errors: ``w`` of variances ``roots + tau2``.

    Axes that are not free have ``w`` of 0, ``Q`` of 0 and ``is_free`` of 0, so that all matrices have equally many.
    """

    def __init__(self, d: ArrayLike, V: ArrayLike, X: ArrayLike) -> None:
        self.d = np.asarray(d, dtype=np.float64)
        self.V = np.asarray(V, dtype=np.float64)
        projection = _project_off(np.asarray(X, dtype=np.float64))
        bound = np.abs(self.V).max(axis=(-2, -1))[..., None]
        # axes that are not free get eigenvalues below all others
        shift = bound[..., None] * (np.eye(self.d.shape[-1]) - projection)
        roots, axes = robust_eigh(projection @ self.V @ projection - shift)
        self.is_free = roots > -bound / 2
        self.n_free = self.is_free.sum(axis=-1)
        if not self.n_free.all():
            raise TooFewJudgments(f"{self.d.shape[-1]} systems; expected more than metrics and a constant")
        self.roots = np.where(self.is_free, np.maximum(roots, bound * 1e-12), bound)
        self.Q = axes * self.is_free[..., None, :]
        self.w = (self.Q.mT @ self.d[..., None])[..., 0]
        self.VQ = self.V @ self.Q

    def mean(self, weights: FloatArray) -> FloatArray:
        """Means of systems, shrunk toward the line by the weights of the contrasts."""
        return self.d - (self.VQ @ (weights * self.w)[..., None])[..., 0]

    def covariance(self, weights: FloatArray) -> FloatArray:
        """Covariance of the errors of means that are shrunk by the weights of the contrasts."""
        return self.V - (self.VQ * weights[..., None, :]) @ self.VQ.mT

    def log_likelihood(self, tau2: FloatArray) -> FloatArray:
        """REML's log-likelihood of each value, (..., n_values)."""
        total = self.roots[..., None] + tau2[..., None, :]
        terms = np.log(total) + self.w[..., None] ** 2 / total
        return -0.5 * (terms * self.is_free[..., None]).sum(axis=-2)

    def nodes(self) -> FloatArray:
        """Values of ``tau`` from 0, dense near the errors and sparse far beyond the observed means."""
        share = (np.arange(N_NODES) + 0.5) / N_NODES
        median_root = np.nanmedian(np.where(self.is_free, self.roots, np.nan), axis=-1)
        mean_square = (self.w**2).sum(axis=-1) / self.n_free
        scale = np.maximum(np.sqrt(median_root), np.sqrt(mean_square) / 20)
        return scale[..., None] * share / (1 - share)

    def posterior(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Values of ``tau2``, their likelihood, the greatest 1, and the weight of each by Jeffreys' prior."""
        tau = self.nodes()
        log_likelihood = self.log_likelihood(tau**2)
        total = self.roots[..., None] + tau[..., None, :] ** 2
        information = (self.is_free[..., None] / total**2).sum(axis=-2)
        prior = np.gradient(tau, axis=-1) * tau * np.sqrt(information)
        return tau**2, np.exp(log_likelihood - log_likelihood.max(axis=-1, keepdims=True)), prior
