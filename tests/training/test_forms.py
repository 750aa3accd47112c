"""What the default method learns: both forms, their shares and intervals, and that nothing depends on the workers."""

import dataclasses
import json

import numpy as np
import pytest

from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.features.registry import TOPICWISE, columns, is_of_peers
from classy_aesop.fitters import RidgeRegression
from classy_aesop.formulas import Mixture
from classy_aesop.report.experiment import sign
from classy_aesop.training.experiment import train
from classy_aesop.training.forms import fit_forms
from classy_aesop.training.learners import AllColumns
from classy_aesop.training.plan import plan_runs, training_tasks
from classy_aesop.training.years import extract

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
    assert predictor.columns == tuple(name for name in columns(TOPICWISE) if not is_of_peers(name))
    assert set(predictor.within.plain) == set(columns(TOPICWISE))
    assert predictor.within.calibration_alone.summaries != predictor.calibration.summaries
    assert isinstance(predictor.formula, Mixture)
    assert isinstance(predictor.within.formula, Mixture)
    shares = {one["name"]: one["share"] for one in predictor.training["learners"]}
    assert sum(shares.values()) == pytest.approx(1)
    assert shares["ridge"] == shares["boosting"] == shares["extra_trees"]
    assert set(trained.points["form"]) == {"within"}
    assert trained.points["low"].notna().all()


def test_without_a_search_nothing_is_said_of_subsets(trained):
    """The default method selects no subset, so neither its record nor its signature has how subsets are selected."""
    parts = {part.partition(":")[0] for part in sign(trained).split("|")}
    of_subsets = {"selection_score", "choose", "n_resamples", "units"}
    assert not of_subsets & parts
    assert not of_subsets & set(trained.trained[0].predictor.training)
    assert "relative" in parts


@pytest.mark.slow
def test_training_is_repeatable_whatever_the_workers(trained, corpora):
    assert body_of(train(config_of(), corpora)) == body_of(trained)
    assert body_of(train(config_of(), corpora, n_jobs=2)) == body_of(trained)


def test_held_out_rows_are_predicted_as_a_predictor_predicts(trained, corpora):
    config = config_of()
    years = extract(config, corpora)
    [task] = training_tasks(config, years, plan_runs(config, years)[0])
    rows = task.arrays.designs[-1]
    learner = AllColumns("ridge", RidgeRegression())
    forms = fit_forms(learner, task.for_fit(rows), task.target, task.arrays.relative)
    predictor = dataclasses.replace(trained.trained[0].predictor, formula=forms.formula, within=forms.within)
    within, alone = forms.predict(rows)
    np.testing.assert_allclose(predictor.score(task.arrays.tables[-1])["score"], within, atol=1e-12)
    np.testing.assert_allclose(predictor.alone().score(task.arrays.tables[-1])["score"], alone, atol=1e-12)


@pytest.mark.slow
def test_without_relative_columns_there_is_one_form(corpora):
    [found] = train(config_of(relative=False), corpora).trained
    assert found.predictor.within is None
    assert set(found.predictor.columns) == set(columns(TOPICWISE))
