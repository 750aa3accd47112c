"""A mean of learners, by hand and in a predictor."""

import dataclasses

import numpy as np
import pytest

from classy_aesop import InputError, Predictor, train
from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.fitters import RidgeRegression
from classy_aesop.training.learners import (
    AllColumns,
    MeanOfLearners,
    SingleColumn,
    make_learners,
)
from tests.training.samples import Mean, fit_options, stacked_years


def test_a_mixture_of_fits_is_their_weighted_sum():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(96, 2))
    stacked = stacked_years(12, 8, X=X, y=X @ [1.0, 2.0] + rng.normal(size=96))
    learners = (AllColumns("ridge", RidgeRegression()), SingleColumn("r2", 0), Mean("mean"))
    formula = MeanOfLearners("x", learners, (0.5, 0.25, 0.25)).fit(stacked, 0)
    parts = [one.fit(stacked, 0).predict(X) for one in learners]
    np.testing.assert_allclose(formula.predict(X), np.array([0.5, 0.25, 0.25]) @ parts, atol=1e-12)
    slope, constant = np.polyfit(X[:, 0], stacked.Y[:, 0], 1)
    np.testing.assert_allclose(parts[1], constant + slope * X[:, 0], atol=1e-12)


OPTIONS = SearchOptions(
    names=("r2", "coverage", "redundancy1", "neg_log2_sentences"),
    units="features",
    learners=("ridge", "extra_trees", "r2"),
)


def config_of(*names, **run):
    table = RunTable("x", "responsiveness", peers=("all_peers",), tasks=("A",), **run)
    return Config(tuple(map(Year, names)), runs=(table,), search=OPTIONS)


@pytest.mark.slow
def test_the_predictor_of_a_mixture(corpora, tmp_path):
    [found] = train(config_of("2021", "2022", "2023"), corpora).trained
    predictor, told = found.predictor, found.predictor.training["learners"]
    assert [one["name"] for one in told] == ["ridge", "extra_trees", "r2"]
    assert sum(one["share"] for one in told) == pytest.approx(1)
    assert predictor.calibration is not None
    predictor.save(tmp_path / "x.json")
    again, corpus = Predictor.load(tmp_path / "x.json"), corpora["2023"].select(tasks=["A"])
    before, after = (one.predict(corpus)["score"].to_numpy() for one in (predictor, again))
    np.testing.assert_allclose(after, before, rtol=0, atol=1e-12)
    sums = again.explain(corpus).groupby(["topic", "summarizer"], sort=False)["contribution"].sum()
    np.testing.assert_allclose(sums, after, atol=1e-9)


def test_an_unknown_learner_is_refused(corpora):
    search = dataclasses.replace(OPTIONS, learners=("bertscore",))
    with pytest.raises(InputError, match="run x: no learner 'bertscore'; expected imported, a fitter"):
        train(dataclasses.replace(config_of("2021", "2022", "2023"), search=search), corpora)


def test_an_imported_metric_is_one_column():
    def names_of(*names):
        columns, imported = ("r2@A", "r2@B", "r1", "bleu", "bleu@4"), ("bleu", "bleu@4")
        return [one.name for one in make_learners(names, columns, fit_options(), imported=imported)]

    assert names_of("r2", "bleu", "r1") == ["r2@A", "r2@B", "bleu", "r1"]
    assert names_of("imported") == ["bleu", "bleu@4"]
    assert names_of("su4", "bleu") == ["bleu"]  # those count that the run has


@pytest.mark.slow
def test_predictions_of_the_only_year_do_not_see_their_topic(corpora):
    corpus = corpora["2023"]
    topic = corpus.topics[0].topic
    changed = corpus.judgments.copy()
    rows = (changed["topic"] == topic) & (changed["metric"] == "responsiveness")
    changed.loc[rows, "score"] = 6 - changed.loc[rows, "score"]
    before, after = (
        train(config_of("2023"), {"2023": dataclasses.replace(corpus, judgments=judgments)})
        for judgments in (corpus.judgments, changed)
    )
    own = (before.predictions["topic"] == topic).to_numpy()
    first, second = (one.predictions["score"].to_numpy() for one in (before, after))
    np.testing.assert_allclose(first[own], second[own], rtol=0, atol=1e-12)
    assert np.abs(first - second)[~own].max() > 1e-3
