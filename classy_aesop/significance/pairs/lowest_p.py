"""How small can p be? The lowest p-values that so few topics allow, whatever their scores.

Signed ranks have 2^n equally likely signs, so that no two-sided p of n nonzero differences is below 2/2^n. The t-tests
and the additive model have no such limit. A difference whose lowest corrected p is above alpha cannot be significant,
whatever its size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.differences import Differences
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import PAIR_TESTS


def lowest_p_of_signs(n: ArrayLike) -> FloatArray:
    """Lowest two-sided p of n nonzero differences by exact signed ranks or sign flips, 2/2^n; 1 without any.

    Examples
    --------
    >>> lowest_p_of_signs([0, 1, 5, 6]).tolist()
    [1.0, 1.0, 0.0625, 0.03125]
    """
    return np.asarray(np.minimum(1.0, np.exp2(1.0 - np.minimum(np.asarray(n, dtype=np.float64), 1_000))))


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
    statistic = PAIR_TESTS.get(tests.test)
    is_of_signs = statistic is not None and statistic.is_of_signs
    lowest = lowest_p_of_signs(tests.n_used) if is_of_signs else np.zeros(len(tests.first))
    lowest = np.where((tests.flag == "") | (tests.p < 1), lowest, 1.0)
    return adjust_p_values(lowest, correction=tests.correction if correction is None else correction)
