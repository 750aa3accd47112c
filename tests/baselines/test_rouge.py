import json
from pathlib import Path

import numpy as np
import pytest

from classy_aesop.baselines import BASELINES
from classy_aesop.baselines.rouge import METRICS, rouge
from classy_aesop.corpus.data import Reference, Summary, Topic
from classy_aesop.errors import InputError
from classy_aesop.features.rows import feature_rows

ORACLE = json.loads((Path(__file__).parents[1] / "oracles" / "rouge155_recall.json").read_text("utf-8"))
STEMMING = {"m": "exceptions", "m-noexc": "porter", "nostem": "none"}


def topic_of(case):
    references = tuple(Reference(str(i), tuple(text)) for i, text in enumerate(case["references"]))
    return Topic("", case["id"], "", (Summary("peer", tuple(case["peer"])),), references)


@pytest.mark.parametrize("options", STEMMING)
def test_recall_against_rouge155(options):
    cases = map(topic_of, ORACLE["cases"])
    table = rouge(cases, jackknife=False, stemming=STEMMING[options], metrics=METRICS)
    found = table.pivot(index="topic", columns="metric", values="score").T.to_dict()
    for case in ORACLE["cases"]:
        expected = case["recall"][options]
        assert found[case["id"]] == pytest.approx(expected, abs=ORACLE["made_by"]["tolerance"]), case["id"]


SUMMARY = ("The cat sat on the mat.", "The dog sat on the mat.", "A cat ran.")
REFERENCES = (
    Reference("M1", ("The cat sat on a mat.", "The dog ran.")),
    Reference("M2", ("A dog sat on the mat.", "The cat ran off.")),
)


def test_average_over_references_by_hand():
    topic = Topic("2010", "D1", "A", (Summary("7", SUMMARY),), REFERENCES)
    table = rouge([topic], jackknife=False)
    assert list(table) == ["year", "topic", "task", "summarizer", "metric", "score"]
    assert table.values.tolist() == [
        ["2010", "D1", "A", "7", "ROUGE-2", 12 / 17],
        ["2010", "D1", "A", "7", "ROUGE-SU4", 64 / 82],
    ]


def test_unigrams_count_the_last_word_by_hand():
    topic = Topic("", "D1", "", (Summary("7", SUMMARY),), REFERENCES)
    # Of M1 the summary lacks no word of the, cat, sat, on, a, mat, the, dog, ran; of M2 only "off".
    assert rouge([topic], jackknife=False, metrics=["ROUGE-1"]).score.tolist() == [(9 + 9) / (9 + 10)]


def test_unknown_metric_is_an_error():
    with pytest.raises(InputError, match=r"no ROUGE metric is named ROUGE-9; expected some of ROUGE-1"):
        rouge([], jackknife=False, metrics=["ROUGE-9"])


def test_one_pass_with_the_features_gives_the_same():
    topic = Topic("", "D1", "", (Summary("7", SUMMARY), Summary("8", SUMMARY[:1])), REFERENCES)
    (rows,) = feature_rows([topic], metrics=METRICS)
    table = rouge([topic], jackknife=False, metrics=METRICS)
    for metric, scores in rows.scores.items():
        assert scores.tolist() == table.score[table.metric == metric].tolist()


def test_jackknife_by_hand():
    summaries = (Summary("7", SUMMARY), Summary("M1", REFERENCES[0].text, human=True))
    table = rouge([Topic("", "D1", "", summaries, REFERENCES)], jackknife=True)
    scores = table.pivot(index="summarizer", columns="metric", values="score")
    assert scores.at["7", "ROUGE-2"] == pytest.approx((5 / 8 + 7 / 9) / 2)
    assert scores.at["7", "ROUGE-SU4"] == pytest.approx((33 / 38 + 31 / 44) / 2)
    # M1 meets M2 only, and shares "the cat", "sat on" and "mat the" of its nine bigrams.
    assert scores.at["M1", "ROUGE-2"] == pytest.approx(3 / 9)


def test_person_is_never_compared_with_his_own_text():
    summaries = (Summary("M1", REFERENCES[0].text, human=True), Summary("copy", REFERENCES[0].text))
    table = rouge([Topic("", "D1", "", summaries, REFERENCES[:1])], jackknife=False)
    assert table.score[table.summarizer == "M1"].isna().all()
    assert table.score[table.summarizer == "copy"].tolist() == [1.0, 1.0]


def test_jackknife_needs_two_references():
    with pytest.raises(InputError, match=r"topic 2010 D1 A has 1 reference.*needs 2"):
        rouge([Topic("2010", "D1", "A", (Summary("7", SUMMARY),), REFERENCES[:1])], jackknife=True)


def test_no_topics_make_an_empty_table():
    assert BASELINES["rouge"]([], jackknife=False).empty


def test_summeval_against_published_scores(shared):
    folder = shared / "data" / "summeval"
    topics, published = {}, {}
    for line in (folder / "summaries.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        topics.setdefault(row["instance_id"], ([], row["references"][0]))[0].append(
            Summary(row["summarizer_id"], tuple(row["summary"]["text"]))
        )
    for line in (folder / "scores_rouge.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        for metric in ("ROUGE-2", "ROUGE-SU4"):
            key = row["instance_id"], row["summarizer_id"], metric
            published[key] = row["metrics"][metric.lower()]["recall"]
    corpus = [
        Topic("", name, "", tuple(summaries), (Reference(one["summarizer_id"], tuple(one["text"])),))
        for name, (summaries, one) in topics.items()
    ]
    table = rouge(corpus, jackknife=False)
    assert len(table) == len(published) == 3200
    expected = [published[key] for key in zip(table.topic, table.summarizer, table.metric, strict=True)]
    # The texts were tokenized anew after the scores were computed, so a few differ.
    is_equal = np.abs(table.score * 100 - np.array(expected)) < 1.5e-3
    assert is_equal.groupby(table.metric).mean().min() > 0.93
