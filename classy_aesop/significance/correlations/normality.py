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

MIN_SCORES = 3
"""Fewer scores are not tested."""


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

    Shapes: ``X`` (n_summarizers, n_topics).

    Examples
    --------
    >>> result = normality([[1, 2, 5], [2, 2, 6], [3, 2, 7], [4, 2, 30]])
    >>> result.n_tested, result.n_skipped, result.share_rejected
    (2, 1, 0.5)
    """
    X = score_matrix(X)
    p = np.array([_shapiro_wilk(scores) for scores in X.T])
    p_tested = p[~np.isnan(p)]
    is_rejected = is_significant(p_tested, alpha)
    return Normality(
        share_rejected=float(np.mean(is_rejected)) if len(p_tested) else float("nan"),
        p_means=_shapiro_wilk(summarizer_means(X, ~np.isnan(X))),
        n_tested=len(p_tested),
        n_skipped=len(p) - len(p_tested),
        alpha=alpha,
    )


def _shapiro_wilk(x: FloatArray) -> float:
    """P-value of the scores that are not missing; NaN for fewer than three or equal ones."""
    from scipy.stats import shapiro

    scores = x[~np.isnan(x)]
    if len(scores) < MIN_SCORES or is_constant(scores):
        return float("nan")
    return float(shapiro(scores).pvalue)
