"""Printed cells stand beside ours on the papers' data, and nowhere else; misprints are of studies that exist."""

import math
from importlib.resources import files

import numpy as np
import pandas as pd
import pytest

from classy_aesop import read_corpus, read_scores
from classy_aesop.errors import DataWarning
from classy_aesop.predictor.published import all_published
from classy_aesop.significance.agreement import regression_t
from classy_aesop.studies import OTHERWISE, STUDIES
from classy_aesop.studies.deutsch_2021 import metric_intervals, score_normality
from classy_aesop.studies.judged import StudyData
from classy_aesop.studies.printed import KNOWN, data_of, misprints, printed_cells, with_printed
from classy_aesop.studies.rankel_2011 import PRINTED, pair_counts
from classy_aesop.studies.rankel_2013 import best_metrics, best_pairs, label_agreement
from classy_aesop.studies.rankel_2016 import ranked_counts, with_printed_weights


def test_every_cell_is_of_known_data_and_has_a_source():
    text = (files("classy_aesop.studies") / "data" / "printed.tsv").read_text(encoding="utf-8")
    header, *lines = [line.split("\t") for line in text.splitlines()]
    assert header == ["item", "data", "row", "cell", "value", "from"]
    assert len(printed_cells()) == len(lines)
    data = {name for line in lines for name in line[1].split("+")}
    assert data - {known.name for known in KNOWN} == {"TAC", "TAC 2009", "TAC 2011", "DUC 2001"}
    assert all(line[5].startswith("specification: ") for line in lines)


def test_cells_that_follow_from_other_cells_are_ours():
    known = printed_cells()
    table = {
        (row, cell): value for (item, _, row, cell), value in known.items() if item.endswith("Table 3.2")
    }
    counts = [int(table[str(score), "count"]) for score in range(1, 6)]
    ranks = ranked_counts(np.repeat(np.arange(1, 6), counts))["mid_rank"]
    assert ranks.tolist() == [table[str(score), "mid_rank"] for score in range(1, 6)]
    for paper in KNOWN:
        for table, n_pairs in ((1, math.comb(paper.n_systems[0] + 8, 2)), (2, 8 * paper.n_systems[0])):
            key = (f"Rankel et al. (2011), Table {table}", paper.name, "all pairs", "n_pairs")
            assert known.get(key, n_pairs) == n_pairs
    for row in ("single documents", "several documents"):
        cells = {key[3]: value for key, value in known.items() if key[2] == row}
        low, high = (cells["pearson"] + sign * 0.0005 for sign in (-1, 1))  # r is rounded
        n = int(cells["df"]) + 2
        assert regression_t(low, n) <= cells["regression_t"] <= regression_t(high, n)
        assert cells.get("determination", cells["pearson"] ** 2) == pytest.approx(
            cells["pearson"] ** 2, abs=5e-4
        )


@pytest.fixture
def tac(corpus_of):
    """A made-up corpus of the size of TAC 2008: 58 systems, 8 humans, 48 topics."""
    rng = np.random.default_rng(1)
    names = [str(number) for number in range(1, 59)] + list("ABCDEFGH")
    return corpus_of({"responsiveness": rng.integers(1, 6, size=(66, 48))}, year="2008", names=names)


def test_data_of_the_size_of_a_paper_show_its_cells_and_others_none(tac, corpus_of):
    assert data_of(tac.judgments) == {("2008", "A"): "TAC 2008-A"}
    assert best_pairs(StudyData([tac]))["printed"].tolist() == [68]
    corpus = corpus_of({"responsiveness": np.arange(12.0).reshape(3, 4)}, year="2008")
    assert data_of(corpus.judgments) == {}
    assert "printed" not in best_pairs(StudyData([corpus]))
    table = pd.DataFrame({"year": ["2008"], "task": ["A"], "metric": ["responsiveness"]})
    assert (
        with_printed(table, corpus.judgments, "Rankel et al. (2013), Table 1", ["metric"], PRINTED) is table
    )


