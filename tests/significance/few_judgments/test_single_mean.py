"""The mean of one system: by hand, by least squares of other software, by simulation, and where scores cannot help."""

import numpy as np
import pytest

from classy_aesop.significance.few_judgments.single_mean import estimate_single_mean

JUDGED = np.array([1.0, 2, 3, 4, 5, 6, np.nan, np.nan])
SCORES = np.array([1.1, 1.9, 3.0, 4.2, 4.8, 6.0, 7.0, 8.0])


def test_a_regression_estimate_by_hand_and_by_statsmodels():
    sm = pytest.importorskip("statsmodels.api")
    estimate = estimate_single_mean(JUDGED, SCORES, finite=False)
    centred = SCORES[:6] - SCORES[:6].mean()
    fit = sm.OLS(JUDGED[:6], sm.add_constant(centred)).fit()
    f_ratio = fit.params[1] ** 2 * (centred**2).sum() / fit.mse_resid
    relative_range = 5 * SCORES.var(ddof=1) / (centred**2).sum()
    slope = fit.params[1] * (1 - 2 * (4 / 2) / f_ratio * relative_range)
    assert estimate.slope[0] == pytest.approx(slope)
    assert estimate.mean[0] == pytest.approx(3.5 + slope * (SCORES.mean() - SCORES[:6].mean()))
    assert (estimate.df[0], estimate.n_judged, estimate.n_topics) == (4, 6, 8)


def test_without_scores_it_is_the_mean_of_the_judgments():
    by_judgments = estimate_single_mean(JUDGED)
    constant = estimate_single_mean(JUDGED, np.ones(8))
    for estimate in (by_judgments, constant):
        for values in (estimate.mean, estimate.error, *estimate.intervals()):
            assert values[0] == pytest.approx(values[1])
    like = estimate_single_mean(JUDGED, finite=False)
    assert like.error[1] == pytest.approx(np.nanstd(JUDGED, ddof=1) / np.sqrt(6))
    assert by_judgments.error[1] == pytest.approx(like.error[1] * np.sqrt(1 - 6 / 8))


def test_all_judged_leaves_nothing_to_estimate():
    estimate = estimate_single_mean(SCORES, SCORES**2)
    for values in (estimate.mean, *estimate.intervals()):
        assert values == pytest.approx([SCORES.mean()] * 2)
    assert estimate.effective_n_topics == pytest.approx(8)


def test_an_interval_stays_on_the_scale():
    labels = np.r_[np.ones(20), np.full(80, np.nan)]
    estimate = estimate_single_mean(labels, np.r_[np.ones(20), np.ones(70), np.zeros(10)], pass_or_fail=True)
    low, high = estimate.intervals(bounds=(0, 1))
    assert estimate.mean[0] == high[0] == 1
    assert 0.7 < low[0] < 0.9


def passes_and_judge(rng, agreement):
    quality = rng.normal(size=200)
    passes = (quality > -0.5) * 1.0
    return passes, np.where(rng.random(200) < agreement, passes, (rng.random(200) < 0.7) * 1.0)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("agreement", "ratio"), [(0.9, 0.5), (0.0, 1.03)])
def test_intervals_hold_and_errors_shrink_with_a_judge_that_agrees(agreement, ratio):
    rng = np.random.default_rng(1)
    held, errors = [], []
    for _ in range(1000):
        passes, judge = passes_and_judge(rng, agreement)
        labels = np.where(np.arange(200) < 40, passes, np.nan)
        estimate = estimate_single_mean(labels, judge, pass_or_fail=True)
        low, high = estimate.intervals(bounds=(0, 1))
        held.append(low[0] <= passes.mean() <= high[0])
        errors.append((estimate.mean - passes.mean()) ** 2)
    of_estimate, of_plain = np.mean(errors, axis=0)
    assert of_estimate / of_plain < ratio
    assert np.mean(held) > 0.935
