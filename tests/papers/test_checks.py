"""Printed numbers are compared with ours in their own decimals, of the paper's peers, and noise is called noise."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import read_corpus, read_scores
from classy_aesop.cli import main
from classy_aesop.errors import InputError
from classy_aesop.pages.formats import read_result
from classy_aesop.papers import printed
from classy_aesop.papers.checks import (
    COMPUTED_REASON,
    OTHER_REASON,
    check_printed,
    compare_column,
    errors_of_coverage,
    errors_of_interval_ends,
)
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.printed_tables import PRINTED_TWICE

HUMANS = [*"ABCDEFGH"]


def made_up_scores(levels, n_topics):
    """Give scores of which systems of different levels, and no others, differ by every test.

    Half of the scores on each half of the topics are .01 above the level, the others below. So those of one level
    differ as often in either direction.
    """
    rng = np.random.default_rng(0)
    half = np.repeat([0.01, -0.01], n_topics // 4)
    wiggles = [np.concatenate([rng.permutation(half), rng.permutation(half)]) for _ in levels]
    return np.array(levels, float)[:, None] + wiggles


def by_humans(X):
    """Leave humans A to D, the last rows but four, on the first half of the topics, and E to H on the second."""
    X = X.copy()
    half = X.shape[1] // 2
    X[-8:-4, half:] = np.nan
    X[-4:, :half] = np.nan
    return X


def made_up_year(corpus_of, table_of, year, n_systems, n_topics):
    """Give a year of TAC's form: 10 systems are better than 20, these than the others, and 8 humans than all.

    The plain pyramids of systems, and the metric ``rouge-2.recall``, show other differences than jackknifed ones.
    """
    names = [*map(str, range(1, n_systems + 1)), *HUMANS]
    levels = [3] * 10 + [2] * 20 + [1] * (n_systems - 30) + [5] * 8
    right = by_humans(made_up_scores(levels, n_topics))
    equal = by_humans(made_up_scores([1] * len(levels), n_topics))
    equal[-8:] = np.nan  # humans have no plain pyramid
    measures = {"responsiveness": right, "pyramid": equal, "pyramid_jackknifed": right}
    partly = by_humans(made_up_scores([3] * 10 + [2] * 5 + [3] * 15 + levels[30:], n_topics))
    metrics = {"rouge-2.recall": equal, "rouge-2_jk.recall": right, "rouge-4.recall": partly}
    return corpus_of(measures, year=year, names=names), table_of(metrics, year=year, names=names)


KNOWN = {
    # of 66 peers: all pairs but those within the levels
    ("Rankel et al. (2011), Table 1", "TAC 2008-A", "responsiveness/paired_t", "n_significant"): "1504",
    ("Rankel et al. (2011), Table 1", "TAC 2008-A", "pyramid/wilcoxon", "n_significant"): "1504",
    ("Rankel et al. (2011), Table 1", "TAC 2008-A", "ROUGE-2-R/unpaired_t", "n_significant"): "1504",
    # humans are above all systems
    ("Rankel et al. (2011), Table 2", "TAC 2008-A", "ROUGE-2-R/wilcoxon", "n_significant"): "464",
    ("Rankel et al. (2011), Table 2", "TAC 2008-A", "pyramid/paired_t", "n_significant"): "464",
    # of the best 30 systems 10 are better than 20
    ("Rankel et al. (2013), Table 1", "TAC 2008-A", "responsiveness", "n_significant"): "200",
    ("Rankel et al. (2013), Table 1", "TAC 2011-A", "pyramid", "n_significant"): "200",
    ("Rankel (2016), Table 2.1", "TAC 2008", "all", "n_topics"): "48",
    ("Rankel (2016), Table 2.1", "TAC 2008", "all", "n_systems"): "58",
    # two values only, so no topic is normal
    ("Deutsch et al. (2021), Table 2", "TAC 2008-A", "ROUGE-2-R", "percent_rejected"): "100.0",
    # ROUGE-4 finds 50 of these 200 and 75 others: 50, 150, 75, 160
    ("Rankel et al. (2013), Table 4", "TAC 2011-A", "pyramid/R4", "accuracy"): "0.48",
    ("Rankel et al. (2013), Table 4", "TAC 2011-A", "pyramid/R4", "precision"): "0.40",
    ("Rankel et al. (2013), Table 4", "TAC 2011-A", "pyramid/R4", "recall"): "0.25",
    ("Rankel et al. (2013), Table 4", "TAC 2011-A", "pyramid/R4", "ba"): "0.46",  # ba_pv; ba is .47
    ("Rankel et al. (2013), Table 4", "TAC 2011-A", "pyramid/R2", "recall"): "0.00",  # by plain scores
}
"""The right answers on the made-up years, as a paper would print them."""

UNKNOWN = {
    ("Rankel et al. (2011), Table 1", "TAC 2008-A", "readability/paired_t", "n_significant"): "1",
    ("Deutsch et al. (2021), Table 1", "TAC 2008-A", "qa-eval.f1/t/pearson/both/input", "coverage"): "1.00",
    ("Rankel (2016), Table 5.2", "TAC 2011-A", "8-A-all_peers/r2", "weight"): "4.8e+1",
    ("Lin and Hovy (2003), Table 2", "DUC 2001 SD-100", "Ngram(1,1)", "spearman"): "0.5",
}  # fmt: skip
"""Numbers that these data cannot show."""


@pytest.fixture
def known_numbers(monkeypatch):
    """Print the right answers in the place of the papers' numbers."""
    lines = [
        [item, "section 1", data, "", row, cell, value, "sure"]
        for (item, data, row, cell), value in (KNOWN | UNKNOWN).items()
    ]
    read_table = printed._read_package_table
    table = pd.DataFrame(lines, columns=[*read_table("printed.tsv")])
    monkeypatch.setattr(
        printed, "_read_package_table", lambda name: table if name == "printed.tsv" else read_table(name)
    )
    printed.printed_cells.cache_clear()
    yield
    printed.printed_cells.cache_clear()


