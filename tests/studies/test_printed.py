"""Printed cells stand beside ours on the papers' data, and nowhere else; misprints are of studies that exist."""

from importlib.resources import files

import numpy as np
import pandas as pd
import pytest

from classy_aesop import read_corpus, read_scores
from classy_aesop.errors import DataWarning
from classy_aesop.predictor.published import all_published
from classy_aesop.studies import OTHERWISE, STUDIES
from classy_aesop.studies.deutsch_2021 import metric_intervals, score_normality
from classy_aesop.studies.judged import StudyData
from classy_aesop.studies.printed import KNOWN, _misprinted, data_of, misprints, printed_cells, with_printed
from classy_aesop.studies.rankel_2011 import PRINTED, pair_counts
from classy_aesop.studies.rankel_2013 import best_pairs
from classy_aesop.studies.rankel_2016 import with_printed_weights


def test_every_cell_is_of_known_data_and_has_a_source():
    text = (files("classy_aesop.studies") / "data" / "printed.tsv").read_text(encoding="utf-8")
    header, *lines = [line.split("\t") for line in text.splitlines()]
    assert header == ["item", "data", "row", "cell", "value", "from"]
    assert len(printed_cells()) == len(lines)
    assert {line[1] for line in lines} <= {known.name for known in KNOWN}
    assert all(line[5].startswith("specification: ") for line in lines)


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
    table = metric_intervals(StudyData([corpus], scores), "relevance", metrics=["rouge-2.f1"])
    row = table.iloc[0]
    assert abs(row["low"] - row["printed_low"]) < 0.06
    assert abs(row["high"] - row["printed_high"]) < 0.06


def test_every_misprint_is_of_a_study_and_of_one_of_the_papers():
    papers = ("Deutsch et al. (2021)", "Rankel et al. (2011)", "Rankel et al. (2013)", "Rankel (2016)")
    for studies, where, note in _misprinted():
        for name in studies.split():
            assert name in OTHERWISE or STUDIES[name].remakes, name
        assert where.startswith((*papers, "Lin and Hovy (2003)"))
        assert note
        assert not note.endswith(".")


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
