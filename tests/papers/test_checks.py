"""Printed numbers are compared with ours in their own decimals."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import read_corpus, read_scores
from classy_aesop.cli import main
from classy_aesop.errors import InputError
from classy_aesop.pages.formats import read_result
from classy_aesop.papers.checks import OF_COVERAGE, OF_NORMALITY, check_printed
from classy_aesop.papers.judged import StudyData


def test_verdicts_are_in_the_printed_decimals():
    verdicts = [OF_COVERAGE.verdict(difference, 2) for difference in (0.005, -0.005, 0.006, -0.05, 0.051)]
    assert [verdict for verdict, _ in verdicts] == ["equal", "equal", "near", "near", "different"]
    assert verdicts[2][1] == "random numbers"
    assert OF_NORMALITY.verdict(0.06, 1)[0] == "different"  # nothing is random
    table = pd.DataFrame(
        {"metric": ["a", "b"], "percent_rejected": [32.04, 40.0], "printed_percent": [32.0, np.nan]}
        | {"p_means": [0.52, 0.1], "printed_p": [0.53, np.nan]}
    )
    rows = list(OF_NORMALITY.rows(table))
    assert [(row["row"], row["cell"], row["verdict"]) for row in rows] == [
        ("a", "percent_rejected", "equal"),
        ("a", "p_means", "different"),
    ]


def test_data_of_no_paper_are_refused(corpus_of):
    data = StudyData([corpus_of({"a": np.arange(6.0).reshape(2, 3)})])
    with pytest.raises(InputError, match="not those of a paper; expected SummEval, REALSumm, TAC 2008"):
        check_printed(data)


@pytest.mark.slow
def test_made_up_data_of_the_size_of_a_paper_are_different(corpus_of):
    rng = np.random.default_rng(1)
    names = [str(number) for number in range(1, 59)] + list("ABCDEFGH")
    corpus = corpus_of({"responsiveness": rng.integers(1, 6, size=(66, 48))}, year="2008", names=names)
    table = check_printed(StudyData([corpus])).table
    assert set(table["study"]) == {"normality", "pair-counts", "best-pairs"}
    assert table.loc[table["study"] == "best-pairs", "printed"].tolist() == [68]
    assert (table["verdict"] == "different").mean() > 0.9


@pytest.mark.slow
def test_all_that_realsumm_allows_is_compared(shared, tmp_path):
    folder = shared / "data" / "realsumm"
    scores = pd.concat([read_scores(path) for path in sorted(folder.glob("scores_*.jsonl"))])
    table = check_printed(StudyData([read_corpus(folder)], scores), n_trials=20, n_resamples=99).table
    counts = table.groupby("study")["verdict"].value_counts()
    assert counts["normality"].to_dict() == {"equal": 26}
    assert counts["coverage"].sum() == 8
    out = tmp_path / "out.tsv"
    files = [str(folder / f"scores_{name}.jsonl") for name in ("meteor", "moverscore")]
    assert main(["study", "check", str(folder), "--scores", *files, "-f", "tsv", "-o", str(out)]) == 0
    assert read_result(out).table["verdict"].tolist() == ["equal"] * 6
