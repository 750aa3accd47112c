import numpy as np
import pytest

from classy_aesop.features.sentences import (
    norm_redundancy,
    repeated_bigrams,
    repeated_sentences,
    repeated_trigrams,
)

FEATURES = [norm_redundancy, repeated_bigrams, repeated_sentences, repeated_trigrams]


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


@pytest.mark.parametrize("seed", range(5))
def test_repeated_ngrams_against_sets(values, seed):
    rng = np.random.default_rng(seed)
    texts = [rng.choice(list("abc"), rng.integers(0, 20)).tolist() for _ in range(8)]
    for n, function in ((2, repeated_bigrams), (3, repeated_trigrams)):
        ngrams = [list(zip(*(text[place:] for place in range(n)), strict=False)) for text in texts]
        expected = [1 - len(set(found)) / len(found) if found else 0 for found in ngrams]
        assert values(function, [[" ".join(text)] for text in texts]) == pytest.approx(expected)


@pytest.mark.parametrize("function", FEATURES)
def test_a_topic_without_summaries(values, function):
    assert values(function, []) == []
