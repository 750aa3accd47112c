"""The experiment of 2011 the whole way on made-up releases in NIST's layout."""

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from benchmarks.made_up import generate
from classy_aesop import read_config, read_corpus, train
from classy_aesop.config import SearchOptions
from classy_aesop.training.years import extract

CONFIG = Path(__file__).parent.parent.parent / "configs" / "tac2011.toml"
ROOTS = {"2009": "UpdateSumm09_eval", "2010": "GuidedSumm2010_eval", "2011": "GuidedSumm2011_eval"}


def write_release(root, year, made):
    """Write made-up summaries and scores as a release has them (columns of learning from 2009 on)."""
    (root / "manual").mkdir(parents=True)
    for kind in ("models", "peers"):
        (root / "ROUGE" / kind).mkdir(parents=True)
    for row in made.summaries:
        kind = "models" if row["summarizer_type"] == "reference" else "peers"
        place = root / "ROUGE" / kind / f"{name_of(row, year)}.M.100.E.{row['summarizer_id']}"
        place.write_text("\n".join(row["summary"]["text"]) + "\n")
    tables = {(kind, task): [] for kind in ("peer", "model") for task in "AB"}
    for row in made.judgments:
        name, scores = name_of(row, year), row["metrics"]
        grades = [
            2 * scores[measure] if year == "2009" else scores[measure]
            for measure in ("readability", "responsiveness")
        ]
        if row["summarizer_type"] == "reference":
            cells = [name, row["summarizer_id"], 5, "X", "-", scores["pyramid"], *grades]
            tables["model", name[-1]].append(cells)
        else:
            pyramid = scores["pyramid"]
            cells = [name, row["summarizer_id"], pyramid, 5, 0, "X", "-", pyramid, *grades]
            tables["peer", name[-1]].append(cells)
    for (kind, task), rows in tables.items():
        text = "".join(" ".join(map(str, cells)) + "\n" for cells in rows)
        (root / "manual" / f"manual.{kind}.{task}").write_text(text)


def name_of(row, year):
    """D2101-A of the generator becomes D0901-A, D1001-A, ... of a release."""
    topic, task = row["instance_id"].split("-")
    return f"D{year[-2:]}{topic[-2:]}-{task}"


@pytest.fixture(scope="module")
def releases(tmp_path_factory):
    tmp_path = tmp_path_factory.mktemp("tac")
    for year, root in ROOTS.items():
        write_release(tmp_path / root, year, generate(5, year=year, n_topics=5, n_systems=6, n_humans=4))
    return {year: str(tmp_path / root) for year, root in ROOTS.items()}


@pytest.mark.slow
def test_a_release_holds_what_was_written(releases):
    corpus = read_corpus(releases["2010"])
    assert len(corpus) == 10
    assert {topic.year for topic in corpus.topics} == {"2010"}
    [topic] = [topic for topic in corpus.topics if (topic.topic, topic.task) == ("D1001", "B")]
    assert (len(topic.references), len(topic.earlier_references), len(topic.summaries)) == (4, 4, 10)


@pytest.mark.slow
def test_the_experiment_of_2011(releases):
    few = SearchOptions.from_method("classy2011", names=("r2", "coverage"))
    experiment = train(dataclasses.replace(read_config(CONFIG, data=releases), search=few))
    assert len(experiment.trained) == 16
    assert experiment.notes == ()
    assert np.isfinite(experiment.assessment.query("level == 'system'")["value"]).all()


@pytest.mark.slow
def test_ten_points_are_five_and_baselines_are_out(releases):
    first = extract(read_config(CONFIG, data=releases))[0]
    assert first.judgments["responsiveness"].between(1, 5).all()
    assert not {"2", "3"} & set(first.features["summarizer"])
    assert first.judgments.loc[~first.features["human"], "pyramid"].notna().all()
    assert first.judgments.loc[first.features["human"], "pyramid"].isna().all()
    assert first.judgments["pyramid_jackknifed"].notna().all()
