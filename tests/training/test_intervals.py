"""Held-out residuals are held out; quantiles cover; trained predictors know their errors and take scores apart."""

import dataclasses

import numpy as np
import pytest

from classy_aesop import train
from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.search import Design
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.extract import extract
from classy_aesop.training.intervals import conformal, covering_quantiles, drawn_means, held_out_residuals
from classy_aesop.training.runs import plan_runs
from classy_aesop.training.search import search
from classy_aesop.training.task import training_tasks

NAMES = ("r2", "redundancy1", "neg_log2_sentences")


def crossed(n_summarizers, n_topics, Y):
    who, topics = np.divmod(np.arange(n_summarizers * n_topics), n_topics)
    return Design(
        X=np.zeros((who.size, 1)), Y=np.asarray(Y, float).reshape(-1, 1), summarizers=who, topics=topics
    )


def mean_of(rows):
    """Learn the mean judgment."""
    return lambda X: np.full(len(X), rows.Y.mean())


def test_residuals_come_without_own_topic_and_summarizer():
    # each cell is a power of two, so a mean tells which cells it was made of
    design = crossed(3, 3, 2.0 ** np.arange(9))
    found = held_out_residuals(mean_of, design, 0, n_folds=3, seed=0)
    for row in range(9):
        others = (design.summarizers != design.summarizers[row]) & (design.topics != design.topics[row])
        assert found[row] == pytest.approx(design.Y[row, 0] - design.Y[others, 0].mean())


def test_the_scale_of_an_earlier_year_is_found_without_what_is_held_out():
    # residuals are then linear in the held-out judgment, with the ratio of the others' deviations as the slope
    values = np.random.default_rng(6).normal(size=24)
    years = (crossed(4, 6, values).topics >= 3).astype(np.int64)
    ask = {"n_folds": 6, "seed": 0, "years": years}
    for row in (0, 13):
        found = []
        for shift in (0.0, 1.0, 5.0):
            design = crossed(4, 6, values + shift * (np.arange(24) == row))
            found.append(held_out_residuals(mean_of, design, 0, **ask)[row])
        known = (design.summarizers != design.summarizers[row]) & (design.topics != design.topics[row])
        spread = [values[known & (years == year)].std() for year in (0, 1)]
        assert np.diff(found) == pytest.approx(np.array([1, 4]) * spread[1] / spread[0])
    assert years[0] == years[13] == 0


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


def test_drawn_means_scatter_as_topics_do():
    rng = np.random.default_rng(1)
    effects = rng.normal(size=40)  # of topics alone: the same for both summarizers
    found = drawn_means(np.tile(effects, (2, 1)), 10, np.random.default_rng(2))
    assert found.std() == pytest.approx(effects.std() * np.sqrt(1 / 10 + 1 / 40), rel=0.08)
    alone = drawn_means(np.array([[1.0, np.nan], [0.0, 0.0]]), 1, np.random.default_rng(2))
    assert np.isnan(alone[:, 0]).any()


def test_topics_that_are_missing_are_no_folds():
    rng = np.random.default_rng(3)
    design = crossed(4, 12, rng.normal(size=48))
    part = design.take((design.topics % 2 == 1) & (design.summarizers > 0))
    found = conformal(mean_of, part, 0, n_folds=5, seed=1)
    assert (found.n_topics, found.n_summarizers) == (6, 3)


def test_a_confidence_beyond_the_topics_is_not_kept():
    rng = np.random.default_rng(3)
    found = conformal(mean_of, crossed(4, 12, rng.normal(size=48)), 0, n_folds=5, seed=1)
    assert found is not None
    assert (found.n_topics, found.n_summarizers) == (12, 4)
    assert found.levels == (0.5, 0.6, 0.7, 0.8, 0.9)  # 12 / 13 = .923
    assert list(found.summaries) == sorted(found.summaries)
    assert conformal(mean_of, crossed(4, 2, np.zeros(8)), 0, n_folds=5, seed=1) is None


@pytest.fixture
def trained(corpora):
    """A calibrated and an uncalibrated run."""
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
