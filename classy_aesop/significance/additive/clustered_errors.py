"""Variances of differences of systems when errors are clustered: CR2, and Satterthwaite's degrees of freedom.

Each topic is a cluster, unless several topics lie in one, such as the questions on a passage.

A difference is a weighted sum of rows. Its variance is estimated by the sum over clusters of the squared sum of the
cluster's weighted residuals, which are first multiplied by the inverse root of their covariance under independent
errors of one variance, I - H (CR2). The estimate is a quadratic form; its degrees of freedom are those of the
chi-square with the same mean and variance, again under such errors, tr(G)^2 / tr(G G).

Random raters need no other form: with H from the mixed model equations, I - H is still the covariance of the residuals
in units of the error variance, as residuals are R V^-1 (y - X b). What the clusters leave out is added by the caller:
the raters' own variance, and that of rows that the model fits exactly.

All that can be computed system by system is: pairs combine it.

Bell and McCaffrey (2002), "Bias reduction in standard errors for linear regression with multi-stage samples";
Pustejovsky and Tipton (2018), "Small-sample methods for cluster-robust variance estimation and hypothesis testing in
fixed effects models", sections 2 and 3 (also for eliminated effects).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from classy_aesop.significance.additive.additive_model import AdditiveModel
from classy_aesop.significance.base import FloatArray, IntArray, batch_slices, difference_forms, robust_eigh

MAX_GATHERED = 4_000_000
"""Numbers that are gathered at once."""

MAX_DENSE = 8_000_000
"""Up to so many numbers by system, cluster and column are computed densely."""

MAX_ROWS_OF_BATCHED_CLUSTER = 96
"""Clusters with more rows are compressed to their systems and raters, one by one."""

MAX_PRODUCTS = 20_000_000_000
"""Multiplications beyond which degrees of freedom are bounded from below instead of computed."""

LEAST_EIGENVALUE = 1e-8
"""Eigenvalues of I - H below this are of rows that the model fits exactly."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Clusters with the same number of rows, perhaps compressed ones.

    ``adjusted`` holds the weights of the rows in each system's effect, times the correction, (n_clusters, n_rows,
    n_systems); ``leverage`` H without the topics' own part; ``entries`` the adjusted weights summed by column.
    """

    clusters: IntArray
    adjusted: FloatArray
    leverage: FloatArray
    residual: FloatArray
    entry_cluster: IntArray
    entry_column: IntArray
    entries: FloatArray

    @property
    def scores(self) -> FloatArray:
        """Influence of each cluster's corrected residuals on each system's effect, (n_clusters, n_systems)."""
        return np.einsum("tms,tm->ts", self.adjusted, self.residual)

    @property
    def products(self) -> FloatArray:
        """Products of systems' weights, and what leverage takes of them, (2, n_clusters, n_systems, n_systems)."""
        return self.adjusted.mT @ np.stack([self.adjusted, self.leverage @ self.adjusted])


def cluster_scores(model: AdditiveModel) -> tuple[FloatArray, FloatArray]:
    """Influence of each cluster's corrected residuals on each system's effect, and the covariance of their sums.

    Shapes: gives ``scores`` (n_clusters, n_systems), ``covariance`` (n_systems, n_systems).
    """
    scores = np.zeros((model.rows.n_clusters, model.rows.n_systems))
    traces = np.zeros((model.rows.n_systems, model.rows.n_systems))
    for block in _cluster_blocks(model):
        scores[block.clusters] = block.scores
        weights, explained = block.products.sum(axis=1)
        traces += weights - explained
    return scores, traces


