"""Printed cells stand beside ours on the papers' data, and nowhere else; misprints are of studies that exist."""

import itertools
import json
import math
from collections import Counter
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest

from classy_aesop import read_corpus, read_scores
from classy_aesop.cli import main
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.pages.formats import read_result
from classy_aesop.papers import STUDIES
from classy_aesop.papers.deutsch_2021 import metric_intervals, score_normality
from classy_aesop.papers.judged import StudyData, read_judged_corpus
from classy_aesop.papers.label_agreement import measures_of_counts
from classy_aesop.papers.lin_hovy_2003 import ngram_correlations, regression_t
from classy_aesop.papers.mixture_power import weight_by_topics
from classy_aesop.papers.printed import (
    MULTI_DOCUMENT,
    PAPER_DATA,
    misprints,
    printed_cells,
    printed_name,
    recognize_paper_data,
)
from classy_aesop.papers.printed_tables import add_printed_numbers
from classy_aesop.papers.rankel_2011 import pair_counts
from classy_aesop.papers.rankel_2013 import best_metrics, best_pairs, label_agreement
from classy_aesop.papers.rankel_2016 import add_printed_weights, best_on_topic, ranked_counts, score_ranks
from classy_aesop.papers.rankel_2016_assessors import topic_counts
from classy_aesop.predictor.published import all_published
from classy_aesop.significance.equality import midranks
from classy_aesop.training.years import ten_to_five_points

CELLS_OF_TABLES = {
    "Rankel et al. (2011)": {"Table 1": 51, "Table 2": 54},
    "Rankel et al. (2013)": {"Table 1": 17, "Table 2": 80, "Table 3": 60, "Table 4": 160},
    "Lin and Hovy (2003)": {"Table 1": 12, "Table 2": 120, "Table 3": 115},
    "Deutsch et al. (2021)": {"Table 1": 24, "Table 2": 84},
    "Rankel (2016)": {
        **{
            "Table 2.1": 12,
            "Table 2.2": 15,
            "Table 3.1": 40,
            "Table 3.2": 15,
            "Table 4.1": 51,
            "Table 4.2": 54,
        },
        **{"Table 5.1": 24, "Table 5.2": 66, "Table 5.3": 52},
        **{"Table 6.1": 21, "Table 6.2": 16, "Table 6.3": 12, "Table 6.4": 12, "Table 6.5": 36},
        **{"Table 7.1": 17, "Table 7.3": 80, "Table 7.4": 60, "Table 7.5": 160},
    },
}
"""The numbers that each table prints, those of its headings included; Table 7.2 has letters only."""

ROUGE_ROWS = ("R1_R2_R4_RBE", "R1_R4_RBE", "All ROUGEs")
MEASURE = {"pyramid": "responsiveness", "responsiveness": "pyramid"}


def cells_of(item):
    """Give the printed cells of an item."""
    cells = [one for one in printed_cells().itertuples() if one.item == item]
    assert cells, item
    return cells


def values_by_place():
    """Give the printed numbers by item, data, row and cell."""
    return printed_cells().set_index(["item", "data", "row", "cell"])["value"].to_dict()


def rows_of(item):
    """Give the cells of each row of an item, by its data and row."""
    rows = {}
    for one in cells_of(item):
        rows.setdefault((one.data, one.row), {})[one.cell] = one.value
    return rows


def test_every_cell_has_a_key_of_its_own_and_says_where_it_stands():
    text = (files("classy_aesop.papers") / "data" / "printed.tsv").read_text(encoding="utf-8")
    header, *lines = [line.split("\t") for line in text.splitlines()]
    assert header == ["item", "section", "data", "peers", "row", "cell", "value", "place"]
    assert len(values_by_place()) == len(lines) >= 1000
    assert {line[7] for line in lines} == {"sure", "reconstructed", "unsure"}
    assert all(line[1].startswith(("section ", "appendix ")) for line in lines)
    assert {line[3] for line in lines} == {"", "all_peers", "no_models", "mixed"}
    years = {known.name.split("-")[0] for known in PAPER_DATA}
    data = (
        {name for line in lines for name in line[2].split("+")} - {known.name for known in PAPER_DATA} - years
    )
    assert data == {"", "TAC", "DUC 2001 MD-All", "WMT 2019 de-en"}


