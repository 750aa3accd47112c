"""Numbers and words of a difference come from one test: intervals, p, verdicts, gates, and what cannot be known."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from classy_aesop import compare, compare_pairs
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.errors import UsageError

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*no difference can be significant:classy_aesop.errors.DataWarning"
)


def table_of(**scores):
    """Give a table of systems whose scores are given by name, one a topic."""
    rows = [
        (f"t{topic}", system, score)
        for system, values in scores.items()
        for topic, score in enumerate(values)
        if not np.isnan(score)
    ]
    return pd.DataFrame(rows, columns=["topic", "system", "score"])


@pytest.fixture
def graded():
    """Grades of 60 topics whose differences are -1 nine times, 0: 27, 1: 18, 2: 4, 3: 2."""
    difference = np.repeat([-1, 0, 1, 2, 3], [9, 27, 18, 4, 2])
    level = np.where(difference < 0, 3, 2)
    return table_of(a=level, b=level + difference)


@pytest.fixture
def passes():
    """190 of 200 pass by the old version, 150 by the new one."""
    topics = np.arange(200)
    new = 1.0 - ((topics < 5) | ((topics >= 60) & (topics < 105)))
    return table_of(new=new, old=(topics >= 10) * 1.0)


def test_a_complete_table_has_the_numbers_of_the_paired_t():
    X = np.random.default_rng(2).normal(size=(4, 25)) + np.arange(4)[:, None] / 3
    table = compare_pairs(table_of(**dict(zip("abcd", X, strict=True))), correction="none").table
    assert set(table["test"]) == {"paired_t"}
    for row in table.to_dict("records"):
        expected = stats.ttest_rel(X["abcd".index(row["first"])], X["abcd".index(row["second"])])
        interval = expected.confidence_interval()
        printed = [row[name] for name in ("statistic", "p", "low", "high")]
        assert printed == pytest.approx(
            [expected.statistic, expected.pvalue, *interval], rel=1e-12, abs=1e-12
        )


def test_grades_have_the_interval_of_their_mean_difference(graded):
    assert compare(graded).sentence.endswith(
        "; b minus a is +0.383 [0.140, 0.626], which is significant (p = 0.003)."
    )


def test_signed_ranks_by_name_say_that_zero_is_excluded(graded):
    result = compare(graded, test="wilcoxon")
    assert (
        "by signed ranks, as a shift of the 33 topics that differ, b minus a is +1.000 [above 0, 1.000]"
        in (result.sentence)
    )
    assert result.table["difference_low"].tolist() == [0.0, -1.0]
    pairs = compare_pairs(graded, test="wilcoxon")
    assert (pairs.table["low"].iat[0], pairs.table["high"].iat[0]) == (-1.0, 0.0)  # no denormal number
    assert "[-1.000, below 0]" in pairs.sentence


def test_signed_ranks_decide_no_gate_and_no_margin(passes):
    with pytest.raises(UsageError, match="a gate is on the difference of means"):
        evaluate_gate(compare_pairs(passes, test="wilcoxon", baseline="old").table, "worse")
    with pytest.raises(UsageError, match="a margin is one of the difference of means"):
        compare_pairs(passes, equivalence=0.1, test="wilcoxon")


def test_a_gate_of_passes_fails(passes):
    table = compare_pairs(passes, baseline="old", equivalence=(-0.1, np.inf)).table
    row = table.iloc[0]
    assert row["low"] < -0.2 < row["high"] < -0.1
    assert row["verdict"] == "different"
    assert evaluate_gate(table, "not-as-good") == (
        False,
        "gate failed: new minus old is -0.200 (90 % interval -0.256 to -0.148), not significantly above -0.1 "
        "(p = 0.999)",
    )
    lower = compare_pairs(
        passes.assign(score=1 - passes["score"]),
        baseline="old",
        equivalence=(-np.inf, 0.1),
        lower_is_better="score",
    ).table
    assert evaluate_gate(lower, "not-as-good") == (
        False,
        "gate failed: new minus old is +0.200 (90 % interval 0.148 to 0.256), not significantly below 0.1 (p = 0.999)",
    )


@pytest.mark.slow
def test_equal_grades_are_undecided_everywhere():
    for by in (1, 0):
        scores = table_of(a=np.arange(10.0), b=np.arange(10.0) + by)
        result = compare_pairs(scores, baseline="a", equivalence=5)
        pairs = result.table
        row = pairs.iloc[0]
        ends = ["low", "high", "low_all", "high_all", "low_equivalence", "high_equivalence"]
        assert row[[*ends, "p", "p_adjusted", "p_equivalence", "statistic", "effect"]].isna().all()
        assert (row["verdict"], row["significant"]) == ("undecided", False)
        words = f"every difference is {by}.000: no test knows how far it may vary"
        assert words in result.sentence
        assert words in compare(scores).sentence
        assert compare(scores).table["wins"].tolist() == [0, 0]
        for gate in ("worse", "not-better"):
            passed, message = evaluate_gate(pairs, gate)
            assert not passed
            assert message == (
                "gate undecided: b against a: every difference is the same, so no test knows how far it may vary"
            )


def test_differences_that_are_equal_within_rounding_are_equal():
    scores = table_of(a=[0.1, 0.2, 0.3, 0.7], b=[0.2, 0.3, 0.1 + 0.3, 0.1 + 0.7])
    assert compare_pairs(scores).table["flag"].tolist() == ["constant difference"]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("lower", [False, True])
def test_passes_that_are_all_equal_have_exact_bounds(lower):
    n = 40
    b = 0.025 ** (1 / n)
    options = {"lower_is_better": "score"} if lower else {}
    for old, new, low, high in ((0, 1, 2 * b - 1, 1), (1, 0, -1, 1 - 2 * b), (1, 1, b - 1, 1 - b)):
        scores = table_of(new=[new] * n, old=[old] * n)
        row = compare_pairs(scores, **options).table.iloc[0]
        assert (row["low"], row["high"]) == pytest.approx((low, high))
        assert row["p"] == pytest.approx(2 / 2**n if new != old else 1)
        assert row["significant"] == (new != old)
        assert row["difference"] == new - old
        ranking = compare(scores, **options).table
        best = "old" if (new < old) != lower else "new"
        assert ranking["wins"].sum() == (new != old)
        assert new == old or ranking.iloc[0]["summarizer"] == best


@pytest.mark.slow
def test_two_versions_that_agree_on_every_prompt_pass_a_gate_where_prompts_are_many():
    for n, passed, interval in ((200, True, "-0.015 to 0.015"), (20, False, "-0.139 to 0.139")):
        scores = table_of(new=[1.0] * n, old=[1.0] * n)
        table = compare_pairs(scores, baseline="old", equivalence=(-0.1, np.inf)).table
        shown, message = evaluate_gate(table, "not-as-good")
        assert (shown, f"(90 % interval {interval})" in message) == (passed, True)
        assert compare_pairs(scores, equivalence=0.1).table["verdict"].iat[0] == (
            "equivalent" if passed else "undecided"
        )


def test_passes_with_one_topic_that_differs_are_tested_by_their_rates():
    old = np.ones(20)
    new = np.r_[0.0, np.ones(19)]
    row = compare_pairs(table_of(new=new, old=old)).table.iloc[0]
    assert (row["test"], row["p"]) == ("tango", pytest.approx(2 * stats.norm.sf(1)))  # (0 - 1) / sqrt(1)
    by_name = compare_pairs(table_of(new=new, old=old), test="paired_t").table.iloc[0]
    assert by_name["p"] == pytest.approx(stats.ttest_rel(new, old).pvalue)
    assert row["low"] < row["difference"] < 0 < row["high"]


def test_one_topic_and_two_topics():
    one = compare_pairs(table_of(a=[1.0], b=[0.0]), equivalence=2).table.iloc[0]
    assert (one["flag"], one["verdict"]) == ("fewer than two topics", "undecided")
    assert pd.isna(one["low"])
    two = compare_pairs(table_of(a=[1.0, 5.0], b=[0.0, 3.0])).table.iloc[0]
    assert two["p"] == pytest.approx(stats.ttest_rel([1, 5], [0, 3]).pvalue)
    two_passes = compare_pairs(table_of(a=[1.0, 1.0], b=[0.0, 0.0])).table.iloc[0]
    assert (two_passes["p"], two_passes["significant"]) == (0.5, False)


@pytest.mark.slow
def test_a_gate_says_which_failures_it_cannot_have_seen():
    rng = np.random.default_rng(0)
    for n, words in (
        (20, "with 20 topics failures on fewer than 14 % of topics may not have occurred"),
        (101, ""),
    ):
        scores = table_of(a=rng.normal(size=n), b=rng.normal(1, 1, size=n))
        message = evaluate_gate(compare_pairs(scores, baseline="a").table, "not-better")[1]
        assert message.endswith(words or ")")
        assert "failures" in message or not words


@pytest.mark.slow
def test_a_difference_that_rests_on_two_topics_names_them():
    difference = np.tile([-1.0, 0.0, 1.0, 2.0], 7)
    difference = np.r_[difference[:20], np.zeros(10)]
    difference[[7, 12]] = [9.0, 8.0]
    level = np.arange(30.0)
    scores = table_of(a=level, b=level + difference)
    assert (
        stats.ttest_1samp(difference, 0).pvalue
        < 0.05
        < stats.ttest_1samp(np.delete(difference, [7, 12]), 0).pvalue
    )
    assert compare(scores).sentence.endswith("; it rests on 2 topics: t7, t12.")
    pairs = compare_pairs(scores, baseline="a")
    assert pairs.table["rests_on"].tolist() == ["2 topics: t7, t12"]
    assert "it rests on 2 topics: t7, t12" in pairs.sentence
    assert "it rests on 2 topics: t7, t12" in evaluate_gate(pairs.table, "not-better")[1]
    exchanged = compare_pairs(table_of(a=level, b=level - difference), lower_is_better="score")
    assert exchanged.table["rests_on"].tolist() == ["2 topics: t7, t12"]


@pytest.mark.slow
def test_ordinary_differences_rest_on_no_few_topics():
    rng = np.random.default_rng(1)
    n_clear = 0
    for _ in range(60):
        row = compare_pairs(table_of(a=rng.normal(0.8, 1, 20), b=np.zeros(20))).table.iloc[0]
        n_clear += row["p"] < 0.01
        assert row["p"] >= 0.01 or row["rests_on"] == ""
    assert n_clear > 30
