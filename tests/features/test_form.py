import pytest

from classy_aesop.features.writing import (
    capital_runs,
    digits,
    punctuation_faults,
    uncapitalized_sentences,
    unclosed_sentences,
    unfinished_sentences,
)

FEATURES = [
    capital_runs,
    digits,
    punctuation_faults,
    uncapitalized_sentences,
    unclosed_sentences,
    unfinished_sentences,
]
SOUND = "All is well."


def shares(values, function, sentences):
    """Give the values of sentences, each alone and beside a sound one; the second is half the first."""
    alone = values(function, [[sentence] for sentence in sentences])
    assert values(function, [[sentence, SOUND] for sentence in sentences]) == [value / 2 for value in alone]
    return alone


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


@pytest.mark.parametrize("function", FEATURES)
def test_texts_without_words_are_zero(values, function):
    assert values(function, [[], ["..."], ["(", ""]]) == [0, 0, 0]
