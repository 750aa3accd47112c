"""How much higher or lower each rater scores, on the same systems and topics: the additive model.

A rating is ``system + topic + rater + error``, with the equations of
:mod:`classy_aesop.significance.additive.linear_means`.

Raters are fixed effects, but random ones where the additive model
(:mod:`classy_aesop.significance.additive.additive_model`) has them so: many raters of few ratings each. Then their
variance and that of errors are those of this model, by REML, and they are shrunk by it (Robinson 1991, equation 1.2).
In both cases the errors of system means from which these effects are subtracted have, beside their own variance, that
of the effects, weighted by the shares of each system's ratings that raters gave (Henderson's partition of the mixed
model's equations).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.significance.additive.additive_model import estimate_variance_ratio, is_crowd
from classy_aesop.significance.additive.linear_means import RANK_TOLERANCE, RatingRows, normal_equations
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import NO_DEGREES_OF_FREEDOM
from classy_aesop.significance.raters.ratings import Ratings

ONE_RATER = "one rater"
ONE_RATER_A_TOPIC = "each topic has one rater, whose leniency is part of the topic"
NOT_ESTIMABLE = "raters cannot be separated from systems and topics"
NO_RESIDUAL = "systems, topics and raters explain all ratings"


@dataclass(frozen=True, slots=True)
class RaterEffects:
    """Effects of raters.

    Attributes
    ----------
    effect : ndarray, shape (n_raters,)
        Mean rating less that of the mean of all raters, of the same systems and topics; NaN with a flag.
    covariance : ndarray, shape (n_raters, n_raters)
        Covariance of their errors; NaN where it is not estimable.
    df : int
        Degrees of freedom of the error variance.
    system_shares : ndarray, shape (n_systems, n_raters)
        How much the mean of each system changes with each rater's effect, relative to those of the other systems on
        the same topics: 0 where raters do not vary within topics.
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
        """Covariance that the errors of the effects add to means of systems, (n_systems, n_systems)."""
        return self.system_shares @ self.covariance @ self.system_shares.T


def rater_effects(ratings: Ratings) -> RaterEffects:
    """Estimate how much each rater adds to a rating, in the additive model of systems, topics and raters.

    Examples
    --------
    Rater 1 scores a point higher, and rated the first system on two topics of three:

    >>> scores, systems, topics, raters = [4, 2, 5, 3, 3, 3], [0, 1] * 3, [0, 0, 1, 1, 2, 2], [1, 0, 1, 0, 0, 1]
    >>> rater_effects(Ratings.from_arrays(scores, systems, topics, raters)).effect.round(3).tolist()
    [-0.5, 0.5]
    """
    n = len(ratings.scores)
    n_systems = int(ratings.systems.max(initial=-1)) + 1
    n_topics = int(ratings.topics.max(initial=-1)) + 1
    n_raters = int(ratings.raters.max(initial=-1)) + 1
    if n_raters < 2:
        return _undetermined_effects(np.zeros((n_systems, n_raters)), ONE_RATER)
    rows = RatingRows(
        ratings.scores, ratings.systems, ratings.topics, ratings.raters, n_systems, n_topics, n_raters
    )
    equations = normal_equations(rows)
    system_shares = equations.system_shares
    if np.abs(equations.normal[n_systems:, n_systems:]).max() <= RANK_TOLERANCE * n:
        return _undetermined_effects(system_shares, ONE_RATER_A_TOPIC)
    if not equations.raters_are_estimable:
        return _undetermined_effects(system_shares, NOT_ESTIMABLE)
    inverse = equations.rater_inverse()
    effect = inverse @ equations.rater_moments
    explained = float(equations.rater_moments @ effect)
    residual_square = equations.square_sum - explained
    df = equations.df - equations.rater_rank
    total_square = float(np.square(rows.subtract_topic_means(rows.y)).sum())
    rounding = n * (ROUNDING * np.abs(ratings.scores).max()) ** 2 + ROUNDING * total_square
    if df < 1 or residual_square <= rounding:
        no_covariance = np.full((n_raters, n_raters), np.nan)
        flag = NO_DEGREES_OF_FREEDOM if df < 1 else NO_RESIDUAL
        return RaterEffects(effect - effect.mean(), no_covariance, df, system_shares, False, flag)
    variance = residual_square / df
    is_random = is_crowd(ratings.raters)
    if is_random:
        ratio, _ = estimate_variance_ratio(equations)
        inverse = equations.rater_inverse(1 / ratio)
        effect = inverse @ equations.rater_moments
        df = equations.df
        variance = (equations.square_sum - float(equations.rater_moments @ effect)) / df
    covariance = variance * inverse
    centring = np.eye(n_raters) - 1 / n_raters
    covariance = centring @ covariance @ centring
    return RaterEffects(effect - effect.mean(), covariance, df, system_shares, is_random, "")


def _undetermined_effects(system_shares: FloatArray, flag: str) -> RaterEffects:
    """Make a result without effects; ``flag`` says why there are none."""
    n_raters = system_shares.shape[1]
    no_covariance = np.full((n_raters, n_raters), np.nan)
    return RaterEffects(np.full(n_raters, np.nan), no_covariance, 0, system_shares, False, flag)
