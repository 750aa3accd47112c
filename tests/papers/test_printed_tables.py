"""Tables are laid out as the papers print them, ours first and the printed number in brackets."""

import csv
from dataclasses import replace
from string import Formatter

import numpy as np
import pandas as pd
import pytest

from classy_aesop.answers.declared import load_answer
from classy_aesop.cli import main
from classy_aesop.errors import UsageError
from classy_aesop.papers import STUDIES
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed import fields_of, printed_cells, remakes_table
from classy_aesop.papers.printed_tables import (
    PRINTED_TABLES,
    PRINTED_TWICE,
    arrange_as_printed,
    lay_out_as_printed,
    name_as_printed,
    name_data,
    printed_columns_of,
)
from classy_aesop.papers.rankel_2011 import pair_counts
from classy_aesop.papers.rankel_2013 import best_pairs
from classy_aesop.tables.result import Result


def table_of_part(result, number=0):
    """Give one of the tables that readers get, as lists of texts, the header first."""
    table = result.parts[number].table
    return [list(table), *table.astype(str).to_numpy().tolist()]


def test_every_printed_table_of_a_study_is_declared():
    names = {item for item in printed_cells()["item"] if ", Table " in item}
    declared = {printed.name for printed in PRINTED_TABLES}
    for name in names - set(PRINTED_TWICE) - declared:
        users = [
            study for study, of in STUDIES.items() if any(remakes_table(item, name) for item in of.remakes)
        ]
        assert users == [], name
    others = names - set(PRINTED_TWICE) - declared
    assert others == {"Rankel (2016), Table 2.2"}
    assert {printed.study for printed in PRINTED_TABLES} <= set(STUDIES)
    with_layout = {printed.study for printed in PRINTED_TABLES if printed.rows}
    assert with_layout == {name for name, study in STUDIES.items() if study.remakes_tables}


@pytest.mark.parametrize("printed", PRINTED_TABLES, ids=lambda printed: f"{printed.name} {printed.study}")
def test_declared_cells_are_printed(printed):
    cells = {
        (cell.cell, cell.row.count("/")) for cell in printed_cells().itertuples() if cell.item == printed.name
    }
    assert cells, printed.name
    for number in [number for number in printed.numbers if printed.row and number.cell_name]:
        assert (number.cell_name, (number.row or printed.row).count("/")) in cells, number
    heads = "".join([*printed.rows.values(), printed.head])
    assert len(printed.numbers) == 1 or not printed.rows or "{number}" in heads
    assert all(name for _, name, _, _ in Formatter().parse(heads) if name is not None)


