"""Least-squares means and their differences: standard errors, degrees of freedom, intervals and tests.

Standard errors are clustered by topic, or by what topics lie in
(:mod:`classy_aesop.significance.additive.clustered_errors`). Rows that the model
fits exactly have residuals of 0; their share of the variance is completed from the pooled error variance. Random raters
add the variance of what is left of their effects after shrinking. With a complete table and raters that do not vary,
the test of a pair is its paired t-test, whatever the other systems do.

Bell and McCaffrey (2002); Pustejovsky and Tipton (2018).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.additive_model import AdditiveModel
from classy_aesop.significance.additive.clustered_errors import cluster_scores, clustered_forms
from classy_aesop.significance.additive.linear_means import RatingRows, normal_equations
from classy_aesop.significance.additive.mean_intervals import MeanErrors
from classy_aesop.significance.base import FloatArray, IntArray, difference_forms, divide
from classy_aesop.significance.differences import (
    Differences,
    differences_by_t,
    interval_levels,
    rows_of_pairs,
)
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.significance.flags import (
    CONSTANT_DIFFERENCE,
    NO_DEGREES_OF_FREEDOM,
    NO_DIFFERENCE,
    NOT_CONNECTED,
    TOO_FEW_CLUSTERS,
)
from classy_aesop.significance.multiplicity.corrections import adjust_p_values

ADDITIVE = "additive"
"""The name of the test of least-squares means."""


def compare_least_squares_means(
    model: AdditiveModel,
    pairs: ArrayLike | None = None,
    *,
    correction: str = "holm",
    confidence: float | None = 0.95,
    pass_or_fail: bool = False,
) -> Differences:
    """Test differences of least-squares means by t, with errors clustered (CR2): by topic, or by what topics lie in.

    Shapes: ``pairs`` (n_pairs, 2).

    Notes
    -----
    The degrees of freedom are Satterthwaite's for independent errors of one variance (Bell and McCaffrey 2002).
    Residuals are 0 for rows that the model fits exactly, such as the only one of a rater; their share of the variance
    is completed from the pooled error variance. Random raters add the variance of their effects that shrinking leaves
    in the difference.

    Examples
    --------
    >>> from classy_aesop.significance.additive.additive_model import fit_additive_model
    >>> y, system, topic = [3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2]
    >>> tests = compare_least_squares_means(fit_additive_model(y, system, topic, n_systems=2))
    >>> tests.statistic.round(4).tolist(), tests.p.round(4).tolist()  # the paired t-test
    ([5.0], [0.0377])
    """
    first, second = rows_of_pairs(pairs, len(model.mean))
    variance, df = _contrast_variances(model, first, second)
    is_connected = (model.group[first] == model.group[second]) & (model.group[first] >= 0)
    difference = model.system_effect[first] - model.system_effect[second]
    has_df = (df > 0) & np.isfinite(variance)
    error = np.sqrt(np.where(has_df, variance, 1.0))
    is_constant = error <= ROUNDING * model.scale
    is_equal = np.abs(difference) <= ROUNDING * model.scale
    n_clusters = model.rows.count_shared(model.rows.cluster)[first, second]
    is_in_one_cluster = ~has_df & (model.rows.n_clusters < 2) & (model.rows.n_topics > 1)
    is_unknown = is_constant & ~(pass_or_fail & (n_clusters > 1))
    flag = np.select(
        [~is_connected, is_in_one_cluster, ~has_df, is_unknown & is_equal, is_unknown],
        [NOT_CONNECTED, TOO_FEW_CLUSTERS, NO_DEGREES_OF_FREEDOM, NO_DIFFERENCE, CONSTANT_DIFFERENCE],
        "",
    )
    is_tested = flag == ""
    difference = np.where(is_connected, np.where(is_constant & is_equal, 0.0, difference), np.nan)
    error = np.where(is_tested, np.where(is_constant, 0.0, error), np.nan)
    df = np.where(is_tested, df, np.nan)
    tests = differences_by_t(
        (first, second),
        difference,
        error,
        df,
        n_clusters,
        flag=flag,
        test=ADDITIVE,
        levels=interval_levels(confidence, correction, len(first)),
    )
    return replace(
        tests,
        n=model.rows.count_shared(model.rows.topic)[first, second],
        effect=tests.statistic / np.sqrt(df + 1),
        p_adjusted=adjust_p_values(tests.p, correction=correction),
        correction=correction,
    )


def _relative_variances(model: AdditiveModel) -> tuple[FloatArray, FloatArray]:
    """Give the variances of contrasts by errors, and by random raters, over the error variance, by pairs of systems."""
    n_systems = model.rows.n_systems
    effects = model.inverse[n_systems:, :n_systems]
    of_raters = model.penalty * (effects.T @ effects)
    return model.inverse[:n_systems, :n_systems] - of_raters, of_raters


def _contrast_variances(
    model: AdditiveModel, first: IntArray, second: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Variance of each pair's difference, and its degrees of freedom.

    To the clustered variance are added that of rows that the model fits exactly, from the pooled variance, and that of
    random raters. A difference within a single cluster of topics has no degrees of freedom.
    """
    variance, trace, square = clustered_forms(model, first, second)
    relative_variance, rater_variance = _relative_variances(model)
    total = difference_forms(relative_variance, first, second)
    of_raters = difference_forms(rater_variance, first, second)
    missing = total - trace
    missing = np.where(missing > 1e-9 * total, missing, 0.0)
    is_within_a_cluster = (model.rows.n_clusters < model.rows.n_topics) & (trace <= 1e-9 * total)
    of_errors = model.error_deviation**2
    with np.errstate(invalid="ignore", divide="ignore"):
        variance = variance + np.where(missing > 0, missing * of_errors, 0.0)
        square = square + np.where(missing > 0, missing**2 / model.df, 0.0)
        df = np.where((square > 0) & ~is_within_a_cluster, (trace + missing) ** 2 / square, 0.0)
        if not model.penalty:
            return variance, df
        total_variance = variance + of_raters * of_errors
        share = variance / total_variance
        total_df = 1 / (share**2 / df + (1 - share) ** 2 / max(model.rater_df, 1.0))
        return total_variance, np.where(df > 0, total_df, 0.0)


