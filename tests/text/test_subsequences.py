import numpy as np
import pytest

from classy_aesop.text import ngrams, subsequences
from classy_aesop.text.ngrams import Sequences
from classy_aesop.text.subsequences import WEIGHT, Lines, SentencePairs, long_hit_bits
from classy_aesop.text.terms import term_ids
from classy_aesop.text.vocabulary import Vocabulary


def plain_hits(reference, sentence, power):
    """Places of the reference's words on the way back, by the recursion as it stands in Lin (2004)."""
    m, n = len(reference), len(sentence)
    c, k = np.zeros((2, m + 1, n + 1))
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            if reference[i - 1] == sentence[j - 1]:
                k[i, j] = k[i - 1, j - 1] + 1
                c[i, j] = c[i - 1, j - 1] + k[i, j] ** power - k[i - 1, j - 1] ** power
            else:
                c[i, j] = max(c[i - 1, j], c[i, j - 1])
    found, i, j = set(), m, n
    while i and j:
        if reference[i - 1] == sentence[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif c[i - 1, j] >= c[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return found


@pytest.mark.parametrize("seed", range(8))
def test_one_long_sentence_against_plain_tables(seed):
    rng = np.random.default_rng(seed)
    read, *others = (rng.integers(4, size=n).tolist() for n in (60, 0, 1, 9, 30))
    for words, bits in zip(others, long_hit_bits(read, others), strict=True):
        assert {place for place in range(60) if bits >> place & 1} == plain_hits(read, words, 1)


def some_text(rng, n_letters, n_words):
    letters = list("abcdefghijklmnop"[:n_letters])
    return [" ".join(rng.choice(letters, rng.integers(0, n_words))) for _ in range(rng.integers(0, 4))]


@pytest.mark.slow(after=22)
@pytest.mark.parametrize("power", [1.0, WEIGHT])
@pytest.mark.parametrize("seed", range(25))
def test_hits_against_plain_tables(seed, power, monkeypatch):
    rng = np.random.default_rng(seed)
    if seed % 2:
        monkeypatch.setattr(subsequences, "_LARGEST_BATCH", 1)
    n_letters, n_words = rng.integers(2, 16), rng.integers(2, 80 if seed % 5 == 0 else 15)
    references, summaries = (
        [some_text(rng, n_letters, n_words) for _ in range(rng.integers(1, 4))] for _ in range(2)
    )
    ids = term_ids(references + summaries, Vocabulary(str.lower))
    n = len(references)
    hits = SentencePairs(ids.part(0, n), ids.after(n)).hits(power)
    assert hits.shape == (len(summaries), sum(len(line.split()) for text in references for line in text))
    for summary, found in zip(summaries, hits, strict=True):
        start = 0
        for line in (line.split() for text in references for line in text):
            expected = set().union(*(plain_hits(line, other.split(), power) for other in summary))
            assert set(np.flatnonzero(found[start : start + len(line)])) == expected
            start += len(line)


def lines_of(reference, summary):
    ids = term_ids([reference, summary], Vocabulary(str.lower))
    unigrams = ngrams.NgramCounts(
        *(np.bincount(ids.part(i, i + 1).term, minlength=ids.n_terms)[None] for i in (1, 0))
    )
    return Lines(ids, slice(0, 1), ids.part(1, 2), unigrams)


def test_a_word_counts_as_often_as_both_have_it_by_hand():
    # "budget" stands in all three sentences, "plan" in one; the summary has each once.
    lines = lines_of(["the budget was new", "the budget plan failed", "a budget again"], ["budget plan"])
    assert lines.subsequences.tolist() == [[2.0]]
    # Runs are those of unclipped hits: "budget" alone, then "plan", whose run began at a clipped word.
    assert lines.weighted_subsequences.tolist() == [[2.0]]


def test_a_run_that_ends_clipped_counts_in_l_alone_by_hand():
    # Both words of "c a" are hit, but the one "a" of the summary is spent: the run of "c" never ends.
    lines = lines_of(["a", "c a"], ["c a"])
    assert lines.subsequences.tolist() == [[2.0]]
    assert lines.weighted_subsequences.tolist() == [[1.0]]


def test_skip_pairs_by_hand():
    found = Sequences(term_ids([["a x1 x2 x3 x4 b y"], ["a b y a"]], Vocabulary(str.lower)), 1).skip_pairs
    assert found.reference_totals.tolist() == [6 + 5 + 4 + 3 + 2 + 1 - 1]  # all pairs but (a, y)
    assert found.clipped_hits.tolist() == [[2]]  # (a, b) and (b, y)


@pytest.mark.parametrize("power", [1, WEIGHT])
def test_great_ids_change_nothing(power):
    """Ids of words that need more than 16 bits: 65,536 apart, so that they would be taken for each other."""
    rng = np.random.default_rng(5)
    first, second = (rng.integers(0, 4, size=(9, 30)) for _ in range(2))
    small = subsequences._directions(first, second, power)
    np.testing.assert_array_equal(subsequences._directions(first << 16, second << 16, power), small)
