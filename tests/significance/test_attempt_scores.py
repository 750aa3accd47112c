"""Attempts: the share of an error that comes from them, reliability, flips, pass^k, pass@k and random halves."""

from itertools import combinations

import numpy as np
import pytest

from classy_aesop.significance.attempt_scores import MIN_TOPICS_OF_SHARES, AttemptScores

N_DRAWS = 400


def drawn_runs(rng, n_systems=2, n_topics=20, n_runs=4, interaction=1.0, noise=1.0):
    level = rng.normal(size=(1, n_topics, 1)) + interaction * rng.normal(size=(n_systems, n_topics, 1))
    return level + noise * rng.normal(size=(n_systems, n_topics, n_runs))


def uneven(scores, rng):
    """Leave out the last runs of some cells, at most all but two."""
    counts = rng.integers(2, scores.shape[2] + 1, scores.shape[:2])
    return np.where(np.arange(scores.shape[2]) < counts[..., None], scores, np.nan)


def test_moments_are_those_of_the_runs_that_there_are():
    scores = uneven(drawn_runs(np.random.default_rng(0)), np.random.default_rng(1))
    scores[0, 3, 1:] = np.nan
    runs = AttemptScores(scores)
    for system, topic in np.ndindex(scores.shape[:2]):
        present = scores[system, topic][~np.isnan(scores[system, topic])]
        assert runs.n[system, topic] == len(present)
        assert runs.mean[system, topic] == pytest.approx(present.mean())
        if len(present) > 1:
            assert runs.variance[system, topic] == pytest.approx(present.var(ddof=1))
    assert np.isnan(runs.variance[0, 3])
    assert runs.error_variance[0, 3] == pytest.approx(np.nanmean(runs.variance))
    assert (runs.fewest, runs.df) == (1, runs.n.sum() - 40)


def test_equal_runs_have_no_variance_at_all():
    runs = AttemptScores(np.tile([[[0.1]], [[0.7]]], (1, 6, 3)))
    assert not runs.variance.any()
    assert np.isnan(runs.share_of_difference(0.95)).all()  # nothing varies
    assert runs.least_difference(0.05) == 0


@pytest.mark.slow
@pytest.mark.parametrize("n_systems", [2, 4])
def test_the_share_is_that_of_two_way_analysis_of_variance(n_systems):
    scores = drawn_runs(np.random.default_rng(2), n_systems)
    statsmodels = pytest.importorskip("statsmodels.api")
    ols = pytest.importorskip("statsmodels.formula.api").ols
    system, topic, _ = (numbers.ravel() for numbers in np.indices(scores.shape))
    table = pytest.importorskip("pandas").DataFrame({"y": scores.ravel(), "s": system, "t": topic})
    squares = statsmodels.stats.anova_lm(ols("y ~ C(s) * C(t)", table).fit())["mean_sq"]
    share, low, high = AttemptScores(scores).share_of_difference(0.95)
    assert share == pytest.approx(squares["Residual"] / squares["C(s):C(t)"])
    assert low < share < high


def test_the_share_is_that_of_the_variance_of_the_difference():
    scores = drawn_runs(np.random.default_rng(3))
    difference = np.subtract(*scores.mean(axis=2))
    of_runs = scores.var(axis=2, ddof=1).mean(axis=1).sum() / scores.shape[2]
    assert AttemptScores(scores).share_of_difference(0.9)[0] == pytest.approx(
        of_runs / difference.var(ddof=1)
    )


def test_reliability_is_the_intraclass_correlation_of_one_way_analysis_of_variance():
    scores = drawn_runs(np.random.default_rng(4))[0]
    n_runs = scores.shape[1]
    between = n_runs * scores.mean(axis=1).var(ddof=1)
    within = scores.var(axis=1, ddof=1).mean()
    expected = (between - within) / (between + (n_runs - 1) * within)
    assert AttemptScores(scores[None]).reliability()[0] == pytest.approx(expected)


