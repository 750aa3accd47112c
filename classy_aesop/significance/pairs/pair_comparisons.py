"""Summarizers against summarizers: is one better on the topics that both have?

Three tests, ``paired_t``, ``unpaired_t`` and ``wilcoxon`` (signed ranks), compare one pair or all pairs of a score
matrix at once. Each gives a difference with its interval, an effect size, and p-values corrected for the family. The
difference is that of the means; of signed ranks it is the shift that they test (Hodges and Lehmann). What a further
test has to declare is in :mod:`classy_aesop.significance.pairs.pair_statistics`.

Rankel et al. (2011), section 2; Rankel (2016), chapters 3 and 4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.additive.estimated_differences import EstimatedDifferences
from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    batch_slices,
    check_choice,
    check_share,
    score_matrix,
)
from classy_aesop.significance.choices import ALPHA, ALTERNATIVES
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, NO_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_statistics import PairOutcome, PairStatistic, Recipe, get_recipe
from classy_aesop.significance.pairs.t_tests import PAIRED_T, UNPAIRED_T
from classy_aesop.significance.pairs.wilcoxon import WILCOXON

PAIR_TESTS: dict[str, PairStatistic] = {"unpaired_t": UNPAIRED_T, "paired_t": PAIRED_T, "wilcoxon": WILCOXON}
"""The tests of two summarizers by name."""


def statistic_of_test(test: str) -> PairStatistic | None:
    """Give the test of a name, which may begin with that of a resampling; None for one that is not by pairs of topics.

    Examples
    --------
    >>> statistic_of_test("mc_wilcoxon").name, statistic_of_test("additive")
    ('wilcoxon', None)
    """
    return PAIR_TESTS.get(test.removeprefix("mc_").removeprefix("hb_"))


CELLS_PER_BATCH = 15_000
"""Score cells tested at once: small arrays stay in the cache and cost no page faults."""


@dataclass(frozen=True, slots=True)
class PairTests(Result):
    """Tests of pairs of summarizers; arrays of shape (n_pairs,).

    Attributes
    ----------
    test : str
        The name of the test, after that of the resampling if there was one.
    alternative, correction : str
        What was tested, and how p-values are corrected.
    first, second : ndarray of int
        Rows of the score matrix; differences are first less second.
    n, n_used : ndarray of int
        Topics that both have, and that the statistic is computed from: for signed ranks those with a nonzero
        difference.
    difference : ndarray
        What is tested: the mean difference over the shared topics, or the shift of signed ranks; NaN without any.
    low, high : ndarray
        Confidence interval of the test, uncorrected: the shifts of the first that it does not reject. By t around
        the mean difference; by signed ranks around the median of Walsh averages (Hodges and Lehmann). 0 is
        outside exactly where the uncorrected two-sided p is at most
        1 - ``confidence``, also for the p of resamples; an end may be 0 and outside itself. NaN with a flag.
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
        Why a p-value does not come from a test, see :mod:`classy_aesop.significance.flags`; else empty.
    n_resamples : int
        Resamples of each p-value; 0 without resampling.
    confidence : float or None
        Of the intervals; None without.
    error, df : ndarray or None
        Of a t-test, whose difference a margin can be tested of: the standard error of the difference, and its degrees
        of freedom. The error is 0 where all differences are equal.
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
    confidence: float | None = 0.95
    error: FloatArray | None = None
    df: FloatArray | None = None

    def significant(self, alpha: float = ALPHA) -> BoolArray:
        """Which pairs differ significantly: adjusted p <= alpha, equal within rounding; (n_pairs,)."""
        return is_significant(self.p_adjusted, alpha)

    def estimates(self) -> EstimatedDifferences:
        """Give the differences of means with their errors; ValueError for a test of something else."""
        if self.error is None or self.df is None:
            raise ValueError(
                f"a margin is one of the difference of means, which {self.test} does not test; expected paired_t"
            )
        return EstimatedDifferences(
            self.first, self.second, self.n, self.difference, self.error, self.df, self.flag
        )


