"""Counts of n-grams against plain counters; ids of terms by hand."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from classy_aesop.text import arrays, pair_counts
from classy_aesop.text import vocabulary as room
from classy_aesop.text.ngrams import Ngrams
from classy_aesop.text.reference_sets import ReferenceSets
from classy_aesop.text.stems import stem
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.vocabulary import Vocabulary


def plain_unigrams(words):
    return Counter(words)


def plain_bigrams(words):
    return Counter(pairwise(words))


def plain_trigrams(words):
    return Counter(zip(words, words[1:], words[2:], strict=False))


def plain_fourgrams(words):
    return Counter(zip(words, words[1:], words[2:], words[3:], strict=False))


def plain_skip_pairs(words):
    return Counter(
        (words[i], words[j]) for i in range(len(words)) for j in range(i + 1, min(i + 6, len(words)))
    )


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


@pytest.mark.slow(after=18)
@pytest.mark.parametrize("seed", range(60))
def test_counts_against_counters(seed, monkeypatch, read_topics):
    rng = np.random.default_rng(seed)
    if seed % 2:
        monkeypatch.setattr(arrays, "_MAX_TABLE_SIZE", 0)
    if seed % 3 == 0:  # every key collides with others
        monkeypatch.setattr(arrays, "hash_keys", lambda keys, bits: keys & 1)
    if seed % 4 == 0:  # one reference in an integer
        monkeypatch.setattr(pair_counts, "_BITS_OF_SUMS", 9)
    max_references = 1 if seed % 5 == 0 else 4
    topics = [
        (some_texts(rng, rng.integers(max_references + 1), 30), some_texts(rng, rng.integers(6), 30))
        for _ in range(4)
    ]
    batch = read_topics([[[[" ".join(words)] for words in texts] for texts in topic] for topic in topics])
    ngrams = Ngrams(batch)
    meets = rng.random(batch.pairs.n_pairs) < 0.6
    sets = ReferenceSets.find_sets(batch.pairs, meets)
    kinds = (
        (ngrams.unigrams, plain_unigrams),
        (ngrams.bigrams, plain_bigrams),
        (ngrams.trigrams, plain_trigrams),
        (ngrams.fourgrams, plain_fourgrams),
        (ngrams.skip_bigrams, plain_skip_bigrams),
        (ngrams.skip_pairs, plain_skip_pairs),
    )
    for counts, plain in kinds:
        counters = [[list(map(plain, texts)) for texts in topic] for topic in topics]
        assert counts.totals.tolist() == [m.total() for references, _ in counters for m in references]
        pairs = [(x, m) for references, summaries in counters for x in summaries for m in references]
        assert counts.clipped_hits.tolist() == [(x & m).total() for x, m in pairs]
        assert counts.shared_types.tolist() == [len(x.keys() & m.keys()) for x, m in pairs]
        n_times = counts.values_of_entries(counts.n_times(sets), sets)
        n_references_with = counts.values_of_entries(counts.n_references_with(sets), sets)
        is_met = iter(meets)
        hits, weights = [], []
        for references, summaries in counters:
            for x in summaries:
                met = [m for m in references if next(is_met)]
                hits.append((x & sum(met, Counter())).total())
                weights.append(sum(len(x.keys() & m.keys()) for m in met))
        assert counts.sums_of_summaries(np.minimum(counts.summaries.count, n_times)).tolist() == hits
        assert counts.sums_of_summaries(n_references_with).tolist() == weights


def test_a_stop_word_of_the_only_reference_is_no_content_word_of_a_summary(read_topics):
    """*Follows* is a stop word, *follow* is none, and their stems are equal."""
    single = ([["it follows rain"]], [["follow rain rain"]])
    several = ([["it follows"], ["snow"]], [["follow snow"]])
    for topics in ([single], [single, several]):
        batch = read_topics(topics, Vocabulary(str.lower, stem))
        sets = ReferenceSets.find_sets(batch.pairs, np.ones(batch.pairs.n_pairs, bool))
        content_words = Ngrams(batch).content_words
        assert content_words.totals[0] == 1
        assert content_words.shared_types[0] == content_words.clipped_hits[0] == 1
        weights = content_words.values_of_entries(content_words.n_references_with(sets), sets)
        assert content_words.sums_of_summaries(weights)[0] == 1


def test_a_full_vocabulary_begins_anew(monkeypatch):
    monkeypatch.setattr(room, "_MAX_WORDS", 3)
    vocabulary = Vocabulary(str.lower)
    sizes = []
    for topic in range(6):
        assert term_ids([[f"w{topic} x y"]], vocabulary).term.tolist() == [0, 1, 2]
        sizes.append(len(vocabulary))
    assert sizes == [3, 4, 3, 4, 3, 4]
