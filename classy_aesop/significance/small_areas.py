"""Means of systems that borrow strength from their scores: the Fay-Herriot model (1979) of small area estimation.

The direct means are ``d = theta + e`` with errors of a known covariance ``V``, and the true means follow the scores:
``theta = X b + u`` with ``u`` of variance ``tau2``. A system's estimate lies between its direct mean and what its
scores say, the nearer to the first the less they explain; a slope of the wrong sign is turned, one of nothing is 0.
Rao and Molina, Small Area Estimation (2015), chapters 5, 6 and 10.

All follows from contrasts that are free of ``b``, turned so that their errors are independent: ``w`` with variances
``roots + tau2``. The estimate is ``d - V Q (w / (roots + tau2))``, its error given ``tau2`` has the covariance
``V - V Q diag(1 / (roots + tau2)) Q' V`` (g1 and g2 of Prasad and Rao), and REML's likelihood is that of ``w``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, optimize

from classy_aesop.significance.base import FloatArray, Result

N_NODES = 100
"""Values of ``tau`` over which a posterior is summed."""


@dataclass(frozen=True, slots=True)
class SmallAreaMeans(Result):
    """Means of systems under the Fay-Herriot model.

    Attributes
    ----------
    mean : ndarray, shape (n_systems,)
        The estimates.
    covariance : ndarray, shape (n_systems, n_systems)
        Of their errors; its diagonal holds the mean squared errors.
    tau2 : float
        Variance of true means around what the scores say.
    """

    mean: FloatArray
    covariance: FloatArray
    tau2: float


def fay_herriot(d: ArrayLike, V: ArrayLike, X: ArrayLike, *, tau2: float | None = None) -> SmallAreaMeans:
    """Estimate means by the empirical best linear unbiased predictor, ``tau2`` by REML.

    Parameters
    ----------
    d : array_like, shape (n_systems,)
        Direct means.
    V : array_like, shape (n_systems, n_systems)
        Covariance of their errors.
    X : array_like, shape (n_systems, n_columns)
        What the true means follow, such as a column of ones and the means of a metric.
    tau2 : float, optional
        By default estimated by restricted maximum likelihood.

    Returns
    -------
    SmallAreaMeans
        With the mean squared error of Prasad and Rao (1990), g1 + g2 + 2 g3, where the variance of ``tau2`` is the
        inverse of REML's information (Datta and Lahiri, 2000).

    Raises
    ------
    ValueError
        There are no more systems than columns.

    Examples
    --------
    >>> found = fay_herriot([1, 2, 3, 5], np.eye(4), [[1, 0], [1, 1], [1, 2], [1, 3]], tau2=1.0)
    >>> found.mean.round(2).tolist()
    [0.9, 2.05, 3.2, 4.85]
    """
    turned = _Turned(d, V, X)
    t = turned.reml() if tau2 is None else tau2
    shrink = 1 / (turned.roots + t)
    g1_g2 = turned.covariance(shrink)
    return SmallAreaMeans(turned.mean(shrink), g1_g2 + 2 * _g3(turned.V, t), float(t))


def _g3(V: FloatArray, tau2: float) -> FloatArray:
    """What the error of REML's ``tau2`` adds."""
    inverse = linalg.inv(V + tau2 * np.eye(len(V)))
    squared = inverse @ inverse
    return np.asarray(V @ squared @ inverse @ V * 2 / np.trace(squared))


def hierarchical(d: ArrayLike, V: ArrayLike, X: ArrayLike, *, weight: float = 1.0) -> SmallAreaMeans:
    """Estimate means by the posterior of the Fay-Herriot model, over all values that ``tau2`` may have.

    No value of ``tau2`` is taken for sure, so that none of 0 makes intervals too short when there are few judgments.

    Parameters
    ----------
    d, V, X
        As for :func:`fay_herriot`.
    weight : float
        Share of the contrasts of ``d`` that count for the errors, see :func:`effective_share`.

    Returns
    -------
    SmallAreaMeans
        The means are those under a uniform prior of ``tau`` (Gelman, 2006). Their errors are taken around them under
        the more careful uniform prior of ``tau2``, whose intervals hold what they promise (Datta, Rao and Smith, 2005;
        Rao and Molina, section 10.3).

    Raises
    ------
    ValueError
        There are fewer than three systems more than columns, so that the posterior has no end.

    Examples
    --------
    >>> x = [[1, 0], [1, 1], [1, 2], [1, 3], [1, 4], [1, 5]]
    >>> hierarchical([1, 2, 3, 5, 5, 7], np.eye(6), x).mean.round(2).tolist()
    [0.93, 2.08, 3.23, 4.57, 5.52, 6.68]
    """
    turned = _Turned(d, V, X)
    if len(turned.w) < 3:
        raise ValueError(
            f"{len(np.asarray(d))} systems; expected three more than the metrics and a constant, or another method"
        )
    tau, likelihood = turned.posterior()
    shrinks = 1 / (turned.roots[:, None] + tau**2)
    uniform, careful = _priors(tau)
    uniform, careful = uniform * likelihood, careful * likelihood**weight
    uniform, careful = uniform / uniform.sum(), careful / careful.sum()
    shrink = shrinks @ uniform
    moved = (shrinks - shrink[:, None]) * turned.w[:, None]
    between = turned.VQ @ (moved * careful) @ moved.T @ turned.VQ.T
    covariance = turned.covariance(shrinks @ careful) + between
    return SmallAreaMeans(turned.mean(shrink), covariance, float(tau**2 @ uniform))


