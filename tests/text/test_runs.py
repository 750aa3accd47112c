import numpy as np
import pytest

from classy_aesop.text.arrays import run_sizes, run_starts, run_sums


def test_run_starts_by_hand():
    assert run_starts(np.array([5, 5, 5])).tolist() == [0]
    assert run_starts(np.zeros(0, int)).tolist() == []


@pytest.mark.parametrize("seed", range(20))
def test_sizes_and_sums_against_bincount(seed):
    """With empty runs at the beginning, in the middle and at the end, or with none, and without any value."""
    rng = np.random.default_rng(seed)
    n_owners, n_values = int(rng.integers(1, 9)), int(rng.integers(0, 60))
    owner = np.sort(rng.integers(0, n_owners, n_values))
    sizes = run_sizes(owner, n_owners)
    assert sizes.tolist() == np.bincount(owner, minlength=n_owners).tolist()
    for values in (rng.integers(-9, 9, n_values), rng.random(n_values), rng.random(n_values) > 0.5):
        expected = np.bincount(owner, values, n_owners)
        np.testing.assert_allclose(run_sums(values, sizes), expected, atol=1e-12)


def test_no_runs():
    assert run_sizes(np.zeros(0, int), 0).tolist() == []
    assert run_sums(np.zeros(0, int), np.zeros(0, int)).tolist() == []
    assert run_sums(np.zeros(0, bool), np.zeros(2, int)).tolist() == [0, 0]


def test_marks_are_counted_exactly():
    """More than a single byte holds."""
    assert run_sums(np.ones(700, bool), np.array([300, 0, 400])).tolist() == [300, 0, 400]


def test_a_sum_does_not_depend_on_the_other_runs():
    rng = np.random.default_rng(1)
    values, sizes = rng.random(1000), np.array([7, 500, 0, 493])
    starts = np.cumsum(sizes) - sizes
    alone = [run_sums(values[at : at + n], np.array([n]))[0] for at, n in zip(starts, sizes, strict=True)]
    assert run_sums(values, sizes).tolist() == alone
