"""Variances of differences of systems when errors are clustered by topic: CR2, and Satterthwaite's degrees of freedom.

A difference is a weighted sum of rows. Its variance is estimated by the sum over topics of the squared sum of the
topic's weighted residuals, which are first multiplied by the inverse root of their covariance under independent errors
of one variance, I - H (CR2). The estimate is a quadratic form; its degrees of freedom are those of the chi-square with
the same mean and variance, again under such errors, tr(G)^2 / tr(G G).

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

import numpy as np

from classy_aesop.significance.additive.additive_model import ModelFit
from classy_aesop.significance.base import FloatArray, IntArray, robust_eigh

MAX_GATHERED = 4_000_000
"""Numbers that are gathered at once."""

MAX_DENSE = 8_000_000
"""Up to so many numbers by system, topic and column are computed densely."""

MAX_ROWS_OF_BATCHED_TOPIC = 96
"""Topics with more rows are compressed to their systems and raters, one by one."""

MAX_PRODUCTS = 20_000_000_000
"""Multiplications beyond which degrees of freedom are bounded from below instead of computed."""

LEAST_EIGENVALUE = 1e-8
"""Eigenvalues of I - H below this are of rows that the model fits exactly."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Topics with the same number of rows, perhaps compressed ones.

    ``adjusted`` holds the weights of the rows in each system's effect, times the correction, (n_topics, n_rows,
    n_systems); ``leverage`` H without the topics' own part; ``entries`` the adjusted weights summed by column.
    """

    topics: IntArray
    adjusted: FloatArray
    leverage: FloatArray
    residual: FloatArray
    entry_topic: IntArray
    entry_column: IntArray
    entries: FloatArray


def topic_scores(fit: ModelFit) -> tuple[FloatArray, FloatArray]:
    """Influence of each topic's corrected residuals on each system's effect, and the covariance of their sums.

    Shapes: gives ``scores`` (n_topics, n_systems), ``covariance`` (n_systems, n_systems).
    """
    scores = np.zeros((fit.rows.n_topics, fit.rows.n_systems))
    traces = np.zeros((fit.rows.n_systems, fit.rows.n_systems))
    for block in _topic_blocks(fit):
        scores[block.topics] = np.einsum("tms,tm->ts", block.adjusted, block.residual)
        transposed = block.adjusted.transpose(0, 2, 1)
        traces += (transposed @ block.adjusted - transposed @ (block.leverage @ block.adjusted)).sum(axis=0)
    return scores, traces


@dataclass(frozen=True, slots=True)
class ClusteredForms:
    """Quadratic forms G of the residuals of pairs of systems, (n_pairs,) each.

    ``variance`` is that of the difference; ``trace`` and ``square`` are tr(G) and tr(G G), under errors of variance 1.
    """

    variance: FloatArray
    trace: FloatArray
    square: FloatArray


def clustered_forms(fit: ModelFit, first: IntArray, second: IntArray) -> ClusteredForms:
    """Quadratic forms of the differences of pairs of systems, for their variances and degrees of freedom.

    ``square`` is bounded from above where it would take more than `MAX_PRODUCTS`, so that degrees of freedom, which are
    many then, are not overstated: the explained component of G is at most the largest squared weight of a topic times
    its trace.

    Shapes: ``first`` and ``second`` (n_pairs,).
    """
    n_topics = fit.rows.n_topics
    variance = np.zeros(len(first))
    norm_sum = np.zeros(len(first))
    norm_squares = np.zeros(len(first))
    explained_sum = np.zeros(len(first))
    crossed = np.zeros(len(first))
    largest = np.zeros(len(first))
    entries: list[_Block] = []
    for block in _topic_blocks(fit):
        scores = np.einsum("tms,tm->ts", block.adjusted, block.residual)
        transposed = block.adjusted.transpose(0, 2, 1)
        norms_of_systems = transposed @ block.adjusted
        explained_of_systems = transposed @ (block.leverage @ block.adjusted)
        step = max(1, MAX_GATHERED // len(block.topics))
        for begin in range(0, len(first), step):
            pairs = slice(begin, begin + step)
            i = first[pairs]
            j = second[pairs]
            variance[pairs] += np.square(scores[:, i] - scores[:, j]).sum(axis=0)
            norms = _difference_forms(norms_of_systems, i, j)
            explained = _difference_forms(explained_of_systems, i, j)
            norm_sum[pairs] += norms.sum(axis=0)
            norm_squares[pairs] += np.square(norms).sum(axis=0)
            explained_sum[pairs] += explained.sum(axis=0)
            crossed[pairs] += (norms * explained).sum(axis=0)
            largest[pairs] = np.maximum(largest[pairs], norms.max(axis=0, initial=0.0))
        entries.append(block)
    trace = norm_sum - explained_sum
    fourth = _fourth_moments(fit, entries, n_topics, first, second)
    if fourth is None:
        fourth = np.minimum(largest * explained_sum, explained_sum**2)
    return ClusteredForms(variance, trace, norm_squares - 2 * crossed + fourth)


def _difference_forms(system_forms: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """Quadratic forms of differences, (n_topics, n_pairs), from those of systems, (n_topics, n_systems, n_systems)."""
    diagonal = np.diagonal(system_forms, axis1=1, axis2=2)
    return np.maximum(diagonal[:, first] + diagonal[:, second] - 2 * system_forms[:, first, second], 0.0)


def _fourth_moments(
    fit: ModelFit, blocks: list[_Block], n_topics: int, first: IntArray, second: IntArray
) -> FloatArray | None:
    """Sum of the squared products s' C u of all pairs of topics, s and u their summed weights; None if too costly.

    It is the squared norm of a matrix of topics by topics, and of one of columns by columns.
    """
    n_columns = len(fit.inverse)
    n_pairs = len(first)
    topic = np.concatenate([block.entry_topic for block in blocks] or [np.empty(0, np.int64)])
    column = np.concatenate([block.entry_column for block in blocks] or [np.empty(0, np.int64)])
    entries = np.concatenate([block.entries for block in blocks] or [np.empty((0, fit.rows.n_systems))])
    moments = np.zeros(n_pairs)
    if fit.rows.n_systems * n_topics * n_columns <= MAX_DENSE:
        return _dense_fourth_moments(fit, topic, column, entries, n_topics, first, second)
    n_entries = np.bincount(topic, minlength=n_topics)
    products = n_topics * fit.rows.n_systems**2 + 10 * int((n_entries**2).sum()) + 2 * n_columns**3
    if n_pairs * products > MAX_PRODUCTS:
        return None
    from scipy import sparse

    shape = (n_topics, n_columns)
    for pair, (i, j) in enumerate(zip(first, second, strict=True)):
        values = entries[:, i] - entries[:, j]
        weights = sparse.csr_array(sparse.coo_array((values, (topic, column)), shape=shape))
        of_systems = weights[:, : fit.rows.n_systems].toarray()
        of_raters = weights[:, fit.rows.n_systems :]
        crossed = of_raters.T @ of_systems
        gram = np.block(
            [[of_systems.T @ of_systems, crossed.T], [crossed, (of_raters.T @ of_raters).toarray()]]
        )
        product = fit.inverse @ gram
        moments[pair] = (product * product.T).sum()
    return moments


def _dense_fourth_moments(
    fit: ModelFit,
    topic: IntArray,
    column: IntArray,
    entries: FloatArray,
    n_topics: int,
    first: IntArray,
    second: IntArray,
) -> FloatArray:
    """The same sum for tables that fit in memory by system, topic and column."""
    n_columns = len(fit.inverse)
    summed = np.zeros((n_topics * n_columns, fit.rows.n_systems))
    np.add.at(summed, topic * n_columns + column, entries)
    weights: FloatArray = summed.T.reshape(fit.rows.n_systems, n_topics, n_columns)
    by_topics = n_topics <= n_columns
    if by_topics:
        values, vectors = robust_eigh(fit.inverse)
        weights = weights @ (vectors * np.sqrt(np.maximum(values, 0.0)))
    moments = np.zeros(len(first))
    step = max(1, MAX_GATHERED // max(1, n_columns * max(n_topics, n_columns)))
    for begin in range(0, len(first), step):
        pairs = slice(begin, begin + step)
        of_pairs = weights[first[pairs]] - weights[second[pairs]]
        if by_topics:
            gram = of_pairs @ of_pairs.transpose(0, 2, 1)
            moments[pairs] = np.square(gram).sum(axis=(1, 2))
        else:
            product = fit.inverse @ (of_pairs.transpose(0, 2, 1) @ of_pairs)
            moments[pairs] = (product * product.transpose(0, 2, 1)).sum(axis=(1, 2))
    return moments


def _topic_blocks(fit: ModelFit) -> Iterator[_Block]:
    """Give the topics with two rows or more in blocks of equally many rows."""
    order = np.argsort(fit.rows.topic, kind="stable")
    n_rows = np.bincount(fit.rows.topic)
    starts = np.cumsum(n_rows) - n_rows
    for size in np.unique(n_rows[n_rows > 1]):
        topics = np.flatnonzero(n_rows == size)
        if size > MAX_ROWS_OF_BATCHED_TOPIC:
            for topic in topics:
                yield _compressed_topic(fit, int(topic), order[starts[topic] : starts[topic] + size])
            continue
        step = max(1, MAX_GATHERED // int(size * max(size, fit.rows.n_systems) + fit.rows.n_systems**2))
        for begin in range(0, len(topics), step):
            chosen = topics[begin : begin + step]
            yield _correct_equal_topics(fit, chosen, order[starts[chosen][:, None] + np.arange(size)])


def _correct_equal_topics(fit: ModelFit, topics: IntArray, rows_of_topic: IntArray) -> _Block:
    """Apply CR2 to topics with equally many rows; ``rows_of_topic`` (n_topics, size) holds the index of each row."""
    n_systems = fit.rows.n_systems
    size = rows_of_topic.shape[1]
    system = fit.rows.system[rows_of_topic]
    columns = [system] if fit.rows.rater is None else [system, n_systems + fit.rows.rater[rows_of_topic]]
    products = np.zeros((len(topics), size, size))
    weights = np.zeros((len(topics), size, n_systems))
    for column in columns:
        weights += fit.inverse[column, :n_systems]
        for other in columns:
            products += fit.inverse[column[:, :, None], other[:, None, :]]
    leverage = products - products.mean(axis=1, keepdims=True)
    leverage = leverage - leverage.mean(axis=2, keepdims=True)
    weights = weights - weights.mean(axis=1, keepdims=True)
    adjusted = inverse_root(np.eye(size) - 1 / size - leverage) @ weights
    flat = adjusted.reshape(-1, n_systems)
    return _Block(
        topics=topics,
        adjusted=adjusted,
        leverage=leverage,
        residual=fit.residual[rows_of_topic],
        entry_topic=np.tile(np.repeat(topics, size), len(columns)),
        entry_column=np.concatenate([column.ravel() for column in columns]),
        entries=np.concatenate([flat] * len(columns)),
    )


def _compressed_topic(fit: ModelFit, topic: int, of_topic: IntArray) -> _Block:
    """Correct a topic of many rows in the space of its columns, whose Gram matrix G = E L E' replaces the rows R.

    With Q = R E L^-1/2 rows are Q L^1/2 E', so that all results are the same with L^1/2 E' in place of R and Q'
    residual in place of the residuals.
    """
    from scipy import sparse

    n_systems = fit.rows.n_systems
    size = len(of_topic)
    column = fit.rows.system[of_topic]
    row = np.arange(size)
    if fit.rows.rater is not None:
        column = np.concatenate([column, n_systems + fit.rows.rater[of_topic]])
        row = np.concatenate([row, row])
    columns, local = np.unique(column, return_inverse=True)
    shape = (size, len(columns))
    design = sparse.csr_array(sparse.coo_array((np.ones(len(row)), (row, local.ravel())), shape=shape))
    sums = np.asarray(design.sum(axis=0)).ravel()
    gram = (design.T @ design).toarray() - np.outer(sums, sums) / size
    residual = fit.residual[of_topic]
    moments = design.T @ (residual - residual.mean())
    values, vectors = robust_eigh(gram)
    is_positive = values > 1e-10 * values.max(initial=0.0)
    roots = np.sqrt(values[is_positive])
    compressed = roots[:, None] * vectors[:, is_positive].T
    leverage = compressed @ fit.inverse[np.ix_(columns, columns)] @ compressed.T
    adjusted = inverse_root(np.eye(len(roots)) - leverage) @ (compressed @ fit.inverse[columns, :n_systems])
    return _Block(
        topics=np.array([topic]),
        adjusted=adjusted[None],
        leverage=leverage[None],
        residual=(vectors[:, is_positive].T @ moments / roots)[None],
        entry_topic=np.full(len(columns), topic),
        entry_column=columns,
        entries=compressed.T @ adjusted,
    )


def inverse_root(matrices: FloatArray) -> FloatArray:
    """Symmetric inverse square root of each positive semidefinite matrix, 0 on its null space."""
    values, vectors = robust_eigh(matrices)
    is_positive = values > LEAST_EIGENVALUE
    roots = np.where(is_positive, 1 / np.sqrt(np.where(is_positive, values, 1.0)), 0.0)
    return np.asarray((vectors * roots[..., None, :]) @ np.swapaxes(vectors, -1, -2))
