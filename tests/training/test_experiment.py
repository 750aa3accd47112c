"""The whole way on small made-up years: every protocol, every run, results that hold together."""

import dataclasses
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus, DataWarning, InputError, read_config, train
from classy_aesop.config import RunTable, SearchOptions, TaskPeers
from classy_aesop.fitters import FITTERS
from classy_aesop.training.years import extract
from tests.training.samples import RESPONSIVENESS, SMALL, small_config


def value_of(assessment, metric, level="system", coefficient="pearson"):
    rows = assessment[
        (assessment[["metric", "level", "coefficient"]] == [metric, level, coefficient]).all(axis=1)
    ]
    assert len(rows) == 1
    return rows["value"].iloc[0]


@pytest.mark.slow
def test_the_preset_makes_16_predictors(folder):
    experiment = train(read_config(folder / "small.toml"))
    assert len({one.predictor.name for one in experiment.trained}) == 16
    assert experiment.notes == ()
    updates = [one.predictor for one in experiment.trained if one.run.task == "B"]
    assert any(column.endswith("@A") for predictor in updates for column in predictor.columns)
    assert not any(
        "@" in column for one in experiment.trained if one.run.task == "A" for column in one.predictor.columns
    )
    assert set(experiment.assessment["n_topics"]) == {5}


@pytest.mark.slow
def test_rouge_is_left_out_where_no_reference_can_be_left_out(corpora):
    years = {
        name: corpus.replace_topics(
            tuple(replace(one, references=one.references[:1]) for one in corpus.topics)
        )
        for name, corpus in corpora.items()
    }
    config = small_config(*years, runs=[RunTable("6", "responsiveness", "nonnegative", peers=("all_peers",))])
    with pytest.warns(DataWarning) as told:
        experiment = train(config, years)
    assert any(
        "all_peers: ROUGE is left out: topic 2023 D2301 A has 1 ref" in str(one.message) for one in told
    )
    assert set(experiment.assessment["metric"]) == {"6-A-all_peers"}
    assert experiment.assessment["value"].notna().all()


def test_a_task_of_a_corpus_that_cannot_name_a_file_is_refused(corpora):
    def moved(corpus, task="/../../evil"):
        rows = corpus.judgments[corpus.judgments["task"] == "A"]
        topics = (replace(one, task=task) for one in corpus if one.task == "A")
        return Corpus(tuple(topics), rows.assign(task=task))

    corpora = {name: moved(corpus) for name, corpus in corpora.items()}
    config = replace(small_config("2021", "2022", "2023"), tasks=None)
    with pytest.raises(InputError, match=r"run x: task: '/\.\./\.\./evil' becomes part of a file name"):
        train(config, corpora)


def test_two_runs_whose_files_have_one_name_are_refused(corpora):
    runs = [RESPONSIVENESS, RunTable("x", "pyramid", "best")]
    with pytest.raises(InputError, match=r"several are called x-A-all_peers, x-A-no_models"):
        train(small_config("2021", "2022", "2023", runs=runs), corpora)


@pytest.mark.slow
def test_names_and_groups_in_any_order_make_one_search(corpora):
    runs = [RunTable("x", "responsiveness", "canonical", peers=("no_models",))]
    found = []
    for names in (
        ("divergence", "digits", "r2", "flow"),
        ("flow_order", "flow_near", "r2", "flow_next", "digits", "divergence"),
    ):
        config = dataclasses.replace(
            small_config("2021", "2022", "2023", runs=runs),
            search=SearchOptions.from_method("classy2011", names=names),
        )
        found.append(train(config, corpora))
    one, other = (experiment.trained[0] for experiment in found)
    assert one.predictor.columns == other.predictor.columns
    assert one.predictor.formula == other.predictor.formula
    pd.testing.assert_frame_equal(found[0].assessment, found[1].assessment)


@pytest.mark.slow
def test_the_protocol_by_hand(corpora):
    """Fit each subset on the first year, take the best on the second, refit there, predict the third."""
    runs = [RunTable("x", "responsiveness", "nonnegative", peers=("no_models",))]
    config = small_config("2021", "2022", "2023", runs=runs)
    experiment = train(config, corpora)
    years = extract(config, corpora)
    place, target = TaskPeers("A", "no_models"), ["responsiveness"]
    fitter = FITTERS["nonnegative"]()

    def system_pearson(predictions, design):
        means = [
            [values[design.summarizers == who].mean() for who in np.unique(design.summarizers)]
            for values in (predictions, design.Y[:, 0])
        ]
        return np.corrcoef(means)[0, 1]

    scores = {}
    for mask in range(1, 16):
        names = [name for bit, name in enumerate(SMALL.names) if mask >> bit & 1]
        first, second = (year.data_by_task_and_peers[place].rows(names, target) for year in years[:2])
        fitter.fit(first.X, first.Y[:, 0])
        if np.any(fitter.coef_):
            scores[tuple(names)] = system_pearson(fitter.predict(second.X), second)
    winner = max(scores, key=scores.get)
    second, third = (year.data_by_task_and_peers[place].rows(winner, target) for year in years[1:])
    expected = fitter.fit(second.X, second.Y[:, 0]).predict(third.X)

    [learned] = experiment.trained
    assert learned.predictor.columns == winner
    own = experiment.predictions[experiment.predictions["metric"] == "x-A-no_models"]
    np.testing.assert_allclose(own["score"], expected, rtol=1e-10)
    assert value_of(experiment.assessment, "x-A-no_models") == pytest.approx(
        system_pearson(expected, third), abs=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("names", "protocol", "note"),
    [
        (
            ("2022", "2023"),
            "folds-predict",
            "two years: training holds out topics of the first",
        ),
        (("2023",), "folds-only", "one year: predictions are cross-validated"),
    ],
)
def test_fewer_years_are_folded_with_a_warning(corpora, names, protocol, note):
    experiment = train(small_config(*names, seed=4), corpora)
    assert experiment.protocol == protocol
    assert any(one.startswith(note) for one in experiment.notes)
    assert all(one.predictor.training["protocol"] == protocol for one in experiment.trained)
    assert experiment.predictions["score"].notna().all()


def test_a_missing_corpus_is_named(corpora):
    with pytest.raises(InputError, match=r"years\.2024: neither a path nor a corpus is given"):
        train(small_config("2021", "2022", "2024"), corpora)
