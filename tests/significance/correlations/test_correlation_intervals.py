"""Fisher's interval: against R and nlpstats, and at the edges."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.random import default_rng

from classy_aesop.significance.correlations.correlation_intervals import (
    fisher_interval,
    fisher_limits,
)
from classy_aesop.significance.metrics.difference_intervals import (
    bootstrap_difference_intervals,
    zou_difference_intervals,
    zou_limits,
)
from tests.significance.two_metrics import bootstrap_test

FISHER = json.loads((Path(__file__).parents[2] / "oracles/fisher.json").read_text())["cases"]
COEFFICIENTS = ["pearson", "spearman", "kendall"]


@pytest.mark.parametrize("case", FISHER, ids=lambda case: f"r={case['r']}, n={case['n']}")
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_fisher_limits_against_r(case, coefficient):
    expected = np.array(case[coefficient], dtype=float)
    assert fisher_limits(case["r"], case["n"], coefficient=coefficient) == pytest.approx(
        expected, abs=1e-10, nan_ok=True
    )


def test_fisher_limits_at_the_edge():
    assert all(math.isnan(end) for end in fisher_limits(0.5, 3))
    assert fisher_limits(1.0, 10) == (1.0, 1.0)
    assert all(math.isnan(end) for end in fisher_limits(math.nan, 10))
    assert np.isnan(zou_limits(np.nan, 0.6, 0.3, 20)).all()
    assert np.isnan(zou_limits(0.5, 0.6, 0.3, 3)).all()


def test_fisher_intervals_against_nlpstats(nlpstats, ranks_noise):
    scores, expected = nlpstats[0], nlpstats[1]["correlations"]
    for metric in ("AutoSummENG", "rouge-2.recall", "qa-eval.f1"):
        for case, answer in expected[metric].items():
            level, coefficient = case.split(".")
            found = fisher_interval(
                scores[metric], scores["expert.relevance"], level=level, coefficient=coefficient
            )
            same = (found.low, found.high) == pytest.approx(answer["fisher95"], abs=1e-10)
            assert same != ranks_noise(scores[metric], level, coefficient), (metric, case)


PRINTED = [
    ((0.396, 0.179, 0.088, 66), (-0.093, 0.517), 0.0005),  # Zou (2007), overlapping correlations
    ((0.8066, 0.2383, 0.2255, 177), (0.4288, 0.7139), 0.00015),  # R cocor, vignette of rmcorr; r's rounded
    ((0.7245, 0.7108, 0.8972, 15549), (0.0088, 0.0185), 0.00015),  # R cocor; r's rounded
    ((0.59, 0.16, 0.38, 30), (0.07, 0.79), 0.005),  # R cocor
]


@pytest.mark.parametrize(("given", "printed", "tolerance"), PRINTED)
def test_zou_against_cocor_and_the_paper(given, printed, tolerance):
    np.testing.assert_allclose(zou_limits(*given), printed, atol=tolerance)


@pytest.fixture(scope="module")
def scores():
    rng = default_rng(5)
    Z = rng.normal(size=(20, 30)) + np.arange(20)[:, None] / 3
    return [Z + rng.normal(size=Z.shape) * scale for scale in (0.5, 4, 4)], Z


def test_intervals_of_matrices_are_those_of_their_correlations(scores):
    metrics, Z = scores
    (found,) = zou_difference_intervals(metrics, Z, [(0, 2)], level="system")
    means = [S.mean(axis=1) for S in (*metrics, Z)]
    r = np.corrcoef(means)
    np.testing.assert_allclose((found.low, found.high), zou_limits(r[0, 3], r[2, 3], r[0, 2], 20), atol=1e-12)
    (found,) = bootstrap_difference_intervals(
        [metrics[0], np.ones_like(Z)], Z, [(0, 1)], n_resamples=9, rng=default_rng(1)
    )
    assert np.isnan([found.value, found.low, found.high, found.error]).all()
    assert found.n_dropped == 9


def test_resampled_intervals_are_quantiles_of_what_the_paired_test_draws(scores):
    """The paired bootstrap rejects at .025 exactly where the turned interval of 95 % leaves 0 out."""
    metrics, Z = scores
    pairs = [(0, 1), (0, 2), (1, 2)]
    found = bootstrap_difference_intervals(metrics, Z, pairs, n_resamples=999, rng=default_rng(1))
    for (i, j), one in zip(pairs, found, strict=True):
        tested = bootstrap_test(metrics[i], metrics[j], Z, n_resamples=999, rng=default_rng(1))
        assert one.value == tested.difference
        assert one.low < one.value < one.high
        basic = 2 * one.value - np.array([one.high, one.low])
        assert (basic[0] > 0) == (tested.p <= 0.025)
    alike = bootstrap_difference_intervals(
        metrics, Z, pairs, kind="normal", n_resamples=999, rng=default_rng(1)
    )
    for one, normal in zip(found, alike, strict=True):
        assert one.error == normal.error
        np.testing.assert_allclose(normal.low + normal.high, 2 * one.value, atol=1e-12)
        np.testing.assert_allclose(normal.high - normal.low, 2 * 1.959964 * one.error, rtol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [1.0, 3.0])
def test_intervals_hold_the_difference_of_made_up_metrics(noise):
    """Sixteen systems, a hundred topics; correlations of .9 and .7 less what the noise of their means takes."""
    held, truth, n_trials = np.zeros(3), 0.2 / (1 + noise**2 / 100), 100
    for seed in range(n_trials):
        rng = default_rng(seed)
        own, topics = rng.normal(size=(16, 1)), rng.normal(size=(1, 100))
        *metrics, Z = (
            r * own
            + np.sqrt(1 - r * r) * rng.normal(size=own.shape)
            + topics
            + noise * rng.normal(size=(16, 100))
            for r in (0.9, 0.7, 1.0)
        )
        found = [
            bootstrap_difference_intervals(
                metrics, Z, [(0, 1)], kind=kind, n_resamples=199, rng=default_rng(seed)
            )
            for kind in ("percentile", "normal")
        ]
        held += [
            one.low <= truth <= one.high
            for (one,) in [*found, zou_difference_intervals(metrics, Z, [(0, 1)])]
        ]
    assert (held >= 0.88 * n_trials).all()
