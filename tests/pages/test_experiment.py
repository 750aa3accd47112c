"""The signature of an experiment is its identity: it differs wherever the numbers may, and nowhere else."""

from dataclasses import replace
from types import SimpleNamespace

import pandas as pd
import pytest

from classy_aesop.config import Config, Cut, RunTable, SearchOptions, Year
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.pages.experiment import SUMMARY_COLUMNS, experiment_signature, summary

YEAR = Year("2021", path="a/2021", scores=("a/metrics.tsv",))
SEARCH = SearchOptions.from_method("classy2011", names=("r2", "coverage", "redundancy1"))
CONFIG = Config(years=(YEAR,), runs=(RunTable("x", "responsiveness"),), search=SEARCH)


def signed(config):
    return experiment_signature(SimpleNamespace(config=config, protocol="folds-only", trained=()))


def test_whatever_changes_numbers_changes_the_signature():
    searched = [{"names": ("r2", "coverage", "redundancy2")}, {"names": ("r2", ("coverage", "redundancy1"))}]
    searched += [{"folds": 7}, {"learners": ("ridge",)}, {"extra": ("bertscore",)}]
    years = [{"name": "2022"}, {"topics": ("D1",)}, {"cut": Cut(1)}, {"exclude": ("7",)}]
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


def made(n_runs):
    """Give what a summary is written from: two targets in two tasks, each with runs and ROUGE."""
    places = [("pyramid", "A"), ("pyramid", "B"), ("readability", "A"), ("readability", "B")]
    rows, verdict = [], []
    for target, task in places:
        names = [f"{run}-{target}-{task}" for run in range(n_runs)]
        for run, metric in [*enumerate(names), ("", "ROUGE-2")]:
            ids = {"run": str(run), "target": target, "task": task, "peers": "no_models", "metric": metric}
            ids |= {"fitter": "mixture" if metric in names else ""}
            rows += [
                {
                    **ids,
                    "level": level,
                    "coefficient": of,
                    "value": 0.5 if run != "" else 0.25,
                    "n_summarizers": 20,
                }
                for level, of in SUMMARY_COLUMNS.values()
            ]
            if metric in names:
                verdict.append({**ids, "against": "ROUGE-2", "value": 0.5, "rival": 0.25, "difference": 0.25})
    verdict = pd.DataFrame(verdict).assign(p=0.01, p_here=0.01, p_adjusted=0.5, p_here_adjusted=0.01)
    notes = *(f"run {name} is left out: no x" for name in "ab"), "2021: 3 copies", "2022: 3 copies", "alone"
    about = {"config": CONFIG, "protocol": "folds-only", "trained": (), "notes": notes}
    beside = {"by_default": pd.DataFrame()}
    return SimpleNamespace(**about, assessment=pd.DataFrame(rows), verdict=verdict, **beside)


def test_a_summary_has_an_overview_the_verdict_and_a_table_a_target():
    text = summary(made(2))
    lines = text.splitlines()
    assert "\n\nThe predictions agree better with people than ROUGE-2 in 8 of 8 cases" in text
    heads = [line.split()[0] for line in lines if " pearson " in line]
    assert heads == ["pyramid", "readability"]
    assert sum(line.startswith(("0-", "1-")) for line in lines) == 8
    assert "Note: runs a, b are left out: no x\nNote: 2021, 2022: 3 copies\nNote: alone" in text
    assert "\nROUGE-2 " in text


def test_the_screen_of_one_predictor_gives_its_difference_and_for_whom_it_is_significant():
    experiment = made(1)
    experiment.verdict = experiment.verdict[:1]
    experiment.assessment = experiment.assessment[: 2 * len(SUMMARY_COLUMNS)]
    text = " ".join(summary(experiment, path_of_whole="out/summary.txt").split())
    assert text.startswith("A predictor of human pyramid was made. 2021 was predicted (cross-validated over")
    by = "by 0.250: significant for other systems like these (p = 0.010), and for these (p = 0.010)."
    assert f"The prediction agrees better with people than ROUGE-2, {by}" in text


def made_by_a_preset(p_adjusted):
    """Give the same with the default method beside the runs of a preset: better by .5 in every case."""
    experiment = made(2)
    by_default = experiment.verdict[experiment.verdict["run"] == "0"]
    experiment.by_default = by_default.assign(value=0.75, difference=0.5, p_adjusted=p_adjusted)
    experiment.config = replace(CONFIG, preset="classy2011")
    return experiment


@pytest.mark.slow
def test_the_screen_of_a_preset_says_what_was_done_how_well_and_what_is_next():
    """By hand: with 20 points Fisher's interval of .5 is tanh(atanh .5 -+ 1.96 / sqrt 17) = .07 to .77."""
    experiment = made_by_a_preset(p_adjusted=[0.01, 0.5, 0.5, 0.5])
    text = summary(experiment, path_of_whole="out/summary.txt")
    lines = text.splitlines()
    assert text.startswith("8 predictors of human scores were made, each for one human measure, task and set")
    rows = [line.split() for line in lines if line.startswith(("pyramid", "readability"))]
    shown = "0.750 (0.46 to 0.90) 0.500 (0.07 to 0.77) 0.250 (-0.22 to 0.62)"
    assert [" ".join(row) for row in rows] == [f"pyramid {shown}", f"readability {shown}"]
    words = " ".join(text.split())
    better = "agrees better with people than ROUGE-2 in {} cases, significantly for other systems like these in {}."
    assert f"The default method {better.format('4 of 4', 1)}" in words
    assert f"The method of classy2011 {better.format('8 of 8', 0)}" in words
    assert "do not show" not in words
    assert "classy-aesop predict out/predictors/0-pyramid-A.json SUMMARIES" in words
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 30
    whole = summary(experiment)
    assert whole.startswith(text[: text.index("Note: ")])


def test_where_nothing_is_significant_the_screen_says_what_is_missing():
    text = summary(made_by_a_preset(p_adjusted=0.5), path_of_whole="out/summary.txt")
    assert "at most 20 summarizers were judged. More judged systems" in " ".join(text.split())
