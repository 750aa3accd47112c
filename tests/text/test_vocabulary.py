"""Words numbered chunk by chunk, against splitting and a dictionary."""

import random

import numpy as np
import pytest

from classy_aesop.text import vocabulary as room
from classy_aesop.text.stems import stem
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.tokens import TOKENIZERS, blank_any_script, blank_like_rouge, blank_stop_words
from classy_aesop.text.vocabulary import Vocabulary

CHUNKS = [
    *["a", "b.", "(c", "U.S.-led", "don't", "...", "é", "ΟΔΟΣ", "Σ"],
    " ",
    "\t",
    "\xa0",
    "\u0301",
    "x" * 20,
]


def some_chunks(rng):
    return [
        [
            rng.choice(["", " "]).join(rng.choices(CHUNKS, k=rng.randint(0, 9)))
            for _ in range(rng.randint(0, 4))
        ]
        for _ in range(rng.randint(1, 5))
    ]


@pytest.mark.parametrize("blanked", [blank_like_rouge, blank_any_script])
def test_tokens_of_chunks_are_those_of_the_whole_text(blanked):
    rng, vocabulary = random.Random(3), Vocabulary(blanked)
    for _ in range(60):
        texts = some_chunks(rng)
        numbers, lengths = vocabulary.read(texts).tokens()
        lines = [blanked(sentence).split() for text in texts for sentence in text]
        assert lengths.tolist() == list(map(len, lines))
        assert numbers.tolist() == [vocabulary[token] for line in lines for token in line]


def test_some_of_the_texts_are_as_they_are_alone():
    rng, vocabulary = random.Random(4), Vocabulary(blank_like_rouge)
    for _ in range(60):
        texts = some_chunks(rng)
        is_wanted = np.array([rng.random() < 0.6 for _ in texts], bool)
        selected = vocabulary.read(texts).select_texts(is_wanted)
        alone = vocabulary.read([text for text, wanted in zip(texts, is_wanted, strict=True) if wanted])
        assert selected.n_texts == alone.n_texts
        for name in ("chunk", "stops", "text_of_sentence", "letters"):
            assert getattr(selected, name).tolist() == getattr(alone, name).tolist()


def test_texts_without_chunks():
    for texts in ([], [[]], [["", " "]]):
        chunks = Vocabulary(blank_like_rouge).read(texts)
        assert chunks.chunk.tolist() == []
        assert chunks.items()[1].tolist() == np.zeros(sum(map(len, texts))).tolist()


PIECES = (
    *["a", "b", "aa", "The", "cats", "-", "7", "é", "ß", "İ", "дом", "北京", "में", "sixteen_letters_"],
    *("\n", "\n\n", " ", "  ", "\t", "\0", "\x1f", "\u2028", "\x85", "\xa0", "\ud800", "\U0001d7d8"),
    *("x" * n for n in (15, 16, 17)),
)


def some_texts(rng, pieces=PIECES):
    sizes = rng.integers(0, 5, size=rng.integers(0, 6))
    return [["".join(rng.choice(pieces, rng.integers(0, 40))) for _ in range(size)] for size in sizes]


def plain_ids(texts, blanked, stemmed):
    """Terms numbered as they are met, number of words of each sentence, and text of each sentence that has some."""
    numbers, terms, lengths, text_of = {}, [], [], []
    for text, sentences in enumerate(texts):
        for sentence in sentences:
            words = [stemmed(word) for word in blanked(sentence.replace("\n", " ")).split()]
            terms += [numbers.setdefault(word, len(numbers)) for word in words]
            if words:
                lengths.append(len(words))
                text_of.append(text)
    return terms, lengths, text_of, len(numbers)


@pytest.mark.parametrize("blanked", [*TOKENIZERS.values(), blank_stop_words])
@pytest.mark.parametrize("bits", [0, 2, 8, 18])
def test_ids_against_a_dictionary(blanked, bits, monkeypatch):
    """Whatever the number of slots: with one slot, almost every word is asked for each time."""
    monkeypatch.setattr(room, "_BITS", bits)
    rng, vocabulary = np.random.default_rng(5), Vocabulary(blanked, stem)
    alike = [["northeastern northeaster"]]  # in their first eight bytes
    for texts in (alike, *(some_texts(rng) for _ in range(30))):
        ids = term_ids(texts, vocabulary)
        found = ids.term.tolist(), ids.sentence_lengths.tolist(), ids.text_of_sentence.tolist(), ids.n_terms
        assert found == plain_ids(texts, blanked, stem)
