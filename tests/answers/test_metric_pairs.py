"""Metric against metric, from tables: the same as on the matrices, corrected in both families, and ranked."""

import itertools

import numpy as np
import pandas as pd
import pytest

from classy_aesop.answers.metric_pairs import METRIC_COMPARISON, evaluate_pairs
from classy_aesop.answers.metrics import evaluate
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.significance.metrics.metric_tests import METRIC_TESTS
from classy_aesop.significance.multiplicity.corrections import adjust_p_values
from classy_aesop.work.seeds import seeded_rng
from tests.significance.two_metrics import bootstrap_test, permutation_test, williams_test

NAMES = ["m1", "m2", "m10"]

pytestmark = [
    pytest.mark.filterwarnings("ignore:[0-9]+ systems. by exchanging"),
    pytest.mark.filterwarnings("ignore:system level. 1 of [0-9]+ cells are missing"),
]


def by_library(judged, method, pair, level, coefficient):
    X, Y, Z = judged[pair[0]], judged[pair[1]], judged["human"]
    options = {"level": level, "coefficient": coefficient, "means": "least-squares"}
    if method == "williams":
        return williams_test(X, Y, Z, **options)
    options |= {"n_resamples": 99, "rng": seeded_rng(4, "2021", "A", level, coefficient)}
    resample = {"boot": "both", "boot-systems": "systems", "boot-inputs": "inputs"}
    if method in resample:
        return bootstrap_test(X, Y, Z, resample=resample[method], **options)
    swap = {"perm-both": "cells", "perm-systems": "systems", "perm-inputs": "inputs"}[method]
    return permutation_test(X, Y, Z, swap=swap, **options)


@pytest.mark.slow
@pytest.mark.parametrize("method", list(METRIC_TESTS))
def test_comparisons_are_those_of_the_matrices(tables, judged, shuffle, method):
    how = {"test": method, "level": ["system", "input"], "coefficient": ["kendall"], "task": "A"}
    table = evaluate_pairs(*map(shuffle, tables), "human", n_resamples=99, seed=4, **how).table
    assert list(table) == [
        name
        for name in METRIC_COMPARISON.names
        if METRIC_COMPARISON[name].is_optional <= (name in ("year", "task"))
    ]
    for level in ("system", "input"):
        own = table[table["level"] == level]
        pairs = {frozenset((row["first"], row["second"])) for row in own.to_dict("records")}
        assert pairs == {frozenset(pair) for pair in itertools.combinations(NAMES, 2)}
        for row in own.to_dict("records"):
            pair = row["first"], row["second"]
            found, here = (by_library(judged, name, pair, level, "kendall") for name in (method, "perm-both"))
            assert (row["p"], row["difference"], row["n"]) == (found.p, found.difference, found.n)
            assert (row["p_here"], row["difference"] >= 0) == (here.p, True)
        for p in ("p", "p_here"):
            np.testing.assert_array_equal(own[f"{p}_adjusted"], adjust_p_values(own[p]))


@pytest.mark.slow
def test_which_metric_comes_first_changes_no_number(tables):
    """The better one does; the interval is that of the difference, whichever name is first."""
    names = {"m1": "z1", "m2": "z2", "m10": "z0"}
    renamed = tables[0].assign(metric=tables[0]["metric"].map(names))
    one, other = (
        evaluate_pairs(scores, tables[1], "human", n_resamples=99).table for scores in (tables[0], renamed)
    )
    for row in one.to_dict("records"):
        same = other[(other["task"] == row["task"]) & (other["first"] == names[row["first"]])]
        [again] = same[same["second"] == names[row["second"]]].to_dict("records")
        for name in ("difference", "low", "high", "p", "p_here"):
            assert again[name] == pytest.approx(row[name], abs=1e-12)


@pytest.mark.slow
def test_p_does_not_depend_on_what_else_is_tested(tables):
    options = {"n_resamples": 99, "seed": 1}
    everything = evaluate_pairs(*tables, "human", level=["system", "input"], **options).table
    alone = evaluate_pairs(*tables, "human", metric=["m10", "m1"], task="B", **options).table
    key = ["task", "level", "first", "second"]
    both = alone.merge(everything, on=key, suffixes=("", "_all"))
    assert len(both) == 1
    assert list(both["p"]) == list(both["p_all"])


