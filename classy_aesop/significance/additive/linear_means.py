"""Least squares of scores on systems and topics, and on raters: the equations that every such fit solves.

Topics are eliminated first, by subtracting their means (Frisch, Waugh and Lovell), so that no matrix has a column a
topic. What is left is one matrix of systems, or of systems and raters.

The matrix of *systems* is the Laplacian of a graph whose edges weigh, for every two systems, the topics that both have.
Differences are estimable within a connected group of systems, and the rank is the number of systems less that of
groups: both are counted, without a tolerance. A constant added within each group makes the matrix nonsingular and gives
the effects of each group the mean 0. All this has leading axes: tables with different missing cells, or resamples of
one table, are solved as one batch.

*Raters* come last: systems are eliminated from their equations, whose eigenvalues give the rank and the inverse, with
or without the penalty that shrinks random effects (Henderson's mixed-model equations).

Tables of one score a cell use :func:`eliminate_topics`; single ratings, which are many more than their cells or have
raters, use the sparse :class:`RatingRows`.

Searle (1987), chapter 5; Henderson (1975).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, robust_eigh

RANK_TOLERANCE = 1e-9
"""Eigenvalues of raters below this share of the largest are 0."""


def eliminate_topics(cells: FloatArray, n_of_topic: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Eliminate topics from tables of cells.

    Shapes: ``cells`` (..., n_systems, n_topics), ``n_of_topic`` (..., n_topics); gives ``information`` (...,
    n_systems, n_systems), ``weights`` (..., n_systems, n_topics).
    """
    weights = cells / np.maximum(n_of_topic, 1.0)[..., None, :]
    n_of_system = cells.sum(axis=-1)
    return n_of_system[..., None] * np.eye(n_of_system.shape[-1]) - weights @ cells.mT, weights


def group_connected(information: FloatArray, present: BoolArray) -> IntArray:
    """Number the systems of each table that topics connect, by their first systems; -1 for absent ones.

    Shapes: ``information`` (..., n_systems, n_systems), ``present`` (..., n_systems).

    Examples
    --------
    >>> chain = np.array([[1.0, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 1, 0], [0, 0, 0, 0]])
    >>> group_connected(chain, np.ones(4, bool)).tolist()
    [0, 0, 0, 1]
    """
    n_systems = information.shape[-1]
    is_reached = (information < 0) | np.eye(n_systems, dtype=bool)
    for _ in range(n_systems.bit_length()):
        reach = is_reached.astype(np.float32)
        further = reach @ reach > 0
        if (further == is_reached).all():
            break
        is_reached = further
    first = is_reached.argmax(axis=-1) if n_systems else np.zeros(present.shape, dtype=np.int64)
    number = np.cumsum(present & (first == np.arange(n_systems)), axis=-1) - 1
    return np.where(present, np.take_along_axis(number, first, axis=-1), -1)


def number_groups(labels: FloatArray | IntArray, present: BoolArray) -> IntArray:
    """Number the systems with equal labels, (n_systems, n_labels), by their first systems; -1 for absent ones."""
    group = np.full(len(labels), -1, dtype=np.int64)
    _, first, number = np.unique(labels[present], axis=0, return_index=True, return_inverse=True)
    group[present] = np.argsort(np.argsort(first))[number.ravel()]
    return group


def fix_group_means(information: FloatArray, group: IntArray) -> FloatArray:
    """Add a constant within each group, which fixes its mean effect at 0, and the identity for absent systems.

    The matrices, (..., n_systems, n_systems), are nonsingular.
    """
    present = group >= 0
    is_of_group = present[..., None] & (group[..., None] == group[..., None, :])
    largest_edge = -information.min(axis=(-2, -1), initial=0.0)
    size = np.where(largest_edge > 0, largest_edge, 1.0)[..., None, None]
    return information + np.where(is_of_group, size, np.eye(group.shape[-1]))


