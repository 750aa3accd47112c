"""Support vector machines with linear weights: regression, and learning to rank.

Rankel (2016), section 5.7, proposes both for future work. Columns are standardized (mean 0, mean square 1), and so are
the judgments of the regression; the weights are given for the raw columns. The optimizers are those of scikit-learn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from classy_aesop.fitters.base import LinearFitter
from classy_aesop.fitters.least_squares import StandardColumns
from classy_aesop.formulas.base import Array

MAX_PAIRS = 50_000
"""Most pairs of instances that `RankingMachine` learns from; of more, as many are drawn."""


@dataclass(eq=False, repr=False)
class SupportVectorRegression(LinearFitter):
    """Linear support vector regression: errors up to ``epsilon`` cost nothing (Vapnik, 1995; scikit-learn's ``SVR``).

    Parameters
    ----------
    cost : float, default 1
        Price of an error beyond ``epsilon``, above 0; C of scikit-learn.
    epsilon : float, default 0.1
        Half the width of the tube without cost, in standard deviations of the judgments; 0 or more.

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`. A constant column gets 0.

    Examples
    --------
    >>> X = [[1.0], [2.0], [3.0], [4.0]]
    >>> fitted = SupportVectorRegression(epsilon=0.01, cost=100.0).fit(X, [2.0, 4.0, 6.0, 8.0])
    >>> fitted.predict([[5.0]]).round(1).tolist()
    [10.0]
    """

    cost: float = 1.0
    epsilon: float = 0.1

    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights and the constant; scikit-learn raises ValueError for a cost or epsilon out of range."""
        from sklearn.svm import SVR

        standard = StandardColumns.standardize(X)
        spread = float(y.std())
        if spread == 0 or not standard.Z.any():
            return np.zeros(X.shape[1]), float(y.mean())
        fitted = SVR(kernel="linear", C=self.cost, epsilon=self.epsilon, tol=1e-9).fit(
            standard.Z, (y - y.mean()) / spread
        )
        constant = float(y.mean() + spread * fitted.intercept_[0])
        coef, intercept = standard.raw_weights(spread * fitted.coef_.T, constant)
        return coef[:, 0], float(intercept[0])


@dataclass(eq=False, repr=False)
class RankingMachine(LinearFitter):
    """Learning to rank: a linear score that puts as many pairs as possible in the order of the judgments.

    The ranking support vector machine of Joachims (2002): for each pair of instances with different judgments the score
    of the better one should be higher by 1; what lacks costs its square. The direction depends on the order of the
    judgments alone.

    Parameters
    ----------
    cost : float, default 10
        Price of the mean squared lack of a pair, above 0, beside half of the squared standard weights.
    calibrate : bool, default True
        Whether predictions are on the scale of the judgments (least squares of the judgments on the score); otherwise
        they are the score.
    random_state : int, default 0
        Draws `MAX_PAIRS` pairs where there are more.

    Attributes
    ----------
    coef_, intercept_, n_features_in_
        See `LinearFitter`. Without two different judgments all weights are 0.

    Examples
    --------
    >>> X = [[1.0, 5.0], [2.0, 3.0], [3.0, 6.0], [4.0, 4.0]]
    >>> scores = RankingMachine(calibrate=False).fit(X, [1.0, 2.0, 9.0, 10.0]).predict(X)
    >>> bool((np.diff(scores) > 0).all())
    True
    """

    cost: float = 10.0
    calibrate: bool = True
    random_state: int = 0

    def solve(self, X: Array, y: Array) -> tuple[Array, float]:
        """Return the weights and the constant; scikit-learn raises ValueError for a cost out of range."""
        from sklearn.svm import LinearSVC

        standard = StandardColumns.standardize(X)
        differences = ordered_differences(standard.Z, y, self.random_state)
        if not differences.any():
            return np.zeros(X.shape[1]), float(y.mean()) if self.calibrate else 0.0
        sides = np.where(np.arange(len(differences)) % 2, -1.0, 1.0)  # two classes, which mirror each other
        machine = LinearSVC(C=self.cost / len(differences), fit_intercept=False, dual=False, tol=1e-8)
        weights = machine.fit(sides[:, None] * differences, sides).coef_[0]
        slope = 1.0
        if self.calibrate:
            score = standard.Z @ weights
            slope = float(score @ (y - y.mean()) / ((score @ score) or 1.0))
        coef, intercept = standard.raw_weights(slope * weights[:, None], y.mean() if self.calibrate else 0.0)
        return coef[:, 0], float(intercept[0])


def ordered_differences(Z: Array, y: Array, seed: int) -> Array:
    """Return the better row less the worse one of pairs of rows with different judgments.

    Shapes: ``Z`` (n_rows, n_columns), ``y`` (n_rows,); gives (n_pairs, n_columns).
    """
    first, second = np.triu_indices(len(y), 1)
    differs = np.flatnonzero(y[first] != y[second])
    if differs.size > MAX_PAIRS:
        differs = np.sort(np.random.default_rng(seed).choice(differs, MAX_PAIRS, replace=False))
    first = first[differs]
    second = second[differs]
    better = np.where(y[first] > y[second], 1.0, -1.0)
    return np.asarray(better[:, None] * (Z[first] - Z[second]))
