import json
from pathlib import Path

import pytest

from classy_aesop.text.stems import porter, stem, stem_without_exceptions

STEMS = json.loads((Path(__file__).parents[1] / "oracles" / "rouge155_stems.json").read_text("utf-8"))[
    "stems"
]


def test_stems_against_rouge155():
    assert [stem(word) for word, _, _ in STEMS] == [expected for _, expected, _ in STEMS]


def test_stems_without_exceptions_against_rouge155():
    assert [stem_without_exceptions(word) for word, _, _ in STEMS] == [expected for *_, expected in STEMS]


def test_of_a_noun_and_a_verb_the_verb_counts():
    # Both words stand in two lists of WordNet: testes with testis and testes, is with is and be.
    assert stem("testes") == "testes"
    assert stem("is", shortest=1) == "be"


@pytest.mark.parametrize("word", ["", "y", "is", "ye", "é", "Éé"])
def test_short_and_foreign_words_stay(word):
    assert porter(word) == word
