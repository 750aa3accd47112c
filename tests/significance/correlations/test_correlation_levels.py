"""Correlation at four levels, by hand, by identities and against nlpstats on public score matrices."""

import math

import numpy as np
import pytest

from classy_aesop.significance.choices import CORRELATION_LEVELS
from classy_aesop.significance.correlations.correlation_levels import correlation

NAN = math.nan


def test_levels_by_hand():
    X = [[1, 2], [2, 3], [4, 3]]
    Z = [[1, 1], [2, 3], [3, 3]]
    # means 1.5, 2.5, 3.5 and 1, 2.5, 3
    assert correlation(X, Z).value == pytest.approx(2 / math.sqrt(2 * 13 / 6))
    # the first topic has r = 3/sqrt(2*14/3), the second 1
    assert correlation(X, Z, level="input").value == pytest.approx((3 / math.sqrt(28 / 3) + 1) / 2)
    assert correlation(X, Z, level="global").value == pytest.approx(
        np.corrcoef([1, 2, 4, 2, 3, 3], [1, 2, 3, 1, 3, 3])[0, 1]
    )
    centred = [-4 / 3, -1 / 3, 5 / 3, -2 / 3, 1 / 3, 1 / 3], [-1, 0, 1, -4 / 3, 2 / 3, 2 / 3]
    assert correlation(X, Z, level="centred").value == pytest.approx(np.corrcoef(*centred)[0, 1])
    X = [[1, 1, NAN, 1], [2, 1, NAN, NAN], [4, 1, NAN, NAN]]
    Z = [[1, 1, 1, 1], [2, 2, 2, NAN], [3, 3, 3, NAN]]
    found = correlation(X, Z, level="input")
    assert found.value == pytest.approx(3 / math.sqrt(28 / 3))
    assert (found.n_skipped, found.n_topics, found.n_summarizers) == (3, 3, 3)
    assert correlation(X, Z, level="centred").n_skipped == 1
    X = [[1, 9], [2, 2], [3, 5]]
    Z = [[1, NAN], [2, 2], [4, 5]]
    # the means of the first summarizer are over the first topic only
    assert correlation(X, Z).value == pytest.approx(np.corrcoef([1, 2, 4], [1, 2, 4.5])[0, 1])
    X = np.random.default_rng(0).normal(size=(5, 4))
    X[0, 0] = NAN
    assert [correlation(X, X**2, level=level).n for level in CORRELATION_LEVELS] == [5, 5, 19, 19]


def test_means_that_differ_by_rounding_are_tied():
    X = np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1], [0.9, 0.9, 0.9]])
    assert X[0].mean() != X[1].mean()
    Z = [[1, 1, 1], [2, 2, 2], [3, 3, 3]]
    # ranks 1.5, 1.5, 3 against 1, 2, 3
    assert correlation(X, Z, coefficient="spearman").value == pytest.approx(1.5 / math.sqrt(1.5 * 2))
    X = np.array([[0.1, 0.2, -0.3], [0.3, -0.1, -0.2], [-0.3, 0.2, 0.1]])
    assert len(set(X.mean(axis=1))) > 1
    assert math.isnan(correlation(X, np.arange(9.0).reshape(3, 3), coefficient="kendall").value)


def test_levels_meet_where_they_must():
    for seed in range(10):
        X, Z = np.random.default_rng(seed).normal(size=(2, 9, 1))
        system = correlation(X, Z, coefficient="kendall").value
        for level in CORRELATION_LEVELS:  # with one topic all levels are one
            assert correlation(X, Z, level=level, coefficient="kendall").value == pytest.approx(
                system, abs=1e-12
            )
    rng = np.random.default_rng(5)
    X, Z = rng.normal(size=(2, 8, 6))
    for level in ("input", "centred"):
        moved = correlation(X + rng.normal(size=6), Z, level=level).value
        assert moved == pytest.approx(correlation(X, Z, level=level).value, abs=1e-12)


@pytest.mark.slow
def test_correlations_against_nlpstats(nlpstats, ranks_noise):
    """It ranks what differs by rounding: where a metric has such scores, its ranks within topics are not ours."""
    scores, expected = nlpstats[0], nlpstats[1]["correlations"]
    differ = set()
    for metric in expected:
        for case, answer in expected[metric].items():
            level, coefficient = case.split(".")
            found = correlation(
                scores[metric], scores["expert.relevance"], level=level, coefficient=coefficient
            )
            if found.value != pytest.approx(answer["r"], abs=1e-10):
                differ.add((metric, case))
    assert differ == {
        (metric, f"{level}.{coefficient}")
        for metric in expected
        for level in ("input", "global")
        for coefficient in ("spearman", "kendall")
        if ranks_noise(scores[metric], level, coefficient) and f"{level}.{coefficient}" in expected[metric]
    }


@pytest.mark.parametrize(
    ("data", "metric", "target", "system", "within"),
    [
        ("fabbri", "rouge-2.f1", "expert.relevance", 0.639, 0.227),
        ("fabbri", "qa-eval.f1", "expert.relevance", 0.820, 0.301),
        ("bhandari", "rouge-2.recall", "litepyramid.recall", 0.962, 0.449),
    ],
)
def test_correlations_against_deutsch_et_al(shared, data, metric, target, system, within):
    scores = np.load(shared / f"data/score_matrices/scores_{data}2020.npz")
    for level, printed in (("system", system), ("input", within)):
        found = correlation(scores[metric], scores[target], level=level).value
        assert found == pytest.approx(printed, abs=5.1e-4)
