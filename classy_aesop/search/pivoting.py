"""Nonnegative least squares of many sets of names at once, by exchanging blocks of columns.

Idea. Guess which columns have weight (the support), solve least squares on these, and exchange all that are
wrong: those whose weight is negative go out, those left out on which the residual still leans come in. When none
is wrong, the conditions of the minimum hold (Karush, Kuhn and Tucker), and it is the only one as the columns are
independent. A guess from a neighbouring set is right at once or after an exchange or two. Exchanging all at
once could repeat for ever; what is unfinished after some rounds is left to the caller. Portugal, Judice and
Vicente (1994); Kim and Park (2011).

What is wrong with a support does not depend on the set that it was guessed for, except that only columns of the set
may come in. So a support is solved once, and a set looks up which of its names are asked for there.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.search.design import Array, Integers, Mask
from classy_aesop.search.subsets import MOST_NAMES, Groups, name_of_columns

ROUNDS = 12
LEANS = 1e-13
"""Least product of the residual with a standard column, as a share of the target's length, to add the column."""
AT_ONCE = 512
"""Supports that are solved together, of about equal size; they stay in the cache."""
PART = 2**16
"""Sets that are looked up together."""
OUT = 1 << MOST_NAMES
"""A bit beyond all names: some column must be removed, whatever the set."""


class Supports:
    """Sets of columns that were guessed to have weight; each has a number and is solved once.

    Parameters
    ----------
    moments : (p + 1, p + 1)
        Second moments of the standard columns, then of the target.
    groups : sequence of lists of int
        The columns of each name, at most 20 names.
    """

    def __init__(self, moments: Array, groups: Groups) -> None:
        self.moments, p = moments, len(moments) - 1
        names = name_of_columns(groups, p)
        self.bits = np.where(names < MOST_NAMES, 1 << names, 0)
        self.numbers: dict[bytes, int] = {}
        self.solutions = [np.zeros((0, p))]
        self.held, self.asked = np.zeros((2, 0), dtype=np.int64)
        self.holds, self.wrong = np.zeros((2, 0, p), dtype=bool)

    @property
    def weights(self) -> Array:
        """Least squares on each support (n_supports, p), 0 elsewhere; means nothing where its columns are dependent."""
        return np.concatenate(self.solutions)

    def numbered(self, holds: Mask) -> Integers:
        """Return the numbers (n,) of supports (n, p); solve those that are new."""
        keys = np.packbits(holds, axis=1)
        listed = keys.view(f"V{keys.shape[1]}")[:, 0].tolist()
        numbers = np.array(
            [self.numbers.setdefault(key, len(self.numbers)) for key in listed], dtype=np.int64
        )
        first = np.empty(len(self.numbers), dtype=np.int64)
        first[numbers[::-1]] = np.arange(numbers.size)[::-1]
        new = holds[first[len(self.holds) :]]
        if len(new):
            self._append(new)
        return numbers

    def settled(self, guesses: Integers, masks: Integers) -> tuple[Integers, Integers]:
        """Cut a guessed support to each set, and exchange columns until nothing is wrong.

        Parameters
        ----------
        guesses : (n,)
            Numbers of supports.
        masks : (n,)
            The sets of names.

        Returns
        -------
        numbers : (n,)
            The support of each set.
        left : (n_left,)
            Places of the sets that went in circles.
        """
        numbers, left = np.empty_like(guesses), [np.zeros(0, dtype=np.int64)]
        for start in range(0, masks.size, PART):
            part = slice(start, start + PART)
            numbers[part] = self._cut(guesses[part], masks[part])
            left.append(start + self._exchange(numbers[part], masks[part]))
        return numbers, np.concatenate(left)

    def _cut(self, numbers: Integers, masks: Integers) -> Integers:
        """Return the supports (n,) less the columns of names that each set (n,) lacks."""
        (support, lacking), place = _distinct(numbers, self.held[numbers] & ~masks)
        cut: Integers = self.numbered(self.holds[support] & ~self._used(lacking))[place]
        return cut

    def _exchange(self, numbers: Integers, masks: Integers) -> Integers:
        """Exchange columns in place until nothing is wrong; return the places where something still is."""
        waiting = np.arange(masks.size)
        for _ in range(ROUNDS):
            asked = self._asked(numbers[waiting], masks[waiting])
            waiting, asked = waiting[asked != 0], asked[asked != 0]
            if not waiting.size:
                break
            (support, names), place = _distinct(numbers[waiting], asked)
            exchanged = self.wrong[support] & (self.holds[support] | self._used(names))
            numbers[waiting] = self.numbered(self.holds[support] ^ exchanged)[place]
        still: Integers = waiting[self._asked(numbers[waiting], masks[waiting]) != 0]
        return still

    def _asked(self, numbers: Integers, masks: Integers) -> Integers:
        """Return what is wrong: the names of a set (n,) with columns to add, and whether any must be removed."""
        return np.asarray(self.asked[numbers] & (masks | OUT))

    def _used(self, masks: Integers) -> Mask:
        return np.asarray((masks[:, None] & self.bits) != 0)

    def _append(self, holds: Mask) -> None:
        gram, products, length = self.moments[:-1, :-1], self.moments[:-1, -1], np.sqrt(self.moments[-1, -1])
        with np.errstate(all="ignore"):  # dependent columns may give anything
            weights = self._solved(holds)
            negative, leaning = weights < 0, products - weights @ gram > LEANS * length
        wrong = np.where(holds, negative, leaning)
        asked = self._names(wrong & ~holds) | np.where(negative.any(axis=1), OUT, 0)
        self.solutions.append(weights)
        self.holds, self.wrong = np.concatenate([self.holds, holds]), np.concatenate([self.wrong, wrong])
        self.held, self.asked = np.append(self.held, self._names(holds)), np.append(self.asked, asked)

    def _names(self, columns: Mask) -> Integers:
        """Return the masks (n,) of the names that have some of the columns (n, p)."""
        return np.asarray(np.bitwise_or.reduce(np.where(columns, self.bits, 0), axis=1))

    def _solved(self, holds: Mask) -> Array:
        weights, order = np.zeros(holds.shape), np.argsort(holds.sum(axis=1))
        for start in range(0, order.size, AT_ONCE):
            part = order[start : start + AT_ONCE]
            weights[part] = _least_squares(self.moments, holds[part])
        return weights


