"""Fisher's interval: against R and nlpstats, and at the edges."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.correlations.correlation_intervals import fisher_limits

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
