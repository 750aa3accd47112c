"""Texts cut to a number of words or bytes: every way to score agrees with the original.

The expected values are the original's own (`rouge155_limits.json`); `cut` writes its rule out once more.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from classy_aesop import Corpus
from classy_aesop.baselines import Rouge
from classy_aesop.data.topics import Reference, Summary, Topic
from tests.baselines.conftest import score_one

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "rouge155_limits.json").read_text("utf-8"))
METRICS = ("ROUGE-1", "ROUGE-2", "ROUGE-L", "ROUGE-SU4")
OPTIONS = {
    "l5": {"limit_words": 5},
    "l12": {"limit_words": 12},
    "b20": {"limit_bytes": 20},
    "b45": {"limit_bytes": 45},
    "p0.2": {"recall_weight": 0.8},
}

pytestmark = pytest.mark.filterwarnings("ignore:.*letters are outside ASCII", "ignore:empty references")


def scorer_with(options):
    return Rouge(stemming="none", metrics=METRICS, **OPTIONS[options])


def corpus_of_cases():
    return [
        Topic(
            "",
            str(number),
            "",
            (Summary("s", tuple(case["peer"])),),
            tuple(Reference(str(place), tuple(text)) for place, text in enumerate(case["references"])),
        )
        for number, case in enumerate(ORACLE["cases"])
    ]


def values_by_topic(table):
    """The values of a table of scores, as the oracle has them."""
    cells = table.set_index(["topic", "metric"])["score"].to_dict()
    return [
        {metric: [cells[str(number), f"{metric}-{letter}"] for letter in "RPF"] for metric in METRICS}
        for number in range(len(ORACLE["cases"]))
    ]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("options", ["l5", "b20", "l12", "b45", "p0.2"])
def test_every_way_to_score_gives_the_values_of_rouge155(options):
    scorer = scorer_with(options)
    expected = [case["scores"][options] for case in ORACLE["cases"]]
    peers = [case["peer"] for case in ORACLE["cases"]]
    references = [case["references"] for case in ORACLE["cases"]]
    scores = scorer.score_all(predictions=peers, references=references)
    assert [{metric: list(score[metric]) for metric in METRICS} for score in scores] == expected
    table = scorer.table(corpus_of_cases(), jackknife=False, statistics="RPF")
    assert values_by_topic(table) == expected


def test_a_blank_at_the_start_counts_as_a_word_by_hand():
    scores = Rouge(metrics="ROUGE-1", limit_words=2).score_all([" a b"], ["a b"])
    assert scores[0]["ROUGE-1"] == (0.5, 1.0, 0.66667)
    rows = [{"topic": "1", "system": "s", "summary": " a b", "reference": "a b"}]
    corpus = Corpus.from_rows(rows)
    table = Rouge(metrics=["ROUGE-1"], limit_words=2).table(corpus, jackknife=False)
    assert table["score"].tolist() == [0.5]


def test_subsequences_under_a_limit_of_bytes_are_left_out_one_at_a_time():
    """ROUGE-L of a corpus, with a limit and leaving references out, is the mean of single texts' scores."""
    peer = ["a b c d e f", "c d"]
    references = [["a b", "c e f g"], ["b d f", "x c"], ["a c"]]
    texts = tuple(Reference(str(number), tuple(text)) for number, text in enumerate(references))
    topic = Topic("", "1", "", (Summary("s", tuple(peer)),), texts)
    scorer = Rouge(limit_bytes=6, rounded=False, metrics=("ROUGE-L", "ROUGE-W-1.2", "rougeL"))
    table = scorer.table([topic], jackknife=True).set_index("metric")["score"]
    others = [references[:place] + references[place + 1 :] for place in range(3)]
    for metric in scorer.metrics:
        mean = np.mean([score_one(scorer, peer, met)[metric].recall for met in others])
        assert table[metric] == pytest.approx(mean, abs=1e-15)