@pytest.mark.slow
def test_right_answers_of_a_made_up_year_with_humans_are_equal(known_numbers, corpus_of, table_of, tmp_path):
    years = [("2008", 58, 48), ("2011", 50, 44)]
    corpora, scores = zip(*(made_up_year(corpus_of, table_of, *year) for year in years), strict=True)
    result = check_printed(StudyData(corpora, pd.concat(scores)), n_trials=2, n_resamples=9)
    compared = result.table[result.table["verdict"] != "not compared"]
    assert len(compared) == len(KNOWN)
    assert compared[compared["verdict"] != "equal"].empty
    assert result.sentence.startswith(f"{len(KNOWN)} of {len(KNOWN)} printed numbers equal ours, 0 differ")
    others = result.table[result.table["verdict"] == "not compared"].set_index("table")
    assert others["study"].to_dict() == {
        "Rankel et al. (2011), Table 1": "pair-counts",
        "Deutsch et al. (2021), Table 1": "coverage",
        "Rankel (2016), Table 5.2": "coefficients",
    }
    assert others["reason"].to_dict() == {
        "Rankel et al. (2011), Table 1": "1 number: not among the results: readability/paired_t",
        "Deutsch et al. (2021), Table 1": "1 number: no scores of its metrics; expected --scores FILE",
        "Rankel (2016), Table 5.2": "1 number: a command of its own, which needs a configuration",
    }
    assert result.notes[0] == "Rankel et al. (2011), Table 1: 3 of 4 numbers compared."
    assert "Rankel (2016), Table 5.2: 0 of 1 number compared." in result.notes
    assert "Of other data: Lin and Hovy (2003), Table 2." in result.notes

    paths = [tmp_path / "judgments.tsv", tmp_path / "scores.tsv"]
    for path, tables in zip(paths, ([corpus.judgments for corpus in corpora], scores), strict=True):
        pd.concat(tables).to_csv(path, sep="\t", index=False)
    out = tmp_path / "out.tsv"
    options = ["-q", "--n-trials", "2", "--n-resamples", "9", "-f", "tsv", "-o", str(out)]
    assert main(["study", "check", str(paths[0]), "--scores", str(paths[1]), *options]) == 0
    pd.testing.assert_frame_equal(read_result(out).table, result.table, check_dtype=False)