YEARS_OF_2011 = {"2008": (2145, 464), "2009": (1830, 424), "2010": (1275, 344)}
AGREEMENT = ["Acc", "P", "R", "BA"]
R_2013 = "R1 R2 R3 R4 RL R-SU4 R-W-1.2 R-BE-HM"
COMBINATIONS = (
    "R1_R2_R4_RBE R1_R4_RBE R2_R4_RBE R4_RBE R1_R2_R4 R1_R4 R2_R4 R1_R2_RBE R2_RBE R4 R1_RBE R1_R2 RBE R2 R1"
)
ASSESSORS = [*"ABCDEFGH"]
N_GRAMS = [f"Ngram({sizes})" for sizes in ("1,4", "1,1", "2,2", "3,3", "4,4")]
DATA_OF_2021 = ("TAC'08", "Fabbri et al.", "Bhandari et al.")
METRICS_OF_2021 = (
    "Resp/Rel/Pyr AutoSummENG MeMoG NPowER BERTScore BEwTE METEOR MoverScore QAEval-F1 "
    "ROUGE-1 ROUGE-2 ROUGE-L ROUGE-SU4 S3"
)
LAYOUTS = {
    **{
        f"Rankel et al. (2011), Table {number + 1}": (
            [f"{year}: {n[number]} pairs {test}" for year, n in YEARS_OF_2011.items()
             for test in ("Unpair-T", "Pair-T", "Wilc.")],
            ["Linguistic", "Overall", "Pyramid", "ROUGE-2", "ROUGE-SU4"],
        )
        for number in (0, 1)
    },
    "Rankel et al. (2013), Table 1": (["Pyr A", "Pyr B", "Resp A", "Resp B"], ["2008", "2009", "2010", "2011"]),
    "Rankel et al. (2013), Table 2": (
        [f"{name} {cell}" for name in ("Responsiveness", "Pyramid") for cell in ("Acc", "(Acc)", "P", "R", "BA")],
        R_2013.split(),
    ),
    "Rankel et al. (2013), Table 3": (["Acc", "Prec", "Rec", "BA"], COMBINATIONS.split()),
    "Rankel et al. (2013), Table 4": (
        [f"{name} {task} {cell}" for name in ("Pyramid", "Responsiveness") for task in "AB" for cell in AGREEMENT],
        [*["CLASSY1", "DemokritosGR1", "uOttawa3", "DemokritosGR2", "C-S-IIITH4", "C-S-IIITH1", "BEwT-E"],
         "R1-R2-R4-RBE", "R1-R4-RBE", "All ROUGEs"],
    ),
    "Rankel (2016), Table 2.1": (
        ["Document Sets", "Automatic Summarizers", "Human Summarizers"], ["2008", "2009", "2010", "2011"]
    ),
    "Rankel (2016), Table 3.1": (
        ASSESSORS,
        ["Accidents and Natural Disasters", "Attacks", "Health and Safety", "Endangered Resources",
         "Trials and Investigations"],
    ),
    "Rankel (2016), Table 3.2": (["Tied Rank", "Count", "Percent"], [*"12345"]),
    "Rankel (2016), Table 5.1": (
        ["Pyramid Score", "Overall Responsiveness", "Linguistic Quality", "ROUGE-2"],
        ["human C", *(f"system {number}" for number in (3, 26, 35, 13, 10))],
    ),
    "Rankel (2016), Table 6.1": (
        ["Read ID", "Read", "Resp ID", "Resp", "Pyr ID", "Pyr"], [""] * 7
    ),
    "Rankel (2016), Table 6.2": (
        [f"{name} -{k} worst" for name in ("Pearson's r", "Spearman's rho") for k in (1, 2)],
        ["Readability", "Responsiveness", "Pyramid", "mP-aP"],
    ),
    **{
        f"Rankel (2016), Table 6.{number}": (
            ["Readability", "Responsiveness", "Pyramid", "mP-aP"], ["before", "-1 worst", "-2 worst"]
        )
        for number in (3, 4)
    },
    "Rankel (2016), Table 6.5": (
        ["NoModels main", "NoModels update", "AllPeers main", "AllPeers update"],
        ["Pyramid", "CLASSY1_Pyr", "CLASSY1_Pyr_new (a)", "Responsiveness", "CLASSY2_Resp", "CLASSY2_Resp_new",
         "CLASSY4_Resp", "CLASSY4_Resp_new", "Readability", "CLASSY3_Read", "CLASSY3_Read_new"],
    ),
    "Deutsch et al. (2021), Table 1": (
        [f"{data} {level}" for data in DATA_OF_2021 for level in ("rSYS", "rSUM")],
        ["Fisher", "Boot-Systems", "Boot-Inputs", "Boot-Both"],
    ),
    "Deutsch et al. (2021), Table 2": (
        ["Fabbri et al. rSUM", "Fabbri et al. rSYS"], METRICS_OF_2021.split()
    ),
    "Lin and Hovy (2003), Table 1": (["SD-100", "MD-All", "MD-50", "MD-100", "MD-200", "MD-400"], ["SX", "S"]),
    **{
        f"Lin and Hovy (2003), Table {number}": (
            N_GRAMS,
            [f"{task} {cell}" for task in ("Single Doc 100", *(f"Multi-Doc {n}" for n in ("All", 50, 100, 200, 400)))
             for cell in ("Spearman rho", "LR_t", "Pearson rho", "CD")],
        )
        for number in (2, 3)
    },
}  # fmt: skip
"""The columns and rows of each table, as the papers print them; those of several studies together."""

