"""Are two summarizers equal for practical purposes? Two one-sided tests.

A test that finds no difference has not shown that there is none. Two summarizers are equivalent if two hypotheses
are rejected: that the first is worse by a margin or more, and that it is better by a margin or more. The margin, in
units of the scores, is the smallest difference that matters. Uncorrected, two summarizers are equivalent exactly if
the interval of confidence 1 - 2 alpha lies inside the margin: the difference, its error and its degrees of freedom are
those of the test of no difference, and only the number that it is compared with is another.

One side of the margin may be infinite: then only the other one is tested, and the first summarizer is not worse, or not
better, than the second by the margin or more (non-inferiority).

Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach"; Lakens (2017).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.significance.base import FloatArray, Result
from classy_aesop.significance.choices import ALPHA, Margin
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import PairTests

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
    p_equivalence : ndarray
        Corrected p-values: the larger of the two one-sided tests.
    low, high : ndarray
        Intervals of confidence 1 - 2 alpha: an end is inside the margin exactly where its own p is at most alpha. NaN
        with a flag.
    verdict : ndarray of str
        ``equivalent`` if p_equivalence <= alpha (though the difference may be real), else ``different`` if that test
        is significant, else ``undecided``. With a margin that is infinite above or below ``not worse`` or ``not
        better`` in place of the first.
    """

    lower: float
    upper: float
    alpha: float
    p_equivalence: FloatArray
    low: FloatArray
    high: FloatArray
    verdict: NDArray[np.str_]


def equivalence_pairs(tests: PairTests, margin: Margin, *, alpha: float = ALPHA) -> EquivalenceTests:
    """Test whether the differences of means that were tested are within a margin.

    Parameters
    ----------
    tests : PairTests
        Two-sided tests of differences of means: by a t-test of
        :func:`classy_aesop.significance.pairs.pair_comparisons.compare_pairs`, or in the additive model. Their
        correction is that of the p-values of equivalence too, which are a family of their own.
    margin : float or (float, float)
        Differences that do not matter: up to this size, or between two numbers around 0, one of which may be
        infinite.
    alpha : float
        Below 1/2.

    Returns
    -------
    EquivalenceTests
        Undecided, with p 1, where the tests have a flag: there is no error of the difference then.

    Raises
    ------
    ValueError
        The margin does not contain 0, alpha is out of range, or the tests are of signed ranks.

    Examples
    --------
    >>> from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
    >>> X = [[3, 4, 4, 5, 4, 3], [3.1, 4, 4.1, 4.9, 4, 3], [1, 2, 3, 3, 2, 1]]
    >>> equivalence_pairs(compare_pairs(X), 0.5).verdict.tolist()
    ['equivalent', 'different', 'different']
    """
    lower, upper = margin_ends(margin)
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha is {alpha}; expected above 0 and below 0.5")
    estimates = tests.estimates()
    one_sided_p = []
    if np.isfinite(lower):
        one_sided_p.append(estimates.p(lower, "greater"))
    if np.isfinite(upper):
        one_sided_p.append(estimates.p(upper, "less"))
    p_equivalence = adjust_p_values(np.max(one_sided_p, axis=0), correction=tests.correction)
    verdict = np.select(
        [is_significant(p_equivalence, alpha), tests.significant(alpha)],
        [verdict_within_margin(lower, upper), DIFFERENT],
        UNDECIDED,
    )
    low, high = estimates.interval(1 - 2 * alpha)
    return EquivalenceTests(
        lower=lower,
        upper=upper,
        alpha=alpha,
        p_equivalence=p_equivalence,
        low=low,
        high=high,
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
