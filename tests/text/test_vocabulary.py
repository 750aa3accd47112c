"""Words numbered chunk by chunk, against splitting and a dictionary."""

import numpy as np
import pytest

from classy_aesop.text import vocabulary as room
from classy_aesop.text.stems import stem
from classy_aesop.text.term_ids import term_ids
from classy_aesop.text.tokens import TOKENIZERS, blank_stop_words
from classy_aesop.text.vocabulary import Vocabulary

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


@pytest.mark.slow(after=5)
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
