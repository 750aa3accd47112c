"""Means of systems that were not all rated on the same topics, nor by the same raters: the additive model.

The model is ``y = system + topic + rater + error``. Its rows are single ratings where raters are in the model, else
cells: the mean score of one system on one topic. Its equations are those of
:mod:`classy_aesop.significance.additive.linear_means`.

A system's *least-squares mean* is its fitted mean over all topics at hand, with the raters that each topic had. On a
complete table whose raters do not vary within topics it is the plain mean.

A difference is *estimable* if its contrast is in the row space of the design. Systems fall into groups within which all
differences are estimable. Shared raters alone connect nothing, because topics are fixed effects; and systems that
share topics are not connected where each has raters of its own.

Raters are *fixed* effects. Many raters of few ratings each (a crowd) are *random*: their variance is estimated by
REML, and their effects are shrunk, since a fixed effect for each would leave few degrees of freedom. Random raters,
too, must link the systems: where each of them rated one system only, nothing is compared.

Searle (1987), chapter 5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.linear_means import (
    RatingEquations,
    RatingRows,
    group_connected,
    normal_equations,
    number_groups,
)
from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.equality import ROUNDING

RaterEffectsKind = Literal["none", "fixed", "random"]

MIN_RATINGS_OF_FIXED_RATER = 10
"""Raters who gave fewer ratings than this on average are random, if they are many."""

MIN_RANDOM_RATERS = 20
"""Of fewer raters the variance is poorly estimated, so that they are fixed however few their ratings are."""


@dataclass(frozen=True, slots=True)
class AdditiveModel:
    """The fitted model; scores are in their own units.

    Attributes
    ----------
    mean : ndarray, shape (n_systems,)
        Least-squares means; comparable within a group only. NaN without a row.
    group : ndarray of int, shape (n_systems,)
        Systems of one number have estimable differences; -1 without a row.
    raters : {"none", "fixed", "random"}
        How raters are in the model; they are if within a topic systems differ in their raters.
    rater_effect : ndarray, shape (n_raters,)
        Effects of raters with mean 0, shrunk if they are random; NaN where they are not all estimable.
    rater_deviation : float
        Standard deviation of random raters; NaN of others.
    error_deviation : float
        Standard deviation of the error of one row, pooled; NaN without degrees of freedom.
    df : int
        Of the pooled error variance: rows less the rank of the design.
    scale : float
        The largest score, positive or negative: differences below `ROUNDING` of it are due to rounding.
    rows : RatingRows
        The rows of the design.
    equations : RatingEquations
        Their equations. Where its groups without raters connect more systems, raters are the reason that they cannot be
        compared.
    inverse : ndarray, shape (n_columns, n_columns)
        Inverse of the normal matrix after topics are eliminated, with the penalty of random raters.
    system_effect : ndarray, shape (n_systems,)
    residual : ndarray, shape (n_rows,)
    penalty : float
        The error variance over that of random raters; 0 without.
    rater_df : float
        Degrees of freedom of the variance of random raters.
    """

    mean: FloatArray
    group: IntArray
    raters: RaterEffectsKind
    rater_effect: FloatArray
    rater_deviation: float
    error_deviation: float
    df: int
    scale: float
    rows: RatingRows
    equations: RatingEquations
    inverse: FloatArray
    system_effect: FloatArray
    residual: FloatArray
    penalty: float
    rater_df: float

    @property
    def has_residuals(self) -> bool:
        """Whether something is left of the scores that the model does not explain, but rounding."""
        square_sum = np.square(self.rows.subtract_topic_means(self.rows.y)).sum()
        return bool(self.df > 0 and np.square(self.residual).sum() > ROUNDING * square_sum)

    @property
    def errors_by_raters(self) -> FloatArray:
        """Covariance of the errors in means of systems from which raters' effects are subtracted, by these effects.

        Shapes: gives (n_systems, n_systems).
        """
        shares = self.equations.system_shares
        shares = shares - shares.mean(axis=1, keepdims=True)
        of_effects = self.inverse[self.rows.n_systems :, self.rows.n_systems :]
        return self.error_deviation**2 * (shares @ of_effects @ shares.T)

    @property
    def raters_vary(self) -> bool:
        """Whether systems of one topic differ in their raters, so that rater effects are in the model."""
        return self.raters != "none"


def fit_additive_model(
    y: ArrayLike,
    system: ArrayLike,
    topic: ArrayLike,
    *,
    n_systems: int,
    rater: ArrayLike | None = None,
    n_raters: int = 0,
    cluster: ArrayLike | None = None,
    covariate: ArrayLike | None = None,
) -> AdditiveModel:
    """Fit system + topic (+ rater) by least squares; where topics lie in clusters, errors are clustered by these.

    With a covariate means and differences are those at equal values of it, and all raters are fixed. Systems whose
    differences it explains as well as they do are not comparable. Systems and raters are numbers from 0, and a topic
    lies in one cluster.

    Shapes: ``y``, ``system``, ``topic``, ``rater``, ``cluster`` and ``covariate`` (n_rows,).

    Examples
    --------
    >>> model = fit_additive_model([3, 1, 4, 2, 6], [0, 1, 0, 1, 0], [0, 0, 1, 1, 2], n_systems=2)
    >>> model.mean.round(3).tolist()  # the second lacks the easy topic; its plain mean is 1.5, that of the first 4.333
    [4.333, 2.333]
    """
    names, first_rows, topic_number = np.unique(topic, return_index=True, return_inverse=True)
    rows = RatingRows(
        np.asarray(y, dtype=np.float64),
        np.asarray(system),
        topic_number,
        None if rater is None else np.asarray(rater),
        n_systems,
        len(names),
        n_raters,
        np.unique(names if cluster is None else np.asarray(cluster)[first_rows], return_inverse=True)[1],
        None if covariate is None else np.asarray(covariate, dtype=np.float64),
    )
    raters = _kind_of_raters(rows)
    if raters == "none":
        rows = rows.drop_raters()
    equations = normal_equations(rows)
    penalty = rater_df = 0.0
    df = equations.df
    if raters == "random":
        penalty, rater_df = estimate_penalty(equations)
        group = number_groups(np.column_stack([equations.group, _link_by_raters(rows)]), equations.group >= 0)
    else:
        df -= equations.rater_rank
        group = equations.estimable_groups()
    rater_inverse = equations.rater_inverse(penalty)
    rater_effect = rater_inverse @ equations.rater_moments
    system_effect = equations.system_effect - equations.system_shares @ rater_effect
    residual = rows.subtract_topic_means(
        rows.y - rows.design() @ np.concatenate([system_effect, rater_effect])
    )
    square_sum = float(residual @ (rows.subtract_topic_means(rows.y) if penalty else residual))
    error_deviation = float(np.sqrt(max(square_sum, 0.0) / df)) if df > 0 else float("nan")
    of_raters = rater_effect[: rows.n_raters]
    are_estimable = penalty or equations.rater_rank >= len(rater_effect) - 1
    return AdditiveModel(
        mean=_least_squares_means(rows, group, system_effect),
        group=group,
        raters=raters,
        rater_effect=(of_raters - of_raters.sum() / max(len(of_raters), 1))
        * (1 if are_estimable else np.nan),
        rater_deviation=error_deviation / float(np.sqrt(penalty)) if penalty else float("nan"),
        error_deviation=error_deviation,
        df=df,
        scale=float(np.abs(rows.y).max(initial=0.0)),
        rows=rows,
        equations=equations,
        inverse=equations.inverse(rater_inverse),
        system_effect=system_effect,
        residual=residual,
        penalty=penalty,
        rater_df=rater_df,
    )


def _kind_of_raters(rows: RatingRows) -> RaterEffectsKind:
    """Give how raters are in the model; in a crowd in which nobody rated twice they are part of the errors."""
    if rows.rater is None or not _raters_vary(rows):
        return "none"
    if rows.covariate is not None or not is_crowd(rows.rater):
        return "fixed"
    return "none" if np.bincount(rows.rater).max() == 1 else "random"


def _raters_vary(rows: RatingRows) -> bool:
    """Whether within a topic a system differs from the others in the share of its ratings that a rater gave."""
    assert rows.rater is not None
    cell = rows.system * rows.n_topics + rows.topic
    n_of_rater = [_count_equal(numbers * rows.n_raters + rows.rater) for numbers in (cell, rows.topic)]
    n_of_topic = rows.sizes[rows.topic]
    return bool((n_of_rater[0] * n_of_topic != n_of_rater[1] * _count_equal(cell)).any())


def _count_equal(numbers: IntArray) -> IntArray:
    """Count the rows with the number of each row."""
    _, number, count = np.unique(numbers, return_inverse=True, return_counts=True)
    return count[number]


def is_crowd(rater: IntArray) -> bool:
    """Whether raters are many, with few ratings each."""
    n_ratings = np.bincount(rater)
    n_ratings = n_ratings[n_ratings > 0]
    return len(n_ratings) >= MIN_RANDOM_RATERS and n_ratings.mean() < MIN_RATINGS_OF_FIXED_RATER


def _link_by_raters(rows: RatingRows) -> IntArray:
    """Number the sets of systems that are linked by raters who rated two of them, (n_systems,).

    Where nobody rated two systems, random raters cannot be separated from systems.
    """
    assert rows.rater is not None
    shape = (rows.n_systems, rows.n_raters)
    counts = np.bincount(rows.system * rows.n_raters + rows.rater, minlength=shape[0] * shape[1])
    ratings = counts.reshape(shape).astype(np.float64)
    return group_connected(-ratings @ ratings.T, np.ones(rows.n_systems, dtype=bool))


def estimate_penalty(equations: RatingEquations) -> tuple[float, float]:
    """Estimate the variance of errors over that of random raters by REML, systems and topics being fixed.

    Also gives the degrees of freedom of the estimated variance of raters.
    """
    from scipy.optimize import minimize_scalar

    values = equations.rater_values
    squares = np.square(equations.rater_vectors.T @ equations.rater_moments)
    square_sum = equations.square_sum
    n = equations.df
    smallest = 1e-6
    if n <= 0 or square_sum <= 0:
        return 1 / smallest, 0.0

    def deviance(log_ratio: float) -> float:
        ratio = np.exp(log_ratio)
        remaining = square_sum - (squares * ratio / (1 + ratio * values)).sum()
        return float(n * np.log(max(remaining, ROUNDING * square_sum)) + np.log1p(ratio * values).sum())

    bounds = (np.log(smallest), -np.log(smallest))
    ratio = float(np.exp(minimize_scalar(deviance, bounds=bounds, method="bounded").x))
    shares = ratio * values / (1 + ratio * values)
    return 1 / ratio, float(np.square(shares).sum())


def _least_squares_means(rows: RatingRows, group: IntArray, effects: FloatArray) -> FloatArray:
    """Give the fitted mean of each system over its group's topics, each with the raters that the topic had."""
    means = np.full(rows.n_systems, np.nan)
    for number in range(int(group.max(initial=-1)) + 1):
        members = group == number
        is_row = members[rows.system]
        scores = rows.y[is_row]
        system = rows.system[is_row]
        topic, n_rows = np.unique(rows.topic[is_row], return_inverse=True, return_counts=True)[1:]
        has_systems_only = rows.n_columns == rows.n_systems
        if has_systems_only and len(scores) == len(n_rows) * members.sum():  # the plain means, to the bit
            means[members] = scores[np.lexsort((topic, system))].reshape(-1, len(n_rows)).mean(axis=1)
            continue
        level = np.bincount(topic, scores - effects[system]) / n_rows
        means[members] = effects[members] + level.mean()
    return means
