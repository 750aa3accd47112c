"""Widths of intervals from several sources of error: each source alone is the interval of a known distribution."""

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.estimation import half_widths

ONE, NONE = np.array([1.0]), np.array([0.0])


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_a_variance_from_topics_alone_is_students(confidence):
    found = half_widths(confidence, 4 * ONE, 4 * ONE, NONE, topics_df=6, df=100)
    assert found == pytest.approx(2 * stats.t.ppf((1 + confidence) / 2, 6))


def test_two_variances_have_satterthwaites_degrees_of_freedom():
    df = 1 / (0.75**2 / 6 + 0.25**2 / 100)
    found = half_widths(0.95, 4 * ONE, 3 * ONE, NONE, topics_df=6, df=100)
    assert found == pytest.approx(2 * stats.t.ppf(0.975, df))


@pytest.mark.parametrize("spread", [0.05, 0.3, 1.0])
def test_a_mixture_of_normal_errors_has_its_variance_once(spread):
    """The variance has an inverse gamma distribution of mean 1; the wider t held .955 to .976 of such errors."""
    rng = np.random.default_rng(0)
    shape = 2 + 1 / spread
    variances = (shape - 1) / rng.gamma(shape, size=400_000)
    assert variances.mean() == pytest.approx(1, rel=0.01)
    errors = rng.normal(size=variances.size) * np.sqrt(variances)
    how = {"topics_df": np.inf, "df": np.inf}
    half = half_widths(0.95, ONE, NONE, spread * ONE, **how, shares_topics=False)
    assert (np.abs(errors) <= half).mean() == pytest.approx(0.95, abs=0.002)
    assert half_widths(0.95, ONE, NONE, spread * ONE, **how) > half


def test_no_error_has_no_width():
    assert half_widths(0.95, NONE, NONE, NONE, topics_df=3, df=10) == pytest.approx(0, abs=1e-70)
