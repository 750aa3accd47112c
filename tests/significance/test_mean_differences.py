"""Equal differences of pass and fail: exact bounds, by hand, by simulation and by their own duality."""

import numpy as np
import pytest

from classy_aesop.significance.additive.additive_model import fit_additive_model
from classy_aesop.significance.additive.contrasts import compare_least_squares_means
from classy_aesop.significance.differences import EQUIVALENT, UNDECIDED
from classy_aesop.significance.flags import CONSTANT_DIFFERENCE, NO_DIFFERENCE, TOO_FEW_TOPICS
from classy_aesop.significance.mean_differences import MeanDifferences
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs


def equal_scores(difference, n):
    return np.array([[max(difference, 0)] * n, [max(-difference, 0)] * n], dtype=float)


@pytest.mark.parametrize("n", [2, 5, 20, 200])
def test_bounds_by_hand(n):
    b = 0.025 ** (1 / n)
    expected = {1: (2 * b - 1, 1, 2 / 2**n), -1: (-1, 1 - 2 * b, 2 / 2**n), 0: (b - 1, 1 - b, 1)}
    for difference, (low, high, p) in expected.items():
        for sign in (1, -1):  # lower is better: scores are turned, and so is the interval
            tests = compare_pairs(sign * equal_scores(difference, n), pass_or_fail=True)
            ends = (tests.low[0], tests.high[0]) if sign == 1 else (-tests.high[0], -tests.low[0])
            assert (*ends, tests.p[0]) == pytest.approx((low, high, p), abs=1e-12)
            assert (sign * tests.difference[0], tests.flag[0]) == (difference, "")


def test_versions_that_agree_on_every_prompt_are_within_what_few_prompts_allow():
    for n, bound in ((200, 0.015), (20, 0.139)):
        tests = compare_pairs(equal_scores(0, n), pass_or_fail=True)
        inside, outside = (tests.equivalent(bound + step) for step in (0.001, -0.001))
        assert (inside.verdict[0], outside.verdict[0]) == (EQUIVALENT, UNDECIDED)
        assert (inside.low[0], inside.high[0]) == pytest.approx((-bound, bound), abs=5e-4)


def test_an_end_is_the_value_that_is_just_rejected():
    for difference in (-1, -0.5, 0, 0.5, 1):
        for n in (2, 7, 40):
            equal = MeanDifferences(*(np.array([value]) for value in (difference, 0.0, n - 1.0, n)))
            low, high = equal.interval(0.9)
            for end, alternative in ((low[0], "greater"), (high[0], "less")):
                if abs(end) < 1:
                    assert equal.p(alternative, end) == pytest.approx(0.05)


def test_grades_whose_differences_are_equal_tell_nothing():
    for difference, flag in ((1, CONSTANT_DIFFERENCE), (0, NO_DIFFERENCE)):
        tests = compare_pairs(equal_scores(difference, 30))
        assert (tests.flag[0], tests.p[0]) == (flag, 1)
        assert np.isnan([tests.low[0], tests.high[0], tests.low_all[0], tests.high_all[0]]).all()
        assert tests.equivalent(5.0).verdict[0] == UNDECIDED
    one_topic = compare_pairs(equal_scores(1, 1), pass_or_fail=True)
    assert (one_topic.flag[0], one_topic.p[0]) == (TOO_FEW_TOPICS, 1)


def test_the_additive_model_has_the_same_bounds():
    scores = equal_scores(1, 12)
    system, topic = np.divmod(np.arange(24), 12)
    complete = compare_least_squares_means(
        fit_additive_model(scores.ravel(), system, topic, n_systems=2), pass_or_fail=True
    )
    expected = compare_pairs(scores, pass_or_fail=True)
    # two topics more of one system only tell nothing of the difference
    more = np.append(scores.ravel(), [1.0, 1.0]), np.append(system, [0, 0]), np.append(topic, [12, 13])
    missing = compare_least_squares_means(fit_additive_model(*more, n_systems=2), pass_or_fail=True)
    for tests in (complete, missing):
        for name in ("p", "low", "high", "flag", "n"):
            assert getattr(tests, name)[0] == pytest.approx(getattr(expected, name)[0])
