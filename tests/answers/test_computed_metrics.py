"""Baselines, predictors and imported metrics in one table: the same numbers as alone, best first."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from classy_aesop import DataWarning, InputError, Predictor, evaluate, evaluate_pairs
from classy_aesop.answers.computed_metrics import peer_sets
from classy_aesop.answers.correlation_tables import spread_correlations
from classy_aesop.baselines.baseline_scores import score_baselines
from classy_aesop.baselines.rouge import rouge
from classy_aesop.errors import UsageError
from classy_aesop.formulas import Linear

TARGET = "responsiveness"

pytestmark = pytest.mark.filterwarnings("ignore:.* (equals|is a linear function of) responsiveness")


@pytest.fixture(scope="module")
def corpus(corpora):
    return corpora["2021"]


@pytest.fixture(scope="module")
def imported(corpus):
    """The judgments themselves and their negative, as two metrics."""
    truth = corpus.judgments[corpus.judgments["metric"] == TARGET]
    return pd.concat([truth.assign(metric="good"), truth.assign(metric="bad", score=-truth["score"])])


@pytest.fixture(scope="module")
def board(corpus, imported):
    predictor = Predictor("mine", TARGET, "", "all_peers", "robust", ("term_entropy",), Linear((1.0,), 0.0))
    return evaluate(imported, corpus, TARGET, compute=["rouge", "js"], predictor=[predictor]).table


@pytest.mark.slow
def test_every_metric_is_there_in_both_peer_sets(board):
    names = ["ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4", "JS-1", "JS-2", "mine", "good", "bad"]
    sources = ["baseline"] * 6 + ["predictor"] + ["imported"] * 2
    counts = board.groupby(["metric", "source"]).size().to_dict()
    assert counts == dict.fromkeys(
        zip(names, sources, strict=True), 24
    )  # 2 tasks, peers, levels, 3 coefficients
    numbers = board.groupby("peers")["n_summarizers"].unique().map(list).to_dict()
    assert numbers == {"no_models": [6], "all_peers": [10]}


@pytest.mark.slow
def test_values_are_those_of_evaluate_with_jackknifing_among_humans(corpus, board):
    systems = peer_sets(corpus)["no_models"]
    judgments = corpus.judgments[corpus.judgments["metric"] == TARGET]
    for peers, part, jackknife in (("no_models", systems, False), ("all_peers", corpus, True)):
        truth = judgments if jackknife else systems.judgments.query("metric == @TARGET")
        expected = evaluate(rouge(part, jackknife=jackknife), truth, level=["system", "input"]).table
        found = board[(board["peers"] == peers) & board["metric"].str.startswith("ROUGE")]
        keys = ["year", "task", "metric", "level", "coefficient"]
        both = found.merge(expected, on=keys)
        assert len(both) == len(expected) == len(found)
        assert both["value_x"].tolist() == both["value_y"].tolist()


@pytest.mark.slow
def test_readers_get_the_best_first(board):
    for _, rows in spread_correlations(board.drop(columns=["low", "high"])).groupby(["task", "peers"]):
        assert rows["system pearson"].is_monotonic_decreasing
        assert (rows["metric"].iloc[0], rows["metric"].iloc[-1]) == ("good", "bad")


@pytest.mark.slow
def test_pairs_of_computed_metrics_are_those_of_their_scores(corpus):
    """Of systems alone, on which known metrics meet all references."""
    options = {"n_resamples": 199, "task": "A", "level": "input", "test": "perm-inputs"}
    found = evaluate_pairs(corpus, None, TARGET, compute=["rouge"], peers="no_models", **options).table
    systems = peer_sets(corpus)["no_models"]
    scores = rouge(systems, jackknife=False)
    expected = evaluate_pairs(scores, systems.judgments, TARGET, **options).table
    assert set(found["peers"]) == {"no_models"}
    pd.testing.assert_frame_equal(found.drop(columns="peers"), expected)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:baseline js_documents is left out")
def test_a_corpus_alone_is_scored_unless_it_holds_scores_of_metrics(corpus, imported):
    options = {
        "target": TARGET,
        "level": "system",
        "coefficient": "pearson",
        "task": "A",
        "peers": "no_models",
    }
    found = evaluate(corpus, **options)
    assert {"ROUGE-1", "JS-1"} < set(found["metric"])
    with_scores = dataclasses.replace(corpus, scores=imported)
    with pytest.raises(UsageError, match="peers are of a corpus of texts"):
        evaluate(with_scores, **options)
    held = evaluate(with_scores, compute="none", **options)
    assert (set(held["metric"]), set(held["source"])) == ({"good", "bad"}, {"imported"})


@pytest.mark.slow
def test_a_jackknifed_measure_stands_for_its_plain_one_among_humans(corpus):
    plain = corpus.judgments[corpus.judgments["metric"] == "pyramid"]
    twin = plain.assign(metric="pyramid_jackknifed", score=-plain["score"])
    twinned = type(corpus)(corpus.topics, pd.concat([corpus.judgments, twin], ignore_index=True))
    options = {"compute": ["rouge"], "level": ["system"], "coefficient": ["pearson"]}
    before, after = (evaluate(one, None, "pyramid", **options).table for one in (corpus, twinned))
    both = before.merge(after, on=["task", "peers", "metric"])
    signs = np.where(both["peers"] == "all_peers", -1, 1)
    np.testing.assert_allclose(both["value_x"], signs * both["value_y"])


def test_what_cannot_be_compared_is_refused(corpus, imported):
    with pytest.raises(UsageError, match="nothing to compare"):
        evaluate(corpus, None, TARGET, compute=[])
    twin = Predictor("mine", TARGET, "", "all_peers", "robust", ("term_entropy",), Linear((1.0,), 0.0))
    with pytest.raises(InputError, match="predictor mine appears twice"):
        evaluate(corpus, None, TARGET, compute=["rouge"], predictor=[twin, twin])
    with pytest.raises(InputError, match="has no source documents"):
        score_baselines(corpus, ["rouge", "js_documents"], jackknife=False)


@pytest.mark.slow
def test_metrics_of_one_name_are_told_apart(corpus, imported):
    rival = imported.query("metric == 'good'").assign(metric="ROUGE-2")
    found = evaluate(rival, corpus, TARGET, compute=["rouge"], level=["system"]).table
    names = {"ROUGE-2 (baseline)": "baseline", "ROUGE-2 (imported)": "imported", "ROUGE-SU4": "baseline"}
    names |= dict.fromkeys(["ROUGE-1", "ROUGE-L"], "baseline")
    assert dict(zip(found["metric"], found["source"], strict=True)) == names


def one_reference(corpus):
    """Task A of a corpus with one reference a topic, whose author is among the judged."""
    corpus = corpus.select(tasks=["A"])
    topics = (dataclasses.replace(topic, references=topic.references[:1]) for topic in corpus.topics)
    return corpus.replace_topics(tuple(topics))


def test_systems_are_compared_where_no_reference_can_be_left_out(corpus):
    with pytest.warns(
        DataWarning, match="all_peers: known metrics are left out: topic 2021 D2101 A has 1 ref"
    ):
        board = evaluate(one_reference(corpus), None, TARGET, compute=["rouge"], level=["system"]).table
    assert set(board["peers"]) == {"no_models"}


@pytest.mark.slow
def test_intervals_are_those_of_evaluate(corpus):
    options = {"level": ["system"], "coefficient": ["kendall"]}
    options |= {"interval": "boot-both", "n_resamples": 49, "seed": 3}
    found = evaluate(corpus, None, TARGET, compute=["rouge"], **options).table
    systems = peer_sets(corpus)["no_models"]
    truth = systems.judgments.query("metric == @TARGET")
    expected = evaluate(rouge(systems, jackknife=False), truth, **options).table
    both = found.query("peers == 'no_models'").merge(expected, on=["task", "metric"])
    assert len(both) == len(expected) == 8
    assert both["low_x"].tolist() == both["low_y"].tolist()


@pytest.mark.slow
def test_missing_scores_are_said_and_counted(corpus, imported):
    part = imported[(imported["metric"] == "good") & (imported["topic"] != imported["topic"].iloc[0])]
    with pytest.warns(DataWarning, match=r"missing: good of 20 \(2021/"):
        found = evaluate(part, corpus, TARGET, compute=[]).table
    assert set(found["n_topics"]) == {4}
    assert list(peer_sets(peer_sets(corpus)["no_models"])) == ["no_models"]


@pytest.mark.slow
def test_a_predictor_and_a_baseline_leave_out_only_what_they_cannot_score(corpus):
    predictor = Predictor("mine", TARGET, "", "all_peers", "robust", ("r2",), Linear((1.0,), 0.0))
    part = corpus.select(tasks=["A"])
    topics = (dataclasses.replace(part.topics[0], references=()), *part.topics[1:])
    with pytest.warns(DataWarning) as told:
        board = evaluate(
            part.replace_topics(topics),
            None,
            TARGET,
            compute=["rouge"],
            predictor=[predictor],
            level=["system"],
        ).table
    assert any("mine gives no score to 10 of 50 summaries" in str(one.message) for one in told)
    assert set(board["n_topics"]) == {4}
    assert board["value"].notna().all()