@pytest.mark.slow
def test_a_family_is_one_task_level_and_coefficient(tables):
    """By Holm, by hand: three pairs are a family."""
    how = {"test": "williams", "coefficient": ["pearson", "kendall"]}
    table = evaluate_pairs(*tables, "human", **how).table
    families = [family for _, family in table.groupby(["task", "coefficient"])]
    assert [len(family) for family in families] == [3] * 4
    for family in families:
        for name in ("p", "p_here"):
            ordered = family.sort_values(name)
            steps = np.maximum.accumulate(ordered[name] * [3, 2, 1]).clip(upper=1)
            np.testing.assert_allclose(ordered[f"{name}_adjusted"], steps)


@pytest.mark.slow
def test_few_systems_are_said(tables):
    """The smallest p of five systems is 2 / 2^5; of six 2 / 2^6, so that one test can be significant."""
    for n, needed in ((5, 6), (6, 7)):
        names = sorted(set(tables[1]["summarizer"]))[:n]
        few = [table[table["summarizer"].isin(names)] for table in tables]
        metrics = ["m1", "m2"] if n == 5 else None
        with pytest.warns(DataWarning, match=f"^{n} systems: .* expected {needed} or more systems"):
            found = evaluate_pairs(*few, "human", metric=metrics, task="A", n_resamples=199).table
        assert found["p"].min() >= 2 / 2**n
        assert set(found["n_resamples"]) == {2**n}


WRONG = [
    ({"metric": ["good"]}, InputError, "too few metrics to compare"),
    ({"together": True, "test": "williams"}, UsageError, "williams cannot combine years"),
    ({"together": True, "interval": "fisher"}, UsageError, "interval fisher cannot combine years"),
    ({"interval": "fisher", "coefficient": ["tau_ap"]}, UsageError, "no Fisher interval of tau_ap"),
    ({"baseline": "nonsense"}, UsageError, "no metric 'nonsense'; expected one of fair, good, poor, same"),
]


@pytest.mark.parametrize(("how", "error", "said"), WRONG)
def test_wrong_requests(years, how, error, said):
    with pytest.raises(error, match=said):
        evaluate_pairs(*years, "human", **how)


def test_tables_that_cannot_be_compared(tables):
    nothing = tables[0], tables[1].assign(score=np.nan)
    with pytest.raises(InputError, match="no instance is in both tables"):
        evaluate_pairs(tables[0].assign(topic="x"), tables[1], "human")
    for of in (evaluate_pairs, lambda *parts: evaluate(*parts[:2]).table):
        with pytest.raises(InputError, match=r"^no human scores: all values are missing$"):
            of(*nothing, "human")


@pytest.mark.slow
def test_parts_and_workers_change_nothing(tables, monkeypatch, capsys):
    """Pairs that are tested in different parts have the same exchanges, too."""
    how = {"level": ["input", "system"], "coefficient": ["acc_eq", "pearson"], "n_resamples": 99}
    together = evaluate_pairs(*tables, "human", progress=True, **how).table
    assert "8/8" in capsys.readouterr().err  # 3 pairs of 2 tasks, 2 levels and 2 coefficients
    monkeypatch.setattr("classy_aesop.answers.metric_pairs.PAIRS_OF_A_BLOCK", 1)
    pd.testing.assert_frame_equal(evaluate_pairs(*tables, "human", **how).table, together)
    pd.testing.assert_frame_equal(evaluate_pairs(*tables, "human", n_jobs=2, **how).table, together)


YEARS = ("2021", "2022", "2023")


@pytest.fixture(scope="module")
def years(table_of):
    """Three years in which one metric is good, two are alike, and one says nothing."""
    parts = []
    for number, year in enumerate(YEARS):
        rng = np.random.default_rng(number)
        Z = rng.normal(size=(10, 12)) + np.arange(10)[:, None] / 2
        fair = Z + 2 * rng.normal(size=Z.shape)
        metrics = {"good": Z + rng.normal(size=Z.shape) / 9, "fair": fair, "same": 2 * fair + 1}
        metrics |= {"poor": rng.normal(size=Z.shape), "human": Z}
        parts += [table_of(values, name, year=year) for name, values in metrics.items()]
    table = pd.concat(parts, ignore_index=True)
    human = table["metric"] == "human"
    return table[~human].reset_index(drop=True), table[human].reset_index(drop=True)


