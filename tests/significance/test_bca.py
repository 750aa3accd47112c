"""Corrected bootstrap intervals: against scipy on the same resamples, and by hand."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.intervals import bca_shares, bootstrap_interval
from classy_aesop.significance.resampling import bootstrap_values, draw_resamples


@pytest.mark.parametrize("resample", ["systems", "inputs"])
def test_bca_against_scipy(resample):
    rng = np.random.default_rng(11)
    quality = rng.normal(size=(14, 1))
    X, Z = (quality + rng.normal(size=(14, 14)) for _ in range(2))

    def statistic(rows):
        kept = (rows.astype(int), slice(None)) if resample == "systems" else (slice(None), rows.astype(int))
        return correlation(X[kept], Z[kept]).value

    options = {"resample": resample, "n_resamples": 2_000}
    found = bootstrap_interval(X, Z, kind="bca", rng=np.random.default_rng(4), **options)
    resamples = draw_resamples(X.shape, resample, 2_000, np.random.default_rng(4))
    drawn = SimpleNamespace(bootstrap_distribution=bootstrap_values(X, Z, resamples))
    theirs = stats.bootstrap(
        (np.arange(14),), statistic, vectorized=False, n_resamples=0, bootstrap_result=drawn, method="BCa"
    ).confidence_interval
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-10)
    assert found.method == f"{resample}_bca"


def test_bca_shares_by_hand():
    values, left_out = np.array([0.1, 0.2, 0.3, 0.5]), np.array([0.3, 0.3, 0.6])
    # without bias: influences .1, .1, -.2, acceleration -.006 / (6 * .06^1.5)
    a = -0.006 / (6 * 0.06**1.5)
    z = stats.norm.ppf(0.9)
    expected = stats.norm.cdf(z / (1 - a * z))
    assert bca_shares(np.array([0.9]), values, 0.25, left_out) == pytest.approx([expected])
    assert np.isnan(bca_shares(np.array([0.9]), values, 0.9, left_out)).all()
    assert np.isnan(bca_shares(np.array([0.9]), np.empty(0), 0.9, left_out)).all()
