"""A cell is read whole: its number, its unit, its meaning, or that it has none."""

import math
import time

import pytest

from classy_aesop import read_scores
from classy_aesop.cli import main
from classy_aesop.errors import InputError
from classy_aesop.reading.columns import find_scale
from classy_aesop.reading.file_report import inspect_file
from classy_aesop.reading.written_cells import place_on_scale, read_cell


@pytest.mark.parametrize(
    ("cell", "kind", "number"),
    [
        ("4 - good", "label", 4.0),
        ("5 : perfectly fluent", "label", 5.0),
        ("3 (so-so)", "label", 3.0),
        ("Very good (4)", "label", 4.0),
        ("Good: 3", "label", 3.0),
        ("(1) bad", "label", 1.0),
        ("v1 (2)", "words", math.nan),
        ("2nd", "number", 2.0),
        ("2=", "number", 2.0),
        ("--", "missing", math.nan),
        (".", "missing", math.nan),
        ("0 - Not applicable", "missing", math.nan),
        ("7 - n/a", "missing", math.nan),
        ("6: cannot judge", "missing", math.nan),
        ("I don't know", "missing", math.nan),
        ("3/5", "share", 3.0),
        ("4 out of 10", "share", 4.0),
        ("3,5/5", "share", 3.5),
        ("60 %", "share", 60.0),
        ("3/0", "words", math.nan),
        ("05-May", "date", math.nan),
        ("2024-05-05", "date", math.nan),
        ("Mar-4", "date", math.nan),
        ("5. Mai", "date", math.nan),
        ("5-Okt", "date", math.nan),
        ("05.05.2024", "date", math.nan),
        ("5/5/24", "date", math.nan),
        ("2024-05-05 00:00:00", "date", math.nan),
        ("4 - marked by errors", "label", 4),
        ("5. Maier", "label", 5),
        ("4 of the five", "words", math.nan),
        ("3 stars", "count", 3.0),
        ("4.5 ★", "count", 4.5),
        ("70b", "words", math.nan),
        ("3 facts wrong", "words", math.nan),
        ("4 - 5", "words", math.nan),
        ("9" * 400, "words", math.nan),
        (10**400, "words", math.nan),
        ("1e3", "number", 1000.0),
        (" ", "missing", math.nan),
        (None, "missing", math.nan),
        (True, "number", 1.0),
        ([1], "words", math.nan),
    ],
)
def test_a_cell_is_read_whole(cell, kind, number):
    written = read_cell(cell)
    assert written.kind == kind
    assert written.number == pytest.approx(number, nan_ok=True)


@pytest.mark.parametrize(
    ("plain", "cells", "numbers"),
    [
        ([], ["3/5", "4/5"], [3, 4]),
        ([math.nan], ["3/5", "8/10", "50%"], [0.6, 0.8, 0.5]),
        ([3.0], ["3/5", "4/5"], []),
        ([2.0], ["1 - bad", "3 - good"], [1, 3]),
        ([2.5], ["1 - bad", "3 - good"], []),
        ([], ["1 - bad", "60%"], []),
        ([], ["Text (1)", "Text (2)"], []),
        ([], ["3 - cut short", "3 - too long", "3 - off topic"], []),
    ],
)
def test_cells_with_a_unit_are_brought_to_one_scale_or_none(plain, cells, numbers):
    written = {cell: read_cell(cell) for cell in cells}
    assert [*place_on_scale(plain, written).values()] == pytest.approx(numbers)


def write_table(path, cells):
    """Write a table of four items and two systems with these cells."""
    rows = [f'i{number // 2},{"ab"[number % 2]},"{cell}"' for number, cell in enumerate(cells)]
    path.write_text("\n".join(["item,system,fluency", *rows]) + "\n")
    return path


