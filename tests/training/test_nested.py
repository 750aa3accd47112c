"""The choice among learners by folds, and predictors of every learner."""

import dataclasses
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import classy_aesop
from classy_aesop import Config, InputError, Predictor, train
from classy_aesop.config import RunTable, SearchOptions, Year
from classy_aesop.fitters import FITTERS, BoostedTrees, CanonicalRegression, RidgeRegression
from classy_aesop.search import Design
from classy_aesop.training.extract import extract
from classy_aesop.training.nested import choose_nested, score
from classy_aesop.training.pool import Pool
from tests.each import each

SMALL = SearchOptions.of("classy2011", names=("r2", "coverage", "redundancy1", "neg_log2_sentences"), folds=2)
AMONG = ("ridge", "pairwise", "robust")
NESTED = RunTable("x", "responsiveness", "nested", peers=("no_models",), whole=True, among=AMONG)


def config_of(*names, runs=(NESTED,), **options):
    return Config(tuple(map(Year, names)), runs=tuple(runs), search=SMALL, tasks=("A",), **options)


def design(seed, n_summarizers=8, n_topics=6):
    rng = np.random.default_rng(seed)
    who, topic = np.repeat(np.arange(n_summarizers), n_topics), np.tile(np.arange(n_topics), n_summarizers)
    X = rng.normal(size=(who.size, 3)) + rng.normal(size=(n_summarizers, 3))[who]
    y = X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=who.size) / 3
    return Design(X, y[:, None], who, topic)


def fit(fitter, rows):
    return rows.fit(fitter, 0)


LEARNERS = {
    "ridge": RidgeRegression(),
    "canonical": CanonicalRegression(),
    "boosting": BoostedTrees(n_trees=20, smallest_leaf=2),
}


def named(design, name=str):
    """Name the topics and the summarizers of a design, as the table of a year does."""
    return pd.DataFrame({"topic": map(name, design.topics), "summarizer": map(str, design.summarizers)})


def pool_of(*seeds):
    designs = [design(seed) for seed in seeds]
    return Pool.of(
        designs, [named(one, f"{seed}-{{}}".format) for seed, one in zip(seeds, designs, strict=True)]
    )


def global_pearson(pool, predictions):
    years = [pool.years == year for year in np.unique(pool.years)]
    return np.mean([np.corrcoef(predictions[rows], pool.design.Y[rows, 0])[0, 1] for rows in years])


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [(0,), (1, 2)])
def test_nested_folds_by_hand(seeds):
    """Once more as plain loops over scikit-learn's own methods."""
    pool = pool_of(*seeds)
    X, y = pool.design.X, pool.design.Y[:, 0]

    def chosen(rows):
        part = pool.take(rows)
        scores = {}
        for name, fitter in LEARNERS.items():
            predictions = np.zeros(rows.sum())
            for held in part.topic_folds(3, 5):
                fitted = fitter.fit(part.design.X[~held], part.design.Y[~held, 0])
                predictions[held] = fitted.predict(part.design.X[held])
            scores[name] = global_pearson(part, predictions)
        return max(scores, key=scores.get), scores

    held_out, picks = np.zeros(len(y)), []
    for held in pool.topic_folds(3, 5):
        picks.append(chosen(~held)[0])
        held_out[held] = LEARNERS[picks[-1]].fit(X[~held], y[~held]).predict(X[held])
    name, scores = chosen(np.full(len(y), True))

    found = choose_nested(LEARNERS, pool, fit, target=0, level="global", n_folds=3, seed=5)
    assert (found.name, found.picks) == (name, tuple(picks))
    assert dict(found.scores) == pytest.approx(scores, abs=1e-12)
    np.testing.assert_allclose(found.held_out, held_out, atol=1e-12)
    assert found.score == pytest.approx(global_pearson(pool, held_out), abs=1e-12)


