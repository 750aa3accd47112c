import numpy as np
import pytest

from classy_aesop.features.registry import FEATURES
from classy_aesop.features.sentences import (
    flow_near,
    flow_next,
    flow_order,
    norm_redundancy,
    repeated_bigrams,
    repeated_sentences,
    repeated_trigrams,
)
from classy_aesop.text.vocabulary import Vocabulary
from tests.features.counting import count_texts

LINGUISTIC = [f.function for f in FEATURES.values() if f.kind == "linguistic" and f.group == "classic"]


def counts(*summaries):
    meets = np.zeros((len(summaries), 0), bool)
    return count_texts(summaries, [], meets, vocabulary=Vocabulary(lambda text: text.replace(".", " ")))


def random_summary(rng):
    return [" ".join(rng.choice(list("abcdefgh"), rng.integers(0, 9))) for _ in range(rng.integers(0, 8))]


def plainly(sentences):
    """Formula by formula, for one summary."""
    words = [sentence.split() for sentence in sentences if sentence.split()]
    if not words:
        return [0.0] * 7
    terms = sorted({word for sentence in words for word in sentence})
    C = np.array([[sentence.count(term) for sentence in words] for term in terms])
    P = (C > 0).astype(float)
    X = P.T @ P
    sigma = np.linalg.svd(X, compute_uv=False)
    p, q = C.sum(axis=1) / C.sum(), C.sum(axis=0) / C.sum()
    over, roots = np.diagonal(X, 1), np.sqrt(np.diagonal(X))
    return [
        np.log2(1 + over.sum()),
        (over / (roots[1:] * roots[:-1])).sum(),
        (sigma[1:] ** 2).sum(),
        (sigma[2:] ** 2).sum(),
        -(p * np.log2(p)).sum(),
        -np.log2(len(words)),
        (q * np.log2(q)).sum(),
    ]


@pytest.mark.parametrize("seed", range(30))
def test_many_at_once_against_formulas(seed):
    rng = np.random.default_rng(seed)
    summaries = [random_summary(rng) for _ in range(rng.integers(0, 9))]
    topic = counts(*summaries)
    found = np.column_stack([function(topic) for function in LINGUISTIC])
    np.testing.assert_allclose(found, np.reshape([plainly(s) for s in summaries], (-1, 7)), atol=1e-10)


@pytest.mark.parametrize("sentences", [[], [""], ["...", "."]])
def test_empty_summary_is_zero(sentences):
    topic = counts(["a b", "b"], sentences)
    assert [function(topic)[1] for function in LINGUISTIC] == [0] * 7
    assert topic.summaries.n_tokens.tolist() == [3, 0]


def test_sentences_without_a_token_do_not_count():
    one, other = counts(["a b", "b c"]), counts(["...", "a b", "", "b c", "."])
    for function in LINGUISTIC:
        assert function(one) == function(other)


# cosines: first and second 1/sqrt(2), second and third 1/2, first and third 0
SENTENCES = ["a", "a b", "b c"]


FIRST, SECOND = 1 / np.sqrt(2), 1 / 2


def test_flow_by_hand(values):
    assert values(flow_next, [SENTENCES]) == pytest.approx([(FIRST + SECOND) / 2])
    assert values(flow_near, [SENTENCES]) == pytest.approx([(FIRST + SECOND) / 2.5])
    assert values(flow_order, [SENTENCES]) == pytest.approx([(FIRST + SECOND) / 6])


def test_order_of_sentences_counts(values):
    turned = [["a", "b c", "a b"]]
    assert values(flow_next, turned) == pytest.approx([SECOND / 2])
    assert values(flow_near, turned) == pytest.approx([(SECOND + FIRST / 2) / 2.5])
    assert values(flow_order, turned) == pytest.approx([SECOND / 2 - (FIRST + SECOND) / 3])


@pytest.mark.parametrize("function", [flow_next, flow_near, flow_order])
def test_one_sentence_or_none_does_not_flow(values, function):
    assert values(function, [["a b"], [], ["...", "a"]]) == [0, 0, 0]
    assert values(function, []) == []
    assert values(function, [["a", "b"], ["a", "a"]])[0] == 0


def test_repeated_sentences_by_hand(values):
    summaries = [["A b.", "a B!", "b a", "...", "A b"], ["a b", "a b c"], ["a b"], []]
    assert values(repeated_sentences, summaries) == [2 / 4, 0, 0, 0]


def test_repeated_ngrams_by_hand(values):
    # bigrams ab bc ca ab bc, trigrams abc bca cab abc: across sentences
    summaries = [["a b c", "a b c"], ["a b c"], ["a a a a"], ["a"], []]
    assert values(repeated_bigrams, summaries) == [2 / 5, 0, 2 / 3, 0, 0]
    assert values(repeated_trigrams, summaries) == [1 / 4, 0, 1 / 2, 0, 0]


def test_norm_redundancy_by_hand(values):
    # X = [[2, 0], [0, 1]]: 1 of 5; equal sentences: none; X = [[1, 0], [0, 1]]: half
    summaries = [["a b", "c"], ["a b", "b a"], ["a", "b"], ["a b c"], []]
    assert values(norm_redundancy, summaries) == pytest.approx([1 / 5, 0, 1 / 2, 0, 0], abs=1e-15)