def test_every_table_has_all_its_cells():
    counts = Counter(item for item in printed_cells()["item"] if ", Table " in item)
    tables = {f"{paper}, {table}": n for paper, own in CELLS_OF_TABLES.items() for table, n in own.items()}
    assert counts == tables
    assert sum(tables.values()) == 1520


def test_numbers_of_pairs_are_those_of_summarizers():
    for (_, row), cells in rows_of("Rankel et al. (2011), Table 1").items():
        if row == "all pairs":
            assert cells["n_pairs"] == math.comb(int(cells["n_summarizers"]), 2)
    pairs = {
        data: cells["n_pairs"]
        for (data, row), cells in rows_of("Rankel et al. (2011), Table 2").items()
        if row == "all pairs" and cells["n_pairs"] == cells["n_systems"] * cells["n_humans"]
    }
    assert len(pairs) == 3
    for (data, row), cells in rows_of("Rankel et al. (2011), Table 2").items():
        if row != "all pairs":
            assert (cells["n_significant"] == pairs[data]) == (not row.startswith("ROUGE")), (data, row)
    place = ("Rankel (2016), Table 7.1", "+".join(EIGHT), "all pairs", "n_pairs")
    assert values_by_place()[place] == math.comb(30, 2)


EIGHT = [f"TAC {year}-{task}" for year in range(2008, 2012) for task in "AB"]


def test_counts_and_shares_of_the_dissertation_add_up():
    topics = Counter()
    for (_, row), cells in rows_of("Rankel (2016), Table 3.1").items():
        topics[row.split("/")[0]] += int(cells["n_topics"])
    assert topics.total() == 44
    assert topics["B"] == 5
    known = {row: cells for (_, row), cells in rows_of("Rankel (2016), Table 3.2").items()}
    scores = [known[f"responsiveness/{score}"] for score in range(1, 6)]
    counts = [int(one["count"]) for one in scores]
    ranks = ranked_counts(np.repeat(np.arange(1, 6), counts))["mid_rank"]
    assert ranks.tolist() == [one["mid_rank"] for one in scores]
    assert [round(100 * n / sum(counts), 2) for n in counts] == [one["percent"] for one in scores]
    assert sum(counts) == 44 * 51 + 8 * 22
    values = values_by_place()
    for table, prefix, before in ((6.3, "pyramid", "r_before"), (6.4, "pyramid", "by_assessor_before")):
        both = [
            values[f"Rankel (2016), Table {table}", "TAC 2011", f"{row}/ROUGE-2-R/0", before]
            for row in (prefix, "mP-aP")
        ]
        assert both[0] == both[1]  # nothing is left out yet
    ten_points = [
        cells for (data, _), cells in rows_of("Rankel (2016), Table 2.2").items() if data == "TAC 2009"
    ]
    assert [(cells["low"], cells["high"]) for cells in ten_points] == [
        (2 * at + 1, 2 * at + 2) for at in range(5)
    ]


def test_worked_examples_of_the_dissertation():
    differences = np.array([1, 2, 4, 4, -4, 4, 6, 7, -10, 13, -14.0])  # section 3.2.1
    assert midranks(np.abs(differences)).tolist() == [1, 2, 4.5, 4.5, 4.5, 4.5, 7, 8, 9, 10, 11]
    machines, topic = np.array([0.1, 0.3, 0.3, 0.2, 0.1]), np.array([[0, 0, 0, 0.5, 0.5]])  # section 3.7.1.3
    assert weight_by_topics(machines, topic).round(3).tolist() == [[0, 0, 0, 0.667, 0.333]]
    ends = np.array([1.0, 10.0])  # section 2.4.1: the printed factor does not send 10 to 5
    assert ten_to_five_points(ends, "ten_to_five").tolist() == [1, 5]
    assert (5 / 9 * (ends - 1) + 1).tolist() == [1, 6]


def test_alphas_are_ranked_as_printed():
    for measure in ("readability", "responsiveness", "pyramid"):
        alphas = [one for one in cells_of("Rankel (2016), Table 6.1") if one.row.startswith(f"{measure}/")]
        assert sorted(one.row[-1] for one in alphas) == [*"ACDEFGH"]
        assert [one.value for one in alphas] == sorted((one.value for one in alphas), reverse=True)


