import random
import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pytest

from classy_aesop.text.tokens import blank_like_rouge, word_list
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.text.written_texts import Writing, count_syllables

CAPITALIZED, OTHER = "C", "w"


_TREEBANK = {
    "``": "“",
    "''": "”",
    "-lrb-": "(",
    "-rrb-": ")",
    "-lcb-": "{",
    "-rcb-": "}",
    "-lsb-": "[",
    "-rsb-": "]",
}


_PLANE = 0x10000  # a character class with many characters above it is slow


_PICTOGRAPHS = "\U0001f000-\U0001faff"


class Sentence(NamedTuple):
    """The words of a sentence, and its shape: its marks, with `CAPITALIZED` or `OTHER` in place of each word."""

    words: list[str]
    shape: str


def as_written(sentence: str) -> Sentence:
    """Find the words and the shape of a sentence."""
    words, shape = [], []
    for piece in _pieces().finditer(sentence):
        word = piece[1]
        if word is None:
            shape.append(_TREEBANK.get(piece[0].lower(), piece[0]))
        else:
            words.append(word)
            shape.append(CAPITALIZED if word[0].isupper() else OTHER)
    return Sentence(words, "".join(shape))


@lru_cache(maxsize=1)
def _pieces() -> re.Pattern[str]:
    """Pattern that matches a mark, or matches and captures a word."""
    every = map(chr, range(_PLANE))
    mark = re.escape("".join(one for one in every if unicodedata.category(one)[0] in "PS")) + _PICTOGRAPHS
    letter = rf"[^\s{mark}]"
    inner = rf"['’](?={letter})|(?<=\d)[.,](?=\d)|(?<=\b\w)\.(?=\w\b)"
    return re.compile(rf"-[LRlr][RCSrcs][Bb]-|``|''|({letter}(?:{letter}|{inner})*)|[{mark}]")


def written(texts, vocabulary=None):
    vocabulary = Vocabulary(blank_like_rouge) if vocabulary is None else vocabulary
    return Writing(vocabulary.read(texts))


def shapes_of(writing):
    """The words and the shape of each sentence, as lists of sentences a text."""
    items, found = writing.items, [[] for _ in range(writing.n_texts)]
    words = iter([writing.chunks.types.words.spellings[number] for number in items.word_type])
    sentences = np.split(items.mark, writing.first_items[1:])
    for marks, text in zip(sentences, items.text_of_sentence, strict=False):
        own = [next(words) if mark == 0 else None for mark in marks]
        shape = "".join(
            chr(mark) if word is None else "C" if word[0].isupper() else "w"
            for mark, word in zip(marks, own, strict=True)
        )
        found[text].append(([word for word in own if word is not None], shape))
    return found


PIECES = [
    *"aAé._,'’`-\"(;:!?1٣ \n\t\u00a0\u0301。🙂𝒜Ǆ\x01\x00\ud800",
    *["``", "''", "-LRB-", "-rrb-", "-lsB-", "-RRB", "U.S.", "3,000", "don't", "...", "The", "x._", "_.x"],
    "  ",
]


@pytest.mark.parametrize("seed", range(40))
def test_words_and_marks_against_a_regular_expression(seed):
    rng = random.Random(seed)
    pieces = rng.sample(PIECES, rng.randint(2, len(PIECES)))
    texts = [
        ["".join(rng.choices(pieces, k=rng.randint(0, 12))) for _ in range(rng.randint(0, 4))]
        for _ in range(5)
    ]
    expected = [
        [(words, shape) for words, shape in map(as_written, text) if words]
        for text in ([sentence.translate({0: "\x7f", 1: "\x7f"}) for sentence in text] for text in texts)
    ]
    # A mark beyond the first plane has one number for all.
    assert [
        [(words, shape.replace("\U00010000", "🙂")) for words, shape in text]
        for text in shapes_of(written(texts))
    ] == expected


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, ["the", "be", "cakes", "walked", "changed", "world", "tree", "don't", "they're", "1998", "bcd"]),
        (1, ["Дом", "naïf", "crème", "'x'"]),
        (2, ["cafe\u0301", "café", "table", "bottled", "houses", "boxes", "wanted", "agreed", "people"]),
        (2, ["über", "re-do"]),
        (3, ["beautiful", "résumés", "officials"]),
        (5, ["university"]),
    ],
)
def test_syllables_by_hand(number, words):
    assert {word: count_syllables(word) for word in words} == dict.fromkeys(words, number)


@pytest.mark.parametrize(("name", "separator"), [("pronouns.txt", None), ("connectives.txt", ",")])
def test_lists_hold_lower_case_entries_of_at_most_four_words(name, separator):
    entries = word_list(name, separator)
    assert len(entries) >= 20
    assert all(entry == " ".join(entry.lower().split()) and len(entry.split()) <= 4 for entry in entries)
