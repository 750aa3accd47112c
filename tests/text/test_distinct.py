import numpy as np

from classy_aesop.text.arrays import one_of_each


def test_one_of_each_against_unique():
    """Thousands of keys share slots; the marked ones are all different, and all there are."""
    rng = np.random.default_rng(1)
    for n_keys, n_values in ((0, 1), (1, 1), (20, 3), (9_000, 4_000), (9_000, 2**62)):
        keys = rng.integers(0, n_values, n_keys)
        marked = keys[one_of_each(keys)]
        np.testing.assert_array_equal(np.sort(marked), np.unique(keys))