@pytest.mark.parametrize("table", [2, 3])
def test_statistics_of_ngrams_follow_from_their_correlation(table):
    rows = rows_of(f"Lin and Hovy (2003), Table {table}")
    assert len(rows) == 30
    for (data, _), cells in rows.items():
        n = 13 if data.endswith("SD-100") else 15
        if rho := cells.get("spearman"):
            step = 6 / (n * (n * n - 1)) * 2  # sums of squared differences of ranks are even
            assert abs(rho - (1 - step * round((1 - rho) / step))) <= 0.0005 + 1e-9
        if "pearson" not in cells or cells["pearson"] == 0.6:  # printed with two digits
            continue
        low, high = (cells["pearson"] + sign * 0.00051 for sign in (-1, 1))
        assert low**2 - 0.0006 <= cells["determination"] <= high**2 + 0.0006
        if "regression_t" in cells:
            assert regression_t(low, n) - 0.006 <= cells["regression_t"] <= regression_t(high, n) + 0.006


def test_rank_correlations_of_table_1_stand_in_tables_2_and_3():
    of_tables = {
        key: cells["spearman"]
        for table in (2, 3)
        for key, cells in rows_of(f"Lin and Hovy (2003), Table {table}").items()
        if "spearman" in cells
    }
    first = rows_of("Lin and Hovy (2003), Table 1")
    assert len(first) == 12
    for key, cells in first.items():
        assert cells["spearman"] == of_tables[key]


def test_percents_of_table_2_are_of_48_and_100_topics():
    for one in cells_of("Deutsch et al. (2021), Table 2"):
        if one.cell == "percent_rejected":
            n = 48 if one.data == "TAC 2008-A" else 100
            assert round(100 * round(one.value * n / 100) / n, 1) == pytest.approx(one.value, abs=0.06)


def tables_of_pairs(cells, n_positive, n_pairs, contradictions=0):
    """Give every table of counts that gives the printed accuracy, precision and recall."""
    tp, fp = np.ogrid[: n_positive + 1 - contradictions, : n_pairs - n_positive + 1]
    tables = np.stack(
        np.broadcast_arrays(
            tp, n_positive - tp - contradictions, fp, n_pairs - n_positive - fp, contradictions
        ),
        axis=-1,
    ).reshape(-1, 5)
    measures = measures_of_counts(tables)
    fits = np.all(
        [
            np.abs(np.nan_to_num(measures[name]) - cells[name]) <= 0.005 + 1e-9
            for name in ("accuracy", "precision", "recall")
        ],
        axis=0,
    )
    return tables[fits]


def fits_ba_pv(tables, printed):
    """Say whether the mean of precision and negative predictive value can be the printed balanced accuracy."""
    return bool((np.abs(measures_of_counts(tables)["ba_pv"] - printed) <= 0.005 + 1e-9).any())


@pytest.mark.slow
def test_table_3_of_2013_has_a_two_by_two_table_for_each_row():
    significant = [
        one.value
        for one in cells_of("Rankel et al. (2013), Table 1")
        if one.row == "pyramid" and one.data[4:8] != "2011"
    ]
    assert sum(significant) == 831
    rows = rows_of("Rankel et al. (2013), Table 3")
    fits = {}
    for (_, row), cells in rows.items():
        tables = tables_of_pairs(cells, 831, 6 * 435)
        assert len(tables), row
        fits[row.split("/")[1]] = fits_ba_pv(tables, cells["ba"])
    [data] = {data for data, _ in rows}
    assert [row for row, is_ba_pv in fits.items() if not is_ba_pv] == ["R1"]
    of_r1 = rows[data, "pyramid/R1/pooled"]
    with_contradictions = tables_of_pairs(of_r1, 831, 6 * 435, contradictions=30)
    assert fits_ba_pv(with_contradictions, of_r1["ba"])


