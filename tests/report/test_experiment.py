"""The signature of an experiment is its identity: it differs wherever the numbers may, and nowhere else."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from classy_aesop.config import Config, Cut, RunTable, SearchOptions, Year
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.report.experiment import SHOWN, _tables, _wrapped, sign

YEAR = Year("2021", path="a/2021", scores=("a/metrics.tsv",))
SEARCH = SearchOptions.of("classy2011", names=("r2", "coverage", "redundancy1"))
CONFIG = Config(years=(YEAR,), runs=(RunTable("x", "responsiveness"),), search=SEARCH)


def signed(config):
    return sign(SimpleNamespace(config=config, protocol="folds-only", trained=()))


def test_whatever_changes_numbers_changes_the_signature():
    searched = [{"names": ("r2", "coverage", "redundancy2")}, {"names": ("r2", ("coverage", "redundancy1"))}]
    searched += [{"folds": 7}, {"learners": ("ridge",)}, {"extra": ("bertscore",)}]
    years = [{"name": "2022"}, {"topics": ("D1",)}, {"cut": Cut(1)}, {"exclude_peers": ("7",)}]
    years += [{"scale": {"overall": "bins"}}, {"copies": "exclude"}, {"scores": ("a/others.tsv",)}]
    runs = [RunTable("x", "overall"), RunTable("x", "responsiveness", "ridge", whole=True)]
    runs += [RunTable("x", "responsiveness", names=("r2",))]
    others = [{"search": replace(SEARCH, **one)} for one in searched] + [{"runs": (one,)} for one in runs]
    others += [{"years": (replace(YEAR, **one),)} for one in years] + [{"measures": ("responsiveness",)}]
    others += [{"features": FeatureOptions(sentences="split")}, {"peers": ("no_models",)}]
    others += [{"tasks": ("A",)}, {"seed": 1}]
    every = [signed(replace(CONFIG, **one)) for one in ({}, *others)]
    assert len(set(every)) == len(every)
    assert "|features:r2+coverage+redundancy1|" in every[0]


def test_where_files_lie_and_what_is_said_about_them_does_not():
    elsewhere = replace(YEAR, path="b/x", scores=("b/metrics.tsv",))
    assert signed(replace(CONFIG, years=(elsewhere,), about={"data": "mine"})) == signed(CONFIG)


@pytest.mark.parametrize(("name", "is_above"), [("responsiveness", True), ("quality", False)])
def test_a_table_of_one_target_names_it_above_where_it_is_wider_than_a_screen(name, is_above):
    same = {"task": "A", "peers": "no_models", "target": name, "fitter": "mixture", "metric": "ROUGE-SU4"}
    same |= {"value": 0.5, "n_summarizers": 12, "n_topics": 12}
    rows = pd.DataFrame(
        [(run, *shown) for run in ("", "overall_responsiveness") for shown in SHOWN.values()],
        columns=["run", "level", "coefficient"],
    ).assign(**same)
    place, *lines = next(_tables(rows)).splitlines()
    assert place == "task A, no_models: 12 summarizers, 12 topics" + (f", {name}" if is_above else "")
    assert max(map(len, lines)) <= 80
    assert lines[0].split()[0] == ("run" if is_above else "target")


def test_sentences_are_wrapped_for_a_screen():
    lines = _wrapped(
        ["The predictions beat ROUGE-2 in 2 of 2 runs: on 2022, by folds of the same year. " * 2, "p = 1"]
    )
    assert max(map(len, lines.splitlines())) <= 80
    assert lines.splitlines()[-1] == "p = 1"
