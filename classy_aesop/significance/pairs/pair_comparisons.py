"""Summarizers against summarizers: is one better on the topics that both have?

Three tests, ``paired_t``, ``unpaired_t`` and ``wilcoxon`` (signed ranks), compare one pair or all pairs of a score
matrix at once. Each gives a difference with its interval, an effect size, and p-values corrected for the family. The
difference is that of the means; of signed ranks it is the shift that they test (Hodges and Lehmann). What a further
test has to declare is in :mod:`classy_aesop.significance.pairs.pair_statistics`.

Rankel et al. (2011), section 2; Rankel (2016), chapters 3 and 4.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    batch_slices,
    check_choice,
    check_share,
    score_matrix,
)
from classy_aesop.significance.choices import ALTERNATIVES
from classy_aesop.significance.differences import (
    Differences,
    IntervalLevels,
    interval_levels,
    join_differences,
    rows_of_pairs,
)
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


def compare_pairs(
    X: ArrayLike,
    *,
    test: str | PairStatistic = "paired_t",
    pairs: ArrayLike | None = None,
    preset: str | Recipe = "standard",
    alternative: str = "two-sided",
    correction: str = "holm",
    confidence: float | None = 0.95,
    pass_or_fail: bool = False,
) -> Differences:
    """Test all pairs of summarizers, or those given, on the topics that both have.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores, higher is better; NaN where missing.
    test : {"paired_t", "unpaired_t", "wilcoxon"} or PairStatistic
        A name of ``PAIR_TESTS``, or a test itself, such as that of scores of 0 and 1
        (:mod:`classy_aesop.significance.pairs.pass_rate_test`). Signed ranks (``wilcoxon``) test a shift, and
        ``difference`` is that shift.
    pairs : array_like of int, shape (n_pairs, 2), optional
        Rows to compare; by default every row with every later one.
    preset : {"standard", "rankel2011", "rankel2013"} or Recipe
        How the test is computed, see :mod:`classy_aesop.significance.pairs.pair_statistics`.
    alternative : {"two-sided", "greater", "less"}
        What is tested of the first less the second.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the family of all pairs tested here.
    confidence : float or None
        Of the intervals for the difference; with None they are NaN. Those of signed ranks take most of the time.
    pass_or_fail : bool
        Whether every score is 0 or 1, or a mean of such. A t-test then has exact bounds where all differences are
        equal, see :mod:`classy_aesop.significance.mean_differences`.

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
        check_choice(test, PAIR_TESTS, "test")
        test = PAIR_TESTS[test]
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
            test,
            recipe,
            alternative,
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
    recipe: Recipe,
    alternative: str,
    levels: IntervalLevels,
    *,
    pass_or_fail: bool,
) -> Differences:
    """Test pairs of rows of scores; p-values are not corrected.

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
    if outcome.n_discordant is not None:
        is_untested = has_few_topics
    p = np.where(is_untested, 1.0, outcome.p(alternative))
    two_sided_p = p if alternative == "two-sided" else np.where(is_untested, 1.0, outcome.p("two-sided"))
    _check_outcome(test.name, outcome, p, two_sided_p, len(x))
    low, high = _interval_of_outcome(outcome, levels.single, is_untested)
    low_all = low
    high_all = high
    if levels.simultaneous != levels.single:
        low_all, high_all = _interval_of_outcome(outcome, levels.simultaneous, is_untested)
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
        alternative=alternative,
        n=outcome.n,
        n_used=outcome.n_used,
        error=outcome.error,
        df=outcome.df,
        n_discordant=outcome.n_discordant,
    ).align_intervals(two_sided_p, levels)


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
