"""Biases of a judge: by hand, the paired t-test of differences, and what the human scale is."""

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from classy_aesop.significance.metrics.judge_bias import is_on_scale, judge_bias, match_scale

HUMAN = np.array([[4.0, 5, 4, 5], [3, 3, 2, 3], [2, 1, 2, 1]])
JUDGE = np.array([[4.0, 5, 4, 4], [5, 5, 4, 5], [2, 1, 2, 2]])


def test_worked_example_by_hand():
    result = judge_bias(JUDGE, HUMAN)
    assert result.scale == "as-is"
    assert result.bias.tolist() == [-0.25, 2, 0.25]
    assert result.relative == pytest.approx([-11 / 12, 4 / 3, -5 / 12])
    assert (result.human_rank.tolist(), result.judge_rank.tolist()) == ([1, 2, 3], [2, 1, 3])
    # each difference is -.25 with one topic of four off: error .5 / sqrt(4), t of 3 degrees of freedom 3.182
    assert (result.low[0], result.high[0]) == pytest.approx(
        (-0.25 - 3.1824 / 4, -0.25 + 3.1824 / 4), abs=1e-4
    )
    assert result.flag.tolist() == ["", "constant difference", ""]
    assert np.isnan(
        [result.low[1], result.high[1]]
    ).all()  # 2 on every topic: nothing is known of its variance


def test_differences_of_biases_are_paired_t_tests_of_complete_tables():
    rng = default_rng(2)
    human = rng.normal(size=(5, 14))
    judge = human + rng.normal(size=human.shape) + np.arange(5)[:, None] / 2
    result = judge_bias(judge, human, scale="as-is", correction="none")
    tests = result.tests
    assert len(tests.p) == 10
    expected = [stats.ttest_rel(*(judge - human)[pair]) for pair in np.transpose([tests.first, tests.second])]
    assert tests.p_adjusted == pytest.approx([test.pvalue for test in expected], abs=1e-12)
    is_kinder = result.kinder()
    assert is_kinder[tests.first, tests.second].tolist() == [
        test.pvalue <= 0.05 and test.statistic > 0 for test in expected
    ]
    assert is_kinder[tests.second, tests.first].tolist() == [
        test.pvalue <= 0.05 and test.statistic < 0 for test in expected
    ]
    interval = stats.t.interval(0.95, 13, (judge - human)[3].mean(), stats.sem((judge - human)[3]))
    assert (result.low[3], result.high[3]) == pytest.approx(interval, abs=1e-12)


@pytest.mark.parametrize("shift", [0.0, 40.0])
@pytest.mark.parametrize("factor", [1.0, 20.0])
def test_another_unit_of_the_judge_changes_nothing_where_scales_are_matched(factor, shift):
    result = judge_bias(JUDGE, HUMAN, scale="matched")
    other = judge_bias(factor * JUDGE + shift, HUMAN, scale="matched")
    for name in ("bias", "low", "high", "relative"):
        np.testing.assert_allclose(getattr(other, name), getattr(result, name), rtol=0, atol=1e-9)
    np.testing.assert_allclose(other.tests.p_adjusted, result.tests.p_adjusted, rtol=0, atol=1e-9)
    slope, intercept = match_scale(JUDGE.ravel(), HUMAN.ravel())
    mapped = slope * JUDGE + intercept
    assert (mapped.mean(), mapped.std()) == pytest.approx((HUMAN.mean(), HUMAN.std()))


def test_a_constant_of_all_systems_moves_no_ranking_and_no_test():
    result = judge_bias(JUDGE, HUMAN, scale="as-is")
    other = judge_bias(JUDGE + 2, HUMAN, scale="as-is")
    np.testing.assert_allclose(other.bias, result.bias + 2)
    np.testing.assert_allclose(other.relative, result.relative, rtol=0, atol=1e-12)
    assert other.kinder().tolist() == result.kinder().tolist()


def test_the_human_scale_is_found():
    assert judge_bias(JUDGE / 5, HUMAN).scale == "matched"
    assert judge_bias(JUDGE + 1, HUMAN).scale == "matched"  # leaves the range
    assert not is_on_scale(np.zeros(0), np.zeros(0))


def test_missing_cells_and_systems_that_cannot_be_compared():
    judge = JUDGE.copy()
    judge[0, :2] = np.nan
    judge[1, 2:] = np.nan
    judge[2] = np.nan
    result = judge_bias(judge, HUMAN)
    assert result.flag[2] == "no cell with both"
    assert result.human_rank.tolist() == [0, 0, 0]
    assert np.isnan(result.relative).all()
    assert (result.tests.p_adjusted == 1).all()
    assert not result.kinder().any()
    assert result.n_topics.tolist() == [2, 2, 0]
    assert result.bias[:2] == pytest.approx([-0.5, 2])


def test_no_finding_without_a_variance():
    """A judge that is one point too kind to one system on every topic: nothing is known of the variance."""
    result = judge_bias(HUMAN + np.array([[0.0], [1], [0]]), HUMAN, scale="as-is")
    assert not result.kinder().any()
