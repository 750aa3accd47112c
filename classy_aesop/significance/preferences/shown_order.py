"""How the order in which two outputs are shown affects preferences, and preferences that run in a circle.

Pairs of systems that were shown in both orders identify by how much the first place raises the chance to win: the
slope, within pairs, of what the lower-numbered system wins on whether it stands first. Its test flips the signs of
topics (:mod:`classy_aesop.significance.sign_flips`). Of a pair that is always shown in one order a
preference for the place cannot be told from one for the system
(:func:`classy_aesop.data.preference_records.describe_one_order`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, shortest_path

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, divide
from classy_aesop.significance.choices import ALPHA, N_RESAMPLES
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.significance.pairs.pair_comparisons import lowest_p_of_signs
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from classy_aesop.significance.sign_flips import flip_signs

P_OF_UNEQUAL_ORDERS = 0.001
"""Orders are unequal if chance gives such counts more seldom."""

P_OF_FIRST_PLACE = 0.01
"""The first, or second, place is preferred if the test of its effect has at most this p."""


@dataclass(frozen=True)
class ShownOrder:
    """How the order of outputs affects preferences.

    Attributes
    ----------
    effect : float
        By how much the first place raises the chance to win; NaN where no pair was shown in both orders.
    low, high, p : float
        Its 95 % interval and two-sided p-value; NaN and 1 where unknown.
    n : int
        Comparisons of pairs in both orders.
    n_lower_first, n_upper_first : ndarray of int, shape (n_pairs,)
        Comparisons of each pair with its first system first, and second.
    """

    effect: float
    low: float
    high: float
    p: float
    n: int
    n_lower_first: IntArray
    n_upper_first: IntArray

    @cached_property
    def has_both(self) -> BoolArray:
        """Whether each pair was shown in both orders, (n_pairs,)."""
        return (self.n_lower_first > 0) & (self.n_upper_first > 0)

    @cached_property
    def are_orders_unequal(self) -> bool:
        """Whether the pairs with both orders have one of them more often than chance allows, by chi squared."""
        from scipy.special import chdtrc

        n_lower = self.n_lower_first[self.has_both]
        n_upper = self.n_upper_first[self.has_both]
        chi_squared = ((n_lower - n_upper) ** 2 / (n_lower + n_upper)).sum()
        return bool(chdtrc(len(n_lower), chi_squared) < P_OF_UNEQUAL_ORDERS)

    @property
    def is_place_preferred(self) -> bool:
        """Whether raters prefer one of the two places."""
        return self.p <= P_OF_FIRST_PLACE


def estimate_shown_order(
    comparisons: PairedComparisons, *, n_resamples: int = N_RESAMPLES, seed: int = 0
) -> ShownOrder:
    """Estimate the effect of the first place, and count the orders of each pair.

    Examples
    --------
    >>> comparisons = PairedComparisons.from_arrays(np.arange(8) // 2, [0, 1] * 4, [1, 0] * 4, [1.0] * 8)
    >>> order = estimate_shown_order(comparisons)
    >>> order.effect, order.n
    (1.0, 8)
    """
    n_pairs = len(comparisons.pairs)
    is_lower_first = comparisons.first < comparisons.second
    n_lower = np.bincount(comparisons.pair[is_lower_first], minlength=n_pairs)
    n_upper = np.bincount(comparisons.pair[~is_lower_first], minlength=n_pairs)
    n = (n_lower + n_upper)[comparisons.pair]
    place: FloatArray = is_lower_first - n_lower[comparisons.pair] / n
    won = np.bincount(comparisons.pair, comparisons.wins_of_lower, n_pairs)
    gain = comparisons.wins_of_lower - won[comparisons.pair] / n
    u = np.bincount(comparisons.topic, place * gain, comparisons.n_topics)
    v = np.bincount(comparisons.topic, place * place, comparisons.n_topics)
    n_both = int((n_lower + n_upper)[(n_lower > 0) & (n_upper > 0)].sum())
    flips = flip_signs(u[None], v[None], n_resamples=n_resamples, seed=seed)
    low, high = np.clip([flips.low[0, 0], flips.high[0, 0]], -1, 1).tolist()
    return ShownOrder(float(flips.estimate[0]), low, high, float(flips.p[0]), n_both, n_lower, n_upper)


def balance_orders(comparisons: PairedComparisons, order: ShownOrder) -> PairedComparisons:
    """Weight comparisons so that both orders of a pair that has both count alike, and the effect of places cancels out.

    This needs no estimate of the effect. A pair keeps the number of its comparisons.

    Examples
    --------
    >>> comparisons = PairedComparisons.from_arrays(range(4), [0, 0, 0, 1], [1, 1, 1, 0], [1.0] * 4)
    >>> balance_orders(comparisons, estimate_shown_order(comparisons)).rates[0, 1].round(9).item()
    0.5
    """
    n_lower = order.n_lower_first[comparisons.pair]
    n_upper = order.n_upper_first[comparisons.pair]
    n_in_order = np.where(comparisons.first < comparisons.second, n_lower, n_upper)
    weights = np.where(order.has_both[comparisons.pair], (n_lower + n_upper) / (2 * n_in_order), 1.0)
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
    surplus.data[np.abs(surplus.data) <= ROUNDING] = 0.0
    surplus.eliminate_zeros()
    total = np.asarray(surplus.sum(axis=0))
    squares = np.asarray((surplus * surplus).sum(axis=0))
    n_used = np.bincount(surplus.nonzero()[1], minlength=len(total))
    z = divide(np.abs(total), np.sqrt(squares), 0.0)
    p = np.maximum(2 * ndtr(-z), lowest_p_of_signs(n_used))
    is_edge = adjust_p_values(p, correction=correction) <= alpha
    edges = comparisons.pairs[is_edge]
    edges = np.where(total[is_edge, None] > 0, edges, edges[:, ::-1])  # from winner to loser
    shape = comparisons.n_systems, comparisons.n_systems
    graph = csr_array((np.ones(len(edges)), (edges[:, 0], edges[:, 1])), shape=shape)
    lengths = shortest_path(graph, unweighted=True)[edges[:, 1], edges[:, 0]]
    if not np.isfinite(lengths).any():
        return []
    winner, loser = edges[np.argmin(lengths)].tolist()
    predecessors = breadth_first_order(graph, loser, directed=True)[1]
    path = [winner]
    while path[-1] != loser:
        path.append(int(predecessors[path[-1]]))
    return [winner, *path[:0:-1]]
