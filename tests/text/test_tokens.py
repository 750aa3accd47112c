import pytest

from classy_aesop.text.tokens import letter_counts, rouge_blanked, unicode_blanked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The U.S. didn't pay $5.", ["the", "u", "s", "didn", "t", "pay", "5"]),
        ("state-of-the-art -5 --", ["state", "of", "the", "art", "5"]),
        ("café ÉCOLE naïve", ["caf", "cole", "na", "ve"]),
        (
            "\ufb01rst \uff21\uff22 x\xb2 \u0663 \u212a",
            ["rst", "x"],
        ),  # str.lower() turns the last, the Kelvin sign, into k
        ("a\x0bb\fc_d", ["a", "b", "c", "d"]),
        ("", []),
        (" ... !? ", []),
    ],
)
def test_rouge_tokens_by_hand(text, expected):
    assert rouge_blanked(text).split() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café-Haus, ÉCOLE!", ["café", "haus", "école"]),
        ("Дом № 5_6", ["дом", "5", "6"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # vowel signs are marks, and stay
        ("北京 2008年", ["北京", "2008年"]),
    ],
)
def test_unicode_tokens_by_hand(text, expected):
    assert unicode_blanked(text).split() == expected


def test_every_byte_against_the_rules():
    for character in map(chr, range(256)):
        is_kept = character == "\n" or (character.isascii() and character.isalnum())
        assert rouge_blanked(character) == (character.lower() if is_kept else " "), repr(character)


def test_letters_outside_ascii_are_counted():
    assert letter_counts(["Café, 12!", "дом"]) == (4, 7)
    assert letter_counts([]) == (0, 0)
    everything = [chr(code) for code in range(0x3000)]
    letters = [one for one in everything if one.isalpha()]
    assert letter_counts(everything) == (len(letters) - 52, len(letters))
