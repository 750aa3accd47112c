"""Rankings of metrics from tables: the same tests as of their pairs, clusters by hand, years together."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.analysis.metric_pairs import compare_metrics, rank_metrics
from classy_aesop.analysis.metrics import IntervalOptions, evaluate
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.significance.strata import stratified_mean

YEARS = ("2021", "2022", "2023")
NAMES = ["good", "fair", "same", "poor"]


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


HOW = {"n_resamples": 199, "levels": ["input"], "correction": "none"}


def test_clusters_are_those_of_the_tested_pairs(years):
    found = rank_metrics(*years, "human", **HOW)
    pairs = compare_metrics(*years, "human", **HOW).set_index(["year", "first", "second"])["p_overall"]
    assert found.groupby("year")["rank"].apply(list).tolist() == [[1, 2, 3, 4]] * 3
    for year, rows in found.groupby("year"):
        names = rows["metric"].tolist()
        assert set(names[1:3]) == {"fair", "same"}
        for place, (name, signs) in enumerate(zip(names, rows["beats"], strict=True)):
            below = [">" if pairs[year, name, other] <= 0.05 else "=" for other in names[place + 1 :]]
            assert signs.split() == ["."] * (place + 1) + below
        assert rows["cluster"].tolist() == [1, 2, 2, 3]
        assert rows["beats"].tolist() == [". > > >", ". . = >", ". . . >", ". . . ."]


@pytest.mark.parametrize("factor", [1e-6, 1 / 3, 7e5])
def test_equal_metrics_keep_the_order_of_their_names(years, factor):
    """One is a multiple of the other, so that rounding alone is between their correlations."""
    scores, human = years
    moved = scores.assign(score=scores["score"] * np.where(scores["metric"] == "same", factor, 1))
    found = rank_metrics(moved, human, "human", **HOW)
    assert (
        found.groupby("year")["metric"].apply(lambda names: list(names)[1:3]).tolist()
        == [["fair", "same"]] * 3
    )


def test_values_and_intervals_are_those_of_evaluate(years):
    found = rank_metrics(*years, "human", **HOW)
    interval = IntervalOptions("boot-both", n_resamples=199)
    known = evaluate(*years, levels=["input"], coefficients=["pearson"], interval=interval)
    both = found.merge(known, on=["year", "metric"], suffixes=("", "_known"))
    assert len(both) == 12
    for name in ("value", "low", "high"):
        np.testing.assert_array_equal(both[name], both[f"{name}_known"])


def test_years_together_have_the_mean_of_the_years(years):
    apart = rank_metrics(*years, "human", **HOW)
    found = rank_metrics(*years, "human", together=True, **HOW)
    assert found["year"].unique().tolist() == ["2021+2022+2023"]
    assert found["cluster"].tolist() == [1, 2, 2, 3]
    assert found["n_strata"].tolist() == [3] * 4
    means = apart.groupby("metric")["value"].mean()
    np.testing.assert_allclose(found.set_index("metric")["value"], means[found["metric"]])


def test_differences_of_years_together(years):
    """The difference is the mean of the years', its spread that of `stratified_mean`, and turned the interval turns."""
    how = {**HOW, "metrics": ["good", "fair"]}
    apart = compare_metrics(*years, "human", **how)
    found = compare_metrics(*years, "human", together=True, **how).set_index("first")
    one, other = found.loc["good"], found.loc["fair"]
    differences = apart.loc[apart["first"] == "good", "difference"]
    assert one["difference"] == pytest.approx(differences.mean())
    assert (one["low"], one["high"]) == (-other["high"], -other["low"])
    assert (one["low_others"], one["high_others"]) == (-other["high_others"], -other["low_others"])
    normal = IntervalOptions("boot-both", n_resamples=199, kind="normal")
    ends = compare_metrics(*years, "human", interval=normal, **how)
    ends = ends[ends["first"] == "good"]
    errors = (ends["high"] - ends["low"]) / 2 / 1.959964
    expected = stratified_mean(differences, errors)
    np.testing.assert_allclose(
        (one["low"], one["high"], one["spread"]), (expected.low, expected.high, expected.spread), rtol=1e-5
    )
    assert one["p"] <= apart["p"].min()
    assert one["interval"] == "boot-both-normal"


def test_a_metric_of_one_year_is_left_out_of_all_together(years):
    scores = years[0][(years[0]["metric"] != "same") | (years[0]["year"] == "2021")]
    with pytest.warns(DataWarning, match="not all years and tasks have them: same"):
        found = rank_metrics(scores, years[1], "human", together=True, **HOW)
    assert set(found["metric"]) == {"good", "fair", "poor"}
    few = scores[scores["metric"].isin(["same", "poor"])]
    with pytest.raises(InputError, match="1 metrics are in all of 3 years and tasks; expected 2 or more"):
        rank_metrics(few, years[1], "human", together=True, **HOW)


def test_a_metric_without_a_correlation_is_last_and_in_no_cluster(years):
    scores = years[0].assign(score=years[0]["score"].where(years[0]["metric"] != "good", 1.0))
    found = rank_metrics(scores, years[1], "human", year="2021", **HOW)
    assert found["metric"].iat[-1] == "good"
    assert found["cluster"].isna().tolist() == [False, False, False, True]


def test_zou_stands_beside_williams(years):
    table = compare_metrics(*years, "human", metric_test="williams")
    assert set(table["interval"]) == {"fisher"}
    assert (table["low"] < table["difference"]).all()
    assert (table["difference"] < table["high"]).all()
    without = compare_metrics(
        *years, "human", metric_test="williams", coefficients=["tau_ap"], n_resamples=9, year="2021"
    )
    assert set(without["interval"]) == {"boot-both"}


def test_wrong_requests(years):
    how = {"together": True}
    with pytest.raises(UsageError, match="williams does not take years together"):
        compare_metrics(*years, "human", metric_test="williams", **how)
    with pytest.raises(UsageError, match="no interval fisher of years together"):
        rank_metrics(*years, "human", interval=IntervalOptions("fisher"), **how)
    with pytest.raises(UsageError, match="no bca interval of a difference"):
        compare_metrics(*years, "human", interval=IntervalOptions("boot-inputs", kind="bca"))
    with pytest.raises(UsageError, match="no Fisher interval of tau_ap"):
        compare_metrics(*years, "human", interval=IntervalOptions("fisher"), coefficients=["tau_ap"])
    with pytest.raises(UsageError, match="metric_test is 'sign'"):
        rank_metrics(*years, "human", metric_test="sign")


@pytest.mark.slow(after=1)
def test_workers_change_nothing(years):
    alone = rank_metrics(*years, "human", together=True, **HOW)
    pd.testing.assert_frame_equal(rank_metrics(*years, "human", together=True, n_jobs=2, **HOW), alone)
