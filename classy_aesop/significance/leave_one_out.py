"""Standard errors by the jackknife over topics: estimates from what they are without each topic.

The variance of an estimate is (n - 1)/n times the sum, over its n topics, of the squared changes without each (Efron
and Stein 1981). Topics that weigh unequally are fewer than they seem: the degrees of freedom are their effective number
less 1.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray, divide


def leave_one_out_errors(
    without: FloatArray, estimates: FloatArray, weights: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Standard errors and degrees of freedom of estimates, (n_estimates,) each.

    Shapes: ``without`` and ``weights`` (n_topics, n_estimates), ``estimates`` (n_estimates,).

    Examples
    --------
    >>> scores = np.array([[2.0], [3.0], [7.0]])
    >>> without = (scores.sum() - scores) / 2
    >>> error, df = leave_one_out_errors(without, scores.mean(axis=0), np.ones((3, 1)))
    >>> (error / (scores.std(ddof=1) / np.sqrt(3))).round(12).tolist(), df.tolist()
    ([1.0], [2.0])
    """
    has_part = weights > 0
    n_topics = np.count_nonzero(has_part, axis=0)
    changes = np.where(has_part, without - estimates, 0.0)
    share = divide(n_topics - 1, n_topics)
    return np.sqrt(share * np.square(changes).sum(axis=0)), effective_number(weights) - 1


def leave_one_out_covariance(without: FloatArray, estimates: FloatArray) -> FloatArray:
    """Covariance of estimates that rest on all topics, (n_estimates, n_estimates); ``without`` as above."""
    changes = without - estimates
    return (len(changes) - 1) / len(changes) * (changes.T @ changes)


def effective_number(weights: FloatArray) -> FloatArray:
    """Effective number of topics of columns of weights, (sum w)^2 / sum w^2 (Kish 1965); 0 without any, (n_columns,).

    Examples
    --------
    >>> effective_number(np.array([[1.0, 1.0], [1.0, 3.0]])).tolist()
    [2.0, 1.6]
    """
    squares = np.square(weights).sum(axis=0)
    sums = weights.sum(axis=0)
    return divide(sums**2, squares, 0.0)
