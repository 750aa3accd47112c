"""The search of scaled, duplicated, constant and missing columns, and in other orders."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

from classy_aesop.fitters import FITTERS
from classy_aesop.search import KERNELS, search_subsets

COLUMNS = [0, 2, 3, 7, 9, 11]
GROUPS = [[k] for k in range(len(COLUMNS))]
NAMES = [f"f{k}" for k in COLUMNS]
BATCHED = [name for name, kind in FITTERS.items() if kind in KERNELS]


def searched(name, designs, groups=GROUPS, names=NAMES):
    """Give the score of each subset by its names."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = search_subsets(FITTERS[name](), [designs], groups, target=0, names=names)
    return {
        frozenset(one for k, one in enumerate(names) if mask >> k & 1): score
        for mask, score in zip(result.masks.tolist(), result.scores.tolist(), strict=True)
    }


def close(found, expected, what):
    assert found.keys() == expected.keys()
    both = np.array([[found[names], expected[names]] for names in expected])
    np.testing.assert_allclose(both[:, 0], both[:, 1], rtol=0, atol=1e-7, err_msg=what)


@pytest.mark.slow
def test_scale_and_order_change_no_score(years):
    rng = np.random.default_rng(5)
    designs = tuple(year.select_columns(COLUMNS) for year in years)
    scale = 10.0 ** rng.uniform(-8, 8, size=len(COLUMNS))
    order = rng.permutation(len(COLUMNS))
    scaled = tuple(replace(one, X=one.X * scale) for one in designs)
    mixed = tuple(one.select_columns(order).take(rng.permutation(len(one.Y))) for one in designs)
    renamed = tuple(
        replace(one, summarizers=29 - one.summarizers, topics=(one.topics * 7) % 20) for one in designs
    )
    for name in BATCHED:
        expected = searched(name, designs)
        close(searched(name, scaled), expected, f"{name}, scaled")
        close(searched(name, renamed), expected, f"{name}, other summarizers and topics")
        close(searched(name, mixed, names=[NAMES[k] for k in order]), expected, f"{name}, other order")


@pytest.mark.slow
def test_a_constant_a_duplicated_and_a_missing_column_cost_only_themselves(years):
    designs = tuple(year.select_columns(COLUMNS) for year in years)
    names = [*NAMES, "constant", "again", "nearly", "missing"]

    def more(one):
        rng = np.random.default_rng(1)
        nearly = one.X[:, 1] * (1 + 1e-13 * rng.normal(size=len(one.X)))
        missing = np.where(rng.random(len(one.X)) < 0.2, np.nan, one.X[:, 2])
        return replace(
            one, X=np.column_stack([one.X, np.full(len(one.X), 1e8), one.X[:, 0], nearly, missing])
        )

    groups = [[k] for k in range(len(names))]
    spoiled = tuple(map(more, designs))
    for name in BATCHED:
        expected, found = searched(name, designs), searched(name, spoiled, groups, names)
        close({key: found[key] for key in expected}, expected, f"{name}, without them")
        close({key: found[key | {"constant"}] for key in expected}, expected, f"{name}, with a constant")
        if FITTERS[name].first_of_equals:
            both = {key: found[key | {"again"}] for key in expected if "f0" in key}
            close(both, {key: expected[key] for key in both}, f"{name}, with a duplicate")
        scores = np.array(list(found.values()))
        assert (np.isfinite(scores) | (scores == -np.inf)).all()
        assert scores.max() <= 1
