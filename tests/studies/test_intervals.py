"""The study of intervals counts what it says; on real corpora the cuts are covered as asked."""

import dataclasses

import numpy as np
import pytest

from classy_aesop import InputError, read_config
from classy_aesop.config import Config, RunTable, SearchOptions, Year
from classy_aesop.studies.intervals import mean_coverage, over_cuts
from classy_aesop.studies.samples import YEARS
from classy_aesop.training.experiment import train

RUN = RunTable("x", "responsiveness", "canonical", tasks=("A",), peers=("no_models",))


def config_of(years=YEARS):
    return Config(
        tuple(map(Year, years)),
        runs=(RUN,),
        search=SearchOptions.of("classy2011", names=("r2", "redundancy1")),
    )


@pytest.mark.slow
def test_coverage_by_hand(folder):
    years = tuple(Year(name, path=str(folder / name)) for name in YEARS)
    config = dataclasses.replace(config_of(), years=years)
    found = over_cuts(config, [7], confidence=0.8)
    assert found["of"].tolist() == ["summaries", "means"]
    done = train(dataclasses.replace(config, seed=7))
    predictor, scores = done.trained[0].predictor, done.predictions
    from classy_aesop import read_corpus

    judged = read_corpus(folder / "2023").judgments.query("metric == 'responsiveness'")
    keys = ["topic", "task", "summarizer"]
    both = scores.merge(judged, on=keys, suffixes=("", "_truth"))
    half = predictor.calibration.of_summary(0.8)
    assert len(both) == found["count"].iloc[0] == 30
    assert found["covered"].iloc[0] == pytest.approx(
        (abs(both["score"] - both["score_truth"]) <= half).mean()
    )
    assert found["width"].iloc[0] == pytest.approx(2 * half)


def test_one_year_is_refused(corpora, monkeypatch):
    monkeypatch.setattr("classy_aesop.studies.intervals.made_years", lambda seed: corpora)
    monkeypatch.setattr("classy_aesop.studies.intervals.SAMPLE", config_of(("2021",)))
    with pytest.raises(InputError, match="found one year; expected two or three"):
        over_cuts(None, [1])


@pytest.mark.slow
def test_made_samples_are_covered(monkeypatch):
    monkeypatch.setattr("classy_aesop.studies.intervals.SAMPLE", config_of())
    table = mean_coverage(over_cuts(None, [1]))
    assert table["seeds"].tolist() == [1, 1]
    assert 0.7 < table["covered"].iloc[0] <= 1


def test_cuts_of_a_real_corpus_are_covered(shared):
    from pathlib import Path

    path = Path(__file__).parent.parent.parent / "configs" / "realsumm.toml"
    folder = str(shared / "data" / "realsumm")
    config = read_config(path, data={f"third-{part}": folder for part in (1, 2, 3)})
    runs = tuple(run for run in config.runs if run.name == "canonical")
    names = SearchOptions.of("classy2011", names=("r2", "su4", "coverage"))
    found = over_cuts(dataclasses.replace(config, runs=runs, search=names), range(1, 4))
    covered = found[found["of"] == "summaries"]["covered"]
    assert np.mean(covered) == pytest.approx(0.9, abs=0.05)
