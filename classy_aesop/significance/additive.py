"""Means of systems that were not all rated on the same topics, nor by the same raters: the additive model.

A cell is the mean rating ``y`` of one system on one topic. The model is ``y = system + topic + sum_r share_r rater_r +
error``, where ``share_r`` is the share of the cell's ratings by rater r. Topics are eliminated by subtracting each
topic's mean, so that only a matrix of systems and raters is inverted (Frisch, Waugh and Lovell): 16 systems on 10,000
topics cost what a few sums over the cells cost.

A system's *least-squares mean* is its fitted mean over the topics of its group, with the raters that each topic had.
On a complete table whose raters do not vary within topics it is the plain mean.

The difference of two systems is *estimable* if its contrast is in the row space of the design. Systems fall into groups
within which all differences are estimable. Shared raters alone connect nothing, because topics are fixed effects; and
systems that share topics are not connected where each has raters of its own.

Standard errors are either *pooled*, from one error variance of all cells, or *clustered* by topic, with the bias
correction and the degrees of freedom of Bell and McCaffrey (CR2). With complete tables and raters that do not vary, the
clustered test of every pair is the paired t-test, whatever the other systems do.

Searle (1987), chapter 5; Bell and McCaffrey (2002); Pustejovsky and Tipton (2018), also for eliminated effects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import ROUNDING, FloatArray, IntArray, Result, one_of, score_vector

ERRORS = ("clustered", "pooled")

NOT_CONNECTED = "not connected"
NO_DEGREES_OF_FREEDOM = "no degrees of freedom left"
NO_RESIDUAL = "constant difference"

#: Eigenvalues of the scaled normal matrix below this share of the largest are 0.
RANK_TOLERANCE = 1e-9

#: Cells times columns that are gathered at once.
MAX_GATHERED = 4_000_000


@dataclass(frozen=True, slots=True)
class AdditiveModel(Result):
    """The fitted model.

    Attributes
    ----------
    mean : ndarray, shape (n_systems,)
        Least-squares means; comparable within a group only. NaN without a cell.
    group : ndarray of int, shape (n_systems,)
        Systems with one number have estimable differences; -1 without a cell.
    n_topics : ndarray of int, shape (n_systems,)
        Topics of each system.
    rater_effect : ndarray, shape (n_raters,)
        Effects of raters, with mean 0; NaN where they are not all estimable.
    raters_vary : bool
        Whether systems of one topic differ in their raters, so that rater effects are in the model.
    error_variance : float
        Pooled, of one cell; NaN without degrees of freedom.
    df : int
        Of the pooled error variance: cells less the rank of the design.
    """

    mean: FloatArray
    group: IntArray
    n_topics: IntArray
    rater_effect: FloatArray
    raters_vary: bool
    error_variance: float
    df: int
    coefficients: FloatArray
    inverse: FloatArray
    centred: Any
    residual: FloatArray
    topic: IntArray
    scale: float


@dataclass(frozen=True, slots=True)
class AdditiveTests(Result):
    """Tests of pairs of systems; arrays of shape (n_pairs,).

    Attributes
    ----------
    difference, error, statistic, df, p : ndarray
        Difference of the least-squares means, its standard error, t, its degrees of freedom, and the two-sided p.
    n_shared : ndarray of int
        Topics that both systems have; the difference may rest on others too.
    flag : ndarray of str
        Why p does not come from a test (it is 1 then); else empty.
    """

    first: IntArray
    second: IntArray
    n_shared: IntArray
    difference: FloatArray
    error: FloatArray
    statistic: FloatArray
    df: FloatArray
    p: FloatArray
    flag: np.ndarray[Any, Any]
    errors: str


def rater_shares(cell: ArrayLike, rater: ArrayLike, n_cells: int, n_raters: int) -> Any:
    """Share of each cell's ratings by each rater, a sparse array of shape (n_cells, n_raters), from one row a rating.

    Examples
    --------
    >>> rater_shares([0, 0, 1], [0, 1, 1], 2, 2).toarray().tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    from scipy import sparse

    cell = np.asarray(cell)
    n_ratings = np.bincount(cell, minlength=n_cells)
    shape = (n_cells, n_raters)
    return sparse.csr_array(sparse.coo_array((1 / n_ratings[cell], (cell, np.asarray(rater))), shape=shape))


