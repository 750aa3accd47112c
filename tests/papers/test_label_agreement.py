"""Agreement on significant differences: by hand, against printed figures, by identities."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from classy_aesop.papers.label_agreement import (
    Labels,
    agreements_of_combinations,
    combine_labels,
    compare_labels,
    measures_of_counts,
    select_best_rows,
    significant_labels,
)
from classy_aesop.significance.pairs.signed_ranks import RECIPES, signed_rank_test
from tests.significance.one_pair import compare_pair


def agreement_with_humans(X, Z, *, top=30, recipe=RECIPES["standard"]):
    rows = select_best_rows(np.asarray(Z), top)
    human = significant_labels(np.asarray(Z)[rows], recipe)
    metric = significant_labels(np.asarray(X)[rows], replace(recipe, decimals=None))
    return compare_labels(metric, human)


def labels(significant, direction):
    return Labels(np.array(significant, dtype=bool), np.array(direction), np.ones(len(direction), dtype=bool))


def agreement_of_counts(*counts):
    """Give the measures of one table of counts."""
    return {name: values[0] for name, values in measures_of_counts(np.array([[*counts, 0][:5]])).items()}


def test_measures_by_hand():
    found = agreement_of_counts(6, 2, 4, 8)
    assert (found["accuracy"], found["precision"], found["recall"]) == (0.7, 0.6, 0.75)
    assert found["ba"] == pytest.approx((0.75 + 8 / 12) / 2)
    assert found["ba_pv"] == pytest.approx((0.6 + 0.8) / 2)
    found = agreement_of_counts(4, 2, 4, 8, 2)
    assert (found["accuracy"], found["precision"], found["recall"]) == (0.6, 0.4, 0.5)
    assert found["ba"] == pytest.approx((0.5 + 8 / 12) / 2)
    assert found["ba_pv"] == pytest.approx((0.4 + 0.8) / 2)
    nothing = agreement_of_counts(0, 0, 0, 10)
    assert math.isnan(nothing["precision"])
    assert (nothing["ba_pv"], nothing["accuracy"]) == (0.5, 1.0)
    assert math.isnan(nothing["recall"])
    assert agreement_of_counts(5, 0, 0, 0)["ba_pv"] == 0.5
    empty = agreement_of_counts(0, 0, 0, 0)
    assert all(math.isnan(value) for value in empty.values())


def test_pairs_that_no_test_can_decide_are_in_no_cell():
    one_topic = np.array([[1.0], [2.0], [3.0]])
    found = agreement_with_humans(one_topic, one_topic)
    assert (found["n"], found["tn"]) == (0, 0)
    assert math.isnan(found["accuracy"])
    two = [[1.0, 2, 3, 5], [2.0, 3, 4, 6], [0.0, 4, 1, 2]]  # the first two differ by 1 on every topic
    assert agreement_with_humans(two, two)["n"] == 3  # signed ranks need no spread
    lacking = [[1.0, 2, 3, 5], [np.nan, np.nan, np.nan, 6], [0.0, 4, 1, 2]]
    assert agreement_with_humans(lacking, two)["n"] == 1


def test_labels_meet_by_hand():
    human = labels([1, 1, 1, 0, 0], [1, 1, -1, 1, 0])
    found = compare_labels(labels([1, 1, 0, 1, 0], [1, -1, -1, 1, 0]), human)
    assert (found["tp"], found["fn"], found["fp"], found["tn"], found["contradictions"]) == (1, 1, 1, 1, 1)
    Z = np.array([[4, 6, 5, 1, 17, 1, 9, 2, 4, 18], [0] * 10]) / 1e4
    # ten differences of one sign, p = 2/1024; most round to zero, four are left, p = 2/16
    assert compare_pair(*Z, test=signed_rank_test(RECIPES["rankel2013"])).p == 2 / 16
    found = agreement_with_humans(Z, Z, recipe=RECIPES["rankel2013"])
    assert (found["tp"], found["fn"], found["fp"], found["tn"]) == (0, 0, 1, 0)
    assert not significant_labels(Z, RECIPES["rankel2013"]).significant[0]


def test_a_metric_agrees_with_itself():
    Z = np.round(np.random.default_rng(1).normal(size=(10, 30)) + np.arange(10)[:, None] * 0.2, 3)
    found = agreement_with_humans(Z, Z, top=7)
    assert found["n"] == 21
    assert found["accuracy"] == found["precision"] == found["recall"] == found["ba"] == found["ba_pv"] == 1.0
    turned = agreement_with_humans(-Z, Z, top=7)
    assert (turned["contradictions"], turned["tp"], turned["tn"]) == (found["tp"], 0, found["tn"])
    assert turned["recall"] == turned["precision"] == 0.0
    assert turned["accuracy"] == found["tn"] / 21


def test_agreement_is_pair_by_pair():
    rng = np.random.default_rng(2)
    Z = np.round(rng.normal(size=(9, 20)) + np.arange(9)[:, None] * 0.3, 3)
    X = Z + rng.normal(size=Z.shape)
    found = agreement_with_humans(X, Z, top=6)
    rows = np.sort(np.argsort(-Z.mean(axis=1))[:6])
    pairs = itertools.combinations(rows, 2)
    marks = np.array([[compare_pair(*S[[i, j]]).p < 0.05 for S in (X, Z)] for i, j in pairs])
    assert (found["tp"], found["fp"]) == (marks.all(axis=1).sum(), (marks[:, 0] & ~marks[:, 1]).sum())
    assert found["fn"] == (~marks[:, 0] & marks[:, 1]).sum()


def test_best_rows_and_ties_at_the_last_place():
    Z = np.array([[1.0, 3.0], [2.0, 2.0], [5.0, 5.0], [np.nan, np.nan], [2.0, np.nan]])
    assert select_best_rows(Z, 2).tolist() == [0, 2]
    assert select_best_rows(Z, 30).tolist() == [0, 1, 2, 4]
    # means equal within rounding are equal
    assert select_best_rows(np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), 1).tolist() == [0]


def test_combinations_by_hand():
    human = labels([1, 1, 0, 0], [1, 1, 1, 1])
    a, b = labels([1, 1, 1, 0], [1, 1, 1, 1]), labels([1, 1, 0, 1], [1, -1, 1, 1])
    both = combine_labels([a, b])
    assert both.significant.tolist() == [True, True, False, False]
    assert both.direction.tolist() == [1, 0, 1, 1]
    found = {row["metric"]: row for row in agreements_of_combinations({"a": a, "b": b}, human, 2)}
    assert list(found) == ["a", "b", "a+b"]
    assert (found["a+b"]["tp"], found["a+b"]["contradictions"]) == (1, 1)  # they differ about the second pair
    assert (found["b"]["tp"], found["b"]["contradictions"]) == (1, 1)
    assert len(list(agreements_of_combinations({"a": a, "b": b}, human, 1))) == 2