HOW = {"n_resamples": 199, "level": ["input"], "correction": "none"}


@pytest.mark.slow
def test_clusters_are_those_of_the_tested_pairs(years):
    found = evaluate_pairs(*years, "human", **HOW).first().table
    tested = evaluate_pairs(*years, "human", **HOW).table
    pairs = tested.set_index(["year", "first", "second"])["p_adjusted"].to_dict()
    pairs |= {(year, second, first): p for (year, first, second), p in pairs.items()}
    assert found.groupby("year")["rank"].apply(list).tolist() == [[1, 2, 3, 4]] * 3
    for year, rows in found.groupby("year"):
        names = rows["metric"].tolist()
        assert set(names[1:3]) == {"fair", "same"}
        for place, (name, signs) in enumerate(zip(names, rows["beats"], strict=True)):
            below = [">" if pairs[year, name, other] <= 0.05 else "=" for other in names[place + 1 :]]
            assert signs.split() == ["."] * (place + 1) + below
        assert rows["cluster"].tolist() == [1, 2, 2, 3]
        assert rows["beats"].tolist() == [". > > >", ". . = >", ". . . >", ". . . ."]


@pytest.mark.slow
@pytest.mark.parametrize("factor", [1e-6, 1 / 3, 7e5])
def test_equal_metrics_keep_the_order_of_their_names(years, factor):
    """One is a multiple of the other, so that rounding alone is between their correlations."""
    scores, human = years
    moved = scores.assign(score=scores["score"] * np.where(scores["metric"] == "same", factor, 1))
    found = evaluate_pairs(moved, human, "human", **HOW).first().table
    second = found.groupby("year")["metric"].apply(lambda names: list(names)[1:3])
    assert second.tolist() == [["fair", "same"]] * 3


@pytest.mark.slow
def test_values_of_years_apart_and_together(years):
    found = evaluate_pairs(*years, "human", **HOW).first().table
    drawn = {"n_resamples": 199}
    known = evaluate(*years, level=["input"], coefficient=["pearson"], **drawn).table
    both = found.merge(known, on=["year", "metric"], suffixes=("", "_known"))
    assert len(both) == 12
    for name in ("value", "low", "high"):
        np.testing.assert_array_equal(both[name], both[f"{name}_known"])
    apart, found = found, evaluate_pairs(*years, "human", together=True, **HOW).first().table
    assert found["year"].unique().tolist() == ["2021+2022+2023"]
    assert found["cluster"].tolist() == [1, 2, 2, 3]
    means = apart.groupby("metric")["value"].mean()
    np.testing.assert_allclose(found.set_index("metric")["value"], means[found["metric"]])


@pytest.mark.slow
def test_differences_of_years_together(years):
    """The difference is the mean of the years'; other years like these have a wider interval."""
    how = {**HOW, "metric": ["good", "fair"]}
    apart = evaluate_pairs(*years, "human", **how).table
    one = evaluate_pairs(*years, "human", together=True, **how).table.set_index("first").loc["good"]
    differences = apart.loc[apart["first"] == "good", "difference"]
    assert one["difference"] == pytest.approx(differences.mean())
    assert one["p"] <= apart["p"].min()
    assert one["low_others"] < one["low"] < one["difference"] < one["high"] < one["high_others"]
    assert one["n_strata"] == 3


@pytest.mark.slow
def test_a_metric_of_one_year_is_left_out_of_all_together(years):
    scores = years[0][(years[0]["metric"] != "same") | (years[0]["year"] == "2021")]
    with pytest.warns(DataWarning, match="not all years and tasks have them: same"):
        found = evaluate_pairs(scores, years[1], "human", together=True, **HOW).first().table
    assert set(found["metric"]) == {"good", "fair", "poor"}
    few = scores[scores["metric"].isin(["same", "poor"])]
    with pytest.raises(InputError, match="1 metrics are in all of 3 years and tasks; expected 2 or more"):
        evaluate_pairs(few, years[1], "human", together=True, **HOW).first()


@pytest.mark.slow
def test_a_metric_without_a_correlation_is_last_and_in_no_cluster(years):
    scores = years[0].assign(score=years[0]["score"].where(years[0]["metric"] != "good", 1.0))
    found = evaluate_pairs(scores, years[1], "human", year="2021", **HOW).first().table
    assert found["metric"].iat[-1] == "good"
    assert found["cluster"].isna().tolist() == [False, False, False, True]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("test", ["perm-systems", "perm-both", "boot"])