@pytest.mark.slow
def test_cells_are_shown_with_the_options_of_the_paper_only(tac):
    assert "printed" not in best_pairs(StudyData([tac]), top=29)
    assert "printed" not in best_pairs(StudyData([tac], peers="all_peers"))
    table = pair_counts(StudyData([tac]), metrics=["responsiveness"])
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
    table = label_agreement(data, targets=["pyramid"], combine=4)
    known = table.dropna(subset="printed_recall")
    assert known[["over", "n_metrics"]].to_numpy().tolist() == [["pooled", 4]]
    assert known[["printed_recall", "printed_ba_pv"]].to_numpy().tolist() == [[0.36, 0.76]]
    assert known["tp"].sum() + known["fn"].sum() > 0
    corpus, scores = made("2011", 50, 44, ["8", "9"], "A")
    table = best_metrics(StudyData([corpus], scores), targets=["responsiveness"], n_resamples=9).set_index(
        "metric"
    )
    printed = [f"printed_{name}" for name in ("recall", "precision", "accuracy")]
    assert table.loc["8", printed].tolist() == [0.6, 0.02, 0.6]
    assert table.loc["9", printed].isna().all()


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
    table = with_printed_weights(ours).set_index("column")
    assert table.loc["su4", ["weight", "printed"]].tolist() == [3.0, 20.0]
    assert np.isnan(table.loc["r2", "printed"])
    assert np.isnan(table.loc["log_term_overlap", "weight"])
    assert table.loc["log_term_overlap", "printed"] == 0.1
    assert set(table["run"]) == {"6"}


@pytest.mark.parametrize(
    ("data", "target", "file", "metrics"),
    [
        ("summeval", "relevance", "qaeval", ["qa-eval.f1"]),
        ("summeval", "relevance", "rouge", ["rouge-2.f1"]),
        ("realsumm", "litepyramid_recall", "rouge", ["rouge-2.recall"]),
    ],
)
def test_normality_agrees_with_the_printed_table(shared, data, target, file, metrics):
    folder = shared / "data" / data
    corpus, scores = read_corpus(folder), read_scores(folder / f"scores_{file}.jsonl")
    table = score_normality(StudyData([corpus], scores), target, metrics=metrics)
    known = table.dropna(subset="printed_percent")
    assert len(known) >= 1
    assert (known["percent_rejected"] == known["printed_percent"]).all()
    assert ((known["p_means"] - known["printed_p"]).abs() <= 0.005).all()


@pytest.mark.slow
def test_the_interval_is_near_the_printed_one(shared):
    folder = shared / "data" / "summeval"
    corpus, scores = read_corpus(folder), read_scores(folder / "scores_rouge.jsonl")
    row = metric_intervals(StudyData([corpus], scores), "relevance", metrics=["rouge-2.f1"]).iloc[0]
    assert abs(row["low"] - row["printed_low"]) < 0.06
    assert abs(row["high"] - row["printed_high"]) < 0.06


def test_every_misprint_is_of_a_study_and_of_one_of_the_papers():
    papers = ("Deutsch et al. (2021)", "Rankel et al. (2011)", "Rankel et al. (2013)", "Rankel (2016)")
    text = (files("classy_aesop.studies") / "data" / "misprints.tsv").read_text(encoding="utf-8")
    for studies, where, note in (line.split("\t") for line in text.splitlines()[1:]):
        for name in studies.split():
            assert name in OTHERWISE or STUDIES[name].remakes, name
        assert where.startswith((*papers, "Lin and Hovy (2003)"))
        assert note[-1:] not in ("", ".")


@pytest.mark.slow
def test_they_are_printed_below_the_table(tmp_path, capsys):
    from classy_aesop.cli import main

    path = tmp_path / "marked.tsv"
    path.write_text("topic\tsummarizer\tmarked\tunits\tcompleteness\nt1\t1\t3\t6\t0.5\n")
    [note] = misprints("marked-units")
    for format, line in (("text", note), ("latex", f"% {note}"), ("tsv", None)):
        assert main(["study", "marked-units", str(path), "-f", format]) == 0
        shown = " ".join(capsys.readouterr().out.split())  # a screen breaks lines
        assert (line in shown) if line else "footnote" not in shown