def invert_systems(information: FloatArray, group: IntArray) -> FloatArray:
    """Invert the systems' equations of each table, with the mean effect of each group fixed at 0."""
    return np.asarray(np.linalg.inv(fix_group_means(information, group)), dtype=np.float64)


def rank_of_groups(group: IntArray) -> IntArray:
    """Count the present systems of each table less their groups: the rank of the equations, (...)."""
    return (group >= 0).sum(axis=-1) - 1 - group.max(axis=-1, initial=-1)


def _sparse_rows(columns: IntArray, values: FloatArray, n_columns: int) -> Any:
    """Give a sparse matrix, (n_rows, n_columns), of the values in some columns of each row, both (n_rows, n_values)."""
    from scipy import sparse

    starts = np.arange(0, columns.size + 1, columns.shape[1])
    shape = (len(columns), n_columns)
    return sparse.csr_array((values.ravel(), columns.ravel(), starts), shape=shape)


@dataclass(frozen=True, slots=True, eq=False)
class RatingRows:
    """Scores with the numbers of their systems, topics and raters; topics are numbered without gaps.

    Errors are independent between the clusters that topics lie in, (n_topics,); with as many as topics between these. A
    covariate, (n_rows,), such as the length of an output, has a slope that all systems share.
    """

    y: FloatArray
    system: IntArray
    topic: IntArray
    rater: IntArray | None
    n_systems: int
    n_topics: int
    n_raters: int
    cluster_of_topic: IntArray
    covariate: FloatArray | None = None

    @property
    def cluster(self) -> IntArray:
        """The cluster of each row."""
        return self.cluster_of_topic[self.topic]

    @property
    def n_clusters(self) -> int:
        """Clusters of topics."""
        return int(self.cluster_of_topic.max(initial=-1)) + 1

    @property
    def sizes(self) -> FloatArray:
        """Rows of each topic."""
        return np.bincount(self.topic, minlength=self.n_topics).astype(np.float64)

    @property
    def columns(self) -> tuple[IntArray, FloatArray]:
        """The columns of the design that are not 0 in each row, and their values there, both (n_values, n_rows)."""
        numbers = [self.system] if self.rater is None else [self.system, self.n_systems + self.rater]
        values = [np.ones(len(self.y))] * len(numbers)
        if self.covariate is not None:
            numbers.append(np.full(len(self.y), self.n_columns - 1))
            values.append(self.covariate)
        return np.stack(numbers), np.stack(values)

    @property
    def n_columns(self) -> int:
        """Columns of the design."""
        return self.n_systems + self.n_raters + (self.covariate is not None)

    def drop_raters(self) -> RatingRows:
        """Give the same rows of unnamed raters."""
        return replace(self, rater=None, n_raters=0)

    def design(self) -> Any:
        """Give the sparse design of systems, raters and the covariate, (n_rows, n_columns)."""
        numbers, values = self.columns
        return _sparse_rows(numbers.T, values.T, self.n_columns)

    def count_shared(self, group: IntArray) -> IntArray:
        """Count the groups of rows, such as topics or clusters, in which each two systems have rows."""
        has = (self._sums_within(group)[:, : self.n_systems] > 0).astype(np.int64)
        return (has.T @ has).toarray()

    def _sums_within(self, group: IntArray) -> Any:
        """Sum each column in each group of rows, sparse, (n_groups, n_columns)."""
        n_groups = int(group.max(initial=-1)) + 1
        return _sparse_rows(group[:, None], np.ones((len(group), 1)), n_groups).T @ self.design()

    def normal_matrix(self) -> FloatArray:
        """Give the normal matrix after topics are eliminated, (n_columns, n_columns)."""
        from scipy import sparse

        design = self.design()
        sums = self._sums_within(self.topic)
        weighted = sparse.diags_array(1 / self.sizes) @ sums
        normal: FloatArray = np.asarray((design.T @ design).toarray() - (sums.T @ weighted).toarray())
        return normal

    def subtract_topic_means(self, values: FloatArray) -> FloatArray:
        """Give the values of the rows less the means of their topics."""
        means = np.bincount(self.topic, values, minlength=self.n_topics) / self.sizes
        return values - means[self.topic]


