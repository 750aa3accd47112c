import json

import numpy as np
import pytest

from classy_aesop import read_corpus
from classy_aesop.baselines.graphs import ngram_graphs
from classy_aesop.data.topics import Reference, Summary, Topic


def scores_of(topic):
    table = ngram_graphs([topic], jackknife=False)
    return table.pivot(index="summarizer", columns="metric", values="score")


def topic_of(summary, *references):
    own = tuple(Reference(str(at), text) for at, text in enumerate(references))
    return Topic("2010", "D1", "A", (Summary("7", summary),), own)


# abcd and its line feed: abc-bcd, abc-cd_, bcd-cd_. abc and its line feed: abc-bc_.
SAME_AND_OTHER = topic_of(("abcd",), ("abcd",), ("abc",))


def test_scores_by_hand():
    scores = scores_of(SAME_AND_OTHER).loc["7"]
    assert scores["AutoSummENG"] == (1 + 0) / 2
    # Merged: four edges of weight 1/2, of which the summary has three.
    assert scores["MeMoG"] == pytest.approx(3 * 0.5 / 4)
    assert scores["NPowER"] == pytest.approx(0.05866 + 0.52905 * 0.5 + 0.30053 * 0.375)


def published(folder):
    rows = map(json.loads, (folder / "scores_autosummeng.jsonl").read_text("utf-8").splitlines())
    return {(row["instance_id"], row["summarizer_id"]): row["metrics"] for row in rows}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "references", "least", "equal"),
    [("summeval", ["ground-truth"], 0.98, 0), ("realsumm", None, 0.93, 0.19)],
)
def test_scores_against_published(shared, name, references, least, equal):
    corpus = read_corpus(shared / "data" / name).select(references=references)
    scores, expected = ngram_graphs(corpus, jackknife=False), published(shared / "data" / name)
    assert len(scores) == 3 * len(expected)
    for metric, rows in scores.groupby("metric"):
        theirs = np.array(
            [expected[key][metric] for key in zip(rows["topic"], rows["summarizer"], strict=True)]
        )
        assert np.corrcoef(rows["score"], theirs)[0, 1] >= least, metric
        # The texts are not always those that were scored. Where they are, all six printed digits agree: this
        # holds for no other way to join sentences that was tried (at most 3 %), and for 16 % with an edge from an
        # n-gram to itself counted like the others.
        assert (np.abs(rows["score"] - theirs) < 1.01e-6).mean() >= equal, metric
