import random

import numpy as np
import pytest

from classy_aesop.text.tokens import rouge_blanked, word_list
from classy_aesop.text.vocabulary import Vocabulary
from classy_aesop.text.writing import Writing, syllables
from tests.text.plain_writing import as_written


@pytest.mark.parametrize(
    ("text", "words", "shape"),
    [
        ("It cost $3,000.50 .", ["It", "cost", "3,000.50"], "Cw$w."),
        ("The U.S.-led team", ["The", "U.S", "led", "team"], "CC.-ww"),
        ("don't o’clock 'tis dogs'", ["don't", "o’clock", "tis", "dogs"], "ww'ww'"),
        ("`` No , '' he said", ["No", "he", "said"], "“C,”ww"),
        ("-LRB- CNN -rrb-", ["CNN"], "(C)"),
        ("end.The next,one", ["end", "The", "next", "one"], "w.Cw,w"),
        ("CAFÉ Élan हिन्दी।", ["CAFÉ", "Élan", "हिन्दी"], "CCw।"),
        ("你好,世界。 🙂", ["你好", "世界"], "w,w。🙂"),
        ("a_b e-mail", ["a", "b", "e", "mail"], "w_ww-w"),
        ("... -- !", [], "...--!"),
        ("", [], ""),
    ],
)
def test_words_and_shape_by_hand(text, words, shape):
    assert as_written(text) == (words, shape)


def written(texts, vocabulary=None):
    vocabulary = Vocabulary(rouge_blanked) if vocabulary is None else vocabulary
    return Writing(vocabulary.read(texts))


def shapes_of(writing):
    """The words and the shape of each sentence, as lists of sentences a text."""
    items, found = writing.items, [[] for _ in range(writing.n_texts)]
    words = iter([writing.chunks.types.words.spelled[number] for number in items.word_type])
    for sentence, text in enumerate(items.text_of_sentence):
        marks = items.mark[items.sentence == sentence]
        own = [next(words) if mark == 0 else None for mark in marks]
        shape = "".join(
            chr(mark) if word is None else "C" if word[0].isupper() else "w"
            for mark, word in zip(marks, own, strict=True)
        )
        found[text].append(([word for word in own if word is not None], shape))
    return found


PIECES = [
    *"aAé._,'’`-\"(;:!?1٣ \n\t\u00a0\u0301。🙂𝒜Ǆ\x01\x00\ud800",
    *(
        "``",
        "''",
        "-LRB-",
        "-rrb-",
        "-lsB-",
        "-RRB",
        "U.S.",
        "3,000",
        "don't",
        "...",
        "The",
        "  ",
        "x._",
        "_.x",
    ),
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


def test_numbers_of_words_and_means_by_hand():
    writing = written([["One two.", "...", "Three"], [], ["!"], ["1 2 3 a"]])
    assert writing.n_words.tolist() == [3, 0, 0, 4]
    assert writing.n_sentences.tolist() == [2, 0, 0, 1]
    assert writing.per_sentence(np.array([True, False, True])).tolist() == [0.5, 0, 0, 1]
    assert writing.per_word(len).tolist() == [11 / 3, 0, 0, 1]
    assert writing.per_word(len, among=str.isalpha).tolist() == [11 / 3, 0, 0, 1]
    assert writing.openings(np.arange(3), 2) == ["One two", "Three", "1 2"]
    assert written([]).per_word(len).tolist() == []


def test_values_are_computed_once_a_word():
    asked, vocabulary = [], Vocabulary(rouge_blanked)

    def value(word):
        asked.append(word)
        return 1

    for texts in ([["a b a"], ["b"]], [["c a"], ["B"]]):
        written(texts, vocabulary).per_word(value)
    assert asked == ["a", "b", "c", "B"]


def test_nothing_is_looked_at_before_it_is_asked_for():
    assert "items" not in vars(written([["One."]]))


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
    assert {word: syllables(word) for word in words} == dict.fromkeys(words, number)


@pytest.mark.parametrize(("name", "separator"), [("pronouns.txt", None), ("connectives.txt", ",")])
def test_lists_hold_lower_case_entries_of_at_most_four_words(name, separator):
    entries = word_list(name, separator)
    assert len(entries) >= 20
    assert all(entry == " ".join(entry.lower().split()) and len(entry.split()) <= 4 for entry in entries)
