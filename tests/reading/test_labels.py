"""Labels that raters gave: words without order, of which agreement alone is asked."""

import shlex

import pandas as pd
import pytest

from classy_aesop import InputError, assessors
from classy_aesop.cli import main
from classy_aesop.reading.given_tables import find_contents
from classy_aesop.reading.labels import labels_of_table
from classy_aesop.significance.raters.krippendorff import krippendorff_alpha

LABELS = {
    "ann": ["bug", "bug", "feature", "question", "bug", "feature"],
    "bob": ["bug", "feature", "feature", "question", "bug", "bug"],
    "cy": ["bug", "bug", "feature", "question", "feature", "feature"],
}
WIDE = pd.DataFrame({"item": [f"i{n}" for n in range(6)], **LABELS})
LONG = WIDE.melt("item", var_name="annotator", value_name="label")
# three units of one label and three of two: of 18 pairs 9 + 3 are equal;
# of 18 ratings 8 are bug, 7 feature, 3 question: 18^2 - 8^2 - 7^2 - 3^2 = 202 ordered pairs differ, of 6 within units
ALPHA = 1 - 17 * (6 * 2 / 2) / 202


def written(frame, path):
    frame.to_csv(path, index=False)
    return str(path)


@pytest.mark.parametrize("frame", [WIDE, LONG, LONG.assign(system="s").rename(columns={"item": "doc_id"})])
def test_agreement_on_labels_by_hand(tmp_path, frame):
    for ratings in (frame, written(frame, tmp_path / "labels.csv"), frame.to_dict("records")):
        table = assessors(ratings).table
        of_all = table[table["other"] == ""].iloc[0]
        assert of_all["value"] == pytest.approx(ALPHA)
        assert (of_all["agreement"], of_all["n_pairs"], of_all["scale"]) == (12 / 18, 18, "nominal")
        assert set(table["other"]) == {"", "bob", "cy"}  # no mean of others


def test_columns_that_agree_in_no_row_are_of_no_raters(tmp_path):
    sides = [("base", "tuned"), ("tuned", "base"), ("base", "tuned"), ("tuned", "base")]
    pairs = pd.DataFrame(sides, columns=["model_A", "model_B"]).assign(pair_id=range(4))
    assert find_contents(written(pairs, tmp_path / "pairs.csv"), labels_of_table) is None
    pairs.loc[3, "model_A"] = "base"
    assert find_contents(written(pairs, tmp_path / "pairs.csv"), labels_of_table)["score"].nunique() == 2


def test_a_missing_label_is_no_label():
    ratings = WIDE.assign(cy=[*LABELS["cy"][:-1], None])
    assert assessors(ratings).table["n_ratings"][0] == 17


def test_numbers_and_words_of_a_scale_are_no_labels(tmp_path):
    numbers = LONG.assign(label=LONG["label"].map({"bug": 1, "feature": 2, "question": 3}))
    assert find_contents(written(numbers, tmp_path / "numbers.csv"), labels_of_table) is None
    grades = LONG.assign(label=LONG["label"].map({"bug": "poor", "feature": "fair", "question": "good"}))
    assert find_contents(written(grades, tmp_path / "grades.csv"), labels_of_table) is None
    assert (
        find_contents(written(LONG.drop(columns="annotator"), tmp_path / "one.csv"), labels_of_table) is None
    )
    assert find_contents(written(LONG.drop(columns="label"), tmp_path / "none.csv"), labels_of_table) is None


def test_the_printed_command_measures_agreement(tmp_path, capsys):
    path = written(LONG, tmp_path / "labels.csv")
    assert main(["validate", path]) == 0
    command = capsys.readouterr().out.splitlines()[-1]
    assert command.split()[2:] == [path, "--columns", "topic=item,rater=annotator,measures=label"]
    assert main([*command.split()[1:]]) == 0
    assert f"alpha is {ALPHA:.3f}" in capsys.readouterr().out
    assert main(["assessors", path, "--reliability"]) == 1
    assert "words without order; --reliability needs numbers" in capsys.readouterr().err
    assert main(["compare", path]) == 1
    with pytest.raises(InputError, match="no scores among the columns item, annotator, label"):
        assessors([path, path])


@pytest.mark.slow
def test_a_file_for_each_rater(tmp_path, capsys):
    grades = {"ann": [4, 2, 5, 1, 4, 3], "bob": [4, 1, 5, 2, 4, 3], "cy": [5, 2, 4, 1, 3, 3]}
    for rater, of_rater in grades.items():
        rows = [f"d{n // 2},{'ab'[n % 2]},{grade}" for n, grade in enumerate(of_rater)]
        (tmp_path / f"grades_{rater}.csv").write_text("doc_id,system,fluency\n" + "\n".join(rows) + "\n")
    assert main(["validate", str(tmp_path / "grades_ann.csv")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "  files: 3 files have scores of these outputs; if each is of one rater:" in lines
    command = shlex.split(next(line for line in lines if " assessors " in line))
    assert main([*command[1:], "-f", "csv", "-o", str(tmp_path / "out.csv")]) == 0
    table = pd.read_csv(tmp_path / "out.csv")
    assert table["value"][0] == pytest.approx(krippendorff_alpha([*grades.values()]).value)
    assert {*table["assessor"].dropna()} == {"grades_ann", "grades_bob", "grades_cy"}
    files = [str(tmp_path / f"grades_{rater}.csv") for rater in grades]
    assert main(["compare", *files]) == 1
    assert "--columns rater=#file if each file is of one rater" in capsys.readouterr().err
    assert main(["compare", *files, "--columns", "rater=#file"]) == 0