def clustered_forms(
    model: AdditiveModel, first: IntArray, second: IntArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Quadratic forms G of the residuals of pairs of systems, for variances and degrees of freedom of differences.

    Gives the variance of each difference, tr(G) and tr(G G) under errors of variance 1, (n_pairs,) each. The last is
    bounded from above where it would take more than `MAX_PRODUCTS`, so that degrees of freedom, which are
    many then, are not overstated: the explained component of G is at most the largest squared weight of a cluster times
    its trace.

    Shapes: ``first`` and ``second`` (n_pairs,).
    """
    variance, trace, square, explained_sum, largest = np.zeros((5, len(first)))
    blocks = list(_cluster_blocks(model))
    for block in blocks:
        scores = block.scores
        variance += np.square(scores[:, first] - scores[:, second]).sum(axis=0)
        norms, explained = np.maximum(difference_forms(block.products, first, second), 0.0)
        trace += (norms - explained).sum(axis=0)
        square += (norms * (norms - 2 * explained)).sum(axis=0)
        explained_sum += explained.sum(axis=0)
        largest = np.maximum(largest, norms.max(axis=0))
    fourth = _fourth_moments(model, blocks, first, second)
    if fourth is None:
        fourth = np.minimum(largest * explained_sum, explained_sum**2)
    return variance, trace, square + fourth


def _fourth_moments(
    model: AdditiveModel, blocks: list[_Block], first: IntArray, second: IntArray
) -> FloatArray | None:
    """Sum of the squared products s' C u of all pairs of clusters, s and u their summed weights; None if too costly.

    It is the squared norm of a matrix of clusters by clusters, and of one of columns by columns.
    """
    n_clusters = model.rows.n_clusters
    n_systems = model.rows.n_systems
    n_columns = len(model.inverse)
    moments = np.zeros(len(first))
    if not blocks:
        return moments
    cluster = np.concatenate([block.entry_cluster for block in blocks])
    column = np.concatenate([block.entry_column for block in blocks])
    entries = np.concatenate([block.entries for block in blocks])
    if n_systems * n_clusters * n_columns <= MAX_DENSE:
        summed = np.zeros((n_clusters * n_columns, n_systems))
        np.add.at(summed, cluster * n_columns + column, entries)
        weights = summed.T.reshape(n_systems, n_clusters, n_columns)
        return _dense_fourth_moments(model.inverse, weights, first, second)
    n_entries = np.bincount(cluster, minlength=n_clusters)
    products = n_clusters * n_systems**2 + 10 * int((n_entries**2).sum()) + 2 * n_columns**3
    if len(first) * products > MAX_PRODUCTS:
        return None
    from scipy import sparse

    shape = (n_clusters, n_columns)
    for pair, (i, j) in enumerate(zip(first, second, strict=True)):
        values = entries[:, i] - entries[:, j]
        weights = sparse.csr_array(sparse.coo_array((values, (cluster, column)), shape=shape))
        gram = (weights.T @ weights).toarray()
        product = model.inverse @ gram
        moments[pair] = (product * product.T).sum()
    return moments


def _dense_fourth_moments(
    inverse: FloatArray, weights: FloatArray, first: IntArray, second: IntArray
) -> FloatArray:
    """The same sum for weights that fit in memory, (n_systems, n_clusters, n_columns)."""
    n_clusters, n_columns = weights.shape[1:]
    explained = weights @ inverse
    moments = np.zeros(len(first))
    for pairs in batch_slices(len(first), max(1, MAX_GATHERED // (n_columns * max(n_clusters, n_columns)))):
        of_pairs = weights[first[pairs]] - weights[second[pairs]]
        explained_of_pairs = explained[first[pairs]] - explained[second[pairs]]
        by_columns = n_clusters > n_columns
        product = explained_of_pairs.mT @ of_pairs if by_columns else explained_of_pairs @ of_pairs.mT
        moments[pairs] = (product * product.mT).sum(axis=(1, 2))
    return moments


def _cluster_blocks(model: AdditiveModel) -> Iterator[_Block]:
    """Give the clusters with two rows or more in blocks of equally many rows."""
    numbers, values = model.rows.columns
    design = model.rows.design()
    order = np.argsort(model.rows.cluster, kind="stable")
    n_rows = np.bincount(model.rows.cluster)
    starts = np.cumsum(n_rows) - n_rows
    for size in np.unique(n_rows[n_rows > 1]):
        clusters = np.flatnonzero(n_rows == size)
        if size > MAX_ROWS_OF_BATCHED_CLUSTER:
            for cluster in clusters:
                of_cluster = order[starts[cluster] : starts[cluster] + size]
                yield _compressed_cluster(model, int(cluster), of_cluster, design[of_cluster])
            continue
        numbers_a_cluster = int(size * max(size, model.rows.n_systems) + model.rows.n_systems**2)
        for batch in batch_slices(len(clusters), max(1, MAX_GATHERED // numbers_a_cluster)):
            chosen = clusters[batch]
            of_clusters = order[starts[chosen][:, None] + np.arange(size)]
            yield _correct_equal_clusters(
                model, chosen, of_clusters, numbers[:, of_clusters], values[:, of_clusters]
            )


def _correct_equal_clusters(
    model: AdditiveModel,
    clusters: IntArray,
    rows_of_cluster: IntArray,
    columns: IntArray,
    values: FloatArray,
) -> _Block:
    """Apply CR2 to clusters with equally many rows.

    Shapes: ``rows_of_cluster`` (n_clusters, size), ``columns`` and ``values`` (n_values, n_clusters, size).
    """
    n_systems = model.rows.n_systems
    size = rows_of_cluster.shape[1]
    topic = model.rows.topic[rows_of_cluster]
    products = np.zeros((len(clusters), size, size))
    for column, value in zip(columns, values, strict=True):
        for other, other_value in zip(columns, values, strict=True):
            inverse = model.inverse[column[:, :, None], other[:, None, :]]
            products += value[:, :, None] * inverse * other_value[:, None, :]
    weights = (values[..., None] * model.inverse[columns, :n_systems]).sum(axis=0)
    is_same_topic = topic[:, :, None] == topic[:, None, :]
    averages = is_same_topic / is_same_topic.sum(axis=1, keepdims=True)
    leverage = products - averages @ products
    leverage = leverage - leverage @ averages
    weights = weights - averages @ weights
    adjusted = inverse_root(np.eye(size) - averages - leverage) @ weights
    return _Block(
        clusters=clusters,
        adjusted=adjusted,
        leverage=leverage,
        residual=model.residual[rows_of_cluster],
        entry_cluster=np.tile(np.repeat(clusters, size), len(columns)),
        entry_column=columns.ravel(),
        entries=(values[..., None] * adjusted).reshape(-1, n_systems),
    )


def _compressed_cluster(model: AdditiveModel, cluster: int, of_cluster: IntArray, design: Any) -> _Block:
    """Correct a cluster of many rows in the space of its columns, whose Gram matrix G = E L E' replaces the rows R.

    With Q = R E L^-1/2 rows are Q L^1/2 E', so that all results are the same with L^1/2 E' in place of R and Q'
    residual in place of the residuals.
    """
    from scipy import sparse

    n_systems = model.rows.n_systems
    topic = np.unique(model.rows.topic[of_cluster], return_inverse=True)[1]
    averages = sparse.csr_array((1 / np.sqrt(np.bincount(topic)[topic]), (topic, np.arange(len(topic)))))
    columns = np.unique(design.indices)
    design = design[:, columns]
    sums = averages @ design
    gram = (design.T @ design - sums.T @ sums).toarray()
    moments = design.T @ model.residual[of_cluster]
    values, vectors = robust_eigh(gram)
    is_positive = values > 1e-10 * values.max(initial=0.0)
    roots = np.sqrt(values[is_positive])
    compressed = roots[:, None] * vectors[:, is_positive].T
    leverage = compressed @ model.inverse[np.ix_(columns, columns)] @ compressed.T
    adjusted = inverse_root(np.eye(len(roots)) - leverage) @ (compressed @ model.inverse[columns, :n_systems])
    return _Block(
        clusters=np.array([cluster]),
        adjusted=adjusted[None],
        leverage=leverage[None],
        residual=(vectors[:, is_positive].T @ moments / roots)[None],
        entry_cluster=np.full(len(columns), cluster),
        entry_column=columns,
        entries=compressed.T @ adjusted,
    )


def inverse_root(matrices: FloatArray) -> FloatArray:
    """Symmetric inverse square root of each positive semidefinite matrix, 0 on its null space."""
    values, vectors = robust_eigh(matrices)
    is_positive = values > LEAST_EIGENVALUE
    roots = np.where(is_positive, 1 / np.sqrt(np.where(is_positive, values, 1.0)), 0.0)
    return (vectors * roots[..., None, :]) @ vectors.mT