OTHERS_IN_PRINT = {"Deutsch et al. (2021), Table 2": "SummEval"}
"""The data of a table whose rows are of other metrics on each of its data: those that are laid out here."""


def table_of_print(printed):
    """Give the table of a study whose numbers are those that the paper prints, and have been found there."""
    rows = {}
    for cell in printed_cells().itertuples():
        numbers = [
            number
            for number in printed.numbers
            if number.cell_name == cell.cell and cell.row.count("/") == (number.row or printed.row).count("/")
        ]
        if cell.item != printed.name or cell.data != OTHERS_IN_PRINT.get(printed.name, cell.data):
            continue
        for number in numbers:
            parts = zip((number.row or printed.row).split("/"), cell.row.split("/"), strict=True)
            place = {name: text for part, text in parts for name in fields_of(part)}
            year, _, task = cell.data.partition(" ")[2].partition("-")
            if cell.data.startswith("DUC"):
                year = "2001"
                task = cell.data.split()[2].replace("MD-All", "all")
            if "+" in cell.data:
                year = task = ""
            row_key = (cell.data, cell.row, number.column if number.row else "")
            row = rows.setdefault(row_key, {"year": year, "task": task, "data": cell.data, **place})
            row |= {number.column: cell.value, f"cell of {number.column}": cell.value}
    return pd.DataFrame([*rows.values()])


def name_columns(printed, table):
    """Add what studies have beside numbers, by which layouts are filled."""
    fill = {
        "select": printed.select,
        "pairs": [YEARS_OF_2011.get(year, (0, 0))[printed.name.endswith("2")] for year in table["year"]],
    }
    return table.assign(**fill["select"], n_pairs=fill["pairs"])


def spread_number(table, number, row):
    """Put the numbers of rows of their own beside the rows that have the same summarizer, or the same order."""
    shared, other = [name for name in fields_of(row) if name in fields_of(number.row)][-1], number.column
    own = table.dropna(subset=other)
    others = table[table[other].isna()].drop(columns=[other, f"cell of {other}"])
    of_others = [name for name in others if others[name].notna().any() and name not in own.dropna(axis=1)]
    return own.drop(columns=of_others, errors="ignore").merge(others[[shared, *of_others]], on=shared)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_layout_is_that_of_the_print(name, monkeypatch):
    [printed, *_] = [table for table in PRINTED_TABLES if table.name == name]
    table = name_columns(printed, table_of_print(printed))
    if printed.study == "retraining":
        table["mark"] = table["target"].map({"pyramid": "(a)"}).fillna("")
        table["run"] = table["metric"].str.partition("-")[0]
        table["peers"] = table["metric"].str.partition("-")[2].str.partition("-")[2]
    if printed.study == "best-on-topic":
        table = table.assign(human=table["summarizer"] == "C", digits=".3g")
    if of_own_rows := [number for number in printed.numbers if number.row]:  # beside each row of the others
        table = spread_number(table, of_own_rows[0], printed.row)
    if printed.study == "consistency":
        table["rank"] = table.groupby("metric")["value"].rank(ascending=False).astype(int)
    if printed.study == "ngram-correlations":
        table["ngram"] = table["metric"].str.removesuffix("-content")
        table["stop_words"] = table["metric"].str.endswith("-content").map({True: "SX", False: "S"})
    columns = printed_columns_of(printed.study)
    for number in printed.numbers:
        if number.cell_name:
            table[columns[number.cell_name]] = table.get(f"cell of {number.column}")
    if printed.prepare is name_data:
        names = {"TAC 2008-A": "2008 A", "SummEval": "Fabbri et al.", "REALSumm": "Bhandari et al."}
        table["paper_data"] = table["data"].map(names)
    monkeypatch.setattr(type(printed), "rows_of", lambda *_: table)
    part = lay_out_as_printed(printed, Result(table, answer=load_answer(f"study {printed.study}")))
    head, *rows = [list(part.table), *part.table.astype(str).to_numpy().tolist()]
    expected_columns, expected_rows = LAYOUTS[name]
    labels = [*filter(None, printed.rows)]
    assert head == [*labels, *expected_columns]
    assert [" ".join(row[: len(labels)]) for row in rows] == expected_rows


