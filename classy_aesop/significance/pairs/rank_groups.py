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
from classy_aesop.significance.equality import midranks, tie_levels

#: Reasons why a p-value of 1 does not come from a test.
TOO_FEW_GROUPS, ALL_EQUAL = "fewer than two groups", "all scores equal"


@dataclass(frozen=True, slots=True)
class KruskalWallis(Result):
    """The Kruskal-Wallis test.

    Attributes
    ----------
    statistic : float
        H, corrected for ties; chi-square with ``df`` degrees of freedom.
    uncorrected : float
        H before the correction.
    df : int
        Groups with a score, less one.
    p : float
        P-value; 1 with a flag where there is nothing to test.
    n : ndarray of int, shape (n_groups,)
        Scores of each group.
    mean_ranks : ndarray, shape (n_groups,)
        NaN for a group without scores.
    variance : float
        Of a single rank, corrected for ties: N(N+1)/12 less sum(t^3 - t)/(12(N-1)).
    flag : str
        Why there was nothing to test; else empty.
    """

    statistic: float
    uncorrected: float
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
    difference, low, high : ndarray, shape (n_pairs,)
        Mean rank of first less second and its simultaneous confidence interval.
    p : ndarray, shape (n_pairs,)
        From the studentized range with infinite degrees of freedom; already for all pairs. Right to 1e-13, so it can
        be 0.
    differs : ndarray of bool, shape (n_pairs,)
        p <= alpha.
    mean_ranks, half_widths : ndarray, shape (n_groups,)
        Comparison intervals mean rank +- half width: two groups differ where theirs do not overlap (exactly
        with equally large groups, nearly otherwise). They are no confidence intervals.
    """

    first: IntArray
    second: IntArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p: FloatArray
    differs: BoolArray
    mean_ranks: FloatArray
    half_widths: FloatArray
    alpha: float


def kruskal_wallis(groups: Sequence[ArrayLike]) -> KruskalWallis:
    """Test whether groups of scores have the same location.

    Parameters
    ----------
    groups : sequence of array_like
        One list of scores each; NaN are left out.

    Examples
    --------
    >>> found = kruskal_wallis([[1, 2, 2, 3], [2, 3, 4, 4], [3, 4, 5, 5]])
    >>> round(found.statistic, 6), round(found.p, 6), found.mean_ranks.tolist()
    (6.326007, 0.042298, [3.25, 6.75, 9.5])
    """
    from scipy.special import chdtrc

    lists = [score_vector(scores, f"groups[{i}]") for i, scores in enumerate(groups)]
    lists = [scores[~np.isnan(scores)] for scores in lists]
    scores, n = np.concatenate([*lists, np.empty(0)]), np.array([len(one) for one in lists], dtype=np.int64)
    df, total = int((n > 0).sum()) - 1, len(scores)
    t = np.bincount(tie_levels(scores)).astype(np.float64)
    variance = (total * (total**2 - 1) - float(np.sum(t**3 - t))) / (12 * (total - 1)) if total > 1 else 0.0
    sums = np.bincount(np.repeat(np.arange(len(n)), n), weights=midranks(scores), minlength=len(n))
    with np.errstate(invalid="ignore", divide="ignore"):
        means = sums / n
    spread = float(np.nansum(n * (means - (total + 1) / 2) ** 2))
    flag = TOO_FEW_GROUPS if df < 1 else ALL_EQUAL if variance == 0 else ""
    statistic = spread / variance if variance > 0 else float("nan")
    return KruskalWallis(
        statistic=statistic,
        uncorrected=12 * spread / (total * (total + 1)) if total else float("nan"),
        df=max(df, 0),
        p=1.0 if flag else float(chdtrc(df, statistic)),
        n=n,
        mean_ranks=means,
        variance=variance,
        flag=flag,
    )


def tukey_on_ranks(groups: Sequence[ArrayLike], *, alpha: float = ALPHA) -> RankComparisons:
    """Compare all pairs of groups by their mean ranks, for all pairs together (Tukey-Kramer).

    ``groups`` as for :func:`kruskal_wallis`; ``alpha`` is the chance of any false difference. p is 1 where all scores
    are equal.

    Examples
    --------
    >>> found = tukey_on_ranks([[1, 2, 2, 3], [2, 3, 4, 4], [3, 4, 5, 5]])
    >>> found.differs.tolist(), (found.high - found.difference).round(6).tolist()
    ([False, True, False], [5.837906, 5.837906, 5.837906])
    """
    from scipy.stats import studentized_range

    check_share(alpha, "alpha")
    overall = kruskal_wallis(groups)
    kept = np.flatnonzero(overall.n > 0)
    k = len(kept)
    i, j = np.triu_indices(k, k=1)
    per_group = overall.variance / np.maximum(overall.n, 1)
    error = np.sqrt(per_group[kept[i]] + per_group[kept[j]])
    difference = overall.mean_ranks[kept[i]] - overall.mean_ranks[kept[j]]
    critical = studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2) if k > 1 else np.nan
    apart = np.abs(difference) / np.where(error > 0, error, 1.0)
    p = np.clip(studentized_range.sf(np.sqrt(2) * apart, max(k, 2), np.inf), 0.0, 1.0)
    between = np.zeros((k, k))
    between[i, j] = between[j, i] = error
    # the error of each difference, shared out to its two groups (Hochberg and Tamhane 1987, equation 3.32)
    sums = between.sum(axis=0)
    own = sums / 2 if k < 3 else ((k - 1) * sums - sums.sum() / 2) / ((k - 1) * (k - 2))
    half_widths = np.full(len(overall.n), np.nan)
    half_widths[kept] = critical * own
    return RankComparisons(
        first=kept[i],
        second=kept[j],
        difference=difference,
        low=difference - critical * error,
        high=difference + critical * error,
        p=p,
        differs=is_significant(p, alpha),
        mean_ranks=overall.mean_ranks,
        half_widths=half_widths,
        alpha=alpha,
    )
