from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from classy_aesop import Corpus, read_corpus, read_scores
from classy_aesop.baselines.divergence import divergence, jensen_shannon, js_s3
from classy_aesop.data import KEYS
from classy_aesop.errors import InputError


def test_a_divergence_by_hand(topic_of, values_of):
    # P = (1/2, 1/2, 0), Q = (1/2, 0, 1/2), A = (1/2, 1/4, 1/4): each KL is 1/2 log2 2.
    found = values_of(jensen_shannon, topic_of("a b", references=("a c",)))
    assert found.loc["1"].to_dict() == pytest.approx({"JS-1": -0.5, "JS-2": -1.0})
    natural = values_of(jensen_shannon, topic_of("a b", references=("a c",)), base="e")
    assert natural.loc["1", "JS-1"] == pytest.approx(-0.5 * np.log(2))


def test_averaged_references_by_hand(topic_of, values_of):
    # Q is the mean of (1/2, 1/2) and (1, 0), each reference with the same weight whatever its length.
    topic = topic_of("a", references=("a b", "a a a a"))
    expected = jensenshannon([1, 0], [3 / 4, 1 / 4], base=2) ** 2
    assert values_of(jensen_shannon, topic).loc["1", "JS-1"] == pytest.approx(-expected)
    each = values_of(jensen_shannon, topic, against="each")
    assert each.loc["1", "JS-1"] == pytest.approx(-(jensenshannon([1, 0], [0.5, 0.5], base=2) ** 2) / 2)


def test_an_empty_reference_adds_nothing_to_the_mean(topic_of, values_of):
    with_empty = topic_of("a b", references=("a c", ""))
    assert values_of(jensen_shannon, with_empty).loc["1", "JS-1"] == pytest.approx(-0.5)
    assert values_of(jensen_shannon, with_empty, against="each").loc["1", "JS-1"] == pytest.approx(-0.75)


@pytest.mark.parametrize("base", ["2", "e"])
@pytest.mark.parametrize("seed", range(5))
def test_divergence_against_scipy(base, seed):
    rng = np.random.default_rng(seed)
    P, Q = rng.dirichlet(np.full(9, 0.3), size=(2, 20))
    P[rng.random(P.shape) < 0.3] = 0
    P = P / P.sum(axis=1, keepdims=True)
    expected = [jensenshannon(p, q, base={"2": 2, "e": np.e}[base]) ** 2 for p, q in zip(P, Q, strict=True)]
    np.testing.assert_allclose(divergence(P, Q, base), expected, atol=1e-12)


def test_divergence_is_symmetric_and_bounded():
    P, Q = np.random.default_rng(1).dirichlet(np.ones(6), size=(2, 50))
    np.testing.assert_allclose(divergence(P, Q), divergence(Q, P), atol=1e-15)
    assert (divergence(P, P) == 0).all()
    assert ((divergence(P, Q) > 0) & (divergence(P, Q) < 1)).all()
    assert divergence(np.array([1.0, 0.0]), np.array([0.0, 1.0])) == 1.0


def test_bigrams_of_a_corpus_against_scipy(corpora):
    corpus = corpora["2021"].select(tasks=["A"])
    table = jensen_shannon(
        corpus, jackknife=False, lengths=[2], base="e", against="each", tokenizer="unicode"
    )
    found = table.set_index(["topic", "summarizer"])["score"]
    for topic in corpus.topics[:2]:
        texts = {one.summarizer: _bigrams(one.text) for one in topic.references}
        for one in topic.summaries[:3]:
            own = _bigrams(one.text)
            each = [_distance(own, texts[name]) for name in texts if name != one.summarizer]
            assert found[topic.topic, one.summarizer] == pytest.approx(-np.mean(each))


def _bigrams(text):
    from classy_aesop.text.tokens import tokens

    words = [word for sentence in text for word in tokens(sentence, "unicode")]
    return Counter(pairwise(words))


def _distance(first, second):
    types = sorted(first | second)
    return jensenshannon([first[one] for one in types], [second[one] for one in types]) ** 2


@pytest.mark.parametrize(("option", "value"), [("against", "models"), ("base", "10")])
def test_unknown_choices_are_refused(option, value):
    with pytest.raises(InputError, match=f"{option} is '{value}'; expected one of"):
        jensen_shannon([], jackknife=False, **{option: value})


def test_documents_are_read_from_json_lines(tmp_path):
    row = {"instance_id": "T", "summarizer_id": "1", "summary": {"text": "a b"}}
    corpus = Corpus.from_records([{**row, "references": {"A": "x"}, "documents": ["a c", ["a", "c"]]}])
    table = jensen_shannon(corpus, jackknife=False, against="documents", lengths=[1])
    assert table["score"].tolist() == pytest.approx([-0.5])


def test_s3_variant_against_published_scores(shared):
    folder = shared / "data" / "realsumm"
    found = js_s3(read_corpus(folder), jackknife=False, lengths=[2])
    both = found.merge(read_scores(folder / "scores_js2.jsonl"), on=KEYS, suffixes=("", "_published"))
    assert len(both) == 2400
    assert both["score"].corr(both["score_published"]) > 0.995
    difference = (both["score"] - both["score_published"]).abs()
    # The stop words are another list, so equal only where it does not matter.
    assert (difference < 1e-12).mean() > 0.15
    assert difference.median() < 0.003