def test_only_metrics_of_aesop_stand_under_the_other_measure_as_printed():
    table = pd.DataFrame({"metric": ["8", "BEwT-E", "BERTScore", "ROUGE-2-R"], "target": "pyramid"})
    named = name_as_printed(table)
    assert named["paper_name"].tolist() == ["CLASSY1", "BEwT-E", "BERTScore", "R2"]
    assert named["printed_under"].tolist() == ["responsiveness"] * 2 + ["pyramid"] * 2


def test_data_without_a_year_are_named_as_in_print_where_they_are_a_papers():
    table = pd.DataFrame({"year": ["2008", "2023"], "task": "A", "metric": ["pyramid", "S3"]})
    assert name_data(table)["paper_data"].tolist() == ["2008 A", "2023 A"]
    of_target = pd.DataFrame({"target": ["litepyramid_recall"] * 2, "printed": [0.9, np.nan]})
    assert name_data(of_target)["paper_data"].tolist() == ["Bhandari et al."] * 2
    assert name_data(of_target.drop(columns="printed"))["paper_data"].tolist() == [""] * 2


def test_weights_have_the_blank_row_of_table_5_3_and_both_of_an_update_in_one_place():
    [printed] = [table for table in PRINTED_TABLES if table.name == "Rankel (2016), Table 5.3"]
    run = {"target": "pyramid", "run": "8", "task": "B", "peers": "no_models", "fitter": "robust"}
    weights = {"r2@A": (20.0, 21.0), "r2@B": (2.5, 2.0), "su4": (np.nan, 34.0), "bigrams": (1.0, np.nan)}
    rows = [{**run, "column": column, "weight": w, "printed": p} for column, (w, p) in weights.items()]
    part = lay_out_as_printed(printed, Result(pd.DataFrame(rows), answer=load_answer("study coefficients")))
    assert part.table.to_numpy().tolist() == [
        ["R2", "2.0e+1 (2.1e+1), 2.5e+0 (2.0e+0)"],
        ["SU4", "- (3.4e+1)"],
        ["Coverage", ""],
    ]
    assert [*part.table] == ["Feature", "Pyramid(8) robust B"]


def test_percents_and_tables_that_are_printed_twice_are_named():
    [printed] = [table for table in PRINTED_TABLES if table.name == "Rankel (2016), Table 3.2"]
    rows = pd.DataFrame({"metric": ["responsiveness"], "score": [1.0], "share": [0.12397]})
    rows = rows.assign(mid_rank=150.5, count=300, printed_percent=12.4)
    part = lay_out_as_printed(printed, Result(rows, answer=load_answer("study score-ranks")))
    assert part.table.to_numpy().tolist() == [["1", "150.5", "300", "12.40% (12.40%)"]]
    twice = [table for table in PRINTED_TABLES if table.repeated_in]
    assert {table.repeated_in for table in twice if table.rows} == {
        f"Rankel (2016), Table {number}" for number in ("4.1", "4.2", "7.1", "7.3", "7.4", "7.5")
    }


@pytest.fixture
def years(corpus_of):
    """Made-up corpora of the size of TAC 2010 and 2008, whose scores have a few values."""
    made = []
    for year, n_systems, n_topics in (("2010", 43, 46), ("2008", 58, 48)):
        rng = np.random.default_rng(int(year))
        names = [*map(str, range(1, n_systems + 1)), *"ABCDEFGH"]
        scores = {
            name: rng.integers(1, 6, size=(len(names), n_topics))
            for name in ("responsiveness", "readability")
        }
        made.append(corpus_of(scores, year=year, names=names))
    return made


