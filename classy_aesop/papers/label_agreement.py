"""Does a metric find the significant differences that humans find?

Every pair of the best summarizers is labelled twice, by human scores and by the metric's: the first is significantly
better, the second is, or neither. A pair with the same significant label is a hit; one that is significant for both in
opposite directions is a contradiction, which is an error of its own: neither a hit nor a miss. The counts give
accuracy, precision, recall and balanced accuracies.

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
from classy_aesop.significance.base import BoolArray, FloatArray, IntArray
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.significance.flags import TOO_FEW_TOPICS
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.significance.pairs.signed_ranks import Recipe, signed_rank_test


@dataclass(frozen=True, slots=True)
class Labels:
    """Which pairs differ significantly, and in which direction; arrays of shape (n_pairs,).

    Attributes
    ----------
    significant : ndarray of bool
    direction : ndarray
        1 or -1: the first or the second summarizer of the pair is better; 0 where combined metrics differ in this.
    testable : ndarray of bool
        Whether the pair could be tested: not with fewer than two shared topics, nor by t where the difference is
        constant.
    """

    significant: BoolArray
    direction: FloatArray
    testable: BoolArray


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
        direction=np.sign(tests.effect),
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
) -> Iterator[dict[str, str | float]]:
    """Yield the agreement of every combination of up to ``largest`` metrics, the small ones first."""
    for size in range(1, largest + 1):
        for names in combinations(metrics, size):
            agreement = compare_labels(combine_labels([metrics[name] for name in names]), human)
            yield {"metric": "+".join(names), "n_metrics": size, **agreement}


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
