"""Summarizers against summarizers from a table, and topics needed: by hand, and the same as on the matrices."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import compare, compare_pairs, power
from classy_aesop.answers.attempt_noise import ATTEMPTS_OF_SYSTEM, SHARE_OF_ERROR
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.answers.systems import SYSTEM_COMPARISON, SYSTEM_RANKING, name_best_summarizers
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.significance.differences import NOT_WORSE, UNDECIDED
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs as compare_rows
from classy_aesop.significance.planning.topics_needed import TOO_MANY_TOPICS

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*no difference can be significant:classy_aesop.errors.DataWarning"
)

OF_TASKS_TOGETHER = ("best_rank_here", "worst_rank_here", "low_here", "high_here", "p_here_adjusted")
AT_LENGTH = tuple(name for name in (*SYSTEM_RANKING.names, *SYSTEM_COMPARISON.names) if "length" in name)


def test_two_summarizers_by_hand(table_of):
    # differences 1, 1, 2, 1, 2, 1: W+ = 21 of 21, one of 2^6 signs, so that p is 2/64
    scores = table_of([[3, 4, 4, 5, 4, 3], [2, 3, 2, 4, 2, 2]], "m1")
    table = compare_pairs(scores, "m1", test="wilcoxon").table
    (row,) = table.to_dict("records")
    assert set(SYSTEM_COMPARISON.required_names) < set(table) < set(SYSTEM_COMPARISON.names)
    assert (row["first"], row["second"], row["n"], row["statistic"]) == ("1", "2", 6, 21.0)
    assert row["difference"] == 1.5  # the median of 10 means of 1 and 1, 8 of 1 and 2, 3 of 2 and 2
    assert row["p"] == row["p_least"] == 2 / 64
    assert row["significant"]


def test_what_is_left_out_is_warned_of(table_of, tables):
    scores = pd.concat([table_of([[1, 2, 3], [2, 2, 1]], "m1"), table_of([[1, 2]], "m1", task="B")])
    with pytest.warns(DataWarning, match=r"left out: too few summarizers to compare \(2021-B: 1\)"):
        table = compare_pairs(scores, "m1").table
    assert set(table["task"]) == {"A"}
    scores = tables[0]
    other = scores[scores["summarizer"] != "1"].assign(year="other")
    with pytest.warns(DataWarning, match="left out: no scores of the baseline '1' in other-A, other-B"):
        found = compare_pairs(pd.concat([scores, other]), "m1", baseline="1").table
    assert "other" not in set(found["year"])


def test_clusters_by_hand(table_of, tables):
    X = [[1, 2, 1, 2, 1, 1], [5, 5, 5, 5, 4, 5], [4, 5, 5, 5, 5, 4]]
    table = compare(table_of(X, "m"), "m", test="paired_t").table
    absent = [
        "difference",
        "difference_low",
        "difference_high",
        "p",
        "by_rater",
        "rests_on",
        "look",
        "clustered_by",
    ]
    absent += [
        *OF_TASKS_TOGETHER,
        *AT_LENGTH,
        *(column.name for column in (*ATTEMPTS_OF_SYSTEM, *SHARE_OF_ERROR)),
    ]
    assert list(table) == [name for name in SYSTEM_RANKING.names[:-1] if name not in absent]
    assert table["summarizer"].tolist() == ["2", "3", "1"]
    assert table[["cluster", "rank", "best_rank", "worst_rank", "wins", "losses"]].to_numpy().tolist() == [
        [1, 1, 1, 2, 1, 0],
        [1, 2, 1, 2, 1, 0],
        [2, 3, 3, 3, 0, 2],
    ]
    table = compare(tables[0], "m2").table
    pairs = compare_pairs(tables[0], "m2").table
    assert 2 * pairs["significant"].sum() == table["wins"].sum() + table["losses"].sum()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"alpha": 5}, "alpha is 5; expected a number between 0 and 1"),
        ({"baseline": "1", "among": "mixed"}, "among is 'mixed'; expected 'all' with a baseline"),
        ({"equivalence": 0.0}, "equivalence is 0.0"),
        ({"equivalence": float("nan")}, "equivalence is nan"),
        ({"equivalence": (0.1, float("inf"))}, "margin ranges from 0.1 to inf"),
        ({"equivalence": 0.1, "alpha": 0.5}, "below 0.5"),
    ],
)
def test_what_cannot_be_tested_is_refused(tables, options, words):
    with pytest.raises(UsageError, match=words):
        compare_pairs(tables[0], "m2", **options)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("test", ["paired_t", "wilcoxon"])
@pytest.mark.parametrize("how", [{}, {"equivalence": 0.5}])
def test_a_baseline_is_tested_against_every_other_and_no_further_pair_counts(tables, test, how):
    if test == "wilcoxon" and "equivalence" in how:
        pytest.skip("signed ranks are refused with a margin")
    """The numbers are those of the same pairs among all; Holm's correction is for one test less than summarizers."""
    how = {"test": test, "task": "A", **how}
    names = sorted(set(tables[0]["summarizer"]), key=int)
    found = compare_pairs(tables[0], "m2", baseline=names[1], **how).table
    assert list(found["first"]) == [name for name in names if name != names[1]]
    assert set(found["second"]) == {names[1]}
    every = compare_pairs(tables[0], "m2", **how).table
    own = every[(every["first"] == names[1]) | (every["second"] == names[1])]
    np.testing.assert_allclose(found["p"], own["p"])
    sign = np.where(own["first"] == names[1], -1, 1)
    np.testing.assert_allclose(found["difference"], sign * own["difference"])
    p = found["p"].to_numpy()
    steps = np.maximum.accumulate(np.sort(p) * np.arange(len(p), 0, -1)).clip(max=1)
    np.testing.assert_allclose(np.sort(found["p_adjusted"]), steps)
    assert (found["p_adjusted"].to_numpy() <= own["p_adjusted"].to_numpy()).all()


