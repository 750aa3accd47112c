import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop import read_corpus
from classy_aesop.baselines import Rouge, rouge_averages
from classy_aesop.baselines.rouge import COMMON, METRICS, rouge
from classy_aesop.baselines.rouge_metrics import round_like_printf
from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.errors import InputError
from tests.baselines.conftest import score_one

ORACLES = Path(__file__).parents[1] / "oracles"


EDGE, RANDOM, SAMPLE = (
    json.loads((ORACLES / f"rouge155_{name}.json").read_text("utf-8"))
    for name in ("edge", "random", "sample")
)


OPTIONS = {
    "m": {},
    "nostem": {"stemming": "none"},
    "m-l10": {"limit_words": 10},
    "m-b40": {"limit_bytes": 40},
    "m-s": {"stop_words": True},
    "m-fB": {"aggregate": "best"},
    "m-noexc": {"stemming": "porter"},
    "m-excwell": {"stemming": "well"},
}


def topic_of(case):
    references = tuple(Reference(str(i), tuple(text)) for i, text in enumerate(case["references"]))
    return Topic("", case["id"], "", (Summary("peer", tuple(case["peer"])),), references)


def shown(scores):
    return {metric: list(score) for metric, score in scores.items()}


@pytest.mark.filterwarnings("ignore:.*letters are outside ASCII")
@pytest.mark.slow
@pytest.mark.parametrize("options", OPTIONS)
def test_edge_cases_against_rouge155(options):
    scorer = Rouge(**OPTIONS[options])
    for case in EDGE["cases"]:
        expected = case["scores"][options]
        found = shown(score_one(scorer, case["peer"], case["references"]))
        assert {metric: found[metric] for metric in expected} == expected, case["id"]


@pytest.mark.filterwarnings("ignore:.*letters are outside ASCII")
@pytest.mark.slow
@pytest.mark.parametrize("aggregate", ["average", "best"])
def test_random_texts_against_rouge155(aggregate):
    scorer = Rouge(aggregate=aggregate)
    for number, case in enumerate(RANDOM["cases"]):
        assert shown(score_one(scorer, case["peer"], case["references"])) == case[aggregate], number


@pytest.fixture(scope="module")
def sample():
    corpus = read_corpus(Path(__file__).parents[2] / "data_samples" / "2023").select(tasks=["A"])
    table = Rouge().table(corpus, jackknife=False, statistics="RPF")
    return table[table["summarizer"].isin(list(SAMPLE["scores"]))]


def test_corpus_against_rouge155(sample):
    found = sample.set_index(["summarizer", "metric", "topic"])["score"].to_dict()
    for summarizer, metrics in SAMPLE["scores"].items():
        for metric, rows in metrics.items():
            for topic, expected in zip(SAMPLE["topics"], rows, strict=True):
                assert [found[summarizer, f"{metric}-{s}", topic] for s in "RPF"] == expected, (metric, topic)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 1}, "confidence is 1; expected a number between 0 and 1"),
        ({"n_resamples": 1}, "n_resamples is 1; expected 2 or more"),
    ],
)
def test_averages_refuse_a_wrong_argument_by_its_name(options, message):
    with pytest.raises(InputError, match=f"^{message}$"):
        rouge_averages(rouge([], jackknife=False), np.random.default_rng(0), **options)


TEXT = ["The old man fed two birds.", "He smiled."]


@pytest.mark.filterwarnings("ignore:100% of the letters are outside ASCII")
@pytest.mark.parametrize(
    ("peer", "reference"),
    [([], TEXT), ([""], TEXT), (TEXT, []), (TEXT, ["?!"]), (["Дом"], ["Дом"]), ([], [])],
)
def test_without_tokens_every_score_is_zero(peer, reference):
    assert set(score_one(Rouge(), peer, [reference]).values()) == {(0.0, 0.0, 0.0)}


def test_recall_weight_weighs_recall_by_hand():
    peer, reference = ["a b c d"], [["a b x y z q r s"]]  # R = 2/8, P = 2/4
    for weight, expected in ((0, 0.5), (0.2, 1 / (0.2 * 4 + 0.8 * 2)), (0.5, 1 / 3), (1, 0.25)):
        scorer = Rouge(metrics=("ROUGE-1",), recall_weight=weight, rounded=False)
        assert score_one(scorer, peer, reference)["ROUGE-1"].f == pytest.approx(expected)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"recall_weight": 2}, "recall_weight is 2; expected 0 to 1"),
        ({"recall_weight": "high"}, "recall_weight is 'high'; expected 0 to 1"),
        ({"limit_words": 0}, "limit_words is 0; expected 1 or more"),
        ({"limit_words": 7.5}, "limit_words is 7.5; expected 1 or more"),
        (
            {"metrics": "R"},
            "no ROUGE metric is named R; expected some of ROUGE-1, .*, rouge1, .*, rougeLsum, rougeL",
        ),
        ({"metrics": ()}, "no ROUGE metric is named; expected some of ROUGE-1"),
        ({"metrics": [["ROUGE-1"]]}, r"no ROUGE metric is named \['ROUGE-1'\]; expected"),
        ({"metrics": None}, "no ROUGE metric is named None; expected"),
        ({"tokenizer": "words"}, "no tokenizer is named words; expected some of rouge, unicode"),
        ({"stemming": ["none"]}, r"no way to stem is named \['none'\]; expected"),
        ({"limit_words": 9, "limit_bytes": 9}, "limit_words and limit_bytes are both given"),
    ],
)
def test_wrong_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        Rouge(**settings)


