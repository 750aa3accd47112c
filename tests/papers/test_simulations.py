"""Coverage of correlation intervals: against the printed table, by its definition, at the edges."""

import math

import numpy as np
import pytest
from numpy.random import default_rng
from scipy.stats import multinomial

from classy_aesop.papers.mixture_power import (
    MIXTURE_STATISTICS,
    mixture_power,
    score_shares,
    standard_statistic,
    weight_by_topics,
)
from classy_aesop.papers.trials import (
    POWER_TESTS,
    interval_coverage,
    metric_power,
    random_halves,
)
from tests.significance.simulated_scores import matrices
from tests.significance.two_metrics import bootstrap_test, permutation_test, williams_test

PRINTED = {  # Deutsch et al. (2021), Table 1: Fisher, systems, inputs, both
    ("fabbri", "system"): (0.87, 0.81, 0.70, 0.98),
    ("fabbri", "input"): (1.00, 0.73, 0.73, 0.93),
    ("bhandari", "system"): (0.85, 0.80, 0.68, 0.94),
    ("bhandari", "input"): (1.00, 0.72, 0.62, 0.88),
}
PEOPLE = {"fabbri": "expert.relevance", "bhandari": "litepyramid.recall"}


@pytest.mark.slow
@pytest.mark.parametrize(("corpus", "level"), PRINTED)
def test_coverage_against_the_printed_table(shared, corpus, level):
    scores = np.load(shared / f"data/score_matrices/scores_{corpus}2020.npz")
    n_trials = 60
    how = {"level": level, "n_trials": n_trials, "n_resamples": 300, "rng": default_rng(1)}
    found = interval_coverage(scores["qa-eval.f1"], scores[PEOPLE[corpus]], **how)
    for row, printed in zip(found[:4], PRINTED[corpus, level], strict=True):
        # 1,000 trials stay within .05 of what is printed; so few scatter by three standard errors besides
        assert row["coverage"] == pytest.approx(
            printed, abs=0.05 + 3 * math.sqrt(max(printed * (1 - printed), 0.01) / n_trials)
        )