def test_flips_and_passes_are_those_of_every_draw_of_runs():
    rng = np.random.default_rng(6)
    scores = uneven((rng.random((2, 7, 6)) < 0.6) * 1.0, rng)
    scores[1, 2] = np.nan
    runs = AttemptScores(scores)
    for system in range(2):
        cells = [cell[~np.isnan(cell)] for cell in scores[system]]
        cells = [cell for cell in cells if len(cell)]
        flips = np.mean([np.mean([x != y for x, y in combinations(cell, 2)]) for cell in cells])
        assert runs.flips()[system] == pytest.approx(flips)
        for k in range(1, runs.fewest + 1):
            draws = [list(combinations(cell, k)) for cell in cells]
            every = np.mean([np.mean([all(draw) for draw in of_cell]) for of_cell in draws])
            some = np.mean([np.mean([any(draw) for draw in of_cell]) for of_cell in draws])
            assert runs.pass_all(k)[system] == pytest.approx(every)
            assert runs.pass_any(k)[system] == pytest.approx(some)


def test_few_topics_have_no_share_and_no_reliability_but_a_least_difference():
    attempts = AttemptScores(drawn_runs(np.random.default_rng(7), n_topics=MIN_TOPICS_OF_SHARES - 1))
    assert np.isnan(attempts.share_of_difference(0.95)).all()
    assert np.isnan(attempts.reliability()).all()
    assert attempts.least_difference(0.05) > 0


def test_where_attempts_vary_at_few_topics_or_a_system_is_alone_no_share_is_known():
    scores = drawn_runs(np.random.default_rng(7), n_topics=30)
    assert np.isfinite(AttemptScores(scores).share_of_difference(0.95)).all()
    assert np.isnan(AttemptScores(scores[:1]).share_of_difference(0.95)).all()
    scores[:, MIN_TOPICS_OF_SHARES - 1 :] = scores[:, MIN_TOPICS_OF_SHARES - 1 :, :1]
    assert np.isnan(AttemptScores(scores).share_of_difference(0.95)).all()
    cells_alike = np.tile([0.0, 1.0], (2, 30, 1))
    assert np.isnan(AttemptScores(cells_alike).share_of_difference(0.95)).all()


def test_single_runs_in_most_cells_say_too_little():
    scores = drawn_runs(np.random.default_rng(8), n_topics=10, n_runs=2)
    assert AttemptScores(scores).are_repeated
    scores[:, 6:, 1] = np.nan
    assert AttemptScores(scores).are_repeated
    scores[:, 4:, 1] = np.nan
    assert not AttemptScores(scores).are_repeated


@pytest.mark.slow
@pytest.mark.parametrize("interaction", [0.0, 0.5, 2.0])
def test_shares_and_their_intervals_hold(interaction):
    rng = np.random.default_rng(9)
    shares = np.array(
        [
            AttemptScores(uneven(drawn_runs(rng, interaction=interaction), rng)).share_of_difference(0.9)
            for _ in range(N_DRAWS)
        ]
    )
    of_runs = np.mean([1 / 2, 1 / 3, 1 / 4])
    true = of_runs / (of_runs + interaction**2)
    covered = (shares[:, 1] <= true) & (true <= shares[:, 2])
    assert 0.86 <= covered.mean() <= (0.94 if interaction else 1)
    assert np.median(shares[:, 0]) == pytest.approx(true, rel=0.12)


def test_differences_of_a_system_from_itself_vary_like_those_of_new_runs():
    rng = np.random.default_rng(11)
    scores = uneven(drawn_runs(rng, n_topics=200, n_runs=5), rng)
    scores[1, :, 3:] = np.nan
    scores[0, 7, 1:] = np.nan
    runs = AttemptScores(scores)
    differences = runs.differences_from_itself(0, 400, rng)
    assert differences.shape == (400, 199)
    variance = runs.variance[0] * (1 / runs.n[0] + (1 / runs.n[1]).mean())
    assert differences.mean() == pytest.approx(0, abs=0.02)
    np.testing.assert_allclose(differences.var(axis=0), np.delete(variance, 7), rtol=0.35)
    assert differences.var(axis=0).mean() == pytest.approx(np.delete(variance, 7).mean(), rel=0.03)


def test_two_runs_are_divided_in_the_only_way():
    runs = AttemptScores(np.array([[[3.0, 1.0]], [[0.0, 0.0]]]))
    differences = runs.differences_from_itself(0, 20, np.random.default_rng(0))
    assert set(differences.round(9).ravel()) == {round(2 / 2**0.5, 9), -round(2 / 2**0.5, 9)}
