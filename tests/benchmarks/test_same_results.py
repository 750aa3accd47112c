"""Two folders of results are the same as far as their numbers are: what counts as a difference."""

import json

import pytest

from benchmarks.same_results import main


def results(folder, *, value=0.5, name="a", intercept=1.0, signature="v1"):
    """Write a table and a predictor, as a run does."""
    (folder / "predictors").mkdir(parents=True)
    (folder / "summary.tsv").write_text(f"run\tvalue\tsignature\n{name}\t{value!r}\t{signature}\n")
    predictor = {"signature": signature, "formula": {"weights": [0.1, 2.0], "intercept": intercept}}
    (folder / "predictors" / "a.json").write_text(json.dumps(predictor))
    return folder


def test_signatures_and_rounding_are_no_difference_but_a_missing_file_is_one(tmp_path):
    one = results(tmp_path / "one")
    other = results(tmp_path / "other", value=0.5 + 1e-15, intercept=1.0 - 1e-15, signature="v2")
    assert main(one, other) == 0
    (other / "summary.tsv").unlink()
    assert main(one, other) == 1
    (tmp_path / "empty").mkdir()
    assert main(tmp_path / "empty", tmp_path / "empty") == 1


@pytest.mark.parametrize("changed", [{"value": 0.5 + 1e-9}, {"intercept": 1.0 + 1e-9}, {"name": "b"}])
def test_any_other_number_or_text_is_one(tmp_path, changed):
    assert main(results(tmp_path / "one"), results(tmp_path / "other", **changed)) == 1