@pytest.mark.slow
def test_pairs_are_laid_out_as_in_tables_1_and_2_of_2011(years):
    result = pair_counts(StudyData(years), metrics=["responsiveness", "readability"])
    counts = result.table.set_index(["year", "metric", "test"])["n_significant"]
    [part] = arrange_as_printed(result).parts
    head, linguistic, overall = table_of_part(arrange_as_printed(result))
    assert head == [
        "Metric",
        *(f"2008: 2145 pairs {test}" for test in ("Unpair-T", "Pair-T", "Wilc.")),
        *(f"2010: 1275 pairs {test}" for test in ("Unpair-T", "Pair-T", "Wilc.")),
    ]
    assert linguistic[:2] == ["Linguistic", f"{counts['2008', 'readability', 'unpaired_t']} (1234)"]
    assert linguistic[-1] == f"{counts['2010', 'readability', 'wilcoxon']} (934)"
    assert overall[:3] == [
        "Overall",
        f"{counts['2008', 'responsiveness', 'unpaired_t']} (1202)",
        f"{counts['2008', 'responsiveness', 'paired_t']} (1353)",
    ]
    assert part.sentence.startswith("Rankel et al. (2011), Table 1 and Rankel (2016), Table 4.1, task A;")
    mixed = arrange_as_printed(pair_counts(StudyData(years), metrics=["responsiveness"], mixed=True))
    assert table_of_part(mixed)[0][1] == "2008: 464 pairs Unpair-T"
    assert table_of_part(mixed)[1][1].endswith(" (464)")
    assert any("Table 1" in note.partition(":")[0] for note in arrange_as_printed(result).notes)
    assert not any("Table 1" in note.partition(":")[0] for note in mixed.notes)


@pytest.mark.slow
def test_best_pairs_have_a_row_a_year_and_a_column_a_measure_and_task(years):
    result = best_pairs(StudyData(years))
    counts = result.table.set_index(["year", "metric"])["n_significant"]
    head, *rows = table_of_part(arrange_as_printed(result))
    assert head == ["Year", "Resp A"]  # the paper prints no readability
    assert "not print are left out" in arrange_as_printed(result).parts[0].sentence
    assert rows[0] == ["2008", f"{counts['2008', 'responsiveness']} (68)"]
    without_printed = replace(result, table=result.table.drop(columns="printed"))
    head, *rows = table_of_part(arrange_as_printed(without_printed))
    assert head == ["Year", "Resp A", "readability A"]
    assert rows[0] == ["2008", *(str(counts["2008", name]) for name in ("responsiveness", "readability"))]


def test_rows_that_no_paper_prints_are_refused(corpus_of):
    table = pd.DataFrame({"pairs": [], "metric": [], "test": [], "n_significant": []})
    with pytest.raises(UsageError, match="no paper prints a table of these rows of pair-counts"):
        arrange_as_printed(Result(table, answer=pair_counts(StudyData([corpus_of({"a": np.eye(3)})])).answer))


@pytest.mark.slow
def test_files_have_all_tables_and_readers_one_below_another(years, tmp_path, capsys):
    path = tmp_path / "judgments.tsv"
    years[1].judgments.to_csv(path, sep="\t", index=False)
    command = ["study", "best-pairs", str(path), "-q", "--as-printed"]
    out = {ending: tmp_path / f"out.{ending}" for ending in ("csv", "tex", "md")}
    for file in out.values():
        assert main([*command, "-o", str(file)]) == 0
    header, row = list(csv.reader(out["csv"].read_text().splitlines()))
    assert header[:3] == ["table", "Year", "Resp A"]
    assert row[:2] == ["Rankel et al. (2013), Table 1 and Rankel (2016), Table 7.1", "2008"]
    assert row[2].endswith(" (68)")
    assert out["tex"].read_text().count("\\begin{table}") == 1
    assert "Rankel et al. (2013), Table 1" in out["tex"].read_text()
    assert f"| {row[2]} |" in out["md"].read_text()
    assert main([*command, "-f", "text"]) == 0
    assert row[2] in capsys.readouterr().out
