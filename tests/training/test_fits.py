"""Both forms of the default method, their shares and intervals; learning in groups; held-out predictions."""

import dataclasses
import json
from dataclasses import replace

import numpy as np
import pytest

from classy_aesop.config import Config, RunTable, SearchOptions, TaskPeers, Year
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import TOPICWISE, columns, is_peer_feature
from classy_aesop.features.relative import plain_columns
from classy_aesop.fitters import FITTERS, RidgeRegression
from classy_aesop.formulas import Mixture
from classy_aesop.training.experiment import train
from classy_aesop.training.few_systems import deal_groups, stack_groups
from classy_aesop.training.forms import fit_forms
from classy_aesop.training.hold_out import hold_out_folds, hold_out_years
from classy_aesop.training.learners import AllColumns
from classy_aesop.training.plan import plan_runs
from classy_aesop.training.runs import train_runs
from classy_aesop.training.years import extract, extract_year
from tests.training.samples import Mean, fit_options, stacked_years

SMALL = SearchOptions(fitter_options={"boosting": {"n_trees": 5}, "extra_trees": {"n_trees": 5}})


def config_of(**options):
    run = RunTable("x", "responsiveness", peers=("no_models",), tasks=("A",))
    return Config(
        tuple(map(Year, ("2021", "2022", "2023"))), runs=(run,), search=dataclasses.replace(SMALL, **options)
    )


@pytest.fixture(scope="module")
def trained(corpora):
    return train(config_of(), corpora)


def body_of(experiment):
    return json.dumps(experiment.trained[0].predictor.to_dict())


def test_both_forms_are_learned(trained):
    [found] = trained.trained
    predictor = found.predictor
    assert predictor.columns == tuple(name for name in columns(TOPICWISE) if not is_peer_feature(name))
    assert set(predictor.within.plain) == set(columns(TOPICWISE))
    assert predictor.within.calibration_alone.summaries != predictor.calibration.summaries
    assert isinstance(predictor.formula, Mixture)
    assert isinstance(predictor.within.formula, Mixture)
    shares = {one["name"]: one["share"] for one in predictor.training["learners"]}
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["ridge"] == shares["boosting"] == shares["extra_trees"]
    assert set(trained.points["form"]) == {"within"}
    assert trained.points["low"].notna().all()


@pytest.mark.slow
def test_training_is_repeatable_whatever_the_workers(trained, corpora):
    assert body_of(train(config_of(), corpora)) == body_of(trained)
    assert body_of(train(config_of(), corpora, n_jobs=2)) == body_of(trained)


@pytest.mark.slow
def test_held_out_rows_are_predicted_as_a_predictor_predicts(trained, corpora):
    config = config_of()
    [task] = plan_runs(config, extract(config, corpora))[0]
    rows = task.rows.years[-1]
    forms = fit_forms(AllColumns("ridge", RidgeRegression()), rows, task.options)
    predictor = dataclasses.replace(trained.trained[0].predictor, formula=forms.formula, within=forms.within)
    within, alone = forms.predict(rows)
    table = task.years[-1].data_by_task_and_peers[task.run.task_and_peers].features
    np.testing.assert_allclose(predictor.score(table)["score"], within, atol=1e-12)
    np.testing.assert_allclose(predictor.to_standalone().score(table)["score"], alone, atol=1e-12)


@pytest.mark.slow
def test_without_relative_columns_there_is_one_form(corpora):
    [found] = train(config_of(relative=False), corpora).trained
    assert found.predictor.within is None
    assert set(found.predictor.columns) == set(columns(TOPICWISE))


CONFIG = Config(
    tuple(map(Year, ("2021", "2022", "2023"))),
    runs=(RunTable("x", "pyramid", tasks=("A",)),),
    features=FeatureOptions(references="none"),
    seed=2,
)


@pytest.fixture(scope="module")
def tasks(corpora):
    def made(config=CONFIG):
        years = extract(config, corpora)
        return plan_runs(config, years)[0]

    return made


def test_groups_are_dealt_by_the_seed_and_the_year():
    names = list("abcdefgh")
    groups = deal_groups(names, 3, 1, "2021")
    assert sorted(map(len, groups)) == [3, 3]
    assert len({*groups[0], *groups[1]}) == 6
    assert groups == deal_groups(names[::-1], 3, 1, "2021")
    assert groups != deal_groups(names, 3, 1, "2022")


@pytest.mark.slow
def test_a_group_is_a_year_without_the_others(tasks, corpora):
    task = next(one for one in tasks() if one.run.peers == "no_models")
    columns = task.rows.columns
    rows = stack_groups(task)
    systems = (
        task.years[0].data_by_task_and_peers[task.run.task_and_peers].features["summarizer"].unique().tolist()
    )
    group = deal_groups(systems, 3, CONFIG.seed, "2021")[0]
    corpus = corpora["2021"].select(exclude=sorted(set(systems) - set(group)))
    few = extract_year(corpus, CONFIG.years[0], CONFIG).data_by_task_and_peers[task.run.task_and_peers]
    expected = few.rows(
        columns[: -len(task.rows.relative)],
        task.rows.measures,
        compared=plain_columns(task.rows.relative),
    )
    n_rows = len(expected.X)
    np.testing.assert_array_equal(rows.X[:n_rows], expected.X)
    np.testing.assert_array_equal(rows.Y[:n_rows], expected.Y)
    assert any(is_peer_feature(name.partition("~")[0]) for name in columns)
    assert not np.array_equal(task.rows.years[0].X[:n_rows], expected.X)


