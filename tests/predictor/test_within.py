"""Predictions within topics: by hand, and what they do and do not depend on."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Predictor, score
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.features.relative import relative_columns
from classy_aesop.formulas import Linear
from classy_aesop.predictor.intervals import interval_half_widths
from classy_aesop.predictor.within import WithinForm
from tests.predictor.samples import CALIBRATED

NARROW = dataclasses.replace(CALIBRATED.calibration, n_years=2)
WIDE = dataclasses.replace(NARROW, summaries=(1.0, 2.0), means=((2.0, 4.0), (1.0, 3.0)))
PREDICTOR = dataclasses.replace(
    CALIBRATED,
    calibration=NARROW,
    within=WithinForm(
        relative_columns(CALIBRATED.columns), Linear((10.0, 0.0, 1.0, 0.0), 7.0), 3, calibration_alone=WIDE
    ),
)
R2 = {"t1": [0.1, 0.2, 0.6], "t2": [0.4, 0.4]}


def table_of(r2=R2, *, human=False):
    """Make a feature table: a topic with three summaries, one with two."""
    rows = [(topic, f"s{at}", value) for topic, values in r2.items() for at, value in enumerate(values)]
    keys = pd.DataFrame(rows, columns=["topic", "summarizer", "r2"]).assign(year="1", task="")
    return keys.assign(human=human, n_references=1, n_earlier=0, neg_log2_sentences=-1.0)


def test_scores_by_hand():
    """By themselves 1 + 2 r2 - .1: of t1 1.1, 1.3 and 2.1, mean 1.5; its differences are -.2, -.1, .3, its ranks 1/3,
    2/3, 1 with mean 2/3. Two summaries of t2 are too few."""
    found = PREDICTOR.score(table_of())
    assert found["score"].tolist() == pytest.approx([1.5 - 2 - 1 / 3, 1.5 - 1, 1.5 + 3 + 1 / 3, 1.7, 1.7])
    assert found["form"].tolist() == ["within"] * 3 + ["alone"] * 2
    of_differences_and_ranks = PREDICTOR.contributions(table_of())[:3, 3:]
    expected = [[-2, 0, -1 / 3, 0], [-1, 0, 0, 0], [3, 0, 1 / 3, 0]]
    np.testing.assert_allclose(of_differences_and_ranks, expected, atol=1e-12)


FEW = dataclasses.replace(
    PREDICTOR, within=dataclasses.replace(PREDICTOR.within, few=Linear((0.0,) * 4, 5.0), n_many=8)
)
"""Where there are few, it adds nothing to the topic's mean."""


def test_few_summaries_have_a_formula_of_their_own():
    r2 = {"t1": R2["t1"], "t2": [at / 10 for at in range(8)]}
    found, as_many = FEW.score(table_of(r2)), PREDICTOR.score(table_of(r2))
    assert found["score"].tolist()[:3] == pytest.approx([1.5] * 3)
    assert found["score"].tolist()[3:] == as_many["score"].tolist()[3:]
    assert found["form"].tolist() == ["few"] * 3 + ["within"] * 8
    assert interval_half_widths(FEW, found, 0.9).tolist() == [2.0] * 3 + [0.5] * 8
    np.testing.assert_allclose(FEW.contributions(table_of(r2)).sum(axis=1), found["score"], atol=1e-12)


def test_a_formula_for_few_of_other_columns_is_refused():
    with pytest.raises(InputError, match=r"within.few"):
        dataclasses.replace(FEW.within, few=Linear((1.0,), 0.0))


def test_a_summary_without_all_values_is_in_nobodys_company():
    r2 = {"t1": [*R2["t1"], np.nan], "t2": [0.4, 0.4, np.nan]}
    with pytest.warns(DataWarning, match="no score to 2 of 7 summaries"):
        found = PREDICTOR.score(table_of(r2))
    assert found["score"].dropna().tolist() == PREDICTOR.score(table_of())["score"].tolist()
    assert found["form"].tolist() == ["within"] * 3 + ["alone"] * 4


def test_a_human_is_scored_alone_by_a_predictor_of_systems():
    table = table_of({"t1": [*R2["t1"], 0.9]}).assign(human=[False] * 3 + [True])
    found = PREDICTOR.score(table)
    assert found["form"].tolist() == ["within"] * 3 + ["alone"]
    assert found["score"].tolist()[:3] == PREDICTOR.score(table_of())["score"].tolist()[:3]
    assert set(dataclasses.replace(PREDICTOR, peers="all_peers").score(table)["form"]) == {"within"}


def test_intervals_are_those_of_the_form():
    rows = PREDICTOR.score(table_of())
    assert interval_half_widths(PREDICTOR, rows, 0.9).tolist() == [0.5] * 3 + [2.0] * 2
    means = PREDICTOR.means(rows, confidence=0.9)
    assert (means["high"] - means["mean"]).round(3).tolist()[2] == 0.4  # s2 has no summary of t2
    assert (means["high"] - means["mean"]).min() == pytest.approx(0.4)
    assert ((means["high"] - means["mean"])[:2] > 3).all()
    assert PREDICTOR.to_standalone().calibration == WIDE


def test_a_file_holds_all_forms(tmp_path):
    FEW.save(tmp_path / "x.json")
    again = Predictor.load(tmp_path / "x.json")
    assert again == FEW
    assert "within:r2+neg_log2_sentences" in again.signature
    assert "within" not in again.to_standalone().signature


RECORDS = [
    {
        "topic": topic,
        "summarizer": f"s{at}",
        "text": text,
        "references": {"R": "Rain fell all day in the north."},
    }
    for topic in ("t1", "t2")
    for at, text in enumerate(
        ["Rain fell all day.", "Rain fell in the north.", "Snow fell.", "It was dry.", "All day it rained."]
    )
]


def test_alone_a_score_does_not_depend_on_who_else_is_there():
    every, one = corpus_of_records(RECORDS), corpus_of_records(RECORDS[:1])
    beside, alone = (found.predict(every)["score"][0] for found in (PREDICTOR, PREDICTOR.to_standalone()))
    assert alone == PREDICTOR.to_standalone().predict(one)["score"][0]
    assert alone != beside
    texts, references = ([row[name] for row in RECORDS[:5]] for name in ("text", "references"))
    lists = texts, [list(one.values()) for one in references]
    assert score(*lists, predictor=PREDICTOR)["score"][0] == alone
    together = score(*lists, predictor=PREDICTOR, topics=["t1"] * 5, summarizers=range(5), alone=False)
    assert together["score"][0] == pytest.approx(beside)


def test_features_of_peers_cannot_be_alone():
    predictor = dataclasses.replace(CALIBRATED, columns=("r2", "consensus_sum1"))
    with pytest.raises(UsageError, match="x reads consensus_sum1, which look at the other summaries"):
        predictor.to_standalone()


@pytest.fixture
def files(tmp_path):
    PREDICTOR.save(tmp_path / "x.json")
    rows = "".join(f"{row}\n" for row in pd.Series(RECORDS).map(pd.io.json.ujson_dumps))
    (tmp_path / "in.jsonl").write_text(rows)
    return tmp_path
