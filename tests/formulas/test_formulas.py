"""Formulas against their fitters; leaves of trees."""

import dataclasses

import numpy as np
import pytest

from classy_aesop.formulas import FORMULAS, Linear, Tree, Trees

#        column 0 <= 1.5?
#        yes: column 1 <= 0?  yes: 1, no: 3        no: 10
TREE = Tree(
    feature=(0, 1, -1, -1, -1),
    threshold=(1.5, 0.0, 0.0, 0.0, 0.0),
    left=(1, 2, -1, -1, -1),
    right=(4, 3, -1, -1, -1),
    value=(4.0, 2.0, 1.0, 3.0, 10.0),
)
MEANS = np.array([1.0, 2.0])
ROWS = np.array([[1.5, 0.0], [1.0, 0.1], [1.6, -5.0]])


def test_a_tree_by_hand():
    formula = Trees(0.5, (TREE,))
    assert formula.predict(ROWS).tolist() == [1.5, 3.5, 10.5]
    added, baseline = formula.contributions(ROWS, MEANS)
    assert baseline == 4.5
    assert added.tolist() == [[-2, -1], [-2, 1], [6, 0]]


def test_trees_of_any_depth_and_number_are_walked_as_each_alone():
    chain = Tree(
        (0, -1, 1, -1, -1), (0.5, 0, -1, 0, 0), (1, -1, 3, -1, -1), (2, -1, 4, -1, -1), (0, 1, 2, 4, 8)
    )
    trees = (Tree((-1,), (0.0,), (-1,), (-1,), (16.0,)), TREE, chain, TREE)
    X = np.random.default_rng(1).normal(scale=2, size=(40_000, 2))  # more than are walked at once
    each_alone = [Trees(0.0, (tree,)) for tree in trees]
    assert Trees(0.5, trees).predict(X).tolist() == (0.5 + sum(one.predict(X) for one in each_alone)).tolist()
    added, _ = Trees(0.5, trees).contributions(X, MEANS)
    np.testing.assert_allclose(added, sum(one.contributions(X, MEANS)[0] for one in each_alone), atol=1e-12)
    assert Trees(0.5, ()).predict(ROWS).tolist() == [0.5] * 3


def test_columns_are_compared_in_single_precision():
    """0.1 and the next number in double precision are one in single precision, as for scikit-learn."""
    tree = Tree((0, -1, -1), (float(np.float32(0.1)), 0, 0), (1, -1, -1), (2, -1, -1), (0, 1, 2))
    X = np.array([[np.float32(0.1) * 1.0], [np.nextafter(float(np.float32(0.1)), 1)]])
    assert Trees(0.0, (tree,)).predict(X.astype(float)).tolist() == [1, 1]


@pytest.mark.parametrize("n_used", range(5))
def test_columns_of_weight_0_add_nothing_but_may_be_missing(n_used):
    rng = np.random.default_rng(n_used)
    X, weights = rng.normal(size=(50, 9)), np.zeros(9)
    weights[rng.permutation(9)[:n_used]] = rng.normal(size=n_used)
    assert Linear(tuple(weights), 0.3).predict(X).tolist() == ((X * weights).sum(axis=1) + 0.3).tolist()
    X[7, rng.integers(9)] = np.nan
    assert np.flatnonzero(np.isnan(Linear(tuple(weights), 0.3).predict(X))).tolist() == [7]


def test_linear_by_hand():
    formula = Linear((2.0, -1.0), 0.5)
    added, baseline = formula.contributions(ROWS, MEANS)
    # less the means (1, 2), whose score is .5
    np.testing.assert_allclose(added, [[1, 2], [0, 1.9], [1.2, 7]])
    assert baseline == 0.5
    np.testing.assert_allclose(added.sum(axis=1) + baseline, formula.predict(ROWS))


@pytest.mark.parametrize("formula", [Linear((2.0, -1.0), 0.5), Trees(0.0, (TREE,))])
def test_a_missing_value_makes_no_prediction(formula):
    rows = ROWS.copy()
    rows[1, 1] = np.nan
    assert np.isnan(formula.predict(rows)).tolist() == [False, True, False]
    assert np.isnan(formula.contributions(rows, MEANS)[0]).any(axis=1).tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"left": (0, 2, -1, -1, -1)}, r"node 0 of a tree leads to \[0, 4\]; expected later nodes"),
        ({"right": (9, 3, -1, -1, -1)}, r"node 0 of a tree leads to \[1, 9\]"),
        ({"feature": (0, -1, -1, -1, -1)}, r"node 1 of a tree leads to \[2, 3\]"),
        ({"left": (2, 2, -1, -1, -1)}, r"0 nodes of a tree lead to node 1; expected one"),
        ({"right": (2, 3, -1, -1, -1)}, r"2 nodes of a tree lead to node 2; expected one"),
        ({"value": (1.0,)}, r"lengths \[1, 5\]; expected one"),
    ],
)
def test_a_tree_that_cannot_be_walked_is_refused(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(TREE, **change)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (Linear((1.0, 2.0), 0.0), "2 weights; expected 1, one a column"),
        (Trees(0.0, (TREE,)), "reads column 1 .counted from 0.; there are 1"),
    ],
)
def test_columns_that_are_not_there_are_refused(formula, message):
    formula.check_columns(2)
    with pytest.raises(ValueError, match=message):
        formula.check_columns(1)


def test_every_kind_says_its_name():
    assert {name: kind.kind for name, kind in FORMULAS.items()} == {name: name for name in FORMULAS}
    assert Linear((1.0,), 0.5).to_dict() == {"kind": "linear", "weights": [1.0], "intercept": 0.5}
    assert list(Trees(0.0, (TREE,)).to_dict()) == ["kind", "constant", "trees"]


"""Some are between two numbers of single precision."""
