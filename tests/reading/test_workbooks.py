"""Workbooks that spreadsheet programs and scripts make: charts, other formats, disordered cells, what is hidden."""

import re
import sys
import warnings
import zipfile

import pandas as pd
import pytest

from classy_aesop import read_scores
from classy_aesop.cli import main
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.reading import read_corpus, table_files
from classy_aesop.reading.file_report import inspect_file

ROWS = [("doc_id", "system", "m"), *((f"D{row % 3}", f"s{row // 3}", row / 8) for row in range(9))]
COMPOUND_FILE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504)


def make_book(openpyxl):
    book = openpyxl.Workbook()
    for row in ROWS:
        book.active.append(row)
    return book


def scores_in(path, **options):
    return read_scores(path, **options)["score"].tolist()


@pytest.fixture
def openpyxl():
    return pytest.importorskip("openpyxl")


def rewrite_sheet(path, change):
    """Change the XML of the only sheet of a workbook."""
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    name = "xl/worksheets/sheet1.xml"
    changed = change(parts[name].decode())
    assert changed != parts[name].decode()
    parts[name] = changed.encode()
    with zipfile.ZipFile(path, "w") as book:
        for part, content in parts.items():
            book.writestr(part, content)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("has_drawing", [True, False])
def test_a_chart_sheet_is_no_sheet_of_cells(openpyxl, tmp_path, has_drawing):
    path = tmp_path / "x.xlsx"
    book = make_book(openpyxl)
    book.active.title = "data"
    book.create_chartsheet("Chart1", 0)
    book.save(path)
    if not has_drawing:  # openpyxl reads no chart sheet without one
        with zipfile.ZipFile(path) as whole:
            parts = {name: whole.read(name) for name in whole.namelist()}
        with zipfile.ZipFile(path, "w") as cut:
            for name, content in parts.items():
                if "chartsheets/_rels" not in name and "drawing" not in name:
                    cut.writestr(name, re.sub(rb"<drawing[^>]*/>", b"", content))
    assert scores_in(path) == [row[2] for row in ROWS[1:]]
    assert scores_in(path, columns={"sheet": "data"}) == [row[2] for row in ROWS[1:]]
    with pytest.raises(UsageError, match=r"x.xlsx: no sheet 'Chart1' with cells; found data"):
        read_scores(path, columns={"sheet": "Chart1"})


def test_a_workbook_of_charts_alone_is_refused(openpyxl, tmp_path):
    book = openpyxl.Workbook()
    book.create_chartsheet("Chart1")
    book.remove(book.active)
    book.save(tmp_path / "x.xlsx")
    with pytest.raises(InputError, match=r"x.xlsx: no sheet with cells; expected one"):
        read_scores(tmp_path / "x.xlsx")


@pytest.mark.parametrize("read", [read_scores, read_corpus, inspect_file])
@pytest.mark.parametrize("name", ["x.xls", "x.xlsx"])
@pytest.mark.parametrize(
    ("content", "found", "advice"),
    [
        ("EncryptedPackage", r"a workbook .*, or one that is protected by a password", "without a password"),
        ("Workbook", r"a workbook of Excel 97 to 2003 \(.xls\)", "save it as one of these"),
        ("<html><table><tr><td>1</td></tr></table></html>", "a web page or XML", "save it as one of these"),
        (
            '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?><Workbook/>',
            "a web page or XML",
            "save it",
        ),
    ],
)
def test_other_spreadsheets_are_named_with_what_to_do(
    tmp_path, monkeypatch, read, name, content, found, advice
):
    """Whether or not openpyxl is installed: it would not help."""
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    is_compound = not content.startswith("<")
    data = COMPOUND_FILE + content.encode("utf-16-le") if is_compound else content.encode()
    (tmp_path / name).write_bytes(data)
    with pytest.raises(InputError, match=f"{name}: {found}") as caught:
        read(tmp_path / name)
    assert advice in str(caught.value)


@pytest.mark.parametrize("part", ["content.xml", "xl/workbook.bin", "Index/Document.iwa"])
@pytest.mark.usefixtures("openpyxl")
def test_archives_of_other_programs_are_refused(tmp_path, part):
    with zipfile.ZipFile(tmp_path / "x.xlsx", "w") as archive:
        archive.writestr(part, "x")
    with pytest.raises(InputError, match=r"x.xlsx: a spreadsheet of another format .* expected .xlsx or CSV"):
        read_scores(tmp_path / "x.xlsx")


