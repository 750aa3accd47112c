"""What stays unseen: an answer without a significant difference says which one its tests would show."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from classy_aesop import compare, compare_pairs, power


def scores_of(lead, n_topics=40, n_systems=2, seed=0):
    rng = np.random.default_rng(seed)
    level = rng.normal(size=n_topics)
    rows = [
        (f"t{topic}", f"s{system}", level[topic] + lead * system + rng.normal())
        for system in range(n_systems)
        for topic in range(n_topics)
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "quality"])


def test_the_difference_that_a_t_test_shows_with_a_power_of_80_percent():
    scores = scores_of(0.0)
    wide = scores.pivot(index="topic", columns="system", values="quality")
    error = (wide["s1"] - wide["s0"]).std(ddof=1) / np.sqrt(40)
    unseen = compare_pairs(scores).table["unseen"].iloc[0]
    noncentral = stats.nct(39, unseen / error)
    critical = stats.t.ppf(0.975, 39)
    assert noncentral.sf(critical) + noncentral.cdf(-critical) == pytest.approx(0.8, abs=1e-6)
    assert (
        f"With 40 topics a difference below {unseen:.2g} is likely to stay unseen" in compare(scores).sentence
    )
    assert "about 160 topics would show" in compare_pairs(scores).sentence


def test_power_plans_as_many_topics_for_it_as_there_are():
    for scores in (
        scores_of(0.0, seed=3),
        scores_of(0.0).assign(quality=lambda rows: (rows["quality"] > 0) * 1.0),
    ):
        unseen = compare(scores).table["unseen"].iloc[0]
        assert power(scores, difference=unseen * (1 + 1e-9)).table["n_topics"].iloc[0] == 40


def test_many_pairs_are_corrected():
    single = compare(scores_of(0.0, n_systems=4), correction="none").table["unseen"].iloc[0]
    corrected = compare(scores_of(0.0, n_systems=4)).table["unseen"].iloc[0]
    ratio = (stats.t.ppf(1 - 0.025 / 6, 39) + 0.85) / (stats.t.ppf(0.975, 39) + 0.85)
    assert corrected / single == pytest.approx(ratio, rel=0.01)


def test_nothing_is_said_beside_a_finding_or_of_ranks_or_where_nothing_varies():
    constant = scores_of(0.0).assign(quality=lambda rows: (rows["system"] == "s1") * 2.5)
    for sentence in (
        compare(scores_of(3.0)).sentence,
        compare_pairs(scores_of(3.0, n_systems=3), baseline="s0").sentence,
        compare(scores_of(0.0), test="wilcoxon").sentence,
        compare(constant).sentence,
    ):
        assert "unseen" not in sentence


def test_a_baseline_without_a_difference_says_it_too():
    sentence = compare_pairs(scores_of(0.0, n_systems=3), baseline="s0").sentence
    assert "2 do not differ significantly. With 40 topics a difference below" in sentence


def test_with_missing_cells_it_is_of_the_topics_that_are_shared():
    scores = scores_of(0.0).drop(index=[0, 1, 2, 3, 50, 51])
    result = compare(scores)
    unseen = result.table["unseen"].iloc[0]
    assert "With 34 topics a difference below" in result.sentence
    assert power(scores, difference=unseen * (1 + 1e-9)).table["n_topics"].iloc[0] == 34
