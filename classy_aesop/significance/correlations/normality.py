"""Are scores normal, as Fisher's interval and Williams' test assume?

Shapiro-Wilk within topics and of means. Deutsch et al. (2021), appendix A, Table 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.system_means import summarizer_means
from classy_aesop.significance.base import FloatArray, Result, score_matrix
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import is_constant


@dataclass(frozen=True, slots=True)
class Normality(Result):
    """Shapiro-Wilk tests of one score matrix.

    Attributes
    ----------
    share_rejected : float
        Share of tested topics whose scores are not normal, p <= alpha; NaN if none is tested.
    p_means : float
        P-value of the summarizers' means; NaN for fewer than three or equal ones.
    n_tested, n_skipped : int
        Topics tested, and those with fewer than three scores or all equal.
    """

    share_rejected: float
    p_means: float
    n_tested: int
    n_skipped: int
    alpha: float


def normality(X: ArrayLike, *, alpha: float = ALPHA) -> Normality:
    """Test whether scores within each topic, and means over topics, come from a normal distribution.

    Examples
    --------
    >>> found = normality([[1, 2, 5], [2, 2, 6], [3, 2, 7], [4, 2, 30]])
    >>> found.n_tested, found.n_skipped, found.share_rejected
    (2, 1, 0.5)
    """
    X = score_matrix(X)
    p = np.array([shapiro_wilk(column)[1] for column in X.T])
    tested = p[~np.isnan(p)]
    return Normality(
        share_rejected=float(np.mean(is_significant(tested, alpha))) if len(tested) else float("nan"),
        p_means=shapiro_wilk(summarizer_means(X, ~np.isnan(X)))[1],
        n_tested=len(tested),
        n_skipped=len(p) - len(tested),
        alpha=alpha,
    )


def shapiro_wilk(x: FloatArray) -> tuple[float, float]:
    """W and p of the scores that are not missing; NaN for fewer than three or equal ones."""
    from scipy.stats import shapiro

    x = x[~np.isnan(x)]
    if len(x) < 3 or is_constant(x):
        return float("nan"), float("nan")
    found = shapiro(x)
    return float(found.statistic), float(found.pvalue)
