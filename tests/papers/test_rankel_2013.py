"""Agreement averaged and pooled is that of the parts; bold cells are within the interval of the best."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.errors import DataWarning
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.rankel_2013 import (
    AGREEMENT_MEASURES,
    LABEL_AGREEMENT,
    LABELS,
    best_metrics,
    fill_precision,
    label_agreement,
    measure_agreements,
)
from classy_aesop.work.seeds import seeded_rng

NAMES_OF_MEASURES = [measure.name for measure in AGREEMENT_MEASURES]


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
    tables = StudyData(corpora, scores).tables("no_models")
    parts = measure_agreements(tables, None, None, 2, 30)
    for metric, own in parts.groupby("metric"):
        mean, pooled = table.loc[(metric, "mean")], table.loc[(metric, "pooled")]
        assert mean["n_parts"] == len(own) == 2
        for name in NAMES_OF_MEASURES:
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
    for name in NAMES_OF_MEASURES:
        assert table.loc[table[name] == table.groupby("year")[name].transform("max"), f"{name}_bold"].all()
    assert not table.loc[table["metric"] == "bad", "recall_bold"].any()


def test_a_metric_that_finds_no_pair_has_a_precision_of_0():
    agreements = pd.DataFrame({"n": [3, 3, 0], "precision": [np.nan, 0.5, np.nan]})
    assert fill_precision(agreements)["precision"].fillna(-1).tolist() == [0, 0.5, -1]


def test_decisions_by_hand(corpus_of, table_of):
    """People: 3 far above 1 and 2, which are equal; the metric: 1 far below the others.

    Ten differences of about 5 are significant, ten of 0 but for a .1 each way are not. People find 1-3 and 2-3, the
    metric 1-2 and 1-3: one in common, one missed, one too many, none that both leave out.
    """
    steps = np.arange(10.0)
    nearly = steps + 0.1 * (steps == 3) - 0.1 * (steps == 4)
    data = StudyData(
        [corpus_of({"human": [steps, nearly, steps + 5.1]})],
        table_of({"m1": [steps, nearly + 5.1, steps + 5.1]}),
    )
    [row] = label_agreement(data).table.query("over == 'mean'").to_dict("records")
    assert [row[column.name] for column in LABELS] == [1, 1, 1, 0, 0]
    assert row["n"] == 3
    assert (row["precision"], row["recall"], row["accuracy"]) == (0.5, 0.5, pytest.approx(1 / 3))
    # the means are in the order 2 = 1 < 3 for people, 1 < 3 < 2 for the metric: only 1-3 is in one order
    assert row["order_agreement"] == pytest.approx(1 / 3)


def test_one_topic_tests_no_pair(corpus_of, table_of):
    steps = [[1.0], [2.0], [4.0]]
    data = StudyData([corpus_of({"human": steps})], table_of({"m1": steps}))
    with pytest.warns(DataWarning, match="2021-A-human: up to 3 pairs of summarizers share too few topics"):
        table = label_agreement(data).table
    assert table["n"].tolist() == [0, 0]
    assert table[NAMES_OF_MEASURES].isna().all(axis=None)


def test_a_metric_at_chance_is_not_said_to_find_differences():
    """Saying "no difference" of every pair has a balanced accuracy of .5, as has a constant metric."""
    table = pd.DataFrame({"metric": ["bleu"], "ba": [0.5], "tp": [0], "fn": [5], "target": ["human"]})
    assert LABEL_AGREEMENT.sentence(table).startswith(
        "No metric finds the significant differences of humans better than chance (balanced accuracy); bleu has the "
        "highest value: 0.500"
    )
    assert LABEL_AGREEMENT.sentence(table.assign(ba=0.7)).startswith(
        "bleu finds the significant differences of humans"
    )
