"""Paired bootstrap of two metrics: every replicate and the p-value by their definition."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.choices import LEVELS
from classy_aesop.significance.counted import RESAMPLES, draw_resamples
from classy_aesop.significance.metric_tests import (
    UNDEFINED,
    bootstrap_test,
    permutation_test,
    williams,
    williams_test,
)
from classy_aesop.significance.resampling import bootstrap_values
from tests.significance.drawn import matrices


@pytest.mark.parametrize("resample", RESAMPLES)
@pytest.mark.parametrize("level", ["system", "input"])
def test_paired_bootstrap_by_its_definition(resample, level):
    """On the resamples of single correlations, which are held to theirs, and on the cells that all three have."""
    X, Y, Z = matrices(8, missing=0.2)
    hidden = np.where(np.isnan(X), np.nan, Z)
    measured = {"level": level, "coefficient": "spearman"}
    for alternative in ("greater", "less", "two-sided"):
        how = {"alternative": alternative, "n_resamples": 800, "rng": np.random.default_rng(4)}
        found = bootstrap_test(X, Y, Z, resample=resample, **how, **measured)
        resamples = draw_resamples(X.shape, resample, 800, np.random.default_rng(4))
        first, second = (bootstrap_values(S, hidden, resamples, **measured) for S in (X, Y))
        values, delta = first - second, found.difference
        extreme = {
            "greater": values >= 2 * delta - 1e-12,
            "less": values <= 2 * delta + 1e-12,
            "two-sided": np.abs(values - delta) >= abs(delta) - 1e-12,
        }
        assert found.p == (extreme[alternative].sum() + 1) / 801


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("test", [bootstrap_test, permutation_test])
def test_undefined_correlations_are_flagged(test, level):
    X, Y, Z = matrices(7, shape=(4, 3))
    for scores in [(np.ones_like(Z), Y, Z), (X, Y, np.ones_like(Z)), (X, Y, np.full_like(Z, np.nan))]:
        found = test(*scores, level=level, n_resamples=9, rng=np.random.default_rng(0))
        assert (found.p, found.flag) == (1.0, UNDEFINED)


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
