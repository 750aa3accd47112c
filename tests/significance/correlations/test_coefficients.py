"""Coefficients by hand, against R and ircor, and by identities."""

import itertools
import json
import math
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.significance.correlations.accuracies import (
    ACCURACIES,
    CALIBRATED_ACCURACY,
    SOFT_ACCURACY,
    accuracies_by_threshold,
    pairwise_p_values,
    soft_pairwise_accuracy,
)
from classy_aesop.significance.correlations.coefficients import (
    ROW_COEFFICIENTS,
    correlate_lists,
    correlate_rows,
    pearson,
)
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.correlations.resampled_correlations import bootstrap_values
from classy_aesop.significance.draws import Resamples
from classy_aesop.significance.equality import midranks, snap_ties, tie_levels

kendall = partial(correlate_lists, "kendall")
pairwise_accuracy = partial(correlate_lists, "pairwise_accuracy")
tau_ap = partial(correlate_lists, "tau_ap")

ORACLES = Path(__file__).parents[2] / "oracles"
PAIRS = json.loads((ORACLES / "pairs.json").read_text())["cases"]
RANKINGS = json.loads((ORACLES / "rankings.json").read_text())["cases"]


def number(value):
    return float("nan") if value is None or isinstance(value, str) else value


@pytest.mark.parametrize("case", PAIRS, ids=lambda case: case["id"])
@pytest.mark.parametrize(
    ("coefficient", "name"), [("pearson", "pearson"), ("spearman", "spearman"), ("kendall", "kendall_tau_b")]
)
def test_coefficients_against_r(case, coefficient, name):
    x = np.array(case["x"], dtype=float)
    z = np.array(case["y"], dtype=float)
    expected = number(case["expected"].get(name))
    assert correlate_lists(coefficient, x, z) == pytest.approx(expected, abs=1e-10, nan_ok=True)


@pytest.mark.parametrize("case", RANKINGS, ids=lambda case: case["id"])
def test_tau_ap_against_ircor(case):
    for one, other in (("pred", "truth"), ("truth", "pred")):
        expected = case["expected"][f"tauap_{other}_{one}"]
        assert tau_ap(case[one], case[other]) == pytest.approx(expected, abs=1e-10)


def test_pairwise_accuracy_by_hand():
    assert tau_ap([1, 1, 0], [2, 1, 0]) == tau_ap([1, 1, 0], [1, 2, 0]) == 0.5  # shares 0, 1 or 1, 1
    assert pairwise_accuracy([1, 1, 2], [5, 5, 5]) == pytest.approx(1 / 3)  # only the tie agrees
    assert pairwise_accuracy([1, 2, 3], [3, 2, 1]) == 0.0
    assert pairwise_accuracy([1, 1], [2, 2]) == 1.0
    scores = np.repeat([1.0, 2, 3, 4, 5], [300, 776, 702, 366, 276])
    assert np.unique(midranks(scores)).tolist() == [150.5, 688.5, 1427.5, 1961.5, 2282.5]
    assert np.unique(tie_levels(scores)).tolist() == [0, 1, 2, 3, 4]
    assert midranks(np.array([[2.0, 1.0, 2.0], [1.0, 1.0, 1.0]])).tolist() == [[2.5, 1, 2.5], [2, 2, 2]]
    x = np.array([0.1 + 0.2, 0.3, np.nan, 0.5])
    assert snap_ties(x).tolist()[:2] == [0.3, 0.3]
    assert np.isnan(snap_ties(x)[2])
    assert (snap_ties(x)[3]) == 0.5
    assert math.isnan(pearson([1.0, 2.0, 3.0], [0.1 + 0.2, 0.3, 0.3]))


def test_rank_coefficients_keep_their_value_over_blocks():
    x, z = np.random.default_rng(3).integers(0, 40, size=(2, 1_300))
    signs = np.sign(x[:, None] - x), np.sign(z[:, None] - z)
    tau = (signs[0] * signs[1]).sum() / math.sqrt((signs[0] ** 2).sum() * float((signs[1] ** 2).sum()))
    assert kendall(x, z) == pytest.approx(tau, abs=1e-12)
    off_diagonal = ~np.eye(1_300, dtype=bool)
    assert pairwise_accuracy(x, z) == pytest.approx((signs[0] == signs[1])[off_diagonal].mean(), abs=1e-12)


@pytest.mark.parametrize("name", ROW_COEFFICIENTS)
@pytest.mark.parametrize("n", [0, 1])
def test_too_few_pairs_and_constant_lists_are_undefined(name, n):
    assert math.isnan(correlate_lists(name, [1.0] * n, [2.0] * n))
    assert math.isnan(correlate_lists(name, [1.0] * n + [math.nan] * 3, [2.0] * n + [1.0, 2.0, 3.0]))
    assert name in ACCURACIES or math.isnan(correlate_lists(name, [1.0, 1.0, 1.0], [1.0, 2.0, 3.0]))


