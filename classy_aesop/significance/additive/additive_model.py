"""Means of systems that were not all rated on the same topics, nor by the same raters: the additive model.

The model is ``y = system + topic + rater + error``. Its rows are single ratings where raters are in the model, else
cells: the mean score of one system on one topic. Topics are eliminated by subtracting each topic's mean (Frisch, Waugh
and Lovell), so that only a matrix of systems and raters is inverted, and no matrix has a column a topic.

A system's *least-squares mean* is its fitted mean over all topics at hand, with the raters that each topic had. On a
complete table whose raters do not vary within topics it is the plain mean.

A difference is *estimable* if its contrast is in the row space of the design. Systems fall into groups within which all
differences are estimable. Shared raters alone connect nothing, because topics are fixed effects; and systems that
share topics are not connected where each has raters of its own.

Raters are *fixed* effects. Many raters of few ratings each (a crowd) are *random*: their variance is estimated by
REML, and their effects are shrunk, since a fixed effect for each would leave few degrees of freedom. Henderson's
mixed-model equations give both: random effects add the ratio of the variances to the diagonal. Random raters, too, must
link the systems: where each of them rated one system only, nothing is compared.

Searle (1987), chapter 5; Henderson (1975).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.base import BoolArray, FloatArray, IntArray, Result, score_vector
from classy_aesop.significance.equality import ROUNDING

RaterEffectsKind = Literal["none", "fixed", "random"]

MIN_RATINGS_OF_FIXED_RATER = 10
"""Raters who gave fewer ratings than this on average are random, if they are many."""

MIN_RANDOM_RATERS = 20
"""Of fewer raters the variance is poorly estimated, so that they are fixed however few their ratings are."""

RANK_TOLERANCE = 1e-9
"""Eigenvalues of a scaled normal matrix below this share of the largest are 0."""


@dataclass(frozen=True, slots=True)
class AdditiveModel(Result):
    """The fitted model; scores are in their own units.

    Attributes
    ----------
    mean : ndarray, shape (n_systems,)
        Least-squares means; comparable within a group only. NaN without a row.
    group : ndarray of int, shape (n_systems,)
        Systems of one number have estimable differences; -1 without a row.
    group_without_raters : ndarray of int, shape (n_systems,)
        The same if raters were left out: where it connects more systems, raters are the reason that they cannot be
        compared.
    n_topics : ndarray of int, shape (n_systems,)
        Topics of each system.
    raters : {"none", "fixed", "random"}
        How raters are in the model; they are if within a topic systems differ in their raters.
    rater_effect : ndarray, shape (n_raters,)
        Effects of raters with mean 0, shrunk if they are random; NaN where they are not all estimable.
    rater_deviation : float
        Standard deviation of random raters; NaN of others.
    error_deviation : float
        Standard deviation of the error of one row, pooled; NaN without degrees of freedom.
    df : int
        Of the pooled error variance: rows less the rank of the design.
    scale : float
        The largest score, positive or negative: differences below `ROUNDING` of it are due to rounding.
    fit : ModelFit
        The fit in detail, for tests of contrasts.
    """

    mean: FloatArray
    group: IntArray
    group_without_raters: IntArray
    n_topics: IntArray
    raters: RaterEffectsKind
    rater_effect: FloatArray
    rater_deviation: float
    error_deviation: float
    df: int
    scale: float
    fit: ModelFit

    @property
    def raters_vary(self) -> bool:
        """Whether systems of one topic differ in their raters, so that rater effects are in the model."""
        return self.raters != "none"


@dataclass(frozen=True, slots=True, eq=False)
class ModelRows:
    """Scores with the numbers of their systems, topics and raters; topics are numbered without gaps."""

    y: FloatArray
    system: IntArray
    topic: IntArray
    rater: IntArray | None
    n_systems: int
    n_topics: int
    n_raters: int

    @property
    def sizes(self) -> FloatArray:
        """Rows of each topic."""
        return np.bincount(self.topic, minlength=self.n_topics).astype(np.float64)

    @property
    def columns(self) -> list[IntArray]:
        """The columns of the design that are 1 in each row: that of the system, and of the rater."""
        return [self.system] if self.rater is None else [self.system, self.n_systems + self.rater]

    @property
    def n_columns(self) -> int:
        """Columns of the design."""
        return self.n_systems + (0 if self.rater is None else self.n_raters)

    def design(self) -> Any:
        """Give the sparse design of systems and raters, (n_rows, n_columns)."""
        from scipy import sparse

        columns = np.stack(self.columns, axis=1)
        starts = np.arange(0, columns.size + 1, columns.shape[1])
        shape = (len(self.y), self.n_columns)
        return sparse.csr_array((np.ones(columns.size), columns.ravel(), starts), shape=shape)

    def topic_sums(self) -> Any:
        """Give how often each column is 1 in each topic, sparse, (n_topics, n_columns)."""
        from scipy import sparse

        topics = np.tile(self.topic, len(self.columns))
        columns = np.concatenate(self.columns)
        shape = (self.n_topics, self.n_columns)
        return sparse.csr_array(sparse.coo_array((np.ones(len(topics)), (topics, columns)), shape=shape))

    def normal_matrix(self) -> FloatArray:
        """Give the normal matrix after topics are eliminated, (n_columns, n_columns)."""
        from scipy import sparse

        design = self.design()
        sums = self.topic_sums()
        weighted = sparse.diags_array(1 / self.sizes) @ sums
        normal: FloatArray = np.asarray((design.T @ design).toarray() - (sums.T @ weighted).toarray())
        return normal

    def centred(self) -> FloatArray:
        """Give the scores less the means of their topics."""
        means = np.bincount(self.topic, self.y, minlength=self.n_topics) / self.sizes
        return self.y - means[self.topic]


@dataclass(frozen=True, slots=True, eq=False)
class ModelFit:
    """The fit in detail, for tests of contrasts; scores are divided by ``unit``.

    Attributes
    ----------
    rows : ModelRows
        The rows of the design.
    normal, inverse : ndarray, shape (n_columns, n_columns)
        The normal matrix after topics are eliminated, and its inverse with the penalty of random raters.
    coefficients : ndarray, shape (n_columns,)
        Effects of systems and raters.
    residual : ndarray, shape (n_rows,)
    error_deviation, df : float, int
        Standard deviation of the errors, and its degrees of freedom.
    penalty : float
        The error variance over that of random raters; 0 without.
    rater_df : float
        Degrees of freedom of the variance of random raters.
    unit : float
        By which scores are divided.
    """

    rows: ModelRows
    normal: FloatArray
    inverse: FloatArray
    coefficients: FloatArray
    residual: FloatArray
    error_deviation: float
    df: int
    penalty: float
    rater_df: float
    unit: float


def fit_additive_model(
    y: ArrayLike,
    system: ArrayLike,
    topic: ArrayLike,
    *,
    n_systems: int,
    rater: ArrayLike | None = None,
    n_raters: int = 0,
) -> AdditiveModel:
    """Fit system + topic (+ rater) by least squares.

    Parameters
    ----------
    y : array_like, shape (n_rows,)
        Scores, no NaN: single ratings with their ``rater``, else one a system and topic.
    system, topic : array_like of int, shape (n_rows,)
        Numbers of the row's system, from 0 to ``n_systems`` - 1, and topic.
    n_systems : int
        Number of systems; those without a row get NaN.
    rater : array_like of int, shape (n_rows,), optional
        Numbers of raters, from 0 to ``n_raters`` - 1. They are in the model where within a topic systems differ in
        their raters. Else they are part of the topic effects, and ``rater`` only means that rows are single
        ratings.
    n_raters : int
        Number of raters.

    Returns
    -------
    AdditiveModel
        The fit, for :func:`compare_least_squares_means`.

    Raises
    ------
    ValueError
        Arrays of different lengths, a score that is missing or infinite, or a number out of range.

    Examples
    --------
    >>> model = fit_additive_model([3, 1, 4, 2, 6], [0, 1, 0, 1, 0], [0, 0, 1, 1, 2], n_systems=2)
    >>> model.mean.round(3).tolist()  # the second lacks the easy topic; its plain mean is 1.5, that of the first 4.333
    [4.333, 2.333]
    """
    rows = _check_rows(y, system, topic, rater, n_systems, n_raters)
    unit = _power_of_two(rows.y)
    rows = replace(rows, y=rows.y / unit)
    without_raters = replace(rows, rater=None, n_raters=0)
    normal = without_raters.normal_matrix()
    has_rows = np.bincount(rows.system, minlength=n_systems) > 0
    null_space = pseudo_inverse(normal)[1]
    group_without_raters = _group_systems(null_space, has_rows)
    rank = n_systems - null_space.shape[1]
    raters: RaterEffectsKind = "none"
    ratio = 0.0
    rater_df = 0.0
    if rows.rater is None or not _raters_vary(rows) or _is_crowd_of_single_ratings(rows.rater):
        rows = without_raters
        inverse = pseudo_inverse(normal)[0]
        group = group_without_raters
        penalty = 0.0
    else:
        normal = rows.normal_matrix()
        raters = "random" if _are_crowd(rows.rater) else "fixed"
        if raters == "random":
            ratio, rater_df = _estimate_variance_ratio(rows, normal)
            penalty = 1 / ratio
            penalties = np.repeat([0.0, penalty], [n_systems, n_raters])
            inverse, null_space = pseudo_inverse(normal + np.diag(penalties))
            group = _split_groups(group_without_raters, _link_by_raters(rows))
        else:
            penalty = 0.0
            inverse, null_space = pseudo_inverse(normal)
            group = _group_systems(null_space[:n_systems], has_rows)
            rank = len(normal) - null_space.shape[1]
    design = rows.design()
    centred = rows.centred()
    coefficients = inverse @ (design.T @ centred)
    fitted = design @ coefficients
    fitted_means = np.bincount(rows.topic, fitted, minlength=rows.n_topics) / rows.sizes
    residual = centred - fitted + fitted_means[rows.topic]
    df = len(rows.y) - rows.n_topics - rank
    square_sum = float(residual @ (centred if raters == "random" else residual))
    error_deviation = np.sqrt(max(square_sum, 0.0) / df) if df > 0 else float("nan")
    fit = ModelFit(
        rows, normal, inverse, coefficients, residual, float(error_deviation), df, penalty, rater_df, unit
    )
    cells = np.unique(rows.system * rows.n_topics + rows.topic)
    return AdditiveModel(
        mean=_least_squares_means(rows, group, coefficients[:n_systems]) * unit,
        group=group,
        group_without_raters=group_without_raters,
        n_topics=np.bincount(cells // rows.n_topics, minlength=n_systems),
        raters=raters,
        rater_effect=_rater_effects(coefficients[n_systems:], null_space[n_systems:]) * unit,
        rater_deviation=float(error_deviation * np.sqrt(ratio)) * unit
        if raters == "random"
        else float("nan"),
        error_deviation=float(error_deviation) * unit,
        df=df,
        scale=float(np.abs(rows.y).max(initial=0.0)) * unit,
        fit=fit,
    )


def _power_of_two(y: FloatArray) -> float:
    """Give a power of two near the largest score: divided by it, no sum of squares is too large or too small."""
    largest = float(np.abs(y).max(initial=0.0))
    return float(np.ldexp(1.0, np.frexp(largest)[1])) if largest else 1.0


def _check_rows(
    y: ArrayLike,
    system: ArrayLike,
    topic: ArrayLike,
    rater: ArrayLike | None,
    n_systems: int,
    n_raters: int,
) -> ModelRows:
    """Check the arrays of :func:`fit_additive_model`, and number topics without gaps."""
    scores = score_vector(y, "y")
    if np.isnan(scores).any():
        raise ValueError("y holds a missing score; expected a number in every row")
    numbers = {"system": (system, n_systems), "rater": (rater, n_raters)}
    checked: dict[str, IntArray | None] = {}
    for name, (values, n) in numbers.items():
        if values is None:
            checked[name] = None
            continue
        array = np.asarray(values, dtype=np.int64)
        if array.shape != scores.shape:
            raise ValueError(f"{name} has shape {array.shape}; expected {scores.shape}, as y")
        if array.size and not (array.min() >= 0 and array.max() < n):
            raise ValueError(f"{name} is {array.min()} to {array.max()}; expected 0 to {n - 1}")
        checked[name] = array
    topics = np.asarray(topic)
    if topics.shape != scores.shape:
        raise ValueError(f"topic has shape {topics.shape}; expected {scores.shape}, as y")
    names, topic_numbers = np.unique(topics, return_inverse=True)
    systems = checked["system"]
    assert systems is not None
    return ModelRows(
        scores, systems, topic_numbers.astype(np.int64), checked["rater"], n_systems, len(names), n_raters
    )


def _raters_vary(rows: ModelRows) -> bool:
    """Whether within a topic systems differ in the shares of their ratings that raters gave."""
    assert rows.rater is not None
    cell = rows.topic * rows.n_systems + rows.system
    cells, cell_of_row = np.unique(cell, return_inverse=True)
    ratings_of_cell = np.bincount(cell_of_row)
    entry, entry_of_row = np.unique(cell_of_row * rows.n_raters + rows.rater, return_inverse=True)
    cell_of_entry = entry // rows.n_raters
    share = np.bincount(entry_of_row) / ratings_of_cell[cell_of_entry]
    topic_of_cell = cells // rows.n_systems
    cells_of_topic = np.bincount(topic_of_cell, minlength=rows.n_topics)
    topic_and_rater = topic_of_cell[cell_of_entry] * rows.n_raters + entry % rows.n_raters
    combination, combination_of_entry = np.unique(topic_and_rater, return_inverse=True)
    n_cells = cells_of_topic[combination // rows.n_raters]
    largest_share = np.zeros(len(combination))
    np.maximum.at(largest_share, combination_of_entry, share)
    smallest_share = np.ones(len(combination))
    np.minimum.at(smallest_share, combination_of_entry, share)
    is_in_every_cell = np.bincount(combination_of_entry) == n_cells
    shares_differ = largest_share - smallest_share > RANK_TOLERANCE
    return bool((~is_in_every_cell | shares_differ).any())


def _are_crowd(rater: IntArray) -> bool:
    """Whether raters are many, with few ratings each."""
    n_ratings = np.bincount(rater)
    n_ratings = n_ratings[n_ratings > 0]
    return len(n_ratings) >= MIN_RANDOM_RATERS and n_ratings.mean() < MIN_RATINGS_OF_FIXED_RATER


def _is_crowd_of_single_ratings(rater: IntArray) -> bool:
    """Whether raters are a crowd in which nobody rated twice: their effects are part of the errors."""
    return bool(_are_crowd(rater) and np.bincount(rater).max() == 1)


def _link_by_raters(rows: ModelRows) -> IntArray:
    """Number the sets of systems that are linked by raters who rated two of them, (n_systems,).

    Where nobody rated two systems, random raters cannot be separated from systems.
    """
    from scipy import sparse

    assert rows.rater is not None
    n_nodes = rows.n_columns
    edges = np.ones(len(rows.y)), (rows.system, rows.n_systems + rows.rater)
    graph = sparse.coo_array(edges, shape=(n_nodes, n_nodes))
    labels = sparse.csgraph.connected_components(graph, directed=False)[1]
    return np.asarray(labels[: rows.n_systems], dtype=np.int64)


def _split_groups(group: IntArray, label: IntArray) -> IntArray:
    """Split groups of systems by a further label, and number them by first appearance; -1 stays."""
    split = np.full(len(group), -1)
    numbers: dict[tuple[int, int], int] = {}
    for system in np.flatnonzero(group >= 0).tolist():
        split[system] = numbers.setdefault((int(group[system]), int(label[system])), len(numbers))
    return split


def _estimate_variance_ratio(rows: ModelRows, normal: FloatArray) -> tuple[float, float]:
    """Estimate the variance of random raters over that of errors by REML, systems and topics being fixed.

    Returns the ratio, above 0, and the degrees of freedom of the estimated variance of raters.
    """
    from scipy.optimize import minimize_scalar

    n_systems = rows.n_systems
    centred = rows.centred()
    moments = rows.design().T @ centred
    inverse, null_space = pseudo_inverse(normal[:n_systems, :n_systems])
    projection = normal[n_systems:, :n_systems] @ inverse
    raters = normal[n_systems:, n_systems:] - projection @ normal[:n_systems, n_systems:]
    moments_of_raters = moments[n_systems:] - projection @ moments[:n_systems]
    square_sum = float(centred @ centred - moments[:n_systems] @ inverse @ moments[:n_systems])
    n = len(centred) - rows.n_topics - (n_systems - null_space.shape[1])
    values, vectors = np.linalg.eigh(raters)
    values = np.maximum(values, 0.0)
    squares = np.square(vectors.T @ moments_of_raters)
    smallest = 1e-6
    if n <= 0 or square_sum <= 0:
        return smallest, 0.0

    def deviance(log_ratio: float) -> float:
        ratio = np.exp(log_ratio)
        remaining = square_sum - (squares * ratio / (1 + ratio * values)).sum()
        return float(n * np.log(max(remaining, ROUNDING * square_sum)) + np.log1p(ratio * values).sum())

    bounds = (np.log(smallest), -np.log(smallest))
    ratio = float(np.exp(minimize_scalar(deviance, bounds=bounds, method="bounded").x))
    shares = ratio * values / (1 + ratio * values)
    return ratio, float(np.square(shares).sum())


def pseudo_inverse(normal: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Give the Moore-Penrose inverse of a normal matrix and a basis of its null space; columns are scaled first."""
    diagonal = np.diag(normal)
    is_used = diagonal > RANK_TOLERANCE * max(1.0, diagonal.max(initial=0.0))
    unit = np.where(is_used, np.sqrt(np.where(is_used, diagonal, 1.0)), 1.0)
    scaled = np.where(is_used[:, None] & is_used, normal / unit / unit[:, None], 0.0)
    values, vectors = np.linalg.eigh(scaled)
    is_kept = values > RANK_TOLERANCE * values.max(initial=0.0)
    inverse = (vectors[:, is_kept] / values[is_kept]) @ vectors[:, is_kept].T / unit / unit[:, None]
    return inverse, vectors[:, ~is_kept] / unit[:, None]


