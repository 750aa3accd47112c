"""Made-up scores have the correlation that they are said to have, and intervals hold it."""

import numpy as np
import pytest

from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.coverage import METHODS, interval_coverage
from classy_aesop.significance.simulated_coverage import Design, simulated_coverage


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall", "tau_ap", "acc_eq"])
@pytest.mark.parametrize("level", ["system", "input"])
def test_many_systems_have_the_correlation_of_the_design(level, coefficient):
    design = Design(1_500, 10, correlation=0.7, noise=2.0)
    X, Z = design.draw(np.random.default_rng(0))
    found = correlation(X, Z, level=level, coefficient=coefficient).value
    assert found == pytest.approx(design.truth(level, coefficient), abs=0.03)


def test_the_correlation_by_hand():
    """Four topics leave a quarter of the noise, of which .3 is shared: (.5 + .3) / (1 + 1)."""
    design = Design(9, 4, correlation=0.5, noise=2.0)
    assert design.truth("system", "pearson") == pytest.approx((0.5 + 0.3) / 2)
    assert design.truth("input", "pearson") == pytest.approx((0.5 + 0.3 * 4) / 5)
    for coefficient in ("acc_eq", "tau_ap"):
        assert Design(9, 4, 1.0, 0.0).truth("input", coefficient) == pytest.approx(1)
    assert Design(9, 4, 0.0, 0.0).truth("input", "tau_ap") == pytest.approx(0)


def test_unknown_names_are_refused():
    for options in ({"level": "global"}, {"coefficient": "acc_eq_calibrated"}, {"methods": ["bca"]}):
        with pytest.raises(ValueError, match="expected one of"):
            simulated_coverage(Design(5, 4, 0.5, 1.0), n_trials=1, rng=np.random.default_rng(0), **options)


def test_no_trials_are_no_coverage():
    with pytest.raises(ValueError, match="n_trials is 0; expected at least 1"):
        simulated_coverage(Design(5, 4, 0.5, 1.0), n_trials=0, rng=np.random.default_rng(0))


def test_the_normal_interval_takes_no_draws_of_the_others():
    """What was measured without it is measured with it."""
    rng = np.random.default_rng(3)
    X, Z = Design(16, 12, 0.5, 1.0).draw(rng)
    how = {"n_trials": 5, "n_resamples": 29}
    without = interval_coverage(X, Z, methods=METHODS[:-1], rng=np.random.default_rng(1), **how)
    assert interval_coverage(X, Z, rng=np.random.default_rng(1), **how)[:-1] == without


@pytest.mark.slow(after=3)
def test_the_normal_interval_of_both_holds_where_topics_are_noisy():
    """58 systems and 48 topics as in the evaluations; percentiles lie too low there."""
    found = simulated_coverage(
        Design(58, 48, correlation=0.9, noise=3.0),
        methods=["both", "both_normal"],
        n_trials=150,
        n_resamples=199,
        rng=np.random.default_rng(0),
    )
    assert found[1].coverage > 0.92
    assert found[0].coverage < found[1].coverage