GATES = [
    ("worse", [-0.5, 0.5], [1, 1],
     "failed: a minus base is -0.500 (95 % interval -0.600 to 0.400), significantly worse"),
    ("worse", [0.3, 0.5], [1, 1],
     "passed: a minus base is +0.300 (95 % interval -0.600 to 0.400), significantly better"),
    ("not-better", [-0.5, -0.2], [1, 1], "failed: b minus base is -0.200, significantly worse"),
    ("worse", [-0.5, 0.5], [0, 0],
     "passed: a minus base is -0.500 (95 % interval -0.600 to 0.400), not significantly worse"),
    ("not-better", [0.2, 0.5], [0, 0], "failed: b minus base is +0.500, not significantly better"),
    ("not-better", [0.2, 0.5], [1, 1], "passed: b minus base is +0.500, significantly better"),
    ("not-as-good", [0.2, 0.5], [0, 1],
     "failed: a minus base is +0.200 (90 % interval -0.600 to 0.400), not significantly above -1"),
    ("not-as-good", [0.2, 0.5], [1, 1],
     "passed: a minus base is +0.200 (90 % interval -0.600 to 0.400), significantly above -1"),
]  # fmt: skip


@pytest.mark.parametrize(("gate", "differences", "significant", "said"), GATES)
def test_a_gate_says_the_difference_that_decides_it(gate, differences, significant, said):
    """An interval without ends is left out; those of whom the same holds are named."""
    pairs = {"first": ["a", "b"], "second": "base", "difference": differences, "effect": differences}
    pairs |= {"low": [-0.6, np.nan], "high": [0.4, np.nan], "significant": np.array(significant, bool)}
    pairs |= {f"{name}_equivalence": pairs[name] for name in ("low", "high")}
    pairs |= {
        "test": "sign_flips",
        "p": 0.2,
        "p_adjusted": 0.2,
        "p_equivalence": 0.2,
        "margin": "-1,inf",
        "flag": "",
        "alpha": 0.05,
    }
    pairs |= {"p_least": 0.01, "p_least_equivalence": 0.01, "n": 8}
    pairs["verdict"] = np.where(significant, NOT_WORSE, UNDECIDED)
    alike = "; likewise " + ("a" if "b minus" in said else "b") if len(set(significant)) == 1 else ""
    alike = "" if said.startswith("failed: a minus base is -0.5") else alike
    passed = said.startswith("passed")
    assert evaluate_gate(pd.DataFrame(pairs), gate) == (passed, f"gate {said} (p = 0.200){alike}")


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_ranking_of_two_has_their_difference_with_interval_and_p(table_of, sign):
    """As the test of the pair gives them, from the side of each; where lower is better too."""
    X = [[1, 2, 1, 2, 1, 1], [5, 5, 5, 5, 4, 5]]
    scores = table_of([[sign * x for x in row] for row in X], "m")
    options = {"test": "paired_t", "lower_is_better": "m" if sign < 0 else None}
    ranking = compare(scores, "m", **options)
    pair = compare_pairs(scores, "m", **options).table.iloc[0]
    by_name = ranking.table.set_index("summarizer")
    own = by_name.loc[pair["first"], ["difference", "difference_low", "difference_high", "p"]]
    np.testing.assert_allclose(own.astype(float), pair[["difference", "low", "high", "p"]].astype(float))
    other = by_name.loc[pair["second"], ["difference", "difference_high", "difference_low", "p"]]
    np.testing.assert_allclose(other.astype(float), own.astype(float) * [-1, -1, -1, 1])
    assert f"2 minus 1 is {sign * 3.5:+.3f} [" in ranking.sentence
    assert ranking.sentence.endswith(", which is significant (p < 0.001).")


