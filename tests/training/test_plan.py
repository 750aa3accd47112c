"""The runs that the data allow, what each learns from, and what is easily misread."""

import dataclasses

import pytest

from classy_aesop import Config, InputError, train
from classy_aesop.config import RunTable, SearchOptions, Year
from classy_aesop.training.plan import cautions, plan_runs
from classy_aesop.training.years import extract
from tests.training.samples import small_config

NAMES = ("r2", "coverage", "redundancy1")


def tasks_of(corpora, *runs, **options):
    search = SearchOptions.from_method("classy2011", **{"names": NAMES, **options})
    config = Config(tuple(map(Year, corpora)), runs=runs, search=search, tasks=("A", "B"))
    years = extract(config, corpora)
    return plan_runs(config, years)[0], years


@pytest.mark.slow
def test_runs_that_choose_from_the_same_share_their_rows(corpora):
    runs = [RunTable(name, name, peers=("no_models",)) for name in ("responsiveness", "pyramid")]
    tasks, _ = tasks_of(corpora, *runs)
    one, other = (task for task in tasks if task.run.task == "A")
    assert one.rows is other.rows
    assert one.space == other.space
    assert one.options.target != other.options.target
    assert len({id(task.rows) for task in tasks}) == 2  # tasks A and B


def test_a_run_is_fitted_by_the_seed_of_its_configuration(corpora):
    config = small_config("2021", "2022", seed=7)
    [planned, *_], _ = plan_runs(config, extract(config, corpora))
    assert planned.options.make_fitter("boosting", on_scale=True).random_state == 7
    assert planned.options.seed == 7


@pytest.mark.slow
def test_a_whole_group_and_the_same_features_as_one_fit_are_two_searches(corpora):
    """Both choose from one unit of the same features; their units have other names."""
    units = RunTable("group", "pyramid", "canonical", tasks=("A",), peers=("no_models",), names=("flow",))
    whole = dataclasses.replace(units, name="whole", whole=True)
    search = SearchOptions.from_method("classy2011", names=("flow",), units="groups")
    config = Config(tuple(map(Year, corpora)), runs=(units, whole), search=search)
    one, other = train(config, corpora).trained
    assert one.predictor.columns == other.predictor.columns == ("flow_next", "flow_near", "flow_order")
    assert one.predictor.formula == other.predictor.formula


@pytest.mark.slow
def test_what_the_data_do_not_allow_is_left_out_with_a_warning(corpora):
    machines = {name: corpus.select(exclude=["A", "B", "C", "D"]) for name, corpus in corpora.items()}
    config = dataclasses.replace(
        small_config("2021", "2022", "2023", runs=()), preset="classy2011", tasks=None
    )
    tasks, notes = plan_runs(config, extract(config, machines))
    assert {task.run.peers for task in tasks} == {"no_models"}
    assert len(tasks) == 8
    assert "run 8-A-all_peers is left out: year 2021 has no human summarizers" in notes


def test_years_without_a_common_measure_are_refused(corpora):
    judgments = corpora["2022"].judgments
    other = dataclasses.replace(corpora["2022"], judgments=judgments.assign(metric=judgments["metric"] + "2"))
    with pytest.raises(InputError, match=r"no common human measure: 2021 has .*; 2022 has \['pyramid2'"):
        train(small_config("2021", "2022", "2023"), {**corpora, "2022": other})


def test_a_measure_counts_where_it_is_judged(corpora):
    """Readability was judged for task B alone."""
    names = dict.fromkeys(topic.topic for topic in corpora["2022"])
    corpus = corpora["2022"].select(topics=list(names)[:2])
    kept = (corpus.judgments["metric"] != "readability") | (corpus.judgments["task"] == "B")
    partly = {"2022": dataclasses.replace(corpus, judgments=corpus.judgments[kept])}
    both = [RunTable(name, name, "canonical", peers=("no_models",)) for name in ("readability", "pyramid")]
    config = dataclasses.replace(small_config("2022", runs=both), tasks=("A", "B"))
    years = extract(config, partly)
    tasks, [note] = plan_runs(config, years)
    assert [task.run.label for task in tasks] == [
        "readability-B-no_models",
        "pyramid-A-no_models",
        "pyramid-B-no_models",
    ]
    assert note.startswith(
        "run readability-A-no_models is left out: no measure 'readability' in all training"
    )
    assert [len(task.rows.measures) for task in tasks] == [3, 2, 3]
    unjudged = [dataclasses.replace(year, judgments=year.judgments.iloc[:, :0]) for year in years]
    with pytest.raises(
        InputError, match=r"-A-no_models is left out: the training years have no common human"
    ):
        plan_runs(config, unjudged)


def test_an_unknown_target_leaves_no_run(corpora):
    with pytest.raises(InputError, match=r"no run is left: .*no measure 'grammar' in all training years"):
        train(small_config("2021", "2022", "2023", runs=[RunTable("x", "grammar")]), corpora)


@pytest.mark.slow
def test_years_that_share_topics_are_refused(corpora, config_of):
    again = {**corpora, "2022": corpora["2021"]}
    with pytest.raises(
        InputError, match=r"years share topics or texts: 2021/D2101/A and 2022/D2101/A \(topic\)"
    ):
        train(config_of(), again)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(("factor", "top"), [(1, ""), (1.25, "6"), (2.25, "10")])
def test_another_scale_is_said(monkeypatch, corpora, config_of, factor, top):
    """A year judged 1 to 10, predicted by what learned 1 to 5; 1 to 6 where more topics than chance explains have 6."""
    monkeypatch.setattr("classy_aesop.predictor.calibration.CHANCE", 0.6)
    config, years = config_of(), extract(config_of(), corpora)
    tasks, _ = plan_runs(config, years)
    said = f"responsiveness is judged 1 to {top} in 2023 and 1 to 5 in 2022: predictions are on the scale of 2022, so "
    grades = factor * (years[-1].judgments["responsiveness"] - 1) + 1
    judgments = years[-1].judgments.assign(responsiveness=grades)
    notes = cautions(config, [*years[:-1], dataclasses.replace(years[-1], judgments=judgments)], tasks)
    expected = [f"{said}errors and intervals do not hold for 2023"] if top else []
    assert [one for one in notes if "is judged" in one] == expected
