import pytest

from classy_aesop.features.registry import FEATURES, sort_features
from classy_aesop.features.writing import (
    capital_runs,
    connective_openings,
    digits,
    monosyllables,
    pronoun_openings,
    pronouns,
    punctuation_faults,
    type_token_ratio,
    uncapitalized_sentences,
    unclosed_sentences,
    unfinished_sentences,
    word_length,
    word_syllables,
)

SOUND = "All is well."


def shares(values, function, sentences):
    """Give the values of sentences, each alone and beside a sound one; the second is half the first."""
    by_themselves = values(function, [[sentence] for sentence in sentences])
    assert values(function, [[sentence, SOUND] for sentence in sentences]) == [
        value / 2 for value in by_themselves
    ]
    return by_themselves


def test_unfinished_sentences_by_hand(values):
    finished = ["He left.", "“Left?”", "(Left!)", "He left . ''", "Left…", "他走了。", "वह गया।"]
    unfinished = ["He left", "He left the", "He left,", "(He left)", "He said:", "Left -"]
    assert shares(values, unfinished_sentences, finished) == [0] * len(finished)
    assert shares(values, unfinished_sentences, unfinished) == [1] * len(unfinished)


def test_unclosed_sentences_by_hand(values):
    closed = ["(a) [b] {c}", '"a" "b"', "`` a ''", "“a” «b»", "-LRB- a -RRB-", "it's dogs' 'a"]
    unclosed = ["(a", "a)", '"a', '"a" "b', "`` a", "“a", "«a", "a -RRB-", "(a]"]
    assert shares(values, unclosed_sentences, closed) == [0] * len(closed)
    assert shares(values, unclosed_sentences, unclosed) == [1] * len(unclosed)


def test_uncapitalized_sentences_by_hand(values):
    right = ["The end.", "“The end", "5 people", "Élan", "你好", "हिन्दी"]
    wrong = ["the end.", "“the end", "élan", "дом"]
    assert shares(values, uncapitalized_sentences, right) == [0] * len(right)
    assert shares(values, uncapitalized_sentences, wrong) == [1] * len(wrong)


def test_punctuation_faults_by_hand(values):
    right = [
        "A, b; c: d.",
        "A ... b",
        "A. . . b.",
        "Inc., a",
        "A?!",
        ".5 percent",
        "“A,” he",
        "A: (b)",
        "A....",
    ]
    wrong = ["A,, b", "A, . b", "A ;, b", "A..", ", a", ") a", "A:, b"]
    assert shares(values, punctuation_faults, right) == [0] * len(right)
    assert shares(values, punctuation_faults, wrong) == [1] * len(wrong)


def test_digits_by_hand(values):
    assert values(digits, [["On 3 May 1,998 B2B won"], ["३ a"], ["none"]]) == [3 / 6, 1 / 2, 0]


@pytest.mark.parametrize(
    ("sentence", "n"),
    [
        ("In Paris he met John Smith", 2),
        ("He met John", 0),
        ("In Paris, Rome", 0),
        ("“The Paris Opera House opened", 3),
        ("He saw New York and Los Angeles", 4),
        ("OIL PRICES RISE", 2),
        ("5 Big Apples", 2),
        ("Paris", 0),
    ],
)
def test_capital_runs_by_hand(values, sentence, n):
    assert values(capital_runs, [[sentence]]) == [n / len(sentence.split())]


@pytest.mark.parametrize("name", sort_features(["readability", "anaphora", "form"]))
def test_texts_without_words_are_zero(values, name):
    assert values(FEATURES[name].function, [[], ["..."], ["(", ""]]) == [0, 0, 0]


@pytest.mark.slow
def test_pronouns_by_hand(values):
    # he, them, this of 8 words
    assert values(pronouns, [["HE gave them the book.", "Is this it’s?"], ["She"], ["Дом"], []]) == [
        3 / 8,
        1,
        0,
        0,
    ]


@pytest.mark.parametrize(
    ("sentence", "opens"),
    [
        ("It rained.", 1),
        ("“It's late”", 1),
        ("THEY’RE here.", 1),
        ("Italy won.", 0),
        ("Did it rain?", 0),
        ("Он дома.", 0),
    ],
)
def test_pronoun_openings_by_hand(values, sentence, opens):
    assert values(pronoun_openings, [[sentence], [sentence, "...", "Nothing."]]) == [opens, opens / 2]


@pytest.mark.parametrize(
    ("sentence", "opens"),
    [
        ("But no.", 1),
        ("However, no.", 1),
        ("On the other hand, no.", 1),
        ("As a result", 1),
        ("As a resulting", 0),
        ("Button it.", 0),
        ("On the other side", 0),
        ("In fact’s way", 1),
        ("As, a result", 1),
        ("As", 0),
        ("In", 0),
    ],
)
def test_connective_openings_by_hand(values, sentence, opens):
    assert values(connective_openings, [[sentence, "Nothing."]]) == [opens / 2]


def test_words_by_hand(values):
    # letters 2, 9, 4; syllables 1, 3, 2; "3,000" has neither; o'clock has 6 letters and 2 syllables
    summaries = [["My beautiful café: 3,000!"], ["My beautiful café", "o’clock."]]
    assert values(word_length, summaries) == [15 / 3, 21 / 4]
    assert values(word_syllables, summaries) == [2, 2]
    assert values(monosyllables, summaries) == [1 / 3, 1 / 4]


def test_type_token_ratio_by_hand(values):
    assert values(type_token_ratio, [["The cat", "the cat ran"], ["a b"]]) == [3 / 5, 1]


def test_other_scripts(values):
    assert values(word_length, [["Дом стоит."]]) == [4]
    assert values(word_syllables, [["Дом стоит."]]) == [1]