def fit_additive_model(
    y: ArrayLike, system: ArrayLike, topic: ArrayLike, *, n_systems: int, shares: Any = None
) -> AdditiveModel:
    """Fit system + topic (+ raters) to cell means by least squares.

    Parameters
    ----------
    y : array_like, shape (n_cells,)
        Mean rating of each cell, no NaN.
    system, topic : array_like of int, shape (n_cells,)
        Numbers of the cell's system and topic, each pair once.
    shares : array or sparse array, shape (n_cells, n_raters), optional
        Of :func:`rater_shares`; without it raters are left out.

    Examples
    --------
    >>> model = fit_additive_model([3, 1, 4, 2, 6], [0, 1, 0, 1, 0], [0, 0, 1, 1, 2], n_systems=2)
    >>> model.mean.round(3).tolist()  # the second lacks the easy topic; its plain mean is 1.5, that of the first 4.333
    [4.333, 2.333]
    """
    from scipy import sparse

    y = score_vector(y, "y")
    system = np.asarray(system, dtype=np.int64)
    topic = np.unique(topic, return_inverse=True)[1].astype(np.int64)
    cells = np.arange(len(y))
    n_topics_in_all = int(topic.max(initial=-1)) + 1
    of_systems = sparse.csr_array((np.ones(len(y)), (cells, system)), shape=(len(y), n_systems))
    design = of_systems if shares is None else sparse.csr_array(sparse.hstack([of_systems, shares]))
    by_topic = sparse.csr_array((np.ones(len(y)), (topic, cells)), shape=(n_topics_in_all, len(y)))
    n_cells = np.bincount(topic, minlength=n_topics_in_all).astype(np.float64)
    topic_means = sparse.csr_array(sparse.diags_array(1 / n_cells) @ (by_topic @ design))
    normal = (design.T @ design - topic_means.T @ (by_topic @ design)).toarray()
    mean_y = by_topic @ y / n_cells
    centred_y = y - mean_y[topic]
    moments = design.T @ centred_y
    inverse, null_space = invert(normal)
    coefficients = inverse @ moments
    residual = centred_y - design @ coefficients + (topic_means @ coefficients)[topic]
    rank = len(normal) - null_space.shape[1]
    df = len(y) - n_topics_in_all - rank
    scale = float(np.abs(y).max(initial=0.0))
    n_topics = np.bincount(system, minlength=n_systems)
    group = groups_of(null_space[:n_systems], n_topics > 0)
    raters = normal[n_systems:, n_systems:]
    return AdditiveModel(
        mean=least_squares_means(coefficients[:n_systems], group, of_systems, design, y, topic, coefficients),
        group=group,
        n_topics=n_topics,
        rater_effect=_rater_effects(coefficients[n_systems:], null_space[n_systems:]),
        raters_vary=bool(raters.size) and bool(np.abs(raters).max(initial=0.0) > RANK_TOLERANCE),
        error_variance=float(residual @ residual / df) if df > 0 else float("nan"),
        df=df,
        coefficients=coefficients,
        inverse=inverse,
        centred=(design, topic_means),
        residual=residual,
        topic=topic,
        scale=scale,
    )


