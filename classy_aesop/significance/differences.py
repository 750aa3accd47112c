"""Differences of pairs, tested: of systems, by scores, estimates or preferences; one type, whatever the test.

Two may differ significantly, be equivalent within a margin, or share a rank: all three follow from the same numbers.

*Equivalence.* A test that finds no difference has not shown that there is none. Two summarizers are equivalent if two
hypotheses are rejected: that the first is worse by a margin or more, and that it is better by a margin or more. The
margin, in units of the scores, is the smallest difference that matters. Uncorrected, two are equivalent exactly if the
interval of confidence 1 - 2 alpha lies inside the margin. One side of the margin may be infinite: then only the other
one is tested, and the first is not worse, or not better, than the second by the margin or more (non-inferiority).

Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach"; Lakens (2017).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.choices import ALPHA, Margin
from classy_aesop.significance.decisions import better_matrix, cluster_numbers, is_significant
from classy_aesop.significance.equality import snap_ties
from classy_aesop.significance.mean_differences import MeanDifferences
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pass_rates import PassRateDifferences

EQUIVALENT = "equivalent"
DIFFERENT = "different"
UNDECIDED = "undecided"
NOT_WORSE = "not worse"
NOT_BETTER = "not better"


def verdict_within_margin(lower: float, upper: float, *, lower_is_better: bool = False) -> str:
    """The verdict on the first of a pair if the difference is between two numbers, one of which may be infinite.

    Examples
    --------
    >>> verdict_within_margin(-0.5, np.inf), verdict_within_margin(-0.5, np.inf, lower_is_better=True)
    ('not worse', 'not better')
    """
    if np.isfinite([lower, upper]).all():
        return EQUIVALENT
    return NOT_WORSE if np.isinf(upper) != lower_is_better else NOT_BETTER


def margin_ends(margin: Margin) -> tuple[float, float]:
    """Give the two ends of a margin; ValueError unless 0 is inside and one of them finite."""
    lower, upper = margin if isinstance(margin, tuple) else (-margin, margin)
    if not (lower < 0 < upper and np.isfinite([lower, upper]).any()):
        raise ValueError(
            f"margin ranges from {lower} to {upper}; expected from below 0 to above 0, one of them finite"
        )
    return float(lower), float(upper)


class Ranking(NamedTuple):
    """Ranks of items by their means and the tests of their pairs; arrays of shape (n_items,), 0 without a mean.

    Attributes
    ----------
    cluster : ndarray of int
        From 1 for the best, see :func:`classy_aesop.significance.decisions.cluster_numbers`.
    rank : ndarray of int
        1 and the number of items with a greater mean, so that equal means have equal ranks.
    best_rank, worst_rank : ndarray of int
        The ranks that the tests do not exclude: 1 + losses, and the number of items less wins. All true ranks lie
        within them unless a finding is false. So with Bonferroni's correction, and about so with Holm's, they hold
        together with the confidence 1 - alpha; with "bh", "by" or "none" they do not.
    wins, losses : ndarray of int
        Items that each is significantly better, or worse, than.
    """

    cluster: IntArray
    rank: IntArray
    best_rank: IntArray
    worst_rank: IntArray
    wins: IntArray
    losses: IntArray


def _no_counts() -> IntArray:
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """Differences of pairs with their tests; arrays of shape (n_pairs,), those of simulated errors (..., n_pairs).

    Attributes
    ----------
    first, second : ndarray of int, shape (n_pairs,)
        The items of each pair, rows of the score matrix; differences are first less second.
    difference : ndarray
        What is tested: the mean difference over the shared topics, the shift of signed ranks, a difference of estimated
        means, win rates or strengths; NaN without any.
    low, high : ndarray
        Confidence interval of the test, uncorrected: the shifts of the first that it does not reject. By t around
        the mean difference; by signed ranks around the median of Walsh averages (Hodges and Lehmann). 0 is
        outside exactly where the uncorrected two-sided p is at most
        1 - ``confidence``, also for the p of resamples; an end may be 0 and outside itself. NaN with a flag.
    low_all, high_all : ndarray
        Simultaneous intervals: all of them hold together with the confidence (Bonferroni), by whatever correction
        there is; without any they are ``low`` and ``high``.
    effect : ndarray
        Whose sign says which is better: difference over its standard deviation (paired t, Cohen's d_z), over the pooled
        one (unpaired t, Cohen's d), the share of positive ranks less that of negative ones (signed ranks,
        rank-biserial), or the difference itself.
    statistic : ndarray
        t, or W+.
    p, p_adjusted : ndarray
        As tested, and corrected for all pairs here.
    flag : ndarray of str
        Why a p-value does not come from a test, see :mod:`classy_aesop.significance.flags`; else empty.
    test, correction : str
        The name of the test, after that of the resampling if there was one; how p-values are corrected; and what is
        tested.
    confidence : float or None
        Of the intervals; None without.
    n_resamples : int
        Resamples of each p-value; 0 without resampling.
    n, n_used : ndarray of int
        Topics that both have, and that the statistic is computed from: for signed ranks those with a nonzero
        difference. Empty for tests that know only means and their covariance.
    p_least : ndarray
        The least corrected p that the data allow, 0 without a limit; empty where it was not computed.
    error, df : ndarray or None
        Of a t-test, whose difference a margin can be tested of: the standard error of the difference, and its degrees
        of freedom. The error is 0 where all differences are equal.
    n_discordant : ndarray or None
        Of a test of pass rates, which can test a margin too: topics that one of the two alone passed.
    verdict : ndarray of str
        With a margin, see `equivalent`; else empty.
    """

    first: IntArray
    second: IntArray
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
    test: str
    correction: str
    confidence: float | None = 0.95
    n_resamples: int = 0
    n: IntArray = field(default_factory=_no_counts)
    n_used: IntArray = field(default_factory=_no_counts)
    p_least: FloatArray = field(default_factory=lambda: np.zeros(0))
    error: FloatArray | None = None
    df: FloatArray | None = None
    n_discordant: FloatArray | None = None
    verdict: NDArray[np.str_] = field(default_factory=lambda: np.zeros(0, dtype=np.str_))

    @property
    def is_untested(self) -> BoolArray:
        """Which differences no test decides, as their flags say."""
        return self.flag != ""

    def significant(self, alpha: float = ALPHA) -> BoolArray:
        """Which pairs differ significantly: adjusted p <= alpha, equal within rounding; (n_pairs,)."""
        return is_significant(self.p_adjusted, alpha)

    def negate(self) -> Differences:
        """Give the differences, effects and intervals of the second of each pair less the first."""
        return replace(
            self,
            difference=0.0 - self.difference,
            low=0.0 - self.high,
            high=0.0 - self.low,
            low_all=0.0 - self.high_all,
            high_all=0.0 - self.low_all,
            effect=0.0 - self.effect,
        )

    def both_ways(self) -> Differences:
        """Give each difference also as that of its second item from the first."""
        return join_differences([self, replace(self.negate(), first=self.second, second=self.first)])

    def better(self, n: int, alpha: float = ALPHA) -> BoolArray:
        """Which of ``n`` items is significantly better than which: row better than column; (n, n)."""
        significant_effect = np.where(self.significant(alpha), self.effect, 0.0)
        return better_matrix(self.first, self.second, significant_effect, n)

    def equivalent(self, margin: Margin, *, alpha: float = ALPHA) -> Differences:
        """Test whether the differences of means are within a margin, see :mod:`classy_aesop.significance.differences`.

        Examples
        --------
        >>> from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
        >>> X = [[3, 4, 4, 5, 4, 3], [3.1, 4, 4.1, 4.9, 4, 3], [1, 2, 3, 3, 2, 1]]
        >>> compare_pairs(X).equivalent(0.5).verdict.tolist()
        ['equivalent', 'different', 'different']
        """
        lower, upper = margin_ends(margin)
        tested = self._tested_means()
        sides = [(lower, "greater"), (upper, "less")]
        one_sided_p = [tested.p(alternative, end) for end, alternative in sides if np.isfinite(end)]
        p = np.max(one_sided_p, axis=0)
        p_adjusted = adjust_p_values(p, correction=self.correction)
        decisions = [is_significant(p_adjusted, alpha), self.significant(alpha)]
        low, high = tested.interval(1 - 2 * alpha)
        return replace(
            self,
            low=low,
            high=high,
            low_all=low,
            high_all=high,
            p=p,
            p_adjusted=p_adjusted,
            confidence=1 - 2 * alpha,
            verdict=np.select(decisions, [verdict_within_margin(lower, upper), DIFFERENT], UNDECIDED),
        )

    def _tested_means(self) -> MeanDifferences | PassRateDifferences:
        """Give what is known of the differences of means where they are tested; ValueError if they are not."""
        is_tested = self.flag == ""
        if self.n_discordant is not None:
            return PassRateDifferences(
                self.difference, np.where(is_tested, self.n_discordant, np.nan), self.n
            )
        if self.error is None or self.df is None:
            raise ValueError(
                f"a margin is one of the difference of means, which {self.test} does not test; expected paired_t"
            )
        return MeanDifferences(self.difference, np.where(is_tested, self.error, np.nan), self.df, self.n)

    def clusters(
        self, mean: ArrayLike, *, group: ArrayLike | None = None, slack: float = 0.0, alpha: float = ALPHA
    ) -> Ranking:
        """Rank items by their means, and cluster them by the tests of all their pairs.

        Shapes: ``mean`` and ``group`` (n_items,).

        Examples
        --------
        >>> from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
        >>> tests = compare_pairs([[4, 4, 4], [3, 5, 4], [1, 2, 1]], test="paired_t", correction="none")
        >>> tests.clusters([4.0, 4.0, 1.3]).rank.tolist()
        [1, 1, 3]
        """
        means = np.asarray(mean, dtype=np.float64)
        has_mean = ~np.isnan(means)
        better = self.better(len(means), alpha)
        wins = better.sum(axis=1)
        losses = better.sum(axis=0)
        equal = snap_ties(means, slack)
        groups = np.where(has_mean, 0 if group is None else group, -1)
        cluster, rank, worst_rank = np.zeros((3, len(means)), dtype=np.int64)
        for number in np.unique(groups[has_mean]):
            members = np.flatnonzero(groups == number)
            order = members[np.argsort(-equal[members], kind="stable")]
            cluster[order] = cluster_numbers(better[np.ix_(order, order)], starts=np.diff(equal[order]) != 0)
            rank[order] = 1 + np.searchsorted(-equal[order], -equal[order])
            worst_rank[order] = len(order) - wins[order]
        return Ranking(cluster, rank, np.where(has_mean, 1 + losses, 0), worst_rank, wins, losses)

    def align_intervals(self, levels: IntervalLevels) -> Differences:
        """Move ends of intervals to 0 where the uncorrected p says that 0 is inside, or not beyond the end.

        An inverted test is the convex hull of the shifts that are not rejected; ties at 0, zeros that are dropped and
        Monte Carlo errors make 0 an exception. An end of 0 does not belong to the interval where p rejects 0.
        """

        def align(low: FloatArray, high: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
            """Leave no number beyond 0 in an interval where p rejects 0, and 0 in it where p does not."""
            rejected = is_significant(self.p, 1 - level)
            return (
                np.where(rejected & (self.effect > 0), np.maximum(low, 0.0), np.minimum(low, 0.0)),
                np.where(rejected & (self.effect < 0), np.minimum(high, 0.0), np.maximum(high, 0.0)),
            )

        if levels.single is None or levels.simultaneous is None:
            return self
        low, high = align(self.low, self.high, levels.single)
        low_all, high_all = align(self.low_all, self.high_all, levels.simultaneous)
        return replace(self, low=low, high=high, low_all=low_all, high_all=high_all)


def join_differences(blocks: Sequence[Differences]) -> Differences:
    """Join blocks of pairs; what is not an array is that of the first block."""
    joined: dict[str, Any] = {
        column.name: np.concatenate([getattr(block, column.name) for block in blocks])
        for column in fields(Differences)
        if isinstance(getattr(blocks[0], column.name), np.ndarray)
    }
    return replace(blocks[0], **joined)


class IntervalLevels(NamedTuple):
    """The confidence of an interval by itself, and of each where all hold together; None without intervals."""

    single: float | None
    simultaneous: float | None


def interval_levels(confidence: float | None, correction: str, n_pairs: int) -> IntervalLevels:
    """Levels of single and of simultaneous intervals (Bonferroni)."""
    if confidence is None:
        return IntervalLevels(None, None)
    n_corrected = 1 if correction == "none" else max(n_pairs, 1)
    return IntervalLevels(confidence, 1 - (1 - confidence) / n_corrected)


def rows_of_pairs(pairs: ArrayLike | None, n: int) -> tuple[IntArray, IntArray]:
    """Rows of the first and of the second of each pair: all of ``n`` rows, or the given ones."""
    if pairs is None:
        first, second = np.triu_indices(n, k=1)
        return first, second
    rows = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    return rows[:, 0], rows[:, 1]


def differences_by_t(
    pairs: tuple[IntArray, IntArray],
    difference: FloatArray,
    error: FloatArray,
    df: FloatArray,
    n: IntArray,
    *,
    flag: NDArray[np.str_],
    test: str,
    levels: IntervalLevels,
) -> Differences:
    """Test differences of ``n`` topics by their standard errors, NaN where unknown; p-values are not corrected."""
    tested = MeanDifferences(difference, error, df, n)
    with np.errstate(invalid="ignore", divide="ignore"):
        t = np.where((error == 0) & (difference == 0), 0.0, difference / error)
    p = tested.p()
    low, high = tested.interval(levels.single)
    low_all, high_all = tested.interval(levels.simultaneous)
    return Differences(
        first=pairs[0],
        second=pairs[1],
        difference=difference,
        low=low,
        high=high,
        low_all=low_all,
        high_all=high_all,
        effect=np.nan_to_num(difference),
        statistic=t,
        p=p,
        p_adjusted=p,
        flag=flag,
        test=test,
        correction="none",
        confidence=levels.single,
        n=n,
        n_used=n,
        error=error,
        df=df,
    )
