"""Wilcoxon's signed-rank test of many rows of differences at once: its p-values, and its intervals by inversion.

The sizes of a row's differences are ranked from 1, ties share the mean rank; W+ is the sum of the ranks of
positive differences. If every difference is as likely to be positive as negative, W+ has mean (sum r)/2 and
variance (sum r^2)/4, which is the textbook variance with its correction for ties.

The interval holds the shifts that the test does not reject (Hodges and Lehmann 1963).

Rankel (2016), sections 3.2 and 4.2 and appendix A; Rankel et al. (2011), section 2.

Departs from the paper: ties share their mean rank, as in its section 3.2.1 and appendix A.2, not the maximum rank
that section 4.2 prints.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import (
    midranks,
    round_to_zero,
    rounding_slack,
    rounding_slack_of_pairs,
    snap_ties,
)
from classy_aesop.significance.pairs.pair_statistics import PairOutcome, PairStatistic, Recipe, count_shared

MAX_DIFFERENCES_FOR_ALL_AVERAGES = 1_000
"""Of more differences Walsh averages are counted instead of computed."""

MAX_AVERAGES_AT_ONCE = 2_000_000
"""So many Walsh averages of several rows are held at once."""

EXACT_BELOW = 50
"""Samples of this size and more are compared with the normal distribution, as in R."""


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Signed ranks of rows of differences.

    Attributes
    ----------
    ranks : ndarray, shape (n_pairs, n_topics)
        Ranks to which random signs are given; 0 where a difference is missing or dropped.
    signed : ndarray, shape (n_pairs, n_topics)
        Ranks with the sign of the difference; 0 for zero differences.
    plus : ndarray, shape (n_pairs,)
        W+, the sum of the positive ranks and half of the ranks of zeros that were not dropped.
    total : ndarray, shape (n_pairs,)
        Sum of ``ranks``.
    variance : ndarray, shape (n_pairs,)
        Of W+ when signs are random.
    n : ndarray of int, shape (n_pairs,)
        Nonzero differences.
    tied : ndarray of bool, shape (n_pairs,)
        Whether there are ties or zeros.
    """

    ranks: FloatArray
    signed: FloatArray
    plus: FloatArray
    total: FloatArray
    variance: FloatArray
    n: IntArray
    tied: BoolArray


def signed_ranks(x: FloatArray, y: FloatArray, recipe: Recipe) -> SignedRanks:
    """Rank the differences ``x - y`` of each row, NaN left out.

    Shapes: ``x`` and ``y`` (n_pairs, n_topics).

    Examples
    --------
    >>> from classy_aesop.significance.pairs.pair_statistics import Recipe
    >>> signed_ranks(np.array([[3.0, 5, 2]]), np.array([[2.0, 2, 4]]), Recipe()).signed.tolist()
    [[1.0, 3.0, -2.0]]
    """
    z, slack = _round_differences(x, y, recipe)
    sizes = np.abs(z)
    is_ranked = sizes > 0
    largest = np.finfo(np.float64).max  # differences that are left out rank last
    ranks = np.where(is_ranked, midranks(np.where(is_ranked, sizes, largest), slack), 0.0)
    signed = ranks * np.sign(np.nan_to_num(z))
    n = np.count_nonzero(signed, axis=1)
    total = ranks.sum(axis=1)
    squares = np.einsum("ij,ij->i", ranks, ranks)
    return SignedRanks(
        ranks=ranks,
        signed=signed,
        plus=(total + signed.sum(axis=1)) / 2,
        total=total,
        variance=squares / 4,
        n=n,
        # 1..n have this sum of squares
        tied=(squares != n * (n + 1) * (2 * n + 1) / 6) | (z == 0).any(axis=1),
    )


def _round_differences(x: FloatArray, y: FloatArray, recipe: Recipe) -> tuple[FloatArray, FloatArray]:
    """Differences of rows, 0 where rounding explains them, and how much it explains, (n_pairs, 1)."""
    z = x - y if recipe.decimals is None else np.round(x - y, recipe.decimals)
    slack = rounding_slack_of_pairs(x, y) * recipe.rounding
    return round_to_zero(z, slack), slack


def is_exact(recipe: Recipe, n: ArrayLike, tied: ArrayLike) -> BoolArray:
    """Which samples of ``n`` differences, some of them with ties, are compared with their exact distribution."""
    is_small = np.greater(n, 0) & np.less(n, EXACT_BELOW)
    return is_small & (recipe.exact_with_ties | ~np.asarray(tied))


