"""Means of systems from ratings by raters who vary within topics: against statsmodels, and what is said."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import estimate, estimate_differences
from classy_aesop.errors import DataWarning


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


@pytest.mark.slow
def test_raters_with_unequal_shares_make_no_difference():
    """Two equal systems, raters a point apart: .83 of the tables had a difference, and .06 have one now."""
    n_found = {"model": 0, "ignore": 0}
    for seed in range(20):
        n_found["model"] += differences(rated(seed, share=0.8))["significant"].item()
        with pytest.warns(
            DataWarning, match=r"rater [xy] gave .* of the ratings of [ab] and .* of those of [ab], so that"
        ):
            found = differences(rated(seed, share=0.8), raters="ignore")
        n_found["ignore"] += found["significant"].item()
    assert n_found["model"] <= 4
    assert n_found["ignore"] >= 12


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.parametrize("seed", range(2))
def test_raters_who_rate_everything_change_nothing(seed):
    once = rated(seed, systems="abcdef")
    table = pd.concat([once.assign(rater="x"), once.assign(rater="y", quality=once["quality"] + seed + 0.5)])
    table = table.assign(quality=table["quality"] + np.random.default_rng(seed).normal(size=len(table)))
    found, expected = (
        estimate(table, target="quality", raters=rater_model).table for rater_model in ("model", "ignore")
    )
    pd.testing.assert_frame_equal(found, expected, rtol=0, atol=1e-12)
    unnamed = table.groupby(["topic", "system"], as_index=False)["quality"].mean()
    bare = estimate(unnamed, target="quality").table[
        list(expected.columns.drop(["raters_low", "raters_high"]))
    ]
    pd.testing.assert_frame_equal(found[list(bare)], bare, rtol=0, atol=1e-12)


@pytest.mark.slow
def test_raters_of_one_system_each_are_told_of():
    table = rated(0)
    table["rater"] = table["system"].map({"a": "x", "b": "y"})
    with pytest.warns(DataWarning, match="raters cannot be separated from systems and topics: means include"):
        found = differences(table)
    assert found["difference"].isna().all()  # who is better cannot be separated from who rated
    with pytest.warns(DataWarning, match="gave 100% of the ratings"):
        ignored = differences(table, raters="ignore")
    assert ignored["difference"].notna().all()