@dataclass(frozen=True, slots=True, eq=False)
class RatingEquations:
    """Normal equations of single ratings: of systems after topics, and of raters after both.

    A covariate is the last of the raters' columns.

    Attributes
    ----------
    group : ndarray of int, shape (n_systems,)
        Systems that shared topics connect, were raters left out; -1 without a row.
    system_inverse, system_effect : ndarray, shapes (n_systems, n_systems) and (n_systems,)
        Inverse of the systems' block, and effects if raters were left out.
    system_shares : ndarray, shape (n_systems, n_raters)
        How much the effect of each system changes with that of each rater.
    rater_values, rater_vectors : ndarray, shapes (n_raters,) and (n_raters, n_raters)
        Eigenvalues and eigenvectors of the matrix of raters after systems and topics are eliminated.
    rater_moments : ndarray, shape (n_raters,)
        Sums of each rater's scores less what systems and topics explain.
    square_sum, df : float, int
        Squares that systems and topics leave unexplained, and their degrees of freedom.
    """

    group: IntArray
    system_inverse: FloatArray
    system_effect: FloatArray
    system_shares: FloatArray
    rater_values: FloatArray
    rater_vectors: FloatArray
    rater_moments: FloatArray
    square_sum: float
    df: int

    @property
    def is_identified(self) -> BoolArray:
        """Which eigenvalues of raters are not 0."""
        return self.rater_values > RANK_TOLERANCE * max(float(self.rater_values.max(initial=0.0)), 1.0)

    @property
    def rater_rank(self) -> int:
        """Differences of raters that are estimable beside systems and topics."""
        return int(self.is_identified.sum())

    def estimable_groups(self) -> IntArray:
        """Number the systems whose differences are estimable beside fixed raters; -1 without a row.

        Of these, raters that are not identified change all effects equally.
        """
        changes = self.system_shares @ self.rater_vectors[:, ~self.is_identified]
        labels = np.column_stack([self.group, np.round(changes, 6) + 0.0])
        return number_groups(labels, self.group >= 0)

    def rater_inverse(self, penalty: float = 0.0) -> FloatArray:
        """Invert the matrix of raters on what it identifies, or all of it with the penalty of random effects."""
        used = self.is_identified | (penalty > 0)
        vectors = self.rater_vectors[:, used]
        inverse: FloatArray = (vectors / (self.rater_values[used] + penalty)) @ vectors.T
        return inverse

    def inverse(self, rater_inverse: FloatArray) -> FloatArray:
        """Give the inverse of systems and raters, (n_columns, n_columns), from that of raters."""
        cross = -self.system_shares @ rater_inverse
        systems = self.system_inverse - cross @ self.system_shares.T
        return np.block([[systems, cross], [cross.T, rater_inverse]])


def normal_equations(rows: RatingRows) -> RatingEquations:
    """Eliminate topics, then systems, from the normal equations of single ratings."""
    n_systems = rows.n_systems
    normal = rows.normal_matrix()
    centred = rows.subtract_topic_means(rows.y)
    moments = rows.design().T @ centred
    system_moments = moments[:n_systems]
    information = normal[:n_systems, :n_systems]
    group = group_connected(information, np.bincount(rows.system, minlength=n_systems) > 0)
    inverse = invert_systems(information, group)
    cross = normal[:n_systems, n_systems:]
    shares = inverse @ cross
    values, vectors = robust_eigh(normal[n_systems:, n_systems:] - cross.T @ shares)
    effect = inverse @ system_moments
    return RatingEquations(
        group=group,
        system_inverse=inverse,
        system_effect=effect,
        system_shares=shares,
        rater_values=np.maximum(values, 0.0),
        rater_vectors=vectors,
        rater_moments=moments[n_systems:] - shares.T @ system_moments,
        square_sum=float(centred @ centred - system_moments @ effect),
        df=len(rows.y) - rows.n_topics - int(rank_of_groups(group)),
    )
