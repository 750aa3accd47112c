"""What is printed as a difference is what is tested, bounded, gated and planned."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from classy_aesop import compare, compare_pairs, power
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.errors import UsageError


def table_of_two(old, new):
    topics = range(len(old))
    rows = [(t, "old", old[t]) for t in topics] + [(t, "new", new[t]) for t in topics]
    return pd.DataFrame(rows, columns=["topic", "system", "passes"])


@pytest.fixture
def much_worse():
    """190 of 200 pass by the old version, 150 by the new one."""
    topics = np.arange(200)
    return table_of_two((topics >= 10) * 1.0, 1.0 - ((topics < 5) | (topics >= 60) & (topics < 105)))


def test_a_version_that_is_worse_by_more_than_the_margin_passes_no_gate(much_worse):
    table = compare_pairs(much_worse, baseline="old", equivalence=(-0.1, np.inf)).table
    row = table.iloc[0]
    assert row["difference"] == pytest.approx(-0.2)
    assert row["low"] < -0.2 < row["high"] < -0.1
    assert row["verdict"] == "different"
    passed, said = evaluate_gate(table, "not-as-good")
    assert not passed
    assert "-0.200 (90 % interval -0.256 to -0.148), not significantly above -0.1" in said


@pytest.mark.slow
def test_signed_ranks_show_their_own_shift_and_decide_no_gate(much_worse):
    row = compare_pairs(much_worse, test="wilcoxon", baseline="old").table.iloc[0]
    assert (row["difference"], row["n_used"]) == (-1.0, 50)
    assert (
        "shift of the 50 topics that differ, old minus new is +1.000"
        in compare(much_worse, test="wilcoxon").sentence
    )
    with pytest.raises(UsageError, match="a gate is on the difference of means"):
        evaluate_gate(compare_pairs(much_worse, test="wilcoxon", baseline="old").table, "worse")
    with pytest.raises(UsageError, match="a margin is one of the difference of means"):
        compare_pairs(much_worse, equivalence=0.1, test="wilcoxon")


@pytest.mark.slow
def test_a_mean_of_passes_stays_within_0_and_1():
    all_passed = compare(table_of_two(np.ones(20), np.r_[np.zeros(5), np.ones(15)])).table.iloc[0]
    t = stats.t.ppf(0.975, 19)
    assert (all_passed["mean"], all_passed["high"]) == (1, 1)
    assert all_passed["low"] == pytest.approx(1 / (1 + t**2 / 20))
    rng = np.random.default_rng(0)
    scores = table_of_two(*(rng.random((2, 20)) < 0.95) * 1.0)
    scores["passes"] = scores["passes"].mask(pd.Series(rng.random(40) < 0.2))
    lower = scores.assign(passes=scores["passes"])
    for ranking in (compare(scores).table, compare(lower, lower_is_better="passes").table):
        assert ranking["mean"].between(0, 1).all()
        assert ranking["low"].ge(0).all()
        assert ranking["high"].le(1).all()
        assert (ranking["low"].le(ranking["mean"]) & ranking["mean"].le(ranking["high"])).all()


@pytest.mark.slow
@pytest.mark.parametrize("test", [None, "wilcoxon"])
def test_plans_of_whole_numbers_depend_on_the_difference(test):
    rng = np.random.default_rng(3)
    level = rng.normal(0, 0.7, 60)
    old, new = (np.clip(np.round(mean + level + rng.normal(0, 0.6, 60)), 1, 5) for mean in (3, 3.3))
    scores = table_of_two(old, new)
    plans = [power(scores, difference=d, test=test, n_trials=400).table.iloc[0] for d in (0.25, 0.3, 0.45)]
    assert [plan["n_topics"] for plan in plans] == pytest.approx([110, 77, 37], rel=0.15)
    assert [plan["n_more"] for plan in plans] == [max(0, plan["n_topics"] - 60) for plan in plans]
    assert plans[0]["n_ratings"] == 2 * plans[0]["n_topics"]


@pytest.mark.slow
def test_a_pilot_of_passes_without_a_difference_leads_to_a_plan():
    passes = (np.arange(40) % 4 > 0) * 1.0
    other = passes.copy()
    other[[0, 1]] = 1 - other[[0, 1]]
    plans = [
        power(table_of_two(passes, other), difference=d).table["n_topics"].iloc[0] for d in (0.1, 0.2, 0.3)
    ]
    assert plans == sorted(plans, reverse=True)
    assert plans[0] > 2 * plans[2]