def compare_pairs(
    X: ArrayLike,
    *,
    test: str = "paired_t",
    pairs: ArrayLike | None = None,
    preset: str | Recipe = "standard",
    alternative: str = "two-sided",
    correction: str = "holm",
    confidence: float | None = 0.95,
    pass_or_fail: bool = False,
) -> PairTests:
    """Test all pairs of summarizers, or those given, on the topics that both have.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores, higher is better; NaN where missing.
    test : {"paired_t", "unpaired_t", "wilcoxon"}
        A name of ``PAIR_TESTS``. Signed ranks (``wilcoxon``) test a shift, and ``difference`` is that shift.
    pairs : array_like of int, shape (n_pairs, 2), optional
        Rows to compare; by default every row with every later one.
    preset : {"standard", "rankel2011", "rankel2013", "pratt"} or Recipe
        How the test is computed, see :mod:`classy_aesop.significance.pairs.pair_statistics`.
    alternative : {"two-sided", "greater", "less"}
        What is tested of the first less the second.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the family of all pairs tested here.
    confidence : float or None
        Of the intervals for the difference; with None they are NaN. Those of signed ranks take most of the time.
    pass_or_fail : bool
        Whether every score is 0 or 1, or a mean of such. A t-test then has exact bounds where all differences are
        equal, see :mod:`classy_aesop.significance.additive.equal_differences`.

    Returns
    -------
    PairTests
        p is 1, with a flag and no interval, where fewer than two topics are shared, nothing differs, or a t-test has no
        variance since all differences are equal.

    Raises
    ------
    ValueError
        A name is not known, a confidence is out of range, pairs are not rows of ``X``, or a score is infinite.

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4, 3], [2, 3, 2, 4, 2, 2], [3, 4, 4, 5, 4, 3]]
    >>> tests = compare_pairs(X)
    >>> tests.p_adjusted.round(4).tolist(), tests.flag.tolist()
    ([0.0044, 1.0, 0.0044], ['', 'no difference', ''])
    """
    check_choice(test, PAIR_TESTS, "test")
    check_choice(alternative, ALTERNATIVES, "alternative")
    if confidence is not None:
        check_share(confidence, "confidence")
    X = score_matrix(X)
    recipe = get_recipe(preset)
    first, second = rows_of_pairs(pairs, len(X))
    levels = interval_levels(confidence, correction, len(first))
    batch_size = max(1, CELLS_PER_BATCH // max(1, X.shape[1]))
    batches = [
        _test_batch(
            X[first[batch]],
            X[second[batch]],
            PAIR_TESTS[test],
            recipe,
            alternative,
            levels,
            pass_or_fail=pass_or_fail,
        )
        for batch in batch_slices(max(len(first), 1), batch_size)
    ]
    columns = _join_batches(batches)
    tests = PairTests(
        test,
        alternative,
        correction,
        first,
        second,
        n=columns.n,
        n_used=columns.n_used,
        difference=columns.difference,
        low=columns.low,
        high=columns.high,
        low_all=columns.low_all,
        high_all=columns.high_all,
        effect=columns.effect,
        statistic=columns.statistic,
        p=columns.p,
        p_adjusted=adjust_p_values(columns.p, correction=correction),
        flag=columns.flag,
        confidence=confidence,
        error=columns.error,
        df=columns.df,
    )
    return align_intervals(tests, columns.two_sided_p)


def rows_of_pairs(pairs: ArrayLike | None, n: int) -> tuple[IntArray, IntArray]:
    """Rows of the first and of the second of each pair: all of ``n`` rows, or the given ones, checked.

    Raises
    ------
    ValueError
        The pairs are not of shape (n_pairs, 2), or name other rows.
    """
    if pairs is None:
        first, second = np.triu_indices(n, k=1)
        return first, second
    rows = np.asarray(pairs)
    if rows.ndim != 2 or rows.shape[1] != 2 or (rows.size and rows.dtype.kind not in "iu"):
        raise ValueError(f"pairs have shape {rows.shape} and type {rows.dtype}; expected (n_pairs, 2) of int")
    if rows.size and not (rows.min() >= 0 and rows.max() < n):
        raise ValueError(f"pairs name rows {rows.min()} to {rows.max()}; expected 0 to {n - 1}")
    return rows[:, 0].astype(np.int64), rows[:, 1].astype(np.int64)


class _Columns(NamedTuple):
    """The columns of `PairTests` that need no other pair, and the two-sided p."""

    n: IntArray
    n_used: IntArray
    difference: FloatArray
    statistic: FloatArray
    effect: FloatArray
    p: FloatArray
    two_sided_p: FloatArray
    low: FloatArray
    high: FloatArray
    low_all: FloatArray
    high_all: FloatArray
    flag: NDArray[np.str_]
    error: FloatArray | None
    df: FloatArray | None


def _join_batches(batches: list[_Columns]) -> _Columns:
    """Join the columns of batches; those that a test lacks stay None."""
    columns: list[Any] = [
        None if column[0] is None else np.concatenate(column) for column in zip(*batches, strict=True)
    ]
    return _Columns(*columns)


def _test_batch(
    x: FloatArray,
    y: FloatArray,
    test: PairStatistic,
    recipe: Recipe,
    alternative: str,
    levels: IntervalLevels,
    *,
    pass_or_fail: bool,
) -> _Columns:
    """Test pairs of rows of scores.

    TypeError or ValueError if the test gives no outcome, one of other shapes, or no p of two that differ.
    """
    outcome = test.outcome(x, y, recipe)
    if not isinstance(outcome, PairOutcome):
        raise TypeError(f"test {test.name} gives {type(outcome).__name__}; expected a PairOutcome")
    has_few_topics = outcome.n < 2
    is_constant = np.isinf(outcome.statistic)
    is_untested = has_few_topics | outcome.same | is_constant
    if pass_or_fail and outcome.error is not None:
        is_untested = has_few_topics | (outcome.same & (outcome.error > 0))
    p = np.where(is_untested, 1.0, outcome.p(alternative))
    two_sided_p = p if alternative == "two-sided" else np.where(is_untested, 1.0, outcome.p("two-sided"))
    _check_outcome(test.name, outcome, p, two_sided_p, len(x))
    low, high = _interval_of_outcome(outcome, levels.single, is_untested)
    low_all = low
    high_all = high
    if levels.simultaneous != levels.single:
        low_all, high_all = _interval_of_outcome(outcome, levels.simultaneous, is_untested)
    reasons = [~is_untested, has_few_topics, outcome.same]
    return _Columns(
        n=outcome.n,
        n_used=outcome.n_used,
        difference=outcome.difference,
        statistic=outcome.statistic,
        effect=outcome.effect,
        p=p,
        two_sided_p=two_sided_p,
        low=low,
        high=high,
        low_all=low_all,
        high_all=high_all,
        flag=np.select(reasons, ["", TOO_FEW_TOPICS, NO_DIFFERENCE], CONSTANT_DIFFERENCE),
        error=outcome.error,
        df=outcome.df,
    )


def _check_outcome(
    test: str, outcome: PairOutcome, p: FloatArray, two_sided_p: FloatArray, n_pairs: int
) -> None:
    """Raise ValueError if a test gives arrays of other shapes, or a p that is no probability."""
    columns = {
        "n": outcome.n,
        "n_used": outcome.n_used,
        "difference": outcome.difference,
        "statistic": outcome.statistic,
        "effect": outcome.effect,
        "p": p,
        "two_sided": two_sided_p,
    }
    for name, values in columns.items():
        if np.shape(values) != (n_pairs,):
            raise ValueError(f"test {test} gives {name} of shape {np.shape(values)}; expected ({n_pairs},)")
    invalid = p[~((p >= 0) & (p <= 1))]
    if invalid.size:
        raise ValueError(f"test {test} gives p {invalid[0]:g}; expected 0 to 1 where the two differ")


def _interval_of_outcome(
    outcome: PairOutcome, level: float | None, is_untested: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Give the ends of the interval; NaN where nothing is tested, or without a level."""
    if level is None:
        return np.full(len(is_untested), np.nan), np.full(len(is_untested), np.nan)
    low, high = outcome.interval(level)
    return np.where(is_untested, np.nan, low), np.where(is_untested, np.nan, high)


class IntervalLevels(NamedTuple):
    """The confidence of an interval by itself, and of each where all hold together; None without intervals."""

    single: float | None
    simultaneous: float | None


def interval_levels(confidence: float | None, correction: str, n_pairs: int) -> IntervalLevels:
    """Levels of single and of simultaneous intervals (Bonferroni).

    Parameters
    ----------
    confidence : float or None
        Of an interval by itself.
    correction : str
        With "none" simultaneous intervals are the single ones.
    n_pairs : int
        Number of intervals.
    """
    if confidence is None:
        return IntervalLevels(None, None)
    n_corrected = 1 if correction == "none" else max(n_pairs, 1)
    return IntervalLevels(confidence, 1 - (1 - confidence) / n_corrected)


def align_intervals(tests: PairTests, p: FloatArray) -> PairTests:
    """Move ends of intervals to 0 where the two-sided p says that 0 is inside, or not beyond the end.

    An inverted test is the convex hull of the shifts that are not rejected; ties at 0, zeros that are dropped and
    Monte Carlo errors make 0 an exception. An end of 0 does not belong to the interval where p rejects 0.

    Parameters
    ----------
    tests : PairTests
        The tests with their intervals.
    p : ndarray, shape (n_pairs,)
        Two-sided p-values, uncorrected.

    Returns
    -------
    PairTests
    """
    levels = interval_levels(tests.confidence, tests.correction, len(p))
    if levels.single is None or levels.simultaneous is None:
        return tests
    low, high = _align_ends(tests.low, tests.high, tests.effect, is_significant(p, 1 - levels.single))
    low_all, high_all = _align_ends(
        tests.low_all, tests.high_all, tests.effect, is_significant(p, 1 - levels.simultaneous)
    )
    return replace(tests, low=low, high=high, low_all=low_all, high_all=high_all)


def _align_ends(
    low: FloatArray, high: FloatArray, effect: FloatArray, rejected: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Leave no number beyond 0 in an interval where p rejects 0, and 0 in it where p does not."""
    return (
        np.where(rejected & (effect > 0), np.maximum(low, 0.0), np.minimum(low, 0.0)),
        np.where(rejected & (effect < 0), np.minimum(high, 0.0), np.maximum(high, 0.0)),
    )
