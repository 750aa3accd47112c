"""Means of systems from ratings by raters who vary within topics: against statsmodels, and what is said."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import estimate_differences


def rated(seed, *, share=0.7, gap=1.0, n_topics=40, systems="ab"):
    """One rating a summary; the first system meets the second rater, who adds the gap, in this share of topics."""
    rng = np.random.default_rng(seed)
    rows = []
    for topic in range(n_topics):
        level = rng.normal()
        for system in systems:
            rater = int(rng.random() < (share if system == "a" else 1 - share))
            rows.append((topic, system, "xy"[rater], 3 + level + gap * rater + 0.5 * rng.normal()))
    return pd.DataFrame(rows, columns=["topic", "system", "rater", "quality"])


def differences(table, **options):
    """Differences of plain means; a topic that nobody judged keeps `compare` from answering."""
    cells = [
        (topic, system) for topic in [*table["topic"].unique(), -1] for system in table["system"].unique()
    ]
    scores = pd.DataFrame(cells, columns=["topic", "system"]).assign(metric=0.0)
    found = estimate_differences(
        table, scores, target="quality", estimator="plain", population="like", **options
    ).table
    return found.set_index(["first", "second"])


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("seed", range(3))
def test_differences_and_their_errors_are_those_of_the_additive_model(seed):
    """The difference is that of ordinary least squares (statsmodels), and so is its interval but for its draws."""
    linear = pytest.importorskip("statsmodels.regression.linear_model")
    table = rated(seed)
    design = pd.get_dummies(table.drop(columns="quality").astype(str), drop_first=True, dtype=float)
    fitted = linear.OLS(table["quality"], design.assign(constant=1.0)).fit()
    row = differences(table).loc["a", "b"]
    assert row["difference"] == pytest.approx(-fitted.params["system_b"], abs=1e-9)
    low, high = fitted.conf_int().loc["system_b"]
    assert row["high"] - row["low"] == pytest.approx(high - low, rel=0.03)