def signed_rank_distribution(ranks: IntArray) -> FloatArray:
    """Probability of each sum of positive ranks under random signs: one rank added after the other.

    Shapes: ``ranks`` (n,); gives (sum of ranks + 1,).

    Examples
    --------
    >>> signed_rank_distribution(np.array([1, 2])).tolist()
    [0.25, 0.25, 0.25, 0.25]
    """
    probabilities = np.zeros(int(ranks.sum()) + 1)
    probabilities[0] = 1.0
    largest_sum = 0
    for rank in np.sort(ranks).tolist():
        largest_sum += rank
        probabilities[rank : largest_sum + 1] += probabilities[: largest_sum + 1 - rank]
        probabilities[: largest_sum + 1] *= 0.5
    return probabilities


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
        if has_ties and is_exact(recipe, n, has_ties):
            ends[:, row] = exact_ends(differences, level)
            continue
        tie_sizes = np.unique(differences, return_counts=True)[1]
        order = _smallest_accepted_sum(n, tie_sizes, recipe, level)
        ends[:, row] = _order_walsh_averages(differences[None], order)[:, 0] if order else (-np.inf, np.inf)
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
    for n in np.unique(n_differences[n_differences > 0]).tolist():
        n_averages = n * (n + 1) // 2
        rows = np.flatnonzero(n_differences == n)
        for some in np.array_split(rows, math.ceil(len(rows) * n_averages / MAX_AVERAGES_AT_ONCE)):
            middle = _order_walsh_averages(z[some, :n], (n_averages + 1) // 2)
            shift[some] = np.mean(middle, axis=0)
    return shift


def _ranked_differences(x: FloatArray, y: FloatArray, recipe: Recipe) -> tuple[FloatArray, IntArray]:
    """Sort the differences of each row that signed ranks use, those that are missing or dropped last; their number."""
    z, _ = _round_differences(x, y, recipe)
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
    ranks = midranks(np.abs(z))
    return min(1.0, 2 * min(_exact_tails(ranks, ranks[z > 0].sum())))


def _exact_tails(ranks: FloatArray, plus: float) -> tuple[float, float]:
    """Probabilities of a sum of positive ranks as low and as high as ``plus``; both contain it.

    Halved ranks of zeros may put it between two possible sums: then it is in neither tail.
    """
    doubled_ranks = np.rint(2 * np.sort(ranks[ranks > 0])).astype(np.int64)
    tail = _lower_tail(tuple(doubled_ranks.tolist()))
    return float(tail[math.floor(2 * plus)]), float(tail[len(tail) - 1 - math.ceil(2 * plus)])


@lru_cache(maxsize=4096)
def _lower_tail(ranks: tuple[int, ...]) -> FloatArray:
    """Probability of each sum of ranks, or of doubled ones, or less."""
    return np.cumsum(signed_rank_distribution(np.array(ranks, dtype=np.int64)))


def _smallest_accepted_sum(n: int, tie_sizes: IntArray, recipe: Recipe, level: float) -> int:
    """Smallest W+ that is not significant with n differences, equal ones in groups of these sizes."""
    from scipy.special import ndtri

    if is_exact(recipe, n, len(tie_sizes) < n):
        return int(np.argmax(~is_significant(2 * _lower_tail(tuple(range(1, n + 1))), 1 - level)))
    largest_sum = n * (n + 1) / 2
    variance = n * (n + 1) * (2 * n + 1) / 24 - (tie_sizes**3 - tie_sizes).sum() / 48
    largest_significant = (largest_sum - recipe.continuity) / 2 + ndtri((1 - level) / 2) * np.sqrt(variance)
    return max(0, int(np.floor(largest_significant)) + 1)


def _order_walsh_averages(z: FloatArray, order: int) -> FloatArray:
    """The smallest and the largest but ``order`` - 1 mean of two of the sorted z of each row, or of one with itself.

    Shapes: ``z`` (n_rows, n); gives (2, n_rows).
    """
    n = z.shape[1]
    if n > MAX_DIFFERENCES_FOR_ALL_AVERAGES:
        ends = [(_bisect_walsh_averages(row, order), -_bisect_walsh_averages(-row[::-1], order)) for row in z]
        return np.transpose(ends)
    first, second = np.triu_indices(n)
    averages = (z[:, first] + z[:, second]) / 2
    positions = (order - 1, averages.shape[1] - order)
    averages.partition(positions, axis=1)
    return averages[:, positions].T


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


def _wilcoxon_outcome(x: FloatArray, y: FloatArray, recipe: Recipe) -> PairOutcome:
    """Test by signed ranks; the effect is the share of positive ranks less that of negative ones.

    The difference is the shift that the test is of, not that of the means.
    """
    ranks = signed_ranks(x, y, recipe)
    has_ranks = ranks.total > 0
    rank_biserial = 2 * ranks.plus / np.where(has_ranks, ranks.total, 1.0) - 1
    return PairOutcome(
        n=count_shared(x, y),
        n_used=ranks.n,
        difference=signed_rank_shift(x, y, recipe),
        statistic=ranks.plus,
        effect=np.where(has_ranks, rank_biserial, 0.0),
        same=ranks.n == 0,
        p=_p_of_signed_ranks(ranks, recipe),
        interval=partial(signed_rank_interval, x, y, recipe),
    )


def _p_of_signed_ranks(ranks: SignedRanks, recipe: Recipe) -> FloatArray:
    """Two-sided p-value of each row, shape (n_pairs,); 1 where no difference is left."""
    from scipy.special import ndtr

    deviation = ranks.plus - ranks.total / 2
    correction = 0.5 * recipe.continuity * np.sign(deviation)
    z = (deviation - correction) / np.sqrt(np.where(ranks.n > 0, ranks.variance, 1.0))
    lower = ndtr(z)
    upper = ndtr(-z)
    for row in np.flatnonzero(is_exact(recipe, ranks.n, ranks.tied)):
        lower[row], upper[row] = _exact_tails(ranks.ranks[row], ranks.plus[row])
    # the observed value is in both tails
    return np.where(ranks.n == 0, 1.0, np.minimum(2 * np.minimum(lower, upper), 1.0))


def _reverse_rank_sums(plus: FloatArray, n_used: IntArray) -> FloatArray:
    """Give the sums of negative ranks from those of positive ones."""
    return n_used * (n_used + 1) / 2 - plus


WILCOXON = PairStatistic(
    "wilcoxon",
    _wilcoxon_outcome,
    about="Wilcoxon's signed ranks of the differences by topic",
    is_of_signs=True,
    reverse=_reverse_rank_sums,
)
