"""Are two summarizers equal for practical purposes? Two one-sided tests.

A test that finds no difference has not shown that there is none. Two summarizers are equivalent if two hypotheses
are rejected: that the first is worse by a margin or more, and that it is better by a margin or more. The margin, in
units of the scores, is the smallest difference that matters. With t-tests, two summarizers are equivalent exactly
if the interval of confidence 1 - 2 alpha lies inside the margin.

One side of the margin may be infinite: then only the other one is tested, and the first summarizer is not worse, or not
better, than the second by the margin or more (non-inferiority).

Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach"; Lakens (2017).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import FloatArray, Result, score_matrix
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import (
    PairTests,
    compare_pairs,
    end_beyond,
    rows_of_pairs,
)
from classy_aesop.significance.pairs.pair_statistics import Recipe

EQUIVALENT, DIFFERENT, UNDECIDED = "equivalent", "different", "undecided"
NOT_WORSE, NOT_BETTER = "not worse", "not better"


#: Differences that do not matter: up to a size, or between two numbers.
Margin = float | tuple[float, float]


@dataclass(frozen=True, slots=True)
class EquivalenceTests(Result):
    """Equivalence and difference of pairs of summarizers; arrays of shape (n_pairs,).

    Attributes
    ----------
    lower, upper, alpha : float
        As given; the margin reaches from ``lower`` to ``upper``.
    difference : PairTests
        The two-sided tests of no difference, with intervals of confidence 1 - 2 alpha.
    p_equivalence : ndarray
        Corrected p-values: the larger of the two one-sided tests.
    low, high : ndarray
        Intervals of confidence 1 - 2 alpha; an end is inside the margin exactly where its own p is at most alpha.
    verdict : ndarray of str
        ``equivalent`` if p_equivalence <= alpha (though the difference may be real), else ``different`` if that test
        is significant, else ``undecided``. With a margin that is infinite above or below ``not worse`` or ``not
        better`` in place of the first.
    """

    lower: float
    upper: float
    alpha: float
    difference: PairTests
    p_equivalence: FloatArray
    low: FloatArray
    high: FloatArray
    verdict: NDArray[np.str_]


def equivalence_pairs(
    X: ArrayLike,
    margin: Margin,
    *,
    test: str = "paired_t",
    pairs: ArrayLike | None = None,
    preset: str | Recipe = "standard",
    correction: str = "holm",
    alpha: float = ALPHA,
) -> EquivalenceTests:
    """Test all pairs of summarizers, or those given, for equivalence within a margin.

    Undecided, with a flag and p 1, where fewer than two topics are shared, all scores are the same, or a test that
    needs a variance has none because all differences are equal.

    Raises ValueError for a margin without 0 inside, an alpha out of range, and as ``compare_pairs``.

    Parameters
    ----------
    X : array_like, shape (n_summarizers, n_topics)
        Scores; NaN where missing. A pair is tested on the topics that both have.
    margin : float or (float, float)
        Differences that do not matter: up to this size, or between two numbers around 0, one of which may be
        infinite.
    test, pairs, preset, correction
        As for :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs`; p-values of equivalence and of
        difference are two families.
    alpha : float
        Below 1/2.

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4, 3], [3.1, 4, 4.1, 4.9, 4, 3], [1, 2, 3, 3, 2, 1]]
    >>> equivalence_pairs(X, 0.5).verdict.tolist()
    ['equivalent', 'different', 'different']
    """
    lower, upper = margin_ends(margin)
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha is {alpha}; expected above 0 and below 0.5")
    X = score_matrix(X)
    rows = np.stack(rows_of_pairs(pairs, len(X)), axis=1)
    how: dict[str, Any] = {"test": test, "preset": preset, "correction": "none"}
    plain = compare_pairs(X, pairs=rows, confidence=1 - 2 * alpha, **how)
    difference = replace(
        plain, correction=correction, p_adjusted=adjust_p_values(plain.p, correction=correction)
    )
    ends, sides = [plain.low, -plain.high], []
    for side, (end, alternative) in enumerate(((lower, "greater"), (upper, "less"))):
        if np.isfinite(end):  # the first of a pair is moved by it: "at most lower" becomes "at most 0"
            moved = np.concatenate([X, X - end]), np.add(rows, [len(X), 0])
            p = compare_pairs(moved[0], pairs=moved[1], alternative=alternative, confidence=None, **how).p
            ends[side] = end_beyond(ends[side], (-end if side else end), is_significant(p, alpha))
            sides.append(p)
    is_tested = difference.flag == ""
    p_equivalence = adjust_p_values(np.where(is_tested, np.max(sides, axis=0), 1.0), correction=correction)
    verdict = np.select(
        [is_significant(p_equivalence, alpha), difference.significant(alpha)],
        [verdict_within_margin(lower, upper), DIFFERENT],
        UNDECIDED,
    )
    low, high = (np.where(is_tested | np.isnan(end), end, -np.inf) for end in ends)
    return EquivalenceTests(lower, upper, alpha, difference, p_equivalence, low, -high, verdict)


def verdict_within_margin(lower: float, upper: float, *, lower_is_better: bool = False) -> str:
    """Describe the first of a pair if the difference is between two numbers.

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
            f"margin reaches from {lower} to {upper}; expected from below 0 to above 0, one of them finite"
        )
    return float(lower), float(upper)