@pytest.mark.parametrize("name", ["pearson", "spearman", "kendall", "pairwise_accuracy"])
def test_order_of_items_and_scale_change_nothing(name):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        x, z = rng.normal(size=(2, 15))
        order = rng.permutation(15)
        value = correlate_lists(name, x, z)
        assert correlate_lists(name, x[order], z[order]) == pytest.approx(value, abs=1e-12)
        assert correlate_lists(name, 1e-200 * x, 1e200 * z) == pytest.approx(value, abs=1e-9)


CASES = json.loads((Path(__file__).parents[2] / "oracles/accuracies.json").read_text())["cases"]


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


@pytest.mark.slow(after=14)
def test_accuracies_against_mt_metrics_eval(case):
    """It compares floats as they are, so without our rule of near ties."""
    X, Z, expected = case
    for place, x, z in (("item", X.T, Z.T), ("sys", X, Z)):
        found = accuracies_by_threshold(x, z, slack=0.0)
        assert found.accuracy[0] == pytest.approx(expected[f"acc_eq_{place}"], abs=1e-9)
        best = expected[f"acc_eq_calibrated_{place}"]
        assert found.accuracy[found.best_index] == pytest.approx(best, abs=1e-9)
        theirs = np.abs(found.epsilon - expected[f"epsilon_{place}"]).argmin()
        assert found.epsilon[theirs] == pytest.approx(expected[f"epsilon_{place}"], abs=1e-9)
        assert found.accuracy[theirs] == pytest.approx(best, abs=1e-9)  # in two rows a smaller one is as good
        assert found.epsilon[found.best_index] <= found.epsilon[theirs]


def test_coefficients_against_mt_metrics_eval(case):
    """By name, the same where no scores differ by rounding only."""
    X, Z, expected = case
    x = X.T
    apart = np.abs(np.diff(np.sort(np.abs(x[:, :, None] - x[:, None]).ravel())))
    if not ((apart > 0) & (apart < 1e-11)).any():
        for name in ("acc_eq", "acc_eq_calibrated"):
            found = correlation(X, Z, level="input", coefficient=name).value
            assert found == pytest.approx(expected[f"{name}_item"], abs=1e-9)


@pytest.mark.slow(after=1)
def test_soft_accuracy_against_mt_metrics_eval(case):
    X, Z, expected = case
    assert correlation(X, Z, coefficient=SOFT_ACCURACY).value == pytest.approx(
        expected[SOFT_ACCURACY], abs=0.003
    )


def test_thresholds_by_hand():
    """Three pairs, of which the humans tie one; the metric's distances are .1, 1.9 and 2."""
    found = accuracies_by_threshold(np.array([[1.0, 1.1, 3.0]]), np.array([[1.0, 1.0, 2.0]]), slack=0.0)
    assert found.epsilon == pytest.approx([0.0, 0.1, 1.9, 2.0])
    assert found.accuracy == pytest.approx([2 / 3, 1.0, 2 / 3, 1 / 3])
    assert found.chance == pytest.approx([1 / 3] * 4)  # a third is tied; two thirds are right by half
    assert correlate_lists(CALIBRATED_ACCURACY, [1.0, 1.1, 3.0], [1, 1, 2]) == 1.0
    x = np.array([[1.0, 2.0, 2.0], [1.0, 2.0, 3.0], [1.0, np.nan, np.nan]])
    z = np.array([[5.0, 5.0, 5.0], [1.0, 2.0, 3.0], [1.0, np.nan, np.nan]])
    assert accuracies_by_threshold(x, z, slack=0.0).accuracy[0] == pytest.approx((1 / 3 + 1) / 2)
    found = correlation(x.T, z.T, level="input", coefficient="acc_eq")
    assert (found.value, found.n_skipped) == (pytest.approx(2 / 3), 1)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("level", ["system", "input", "global"])
def test_chance_is_the_mean_over_shuffled_scores(level):
    """Within the lists that are compared; of the calibrated accuracy it is that of the best fixed threshold."""
    X, _, Z = grades(1, shape=(5, 8))
    rng = np.random.default_rng(0)
    dealt = []
    for _ in range(400):
        if level == "global":
            S = rng.permutation(X.ravel()).reshape(X.shape)
        else:
            S = X[rng.permutation(5)] if level == "system" else rng.permuted(X, axis=0)
        dealt.append(correlation(S, Z, level=level, coefficient="acc_eq").value)
    found = correlation(X, Z, level=level, coefficient="acc_eq").chance
    assert found == pytest.approx(np.mean(dealt), abs=4 * np.std(dealt) / 20)
    assert correlation(X, Z, level=level, coefficient=CALIBRATED_ACCURACY).chance >= found - 1e-12
    assert correlation(X, Z, level=level).chance == 0.0


def test_chance_of_soft_accuracy_is_the_mean_over_systems_under_other_names():
    X, _, Z = np.random.default_rng(3).normal(size=(3, 5, 20)) + np.arange(5)[:, None] / 4
    dealt = [soft_pairwise_accuracy(X[list(order)], Z) for order in itertools.permutations(range(5))]
    assert correlation(X, Z, coefficient=SOFT_ACCURACY).chance == pytest.approx(np.mean(dealt), abs=1e-3)


