"""Predictors of every fitter."""

import re
from pathlib import Path

import numpy as np
import pytest

import classy_aesop
from classy_aesop import Config, Predictor, train
from classy_aesop.config import RunTable, SearchOptions, Year
from classy_aesop.fitters import FITTERS
from classy_aesop.training.years import extract

SMALL = SearchOptions.from_method(
    "classy2011", names=("r2", "coverage", "redundancy1", "neg_log2_sentences"), folds=2
)


@pytest.mark.slow
def test_saved_and_loaded_predicts_the_same(corpora, tmp_path):
    runs = [RunTable(name, "responsiveness", name, peers=("all_peers",), whole=True) for name in FITTERS]
    config = Config(tuple(map(Year, corpora)), runs=tuple(runs), search=SMALL, tasks=("A",))
    learned = train(config, corpora).trained
    assert [one.predictor.fitter for one in learned] == list(FITTERS)
    table = extract(config, corpora)[2].features
    table = table[table["task"] == "A"]
    for one in learned:
        one.predictor.save(tmp_path / "x.json")
        back = Predictor.load(tmp_path / "x.json")
        scores = one.predictor.score(table)["score"]
        assert scores.nunique() > 5
        np.testing.assert_allclose(back.score(table)["score"], scores, rtol=0, atol=1e-12)
        X = table[list(back.columns)].to_numpy(float)
        added, baseline = back.formula.contributions(X, X.mean(axis=0))
        np.testing.assert_allclose(added.sum(axis=1) + baseline, scores, rtol=0, atol=1e-9)


def test_nothing_is_pickled():
    for path in Path(classy_aesop.__file__).parent.rglob("*.py"):
        assert not re.search(r"\bimport pickle|\bjoblib\.(dump|load)|\bfrom pickle", path.read_text()), path
