"""init and train: configurations written for a corpus, and learning without one."""

import json

import pytest

from classy_aesop.config import (
    DEFAULT_METHOD,
    LEARNING_METHODS,
    SearchOptions,
    make_config,
    read_config,
    read_years,
)
from classy_aesop.errors import InputError
from classy_aesop.training import experiment


@pytest.fixture
def planned(monkeypatch):
    """Stop before anything is learned; give the configurations and corpora that would have been learned from."""
    seen = []

    def stop(config, corpora=None, **options):
        seen.append((config, corpora))
        raise InputError("stopped")

    monkeypatch.setattr(experiment, "train", stop)
    return seen


@pytest.mark.slow
def test_the_configuration_that_train_writes_gives_the_same_predictors(run, made, tmp_path, monkeypatch):
    quick = SearchOptions(names=("r2", "coverage", "anaphora"), fitter="best", learners=())
    monkeypatch.setitem(LEARNING_METHODS, DEFAULT_METHOD, quick)
    for part in ("summaries", "judgments"):
        rows = [row for row in getattr(made["2021"], part) if row["instance_id"].endswith("-A")]
        rows = [row for row in rows if part == "summaries" or row["summarizer_type"] == "peer"]
        (tmp_path / f"{part}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = tmp_path / "out"
    assert run("train", tmp_path, "--target", "pyramid", "-o", out, "-q")[::2] == (0, "")
    [file] = (out / "predictors").iterdir()
    predictor, written = file.read_bytes(), (out / "config.toml").read_text()
    code, _, err = run("train", out / "config.toml", "-o", out, "-q")
    assert (code, err.count("is read by this command; choose another output")) == (2, 1)
    again = tmp_path / "again"
    assert run("train", out / "config.toml", "-o", again, "-q")[::2] == (0, "")
    assert (again / "predictors" / file.name).read_bytes() == predictor
    assert (again / "config.toml").read_text().replace("/again", "/out") == written.replace("/again", "/out")


def test_train_takes_a_corpus_or_years_by_name(run, small, tmp_path, planned):
    code, _, err = run("train", small / "2021", "--target", "pyramid", "--seed", 7, "-o", tmp_path / "out")
    assert (code, err) == (1, f"classy-aesop: error: {small / '2021'}: stopped\n")
    [(config, corpora)] = planned
    assert config == make_config(*read_years(str(small / "2021")), ["pyramid"], seed=7)
    assert [(run.name, run.target) for run in config.runs] == [("pyramid", "pyramid")]
    assert [year.name for year in config.years] == list(corpora) == ["2021"]

    given = [f"--data={name}={small / name}" for name in ("2022", "2021")]
    run("train", *given, "--target", "pyramid", "-o", tmp_path / "out")
    assert [year.name for year in planned[1][0].years] == ["2022", "2021"]


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("2021 --target overall -o out", 2, "no human measure overall in 2021; there are pyramid, read"),
        ("2021 --target pyramid", 2, "-o is missing; expected a folder for the results"),
        ("small.toml", 2, "-o is missing; expected a folder for the results"),
        ("-o out", 2, "expected IN, or --data NAME=PATH once or more; found neither"),
        ("2021 --data a=2022 -o out", 2, "expected IN, or --data NAME=PATH once or more; found both"),
        ("small.toml --target pyramid -o out", 2, "--target is for a corpus; small.toml is"),
        ("--data a=2021 --data a=2022 --target x -o out", 2, "years of one name: a"),
        ("2021/summaries.jsonl --target x -o out", 1, "2021/summaries.jsonl: no human measure to learn"),
        ("nothing --target x -o out", 2, "nothing: no such file or folder"),
        ("nothing.toml -o out", 2, "nothing.toml: no such config file"),
    ],
)
def test_what_train_cannot_do_is_one_line(refused, folder, monkeypatch, words, code, message):
    monkeypatch.chdir(folder)
    refused(code, message, "train", *words.split())
    assert not (folder / "out").exists()


def test_init_writes_a_configuration_that_is_read(run, folder):
    code, out, _ = run("init", folder / "2021", "-o", folder / "mine.toml", "--seed", 3)
    assert (code, out) == (0, "")
    config = read_config(folder / "mine.toml")
    assert config.seed == 3
    assert [run.target for run in config.runs] == ["pyramid", "readability", "responsiveness"]
    assert config.years[0].path == str(folder / "2021")
    assert "# ranges = { pyramid = [" in (folder / "mine.toml").read_text()
    # A key in a comment, with the value there, is one that a configuration may have.
    run("init", folder / "2021", "-o", folder / "mine.toml", "--target", "pyramid")
    lines = (folder / "mine.toml").read_text().splitlines()
    keys = [at for at, line in enumerate(lines) if line.startswith("# ") and " = " in line]
    assert len(keys) > 20
    for at in keys:
        used = [*lines[:at], lines[at].removeprefix("# "), *lines[at + 1 :]]
        (folder / "used.toml").write_text("\n".join(used))
        read_config(folder / "used.toml")


def test_init_prints_paths_from_here(printed, folder, monkeypatch):
    monkeypatch.chdir(folder)
    out = printed("init", "--data", "a=2021", "--data", "b=2022", "--target", "pyramid")
    assert '[[years]]\nname = "a"\npath = "2021"' in out
    assert '[[years]]\nname = "b"\npath = "2022"' in out
    assert out.count("[[runs]]") == 1


@pytest.mark.slow
def test_the_sample_and_its_configuration(run, refused, tmp_path, monkeypatch, planned):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("init", "--sample", "made/up")
    assert (code, out, err) == (0, "classy-aesop train made/up/sample.toml -o out\n", "")
    rows = (tmp_path / "made/up/2021/summaries.jsonl").read_text().splitlines()
    assert json.loads(rows[0])["year"] == "2021"
    run(*out.split()[1:])
    years = ("2021", "2022", "2023")
    assert [(year.name, year.path) for year in planned[0][0].years] == [(y, f"made/up/{y}") for y in years]
    (tmp_path / "made/up/notes.txt").touch()
    refused(
        2,
        "made/up: holds notes.txt, which this command did not write; choose another",
        "init --sample made/up",
    )
    refused(2, "--sample DIR cannot be combined with a corpus", "init made --sample there")
    assert not (tmp_path / "there").exists()


def test_a_corpus_of_several_years_is_taken_apart(small, tmp_path):
    for part in ("summaries", "judgments"):
        text = "".join((small / year / f"{part}.jsonl").read_text() for year in ("2021", "2022"))
        (tmp_path / f"{part}.jsonl").write_text(text)
    years, corpora = read_years(str(tmp_path))
    assert [year.name for year in years] == list(corpora) == ["2021", "2022"]
    assert all(name.startswith("D21") for name in years[0].topics)
    assert make_config(years, corpora, ["pyramid"]).peers == ("no_models", "all_peers")
    row = {"topic": "D1", "summarizer": "7", "text": "A.", "references": {"R": "B."}}
    rows = [{"year": year, **row} for year in "12"]
    (tmp_path / "two.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(ValueError, match="several years have topics of one name: D1; expected a file a year"):
        read_years(str(tmp_path / "two.jsonl"))
