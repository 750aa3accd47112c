"""The file of a predictor: every version is read, and what is wrong is named by file and key."""

import dataclasses
import json
import math
import os
import threading
from pathlib import Path
from typing import ClassVar

import pandas as pd
import pytest

from classy_aesop import InputError, Predictor
from classy_aesop.formulas import FORMULAS, Formula, Linear, Tree, Trees
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.predictor.file import checksum
from classy_aesop.predictor.training_range import TrainingRange
from tests.each import each

FILES = Path(__file__).parent / "files"
"""Written by this package when it wrote versions 1 and 2."""

PREDICTOR = Predictor(
    name="x",
    target="responsiveness",
    task="",
    peers="no_models",
    fitter="robust",
    columns=("r2", "neg_log2_sentences"),
    formula=Linear((2.0, 0.1), 1.0),
    references={"own_system": (1,)},
    training={"years": ["1"], "seed": 5},
    training_range=TrainingRange(least=(0.0, -1.0), greatest=(0.5, 0.0), mean=(0.25, -0.5), n_summaries=4),
    calibration=Calibration(
        levels=(0.5, 0.9),
        summaries=(0.25, 0.5),
        n_means=(1, 5),
        means=((0.2, 0.4), (0.1, 0.3)),
        n_topics=12,
        n_summarizers=6,
    ),
)
TREES = Trees(1.0, (Tree((0, -1, -1), (0.5, 0, 0), (1, -1, -1), (2, -1, -1), (2.0, 1.0, 4.0)),))


@pytest.mark.parametrize("formula", [PREDICTOR.formula, TREES])
def test_the_file_is_readable_json(tmp_path, formula):
    dataclasses.replace(PREDICTOR, formula=formula).save(tmp_path / "x.json")
    body = json.loads((tmp_path / "x.json").read_text())
    assert (body["format"], body["version"]) == ("classy_aesop predictor", 3)
    assert body["columns"] == ["r2", "neg_log2_sentences"]
    assert body["formula"]["kind"] == formula.kind
    assert body["training_range"]["mean"] == [0.25, -0.5]
    assert body["checksum"].startswith("sha256:")


def test_a_weighted_sum_stands_as_its_weights(tmp_path):
    PREDICTOR.save(tmp_path / "x.json")
    body = json.loads((tmp_path / "x.json").read_text())
    assert body["formula"] == {"kind": "linear", "weights": [2.0, 0.1], "intercept": 1.0}
    assert not {"weights", "intercept", "trees", "seen"} & set(body)


@pytest.mark.parametrize("formula", [PREDICTOR.formula, TREES])
def test_what_is_saved_comes_back(tmp_path, formula):
    predictor = dataclasses.replace(PREDICTOR, formula=formula)
    predictor.save(tmp_path / "x.json")
    assert Predictor.load(tmp_path / "x.json") == predictor


@dataclasses.dataclass(frozen=True)
class Sum(Formula):
    """A kind that this package does not have: a weighted sum of formulas."""

    kind: ClassVar[str] = "sum"

    shares: tuple[float, ...]
    parts: tuple[Formula, ...]

    def predict(self, X):
        return sum(share * part.predict(X) for share, part in zip(self.shares, self.parts, strict=True))

    def contributions(self, X, means):
        found = [part.contributions(X, means) for part in self.parts]
        return tuple(
            sum(share * one[at] for share, one in zip(self.shares, found, strict=True)) for at in (0, 1)
        )

    def check_columns(self, n_columns):
        for part in self.parts:
            part.check_columns(n_columns)


def test_a_kind_of_formula_is_one_line(tmp_path, monkeypatch):
    monkeypatch.setitem(FORMULAS, "sum", Sum)
    predictor = dataclasses.replace(PREDICTOR, formula=Sum((0.25, 0.75), (PREDICTOR.formula, TREES)))
    predictor.save(tmp_path / "x.json")
    assert Predictor.load(tmp_path / "x.json") == predictor
    keys = {"year": "1", "topic": "T", "task": "", "summarizer": ["1", "2"], "human": False}
    table = pd.DataFrame(
        {**keys, "n_references": 1, "n_earlier": 0, "r2": [0.4, 1.0], "neg_log2_sentences": -1.0}
    )
    # 1 + 2 r2 - .1, and 1 with a tree that says 1 up to .5 and 4 above
    expected = [0.25 * 1.7 + 0.75 * 2, 0.25 * 2.9 + 0.75 * 5]
    assert predictor.score(table)["score"].tolist() == pytest.approx(expected)
    body = json.loads((tmp_path / "x.json").read_text())
    message = loaded_with(tmp_path, body, ["formula", "parts", 0, "weights", 1], None)
    assert message == "formula.parts[1].weights[2]: found null; expected a number"


