"""Paired bootstrap of two metrics: every replicate and the p-value by their definition."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.choices import LEVELS
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.counted import RESAMPLES, draw_resamples
from classy_aesop.significance.metric_tests import (
    UNDEFINED,
    bootstrap_test,
    permutation_test,
    williams,
    williams_test,
)
from classy_aesop.significance.resampling import bootstrap_differences, bootstrap_values


def matrices(seed, shape=(8, 11), missing=0.0):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(shape[0], 1))
    X, Y, Z = (quality + rng.normal(size=shape) for _ in range(3))
    X[rng.random(shape) < missing] = np.nan
    return X, Y, Z


@pytest.mark.parametrize("resample", RESAMPLES)
@pytest.mark.parametrize("level", ["system", "input"])
def test_paired_resamples_are_the_definition(resample, level):
    X, Y, Z = matrices(2, missing=0.2)
    resamples = draw_resamples(X.shape, resample, 20, np.random.default_rng(3))
    how = {"level": level, "coefficient": "spearman", "resample": resample, "n_resamples": 20}
    (one,) = bootstrap_differences([X, Y], Z, [(0, 1)], rng=np.random.default_rng(3), **how)
    found = one.values + one.difference
    hidden = np.where(np.isnan(X), np.nan, Z)
    for k in range(20):
        rows = np.arange(8) if resamples.rows is None else resamples.rows[k]
        columns = np.arange(11) if resamples.columns is None else resamples.columns[k]
        at = np.ix_(rows, columns)
        sides = [correlation(S[at], hidden[at], level=level, coefficient="spearman").value for S in (X, Y)]
        assert found[k] == pytest.approx(sides[0] - sides[1], abs=1e-12)


def test_paired_bootstrap_by_its_definition():
    X, Y, Z = matrices(8)
    for alternative in ("greater", "less", "two-sided"):
        how = {"alternative": alternative, "n_resamples": 800, "rng": np.random.default_rng(4)}
        found = bootstrap_test(X, Y, Z, **how)
        resamples = draw_resamples(X.shape, "both", 800, np.random.default_rng(4))
        values = bootstrap_values(X, Z, resamples) - bootstrap_values(Y, Z, resamples)
        delta = found.difference
        extreme = {
            "greater": values >= 2 * delta,
            "less": values <= 2 * delta,
            "two-sided": np.abs(values - delta) >= abs(delta),
        }
        assert found.p == (extreme[alternative].sum() + 1) / 801


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("test", [bootstrap_test, permutation_test])
def test_undefined_correlations_are_flagged(test, level):
    X, Y, Z = matrices(7, shape=(4, 3))
    for scores in [(np.ones_like(Z), Y, Z), (X, Y, np.ones_like(Z)), (X, Y, np.full_like(Z, np.nan))]:
        found = test(*scores, level=level, n_resamples=9, rng=np.random.default_rng(0))
        assert (found.p, found.flag) == (1.0, UNDEFINED)


def test_bad_requests_are_refused():
    X, Y, Z = matrices(0)
    with pytest.raises(ValueError, match="n_resamples is 0"):
        bootstrap_test(X, Y, Z, n_resamples=0, rng=np.random.default_rng(0))
    with pytest.raises(ValueError, match="resample is 'cells'"):
        bootstrap_test(X, Y, Z, resample="cells", rng=np.random.default_rng(0))
    X, Y, Z = np.zeros((3, 4, 2))
    with pytest.raises(ValueError, match="shapes differ"):
        williams_test(X, Y[:2], Z)
    with pytest.raises(ValueError, match="alternative is 'better'"):
        williams_test(X, Y, Z, alternative="better")


WILLIAMS = json.loads((Path(__file__).parents[1] / "oracles/williams.json").read_text())["cases"]


@pytest.mark.parametrize(
    "case", WILLIAMS, ids=lambda case: f"n={case['n']}, {case['r12']}, {case['r13']}, {case['r23']}"
)
def test_williams_against_r(case):
    t, p = williams(case["r12"], case["r13"], case["r23"], case["n"], alternative="two-sided")
    assert abs(t) == pytest.approx(abs(case["t"]), abs=1e-10)
    assert p == pytest.approx(case["p_two"], abs=1e-10)


def test_williams_by_hand_and_at_the_edge():
    t, p = williams(0.85, 0.75, 0.9, 20, alternative="greater")
    assert (t, p) == pytest.approx((1.749144, 0.049148), abs=5e-7)
    assert williams(0.75, 0.85, 0.9, 20, alternative="less")[1] == pytest.approx(p)
    assert williams(0.85, 0.75, 0.9, 20)[1] == pytest.approx(2 * p)
    assert math.isnan(williams(0.85, 0.75, 0.9, 3)[0])
    assert williams(0.8, 0.8, 1.0, 20)[1] == 1.0
    X, Z = np.random.default_rng(0).normal(size=(2, 9, 4))
    found = williams_test(X, X, Z)
    assert (found.p, found.flag) == (1.0, UNDEFINED)
    json.dumps(found.to_dict())


@pytest.mark.slow
def test_williams_against_nlpstats(pairs_of_nlpstats, ranks_noise):
    for scores, (level, coefficient), answer in pairs_of_nlpstats("williams"):
        for alternative, name in [("two-sided", "p_two_sided"), ("greater", "p_greater")]:
            found = williams_test(*scores, level=level, coefficient=coefficient, alternative=alternative)
            same = found.p == pytest.approx(answer[name], abs=1e-10)
            assert same != any(ranks_noise(X, level, coefficient) for X in scores)
