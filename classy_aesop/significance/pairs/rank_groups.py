"""Do topics differ? Kruskal-Wallis over groups of scores, and Tukey's comparisons of their mean ranks.

All scores are ranked together, ties share the mean rank. Groups are usually a score matrix's topics: ``groups=X.T``.

Rankel (2016), section 3.4; Rankel et al. (2011), Figure 1, where this is MATLAB's ``multcompare`` on ``kruskalwallis``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, check_share, score_vector
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import midranks

TOO_FEW_GROUPS = "fewer than two groups"
ALL_EQUAL = "all scores equal"
"""Flags of a p-value of 1 that does not come from a test."""


@dataclass(frozen=True, slots=True)
class KruskalWallis(Result):
    """The Kruskal-Wallis test.

    Attributes
    ----------
    statistic : float
        H, corrected for ties; chi-square with ``df`` degrees of freedom.
    df : int
        Groups with a score, less one.
    p : float
        P-value; 1 with a flag where there is nothing to test.
    n : ndarray of int, shape (n_groups,)
        Scores of each group.
    mean_ranks : ndarray, shape (n_groups,)
        NaN for a group without scores.
    variance : float
        Of a single rank, corrected for ties.
    flag : str
        Why there was nothing to test; else empty.
    """

    statistic: float
    df: int
    p: float
    n: IntArray
    mean_ranks: FloatArray
    variance: float
    flag: str


@dataclass(frozen=True, slots=True)
class RankComparisons(Result):
    """Tukey's comparisons of mean ranks.

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        Groups compared; groups without scores are left out.
    p : ndarray, shape (n_pairs,)
        From the studentized range with infinite degrees of freedom; already for all pairs. Right to 1e-13, so it can
        be 0.
    differs : ndarray of bool, shape (n_pairs,)
        p <= alpha.
    half_widths : ndarray, shape (n_groups,)
        Comparison intervals mean rank +- half width: two groups differ where theirs do not overlap (exactly
        with equally large groups, nearly otherwise). They are no confidence intervals.
    """

    first: IntArray
    second: IntArray
    p: FloatArray
    differs: BoolArray
    half_widths: FloatArray


def kruskal_wallis(groups: Sequence[ArrayLike]) -> KruskalWallis:
    """Test whether groups of scores have the same location.

    Examples
    --------
    >>> test = kruskal_wallis([[1, 2, 2, 3], [2, 3, 4, 4], [3, 4, 5, 5]])
    >>> round(test.statistic, 6), round(test.p, 6), test.mean_ranks.tolist()
    (6.326007, 0.042298, [3.25, 6.75, 9.5])
    """
    from scipy.special import chdtrc

    lists = [score_vector(scores, f"groups[{number}]") for number, scores in enumerate(groups)]
    lists = [scores[~np.isnan(scores)] for scores in lists]
    n = np.array([len(group) for group in lists], dtype=np.int64)
    df = max(int((n > 0).sum()) - 1, 0)
    ranks = midranks(np.concatenate([*lists, np.empty(0)]))
    variance = float(ranks.var(ddof=1)) if len(ranks) > 1 else 0.0
    group_of_score = np.repeat(np.arange(len(n)), n)
    with np.errstate(invalid="ignore"):
        mean_ranks = np.bincount(group_of_score, weights=ranks, minlength=len(n)) / n
    statistic = float("nan")
    if variance:
        statistic = float(np.nansum(n * (mean_ranks - (len(ranks) + 1) / 2) ** 2)) / variance
    flag = "" if df and variance else ALL_EQUAL if df else TOO_FEW_GROUPS
    p = 1.0 if flag else float(chdtrc(df, statistic))
    return KruskalWallis(statistic, df, p, n, mean_ranks, variance, flag)


def tukey_on_ranks(groups: Sequence[ArrayLike], *, alpha: float = ALPHA) -> RankComparisons:
    """Compare all pairs of groups by their mean ranks, for all pairs together (Tukey-Kramer).

    Examples
    --------
    >>> comparisons = tukey_on_ranks([[1, 2, 2, 3], [2, 3, 4, 4], [3, 4, 5, 5]])
    >>> comparisons.differs.tolist(), comparisons.half_widths.round(6).tolist()
    ([False, True, False], [2.918953, 2.918953, 2.918953])
    """
    from scipy.stats import studentized_range

    check_share(alpha, "alpha")
    overall = kruskal_wallis(groups)
    scored = np.flatnonzero(overall.n > 0)
    n_groups = len(scored)
    i, j = np.triu_indices(n_groups, k=1)
    variances = overall.variance / overall.n[scored]
    mean_ranks = overall.mean_ranks[scored]
    error = np.sqrt(variances[i] + variances[j])
    z = np.abs(mean_ranks[i] - mean_ranks[j]) / np.where(error > 0, error, 1.0)
    p = np.clip(studentized_range.sf(np.sqrt(2) * z, max(n_groups, 2), np.inf), 0.0, 1.0)
    half_widths = np.full(len(overall.n), np.nan)
    if n_groups > 1:
        quantile = studentized_range.ppf(1 - alpha, n_groups, np.inf) / np.sqrt(2)
        half_widths[scored] = quantile * _errors_of_groups(variances)
    return RankComparisons(scored[i], scored[j], p, is_significant(p, alpha), half_widths)


def _errors_of_groups(variances: FloatArray) -> FloatArray:
    """Divide the error of each difference between its two groups (Hochberg and Tamhane 1987, equation 3.32)."""
    errors = np.sqrt(variances[:, None] + variances)
    np.fill_diagonal(errors, 0.0)
    sums = errors.sum(axis=0)
    n_groups = len(variances)
    if n_groups < 3:
        return np.asarray(sums / 2)
    return np.asarray(((n_groups - 1) * sums - sums.sum() / 2) / ((n_groups - 1) * (n_groups - 2)))