@pytest.mark.slow
def test_table_4_of_2013_has_two_by_two_tables_with_measures_exchanged():
    significant = {(one.data, one.row): int(one.value) for one in cells_of("Rankel et al. (2013), Table 1")}
    n_fit = 0
    n_fit_with_contradictions = 0
    as_printed = Counter()
    for (data, row), cells in rows_of("Rankel et al. (2013), Table 4").items():
        measure, metric = row.split("/")
        belongs = measure if metric in ROUGE_ROWS else MEASURE[measure]
        tables = tables_of_pairs(cells, significant[data, belongs], 435)
        assert len(tables), (data, row)
        n_fit += fits_ba_pv(tables, cells["ba"])
        n_fit_with_contradictions += any(
            fits_ba_pv(tables_of_pairs(cells, significant[data, belongs], 435, contradictions), cells["ba"])
            for contradictions in range(min(significant[data, belongs], 12) + 1)
        )
        as_printed[metric] += len(tables_of_pairs(cells, significant[data, measure], 435)) > 0
    assert (n_fit, n_fit_with_contradictions) == (36, 40)
    assert all(as_printed[metric] < 4 for metric in as_printed if metric not in ROUGE_ROWS)


def test_printed_weights_are_those_of_the_published_predictors():
    own = {}
    for number in (2, 3):
        for one in cells_of(f"Rankel (2016), Table 5.{number}"):
            name, column = one.row.split("/")
            own.setdefault(f"published/{name}", {})[column] = one.value
    published = {
        name: dict(zip(fields["columns"], fields["formula"].weights, strict=True))
        for name, fields in all_published().items()
    }
    assert own == published


@pytest.fixture
def tac(corpus_of):
    """A made-up corpus of the size of TAC 2008: 58 systems, 8 humans, 48 topics."""
    rng = np.random.default_rng(1)
    names = [str(number) for number in range(1, 59)] + list("ABCDEFGH")
    return corpus_of({"responsiveness": rng.integers(1, 6, size=(66, 48))}, year="2008", names=names)


@pytest.mark.slow
def test_data_of_the_size_of_a_paper_show_its_cells_and_others_none(tac, corpus_of):
    assert recognize_paper_data(tac.judgments) == {("2008", "A"): "TAC 2008-A"}
    assert best_pairs(StudyData([tac])).table["printed"].tolist() == [68]
    corpus = corpus_of({"responsiveness": np.arange(12.0).reshape(3, 4)}, year="2008")
    assert recognize_paper_data(corpus.judgments) == {}
    assert "printed" not in best_pairs(StudyData([corpus])).table
    table = pd.DataFrame({"year": ["2008"], "task": ["A"], "metric": ["responsiveness"]})
    assert add_printed_numbers(table, "best-pairs", corpus.judgments) is table


@pytest.mark.slow
def test_cells_are_shown_with_the_options_of_the_paper_only(tac):
    assert "printed" not in best_pairs(StudyData([tac]), top=29).table
    assert "printed" not in best_pairs(StudyData([tac], peers="all_peers")).table
    table = pair_counts(StudyData([tac]), metrics=["responsiveness"]).table
    assert table["printed"].tolist() == [1202, 1353, 1342]


@pytest.mark.slow
def test_cells_of_tables_3_and_4_stand_beside_our_measures(corpus_of, table_of):
    rng = np.random.default_rng(1)

    def made(year, n_systems, n_topics, metrics, task):
        how = {"year": year, "task": task, "names": [str(number) for number in range(1, n_systems + 1)]}
        Z = {
            "pyramid": rng.random((n_systems, n_topics)),
            "responsiveness": rng.random((n_systems, n_topics)),
        }
        return corpus_of(Z, **how), table_of(
            {name: rng.random((n_systems, n_topics)) for name in metrics}, **how
        )

    names = ["ROUGE-1-R", "ROUGE-2-R", "ROUGE-4-R", "BE-HM"]
    sizes = (("2008", 58, 48), ("2009", 53, 44), ("2010", 43, 46))
    parts = [made(*size, names, task) for size in sizes for task in "AB"]
    data = StudyData([corpus for corpus, _ in parts], pd.concat([scores for _, scores in parts]))
    table = label_agreement(data, targets=["pyramid"], combine=4).table
    known = table.dropna(subset="printed_recall")
    assert set(known["over"]) == {"pooled"}
    assert len(known) == 15
    of_all = known[known["n_metrics"] == 4]
    assert of_all[["printed_precision", "printed_recall", "printed_ba"]].to_numpy().tolist() == [
        [0.77, 0.36, 0.76]
    ]
    assert of_all["tp"].sum() + of_all["fn"].sum() > 0
    corpus, scores = made("2011", 50, 44, ["8", "9"], "A")
    table = best_metrics(
        StudyData([corpus], scores), targets=["responsiveness"], n_resamples=9
    ).table.set_index("metric")
    printed = [f"printed_{name}" for name in ("recall", "precision", "accuracy")]
    assert table.loc["8", printed].tolist() == [0.6, 0.02, 0.6]
    assert table.loc["9", printed].isna().all()