def test_a_gate_names_the_level_of_its_interval(table_of):
    scores = table_of([[1, 2, 1, 2, 1, 1], [5, 5, 5, 5, 4, 5]], "m")
    pairs = compare_pairs(scores, "m", test="paired_t", baseline="1", alpha=0.01, equivalence=(-1.0, np.inf))
    assert " (99 % interval " in evaluate_gate(pairs.table, "worse")[1]
    assert " (98 % interval " in evaluate_gate(pairs.table, "not-as-good")[1]


def test_a_baseline_has_those_that_are_better_and_those_that_are_worse(table_of):
    X = [[3, 4, 3, 4, 3, 3], [5, 5, 5, 6, 4, 5], [1, 1, 0, 1, 1, 0], [3, 4, 4, 4, 3, 2]]
    pairs = compare_pairs(table_of(X, "m"), "m", test="paired_t", baseline="1")
    expected = "Compared with 1: 2 is significantly better; 3 is significantly worse; 1 does not differ significantly."
    assert pairs.sentence == expected
    turned = compare_pairs(table_of(X, "m"), "m", test="paired_t", baseline="1", lower_is_better="m")
    assert "3 is significantly better; 2 is significantly worse" in turned.sentence


def test_several_baselines_are_one_family_and_each_is_named(table_of):
    """Every other against each, a pair of two baselines once, which both sentences count."""
    X = [[3, 4, 3, 4, 3, 3], [5, 5, 5, 6, 4, 5], [1, 1, 0, 1, 1, 0], [3, 4, 4, 4, 3, 2]]
    pairs = compare_pairs(table_of(X, "m"), baseline=["1", "2"])
    assert pairs.table[["first", "second"]].agg("-".join, axis=1).tolist() == [
        "2-1",
        "3-1",
        "4-1",
        "3-2",
        "4-2",
    ]
    p = pairs.table["p"].to_numpy()
    holm = np.maximum.accumulate(np.sort(p) * np.arange(5, 0, -1)).clip(max=1)
    np.testing.assert_allclose(np.sort(pairs.table["p_adjusted"]), holm)
    assert pairs.sentence == (
        "Compared with 1: 2 is significantly better; 3 is significantly worse; 1 does not differ significantly. "
        "Compared with 2: none is significantly better; 3, 4, 1 are significantly worse."
    )
    of_three = compare_pairs(table_of(X[:3], "m"), baseline=["3", "1"])  # all pairs, but asked by two
    assert of_three.sentence.startswith(
        "Compared with 3: 1, 2 are significantly better; none is significantly worse."
    )
    assert set(of_three["baseline"]) == {"3, 1"}
    with pytest.raises(UsageError, match="no summarizer 'x'; expected one of 1, 2, 3, 4"):
        compare_pairs(table_of(X, "m"), baseline=["1", "x"])


