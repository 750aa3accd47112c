"""What the order in which two outputs are shown does to preferences, and preferences that run in a circle.

Pairs of systems that were shown in both orders tell by how much the first place raises the chance to win: the
regression, within pairs, of what the lower-numbered system wins on whether it stands first. Its test flips the signs of
topics (:mod:`classy_aesop.significance.preferences.sign_flips`). Of a pair that is always shown in one order a
preference for the place cannot be told from one for the system.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from classy_aesop.significance.base import FloatArray, IntArray, Result
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.preferences.sign_flips import flip_signs

LEAST_OF_ONE_ORDER = 12
"""Comparisons of a pair from which one order alone is no chance: of a fair coin 1 in 2,048."""

P_OF_UNEQUAL_ORDERS = 0.001
"""Orders are unequal if chance gives such counts more seldom."""


@dataclass(frozen=True, slots=True)
class ShownOrder(Result):
    """The order of outputs; arrays of shape (n_pairs,).

    Attributes
    ----------
    effect : float
        By how much the first place raises the chance to win; NaN where no pair was shown in both orders. Of equal
        outputs the first wins a share of ``(1 + effect) / 2``.
    low, high, p : float
        Its 95 % interval and two-sided p-value; NaN and 1 where unknown.
    n : int
        Comparisons of pairs in both orders.
    n_lower_first, n_upper_first : ndarray of int
        Comparisons of each pair with its first system first, and second.
    """

    effect: float
    low: float
    high: float
    p: float
    n: int
    n_lower_first: IntArray
    n_upper_first: IntArray

    @property
    def is_fixed(self) -> FloatArray:
        """Whether each pair was always shown in one order, though often compared."""
        n = self.n_lower_first + self.n_upper_first
        return np.asarray(
            (n >= LEAST_OF_ONE_ORDER) & (np.minimum(self.n_lower_first, self.n_upper_first) == 0)
        )

    @property
    def are_orders_unequal(self) -> bool:
        """Whether the pairs with both orders have one of them more often than chance allows, by chi squared."""
        from scipy.special import chdtrc

        has_both = (self.n_lower_first > 0) & (self.n_upper_first > 0)
        lower, upper = self.n_lower_first[has_both], self.n_upper_first[has_both]
        return bool(chdtrc(len(lower), ((lower - upper) ** 2 / (lower + upper)).sum()) < P_OF_UNEQUAL_ORDERS)


def shown_order(
    comparisons: PairedComparisons, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> ShownOrder:
    """Estimate what the first place does, and count the orders of each pair.

    Examples
    --------
    >>> comparisons = PairedComparisons.from_arrays(np.arange(8) // 2, [0, 1] * 4, [1, 0] * 4, [1.0] * 8)
    >>> order = shown_order(comparisons)
    >>> order.effect, order.n
    (1.0, 8)
    """
    n_pairs = len(comparisons.pairs)
    is_lower_first = comparisons.first < comparisons.second
    n_lower = np.bincount(comparisons.pair[is_lower_first], minlength=n_pairs)
    n_upper = np.bincount(comparisons.pair[~is_lower_first], minlength=n_pairs)
    n = (n_lower + n_upper)[comparisons.pair]
    place = is_lower_first - n_lower[comparisons.pair] / n
    won = np.bincount(comparisons.pair, comparisons.wins_of_lower, n_pairs)
    gain = comparisons.wins_of_lower - won[comparisons.pair] / n
    u = np.bincount(comparisons.topic, place * gain, comparisons.n_topics)
    v = np.bincount(comparisons.topic, place * place, comparisons.n_topics)
    used = v > 0
    n_both = int((n_lower + n_upper)[(n_lower > 0) & (n_upper > 0)].sum())
    if not used.any():
        return ShownOrder(np.nan, np.nan, np.nan, 1.0, n_both, n_lower, n_upper)
    test = flip_signs(u[None, used], v[None, used], n_resamples=n_resamples, seed=seed)
    ends = np.clip([test.low[0, 0], test.high[0, 0]], -1, 1)
    effect, low, high = float(test.estimate[0]), float(ends[0]), float(ends[1])
    return ShownOrder(effect, low, high, float(test.p[0]), n_both, n_lower, n_upper)


def balance_orders(comparisons: PairedComparisons, order: ShownOrder) -> PairedComparisons:
    """Weight comparisons so that both orders of a pair that has both count alike, and the first place cancels out.

    This needs no estimate of what the first place does.

    A pair keeps the number of its comparisons.

    Examples
    --------
    >>> comparisons = PairedComparisons.from_arrays(range(4), [0, 0, 0, 1], [1, 1, 1, 0], [1.0] * 4)
    >>> balance_orders(comparisons, shown_order(comparisons)).rates[0, 1].round(9).item()
    0.5
    """
    n_lower = order.n_lower_first[comparisons.pair]
    n_upper = order.n_upper_first[comparisons.pair]
    n_alike = np.where(comparisons.first < comparisons.second, n_lower, n_upper)
    has_both = (n_lower > 0) & (n_upper > 0)
    weights = np.where(has_both, (n_lower + n_upper) / (2 * np.maximum(n_alike, 1)), 1.0)
    return replace(comparisons, weights=weights)


def find_cycle(
    comparisons: PairedComparisons, *, correction: str = "holm", alpha: float = ALPHA
) -> list[int]:
    """Find a shortest circle of systems each of which is significantly preferred to the next; empty if there is none.

    Pairs are tested by their own comparisons: the sum over topics of wins less losses by the normal distribution of its
    flipped signs, with a p of at least what so many topics allow.

    Examples
    --------
    >>> first, second = [0, 1, 2] * 12, [1, 2, 0] * 12
    >>> find_cycle(PairedComparisons.from_arrays(np.repeat(np.arange(12), 3), first, second, [1.0] * 36))
    [0, 1, 2]
    """
    from scipy.special import ndtr

    surplus = 2 * comparisons.n_won - comparisons.n_compared
    surplus.eliminate_zeros()
    total = np.asarray(surplus.sum(axis=0))
    squares = np.asarray((surplus * surplus).sum(axis=0))
    n_used = np.bincount(surplus.nonzero()[1], minlength=len(total))
    size = np.abs(total) / np.sqrt(np.where(squares > 0, squares, 1.0))
    p = np.maximum(2 * ndtr(-size), 2.0 ** np.maximum(1.0 - n_used, -1000))
    is_edge = adjust_p_values(np.minimum(p, 1.0), correction=correction) <= alpha
    lower, upper = comparisons.pairs.T
    winner, loser = np.where(total > 0, lower, upper)[is_edge], np.where(total > 0, upper, lower)[is_edge]
    n_systems = comparisons.n_systems
    edges = csr_array((np.ones(len(winner)), (winner, loser)), shape=(n_systems, n_systems))
    parts = connected_components(edges, directed=True, connection="strong")[1]
    shortest: list[int] = []
    for start, end in zip(winner.tolist(), loser.tolist(), strict=True):
        if parts[start] != parts[end]:
            continue
        _, before = breadth_first_order(edges, end, directed=True)
        way = [start]
        while way[-1] != end:
            way.append(int(before[way[-1]]))
        if not shortest or len(way) < len(shortest):
            shortest = way[:1] + way[:0:-1]
        if len(shortest) == 3:
            break
    return shortest