def test_names_of_metrics_are_those_of_the_papers():
    same = ("ROUGE-2", "ROUGE-2-R", "rouge-2.recall", "Rouge-2_recall")
    assert {printed_name(name) for name in same} == {"ROUGE-2-R"}
    others = (
        "rouge-2.f1",
        "rouge-2-P",
        "rouge-2_jk.recall",
        "bertscore.recall",
        "BEwTE.recall",
        "responsiveness",
        "8",
    )
    assert [printed_name(name) for name in others] == [*others]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ROUGE-2", "ROUGE-2-R", "rouge-2_jk.recall"])
def test_counts_stand_beside_metrics_by_whatever_name(tac, table_of, name):
    names = [str(number) for number in range(1, 59)] + list("ABCDEFGH")
    scores = table_of({name: np.random.default_rng(1).random((66, 48))}, year="2008", names=names)
    plain_name = name.replace("_jk", "")  # among humans jackknifed scores stand for plain ones
    table = pair_counts(StudyData([tac], scores), metrics=[plain_name]).table
    assert table["printed"].tolist() == [1243, 1453, 1459]


@pytest.fixture
def lines_without_years(tmp_path):
    """A file of judgments in SacreROUGE's format, of the size of TAC 2008-A, with jackknifed pyramids."""
    rng = np.random.default_rng(1)
    names = [*map(str, range(1, 59)), *"ABCDEFGH"]
    rows = [
        {
            "instance_id": f"d08{topic:02}-A",
            "summarizer_id": name,
            "summarizer_type": "reference" if name.isalpha() else "peer",
            "metrics": {
                "overall_responsiveness": int(rng.integers(1, 6)),
                "modified_pyramid_score": 0.5,
                "modified_pyramid_score_jk": float(rng.random()),
            },
        }
        for topic in range(1, 49)
        for name in names
    ]
    path = tmp_path / "tac.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.mark.slow
def test_lines_of_sacrerouge_without_years_or_texts_show_the_cells_of_the_year_that_is_named(
    lines_without_years, tmp_path
):
    table = best_pairs(StudyData([read_judged_corpus(lines_without_years, year="2008")])).table.set_index(
        "metric"
    )
    assert table["printed"].to_dict() == {"modified_pyramid_score": 82, "overall_responsiveness": 68}
    out = tmp_path / "out.tsv"
    for options, is_shown in ((["--year", "2008"], True), ([], False)):
        assert (
            main(["study", "best-pairs", str(lines_without_years), *options, "-f", "tsv", "-o", str(out)])
            == 0
        )
        assert ("printed" in read_result(out).table) == is_shown


@pytest.mark.slow
def test_ranks_of_tables_without_texts_stand_beside_those_of_table_3_2(tmp_path):
    names = [*map(str, range(1, 52)), *"ABCDEFGH"]
    path = tmp_path / "judgments.tsv"
    scores = itertools.cycle([1, 2, 3, 4, 5, 2, 3])
    rows = [f"2011\tD11{at}\tA\t{name}\t{next(scores)}" for at in range(10, 54) for name in names]
    path.write_text("\n".join(["year\ttopic\ttask\tsummarizer\tresponsiveness", *rows]))
    corpus = read_judged_corpus(path)
    assert [one.summarizer for one in corpus.topics[0].summaries if one.human] == [*"ABCDEFGH"]
    table = score_ranks(StudyData([corpus])).table
    assert table["printed_count"].tolist() == [300, 776, 702, 366, 276]
    assert table["printed_mid_rank"].tolist() == [150.5, 688.5, 1427.5, 1961.5, 2282.5]
    assert set(pair_counts(StudyData([corpus])).table["metric"]) == {
        "responsiveness"
    }  # no ROUGE without texts