def test_a_gate_against_a_margin_is_the_one_sided_test(table_of):
    """Passed exactly where the test of "at most the margin" rejects; each year counts."""
    rng = np.random.default_rng(0)
    for apart in (-0.5, -0.2, 0.0):
        X = rng.normal(size=(2, 30)) / 2 + [[apart], [0]]
        table = compare_pairs(
            table_of(X, "m"), "m", test="paired_t", baseline="2", equivalence=(-0.4, np.inf)
        ).table
        shifted = compare_rows([X[0] + 0.4, X[1]], test="paired_t")
        p = shifted.p[0] / 2 if shifted.difference[0] > 0 else 1 - shifted.p[0] / 2
        assert evaluate_gate(table, "not-as-good")[0] == (p <= 0.05)
        years = pd.concat([table.assign(year="2021"), table.assign(year="2022", verdict=UNDECIDED)])
        passed, said = evaluate_gate(years, "not-as-good")
        assert not passed
        assert " in 2022, not significantly above -0.4 " in said or p > 0.05


FEW = {"n_trials": 100, "max_topics": 64}


@pytest.mark.slow
def test_no_answer_is_flagged(tables):
    table = power(tables[0], "m1", 1e-3, systems=["1", "2"], task="A", **FEW).table
    assert list(table["flag"]) == [TOO_MANY_TOPICS]
    assert table["n_topics"].isna().all()
    other = tables[0][(tables[0]["task"] == "A") | (tables[0]["summarizer"] != "2")]
    table = power(other, "m1", 3.0, systems=["1", "2"], **FEW).table
    assert list(table["flag"]) == ["", "fewer than two topics"]
    assert list(table["n_observed"]) == [8, 0]
    assert np.isnan(table["observed"][1])


REFUSED = [
    ({"difference": 0.0}, "difference is 0.0; expected a number that is not 0"),
    ({"difference": np.nan}, "difference is nan"),
    ({"power": 0.04}, "alpha is 0.05 and power 0.04; expected 0 < alpha < power < 1"),
    ({"systems": ["1"]}, "systems are 1; expected two or more different ones"),
    ({"systems": ["1", "2", "1"]}, "systems are 1, 2, 1"),
]


@pytest.mark.parametrize(("options", "message"), REFUSED)
def test_what_is_refused(tables, options, message):
    with pytest.raises(UsageError, match=message):
        power(tables[0], **{"metric": "m1", "difference": 1.0, "systems": ["1", "2"], **options})


def test_a_constant_difference_tells_no_spread_to_plan_with(table_of):
    table = power(table_of([[2, 3, 4, 5], [1, 2, 3, 4]], "m1"), "m1", 1.0, **FEW).table
    assert len(table) == 1
    row = table.iloc[0]
    assert (row["observed"], row["flag"]) == (1.0, "constant difference")
    assert pd.isna([row["n_topics"], row["low"], row["high"], row["power"]]).all()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
def test_a_difference_that_cannot_be_significant_is_given_with_its_interval_and_p():
    table = pd.DataFrame({"topic": [1, 2, 3] * 2, "system": sorted("ab" * 3), "m1": [2, 3.5, 5, 1, 2, 3]})
    ranking = compare(table, "m1", test="wilcoxon")
    row = ranking.table.iloc[0]
    assert (row["difference"], row["p"]) == (1.5, 0.25)
    assert "as a shift of the 3 topics that differ, a minus b is +1.500" in ranking.sentence
    assert (
        "which cannot be significant (p = 0.250): 3 topics allow no corrected p below 0.250"
        in ranking.sentence
    )


def test_a_part_of_a_ranking_names_the_best_of_its_rows(table_of):
    ranking = compare(
        table_of([[3, 4, 4, 5, 4, 3], [2, 3, 2, 4, 2, 2], [1, 1, 2, 1, 1, 2]], "m1"), "m1"
    ).table
    assert name_best_summarizers(ranking[ranking["rank"] > 1]).startswith("2 has the highest mean (2.5")


@pytest.mark.filterwarnings("ignore:.*beyond the scores of the file")
def test_a_task_with_more_than_two_systems_keeps_a_row_for_each(table_of):
    of_two = table_of([[3, 4, 4, 5, 4, 3], [2, 3, 2, 4, 2, 2]], "m1").assign(task="A")
    of_four = table_of(np.random.default_rng(0).integers(1, 6, (4, 6)), "m1").assign(task="B")
    ranking = compare(pd.concat([of_two, of_four]), "m1")
    assert len(SYSTEM_RANKING.arrange_rows(ranking.table)) == 6
    assert len(SYSTEM_RANKING.arrange_rows(ranking.table[:2])) == 1
