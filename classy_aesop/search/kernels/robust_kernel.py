"""Bisquare regression on every subset, in batches of subsets with equally many columns.

Idea. The fixed point is where the weighted residuals are orthogonal to the columns: X'(w r) = 0. Any step
that is 0 there and only there leads to the same point, so the weighted Gram matrix of the textbook step is
not needed. Newton's matrix would be X' diag(psi') X, psi' the slopes of the score function; subsets differ little
in the shape of these slopes, so they are taken from the end of the largest subset at hand, made to the mean of
each subset's own, and Anderson acceleration over the last steps takes care of what is missing. The start is
least squares with that end's weights (by `elimination`, for all subsets at once). Leverages (one product with the
pairwise products of the columns), residuals and X'(w r) are matrix products over the whole batch; the scale
is looked for near that of the step before (`root_medians`). Proof that it is the same answer: at the stop the step is
0 to rounding, so X'(w r) = 0 with the weights of these very residuals, which is the literal iteration's own
condition. Where there can be several such points (few rows) the literal step is taken instead, from unweighted
least squares, accelerated only close to its end.

Where more than half of the target values are equal there are two such points for certain, and one of them is a
constant: there too the literal steps decide. What does not settle, or comes to a scale of 0 in another way, is
left to the estimator. Once the weights have left exactly the rows with the commonest value c, the next weighted
least squares fit is c for every row, whatever the columns, as long as these are independent on those rows. Then so
many residuals are 0 that the scale is 0 too, all other rows keep the weight 0, and c is the end. So the literal
iteration need only be followed until then. Proof that nothing else can follow: least squares fits those rows
without error, by c and by nothing else; the scale is the median of the residuals without the r - 1 smallest (r
unknowns), which is 0 as soon as the zeros are more than half of what is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from classy_aesop.fitters.least_squares import StandardColumns
from classy_aesop.fitters.robust import (
    BISQUARE_TUNING,
    LARGEST_LEVERAGE,
    MAX_STEP_TO_ACCELERATE,
    MEDIAN_OF_NORMAL,
    AndersonMemory,
    smallest_scale,
)
from classy_aesop.formulas.base import Array
from classy_aesop.search.kernels.base import Kernel, Solutions, Training
from classy_aesop.search.kernels.elimination import MIN_SAFE_PIVOT, least_squares_of_subsets
from classy_aesop.search.row_arrays import Integers, Mask

BATCH_CELLS = 2**17
"""Residuals of one batch: a megabyte, so that they stay in cache."""
MIN_BATCH = 128
"""Subsets of several sizes go into one batch until it has so many: a step costs more for itself than for a few."""
MAX_ITERATIONS = 40
TOLERANCE = 2e-10
"""Root mean square of the last step of the fitted values, over the scale."""
MIN_SLOPE = 0.1
FIRST_WIDTH = 0.1
"""How far a median is looked for from that of the largest subset, relative to it."""
NEXT_WIDTH = 0.02
"""How far a median is looked for from that of the step before, relative to it."""
MIN_ROWS_FOR_ONE_FIXED_POINT = 400
"""With fewer rows there can be several fixed points, and the literal path decides which one is reached."""
LITERAL_TOLERANCE = 1e-13
"""The same for literal steps, which can be much shorter than the remaining distance."""


class RobustKernel(Kernel):
    """`RobustRegression` on all subsets."""

    chunk = 2048
    tie = 1e-6

    def __init__(self, fitter: Any, training: Training) -> None:
        self.training = training
        self.standard = StandardColumns.standardize(training.X)
        self.y = training.Y[:, training.target]
        self.floor = smallest_scale(self.y)
        self.n = len(self.y)
        self.mean = np.full(self.n, 1.0 / self.n)
        self.has_few_rows = self.n < MIN_ROWS_FOR_ONE_FIXED_POINT
        self.majority = Majority(training)
        self.has_several_fixed_points = self.has_few_rows or self.majority.exists
        self.columns = np.hstack([self.standard.Z, np.ones((self.n, 1))])
        self.rows = np.ascontiguousarray(self.columns.T)
        self.rows_and_y = np.vstack([self.rows, self.y])
        self.upper = np.triu_indices(len(self.rows))
        self.pairs = self.rows[self.upper[0]] * self.rows[self.upper[1]]
        self.joint = np.column_stack([self.standard.Z, self.y])
        self.gram = self.columns.T @ self.columns

    def solve(self, masks: Integers) -> Solutions:
        """Return the solutions of ascending masks."""
        start, pivot = self.least_squares(masks, np.ones(self.n))
        used = np.hstack([self.training.columns_used(masks), np.ones((masks.size, 1), dtype=bool)])
        sizes = used.sum(axis=1)
        hard = pivot <= MIN_SAFE_PIVOT
        coef = start.copy()
        converged = ~np.isfinite(pivot)
        can_collapse = self.majority.can_absorb_fit(masks, sizes)
        gram = self.gram
        median = np.nan
        if not (self.has_several_fixed_points or hard.all()):
            largest = int(np.argmax(np.where(hard, 0, sizes)))
            start, gram, median = self._start_from_largest(masks, start, used[largest], largest)
        for part in _batches_by_size(
            np.flatnonzero(~hard & ~converged), sizes, max(1, BATCH_CELLS // self.n)
        ):
            batch = Batch(self, used[part], gram, can_collapse[part], median)
            coef[part], converged[part] = batch.iterate_to_fixed_point(start[part])
            hard[part] = ~converged[part]
        weights, constant = self.standard.raw_weights(coef[:, :-1].T, coef[:, -1])
        return Solutions(weights, constant, converged, hard, np.arange(masks.size))

    def least_squares(self, masks: Integers, weights: Array) -> tuple[Array, Array]:
        """Return coefficients (n_subsets, p) with weights (n,) of the rows, and the smallest pivots (n_subsets,)."""
        shares = weights / weights.sum()
        centre = shares @ self.joint
        joint = self.joint - centre
        leaves = least_squares_of_subsets((joint.T * shares) @ joint, 1, self.training.groups, masks)
        slopes = leaves.coef[:, 0]
        return np.vstack([slopes, centre[-1] - centre[:-1] @ slopes]).T, leaves.pivot

    def _start_from_largest(
        self, masks: Integers, start: Array, used: Mask, largest: int
    ) -> tuple[Array, Array, float]:
        """Fit the largest subset; return a start for all, Newton's matrix over its mean slope (p, p), the median."""
        unchanged = (start, self.gram, np.nan)
        cannot_collapse = np.zeros(1, dtype=bool)
        batch = Batch(self, used[None], self.gram, cannot_collapse)
        coef, converged = batch.iterate_to_fixed_point(start[largest : largest + 1])
        if not converged[0]:
            return unchanged
        batch = Batch(self, used[None], self.gram, cannot_collapse)
        root = batch.weigh(coef)[1][0]
        slopes = np.where(root > 0, root * (5.0 * root - 4.0), 0.0)
        near, pivot = self.least_squares(masks, root**2)
        if slopes.mean() < MIN_SLOPE or not (pivot > MIN_SAFE_PIVOT).all():
            return unchanged
        return near, (self.columns.T * (slopes / slopes.mean())) @ self.columns, float(batch.median[0])


