"""Tests and intervals of least-squares means: on complete tables those of the scores, else by the contrasts."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.significance.additive import fit_additive_model, rater_shares
from classy_aesop.significance.attainable import least_p, least_p_of_signs
from classy_aesop.significance.mean_tests import (
    NOTHING_SHARED,
    RATERS_CONFOUNDED,
    compare_means,
    differences_by_rater,
    equivalent_means,
    mean_intervals,
)
from classy_aesop.significance.pairs import compare_pairs, equivalence_pairs
from classy_aesop.significance.t_plans import power_of_t, topics_for_variance

PAIRS = np.argwhere(np.tri(4, k=-1).T)


@pytest.fixture(scope="module")
def complete():
    """Four systems on ten topics."""
    rng = np.random.default_rng(0)
    return np.arange(4)[:, None] / 2 + rng.normal(size=10) + rng.normal(size=(4, 10)) * [[0.3], [1], [1], [2]]


def fitted(X):
    system, topic = np.nonzero(~np.isnan(X))
    return fit_additive_model(X[system, topic], system, topic, n_systems=len(X)), X[system, topic]


@pytest.mark.parametrize("correction", ["holm", "none"])
def test_a_complete_table_has_the_paired_t_test_of_each_pair(complete, correction):
    model, _ = fitted(complete)
    tests = compare_means(model, PAIRS, [10] * 6, correction=correction)
    paired = compare_pairs(complete, test="paired_t", pairs=PAIRS, correction=correction)
    for name in (
        "difference",
        "low",
        "high",
        "low_all",
        "high_all",
        "effect",
        "statistic",
        "p",
        "p_adjusted",
    ):
        np.testing.assert_allclose(getattr(tests, name), getattr(paired, name), rtol=1e-9, err_msg=name)
    assert tests.flag.tolist() == [""] * 6


@pytest.mark.parametrize("margin", [1.0, (-0.5, np.inf), (-np.inf, 1.5)])
def test_equivalence_on_a_complete_table_is_that_of_the_paired_t_test(complete, margin):
    model, _ = fitted(complete)
    found = equivalent_means(model, margin, PAIRS, [10] * 6, alpha=0.1)
    paired = equivalence_pairs(complete, margin, test="paired_t", pairs=PAIRS, alpha=0.1)
    np.testing.assert_allclose(found.p_equivalence, paired.p_equivalence, rtol=1e-9)
    assert found.verdict.tolist() == paired.verdict.tolist()
    np.testing.assert_allclose([found.low, found.high], [paired.low, paired.high], rtol=1e-9)


def test_intervals_of_means_on_a_complete_table_are_those_of_the_scores(complete):
    from scipy import stats

    low, high = mean_intervals(*fitted(complete))
    for row, scores in enumerate(complete):
        expected = stats.t.interval(0.95, 9, scores.mean(), stats.sem(scores))
        np.testing.assert_allclose([low[row], high[row]], expected, rtol=1e-10)


@pytest.mark.slow
def test_intervals_of_means_cover_where_cells_are_missing():
    rng = np.random.default_rng(1)
    covered = []
    for _ in range(400):
        X = np.arange(4)[:, None] + rng.normal(size=24) + rng.normal(size=(4, 24)) / 2
        X[rng.random(X.shape) < 0.3] = np.nan
        low, high = mean_intervals(*fitted(X))
        covered.append((low <= np.arange(4)) & (np.arange(4) <= high))
    assert 0.93 < np.mean(covered) < 0.98


def test_what_is_not_estimable_has_a_reason_and_no_number():
    X = np.full((4, 6), np.nan)
    X[:2, :3], X[2:, 3:] = np.random.default_rng(2).normal(size=(2, 2, 3))
    model, _ = fitted(X)
    tests = compare_means(model, PAIRS, [3, 0, 0, 0, 0, 3])
    assert tests.flag.tolist() == ["", *[NOTHING_SHARED] * 4, ""]
    assert np.isnan(tests.difference[1:5]).all()
    assert np.isnan(tests.low_all[1:5]).all()
    verdicts = equivalent_means(model, 100.0, PAIRS, [3, 0, 0, 0, 0, 3]).verdict
    assert set(verdicts[1:5]) == {"undecided"}
    y = np.random.default_rng(3).normal(size=8)
    system, topic = np.tile([0, 1], 4), np.repeat(range(4), 2)
    model = fit_additive_model(y, system, topic, n_systems=2, shares=rater_shares(range(8), system, 8, 2))
    assert compare_means(model, [(0, 1)], [4]).flag.tolist() == [RATERS_CONFOUNDED]


def test_each_raters_own_difference_is_that_of_pandas():
    rng = np.random.default_rng(4)
    rows = pd.DataFrame(
        [(system, topic, rater) for system in range(3) for topic in range(9) for rater in range(3)],
        columns=["system", "topic", "rater"],
    ).sample(60, random_state=0)
    rows["y"] = rng.normal(size=60)
    pairs = [(0, 1), (2, 0)]
    difference, n_topics = differences_by_rater(
        *(rows[name] for name in ("y", "system", "topic", "rater")), pairs, n_raters=3
    )
    wide = rows.pivot(index=["rater", "topic"], columns="system", values="y")
    for number, (first, second) in enumerate(pairs):
        by_rater = (wide[first] - wide[second]).dropna().groupby("rater")
        np.testing.assert_allclose(difference[number], by_rater.mean(), rtol=1e-12)
        assert n_topics[number].tolist() == by_rater.size().tolist()


def test_the_least_p_of_signed_ranks_is_reached_by_differences_of_one_sign():
    for n in (2, 5, 8):
        X = np.stack([np.arange(1.0, n + 1), np.zeros(n)])
        for preset in ("standard", "rankel2011", "rankel2013"):
            tests = compare_pairs(X, preset=preset)
            np.testing.assert_allclose(least_p(X, tests, preset=preset), tests.p)
            mixed = X * np.where(np.arange(n) % 2, 1, -1)
            np.testing.assert_allclose(
                least_p(mixed, compare_pairs(mixed, preset=preset), preset=preset), tests.p
            )
    assert least_p_of_signs(5) == 2 / 2**5
    tests = compare_pairs([[1, 1, 1], [0, 0, 0], [5, 6, 9]], test="paired_t")
    assert least_p(np.zeros((3, 3)), tests).tolist() == [1.0, 0.0, 0.0]


def test_planned_topics_have_the_power_of_statsmodels():
    from statsmodels.stats.power import TTestPower

    plan = topics_for_variance(2.0, 20, 0.6, n_observed=21)
    size = 0.6 / np.sqrt(2)
    expected = TTestPower().solve_power(effect_size=size, alpha=0.05, power=0.8)
    assert plan.n_topics == np.ceil(expected)
    assert plan.power == pytest.approx(TTestPower().power(size, plan.n_topics, 0.05), abs=1e-9)
    assert plan.low < plan.n_topics < plan.high
    np.testing.assert_allclose(power_of_t(np.array([2.0, 2_000.0]), 5.0, 1e-6), [1.0, 1.0], atol=0.01)
    assert topics_for_variance(0.0, 5, 1.0, n_observed=6).flag == "constant difference"
    assert topics_for_variance(1.0, 0, 1.0, n_observed=1).n_topics is None
