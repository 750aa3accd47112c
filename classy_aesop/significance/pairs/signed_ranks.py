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

from collections.abc import Iterator
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
from classy_aesop.significance.pairs.pair_statistics import PairOutcome, PairStatistic, count_shared

MAX_DIFFERENCES_FOR_ALL_AVERAGES = 1_000
"""Of more differences Walsh averages are counted instead of computed."""

EXACT_BELOW = 50
"""Samples of this size and more are compared with the normal distribution, as in R."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the signed-rank test is computed.

    Attributes
    ----------
    exact_with_ties : bool
        Use the exact distribution of fewer than 50 differences even if some are tied or zero, as ``wilcox.exact`` of
        exactRankTests. Off: they are compared with the normal distribution, as more differences always are, the rule
        of R's ``wilcox.test``.
    continuity : bool
        Move the rank sum half a step towards its mean before the normal distribution is used.
    rounding : bool
        Treat differences that rounding explains as zeros, and sizes that differ by no more as ties, see
        :mod:`classy_aesop.significance.equality`. Off: floats are compared as they are, as in R.
    decimals : int or None
        Round differences to so many decimals first.
    """

    exact_with_ties: bool = True
    continuity: bool = True
    rounding: bool = True
    decimals: int | None = None


RECIPES = {
    "standard": Recipe(),
    "rankel2011": Recipe(exact_with_ties=False, rounding=False),
    "rankel2013": Recipe(continuity=False, decimals=3),
}
"""Recipes by name.

``standard``: exact signed ranks, also under ties; ``rankel2011``: R's defaults on floats as they are,
which give the counts of Rankel et al. (2011), Tables 1-2, so that signed ranks change with the unit of the scores;
``rankel2013``: the exact distribution also under ties, differences rounded to three decimals, which gives the manual
positives of Rankel et al. (2013), Table 1 (round manual scores only: metrics' scores that differ would be tied).
"""


@dataclass(frozen=True, slots=True)
class SignedRanks:
    """Signed ranks of rows of differences.

    Attributes
    ----------
    signed : ndarray, shape (n_pairs, n_topics)
        Ranks with the sign of the difference; 0 where it is 0 or missing.
    plus : ndarray, shape (n_pairs,)
        W+, the sum of the positive ranks.
    total : ndarray, shape (n_pairs,)
        Sum of all ranks.
    variance : ndarray, shape (n_pairs,)
        Of W+ when signs are random.
    n : ndarray of int, shape (n_pairs,)
        Nonzero differences.
    tied : ndarray of bool, shape (n_pairs,)
        Whether there are ties or zeros.
    """

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
    ends = np.full((2, len(x)), np.nan)
    for row, differences in _ranked_differences(x, y, recipe):
        n = len(differences)
        values, tie_sizes = np.unique(differences, return_counts=True)
        has_ties = len(values) < n
        if has_ties and is_exact(recipe, n, has_ties):
            ends[:, row] = exact_ends(differences, level)
            continue
        order = _smallest_accepted_sum(n, tie_sizes, recipe, level)
        ends[:, row] = _order_walsh_averages(differences, order) if order else (-np.inf, np.inf)
    return ends[0], ends[1]