def test_names_of_the_package_rouge_score():
    """Its metrics have its values: rouge-score 0.1.2, with texts that both read alike."""
    package = pytest.importorskip("rouge_score.rouge_scorer")
    names = ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL")
    theirs = package.RougeScorer(list(names))
    scorer = Rouge(metrics=(*names, "rougeLsum", "ROUGE-L"), rounded=False, stemming="none")
    rng = np.random.default_rng(4)
    for _ in range(60):
        texts = ["\n".join(" ".join(rng.choice(list("abcd"), 6)) for _ in range(3)) for _ in range(2)]
        [scores] = scorer.score_all([texts[1]], [texts[0]])
        for name, expected in theirs.score(*texts).items():
            assert scores[name] == pytest.approx((expected.recall, expected.precision, expected.fmeasure))
        assert scores["rougeLsum"] == scores["ROUGE-L"]  # theirs breaks ties of subsequences in another way


REFERENCES = (
    Reference("M1", ("The cat sat on a mat.", "The dog ran.")),
    Reference("M2", ("A dog sat on the mat.", "The cat ran off.")),
)


def test_human_is_never_compared_with_their_own_text():
    summaries = (Summary("M1", REFERENCES[0].text, human=True), Summary("copy", REFERENCES[0].text))
    table = rouge([Topic("", "D1", "", summaries, REFERENCES[:1])], jackknife=False)
    assert table.score[table.summarizer == "M1"].isna().all()
    assert table.score[table.summarizer == "copy"].tolist() == [1.0] * len(COMMON)


@pytest.mark.slow
def test_summeval_against_published_scores(shared):
    """The texts were tokenized anew after the scores were computed, so a few of them differ."""
    folder = shared / "data" / "summeval"
    corpus = read_corpus(folder).select(references=["ground-truth"])
    names = {"R": "recall", "P": "precision", "F": "f1"}
    published = {}
    for line in (folder / "scores_rouge.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        for metric, values in row["metrics"].items():
            for letter, name in names.items():
                key = row["instance_id"], row["summarizer_id"], f"{metric.upper()}-{letter}"
                published[key] = round(values[name] / 100, 5)
    metrics = tuple(metric for metric in METRICS if any(key[2] == f"{metric}-R" for key in published))
    table = Rouge(metrics=metrics).table(corpus, jackknife=False, statistics="RPF")
    assert len(table) == len(published) == 1600 * 6 * 3
    keys = zip(table["topic"], table["summarizer"], table["metric"], strict=True)
    is_equal = table["score"] == [published[key] for key in keys]
    shares = is_equal.groupby(table["metric"]).mean()
    assert shares[[f"ROUGE-{kind}-{letter}" for kind in ("1", "2", "SU4") for letter in "RPF"]].mean() > 0.94
    assert shares.min() > 0.91
    # ROUGE-L took each summary for one sentence: split, hardly a value would be equal.
    assert shares["ROUGE-L-R"] > 0.96


def test_a_string_is_split_into_sentences_as_asked():
    text, reference = "A dog ran.\nThe cat sat. It slept.", ["The cat sat.\nA dog ran."]
    given, split = ["A dog ran.", "The cat sat. It slept."], ["A dog ran.", "The cat sat.", "It slept."]
    met = [["The cat sat.", "A dog ran."]]
    assert Rouge().score_all([text], reference) == [score_one(Rouge(), given, met)]
    assert Rouge().score_all([text], reference, sentences="split") == [score_one(Rouge(), split, met)]
    [nothing] = Rouge(metrics=("ROUGE-2",)).score_all([text], [[]])
    assert np.isnan(nothing["ROUGE-2"]).all()


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("aggregate", ["average", "best"])
@pytest.mark.parametrize("jackknife", [False, True])
def test_many_topics_at_once_are_as_each_alone(aggregate, jackknife):
    topics = []
    for number, case in enumerate(RANDOM["cases"][:40]):
        topic = topic_of({"id": f"D{number}", **case})
        first = topic.references[0]
        human = Summary(first.summarizer, first.text, human=True)
        other = Summary("x", tuple(case["peer"][1:]), references=frozenset({first.summarizer}))
        if len(topic.references) > 1:
            topics.append(replace(topic, summaries=(*topic.summaries, human, other)))
    scorer = Rouge(aggregate=aggregate, rounded=False)
    together = scorer.table(topics, jackknife=jackknife, statistics="RPF")
    alone = [scorer.table([topic], jackknife=jackknife, statistics="RPF") for topic in topics]
    pd.testing.assert_frame_equal(together, pd.concat(alone, ignore_index=True), check_exact=True)


def test_averages_are_those_of_topics_drawn_with_replacement():
    values = np.random.default_rng(3).random((2, 30))
    table = pd.DataFrame({"topic": [f"D{at}" for at in range(30)] * 2, "summarizer": ["1"] * 30 + ["2"] * 30})
    found = rouge_averages(table.assign(metric="ROUGE-1", score=values.ravel()), np.random.default_rng(4))
    topics = np.random.default_rng(4).integers(30, size=(1_000, 30))
    means = values[:, topics].mean(axis=2)
    np.testing.assert_allclose(found["resampled"], means.mean(axis=1), rtol=1e-13)
    ordered = np.sort(means, axis=1)  # the 26th and the 975th of 1,000 end the interval
    np.testing.assert_allclose(found["low"], ordered[:, 25], rtol=1e-13)
    np.testing.assert_allclose(found["high"], ordered[:, 974], rtol=1e-13)


def test_rounding_is_that_of_printf():
    rng = np.random.default_rng(2)
    values = np.concatenate(
        [rng.random(2_000), (rng.integers(0, 100_000, 2_000) + 0.5) / 1e5, [0.0, 1.0, np.nan]]
    )
    expected = [float(f"{value:.5f}") for value in values.tolist()]
    np.testing.assert_array_equal(round_like_printf(values), expected)
