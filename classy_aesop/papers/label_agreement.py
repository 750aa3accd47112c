"""Does a metric find the significant differences that humans find?

Every pair of the best summarizers is labelled twice, by human scores and by the metric's: the first is significantly
better, the second is, or neither. A pair with the same significant label is a hit; one that is significant for both in
opposite directions is a contradiction, which is an error of its own: neither a hit nor a miss. The counts give
accuracy, precision, recall and balanced accuracies.

Lin and Hovy (2003), sections 4 and 5, test the pairs by z-tests on scores by topic: recall is the share of the pairs
that are significant by human scores which are so by the metric's, precision the reverse.

Rankel et al. (2013); Rankel (2016), chapter 7.

Departs from the paper of 2013: its text names the normal approximation, its counts follow from the exact distribution
with ties, which is the default here; both balanced accuracies are given, the printed formula's and the printed
tables'.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from classy_aesop.significance.additive.two_way_fit import summarizer_means
from classy_aesop.significance.base import (
    BoolArray,
    FloatArray,
    IntArray,
)
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import round_to_zero, rounding_slack, snap_ties
from classy_aesop.significance.flags import TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.significance.pairs.pair_statistics import row_moments
from classy_aesop.significance.pairs.signed_ranks import Recipe, signed_rank_test


@dataclass(frozen=True, slots=True)
class Labels:
    """Which pairs differ significantly, and in which direction; arrays of shape (n_pairs,).

    Attributes
    ----------
    significant : ndarray of bool
    direction : ndarray of int
        1 or -1: the first or the second summarizer of the pair is better; 0 where combined metrics differ in this.
    testable : ndarray of bool
        Whether the pair could be tested: not with fewer than two shared topics, nor by t where the difference is
        constant.
    """

    significant: BoolArray
    direction: IntArray
    testable: BoolArray


def order_agreement(X: FloatArray, Z: FloatArray, top: int) -> float:
    """Share of pairs of the best summarizers that metric and humans put in the same order by their means.

    A tie in both counts as agreement, a tie in one as none.

    Examples
    --------
    >>> X, Z = np.array([[1.0, 2], [3, 3], [2, 2]]), np.array([[1.0, 1], [2, 3], [4, 3]])
    >>> round(order_agreement(X, Z, top=30), 3)
    0.667
    """
    rows = select_best_rows(Z, top)
    return correlation(X[rows], Z[rows], coefficient="pairwise_accuracy").value


def select_best_rows(Z: FloatArray, top: int) -> IntArray:
    """Rows with the highest means, in their order; of equal means the first ones.

    Shapes: ``Z`` (n_summarizers, n_topics).
    """
    means = snap_ties(summarizer_means(Z, ~np.isnan(Z)), rounding_slack(Z))
    order = np.argsort(-means, kind="stable")
    return np.sort(order[: np.count_nonzero(~np.isnan(means))][:top])


def significant_labels(X: FloatArray, recipe: Recipe) -> Labels:
    """Label all pairs of rows of a score matrix by signed ranks: p <= .05, and which is better.

    Shapes: ``X`` (n_summarizers, n_topics).
    """
    tests = compare_pairs(X, test=signed_rank_test(recipe), correction="none", confidence=None)
    return Labels(
        significant=is_significant(tests.p),
        direction=np.sign(tests.effect).astype(np.int64),
        testable=tests.flag != TOO_FEW_TOPICS,
    )


def combine_labels(members: Sequence[Labels]) -> Labels:
    """Label pairs significant if every member does; the direction is 0 where members differ in it."""
    directions = np.array([labels.direction for labels in members])
    is_unanimous = (directions == directions[0]).all(axis=0)
    return Labels(
        significant=np.all([labels.significant for labels in members], axis=0),
        direction=np.where(is_unanimous, directions[0], 0),
        testable=np.all([labels.testable for labels in members], axis=0),
    )


def agreements_of_combinations(
    metrics: Mapping[str, Labels], human: Labels, largest: int
) -> Iterator[tuple[tuple[str, ...], dict[str, float]]]:
    """Yield the names and the agreement of every combination of up to ``largest`` metrics, the small ones first."""
    for size in range(1, largest + 1):
        for names in combinations(metrics, size):
            yield names, compare_labels(combine_labels([metrics[name] for name in names]), human)


def compare_labels(metric: Labels, human: Labels) -> dict[str, float]:
    """Cross-tabulate a metric's labels and the human ones, of the pairs that both could test.

    Gives the pairs significant for both in the same direction (``tp``), for humans only (``fn``), for the metric only
    (``fp``), for neither (``tn``), and for both in opposite directions (``contradictions``), their sum ``n``, and the
    measures of :func:`measures_of_counts`.
    """
    testable = metric.testable & human.testable
    by_metric = metric.significant[testable]
    by_human = human.significant[testable]
    is_same_direction = (metric.direction == human.direction)[testable]
    by_both = by_metric & by_human
    labelled = {
        "tp": by_both & is_same_direction,
        "fn": by_human & ~by_metric,
        "fp": by_metric & ~by_human,
        "tn": ~by_metric & ~by_human,
        "contradictions": by_both & ~is_same_direction,
    }
    counts = {name: int(pairs.sum()) for name, pairs in labelled.items()}
    measures = measures_of_counts(np.array([[*counts.values()]]))
    return {**counts, "n": len(by_metric), **{name: float(values[0]) for name, values in measures.items()}}


def measures_of_counts(counts: IntArray) -> dict[str, FloatArray]:
    """Measures of many tables of counts, in the order of `compare_labels`, at once; NaN without a pair.

    ``accuracy`` is the share of pairs with the same label. ``precision`` and ``recall`` are hits as shares of the
    metric's significant pairs and of the humans', NaN if there are none. ``ba``, the balanced accuracy, is the mean of
    recall and of the share of human negatives kept; ``ba_pv`` that of precision and of the share of the metric's
    negatives that are human ones too, 0 for one of them that is undefined: what the printed tables hold under that
    name.

    Shapes: ``counts`` (n_tables, 5); gives (n_tables,).

    Examples
    --------
    CLASSY1 in Table 4 of Rankel et al. (2013), where .70, .21, .22 and .52 are printed:

    >>> measures = measures_of_counts(np.array([[18, 63, 65, 287, 2]]))
    >>> [round(float(measures[name][0]), 2) for name in ("accuracy", "precision", "recall", "ba_pv")]
    [0.7, 0.21, 0.22, 0.52]
    """
    tp, fn, fp, tn, contradictions = counts.T.astype(float)
    n = counts.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        recall = tp / (tp + fn + contradictions)
        accuracy = (tp + tn) / n
        precision = tp / (tp + fp + contradictions)
        negative_precision = tn / (tn + fn)
        specificity = tn / (tn + fp)
    ba_pv = np.where(n > 0, (np.nan_to_num(precision) + np.nan_to_num(negative_precision)) / 2, np.nan)
    return {
        "accuracy": accuracy,
        "precision": precision,
        "recall": recall,
        "ba": (recall + specificity) / 2,
        "ba_pv": ba_pv,
    }


LIN_HOVY_ALPHAS = (0.10, 0.05, 0.025, 0.01, 0.005)
"""Error levels of the paper; its table says .25, by the order of the levels a misprint of .025."""


def significant_hits(X: FloatArray, Z: FloatArray) -> dict[float, dict[str, float]]:
    """Compare the significant differences (z-tests, two-sided) of a metric with the human ones, by error level.

    Shapes: ``X`` and ``Z`` (n_summarizers, n_topics).

    Examples
    --------
    >>> Z = np.array([[1.0, 2, 1, 2], [5, 6, 5, 6], [5, 5, 6, 7]])
    >>> agreement = significant_hits(Z, Z)[0.05]
    >>> agreement["tp"], agreement["recall"], agreement["precision"]
    (2, 1.0, 1.0)
    """
    of_metric = z_tests(X)
    of_humans = z_tests(Z)
    return {
        alpha: compare_labels(_labels_of_z(*of_metric, alpha), _labels_of_z(*of_humans, alpha))
        for alpha in LIN_HOVY_ALPHAS
    }


def _labels_of_z(z: FloatArray, p: FloatArray, alpha: float) -> Labels:
    """Label pairs by their z-tests."""
    return Labels(
        significant=is_significant(p, alpha),
        direction=np.sign(z).astype(np.int64),
        testable=np.ones(len(p), dtype=bool),
    )


def z_tests(X: FloatArray) -> tuple[FloatArray, FloatArray]:
    """z and two-sided p of all pairs of rows, in the order of ``numpy.triu_indices(n, k=1)``.

    z = (mean X - mean Y) / sqrt(s_X^2/n_X + s_Y^2/n_Y) over all topics that each has, shared or not.

    Shapes: ``X`` (n_summarizers, n_topics); gives ``z, p`` (n_pairs,).
    """
    from scipy.special import ndtr

    first, second = np.triu_indices(len(X), k=1)
    n = (~np.isnan(X)).sum(axis=1)
    slack = rounding_slack(X, axis=1)[:, 0]
    mean, root = row_moments(X, ~np.isnan(X), n, slack)
    difference = round_to_zero(mean[first] - mean[second], np.maximum(slack[first], slack[second]))
    with np.errstate(invalid="ignore", divide="ignore"):
        error = root / np.sqrt((n - 1.0) * n)
        z = difference / np.hypot(error[first], error[second])
    is_testable = (n[first] > 1) & (n[second] > 1) & (difference != 0)
    z = np.where(is_testable, z, 0.0)
    return z, np.minimum(2 * ndtr(-np.abs(z)), 1.0)


def regression_t(r: float, n: int) -> float:
    """t of a correlation of n points with n - 2 degrees of freedom, LR_t: infinite if r is 1 or -1, NaN if n < 3.

    Examples
    --------
    >>> round(regression_t(0.907, 13), 3)
    7.143
    """
    if n < 3:
        return float("nan")
    with np.errstate(divide="ignore"):
        return float(r * np.sqrt((n - 2) / np.float64(1 - r * r)))
