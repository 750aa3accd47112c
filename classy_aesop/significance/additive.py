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
REML, and their effects are shrunk, since a fixed effect for each would use up the data. Henderson's mixed-model
equations give both: random effects add the ratio of the variances to the diagonal.

Standard errors are clustered by topic, with the bias correction and the degrees of freedom of Bell and McCaffrey
(CR2). With a complete table and raters that do not vary, the test of a pair is its paired t-test, whatever the other
systems do. Random raters add the variance of what is left of their effects after shrinking.

Random raters, too, must link the systems: where each of them rated one system only, nothing is compared.

Searle (1987), chapter 5; Henderson (1975); Bell and McCaffrey (2002); Pustejovsky and Tipton (2018).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.significance.base import (
    ALPHA,
    ROUNDING,
    BoolArray,
    FloatArray,
    IntArray,
    Result,
    check_share,
    is_significant,
    one_of,
    score_vector,
)
from classy_aesop.significance.clustered import ClusteredRows, clustered_forms, topic_scores
from classy_aesop.significance.multiplicity import adjusted
from classy_aesop.significance.pairs import (
    ALTERNATIVES,
    DIFFERENT,
    NO_DIFFERENCE,
    NO_SPREAD,
    UNDECIDED,
    EquivalenceTests,
    Margin,
    PairTests,
    levels_of,
    margin_ends,
    pair_rows,
    shown_within,
)

ADDITIVE = "additive"
"""The name of the test."""

NOT_CONNECTED = "not connected"
NO_DEGREES_OF_FREEDOM = "no degrees of freedom left"

RaterEffects = Literal["none", "fixed", "random"]

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
    """

    mean: FloatArray
    group: IntArray
    group_without_raters: IntArray
    n_topics: IntArray
    raters: RaterEffects
    rater_effect: FloatArray
    rater_deviation: float
    error_deviation: float
    df: int
    scale: float
    fit: _Fit

    @property
    def raters_vary(self) -> bool:
        """Whether systems of one topic differ in their raters, so that rater effects are in the model."""
        return self.raters != "none"


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
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
class _Fit:
    """What tests need of a fit; scores are divided by ``unit``."""

    rows: _Rows
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
        their raters. Else the topic effects hold them, and ``rater`` makes no difference but that rows are single
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
    null_space = _invert(normal)[1]
    group_without_raters = _group_systems(null_space, has_rows)
    rank = n_systems - null_space.shape[1]
    raters: RaterEffects = "none"
    ratio = 0.0
    rater_df = 0.0
    if rows.rater is None or not _raters_vary(rows) or _is_crowd_of_single_ratings(rows.rater):
        rows = without_raters
        inverse = _invert(normal)[0]
        group = group_without_raters
        penalty = 0.0
    else:
        normal = rows.normal_matrix()
        raters = "random" if _are_crowd(rows.rater) else "fixed"
        if raters == "random":
            ratio, rater_df = _estimate_variance_ratio(rows, normal)
            penalty = 1 / ratio
            penalties = np.repeat([0.0, penalty], [n_systems, n_raters])
            inverse, null_space = _invert(normal + np.diag(penalties))
            group = _split_groups(group_without_raters, _link_by_raters(rows))
        else:
            penalty = 0.0
            inverse, null_space = _invert(normal)
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
    fit = _Fit(
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
) -> _Rows:
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
    return _Rows(
        scores, systems, topic_numbers.astype(np.int64), checked["rater"], n_systems, len(names), n_raters
    )


def _raters_vary(rows: _Rows) -> bool:
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
    combination, of_entry = np.unique(topic_and_rater, return_inverse=True)
    n_cells = cells_of_topic[combination // rows.n_raters]
    greatest = np.zeros(len(combination))
    np.maximum.at(greatest, of_entry, share)
    least = np.ones(len(combination))
    np.minimum.at(least, of_entry, share)
    is_in_every_cell = np.bincount(of_entry) == n_cells
    return bool((~is_in_every_cell | (greatest - least > RANK_TOLERANCE)).any())


def _are_crowd(rater: IntArray) -> bool:
    """Whether raters are many, with few ratings each."""
    n_ratings = np.bincount(rater)
    n_ratings = n_ratings[n_ratings > 0]
    return len(n_ratings) >= MIN_RANDOM_RATERS and n_ratings.mean() < MIN_RATINGS_OF_FIXED_RATER


def _is_crowd_of_single_ratings(rater: IntArray) -> bool:
    """Whether raters are a crowd in which nobody rated twice: their effects are part of the errors."""
    return bool(_are_crowd(rater) and np.bincount(rater).max() == 1)


def _link_by_raters(rows: _Rows) -> IntArray:
    """Number the sets of systems that are linked by raters who rated two of them, (n_systems,).

    The variance of random raters cannot tell systems from their raters where nobody rated two of them.
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


