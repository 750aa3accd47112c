"""Agreement averaged and pooled is that of the parts; bold cells are within the interval of the best."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.label_decisions import compare_decisions
from classy_aesop.papers.rankel_2013 import STUDIED_MEASURES, best_metrics, label_agreement
from classy_aesop.work.seeds import seeded_rng


@pytest.fixture
def years(corpus_of, table_of):
    """Two judged years, and scores of a good metric, a bad one and one that is the human score."""
    corpora, scores = [], []
    for year in ("2021", "2022"):
        rng = seeded_rng(5, year)
        truth = rng.normal(size=(8, 12)) + np.linspace(0, 2, 8)[:, None]
        metrics = {"good": truth + rng.normal(size=(8, 12)), "bad": rng.normal(size=(8, 12)), "same": truth}
        corpora.append(corpus_of({"overall": truth}, year=year))
        scores.append(table_of(metrics, year=year))
    return corpora, pd.concat(scores, ignore_index=True)


@pytest.mark.slow
def test_means_and_sums_are_those_of_the_years(years):
    corpora, scores = years
    table = label_agreement(StudyData(corpora, scores), combine=2).table.set_index(["metric", "over"])
    judgments = pd.concat([corpus.judgments for corpus in corpora])
    parts = compare_decisions(
        scores, judgments, "overall", top=30, test="wilcoxon", combine=2, preset="rankel2013"
    )
    assert parts["precision"].isna().any()  # which the paper's means take as 0
    for metric, own in parts.fillna({"precision": 0.0}).groupby("metric"):
        mean, pooled = table.loc[(metric, "mean")], table.loc[(metric, "pooled")]
        assert mean["n_parts"] == len(own) == 2
        for name in STUDIED_MEASURES:
            assert mean[name] == pytest.approx(own[name].mean())
        counts = ["tp", "fn", "fp", "tn", "contradictions"]
        assert pooled[counts].tolist() == own[counts].sum().tolist()
        assert pooled[counts].sum() == pooled["n"]
        n_human = own[["tp", "fn", "contradictions"]].to_numpy().sum()
        assert pooled["recall"] == pytest.approx(own["tp"].sum() / n_human)
    assert table.loc[("same", "mean"), "order_agreement"] == 1


@pytest.mark.slow
def test_measures_are_never_mixed(corpus_of, table_of):
    rng = seeded_rng(6, "measures")
    truth = {name: rng.normal(size=(8, 12)) + np.linspace(0, 2, 8)[:, None] for name in ("ease", "overall")}
    data = StudyData([corpus_of(truth)], table_of({"m": truth["ease"]}))
    table = label_agreement(data).table
    assert table["target"].tolist() == ["ease", "ease", "overall", "overall"]
    assert table["n_parts"].tolist() == [1] * 4
    for name in truth:
        alone = label_agreement(data, targets=[name]).table
        pd.testing.assert_frame_equal(alone, table[table["target"] == name].reset_index(drop=True))
    assert table.loc[0, "recall"] == 1 > table.loc[2, "recall"]


def test_a_reversed_metric_has_no_hits(years, table_of):
    corpora, scores = years
    truth = scores[scores["metric"] == "same"]
    reversed_scores = truth.assign(metric="reversed", score=-truth["score"])
    data = StudyData(corpora, pd.concat([truth, reversed_scores]))
    pooled = label_agreement(data, combine=2).table.query("over == 'pooled'").set_index("metric")
    n_human = pooled.loc["same", "tp"]
    assert n_human > 0
    assert pooled["tp"].to_dict() == {"same": n_human, "reversed": 0, "reversed+same": 0}
    assert pooled["contradictions"].to_dict() == {"same": 0, "reversed": n_human, "reversed+same": n_human}
    assert pooled.loc["reversed", ["precision", "recall", "fp", "fn"]].tolist() == [0, 0, 0, 0]
    table = best_metrics(data, n_resamples=20).table.set_index("metric")
    assert table.loc["reversed", "tp"].tolist() == [0, 0]
    assert table["tp"].sum() == table["contradictions"].sum() == n_human


@pytest.mark.slow
def test_the_best_is_bold_and_the_bad_is_not(years):
    corpora, scores = years
    table = best_metrics(StudyData(corpora, scores), n_resamples=200).table
    for name in STUDIED_MEASURES:
        assert table.loc[table[name] == table.groupby("year")[name].transform("max"), f"{name}_bold"].all()
    assert not table.loc[table["metric"] == "bad", "recall_bold"].any()
