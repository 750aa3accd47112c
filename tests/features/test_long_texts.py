"""Summaries of many sentences: the values of short ones, in time and memory that grow with the text."""

import time
import tracemalloc

import numpy as np
import pytest

from classy_aesop import Corpus, InputError, feature_table
from classy_aesop.baselines.scoring import score_baselines
from classy_aesop.data.checks import MOST_CHARACTERS
from classy_aesop.features import long_texts, overlaps
from classy_aesop.text.sentences import sentences

NAMES = ["classic", "flow", "repetition"]


def corpus_of(*texts):
    rows = [
        {"topic": "T", "summarizer": str(at), "text": text, "references": {"A": "The cat sat."}}
        for at, text in enumerate(texts)
    ]
    return Corpus.from_records(rows)


def drawn(n_sentences, n_words, *, length=6, seed=0):
    """Sentences of words that are drawn at random, every third of them the one before again."""
    words = np.random.default_rng(seed).integers(n_words, size=(n_sentences, length))
    words[2::3] = words[1::3][: len(words[2::3])]
    return [" ".join(f"w{word}x" for word in row) for row in words.tolist()]


@pytest.mark.parametrize("most_values", [1000, 3], ids=["all-values", "two-largest"])
@pytest.mark.parametrize(("n_sentences", "n_words"), [(40, 12), (40, 400), (33, 60), (2, 9)])
def test_long_summaries_have_the_values_of_short_ones(monkeypatch, n_sentences, n_words, most_values):
    corpus = corpus_of(drawn(n_sentences, n_words), ["w1x w2x.", "w2x w3x."], drawn(25, n_words, seed=1), [])
    expected = feature_table(corpus, names=NAMES)
    monkeypatch.setattr(overlaps, "MOST_SENTENCES", 1)
    monkeypatch.setattr(long_texts, "MOST_VALUES", most_values)
    found = feature_table(corpus, names=NAMES)
    numbers = expected.select_dtypes("number").columns
    np.testing.assert_allclose(found[numbers], expected[numbers], rtol=1e-9, atol=1e-9)


def test_sums_over_the_sentences_of_a_summary_do_not_depend_on_the_others():
    names = ["norm_term_overlap", "redundancy1", "redundancy2", "norm_redundancy", "flow_next", "flow_near"]
    texts = [drawn(30, 50, seed=seed) for seed in range(3)]
    together = feature_table(corpus_of(*texts), names=names)[names]
    for at, text in enumerate(texts):
        assert feature_table(corpus_of(text), names=names).loc[0, names].tolist() == together.loc[at].tolist()


@pytest.mark.parametrize("text", ["The cat sat. " * 10_000, drawn(10_000, 3000)], ids=["equal", "different"])
def test_ten_thousand_sentences_take_seconds_and_little_memory(text):
    """A table of all pairs would take 800 MB and minutes."""
    corpus = corpus_of(text)
    feature_table(corpus_of("The cat sat."), names=NAMES)  # what is loaded once
    tracemalloc.start()
    start = time.perf_counter()
    table = feature_table(corpus, names=NAMES)
    assert time.perf_counter() - start < 20
    assert tracemalloc.get_traced_memory()[1] < 200e6
    tracemalloc.stop()
    if text[0] == "T":
        assert table[["redundancy1", "redundancy2", "norm_redundancy"]].to_numpy().tolist() == [[0, 0, 0]]


def test_sentences_are_found_in_linear_time():
    """Words that may be abbreviations were looked for from the start of the text each time."""
    text = "Word7 ended with item4. " * 40_000
    start = time.perf_counter()
    assert len(sentences(text)) == 40_000
    assert time.perf_counter() - start < 10


def test_a_text_that_is_too_long_is_refused():
    corpus = corpus_of("." * (MOST_CHARACTERS + 1))
    for use in (feature_table, lambda corpus: score_baselines(corpus, ["ngram_graphs"], jackknife=False)):
        with pytest.raises(
            InputError, match="T 0: a text of 2,000,001 characters; expected 2,000,000 or less"
        ):
            use(corpus)
