import numpy as np
import pytest

from classy_aesop.features.content import bigrams, bigrams_p2p, coverage, coverage_p2p, r2, su4
from classy_aesop.features.counts import jackknifed, topic_counts
from classy_aesop.features.registry import FEATURES
from classy_aesop.text.vocabulary import Vocabulary

CONTENT = [f.function for f in FEATURES.values() if f.kind == "content" and f.group == "classic"]


def counts(summaries, references, meets=None):
    meets = np.ones((len(summaries), len(references)), bool) if meets is None else np.array(meets, bool)
    texts = [[text] for text in summaries], [[text] for text in references]
    return topic_counts(*texts, meets, vocabulary=Vocabulary(str.lower))[0]


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


def test_coverage_credits_each_bigram_by_its_share_of_references():
    topic = counts(["a b c"], ["a b", "a b c", "x y", "b c"])
    assert coverage(topic).tolist() == [2 / 4 + 2 / 4]


def test_reference_that_is_not_met_does_not_count():
    references = ["a b c", "c d"]
    topic = counts(["a b c d"] * 3, references, [[1, 0], [0, 1], [1, 1]])
    for function in CONTENT:
        alone = [function(counts(["a b c d"], [reference]))[0] for reference in references]
        both = function(counts(["a b c d"], references))[0]
        assert function(topic).tolist() == [*alone, both]


def test_no_reference_is_nan_even_for_an_empty_summary():
    for topic in (counts(["a b", ""], []), counts(["a b", ""], ["a b"], [[0], [0]])):
        assert all(np.isnan(function(topic)).all() for function in CONTENT)


@pytest.mark.parametrize("text", ["", "a", "x y z"])
def test_nothing_in_common_is_zero(text):
    assert [function(counts([text], ["a b c"])).tolist() for function in CONTENT] == [[0]] * 6


def test_reference_of_one_token_stays_among_the_references():
    topic = counts(["a b"], ["a b", "a"])
    assert r2(topic).tolist() == su4(topic).tolist() == [1]
    assert coverage(topic).tolist() == [0.5]
    assert r2(counts(["a b"], ["a"])).tolist() == [0]


@pytest.mark.parametrize("seed", range(8))
def test_order_of_references_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    summaries, references = random_texts(rng, 5), random_texts(rng, 4)
    order = rng.permutation(4)
    meets = rng.random((5, 4)) < 0.7
    one = counts(summaries, references, meets)
    other = counts(summaries, [references[i] for i in order], meets[:, order])
    for function in CONTENT:
        np.testing.assert_allclose(function(one), function(other), rtol=1e-14)


@pytest.mark.parametrize("seed", range(8))
def test_best_reference_lies_between_mean_and_pool(seed):
    rng = np.random.default_rng(seed)
    topic = counts(random_texts(rng, 6), random_texts(rng, 3))
    assert (bigrams_p2p(topic) >= topic.bigrams.clipped_hits.mean(axis=1)).all()
    assert (bigrams_p2p(topic) <= bigrams(topic)).all()
    assert (coverage(topic) <= coverage_p2p(topic)).all()
    assert (coverage_p2p(topic) <= bigrams_p2p(topic)).all()


@pytest.mark.parametrize("seed", range(5))
def test_jackknife_against_a_loop(seed):
    rng = np.random.default_rng(seed)
    summaries, references = random_texts(rng, 4), random_texts(rng, 3)
    is_human, meets = (
        np.array([0, 0, 1, 1], bool),
        np.array([[1, 1, 1], [1, 0, 1], [0, 1, 1], [1, 1, 1]], bool),
    )
    for function in CONTENT:
        found = jackknifed(function, counts(summaries, references, meets), is_human)
        sets = [[references[i] for i in range(3) if i != left_out] for left_out in range(3)]
        expected = np.mean([function(counts(summaries[:1], kept))[0] for kept in sets])
        assert found[0] == pytest.approx(expected, abs=1e-14)
        # people, and who meets only some references, are scored as they are
        np.testing.assert_array_equal(found[1:], function(counts(summaries, references, meets))[1:])
