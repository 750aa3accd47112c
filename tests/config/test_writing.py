"""Configurations written as TOML are read as they were."""

import dataclasses
from pathlib import Path

import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop.config import Config, Cut, RunTable, SearchOptions, Year, make_config, read_config, to_toml
from classy_aesop.config.keys import config_keys_of
from classy_aesop.features.counts import FeatureOptions

EXAMPLES = sorted((Path(__file__).parents[2] / "configs").glob("*.toml"))
FULL = Config(
    years=(
        Year(
            'the "first" \\ year\t\x7fé',
            path="data/2021",
            cut=Cut(2, seed=5),
            exclude=("2", "3"),
            references=("A",),
            scale={"overall score": "ten_to_five"},
            ranges={"é": (0, 1.5)},
            scores=("scores.tsv",),
            copies="without",
        ),
        Year("second", path="data/2022", topics=("a", "b")),
        Year("without texts", scores=("scores.tsv",), judgments=("human.tsv",)),
    ),
    seed=3,
    tasks=("A",),
    peers=("no_models",),
    runs=(
        RunTable("1", "overall", whole=True, names=("r2", "su4")),
        RunTable("2", "overall", calibrate=False),
    ),
    features=FeatureOptions(tokenizer="unicode"),
    search=SearchOptions.from_method("classy2011", names=("rouge", ("r2", "su4")), folds=3),
    about={"source": "two\nlines"},
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    for year in ("2021", "2022"):
        (tmp_path / "data" / year).mkdir(parents=True)
    for name in ("scores.tsv", "human.tsv"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("commented", [False, True])
def test_a_configuration_comes_back(place, commented):
    (place / "deep" / "er").mkdir(parents=True)
    file = place / "deep" / "er" / "config.toml"
    file.write_text(to_toml(FULL, file.parent, commented=commented))
    found = read_config(file)

    def from_place(path):
        return str(Path(path).resolve().relative_to(place))

    years = [
        dataclasses.replace(
            year,
            path=year.path and from_place(year.path),
            scores=tuple(map(from_place, year.scores)),
            judgments=tuple(map(from_place, year.judgments)),
        )
        for year in found.years
    ]
    assert dataclasses.replace(found, years=tuple(years)) == FULL


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_come_back(path, tmp_path, monkeypatch):
    text = "\n".join(
        line
        for line in path.read_text().splitlines()
        if not line.startswith(("path = ", "scores = ", "judgments = "))
    )
    (tmp_path / "given.toml").write_text(text)
    given = read_config(tmp_path / "given.toml")
    (tmp_path / "again.toml").write_text(to_toml(given, tmp_path))
    assert read_config(tmp_path / "again.toml") == given


def test_only_what_differs_is_written():
    config = Config((Year("2021"),), runs=(RunTable("mine", "overall"),))
    assert to_toml(config, "") == (
        '[[years]]\nname = "2021"\n\n[search]\nmethod = "topicwise"\n\n[[runs]]\nname = "mine"\ntarget = "overall"\n'
    )


def test_every_key_is_explained():
    for cls in (Config, Year, Cut, FeatureOptions, SearchOptions, RunTable):
        assert set(config_keys_of(cls)) == {field.name for field in dataclasses.fields(cls)}, cls


def test_measures_and_peers_are_those_of_the_data():
    rows = [{"topic": "D1", "summarizer": "7", "text": "A.", "references": {"R": "B."}}]
    scores = {"a/b": 2.0, ".hidden": 1.0, "a\\b": 1.0, "é" * 60: 1.0, "é" * 61: 1.0}
    judgments = [{"topic": "D1", "summarizer": "7", "metrics": scores}]
    corpus = corpus_of_records(rows, judgments)
    config = make_config([Year("x")], {"x": corpus})
    names = ["a_b", "hidden", "a_b_2", "é" * 40, f"{'é' * 39}_2"]  # each the name of a file
    assert [(run.name, run.target) for run in config.runs] == list(zip(names, scores, strict=True))
    assert config.peers == ("no_models",)
    with pytest.raises(ValueError, match="x: no human measure to learn from; expected judgments"):
        make_config([Year("x")], {"x": corpus_of_records(rows)})
