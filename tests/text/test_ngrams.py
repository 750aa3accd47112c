"""Counts of n-grams against plain counters; ids of terms by hand."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from classy_aesop.text import arrays
from classy_aesop.text import vocabulary as room
from classy_aesop.text.ngrams import Sequences, ngram_table
from classy_aesop.text.terms import joined, term_ids
from classy_aesop.text.tokens import function_words, without
from classy_aesop.text.vocabulary import Vocabulary


def plain_unigrams(words):
    return Counter(words)


def plain_bigrams(words):
    return Counter(pairwise(words))


def plain_skip_bigrams(words):
    """The loop of ROUGE-1.5.5, which stops before the last word."""
    found = Counter()
    for i in range(len(words) - 1):
        found[words[i]] += 1
        for j in range(i + 1, min(i + 5, len(words) - 1) + 1):
            found[words[i], words[j]] += 1
    return found


def some_texts(rng, n_texts, n_words):
    letters = list("abcdefgh"[: rng.integers(1, 9)])
    return [list(rng.choice(letters, rng.integers(0, n_words))) for _ in range(n_texts)]


def counted(references, summaries):
    ids = term_ids([[" ".join(words)] for words in references + summaries], Vocabulary(str.lower))
    return Sequences(ids, len(references))


@pytest.mark.parametrize("seed", range(60))
def test_counts_against_counters(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    if seed % 2:
        monkeypatch.setattr(arrays, "_LARGEST_TABLE", 0)
    references, summaries = some_texts(rng, rng.integers(0, 5), 30), some_texts(rng, rng.integers(0, 6), 30)
    met = rng.random((len(summaries), len(references))) < 0.6
    found = counted(references, summaries)
    kinds = (
        (found.unigrams, plain_unigrams),
        (found.bigrams, plain_bigrams),
        (found.skip_bigrams, plain_skip_bigrams),
    )
    for ngrams, plain in kinds:
        X, M = list(map(plain, summaries)), list(map(plain, references))
        assert ngrams.reference_totals.tolist() == [m.total() for m in M]
        assert ngrams.clipped_hits.tolist() == [[(x & m).total() for m in M] for x in X]
        assert ngrams.shared_types.tolist() == [[len(x.keys() & m.keys()) for m in M] for x in X]
        pools = [sum((m for m, is_met in zip(M, row, strict=True) if is_met), Counter()) for row in met]
        assert ngrams.pooled_hits(ngrams.pooled(met)).tolist() == [
            (x & pool).total() for x, pool in zip(X, pools, strict=True)
        ]


def test_last_unigram_is_never_counted():
    skip_bigrams = counted([["a", "b", "c"]], [["c", "x"], ["x", "c"], ["a"], ["c"]]).skip_bigrams
    assert skip_bigrams.clipped_hits.ravel().tolist() == [0, 0, 0, 0]
    skip_bigrams = counted([["c", "a"]], [["c", "x"]]).skip_bigrams
    assert skip_bigrams.clipped_hits.ravel().tolist() == [1]


@pytest.mark.parametrize("seed", range(10))
def test_distinct_ngrams_against_sets(seed):
    rng = np.random.default_rng(seed)
    texts = some_texts(rng, rng.integers(0, 7), 30)
    ids = term_ids([[" ".join(words)] for words in texts], Vocabulary(str.lower))
    for n in (1, 2, 3):
        windows = [{tuple(words[i : i + n]) for i in range(len(words) - n + 1)} for words in texts]
        assert ids.n_distinct(n).tolist() == list(map(len, windows))


@pytest.mark.parametrize("seed", range(10))
def test_distinct_sentences_against_sets(seed):
    rng = np.random.default_rng(seed)
    texts = [[" ".join(rng.choice(["a", "b", "c"], rng.integers(0, 4))) for _ in range(7)] for _ in range(5)]
    ids = term_ids(texts, Vocabulary(str.lower))
    assert ids.n_distinct_sentences.tolist() == [len({*text} - {""}) for text in texts]


def test_stop_words_are_told_before_stemming():
    # "changes" is on ROUGE's list, "change" is not, and both have one stem.
    vocabulary = Vocabulary(str.lower, lambda token: token[:5])
    for _ in range(2):
        ids = term_ids([["change the"], [], ["changes", "on changes"], ["the changes change it"]], vocabulary)
        assert ids.term.tolist() == [0, 1, 0, 2, 0, 1, 0, 0, 3]
        assert ids.is_stop_word.tolist() == [False, True, True, True, True, True, True, False, True]
        assert ids.n_content_words.tolist() == [1, 0, 0, 1]
        assert ids.after(2).is_stop_word.tolist() == [True] * 3 + [True, True, False, True]
        assert joined([ids.after(3), ids.part(0, 2)]).n_content_words.tolist() == [1, 1, 0]


def test_pairs_do_not_cross_texts_but_sentences():
    ids = term_ids([["a b", "c d"], ["b", "c"], ["b"], ["c"]], Vocabulary(str.lower))
    assert Sequences(ids, 1).bigrams.clipped_hits.ravel().tolist() == [1, 0, 0]


def test_a_full_vocabulary_begins_anew(monkeypatch):
    monkeypatch.setattr(room, "_MOST_WORDS", 3)
    vocabulary = Vocabulary(str.lower)
    sizes = []
    for topic in range(6):
        assert term_ids([[f"w{topic} x y"]], vocabulary).term.tolist() == [0, 1, 2]
        sizes.append(len(vocabulary))
    assert sizes == [3, 4, 3, 4, 3, 4]


def plain_table(texts, n, dropped=frozenset()):
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
    assert sorted(map(tuple, table.T.tolist())) == plain_table(texts, n)


def test_stop_words_are_lower_case_tokens():
    assert {"the", "of", "t"} <= function_words()
    assert all(word.isalpha() and word == word.lower() for word in function_words())
    assert without("the cat\nof\nit", function_words()) == "cat\n\n"
