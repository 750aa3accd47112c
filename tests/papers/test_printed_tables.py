"""Tables are laid out as the papers print them, ours first and the printed number in brackets."""

import csv
from string import Formatter

import numpy as np
import pandas as pd
import pytest

from classy_aesop.cli import main
from classy_aesop.errors import UsageError
from classy_aesop.papers import OTHERWISE, STUDIES
from classy_aesop.papers.exclusions import EXCLUSION
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.lin_hovy_2003 import ngram_correlations
from classy_aesop.papers.printed import printed_cells, remakes_table
from classy_aesop.papers.printed_tables import (
    PRINTED_TABLES,
    PRINTED_TWICE,
    add_printed_numbers,
    arrange_as_printed,
)
from classy_aesop.papers.rankel_2011 import pair_counts
from classy_aesop.papers.rankel_2013 import best_pairs, label_agreement
from classy_aesop.tables.result import Result


def table_of_part(result, number=0):
    """Give one of the tables that readers get, as lists of texts, the header first."""
    table = result.parts[number].table
    return [list(table), *table.astype(str).to_numpy().tolist()]


def test_every_printed_table_of_a_study_is_declared():
    names = {cell.item for cell in printed_cells() if ", Table " in cell.item}
    declared = {printed.name for printed in PRINTED_TABLES}
    for name in names - set(PRINTED_TWICE) - declared:
        users = [
            study for study, of in STUDIES.items() if any(remakes_table(item, name) for item in of.remakes)
        ]
        assert users == [], name
    others = names - set(PRINTED_TWICE) - declared
    assert others == {"Rankel (2016), Table 2.1", "Rankel (2016), Table 2.2"}
    assert all(
        study in STUDIES or study in OTHERWISE for study in {printed.study for printed in PRINTED_TABLES}
    )
    with_layout = {printed.study for printed in PRINTED_TABLES if printed.rows}
    assert with_layout == {name for name, study in STUDIES.items() if study.remakes_tables}


@pytest.mark.parametrize("printed", PRINTED_TABLES, ids=lambda printed: f"{printed.name} {printed.study}")
def test_declared_cells_are_printed(printed):
    cells = {(cell.cell, cell.row.count("/")) for cell in printed_cells() if cell.item == printed.name}
    assert cells, printed.name
    for number in printed.numbers if printed.keys else ():
        assert (number.cell_name, len(number.keys or printed.keys) - 1) in cells, number
    heads = "".join([*printed.rows.values(), printed.head])
    assert len(printed.numbers) == 1 or not printed.rows or "{number}" in heads
    assert all(name for _, name, _, _ in Formatter().parse(heads) if name is not None)


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


def test_pairs_are_laid_out_as_in_tables_1_and_2_of_2011(years):
    result = pair_counts(StudyData(years), metrics=["responsiveness", "readability"])
    counts = result.table.set_index(["year", "metric", "test"])["n_significant"]
    [part] = arrange_as_printed(result).parts
    head, linguistic, overall = table_of_part(arrange_as_printed(result))
    assert head == [
        "task",
        "Metric",
        *(f"2008: 2145 pairs {test}" for test in ("Unpair-T", "Pair-T", "Wilc.")),
        *(f"2010: 1275 pairs {test}" for test in ("Unpair-T", "Pair-T", "Wilc.")),
    ]
    assert linguistic[:3] == ["A", "Linguistic", f"{counts['2008', 'readability', 'unpaired_t']} (1234)"]
    assert linguistic[-1] == f"{counts['2010', 'readability', 'wilcoxon']} (934)"
    assert overall[:4] == [
        "A",
        "Overall",
        f"{counts['2008', 'responsiveness', 'unpaired_t']} (1202)",
        f"{counts['2008', 'responsiveness', 'paired_t']} (1353)",
    ]
    assert part.sentence.startswith("Rankel et al. (2011), Table 1;")
    mixed = arrange_as_printed(pair_counts(StudyData(years), metrics=["responsiveness"], mixed=True))
    assert table_of_part(mixed)[0][2] == "2008: 464 pairs Unpair-T"
    assert table_of_part(mixed)[1][2].endswith(" (464)")
    assert any("Table 1" in note.partition(":")[0] for note in arrange_as_printed(result).notes)
    assert not any("Table 1" in note.partition(":")[0] for note in mixed.notes)


def test_best_pairs_have_a_row_a_year_and_a_column_a_measure_and_task(years):
    result = best_pairs(StudyData(years))
    counts = result.table.set_index(["year", "metric"])["n_significant"]
    head, *rows = table_of_part(arrange_as_printed(result))
    assert head == ["Year", "Resp A", "readability A"]
    assert rows[0] == [
        "2008",
        f"{counts['2008', 'responsiveness']} (68)",
        str(counts["2008", "readability"]),
    ]


def test_agreement_gives_two_tables_with_rows_in_the_order_of_print(corpus_of, table_of):
    rng = np.random.default_rng(1)
    corpus = corpus_of({"pyramid": rng.random((6, 9)), "responsiveness": rng.random((6, 9))})
    scores = table_of({f"ROUGE-{name}-R": rng.random((6, 9)) for name in ("4", "1", "L", "SU4")})
    result = arrange_as_printed(label_agreement(StudyData([corpus], scores), combine=2, top=6))
    head, *rows = table_of_part(result)
    assert head == ["Metric", *(f"{name} {cell}" for name in ("Responsiveness", "Pyramid")
                                for cell in ("Acc", "(Acc)", "P", "R", "BA"))]  # fmt: skip
    assert [row[0] for row in rows] == ["R1", "R4", "RL", "R-SU4"]
    head, *rows = table_of_part(result, 1)
    assert head == ["target", "ROUGE Combination", "Acc", "Prec", "Rec", "BA"]
    assert [row[1] for row in rows if row[0] == "pyramid"][:3] == ["R1_R4", "R4", "R1"]
    assert result.table["table"].nunique() == 2
    assert len(result.table) == sum(len(part.table) for part in result.parts)


