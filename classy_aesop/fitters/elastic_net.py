"""Least squares with a price on weights that sets the least useful to 0 (Zou and Hastie, 2005).

scikit-learn's coordinate descent on standardized columns: half the mean squared error plus ``strength`` times
``(mixing |b| + (1 - mixing) / 2 b'b)``. The strength, if not given, is the one of a path of 100 with the least
squared error over folds of whole topics: summaries of one topic share its difficulty, so rows of the same topic on
both sides would flatter small strengths.

It chooses features in one fit instead of one fit a subset; of near-copies the lasso part (``mixing = 1``) takes any
one, the ridge part lets them share.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.fitters.base import Integers, TopicFitter
from classy_aesop.fitters.least_squares import Array
from classy_aesop.fitters.ridge import check_strength
from classy_aesop.fitters.standard import Standard

MOST_STEPS = 100_000
PRECISION = 1e-8
FOLDS = 5


class ElasticNetRegression(TopicFitter):
    """The elastic net on standardized columns and target, with a free constant (Zou and Hastie, 2005).

    Parameters
    ----------
    strength : float, optional
        Price of the weights (scikit-learn's alpha). By default chosen by five folds of whole topics; where all
        instances are of one topic, by five folds of neighbouring instances.
    mixing : float, default 0.5
        Share of the price that is on absolute values (scikit-learn's l1_ratio), above 0 and at most 1.

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`. A constant column gets 0.
    strength_ : float
        The strength used; 0 where nothing varies.
    """

    pools = ("nested",)

    def __init__(self, strength: float | None = None, mixing: float = 0.5) -> None:
        self.strength = strength
        self.mixing = mixing

    def solve_by_topic(self, X: Array, y: Array, topics: Integers) -> tuple[Array, float]:
        """Return the weights of the raw columns and the constant; raise ValueError for a price that is none."""
        check_strength(self.strength)
        if not 0 < self.mixing <= 1:
            raise ValueError(f"mixing is {self.mixing}; expected a number above 0, at most 1")
        standard, target = Standard.of(X), Standard.of(y[:, None])
        if not (standard.Z.any() and target.Z.any()):
            self.strength_ = 0.0
            return np.zeros(X.shape[1]), float(y.mean())
        weights, self.strength_ = self._weights(standard.Z, target.Z[:, 0], topics)
        coef, constant = standard.raw(target.scale * weights[:, None], y.mean())
        return coef[:, 0], float(constant[0])

    def _weights(self, Z: Array, target: Array, topics: Integers) -> tuple[Array, float]:
        """Return the standard weights (n_columns,) and the strength."""
        from sklearn.linear_model import ElasticNet, ElasticNetCV

        options = {"l1_ratio": self.mixing, "max_iter": MOST_STEPS, "tol": PRECISION}
        if self.strength is not None:
            return ElasticNet(alpha=self.strength, **options).fit(Z, target).coef_, self.strength
        found = ElasticNetCV(cv=topic_splits(topics), **options).fit(Z, target)
        return found.coef_, float(found.alpha_)


def topic_splits(topics: Integers) -> list[tuple[Integers, Integers]]:
    """Return the rows to fit and to predict of up to five folds of whole topics, or of rows if there is one topic."""
    from sklearn.model_selection import GroupKFold

    n = len(topics)
    units = topics if topics.any() else np.arange(n) * min(FOLDS, n) // n
    return list(GroupKFold(min(FOLDS, np.unique(units).size)).split(units, groups=units))
