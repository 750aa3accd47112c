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

import numpy as np

from classy_aesop.significance.base import FloatArray, divide, robust_eigh

N_NODES = 100
"""Values of ``tau`` at which a posterior is evaluated."""

MIN_EXTRA_SYSTEMS = 3
"""Systems beyond the columns that a proper posterior needs."""


def hierarchical(d: FloatArray, V: FloatArray, X: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Estimate means by the posterior of the Fay-Herriot model, integrated over ``tau2``.

    ``tau2`` is not fixed at one value, so that an estimate of 0 does not make intervals too short when there are few
    judgments.
    Its prior is Jeffreys' (Tiao and Tan, 1965; Box and Tiao, 1973): the square root of the information on it.

    Gives the means, the covariance of their errors, and the posterior variance of each mean squared error over the
    values of ``tau2``.

    Shapes: ``d`` (..., n_systems), ``V`` (n_systems, n_systems), ``X`` (n_systems, n_columns).

    Examples
    --------
    >>> x = np.array([[1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5]])
    >>> hierarchical(np.array([1, 2, 3, 5, 5, 7]), np.eye(6), x)[0].round(2).tolist()
    [0.94, 2.05, 3.16, 4.63, 5.38, 6.85]
    """
    contrasts = _Contrasts(d, V, X)
    tau2, probability = contrasts.posterior()
    weights_by_tau2 = 1 / (contrasts.roots[:, None] + tau2[..., None, :])
    weights = (weights_by_tau2 @ probability[..., None])[..., 0]
    deviations = weights_by_tau2 - weights[..., None]
    mean_deviations = contrasts.VQ @ (deviations * contrasts.w[..., None])
    covariance_of_means = (mean_deviations * probability[..., None, :]) @ mean_deviations.mT
    mse_deviations = contrasts.VQ**2 @ deviations
    mse_variance = (mse_deviations**2 @ probability[..., None])[..., 0]
    return contrasts.mean(weights), contrasts.covariance(weights) + covariance_of_means, mse_variance


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


def plausible_tau2(
    d: FloatArray, V: FloatArray, X: FloatArray, rng: np.random.Generator, n_draws: int, *, weight: float
) -> tuple[FloatArray, float]:
    """Draw values of ``tau2`` from their posterior, with a weight of the likelihood; also estimate it by moments.

    That estimate is unbiased: it may be below 0.

    Shapes: ``d`` (n_systems,); gives (n_draws,) and a number.
    """
    contrasts = _Contrasts(d, V, X)
    tau2, probability = contrasts.posterior(weight)
    by_moments = float((contrasts.w**2 - contrasts.roots).mean())
    return rng.choice(tau2, n_draws, p=probability), by_moments


def _project_off(X: FloatArray) -> FloatArray:
    """Projection on the complement of the columns of ``X``."""
    units = divide(X, np.linalg.norm(X, axis=0), 0.0)
    return np.eye(len(X)) - units @ np.linalg.pinv(units, rcond=1e-10)


class _Contrasts:
    """Contrasts free of ``X`` with independent errors: ``w``, (..., n_contrasts), of variances ``roots + tau2``."""

    def __init__(self, d: FloatArray, V: FloatArray, X: FloatArray) -> None:
        self.d = d
        self.V = V
        projection = _project_off(X)
        bound = np.abs(V).max()
        # axes that are not free get eigenvalues below all others
        roots, axes = robust_eigh(projection @ V @ projection - bound * (np.eye(len(V)) - projection))
        is_free = roots > -bound / 2
        self.roots = np.maximum(roots[is_free], bound * 1e-12)
        Q = axes[:, is_free]
        self.w = d @ Q
        self.VQ = V @ Q

    def mean(self, weights: FloatArray) -> FloatArray:
        """Means of systems, shrunk toward the line by the weights of the contrasts."""
        return self.d - (weights * self.w) @ self.VQ.T

    def covariance(self, weights: FloatArray) -> FloatArray:
        """Covariance of the errors of means that are shrunk by the weights of the contrasts."""
        return self.V - (self.VQ * weights[..., None, :]) @ self.VQ.T

    def posterior(self, weight: float = 1.0) -> tuple[FloatArray, FloatArray]:
        """Values of ``tau2`` and their probabilities, by Jeffreys' prior and REML's likelihood to a power."""
        share = (np.arange(N_NODES) + 0.5) / N_NODES
        scale = np.maximum(np.sqrt(np.median(self.roots)), np.sqrt(np.square(self.w).mean(axis=-1)) / 20)
        tau = (
            scale[..., None] * share / (1 - share)
        )  # dense near the errors, sparse far beyond the observed means
        total = self.roots[:, None] + tau[..., None, :] ** 2
        log_likelihood = -0.5 * (np.log(total) + self.w[..., None] ** 2 / total).sum(axis=-2)
        relative_likelihood = np.exp(log_likelihood - log_likelihood.max(axis=-1, keepdims=True))
        information = (1 / total**2).sum(axis=-2)
        prior = np.gradient(tau, axis=-1) * tau * np.sqrt(information)
        density = prior * relative_likelihood**weight
        return tau**2, density / density.sum(axis=-1, keepdims=True)
