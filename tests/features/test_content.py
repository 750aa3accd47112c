from collections import Counter

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon

from classy_aesop.baselines.rouge import rouge
from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.features.content import (
    bigrams,
    bigrams_p2p,
    coverage,
    coverage_p2p,
    graph_similarity,
    js_divergence1,
    js_divergence2,
    r1,
    r3,
    r4,
    rl,
)
from classy_aesop.features.counts import score_by_jackknife
from classy_aesop.features.registry import FEATURES
from classy_aesop.features.table import feature_table
from classy_aesop.text.vocabulary import Vocabulary
from tests.features.counting import count_texts

CONTENT = [f.function for f in FEATURES.values() if f.kind == "content" and f.group == "classic"]


def counts(summaries, references, meets=None):
    meets = np.ones((len(summaries), len(references)), bool) if meets is None else np.array(meets, bool)
    texts = [[text] for text in summaries], [[text] for text in references]
    return count_texts(*texts, meets, vocabulary=Vocabulary(str.lower))


def random_texts(rng, n, most=25):
    return [" ".join(rng.choice(list("abcde"), rng.integers(0, most))) for _ in range(n)]


def test_coverage_of_itself_is_full():
    topic = counts(["a b c d"], ["a b c d"])
    assert [f(topic).tolist() for f in CONTENT] == [[1], [1], [3], [3], [3], [3]]


def test_coverage_and_bigrams_part_where_bigrams_repeat():
    topic = counts(["a b a b"], ["a b c a b"])
    assert bigrams_p2p(topic).tolist() == bigrams(topic).tolist() == [2]
    assert coverage_p2p(topic).tolist() == coverage(topic).tolist() == [1]


def test_pooled_bigrams_are_clipped_once():
    # "a b" stands once in each reference, so twice in the pool; the summary has it three times.
    topic = counts(["a b x a b x a b"], ["a b", "a b"])
    assert bigrams(topic).tolist() == [2]
    assert bigrams_p2p(topic).tolist() == [1]


def test_reference_that_is_not_met_does_not_count():
    references = ["a b c", "c d"]
    topic = counts(["a b c d"] * 3, references, [[1, 0], [0, 1], [1, 1]])
    for function in CONTENT:
        by_themselves = [function(counts(["a b c d"], [reference]))[0] for reference in references]
        both = function(counts(["a b c d"], references))[0]
        assert function(topic).tolist() == [*by_themselves, both]


def test_no_reference_is_nan_even_for_an_empty_summary():
    for topic in (counts(["a b", ""], []), counts(["a b", ""], ["a b"], [[0], [0]])):
        assert all(np.isnan(function(topic)).all() for function in CONTENT)


@pytest.mark.parametrize("seed", range(5))
def test_jackknife_against_a_loop(seed):
    rng = np.random.default_rng(seed)
    summaries, references = random_texts(rng, 4), random_texts(rng, 3)
    is_human, meets = (
        np.array([0, 0, 1, 1], bool),
        np.array([[1, 1, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]], bool),
    )
    for function in CONTENT:
        found = score_by_jackknife(function, counts(summaries, references, meets), is_human)
        sets = [[references[i] for i in range(3) if i != left_out] for left_out in range(3)]
        expected = np.mean([function(counts(summaries[:1], kept))[0] for kept in sets])
        assert found[0] == pytest.approx(expected, abs=1e-14)
        # people, and who meets only some references, are scored as they are
        np.testing.assert_array_equal(found[1:], function(counts(summaries, references, meets))[1:])


DIVERGENCES = [js_divergence1, js_divergence2]


def test_divergence_by_hand(values):
    # p = (1, 0), q = (1/2, 1/2): (log2(4/3) + log2(2/3) / 2 + 1/2) / 2
    expected = (np.log2(4 / 3) + np.log2(2 / 3) / 2 + 1 / 2) / 2
    assert values(js_divergence1, [["a"]], [["a b"]]) == pytest.approx([expected])
    # bigrams ab against ab and bc, of two references pooled
    assert values(js_divergence2, [["a b"]], [["a b"], ["b c"]]) == pytest.approx([expected])


@pytest.mark.parametrize("function", DIVERGENCES)
def test_divergence_from_itself_is_zero_and_from_nothing_one(values, function):
    summaries = [["a b c", "a b"], ["x y z"], [], ["a"]]
    assert values(function, summaries, [["a b c", "a b"]])[:3] == pytest.approx([0, 1, 1], abs=1e-15)
    assert values(function, summaries, [[]]) == [1, 1, 1, 1]
    assert np.isnan(values(function, summaries)).all()


def grams(text, n):
    return Counter(zip(*(text[place:] for place in range(n)), strict=False))


@pytest.mark.parametrize("seed", range(8))
def test_divergence_against_scipy(seed, values):
    rng = np.random.default_rng(seed)
    texts = [rng.choice(list("abcdef"), rng.integers(3, 20)).tolist() for _ in range(7)]
    for n, function in enumerate(DIVERGENCES, 1):
        pooled = sum((grams(text, n) for text in texts[4:]), Counter())
        found = values(function, *([[" ".join(text)] for text in part] for part in (texts[:4], texts[4:])))
        for value, text in zip(found, texts, strict=False):
            own = grams(text, n)
            both = [[counts[gram] for gram in own | pooled] for counts in (own, pooled)]
            assert value == pytest.approx(jensenshannon(*both, base=2) ** 2, abs=1e-12)


RECALLS = {"r1": r1, "r3": r3, "r4": r4, "rl": rl}


@pytest.mark.parametrize("seed", range(5))
def test_one_reference_against_the_baseline(seed):
    rng = np.random.default_rng(seed)

    def text():
        return tuple(" ".join(rng.choice(list("abc"), 6)) for _ in range(rng.integers(0, 4)))

    summaries = tuple(Summary(str(number), text()) for number in range(5))
    topic = Topic("2010", "D1", "A", summaries, (Reference("A", text()),))
    table = feature_table([topic], names=["rouge"])
    for name, metric in zip(RECALLS, ("ROUGE-1", "ROUGE-3", "ROUGE-4", "ROUGE-L"), strict=True):
        scores = rouge([topic], jackknife=False, metrics=[metric])["score"]
        np.testing.assert_allclose(table[name], scores, atol=1e-12)


def test_similarity_by_hand(values):
    # "abcd." and a line feed: 3-grams abc bcd cd. d.\n, 6 edges; "abc." has abc bc. c.\n, 3 edges, none of them there
    assert values(graph_similarity, [["abcd."]], [["abcd."], ["abc."]]) == [1 / 2]
    # "abcde": abc bcd cde de\n; "abcd": abc bcd cd\n shares the edge of abc and bcd, 1 of 6
    assert values(graph_similarity, [["abcd"]], [["abcde"]]) == pytest.approx([1 / 6])


def test_short_texts_have_no_graph_and_no_reference_is_nan(values):
    assert values(graph_similarity, [[], ["a"], ["abcd"]], [["abcd"], []]) == [0, 0, 1 / 2]
    assert np.isnan(values(graph_similarity, [["abcd"], []])).all()
