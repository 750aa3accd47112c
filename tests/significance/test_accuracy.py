"""Accuracies with ties: against mt-metrics-eval, by hand, by their definitions; chance levels by shuffling."""

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.base import snapped
from classy_aesop.significance.choices import ALL_LEVELS
from classy_aesop.significance.coefficients import (
    ACCURACIES,
    CALIBRATED,
    SOFT,
    better_p,
    by_threshold,
    calibrated_accuracy,
    soft_pairwise_accuracy,
)
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.intervals import bootstrap_interval
from classy_aesop.significance.metric_tests import permutation_test
from classy_aesop.significance.resampling import (
    SWAPS,
    Resamples,
    bootstrap_values,
    draw_resamples,
    draw_swaps,
    exchanged,
    permutation_values,
)

CASES = json.loads((Path(__file__).parents[1] / "oracles/accuracies.json").read_text())["cases"]


@pytest.fixture(scope="module")
def score_matrices(shared):
    names = {case["matrices"] for case in CASES}
    return {name: dict(np.load(shared / f"data/score_matrices/scores_{name}.npz")) for name in names}


@pytest.fixture(
    params=CASES, ids=lambda case: "-".join(case[key] for key in ("matrices", "target", "metric"))
)
def case(request, score_matrices):
    scores = score_matrices[request.param["matrices"]]
    return scores[request.param["metric"]], scores[request.param["target"]], request.param


def grades(seed, shape=(7, 9), missing=0.0):
    rng = np.random.default_rng(seed)
    X, Y, Z = rng.integers(1, 5, size=(3, *shape)) / 4
    X[rng.random(shape) < missing] = np.nan
    return X, Y, Z


def test_accuracies_against_mt_metrics_eval(case):
    """It compares floats as they are, so without our rule of near ties."""
    X, Z, expected = case
    for place, x, z in (("item", X.T, Z.T), ("sys", X, Z)):
        found = by_threshold(x, z, slack=0.0)
        assert found.accuracy[0] == pytest.approx(expected[f"acc_eq_{place}"], abs=1e-9)
        best = expected[f"acc_eq_calibrated_{place}"]
        assert found.accuracy[found.best] == pytest.approx(best, abs=1e-9)
        theirs = np.abs(found.epsilon - expected[f"epsilon_{place}"]).argmin()
        assert found.epsilon[theirs] == pytest.approx(expected[f"epsilon_{place}"], abs=1e-9)
        assert found.accuracy[theirs] == pytest.approx(best, abs=1e-9)  # in two rows a smaller one is as good
        assert found.epsilon[found.best] <= found.epsilon[theirs]


def test_near_ties_are_far_from_other_differences(case):
    """Where our rule differs from theirs, scores are a rounding of each other: no other tolerance would tell better."""
    X, _, _ = case
    lists = [*X, *X.T]
    gaps = np.concatenate([np.diff(np.sort(x[~np.isnan(x)])) for x in lists]) / np.nanmax(np.abs(X))
    near = gaps[(gaps > 0) & (gaps < 1e-12)]
    assert near.max(initial=0.0) < 1e-13
    assert gaps[gaps > 1e-12].min() > 1e-10


def test_coefficients_against_mt_metrics_eval(case):
    """By name, the same where no scores differ by rounding only."""
    X, Z, expected = case
    for level, place, x in (("input", "item", X.T), ("within_system", "sys", X)):
        apart = np.abs(np.diff(np.sort(np.abs(x[:, :, None] - x[:, None]).ravel())))
        if not ((apart > 0) & (apart < 1e-11)).any():
            for name in ("acc_eq", "acc_eq_calibrated"):
                found = correlation(X, Z, level=level, coefficient=name).value
                assert found == pytest.approx(expected[f"{name}_{place}"], abs=1e-9)


@pytest.mark.slow(after=20)
def test_soft_accuracy_against_mt_metrics_eval(case):
    X, Z, expected = case
    found = correlation(X, Z, coefficient=SOFT).value
    assert found == pytest.approx(expected[SOFT], abs=0.003)


def test_thresholds_by_hand():
    """Three pairs, of which the humans tie one; the metric's distances are .1, 1.9 and 2."""
    found = by_threshold(np.array([[1.0, 1.1, 3.0]]), np.array([[1.0, 1.0, 2.0]]))
    assert found.epsilon == pytest.approx([0.0, 0.1, 1.9, 2.0])
    assert found.accuracy == pytest.approx([2 / 3, 1.0, 2 / 3, 1 / 3])
    assert found.chance == pytest.approx([1 / 3] * 4)  # a third is tied; two thirds are right by half
    assert calibrated_accuracy([1.0, 1.1, 3.0], [1, 1, 2]) == 1.0


