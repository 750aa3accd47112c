import random

import numpy as np
import pytest

from classy_aesop.text.terms import term_ids
from classy_aesop.text.tokens import letter_counts, rouge_blanked, unicode_blanked
from classy_aesop.text.vocabulary import Vocabulary, joined_chunks

PIECES = [
    "a",
    "b.",
    "(c",
    "U.S.-led",
    "don't",
    "...",
    " ",
    "\t",
    "\xa0",
    "é",
    "ΟΔΟΣ",
    "Σ",
    "\u0301",
    "x" * 20,
]


def some_texts(rng):
    return [
        [
            rng.choice(["", " "]).join(rng.choices(PIECES, k=rng.randint(0, 9)))
            for _ in range(rng.randint(0, 4))
        ]
        for _ in range(rng.randint(1, 5))
    ]


@pytest.mark.parametrize("blanked", [rouge_blanked, unicode_blanked])
def test_tokens_of_chunks_are_those_of_the_whole_text(blanked):
    rng, vocabulary = random.Random(3), Vocabulary(blanked)
    for _ in range(60):
        texts = some_texts(rng)
        numbers, lengths = vocabulary.read(texts).tokens()
        lines = [blanked(sentence).split() for text in texts for sentence in text]
        assert lengths.tolist() == list(map(len, lines))
        assert numbers.tolist() == [vocabulary[token] for line in lines for token in line]


def test_parts_and_parts_joined_again():
    rng, vocabulary = random.Random(4), Vocabulary(rouge_blanked)
    for _ in range(30):
        texts = some_texts(rng)
        whole = vocabulary.read(texts)
        for n in range(len(texts) + 1):
            both = joined_chunks([whole.part(0, n), whole.part(n, len(texts))])
            assert both.n_texts == whole.n_texts
            for name in ("chunk", "stops", "text_of_sentence"):
                assert getattr(both, name).tolist() == getattr(whole, name).tolist()
                part, alone = whole.part(min(1, n), n), vocabulary.read(texts[1:n])
                assert getattr(part, name).tolist() == getattr(alone, name).tolist()


def test_letters_are_those_of_the_texts():
    rng, vocabulary = random.Random(5), Vocabulary(rouge_blanked)
    for _ in range(30):
        texts = [*some_texts(rng), ["na\u00efve 9x, \u0434\u043e\u043c!", "e\u0301t\u00e9"]]
        chunks = vocabulary.read(texts)
        assert chunks.letters == letter_counts(sentence for text in texts for sentence in text)
    assert vocabulary.read([]).letters == (0, 0)


def test_a_chunk_is_read_once():
    asked = []

    def blanked(text):
        asked.append(text)
        return text

    vocabulary = Vocabulary(blanked)
    for texts in ([["a b a"], ["b"]], [["a", "c."]], [["c. b"]]):
        term_ids(texts, vocabulary)
    assert asked == ["a\nb", "c."]


def test_texts_without_chunks():
    for texts in ([], [[]], [["", " "]]):
        chunks = Vocabulary(rouge_blanked).read(texts)
        assert chunks.chunk.tolist() == []
        assert chunks.items()[1].tolist() == np.zeros(sum(map(len, texts))).tolist()