def swap_rows(xml):
    return re.sub(r'(<row r="4".*?</row>)(<row r="5".*?</row>)', r"\2\1", xml)


def swap_cells(xml):
    return re.sub(r'(<c r="A4".*?</c>)(<c r="B4".*?</c>)', r"\2\1", xml)


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (swap_rows, "row 4 stands below row 5; expected rows in order, each once"),
        (lambda xml: re.sub(r'(<row r="4".*?</row>)', r"\1\1", xml), "row 4 stands below row 4"),
        (swap_cells, "cell A4 is out of order; expected cells in order, each once"),
        (lambda xml: re.sub(r'(<c r="C4".*?</c>)', r"\1\1", xml), "cell C4 is out of order"),
        (lambda xml: xml.replace('<c r="C4"', '<c r="C5"'), "cell C5 is out of order"),
        (
            lambda xml: xml.replace('<c r="C4"', '<c r="Ç4"'),
            r"not a whole workbook of Excel \(Invalid cell coordinates \(Ç4\)",
        ),
    ],
)
def test_disordered_rows_and_cells_are_refused(openpyxl, tmp_path, change, found):
    """Before, a row out of order was left out, and of two cells the last one was read."""
    path = tmp_path / "x.xlsx"
    make_book(openpyxl).save(path)
    rewrite_sheet(path, change)
    with pytest.raises(InputError, match=f"x.xlsx: {found}"):
        read_scores(path)


def test_rows_and_cells_without_numbers_are_the_next_ones(openpyxl, tmp_path):
    path = tmp_path / "x.xlsx"
    make_book(openpyxl).save(path)
    rewrite_sheet(path, lambda xml: re.sub(r'<(row|c) r="[A-Z0-9]*"', r"<\1", xml))
    assert scores_in(path) == [row[2] for row in ROWS[1:]]


def hide(sheet, rows=(), columns=()):
    for row in rows:
        sheet.row_dimensions[row].hidden = True
    for column in columns:
        sheet.column_dimensions[column].hidden = True


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    ("rows", "columns", "said"),
    [
        ([3], [], "hidden in the sheet Sheet, and read like the others: row 3;"),
        ([3, 5], ["C"], "hidden in the sheet Sheet, and read like the others: row 3, row 5, column C;"),
    ],
)
@pytest.mark.parametrize("read", [read_scores, inspect_file])
def test_what_is_hidden_is_read_with_a_warning(openpyxl, tmp_path, read, rows, columns, said):
    book = make_book(openpyxl)
    hide(book.active, rows, columns)
    book.save(tmp_path / "x.xlsx")
    with pytest.warns(DataWarning, match=f"x.xlsx: {said}"):
        read(tmp_path / "x.xlsx")
    with warnings.catch_warnings(action="ignore"):
        assert scores_in(tmp_path / "x.xlsx") == [row[2] for row in ROWS[1:]]


def test_hidden_rows_and_columns_without_values_are_no_matter(openpyxl, tmp_path):
    """Whoever hides all columns to the right of a table hides nothing."""
    book = make_book(openpyxl)
    hide(book.active, [15], ["G", "H"])
    book.save(tmp_path / "x.xlsx")
    with warnings.catch_warnings(action="error"):
        read_scores(tmp_path / "x.xlsx")


@pytest.mark.slow
def test_a_workbook_is_read_once_by_a_command_and_again_when_it_has_changed(tmp_path, monkeypatch):
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "x.xlsx"
    n_read = []
    check = table_files.check_structure
    monkeypatch.setattr(table_files, "check_structure", lambda *args: n_read.append(1) or check(*args))
    for grade in (3, 5):
        book = openpyxl.Workbook()
        for row in (("doc_id", "model", "rating"), (1, "a", grade), (1, "b", 2), (2, "a", 4), (2, "b", 1)):
            book.active.append(row)
        book.save(path)
        n_read.clear()
        assert main(["compare", str(path), "-q"]) == 0
        assert len(n_read) == 1
        assert read_scores(path)["score"].iloc[0] == grade