def test_a_list_of_equal_human_scores_counts_and_one_without_a_pair_does_not():
    x = np.array([[1.0, 2.0, 2.0], [1.0, 2.0, 3.0], [1.0, np.nan, np.nan]])
    z = np.array([[5.0, 5.0, 5.0], [1.0, 2.0, 3.0], [1.0, np.nan, np.nan]])
    assert by_threshold(x, z).accuracy[0] == pytest.approx((1 / 3 + 1) / 2)
    found = correlation(x.T, z.T, level="input", coefficient="acc_eq")
    assert (found.value, found.n_skipped) == (pytest.approx(2 / 3), 1)


def test_the_threshold_is_the_smallest_that_is_best_over_all_lists():
    X, _, Z = grades(0, missing=0.2)
    x, z = (snapped(np.where(np.isnan(X), np.nan, S).T) for S in (X, Z))
    distances = np.unique(np.append(np.abs(x[:, :, None] - x[:, None]), 0.0))

    def accuracy(epsilon):
        shares = []
        for a, b in zip(x, z, strict=True):
            both = list(itertools.combinations(np.flatnonzero(~np.isnan(a + b)), 2))
            signs = [
                (np.sign(a[i] - a[j]) * (abs(a[i] - a[j]) > epsilon), np.sign(b[i] - b[j])) for i, j in both
            ]
            shares.append(np.mean([metric == human for metric, human in signs]))
        return np.mean(shares)

    expected = np.array([accuracy(epsilon) for epsilon in distances[~np.isnan(distances)]])
    found = correlation(X, Z, level="input", coefficient=CALIBRATED)
    assert found.value == pytest.approx(expected.max())
    assert found.epsilon == pytest.approx(distances[np.flatnonzero(expected > expected.max() - 1e-12)[0]])


@pytest.mark.parametrize("level", ["system", "input", "within_system", "global"])
def test_chance_is_the_mean_over_shuffled_scores(level):
    """Within the lists that are compared; of the calibrated accuracy it is that of the best fixed threshold."""
    X, _, Z = grades(1, shape=(5, 8))
    axis = {"system": 0, "input": 0, "within_system": 1}
    rng = np.random.default_rng(0)
    dealt = []
    for _ in range(400):
        S = (
            rng.permuted(X, axis=axis[level])
            if level in ("input", "within_system")
            else X[rng.permutation(5)]
        )
        S = rng.permutation(X.ravel()).reshape(X.shape) if level == "global" else S
        dealt.append(correlation(S, Z, level=level, coefficient="acc_eq").value)
    found = correlation(X, Z, level=level, coefficient="acc_eq").chance
    assert found == pytest.approx(np.mean(dealt), abs=4 * np.std(dealt) / 20)
    assert correlation(X, Z, level=level, coefficient=CALIBRATED).chance >= found - 1e-12
    assert correlation(X, Z, level=level).chance == 0.0


def test_chance_of_soft_accuracy_is_the_mean_over_systems_under_other_names():
    X, _, Z = np.random.default_rng(3).normal(size=(3, 5, 20)) + np.arange(5)[:, None] / 4
    dealt = [soft_pairwise_accuracy(X[list(order)], Z) for order in itertools.permutations(range(5))]
    assert correlation(X, Z, coefficient=SOFT).chance == pytest.approx(np.mean(dealt), abs=1e-3)


