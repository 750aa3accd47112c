"""Means of systems that borrow strength from their scores: the Fay-Herriot model (1979) of small area estimation.

The direct means are ``d = theta + e`` with errors of a known covariance ``V``, and the true means follow the scores:
``theta = X b + u`` with ``u`` of variance ``tau2``. A system's estimate lies between its direct mean and the line that
its scores predict, the nearer to the first the less the scores explain; a slope of the wrong sign is estimated as
negative, and one of scores without information as 0.
Rao and Molina, Small Area Estimation (2015), chapters 5, 6 and 10.

All follows from contrasts that are free of ``b``, rotated so that their errors are independent: ``w`` with variances
``roots + tau2``. The estimate is ``d - V Q (w / (roots + tau2))``, its error given ``tau2`` has the covariance
``V - V Q diag(1 / (roots + tau2)) Q' V`` (g1 and g2 of Prasad and Rao), and REML's likelihood is that of ``w``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, Result, robust_eigh
from classy_aesop.significance.few_judgments.two_way_fit import TooFewJudgments

N_NODES = 100
"""Values of ``tau`` over which a posterior is summed."""

N_HALVINGS = 60
"""Times that the bracket of the most likely value is halved."""

MIN_EXTRA_SYSTEMS = 3
"""Systems more than columns that a posterior needs to have an end."""


@dataclass(frozen=True, slots=True)
class SmallAreaMeans(Result):
    """Means of systems under the Fay-Herriot model.

    Attributes
    ----------
    mean : ndarray, shape (..., n_systems)
        The estimates.
    covariance : ndarray, shape (..., n_systems, n_systems)
        Of their errors; its diagonal holds the mean squared errors.
    tau2 : float
        Variance of true means around what the scores say.
    spread : ndarray, shape (..., n_systems)
        Variance of each mean squared error over the values that ``tau2`` may have.
    """

    mean: FloatArray
    covariance: FloatArray
    tau2: FloatArray
    spread: FloatArray


def fay_herriot(d: ArrayLike, V: ArrayLike, X: ArrayLike, *, tau2: float | None = None) -> SmallAreaMeans:
    """Estimate means by the empirical best linear unbiased predictor, ``tau2`` by REML.

    The mean squared error is that of Prasad and Rao (1990), g1 + g2 + 2 g3, where the variance of ``tau2`` is the
    inverse of REML's information (Datta and Lahiri, 2000).

    Parameters
    ----------
    d : array_like, shape (..., n_systems)
        Direct means; with leading axes each row is estimated by itself.
    V : array_like, shape (..., n_systems, n_systems)
        Covariance of their errors.
    X : array_like, shape (..., n_systems, n_columns)
        What the true means follow, such as a column of ones and the means of a metric.
    tau2 : float, optional
        By default estimated by restricted maximum likelihood.

    Raises
    ------
    TooFewJudgments
        There are no more systems than columns.

    Examples
    --------
    >>> found = fay_herriot([1, 2, 3, 5], np.eye(4), [[1, 0], [1, 1], [1, 2], [1, 3]], tau2=1.0)
    >>> found.mean.round(2).tolist()
    [0.9, 2.05, 3.2, 4.85]
    """
    turned = _Turned(d, V, X)
    t = turned.reml() if tau2 is None else np.full(turned.d.shape[:-1], float(tau2))
    shrink = 1 / (turned.roots + t[..., None])
    inverse = np.linalg.inv(turned.V + t[..., None, None] * np.eye(turned.d.shape[-1]))
    squared = inverse @ inverse
    information = np.trace(squared, axis1=-2, axis2=-1)[..., None, None] / 2
    g3 = turned.V @ squared @ inverse @ turned.V / information
    covariance = turned.covariance(shrink) + 2 * g3
    return SmallAreaMeans(turned.mean(shrink), covariance, t, np.zeros_like(turned.d))


def hierarchical(d: ArrayLike, V: ArrayLike, X: ArrayLike) -> SmallAreaMeans:
    """Estimate means by the posterior of the Fay-Herriot model, over all values that ``tau2`` may have.

    No value of ``tau2`` is taken for sure, so that none of 0 makes intervals too short when there are few judgments.
    Its prior is Jeffreys' (Tiao and Tan, 1965; Box and Tiao, 1973): the square root of the information on it.

    Parameters
    ----------
    d, V, X
        As for :func:`fay_herriot`.

    Raises
    ------
    TooFewJudgments
        There are fewer than three systems more than columns, so that the posterior has no end.

    Examples
    --------
    >>> x = [[1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5]]
    >>> hierarchical([1, 2, 3, 5, 5, 7], np.eye(6), x).mean.round(2).tolist()
    [0.94, 2.05, 3.16, 4.63, 5.38, 6.85]
    """
    turned = _Turned(d, V, X)
    if (turned.n_free < MIN_EXTRA_SYSTEMS).any():
        raise TooFewJudgments(
            f"{turned.d.shape[-1]} systems; expected three more than the metrics and a constant, or another method"
        )
    tau2, likelihood, prior = turned.posterior()
    shrinks = 1 / (turned.roots[..., None] + tau2[..., None, :])
    likely = _shares(prior * likelihood)
    shrink = (shrinks @ likely[..., None])[..., 0]
    moved = shrinks - shrink[..., None]
    aside = turned.VQ @ (moved * turned.w[..., None])
    between = (aside * likely[..., None, :]) @ aside.mT
    spread = ((turned.VQ**2 @ moved) ** 2 @ likely[..., None])[..., 0]
    covariance = turned.covariance(shrink) + between
    return SmallAreaMeans(turned.mean(shrink), covariance, (tau2 * likely).sum(axis=-1), spread)


def _shares(weights: FloatArray) -> FloatArray:
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))


def effective_share(C: ArrayLike, df: ArrayLike, X: ArrayLike) -> FloatArray:
    """Share of the contrasts free of ``X`` whose errors are as good as independent.

    Systems of one kind err on the same topics, so that all contrasts say less of ``tau2`` than as many independent
    ones: as much as ``tr(C)^2 / tr(C^2)`` of them (Satterthwaite).

    Parameters
    ----------
    C : array_like, shape (..., n_systems, n_systems)
        Covariance of the errors, estimated; the square of its trace and the trace of its square are freed of what the
        estimate adds (Srivastava, 2005).
    df : float or array_like, shape (...)
        Degrees of freedom of the estimate; with fewer than two the share is 1.
    X : array_like, shape (n_systems, n_columns)
        As for :func:`fay_herriot`.
    """
    free = _free_of(np.asarray(X, dtype=np.float64))
    own = free @ np.asarray(C) @ free
    trace, square = np.trace(own, axis1=-2, axis2=-1), (own**2).sum(axis=(-2, -1))
    n_free = np.trace(free, axis1=-2, axis2=-1)
    few = (np.asarray(df) < 2) | (trace <= 0) | (n_free < 0.5)
    n_free = np.maximum(n_free, 1)
    known, trace = np.where(few, 2, df), np.where(few, 1.0, trace)
    square = known**2 / ((known - 1) * (known + 2)) * (square - trace**2 / known)
    effective = np.clip(trace**2 / np.maximum(square, trace**2 / n_free), 1, n_free)
    return np.where(few, 1.0, effective / n_free)


def draw_tau2(
    d: ArrayLike,
    V: ArrayLike,
    X: ArrayLike,
    rng: np.random.Generator,
    n_draws: int,
    *,
    weight: ArrayLike = 1.0,
) -> FloatArray:
    """Draw values of ``tau2`` from their posterior, for which contrasts count by their weight, (n_draws,)."""
    tau2, likelihood, prior = _Turned(d, V, X).posterior()
    return np.asarray(rng.choice(tau2, n_draws, p=_shares(prior * likelihood ** np.asarray(weight))))


def estimate_tau2_by_moments(d: ArrayLike, V: ArrayLike, X: ArrayLike) -> FloatArray:
    """Estimate ``tau2`` without bias, (...): it may be below 0."""
    turned = _Turned(d, V, X)
    return np.asarray((turned.free * (turned.w**2 - turned.roots)).sum(axis=-1) / turned.n_free)


def _free_of(X: FloatArray) -> FloatArray:
    """Give the projection on what is free of ``X``."""
    length = np.sqrt((X**2).sum(axis=-2, keepdims=True))
    units = np.divide(X, length, where=length > 0, out=np.zeros_like(X))
    return np.asarray(np.eye(X.shape[-2]) - units @ np.linalg.pinv(units, rcond=1e-10))


class _Turned:
    """Contrasts free of ``X`` with independent errors: ``w`` of variances ``roots + tau2``.

    Axes that are not free come with ``w`` of 0, ``Q`` of 0 and ``free`` of 0, so that all draws have as many.
    """

    def __init__(self, d: ArrayLike, V: ArrayLike, X: ArrayLike) -> None:
        self.d, self.V = np.asarray(d, dtype=np.float64), np.asarray(V, dtype=np.float64)
        apart = _free_of(np.asarray(X, dtype=np.float64))
        bound = np.abs(self.V).max(axis=(-2, -1))[..., None]
        kept = bound[..., None] * (np.eye(self.d.shape[-1]) - apart)
        roots, turn = robust_eigh(apart @ self.V @ apart - kept)
        self.free = roots > -bound / 2
        self.n_free = self.free.sum(axis=-1)
        if not self.n_free.all():
            raise TooFewJudgments(f"{self.d.shape[-1]} systems; expected more than metrics and a constant")
        self.roots = np.where(self.free, np.maximum(roots, bound * 1e-12), bound)
        self.Q = turn * self.free[..., None, :]
        self.w, self.VQ = (self.Q.mT @ self.d[..., None])[..., 0], self.V @ self.Q

    def mean(self, shrink: FloatArray) -> FloatArray:
        """Give the estimates."""
        return np.asarray(self.d - (self.VQ @ (shrink * self.w)[..., None])[..., 0])

    def covariance(self, shrink: FloatArray) -> FloatArray:
        """Give the covariance of the errors of estimates."""
        return np.asarray(self.V - (self.VQ * shrink[..., None, :]) @ self.VQ.mT)

    def log_likelihood(self, tau2: FloatArray) -> FloatArray:
        """REML's, for each value, (..., n_values)."""
        total = self.roots[..., None] + tau2[..., None, :]
        each = np.log(total) + self.w[..., None] ** 2 / total
        return np.asarray(-0.5 * (each * self.free[..., None]).sum(axis=-2))

    def nodes(self) -> FloatArray:
        """Values of ``tau`` from 0, dense where the errors are and few far beyond all that was seen."""
        share = (np.arange(N_NODES) + 0.5) / N_NODES
        middle = np.nanmedian(np.where(self.free, self.roots, np.nan), axis=-1)
        square = (self.w**2).sum(axis=-1) / self.n_free
        scale = np.maximum(np.sqrt(middle), np.sqrt(square) / 20)
        return np.asarray(scale[..., None] * share / (1 - share))

    def posterior(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Values of ``tau2``, their likelihood, the greatest 1, and the weight of each by Jeffreys' prior."""
        tau = self.nodes()
        found = self.log_likelihood(tau**2)
        total = self.roots[..., None] + tau[..., None, :] ** 2
        information = (self.free[..., None] / total**2).sum(axis=-2)
        prior = np.gradient(tau, axis=-1) * tau * np.sqrt(information)
        return tau**2, np.exp(found - found.max(axis=-1, keepdims=True)), prior

    def reml(self) -> FloatArray:
        """The value of ``tau2`` that is most likely; 0 if none is more likely than 0.

        It is bracketed by the nodes, and found by halving where the likelihood rises and falls.
        """
        nodes = self.nodes() ** 2
        tau2 = np.concatenate([np.zeros_like(nodes[..., :1]), nodes], axis=-1)
        best = self.log_likelihood(tau2).argmax(axis=-1)[..., None]
        low, high = (
            np.take_along_axis(tau2, np.clip(best + step, 0, N_NODES), -1)[..., 0] for step in (-1, 1)
        )
        falls = (low == 0) & ~self._rises(low)
        for _ in range(N_HALVINGS):
            middle = (low + high) / 2
            rises = self._rises(middle)
            low, high = np.where(rises, middle, low), np.where(rises, high, middle)
        return np.where(falls & (best[..., 0] == 0), 0.0, (low + high) / 2)

    def _rises(self, tau2: FloatArray) -> BoolArray:
        """Whether greater values are more likely."""
        total = self.roots + tau2[..., None]
        return np.asarray((self.free * (self.w**2 / total - 1) / total).sum(axis=-1) > 0)