@pytest.mark.slow
def test_topics_and_scores_of_2011_stand_beside_the_printed_ones(corpus_of, table_of):
    names = [*map(str, range(1, 52)), *"ABCDEFGH"]
    scores = np.random.default_rng(1).random((59, 44))
    corpus = corpus_of({"pyramid": scores}, year="2011", names=names)
    renamed = corpus.judgments["topic"].replace({"t13": "D1113"})
    metrics = table_of({"rouge-2_recall": scores}, year="2011", names=names)
    metrics["topic"] = metrics["topic"].replace({"t13": "D1113"})
    topics = [replace(one, topic="D1113" if one.topic == "t13" else one.topic) for one in corpus.topics]
    corpus = replace(corpus, topics=tuple(topics), judgments=corpus.judgments.assign(topic=renamed))
    table = best_on_topic(StudyData([corpus], metrics), topic="D1113", top=51).table
    row = table.set_index("summarizer").loc["26"]
    assert row[["printed_score", "printed_human_score"]].tolist() == [0.1369, 0.238]
    labels = pd.DataFrame({"topic": sorted(set(renamed)), "category": "2", "assessor": list("AB" * 22)})
    assert topic_counts(StudyData([corpus]), labels).table["printed"].tolist() == [1, 2]


@pytest.mark.slow
def test_correlations_of_ngrams_stand_beside_those_of_duc_2001(corpus_of, table_of):
    rng = np.random.default_rng(1)
    corpora, scores = [], []
    for task in (*MULTI_DOCUMENT, "SD-100"):
        n = 13 if task == "SD-100" else 15
        Z = rng.random((n, 9))
        how = {"year": "2001", "task": task, "names": [str(number) for number in range(1, n + 1)]}
        corpora.append(corpus_of({"coverage": Z}, **how))
        both = {"Ngram(1,1)": Z + rng.random((n, 9)), "Ngram(1,1)-content": rng.random((n, 9))}
        scores.append(table_of(both, **how))
    table = ngram_correlations(StudyData(corpora, pd.concat(scores)), "coverage").table.set_index(
        ["task", "metric"]
    )
    printed = table["printed_pearson"]
    assert printed["MD-50"].to_dict() == {"Ngram(1,1)": 0.574, "Ngram(1,1)-content": 0.844}
    assert printed["all"].to_dict() == {"Ngram(1,1)": 0.874, "Ngram(1,1)-content": 0.965}
    assert table.loc["all", "n"].tolist() == [15, 15]  # single documents are no part of the average
    assert printed["SD-100"].to_dict() == {"Ngram(1,1)": 0.827, "Ngram(1,1)-content": 0.907}


@pytest.mark.slow
def test_exclusions_stand_beside_tables_6_2_to_6_4(corpus_of):
    corpus = corpus_of(
        {"pyramid": np.ones((51, 44))}, year="2011", names=[str(number) for number in range(1, 52)]
    )
    rows = [("2011", "A", "pyramid", "ROUGE-2-R", k, *[0.0] * 6) for k in (1, 2)]
    columns = ["year", "task", "target", "metric", "n_excluded", "pearson", "spearman", "r_before", "r_after"]
    table = pd.DataFrame(rows, columns=[*columns, "by_assessor_before", "by_assessor_after"])
    names = [f"printed_{name}" for name in table.columns[5:]]
    by_alpha = add_printed_numbers(table, "agreement-exclusion", corpus.judgments)[names]
    assert by_alpha.to_numpy().tolist() == [
        [0.996, 0.978, 0.954, 0.961, 0.771, 0.828],
        [0.992, 0.960, 0.954, 0.952, 0.771, 0.817],
    ]
    by_gap = add_printed_numbers(table, "gap-exclusion", corpus.judgments)[names]
    assert by_gap.to_numpy().tolist()[1] == [0.987, 0.943, 0.954, 0.923, 0.771, 0.741]