def test_soft_accuracy_counts_exchanges_on_shared_topics():
    """All exchanges of few topics, enumerated: p is the share with at least the observed difference of means."""
    X = np.array([[0.9, 0.4, 0.7, np.nan, 0.1], [0.5, 0.6, 0.2, 0.3, np.nan], [0.2, 0.1, 0.4, 0.4, 0.9]])
    p = pairwise_p_values(X)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        apart = (X[i] - X[j])[~np.isnan(X[i] - X[j])]
        signs = np.array(list(itertools.product([-1, 1], repeat=len(apart))))
        sums = signs @ apart
        reached = (np.mean(sums > apart.sum() + 1e-9) + np.mean(sums >= apart.sum() - 1e-9)) / 2  # ties half
        assert p[i, j] == pytest.approx(reached, abs=1e-12)
    assert np.isnan(pairwise_p_values(np.array([[1.0, np.nan], [np.nan, 2.0]]))).all()
    assert np.isnan(soft_pairwise_accuracy(np.eye(1), np.eye(1)))


def tau_ap_of_orders(x, z):
    """The mean of tau_ap over all orders of the ties of both rankings, by enumeration."""

    def orders(values):
        groups = [
            [i for i, v in enumerate(values) if v == level] for level in sorted(set(values), reverse=True)
        ]
        for parts in itertools.product(*(itertools.permutations(group) for group in groups)):
            yield [i for part in parts for i in part]

    found = []
    for metric, human in itertools.product(orders(x), orders(z)):
        shares = [
            np.mean([human.index(j) < human.index(i) for j in metric[:k]]) for k, i in enumerate(metric) if k
        ]
        found.append(2 * np.mean(shares) - 1)
    return np.mean(found)


@pytest.mark.parametrize("seed", range(20))
def test_tau_ap_is_the_mean_over_all_orders_of_ties(seed):
    x, z = np.random.default_rng(seed).integers(0, 3, size=(2, 5))
    if np.ptp(x) and np.ptp(z):
        assert tau_ap(x, z) == pytest.approx(tau_ap_of_orders(x.tolist(), z.tolist()), abs=1e-12)
        assert tau_ap(x[::-1], z[::-1]) == pytest.approx(tau_ap(x, z), abs=1e-12)


@pytest.mark.parametrize("n_topics", [8, 30])
def test_no_name_changes_soft_pairwise_accuracy(n_topics):
    rng = np.random.default_rng(n_topics)
    X, Z = rng.integers(1, 6, size=(2, 6, n_topics)) + 0.0
    value = soft_pairwise_accuracy(X, Z)
    for _ in range(5):
        systems, topics = rng.permutation(6), rng.permutation(n_topics)
        renamed = soft_pairwise_accuracy(X[systems][:, topics], Z[systems][:, topics])
        assert renamed == pytest.approx(value, abs=1e-12)


def test_pairs_of_items_weigh_the_product_of_their_counts():
    rng = np.random.default_rng(1)
    x, z = rng.integers(0, 4, size=(2, 12)).astype(float)
    drawn = rng.integers(12, size=12)
    counts = np.bincount(drawn, minlength=12)
    pairs = [(counts[i] * counts[j], i, j) for i, j in itertools.combinations(range(12), 2)]
    right = sum(weight * (np.sign(x[i] - x[j]) == np.sign(z[i] - z[j])) for weight, i, j in pairs)
    expected = right / sum(weight for weight, _, _ in pairs)
    found = correlate_rows("pairwise_accuracy", x[None, drawn], z[None, drawn], items=drawn[None])
    assert found[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("level", "name"),
    [
        *itertools.product(["system", "input", "global"], ("tau_ap", "acc_eq", CALIBRATED_ACCURACY)),
        ("system", SOFT_ACCURACY),
    ],
)
def test_a_resample_of_copies_says_what_its_summarizers_say(level, name):
    """Each of two summarizers is drawn twice; at global level they have one topic, so there too they are one pair."""
    rng = np.random.default_rng(2)
    X, Z = rng.normal(size=(2, 4, 1 if level == "global" else 5))
    twice, once = (
        bootstrap_values(X, Z, Resamples(rows=np.array([rows])), level=level, coefficient=name)[0]
        for rows in ([0, 0, 2, 2], [0, 2])
    )
    assert twice == pytest.approx(once)
    assert -1 <= twice <= 1


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("resample", ["systems", "both"])
@pytest.mark.parametrize("name", ["tau_ap", "acc_eq"])
def test_intervals_of_a_worthless_metric_hold_its_accuracy(name, resample):
    """With pairs of copies as agreement .38 of the intervals over 16 systems held it, nominally .95."""
    truth, held = {"tau_ap": 0.0, "acc_eq": 0.5}[name], 0
    rng = np.random.default_rng(3)
    for _ in range(100):
        X, Z = rng.normal(size=(2, 16, 1)) + rng.normal(size=(2, 16, 8))
        found = bootstrap_interval(X, Z, coefficient=name, resample=resample, n_resamples=100, rng=rng)
        held += found.low <= truth <= found.high
    assert held >= 90
