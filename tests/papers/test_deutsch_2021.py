"""Coverage of intervals, the same as on the matrices; the power of tests to see that ROUGE-1 lost tokens."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import InputError, read_corpus
from classy_aesop.baselines.rouge import rouge
from classy_aesop.data import matrix
from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.papers.deutsch_2021 import (
    adjust_pairs,
    coverage_of_intervals,
    normality,
    power_of_metrics,
    score_systems,
    tokens_of_systems,
)
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.trials import interval_coverage
from classy_aesop.reading import read_jsonl
from classy_aesop.work.seeds import seeded_rng


@pytest.fixture
def matrices():
    rng = seeded_rng(1, "made up")
    quality = rng.normal(size=(8, 1))
    return {name: quality + rng.normal(size=(8, 10)) for name in ("r2", "su4", "overall")}


@pytest.fixture
def data(matrices, table_of, corpus_of):
    """Human scores, and those of two metrics."""
    scores = table_of({name: X for name, X in matrices.items() if name != "overall"})
    return StudyData([corpus_of({"overall": matrices["overall"]})], scores)


@pytest.mark.slow
def test_coverage_is_that_of_the_matrices(data, matrices):
    found = coverage_of_intervals(data, "overall", n_trials=7, n_resamples=30, seed=5).table
    assert list(found)[:4] == ["year", "task", "metric", "target"]
    assert set(found["level"]) == {"system", "input"}
    for (metric, level), own in found.groupby(["metric", "level"]):
        rng = seeded_rng(5, "2021", "A", metric, "overall", level, "pearson")
        X, Z = matrices[metric], matrices["overall"]
        expected = interval_coverage(X, Z, level=level, n_trials=7, n_resamples=30, rng=rng)
        assert own["method"].tolist() == ["fisher", "systems", "inputs", "both"]
        assert own["coverage"].tolist() == [one["coverage"] for one in expected]
    both = coverage_of_intervals(data, "overall", n_trials=5, n_resamples=20).table
    alone = coverage_of_intervals(data, "overall", metrics=["su4"], n_trials=5, n_resamples=20).table
    pd.testing.assert_frame_equal(both[both["metric"] == "su4"].reset_index(drop=True), alone)


@pytest.fixture
def corpus(corpora):
    return corpora["2021"].select(tasks=["A"])


def small(*texts, references=("a b b c",)):
    row = {"topic": "T", "references": {f"R{k}": text for k, text in enumerate(references)}}
    records = [{**row, "summarizer": str(k), "text": text} for k, text in enumerate(texts)]
    judged = [
        {"topic": "T", "summarizer": str(k), "metric": "overall", "score": k} for k, _ in enumerate(texts)
    ]
    return corpus_of_records(records, pd.DataFrame(judged))


def scores_of(corpus, share, variant, seed=0, target="overall"):
    Z, topics = tokens_of_systems(corpus, target)
    return score_systems(topics, Z.shape, share, variant, np.random.default_rng(seed))


def test_all_tokens_give_the_baseline(corpus):
    found = scores_of(corpus, 1.0, "recall", target="responsiveness")
    expected, names, _ = matrix(rouge(corpus, jackknife=False, metrics=["ROUGE-1"]), "ROUGE-1")
    systems = [name.isdigit() for name in names]
    assert found == pytest.approx(expected[systems], abs=1e-15)


def test_f1_by_hand():
    corpus = small("b x b b", "", "a")
    # 2 hits of 4 and 4 words; none; 1 hit of 4 and 1
    assert scores_of(corpus, 1.0, "f1").ravel() == pytest.approx([2 * 2 / 8, 0, 2 / 5])
    two = small("a a", references=("a", "a b"))
    # hits 1 + 1; the references have 3 words, the summary 2 for each of them
    assert scores_of(two, 1.0, "f1").ravel() == pytest.approx([2 * 2 / (3 + 4)])
    corpus = small("b b b b b", "b b b b b b b b b b", references=("b", "b b b b b b b b b b"))
    # recall against 1 + 10: 1 hit and as many as were kept
    for share, kept in [(0.1, (0, 1)), (0.3, (1, 3)), (0.7, (3, 7)), (0.99, (4, 9)), (1.0, (5, 10))]:
        hits = [k + (k > 0) for k in kept]
        assert scores_of(corpus, share, "recall").ravel() == pytest.approx(np.array(hits) / 11)


@pytest.mark.slow
def test_tokens_are_kept_at_random():
    corpus = small("a b c d", references=("a",))
    hits = [scores_of(corpus, 0.5, "recall", seed=seed)[0, 0] for seed in range(400)]
    assert np.mean(hits) == pytest.approx(0.5, abs=0.1)
    assert scores_of(corpus, 0.5, "recall", seed=3) == scores_of(corpus, 0.5, "recall", seed=3)


def test_lost_tokens_are_seen_and_none_lost_is_not(corpus):
    found = power_of_metrics(
        StudyData([corpus]), "responsiveness", shares=(0.05, 1.0), n_trials=10, n_resamples=99
    ).table
    tests = ["permutation", "bootstrap", "williams"]
    assert found["level"].tolist() == ["system"] * 6 + ["input"] * 6
    assert found["share"].tolist() == [*[0.05] * 3, *[1.0] * 3] * 2
    assert found["test"].tolist() == tests * 4
    assert found.loc[found["share"] == 1, "power"].max() == 0


@pytest.mark.slow
def test_permutation_sees_more_than_bootstrap_and_williams(shared):
    corpus = read_jsonl(shared / "data/summeval")
    how = {"shares": (0.3,), "n_trials": 30, "n_resamples": 500}
    found = power_of_metrics(StudyData([corpus]), "relevance", **how).table
    found = found[found["level"] == "system"]
    power = dict(zip(found["test"], found["power"], strict=True))
    assert power["permutation"] > 0.2 + max(power["bootstrap"], power["williams"])


def test_bad_requests_are_refused(corpora, corpus, data):
    for how, kind, message in (
        ({"shares": [0]}, UsageError, "share is 0"),
        ({"target": "grammar"}, InputError, "grammar"),
        ({"data": StudyData([corpora["2021"]])}, InputError, "task"),
    ):
        with pytest.raises(kind, match=message):
            power_of_metrics(**{"data": StudyData([corpus]), "target": "responsiveness", **how})
    with pytest.raises(UsageError, match="no target 'form'"):
        coverage_of_intervals(data, "form")
    options = {"shares": (0.3,), "n_trials": 1}
    with pytest.warns(DataWarning, match=r"18 resamples cannot .*; 19 or more can"):
        power_of_metrics(StudyData([corpora["2021"]], task="A"), "responsiveness", n_resamples=18, **options)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
def test_summeval_has_the_papers_reference_and_variant(shared):
    corpus = read_corpus(shared / "data" / "summeval")
    options = {"shares": (0.5,), "n_trials": 2, "n_resamples": 9}
    table = power_of_metrics(StudyData([corpus]), "relevance", **options).table
    assert set(table["variant"]) == {"f1"}
    alone = power_of_metrics(StudyData([corpus.select(references=["ground-truth"])]), "relevance", **options)
    pd.testing.assert_frame_equal(table, alone.table)
    assert set(power_of_metrics(StudyData([corpus]), "coherence", **options).table["variant"]) == {"f1"}


def test_topics_and_means_are_tested_apart():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=30), rng.exponential(size=30) ** 3, np.ones(30)])
    X[5, 0] = np.nan
    found = normality(X)
    assert (found["n_tested"], found["n_skipped"], found["percent_rejected"]) == (2, 1, 50)
    means = [row[~np.isnan(row)].mean() for row in X]
    assert found["p_means"] == pytest.approx(stats.shapiro(means).pvalue)


def test_families_of_pairs_by_hand():
    tests = {"ab": 0.01, "ac": 0.04, "ba": 0.99, "bc": 0.5, "ca": 0.96, "cb": 0.5}
    rows = pd.DataFrame([(*pair, p) for pair, p in tests.items()], columns=["first", "second", "p"])
    by_first = adjust_pairs(rows, "bonferroni")["p_by_first"]
    assert by_first.tolist() == [0.02, 0.08, 1, 1, 1, 1]
    overall = adjust_pairs(rows, "holm")["p_overall"]
    np.testing.assert_allclose(overall, [0.03, 0.08, np.nan, 0.5, np.nan, np.nan])
