"""Wilcoxon's signed-rank test on many rows of differences at once.

The sizes of a row's differences are ranked from 1, ties share the mean rank; W+ is the sum of the ranks of
positive differences. If every difference is as likely to be positive as negative, W+ has mean (sum r)/2 and
variance (sum r^2)/4, which is the textbook variance with its correction for ties.

Rankel (2016), sections 3.2 and 4.3; Rankel et al. (2011), section 2.

Departs from the paper: ties share their mean rank, as in its appendix, not the maximum rank that section 2
prints.

Departs from the paper: where topics are drawn (HB) the number of nonzero differences varies, so the sum of signed
ranks is divided by its standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    is_significant,
    midranks,
    settled,
    slack_of_pairs,
)
from classy_aesop.significance.counted import exact_dtype
from classy_aesop.significance.pair_tests import (
    Floats,
    PairOutcome,
    PairStatistic,
    Recipe,
    SizeParts,
    paired_difference,
)

#: Samples of this size and more take the normal distribution, as in R.
EXACT_BELOW = 50

_ALL_WALSH = 1_000  # differences of which all averages are made; of more they are counted
_HALVINGS = 1_000  # a float can be halved so many times at the start; later ones are halved on the way


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


def signed_rank_p(found: SignedRanks, recipe: Recipe, alternative: str) -> FloatArray:
    """P-value of each row, shape (n_pairs,); 1 where no difference is left."""
    p = _normal_p(found, recipe.continuity, alternative)
    exact = _takes_exact(found, recipe.exact)
    untied = exact & ~found.tied
    for n in np.unique(found.n[untied]):
        rows = np.flatnonzero(untied & (found.n == n))
        at, lower = np.rint(found.plus[rows]).astype(np.int64), np.cumsum(_plain_distribution(int(n)))
        p[rows] = _from_tails(
            lower[at], lower[len(lower) - 1 - at], alternative
        )  # it is its own mirror image
    for row in np.flatnonzero(exact & found.tied):
        p[row] = _tied_p(found.ranks[row], found.plus[row], alternative)
    return np.asarray(np.where(found.n == 0, 1.0, p))


def _from_tails(lower: FloatArray, upper: FloatArray, alternative: str) -> FloatArray:
    if alternative == "two-sided":
        twice = 2 * np.minimum(lower, upper)
        return np.asarray(np.minimum(twice, 1.0))  # the observed value is in both tails
    return upper if alternative == "greater" else lower


def _takes_exact(found: SignedRanks, exact: str) -> BoolArray:
    few = found.n < EXACT_BELOW
    rule = {"auto": few & ~found.tied, "ties": few, "always": np.ones_like(few), "never": np.zeros_like(few)}
    return np.asarray(rule[exact] & (found.n > 0))


def _normal_p(found: SignedRanks, continuity: bool, alternative: str) -> FloatArray:
    from scipy.special import ndtr

    away = found.plus - found.total / 2
    half = 0.5 * continuity
    shift = (
        half * np.sign(away) if alternative == "two-sided" else half if alternative == "greater" else -half
    )
    z = (away - shift) / np.sqrt(np.where(found.n > 0, found.variance, 1.0))
    return _from_tails(ndtr(z), ndtr(-z), alternative)


@lru_cache(maxsize=1024)
def _plain_distribution(n: int) -> FloatArray:
    """Distribution of W+ for ranks 1..n, as probabilities of 0, 1, ..., n(n+1)/2."""
    return _distribution(np.arange(1, n + 1))


def _distribution(ranks: IntArray) -> FloatArray:
    """Probability of each sum of the ranks that random signs leave positive: one rank after the other."""
    chances = np.zeros(int(ranks.sum()) + 1)
    chances[0] = 0.5 ** min(len(ranks), _HALVINGS)
    reach = 0
    for step, rank in enumerate(np.sort(ranks).tolist()):
        reach += rank
        chances[rank : reach + 1] += chances[: reach + 1 - rank]
        if step >= _HALVINGS:
            chances *= 0.5
    return chances


def _tied_p(ranks: FloatArray, plus: float, alternative: str) -> float:
    doubled = np.rint(2 * ranks[ranks > 0]).astype(np.int64)  # mid-ranks are whole or half
    lower = np.cumsum(_distribution(doubled))
    top = len(lower) - 1
    # halved ranks of zeros may put W+ between two possible values: neither tail then holds it
    tails = lower[[int(np.floor(2 * plus))]], lower[[top - int(np.ceil(2 * plus))]]
    return float(_from_tails(*tails, alternative)[0])


# --- the shifts that the test does not reject ---


def signed_rank_interval(
    x: FloatArray, y: FloatArray, recipe: Recipe, level: float
) -> tuple[FloatArray, FloatArray]:
    """Confidence interval of the shift between rows of paired scores, by inverting the test; (n_pairs,) each.

    W+ of ``x - shift`` and ``y`` is the number of Walsh averages above the shift: the means of two differences, or of
    one with itself. So the ends are the a-th smallest and the a-th largest of them, a being the smallest W+ that is
    not significant (Hodges and Lehmann 1963). They are infinite where no W+ is significant, as below six topics at
    95 %, and NaN without a shared topic. Where the exact distribution is taken under ties, a is that without ties.
    """
    z = np.sort(settled(x - y, slack_of_pairs(x, y)), axis=1)  # missing differences are last
    if recipe.decimals is not None:
        z = np.round(z, recipe.decimals)
    numbers = np.count_nonzero(~np.isnan(z), axis=1)
    ends = np.full((2, len(z)), np.nan)
    for row in np.flatnonzero(numbers):
        n = int(numbers[row])
        sizes = np.unique(z[row, :n], return_counts=True)[1]
        a = _least_accepted(n, sizes, recipe, level)
        ends[:, row] = _walsh_averages(z[row, :n], a) if a else (-np.inf, np.inf)
    return ends[0], ends[1]


def _least_accepted(n: int, sizes: IntArray, recipe: Recipe, level: float) -> int:
    """Give the smallest W+ that is not significant with n differences, equal ones in groups of these sizes."""
    from scipy.special import ndtri

    few, tied = n < EXACT_BELOW, len(sizes) < n
    if {"auto": few and not tied, "ties": few, "always": True, "never": False}[recipe.exact]:
        lower = 2 * np.cumsum(_plain_distribution(n))
        return int(np.argmax(~is_significant(lower, 1 - level)))
    top, variance = n * (n + 1) / 2, n * (n + 1) * (2 * n + 1) / 24 - (sizes**3 - sizes).sum() / 48
    below = (top - recipe.continuity) / 2 + ndtri((1 - level) / 2) * np.sqrt(variance)
    return max(0, int(np.floor(below)) + 1)


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


# --- wilcoxon's signed-rank test as a test of pairs of summarizers ---


def _outcome(x: FloatArray, y: FloatArray, recipe: Recipe, alternative: str) -> PairOutcome:
    ranks = signed_ranks(x, y, recipe)
    p = signed_rank_p(ranks, recipe, alternative)
    effect = np.where(ranks.total > 0, 2 * ranks.plus / np.where(ranks.total > 0, ranks.total, 1.0) - 1, 0.0)
    return PairOutcome(paired_difference(x, y), ranks.plus, p, effect, ranks.n, ranks.n == 0)


def _values(x: FloatArray, y: FloatArray, recipe: Recipe) -> Floats:
    """Give the signed ranks; they are whole or half, so small floats hold their sums without loss."""
    return signed_ranks(x, y, recipe).signed.astype(exact_dtype(x.shape[1]))


def _resampled_parts(x: FloatArray, y: FloatArray, recipe: Recipe) -> SizeParts:
    """Give the size of the sum of signed ranks and the sum of their squares.

    A drawn topic's rank is linear in the counts, so the sum is a bilinear form of counts and signed counts.
    """
    found = signed_ranks(x, y, recipe).signed
    ranks, signs = np.abs(found), np.sign(found)
    n_pairs, n = ranks.shape
    used = ranks > 0
    same = (ranks[:, :, None] == ranks[:, None, :]) & used[:, :, None]
    less = (ranks[:, :, None] > ranks[:, None, :]) & used[:, None, :]
    dtype = exact_dtype(n)
    halves = (2 * less.view(np.int8) + same.view(np.int8)) * signs[:, :, None].astype(np.int8)
    forms = halves.reshape(n_pairs * n, n).T.astype(dtype)
    squares = _squares(same, used)

    def parts(drawn: FloatArray, signed: FloatArray) -> tuple[Floats, FloatArray]:
        """Both sums for each resample and pair, of doubled ranks."""
        ranked = (drawn.astype(dtype) @ forms).reshape(len(drawn), n_pairs, n)
        total: Floats = np.matmul(ranked, signed.astype(dtype)[:, :, None])[:, :, 0]
        total += (signed @ signs.T).astype(dtype)
        square = squares(drawn)
        return np.abs(total, out=total), np.where(square > 0, 4 * square, 1.0)  # without ranks total is 0

    return parts


def _squares(same: BoolArray, used: BoolArray) -> Callable[[FloatArray], FloatArray]:
    """Give the sum of squared mid-ranks: m(m+1)(2m+1)/6 of m drawn, less (t^3 - t)/12 for t equal ones.

    One topic drawn often ties with itself.
    """
    n_pairs, n = used.shape
    size = same.sum(axis=2)
    single = (used & (size == 1)).T.astype(np.float64)
    first = (same.argmax(axis=2) == np.arange(n)) & (size > 1)
    owner, topic = np.nonzero(first)
    groups = same[owner, topic].T.astype(np.float64)
    owners = (owner[:, None] == np.arange(n_pairs)).astype(np.float64)
    counted = used.T.astype(np.float64)

    def squares(drawn: FloatArray) -> FloatArray:
        """The sum for each resample and pair."""
        m = drawn @ counted
        found = m * (m + 1) * (2 * m + 1) / 6 - (drawn**3 - drawn) @ single / 12
        if len(owner):
            t = drawn @ groups
            found -= (t**3 - t) @ owners / 12
        return np.asarray(found)

    return squares


WILCOXON = PairStatistic(
    "wilcoxon",
    _outcome,
    inverted=signed_rank_interval,
    mc=_values,
    hb=_resampled_parts,
    hb_needs={"zero_method": "wilcox"},
    about="Wilcoxon's signed ranks of the differences by topic",
)