@pytest.mark.slow
def test_cells_merged_over_several_rows_count_for_each(openpyxl, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["doc_id", "system", "rating"])
    for number in range(6):
        sheet.append([f"d{number // 2}" if number % 2 == 0 else None, "ab"[number % 2], number])
    for row in (2, 4, 6):
        sheet.merge_cells(start_row=row, end_row=row + 1, start_column=1, end_column=1)
    path = tmp_path / "merged.xlsx"
    book.save(path)
    scores = read_scores(path)
    assert scores["topic"].tolist() == ["d0", "d0", "d1", "d1", "d2", "d2"]
    assert scores["score"].tolist() == [0, 1, 2, 3, 4, 5]
    assert "cells that are merged over several rows" in str(inspect_file(path))


@pytest.mark.slow
def test_a_header_merged_over_two_rows_is_one_name(openpyxl, tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["doc_id", "alpha", None, "beta", None])
    sheet.append([None, "fluency", "relevance", "fluency", "relevance"])
    sheet.merge_cells("A1:A2")
    sheet.merge_cells("B1:C1")
    sheet.merge_cells("D1:E1")
    for number in range(4):
        sheet.append([f"d{number}", 1 + number, 5, 5 - number, 4])
    path = tmp_path / "heads.xlsx"
    book.save(path)
    scores = read_scores(path, columns={"topic": "doc_id", "cells": "{system}.{measure}"})
    means = scores.groupby(["summarizer", "metric"])["score"].mean().to_dict()
    assert means == {
        ("alpha", "fluency"): 2.5,
        ("alpha", "relevance"): 5,
        ("beta", "fluency"): 3.5,
        ("beta", "relevance"): 4,
    }


@pytest.mark.slow
def test_a_sheet_for_each_rater(openpyxl, tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["notes", "of", "May"])
    for number, rater in enumerate(("Ann", "Bob", "Cleo", "Copy")):
        sheet = book.create_sheet(rater)
        sheet.append(["doc_id", "system", "rating"])
        for row in range(8):
            sheet.append([f"d{row // 2}", "ab"[row % 2], 1 + (row + number) % 5])
    book.move_sheet("Sheet", 4)
    book["Copy"].sheet_state = "hidden"
    path = tmp_path / "raters.xlsx"
    book.save(path)
    report = str(inspect_file(path))
    assert "the sheets Ann, Bob, Cleo have one header; their names are the column 'sheet'" in report
    assert "the sheets Copy, Sheet are not read" in report
    assert "rater=sheet" in report
    scores = read_scores(path, columns={"topic": "doc_id", "system": "system", "rater": "sheet"})
    assert scores.groupby("assessor")["score"].sum().to_dict() == {"Ann": 21, "Bob": 24, "Cleo": 27}
    assert scores_in(path, columns={"sheet": "Bob"}) == [1 + (row + 1) % 5 for row in range(8)]
    book["Bob"]["C3"] = "good?"
    book.save(path)
    with pytest.raises(InputError, match=r"Bob, row 3: rating is 'good\?'"):
        read_scores(path, columns={"topic": "doc_id", "rater": "sheet", "measures": "rating"})


@pytest.mark.parametrize("lower", [["fluency", "relevance"], ["fluency", "coherence"]], ids=str)
def test_sheets_of_raters_may_share_a_header_of_two_lines(openpyxl, lower, tmp_path):
    book = openpyxl.Workbook()
    for rater, names, shift in (("Ann", ["fluency", "relevance"], 0), ("Bob", lower, 1)):
        sheet = book.create_sheet(rater)
        sheet.append(["doc_id", "alpha", None, "beta", None])
        sheet.append([None, *names, *names])
        for number in range(4):
            sheet.append([f"d{number}", 1 + shift, number + shift, 3 + shift, 4])
    path = tmp_path / "heads.xlsx"
    book.save(path)
    columns = {"topic": "doc_id", "cells": "{system}.{measure}"}
    are_alike = lower[1] == "relevance"
    scores = read_scores(path, columns={**columns, "rater": "sheet"} if are_alike else columns)
    means = scores.groupby(["summarizer", "metric"])["score"].mean().to_dict()
    half = are_alike / 2
    assert means == {
        ("alpha", "fluency"): 1 + half,
        ("alpha", "relevance"): 1.5 + half,
        ("beta", "fluency"): 3 + half,
        ("beta", "relevance"): 4,
    }
    assert ("assessor" in scores) == are_alike


