import numpy as np
import pytest

from classy_aesop.fitters.least_squares import first_equal_columns, least_squares, pivoted_basis


@pytest.mark.parametrize("seed", range(20))
def test_first_of_equal_columns_is_kept_wherever_pivoting_puts_it(seed):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(60, 4)) * rng.uniform(0.1, 10, size=4))[:, [0, 1, 2, 1, 3, 0]]
    assert sorted(pivoted_basis(X).columns) == [0, 1, 2, 4]
    np.testing.assert_allclose(least_squares(X, X @ np.arange(1.0, 7.0))[0], [7, 6, 3, 0, 5, 0], atol=1e-9)


def test_equal_means_in_every_row():
    X = np.array([[0.0, -0.0, 1, 0, 1], [2, 2, 3, 2, 3], [4, 4, 5, 5, 5]])
    assert first_equal_columns(X).tolist() == [0, 0, 2, 3, 2]
