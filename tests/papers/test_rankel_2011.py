"""Counts of significant pairs are those of the tests; maps of scores and ranks of topics, by hand."""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_ind

from classy_aesop.answers.score_matrices import ScoreMatrix
from classy_aesop.answers.systems import compare_pairs
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.rankel_2011 import compare_topics, pair_counts, score_map, topic_ranks
from classy_aesop.papers.rankel_2013 import best_pairs
from classy_aesop.papers.rankel_2016 import score_ranks
from classy_aesop.work.seeds import seeded_rng

NAMES = ("1", "2", "3", "4", "A", "B")


@pytest.fixture
def overall():
    rng = seeded_rng(4, "pairs")
    return rng.normal(size=(6, 12)) + np.array([[0, 0.5, 1, 1.5, 2, 2.5]]).T


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("mixed", [False, True])
def test_counts_are_those_of_compare(corpus_of, overall, mixed):
    corpus = corpus_of({"overall": overall}, names=NAMES)
    table = pair_counts(StudyData([corpus]), metrics=["overall"], mixed=mixed).table.set_index("test")
    assert set(table["n_pairs"]) == {8 if mixed else 15}
    for test in ("paired_t", "wilcoxon"):
        how = {"among": "mixed" if mixed else "all", "humans": corpus.humans()}
        found = compare_pairs(corpus.judgments, "overall", test=test, correction="none", **how).table
        assert table.loc[test, "n_significant"] == found["significant"].sum() > 0
    pairs = [
        (first, second)
        for first, second in combinations(range(6), 2)
        if not mixed or (first < 4) != (second < 4)
    ]
    p_values = [ttest_ind(overall[first], overall[second]).pvalue for first, second in pairs]
    assert table.loc["unpaired_t", "n_significant"] == sum(p <= 0.05 for p in p_values) > 0


@pytest.mark.slow
def test_both_t_count_alike_under_exchanges(corpus_of, overall):
    corpus = corpus_of({"overall": overall}, names=NAMES)
    table = pair_counts(
        StudyData([corpus]), metrics=["overall"], with_resampling=True, n_resamples=99
    ).table.set_index("test")
    assert len(table) == 9
    assert table.loc["mc_unpaired_t", "n_significant"] == table.loc["mc_paired_t", "n_significant"]
    assert table["n_by_cutoff"].dtype == "Int64"  # a screen shows 88, not 88.000
    assert (table["n_by_cutoff"].dropna() >= table["n_significant"][3:]).all()


@pytest.mark.slow
def test_only_the_best_systems_and_jackknifed_measures_are_counted(corpus_of, overall):
    with_twin = corpus_of({"pyramid": np.zeros((6, 12)), "pyramid_jackknifed": overall}, names=NAMES)
    alone = corpus_of({"pyramid": overall}, names=NAMES)
    data = [StudyData([corpus]) for corpus in (with_twin, alone)]
    counts = [pair_counts(one, metrics=["pyramid"]).table["n_significant"].tolist() for one in data]
    assert counts[0] == counts[1]
    best = [best_pairs(one, top=4).table["n_significant"].tolist() for one in data]
    assert best[0] == best[1]
    X = np.array([[5.0] * 8, [4.0] * 8, [1.0] * 8, [2.0] * 8]) + np.arange(8) / 100
    table = best_pairs(StudyData([corpus_of({"overall": X})]), top=3).table
    assert table[["n_pairs", "n_significant"]].to_numpy().tolist() == [[3, 3]]


@pytest.mark.slow
def test_a_measure_without_humans_is_left_out_by_name(corpus_of, overall):
    with pytest.raises(InputError, match=r"too few pairs of a human and a system to compare \(2021-A: 0\)"):
        pair_counts(StudyData([corpus_of({"overall": overall})]), metrics=["overall"], mixed=True)
    of_systems = np.vstack([overall[:4], np.full((2, 12), np.nan)])
    corpus = corpus_of({"overall": overall, "ease": of_systems}, names=NAMES)
    measures = ["overall", "ease"]
    with pytest.warns(match="left out: too few pairs of a human and a system"):
        table = pair_counts(StudyData([corpus]), metrics=measures, mixed=True).table
    assert set(table["metric"]) == {"overall"}
    assert set(pair_counts(StudyData([corpus]), metrics=measures).table["metric"]) == {"ease", "overall"}


GROUPS = np.array([[1, 2, 2, 3], [2, 3, 4, 4], [3, 4, 5, 5]]).T
"""Three topics of the specification, four summarizers."""


