import numpy as np

from classy_aesop.fitters.nonnegative import marginal_signs, nonnegative_least_squares

X5 = np.array([[1, 2], [2, 1], [3, 5], [4, 3], [5, 6]])
Y5 = np.array([1, 3, 2, 5, 4])


def test_signs_without_correlation_are_positive():
    np.testing.assert_array_equal(marginal_signs(X5 * 1.0, np.full(5, 0.3)), [1, 1])
    x = np.array([6, 1, 5, 6, 5, 3, 6, 7, 8, 8, 5, 5, 1, 4])
    y = np.array([1, 2, 5, 5, 5, 5, 1, 5, 4, 4, 4, 1, 5, 3])
    assert 14 * (x @ y) == x.sum() * y.sum()
    for seed in range(20):  # rounding has another sign in another order
        order = np.random.default_rng(seed).permutation(14)
        assert marginal_signs(x[order, None] / 10, y[order] * 1.0) == 1


def test_no_column_at_all():
    assert nonnegative_least_squares(np.zeros((3, 2)), np.ones(3)).tolist() == [0, 0]
    assert nonnegative_least_squares(np.zeros((3, 0)), np.ones(3)).tolist() == []
