"""Cells that are no numbers, in columns of numbers: never a number of ours, and never left out."""

import pytest

from classy_aesop import read_scores
from classy_aesop.cli import main
from classy_aesop.errors import InputError
from classy_aesop.reading.columns import TableColumn


@pytest.mark.parametrize("cell", ["3.5*", "1/5", "TRUE", "false", "0x1", "1e308", "3,5", "５"])
def test_an_odd_cell_beside_a_missing_one_is_refused_with_its_line(cell, tmp_path):
    cells = ["1.5", "2.5", "", "3.5", cell, "0.5", "1.0", "2.0"]
    rows = [
        f'd{position // 2},s{position % 2},{position % 5},"{cell}"' for position, cell in enumerate(cells)
    ]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["topic,summarizer,overall,fluency", *rows]))
    with pytest.raises(InputError, match="line 6: fluency is "):
        read_scores(path, year="1")


def test_a_measure_with_odd_cells_is_not_left_out_beside_another(tmp_path):
    cells = ["1", "2", "1/5", "3", "1/5", "5", "1", "2"]
    rows = [f"d{position // 2},s{position % 2},{position}.5,{cell}" for position, cell in enumerate(cells)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["topic,summarizer,fluency,overall", *rows]))
    with pytest.raises(InputError, match="line 4: overall is "):
        read_scores(path)


@pytest.mark.parametrize(
    ("cells", "scores"),
    [
        (["1 - bad", "2", "3 - good", "2"], [1, 2, 3, 2]),
        (["4/5", "3/5", "5/5", "1/5"], [4, 3, 5, 1]),
        (["yes", "no", "no", "yes"], [1, 0, 0, 1]),
        (["✅", "❌", "❌", "✅"], [1, 0, 0, 1]),
        (["✔\ufe0f", "✗", "✗", "✔\ufe0f"], [1, 0, 0, 1]),
        (["ja", "nein", "nein", "ja"], [1, 0, 0, 1]),
        (["Plutôt d'accord", "Pas du tout d'accord", "Plutôt pas d'accord", "Plutôt d'accord"], [3, 1, 2, 3]),
    ],
)
def test_numbers_with_meanings_of_one_form_are_read(cells, scores, tmp_path):
    rows = [f"d{position // 2},s{position % 2},{cell}" for position, cell in enumerate(cells)]
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["topic,summarizer,fluency", *rows]))
    assert read_scores(path)["score"].tolist() == scores


def test_validate_shows_control_characters_escaped(tmp_path, capsys):
    path = tmp_path / "a\x1b[31mb.csv"
    path.write_text("topic,summarizer,fluency\nd1,a,1\nd1,b,2\n")
    main(["validate", str(path)])
    text = capsys.readouterr().out
    assert "\\x1b[31m" in text
    assert "\x1b" not in text


def test_a_long_name_gives_no_long_message(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(f"item,system,fluency{'9' * 5_000}\nd1,a,1\nd1,b,2\n")
    with pytest.raises(InputError) as error:
        read_scores(path)
    assert len(str(error.value)) < 2_200


@pytest.mark.parametrize("cell", ["4-5", "3?", "4/5"])
def test_a_column_of_grades_with_one_odd_cell_names_no_systems(cell, tmp_path, capsys):
    path = tmp_path / "scores.csv"
    grades = [
        f"{row // 2},{'xy'[row % 2]},{1 + row % 5},{1 + row % 3},{1 + row * 3 % 5}" for row in range(23)
    ]
    path.write_text("\n".join(["item,rater,Baseline,RAG,Ours", *grades, f"11,y,2,3,{cell}"]))
    main(["validate", str(path)])
    text = capsys.readouterr().out
    assert "systems = Baseline, RAG, Ours" in text
    assert f"line 25: Ours is {cell!r}" in text
    assert "system = Ours" not in text


@pytest.mark.parametrize("answers", [["4 days", "7 days", "9 days"], ["4 apples", "Paris", "red"]])
def test_an_empty_form_for_raters_beside_answers_with_numbers_has_no_scores(answers, tmp_path, capsys):
    path = tmp_path / "form.csv"
    rows = [f"{item},{answers[item % 3]},,," for item in range(12)]
    path.write_text("\n".join(["item_id,gold_answer,rater_label_X,fluency,notes", *rows]))
    main(["validate", str(path)])
    text = capsys.readouterr().out
    assert "all cells of rater_label_X, fluency are empty, so nobody has rated yet" in text
    assert "measures = gold_answer" not in text


@pytest.mark.parametrize("of_stars", [4, 8])
def test_numbers_of_things_are_grades_if_most_cells_are_such(of_stars):
    cells = [f"{1 + row % 5} stars" if row < of_stars else f"word {row}" for row in range(10)]
    column = TableColumn("answer", cells)
    column.settle(commas=False, points=False)
    assert (column.numbers is not None) == (of_stars > 5)
