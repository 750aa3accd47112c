"""Nonnegative least squares on every subset, by shared supports.

Idea. The columns that an optimum gives weight to, its support, say all of it: the weights are least squares on
these. A support that is right for one subset is right for every other that holds it and none of the names whose
columns the residual leans on. Proof: at the minimum no weight is negative, which does not depend on the subset,
and no column left out would lower the error, which only asks what the subset does not hold (Karush, Kuhn and
Tucker). So thousands of subsets share some hundreds of supports, and each support is solved once (`Supports`).

A subset's first guess is the support of a larger one, less what the subset lacks. First all names of the later
half are kept, and what is wanted of the earlier half is settled beside them; then each subset begins from the one
with its earlier half. On the made-up years this solves a third fewer supports than to begin from all names at once
(on SummEval a tenth more); to go name by name saves few more and takes three times the rounds.

Subsets with nearly dependent columns are left to the estimator. Where there are such, the support of a larger
subset may mean nothing, but it is only a guess. What goes in circles is solved by scipy's ``nnls``, on R from the QR
factors of (columns, target): p + 1 rows instead of thousands.

Columns are exchanged in blocks: those whose weight is negative go out, those left out on which the residual still leans
come in. When none is wrong, the minimum is found, and it is the only one as the columns are independent. A guess from a
neighbouring subset is right at once or after an exchange or two. Exchanging all at once could repeat for ever; what
is unfinished after some rounds is left to the caller. Portugal, Judice and Vicente (1994); Kim and Park (2011).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from classy_aesop.fitters.least_squares import StandardColumns
from classy_aesop.fitters.nonnegative import marginal_signs
from classy_aesop.search.design import Array, Integers, Mask
from classy_aesop.search.lattice import SAFE_PIVOT, least_squares_of_subsets
from classy_aesop.search.subsets import MOST_NAMES, Groups, Kernel, Solutions, Training, name_of_columns


class NonNegativeKernel(Kernel):
    """`NonNegativeRegression` on all subsets."""

    chunk = 2**20

    def __init__(self, fitter: Any, training: Training) -> None:
        self.training = training
        centre, y = fitter.fit_intercept, training.Y[:, training.target]
        self.signs = marginal_signs(training.X, y)
        self.standard = StandardColumns.standardize(training.X * self.signs, centre=centre)
        self.mean = float(y.mean()) if centre else 0.0
        joint = np.column_stack([self.standard.Z, y - self.mean])
        self.joint, self.moments = joint, joint.T @ joint / len(y)
        used = [column for columns in training.groups for column in columns]
        gram = self.moments[np.ix_(used, used)]
        is_full = used and np.linalg.matrix_rank(gram, hermitian=True) == len(used)
        # the least variance that a column has given all the others: no subset has a smaller pivot
        self.independent = bool(is_full) and 1 / np.diag(np.linalg.inv(gram)).max() > SAFE_PIVOT

    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of masks in any order."""
        hard = self._near_dependence(masks)
        owner = np.zeros(masks.size, dtype=np.int64)
        owner[~hard], solutions = self._supports(masks[~hard])
        weights, constant = self.standard.raw_weights(solutions.T, self.mean)
        converged = np.ones(weights.shape[1], dtype=bool)
        return Solutions(weights * self.signs[:, None], constant, converged, hard, owner)

    @cached_property
    def root(self) -> Array:
        """R of the columns and the target: the same sums of squares in p + 1 rows."""
        return np.asarray(np.linalg.qr(self.joint).R)

    def _near_dependence(self, masks: Integers) -> Mask:
        if self.independent:
            return np.zeros(masks.size, dtype=bool)
        moments = self.moments[:-1, :-1]
        hard = [
            least_squares_of_subsets(moments, 0, self.training.groups, part).pivot <= SAFE_PIVOT
            for part in np.array_split(masks, max(1, masks.size // 8192))
        ]
        return np.concatenate(hard)

    def _supports(self, masks: Integers) -> tuple[Integers, Array]:
        """Return which solution each mask has, and the solutions (n_solutions, p)."""
        supports = Supports(self.moments, self.training.groups)
        numbers, left = supports.settled(self._guesses(supports, masks), masks)
        solutions = supports.weights
        numbers[left] = len(solutions) + np.arange(left.size)
        solutions = np.vstack([solutions, *map(self._by_scipy, self.training.used(masks[left]))])
        kept = np.zeros(len(solutions), dtype=bool)
        kept[0], kept[numbers] = True, True  # the first, to which hard subsets refer, and those of a subset
        return (np.cumsum(kept) - 1)[numbers], solutions[kept]

    def _guesses(self, supports: Supports, masks: Integers) -> Integers:
        """Return, for each mask, the support of its earlier names together with all later names."""
        earlier = 2 ** (len(self.training.groups) // 2) - 1
        everything = np.bitwise_or.reduce(masks, initial=0)
        wanted = np.bincount(masks & earlier, minlength=earlier + 1) > 0
        larger = np.flatnonzero(wanted) | everything & ~earlier
        largest = supports.numbered(self.training.used(np.atleast_1d(everything)))
        settled, _ = supports.settled(np.repeat(largest, larger.size), larger)
        numbers = np.zeros(wanted.size, dtype=np.int64)
        numbers[wanted] = settled
        return np.asarray(numbers[masks & earlier])

    def _by_scipy(self, used: Mask) -> Array:
        from scipy.optimize import nnls

        weights, columns = np.zeros(used.size), np.flatnonzero(used)
        if columns.size:  # nnls without columns ends the interpreter
            weights[columns] = nnls(self.root[:, columns], self.root[:, -1])[0]
        return weights


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
    """Sets of columns guessed to have weight, each solved once, by second moments of the columns, then the target."""

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
        """Cut a guess to each set of names and exchange columns: numbers (n,), and the places of sets that circle."""
        numbers, left = np.empty_like(guesses), [np.zeros(0, dtype=np.int64)]
        for start in range(0, masks.size, PART):
            part = slice(start, start + PART)
            guess, held = guesses[part], masks[part]
            (support, lacking), place = _distinct(guess, self.held[guess] & ~held)
            numbers[part] = self.numbered(self.holds[support] & ~self._used(lacking))[place]
            left.append(start + self._exchange(numbers[part], masks[part]))
        return numbers, np.concatenate(left)

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
            weights: Array = np.zeros(holds.shape)
            order = np.argsort(holds.sum(axis=1))
            for part in (order[start : start + AT_ONCE] for start in range(0, order.size, AT_ONCE)):
                weights[part] = _least_squares(self.moments, holds[part])
            negative, leaning = weights < 0, products - weights @ gram > LEANS * length
        wrong = np.where(holds, negative, leaning)
        asked = self._names(wrong & ~holds) | np.where(negative.any(axis=1), OUT, 0)
        self.solutions.append(weights)
        self.holds, self.wrong = np.concatenate([self.holds, holds]), np.concatenate([self.wrong, wrong])
        self.held, self.asked = np.append(self.held, self._names(holds)), np.append(self.asked, asked)

    def _names(self, columns: Mask) -> Integers:
        """Return the masks (n,) of the names that have some of the columns (n, p)."""
        return np.asarray(np.bitwise_or.reduce(np.where(columns, self.bits, 0), axis=1))


def _distinct(numbers: Integers, names: Integers) -> tuple[tuple[Integers, Integers], Integers]:
    """Return each pair of a number and some names once, and the place of every one among them."""
    pairs, place = np.unique(numbers * (2 * OUT) + names, return_inverse=True)
    return (pairs // (2 * OUT), pairs & (2 * OUT - 1)), place


def _least_squares(moments: Array, holds: Mask) -> Array:
    """Weights (n, p) of least squares on what each row (n, p) holds, all eliminated at once, filled by the identity."""
    n, p = holds.shape
    sizes = holds.sum(axis=1)
    size = int(sizes.max(initial=0))
    filled = np.eye(2 * p + 1)
    filled[: p + 1, : p + 1] = moments
    row, column = np.nonzero(holds)
    rank = np.arange(row.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = np.repeat(np.arange(p + 1, p + 2 + size)[:, None], n, axis=1)
    columns[rank, row], columns[size] = column, p
    M = filled.ravel().take(columns[:size, None] * len(filled) + columns)  # (size, size + 1, n)
    for k in range(size):
        share = M[k, k + 1 :] / M[k, k]
        M[:, k + 1 :] -= M[:, k, None] * share
        M[k, k + 1 :] = share
    weights = np.zeros(holds.shape)
    weights[row, column] = M[:, -1][rank, row]
    return weights
