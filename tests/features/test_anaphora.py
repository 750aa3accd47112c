import pytest

from classy_aesop.features.writing import connective_openings, pronoun_openings, pronouns


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


@pytest.mark.parametrize("function", [pronouns, pronoun_openings, connective_openings])
def test_texts_without_words_are_zero(values, function):
    assert values(function, [[], ["..."]]) == [0, 0]
