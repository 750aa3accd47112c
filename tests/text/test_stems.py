import json
from pathlib import Path

import pytest

from classy_aesop.text.stems import stem, stem_without_exceptions

STEMS = json.loads((Path(__file__).parents[1] / "oracles" / "rouge155_stems.json").read_text("utf-8"))[
    "stems"
]


def test_stems_against_rouge155():
    assert [stem(word) for word, _, _ in STEMS] == [expected for _, expected, _ in STEMS]


def test_stems_without_exceptions_against_rouge155():
    assert [stem_without_exceptions(word) for word, _, _ in STEMS] == [expected for *_, expected in STEMS]


@pytest.mark.parametrize("word", ["is", "was", "men", "1", "x9z"])
def test_three_letters_are_not_stemmed(word):
    assert stem(word) == word


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("agreements", "agreem"),
        ("sentimental", "sentim"),
        ("processionals", "process"),
        ("adoption", "adopt"),
        ("disagreement", "disagr"),
    ],
)
def test_step_4_is_a_cascade(word, expected):
    assert stem(word) == expected


@pytest.mark.parametrize(("word", "base"), [("better", "good"), ("best", "good"), ("children", "child")])
def test_irregular_forms_give_their_base(word, base):
    assert stem(word) == base


@pytest.mark.parametrize("word", ["ashes", "houses"])
def test_nouns_that_wordnet_2_lacks_are_stemmed_by_rule(word):
    assert stem(word) == stem_without_exceptions(word)


def test_of_a_noun_and_a_verb_the_verb_counts():
    # Both words stand in two lists of WordNet: testes with testis and testes, is with is and be.
    assert stem("testes") == "testes"
    assert stem("is", shortest=1) == "be"
