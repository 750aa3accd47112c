"""Held-out residuals are held out; quantiles cover; trained predictors know their errors and take scores apart."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from classy_aesop import train
from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.intervals import Components, by_group, conformal, covering_quantiles
from classy_aesop.training.plan import plan_runs, training_tasks
from classy_aesop.training.search import search
from classy_aesop.training.years import extract
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


def test_more_topics_narrow_an_interval_to_the_part_between_summarizers_and_years():
    rng, stacked = np.random.default_rng(4), stacked_years(20, 30, n_years=2)
    residuals = rng.normal(size=len(stacked.years)) + rng.normal(size=60)[stacked.design.topics]
    residuals += 0.4 * (2 * stacked.years - 1)
    parts = Components.of(residuals, stacked)
    between = parts.years[0] + parts.summarizers[0] + parts.topics[0] / parts.n_topics
    found = conformal(residuals, stacked, n_years=2)
    widths = found.of_means(0.9, np.arange(1, 200))
    assert (np.diff(widths) <= 0).all()
    assert (
        widths[19] > parts.half_widths(20, [0.9])[0]
    )  # the formula alone is narrower for 20 topics than for 100
    assert widths[-1] == parts.half_widths(100, [0.9])[0] > 1.645 * np.sqrt(between)


def residuals_of_groups(rng, stacked, human):
    """Humans are predicted too low and judged alike; systems are predicted right, and judged less alike."""
    errors = rng.normal(scale=np.where(human, 0.2, 1.0)) + np.where(human, 0.6, 0.0)
    return errors + rng.normal(scale=0.1, size=stacked.summarizers.max() + 1)[stacked.summarizers]


def test_systems_and_humans_have_intervals_of_their_own_that_cover():
    rng, stacked, covered = np.random.default_rng(7), stacked_years(20, 30), []
    human = stacked.summarizers >= 12
    for _ in range(60):
        found = by_group(residuals_of_groups(rng, stacked, human), stacked, human)
        new = residuals_of_groups(rng, stacked, human)
        means = np.bincount(stacked.summarizers, new) / 30
        is_human = np.arange(20) >= 12
        inside = [np.abs(new) <= found.half_widths(0.9, human)]
        inside += [np.abs(means) <= found.half_widths(0.9, is_human, np.full(20, 30))]
        covered.append(
            [
                inside[0][~human].mean(),
                inside[0][human].mean(),
                *(inside[1][i].mean() for i in (~is_human, is_human)),
            ]
        )
    systems, humans, of_systems, of_humans = np.mean(covered, axis=0)
    assert (systems, humans, of_systems) == pytest.approx((0.9, 0.9, 0.9), abs=0.03)
    assert of_humans > 0.9  # their common error is in the width, which is the same above and below
    n_topics = np.array([30])
    assert 2 * found.of_means(0.9, n_topics) < conformal(new, stacked).of_means(0.9, n_topics)


@pytest.mark.parametrize(("n_humans", "n_topics"), [(2, 30), (8, 5)])
def test_a_group_that_is_too_small_falls_back_to_all(n_humans, n_topics):
    rng, stacked = np.random.default_rng(8), stacked_years(20, 30)
    stacked = stacked.take(
        (stacked.summarizers < 12) | (stacked.topics < n_topics) & (stacked.summarizers < 12 + n_humans)
    )
    human = stacked.summarizers >= 12
    residuals = residuals_of_groups(rng, stacked, human)
    found = by_group(residuals, stacked, human)
    assert found.humans is None
    assert found == conformal(residuals, stacked)


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


def test_two_training_years_are_in_the_intervals_and_in_the_record(corpora, config_of):
    run = RunTable("x", "responsiveness", "ridge", peers=("all_peers",))
    given = {name: with_raters(corpus) for name, corpus in corpora.items()}
    [found] = train(config_of(run=run, refit="all", scale="standardize"), given).trained
    predictor = found.predictor
    assert predictor.calibration.n_years == 2
    assert predictor.grades == (1, 5)
    worth = predictor.training["worth"]
    assert 0 < worth["error"] < 5
    assert worth["rater_error"] == 1  # each pair of raters is one apart
    assert worth["rater_within_topics"] == pytest.approx(1)
    predicted = predictor.predict(corpora["2023"].select(tasks=["A"]), interval=0.8)  # warns of nothing
    assert predicted["low"].notna().all()


def with_raters(corpus):
    """Let two raters have judged each summary, half a grade above and below."""
    parts = [
        corpus.judgments.assign(assessor=name, score=corpus.judgments["score"] + by)
        for name, by in (("P", -0.5), ("Q", 0.5))
    ]
    return dataclasses.replace(corpus, ratings=pd.concat(parts, ignore_index=True))


@pytest.mark.filterwarnings("ignore:.* intervals are from one year")
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
