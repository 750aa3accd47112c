"""Which runs the data allow, and what is said of the others."""

import dataclasses

import pytest

from classy_aesop import Config, InputError, train
from classy_aesop.config import RunTable, SearchOptions, Year
from classy_aesop.training.plan import plan_runs, training_tasks
from classy_aesop.training.years import extract

SMALL = SearchOptions.of("classy2011", names=("r2", "coverage", "redundancy1", "neg_log2_sentences"))
RESPONSIVENESS = RunTable("x", "responsiveness", "best")


def small_config(*names, runs=(RESPONSIVENESS,), **options):
    years = tuple(Year(name) for name in names)
    return Config(years=years, runs=tuple(runs), search=SMALL, tasks=("A",), **options)


def test_what_the_data_do_not_allow_is_left_out_with_a_warning(corpora):
    machines = {name: corpus.select(exclude_peers=["A", "B", "C", "D"]) for name, corpus in corpora.items()}
    config = dataclasses.replace(
        small_config("2021", "2022", "2023", runs=()), preset="classy2011", tasks=None
    )
    years = extract(config, machines)
    runs, notes = plan_runs(config, years)
    assert {run.peers for run in runs} == {"no_models"}
    assert len(runs) == 8
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
    runs, [note] = plan_runs(config, years)
    assert [run.label for run in runs] == [
        "readability-B-no_models",
        "pyramid-A-no_models",
        "pyramid-B-no_models",
    ]
    assert note.startswith(
        "run readability-A-no_models is left out: no measure 'readability' in all training"
    )
    found = [one.arrays.measures for one in training_tasks(config, years, runs)]
    assert [len(measures) for measures in found] == [3, 2, 3]
    unjudged = [dataclasses.replace(year, judgments=year.judgments.iloc[:, :0]) for year in years]
    with pytest.raises(
        InputError, match=r"-A-no_models is left out: the training years have no common human"
    ):
        plan_runs(config, unjudged)


def test_an_unknown_target_leaves_no_run(corpora):
    with pytest.raises(InputError, match=r"no run is left: .*no measure 'grammar' in all training years"):
        train(small_config("2021", "2022", "2023", runs=[RunTable("x", "grammar")]), corpora)