def deviation_on_a_topic(model: AdditiveModel, first: int, second: int) -> tuple[float, float]:
    """Give the standard deviation of the difference of two systems on one topic, and its degrees of freedom.

    Where topics lie in clusters, it is that on one cluster of as many topics as clusters have on average.

    Its square is the variance of the contrast times the number of complete topics that contain as much information as
    the cells at hand: missing cells do not inflate it. It is for as many ratings a cell, by raters distributed as they
    are now. With two systems on the same topics and no raters it is that of their differences. Plans for complete
    topics use it.

    Examples
    --------
    >>> from classy_aesop.significance.additive.additive_model import fit_additive_model
    >>> model = fit_additive_model([3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], n_systems=2)
    >>> deviation, df = deviation_on_a_topic(model, 0, 1)  # of 2, 2 and 1
    >>> round(deviation**2, 4), round(df, 4)
    (0.3333, 2.0)
    """
    numbers = np.array([first]), np.array([second])
    estimates = compare_least_squares_means(model, np.transpose(numbers))
    if estimates.flag[0] in (CONSTANT_DIFFERENCE, NO_DIFFERENCE):
        return 0.0, float(model.df)
    if estimates.flag[0] or estimates.error is None or estimates.df is None:
        return float("nan"), 0.0
    rows = model.rows
    share = float(difference_forms(_inverse_of_cells(rows), *numbers)[0])
    n_complete_topics = 2 / share
    n_complete_clusters = n_complete_topics * rows.n_clusters / rows.n_topics
    return float(estimates.error[0] * np.sqrt(n_complete_clusters)), float(estimates.df[0])


def _inverse_of_cells(rows: RatingRows) -> FloatArray:
    """Give the inverse of the normal matrix of one row a cell, without raters."""
    numbers = np.unique(rows.system * rows.n_topics + rows.topic)
    system, topic = np.divmod(numbers, rows.n_topics)
    cells = replace(rows.drop_raters(), y=np.zeros(len(numbers)), system=system, topic=topic)
    return normal_equations(cells).system_inverse