def test_an_interval_excludes_0_exactly_where_p_is_significant(years, test):
    table = evaluate_pairs(*years, "human", test=test, n_resamples=199, level=["input", "system"]).table
    excludes = (table["low"] > 0) | (table["high"] < 0)
    assert (excludes == (table["p"] <= 0.05)).all()
    assert set(excludes) == {False, True}
    assert (table["low"] <= table["difference"]).all()
    assert (table["difference"] <= table["high"] + 1e-12).all()


@pytest.mark.slow
def test_williams_gives_no_interval_of_differences_but_the_ranking_has_those_of_correlations(years):
    result = evaluate_pairs(*years, "human", test="williams", year="2021", interval="fisher")
    assert result.table[["low", "high"]].isna().all(axis=None)
    assert "[" not in result.sentence
    assert result.first().table[["low", "high"]].notna().all(axis=None)


def test_a_constant_metric_is_flagged(tables):
    scores = tables[0].assign(score=tables[0]["score"].where(tables[0]["metric"] != "m2", 1.0))
    table = evaluate_pairs(scores, tables[1], "human", n_resamples=59).table
    touched = (table["first"] == "m2") | (table["second"] == "m2")
    assert touched.sum() == 4  # in two tasks
    assert set(table.loc[touched, "flag"]) == {"undefined correlation"}
    assert set(table.loc[touched, "p"]) == {1.0}
    assert set(table.loc[~touched, "flag"]) == {""}


@pytest.mark.slow
def test_too_few_resamples_for_the_pairs_are_reported(tables):
    with pytest.warns(DataWarning, match=r"58 resamples cannot make a p of 3 tests .*; 59 or more can"):
        evaluate_pairs(*tables, "human", n_resamples=58)
    evaluate_pairs(*tables, "human", n_resamples=59)
    with pytest.warns(
        DataWarning, match=r"298 resamples cannot make .* significant at 0\.01 .*; 299 or more can"
    ):
        evaluate_pairs(*tables, "human", n_resamples=298, alpha=0.01)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("baseline", ["m10", ["m10"]])
def test_a_baseline_is_the_second_of_every_pair_and_its_pairs_are_a_family(tables, baseline):
    """By Holm, by hand: two tests, each p of which is that among all pairs."""
    options = {"n_resamples": 99, "task": "A"}
    table = evaluate_pairs(*tables, "human", baseline=baseline, **options).table
    assert table[["first", "second"]].to_numpy().tolist() == [["m1", "m10"], ["m2", "m10"]]
    everything = evaluate_pairs(*tables, "human", **options).table
    for row in table.to_dict("records"):
        pair = {row["first"], row["second"]}
        [other] = [one for one in everything.to_dict("records") if {one["first"], one["second"]} == pair]
        sign = 1 if other["second"] == "m10" else -1
        assert (row["p"], row["p_here"]) == (other["p"], other["p_here"])
        assert row["difference"] == pytest.approx(sign * other["difference"], abs=1e-12)
        assert row["r_first"] - row["r_second"] == pytest.approx(row["difference"], abs=1e-12)
        ends = [sign * other["low"], sign * other["high"]]
        assert [row["low"], row["high"]] == pytest.approx(sorted(ends), abs=1e-12)
    low, high = sorted(table["p"])
    assert sorted(table["p_adjusted"]) == pytest.approx([min(2 * low, 1), max(2 * low, high)])


def test_several_baselines_are_tested_against_each_other_once(tables):
    result = evaluate_pairs(*tables, "human", baseline=["m2", "m1"], n_resamples=99, task="A")
    pairs = result.table[["first", "second"]].to_numpy().tolist()
    assert pairs == [["m1", "m2"], ["m10", "m2"], ["m10", "m1"]]
    assert result.first is None


@pytest.fixture(scope="module")
def two_targets(years):
    scores, human = years
    return scores, pd.concat([human, human.assign(metric="other", score=-human["score"])])