def test_soft_accuracy_counts_exchanges_on_shared_topics():
    """All exchanges of few topics, enumerated: p is the share with at least the observed difference of means."""
    X = np.array([[0.9, 0.4, 0.7, np.nan, 0.1], [0.5, 0.6, 0.2, 0.3, np.nan], [0.2, 0.1, 0.4, 0.4, 0.9]])
    p = better_p(X, n_exchanges=40_000)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        apart = (X[i] - X[j])[~np.isnan(X[i] - X[j])]
        signs = np.array(list(itertools.product([-1, 1], repeat=len(apart))))
        assert p[i, j] == pytest.approx(np.mean(signs @ apart >= apart.sum() - 1e-9), abs=0.015)
    assert np.isnan(better_p(np.array([[1.0, np.nan], [np.nan, 2.0]]))).all()
    assert np.isnan(soft_pairwise_accuracy(np.eye(1), np.eye(1)))
    with pytest.raises(ValueError, match="level is 'input'; expected 'system'"):
        correlation(X, X, level="input", coefficient=SOFT)


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("coefficient", [*ACCURACIES, "tau_ap"])
def test_copies_of_a_system_are_no_pair(coefficient):
    X, _, Z = grades(4, shape=(4, 9))
    twice, once = (
        bootstrap_values(X, Z, Resamples(rows=np.array([rows])), coefficient=coefficient)[0]
        for rows in ([0, 0, 2, 2], [0, 2])
    )
    assert twice == pytest.approx(once)


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("resample", ["systems", "inputs", "both"])
@pytest.mark.parametrize("level", ["system", "input", "within_system"])
def test_resamples_weigh_pairs_by_their_counts(level, resample, missing):
    """By the definition, one pair of distinct systems (topics, within systems) after the other."""
    X, _, Z = grades(5, missing=missing)
    Z = np.where(np.isnan(X), np.nan, Z)
    resamples = draw_resamples(X.shape, resample, 15, np.random.default_rng(1))
    found = bootstrap_values(X, Z, resamples, level=level, coefficient="acc_eq")
    rows = [np.arange(7)] * 15 if resamples.rows is None else resamples.rows
    columns = [np.arange(9)] * 15 if resamples.columns is None else resamples.columns
    for value, r, c in zip(found, rows, columns, strict=True):
        x, z = X[r][:, c], Z[r][:, c]
        if level == "within_system":
            x, z, r = x.T, z.T, c
        if level == "system":
            x, z = (np.ma.masked_invalid(S).mean(axis=1).filled(np.nan)[:, None] for S in (x, z))
        shares = []
        for a, b in zip(x.T, z.T, strict=True):
            pairs = [(i, j) for i, j in itertools.combinations(range(len(a)), 2) if r[i] != r[j]]
            signs = [
                np.sign([a[i] - a[j], b[i] - b[j]]) * (np.abs([a[i] - a[j], b[i] - b[j]]) > 1e-9)
                for i, j in pairs
            ]
            signs = [one for one in signs if not np.isnan(one).any()]
            shares += [np.mean([one[0] == one[1] for one in signs])] if signs else []
        assert value == pytest.approx(np.mean(shares))


@pytest.mark.slow(after=5)
@pytest.mark.parametrize("coefficient", [*ACCURACIES, "kendall"])
@pytest.mark.parametrize("level", ALL_LEVELS)
@pytest.mark.parametrize("swap", SWAPS)
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_exchanges_are_the_definition(coefficient, level, swap, missing):
    if coefficient == SOFT and level != "system":
        return
    X, Y, Z = grades(6, missing=missing)
    cells = ~np.isnan(X)
    Y, Z = (np.where(cells, S, np.nan) for S in (Y, Z))
    X, Y = ((S - S[cells].mean()) / S[cells].std() for S in (X, Y))
    swaps = draw_swaps(X.shape, swap, 8, np.random.default_rng(1))
    found = permutation_values(X, Y, Z, swaps, level=level, coefficient=coefficient)
    for k, value in enumerate(found):
        mask = exchanged(swaps, k, X.shape)
        first, second = (
            correlation(S, Z, level=level, coefficient=coefficient).value
            for S in (np.where(mask, Y, X), np.where(mask, X, Y))
        )
        assert value == pytest.approx(first - second, abs=1e-12)


@pytest.mark.parametrize("coefficient", ACCURACIES)
def test_a_metric_is_tested_and_has_an_interval(coefficient):
    rng = np.random.default_rng(7)
    Z = rng.normal(size=(10, 12)) + np.arange(10)[:, None]
    X, Y = Z + rng.normal(size=Z.shape) / 4, rng.normal(size=Z.shape)
    assert permutation_test(X, Y, Z, coefficient=coefficient, n_resamples=39, rng=rng).p < 0.05
    for kind in ("percentile", "normal"):
        found = bootstrap_interval(X, Z, coefficient=coefficient, kind=kind, n_resamples=39, rng=rng)
        assert 0 <= found.low <= found.value <= found.high <= 1


@pytest.mark.slow(after=4)
@pytest.mark.parametrize("change", [(1000.0, 0.0), (1e-3, 0.0), (1.0, 0.1), (100.0, 7.7)])
@pytest.mark.parametrize("coefficient", ACCURACIES[1:])
def test_units_change_no_accuracy(coefficient, change):
    """Neither the unit of the scores nor a constant added to them moves a p-value or an interval."""
    X, Y, Z = np.random.default_rng(0).integers(1, 4, size=(3, 6, 14)) / 3
    factor, constant = change

    def found(X, Y, Z, level):
        how = {"level": level, "coefficient": coefficient, "n_resamples": 30}
        tested = permutation_test(X, Y, Z, rng=np.random.default_rng(1), **how)
        ends = bootstrap_interval(X, Z, rng=np.random.default_rng(1), **how)
        return tested.p, tested.difference, ends.low, ends.high

    for level in ["system"] if coefficient == SOFT else ALL_LEVELS:
        for which in range(3):
            scores = [S * factor + constant if place == which else S for place, S in enumerate((X, Y, Z))]
            assert found(*scores, level) == pytest.approx(found(X, Y, Z, level), abs=1e-9)
