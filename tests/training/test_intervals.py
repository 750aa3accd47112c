"""Held-out residuals are held out; quantiles cover; trained predictors know their errors and take scores apart."""

import dataclasses

import numpy as np
import pytest

from classy_aesop import train
from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.extract import extract
from classy_aesop.training.intervals import conformal, covering_quantiles
from classy_aesop.training.search import search
from classy_aesop.training.task import plan_runs, training_tasks
from tests.training.stacked import stacked_years

NAMES = ("r2", "redundancy1", "neg_log2_sentences")


def test_quantiles_of_one_value_a_group_are_order_statistics():
    # the greatest of the other nine covers nine of ten left out, from the level 8/9 on: of ten values the ninth
    found = covering_quantiles(np.arange(1.0, 11), np.arange(10), [0.5, 0.9, 0.95])
    assert found[1] == 9
    assert 5 <= found[0] <= 6
    assert np.isnan(found[2])


def test_equal_groups_weigh_the_same():
    values, groups = np.array([1.0] * 99 + [2.0, 3.0]), np.array([0] * 99 + [1, 2])
    assert covering_quantiles(values, groups, [0.5])[0] >= 2


def test_quantiles_cover_new_groups():
    rng = np.random.default_rng(0)
    covered = []
    for _ in range(150):
        values = np.abs(rng.normal(size=(21, 1)) + rng.normal(size=(21, 8)))
        limit = covering_quantiles(values[:20].ravel(), np.repeat(np.arange(20), 8), [0.9])[0]
        covered.append((values[20] <= limit).mean())
    assert np.mean(covered) == pytest.approx(0.9, abs=0.04)


def test_a_confidence_beyond_the_topics_is_not_kept():
    stacked = stacked_years(4, 12)
    found = conformal(np.random.default_rng(3).normal(size=48), stacked)
    assert (found.n_topics, found.n_summarizers) == (12, 4)
    assert found.levels == (0.5, 0.6, 0.7, 0.8, 0.9)  # 12 / 13 = .923
    assert list(found.summaries) == sorted(found.summaries)


def test_topics_and_summarizers_that_are_missing_do_not_count():
    stacked = stacked_years(4, 12)
    part = stacked.take((stacked.topics % 2 == 1) & (stacked.summarizers > 0))
    found = conformal(np.random.default_rng(3).normal(size=18), part)
    assert (found.n_topics, found.n_summarizers) == (6, 3)


@pytest.fixture(scope="module")
def trained(corpora):
    """A calibrated and an uncalibrated run. Only to be read."""
    runs = (
        RunTable("x", "responsiveness", "canonical", tasks=("A",), peers=("no_models",)),
        RunTable("raw", "responsiveness", "canonical", tasks=("A",), peers=("no_models",), calibrate=False),
    )
    config = Config(
        tuple(map(Year, corpora)),
        runs=runs,
        search=SearchOptions.of("classy2011", names=NAMES),
        about={"licence": "none"},
    )
    return {one.run.name: one.predictor for one in train(config, corpora).trained}


def test_a_trained_predictor_knows_its_errors(trained, corpora):
    predictor = trained["x"]
    assert predictor.calibration is not None
    assert predictor.calibration.n_topics == 5
    assert trained["raw"].calibration is None
    assert predictor.training["about"] == {"licence": "none"}
    corpus = corpora["2023"].select(tasks=["A"])
    found = predictor.predict(corpus, interval=0.8)
    assert (found["low"] < found["score"]).all()
    for one in trained.values():
        sums = one.explain(corpus).groupby(["topic", "summarizer"], sort=False)["contribution"].sum()
        np.testing.assert_allclose(sums, one.predict(corpus)["score"], atol=1e-9)


def test_without_intervals_the_scores_are_the_same(trained, corpora):
    run = RunTable("x", "responsiveness", "canonical", tasks=("A",), peers=("no_models",))
    options = SearchOptions.of("classy2011", names=NAMES)
    config = Config(tuple(map(Year, corpora)), runs=(run,), search=options)
    years = extract(config, corpora)
    tasks = training_tasks(config, years, plan_runs(config, years)[0])
    [found], _ = train_runs(tasks, search(tasks), with_intervals=False)
    assert found.predictor.calibration is None
    assert found.predictor.formula == trained["x"].formula


def test_what_was_learned_from_is_not_outside(trained, corpora):
    corpus = corpora["2022"].select(tasks=["A"])
    systems = dataclasses.replace(
        corpus,
        topics=tuple(
            dataclasses.replace(t, summaries=tuple(s for s in t.summaries if not s.human)) for t in corpus
        ),
    )
    assert set(trained["x"].predict(systems)["outside"]) == {""}


def test_predictions_are_the_same_with_and_without_calibration(trained, corpora):
    corpus = corpora["2023"].select(tasks=["A"])
    bare = dataclasses.replace(trained["x"], calibration=None, training_range=None)
    assert bare.predict(corpus)["score"].tolist() == trained["x"].predict(corpus)["score"].tolist()
