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

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import (
    ALPHA,
    FloatArray,
    IntArray,
    Result,
    is_significant,
    score_matrix,
)
from classy_aesop.significance.multiplicity import adjusted
from classy_aesop.significance.pairs import compare_pairs, pair_rows
from classy_aesop.significance.recipes import Recipe

EQUIVALENT, DIFFERENT, UNDECIDED = "equivalent", "different", "undecided"
NOT_WORSE, NOT_BETTER = "not worse", "not better"


#: Differences that do not matter: up to a size, or between two numbers.
Margin = float | tuple[float, float]


@dataclass(frozen=True, slots=True)
class EquivalenceTests(Result):
    """Equivalence and difference of pairs of summarizers; arrays of shape (n_pairs,).

    Attributes
    ----------
    test, correction : str
        As given.
    alpha, lower, upper : float
        As given; the margin reaches from ``lower`` to ``upper``.
    first, second : ndarray of int
        Rows of the score matrix; differences are first less second.
    n : ndarray of int
        Topics that both wrote.
    difference : ndarray
        Mean difference over them; NaN without any.
    low, high : ndarray
        Its uncorrected interval of confidence 1 - 2 alpha by t (paired; unpaired for the unpaired test).
    p_equivalence, p_difference : ndarray
        Corrected p-values: the larger of the two one-sided tests, and the two-sided test of no difference.
    verdict : ndarray of str
        ``equivalent`` if p_equivalence <= alpha (though the difference may be real: see p_difference), else
        ``different`` if p_difference <= alpha, else ``undecided``. With a margin that is infinite above or below
        ``not worse`` or ``not better`` in place of the first.
    flag : ndarray of str
        Why a p-value does not come from a real test, see :mod:`classy_aesop.significance.pairs`; else empty.
    """

    test: str
    correction: str
    alpha: float
    lower: float
    upper: float
    first: IntArray
    second: IntArray
    n: IntArray
    difference: FloatArray
    low: FloatArray
    high: FloatArray
    p_equivalence: FloatArray
    p_difference: FloatArray
    verdict: NDArray[np.str_]
    flag: NDArray[np.str_]


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
        As for :func:`classy_aesop.significance.pairs.compare_pairs`; p-values of equivalence and of
        difference are two families.
    alpha : float
        Below 1/2.

    Returns
    -------
    EquivalenceTests
        Undecided, with a flag, where fewer than two topics are shared. Where nothing varies the p-values are
        limits, with a flag.

    Raises
    ------
    ValueError
        For a margin without 0 inside, an alpha out of range, and as ``compare_pairs``.

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
    rows = np.stack(pair_rows(pairs, len(X)), axis=1)
    how: dict[str, Any] = {"test": test, "preset": preset, "correction": "none"}
    plain = compare_pairs(X, pairs=rows, confidence=1 - 2 * alpha, **how)
    p_difference = adjusted(plain.p, correction=correction)
    p_equivalence = adjusted(_p_beyond(X, (lower, upper), rows, how), correction=correction)
    same = ("first", "second", "n", "difference", "low", "high", "flag")
    return EquivalenceTests(
        test=test,
        correction=correction,
        alpha=alpha,
        lower=lower,
        upper=upper,
        p_equivalence=p_equivalence,
        p_difference=p_difference,
        verdict=np.select(
            [is_significant(p_equivalence, alpha), is_significant(p_difference, alpha)],
            [shown_within(lower, upper), DIFFERENT],
            UNDECIDED,
        ),
        **{name: getattr(plain, name) for name in same},
    )


def _p_beyond(
    X: FloatArray, margin: tuple[float, float], rows: IntArray, how: Mapping[str, Any]
) -> FloatArray:
    """Give the larger p of two tests: that the difference is at most ``lower``, and that it is at least ``upper``.

    The first of a pair is moved by the margin: "at most lower" becomes "at most 0".
    """
    sides = [
        compare_pairs(
            np.concatenate([X, X - end]), pairs=np.add(rows, [len(X), 0]), alternative=alternative, **how
        ).p
        for end, alternative in zip(margin, ("greater", "less"), strict=True)
        if np.isfinite(end)
    ]
    return np.asarray(np.max(sides, axis=0))


def shown_within(lower: float, upper: float) -> str:
    """Describe the first of a pair if the difference is between two numbers."""
    return NOT_WORSE if np.isinf(upper) else NOT_BETTER if np.isinf(lower) else EQUIVALENT


def margin_ends(margin: Margin) -> tuple[float, float]:
    """Give the two ends of a margin; ValueError unless 0 is inside and one of them finite."""
    lower, upper = margin if isinstance(margin, tuple) else (-margin, margin)
    if not (lower < 0 < upper and np.isfinite([lower, upper]).any()):
        raise ValueError(
            f"margin reaches from {lower} to {upper}; expected from below 0 to above 0, one of them finite"
        )
    return float(lower), float(upper)
