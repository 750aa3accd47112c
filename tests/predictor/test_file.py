"""The file of a predictor: it is read as it was written, and what is wrong is named by file and key."""

import dataclasses
import json
import math
import os
import threading
from pathlib import Path

import pytest

from classy_aesop import InputError, Predictor
from classy_aesop.formulas import Mixture, Tree, Trees
from classy_aesop.predictor.file import checksum
from tests.predictor.samples import CALIBRATED as PREDICTOR

FILES = Path(__file__).parent / "files"
"""Files of this version, which later code has to read."""

TREES = Trees(1.0, (Tree((0, -1, -1), (0.5, 0, 0), (1, -1, -1), (2, -1, -1), (2.0, 1.0, 4.0)),))


MIXED = Mixture(("a", "b"), (0.25, 0.75), (PREDICTOR.formula, TREES))


@pytest.mark.parametrize("formula", [PREDICTOR.formula, TREES])
def test_the_file_is_readable_json(tmp_path, formula):
    dataclasses.replace(PREDICTOR, formula=formula).save(tmp_path / "x.json")
    body = json.loads((tmp_path / "x.json").read_text())
    assert (body["format"], body["version"]) == ("classy_aesop predictor", 1)
    assert body["columns"] == ["r2", "neg_log2_sentences"]
    assert body["formula"] == json.loads(json.dumps(formula.to_dict()))
    assert '"mean": [0.25, -0.5]' in (tmp_path / "x.json").read_text()  # a list of numbers is one line
    assert body["training_range"]["mean"] == [0.25, -0.5]
    assert body["checksum"].startswith("sha256:")


@pytest.mark.parametrize("formula", [PREDICTOR.formula, TREES, MIXED])
def test_what_is_saved_comes_back(tmp_path, formula):
    predictor = dataclasses.replace(PREDICTOR, formula=formula)
    predictor.save(tmp_path / "x.json")
    back = Predictor.load(tmp_path / "x.json")
    assert (back, back.signature) == (predictor, predictor.signature)


def test_a_part_of_a_mixture_is_named_by_its_place(tmp_path):
    dataclasses.replace(PREDICTOR, formula=MIXED).save(tmp_path / "x.json")
    body = json.loads((tmp_path / "x.json").read_text())
    message = loaded_with(tmp_path, body, ["formula", "parts", 0, "weights", 1], None)
    assert message == "formula: parts[1]: weights[2]: Expected `float`, got `null`"


@pytest.mark.parametrize(
    ("name", "expected"), [("linear", PREDICTOR), ("trees", dataclasses.replace(PREDICTOR, formula=TREES))]
)
def test_files_that_were_written_before_are_read(name, expected):
    assert Predictor.load(FILES / f"{name}.json") == expected


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda body: body.update(fitter="ridge"), "does not match its checksum"),
        (lambda body: body.update(version=99), "has version 99; expected 1"),
        (lambda body: body.update(format="other"), "is not a predictor"),
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


@pytest.mark.parametrize(
    "text",
    ["", "[1]", "[" * 9999, '{"format": ' + "1" * 5000, '"\\ud800"', '{"format": "classy_aesop', "null"],
)
def test_what_is_no_predictor_is_refused(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(InputError, match=r"is not valid JSON|is not a predictor|the file is empty"):
        Predictor.load(tmp_path / "x.json")


def test_shares_are_parts_of_a_whole():
    with pytest.raises(ValueError, match=r"shares are \[1e\+308\]; expected 0 to 1"):
        Mixture(("a",), (1e308,), (TREES,))


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


@pytest.mark.parametrize(
    ("keys", "value", "message"),
    [
        (["columns", 1], None, "columns[2]: Expected `str`, got `null`"),
        (["formula"], [1.0], "formula: kind: found [1.0]; expected one of linear, trees, mixture"),
        (["formula", "intercept"], ..., "formula: Object missing required field `intercept`"),
        (["formula", "weights"], [1.0], "formula: 1 weights; expected 2, one a column"),
        (["formula", "slope"], 1, "formula: unknown key 'slope'; known keys here: weights, intercept"),
        (["features"], ..., "features: Expected `object`, got `null`"),
        (["features", "tokenizer"], 1, "features.tokenizer: Expected `str`, got `int`"),
        (["references", "own_system", 0], 0.5, "references[...][1]: Expected `int`, got `float`"),
        (["training_range", "mean"], [0.5], "training_range.mean: 1 values; expected 2, one a column"),
        (["calibration", "means", 0], 0.5, "calibration.means[1]: Expected `array`, got `float`"),
        (["formula", "weights", 1], math.nan, "formula: weights[2]: found nan; expected a finite number"),
        (["formula", "intercept"], 10**400, "formula: intercept: Number out of range"),
        (["calibration", "means"], [[1.0, 2.0]], "calibration: means: 1 values; expected 2"),
        (
            ["training_range", "least"],
            [9.0, 9.0],
            "training_range: the least value of a column is above the greatest; expected the reverse",
        ),
    ],
)
def test_a_wrong_type_is_named_by_its_key(tmp_path, keys, value, message):
    assert loaded_with(tmp_path, json.loads((FILES / "linear.json").read_text()), keys, value) == message


def test_a_wrong_tree_is_named_by_its_place(tmp_path):
    body = json.loads((FILES / "trees.json").read_text())
    message = loaded_with(tmp_path, body, ["formula", "trees", 0, "left"], [0, -1, -1])
    assert message.startswith("formula: trees[1]: node 0 of a tree leads to [0, 2]; expected later nodes")