def errors_of_least_squares_means(model: AdditiveModel) -> MeanErrors:
    """Give the errors of each system's least-squares mean, clustered, for topics, or clusters of them, like these.

    Examples
    --------
    >>> from classy_aesop.significance.additive.additive_model import fit_additive_model
    >>> model = fit_additive_model([3, 1, 4, 2, 6, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], n_systems=2)
    >>> errors = errors_of_least_squares_means(model)
    >>> low, high = errors.interval(errors.quantile(0.95))
    >>> low.round(2).tolist(), high.round(2).tolist()
    ([0.54, -2.5], [8.13, 7.84])
    """
    rows = model.rows
    scores, traces = cluster_scores(model)
    forms = np.stack([*_relative_variances(model), traces])
    error, df = np.full((2, rows.n_systems), np.nan)
    influence = np.zeros((rows.n_clusters, rows.n_systems))
    n_clusters_of_system = np.diag(rows.count_shared(rows.cluster))
    for number in range(int(model.group.max(initial=-1)) + 1):
        members = np.flatnonzero(model.group == number)
        is_row = model.group[rows.system] == number
        system = rows.system[is_row]
        topics, topic_of_row, n_rows = np.unique(rows.topic[is_row], return_inverse=True, return_counts=True)
        clusters, cluster_of_topic = np.unique(rows.cluster_of_topic[topics], return_inverse=True)
        if len(clusters) < 2:
            continue
        level = np.bincount(topic_of_row, rows.y[is_row] - model.system_effect[system]) / n_rows
        share = np.bincount(cluster_of_topic) / len(topics)
        deviation = np.bincount(cluster_of_topic, level - level.mean()) / len(topics)
        deviation /= np.sqrt(1 - share)  # CR2 of a mean
        weights = np.bincount(system, 1 / n_rows[topic_of_row], minlength=rows.n_systems) / len(topics)
        contrasts = np.eye(rows.n_systems)[:, members] - weights[:, None]
        influence_of_members = deviation[:, None] + scores[clusters] @ contrasts
        total, of_raters, trace = (contrasts * (forms @ contrasts)).sum(axis=1)
        added = np.where(total - trace > 1e-9 * total, total - trace, 0.0) + of_raters
        added = np.where(added > 0, added * model.error_deviation**2, 0.0)
        error[members] = np.sqrt(np.square(influence_of_members).sum(axis=0) + added)
        influence[np.ix_(clusters, members)] = influence_of_members
        df[members] = np.minimum(n_clusters_of_system[members] - 1.0, _df_of_clustered_mean(share))
    is_known = (n_clusters_of_system > 1) & (error > ROUNDING * model.scale)
    return MeanErrors(
        model.mean,
        np.where(is_known, error, np.nan),
        n_clusters_of_system,
        np.where(df > 0, df, np.nan),
        influence,
    )


def _df_of_clustered_mean(share: FloatArray) -> float:
    """Satterthwaite's degrees of freedom of a mean with errors clustered by CR2, given each cluster's share of topics.

    With equal shares they are the number of clusters less 1.
    """
    odds = share / (1 - share)
    explained = share * odds
    return float(1 / (odds @ odds - 2 * odds @ explained + explained.sum() ** 2))


def rater_differences(
    y: ArrayLike,
    system: ArrayLike,
    topic: ArrayLike,
    rater: ArrayLike,
    *,
    n_systems: int,
    n_raters: int,
    pairs: ArrayLike | None = None,
) -> tuple[FloatArray, IntArray]:
    """Give the difference of each pair as each rater alone saw it.

    A rater who likes one system is seen by no test over topics: the raters' own differences show it.

    Shapes: ``y``, ``system``, ``topic``, ``rater`` (n_ratings,); ``pairs`` (n_pairs, 2); gives ``differences`` and
    ``n_topics`` (n_pairs, n_raters).

    Examples
    --------
    >>> y, system, topic, rater = [3, 1, 4, 3, 5, 5], [0, 1, 0, 1, 0, 1], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 0]
    >>> [values.tolist() for values in rater_differences(y, system, topic, rater, n_systems=2, n_raters=2)]
    [[[1.5, nan]], [[2, 0]]]
    """
    first, second = rows_of_pairs(pairs, n_systems)
    scores, systems, topics, raters = map(np.asarray, (y, system, topic, rater))
    n_shared, shared_sums = np.zeros((2, len(first), n_raters))
    for number in range(n_raters):
        is_of_rater = raters == number
        row = np.unique(topics[is_of_rater], return_inverse=True)[1]
        n_ratings, sums = np.zeros((2, int(row.max(initial=-1)) + 1, n_systems))
        np.add.at(n_ratings, (row, systems[is_of_rater]), 1.0)
        np.add.at(sums, (row, systems[is_of_rater]), scores[is_of_rater])
        has = (n_ratings > 0).astype(np.float64)
        sums_of_shared = divide(sums, n_ratings, 0.0).T @ has
        n_shared[:, number] = (has.T @ has)[first, second]
        shared_sums[:, number] = sums_of_shared[first, second] - sums_of_shared[second, first]
    return divide(shared_sums, n_shared), n_shared.astype(np.int64)
