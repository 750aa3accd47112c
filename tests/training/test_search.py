"""The search of an experiment, and which subset of which fitter a predictor is made of."""

import dataclasses

import numpy as np
import pytest

from classy_aesop import InputError, train
from classy_aesop.config import RunTable
from classy_aesop.features.registry import FEATURES, columns
from classy_aesop.fitters import fitters_tried_by_best
from tests.training.samples import small_config

RUN = RunTable("x", "responsiveness", "canonical", peers=("no_models",))
FEW_GROUPS = ("r2", "anaphora", "flow")


@pytest.mark.slow
def test_latest_takes_the_last_three_of_four_years(four, trained_by, config_of, weights):
    every, last = trained_by(four, "1", "2", "3", "4"), trained_by(four, "2", "3", "4")
    assert weights(every).tolist() == weights(last).tolist()
    assert every.predictor.training["years"] == ["2", "3"]
    assert "protocol latest: nothing is learned from 1" in train(config_of("1", "2", "3", "4"), four).notes


@pytest.mark.slow
def test_leaving_one_year_out_averages_the_years_scores(four, trained_by):
    """With years 1 and 2 to learn from, either is fitted on and the other selects."""
    found = trained_by(four, "1", "2", "4", protocol="leave-one-year-out")
    there, back = (trained_by(four, *order, "4") for order in (("1", "2"), ("2", "1")))
    mean = (there.searches["canonical"].scores + back.searches["canonical"].scores) / 2
    np.testing.assert_allclose(found.searches["canonical"].scores, mean, rtol=1e-12)


@pytest.mark.slow
def test_the_features_of_a_group_come_and_go_together(corpora, trained_by):
    """Subsets of units are the subsets of features that hold all or none of a group."""
    apart, together = (
        trained_by(corpora, names=FEW_GROUPS, units=units).searches["canonical"]
        for units in ("features", "groups")
    )
    assert together.names == FEW_GROUPS
    flow = {name for name, known in FEATURES.items() if known.group == "flow"}
    anaphora = {name for name, known in FEATURES.items() if known.group == "anaphora"}
    for at, mask in enumerate(together.masks):
        held = {"r2"} if mask & 1 else set()
        held |= (anaphora if mask & 2 else set()) | (flow if mask & 4 else set())
        same = [name in held for name in apart.names]
        other = int(np.flatnonzero(apart.masks == sum(1 << i for i, has in enumerate(same) if has))[0])
        assert together.scores[at] == pytest.approx(apart.scores[other], abs=1e-10)
    found = trained_by(corpora, names=FEW_GROUPS, units="groups")
    assert found.predictor.columns == tuple(columns(found.subset.names))


@pytest.mark.slow
def test_a_whole_fit_tells_nothing_of_a_search(corpora, trained_by):
    for fitter in ("ridge", "extra_trees"):
        run = dataclasses.replace(RUN, fitter=fitter, whole=True)
        found = trained_by(corpora, run=run, method="topicwise")
        assert not {"coefficient", "units"} & set(found.predictor.training)
        assert found.predictor.training["effects"] == "topic"


@pytest.mark.slow
def test_best_takes_the_fitter_with_the_highest_selection_score(corpora):
    for learned in train(small_config("2021", "2022", "2023"), corpora).trained:
        scores = {name: search.best().score for name, search in learned.searches.items()}
        assert set(scores) == set(fitters_tried_by_best())
        assert learned.predictor.fitter == max(scores, key=scores.get)
        assert learned.predictor.training["selection_score"] == max(scores.values())


@pytest.mark.slow
def test_a_fitter_that_finds_nothing_is_reported(corpora):
    """Six in seven judgments are 5: robust regression fits them by a constant, whatever the features."""
    judged = {}
    for name, corpus in corpora.items():
        judgments = corpus.judgments.copy()
        rows = judgments["metric"] == "responsiveness"
        judgments.loc[rows, "score"] = [5.0 if place % 7 else 1.0 + place % 3 for place in range(rows.sum())]
        judged[name] = dataclasses.replace(corpus, judgments=judgments)
    runs = [RunTable(fitter, "responsiveness", fitter, peers=("no_models",)) for fitter in ("robust", "best")]
    experiment = train(small_config("2021", "2022", "2023", runs=runs), judged)
    assert [one.run.name for one in experiment.trained] == ["best"]
    assert any(
        "run robust-A-no_models is left out: with robust the predictions of every subset are constant" in n
        for n in experiment.notes
    )
    assert any("run best-A-no_models goes on without it" in note for note in experiment.notes)
    with pytest.raises(InputError, match="no run is left: run robust-A-no_models is left out"):
        train(small_config("2021", "2022", "2023", runs=runs[:1]), judged)