@pytest.mark.slow
def test_each_target_is_a_family_with_its_own_sentence(years, two_targets):
    options = {"n_resamples": 199, "level": "input", "year": "2021"}
    result = evaluate_pairs(*two_targets, **options)
    alone = evaluate_pairs(*years, "human", **options).table
    of_human = result.table[result.table["target"] == "human"].reset_index(drop=True)
    pd.testing.assert_frame_equal(of_human, alone)
    assert "differences between metrics by human are" in result.sentence
    assert "differences between metrics by other are" in result.sentence
    ranking = result.first()
    best = ranking.table.groupby("target", sort=False)["metric"].first()
    assert (best["human"], ranking.table["target"].nunique()) == ("good", 2)
    assert "best with human" in ranking.sentence
    assert "is not shown to agree with other" in ranking.sentence
    pd.testing.assert_frame_equal(evaluate_pairs(*two_targets, ["human"], **options).table, alone)


def test_what_is_better_than_a_baseline_is_said():
    rows = pd.DataFrame({"first": ["a", "b", "c"], "second": "base", "difference": [0.2, -0.1, 0.05]})
    rows = rows.assign(
        p_adjusted=[0.01, 0.05, 0.2],
        p_here_adjusted=[0.01, 0.01, 0.2],
        alpha=0.05,
        target="t",
        baseline="base, other",
    )
    assert METRIC_COMPARISON.sentence(rows) == (
        "Compared with base by t: a agrees significantly better; b agrees significantly worse; 1 does not differ "
        "significantly. Tested on these systems alone, 2 differ."
    )
    p_values = {"p_adjusted": [0.01, 0.2, 0.05], "p_here_adjusted": [0.01, 0.2, 0.01]}
    more = rows.assign(second="other", first=["a", "c", "base"], **p_values)
    assert METRIC_COMPARISON.sentence(pd.concat([rows, more])) == (
        "Compared with base by t: a agrees significantly better; b, other agree significantly worse; 1 does not "
        "differ significantly. Tested on these systems alone, 3 differ. Compared with other by t: a, base agree "
        "significantly better; none agrees significantly worse; 1 does not differ significantly. Tested on these "
        "systems alone, 2 differ."
    )


def rows_of(latex):
    return [line.removesuffix(" \\\\").split(" & ") for line in latex.splitlines() if line.endswith("\\\\")]


@pytest.mark.slow
def test_a_paper_prints_the_ranking_unless_columns_of_pairs_are_named(years):
    result = evaluate_pairs(*years, "human", year="2021", **HOW)
    ranking = list(result.first())
    latex = result.to_latex()
    head, *rows = rows_of(latex)
    assert head == ["metric", "value"]
    assert [row[0] for row in rows] == [row["metric"] for row in ranking]
    assert rows[0][1].startswith("\\textbf{")
    stars = [row[1].partition("$^{")[2].strip("*}$") == "" and "*" in row[1] for row in rows]
    assert stars == [row["p_best"] <= 0.05 for row in ranking]
    assert True in stars
    assert "significantly worse than the best: **: $p" in latex
    assert "\\label{tab:evaluate-pairs}" in latex
    assert "first & second" in result.to_latex(columns_shown=["first", "second", "difference"])


@pytest.mark.slow
def test_a_paper_prints_targets_side_by_side(two_targets):
    pairs = evaluate_pairs(*two_targets, year="2021", n_resamples=199)
    titles, *rows = rows_of(pairs.to_latex())
    assert [title.rpartition("{c}")[2] for title in titles] == ["metric", "{human}", "{other}"]
    assert sorted(row[0] for row in rows) == ["fair", "good", "poor", "same"]
    correlations = evaluate(*two_targets, year="2021", level="system", coefficient=["pearson", "kendall"])
    titles, head, *rows = rows_of(correlations.to_latex())
    assert head == ["metric", "pearson", "kendall", "pearson", "kendall"]
    best = [max(row[column] for row in rows if "textbf" in row[column]) for column in (1, 3)]
    assert not any("[" in cell for row in rows for cell in row)
    assert [value.startswith("\\textbf{") for value in best] == [True, True]


def test_the_best_metric_is_what_others_are_tested_against(years):
    result = evaluate_pairs(*years, "human", year="2021", **HOW)
    best, *others = result.first()
    assert np.isnan(best["p_best"])
    pairs = {frozenset((row["first"], row["second"])): row["p_adjusted"] for row in result}
    assert [row["p_best"] for row in others] == [
        pairs[frozenset((best["metric"], row["metric"]))] for row in others
    ]