def effective_share(C: ArrayLike, df: float, X: ArrayLike) -> float:
    """Share of the contrasts free of ``X`` whose errors are as good as independent.

    Systems of one kind err on the same topics, so that all contrasts say less of ``tau2`` than as many independent
    ones: as much as ``tr(C)^2 / tr(C^2)`` of them (Satterthwaite).

    Parameters
    ----------
    C : array_like, shape (n_systems, n_systems)
        Covariance of the errors, estimated; the square of its trace and the trace of its square are freed of what the
        estimate adds (Srivastava, 2005).
    df : float
        Degrees of freedom of the estimate; with fewer than two the share is 1.
    X : array_like, shape (n_systems, n_columns)
        As for :func:`fay_herriot`.
    """
    free = linalg.null_space(np.asarray(X, dtype=np.float64).T)
    own = free.T @ np.asarray(C) @ free
    trace, square = float(np.trace(own)), float((own**2).sum())
    if df < 2 or trace <= 0:
        return 1.0
    square = df**2 / ((df - 1) * (df + 2)) * (square - trace**2 / df)
    return float(np.clip(trace**2 / max(square, trace**2 / len(own)), 1, len(own)) / len(own))


def tau2_draws(
    d: ArrayLike,
    V: ArrayLike,
    X: ArrayLike,
    rng: np.random.Generator,
    n_draws: int,
    *,
    weight: float = 1.0,
) -> FloatArray:
    """Draw values of ``tau2`` from the posterior that :func:`hierarchical` takes the errors of, (n_draws,)."""
    tau, likelihood = _Turned(d, V, X).posterior()
    weights = likelihood**weight * _priors(tau)[1]
    return np.asarray(rng.choice(tau, n_draws, p=weights / weights.sum()) ** 2)


def _priors(tau: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Weights of nodes for uniform priors of ``tau`` and of ``tau2``."""
    step = np.gradient(tau)
    return step, step * tau


class _Turned:
    """Contrasts free of ``X`` with independent errors: ``w`` of variances ``roots + tau2``."""

    def __init__(self, d: ArrayLike, V: ArrayLike, X: ArrayLike) -> None:
        self.d, self.V = np.asarray(d, dtype=np.float64), np.asarray(V, dtype=np.float64)
        free = linalg.null_space(np.asarray(X, dtype=np.float64).T)
        if not free.shape[1]:
            raise ValueError(f"{len(self.d)} systems; expected more than metrics and a constant")
        roots, turn = linalg.eigh(free.T @ self.V @ free)
        self.roots = np.maximum(roots, np.abs(self.V).max() * 1e-12)
        self.Q = free @ turn
        self.w, self.VQ = self.Q.T @ self.d, self.V @ self.Q

    def mean(self, shrink: FloatArray) -> FloatArray:
        return np.asarray(self.d - self.VQ @ (shrink * self.w))

    def covariance(self, shrink: FloatArray) -> FloatArray:
        return self.V - self.spread(shrink)

    def spread(self, weights: FloatArray) -> FloatArray:
        return np.asarray((self.VQ * weights) @ self.VQ.T)

    def log_likelihood(self, tau2: FloatArray) -> FloatArray:
        """REML's, for each value."""
        total = self.roots[:, None] + tau2
        return np.asarray(-0.5 * (np.log(total) + self.w[:, None] ** 2 / total).sum(axis=0))

    def nodes(self) -> FloatArray:
        """Values of ``tau`` from 0, dense where the errors are and few far beyond all that was seen."""
        share = (np.arange(N_NODES) + 0.5) / N_NODES
        scale = max(np.sqrt(np.median(self.roots)), np.sqrt(np.mean(self.w**2)) / 20)
        return np.asarray(scale * share / (1 - share))

    def posterior(self) -> tuple[FloatArray, FloatArray]:
        """Nodes and the likelihood there, the greatest 1."""
        tau = self.nodes()
        found = self.log_likelihood(tau**2)
        return tau, np.exp(found - found.max())

    def reml(self) -> float:
        """The value of ``tau2`` that is most likely; 0 if none is more likely than 0."""
        tau2 = np.concatenate([[0.0], self.nodes() ** 2])
        best = int(self.log_likelihood(tau2).argmax())
        low, high = tau2[max(best - 1, 0)], tau2[min(best + 1, len(tau2) - 1)]
        less: Callable[[float], float] = lambda t: -float(self.log_likelihood(np.array([t]))[0])  # noqa: E731
        found = float(optimize.minimize_scalar(less, bounds=(low, high), method="bounded").x)
        return found if less(found) < less(0.0) else 0.0
