"""Are two summarizers equal for practical purposes? Two one-sided tests.

A test that finds no difference has not shown that there is none. Two summarizers are equivalent if two hypotheses
are rejected: that the first is worse by a margin or more, and that it is better by a margin or more. The margin, in
units of the scores, is the smallest difference that matters. Uncorrected, two summarizers are equivalent exactly if
the interval of confidence 1 - 2 alpha lies inside the margin: the difference, its error and its degrees of freedom are
those of the test of no difference, and only the number that it is compared with is another.

One side of the margin may be infinite: then only the other one is tested, and the first summarizer is not worse, or not
better, than the second by the margin or more (non-inferiority). The test is
:meth:`classy_aesop.significance.differences.Differences.equivalent`.

Schuirmann (1987), "A comparison of the two one-sided tests procedure and the power approach"; Lakens (2017).
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.choices import Margin

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