def signed_rank_shift(x: FloatArray, y: FloatArray, recipe: Recipe) -> FloatArray:
    """Shift between rows of paired scores that signed ranks estimate: the median of Walsh averages.

    Of the differences that are ranked: where zeros are dropped, the shift is that of the topics that differ.

    Shapes: gives (n_pairs,).

    Examples
    --------
    >>> signed_rank_shift(np.array([[1.0, 2, 4, 0]]), np.zeros((1, 4)), Recipe()).tolist()
    [2.25]
    """
    shift = np.where(np.isnan(x + y).all(axis=1), np.nan, 0.0)
    for row, differences in _ranked_differences(x, y, recipe):
        n_averages = len(differences) * (len(differences) + 1) // 2
        shift[row] = np.mean(_order_walsh_averages(differences, (n_averages + 1) // 2))
    return shift


def _ranked_differences(x: FloatArray, y: FloatArray, recipe: Recipe) -> Iterator[tuple[int, FloatArray]]:
    """Give the rows with differences that signed ranks use, neither missing nor dropped, and these, ascending."""
    z, _ = _round_differences(x, y, recipe)
    is_ranked = np.abs(z) > 0
    for row in np.flatnonzero(is_ranked.any(axis=1)).tolist():
        yield row, np.sort(z[row, is_ranked[row]])


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
    """Probabilities of a sum of positive ranks as low and as high as ``plus``; both contain it."""
    doubled_ranks = np.rint(2 * np.sort(ranks[ranks > 0])).astype(np.int64)
    tail = _lower_tail(tuple(doubled_ranks.tolist()))
    doubled_plus = round(2 * plus)
    return float(tail[doubled_plus]), float(tail[len(tail) - 1 - doubled_plus])


@lru_cache(maxsize=4096)
def _lower_tail(ranks: tuple[int, ...]) -> FloatArray:
    """Probability of each sum of ascending positive ranks, or of doubled ones, or less: one rank added after the other.

    Examples
    --------
    >>> _lower_tail((1, 2)).tolist()
    [0.25, 0.5, 0.75, 1.0]
    """
    probabilities = np.zeros(sum(ranks) + 1)
    probabilities[0] = 1.0
    largest_sum = 0
    for rank in ranks:
        largest_sum += rank
        probabilities[rank : largest_sum + 1] += probabilities[: largest_sum + 1 - rank]
        probabilities[: largest_sum + 1] *= 0.5
    return np.cumsum(probabilities)


def _smallest_accepted_sum(n: int, tie_sizes: IntArray, recipe: Recipe, level: float) -> int:
    """Smallest W+ that is not significant with n differences, equal ones in groups of these sizes."""
    from scipy.special import ndtri

    if is_exact(recipe, n, len(tie_sizes) < n):
        return int(np.argmax(~is_significant(2 * _lower_tail(tuple(range(1, n + 1))), 1 - level)))
    largest_sum = n * (n + 1) / 2
    variance = n * (n + 1) * (2 * n + 1) / 24 - (tie_sizes**3 - tie_sizes).sum() / 48
    largest_significant = (largest_sum - recipe.continuity) / 2 + ndtri((1 - level) / 2) * np.sqrt(variance)
    return max(0, int(np.floor(largest_significant)) + 1)


def _order_walsh_averages(z: FloatArray, order: int) -> tuple[float, float]:
    """The smallest and the largest but ``order`` - 1 mean of two of the sorted z, or of one with itself."""
    n = len(z)
    if n > MAX_DIFFERENCES_FOR_ALL_AVERAGES:
        return _bisect_walsh_averages(z, order), -_bisect_walsh_averages(-z[::-1], order)
    first, second = np.triu_indices(n)
    averages = (z[first] + z[second]) / 2
    low, high = (order - 1, len(averages) - order)
    averages.partition((low, high))
    return averages[low], averages[high]


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
        lower[row], upper[row] = _exact_tails(np.abs(ranks.signed[row]), ranks.plus[row])
    # the observed value is in both tails
    return np.where(ranks.n == 0, 1.0, np.minimum(2 * np.minimum(lower, upper), 1.0))


def _reverse_rank_sums(plus: FloatArray, n_used: IntArray) -> FloatArray:
    """Give the sums of negative ranks from those of positive ones."""
    return n_used * (n_used + 1) / 2 - plus


def signed_rank_test(recipe: Recipe) -> PairStatistic:
    """Give the test by signed ranks that are computed by a recipe."""
    return PairStatistic(
        "wilcoxon",
        partial(_wilcoxon_outcome, recipe=recipe),
        about="Wilcoxon's signed ranks of the differences by topic",
        is_of_signs=True,
        reverse=_reverse_rank_sums,
    )


WILCOXON = signed_rank_test(RECIPES["standard"])