def _batches_by_size(rows: Integers, sizes: Integers, max_size: int) -> Iterator[Integers]:
    """Yield batches of at most ``max_size`` rows by size of subset; small batches of several sizes are joined."""
    rows = rows[np.argsort(sizes[rows], kind="stable")]
    start = 0
    for end in (*(np.flatnonzero(np.diff(sizes[rows])) + 1), rows.size):
        if end - start >= MIN_BATCH or start < end == rows.size:
            yield from np.array_split(rows[start:end], -(-(end - start) // max_size))
            start = end


class Batch:
    """Subsets of about equally many columns, filled up from the identity; coefficients are (k, n_columns + 1)."""

    def __init__(
        self, kernel: RobustKernel, used: Mask, gram: Array, can_collapse: Mask, median: float = np.nan
    ) -> None:
        self.kernel = kernel
        self.sizes = used.sum(axis=1)
        self.can_collapse = can_collapse
        self.where = np.argsort(~used, axis=1, kind="stable")[
            :, : self.sizes.max()
        ]  # columns, used ones first
        self.is_used = np.take_along_axis(used, self.where, axis=1)
        self.inverse = self._inverse(gram)
        if kernel.has_few_rows:
            leverages = self._leverages_by_qr()
        else:  # x' (X'X)^-1 x of every row x: the inverse times the pairwise products of the columns
            i, j = kernel.upper
            inverse = self.inverse if gram is kernel.gram else self._inverse(kernel.gram)
            leverages = (inverse[:, i, j] * np.where(i == j, 1.0, 2.0)) @ kernel.pairs
        self.factor = 1.0 / np.sqrt(1.0 - np.minimum(LARGEST_LEVERAGE, leverages))
        self.space = np.empty((3, *self.factor.shape))  # one allocation serves all steps
        n_largest = kernel.n - self.sizes + 1  # the scale comes from all but the size - 1 smallest
        self.middle = self.sizes - 1 + n_largest // 2
        self.even = n_largest % 2 == 0
        self.median = np.full(len(used), median)
        self.width = FIRST_WIDTH

    def _leverages_by_qr(self) -> Array:
        """Return leverages to the last digit, which counts where few rows make some of them nearly 1."""
        leverages = np.empty((len(self.where), self.kernel.n))
        for size in np.unique(self.sizes):
            rows = np.flatnonzero(self.sizes == size)
            basis = np.linalg.qr(self.kernel.columns[:, self.where[rows, :size]].transpose(1, 0, 2)).Q
            leverages[rows] = np.einsum("kni,kni->kn", basis, basis)
        return leverages

    def _inverse(self, gram: Array) -> Array:
        """Invert each subset's part of (p, p); return (k, p, p), 0 for the columns that a subset has not."""
        k = len(self.where)
        p = len(gram)
        i = self.where[:, :, None]
        j = self.where[:, None, :]
        wide = np.zeros((k, p, p))
        both_used = self.is_used[:, :, None] & self.is_used[:, None, :]
        wide[np.arange(k)[:, None, None], i, j] = (
            np.linalg.inv(self._fill_with_identity(gram[i, j])) * both_used
        )
        return wide

    def _fill_with_identity(self, matrices: Array) -> Array:
        """Put the identity in the place of the columns that a subset lacks, in (k, size, size)."""
        matrices *= self.is_used[:, :, None] & self.is_used[:, None, :]
        diagonal = np.arange(matrices.shape[1])
        matrices[:, diagonal, diagonal] += ~self.is_used
        return matrices

    def keep(self, rows: Mask) -> None:
        """Keep only the subsets that are not done."""
        if not rows.all():
            self.where = self.where[rows]
            self.is_used = self.is_used[rows]
            self.inverse = self.inverse[rows]
            self.factor = self.factor[rows]
            self.sizes = self.sizes[rows]
            self.middle = self.middle[rows]
            self.can_collapse = self.can_collapse[rows]
            self.even = self.even[rows]
            self.median = self.median[rows]
            self.space = self.space[:, : len(self.factor)]

    def weigh(self, coef: Array) -> tuple[Array, Array, Array]:
        """Return residuals (k, n), roots of the weights (k, n) and scales (k,) at these coefficients."""
        residual, root, _ = self.space
        np.matmul(np.column_stack([-coef, np.ones(len(coef))]), self.kernel.rows_and_y, out=residual)
        np.multiply(residual, self.factor, out=root)
        np.multiply(root, root, out=root)
        self.median = root_medians(root, self.middle, self.even, self.median, self.width)
        self.width = NEXT_WIDTH
        scale = self.median / MEDIAN_OF_NORMAL
        root *= (-((BISQUARE_TUNING * np.maximum(scale, self.kernel.floor)) ** -2.0))[:, None]
        root += 1.0
        np.maximum(root, 0.0, out=root)
        return residual, root, scale

    def step(self, residual: Array, root: Array, *, exact: bool) -> Array:
        """Return the step of the coefficients: literal, or by the batch's own matrices and mean slope.

        Shapes: ``residual`` and ``root`` (k, n_rows).
        """
        weights = np.multiply(root, root, out=self.space[2])
        force = np.multiply(residual, weights, out=residual) @ self.kernel.columns
        if exact:
            return self._literal_step(weights, force)
        slope = np.maximum((5.0 * (weights @ self.kernel.mean) - 4.0 * (root @ self.kernel.mean)), MIN_SLOPE)
        return np.asarray((self.inverse @ force[:, :, None])[:, :, 0] / slope[:, None])

    def _literal_step(self, weights: Array, force: Array) -> Array:
        """Return the step of the textbook's iteration, by each subset's weighted Gram matrix."""
        p = len(self.kernel.rows)
        rows = np.arange(len(weights))[:, None]
        gram = np.empty((len(weights), p, p))
        i, j = self.kernel.upper
        gram[:, i, j] = gram[:, j, i] = weights @ self.kernel.pairs.T
        small = gram[rows[:, :, None], self.where[:, :, None], self.where[:, None, :]]
        step = np.zeros_like(force)
        step[rows, self.where] = _solve_batch(
            self._fill_with_identity(small), force[rows, self.where] * self.is_used
        )
        return step

    def mark_collapsed(self, root: Array) -> Mask:
        """Mark the subsets (k,) whose fit is the commonest value from the next step on."""
        collapsed = self.can_collapse.copy()
        if collapsed.any():
            collapsed[collapsed] = self.kernel.majority.has_all_weight(root[collapsed])
        return collapsed

    def iterate_to_fixed_point(self, start: Array) -> tuple[Array, Mask]:
        """Iterate to the fixed point; return coefficients (k, p) and which subsets converged (k,)."""
        exact = self.kernel.has_several_fixed_points
        constant = np.zeros(len(self.kernel.rows))
        constant[-1] = self.kernel.majority.value  # the commonest value for every row
        result = start.copy()
        converged = np.zeros(len(start), dtype=bool)
        coef = start
        active = np.arange(len(start))
        memory = AndersonMemory(self.kernel.gram)
        for _ in range(MAX_ITERATIONS):
            residual, root, scale = self.weigh(coef)
            collapsed = self.mark_collapsed(root)
            result[active[collapsed]] = constant
            converged[active[collapsed]] = True
            step = self.step(residual, root, exact=exact)
            length = np.sqrt(np.einsum("ki,ki->k", step, step @ self.kernel.gram) / self.kernel.n)
            relative_length = length / np.maximum(scale, self.kernel.floor)
            stopped = collapsed | ~((scale > self.kernel.floor) & np.isfinite(length))
            done = ~stopped & (relative_length <= (LITERAL_TOLERANCE if exact else TOLERANCE))
            result[active[done]] = (coef + step)[done]
            converged[active[done]] = True
            is_active = ~(done | stopped)
            if not is_active.any():
                break
            next_coef = memory.next(
                coef, step, length, relative_length < (MAX_STEP_TO_ACCELERATE if exact else np.inf)
            )
            coef = next_coef[is_active]
            active = active[is_active]
            memory.keep(is_active)
            self.keep(is_active)
        return result, converged


def _solve_batch(matrices: Array, right: Array) -> Array:
    """Solve (k, size, size) for (k, size); NaN where the weights have left a matrix singular."""
    try:
        return np.asarray(np.linalg.solve(matrices, right[:, :, None])[:, :, 0])
    except np.linalg.LinAlgError:  # one matrix is singular, and numpy solves none of them
        singular = np.linalg.matrix_rank(matrices, hermitian=True) < right.shape[1]
        matrices = np.where(singular[:, None, None], np.eye(right.shape[1]), matrices)
        return np.where(singular[:, None], np.nan, np.linalg.solve(matrices, right[:, :, None])[:, :, 0])


class Majority:
    """The rows (n,) with the commonest target value; if they are not more than half of all, it does not exist."""

    def __init__(self, training: Training) -> None:
        y = training.Y[:, training.target]
        values, counts = np.unique(y, return_counts=True)
        self.value = float(values[counts.argmax()])
        self.count = int(counts.max())
        self.rows: Mask = y == self.value
        self.exists = 2 * self.count > y.size
        self.groups = training.groups
        if self.exists:
            Z = StandardColumns.standardize(training.X[self.rows]).Z
            self.moments = Z.T @ Z / self.count

    def can_absorb_fit(self, masks: Integers, sizes: Integers) -> Mask:
        """Mark ascending masks (n_subsets,) whose fit, with `sizes` unknowns, can collapse to the commonest value."""
        if not self.exists:
            return np.zeros(masks.size, dtype=bool)
        independent = least_squares_of_subsets(self.moments, 0, self.groups, masks).pivot > MIN_SAFE_PIVOT
        left_out = sizes - 1
        enough: Mask = 2 * (self.count - left_out) > self.rows.size - left_out
        return independent & enough

    def has_all_weight(self, weights: Array) -> Mask:
        """Return whether exactly these rows have weight, for each of weights (n_subsets, n)."""
        alone: Mask = ((weights > 0) == self.rows).all(axis=1)
        return alone


def root_medians(values: Array, middle: Integers, even: Mask, guess: Array, width: float) -> Array:
    """Return the median of the roots of each row of squares, (k,)."""
    medians, missing = _medians_near(values, middle, even, guess, width)
    if missing.size:
        medians[missing] = _medians_of_all(values[missing], middle[missing], even[missing])
    return medians


def _medians_near(
    values: Array, middle: Integers, even: Mask, guess: Array, width: float
) -> tuple[Array, Integers]:
    """Find medians among the sorted values near the guess; also return the rows whose median is not among them."""
    is_below = values < ((guess * (1.0 - width)) ** 2)[:, None]
    is_near = (values <= ((guess * (1.0 + width)) ** 2)[:, None]) ^ is_below
    n_near = _count_marks(is_near)
    rank = middle - _count_marks(is_below)
    missing = np.flatnonzero((rank - even < 0) | (rank >= n_near))
    if missing.size == len(values):
        return np.empty(len(values)), missing
    around = np.full((len(values), int(n_near.max())), np.inf)
    around[np.arange(around.shape[1]) < n_near[:, None]] = values[is_near]
    around.sort(axis=1)
    rank[missing] = 1
    rows = np.arange(len(values))
    upper = np.sqrt(around[rows, np.minimum(rank, around.shape[1] - 1)])
    return np.where(even, (upper + np.sqrt(around[rows, rank - 1])) / 2, upper), missing


def _count_marks(marks: Mask) -> Integers:
    """Count the marks of each row, eight at a time."""
    return np.asarray(np.bitwise_count(np.packbits(marks, axis=1)).sum(axis=1, dtype=np.intp))


def _medians_of_all(values: Array, middle: Integers, even: Mask) -> Array:
    """Find medians among all values, by one partition in place."""
    middles = np.unique(middle)
    values.partition(middles, axis=1)
    medians = np.sqrt(values[np.arange(len(values)), middle])
    for position in middles:
        rows = np.flatnonzero(even & (middle == position))
        below = values[:, :position] if rows.size == len(values) else values[rows, :position]
        medians[rows] = (medians[rows] + np.sqrt(below.max(axis=1))) / 2
    return medians