def _estimate_variance_ratio(rows: _Rows, normal: FloatArray) -> tuple[float, float]:
    """Estimate the variance of random raters over that of errors by REML, systems and topics being fixed.

    Returns the ratio, above 0, and the degrees of freedom of the estimated variance of raters.
    """
    from scipy.optimize import minimize_scalar

    n_systems = rows.n_systems
    centred = rows.centred()
    moments = rows.design().T @ centred
    inverse, null_space = _invert(normal[:n_systems, :n_systems])
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


def _invert(normal: FloatArray) -> tuple[FloatArray, FloatArray]:
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


def _least_squares_means(rows: _Rows, group: IntArray, effects: FloatArray) -> FloatArray:
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


def _is_complete(rows: _Rows, is_row: BoolArray, members: BoolArray) -> bool:
    """Whether each system of a group has one row on each topic of it, and no rater is in the model."""
    n_topics = len(np.unique(rows.topic[is_row]))
    return rows.rater is None and int(is_row.sum()) == n_topics * int(members.sum())


# --- tests ---


@dataclass(frozen=True, slots=True, eq=False)
class _Variances:
    """What the variances of contrasts are made of, by pairs of systems, (n_systems, n_systems).

    That of rows, and that of random raters, over the error variance.
    """

    total: FloatArray
    of_raters: FloatArray


def compare_least_squares_means(
    model: AdditiveModel,
    pairs: ArrayLike | None = None,
    *,
    alternative: str = "two-sided",
    correction: str = "holm",
    confidence: float | None = 0.95,
) -> PairTests:
    """Test differences of least-squares means by t, with errors clustered by topic (CR2).

    Parameters
    ----------
    model : AdditiveModel
        Of :func:`fit_additive_model`.
    pairs : array_like of int, shape (n_pairs, 2), optional
        Systems to compare; by default each with every later one.
    alternative : {"two-sided", "greater", "less"}
        What is tested of the first less the second.
    correction : {"holm", "bonferroni", "bh", "by", "none"}
        For the family of all pairs tested here.
    confidence : float or None
        Of the intervals, which are those of t; with None they are NaN.

    Returns
    -------
    PairTests
        As of :func:`classy_aesop.significance.pairs.compare_pairs`. ``n`` and ``n_used`` count the topics that both
        have, though the difference may rest on others too; ``effect`` is t over the root of the degrees of freedom
        plus 1, which in a complete table is Cohen's d_z. p is 1, with a flag and without an interval, where the
        difference is not estimable (it is NaN then), where nothing is left to estimate its variance from, and where it
        is constant.

    Raises
    ------
    ValueError
        A name is not known, a confidence is out of range, or pairs name systems that are not there.

    Notes
    -----
    The degrees of freedom are Satterthwaite's for independent errors of one variance (Bell and McCaffrey 2002).
    Residuals are 0 for rows that the model fits exactly, such as the only one of a rater; their share of the variance
    is completed from the pooled error variance. Random raters add the variance of their effects that shrinking leaves
    in the difference.

    Examples
    --------
    >>> y, system, topic = [3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]
    >>> tests = compare_least_squares_means(fit_additive_model(y, system, topic, n_systems=2))
    >>> tests.statistic.round(4).tolist(), tests.p.round(4).tolist()  # the paired t-test
    ([5.0], [0.0377])
    """
    one_of(alternative, ALTERNATIVES, "alternative")
    if confidence is not None:
        check_share(confidence, "confidence")
    first, second = pair_rows(pairs, len(model.mean))
    estimates = _estimate_differences(model, first, second)
    return _pair_tests(
        model, estimates, alternative=alternative, correction=correction, confidence=confidence
    )


