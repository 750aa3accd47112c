"""Summarizers against summarizers: is one better on the topics that both have?

Three tests, ``unpaired_t``, ``paired_t`` and ``wilcoxon`` (signed ranks), compare one pair or all pairs of a score
matrix at once. Each gives an effect size, an interval for the mean difference and p-values corrected for the
family. What a further test has to declare is in :mod:`classy_aesop.significance.pairs.pair_statistics`.

Rankel et al. (2011), section 2; Rankel (2016), chapters 3 and 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    Result,
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

#: The tests of pairs by name.
PAIR_TESTS: dict[str, PairStatistic] = {"unpaired_t": UNPAIRED_T, "paired_t": PAIRED_T, "wilcoxon": WILCOXON}

_COLUMNS = ("n", "n_used", "difference", "statistic", "effect")  # of an outcome, as they are
_CELLS = 15_000  # score cells tested at once: small arrays stay in the cache and cost no page faults


@dataclass(frozen=True, slots=True)
class PairTests(Result):
    """Tests of pairs of summarizers; arrays of shape (n_pairs,).

    Attributes
    ----------
    first, second : ndarray of int
        Rows of the score matrix; differences are first less second.
    n, n_used : ndarray of int
        Topics that both wrote, and that the statistic rests on: for signed ranks those with a nonzero difference.
    difference : ndarray
        Mean difference over the shared topics; NaN without any.
    low, high : ndarray
        Confidence interval of the test, uncorrected: the shifts of the first that it does not reject. By t around
        the mean difference; by signed ranks around the median of Walsh averages (Hodges and Lehmann), which a skewed
        mean may leave. 0 is outside exactly where the uncorrected two-sided p is at most 1 - ``confidence``, also for
        the p of resamples; an end that is 0 and rejected is the next float.
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
    confidence: float | None = 0.95,
) -> PairTests:
    """Test all pairs of summarizers, or those given, on the topics that both have.

    p is 1, with a flag, where fewer than two topics are shared or nothing differs.

    Raises ValueError for unknown names, a confidence out of range, pairs that are not rows of ``X``, or
    infinite scores.

    Parameters
    ----------
    test : str
        A name of ``PAIR_TESTS``: "unpaired_t", "paired_t" or "wilcoxon".
    pairs : array_like of int, shape (n_pairs, 2), optional
        Rows to compare; by default every row with every later one.
    preset : {"standard", "rankel2011", "rankel2013", "pratt", "split-zeros"} or Recipe
        How the test is computed, see :mod:`classy_aesop.significance.pairs.pair_statistics`.
    alternative : {"two-sided", "greater", "less"}
        What is tested of first less second.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the family of all pairs tested here.
    confidence : float or None
        Of the intervals for the mean difference; with None they are NaN. Those of signed ranks take most of the time.

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4, 3], [2, 3, 2, 4, 2, 2], [3, 4, 4, 5, 4, 3]]
    >>> found = compare_pairs(X, test="paired_t")
    >>> found.p_adjusted.round(4).tolist(), found.flag.tolist()
    ([0.0044, 1.0, 0.0044], ['', 'no difference', ''])
    """
    check_choice(test, PAIR_TESTS, "test")
    check_choice(alternative, ALTERNATIVES, "alternative")
    if confidence is not None:
        check_share(confidence, "confidence")
    X, recipe = score_matrix(X), get_recipe(preset)
    first, second = rows_of_pairs(pairs, len(X))
    levels = interval_levels(confidence, correction, len(first))
    parts = [
        _tested(X[first[part]], X[second[part]], PAIR_TESTS[test], recipe, alternative, levels)
        for part in batch_slices(max(len(first), 1), max(1, _CELLS // max(1, X.shape[1])))
    ]
    columns: dict[str, Any] = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    two_sided, p_adjusted = columns.pop("two_sided"), adjust_p_values(columns["p"], correction=correction)
    found = PairTests(
        test, alternative, correction, first, second, p_adjusted=p_adjusted, confidence=confidence, **columns
    )
    return replace(found, **align_intervals(found, two_sided))


def rows_of_pairs(pairs: ArrayLike | None, n: int) -> tuple[IntArray, IntArray]:
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
    levels: Mapping[str, float | None],
) -> dict[str, Any]:
    """Test pairs: the columns of `PairTests` that need no other pair, and the two-sided p as ``two_sided``.

    TypeError or ValueError if what the test gives is no outcome, has other shapes, or lacks the p of two who differ.
    """
    found = test.outcome(x, y, recipe)
    if not isinstance(found, PairOutcome):
        raise TypeError(f"test {test.name} gives {type(found).__name__}; expected a PairOutcome")
    few, columns = found.n < 2, {name: getattr(found, name) for name in _COLUMNS}
    by_side = {
        side: np.where(few | found.same | np.isinf(found.statistic), 1.0, found.p(side))
        for side in {alternative, "two-sided"}
    }
    columns |= {"p": by_side[alternative], "two_sided": by_side["two-sided"]}
    for name, values in columns.items():
        if np.shape(values) != (len(x),):
            raise ValueError(
                f"test {test.name} gives {name} of shape {np.shape(values)}; expected ({len(x)},)"
            )
    wrong = columns["p"][~((columns["p"] >= 0) & (columns["p"] <= 1))]
    if wrong.size:
        raise ValueError(f"test {test.name} gives p {wrong[0]:g}; expected 0 to 1 where the two differ")
    none = np.full((2, len(x)), np.nan)
    ends = {level: none if level is None else found.interval(level) for level in set(levels.values())}
    constant = np.isinf(found.statistic)
    for of, level in levels.items():
        low, high = ends[level]
        columns[f"low{of}"] = np.where(constant & ~np.isnan(low), -np.inf, low)
        columns[f"high{of}"] = np.where(constant & ~np.isnan(high), np.inf, high)
    reasons = [few, found.same, np.isinf(found.statistic)]
    return columns | {"flag": np.select(reasons, [TOO_FEW_TOPICS, NO_DIFFERENCE, CONSTANT_DIFFERENCE], "")}


def interval_levels(confidence: float | None, correction: str, n_pairs: int) -> dict[str, float | None]:
    """Give the confidence of an interval by itself, and of each where all are to hold together (Bonferroni)."""
    if confidence is None:
        return {"": None, "_all": None}
    return {"": confidence, "_all": 1 - (1 - confidence) / (1 if correction == "none" else max(n_pairs, 1))}


def align_intervals(found: PairTests, p: FloatArray) -> dict[str, Any]:
    """Move each end that is on the other side of 0 than the two-sided p has it, to 0 or just past it.

    An inverted test is the convex hull of the shifts that are not rejected; ties at 0, zeros that are dropped and
    Monte Carlo errors make 0 an exception.
    """
    ends: dict[str, Any] = {}
    for of, level in interval_levels(found.confidence, found.correction, len(p)).items():
        if level is None:
            continue
        low, high, rejected = (
            getattr(found, f"low{of}"),
            getattr(found, f"high{of}"),
            is_significant(p, 1 - level),
        )
        ends[f"low{of}"] = end_beyond(low, 0.0, rejected & (found.effect > 0))
        ends[f"high{of}"] = -end_beyond(-high, 0.0, rejected & (found.effect < 0))
    return ends


def end_beyond(low: FloatArray, at: float, rejected: BoolArray) -> FloatArray:
    """Give lower ends that are above a value exactly where it is rejected."""
    return np.where(rejected, np.maximum(low, np.nextafter(at, np.inf)), np.minimum(low, at))


def batch_slices(n: int, step: int) -> Iterator[slice]:
    """Cut ``n`` items into parts of ``step`` that are worked on at once."""
    return (slice(start, start + step) for start in range(0, n, step))
