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
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import FloatArray, Result, score_matrix
from classy_aesop.significance.choices import ALPHA, Margin
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import (
    PairTests,
    align_lower_end,
    compare_pairs,
    rows_of_pairs,
)
from classy_aesop.significance.pairs.pair_statistics import Recipe

EQUIVALENT = "equivalent"
DIFFERENT = "different"
UNDECIDED = "undecided"
NOT_WORSE = "not worse"
NOT_BETTER = "not better"


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

    Returns
    -------
    EquivalenceTests
        Undecided, with a flag and p 1, where fewer than two topics are shared, all scores are the same, or a test that
        needs a variance has none because all differences are equal.

    Raises
    ------
    ValueError
        The margin does not contain 0, alpha is out of range, and as ``compare_pairs``.

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
    compare = partial(compare_pairs, test=test, preset=preset, correction="none")
    uncorrected = compare(X, pairs=rows, confidence=1 - 2 * alpha)
    difference = replace(
        uncorrected, correction=correction, p_adjusted=adjust_p_values(uncorrected.p, correction=correction)
    )

    def p_beyond(end: float, alternative: str) -> FloatArray:
        """Test whether the differences are beyond an end, by shifting the first of each pair by it."""
        shifted = np.concatenate([X, X - end])
        shifted_rows = np.add(rows, [len(X), 0])
        return compare(shifted, pairs=shifted_rows, alternative=alternative, confidence=None).p

    one_sided_p = []
    low = difference.low
    high = difference.high
    if np.isfinite(lower):
        p = p_beyond(lower, "greater")
        low = align_lower_end(low, lower, is_significant(p, alpha))
        one_sided_p.append(p)
    if np.isfinite(upper):
        p = p_beyond(upper, "less")
        high = -align_lower_end(-high, -upper, is_significant(p, alpha))
        one_sided_p.append(p)
    is_tested = difference.flag == ""
    largest_p = np.where(is_tested, np.max(one_sided_p, axis=0), 1.0)
    p_equivalence = adjust_p_values(largest_p, correction=correction)
    verdict = np.select(
        [is_significant(p_equivalence, alpha), difference.significant(alpha)],
        [verdict_within_margin(lower, upper), DIFFERENT],
        UNDECIDED,
    )
    return EquivalenceTests(
        lower=lower,
        upper=upper,
        alpha=alpha,
        difference=difference,
        p_equivalence=p_equivalence,
        low=np.where(is_tested | np.isnan(low), low, -np.inf),
        high=np.where(is_tested | np.isnan(high), high, np.inf),
        verdict=verdict,
    )


def verdict_within_margin(lower: float, upper: float, *, lower_is_better: bool = False) -> str:
    """The verdict on the first of a pair if the difference is between two numbers, one of which may be infinite.

    Parameters
    ----------
    lower, upper : float
        Ends of the margin.
    lower_is_better : bool
        Whether less is better.

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
