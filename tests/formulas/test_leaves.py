"""The leaf that each row reaches: as one walks down the trees step by step."""

import numpy as np
import pytest

from classy_aesop.formulas import Tree, Trees
from classy_aesop.formulas.trees import _CELLS_TOGETHER

THRESHOLDS = (-1e30, -0.5, 0.0, 0.1, 1 / 3, 16777217.0, 1e30)
"""Some are between two numbers of single precision."""


def grown(rng, n_inner):
    """Make up a tree; the nodes come in the order in which leaves were divided, not level by level."""
    feature, threshold, left, right, value = [-1], [0.0], [-1], [-1], [rng.normal()]
    for _ in range(n_inner):
        node = int(rng.choice(np.flatnonzero(np.array(feature) == -1)))
        feature[node], threshold[node] = int(rng.integers(3)), float(rng.choice(THRESHOLDS))
        left[node], right[node] = len(feature), len(feature) + 1
        for part, new in ((feature, -1), (threshold, 0.0), (left, -1), (right, -1)):
            part += [new, new]
        value += rng.normal(size=2).tolist()
    return Tree(tuple(feature), tuple(threshold), tuple(left), tuple(right), tuple(value))


def walked(tree, row):
    node = 0
    while tree.feature[node] >= 0:
        is_left = np.float32(row[tree.feature[node]]) <= np.float64(tree.threshold[node])
        node = (tree.left if is_left else tree.right)[node]
    return tree.value[node]


@pytest.mark.parametrize("n_inner", [(0,), (1, 0), (3, 7, 1), (63, 40, 300)])
@pytest.mark.parametrize("n", [0, 1, 9, 100])
def test_sums_are_those_of_a_walk(n_inner, n):
    rng = np.random.default_rng(n)
    trees = tuple(grown(rng, size) for size in n_inner)
    X = rng.choice([*THRESHOLDS, np.nextafter(0.1, 1), 0.2, 16777216.0, np.inf, -np.inf], size=(n, 3))
    expected = [sum([walked(tree, row) for tree in trees], 0.25) for row in X]
    assert Trees(0.25, trees).predict(X).tolist() == expected


def test_a_row_does_not_depend_on_the_others():
    rng = np.random.default_rng(1)
    formula, X = (
        Trees(1.0, tuple(grown(rng, 20) for _ in range(5))),
        rng.normal(size=(_CELLS_TOGETHER + 3, 3)),
    )
    assert np.array_equal(formula.predict(X)[-5:], formula.predict(X[-5:]))