def _pair_tests(
    model: AdditiveModel,
    estimates: _Estimates,
    *,
    alternative: str,
    correction: str,
    confidence: float | None,
) -> PairTests:
    """Test whether estimated differences are 0."""
    p = estimates.p(0.0, alternative)
    levels = levels_of(confidence, correction, len(p))
    low, high = estimates.interval(levels[""])
    low_all, high_all = estimates.interval(levels["_all"])
    n_shared = _count_shared_topics(model, estimates.first, estimates.second)
    return PairTests(
        ADDITIVE,
        alternative,
        correction,
        estimates.first,
        estimates.second,
        n=n_shared,
        n_used=n_shared,
        difference=estimates.difference,
        low=low,
        high=high,
        low_all=low_all,
        high_all=high_all,
        effect=estimates.t / np.sqrt(estimates.df + 1),
        statistic=estimates.t,
        p=p,
        p_adjusted=adjusted(p, correction=correction),
        flag=estimates.flag,
        confidence=confidence,
    )


def equivalence_least_squares_means(
    model: AdditiveModel,
    margin: Margin,
    pairs: ArrayLike | None = None,
    *,
    correction: str = "holm",
    alpha: float = ALPHA,
) -> EquivalenceTests:
    """Test differences of least-squares means for equivalence within a margin, by two one-sided t-tests.

    Parameters
    ----------
    model, pairs, correction
        As for :func:`compare_least_squares_means`.
    margin, alpha
        As for :func:`classy_aesop.significance.pairs.equivalence_pairs`.

    Returns
    -------
    EquivalenceTests
        Undecided where the difference is not estimable or its variance not known.

    Raises
    ------
    ValueError
        As the two functions named; a margin without 0 inside, or an alpha of 1/2 or more.

    Examples
    --------
    >>> y, system, topic = [3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]
    >>> model = fit_additive_model(y, system, topic, n_systems=2)
    >>> equivalence_least_squares_means(model, (-0.5, float("inf"))).verdict.tolist()
    ['not worse']
    """
    lower, upper = margin_ends(margin)
    if not 0 < alpha < 0.5:
        raise ValueError(f"alpha is {alpha}; expected above 0 and below 0.5")
    first, second = pair_rows(pairs, len(model.mean))
    estimates = _estimate_differences(model, first, second)
    difference = _pair_tests(
        model, estimates, alternative="two-sided", correction=correction, confidence=1 - 2 * alpha
    )
    sides = []
    if np.isfinite(lower):
        sides.append(estimates.p(lower, "greater"))
    if np.isfinite(upper):
        sides.append(estimates.p(upper, "less"))
    p_equivalence = adjusted(np.max(sides, axis=0), correction=correction)
    verdict = np.select(
        [is_significant(p_equivalence, alpha), difference.significant(alpha)],
        [shown_within(lower, upper), DIFFERENT],
        UNDECIDED,
    )
    return EquivalenceTests(
        lower, upper, alpha, difference, p_equivalence, difference.low, difference.high, verdict
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Estimates:
    """Differences with their standard errors and degrees of freedom, arrays of shape (n_pairs,)."""

    first: IntArray
    second: IntArray
    difference: FloatArray
    error: FloatArray
    df: FloatArray
    flag: NDArray[np.str_]

    @property
    def is_tested(self) -> BoolArray:
        """Whether a variance is known."""
        return np.asarray(self.flag == "")

    @property
    def t(self) -> FloatArray:
        """The differences over their errors; NaN without an error."""
        return self.difference / self.error

    def p(self, value: float, alternative: str) -> FloatArray:
        """Test whether the differences are a value; 1 where no variance is known."""
        from scipy.special import stdtr

        t = np.where(self.is_tested, (self.difference - value) / self.error, 0.0)
        df = np.where(self.is_tested, self.df, 1.0)
        p = {"two-sided": 2 * stdtr(df, -np.abs(t)), "greater": stdtr(df, -t), "less": stdtr(df, t)}
        return np.where(self.is_tested, p[alternative], 1.0)

    def interval(self, level: float | None) -> tuple[FloatArray, FloatArray]:
        """Give the interval of each difference; NaN where no variance is known, or without a level."""
        from scipy.special import stdtrit

        if level is None:
            return np.full_like(self.error, np.nan), np.full_like(self.error, np.nan)
        df = np.where(self.is_tested, self.df, 1.0)
        half = stdtrit(df, (1 + level) / 2) * self.error
        return self.difference - half, self.difference + half


def _estimate_differences(model: AdditiveModel, first: IntArray, second: IntArray) -> _Estimates:
    """Estimate the differences of pairs, and say where they or their variances cannot be."""
    fit = model.fit
    variance, df = _contrast_variances(fit, first, second)
    is_connected = (model.group[first] == model.group[second]) & (model.group[first] >= 0)
    difference = (fit.coefficients[first] - fit.coefficients[second]) * fit.unit
    has_df = (df > 0) & np.isfinite(variance)
    error = np.sqrt(np.where(has_df, variance, 1.0)) * fit.unit
    is_constant = error <= ROUNDING * model.scale
    is_equal = np.abs(difference) <= ROUNDING * model.scale
    flag = np.select(
        [~is_connected, ~has_df, is_constant & is_equal, is_constant],
        [NOT_CONNECTED, NO_DEGREES_OF_FREEDOM, NO_DIFFERENCE, NO_SPREAD],
        "",
    )
    is_tested = flag == ""
    return _Estimates(
        first,
        second,
        np.where(is_connected, difference, np.nan),
        np.where(is_tested, error, np.nan),
        np.where(is_tested, df, np.nan),
        flag,
    )


def _count_shared_topics(model: AdditiveModel, first: IntArray, second: IntArray) -> IntArray:
    """Count the topics that both of each pair have."""
    from scipy import sparse

    rows = model.fit.rows
    shape = (rows.n_systems, rows.n_topics)
    has = sparse.csr_array((np.ones(len(rows.y)), (rows.system, rows.topic)), shape=shape)
    has.data[:] = 1.0
    n_shared: FloatArray = (has @ has.T).toarray()[first, second]
    return np.rint(n_shared).astype(np.int64)


def _clustered_rows(fit: _Fit) -> ClusteredRows:
    """Give what the variances clustered by topic are computed from."""
    rows = fit.rows
    return ClusteredRows(rows.system, rows.rater, rows.topic, fit.residual, fit.inverse, rows.n_systems)


def _relative_variances(fit: _Fit) -> _Variances:
    """Give the variances of contrasts over the error variance, by pairs of systems."""
    n_systems = fit.rows.n_systems
    of_systems = fit.inverse[:, :n_systems]
    effects = of_systems[n_systems:] if fit.penalty else np.zeros((0, n_systems))
    total = of_systems.T @ fit.normal @ of_systems
    return _Variances(total, fit.penalty * (effects.T @ effects))


def _of_pairs(matrix: FloatArray, first: IntArray, second: IntArray) -> FloatArray:
    """Give the quadratic form of a matrix for the contrast of each pair."""
    diagonal = np.diag(matrix)
    return diagonal[first] + diagonal[second] - matrix[first, second] - matrix[second, first]


def _contrast_variances(fit: _Fit, first: IntArray, second: IntArray) -> tuple[FloatArray, FloatArray]:
    """Give the variance of each pair's difference, of scores divided by the unit, and its degrees of freedom.

    To what topics as clusters estimate, the variance of rows that the model fits exactly is added from the pooled one,
    and that of random raters.
    """
    clustered = clustered_forms(_clustered_rows(fit), first, second)
    variance = clustered.variance
    trace = clustered.trace
    sums = _relative_variances(fit)
    total = _of_pairs(sums.total, first, second)
    missing = total - trace
    missing = np.where(missing > 1e-9 * total, missing, 0.0)
    square = clustered.square
    of_errors = fit.error_deviation**2
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = variance + np.where(missing > 0, missing * of_errors, 0.0)
        square = square + np.where(missing > 0, missing**2 / fit.df, 0.0)
        df = np.where(square > 0, (trace + missing) ** 2 / square, 0.0)
        if not fit.penalty:
            return variance, df
        of_raters = _of_pairs(sums.of_raters, first, second) * of_errors
        together = variance + of_raters
        df_together = together**2 / (variance**2 / df + of_raters**2 / max(fit.rater_df, 1.0))
        return together, np.where(df > 0, df_together, 0.0)


def variance_on_a_topic(model: AdditiveModel, first: int, second: int) -> tuple[float, float]:
    """Give the variance of the difference of two systems on one topic that both have, and its degrees of freedom.

    It is the variance of the contrast without what missing cells add to it: times the complete topics that are worth as
    much as the cells at hand. It is for as many ratings a cell, by raters distributed as they are now. With two
    systems on the same topics and no raters it is the variance of their differences. A plan for complete topics needs
    it.

    Parameters
    ----------
    model : AdditiveModel
        Of :func:`fit_additive_model`.
    first, second : int
        The systems.

    Returns
    -------
    variance, df : float
        NaN and 0 where the difference is not estimable or no degrees of freedom are left; 0 where it is constant.

    Examples
    --------
    >>> model = fit_additive_model([3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], n_systems=2)
    >>> variance, df = variance_on_a_topic(model, 0, 1)  # of 2, 2 and 1
    >>> round(variance, 4), round(df, 4)
    (0.3333, 2.0)
    """
    numbers = np.array([first]), np.array([second])
    estimates = _estimate_differences(model, *numbers)
    if estimates.flag[0] in (NO_SPREAD, NO_DIFFERENCE):
        return 0.0, float(model.df)
    if not estimates.is_tested[0]:
        return float("nan"), 0.0
    share = float(_of_pairs(_inverse_of_cells(model.fit.rows), *numbers)[0])
    return float(2 * estimates.error[0] ** 2 / share), float(estimates.df[0])


def _inverse_of_cells(rows: _Rows) -> FloatArray:
    """Give the inverse of the normal matrix of one row a cell, without raters."""
    numbers = rows.system * rows.n_topics + rows.topic
    _, kept = np.unique(numbers, return_index=True)
    kept.sort()
    cells = replace(
        rows, y=rows.y[kept], system=rows.system[kept], topic=rows.topic[kept], rater=None, n_raters=0
    )
    return _invert(cells.normal_matrix())[0]


# --- means, and raters ---


def least_squares_intervals(
    model: AdditiveModel, *, confidence: float = 0.95
) -> tuple[FloatArray, FloatArray]:
    """Give the interval of each system's least-squares mean, for topics like these.

    Parameters
    ----------
    model : AdditiveModel
        Of :func:`fit_additive_model`.
    confidence : float
        Between 0 and 1.

    Returns
    -------
    low, high : ndarray, shape (n_systems,)
        By Student's t, with a degree of freedom less than the system has topics; the variance is clustered by topic. In
        a complete table without rater effects it is the t interval of the plain mean. NaN of a system with one topic
        or none, and where nothing varies.

    Examples
    --------
    >>> model = fit_additive_model([3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], n_systems=2)
    >>> low, high = least_squares_intervals(model)
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.54, -2.5], [8.13, 7.84])
    """
    from scipy.special import stdtrit

    check_share(confidence, "confidence")
    fit = model.fit
    rows = fit.rows
    scores, traces = topic_scores(_clustered_rows(fit))
    sums = _relative_variances(fit)
    effects = fit.coefficients[: rows.n_systems]
    half = np.full(rows.n_systems, np.nan)
    group_of_row = model.group[rows.system]
    for number in range(int(model.group.max(initial=-1)) + 1):
        is_row = group_of_row == number
        members = np.flatnonzero(model.group == number)
        topics, topic_of_row = np.unique(rows.topic[is_row], return_inverse=True)
        n_topics = len(topics)
        if n_topics < 2:
            continue
        n_rows = np.bincount(topic_of_row)
        without_system = rows.y[is_row] - effects[rows.system[is_row]]
        level = np.bincount(topic_of_row, without_system) / n_rows
        deviation = (level - level.mean()) * np.sqrt(n_topics / (n_topics - 1)) / n_topics
        weights = (
            np.bincount(rows.system[is_row], 1 / n_rows[topic_of_row], minlength=rows.n_systems) / n_topics
        )
        contrasts = np.eye(rows.n_systems)[:, members] - weights[:, None]
        influence = deviation[:, None] + scores[topics] @ contrasts
        variance = np.square(influence).sum(axis=0)
        total = np.einsum("im,ij,jm->m", contrasts, sums.total, contrasts)
        trace = np.einsum("im,ij,jm->m", contrasts, traces, contrasts)
        missing = np.where(total - trace > 1e-9 * total, total - trace, 0.0)
        of_raters = np.einsum("im,ij,jm->m", contrasts, sums.of_raters, contrasts)
        additions = np.where(missing + of_raters > 0, (missing + of_raters) * fit.error_deviation**2, 0.0)
        error = np.sqrt(variance + additions)
        df = model.n_topics[members] - 1.0
        is_known = (df > 0) & (error * fit.unit > ROUNDING * model.scale)
        quantile = stdtrit(np.where(is_known, df, 1.0), (1 + confidence) / 2)
        half[members] = np.where(is_known, quantile * error, np.nan)
    return model.mean - half * fit.unit, model.mean + half * fit.unit


def rater_differences(model: AdditiveModel, pairs: ArrayLike | None = None) -> tuple[FloatArray, IntArray]:
    """Give the difference of each pair as each rater alone saw it.

    A rater who likes one system is seen by no test over topics: the raters' own differences show it.

    Parameters
    ----------
    model : AdditiveModel
        Of :func:`fit_additive_model`, with raters.
    pairs : array_like of int, shape (n_pairs, 2), optional
        Systems; by default each with every later one.

    Returns
    -------
    differences : ndarray, shape (n_pairs, n_raters)
        Mean difference over the topics on which the rater rated both; NaN without any.
    n_topics : ndarray of int, shape (n_pairs, n_raters)
        The number of these topics. Without raters in the model there are no columns.

    Examples
    --------
    >>> y, system, topic, rater = [3, 1, 4, 3, 5, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 0]
    >>> model = fit_additive_model(y, system, topic, n_systems=2, rater=rater, n_raters=2)
    >>> [values.tolist() for values in rater_differences(model)]
    [[[1.5, nan]], [[2, 0]]]
    """
    fit = model.fit
    rows = fit.rows
    first, second = pair_rows(pairs, rows.n_systems)
    differences = np.full((len(first), rows.n_raters), np.nan)
    n_shared = np.zeros((len(first), rows.n_raters), dtype=np.int64)
    for number in range(rows.n_raters):
        assert rows.rater is not None
        is_row = rows.rater == number
        topics, topic = np.unique(rows.topic[is_row], return_inverse=True)
        cell = rows.system[is_row] * len(topics) + topic
        n_cells = rows.n_systems * len(topics)
        n_ratings = np.bincount(cell, minlength=n_cells).reshape(rows.n_systems, -1)
        sums = np.bincount(cell, rows.y[is_row], minlength=n_cells).reshape(rows.n_systems, -1)
        has = (n_ratings > 0).astype(np.float64)
        means = sums / np.maximum(n_ratings, 1)
        shared = has @ has.T
        sums_of_shared = means @ has.T
        n = np.rint(shared[first, second]).astype(np.int64)
        sum_of_differences = sums_of_shared[first, second] - sums_of_shared[second, first]
        n_shared[:, number] = n
        differences[:, number] = np.where(n > 0, sum_of_differences / np.maximum(n, 1) * fit.unit, np.nan)
    return differences, n_shared
