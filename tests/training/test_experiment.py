"""The whole way on small made-up years: every protocol, every run, results that hold together."""

import dataclasses
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Config, Corpus, InputError, read_config, train
from classy_aesop.config import RunTable, SearchOptions, Year
from classy_aesop.fitters import FITTERS, FITTERS_OF_2011
from classy_aesop.training.designs import Place, make_design
from classy_aesop.training.extract import extract
from classy_aesop.training.runs import plan

SMALL = SearchOptions.of("classy2011", names=("r2", "coverage", "redundancy1", "neg_log2_sentences"))
RESPONSIVENESS = RunTable("x", "responsiveness", "best")


def config_of(*names, runs=(RESPONSIVENESS,), **options):
    years = tuple(Year(name) for name in names)
    return Config(years=years, runs=tuple(runs), search=SMALL, tasks=("A",), **options)


def value_of(assessment, metric, level="system", coefficient="pearson"):
    rows = assessment[
        (assessment[["metric", "level", "coefficient"]] == [metric, level, coefficient]).all(axis=1)
    ]
    assert len(rows) == 1
    return rows["value"].iloc[0]


def test_the_preset_makes_16_predictors(folder):
    experiment = train(read_config(folder / "small.toml"))
    assert len({one.predictor.name for one in experiment.learned}) == 16
    assert experiment.notes == ()
    updates = [one.predictor for one in experiment.learned if one.run.task == "B"]
    assert any(column.endswith("@A") for predictor in updates for column in predictor.columns)
    assert not any(
        "@" in column for one in experiment.learned if one.run.task == "A" for column in one.predictor.columns
    )
    assert set(experiment.assessment["n_topics"]) == {5}


def test_rouge_has_a_row_a_target_and_place_of_no_run(corpora):
    runs = [RunTable(name, "responsiveness", "canonical", peers=("no_models",)) for name in ("x", "y")]
    found = train(config_of("2021", "2022", "2023", runs=runs), corpora).assessment
    place = ["target", "task", "peers", "metric", "level", "coefficient"]
    rouge = found["metric"].isin(["ROUGE-2", "ROUGE-SU4"])
    assert set(found.loc[rouge, "run"]) == set(found.loc[rouge, "fitter"]) == {""}
    assert not found[rouge].duplicated(place).any()
    assert set(found.loc[~rouge, "run"]) == {"x", "y"}
    assert rouge.sum() == (~rouge).sum()  # two runs and two metrics


def test_a_task_of_a_corpus_that_cannot_name_a_file_is_refused(corpora):
    def moved(corpus, task="/../../evil"):
        rows = corpus.judgments[corpus.judgments["task"] == "A"]
        topics = (replace(one, task=task) for one in corpus if one.task == "A")
        return Corpus(tuple(topics), rows.assign(task=task))

    corpora = {name: moved(corpus) for name, corpus in corpora.items()}
    config = replace(config_of("2021", "2022", "2023"), tasks=None)
    with pytest.raises(InputError, match=r"run x: task: '/\.\./\.\./evil' becomes part of a file name"):
        train(config, corpora)


def test_two_runs_whose_files_have_one_name_are_refused(corpora):
    runs = [RESPONSIVENESS, RunTable("x", "pyramid", "best")]
    with pytest.raises(InputError, match=r"several are called x-A-all_peers, x-A-no_models"):
        train(config_of("2021", "2022", "2023", runs=runs), corpora)


def test_names_and_groups_in_any_order_make_one_search(corpora):
    runs = [RunTable("x", "responsiveness", "canonical", peers=("no_models",))]
    found = []
    for names in (
        ("divergence", "digits", "r2", "flow"),
        ("flow_order", "flow_near", "r2", "flow_next", "digits", "divergence"),
    ):
        config = dataclasses.replace(
            config_of("2021", "2022", "2023", runs=runs), search=SearchOptions.of("classy2011", names=names)
        )
        found.append(train(config, corpora))
    one, other = (experiment.learned[0] for experiment in found)
    assert one.predictor.columns == other.predictor.columns
    assert one.predictor.weights == other.predictor.weights
    pd.testing.assert_frame_equal(found[0].assessment, found[1].assessment)
    table = extract(config, corpora)[2]
    names = [column for column in list(table.features)[8:] if "@" not in column]
    assert names == [
        "r2",
        "js_divergence1",
        "js_divergence2",
        "digits",
        "flow_next",
        "flow_near",
        "flow_order",
    ]
    predicted = one.predictor.predict(table.corpus.select(tasks=["A"]))
    own = table.features[table.features["task"] == "A"]
    np.testing.assert_allclose(predicted["score"], one.predictor.score(own)["score"])


def test_the_protocol_by_hand(corpora):
    """Fit each subset on the first year, take the best on the second, refit there, predict the third."""
    runs = [RunTable("x", "responsiveness", "nonnegative", peers=("no_models",))]
    config = config_of("2021", "2022", "2023", runs=runs)
    experiment = train(config, corpora)
    years = extract(config, corpora)
    place, target = Place("A", "no_models"), ["responsiveness"]
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
        first, second = (make_design(year, place, names, target) for year in years[:2])
        fitter.fit(first.X, first.Y[:, 0])
        if np.any(fitter.coef_):
            scores[tuple(names)] = system_pearson(fitter.predict(second.X), second)
    winner = max(scores, key=scores.get)
    second, third = (make_design(year, place, winner, target) for year in years[1:])
    expected = fitter.fit(second.X, second.Y[:, 0]).predict(third.X)

    [learned] = experiment.learned
    assert learned.predictor.columns == winner
    own = experiment.predictions[experiment.predictions["metric"] == "x-A-no_models"]
    np.testing.assert_allclose(own["score"], expected, rtol=1e-10)
    assert value_of(experiment.assessment, "x-A-no_models") == pytest.approx(
        system_pearson(expected, third), abs=1e-12
    )


