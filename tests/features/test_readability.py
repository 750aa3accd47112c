import pytest

from classy_aesop.features.writing import monosyllables, type_token_ratio, word_length, word_syllables

FEATURES = [word_length, word_syllables, monosyllables, type_token_ratio]


def test_words_by_hand(values):
    # letters 2, 9, 4; syllables 1, 3, 2; "3,000" has neither; o'clock has 6 letters and 2 syllables
    summaries = [["My beautiful café: 3,000!"], ["My beautiful café", "o’clock."]]
    assert values(word_length, summaries) == [15 / 3, 21 / 4]
    assert values(word_syllables, summaries) == [2, 2]
    assert values(monosyllables, summaries) == [1 / 3, 1 / 4]


def test_type_token_ratio_by_hand(values):
    assert values(type_token_ratio, [["The cat", "the cat ran"], ["a b"]]) == [3 / 5, 1]


@pytest.mark.parametrize("function", FEATURES)
def test_texts_without_words_are_zero(values, function):
    assert values(function, [[], ["..."], ["", "!"]]) == [0, 0, 0]


def test_numbers_alone_have_neither_length_nor_syllables(values):
    assert [values(function, [["1998 2"]]) for function in FEATURES[:3]] == [[0]] * 3


def test_other_scripts(values):
    assert values(word_length, [["Дом стоит."]]) == [4]
    assert values(word_syllables, [["Дом стоит."]]) == [1]
