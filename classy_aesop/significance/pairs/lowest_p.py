"""How small can p be? The lowest p-values that so few topics allow, whatever their scores.

Signed ranks have 2^n equally likely signs, so that no two-sided p of n nonzero differences is below 2/2^n, and
resamples count the observed scores among them. The t-tests and the additive model have no such limit. A difference
whose lowest corrected p is above alpha cannot be significant, whatever its size.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import FloatArray, score_matrix
from classy_aesop.significance.differences import Differences
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs, statistic_of_test
from classy_aesop.significance.pairs.pair_statistics import Recipe, get_recipe


def lowest_p_of_signs(n: ArrayLike) -> FloatArray:
    """Lowest two-sided p of n nonzero differences by exact signed ranks or sign flips, 2/2^n; 1 without any.

    Examples
    --------
    >>> lowest_p_of_signs([0, 1, 5, 6]).tolist()
    [1.0, 1.0, 0.0625, 0.03125]
    """
    return np.asarray(np.minimum(1.0, np.exp2(1.0 - np.minimum(np.asarray(n, dtype=np.float64), 1_000))))


def lowest_possible_p(
    X: ArrayLike, tests: Differences, *, preset: str | Recipe = "standard", correction: str | None = None
) -> FloatArray:
    """Lowest p-value that each pair could have with its nonzero differences, corrected for all pairs.

    The sizes of the differences are given; their signs are the most favourable ones. All pairs are assumed to have
    their lowest p, which is the best case of every correction.

    Shapes: ``X`` (n_summarizers, n_topics); gives (n_pairs,).

    Examples
    --------
    >>> X = [[3, 4, 4, 5, 4], [2, 2, 5, 3, 4], [1, 1, 2, 2, 1]]
    >>> lowest_possible_p(X, compare_pairs(X, test="wilcoxon"), correction="none").tolist()
    [0.125, 0.0625, 0.0625]
    """
    lowest = np.zeros(len(tests.first))
    if tests.n_resamples:
        lowest = np.full(len(tests.first), 1 / (tests.n_resamples + 1))
    statistic = statistic_of_test(tests.test)
    if tests.test.startswith("mc_") or (statistic is not None and statistic.is_of_signs):
        recipe = get_recipe(preset)
        p_of_signs = lowest_p_of_signs(tests.n_used)
        if recipe.exact in ("auto", "never") and not tests.n_resamples:
            p_of_signs = _p_of_equal_signs(score_matrix(X), tests, recipe)
        lowest = np.maximum(lowest, p_of_signs)
    lowest = np.where((tests.flag == "") | (tests.p < 1), lowest, 1.0)
    return adjust_p_values(lowest, correction=tests.correction if correction is None else correction)


MAX_LIMITED_DIFFERENCES = 50
"""Of more differences the approximate p of the same signs is below 1e-9."""


def _p_of_equal_signs(X: FloatArray, tests: Differences, recipe: Recipe) -> FloatArray:
    """Test the sizes of the differences, all of one sign: the lowest p of an approximation under their ties."""
    lowest = np.zeros(len(tests.first))
    limited = np.flatnonzero(tests.n_used < MAX_LIMITED_DIFFERENCES)
    if limited.size:
        sizes = np.abs(X[tests.first[limited]] - X[tests.second[limited]])
        n_limited = len(limited)
        # each row of sizes against a row of zeros, the last one
        rows = np.concatenate([sizes, np.zeros((1, X.shape[1]))])
        pairs = np.stack([np.arange(n_limited), np.full(n_limited, n_limited)], axis=1)
        lowest[limited] = compare_pairs(
            rows, test=tests.test, preset=recipe, pairs=pairs, correction="none", confidence=None
        ).p
    return lowest