def test_rows_and_columns_stand_in_order_of_their_names(corpus_of):
    corpus = corpus_of({"overall": [[1, 2], [5, 4], [3, 5]]}, names=["10", "A", "2"])
    table = score_map(StudyData([corpus]), "overall").table
    assert table["summarizer"].tolist() == ["2", "2", "10", "10", "A", "A"]
    assert table["topic"].tolist() == ["t1", "t2"] * 3
    assert table["score"].tolist() == [3, 5, 1, 2, 5, 4]
    assert table["human"].tolist() == [False] * 4 + [True] * 2
    table = score_map(StudyData([corpus_of({"overall": [[1, 2], [5, np.nan], [3, 5]]})]), "overall").table
    assert len(table) == 5
    with pytest.raises(UsageError, match="no metric 'form'"):
        score_map(StudyData([corpus_of({"overall": GROUPS})]), "form")


def test_topics_differ_as_in_the_worked_example(corpus_of):
    table = topic_ranks(StudyData([corpus_of({"overall": GROUPS})]), "overall").table
    assert table["mean_rank"].tolist() == [3.25, 6.75, 9.5]
    assert table["n_different"].tolist() == [1, 0, 1]  # only the first and the third
    assert table["p"].iloc[0] == pytest.approx(0.042298, abs=1e-6)
    assert (table["high"] - table["low"]).tolist() == pytest.approx([5.837906] * 3, abs=1e-6)


CASES = json.loads((Path(__file__).parents[1] / "oracles/groups.json").read_text())["cases"]


def matrix_of_groups(groups):
    """Give groups of scores as the columns of a score matrix."""
    X = np.full((max(map(len, groups)), len(groups)), np.nan)
    for column, group in enumerate(groups):
        X[: len(group), column] = group
    return ScoreMatrix("", "", "h", X, tuple(map(str, range(len(X)))), tuple(map(str, range(len(groups)))))


@pytest.mark.parametrize(
    "case", [case for case in CASES if len(case["groups"]) > 1], ids=lambda case: case["id"]
)
def test_topics_are_compared_as_in_r(case):
    expected = case["expected"]
    table = compare_topics(matrix_of_groups(case["groups"]), None)
    assert table["p"].iloc[0] == pytest.approx(expected["kruskal"]["p"], abs=1e-10)
    assert table["mean_rank"].to_numpy() == pytest.approx(np.array(expected["mean_ranks"]), rel=1e-10)
    n_different = np.zeros(len(table), int)
    for pair, p in zip(expected["hsd"]["pairs"], np.atleast_1d(expected["hsd"]["p"]), strict=True):
        n_different[np.array(pair) - 1] += p <= 0.05
    assert table["n_different"].tolist() == n_different.tolist()


@pytest.mark.parametrize(
    ("k", "quantile"), [(2, 2.77180764901919), (8, 4.28630951255947), (58, 5.74255118949377)]
)
def test_intervals_have_the_quantiles_of_r(k, quantile):
    """R 4.2.2: qtukey(.95, k, Inf), to 1e-6; the variance of one of k ranks is k (k + 1) / 12."""
    table = compare_topics(matrix_of_groups([[rank] for rank in range(k)]), None)
    widths = (table["high"] - table["low"]) / np.sqrt(k * (k + 1) / 12)
    assert widths.to_numpy() == pytest.approx(quantile, abs=1e-6)


@pytest.mark.parametrize("groups", [[[1, 2]], [[3, 3], [3, 3]]])
def test_topics_that_cannot_be_tested_do_not_differ(groups):
    table = compare_topics(matrix_of_groups(groups), None)
    assert (table["p"].tolist(), table["n_different"].sum()) == ([1.0] * len(groups), 0)


def test_scores_that_differ_by_rounding_share_a_rank():
    table = compare_topics(matrix_of_groups([[0.1 + 0.2, 0.5], [0.3, 0.6]]), None)
    assert table["mean_rank"].tolist() == [2.25, 2.75]


@pytest.mark.slow
def test_equal_scores_share_the_mean_rank_by_measure(corpus_of):
    table = score_ranks(StudyData([corpus_of({"overall": GROUPS})])).table
    assert table["count"].tolist() == [1, 3, 3, 3, 2]
    assert table["mid_rank"].tolist() == [1, 3, 6, 9, 11.5]
    table = score_ranks(
        StudyData([corpus_of({"focus": [[1, 2], [2, 2]], "grammar": [[5, 5], [4, 5]]})])
    ).table
    found = table.set_index(["metric", "score"])
    counts = {("focus", 1): 1, ("focus", 2): 3, ("grammar", 4): 1, ("grammar", 5): 3}
    assert found["count"].to_dict() == counts
    assert found["share"].tolist() == [0.25, 0.75] * 2
    one = score_ranks(StudyData([corpus_of({"focus": [[1, 2]], "a": [[0, 0]]})]), metrics=["focus"]).table
    assert set(one["metric"]) == {"focus"}


def test_no_metric_is_computed_where_none_is_wanted(corpus_of, monkeypatch):
    monkeypatch.setattr("classy_aesop.papers.judged.Rouge", None)
    corpus = corpus_of({"overall": GROUPS})
    assert len(score_map(StudyData([corpus]), "overall").table) == 12
    with pytest.raises(TypeError):
        score_map(StudyData([corpus]), "ROUGE-2-R")
