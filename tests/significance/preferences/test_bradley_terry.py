"""Strengths of Bradley and Terry: against choix, in closed form, where none is finite, and their jackknife."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import rankdata

from classy_aesop.significance.preferences import bradley_terry
from classy_aesop.significance.preferences.bradley_terry import (
    fit_strengths,
    maximize_likelihood,
)
from classy_aesop.significance.preferences.paired_comparisons import PairedComparisons
from tests.significance.preferences.drawn_comparisons import arena, draw_comparisons

ORACLES = Path(__file__).parents[2] / "oracles"
ONE_SIDED = json.loads((ORACLES / "one_sided_strengths.json").read_text())["cases"]
CASES = json.loads((ORACLES / "strengths.json").read_text())["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{len(case['strengths'])} systems")
def test_strengths_against_choix(case):
    comparisons = PairedComparisons.from_arrays(case["topic"], case["first"], case["second"], case["wins"])
    assert fit_strengths(comparisons).strength == pytest.approx(case["strengths"], abs=1e-8)


def test_of_two_systems_the_difference_is_the_log_odds():
    wins = [1, 1, 1, 0.5, 0]
    strengths = fit_strengths(PairedComparisons.from_arrays(range(5), [0] * 5, [1] * 5, wins))
    assert np.diff(strengths.strength) == pytest.approx([-np.log(3.5 / 1.5)], abs=1e-12)
    # each topic left out: log-odds of 2.5 to 1.5 three times, of 3 to 1, of 3.5 to .5
    without = np.log([2.5 / 1.5] * 3 + [3 / 1, 3.5 / 0.5])
    error = np.sqrt(4 / 5 * np.square(without - np.log(3.5 / 1.5)).sum()) / 2
    assert strengths.low[0] == pytest.approx(strengths.strength[0] - 2.7764451051977987 * error, abs=1e-9)


def test_likelihood_has_no_slope_at_the_strengths():
    comparisons = draw_comparisons(3, n_systems=7, n=150)
    strength = fit_strengths(comparisons).strength
    counts, won = comparisons.counts, comparisons.won
    lower, upper = comparisons.pairs.T
    expected = counts / (1 + np.exp(strength[upper] - strength[lower]))
    slope = np.zeros(7)
    np.add.at(slope, lower, won - expected)
    np.add.at(slope, upper, expected - won)
    assert slope == pytest.approx(np.zeros(7), abs=1e-9)


def test_the_jackknife_is_that_of_repeated_fits():
    comparisons = draw_comparisons(4, n=200)
    strengths = fit_strengths(comparisons)
    left_out = [
        fit_strengths(comparisons.subset(comparisons.topic != topic)).strength
        for topic in range(comparisons.n_topics)
    ]
    away = np.array(left_out) - strengths.strength
    covariance = (comparisons.n_topics - 1) / comparisons.n_topics * away.T @ away
    assert strengths.covariance == pytest.approx(covariance, abs=1e-10)


def test_who_wins_everything_has_no_finite_strength_and_the_others_have():
    first = [0, 0, 0, 1, 1, 2, 3, 1]
    second = [1, 2, 3, 2, 2, 3, 1, 3]
    wins = [1, 1, 1, 1, 0, 1, 1, 1]
    strengths = fit_strengths(PairedComparisons.from_arrays(range(8), first, second, wins))
    assert strengths.strength[0] > strengths.strength[1:].max()  # penalized, but first
    assert np.isnan(strengths.low).all()  # how far the others are from it is unknown
    assert strengths.flag[0] == "no finite strength: won every comparison"
    others = fit_strengths(
        PairedComparisons.from_arrays(range(5), np.array(first[3:]) - 1, np.array(second[3:]) - 1, wins[3:])
    )
    within = strengths.strength[1:] - strengths.strength[1:].mean()
    assert within == pytest.approx(others.strength, abs=1e-12)
    turned = fit_strengths(PairedComparisons.from_arrays(range(8), second, first, wins))
    assert turned.flag[0] == "no finite strength: lost every comparison"


def test_two_groups_of_which_one_always_wins_are_apart():
    first, second, wins = [0, 0, 2, 2, 0, 1], [1, 1, 3, 3, 2, 3], [1, 0, 1, 0, 1, 1]
    strengths = fit_strengths(PairedComparisons.from_arrays(range(6), first, second, wins))
    assert strengths.group.tolist() == [0] * 4
    assert strengths.core[0] == strengths.core[1] != strengths.core[2] == strengths.core[3]
    assert strengths.strength[0] == pytest.approx(strengths.strength[1])
    assert strengths.strength[0] > 0 > strengths.strength[2] == pytest.approx(strengths.strength[3])


def test_penalized_strengths_are_those_of_firth_by_hand():
    for won, lost in ((12, 0), (3, 0), (7, 2), (1, 1)):
        counts = np.array([[won + lost]], dtype=float)
        wins = np.array([[won]], dtype=float)
        (strength,) = maximize_likelihood(np.array([[0, 1]]), counts, wins, np.zeros(2), is_penalized=True)
        assert strength[0] - strength[1] == pytest.approx(np.log((won + 0.5) / (lost + 0.5)), abs=1e-9)


@pytest.mark.parametrize("case", ONE_SIDED, ids=lambda case: case["systems"][0])
def test_systems_without_finite_strengths_have_the_order_of_choix_with_a_small_prior(case):
    comparisons = PairedComparisons.from_arrays(case["topic"], case["first"], case["second"], case["wins"])
    strength = fit_strengths(comparisons).strength
    assert rankdata(strength.round(6)).tolist() == rankdata(np.round(case["strengths"], 1)).tolist()


@pytest.mark.parametrize("seed", range(12))
def test_penalized_strengths_are_the_maximum_that_a_general_optimizer_finds(seed):
    rng = np.random.default_rng(seed)
    n_systems = 3 + seed % 3
    pairs = np.stack([np.arange(n_systems - 1), np.arange(1, n_systems)], axis=1)
    pairs = np.concatenate([pairs, [[0, n_systems - 1]]])
    counts = rng.integers(1, 9, size=len(pairs)).astype(float)
    won = np.where(rng.random(len(pairs)) < 0.6, counts, rng.integers(0, 2 * counts + 1) / 2)

    difference_of = (pairs[:, :1] == np.arange(n_systems)) * 1.0 - (pairs[:, 1:] == np.arange(n_systems))
    free_columns = difference_of[:, :-1]

    def loss(free):
        p = 1 / (1 + np.exp(-free_columns @ free))
        information = free_columns.T @ ((counts * p * (1 - p))[:, None] * free_columns)
        likelihood = won @ np.log(p) + (counts - won) @ np.log1p(-p)
        return -likelihood - np.linalg.slogdet(information)[1] / 2

    best = minimize(loss, np.zeros(n_systems - 1), method="BFGS", options={"gtol": 1e-9})
    strengths = np.append(best.x, 0.0)
    (fitted,) = maximize_likelihood(pairs, counts[None], won[None], np.zeros(n_systems), is_penalized=True)
    assert fitted == pytest.approx(strengths - strengths.mean(), abs=1e-4)


def test_a_share_of_a_win_counts_as_so_much_of_one():
    shares = [0.9, 0.3, 0.6, 0.8]
    strengths = fit_strengths(PairedComparisons.from_arrays(range(4), [0] * 4, [1] * 4, shares))
    assert -np.diff(strengths.strength) == pytest.approx([np.log(0.65 / 0.35)], abs=1e-9)


def test_a_weight_of_two_is_a_comparison_that_is_given_twice():
    comparisons = draw_comparisons(5, n=120)
    weights = 1.0 + (np.arange(120) % 3 == 0)
    weighted = fit_strengths(replace(comparisons, weights=weights))
    repeated = fit_strengths(comparisons.subset(np.repeat(np.arange(120), weights.astype(int))))
    assert weighted.strength == pytest.approx(repeated.strength, abs=1e-9)
    assert weighted.low == pytest.approx(repeated.low, abs=1e-9)


@pytest.mark.parametrize("seed", range(8))
def test_a_topic_without_which_strengths_are_not_finite_is_found(seed):
    rng = np.random.default_rng(seed)
    comparisons = draw_comparisons(seed, n_systems=3, n_topics=6, n=14, ties=0.0)
    comparisons = replace(comparisons, weights=rng.choice([0.7, 1.3, 1.0], size=14))
    strengths = fit_strengths(comparisons)
    without = [
        fit_strengths(comparisons.subset(comparisons.topic != topic))
        for topic in np.unique(comparisons.topic)
    ]
    is_finite = all(len({*fit.core.tolist()}) == 1 for fit in [strengths, *without])
    assert bool(np.isfinite(strengths.low).all()) == is_finite


@pytest.mark.parametrize("pairs_a_topic", [1, 3])
def test_one_step_without_each_topic_is_close_to_the_fit_without_it(pairs_a_topic, monkeypatch):
    comparisons = draw_comparisons(3, n_systems=5, n_topics=300, n=900)
    if pairs_a_topic == 1:
        comparisons = replace(comparisons, topic=np.arange(900), n_topics=900)
    monkeypatch.setattr(bradley_terry, "MAX_REFITS", 1000)
    refitted = fit_strengths(comparisons)
    monkeypatch.setattr(bradley_terry, "MAX_REFITS", 0)
    stepped = fit_strengths(comparisons)
    assert stepped.covariance == pytest.approx(refitted.covariance, rel=2e-3, abs=1e-5)


def test_a_topic_that_alone_keeps_strengths_finite_leaves_no_interval():
    strengths = fit_strengths(PairedComparisons.from_arrays(range(4), [0] * 4, [1] * 4, [1, 1, 1, 0]))
    assert strengths.flag.tolist() == ["no interval: without one topic some strength is not finite"] * 2
    assert np.isnan(strengths.low).all()
    assert np.diff(strengths.strength) == pytest.approx([-np.log(3)])


def test_one_topic_leaves_no_interval():
    strengths = fit_strengths(PairedComparisons.from_arrays([0, 0], [0, 0], [1, 1], [1, 0]))
    assert strengths.flag.tolist() == ["fewer than two topics"] * 2


def test_equal_counts_order_strengths_as_win_rates():
    strengths = fit_strengths(arena()).strength
    assert strengths[0] == pytest.approx(-strengths[2], abs=1e-12)
    assert np.argsort(-strengths).tolist() == [0, 1, 2]


@pytest.mark.slow
def test_extreme_samples_converge():
    rng = np.random.default_rng(0)
    for _ in range(30):
        counts = rng.integers(1, 10_000, size=(1, 10)).astype(float)
        won = np.where(rng.random((1, 10)) < 0.5, 0.5, counts - 0.5)
        pairs = np.stack(np.triu_indices(5, 1), axis=1)
        strength = maximize_likelihood(pairs, counts, won, np.zeros(5))
        assert np.isfinite(strength).all()