@pytest.mark.slow
def test_only_predictors_of_systems_that_need_no_reference_learn_so(tasks):
    """With references, groups of three to five are predicted better by themselves (docs/prediction.md)."""
    few = {one.run.peers: one.predictor.within.few for one in train_runs(tasks(), with_intervals=False)[0]}
    assert few["no_models"] is not None
    assert few["all_peers"] is None
    with_references = tasks(replace(CONFIG, features=FeatureOptions(), peers=("no_models",)))
    [found] = train_runs(with_references, with_intervals=False)[0]
    assert found.predictor.within.few is None
    assert found.predictor.within.n_least == 6


def test_predictions_come_without_own_topic_and_summarizer():
    # each cell is a power of two, so a mean tells which cells it was made of
    y = 2.0 ** np.arange(9)
    found = hold_out_folds(Mean(), stacked_years(3, 3, y=y), fit_options(folds=3))
    who, topics = np.divmod(np.arange(9), 3)
    for row in range(9):
        others = (who != who[row]) & (topics != topics[row])
        assert found.predictions[row] == pytest.approx(y[others].mean())
    np.testing.assert_array_equal(found.truth, y)


def test_a_summarizer_of_two_years_is_held_out_of_both():
    rows = stacked_years(4, 3, n_years=2)
    for held, known in rows.crossed_folds(4, 0):
        assert not set(rows.summarizers[held]) & set(rows.summarizers[known])
        assert not set(rows.topic_names[held]) & set(rows.topic_names[known])
        assert set(rows.years[known]) == {0, 1}


def test_a_year_is_predicted_from_the_others_on_their_scale_and_keeps_its_distance():
    y = np.r_[np.arange(12.0), np.arange(12.0) + 100, 3 * np.arange(12.0) + 50]
    options = fit_options(scale="standardize")
    found = hold_out_years(Mean(), stacked_years(4, 3, y=y, n_years=3), options)
    np.testing.assert_array_equal(found.truth, y)
    # the mean of what is known is that of its latest year, to whose scale the other is brought
    assert found.predictions.reshape(3, 12)[:, 0] == pytest.approx([66.5, 66.5, 105.5])
    assert hold_out_years(Mean(), stacked_years(4, 3), options) is None
    assert hold_out_years(Mean(), stacked_years(2, 4, n_years=2), options) is None


def test_the_scale_of_an_earlier_year_is_found_without_what_is_held_out():
    # the judgment on the other scale is then linear in it, with the ratio of the others' deviations as the slope
    values = np.random.default_rng(6).normal(size=24)
    stacked = stacked_years(4, 3, y=values, n_years=2)
    options = fit_options(folds=6, scale="standardize")
    for row in (0, 5):
        found = []
        for shift in (0.0, 1.0, 5.0):
            moved = stacked_years(4, 3, y=values + shift * (np.arange(24) == row), n_years=2)
            found.append(hold_out_folds(Mean(), moved, options).truth[row])
        known = (stacked.summarizer_names != stacked.summarizer_names[row]) & (
            stacked.topic_names != stacked.topic_names[row]
        )
        spread = [values[known & (stacked.years == year)].std() for year in (0, 1)]
        assert np.diff(found) == pytest.approx(np.array([1, 4]) * spread[1] / spread[0])


def test_too_few_topics_or_summarizers_are_not_held_out():
    assert hold_out_folds(Mean(), stacked_years(4, 2), fit_options()) is None
    assert hold_out_folds(Mean(), stacked_years(2, 4), fit_options()) is None


def test_incomplete_rows_are_left_out():
    y = np.arange(12.0)
    y[5] = np.nan
    assert len(hold_out_folds(Mean(), stacked_years(3, 4, y=y), fit_options(folds=3)).truth) == 11


RUN = RunTable("x", "responsiveness", "canonical", peers=("no_models",))


@pytest.mark.slow
def test_refit_on_all_years_by_hand(four, trained_by, config_of, weights):
    found = trained_by(four, "1", "2", "4", refit="all", effects="topic")
    years = extract(config_of("1", "2", "4"), four)
    measures = found.predictor.training["measures"]
    designs = [
        year.data_by_task_and_peers[TaskPeers("A", "no_models")].rows(found.predictor.columns, measures)
        for year in years[:2]
    ]
    rows = []
    for design in designs:
        for topic in np.unique(design.topics):
            part = np.column_stack([design.X, design.Y])[design.topics == topic]
            rows.append(part - part.mean(axis=0))
    grand = np.concatenate([np.column_stack([design.X, design.Y]) for design in designs]).mean(axis=0)
    both, n = np.concatenate(rows) + grand, designs[0].X.shape[1]
    fitter = FITTERS["canonical"](target=measures.index("responsiveness")).fit(both[:, :n], both[:, n:])
    np.testing.assert_allclose(weights(found), [*fitter.coef_, fitter.intercept_], rtol=1e-8)
    assert found.predictor.training["refitted_on"] == "1+2"