def test_halves_share_neither_rows_nor_columns():
    X = np.arange(7 * 5).reshape(7, 5)
    for near, far in random_halves(X.shape, 10, default_rng(0)):
        assert X[near].shape == (3, 2)
        assert X[far].shape == (4, 3)
        for axis in (lambda S: set(S.ravel() // 5), lambda S: set(S.ravel() % 5)):
            assert not axis(X[near]) & axis(X[far])


def test_trials_without_a_value_are_counted():
    X, Z = matrices(0, 2)
    how = {"n_trials": 5, "n_resamples": 9, "rng": default_rng(0)}
    few = interval_coverage(X[:6], Z[:6], **how)[:1]  # Fisher's: three summarizers: no interval
    flat = interval_coverage(X, np.ones_like(Z), **how)
    nobody = interval_coverage(X, np.full_like(Z, np.nan), **how)
    for row in (*few, *flat, *nobody):
        assert (math.isnan(row["coverage"]), row["n_undefined"]) == (True, 5)
    found = metric_power(X, Z, [np.ones_like(X), X - 100 * Z], n_resamples=49, rng=default_rng(0))
    assert all((row["n_trials"], row["n_undefined"], row["power"] <= 0.5) == (2, 1, True) for row in found)


@pytest.mark.slow
@pytest.mark.parametrize("level", ["system", "input"])
def test_power_is_its_definition(level):
    X, Z = matrices(1, 2)
    spoilt = X + 3 * default_rng(2).normal(size=(12, *X.shape))
    options = {"level": level}
    found = metric_power(X, Z, spoilt, **options, n_resamples=99, rng=default_rng(3))
    rng, options["alternative"] = default_rng(3), "greater"
    counts = np.zeros(3)
    for Y in spoilt:
        tests = (
            permutation_test(X, Y, Z, swap="cells", **options, n_resamples=99, rng=rng),
            bootstrap_test(X, Y, Z, **options, n_resamples=99, rng=rng),
            williams_test(X, Y, Z, **options),
        )
        counts += [test.p <= 0.05 for test in tests]
    assert [row["power"] for row in found] == pytest.approx(list(counts / 12))
    assert [row["test"] for row in found] == list(POWER_TESTS)


GRADES = (1, 2, 3, 4, 5)
MACHINE, HUMAN = (0.3, 0.4, 0.2, 0.1, 0.0), (0.0, 0.05, 0.1, 0.35, 0.5)


def exact_power(p, n, cutoff):
    """Chance that standardised W+ of 0-1 scores, (n+ - n-)/sqrt(n+ + n-), exceeds the cutoff."""
    q = 0.3  # of a machine's 1
    chances = [p * (1 - q), q * (1 - p), p * q + (1 - p) * (1 - q)]
    power = 0.0
    for plus in range(n + 1):
        for minus in range(n + 1 - plus):
            z = (plus - minus) / math.sqrt(max(plus + minus, 1))
            power += (z > cutoff + 1e-9) * multinomial.pmf([plus, minus, n - plus - minus], n, chances)
    return power


@pytest.mark.slow
def test_signed_ranks_against_enumeration():
    options = {
        "values": (0, 1),
        "shares": (0.0, 0.3, 0.6),
        "n_topics": 25,
        "n_null": 20_000,
        "n_trials": 10_000,
    }
    found = mixture_power((0.7, 0.3), (0.1, 0.9), **options, rng=default_rng(3))
    found = found[found["test"] == "wilcoxon"]
    exact = [exact_power(0.3 + 0.6 * t, 25, found["cutoff"].iloc[0]) for t in options["shares"]]
    assert found["power"].tolist() == pytest.approx(exact, abs=4 * np.sqrt(0.25 / 10_000))
    assert found["error"].iloc[1] == pytest.approx(math.sqrt(exact[1] * (1 - exact[1]) / 10_000), rel=0.1)


def test_statistics_by_hand():
    p, topic = np.array([0.1, 0.3, 0.3, 0.2, 0.1]), np.array([[0, 0, 0, 0.5, 0.5], [0.2] * 5])
    assert weight_by_topics(p, topic) == pytest.approx(np.array([[0, 0, 0, 2 / 3, 1 / 3], p]))
    x, y = np.array([[3.0, 4, 4, 5], [2, 2, 2, 2]]), np.array([[2.0, 4, 2, 2], [2, 2, 2, 2]])
    # differences 1, 0, 2, 3: W+ 6 of mean 3, variance 14/4; mean 1.5, s^2 5/3; pooled variance (2/3 + 1)/2
    expected = [3 / math.sqrt(3.5), 1.5 / math.sqrt(5 / 12), 1.5 / math.sqrt(5 / 6 * 2 / 4)]
    statistics = np.array([standard_statistic(test, x, y) for test in MIXTURE_STATISTICS])
    assert statistics[:, 0] == pytest.approx(expected)
    assert statistics[:, 1].tolist() == [0, 0, 0]
    X = [[1, 2, np.nan], [2, 2, np.nan]]
    assert score_shares(X, (1, 2)).tolist() == [0.25, 0.75]
    by_topic = score_shares(X, (1, 2), by_topic=True)
    assert by_topic[:2].tolist() == [[0.5, 0.5], [0, 1]]
    assert np.isnan(by_topic[2]).all()
    found = mixture_power((0, 1, 0), (0, 1, 0), values=(1, 2, 3), n_null=50, n_trials=50, rng=default_rng(0))
    assert found["power"].sum() == 0


@pytest.mark.slow
def test_topics_alike_are_no_topics():
    options = {"shares": [0.2], "n_null": 8000, "n_trials": 4000}
    plain = mixture_power(MACHINE, HUMAN, values=GRADES, **options, rng=default_rng(4))
    alike = mixture_power(
        MACHINE, HUMAN, values=GRADES, topics=[[0.2] * 5] * 3, **options, rng=default_rng(5)
    )
    assert alike["power"].to_numpy() == pytest.approx(plain["power"].to_numpy(), abs=0.06)
    options["shares"] = [0.5, 1]
    found = mixture_power(MACHINE, MACHINE, values=GRADES, **options, rng=default_rng(2))
    assert found["power"].to_numpy() == pytest.approx(0.05, abs=0.02)