def test_a_workbook_gets_the_advice_that_a_file_of_text_gets(tmp_path, capsys):
    pytest.importorskip("openpyxl")
    rows = [["doc_id", "rater", "alpha", "beta"], *([f"d{n}", "ann", n % 5, n % 3] for n in range(8))]
    path = tmp_path / "book.xlsx"
    pd.DataFrame(rows[1:], columns=rows[0]).to_excel(path, index=False)
    assert main(["compare", str(path)]) == 1
    assert "systems=alpha,beta or --columns" in capsys.readouterr().err


def test_a_key_names_the_systems_that_were_blinded(openpyxl, tmp_path):
    """By hand: pine has 5, 4, 5, 4; oak has 2, 3, 1, 2, where A and B are another system in each item."""
    book = openpyxl.Workbook()
    for sheet, scores in ((book.active, [(5, 2), (3, 4)]), (book.create_sheet("Ben"), [(5, 1), (2, 4)])):
        sheet.append(["Item", "Score A", "Score B"])
        for item, row in enumerate(scores):
            sheet.append([item, *row])
    key = book.create_sheet("Key")
    for row in (["Item", "A", "B"], [0, "pine", "oak"], [1, "oak", "pine"]):
        key.append(row)
    book.create_sheet("Notes").append(["Do not open the key"])
    path = tmp_path / "x.xlsx"
    book.save(path)
    report = str(inspect_file(path, siblings=[]))
    assert "the sheet Key names the systems of each row" in report
    assert "read, not Notes (" in report
    scores = read_scores(
        path, columns="topic=Item,rater=sheet,system=system A,system B,measures=Score A,Score B"
    )
    assert scores.groupby("summarizer")["score"].mean().to_dict() == {"oak": 2.0, "pine": 4.5}
    key["B3"] = "elm"  # no order of the same names
    book.save(path)
    assert "names the systems of each row" not in str(inspect_file(path, siblings=[]))


