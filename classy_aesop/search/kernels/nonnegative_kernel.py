"""Nonnegative least squares on every subset, by shared supports.

Idea. The columns to which an optimum gives weight, its support, determine it: the weights are least squares on
these. A support that is right for one subset is right for every other that contains it and no name with a column
that correlates positively with the residual. Proof: at the minimum no weight is negative, which does not depend on
the subset, and no column left out would lower the error, which only concerns what the subset does not contain
(Karush, Kuhn and Tucker). So thousands of subsets share some hundreds of supports, and each support is solved once
(`Supports`).

A subset's first guess is the support of a larger one, less what the subset lacks. First all names of the later
half are kept, and the subsets of the earlier half are solved with them; then each subset starts from the one
with its earlier half. On the made-up years this solves a third fewer supports than starting from all names at once
(on SummEval a tenth more); to go name by name saves few more and takes three times the rounds.

Subsets with nearly dependent columns are left to the estimator. Where there are such, the support of a larger
subset may mean nothing, but it is only a guess. Subsets whose exchanges cycle are solved by scipy's ``nnls``, on R
from the QR factors of (columns, target): p + 1 rows instead of thousands.

Columns are exchanged in blocks: those whose weight is negative are removed, those left out that still correlate
positively with the residual are added. When none is wrong, the minimum is reached, and it is unique as the columns are
independent. A guess from a neighbouring subset is right at once or after an exchange or two. Exchanging all at once
could repeat for ever; what is unfinished after some rounds is left to the caller. Portugal, Judice and Vicente (1994);
Kim and Park (2011).
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from classy_aesop.fitters.least_squares import StandardColumns
from classy_aesop.fitters.nonnegative import marginal_signs
from classy_aesop.formulas.base import Array
from classy_aesop.search.kernels.base import Kernel, Solutions, Training
from classy_aesop.search.kernels.elimination import MIN_SAFE_PIVOT, least_squares_of_subsets
from classy_aesop.search.row_arrays import Integers, Mask
from classy_aesop.search.subsets import MAX_NAMES, Groups, name_of_columns


class NonNegativeKernel(Kernel):
    """`NonNegativeRegression` on all subsets."""

    chunk = 2**20

    def __init__(self, fitter: Any, training: Training) -> None:
        self.training = training
        y = training.Y[:, training.target]
        self.signs = marginal_signs(training.X, y)
        self.standard = StandardColumns.standardize(training.X * self.signs)
        self.mean = float(y.mean())
        self.joint = np.column_stack([self.standard.Z, y - self.mean])
        self.moments = self.joint.T @ self.joint / len(y)
        self.independent = self._all_independent()

    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of masks in any order."""
        hard = self._near_dependence(masks)
        owner = np.zeros(masks.size, dtype=np.int64)
        owner[~hard], solutions = self._solve_by_supports(masks[~hard])
        weights, constant = self.standard.raw_weights(solutions.T, self.mean)
        converged = np.ones(weights.shape[1], dtype=bool)
        return Solutions(weights * self.signs[:, None], constant, converged, hard, owner)

    @cached_property
    def root(self) -> Array:
        """R of the columns and the target: the same sums of squares in p + 1 rows."""
        return np.asarray(np.linalg.qr(self.joint).R)

    def _all_independent(self) -> bool:
        """Whether no subset has nearly dependent columns: a column varies enough given all the others."""
        used = [column for columns in self.training.groups for column in columns]
        gram = self.moments[np.ix_(used, used)]
        if not used or np.linalg.matrix_rank(gram, hermitian=True) < len(used):
            return False
        return bool(1 / np.diag(np.linalg.inv(gram)).max() > MIN_SAFE_PIVOT)

    def _near_dependence(self, masks: Integers) -> Mask:
        """Mark the subsets (n,) whose columns are nearly dependent."""
        if self.independent:
            return np.zeros(masks.size, dtype=bool)
        moments = self.moments[:-1, :-1]
        hard = [
            least_squares_of_subsets(moments, 0, self.training.groups, batch).pivot <= MIN_SAFE_PIVOT
            for batch in np.array_split(masks, max(1, masks.size // 8192))
        ]
        return np.concatenate(hard)

    def _solve_by_supports(self, masks: Integers) -> tuple[Integers, Array]:
        """Return the number of each subset's solution, and the solutions (n_solutions, p)."""
        supports = Supports(self.moments, self.training.groups)
        numbers, unfinished = supports.solve(self._guess_supports(supports, masks), masks)
        solutions = supports.weights
        numbers[unfinished] = len(solutions) + np.arange(unfinished.size)
        by_scipy = map(self._solve_by_scipy, self.training.columns_used(masks[unfinished]))
        solutions = np.vstack([solutions, *by_scipy])
        is_used = np.zeros(len(solutions), dtype=bool)
        is_used[0] = True  # to which hard subsets refer
        is_used[numbers] = True
        return (np.cumsum(is_used) - 1)[numbers], solutions[is_used]

    def _guess_supports(self, supports: Supports, masks: Integers) -> Integers:
        """Return, for each subset, the support of its earlier names together with all later names."""
        earlier = 2 ** (len(self.training.groups) // 2) - 1
        all_names = np.bitwise_or.reduce(masks, initial=0)
        occurs = np.bincount(masks & earlier, minlength=earlier + 1) > 0
        larger = np.flatnonzero(occurs) | all_names & ~earlier
        largest = supports.numbers_of(self.training.columns_used(np.atleast_1d(all_names)))
        solved, _ = supports.solve(np.repeat(largest, larger.size), larger)
        numbers = np.zeros(occurs.size, dtype=np.int64)
        numbers[occurs] = solved
        return np.asarray(numbers[masks & earlier])

    def _solve_by_scipy(self, used: Mask) -> Array:
        """Return the weights (p,) on the columns used, by scipy's ``nnls``."""
        from scipy.optimize import nnls

        weights = np.zeros(used.size)
        columns = np.flatnonzero(used)
        if columns.size:  # nnls without columns ends the interpreter
            weights[columns] = nnls(self.root[:, columns], self.root[:, -1])[0]
        return weights


MAX_ROUNDS = 12
MIN_CORRELATION_WITH_RESIDUAL = 1e-13
"""Least product of the residual with a standard column, as a share of the target's length, to add the column."""
SUPPORTS_PER_BATCH = 512
"""Supports that are solved together, of about equal size; they stay in the cache."""
SUBSETS_PER_BATCH = 2**16
"""Subsets that are looked up together."""
REMOVE = 1 << MAX_NAMES
"""A bit beyond all names: some column must be removed, whatever the subset."""


class Supports:
    """Sets of columns that were guessed to have weight; each has a number and is solved once.

    Attributes
    ----------
    solutions : list of arrays (n, p)
        Least squares on each support, in the order of their numbers.
    contains : (n_supports, p) of bool
        The columns of each support.
    wrong : (n_supports, p) of bool
        The columns to exchange: with a negative weight inside, or correlated with the residual outside.
    names : (n_supports,) integers
        The mask of the names that each support contains.
    wrong_names : (n_supports,) integers
        The mask of the names with columns to add, and `REMOVE` where any must be removed.
    """

    def __init__(self, moments: Array, groups: Groups) -> None:
        p = len(moments) - 1
        name_of_column = name_of_columns(groups, p)
        self.moments = moments
        self.bits = np.where(name_of_column < MAX_NAMES, 1 << name_of_column, 0)
        self.numbers: dict[bytes, int] = {}
        self.solutions = [np.zeros((0, p))]
        self.contains: Mask = np.zeros((0, p), dtype=bool)
        self.wrong: Mask = np.zeros((0, p), dtype=bool)
        self.names: Integers = np.zeros(0, dtype=np.int64)
        self.wrong_names: Integers = np.zeros(0, dtype=np.int64)

    @property
    def weights(self) -> Array:
        """Least squares on each support (n_supports, p), 0 elsewhere; means nothing where its columns are dependent."""
        return np.concatenate(self.solutions)

    def numbers_of(self, contains: Mask) -> Integers:
        """Return the numbers (n,) of supports (n, p); solve those that are new."""
        keys = np.packbits(contains, axis=1)
        key_list = keys.view(f"V{keys.shape[1]}")[:, 0].tolist()
        numbers = np.array(
            [self.numbers.setdefault(key, len(self.numbers)) for key in key_list], dtype=np.int64
        )
        first = np.empty(len(self.numbers), dtype=np.int64)
        first[numbers[::-1]] = np.arange(numbers.size)[::-1]
        new = contains[first[len(self.contains) :]]
        if len(new):
            self._append(new)
        return numbers

    def solve(self, guesses: Integers, masks: Integers) -> tuple[Integers, Integers]:
        """Reduce guessed supports to the subsets' names, and exchange columns until the solutions are optimal."""
        numbers = np.empty_like(guesses)
        unfinished = [np.zeros(0, dtype=np.int64)]
        for start in range(0, masks.size, SUBSETS_PER_BATCH):
            batch = slice(start, start + SUBSETS_PER_BATCH)
            lacking = self.names[guesses[batch]] & ~masks[batch]
            (support, lacking_names), position = _distinct_pairs(guesses[batch], lacking)
            reduced = self.contains[support] & ~self._columns_of(lacking_names)
            numbers[batch] = self.numbers_of(reduced)[position]
            unfinished.append(start + self._exchange_columns(numbers[batch], masks[batch]))
        return numbers, np.concatenate(unfinished)

    def _exchange_columns(self, numbers: Integers, masks: Integers) -> Integers:
        """Exchange columns in place until no condition is violated; return the positions of unfinished subsets."""
        unfinished_positions = np.arange(masks.size)
        for _ in range(MAX_ROUNDS):
            wrong = self._find_violations(numbers[unfinished_positions], masks[unfinished_positions])
            unfinished_positions = unfinished_positions[wrong != 0]
            wrong = wrong[wrong != 0]
            if not unfinished_positions.size:
                break
            (support, names), position = _distinct_pairs(numbers[unfinished_positions], wrong)
            exchanged = self.wrong[support] & (self.contains[support] | self._columns_of(names))
            numbers[unfinished_positions] = self.numbers_of(self.contains[support] ^ exchanged)[position]
        wrong = self._find_violations(numbers[unfinished_positions], masks[unfinished_positions])
        unfinished: Integers = unfinished_positions[wrong != 0]
        return unfinished

    def _find_violations(self, numbers: Integers, masks: Integers) -> Integers:
        """Return the names of each subset (n,) with columns to add, and `REMOVE` where any must be removed."""
        return np.asarray(self.wrong_names[numbers] & (masks | REMOVE))

    def _columns_of(self, masks: Integers) -> Mask:
        """Mark the columns (n, p) of the names of each subset."""
        return np.asarray((masks[:, None] & self.bits) != 0)

    def _names_of(self, columns: Mask) -> Integers:
        """Return the masks (n,) of the names that have some of the columns (n, p)."""
        return np.asarray(np.bitwise_or.reduce(np.where(columns, self.bits, 0), axis=1))

    def _append(self, contains: Mask) -> None:
        """Solve new supports (n, p), and find columns that violate optimality: negative weights, or to be added."""
        gram = self.moments[:-1, :-1]
        products = self.moments[:-1, -1]
        length = np.sqrt(self.moments[-1, -1])
        with np.errstate(all="ignore"):  # dependent columns may give anything
            weights: Array = np.zeros(contains.shape)
            order = np.argsort(contains.sum(axis=1))
            for start in range(0, order.size, SUPPORTS_PER_BATCH):
                batch = order[start : start + SUPPORTS_PER_BATCH]
                weights[batch] = _least_squares_on_supports(self.moments, contains[batch])
            negative = weights < 0
            to_add = products - weights @ gram > MIN_CORRELATION_WITH_RESIDUAL * length
        wrong = np.where(contains, negative, to_add)
        wrong_names = self._names_of(wrong & ~contains) | np.where(negative.any(axis=1), REMOVE, 0)
        self.solutions.append(weights)
        self.contains = np.concatenate([self.contains, contains])
        self.wrong = np.concatenate([self.wrong, wrong])
        self.names = np.append(self.names, self._names_of(contains))
        self.wrong_names = np.append(self.wrong_names, wrong_names)


def _distinct_pairs(numbers: Integers, names: Integers) -> tuple[tuple[Integers, Integers], Integers]:
    """Return each pair of a number and some names once, and the position of every pair among them."""
    pairs, position = np.unique(numbers * (2 * REMOVE) + names, return_inverse=True)
    return (pairs // (2 * REMOVE), pairs & (2 * REMOVE - 1)), position


def _least_squares_on_supports(moments: Array, contains: Mask) -> Array:
    """Return the weights (n, p) of least squares on the columns of each support (n, p), all eliminated at once.

    Supports with fewer columns than others are filled up with columns of the identity, each with one of its own.
    """
    n, p = contains.shape
    sizes = contains.sum(axis=1)
    size = int(sizes.max(initial=0))
    filled = np.eye(2 * p + 1)
    filled[: p + 1, : p + 1] = moments
    row, column = np.nonzero(contains)
    rank = np.arange(row.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = np.repeat(np.arange(p + 1, p + 2 + size)[:, None], n, axis=1)
    columns[rank, row] = column
    columns[size] = p
    M = filled.ravel().take(columns[:size, None] * len(filled) + columns)  # (size, size + 1, n)
    for k in range(size):
        share = M[k, k + 1 :] / M[k, k]
        M[:, k + 1 :] -= M[:, k, None] * share
        M[k, k + 1 :] = share
    weights = np.zeros(contains.shape)
    weights[row, column] = M[:, -1][rank, row]
    return weights
