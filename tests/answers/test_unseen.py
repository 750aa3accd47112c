"""What stays unseen: an answer without a significant difference says which one its tests would show."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from classy_aesop import compare, compare_pairs, estimate_differences, evaluate_pairs, power
from classy_aesop.answers.pilots import unseen_by_intervals


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


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_an_interval_by_hand_alone_and_of_three_that_hold_together():
    error = 0.25
    single = stats.norm.ppf(0.975) * error
    unseen = unseen_by_intervals([0.1], ([0.1 - single], [0.1 + single]), [False], alpha=0.05)
    assert unseen == pytest.approx((1.959964 + 0.841621) * error, abs=1e-6)
    joint = stats.norm.ppf(1 - 0.025 / 3) * error
    ends = (np.full(3, -joint), np.full(3, joint))
    of_three = unseen_by_intervals(np.zeros(3), ends, [False] * 3, alpha=0.05, n_joint=3, n_tests=3)
    assert of_three == pytest.approx((2.393980 + 0.841621) * error, abs=1e-6)
    assert np.isnan(unseen_by_intervals(np.zeros(3), ends, [False, True, False], alpha=0.05))
    assert np.isnan(unseen_by_intervals([0.0], ([np.nan], [np.nan]), [False], alpha=0.05))


def preferences_of(share, n_topics=60, seed=1):
    rng = np.random.default_rng(seed)
    winners = np.where(rng.random(n_topics) < share, "a", "b")
    sides = np.where(np.arange(n_topics) % 2, "ab", "ba")
    shown = {"model_a": [side[0] for side in sides], "model_b": [side[1] for side in sides]}
    return pd.DataFrame({"topic": range(n_topics), **shown, "winner": winners})


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:raters prefer the output")
def test_of_win_rates_it_is_seen_in_four_of_five_tables():
    result = compare(preferences_of(0.5))
    unseen = result.table["unseen"].iloc[0]
    assert (
        f"With 60 topics a difference of win rates below {unseen:.2g} is likely to stay unseen"
        in result.sentence
    )
    assert "a difference of win rates below" in compare_pairs(preferences_of(0.5)).sentence
    n_seen = sum(
        compare(preferences_of(0.5 + unseen / 2, seed=seed)).table["losses"].any() for seed in range(100)
    )
    assert 68 <= n_seen <= 92
    assert "unseen" not in compare(preferences_of(0.9)).sentence


def metrics_of(noise_of_second, seed=0):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=20)
    cells = [(f"s{system}", f"t{topic}") for system in range(20) for topic in range(8)]
    table = pd.DataFrame(cells, columns=["system", "topic"])
    own = np.repeat(quality, 8)
    noise = rng.normal(size=(3, len(own)))
    judgments = table.assign(quality=own + noise[0])
    scores = table.assign(near=own + noise[1], far=own + noise_of_second * noise[2])
    return scores, judgments


def test_of_metrics_it_is_of_correlations_and_says_nothing_of_topics():
    result = evaluate_pairs(*metrics_of(1.2), target="quality", n_resamples=200)
    unseen = result.table["unseen"].iloc[0]
    assert result.sentence.endswith(
        f" A difference of correlations below {unseen:.2g} is likely to stay unseen."
    )
    against = evaluate_pairs(*metrics_of(1.2), target="quality", baseline="near", n_resamples=200)
    assert against.sentence.endswith("is likely to stay unseen.")
    for sentence in (
        evaluate_pairs(*metrics_of(30.0), target="quality", n_resamples=200).sentence,
        evaluate_pairs(*metrics_of(1.2), target="quality", test="williams").sentence,
    ):
        assert "unseen" not in sentence


def test_of_estimated_means_it_is_of_all_pairs_together():
    scores, judgments = metrics_of(1.2)
    is_judged = judgments["system"].isin(["s1", "s2", "s3"]) & judgments["topic"].lt("t6")
    noise = np.random.default_rng(5).normal(size=len(judgments))
    judged = judgments.assign(quality=noise)[is_judged]
    scores = scores[scores["system"].isin(["s1", "s2", "s3"])]
    result = estimate_differences(judged, scores, target="quality", estimator="control-variate")
    row = result.table.iloc[0]
    half = (result.table["high"] - result.table["low"]).median() / 2
    quantile = stats.norm.ppf(1 - 0.025 / 3)
    assert row["unseen"] == pytest.approx(half * (1 + 0.841621 / quantile), rel=1e-6)
    assert f" A difference below {row['unseen']:.2g} is likely to stay unseen." in result.sentence
