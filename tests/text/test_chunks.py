import random

import numpy as np
import pytest

from classy_aesop.text.chunks import joined_chunks
from classy_aesop.text.counts import Vocabulary, terms_of
from classy_aesop.text.tokens import rouge_blanked, unicode_blanked

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


def test_texts_after_others_and_joined_again():
    rng, vocabulary = random.Random(4), Vocabulary(rouge_blanked)
    for _ in range(30):
        texts = some_texts(rng)
        whole = vocabulary.read(texts)
        for n in range(len(texts) + 1):
            both = joined_chunks([vocabulary.read(texts[:n]), whole.after(n)])
            assert both.n_texts == whole.n_texts
            for name in ("chunk", "stops", "text_of_sentence"):
                assert getattr(both, name).tolist() == getattr(whole, name).tolist()


def test_a_chunk_is_read_once():
    asked = []

    def blanked(text):
        asked.append(text)
        return text

    vocabulary = Vocabulary(blanked)
    for texts in ([["a b a"], ["b"]], [["a", "c."]], [["c. b"]]):
        terms_of(vocabulary.read(texts), vocabulary)
    assert asked == ["a\nb", "c."]


def test_texts_without_chunks():
    for texts in ([], [[]], [["", " "]]):
        chunks = Vocabulary(rouge_blanked).read(texts)
        assert chunks.chunk.tolist() == []
        assert chunks.items()[1].tolist() == np.zeros(sum(map(len, texts))).tolist()