@pytest.mark.slow
def test_jackknifed_scores_stand_for_plain_ones_among_humans_only(corpus_of, table_of):
    corpus, scores = made_up_year(corpus_of, table_of, "2008", 31, 8)
    data = StudyData([corpus], scores)
    plain = scores[scores["metric"] == "rouge-2.recall"]
    jackknifed = scores[scores["metric"] == "rouge-2_jk.recall"]
    among_all = data.tables("all_peers").scores
    assert sorted(among_all["metric"].unique()) == ["rouge-2.recall", "rouge-4.recall"]
    of_all = among_all.loc[among_all["metric"] == "rouge-2.recall", "score"]
    assert sorted(of_all) == sorted(jackknifed["score"])
    among_systems = data.tables("no_models").scores
    of_systems = among_systems.loc[among_systems["metric"] == "rouge-2.recall", "score"]
    assert sorted(of_systems) == sorted(plain["score"])
    assert "rouge-2_jk.recall" in set(among_systems["metric"])
    assert printed.printed_name("rouge-2_jk.recall") == "rouge-2_jk.recall"


def compare_values(study, column, values, printed, decimals, **columns):
    """Give the verdict, its reason and the limit of each value beside a printed number."""
    rows = pd.DataFrame({column: values, "year": "", "task": "", **columns})
    cells = pd.DataFrame({"value": printed, "decimals": decimals}, rows.index)
    compared = compare_column(study, rows, column, cells, frozenset())
    return compared[["verdict", "reason", "limit"]].to_numpy().T.tolist()


def test_verdicts_are_in_the_printed_decimals():
    verdicts, reasons, _ = compare_values("normality", "p_means", [0.505, 0.495, 0.506], 0.5, 2)
    assert verdicts == ["equal", "equal", "different"]
    assert reasons == ["", "", OTHER_REASON]
    verdicts, _, limits = compare_values("normality", "p_means", [0.505], 0.5, 1)
    assert (verdicts, limits) == (["equal"], [pytest.approx(0.05)])
    rows = pd.DataFrame({"year": "", "task": "", "metric": ["R1", "R2+x"], "p_means": 0.9})
    cells = pd.DataFrame({"value": [0.5] * 2, "decimals": 1})
    compared = compare_column("normality", rows, "p_means", cells, {"R2"})
    assert compared["reason"].tolist() == [OTHER_REASON, COMPUTED_REASON]


def test_noise_is_judged_by_the_number_of_trials():
    # two shares of .8 of 1,000 trials: sqrt(.8 * .2 * 2 / 1000) = .0179
    row = pd.DataFrame({"n_trials": [1_000], "n_undefined": 0, "coverage": 0.8})
    assert errors_of_coverage(row, "coverage", 0.8).tolist() == pytest.approx([0.0179], abs=1e-4)
    coverage = [0.804, 0.85, 0.86, 0.86, 1.0, 0.5]
    n_trials = [1_000, 1_000, 1_000, 100, 20, 20]
    verdicts, reasons, _ = compare_values(
        "coverage", "coverage", coverage, 0.8, 2, n_trials=n_trials, n_undefined=0
    )
    # no error of 0 where all trials are covered
    assert verdicts == ["equal", "noise", "different", "noise", "noise", "different"]
    assert reasons[:4] == [
        *("", "noise of 1,000 trials", "more than noise of 1,000 trials", "noise of 100 trials")
    ]


