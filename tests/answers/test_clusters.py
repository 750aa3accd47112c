"""Topics that lie in clusters, such as the questions on a passage: what compare, power and others say of them."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from classy_aesop import compare, compare_pairs, estimate, evaluate, power
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.errors import DataWarning, UsageError

PASSAGES = np.repeat([f"p{number}" for number in range(6)], 4)


def scores_by_passage(n_systems=2, *, passes=False, seed=3, column="passage"):
    """Scores of systems on 24 questions in 6 passages of which the same systems are good."""
    rng = np.random.default_rng(seed)
    of_passage = rng.normal(size=(n_systems, 6)).repeat(4, axis=1)
    X = of_passage + rng.normal(size=(n_systems, 24))
    X = (X > 0).astype(float) if passes else X.round(3)
    rows = {"question": np.tile(np.arange(1, 25), n_systems), column: np.tile(PASSAGES, n_systems)}
    table = pd.DataFrame({**rows, "system": np.repeat([*"abcdef"][:n_systems], 24), "quality": X.ravel()})
    return table, X


def cluster_means(X):
    return X.reshape(len(X), 6, 4).mean(axis=2)


@pytest.mark.parametrize("passes", [False, True])
def test_two_systems_are_compared_by_the_t_test_of_passage_means(passes):
    table, X = scores_by_passage(passes=passes)
    result = compare(table)
    row = result.table.set_index("summarizer").loc["a"]
    means = cluster_means(X)
    expected = stats.ttest_rel(*means)
    assert row["p"] == pytest.approx(expected.pvalue, abs=1e-12)
    ends = expected.confidence_interval()
    assert (row["difference_low"], row["difference_high"]) == pytest.approx(ends, abs=1e-12)
    assert row["mean"] == pytest.approx(X[0].mean())
    if not passes:
        half = stats.t.ppf(0.975, 5) * means[0].std(ddof=1) / np.sqrt(6)
        assert (row["low"], row["high"]) == pytest.approx((X[0].mean() - half, X[0].mean() + half))
    assert (row["test"], row["test_reason"], row["clustered_by"]) == (
        "additive",
        "topics in clusters",
        "passage",
    )
    assert "topics lie in 6 passages: errors are by passage." in str(result).replace("\n", " ")


def test_a_column_without_a_usual_name_is_named_and_no_column_ignores_clusters():
    table, X = scores_by_passage(column="blatt")
    renamed = table.rename(columns={"blatt": "passage"})
    by_name = compare(table, columns={"cluster": "blatt"}).table
    assert by_name["p"].tolist() == compare(renamed).table["p"].tolist()
    with pytest.warns(DataWarning, match="ignored columns: passage"):
        ignoring = compare(renamed, columns={"cluster": []}).table
    assert ignoring["p"][0] == pytest.approx(stats.ttest_rel(*X).pvalue)
    assert "clustered_by" not in ignoring


def test_many_systems_with_missing_cells_keep_their_reason():
    table, _ = scores_by_passage(4)
    result = compare(table.drop(index=[3, 40, 77]))
    assert set(result.table["test_reason"]) == {"cells missing"}
    assert "since cells are missing; topics lie in 6 passages: errors are by passage" in result.sentence


@pytest.mark.parametrize("test", ["wilcoxon", "paired_t"])
def test_tests_of_independent_topics_are_refused(test):
    with pytest.raises(
        UsageError, match=f"{test} takes topics as independent, and 24 topics lie in 6 passages"
    ):
        compare(scores_by_passage()[0], test=test)


def test_plain_means_are_refused():
    with pytest.raises(UsageError, match="the test of plain means takes topics as independent"):
        compare(scores_by_passage()[0], means="plain")


def test_the_additive_model_by_name_is_the_test_of_clusters():
    table, _ = scores_by_passage()
    by_name = compare(table, test="additive").table
    assert by_name["p"].tolist() == compare(table).table["p"].tolist()


@pytest.mark.parametrize(
    ("n_passages", "message"), [(1, "all topics in one cluster"), (2, "With 2 passages a diff")]
)
def test_with_one_or_two_passages_it_says_what_cannot_be_known(n_passages, message):
    table, _ = scores_by_passage(seed=8)
    few = table[table["question"] <= 4 * n_passages]
    result = compare(few, columns={"cluster": "passage"})
    assert message in str(result).replace("\n", " ")
    assert not result.table["losses"].any()


def test_equal_passes_are_bounded_by_the_number_of_passages():
    """All 24 differences are 1, in 6 passages: p is 2 / 2 ** 6, not 2 / 2 ** 24."""
    table, _ = scores_by_passage()
    table["quality"] = table["system"].eq("a").astype(float)
    assert compare(table).table["p"].tolist() == [2 / 2**6] * 2


def test_a_gate_counts_passages():
    table, _ = scores_by_passage(passes=True)
    pairs = compare_pairs(table, baseline="b", equivalence=(-0.6, np.inf)).table
    _, message = evaluate_gate(pairs, "not-as-good")
    assert "with 6 passages failures on fewer than 39 % of passages may not have occurred" in message


def test_plans_count_passages_with_as_many_topics_as_now():
    table, X = scores_by_passage()
    plan = power(table, difference=2)
    assert (
        "Planned in the additive model; errors are by passage, with as many topics in each as now."
        in plan.sentence
    )
    row = plan.table.iloc[0]
    differences = pd.DataFrame({"topic": range(6), "a": cluster_means(X)[0], "b": cluster_means(X)[1]})
    of_means = power(differences, difference=2, columns={"systems": ["a", "b"]}).table.iloc[0]
    assert row["n_clusters"] == of_means["n_topics"]
    assert row["n_topics"] == 4 * of_means["n_topics"]
    assert (row["low"], row["high"]) == (4 * of_means["low"], 4 * of_means["high"])
    assert (row["power"], row["power_now"]) == pytest.approx((of_means["power"], of_means["power_now"]))
    assert (row["n_observed"], row["n_more"]) == (24, row["n_topics"] - 24)
    text = str(plan).replace("\n", " ")
    assert (
        f"{row['n_topics']} [{row['low']}, {row['high']}] topics in {row['n_clusters']} passages are needed"
        in text
    )


def test_what_stays_unseen_is_counted_in_passages():
    table, X = scores_by_passage(seed=8)
    rows = compare(table).table
    of_means = pd.DataFrame({"topic": range(6), "a": cluster_means(X)[0], "b": cluster_means(X)[1]})
    expected = compare(of_means, columns={"systems": ["a", "b"]}).table
    assert rows["unseen"].tolist() == pytest.approx(expected["unseen"].tolist())


def test_estimates_of_what_is_wholly_judged_are_by_passage_and_others_say_that_they_are_not():
    table, _ = scores_by_passage()
    ranked = compare(table).table.set_index("summarizer")
    estimated = estimate(table, target="quality").table.set_index("summarizer")
    assert estimated.loc["a", ["low", "high"]].tolist() == ranked.loc["a", ["low", "high"]].tolist()
    narrower = estimate(table, target="quality", confidence=0.8).table.set_index("summarizer")
    ratio = np.ptp(narrower.loc["a", ["low", "high"]]) / np.ptp(estimated.loc["a", ["low", "high"]])
    assert ratio == pytest.approx(stats.t.ppf(0.9, 5) / stats.t.ppf(0.975, 5))
    metric = table.rename(columns={"quality": "bleu"})
    with pytest.warns(
        DataWarning, match="topics lie in 4 passages, and estimates take topics as independent"
    ):
        estimate(table[table["question"] <= 16], target="quality", scores=metric, estimator="control-variate")


def test_evaluate_says_that_it_takes_topics_as_independent():
    table, _ = scores_by_passage(6)
    table["bleu"] = table["quality"] + np.random.default_rng(0).normal(size=len(table))
    with pytest.warns(
        DataWarning, match="topics lie in 6 passages, and metrics' intervals and tests take topics as"
    ):
        evaluate(table, target="quality")


def test_topics_whose_names_begin_alike_are_asked_about():
    table, _ = scores_by_passage()
    alike = table.assign(question=table["passage"] + "_q" + table["question"].astype(str)).drop(
        columns="passage"
    )
    with pytest.warns(
        DataWarning, match="have 6 beginnings, such as p0 of p0_q1; .* --columns cluster=#prefix"
    ):
        asked = compare(alike).table
    assert set(asked["test"]) == {"paired_t"}
    by_prefix = compare(alike, columns={"cluster": "#prefix"}).table
    assert by_prefix["p"].tolist() == compare(table).table["p"].tolist()
    assert set(by_prefix["clustered_by"]) == {"group"}
    assert compare(alike, columns={"cluster": []}).table["p"].tolist() == asked["p"].tolist()
