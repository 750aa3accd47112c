"""The largest of correlated t-statistics, which allows for the choice of the best of several means."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.multiplicity.simultaneous import quantiles_of_largest_t


def quantiles(correlation, df, level=0.975):
    return quantiles_of_largest_t(correlation, df, level, np.random.default_rng(0))


@pytest.mark.parametrize("n", [1, 4, 30])
def test_independent_normal_errors_have_sidaks_quantile(n):
    assert quantiles(np.eye(n), np.inf) == pytest.approx(stats.norm.ppf(0.975 ** (1 / n)), abs=0.06)


def test_of_equal_errors_it_is_that_of_one_t():
    assert quantiles(np.ones((5, 5)), 9) == pytest.approx(stats.t.ppf(0.975, 9), abs=0.1)


@pytest.mark.parametrize("df", [1, 4, 19])
def test_correlation_lowers_it_and_it_is_never_below_one_t(df):
    values = [quantiles(r + (1 - r) * np.eye(8), df)[0] for r in (0.0, 0.4, 0.8, 0.999)]
    assert values == sorted(values, reverse=True)
    assert min(values) >= stats.t.ppf(0.975, df)


def test_each_has_its_own_degrees_of_freedom():
    values = quantiles(np.eye(3), [4, np.nan, 30])
    assert values[0] > values[2] > stats.t.ppf(0.975, 30)
    assert np.isnan(values[1])
    assert quantiles(np.eye(3), [4, np.nan, 30]).tolist()[::2] == values.tolist()[::2]