def _distinct(numbers: Integers, names: Integers) -> tuple[tuple[Integers, Integers], Integers]:
    """Return each pair of a number and some names once, and the place of every one among them."""
    pairs, place = np.unique(numbers * (2 * OUT) + names, return_inverse=True)
    return (pairs // (2 * OUT), pairs & (2 * OUT - 1)), place


def _least_squares(moments: Array, holds: Mask) -> Array:
    """Return the weights (n, p) of least squares on what each row (n, p) holds, by elimination of all rows at once.

    Rows that hold less than others are filled up with columns of the identity, each with one of its own.
    """
    n, p = holds.shape
    sizes = holds.sum(axis=1)
    size = int(sizes.max(initial=0))
    filled = np.eye(2 * p + 1)
    filled[: p + 1, : p + 1] = moments
    row, column = np.nonzero(holds)
    rank = np.arange(row.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = np.repeat(np.arange(p + 1, p + 2 + size)[:, None], n, axis=1)
    columns[rank, row], columns[size] = column, p
    solved = _eliminated(filled.ravel().take(columns[:size, None] * len(filled) + columns))
    weights = np.zeros(holds.shape)
    weights[row, column] = solved[rank, row]
    return weights


def _eliminated(M: Array) -> Array:
    """Return the solutions (k, n) of systems M (k, k + 1, n), whose last column is the right side; M is overwritten."""
    for k in range(len(M)):
        share = M[k, k + 1 :] / M[k, k]
        M[:, k + 1 :] -= M[:, k, None] * share
        M[k, k + 1 :] = share
    return M[:, -1]
