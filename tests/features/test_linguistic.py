import numpy as np
import pytest

from classy_aesop.features.counts import topic_counts
from classy_aesop.features.registry import FEATURES
from classy_aesop.features.sentences import (
    SentenceOverlaps,
    log_term_overlap,
    neg_log2_sentences,
    neg_sentence_entropy,
    norm_term_overlap,
    redundancy1,
    redundancy2,
    term_entropy,
)
from classy_aesop.text.vocabulary import Vocabulary

LINGUISTIC = [f.function for f in FEATURES.values() if f.kind == "linguistic" and f.group == "classic"]


def counts(*summaries):
    meets = np.zeros((len(summaries), 0), bool)
    return topic_counts(summaries, [], meets, vocabulary=Vocabulary(lambda text: text.replace(".", " ")))[0]


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


def test_one_sentence():
    topic = counts(["a b a c"])
    assert [f(topic)[0] for f in LINGUISTIC] == pytest.approx([0, 0, 0, 0, 1.5, 0, 0], abs=1e-15)


def test_two_sentences_have_no_second_redundancy():
    topic = counts(["a b c", "c d"])
    assert redundancy1(topic)[0] > 0
    assert redundancy2(topic)[0] == 0


@pytest.mark.parametrize(("k", "m"), [(2, 1), (3, 4), (5, 7)])
def test_identical_sentences(k, m):
    topic = counts([" ".join(map(str, range(m)))] * k)
    assert redundancy1(topic)[0] == redundancy2(topic)[0] == 0
    assert topic.once(SentenceOverlaps.of).squares[0, 0] == pytest.approx((k * m) ** 2)
    assert log_term_overlap(topic)[0] == pytest.approx(np.log2(1 + (k - 1) * m))
    assert norm_term_overlap(topic)[0] == pytest.approx(k - 1)
    assert neg_sentence_entropy(topic)[0] == pytest.approx(neg_log2_sentences(topic)[0])
    assert term_entropy(topic)[0] == pytest.approx(np.log2(m))


def test_sentences_without_a_token_do_not_count():
    one, other = counts(["a b", "b c"]), counts(["...", "a b", "", "b c", "."])
    for function in LINGUISTIC:
        assert function(one) == function(other)


@pytest.mark.parametrize("seed", range(5))
def test_a_summary_does_not_depend_on_its_neighbours(seed):
    rng = np.random.default_rng(seed)
    summaries = [random_summary(rng) for _ in range(6)]
    together = counts(*summaries)
    for number, summary in enumerate(summaries):
        alone = counts(summary)
        for function in LINGUISTIC:
            assert function(alone)[0] == pytest.approx(function(together)[number], rel=1e-12, abs=1e-12)
