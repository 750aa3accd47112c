"""Medians that are looked for near a guess are those of the sorted values, whatever the guess."""

import numpy as np
import pytest

from classy_aesop.search.robust import root_medians

RNG = np.random.default_rng(5)
VALUES = {
    "normal": RNG.standard_normal((40, 201)) ** 2,
    "ties": RNG.integers(0, 4, (40, 201)).astype(float),
    "nearly all 0": (RNG.random((40, 201)) > 0.8).astype(float),
    "far apart": np.exp(RNG.uniform(-300, 300, (40, 201))),
}


def plainly(values, middle, even):
    ordered = np.sqrt(np.sort(values, axis=1))
    return np.array(
        [
            (row[at] + row[at - 1]) / 2 if both else row[at]
            for row, at, both in zip(ordered, middle, even, strict=True)
        ]
    )


@pytest.mark.parametrize("name", VALUES)
def test_any_guess_gives_the_middle_of_the_sorted_values(name):
    values = VALUES[name]
    middle, even = RNG.integers(90, 120, len(values)), RNG.random(len(values)) > 0.5
    expected = plainly(values, middle, even)
    guesses = (
        expected,
        expected * 1.01,
        expected * 1.5,
        np.zeros(40),
        np.full(40, np.nan),
        np.full(40, np.inf),
    )
    mixed = np.where(np.arange(40) % 2 == 0, expected, np.nan)
    for guess in (*guesses, mixed):
        for width in (0.0, 0.02, 0.5):
            found = root_medians(values.copy(), middle, even, guess, width)
            assert found.tolist() == expected.tolist()


def test_values_that_are_no_numbers_are_the_largest():
    values = np.array([[4.0, np.nan, 1.0, 9.0, np.nan]])
    found = root_medians(values, np.array([2]), np.array([True]), np.array([2.5]), 0.5)
    assert found.tolist() == [2.5]


@pytest.mark.parametrize("n", [1, 2])
def test_few_values(n):
    values = np.full((3, n), 4.0)
    found = root_medians(values, np.zeros(3, dtype=int), np.zeros(3, dtype=bool), np.full(3, 2.0), 0.02)
    assert found.tolist() == [2.0, 2.0, 2.0]
