"""Complete n-gram counts against a plain counter; stop words."""

from collections import Counter

import numpy as np
import pytest

from classy_aesop.text.ngrams import ngram_table
from classy_aesop.text.terms import term_ids
from classy_aesop.text.tokens import function_words, without
from classy_aesop.text.vocabulary import Vocabulary


def plain(texts, n, dropped=frozenset()):
    """Count with a dictionary; give rows of sorted counts, which do not depend on the order of columns."""
    counts = []
    for text in texts:
        words = " ".join(text).split()
        grams = [tuple(words[at : at + n]) for at in range(len(words) - n + 1)]
        counts.append(Counter(gram for gram in grams if not set(gram) <= dropped))
    types = sorted(set().union(*counts))
    return sorted(tuple(count[gram] for count in counts) for gram in types)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_all_counts_against_a_plain_counter(n, seed):
    rng = np.random.default_rng(seed)
    texts = [
        [" ".join(rng.choice(list("abcde"), rng.integers(0, 6))) for _ in range(rng.integers(0, 4))]
        for _ in range(6)
    ]
    table = ngram_table(term_ids(texts, Vocabulary(str.lower)), n)
    assert sorted(map(tuple, table.T.tolist())) == plain(texts, n)


def test_ngrams_of_dropped_words_only_are_left_out():
    texts = [["the house of the lord", "of the"], ["the of"], []]
    words = Vocabulary(str.lower)
    ids = term_ids(texts, words)
    tokens = " ".join(line for text in texts for line in text).split()
    table = ngram_table(ids, 2, dropped=np.isin(tokens, sorted(function_words())))
    assert sorted(map(tuple, table.T.tolist())) == plain(texts, 2, function_words())


def test_no_tokens_give_rows_of_nothing():
    assert ngram_table(term_ids([[], [""]], Vocabulary(str.lower)), 2).shape == (2, 0)


def test_stop_words_are_lower_case_tokens():
    assert {"the", "of", "t"} <= function_words()
    assert all(word.isalpha() and word == word.lower() for word in function_words())
    assert without("the cat\nof\nit", function_words()) == "cat\n\n"
