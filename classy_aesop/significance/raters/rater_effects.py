"""How much higher or lower each rater scores, apart from the systems and topics that each has met.

A rating is ``system + topic + rater + error``. Topics are subtracted as means, then systems by their normal equations,
so that only matrices of systems and of raters are inverted (Frisch, Waugh and Lovell).

Raters of `MIN_RATINGS_OF_FIXED` ratings on average or more are fixed effects. With many raters of few ratings each,
effects are random: their variance is estimated from the sum of squares that they explain (Henderson's third method;
Searle, Casella and McCulloch 1992, section 5.5), and they are shrunk by it (Robinson 1991, equation 1.2). In both cases
the errors of system means whose ratings are less these effects are, beside their own, those of the effects in the
shares in which each system met the raters (Henderson's partition of the mixed model's equations).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.base import FloatArray, Result, robust_eigh
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import NO_DEGREES_OF_FREEDOM
from classy_aesop.significance.raters.ratings import Ratings

MIN_RATINGS_OF_FIXED = 10
"""Mean number of ratings a rater from which raters are fixed effects."""

RANK_TOLERANCE = 1e-9
"""Eigenvalues below this share of the number of ratings are 0."""

ONE_RATER = "one rater"
ONE_RATER_A_TOPIC = "each topic has one rater, whose leniency is part of the topic"
NOT_ESTIMABLE = "raters cannot be separated from systems and topics"
NO_RESIDUAL = "systems, topics and raters explain all ratings"


@dataclass(frozen=True, slots=True)
class RaterEffects(Result):
    """Effects of raters.

    Attributes
    ----------
    effect : ndarray, shape (n_raters,)
        Mean rating less that of the mean of all raters, of the same systems and topics; NaN with a flag.
    covariance : ndarray, shape (n_raters, n_raters)
        Of their errors; NaN where nothing is known of it.
    df : int
        Degrees of freedom of the error variance.
    system_shares : ndarray, shape (n_systems, n_raters)
        How much the mean of each system moves with each rater's effect, beside those of the other systems on the same
        topics: 0 where raters do not vary within topics.
    is_random : bool
        Whether effects are shrunk.
    flag : str
        Why there are no effects, or no errors of them; else empty.
    """

    effect: FloatArray
    covariance: FloatArray
    df: int
    system_shares: FloatArray
    is_random: bool
    flag: str

    @property
    def system_errors(self) -> FloatArray:
        """Covariance that the errors of the effects leave in means of systems, (n_systems, n_systems)."""
        return self.system_shares @ self.covariance @ self.system_shares.T

    def interval(self, confidence: float = 0.95) -> tuple[FloatArray, FloatArray]:
        """Give the t interval of each effect, low and high; NaN with a flag."""
        from scipy.special import stdtrit

        half = stdtrit(max(self.df, 1), (1 + confidence) / 2) * np.sqrt(np.diag(self.covariance))
        return self.effect - half, self.effect + half


def rater_effects(ratings: Ratings) -> RaterEffects:
    """Estimate what each rater adds to a rating, in the additive model of systems, topics and raters.

    Parameters
    ----------
    ratings : Ratings
        One rating a row, without NaN.

    Returns
    -------
    RaterEffects
        NaN, with a flag, where raters do not differ within topics, or each met systems of its own.

    Examples
    --------
    Rater 1 scores a point higher, and met the first system on two topics of three:

    >>> scores, systems, topics, raters = [4, 2, 5, 3, 3, 3], [0, 1] * 3, [0, 0, 1, 1, 2, 2], [1, 0, 1, 0, 0, 1]
    >>> rater_effects(Ratings.of(scores, systems, topics, raters)).effect.round(3).tolist()
    [-0.5, 0.5]
    """
    from scipy import sparse

    n = len(ratings.scores)
    n_raters = int(ratings.raters.max(initial=-1)) + 1
    if n_raters < 2:
        return _unknown(np.zeros((int(ratings.systems.max(initial=-1)) + 1, n_raters)), ONE_RATER)
    columns = [ratings.systems, ratings.raters + ratings.systems.max() + 1]
    shape = n, int(columns[1].max()) + 1
    places = np.concatenate(columns)
    design = sparse.csr_array((np.ones(2 * n), (np.tile(np.arange(n), 2), places)), shape=shape)
    by_topic = sparse.csr_array((np.ones(n), (ratings.topics, np.arange(n))))
    n_of_topic = np.bincount(ratings.topics)
    topic_sums = sparse.csr_array(by_topic @ design)
    topic_means = sparse.csr_array(sparse.diags_array(1 / n_of_topic) @ topic_sums)
    normal = (design.T @ design - topic_sums.T @ topic_means).toarray()
    centred = ratings.scores - (by_topic @ ratings.scores / n_of_topic)[ratings.topics]
    moments = design.T @ centred
    n_systems = len(normal) - n_raters
    of_systems, of_both = normal[:n_systems, :n_systems], normal[:n_systems, n_systems:]
    inverse, rank_of_systems = _inverse(of_systems)
    system_shares = inverse @ of_both
    information = normal[n_systems:, n_systems:] - of_both.T @ inverse @ of_both
    explained = moments[n_systems:] - of_both.T @ inverse @ moments[:n_systems]
    inverse_of_raters, rank = _inverse(information)
    if np.abs(normal[n_systems:, n_systems:]).max() <= RANK_TOLERANCE * n:
        return _unknown(system_shares, ONE_RATER_A_TOPIC)
    if rank < n_raters - 1:
        return _unknown(system_shares, NOT_ESTIMABLE)
    effect = inverse_of_raters @ explained
    residual_square = float(
        centred @ centred - moments[:n_systems] @ inverse @ moments[:n_systems] - explained @ effect
    )
    df = n - len(n_of_topic) - rank_of_systems - rank
    rounding = n * (ROUNDING * np.abs(ratings.scores).max()) ** 2 + ROUNDING * (centred @ centred)
    if df < 1 or residual_square <= rounding:
        unknown = np.full((n_raters, n_raters), np.nan)
        flag = NO_DEGREES_OF_FREEDOM if df < 1 else NO_RESIDUAL
        return RaterEffects(effect - effect.mean(), unknown, df, system_shares, False, flag)
    variance = residual_square / df
    is_random = n < MIN_RATINGS_OF_FIXED * n_raters
    covariance = variance * inverse_of_raters
    if is_random:
        of_raters = max(float(explained @ effect) - rank * variance, 0.0) / np.trace(information)
        shrunk = np.linalg.inv(np.eye(n_raters) + of_raters / variance * information) * of_raters
        effect = shrunk @ explained / variance
        covariance = (shrunk + shrunk.T) / 2
    centring = np.eye(n_raters) - 1 / n_raters
    covariance = centring @ covariance @ centring
    return RaterEffects(effect - effect.mean(), covariance, df, system_shares, is_random, "")


def _unknown(system_shares: FloatArray, flag: str) -> RaterEffects:
    """Give no effects, and why."""
    n_raters = system_shares.shape[1]
    unknown = np.full((n_raters, n_raters), np.nan)
    return RaterEffects(np.full(n_raters, np.nan), unknown, 0, system_shares, False, flag)


def _inverse(matrix: FloatArray) -> tuple[FloatArray, int]:
    """Give the Moore-Penrose inverse of a normal matrix of counts, and its rank."""
    values, vectors = robust_eigh(matrix)
    kept = values > RANK_TOLERANCE * max(float(values.max(initial=0.0)), 1.0)
    return (vectors[:, kept] / values[kept]) @ vectors[:, kept].T, int(kept.sum())