def test_results_do_not_depend_on_the_number_of_jobs(corpora):
    config = config_of("2021", "2022", "2023")
    one, two = (train(config, corpora, n_jobs=n_jobs) for n_jobs in (1, 2))
    pd.testing.assert_frame_equal(one.assessment, two.assessment)
    pd.testing.assert_frame_equal(one.predictions, two.predictions)


def test_best_takes_the_fitter_with_the_highest_selection_score(corpora):
    for learned in train(config_of("2021", "2022", "2023"), corpora).learned:
        scores = {name: search.best().score for name, search in learned.searches.items()}
        assert set(scores) == set(FITTERS_OF_2011)
        assert learned.predictor.fitter == max(scores, key=scores.get)
        assert learned.predictor.training["selection_score"] == max(scores.values())


@pytest.mark.parametrize(
    ("names", "protocol", "note"),
    [
        (("2022", "2023"), "folds-predict", "two years: subsets are selected by topic-grouped folds"),
        (
            ("2023",),
            "folds-only",
            "one year: subsets are selected and predictions made by topic-grouped folds",
        ),
    ],
)
def test_fewer_years_are_folded_and_said(corpora, names, protocol, note):
    experiment = train(config_of(*names, seed=4), corpora)
    assert experiment.protocol == protocol
    assert any(one.startswith(note) for one in experiment.notes)
    assert all(one.predictor.training["protocol"] == protocol for one in experiment.learned)
    assert experiment.predictions["score"].notna().all()


def test_predictions_of_the_only_year_are_held_out(corpora):
    """No prediction is made by weights that saw its topic: changing a topic's judgments leaves its predictions."""
    runs = [RunTable("x", "responsiveness", "nonnegative", peers=("no_models",))]
    config = dataclasses.replace(
        config_of("2023", runs=runs), search=dataclasses.replace(SMALL, names=("r2",))
    )
    corpus = corpora["2023"]
    topic = corpus.topics[0].topic
    changed = corpus.judgments.copy()
    rows = (changed["topic"] == topic) & (changed["metric"] == "responsiveness")
    changed.loc[rows, "score"] = 6 - changed.loc[rows, "score"]
    before, after = (
        train(config, {"2023": dataclasses.replace(corpus, judgments=judgments)}).predictions
        for judgments in (corpus.judgments, changed)
    )
    same = np.isclose(before["score"], after["score"], rtol=0, atol=1e-12)
    assert same[before["topic"] == topic].all()
    assert not same[before["topic"] != topic].all()


def test_a_year_without_judgments_is_predicted_and_not_assessed(corpora):
    bare = dataclasses.replace(corpora["2023"], judgments=corpora["2023"].judgments.head(0))
    experiment = train(config_of("2021", "2022", "2023"), {**corpora, "2023": bare})
    assert experiment.assessment.empty
    assert experiment.predictions["score"].notna().all()


def test_what_the_data_do_not_allow_is_left_out_and_said(corpora):
    machines = {name: corpus.select(exclude_peers=["A", "B", "C", "D"]) for name, corpus in corpora.items()}
    config = dataclasses.replace(config_of("2021", "2022", "2023", runs=()), preset="classy2011", tasks=None)
    years = extract(config, machines)
    runs, notes = plan(config, years)
    assert {run.peers for run in runs} == {"no_models"}
    assert len(runs) == 8
    assert "run 8-A-all_peers is left out: year 2021 has no human summarizers" in notes


def test_years_without_a_common_measure_are_refused(corpora):
    judgments = corpora["2022"].judgments
    other = dataclasses.replace(corpora["2022"], judgments=judgments.assign(metric=judgments["metric"] + "2"))
    with pytest.raises(InputError, match=r"no common human measure: 2021 has .*; 2022 has \['pyramid2'"):
        train(config_of("2021", "2022", "2023"), {**corpora, "2022": other})


def test_an_unknown_target_leaves_no_run(corpora):
    with pytest.raises(InputError, match=r"no run is left: .*no measure 'grammar' in all training years"):
        train(config_of("2021", "2022", "2023", runs=[RunTable("x", "grammar")]), corpora)


def test_a_missing_corpus_is_named(corpora):
    with pytest.raises(InputError, match=r"years\.2024: neither a path nor a corpus is given"):
        train(config_of("2021", "2022", "2024"), corpora)


def test_a_fitter_that_finds_nothing_is_said(corpora):
    """Six in seven judgments are 5: robust regression fits them by a constant, whatever the features."""
    judged = {}
    for name, corpus in corpora.items():
        judgments = corpus.judgments.copy()
        rows = judgments["metric"] == "responsiveness"
        judgments.loc[rows, "score"] = [5.0 if place % 7 else 1.0 + place % 3 for place in range(rows.sum())]
        judged[name] = dataclasses.replace(corpus, judgments=judgments)
    runs = [RunTable(fitter, "responsiveness", fitter, peers=("no_models",)) for fitter in ("robust", "best")]
    experiment = train(config_of("2021", "2022", "2023", runs=runs), judged)
    assert [one.run.name for one in experiment.learned] == ["best"]
    assert any(
        "run robust-A-no_models is left out: with robust no subset's predictions vary" in n
        for n in experiment.notes
    )
    assert any("run best-A-no_models goes on without it" in note for note in experiment.notes)
    with pytest.raises(InputError, match="no run is left: run robust-A-no_models is left out"):
        train(config_of("2021", "2022", "2023", runs=runs[:1]), judged)
