"""Texts of many topics, read together, against those of each topic by itself: all numbers are equal to the bit."""

import random

import numpy as np
import pytest

from classy_aesop.text import arrays
from classy_aesop.text.common_subsequences import CommonSubsequences
from classy_aesop.text.ngram_graphs import Graphs
from classy_aesop.text.ngrams import Ngrams
from classy_aesop.text.pairs import Pairs
from classy_aesop.text.reference_sets import ReferenceSets
from classy_aesop.text.sentence_pairs import SentencePairs
from classy_aesop.text.tokens import blank_like_rouge
from classy_aesop.text.vocabulary import Vocabulary

KINDS = ("unigrams", "content_words", "bigrams", "trigrams", "fourgrams", "skip_bigrams", "skip_pairs")


def some_text(rng, words, n_longest):
    """Make a text, often empty or with sentences without words, and now and then one of more than 52 words."""
    sizes = [rng.choice([0, 1, 2, 5, n_longest]) for _ in range(rng.choice([0, 1, 2, 4]))]
    return [" ".join(rng.choice(words) for _ in range(size)) for size in sizes]


def some_topic(rng, words):
    n_longest = rng.choice([8, 120])
    n_references = rng.choice([0, 1, 1, 2, 4, 11])
    n_summaries = rng.choice([0, 1, 1, 3, 9])
    return tuple([some_text(rng, words, n_longest) for _ in range(n)] for n in (n_references, n_summaries))


def counts_of(batch, meets):
    """Everything that is counted of a batch, as arrays whose elements are pairs, summaries or references."""
    ngrams = Ngrams(batch)
    sets = ReferenceSets.find_sets(batch.pairs, meets)
    lines = CommonSubsequences(SentencePairs(batch))
    arrays_of_batch = [lines.subsequences, lines.weighted_subsequences, batch.n_tokens]
    for kind in KINDS:
        counts = getattr(ngrams, kind)
        arrays_of_batch += [counts.clipped_hits, counts.shared_types, counts.totals, counts.summaries.count]
        arrays_of_batch += [counts.values_of_entries(counts.n_times(sets), sets)]
        arrays_of_batch += [counts.values_of_entries(counts.n_references_with(sets), sets)]
    return arrays_of_batch


@pytest.mark.parametrize("seed", range(20))
def test_a_batch_counts_as_each_of_its_topics(seed, monkeypatch, read_topics):
    rng = random.Random(seed)
    if seed % 3 == 0:  # every key collides with others
        monkeypatch.setattr(arrays, "hash_keys", lambda keys, bits: keys & 1)
    if seed % 4 == 0:
        monkeypatch.setattr(arrays, "_MAX_TABLE_SIZE", 0)
    words = ["the", *(f"w{number}" for number in range(rng.choice([2, 4, 12, 60])))]
    topics = [some_topic(rng, words) for _ in range(rng.choice([2, 3, 7]))]
    vocabulary = Vocabulary(blank_like_rouge)
    meets = [
        np.array([rng.random() < 0.7 for _ in range(len(references) * len(summaries))], bool)
        for references, summaries in topics
    ]
    together = counts_of(read_topics(topics, vocabulary), np.concatenate(meets))
    alone = [
        counts_of(read_topics([topic], vocabulary), met) for topic, met in zip(topics, meets, strict=True)
    ]
    for values, parts in zip(together, zip(*alone, strict=True), strict=True):
        assert values.tobytes() == np.concatenate(parts).astype(values.dtype).tobytes()


@pytest.mark.parametrize("seed", range(5))
def test_graphs_of_a_batch_are_those_of_each_topic(seed):
    rng = random.Random(seed)
    topics = [some_topic(rng, ["the", "then", "Ünder", "a"]) for _ in range(6)]
    parts = []
    texts = []
    for references, summaries in topics:
        parts.append(Graphs([*references, *summaries], Pairs(*sizes_of([(references, summaries)]))))
        texts += [*references, *summaries]
    together = Graphs(texts, Pairs(*sizes_of(topics))).value_similarities
    assert together.tobytes() == np.concatenate([graphs.value_similarities for graphs in parts]).tobytes()


def sizes_of(topics):
    return np.array([list(map(len, topic)) for topic in topics], np.intp).reshape(-1, 2).T


def test_terms_keep_their_order_without_some_references(read_topics):
    batch = read_topics([([["a b"], ["c a d"]], [["d c e"]]), ([["x"]], [["x"]])])
    later = batch.select_references(np.array([False, True, True]))
    assert later.pairs.n_references.tolist() == [1, 1]
    assert later.n_reference_terms.tolist() == [3, 1]
    # a, c, d in the order of all references, then e of the summary; x of the other topic
    assert later.term.tolist() == [1, 0, 2, 2, 1, 3, 4, 4]
    assert Ngrams(later).unigrams.clipped_hits.tolist() == [2, 1]


def test_sums_over_pairs():
    pairs = Pairs(np.array([2, 0, 3]), np.array([1, 2, 1]))
    values = np.array([3.0, 4.0, 1.0, 7.0, 7.0])
    assert pairs.sum_pairs(values).tolist() == [7.0, 0.0, 0.0, 15.0]
    assert pairs.max_of_pairs(values).tolist() == [4.0, 0.0, 0.0, 7.0]
    summary, pair = pairs.find_first_max(values)
    assert summary.tolist() == [0, 3]
    assert pair.tolist() == [1, 3]
