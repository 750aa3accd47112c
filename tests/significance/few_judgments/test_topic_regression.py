"""How hard judged topics were: by hand, one system against many, what must not change, and by simulation."""

from fractions import Fraction

import numpy as np
import pytest

from classy_aesop.significance.few_judgments.estimated_means import estimate_means
from classy_aesop.significance.few_judgments.single_mean import estimate_single_mean
from classy_aesop.significance.few_judgments.topic_regression import regress_topics


def made(seed, n_draws=1, n_systems=6, n_topics=40, noise=0.4):
    """Draw judgments that follow systems, topics and cells, and scores of a judge that follows them."""
    rng = np.random.default_rng(seed)
    effects = [rng.normal(size=size) for size in ((n_draws, n_systems, 1), (n_draws, 1, n_topics))]
    y = 0.3 * effects[0] + 0.7 * effects[1] + 0.6 * rng.normal(size=(n_draws, n_systems, n_topics))
    return y, y + noise * rng.normal(size=y.shape), rng


def few(y, n_judged):
    return np.where(np.arange(y.shape[-1]) < n_judged, y, np.nan)


def test_a_slope_by_hand():
    """Judgments 1, 1, 2, 2, 3, 3 of topics with scores 0 to 5, and two more topics with scores 6 and 7.

    The squares of scores are 35/2, products 8, squares of judgments 4: the slope is 16/35 and explains 128/35, which
    leaves 12/35 on 4 degrees of freedom. F is by chance 4 / (4 - 2) on average: chance explains 2 x 2 x 3/35 = 12/35.
    Scores of all topics have the variance 6, and 5 x 6 is 12/7 of 35/2: 1 - 12/35 x 12/7 x 35/128 = 47/56 remains.
    """
    judgments = np.array([1, 1, 2, 2, 3, 3, np.nan, np.nan])
    regression = regress_topics(judgments, np.arange(8.0)[None])
    slope = Fraction(16, 35) * Fraction(47, 56)
    squares = Fraction(12, 35) + Fraction(9, 56) ** 2 * Fraction(128, 35)
    assert regression.slope == pytest.approx([float(slope)])
    assert regression.change == pytest.approx(float(slope))  # mean scores are 7/2 and 5/2
    assert (regression.variance, regression.df) == (pytest.approx(float(squares / 4)), 4)
    residuals = judgments - np.nanmean(judgments) - regression.explained
    assert np.nansum(residuals**2) / 5 == pytest.approx(regression.variance)
    assert regression.leverage == pytest.approx(2 / 35)
    assert regression.prediction_variance == pytest.approx(float(slope**2 * 6 / 8))
    graded = regress_topics(judgments, np.arange(8.0)[None], rounding_variance=1 / 12)
    assert graded.variance == pytest.approx(float((squares + Fraction(1, 4)) / 4))


@pytest.mark.parametrize("finite", [True, False])
def test_the_mean_of_all_systems_is_that_of_one_with_their_mean_scores(finite):
    y, f, _ = made(1)
    many = estimate_means(few(y[0], 10), f[0], finite=finite)
    single = estimate_single_mean(few(y[0].mean(axis=0), 10), f[0].mean(axis=0), finite=finite)
    assert many.direct.has_topic_slope
    assert many.mean.mean() == pytest.approx(single.mean[0])
    covariance = many.direct.clustered_covariance.mean()
    if not finite:  # within topics scores have means over topics like these too
        within = many.direct.added_covariances[0] - many.direct.added_covariances[0][0, 1]
        covariance -= within.mean()
    assert np.sqrt(covariance) == pytest.approx(single.error[0])


@pytest.mark.parametrize("method", ["hierarchical", "control-variate"])
def test_differences_effects_and_ranks_do_not_change(method):
    y, f, _ = made(2)
    with_topics, without = (
        estimate_means(few(y[0], 10), scores, method=method) for scores in (f[0], f[0] - f[0].mean(axis=0))
    )
    assert np.ptp(with_topics.mean - without.mean) == pytest.approx(0, abs=1e-9)
    assert abs(with_topics.mean[0] - without.mean[0]) > 0.01
    widths = [np.diff(found.interval(), axis=0).mean() for found in (with_topics, without)]
    assert widths[0] < 0.7 * widths[1]
    assert np.array(with_topics.effects()) == pytest.approx(np.array(without.effects()))
    assert with_topics.effective_n_topics == pytest.approx(without.effective_n_topics)
    pairs, others = (found.differences(np.random.default_rng(0)) for found in (with_topics, without))
    assert pairs.low == pytest.approx(others.low)
    assert pairs.p == pytest.approx(others.p)
    ranks, other_ranks = (found.ranks(np.random.default_rng(0)) for found in (with_topics, without))
    assert np.array(ranks).tolist() == np.array(other_ranks).tolist()


@pytest.mark.parametrize("judged", ["five topics", "all topics", "other topics for one system"])
def test_topics_are_not_corrected(judged):
    y, f, _ = made(3)
    n_judged = {"five topics": 5, "all topics": 40}.get(judged, 10)
    part = few(y[0], n_judged)
    if n_judged == 10:
        part[0] = np.roll(part[0], 1)
    found, without = (estimate_means(part, scores) for scores in (f[0], f[0] - f[0].mean(axis=0)))
    assert not found.direct.has_topic_slope
    assert found.mean == pytest.approx(without.mean)
    assert np.array(found.interval()) == pytest.approx(np.array(without.interval()))


def test_scores_without_topics_have_no_slope_of_rounding():
    y, f, _ = made(6, n_draws=40)
    for judgments, scores in zip(y, f, strict=True):
        found = estimate_means(few(judgments, 10), scores - scores.mean(axis=0))
        assert not found.direct.has_topic_slope


def test_several_metrics_are_one_by_their_slopes():
    y, f, rng = made(4)
    useless = rng.normal(size=f[0].shape)
    one, two = (estimate_means(few(y[0], 10), scores) for scores in (f[0], [f[0], useless]))
    assert one.direct.has_topic_slope
    assert two.direct.has_topic_slope
    truth = y[0].mean()
    assert abs(two.mean.mean() - truth) < abs(two.plain.mean.mean() - truth) / 2
