"""Corpora without references: every command does what it can, and names what it leaves out."""

import csv
import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest
from pandas.testing import assert_frame_equal

from classy_aesop import DataWarning, read_corpus, score, train
from classy_aesop.config import make_config
from classy_aesop.config.keys import Year
from classy_aesop.features import feature_table
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import needs_references, sort_features

TABLES = Path(__file__).parents[2] / "classy_aesop/sample/tutorial"
NAME = "responsiveness-no_models"
BARE = replace(FeatureOptions(), references="none")


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The tables of the tutorial without their column of references; autumn without judgments too."""
    folder = tmp_path_factory.mktemp("bare")
    for name in ("spring", "autumn", "new"):
        without = ["reference", *(["responsiveness", "readability"] if name == "new" else [])]
        rows = rows_of(TABLES / f"{'spring' if name == 'spring' else 'autumn'}.csv")
        kept = [{key: value for key, value in row.items() if key not in without} for row in rows]
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, list(kept[0]))
            table.writeheader()
            table.writerows(kept)
    return folder


def learned(path, **options):
    """Learn responsiveness by the default method."""
    corpus = read_corpus(path)
    config = make_config([Year("spring")], {"spring": corpus}, ["responsiveness"])
    return train(replace(config, **options), {"spring": corpus})


@pytest.fixture(scope="module")
def experiment(bare):
    with pytest.warns(DataWarning, match="12 topics without references"):
        return learned(bare / "spring.csv")


@pytest.fixture
def predictor(experiment, tmp_path):
    experiment.trained[0].predictor.save(tmp_path / "bare.json")
    return tmp_path / "bare.json"


@pytest.mark.slow
def test_features_are_those_of_the_same_corpus_with_references(bare):
    whole = feature_table(read_corpus(TABLES / "autumn.csv"))
    found = feature_table(read_corpus(TABLES / "autumn.csv"), BARE)
    assert found["n_references"].unique().tolist() == [0]
    with pytest.warns(DataWarning, match="12 topics without references"):
        again = feature_table(read_corpus(bare / "new.csv"))
    names = [name for name in sort_features() if name in found]
    assert names == [name for name in sort_features() if not needs_references(name)]
    assert found[names].equals(again[names])
    # where words come first in references, sums are rounded otherwise
    assert_frame_equal(found[names], whole[names])


def test_features_that_all_need_references_are_refused(refused, bare):
    said = "r2, pyramid: compared with references, and there are none to compare with"
    refused(1, said, f"features {bare}/new.csv --names r2,pyramid -q")


def test_a_stream_has_all_columns_whether_or_not_its_first_topics_have_references(
    printed, tmp_path, monkeypatch
):
    monkeypatch.setattr("classy_aesop.reading.streaming.MAX_BYTES_READ_AT_ONCE", 0)
    path, rows = tmp_path / "rows.jsonl", []
    for topic, name in itertools.product("12", "ab"):
        references = {"R": "Rain."} if topic == "2" else {}
        row = {"topic": topic, "summarizer": name, "text": f"It rained {name}."}
        rows.append(row | {"references": references})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert "\tr2\t" in printed("features", path, "-f", "tsv", "-q").splitlines()[0]


@pytest.mark.slow
def test_train_learns_from_the_rest_and_names_what_is_missing(experiment):
    learned = "r2, su4, coverage, bigrams, bigrams_p2p, coverage_p2p, divergence, pyramid"
    assert f"no_models: no references in spring; trained without {learned}" in experiment.notes
    predictor = experiment.trained[0].predictor
    assert predictor.features.references == "none"
    assert not any(needs_references(name) for name in predictor.plain_columns)
    assert "consensus_mean2" in predictor.within.plain
    assert set(experiment.assessment["metric"]) == {NAME}  # no ROUGE


@pytest.mark.slow
def test_single_columns_of_consensus_stand_for_known_metrics(experiment):
    """With 12 systems and others to predict, single columns have (10 / 12) squared of the prediction."""
    shares = {one["name"]: one["share"] for one in experiment.trained[0].predictor.training["learners"]}
    single = ["consensus_squares1", "consensus_squares2", "consensus_top1", "consensus_top2"]
    assert list(shares) == ["ridge", "boosting", "extra_trees", *single]
    assert [shares[name] for name in single] == pytest.approx([25 / 36 / 4] * 4)
    parts = experiment.trained[0].predictor.formula
    assert set(parts.parts[-1].weights) == {0.0}  # by itself a summary has no consensus


@pytest.mark.slow
def test_a_run_of_columns_that_need_references_is_left_out(bare):
    with pytest.warns(DataWarning, match="12 topics without references"):
        corpus = read_corpus(bare / "spring.csv")
    config = make_config([Year("spring")], {"spring": corpus}, ["responsiveness"])
    runs = (config.runs[0], replace(config.runs[0], name="overlap", names=("r2", "su4")))
    found = train(replace(config, runs=runs), {"spring": corpus})
    assert [one.run.name for one in found.trained] == ["responsiveness"]
    why = "all its columns need references, and spring has none"
    assert f"run overlap-no_models is left out: {why}" in found.notes


@pytest.mark.slow
def test_predictions_need_no_references(run, predictor, bare):
    """References that are there change nothing, and nothing is said of their number."""
    tables = []
    for path in (bare / "new.csv", TABLES / "autumn.csv"):
        code, out, err = run("predict", predictor, path, "-f", "json")
        assert code == 0
        assert "it learned with" not in err
        tables.append(json.loads(out)["rows"])
    assert tables[0] == tables[1]
    assert all(row["score"] is not None and row["form"] == "within" for row in tables[0])
    for command in (["predict", "--means"], ["predict", "--confidence", "0.8"], ["predict", "--explain"]):
        assert run(command[0], predictor, bare / "new.csv", *command[1:])[0] == 0


@pytest.mark.slow
def test_evaluate_skips_what_needs_references(run, refused, predictor, bare):
    command = ("evaluate", bare / "autumn.csv", "--target", "responsiveness")
    code, out, err = run(*command, "--predictor", predictor, "-f", "json")
    assert code == 0
    assert "baselines rouge, ngram, js, lsa, vert_like, ngram_graphs are left out" in err
    assert {row["metric"] for row in json.loads(out)["rows"]} == {NAME}
    refused(1, "no baseline is left", *command, "-q")


@pytest.mark.slow
def test_lists_without_references_are_compared_by_topic(experiment, bare):
    predictor, rows = experiment.trained[0].predictor, rows_of(bare / "new.csv")[::-1]
    texts, topics, systems = ([row[name] for row in rows] for name in ("summary", "doc_id", "system"))
    found = score(texts, topics=topics, summarizers=systems, predictor=predictor)
    with pytest.warns(DataWarning, match="12 topics without references"):
        expected = predictor.predict(read_corpus(bare / "new.csv"))
    keys = ["topic", "summarizer"]
    both = found[[*keys, "score"]].merge(expected[[*keys, "score"]], on=keys)
    assert len(both) == 144
    assert both["score_x"].tolist() == pytest.approx(both["score_y"].tolist(), abs=1e-9)