def _group_systems(null_rows: FloatArray, has_rows: BoolArray) -> IntArray:
    """Number the systems whose differences are estimable: their rows of the null space are equal."""
    largest = max(float(np.abs(null_rows).max(initial=0.0)), np.finfo(float).tiny)
    rounded = np.round(null_rows / largest, 6) + 0.0
    group = np.full(len(rounded), -1, dtype=np.int64)
    if has_rows.any():
        number = np.unique(rounded[has_rows], axis=0, return_inverse=True)[1].ravel()
        first_row = np.unique(number, return_index=True)[1]
        group[has_rows] = np.argsort(np.argsort(first_row))[number]
    return group


def _rater_effects(coefficients: FloatArray, null_rows: FloatArray) -> FloatArray:
    """Give rater effects with mean 0 if all their differences are estimable."""
    if not len(coefficients):
        return coefficients
    is_estimable = np.ptp(null_rows, axis=0).max(initial=0.0) < 1e-6
    return coefficients - coefficients.mean() if is_estimable else np.full(len(coefficients), np.nan)


def _least_squares_means(rows: ModelRows, group: IntArray, effects: FloatArray) -> FloatArray:
    """Give the fitted mean of each system over its group's topics, each with the raters that the topic had."""
    means = np.full(rows.n_systems, np.nan)
    group_of_row = group[rows.system]
    for number in range(int(group.max(initial=-1)) + 1):
        members = group == number
        is_row = group_of_row == number
        if _is_complete(rows, is_row, members):  # the plain means, to the bit
            order = np.lexsort((rows.topic[is_row], rows.system[is_row]))
            means[members] = rows.y[is_row][order].reshape(int(members.sum()), -1).mean(axis=1)
            continue
        topic_of_row = np.unique(rows.topic[is_row], return_inverse=True)[1]
        without_system = rows.y[is_row] - effects[rows.system[is_row]]
        level = np.bincount(topic_of_row, without_system) / np.bincount(topic_of_row)
        means[members] = effects[members] + level.mean()
    return means


def _is_complete(rows: ModelRows, is_row: BoolArray, members: BoolArray) -> bool:
    """Whether each system of a group has one row on each topic of it, and no rater is in the model."""
    n_topics = len(np.unique(rows.topic[is_row]))
    return rows.rater is None and int(is_row.sum()) == n_topics * int(members.sum())


def count_shared_topics(model: AdditiveModel, first: IntArray, second: IntArray) -> IntArray:
    """Count the topics that both of each pair have."""
    from scipy import sparse

    rows = model.fit.rows
    shape = (rows.n_systems, rows.n_topics)
    has = sparse.csr_array((np.ones(len(rows.y)), (rows.system, rows.topic)), shape=shape)
    has.data[:] = 1.0
    n_shared: FloatArray = (has @ has.T).toarray()[first, second]
    return np.rint(n_shared).astype(np.int64)
