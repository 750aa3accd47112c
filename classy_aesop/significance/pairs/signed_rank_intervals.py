"""Confidence intervals by inverting the signed-rank test: the shifts that it does not reject.

Hodges and Lehmann (1963).
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import (
    midranks,
    round_to_zero,
    rounding_slack,
    rounding_slack_of_pairs,
    snap_ties,
)
from classy_aesop.significance.pairs.pair_statistics import (
    Recipe,
)
from classy_aesop.significance.pairs.signed_ranks import is_exact, signed_rank_distribution

MAX_DIFFERENCES_FOR_ALL_AVERAGES = 1_000
"""Of more differences Walsh averages are counted instead of computed."""


def signed_rank_interval(
    x: FloatArray, y: FloatArray, recipe: Recipe, level: float
) -> tuple[FloatArray, FloatArray]:
    """Confidence interval of the shift between rows of paired scores, by inverting the test.

    W+ of ``x - shift`` and ``y`` is the number of Walsh averages above the shift: the means of two differences, or of
    one with itself. So the ends are the a-th smallest and the a-th largest of them, a being the smallest W+ that is
    not significant (Hodges and Lehmann 1963). Where the exact distribution is used under ties, the distribution changes
    with the shift, and every shift is tested with its own, see :func:`exact_ends`.

    Shapes: ``x`` and ``y`` (n_pairs, n_topics); gives ``low, high`` (n_pairs,).
    """
    z, n_differences = _ranked_differences(x, y, recipe)
    ends = np.full((2, len(z)), np.nan)
    for row in np.flatnonzero(n_differences):
        n = int(n_differences[row])
        differences = z[row, :n]
        has_ties = bool((np.diff(differences) == 0).any())
        if has_ties and is_exact(recipe.exact, n, has_ties):
            ends[:, row] = exact_ends(differences, level)
            continue
        tie_sizes = np.unique(differences, return_counts=True)[1]
        order = _smallest_accepted_sum(n, tie_sizes, recipe, level)
        ends[:, row] = _order_walsh_averages(differences, order) if order else (-np.inf, np.inf)
    return ends[0], ends[1]


def signed_rank_shift(x: FloatArray, y: FloatArray, recipe: Recipe) -> FloatArray:
    """Shift between rows of paired scores that signed ranks estimate: the median of Walsh averages.

    Of the differences that are ranked: where zeros are dropped, the shift is that of the topics that differ.

    Shapes: gives (n_pairs,).

    Examples
    --------
    >>> from classy_aesop.significance.pairs.pair_statistics import Recipe
    >>> signed_rank_shift(np.array([[1.0, 2, 4, 0]]), np.zeros((1, 4)), Recipe()).tolist()
    [2.25]
    """
    z, n_differences = _ranked_differences(x, y, recipe)
    shift = np.where(np.isnan(x + y).all(axis=1), np.nan, 0.0)
    for row in np.flatnonzero(n_differences):
        n = int(n_differences[row])
        n_averages = n * (n + 1) // 2
        shift[row] = np.mean(_order_walsh_averages(z[row, :n], (n_averages + 1) // 2))
    return shift


def _ranked_differences(x: FloatArray, y: FloatArray, recipe: Recipe) -> tuple[FloatArray, IntArray]:
    """Sort the differences of each row that signed ranks use, those that are missing or dropped last; their number."""
    z = round_to_zero(x - y, rounding_slack_of_pairs(x, y) if recipe.rounding else np.zeros((len(x), 1)))
    if recipe.decimals is not None:
        z = np.round(z, recipe.decimals)
    z = np.sort(np.where(z == 0, np.nan, z), axis=1)
    return z, np.count_nonzero(~np.isnan(z), axis=1)


def exact_ends(z: FloatArray, level: float) -> tuple[float, float]:
    """Ends of the shifts of tied differences that the exact test does not reject.

    Between two neighbouring Walsh averages signs and ranks stay the same, so one shift of each gap is tested. p grows
    from the ends toward the middle but for small reversals, as ties move through the ranks; so the first gap that is
    not rejected is found by bisection, and gaps further out are tried while p is above half of the level.

    Shapes: ``z`` (n,).

    Examples
    --------
    >>> exact_ends(np.array([1.0, 1.0, 1.0, 2.0, 2.0, 3.0]), 0.95)
    (1.0, 3.0)
    """
    alpha = 1 - level
    if is_significant(2.0 ** (1 - len(z)), alpha):
        return _first_accepted(z, alpha), -_first_accepted(-z[::-1], alpha)
    return -np.inf, np.inf


def _first_accepted(z: FloatArray, alpha: float) -> float:
    """Lower end of the first gap between Walsh averages whose shift is not rejected."""
    averages = np.sort((z[:, None] + z)[np.triu_indices(len(z))] / 2)
    walsh = np.unique(snap_ties(averages, rounding_slack(z)))
    middles = (walsh[1:] + walsh[:-1]) / 2
    median = averages[len(averages) // 2]  # where p is about 1

    def p_of_gap(gap: int) -> float:
        return _exact_p(z - middles[gap])

    rejected_gap = -1  # below all averages every difference is positive
    accepted_gap = int(
        np.searchsorted(walsh, median - rounding_slack(z))
    )  # the gap above the median, not tried
    while accepted_gap - rejected_gap > 1:
        gap = (accepted_gap + rejected_gap) // 2
        if is_significant(p_of_gap(gap), alpha):
            rejected_gap = gap
        else:
            accepted_gap = gap
    outer = rejected_gap
    while outer >= 0 and (p := p_of_gap(outer)) > alpha / 2:
        if not is_significant(p, alpha):
            accepted_gap = outer
        outer -= 1
    return float(walsh[accepted_gap])


def _exact_p(z: FloatArray) -> float:
    """Two-sided exact p of nonzero differences."""
    doubled = np.rint(2 * midranks(np.abs(z))).astype(np.int64)
    twice_lower = 2 * _lower_tail(tuple(np.sort(doubled).tolist()))
    plus = int(doubled[z > 0].sum())
    return float(min(1.0, twice_lower[min(plus, int(doubled.sum()) - plus)]))


@lru_cache(maxsize=4096)
def _lower_tail(doubled: tuple[int, ...]) -> FloatArray:
    """Probability of each sum of doubled ranks or less."""
    return np.cumsum(signed_rank_distribution(np.array(doubled, dtype=np.int64)))


def _smallest_accepted_sum(n: int, tie_sizes: IntArray, recipe: Recipe, level: float) -> int:
    """Smallest W+ that is not significant with n differences, equal ones in groups of these sizes."""
    from scipy.special import ndtri

    if is_exact(recipe.exact, n, len(tie_sizes) < n):
        return int(np.argmax(~is_significant(_two_sided_p_of_sums(n), 1 - level)))
    largest_sum = n * (n + 1) / 2
    variance = n * (n + 1) * (2 * n + 1) / 24 - (tie_sizes**3 - tie_sizes).sum() / 48
    largest_significant = (largest_sum - recipe.continuity) / 2 + ndtri((1 - level) / 2) * np.sqrt(variance)
    return max(0, int(np.floor(largest_significant)) + 1)


@lru_cache(maxsize=1024)
def _two_sided_p_of_sums(n: int) -> FloatArray:
    """Two-sided p of each W+ up to its middle for ranks 1..n; above the middle it exceeds 1."""
    return 2 * np.cumsum(signed_rank_distribution(np.arange(1, n + 1)))


def _order_walsh_averages(z: FloatArray, order: int) -> tuple[float, float]:
    """The smallest and the largest but ``order`` - 1 mean of two of the sorted z, or of one with itself."""
    n = len(z)
    if n <= MAX_DIFFERENCES_FOR_ALL_AVERAGES:
        averages = (z[:, None] + z)[np.triu_indices(n)] / 2
        averages.partition((order - 1, len(averages) - order))
        return float(averages[order - 1]), float(averages[len(averages) - order])
    return _bisect_walsh_averages(z, order), -_bisect_walsh_averages(-z[::-1], order)


def _bisect_walsh_averages(z: FloatArray, order: int) -> float:
    """The smallest of very many Walsh averages but ``order`` - 1: the lowest value that so many do not exceed."""
    low = float(z[0])
    high = float(z[-1])
    while low < (middle := (low + high) / 2) < high:
        n_ordered_pairs = np.searchsorted(z, 2 * middle - z, side="right").sum()
        n_not_above = (n_ordered_pairs + np.searchsorted(z, middle, side="right")) // 2
        if n_not_above >= order:
            high = middle
        else:
            low = middle
    return high
