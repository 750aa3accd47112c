"""Years and tasks that are compared together: by hand, what equal tasks say, what is refused, and coverage."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from classy_aesop import compare, compare_pairs
from classy_aesop.answers.gates import evaluate_gate
from classy_aesop.errors import DataWarning, InputError, UsageError

pytestmark = pytest.mark.filterwarnings("ignore:.*beyond the scores:classy_aesop.errors.DataWarning")


def tasks_of(table_of, matrices, **names):
    """Make a score table from matrices by task, summarizers x topics."""
    return pd.concat([table_of(X, "m", task=task, **names) for task, X in matrices.items()])


@pytest.fixture
def three_tasks(table_of):
    """Differences of two systems with means 2, 1 and 3 on three topics each, of variance 1 in each task."""
    differences = {"A": [1, 2, 3], "B": [0, 1, 2], "C": [2, 3, 4]}
    return tasks_of(table_of, {task: [[9 + d for d in row], [9, 9, 9]] for task, row in differences.items()})


def test_two_systems_on_three_tasks_by_hand(three_tasks):
    result = compare_pairs(three_tasks, "m", together=True)
    (row,) = result.table.to_dict("records")
    assert (row["year"], row["task"], row["n"], row["difference"]) == ("2021", "A+B+C", 3, 2.0)
    # for tasks like these: 2, 1 and 3 have a standard deviation of 1, two degrees of freedom
    half = stats.t.ppf(0.975, 2) / np.sqrt(3)
    assert [row["low"], row["high"]] == pytest.approx([2 - half, 2 + half])
    assert row["p"] == pytest.approx(2 * stats.t.sf(2 * np.sqrt(3), 2))
    # for these tasks: variances of 1/3 each, of their mean 1/9; Satterthwaite's df of equal variances is 3 x 2
    half = stats.t.ppf(0.975, 6) / 3
    assert [row["low_here"], row["high_here"]] == pytest.approx([2 - half, 2 + half])
    assert row["p_here_adjusted"] == pytest.approx(2 * stats.t.sf(6, 6))
    assert "which is not significant" in result.sentence
    assert "Tested on these tasks alone, 1 difference is significant." in result.sentence
    ranking = compare(three_tasks, "m", together=True)
    columns = ["summarizer", "mean", "rank", "best_rank", "worst_rank", "best_rank_here", "worst_rank_here"]
    assert ranking.table[columns].values.tolist() == [["1", 11.0, 1, 1, 2, 1, 1], ["2", 9.0, 2, 1, 2, 2, 2]]
    assert "With 3 tasks a difference below" in ranking.sentence
    assert "Tested on these tasks alone, 1 difference is significant." in ranking.sentence


def test_every_task_weighs_the_same_and_few_topics_lower_the_degrees_of_freedom(table_of):
    wide, narrow = [0, 4, 2, 6], [1, 2, 3] * 10
    X = {"A": [wide, [0] * 4], "B": [narrow, [0] * 30]}
    row = compare_pairs(tasks_of(table_of, X), "m", together=True).table.iloc[0]
    variances = np.array([np.var(values, ddof=1) / len(values) for values in (wide, narrow)]) / 4
    df = variances.sum() ** 2 / (variances**2 / [3, 29]).sum()
    half = stats.t.ppf(0.975, df) * np.sqrt(variances.sum())
    assert row["difference"] == 2.5
    assert [row["low_here"], row["high_here"]] == pytest.approx([2.5 - half, 2.5 + half])


@pytest.mark.parametrize("kind", ["complete", "missing", "pass or fail"])
def test_two_equal_tasks_halve_the_variance(table_of, kind):
    X = np.random.default_rng(5).normal(size=(3, 9)) + np.arange(3)[:, None]
    if kind == "missing":
        X[0, 2] = X[2, 5] = np.nan
    if kind == "pass or fail":
        X = (X > 1).astype(float)
    alone = compare_pairs(table_of(X, "m"), "m", test="additive").table
    double = compare_pairs(tasks_of(table_of, {"A": X, "B": X}), "m", baseline="1", together=True).table
    double = double.set_index("first").loc[alone.loc[alone["first"] == "1", "second"]].reset_index()
    alone = alone[alone["first"] == "1"]
    assert double["difference"].tolist() == pytest.approx((-alone["difference"]).tolist())
    error = (alone["difference"] / alone["statistic"]).to_numpy()
    half_of_one = (alone["high"] - alone["low"]).to_numpy() / 2
    df = np.array([_df_of_quantile(ratio) for ratio in half_of_one / error])
    half = (double["high_here"] - double["low_here"]).to_numpy() / 2
    np.testing.assert_allclose(half, stats.t.ppf(0.975, 2 * df) * error / np.sqrt(2), rtol=1e-6)
    assert (
        double["flag"].eq("constant difference").all()
    )  # tasks that do not vary say nothing of tasks like these


def _df_of_quantile(quantile):
    """Find the degrees of freedom whose quantile at .975 this is."""
    from scipy.optimize import brentq

    return brentq(lambda df: stats.t.ppf(0.975, df) - quantile, 1, 1000)


def test_years_are_named_and_only_systems_of_all_are_ranked(table_of):
    X = np.random.default_rng(1).normal(size=(3, 6))
    years = pd.concat([table_of(X, "m", year="2021"), table_of(X[:2] ** 2, "m", year="2022")])
    with pytest.warns(DataWarning, match="left out, as not all years and tasks have them: 3"):
        result = compare(years, "m", together=True)
    assert set(result.table["summarizer"]) == {"1", "2"}
    assert set(result.table["year"]) == {"2021+2022"}
    assert "on these years alone" in result.sentence


def test_clusters_within_tasks_widen_intervals_for_these_and_names_of_strata_are_no_topics():
    """Eight questions on four passages in each task of two years; the passage alone says who is better."""
    rows = [
        {"year": year, "task": task, "topic": f"q{topic}", "passage": f"p{topic // 2}", "system": system}
        for year in (2021, 2022)
        for task in "AB"
        for topic in range(8)
        for system in "xy"
    ]
    scores = pd.DataFrame(rows)
    rng = np.random.default_rng(3)
    of_passage = rng.normal(size=16).repeat(4)  # a task has four passages of two questions and two systems
    scores["quality"] = np.where(scores["system"] == "x", of_passage, 0) + rng.normal(0, 0.1, len(scores))
    clustered = compare_pairs(scores, "quality", together=True).table.iloc[0]
    alone = compare_pairs(scores.drop(columns="passage"), "quality", together=True).table.iloc[0]
    assert clustered["clustered_by"] == alone["clustered_by"] == "task"
    assert clustered["low"] == pytest.approx(alone["low"])
    assert clustered["low_here"] < alone["low_here"]


def test_what_cannot_be_compared_together_is_refused(table_of, three_tasks):
    with pytest.raises(UsageError, match="1 year and task to compare together; expected two or more"):
        compare(three_tasks, "m", task="A", together=True)
    for options in ({"test": "wilcoxon"}, {"means": "plain"}):
        with pytest.raises(UsageError, match="expected no other test or means"):
            compare(three_tasks, "m", together=True, **options)
    others = tasks_of(table_of, {"A": [[1, 2], [2, 4]], "B": [[1, 2]]})
    with pytest.raises(InputError, match="1 summarizers are in all of 2 years and tasks; expected 2 or more"):
        compare(others, "m", together=True)
    nan = np.nan
    apart = tasks_of(table_of, {"A": [[1, 2, 3, nan], [nan, nan, nan, 2]], "B": [[1, 2], [2, 4]]})
    with (
        pytest.raises(InputError, match="2021-A: no topics link all summarizers"),
        pytest.warns(DataWarning, match="2021-A: nothing is compared"),
    ):
        compare(apart, "m", together=True)


def test_lower_is_better_turns_every_sign(three_tasks):
    negated = three_tasks.assign(score=-three_tasks["score"])
    table = compare_pairs(negated, "m", together=True, lower_is_better="m").table
    other = compare_pairs(three_tasks, "m", together=True).table
    assert table["low_here"].tolist() == (-other["high_here"]).tolist()
    assert table["p_here_adjusted"].tolist() == other["p_here_adjusted"].tolist()
    ranking = compare(negated, "m", together=True, lower_is_better="m").table
    assert ranking[["summarizer", "best_rank_here"]].values.tolist() == [["1", 1], ["2", 2]]


def test_a_gate_counts_tasks(three_tasks):
    passed, message = evaluate_gate(
        compare_pairs(three_tasks, "m", baseline="2", together=True).table, "not-better"
    )
    assert not passed
    assert "with 3 tasks failures on fewer than 63 % of tasks may not have occurred" in message


@pytest.mark.slow
def test_intervals_cover_what_they_are_of(table_of):
    """Twenty pairs of systems a draw, whose differences vary between three tasks by .5."""
    rng = np.random.default_rng(8)
    covered = []
    for _ in range(40):
        effects = rng.normal(0, 0.5 / np.sqrt(2), (3, 40, 1))
        X = effects + rng.normal(size=(3, 1, 20)) + rng.normal(size=(3, 40, 20))
        table = compare_pairs(tasks_of(table_of, dict(zip("ABC", X, strict=True))), "m", together=True).table
        first, second = (table[name].astype(int) - 1 for name in ("first", "second"))
        disjoint = (first % 2 == 0) & (second == first + 1)
        here = effects[:, ::2, 0].mean(axis=0) - effects[:, 1::2, 0].mean(axis=0)
        rows = table[disjoint].set_index(first[disjoint]).sort_index()
        covered += [
            (rows["low"] < 0) & (rows["high"] > 0),
            (rows["low_here"] < here) & (rows["high_here"] > here),
            (rows["low_here"] < 0) & (rows["high_here"] > 0),
        ]
    like, these, these_for_like = (np.concatenate(covered[start::3]).mean() for start in range(3))
    assert len(covered[0]) == 20
    assert 0.925 < like < 0.975
    assert 0.925 < these < 0.975
    assert these_for_like < 0.85
