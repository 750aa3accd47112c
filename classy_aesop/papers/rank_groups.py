"""Do topics differ? Kruskal-Wallis over the columns of a score matrix, and Tukey's comparisons of their mean ranks.

All scores are ranked together, ties share the mean rank. Rankel (2016), section 3.4; Rankel et al. (2011), Figure 1,
where this is MATLAB's ``multcompare`` on ``kruskalwallis``.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.equality import midranks


class RankedGroups(NamedTuple):
    """Groups of scores compared by their ranks.

    Attributes
    ----------
    n : ndarray of int, shape (n_groups,)
        Scores of each group.
    mean_ranks : ndarray, shape (n_groups,)
        NaN for a group without scores.
    statistic, df, p : float
        Kruskal and Wallis' H, corrected for ties, its degrees of freedom and p-value; H is NaN and p 1 where there is
        nothing to test.
    p_of_pairs : ndarray, shape (n_groups, n_groups)
        Tukey's, from the studentized range; already for all pairs, and right to 1e-13, so it can be 0.
    half_widths : ndarray, shape (n_groups,)
        Comparison intervals mean rank +- half width: two groups differ where theirs do not overlap (exactly
        with equally large groups, nearly otherwise). They are no confidence intervals.
    """

    n: IntArray
    mean_ranks: FloatArray
    statistic: float
    df: int
    p: float
    p_of_pairs: FloatArray
    half_widths: FloatArray


def rank_groups(X: FloatArray, *, alpha: float = ALPHA) -> RankedGroups:
    """Test whether the columns of a matrix have one location, and compare all pairs of them.

    Shapes: ``X`` (n_scores, n_groups), NaN where a group has no score.

    Examples
    --------
    >>> groups = rank_groups(np.array([[1.0, 2, 3], [2, 3, 4], [2, 4, 5], [3, 4, 5]]))
    >>> round(groups.statistic, 6), round(groups.p, 6), groups.mean_ranks.tolist()
    (6.326007, 0.042298, [3.25, 6.75, 9.5])
    >>> (groups.p_of_pairs < 0.05).tolist(), groups.half_widths.round(6).tolist()
    ([[False, False, True], [False, False, False], [True, False, False]], [2.918953, 2.918953, 2.918953])
    """
    from scipy.special import chdtrc
    from scipy.stats import studentized_range

    is_scored = ~np.isnan(X)
    n = is_scored.sum(axis=0)
    ranks = np.zeros(X.shape)
    ranks[is_scored] = midranks(X[is_scored])
    n_groups = max(int(np.count_nonzero(n)), 1)
    variance = float(ranks[is_scored].var(ddof=1)) if n.sum() > 1 else 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        mean_ranks = ranks.sum(axis=0) / n
        statistic = float(np.nansum(n * (mean_ranks - (n.sum() + 1) / 2) ** 2) / np.float64(variance))
        variances = variance / n
        errors = np.sqrt(variances[:, None] + variances)
        z = np.abs(mean_ranks[:, None] - mean_ranks) / errors
    is_tested = n_groups > 1 and variance > 0
    quantile = studentized_range.ppf(1 - alpha, max(n_groups, 2), np.inf) / np.sqrt(2)
    p_of_pairs = studentized_range.sf(np.sqrt(2) * np.nan_to_num(z), max(n_groups, 2), np.inf)
    return RankedGroups(
        n=n,
        mean_ranks=mean_ranks,
        statistic=statistic,
        df=n_groups - 1,
        p=float(chdtrc(n_groups - 1, statistic)) if is_tested else 1.0,
        p_of_pairs=np.clip(p_of_pairs, 0.0, 1.0),
        half_widths=quantile * _divide_errors(errors, n > 0),
    )


def _divide_errors(errors: FloatArray, is_scored: BoolArray) -> FloatArray:
    """Divide the error of each difference between its two groups (Hochberg and Tamhane 1987, equation 3.32)."""
    errors = np.where(is_scored & ~np.eye(len(errors), dtype=bool), errors, 0.0)
    n = np.count_nonzero(is_scored)
    sums = errors.sum(axis=1)
    if n < 3:
        return np.where(is_scored, sums / 2, np.nan)
    return np.where(is_scored, ((n - 1) * sums - sums[is_scored].sum() / 2) / ((n - 1) * (n - 2)), np.nan)
