"""The command line as a stranger meets it: what is printed, where, and the exit code."""

import io
import json
import subprocess
import sys

import pandas as pd
import pytest


def table_of(text):
    return pd.read_csv(io.StringIO(text), sep="\t", dtype={"year": str, "topic": str, "summarizer": str})


@pytest.mark.slow
def test_train_predict_evaluate(printed, folder, trained):
    made, _ = trained
    summary = " ".join((made / "summary.txt").read_text().split())
    assert "2023 was predicted (fitted on 2021, selected and refitted on 2022)" in summary
    names = {path.name for path in (made / "predictors").iterdir()}
    assert len(names) == 16
    assert "25-B-no_models.json" in names

    out = printed("predict", made / "predictors" / "25-A-all_peers.json", folder / "2023", "-q")
    scores = table_of(out)
    assert scores.loc[scores["score"].isna(), "task"].unique().tolist() == ["B"]
    scores = scores.dropna(subset=["score"]).reset_index(drop=True)
    kept = table_of((made / "predictions.tsv").read_text())
    kept = kept[kept["metric"] == "25-A-all_peers"].reset_index(drop=True)
    pd.testing.assert_series_equal(scores["score"], kept["score"], rtol=1e-12)

    (folder / "scores.tsv").write_text(out)
    out = printed("evaluate", folder / "scores.tsv", folder / "2023" / "judgments.jsonl", "-f", "tsv", "-q")
    found = table_of(out)
    found = found.query("target == 'responsiveness' and coefficient == 'pearson'").set_index("level")
    own = table_of((made / "summary.tsv").read_text())
    own = own[(own["metric"] == "25-A-all_peers") & (own["coefficient"] == "pearson")].set_index("level")
    pd.testing.assert_series_equal(found["value"], own["value"].loc[found.index], rtol=1e-9)


@pytest.mark.slow
def test_a_folder_of_train_is_replaced_by_the_same_run(run, folder, refused):
    command, out = ("train", folder / "one.toml", "-o", folder / "out"), folder / "out"
    run(*command)
    assert sorted(path.name for path in out.iterdir()) == [
        "config.toml", "contributions.tsv", "predictions.tsv", "predictors", "run.json", "search",
        "summary.tsv", "summary.txt", "verdict.tsv",
    ]  # fmt: skip
    record = json.loads((out / "run.json").read_text())
    assert record["protocol"] == "fit-select-predict"
    assert record["config"]["search"]["level"] == "system"
    top = table_of((out / "search" / "6-A-all_peers.nonnegative.top.tsv").read_text())
    assert top["score"].is_monotonic_decreasing
    predictor = json.loads((out / "predictors/6-A-all_peers.json").read_text())
    assert top["names"].iloc[0].split() == predictor["training"]["subset"]
    (out / "predictors" / "of an earlier run.json").touch()
    assert [run(*command)[0] for _ in range(2)] == [0, 0]
    assert [path.name for path in (out / "predictors").iterdir()] == ["6-A-all_peers.json"]
    (out / "predictors" / "notes.txt").touch()
    refused(
        2,
        "out: holds predictors/notes.txt, which this command did not write; choose another folder",
        *command,
    )


@pytest.mark.slow
def test_two_runs_write_the_same_bytes(run, small, trained, tmp_path):
    assert run("train", small / "small.toml", "-o", tmp_path / "two", "-j", "2")[0] == 0
    one, two = trained[0], tmp_path / "two"
    files = sorted(path.relative_to(one) for path in one.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(two) for path in two.rglob("*") if path.is_file())
    assert all((one / name).read_bytes() == (two / name).read_bytes() for name in files)


def test_data_for_an_unknown_year_is_a_wrong_command_line(refused, folder):
    said = "--data names the years ['2020']; known: ['2021', '2022', '2023']"
    refused(2, said, f"train {folder}/small.toml -o {folder}/out --data 2020=.")


def test_published_predictors_are_at_hand(run, folder):
    code, out, err = run("predict", "published/25-A-all_peers", folder / "2021", "-f", "jsonl")
    assert code == 0
    assert json.loads(out.splitlines()[0])["metric"] == "published/25-A-all_peers"
    assert "gives no score to 50 of 100 summaries: 50 of task B, and it is for task A" in err
    assert "it learned with" not in err


def test_a_wrong_command_line(refused):
    for words in ("fly", "predict", "features . -f xml", "train x -o y --data z", "validate . --layout xml"):
        refused(2, ": error: ", *words.split())
    wrong = ("--alpha 1", "--alpha x", "--seed -1", "--n-resamples 0", "--test sign", "--correction sidak")
    for option in wrong:
        refused(2, "classy-aesop compare: error: ", "compare", "x", "--metric", "m1", *option.split())


def test_a_path_that_is_not_there(refused):
    for words in (
        *("features nowhere", "validate nowhere", "train nowhere.toml -o out", "predict nowhere.json ."),
        *("evaluate nowhere.tsv nowhere.tsv", "compare nowhere.tsv --metric m1"),
    ):
        refused(2, "nowhere", *words.split())


@pytest.mark.slow
def test_a_closed_pipe_is_quiet(folder):
    command = f"{sys.executable} -m classy_aesop features {folder / '2021'} | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("year\t")
    assert done.stderr == ""


@pytest.mark.parametrize(
    "words", ["validate 2021 -o", "train 2021 --target responsiveness -o", "init --sample"]
)
def test_an_output_without_a_name_is_refused_as_such(refused, words):
    """It would stand for the working folder, where everything would be foreign or read."""
    refused(2, "''; expected a name", *words.split(), "")