def invert(normal: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the Moore-Penrose inverse of a normal matrix and a basis of its null space; columns are scaled first."""
    diagonal = np.diag(normal)
    used = diagonal > RANK_TOLERANCE * max(1.0, diagonal.max(initial=0.0))
    unit = np.where(used, np.sqrt(np.where(used, diagonal, 1.0)), 1.0)
    scaled = np.where(used[:, None] & used, normal / unit / unit[:, None], 0.0)
    values, vectors = np.linalg.eigh(scaled)
    kept = values > RANK_TOLERANCE * values.max(initial=0.0)
    inverse = (vectors[:, kept] / values[kept]) @ vectors[:, kept].T / unit / unit[:, None]
    return inverse, vectors[:, ~kept] / unit[:, None]


def groups_of(null_rows: FloatArray, has_cells: np.ndarray[Any, Any]) -> IntArray:
    """Number the systems whose differences are estimable: their rows of the null space are equal."""
    rows = np.round(null_rows / max(np.abs(null_rows).max(initial=0.0), 1e-300), 6) + 0.0
    found = np.full(len(rows), -1)
    if has_cells.any():
        number = np.unique(rows[has_cells], axis=0, return_inverse=True)[1].ravel()
        first_seen = np.unique(number, return_index=True)[1]
        found[has_cells] = np.argsort(np.argsort(first_seen))[number]
    return found


def _rater_effects(coefficients: FloatArray, null_rows: FloatArray) -> FloatArray:
    """Give rater effects with mean 0 if all their differences are estimable."""
    if not len(coefficients):
        return coefficients
    estimable = np.ptp(null_rows, axis=0).max(initial=0.0) < 1e-6
    return coefficients - coefficients.mean() if estimable else np.full(len(coefficients), np.nan)


def least_squares_means(
    effects: FloatArray,
    group: IntArray,
    of_systems: Any,
    design: Any,
    y: FloatArray,
    topic: IntArray,
    coefficients: FloatArray,
) -> FloatArray:
    """Fitted mean of each system over its group's topics, each with the raters that the topic had."""
    means = np.full(len(effects), np.nan)
    of_cell = group[of_systems.indices]
    for number in range(int(group.max(initial=-1)) + 1):
        cells = of_cell == number
        _topics, which = np.unique(topic[cells], return_inverse=True)
        n_cells = np.bincount(which)
        own_effect = effects[of_systems.indices[cells]]
        level = (np.bincount(which, y[cells]) - np.bincount(which, own_effect)) / n_cells
        members = group == number
        means[members] = effects[members] + level.mean()
    return means


def compare_least_squares_means(
    model: AdditiveModel, pairs: ArrayLike | None = None, *, errors: str = "clustered"
) -> AdditiveTests:
    """Test differences of least-squares means by t; p is 1, with a flag, where the data cannot tell.

    Parameters
    ----------
    errors : {"clustered", "pooled"}
        By topic, with Bell and McCaffrey's correction and degrees of freedom; or one variance for all cells.

    Examples
    --------
    >>> y, system, topic = [3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]
    >>> found = compare_least_squares_means(fit_additive_model(y, system, topic, n_systems=2))
    >>> found.statistic.round(4).tolist(), found.df.round(4).tolist(), found.p.round(4).tolist()  # the paired t-test
    ([5.0], [2.0], [0.0377])
    """
    from scipy.special import stdtr

    one_of(errors, ERRORS, "errors")
    n_systems = len(model.mean)
    first, second = np.triu_indices(n_systems, k=1) if pairs is None else np.asarray(pairs).T
    contrasts = np.zeros((len(model.coefficients), len(first)))
    contrasts[first, np.arange(len(first))] = 1.0
    contrasts[second, np.arange(len(first))] = -1.0
    weights = model.inverse @ contrasts
    difference = model.coefficients[first] - model.coefficients[second]
    if errors == "pooled":
        variance = model.error_variance * np.einsum("ij,ij->j", contrasts, weights)
        df = np.full(len(first), float(model.df))
    else:
        variance, df = clustered_variances(model, weights, np.einsum("ij,ij->j", contrasts, weights))
    connected = (model.group[first] == model.group[second]) & (model.group[first] >= 0)
    is_constant = variance <= (ROUNDING * model.scale) ** 2
    has_df = (df > 0) & np.isfinite(variance)
    flags = np.select(
        [~connected, ~has_df, is_constant], [NOT_CONNECTED, NO_DEGREES_OF_FREEDOM, NO_RESIDUAL], ""
    )
    tested = flags == ""
    error = np.where(tested, np.sqrt(np.where(tested, variance, 1.0)), np.nan)
    difference = np.where(connected, difference, np.nan)
    with np.errstate(invalid="ignore"):
        t = difference / error
    p = np.where(tested, 2 * stdtr(np.where(tested, df, 1.0), -np.abs(np.where(tested, t, 0.0))), 1.0)
    return AdditiveTests(
        first, second, _shared_topics(model, first, second), difference, error, t, df, p, flags, errors
    )


def _shared_topics(model: AdditiveModel, first: IntArray, second: IntArray) -> IntArray:
    from scipy import sparse

    n_systems = len(model.mean)
    system = model.centred[0][:, :n_systems].indices
    shape = (n_systems, int(model.topic.max(initial=-1)) + 1)
    has = sparse.csr_array((np.ones(len(system), dtype=np.int64), (system, model.topic)), shape=shape)
    return np.asarray((has @ has.T).toarray()[first, second], dtype=np.int64)


def clustered_variances(
    model: AdditiveModel, weights: FloatArray, share_of_error: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Variance of each contrast with errors clustered by topic (CR2), and its degrees of freedom.

    ``weights`` are the inverse normal matrix times the contrasts, (n_columns, n_contrasts). Topics of one cell have no
    weight. The degrees of freedom are Satterthwaite's for independent errors of one variance.

    Cells that the model fits exactly, such as the only one of a rater, have no residual, and their part of the variance
    cannot be estimated by clusters. It is added from the pooled error variance: ``share_of_error`` is the variance of the
    contrast over that of a cell.
    """
    design, topic_means = model.centred
    order = np.argsort(model.topic, kind="stable")
    sizes = np.bincount(model.topic)
    starts = np.cumsum(sizes) - sizes
    n_columns, n_contrasts = weights.shape
    variance = np.zeros(n_contrasts)
    trace = np.zeros(n_contrasts)
    squares = np.zeros(n_contrasts)
    crossed = np.zeros((n_contrasts, n_columns, n_columns))
    cross_with_own = np.zeros(n_contrasts)
    for size in np.unique(sizes[sizes > 1]):
        topics = np.flatnonzero(sizes == size)
        step = max(1, MAX_GATHERED // int(size * max(n_columns, size, n_contrasts)))
        for begin in range(0, len(topics), step):
            chosen = topics[begin : begin + step]
            cells = order[starts[chosen][:, None] + np.arange(size)]
            rows = design[cells.ravel()].toarray().reshape(len(chosen), size, n_columns)
            rows -= topic_means[chosen].toarray()[:, None, :]
            leverage = rows @ model.inverse @ rows.transpose(0, 2, 1)
            correction = inverse_root(np.eye(size) - 1 / size - leverage)
            adjusted = correction @ (rows @ weights)
            variance += np.square(np.einsum("tcp,tc->tp", adjusted, model.residual[cells])).sum(axis=0)
            norms = np.square(adjusted).sum(axis=1)
            trace += norms.sum(axis=0)
            squares += np.square(norms).sum(axis=0)
            scores = rows.transpose(0, 2, 1) @ adjusted
            inside = np.einsum("tqp,qr,trp->tp", scores, model.inverse, scores, optimize=True)
            trace -= inside.sum(axis=0)
            cross_with_own += (norms * inside).sum(axis=0)
            crossed += np.einsum("tqp,trp->pqr", scores, scores, optimize=True)
    turned = model.inverse @ crossed
    square = squares - 2 * cross_with_own + np.einsum("pqr,prq->p", turned, turned)
    missed = share_of_error - trace
    missed = np.where(missed > 1e-9 * share_of_error, missed, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = variance + np.where(missed > 0, missed * model.error_variance, 0.0)
        square = square + np.where(missed > 0, missed**2 / model.df, 0.0)
        return variance, np.where(square > 0, (trace + missed) ** 2 / square, 0.0)


def inverse_root(matrices: FloatArray) -> FloatArray:
    """Symmetric inverse square root of each positive semidefinite matrix, 0 on its null space."""
    values, vectors = np.linalg.eigh(matrices)
    kept = values > 1e-8
    roots = np.where(kept, 1 / np.sqrt(np.where(kept, values, 1.0)), 0.0)
    return (vectors * roots[:, None, :]) @ vectors.transpose(0, 2, 1)