def test_correlations_of_2003_have_metrics_as_columns(corpus_of, table_of):
    rng = np.random.default_rng(1)
    corpora = []
    scores = []
    for task in ("MD-50", "SD-100"):
        Z = rng.random((13, 5))
        how = {"year": "2001", "task": task, "names": [str(number) for number in range(1, 14)]}
        corpora.append(corpus_of({"coverage": Z}, **how))
        names = [f"Ngram({sizes}){end}" for sizes in ("1,1", "1,4") for end in ("", "-content")]
        scores.append(table_of({name: rng.random((13, 5)) for name in names}, **how))
    result = ngram_correlations(StudyData(corpora, pd.concat(scores)), "coverage")
    printed = arrange_as_printed(result)
    assert [part.answer.caption[-7:] for part in printed.parts] == ["Table 1", "Table 2", "Table 3"]
    head, with_stop_words_removed, _ = table_of_part(printed)
    assert head == ["year", "target", "Stop words", "SD-100", "MD-All", "MD-50"]
    assert with_stop_words_removed[2] == "SX"
    assert with_stop_words_removed[3].endswith(" (0.604)")
    head, *rows = table_of_part(printed, 1)
    assert head == ["year", "target", "Task", "Statistic", "Ngram(1,4)", "Ngram(1,1)"]
    assert [row[2:4] for row in rows[:5]] == [
        *(["SD-100", name] for name in ("Spearman rho", "LR_t", "Pearson rho", "CD")),
        ["MD-All", "Spearman rho"],
    ]
    of_content = result.table.set_index(["task", "metric"]).loc[("SD-100", "Ngram(1,1)-content")]
    assert rows[3][5] == f"{of_content['determination']:.3f} (0.822)"


def test_exclusions_are_laid_out_as_tables_6_2_to_6_4(corpus_of):
    corpus = corpus_of(
        {"pyramid": np.ones((51, 44))}, year="2011", names=[str(number) for number in range(1, 52)]
    )
    rows = [
        ("2011", "A", "pyramid", "ROUGE-2-R", k, *np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4]) / k)
        for k in (1, 2)
    ]
    columns = ["year", "task", "target", "metric", "n_excluded", "pearson", "spearman", "r_before", "r_after"]
    table = pd.DataFrame(rows, columns=[*columns, "by_assessor_before", "by_assessor_after"])
    table["r_before"] = 0.7
    table = add_printed_numbers(table, "agreement-exclusion", corpus.judgments)
    printed = arrange_as_printed(Result(table, answer=EXCLUSION))
    assert table_of_part(printed) == [
        ["year", "task", "target", "Measure"]
        + [f"{name} -{k} worst" for name in ("Pearson's r", "Spearman's rho") for k in (1, 2)],
        [
            "2011",
            "A",
            "pyramid",
            "Pyramid",
            "0.900 (0.996)",
            "0.450 (0.992)",
            "0.800 (0.978)",
            "0.400 (0.960)",
        ],
    ]
    assert table_of_part(printed, 1) == [
        ["year", "task", "target", "Metric", "Excluded", "Pyramid"],
        ["2011", "A", "pyramid", "ROUGE-2-R", "before", "0.700 (0.954)"],
        ["2011", "A", "pyramid", "ROUGE-2-R", "-1 worst", "0.600 (0.961)"],
        ["2011", "A", "pyramid", "ROUGE-2-R", "-2 worst", "0.300 (0.952)"],
    ]


def test_rows_that_no_paper_prints_are_refused(corpus_of):
    table = pd.DataFrame({"pairs": [], "metric": [], "test": [], "n_significant": []})
    with pytest.raises(UsageError, match="no paper prints a table of these rows of pair-counts"):
        arrange_as_printed(Result(table, answer=pair_counts(StudyData([corpus_of({"a": np.eye(3)})])).answer))


def test_files_have_all_tables_and_readers_one_below_another(years, tmp_path, capsys):
    path = tmp_path / "judgments.tsv"
    years[1].judgments.to_csv(path, sep="\t", index=False)
    command = ["study", "best-pairs", str(path), "-q", "--as-printed"]
    out = {ending: tmp_path / f"out.{ending}" for ending in ("csv", "tex", "md")}
    for file in out.values():
        assert main([*command, "-o", str(file)]) == 0
    header, row = list(csv.reader(out["csv"].read_text().splitlines()))
    assert header[:3] == ["table", "Year", "Resp A"]
    assert row[:2] == ["Rankel et al. (2013), Table 1", "2008"]
    assert row[2].endswith(" (68)")
    assert out["tex"].read_text().count("\\begin{table}") == 1
    assert "Rankel et al. (2013), Table 1" in out["tex"].read_text()
    assert f"| {row[2]} |" in out["md"].read_text()
    assert main([*command, "-f", "text"]) == 0
    assert row[2] in capsys.readouterr().out