def save_sheets(openpyxl, path, **sheets):
    """Save a workbook of sheets by their titles, blanks of which are written as underscores."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title.replace("_", " "))
        for row in rows:
            sheet.append([*row])
    book.save(path)


def rate(item, shift):
    """Grade a numbered item from 1 to 5."""
    return 1 + (item * 3 + item // 5 + shift) % 5


INSTRUCTIONS = [("Criterion", "Meaning"), ("Fluency", "How well it reads"), ("Comment", "Anything else")]


def test_formulas_without_a_value_are_said_where_their_rows_count(openpyxl, tmp_path):
    rows = [("", "doc_id", "system", "rating", "length")]
    rows += [("", f"d{n // 2}", "ab"[n % 2], rate(n, 0), "=LEN(B2)" if n < 3 else 4) for n in range(12)]
    rows.append(("", "", "Average", "=AVERAGE(D2:D13)", ""))
    path = tmp_path / "x.xlsx"
    save_sheets(openpyxl, path, ratings=rows)
    report = str(inspect_file(path))
    assert report.count("formulas without a value are read as empty: 3, the first in E2; a spreadsheet") == 1
    assert "1 of 13 rows left out: a row of totals (first: row 14)" in report
    with pytest.warns(DataWarning, match="formulas without a value are read as empty: 3, the first in E2"):
        assert len(read_scores(path, columns={"measures": "rating"})) == 12


def test_a_last_row_is_none_of_totals_if_others_have_its_name(openpyxl, tmp_path):
    """Here the items stand once for several rows each, and the last measure is called overall."""
    measures = ("style", "content", "overall")
    rows = [(f"d{n // 3}" if n % 3 == 0 else "", measures[n % 3], rate(n, 0), rate(n, 1)) for n in range(18)]
    path = tmp_path / "x.xlsx"
    save_sheets(openpyxl, path, ratings=[("doc_id", "measure", "alpha", "beta"), *rows])
    report = str(inspect_file(path))
    assert "left out" not in report
    assert "doc_id stands once for each 3 rows" in report


def test_a_sheet_of_formulas_without_a_value_has_no_scores(openpyxl, tmp_path, capsys):
    path = tmp_path / "x.xlsx"
    rows = [("doc_id", "system", "rating"), *((f"d{n // 2}", "ab"[n % 2], "=1+1") for n in range(12))]
    save_sheets(openpyxl, path, ratings=rows)
    assert "all cells of rating are empty, so nobody has rated yet" in str(inspect_file(path))
    assert main(["compare", str(path)]) == 1
    said = capsys.readouterr().err
    assert "warning:" in said
    assert "read as empty: 12, the first in C2;" in said
    assert "too few summarizers to compare (none)" in said


def test_formulas_of_a_corpus_are_warned_of(openpyxl, tmp_path):
    path = tmp_path / "x.xlsx"
    rows = [("topic", "system", "summary", "reference", "rating", "remark")]
    rows += [(f"d{n // 2}", "ab"[n % 2], "It rains.", "It rained.", 1 + n, "=E2") for n in range(4)]
    save_sheets(openpyxl, path, summaries=rows)
    with pytest.warns(DataWarning, match=r"x.xlsx: formulas without a value .*: 4, the first in F2"):
        assert len(read_corpus(path, layout="table")) == 2


def test_sheets_of_models_are_read_beside_instructions_and_totals(openpyxl, tmp_path):
    """A sheet may have remarks at its end, but no further grades."""
    grades = {shift: [rate(n, shift) for n in range(10)] for shift in (0, 1)}
    sheets = {
        "Read_me": INSTRUCTIONS,
        "Model_A": [("Item", "Fluency"), *enumerate(grades[0])],
        "Model_B": [("Item", "Fluency", "Remark"), *((n, g, "nice") for n, g in enumerate(grades[1]))],
        "Totals": [("Model", "Mean"), ("Model A", "=AVERAGE(A1:A9)"), ("Model B", "=AVERAGE(A1:A9)")],
    }
    path = tmp_path / "x.xlsx"
    save_sheets(openpyxl, path, **sheets)
    report = str(inspect_file(path, siblings=[]))
    assert "the sheets Model A, Model B have one header; their names are the column 'model'" in report
    assert "only the sheets Model A, Model B are read, not Read me, Totals (--sheet NAME)" in report
    assert "formulas" not in report
    assert "topic = Item; system = model; measures = Fluency" in report
    with pytest.warns(DataWarning, match="ignored columns: Remark"):
        means = read_scores(path).groupby("summarizer")["score"].mean().to_dict()
    assert means == {"Model A": sum(grades[0]) / 10, "Model B": sum(grades[1]) / 10}
    sheets["Model_B"] = [("Item", "Fluency", "Style"), *((n, g, g) for n, g in enumerate(grades[1]))]
    save_sheets(openpyxl, path, **sheets)
    assert "have one header" not in str(inspect_file(path, siblings=[]))


@pytest.mark.parametrize("ratings", [[("d", "a", 1)] * 2, [("d", "a", 3 + n % 2) for n in range(8)]], ids=len)
def test_a_sheet_of_grades_is_read_below_one_of_instructions(openpyxl, tmp_path, ratings):
    """It must hold as many rows at least."""
    path = tmp_path / "x.xlsx"
    instructions = [*INSTRUCTIONS, *[("Style", "How it sounds")] * 2]
    save_sheets(openpyxl, path, first=instructions, second=[("doc_id", "system", "rating"), *ratings])
    first, second = ("second", "first") if len(ratings) > 4 else ("first", "second")
    assert f"only the sheet {first} is read, not {second}" in str(inspect_file(path, siblings=[]))


def test_sheets_of_raters_below_titles_with_merged_cells_and_averages(openpyxl, tmp_path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for shift, rater in enumerate(("Rater A", "Rater B")):
        sheet = book.create_sheet(rater)
        for row in (["Evaluation of stories", *[None] * 4], [], ["Doc", "Text", "System", "Style", "Notes"]):
            sheet.append(row)
        for n in range(18):
            grade = "?" if (n, shift) == (4, 1) else rate(n, shift)
            sheet.append(
                [f"d{n // 3}" if n % 3 == 0 else None, "A text", ("x", "y", "z")[n % 3], grade, None]
            )
        for row in range(4, 22, 3):
            sheet.merge_cells(start_row=row, end_row=row + 2, start_column=1, end_column=1)
        sheet.append([])
        sheet.append([None, None, "Average", "=AVERAGE(D4:D21)", None])
    path = tmp_path / "x.xlsx"
    book.save(path)
    report = str(inspect_file(path, siblings=[]))
    assert "topic = Doc; system = System; rater = rater; measures = Style" in report
    assert "36 scores, 1 of them missing: 6 topics, 3 systems, 2 raters" in report
    assert "2 of 38 rows left out: a row of totals (first: Rater A, row 23)" in report
    assert "formulas" not in report


KEY = [
    ("id", "framework", "prompt", "text"),
    *((f"ART-{n:02}", "abc"[n % 3], f"p{n // 3}", "long " * 30) for n in range(18)),
]
RATED = [("id", "title", "quality"), *((f"ART-{n:02}", "Rain", rate(n, 0)) for n in range(18))]


@pytest.mark.parametrize("name", ["id", "código"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_key_names_the_framework_of_each_row(openpyxl, tmp_path, name, order):
    """The ids may have another name there, and the key may be the first sheet."""
    path = tmp_path / "x.xlsx"
    sheets = {"rated": [(name, *RATED[0][1:]), *RATED[1:]], "key": [KEY[0], *reversed(KEY[1:])]}
    save_sheets(openpyxl, path, **dict([*sheets.items()][::order]), rubric=INSTRUCTIONS)
    report = str(inspect_file(path, siblings=[]))
    assert f"rows are joined by {name} with the sheet key: framework, prompt (not text)" in report
    assert "topic = prompt; system = framework; measures = quality" in report
    assert "the sheets rubric are not read" in report
    with pytest.warns(DataWarning, match=f"ignored columns: {name}, title"):
        means = read_scores(path).groupby("summarizer")["score"].mean().to_dict()
    assert means == {
        system: sum(rate(n, 0) for n in range(place, 18, 3)) / 6 for place, system in enumerate("abc")
    }


def test_a_key_of_items_and_labels_is_of_the_sheets_of_all_raters(openpyxl, tmp_path):
    systems = {(n, label): "xyz"[("ABC".index(label) + n) % 3] for n in range(6) for label in "ABC"}
    sheets = {
        rater: [("Item", "Label", "Style"), *((*key, rate(n, shift)) for n, key in enumerate(systems))]
        for shift, rater in enumerate(("Ann", "Ben"))
    }
    path = tmp_path / "x.xlsx"
    save_sheets(
        openpyxl, path, **sheets, Key=[("Item", "Label", "System"), *((*k, s) for k, s in systems.items())]
    )
    report = str(inspect_file(path, siblings=[]))
    assert "rows are joined by Item, Label with the sheet Key: System" in report
    assert "topic = Item; system = System; rater = sheet; measures = Style" in report


def test_a_key_is_of_a_sheet_in_which_several_people_rated_each_row(openpyxl, tmp_path):
    ratings = [
        (key[0], rater, rate(n, shift))
        for shift, rater in enumerate(("ann", "ben"))
        for n, key in enumerate(KEY[1:])
    ]
    path = tmp_path / "x.xlsx"
    save_sheets(openpyxl, path, rated=[("id", "annotator", "quality"), *ratings], key=KEY)
    report = str(inspect_file(path, siblings=[]))
    assert "rows are joined by id with the sheet key: framework, prompt (not text)" in report
    assert "topic = prompt; system = framework; rater = annotator; measures = quality" in report


@pytest.mark.parametrize(
    "other",
    [
        [*KEY[:5], *KEY[6:]],
        [*KEY, KEY[1]],
        [("id", "framework", "quality"), *((*row[:2], 3) for row in KEY[1:])],
        [("id", "mean"), *((row[0], 3.5) for row in KEY[1:])],
        [("number", "framework"), *((rate(n, 0), "ab"[n % 2]) for n in (0, 1, 2, 3, 4))],
    ],
    ids=[
        "an id is missing",
        "an id comes twice",
        "a column of the same name",
        "no names",
        "grades explained",
    ],
)
def test_other_sheets_are_no_keys(openpyxl, tmp_path, other):
    path = tmp_path / "x.xlsx"
    save_sheets(openpyxl, path, rated=RATED, other=other)
    report = str(inspect_file(path, siblings=[]))
    assert "only the sheet rated is read, not other (--sheet NAME)" in report
    assert "joined" not in report


@pytest.mark.parametrize("name", ["system", "rater"])
def test_what_a_sheet_says_of_systems_or_raters_is_no_key(openpyxl, tmp_path, name):
    rows = [(f"d{n // 3}", "abc"[n % 3], rate(n, 0)) for n in range(18)]
    about = [(name, "origin"), ("a", "Rome"), ("b", "Rome"), ("c", "Oslo")]
    path = tmp_path / "x.xlsx"
    save_sheets(openpyxl, path, rated=[("doc_id", name, "rating"), *rows], about=about)
    assert "joined" not in str(inspect_file(path, siblings=[]))
