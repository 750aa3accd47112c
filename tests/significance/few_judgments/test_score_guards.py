"""Scores that are out of place, and judged cells that scores show to be special."""

from itertools import permutations

import numpy as np
import pytest
from scipy.special import ndtr

from classy_aesop.errors import DataWarning
from classy_aesop.significance.few_judgments.estimated_means import estimate_means
from classy_aesop.significance.few_judgments.score_guards import (
    compare_judged_part,
    limit_scores,
    polish_by_medians,
)

pd = pytest.importorskip("pandas")
estimate = pytest.importorskip("classy_aesop.answers.estimates").estimate


def draw(seed, *, n_systems=8, n_topics=40, n_judged=8):
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=(n_systems, 1)) / 3 + rng.normal(size=n_topics) / 2
    y = quality + 0.7 * rng.normal(size=(n_systems, n_topics))
    f = y + 0.6 * rng.normal(size=y.shape)
    judged = np.zeros(n_topics, dtype=bool)
    judged[rng.choice(n_topics, n_judged, replace=False)] = True
    return y, f[None], np.where(judged, y, np.nan)


@pytest.mark.parametrize("seed", range(5))
def test_ordinary_scores_stay_as_they_are(seed):
    _, f, judged = draw(seed)
    limited = limit_scores(judged, f)
    assert np.array_equal(limited.scores, f)
    shifted = f + 1e3 * (np.arange(8) == 0)[:, None] + 50 * np.arange(40)  # a system, and topics
    assert np.array_equal(limit_scores(judged, shifted).scores, shifted)


@pytest.mark.parametrize("absurd", [1e4, -99.0])
def test_an_absurd_score_moves_a_mean_hardly(absurd):
    y, f, judged = draw(1)
    free = np.flatnonzero(np.isnan(judged[0]))[0]
    spoiled = f.copy()
    spoiled[0, 2, free] = absurd
    limited = limit_scores(judged, spoiled)
    assert np.argwhere(limited.is_far).tolist() == [[0, 2, free]]
    kept = estimate_means(judged, f).mean
    assert estimate_means(judged, limited.scores).mean == pytest.approx(kept, abs=0.05)
    assert np.abs(estimate_means(judged, spoiled).mean - kept).max() > 0.3
    assert y.shape == judged.shape


def test_large_scores_that_judgments_follow_are_kept():
    rng = np.random.default_rng(2)
    y = np.exp(rng.normal(size=(8, 40)))
    judged = np.where(np.arange(40) < 10, y, np.nan)
    assert np.array_equal(limit_scores(judged, y[None]).scores[0], y)


def test_scores_of_two_values_and_equal_ones_stay():
    rare = np.zeros((1, 5, 20))
    rare[0, 2, 3] = rare[0, 4, 7] = 1
    judged = np.full((5, 20), np.nan)
    for f in (rare, np.ones((1, 5, 20))):
        assert np.array_equal(limit_scores(judged, f).scores, f)


def test_medians_leave_a_single_cell():
    scores = np.add.outer(np.arange(4.0), np.arange(5.0))
    scores[1, 2] += 10
    residuals = polish_by_medians(scores)
    assert residuals[1, 2] == 10
    assert np.count_nonzero(residuals) == 1


def test_the_part_has_the_moments_of_all_permutations():
    rng = np.random.default_rng(0)
    f = rng.normal(size=(1, 3, 5))
    y = np.where(rng.random((3, 5)) < 0.5, 1.0, np.nan)
    centred = f[0] - f[0].mean(axis=1, keepdims=True)
    judged = ~np.isnan(y)
    sums = [centred[judged[:, list(order)]].sum() for order in permutations(range(5))]
    _, p = compare_judged_part(y, f)
    z = (centred[judged].sum() - np.mean(sums)) / np.std(sums)
    assert p[0] == pytest.approx(2 * ndtr(-abs(z)))


def test_random_parts_are_seldom_said_to_differ_and_highest_scores_always():
    said = [compare_judged_part(draw(seed)[2], draw(seed)[1])[1][0] <= 0.05 for seed in range(200)]
    assert np.mean(said) < 0.1
    y, f, _ = draw(0)
    highest = np.isin(np.arange(40), np.argsort(-f[0].mean(axis=0))[:8])
    assert compare_judged_part(np.where(highest, y, np.nan), f)[1][0] < 1e-3


def test_both_are_said():
    y, f, _ = draw(0)
    f[0, 3, 39] = 1e4
    highest = np.isin(np.arange(40), np.argsort(-f[0, :, :39].mean(axis=0))[:8])

    def table(values, name):
        rows, columns = np.nonzero(~np.isnan(values))
        return pd.DataFrame(
            {"topic": columns, "system": [f"s{row}" for row in rows], name: values[rows, columns]}
        )

    with pytest.warns(DataWarning) as said:
        estimate(table(np.where(highest, y, np.nan), "q"), table(f[0], "m"), target="q")
    messages = [str(one.message) for one in said]
    assert any("1 of 320 scores of m is far from all others" in message for message in messages)
    assert any("s3 on 39 (1e+04)" in message for message in messages)
    assert any("judged summaries are not a random part: their mean m is" in message for message in messages)
