"""Summarizers against summarizers: is one better on the topics that both wrote?

Three tests, ``unpaired_t``, ``paired_t`` and ``wilcoxon`` (signed ranks), compare one pair or all pairs of a score
matrix at once. Each gives an effect size, an interval for the mean difference and p-values corrected for the
family. What a further test has to declare is in :mod:`classy_aesop.significance.pair_statistic`.

Rankel et al. (2011), section 2; Rankel (2016), chapters 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import (
    ALPHA,
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    is_significant,
    one_of,
    score_matrix,
)
from classy_aesop.significance.intervals import check_confidence
from classy_aesop.significance.multiplicity import adjusted
from classy_aesop.significance.pair_ranks import WILCOXON
from classy_aesop.significance.pair_statistic import PairStatistic
from classy_aesop.significance.pair_t import PAIRED_T, UNPAIRED_T
from classy_aesop.significance.recipes import Recipe, recipe_of
from classy_aesop.significance.t_tests import t_interval

#: The tests of pairs by name.
TESTS: dict[str, PairStatistic] = {
    "unpaired_t": UNPAIRED_T,
    "paired_t": PAIRED_T,
    "wilcoxon": WILCOXON,
}

ALTERNATIVES = ("two-sided", "greater", "less")

#: Flags of p-values that do not come from a test: with the first two p is 1, with the last it is 0, a limit.
TOO_FEW, NO_DIFFERENCE, NO_SPREAD = "fewer than two topics", "no difference", "constant difference"

_CELLS = 15_000  # score cells tested at once: small arrays stay in the cache and cost no page faults


@dataclass(frozen=True, slots=True)
class PairTests(Result):
    """Tests of pairs of summarizers; arrays of shape (n_pairs,).

    Attributes
    ----------
    test : str
        Its name, with that of the resampling if there was one.
    alternative, correction : str
        As asked for.
    first, second : ndarray of int
        Rows of the score matrix; differences are first less second.
    n : ndarray of int
        Topics that both wrote.
    n_used : ndarray of int
        Topics that the statistic rests on: for signed ranks those with a nonzero difference.
    difference : ndarray
        Mean difference over the shared topics; NaN without any.
    low, high : ndarray
        Its confidence interval by t (paired; unpaired for the unpaired test), uncorrected.
    low_all, high_all : ndarray
        Simultaneous intervals: all of them hold together with the confidence (Bonferroni), by whatever correction
        there is; without any they are ``low`` and ``high``.
    effect : ndarray
        Difference over its standard deviation (paired t, Cohen's d_z), over the pooled one (unpaired t,
        Cohen's d), or the share of positive ranks less that of negative ones (signed ranks, rank-biserial).
    statistic : ndarray
        t, or W+.
    p, p_adjusted : ndarray
        As tested, and corrected for all pairs here.
    flag : ndarray of str
        Why a p-value does not come from a real test, see the constants of this module; else empty.
    n_resamples : int
        Resamples that the p-values rest on; 0 without resampling.
    confidence : float
        Of the intervals.
    """

    test: str
    alternative: str
    correction: str
    first: IntArray
    second: IntArray
    n: IntArray
    n_used: IntArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    low_all: FloatArray
    high_all: FloatArray
    effect: FloatArray
    statistic: FloatArray
    p: FloatArray
    p_adjusted: FloatArray
    flag: NDArray[np.str_]
    n_resamples: int = 0
    confidence: float = 0.95

    def significant(self, alpha: float = ALPHA) -> BoolArray:
        """Say which pairs differ significantly: adjusted p <= alpha, equal within rounding; (n_pairs,)."""
        return is_significant(self.p_adjusted, alpha)


def compare_pairs(
    X: ArrayLike,
    *,
    test: str = "wilcoxon",
    pairs: ArrayLike | None = None,
    preset: str | Recipe = "standard",
    alternative: str = "two-sided",
    correction: str = "holm",
    confidence: float = 0.95,
) -> PairTests:
    """Test all pairs of summarizers, or those given.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores; NaN where missing. A pair is tested on the topics that both have.
    test : str
        A name of ``TESTS``: "unpaired_t", "paired_t" or "wilcoxon".
    pairs : array_like of int, shape (n_pairs, 2), optional
        Rows to compare; by default every row with every later one.
    preset : {"standard", "rankel2011", "rankel2013"} or Recipe
        How the test is computed, see :mod:`classy_aesop.significance.recipes`.
    alternative : {"two-sided", "greater", "less"}
        What is tested of first less second.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the family of all pairs tested here.
    confidence : float
        Of the intervals for the mean difference, between 0 and 1.

    Returns
    -------
    PairTests
        With p = 1 and a flag where fewer than two topics are shared or nothing differs.

    Raises
    ------
    ValueError
        For unknown names, a confidence out of range, pairs that are not rows of ``X``, or infinite scores.

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4, 3], [2, 3, 2, 4, 2, 2], [3, 4, 4, 5, 4, 3]]
    >>> found = compare_pairs(X, test="paired_t")
    >>> found.p_adjusted.round(4).tolist(), found.flag.tolist()
    ([0.0044, 1.0, 0.0044], ['', 'no difference', ''])
    """
    one_of(test, TESTS, "test")
    one_of(alternative, ALTERNATIVES, "alternative")
    check_confidence(confidence)
    X, recipe = score_matrix(X), recipe_of(preset)
    first, second = pair_rows(pairs, len(X))
    family = 1 if correction == "none" else max(len(first), 1)
    together = 1 - (1 - confidence) / family
    parts = [
        _tested(X[first[part]], X[second[part]], TESTS[test], recipe, alternative, (confidence, together))
        for part in _parts(len(first), X.shape[1])
    ]
    columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return PairTests(
        test=test,
        alternative=alternative,
        correction=correction,
        first=first,
        second=second,
        p_adjusted=adjusted(columns["p"], correction=correction),
        n_resamples=0,
        confidence=confidence,
        **columns,
    )


def pair_rows(pairs: ArrayLike | None, n: int) -> tuple[IntArray, IntArray]:
    """Rows of the first and of the second of each pair: all of ``n`` rows, or the given ones, checked."""
    if pairs is None:
        first, second = np.triu_indices(n, k=1)
        return first, second
    rows = np.asarray(pairs)
    if rows.ndim != 2 or rows.shape[1] != 2 or (rows.size and rows.dtype.kind not in "iu"):
        raise ValueError(f"pairs have shape {rows.shape} and type {rows.dtype}; expected (n_pairs, 2) of int")
    if rows.size and not (rows.min() >= 0 and rows.max() < n):
        raise ValueError(f"pairs name rows {rows.min()} to {rows.max()}; expected 0 to {n - 1}")
    return rows[:, 0].astype(np.int64), rows[:, 1].astype(np.int64)


def _tested(
    x: FloatArray,
    y: FloatArray,
    test: PairStatistic,
    recipe: Recipe,
    alternative: str,
    confidences: tuple[float, float],
) -> dict[str, NDArray[np.generic]]:
    outcome = test.of(x, y, recipe, alternative)
    n = outcome.mean.n
    (low, high), (low_all, high_all) = (t_interval(outcome.mean, recipe, level) for level in confidences)
    flag = np.select(
        [n < 2, outcome.same, np.isinf(outcome.statistic)], [TOO_FEW, NO_DIFFERENCE, NO_SPREAD], ""
    )
    return {
        "n": n,
        "n_used": outcome.n_used,
        "difference": outcome.mean.mean,
        "low": low,
        "high": high,
        "low_all": low_all,
        "high_all": high_all,
        "effect": outcome.effect,
        "statistic": outcome.statistic,
        "p": np.where((n < 2) | outcome.same, 1.0, outcome.p),
        "flag": flag,
    }


def _parts(n_pairs: int, n_topics: int) -> Iterator[slice]:
    step = max(1, _CELLS // max(1, n_topics))
    return (slice(start, start + step) for start in range(0, max(n_pairs, 1), step))
