"""What studies work on, and studies of metrics against one human measure: the numbers that they stand on."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.papers.deutsch_2021 import metric_intervals, metric_pairs, score_normality
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.lin_hovy_2003 import ngram_correlations, ngram_hits, significant_hits
from classy_aesop.papers.rankel_2016 import human_gap
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.work.seeds import seeded_rng
from tests.significance.two_metrics import permutation_test

NAMES = ("1", "2", "3", "4", "5", "A", "B")


@pytest.fixture
def truth():
    return seeded_rng(6, "truth").normal(size=(7, 9)) + np.arange(7)[:, None] / 2


@pytest.fixture
def metrics(truth):
    rng = seeded_rng(6, "metrics")
    return {name: truth + size * rng.normal(size=truth.shape) for name, size in (("near", 0.5), ("far", 3))}


@pytest.fixture
def corpus(corpus_of, truth):
    return corpus_of({"overall": truth}, names=NAMES)


@pytest.fixture
def scores(table_of, metrics):
    return table_of(metrics, names=NAMES)


@pytest.mark.slow
def test_correlations_are_those_of_the_systems(corpus, scores, truth, metrics):
    table = metric_intervals(
        StudyData([corpus], scores), "overall", coefficient="pearson", n_resamples=20
    ).table
    assert table["level"].tolist() == ["system"] * 2 + ["input"] * 2
    assert (table["value"].diff()[[1, 3]] < 0).all()  # the best first
    for row in table.itertuples():
        expected = correlation(metrics[row.metric][:5], truth[:5], level=row.level).value
        assert row.value == pytest.approx(expected)
        assert row.low <= row.high


@pytest.mark.slow
def test_pairs_are_the_papers_test_both_ways(corpus, scores, metrics, truth):
    table = metric_pairs(StudyData([corpus], scores, "all_peers"), "overall", n_resamples=39).table
    assert len(table) == 4  # two metrics, two levels
    for row in table.itertuples():
        X, Y = metrics[row.first], metrics[row.second]
        rng = seeded_rng(0, row.year, row.task, row.level, "pearson")
        how = {"swap": "cells", "alternative": "greater", "level": row.level, "n_resamples": 39}
        assert row.p == permutation_test(X, Y, truth, rng=rng, **how).p
    corrected = table[["p_by_first", "p_overall"]].fillna(1.0)
    assert (corrected.to_numpy() >= table[["p"]].to_numpy()).all()


@pytest.mark.slow
def test_pairs_are_corrected_as_asked(corpus, scores):
    own = scores[scores["metric"] == "near"]
    noise = seeded_rng(6, "third").normal(scale=0.4, size=len(own))
    third = own.assign(metric="third", score=own["score"] + noise)
    data = StudyData([corpus], pd.concat([scores, third]), "all_peers")
    holm, bonferroni = (
        metric_pairs(data, "overall", correction=correction, n_resamples=199).table
        for correction in ("holm", "bonferroni")
    )
    assert np.allclose(bonferroni["p_by_first"], (2 * bonferroni["p"]).clip(upper=1))
    assert (holm["p_by_first"] < bonferroni["p_by_first"]).any()
    assert set(bonferroni["correction"]) == {"bonferroni"}


def test_points_are_the_means_of_each_summarizer(corpus, scores, metrics, truth):
    table = human_gap(StudyData([corpus], scores), "overall", metrics=["near"]).table
    assert table["summarizer"].tolist() == list(NAMES)
    assert table["human"].tolist() == [False] * 5 + [True] * 2
    assert table["score"].tolist() == pytest.approx(metrics["near"].mean(axis=1).tolist())
    assert table["human_score"].tolist() == pytest.approx(truth.mean(axis=1).tolist())


def test_normality_is_of_systems_by_measure_and_metric(corpus, scores):
    table = score_normality(StudyData([corpus], scores), "overall").table
    assert table["metric"].tolist() == ["overall", "far", "near"]
    assert set(table["n_tested"]) == {9}


@pytest.mark.slow
def test_ngram_tables_take_any_metric(corpus, scores, truth, metrics):
    table = ngram_correlations(StudyData([corpus], scores), "overall").table.set_index("metric")
    r = correlation(metrics["near"][:5], truth[:5]).value
    found = table.loc["near", ["pearson", "determination", "n"]]
    assert found.tolist() == pytest.approx([r, r * r, 5])
    assert table.loc["near", "regression_t"] == pytest.approx(r * np.sqrt(3 / (1 - r * r)))
    found = ngram_hits(StudyData([corpus], scores), "overall", metrics=["far"]).table
    expected = significant_hits(metrics["far"][:5], truth[:5])
    assert dict(zip(found["alpha"], found["tp"], strict=True)) == {
        at: one["tp"] for at, one in expected.items()
    }


def test_what_cannot_be_compared_is_refused(corpus, scores, corpus_of, truth):
    with pytest.raises(InputError, match="two corpora hold the same summaries"):
        StudyData([corpus, corpus], scores).tables("no_models")
    with pytest.raises(InputError, match="7 scored summaries are in none of the corpora"):
        StudyData([corpus], scores.assign(topic="elsewhere")).tables("no_models")
    with pytest.raises(UsageError, match="no year '1999'; known: 2021"):
        StudyData([corpus], scores, year="1999").tables("no_models")
    with pytest.raises(UsageError, match="no target 'form'"):
        score_normality(StudyData([corpus], scores), "form")
    more = scores.assign(summarizer=scores["summarizer"].replace("1", "x"))
    with pytest.warns(DataWarning, match="left out: 9 scored summaries are in none of .*: 2021 t1-A x"):
        found = StudyData([corpus], more).tables("no_models").scores
    assert set(found["summarizer"]) == {"2", "3", "4", "5"}
    assert len(StudyData([corpus], scores.assign(year="")).tables("no_models").scores) == 2 * 5 * 9
    other = corpus_of({"overall": truth}, names=NAMES, year="2022")
    tables = StudyData([corpus, other], year="2022").tables("all_peers", score=None)
    assert set(tables.judgments["year"]) == {"2022"}
    assert len(tables.judgments) == 63
