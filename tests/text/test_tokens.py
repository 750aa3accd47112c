import unicodedata

import pytest

from classy_aesop.text.tokens import blank_any_script, blank_like_rouge, count_letters, describe_lost_letters


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
    assert blank_like_rouge(text).split() == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Café-Haus, ÉCOLE!", ["café", "haus", "école"]),
        ("Дом № 5_6", ["дом", "5", "6"]),
        ("हिन्दी में", ["हिन्दी", "में"]),  # vowel signs are marks, and stay
        ("北京 2008年, 東京で", ["北", "京", "2008", "年", "東", "京", "で"]),
        ("ที่นี่ 25๕", ["ที่", "นี่", "25๕"]),  # Thai letters keep their marks; digits stay together
        ("STRASSE Straße ΟΔΟΣ οδος İ", ["strasse", "strasse", "οδοσ", "οδοσ", "i\u0307"]),
        ("co\u00adoperate می\u200cخواهم a\u200bb", ["cooperate", "میخواهم", "a", "b"]),
        ("葛\U000e0100 葛", ["葛", "葛"]),  # a variant of a glyph
    ],
)
def test_unicode_tokens_by_hand(text, expected):
    assert blank_any_script(text).split() == expected


def test_every_byte_against_the_rules():
    for character in map(chr, range(256)):
        is_kept = character == "\n" or (character.isascii() and character.isalnum())
        assert blank_like_rouge(character) == (character.lower() if is_kept else " "), repr(character)


def test_letters_outside_ascii_are_counted():
    assert count_letters(["Café, 12!", "дом"]) == (4, 7)
    assert count_letters([]) == (0, 0)
    everything = [chr(code) for code in range(0x3000)]
    letters = [one for one in everything if one.isalpha()]
    assert count_letters(everything) == (len(letters) - 52, len(letters))


def test_lost_letters_are_described_above_a_twentieth():
    assert describe_lost_letters([(5, 60), (0, 40)]) == ""
    assert describe_lost_letters([(6, 60), (0, 40)]).startswith("6% of the letters are outside ASCII")
    assert describe_lost_letters([]) == ""


EVERY_CHARACTER = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]


@pytest.mark.slow
def test_equivalent_characters_give_the_same_tokens():
    for character in EVERY_CHARACTER:
        tokens = blank_any_script(f"x {character} y").split()
        for form in ("NFC", "NFD"):
            assert blank_any_script(unicodedata.normalize(form, f"x {character} y")).split() == tokens
        assert tokens == blank_any_script(" ".join(tokens)).split(), "a token is its own token"


@pytest.mark.slow
def test_ascii_tokens_are_those_of_rouge():
    text = "".join(map(chr, range(128))) + "The U.S. didn't pay $5. State-of-the-art"
    assert blank_any_script(text) == blank_like_rouge(text)
    assert blank_any_script(text + "é").split()[:-1] == blank_like_rouge(text).split()[:-1]


def test_scripts_without_blanks_by_their_names():
    """Letters of these scripts stand alone, and those of the others do not."""
    unspaced = (
        "HIRAGANA LETTER",
        "KATAKANA LETTER",
        "CJK UNIFIED",
        "THAI CHARACTER",
        "LAO LETTER",
        "KHMER LETTER",
    )
    spaced = (
        "LATIN",
        "CYRILLIC",
        "GREEK",
        "HANGUL SYLLABLE",
        "DEVANAGARI LETTER",
        "ARABIC LETTER",
        "ETHIOPIC SYLL",
    )
    for character in EVERY_CHARACTER[:0xD800]:
        name = unicodedata.name(character, "")
        if unicodedata.category(character) == "Lo" and name.startswith((*unspaced, "MYANMAR LETTER")):
            assert len(blank_any_script(f"{character}é").split()) == 2, name
        elif character.isalpha() and name.startswith(spaced):
            assert len(blank_any_script(f"{character}é").split()) == 1, name


def sentences_in(value):
    """Give the texts of a row of summaries, its references too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from sentences_in(part)
    elif isinstance(value, dict):
        for key in ("text", "summary", "references"):
            yield from sentences_in(value.get(key, []))
