"""Summarizers against summarizers: is one better on the topics that both have?

Three tests, ``paired_t``, ``unpaired_t`` and ``wilcoxon`` (signed ranks), compare one pair or all pairs of a score
matrix at once. Each gives a difference with its interval, an effect size, and p-values corrected for the family. The
difference is that of the means; of signed ranks it is the shift that they test (Hodges and Lehmann). What a further
test has to declare is in :mod:`classy_aesop.significance.pairs.pair_statistics`.

Signed ranks of n nonzero differences have 2^n equally likely signs, so that no two-sided p is below 2/2^n. The t-tests
and the additive model have no such limit. A difference whose lowest corrected p is above alpha cannot be significant,
whatever its size.

Rankel et al. (2011), section 2; Rankel (2016), chapters 3 and 4. Two sections differ: the unpaired t pools the
variances, as in 4.2; with equally many topics the statistic is the same number, and only the degrees of freedom are
those of Welch in 3.7.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    batch_slices,
    score_matrix,
)
from classy_aesop.significance.differences import (
    Differences,
    IntervalLevels,
    interval_levels,
    join_differences,
    rows_of_pairs,
)
from classy_aesop.significance.equality import rounding_slack_of_pairs
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, NO_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.mean_differences import MeanDifferences
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_statistics import (
    PairOutcome,
    PairStatistic,
    difference_moments,
    row_moments,
)
from classy_aesop.significance.pairs.signed_ranks import WILCOXON


def _t_outcome(x: FloatArray, y: FloatArray, *, paired: bool) -> PairOutcome:
    """Test by Student's t: infinite if a difference never varies, 0 if there is none, NaN for fewer than two topics."""
    n, mean, root = difference_moments(x, y)
    shared = ~np.isnan(x + y)
    slack = rounding_slack_of_pairs(x, y)
    df: FloatArray = np.asarray(n - 1.0, dtype=np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        if not paired:
            root_x = row_moments(x, shared, n, slack[:, 0])[1]
            root_y = row_moments(y, shared, n, slack[:, 0])[1]
            root = np.hypot(root_x, root_y)
            df = 2 * df
        deviation = root / np.sqrt(np.where(n > 1, df, np.nan))
        error = deviation * np.sqrt((1 if paired else 2) / n)
        t = np.where((error == 0) & (mean == 0), 0.0, mean / error)
        effect = np.where(t == 0, 0.0, mean / deviation)
    tested = MeanDifferences(mean, error, df, n)
    return PairOutcome(
        n=n,
        n_used=n,
        difference=mean,
        statistic=t,
        effect=effect,
        same=np.all(~(np.abs(x - y) > slack), axis=1),
        p=tested.p(),
        interval=tested.interval,
        error=error,
        df=df,
    )


UNPAIRED_T = PairStatistic(
    "unpaired_t",
    partial(_t_outcome, paired=False),
    about="Student's t of the two means",
)

PAIRED_T = PairStatistic(
    "paired_t",
    partial(_t_outcome, paired=True),
    about="Student's t of the differences by topic",
)


PAIR_TESTS: dict[str, PairStatistic] = {"unpaired_t": UNPAIRED_T, "paired_t": PAIRED_T, "wilcoxon": WILCOXON}
"""The tests of two summarizers by name."""


CELLS_PER_BATCH = 15_000
"""Score cells tested at once: small arrays stay in the cache and cost no page faults."""


def compare_pairs(
    X: ArrayLike,
    *,
    test: str | PairStatistic = "paired_t",
    pairs: ArrayLike | None = None,
    correction: str = "holm",
    confidence: float | None = 0.95,
    pass_or_fail: bool = False,
) -> Differences:
    """Test all pairs of summarizers, or those given, on the topics that both have; two-sided.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores, higher is better; NaN where missing.
    test : {"paired_t", "unpaired_t", "wilcoxon"} or PairStatistic
        A name of ``PAIR_TESTS``, or a test itself, such as that of scores of 0 and 1
        (:mod:`classy_aesop.significance.pairs.pass_rate_test`) or signed ranks by the recipe of a paper
        (:func:`classy_aesop.significance.pairs.signed_ranks.signed_rank_test`). Signed ranks test a shift, and
        ``difference`` is that shift.
    pairs : array_like of int, shape (n_pairs, 2), optional
        Rows to compare; by default every row with every later one.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the family of all pairs tested here.
    confidence : float or None
        Of the intervals for the difference; with None they are NaN. Those of signed ranks take most of the time.
    pass_or_fail : bool
        Whether every score is 0 or 1, or a mean of such. A t-test then has exact bounds where all differences are
        equal, see :mod:`classy_aesop.significance.differences`.

    Returns
    -------
    Differences
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
    if not isinstance(test, PairStatistic):
        test = PAIR_TESTS[test]
    X = score_matrix(X)
    first, second = rows_of_pairs(pairs, len(X))
    levels = interval_levels(confidence, correction, len(first))
    batch_size = max(1, CELLS_PER_BATCH // max(1, X.shape[1]))
    batches = [
        _test_batch(
            X[first[batch]],
            X[second[batch]],
            test,
            levels,
            pass_or_fail=pass_or_fail,
        )
        for batch in batch_slices(max(len(first), 1), batch_size)
    ]
    tests = join_differences(batches)
    return replace(
        tests,
        first=first,
        second=second,
        correction=correction,
        p_adjusted=adjust_p_values(tests.p, correction=correction),
        confidence=confidence,
    )


def _test_batch(
    x: FloatArray,
    y: FloatArray,
    test: PairStatistic,
    levels: IntervalLevels,
    *,
    pass_or_fail: bool,
) -> Differences:
    """Test pairs of rows of scores; p-values are not corrected."""
    outcome = test.outcome(x, y)
    has_few_topics = outcome.n < 2
    is_constant = np.isinf(outcome.statistic)
    is_untested = has_few_topics | outcome.same | is_constant
    if pass_or_fail and outcome.error is not None:
        is_untested = has_few_topics | (outcome.same & (outcome.error > 0))
    if outcome.n_discordant is not None:
        is_untested = has_few_topics
    p = np.where(is_untested, 1.0, outcome.p)
    ends = {level: _interval_of_outcome(outcome, level, is_untested) for level in {*levels}}
    low, high = ends[levels.single]
    low_all, high_all = ends[levels.simultaneous]
    reasons = [~is_untested, has_few_topics, outcome.same]
    rows = np.arange(len(x))
    return Differences(
        first=rows,
        second=rows,
        difference=outcome.difference,
        low=low,
        high=high,
        low_all=low_all,
        high_all=high_all,
        effect=outcome.effect,
        statistic=outcome.statistic,
        p=p,
        p_adjusted=p,
        flag=np.select(reasons, ["", TOO_FEW_TOPICS, NO_DIFFERENCE], CONSTANT_DIFFERENCE),
        test=test.name,
        correction="none",
        n=outcome.n,
        n_used=outcome.n_used,
        error=outcome.error,
        df=outcome.df,
        n_discordant=outcome.n_discordant,
    ).align_intervals(levels)


def _interval_of_outcome(
    outcome: PairOutcome, level: float | None, is_untested: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Give the ends of the interval; NaN where nothing is tested, or without a level."""
    low, high = (np.nan, np.nan) if level is None else outcome.interval(level)
    return np.where(is_untested, np.nan, low), np.where(is_untested, np.nan, high)


def lowest_p_of_signs(n: ArrayLike) -> FloatArray:
    """Lowest two-sided p of n nonzero differences by exact signed ranks or sign flips, 2/2^n; 1 without any.

    Examples
    --------
    >>> lowest_p_of_signs([0, 1, 5, 6]).tolist()
    [1.0, 1.0, 0.0625, 0.03125]
    """
    return np.minimum(1.0, np.exp2(1.0 - np.minimum(np.asarray(n, dtype=np.float64), 1_000)))


def lowest_possible_p(tests: Differences, *, correction: str | None = None) -> FloatArray:
    """Lowest p-value that each pair could have with its nonzero differences, corrected for all pairs, (n_pairs,).

    The sizes of the differences are given; their signs are the most favourable ones. All pairs are assumed to have
    their lowest p, which is the best case of every correction.

    Examples
    --------
    >>> from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
    >>> X = [[3, 4, 4, 5, 4], [2, 2, 5, 3, 4], [1, 1, 2, 2, 1]]
    >>> lowest_possible_p(compare_pairs(X, test="wilcoxon"), correction="none").tolist()
    [0.125, 0.0625, 0.0625]
    """
    is_of_signs = tests.test in PAIR_TESTS and PAIR_TESTS[tests.test].is_of_signs
    lowest = lowest_p_of_signs(tests.n_used) if is_of_signs else np.zeros(len(tests.first))
    lowest = np.where((tests.flag == "") | (tests.p < 1), lowest, 1.0)
    return adjust_p_values(lowest, correction=tests.correction if correction is None else correction)
