from collections import Counter
from itertools import chain

import numpy as np
import pytest

from classy_aesop.text import arrays, subsequences, weighted_subsequences
from classy_aesop.text.common_subsequences import CommonSubsequences
from classy_aesop.text.sentence_pairs import SentencePairs
from classy_aesop.text.weighted_subsequences import WEIGHT


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


def some_text(rng, n_letters, n_words):
    letters = list("abcdefghijklmnop"[:n_letters])
    return [" ".join(rng.choice(letters, rng.integers(0, n_words))) for _ in range(rng.integers(0, 4))]


def plain_runs(reference, summary, power):
    """Number of clipped hits, and the lengths of their runs, of a reference and a summary in sentences of words."""
    spent, n_hits, runs = Counter(), 0, []
    n_most = Counter(chain(*reference)) & Counter(chain(*summary))
    for words in reference:
        hits = set().union(*(plain_hits(words, other, power) for other in summary))
        length = 0
        for place in sorted(hits):
            is_kept = spent[words[place]] < n_most[words[place]]
            spent[words[place]] += is_kept
            n_hits += is_kept
            length += is_kept
            if is_kept and place + 1 not in hits:
                runs.append(length)
                length = 0
    return n_hits, runs


@pytest.mark.slow(after=22)
@pytest.mark.parametrize("seed", range(25))
def test_subsequences_against_plain_tables(seed, monkeypatch, read_topics):
    rng = np.random.default_rng(seed)
    if seed % 2:
        monkeypatch.setattr(weighted_subsequences, "_CELLS_TOGETHER", 1)
        monkeypatch.setattr(subsequences, "_COLUMNS_TOGETHER", 1)
    if seed % 3 == 0:  # every key collides with others
        monkeypatch.setattr(arrays, "hash_keys", lambda keys, bits: keys & 1)
    n_letters, n_words = rng.integers(2, 16), rng.integers(2, 130 if seed % 5 == 0 else 15)
    topics = [
        [[some_text(rng, n_letters, n_words) for _ in range(rng.integers(0, 4))] for _ in range(2)]
        for _ in range(3)
    ]
    lines = CommonSubsequences(SentencePairs(read_topics(topics)))
    expected = [
        [
            plain_runs([line.split() for line in reference], [line.split() for line in summary], power)
            for references, summaries in topics
            for summary in summaries
            for reference in references
        ]
        for power in (1.0, WEIGHT)
    ]
    assert lines.subsequences.tolist() == [n_hits for n_hits, _ in expected[0]]
    weights = [sum(length**WEIGHT for length in runs) for _, runs in expected[1]]
    np.testing.assert_allclose(lines.weighted_subsequences, weights, rtol=1e-14)


@pytest.fixture
def read_lines(read_topics):
    """Give the lines of a reference and a summary, each a list of sentences."""

    def read(reference, summary):
        return CommonSubsequences(SentencePairs(read_topics([([reference], [summary])])))

    return read


def test_a_word_counts_as_often_as_both_have_it_by_hand(read_lines):
    # "budget" stands in all three sentences, "plan" in one; the summary has each once.
    lines = read_lines(["the budget was new", "the budget plan failed", "a budget again"], ["budget plan"])
    assert lines.subsequences.tolist() == [2.0]
    # Runs are those of unclipped hits: "budget" alone, then "plan", whose run began at a clipped word.
    assert lines.weighted_subsequences.tolist() == [2.0]


def test_a_run_that_ends_clipped_counts_in_l_alone_by_hand(read_lines):
    # Both words of "c a" are hit, but the one "a" of the summary is spent: the run of "c" never ends.
    lines = read_lines(["a", "c a"], ["c a"])
    assert lines.subsequences.tolist() == [2.0]
    assert lines.weighted_subsequences.tolist() == [1.0]