def test_topics_of_one_name_are_on_one_side():
    one, two = design(0), design(1)
    pool = Pool.of([one, two], [named(one, lambda t: f"D{t}"), named(two, lambda t: f"D{t + 3}")])
    assert np.unique(pool.design.topics).size == 12
    for part in (pool, pool.take(pool.topics % 3 > 0)):
        folds = part.topic_folds(3, 0)
        np.testing.assert_array_equal(np.sum(folds, axis=0), 1)
        for held in folds:
            assert held.any()
            assert not set(part.topics[held]) & set(part.topics[~held])
    assert np.unique(pool.topics).size == 9


@each("level", ["system", "input", "global", "centred"])
def test_a_score_of_the_target_itself_is_one(level):
    pool = pool_of(0, 1)
    assert score(pool, pool.design.Y[:, 0] * 3 - 1, 0, level) == pytest.approx(1)
    assert score(pool, np.ones(len(pool.years)), 0, level) == -np.inf


def test_too_few_topics_are_refused():
    pool = pool_of(0)
    two = pool.take(pool.topics < 2)
    with pytest.raises(InputError, match="topic folds need two topics"):
        choose_nested(LEARNERS, two, fit, target=0)


@pytest.mark.slow
def test_the_predictor_says_how_it_was_chosen(corpora):
    experiment = train(config_of("2021", "2022", "2023", seed=3), corpora)
    [learned] = experiment.trained
    told = learned.predictor.training
    assert learned.predictor.fitter == max(told["scores"], key=told["scores"].get)
    assert set(told["scores"]) == set(AMONG)
    assert len(told["picks"]) == SMALL.folds
    assert (told["years"], told["refitted_on"], told["protocol"]) == (["2021", "2022"], "2021+2022", "nested")
    assert -1 <= told["nested_score"] <= 1
    assert told["n_summaries"] == 60
    assert any("learner chosen by topic-grouped folds of all training years" in n for n in experiment.notes)
    assert learned.searches == {}


@pytest.mark.slow
def test_the_file_says_the_same_as_of_a_search(corpora):
    """What the configuration says of the data, and which parts of learning are not as in 2011."""
    about = {"licence": "none"}
    config = config_of("2021", "2022", "2023", about=about)
    config = dataclasses.replace(config, search=dataclasses.replace(SMALL, effects="topic"))
    [found] = train(config, corpora).trained
    assert found.predictor.training["about"] == about
    assert found.predictor.training["effects"] == "topic"
    scores = found.predictor.training["scores"].values()
    assert found.predictor.training["selection_score"] == found.chosen.score == max(scores)


@pytest.mark.slow
def test_nested_predictions_of_the_only_year_are_held_out(corpora):
    """Neither fit nor choice saw a topic that is predicted: changing its judgments leaves its predictions."""
    corpus = corpora["2023"]
    topic = corpus.topics[0].topic
    changed = corpus.judgments.copy()
    rows = (changed["topic"] == topic) & (changed["metric"] == "responsiveness")
    changed.loc[rows, "score"] = 6 - changed.loc[rows, "score"]
    before, after = (
        train(config_of("2023"), {"2023": dataclasses.replace(corpus, judgments=judgments)}).predictions
        for judgments in (corpus.judgments, changed)
    )
    same = np.isclose(before["score"], after["score"], rtol=0, atol=1e-12)
    assert same[before["topic"] == topic].all()
    assert not same[before["topic"] != topic].all()


@pytest.mark.slow
def test_learners_that_find_nothing_are_reported(corpora):
    flat = {}
    for name, corpus in corpora.items():
        judgments = corpus.judgments.copy()
        judgments.loc[judgments["metric"] == "responsiveness", "score"] = 3.0
        flat[name] = dataclasses.replace(corpus, judgments=judgments)
    other = RunTable("y", "pyramid", "ridge", peers=("no_models",))
    experiment = train(config_of("2021", "2022", "2023", runs=(NESTED, other)), flat)
    assert [one.run.name for one in experiment.trained] == ["y"]
    assert any("run x-A-no_models is left out: with nested" in note for note in experiment.notes)


@pytest.mark.slow
def test_saved_and_loaded_predicts_the_same(corpora, tmp_path):
    runs = [RunTable(name, "responsiveness", name, peers=("all_peers",), whole=True) for name in FITTERS]
    config = config_of("2021", "2022", "2023", runs=runs)
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