@pytest.mark.slow
def test_corpora_without_years_are_not_pooled(corpus_of):
    first, second = (corpus_of({"a": np.arange(6.0).reshape(2, 3)}, year="", task=task) for task in "AB")
    best_pairs(StudyData([first, second]))  # of two tasks
    again = replace(second, topics=tuple(replace(one, topic=f"{one.topic}x") for one in second.topics))
    again = replace(again, judgments=second.judgments.assign(topic=second.judgments["topic"] + "x"))
    with pytest.raises(
        InputError, match=r"several corpora of one task have no year: .*expected a year in each"
    ) as said:
        best_pairs(StudyData([second, again]))
    assert "\n" not in str(said.value)


@pytest.mark.slow
def test_peers_of_human_text_are_left_out_of_2009(corpus_of):
    names = [str(number) for number in range(1, 56)]
    corpus = corpus_of({"responsiveness": np.ones((55, 44))}, year="2009", names=names)
    with pytest.warns(DataWarning, match="peers 2 and 3 of TAC 2009"):
        tables = StudyData([corpus]).tables("no_models", score=None)
    assert set(tables.judgments["summarizer"]) == {*names} - {"2", "3"}


def test_printed_weights_stand_beside_ours():
    run = all_published()["published/6-A-no_models"]
    ids = {"run": "6", "target": "responsiveness", "task": "A", "peers": "no_models", "fitter": run["fitter"]}
    ours = pd.DataFrame([{**ids, "column": "su4", "weight": 3.0}, {**ids, "column": "r2", "weight": 1.0}])
    table = add_printed_weights(ours).set_index("column")
    assert table.loc["su4", ["weight", "printed"]].tolist() == [3.0, 20.0]
    assert np.isnan(table.loc["r2", "printed"])
    assert np.isnan(table.loc["log_term_overlap", "weight"])
    assert table.loc["log_term_overlap", "printed"] == 0.1
    assert set(table["run"]) == {"6"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "target", "n_metrics"), [("summeval", "relevance", 14), ("realsumm", "litepyramid_recall", 13)]
)
def test_normality_agrees_with_the_whole_printed_table(shared, data, target, n_metrics):
    folder = shared / "data" / data
    scores = pd.concat([read_scores(path) for path in sorted(folder.glob("scores_*.jsonl"))])
    table = score_normality(StudyData([read_corpus(folder)], scores), target).table
    known = table.dropna(subset="printed_p_means")
    assert len(known) == n_metrics
    assert known["percent_rejected"].round(1).tolist() == known["printed_percent_rejected"].tolist()
    assert known["p_means"].round(2).tolist() == known["printed_p_means"].tolist()


@pytest.mark.slow
def test_the_interval_is_near_the_printed_one(shared):
    folder = shared / "data" / "summeval"
    corpus, scores = read_corpus(folder), read_scores(folder / "scores_rouge.jsonl")
    row = metric_intervals(StudyData([corpus], scores), "relevance", metrics=["rouge-2.f1"]).table.iloc[0]
    assert abs(row["low"] - row["printed_low"]) < 0.06
    assert abs(row["high"] - row["printed_high"]) < 0.06


def test_every_misprint_is_of_a_study_and_of_one_of_the_papers():
    papers = ("Deutsch et al. (2021)", "Rankel et al. (2011)", "Rankel et al. (2013)", "Rankel (2016)")
    text = (files("classy_aesop.papers") / "data" / "misprints.tsv").read_text(encoding="utf-8")
    for studies, where, note in (line.split("\t") for line in text.splitlines()[1:]):
        for name in studies.split():
            assert STUDIES[name].remakes, name
        assert where.startswith((*papers, "Lin and Hovy (2003)"))
        assert note[-1:] not in ("", ".")


@pytest.mark.slow
def test_they_are_printed_below_the_table(tmp_path, capsys):
    from classy_aesop.cli import main

    path = tmp_path / "judgments.csv"
    path.write_text("topic,summarizer,metric,score\nt1,1,h,3\nt1,2,h,4\nt2,1,h,2\nt2,2,h,2\n")
    [note] = misprints("topic-ranks")
    for format, line in (("text", note), ("latex", f"% {note}"), ("tsv", None)):
        assert main(["study", "topic-ranks", str(path), "--metric", "h", "-q", "-f", format]) == 0
        shown = " ".join(capsys.readouterr().out.split())  # a screen breaks lines
        assert (line in shown) if line else "footnote" not in shown