def test_shares_of_several_units_become_shares_of_one_and_this_is_said(tmp_path, capsys):
    path = write_table(tmp_path / "x.csv", ["3/5", "4/10", "60%", "5/10", "4/5", "40%", "5/5", "1/5"])
    scores = read_scores(path)["score"]
    assert scores.tolist() == pytest.approx([0.6, 0.4, 0.6, 0.5, 0.8, 0.4, 1.0, 0.2])
    main(["validate", str(path)])
    assert "fluency holds shares of 5, 10, 100: each is read as a share of 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("60%", "line 5: fluency is '60%', and other cells have no unit; expected one scale"),
        ("4 of 5", "line 5: fluency is '4 of 5', and other cells have no unit; expected one scale"),
        ("05-May", "line 5: fluency is '05-May', a date, which a spreadsheet may have made of a score"),
        ("9" * 400, "line 5: fluency is infinite; expected a finite number"),
        ("3 stars", "line 5: fluency is '3 stars'; expected a number"),
    ],
)
def test_a_cell_of_another_kind_is_refused_with_its_line(tmp_path, cell, message, capsys):
    path = write_table(tmp_path / "x.csv", ["3", "4", "2", cell, "4", "1", "5", "2"])
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        read_scores(path)
    assert main(["compare", str(path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_a_measure_of_dates_is_refused_with_its_first_cell(tmp_path):
    path = write_table(tmp_path / "x.csv", ["05-May", "04-May", "03-May", "05-May", "02-May", "01-May"])
    with pytest.raises(InputError, match="line 2: fluency is '05-May', a date"):
        read_scores(path)


def test_words_for_missing_after_a_number_are_no_score(tmp_path):
    cells = ["3", "4", "0 - Not applicable", "2", "4", "6: cannot judge", "5", "2"]
    scores = read_scores(write_table(tmp_path / "x.csv", cells))["score"]
    assert scores.isna().tolist() == [False, False, True, False, False, True, False, False]
    assert scores.sum() == 20


@pytest.mark.parametrize(
    ("words", "first_number"),
    [
        ("not grounded<grounded", 0),
        ("Very bad<Bad<OK<Good<Very good", 1),
        ("very unclear<unclear<neutral<clear", 1),
        ("not at all helpful<slightly helpful<moderately helpful<very helpful<extremely helpful", 1),
        ("ungrammatical<mostly grammatical<grammatical", 1),
        ("difficult<easy<very easy", 1),
        ("sehr unverständlich<unverständlich<neutral<verständlich<sehr verständlich", 1),
    ],
)
def test_words_of_one_quality_and_its_opposite_are_a_scale_by_their_degrees(tmp_path, words, first_number):
    ascending = words.split("<")
    cells = [*ascending[::-1], "n/a", *ascending, ascending[0], ascending[-1]]
    scores = read_scores(write_table(tmp_path / "x.csv", cells), columns={"measures": "fluency"})["score"]
    numbers = dict(zip(ascending, range(first_number, 12), strict=False))
    assert scores.fillna(-1).tolist() == [numbers.get(cell, -1) for cell in cells]


@pytest.mark.parametrize("words", [("small", "tall"), ("model a", "very good"), ("no", "note", "notes")])
def test_words_of_other_qualities_are_no_scale(words):
    assert find_scale(words) is None


def test_cells_that_a_workbook_shows_in_percent_are_read_as_shown(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["item", "system", "fluency"])
    for number, share in enumerate([0.6, 0.4, 0.28, 0.57, 1, 0]):
        sheet.append([f"i{number // 2}", "ab"[number % 2], share])
        sheet.cell(number + 2, 3).number_format = "0%"
    book.save(tmp_path / "x.xlsx")
    assert read_scores(tmp_path / "x.xlsx")["score"].tolist() == [60, 40, 28, 57, 100, 0]
    sheet.cell(4, 3).number_format = "General"
    book.save(tmp_path / "x.xlsx")
    with pytest.raises(InputError, match="row 2: fluency is '60%', and other cells have no unit"):
        read_scores(tmp_path / "x.xlsx")


def test_counts_of_one_thing_are_numbers_and_of_several_are_not():
    stars = {cell: read_cell(cell) for cell in ("1 star", "4 Stars", "3.5 stars")}
    assert place_on_scale([], stars) == {"1 star": 1.0, "4 Stars": 4.0, "3.5 stars": 3.5}
    assert place_on_scale([math.nan], stars) == place_on_scale([], stars)
    assert place_on_scale([2.0], stars) == {}
    times = {cell: read_cell(cell) for cell in ("1 hour", "20 minutes")}
    assert place_on_scale([], times) == {}


@pytest.mark.parametrize(("good", "bad"), [("👍", "👎"), ("thumbs up", "thumbs_down"), ("5 stars", "1 star")])
def test_thumbs_and_stars_are_scores_under_the_name_of_a_comment(tmp_path, good, bad):
    path = tmp_path / "x.csv"
    cells = [
        (f"c{n},{system},{good if n < n_good else bad}")
        for n in range(6)
        for system, n_good in (("a", 4), ("b", 1))
    ]
    path.write_text("\n".join(["conversation,model,feedback", *cells]) + "\n", encoding="utf-8")
    scores = read_scores(path, columns={"scores": "feedback"})
    low, high = (1, 5) if "star" in bad else (0, 1)
    by_hand = {"a": (4 * high + 2 * low) / 6, "b": (high + 5 * low) / 6}
    assert scores.groupby("summarizer")["score"].mean().to_dict() == pytest.approx(by_hand)


def test_many_digits_before_a_letter_are_read_in_linear_time():
    """In quadratic time 200,000 digits would take minutes."""
    start = time.process_time()
    assert read_cell("9" * 200_000 + "q").kind == "words"
    assert time.process_time() - start < 5


def test_words_count_by_the_scale_of_all_columns(tmp_path):
    clear = [
        "Strongly disagree",
        "Disagree",
        "Neither agree nor disagree",
        "Agree",
        "Strongly agree",
        "Agree",
    ]
    rows = [(f"d{n // 2}", "ab"[n % 2], word, clear[1 + n % 3], "Agree") for n, word in enumerate(clear)]
    path = tmp_path / "x.csv"
    path.write_text("\n".join(map(",".join, [("item", "system", "fluency", "style", "focus"), *rows])) + "\n")
    scores = read_scores(path)
    grades = scores.pivot(index=["topic", "summarizer"], columns="metric", values="score")
    assert grades["fluency"].tolist() == [1, 2, 3, 4, 5, 4]
    assert grades["style"].tolist() == [2, 3, 4, 2, 3, 4]
    assert grades["focus"].tolist() == [4] * 6


def test_negative_ranks_are_missing_and_it_is_said(tmp_path, caplog):
    path = tmp_path / "x.csv"
    path.write_text(
        "item,system,rank\n" + "".join(f"{n // 2},{'ab'[n % 2]},{n % 2 or -1}\n" for n in range(8))
    )
    with caplog.at_level("INFO"):
        assert read_scores(path)["score"].fillna(0).tolist() == [0, 1] * 4
    assert "negative ranks in rank are read as missing" in caplog.text


def test_what_is_rarely_meant_is_said_before_the_scores_are_used(tmp_path):
    path = tmp_path / "x.csv"
    grades = ["1 (sehr gut)", "2 (gut)", "6 (bad)", "2 (gut)"]
    rows = [f"d{n // 2},{'ab'[n % 2]},{grades[n % 4]},{999 if n % 7 == 3 else n * 5}" for n in range(20)]
    path.write_text("\n".join(["doc,system,grade,likeability", *rows]) + "\n")
    report = inspect_file(path, siblings=[])
    printed = str(report)
    assert "units: of grade 1 is 'sehr gut': lower is better" in printed
    assert [command.partition(" --lower-is-better ")[2] for command in report.commands] == ["grade", ""]
    assert "doubtful: likeability is 999 in 3 of 20 scores; if missing, leave them empty" in printed