@each(
    ("name", "expected"),
    [
        ("version1", dataclasses.replace(PREDICTOR, training_range=None, calibration=None)),
        ("version2", PREDICTOR),
        ("version2_trees", dataclasses.replace(PREDICTOR, formula=TREES)),
    ],
)
def test_files_of_earlier_versions_are_read(name, expected):
    assert Predictor.load(FILES / f"{name}.json") == expected


@each(
    ("change", "message"),
    [
        (lambda body: body.update(fitter="ridge"), "does not match its checksum"),
        (lambda body: body.update(version=99), "has version 99; expected 1, 2 or 3"),
        (lambda body: body.update(version=True), "has version True; expected 1, 2 or 3"),
        (lambda body: body.update(version=[3]), r"has version \[3\]; expected 1, 2 or 3"),
        (lambda body: body.update(format="other"), "is no predictor"),
        (lambda body: body.pop("checksum"), "does not match its checksum"),
    ],
)
def test_a_changed_file_is_refused(tmp_path, change, message):
    path = tmp_path / "x.json"
    PREDICTOR.save(path)
    body = json.loads(path.read_text())
    change(body)
    path.write_text(json.dumps(body))
    with pytest.raises(InputError, match=message) as caught:
        Predictor.load(path)
    assert str(caught.value).startswith(str(path))


@each(
    "text",
    [
        "",
        "[1]",
        "[" * 9999,
        '{"format": ' + "1" * 5000,
        '"\\ud800"',
        '{"format": "classy_aesop predictor',
        "null",
    ],
)
def test_what_is_no_predictor_is_refused(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match=r"is not valid JSON|is no predictor|the file is empty"):
        Predictor.load(tmp_path / "x.json")


def test_a_predictor_may_come_by_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    PREDICTOR.save(tmp_path / "x.json")
    written = threading.Thread(
        target=lambda: (tmp_path / "pipe").write_bytes((tmp_path / "x.json").read_bytes()), daemon=True
    )
    written.start()
    assert Predictor.load(tmp_path / "pipe") == Predictor.load(tmp_path / "x.json")
    written.join()


def test_a_column_stands_once():
    with pytest.raises(InputError, match=r"^columns: r2 twice; expected different names$"):
        dataclasses.replace(PREDICTOR, columns=("r2", "r2"))


