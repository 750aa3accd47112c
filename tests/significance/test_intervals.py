"""Fisher's interval: against R and nlpstats, and at the edges."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.choices import LEVELS
from classy_aesop.significance.intervals import fisher_interval, fisher_limits

FISHER = json.loads((Path(__file__).parents[1] / "oracles/fisher.json").read_text())["cases"]
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


def test_fisher_intervals_against_nlpstats(shared, ranks_noise):
    scores = np.load(shared / "data/score_matrices/scores_fabbri2020.npz")
    expected = json.loads((shared / "oracles/resampling/expected.json").read_text())["correlations"][
        "fabbri2020"
    ]
    for metric in ("AutoSummENG", "rouge-2.recall", "qa-eval.f1"):
        for case, answer in expected[metric].items():
            level, coefficient = case.split(".")
            found = fisher_interval(
                scores[metric], scores["expert.relevance"], level=level, coefficient=coefficient
            )
            same = (found.low, found.high) == pytest.approx(answer["fisher95"], abs=1e-10)
            assert same != ranks_noise(scores[metric], level, coefficient), (metric, case)


@pytest.mark.parametrize("X", [np.ones((3, 3)), np.full((3, 3), np.nan), np.ones((0, 3)), np.ones((1, 1))])
@pytest.mark.parametrize("level", LEVELS)
def test_no_interval_where_nothing_varies(X, level):
    assert math.isnan(fisher_interval(X, X, level=level).low)


def test_limits_by_hand():
    assert fisher_limits(0.85, 20) == pytest.approx((0.653161, 0.939235), abs=5e-7)


def test_bad_requests_are_refused():
    with pytest.raises(ValueError, match="coefficient is 'tau_ap'"):
        fisher_limits(0.5, 10, coefficient="tau_ap")
    with pytest.raises(ValueError, match="confidence is 95"):
        fisher_limits(0.5, 10, confidence=95)