@pytest.mark.slow
def test_noise_of_interval_ends_is_that_of_percentiles():
    rng = np.random.default_rng(0)
    ends = np.quantile(rng.normal(scale=0.2, size=(4_000, 2, 1_000)), 0.025, axis=2)
    row = pd.DataFrame({"low": [-0.2 * 1.96], "high": 0.2 * 1.96, "n_resamples": 1_000})
    [error] = errors_of_interval_ends(row, "low", 0.0)
    assert error == pytest.approx(np.diff(ends).std(), rel=0.05)
    [of_percents] = errors_of_interval_ends(row, "most_percent_misranked", 0.0)
    assert of_percents == pytest.approx(50 * error)


def test_what_is_printed_twice_is_the_same():
    def cells(item):
        rows = printed.printed_cells()
        return {*rows.loc[rows["item"] == item, ["data", "row", "cell", "value"]].itertuples(index=False)}

    for again, first in PRINTED_TWICE.items():
        assert cells(again) == cells(first) != set()


def test_data_of_no_paper_are_refused(corpus_of):
    data = StudyData([corpus_of({"a": np.arange(6.0).reshape(2, 3)})])
    with pytest.raises(InputError, match="not those of a paper; expected SummEval, REALSumm, TAC 2008"):
        check_printed(data)


@pytest.mark.slow
def test_made_up_data_of_the_size_of_a_paper_are_different(corpus_of):
    rng = np.random.default_rng(1)
    names = [str(number) for number in range(1, 59)] + HUMANS
    corpus = corpus_of({"responsiveness": rng.integers(1, 6, size=(66, 48))}, year="2008", names=names)
    table = check_printed(StudyData([corpus])).table
    table = table[table["verdict"] != "not compared"]
    # metrics that are not given are ROUGE, of the texts
    counts = table[table["study"] == "year-counts"]
    assert counts["verdict"].tolist() == ["equal"] * len(counts)  # 48 topics, 58 systems and 8 humans
    table = table[table["study"] != "year-counts"]
    assert set(table["study"]) == {"normality", "metric-intervals", "pair-counts", "best-pairs"}
    assert table.loc[table["study"] == "best-pairs", "printed"].tolist() == [68]
    assert (table["verdict"] == "different").mean() > 0.9
    is_of_rouge = table["row"].str.startswith("ROUGE") & (table["verdict"] == "different")
    assert set(table.loc[is_of_rouge, "reason"]) == {COMPUTED_REASON}


@pytest.mark.slow
def test_all_that_realsumm_allows_is_compared(shared, tmp_path):
    folder = shared / "data" / "realsumm"
    scores = pd.concat([read_scores(path) for path in sorted(folder.glob("scores_*.jsonl"))])
    result = check_printed(StudyData([read_corpus(folder)], scores), n_trials=20, n_resamples=99)
    counts = result.table.groupby("study")["verdict"].value_counts()
    assert counts["normality"].to_dict() == {"equal": 26, "different": 2}
    different = result.table[result.table["verdict"] == "different"]
    assert set(different["row"]) == {"ROUGE-SU4-R"}  # which is computed here
    assert set(different["reason"]) == {COMPUTED_REASON}
    assert counts["coverage"].sum() == 8
    assert "different" not in counts["coverage"]
    assert result.notes[:2] == (
        "Deutsch et al. (2021), Table 1: 8 of 8 numbers compared.",
        "Deutsch et al. (2021), Table 2: 28 of 28 numbers compared.",
    )
    out = tmp_path / "out.tsv"
    files = [str(folder / f"scores_{name}.jsonl") for name in ("meteor", "moverscore", "rouge")]
    assert main(["study", "check", str(folder), "--scores", *files, "-f", "tsv", "-o", str(out)]) == 0
    table = read_result(out).table
    of_table = table[table["table"] == "Deutsch et al. (2021), Table 2"]
    assert set(of_table.loc[of_table["row"] != "ROUGE-SU4-R", "verdict"]) == {"equal", "not compared"}