def loaded_with(tmp_path, body, keys, value):
    """Put a value at a key of a file, whose checksum is right, and load it; ``...`` takes the key out."""
    inner = body
    for key in keys[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[keys[-1]]
    else:
        inner[keys[-1]] = value
    del body["checksum"]
    (tmp_path / "x.json").write_text(json.dumps({**body, "checksum": checksum(body)}))
    with pytest.raises(InputError) as caught:
        Predictor.load(tmp_path / "x.json")
    return str(caught.value).removeprefix(f"{tmp_path / 'x.json'}: ")


@each(
    ("keys", "value", "message"),
    [
        (["name"], 1, "name: found 1; expected text in quotes"),
        (["columns"], "r2", 'columns: found "r2"; expected a list'),
        (["columns", 1], None, "columns[2]: found null; expected text in quotes"),
        (["formula"], [1.0], "formula: found [1.0]; expected an object"),
        (
            ["formula", "kind"],
            "spline",
            'formula.kind: found "spline"; expected one of linear, trees, mixture',
        ),
        (["formula", "kind"], {}, "formula.kind: found {}; expected one of linear, trees, mixture"),
        (["formula", "intercept"], None, "formula.intercept: found null; expected a number"),
        (["formula", "intercept"], ..., "formula.intercept is missing among weights"),
        (["formula", "weights"], {"r2": 1}, 'formula.weights: found {"r2": 1}; expected a list'),
        (["formula", "weights", 0], "2", 'formula.weights[1]: found "2"; expected a number'),
        (["formula", "weights"], [1.0], "formula: 1 weights; expected 2, one a column"),
        (["formula", "slope"], 1, "unknown key 'formula.slope'; known keys here: weights, intercept"),
        (["features"], ["auto"], 'features: found ["auto"]; expected an object'),
        (["features"], ..., "features: found null; expected an object"),
        (["features", "tokenizer"], 1, "features.tokenizer: found 1; expected text in quotes"),
        (["references"], [1], "references: found [1]; expected an object"),
        (["references", "own_system"], 4, "references.own_system: found 4; expected a list"),
        (
            ["references", "own_system", 0],
            0.5,
            "references.own_system[1]: found 0.5; expected a whole number",
        ),
        (["training"], None, "training: found null; expected an object"),
        (["training_range"], [0], "training_range: found [0]; expected an object"),
        (["training_range", "mean"], [0.5], "training_range.mean: 1 values; expected 2, one a column"),
        (["calibration", "levels"], 0.5, "calibration.levels: found 0.5; expected a list"),
        (["calibration", "means", 0], 0.5, "calibration.means[1]: found 0.5; expected a list"),
        (["imported"], None, "imported: found null; expected a list"),
        (["formula", "weights", 1], math.nan, "formula.weights[2]: found NaN; expected a finite number"),
        (["formula", "intercept"], math.inf, "formula.intercept: found Infinity; expected a finite number"),
        (["formula", "intercept"], 10**400, "formula.intercept: Number out of range"),
        (
            ["calibration", "summaries", 0],
            -1,
            "calibration: a half-width is negative or no number; expected 0 or more",
        ),
        (["calibration", "means"], [[1.0, 2.0]], "calibration: means: 1 values; expected 2"),
        (
            ["training_range", "least"],
            [9.0, 9.0],
            "training_range: the least value of a column is above the greatest; expected the reverse",
        ),
    ],
)
def test_a_wrong_type_is_named_by_its_key(tmp_path, keys, value, message):
    PREDICTOR.save(tmp_path / "x.json")
    assert loaded_with(tmp_path, json.loads((tmp_path / "x.json").read_text()), keys, value) == message


@each(
    ("name", "keys", "value", "message"),
    [
        ("version2", ["intercept"], None, "intercept: found null; expected a number"),
        ("version1", ["weights"], {}, "weights: found {}; expected a list"),
        ("version2", ["weights"], ..., "weights is missing"),
        ("version2", ["seen", "mean"], None, "seen.mean: found null; expected a list"),
        ("version2", ["formula"], {}, "unknown key 'formula'; known keys here: "),
        ("version2_trees", ["trees"], [], "trees: found []; expected an object"),
        (
            "version2_trees",
            ["trees", "constant"],
            math.inf,
            "trees.constant: found Infinity; expected a finite number",
        ),
        (
            "version2_trees",
            ["trees", "trees", 0, "left"],
            [0, -1, -1],
            "trees.trees[1]: node 0 of a tree leads to [0, 2]; expected later nodes, or none in a leaf",
        ),
        (
            "version2_trees",
            ["trees", "trees", 0, "feature", 0],
            5,
            "formula: a tree reads column 5 (counted from 0); there are 2",
        ),
    ],
)
def test_a_wrong_type_of_an_earlier_version_has_its_own_key(tmp_path, name, keys, value, message):
    body = json.loads((FILES / f"{name}.json").read_text())
    assert loaded_with(tmp_path, body, keys, value).startswith(message)


def test_a_list_of_numbers_is_one_line(tmp_path):
    tree = Tree((0, -1, -1), (0.5, 0.0, 0.0), (1, -1, -1), (2, -1, -1), (2.0, 1e-30, 4.0))
    predictor = Predictor("x", "y", "A", "no_models", "boosting", ("r2",), Trees(-1.5, (tree,)))
    predictor.save(tmp_path / "x.json")
    text = (tmp_path / "x.json").read_text(encoding="utf-8")
    assert '"value": [2.0, 1e-30, 4.0]' in text
    assert Predictor.load(tmp_path / "x.json") == predictor
