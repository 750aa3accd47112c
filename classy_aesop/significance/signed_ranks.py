"""Wilcoxon's signed-rank test on many rows of differences at once.

The sizes of a row's differences are ranked from 1, ties share the mean rank; W+ is the sum of the ranks of
positive differences. If every difference is as likely to be positive as negative, W+ has mean (sum r)/2 and
variance (sum r^2)/4, which is the textbook variance with its correction for ties.

Rankel (2016), sections 3.2 and 4.2 and appendix A; Rankel et al. (2011), section 2.

Departs from the paper: ties share their mean rank, as in its section 3.2.1 and appendix A.2, not the maximum rank
that section 4.2 prints.

Departs from the paper: where topics are drawn (HB) the number of nonzero differences varies, so the sum of signed
ranks is divided by its standard deviation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    is_significant,
    midranks,
    settled,
    slack_of,
    slack_of_pairs,
    snapped,
)
from classy_aesop.significance.counted import exact_dtype
from classy_aesop.significance.pair_tests import (
    Floats,
    PairOutcome,
    PairStatistic,
    Recipe,
    SizeParts,
    moments_of_differences,
)

#: Samples of this size and more take the normal distribution, as in R.
EXACT_BELOW = 50

_ALL_WALSH = 1_000  # differences of which all averages are made; of more they are counted


@dataclass(frozen=True, slots=True)
class SignedRanks(Result):
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
    """Rank the differences ``x - y`` of each row, NaN left out; both of shape (n_pairs, n_topics)."""
    z = x - y
    if recipe.decimals is not None:
        z = np.round(z, recipe.decimals)
    sizes, slack = np.abs(z), slack_of_pairs(x, y) if recipe.rounding else 0.0
    zero = sizes <= slack
    ranked = sizes > slack if recipe.zero_method == "wilcox" else ~np.isnan(sizes)
    last = np.finfo(np.float64).max  # differences that are left out rank last
    ranks = np.where(ranked, midranks(np.where(ranked, sizes, last), slack), 0.0)
    if recipe.zero_method == "pratt":
        ranks[zero] = 0.0
    signed = np.where(zero, 0.0, np.copysign(ranks, z))
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
        tied=(squares != n * (n + 1) * (2 * n + 1) / 6) | zero.any(axis=1),  # 1..n have this sum of squares
    )


def _outcome(x: FloatArray, y: FloatArray, recipe: Recipe) -> PairOutcome:
    found, (n, difference, _) = signed_ranks(x, y, recipe), moments_of_differences(x, y)
    has_ranks = found.total > 0
    effect = np.where(has_ranks, 2 * found.plus / np.where(has_ranks, found.total, 1.0) - 1, 0.0)
    p, interval = partial(_p, found, recipe), partial(signed_rank_interval, x, y, recipe)
    return PairOutcome(n, found.n, difference, found.plus, effect, found.n == 0, p, interval)


def _p(found: SignedRanks, recipe: Recipe, alternative: str) -> FloatArray:
    """P-value of each row, shape (n_pairs,); 1 where no difference is left."""
    from scipy.special import ndtr

    away = found.plus - found.total / 2
    half = 0.5 * recipe.continuity
    shifts: dict[str, Any] = {"two-sided": half * np.sign(away), "greater": half, "less": -half}
    z = (away - shifts[alternative]) / np.sqrt(np.where(found.n > 0, found.variance, 1.0))
    lower, upper = ndtr(z), ndtr(-z)
    exact = np.flatnonzero(_is_exact(recipe.exact, found.n, found.tied))
    kinds, which = found.ranks[:0], exact
    if exact.size:
        kinds, which = np.unique(np.sort(found.ranks[exact], axis=1), axis=0, return_inverse=True)
    for kind, ranks in enumerate(kinds):
        rows = exact[which == kind]
        tail = np.cumsum(_distribution(np.rint(2 * ranks[ranks > 0]).astype(np.int64)))
        # halved ranks of zeros may put W+ between two possible values: neither tail then holds it
        lower[rows] = tail[np.floor(2 * found.plus[rows]).astype(np.int64)]
        upper[rows] = tail[len(tail) - 1 - np.ceil(2 * found.plus[rows]).astype(np.int64)]
    # the observed value is in both tails
    both = {"two-sided": np.minimum(2 * np.minimum(lower, upper), 1.0), "greater": upper, "less": lower}
    return np.where(found.n == 0, 1.0, both[alternative])


def _is_exact(rule: str, n: ArrayLike, tied: ArrayLike) -> BoolArray:
    """Say where the exact distribution of n differences is taken, by `Recipe.exact`."""
    some, few = np.greater(n, 0), np.less(n, EXACT_BELOW)
    rules = {"auto": few & ~np.asarray(tied), "ties": few, "always": some, "never": ~some}
    return np.asarray(some & rules[rule])


def _distribution(ranks: IntArray) -> FloatArray:
    """Probability of each sum of the ranks that random signs leave positive: one rank after the other."""
    chances = np.zeros(int(ranks.sum()) + 1)
    chances[0] = 1.0
    reach = 0
    for rank in np.sort(ranks).tolist():
        reach += rank
        chances[rank : reach + 1] += chances[: reach + 1 - rank]
        chances[: reach + 1] *= 0.5
    return chances


# --- the shifts that the test does not reject ---


def signed_rank_interval(
    x: FloatArray, y: FloatArray, recipe: Recipe, level: float
) -> tuple[FloatArray, FloatArray]:
    """Confidence interval of the shift between rows of paired scores, by inverting the test; (n_pairs,) each.

    W+ of ``x - shift`` and ``y`` is the number of Walsh averages above the shift: the means of two differences, or of
    one with itself. So the ends are the a-th smallest and the a-th largest of them, a being the smallest W+ that is
    not significant (Hodges and Lehmann 1963). They are infinite where no W+ is significant, as below six topics at
    95 %, and NaN without a shared topic. Where the exact distribution is used under ties, the distribution changes with
    the shift, and every shift is tested with its own, see :func:`exact_ends`.
    """
    z = np.sort(settled(x - y, slack_of_pairs(x, y)), axis=1)  # missing differences are last
    if recipe.decimals is not None:
        z = np.round(z, recipe.decimals)
    numbers = np.count_nonzero(~np.isnan(z), axis=1)
    ends = np.full((2, len(z)), np.nan)
    for row in np.flatnonzero(numbers):
        n = int(numbers[row])
        has_ties = bool((np.diff(z[row, :n]) == 0).any())
        if has_ties and _is_exact(recipe.exact, n, has_ties):
            ends[:, row] = exact_ends(z[row, :n], level)
            continue
        a = _least_accepted(n, np.unique(z[row, :n], return_counts=True)[1], recipe, level)
        ends[:, row] = _walsh_averages(z[row, :n], a) if a else (-np.inf, np.inf)
    return ends[0], ends[1]


def exact_ends(z: FloatArray, level: float) -> tuple[float, float]:
    """Give the ends of the shifts of tied differences that the exact test does not reject, infinite where it cannot.

    Between two neighbouring Walsh averages signs and ranks stay the same, so one shift of each gap is tested. p grows
    from the ends toward the middle but for small reversals, as ties move through the ranks; so the first gap that is
    not rejected is found by halving, and gaps further out are tried while p is above half of the level.

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
    """Give the lower end of the first gap between Walsh averages whose shift is not rejected."""
    averages = np.sort((z[:, None] + z)[np.triu_indices(len(z))] / 2)
    walsh = np.unique(snapped(averages, slack_of(z)))
    middles = (walsh[1:] + walsh[:-1]) / 2
    median = averages[len(averages) // 2]  # where p is about 1

    def p_of_gap(gap: int) -> float:
        return _exact_p(z - middles[gap])

    rejected_gap = -1  # below all averages every difference is positive
    accepted_gap = int(np.searchsorted(walsh, median - slack_of(z)))  # the gap above the median, not tried
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
    """Give the chance of each sum of doubled ranks or less."""
    return np.cumsum(_distribution(np.array(doubled, dtype=np.int64)))


def _least_accepted(n: int, sizes: IntArray, recipe: Recipe, level: float) -> int:
    """Give the smallest W+ that is not significant with n differences, equal ones in groups of these sizes."""
    from scipy.special import ndtri

    if _is_exact(recipe.exact, n, len(sizes) < n):
        return int(np.argmax(~is_significant(_twice_lower(n), 1 - level)))
    top, variance = n * (n + 1) / 2, n * (n + 1) * (2 * n + 1) / 24 - (sizes**3 - sizes).sum() / 48
    below = (top - recipe.continuity) / 2 + ndtri((1 - level) / 2) * np.sqrt(variance)
    return max(0, int(np.floor(below)) + 1)


@lru_cache(maxsize=1024)
def _twice_lower(n: int) -> FloatArray:
    """Give the two-sided p of each W+ up to its middle for ranks 1..n, and what follows."""
    return 2 * np.cumsum(_distribution(np.arange(1, n + 1)))


def _walsh_averages(z: FloatArray, a: int) -> tuple[float, float]:
    """Give the a-th smallest and the a-th largest mean of two of the sorted z, or of one with itself."""
    n = len(z)
    if n <= _ALL_WALSH:
        sums = (z[:, None] + z)[np.triu_indices(n)] / 2
        sums.partition((a - 1, len(sums) - a))
        return float(sums[a - 1]), float(sums[len(sums) - a])
    return _halved(z, a), -_halved(-z[::-1], a)


def _halved(z: FloatArray, a: int) -> float:
    """Find the a-th smallest of very many Walsh averages: the smallest value that a of them do not exceed."""
    low, high = float(z[0]), float(z[-1])
    while low < (middle := (low + high) / 2) < high:
        with_others = np.searchsorted(z, 2 * middle - z, side="right").sum()
        enough = (with_others + np.searchsorted(z, middle, side="right")) // 2 >= a
        low, high = (low, middle) if enough else (middle, high)
    return high


def _signed_values(x: FloatArray, y: FloatArray, recipe: Recipe) -> Floats:
    """Give the signed ranks; they are whole or half, so small floats hold their sums without loss."""
    return signed_ranks(x, y, recipe).signed.astype(exact_dtype(x.shape[1]))


def _resampled_parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> SizeParts:
    """Give the size of the sum of signed ranks and the sum of their squares, both of doubled ranks.

    A drawn topic's rank is linear in how often each topic is drawn.
    """
    found = signed_ranks(x, y, recipe).signed
    (n_pairs, n), dtype, signs = found.shape, exact_dtype(found.shape[1]), np.sign(found)
    one, other = np.abs(found)[:, :, None], np.abs(found)[:, None, :]
    halves = (2 * (one > other).view(np.int8) + (one == other).view(np.int8)) * (other > 0)
    forms = (halves * signs.astype(np.int8)[:, :, None]).reshape(n_pairs * n, n).T.astype(dtype)

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both for each resample and pair."""
        ranked = (drawn.astype(dtype) @ forms).reshape(len(drawn), n_pairs, n)
        ranked += signs.astype(dtype)
        total: Floats = np.matmul(ranked, signed.astype(dtype)[:, :, None])[:, :, 0]
        square = np.matmul(np.square(ranked, dtype=np.float64), drawn[:, :, None])[:, :, 0]
        return np.abs(total, out=total), np.where(square > 0, square, 1.0)  # without ranks total is 0

    return parts


WILCOXON = PairStatistic(
    "wilcoxon",
    _outcome,
    mc=_signed_values,
    hb=_resampled_parts,
    hb_needs={"zero_method": "wilcox"},
    about="Wilcoxon's signed ranks of the differences by topic",
)
