import numpy as np
import pytest

from classy_aesop.text.sentence_splitting import _make_punkt, split_any_script, split_by_rule, split_sentences


@pytest.mark.slow(after=2)
@pytest.mark.parametrize(
    "expected",
    [
        ["Mr. Lee met Dr. J. R. Smith.", "They spoke."],
        ["He lives in Washington, D.C.", "The house is old."],
        ["At 3 p.m. Monday the U.S. Senate met.", "Sales rose 3.5 percent to $1.2 million."],
        ['"It is late," he said.', '"Really?"', "Yes!"],
        ["She said: 'Go.'", "(They left.)", "Nobody stayed."],
        ["it ended on nov. 5 .", "was it the u.k. team ?", "the no. 8 won !"],
        ["The u.s. crew judged v. stiviano .", "Then it left ."],
        ["one word"],
    ],
)
def test_rule_by_hand(expected):
    assert split_by_rule(" ".join(expected)) == expected


WORDS = ("word", "Mr", "U.S", "a", "No", "dec", "3.5", "The", "\u00e9t\u00e9", "x_y", "--", "...")


MARKS = tuple(".?!,\"'()\u201d\xa0    \n\t")


@pytest.mark.slow(after=3)
@pytest.mark.parametrize("seed", range(8))
def test_cutting_first_against_punkt_alone(seed):
    rng = np.random.default_rng(seed)
    for _ in range(200):
        text = "".join(rng.choice([*WORDS, *MARKS], rng.integers(0, 14)))
        assert split_by_rule(text) == _make_punkt().tokenize(text)


def test_two_items_are_given():
    assert split_sentences(["One. Two.", "Three."]) == ["One. Two.", "Three."]


def test_one_item_is_split():
    assert (
        split_sentences(["One day. Two days."])
        == ["One day.", "Two days."]
        == split_sentences("One day. Two days.")
    )


def test_line_breaks_are_given():
    assert split_sentences("A headline\n\n One. Two.\r\n") == ["A headline", "One. Two."]


def test_given_is_never_split_and_split_always():
    assert split_sentences("One day. Two days.", "given") == ["One day. Two days."]
    assert split_sentences(["One day. Two", "days."], "split") == ["One day.", "Two days."]


@pytest.mark.parametrize("how", ["auto", "given", "split"])
@pytest.mark.parametrize("text", ["", " \n ", [], [""], ["", " "]])
def test_nothing_has_no_sentences(text, how):
    assert split_sentences(text, how) == []


def test_no_clock_stops_a_long_text(monkeypatch):
    """nltk from 3.10 stops its patterns after 5 seconds, and counts what is done between two matches."""
    redos = pytest.importorskip("nltk.redos")
    expected = ["a. " * 499 + "a."]
    assert split_by_rule("a. " * 500) == expected
    monkeypatch.setattr(redos, "DEFAULT_TIMEOUT", 1e-9)
    assert split_by_rule("a. " * 500) == expected  # decided before: only the marks are looked for


@pytest.mark.parametrize(
    "expected",
    [
        ["今天下雨了。", "你好吗？", "好！"],
        ["彼は「雨だ。」", "と言った。"],
        ["यह एक घर है।", "वह गया॥", "ठीक?"],
        ["هل ذهب؟", "نعم، ذهب."],
        ["وہ گیا۔", "کیا؟!", "ہاں"],
        ["Он ушёл…", "Она осталась.", "Да"],
        ["Он… ушёл.", "«Правда?»", "Да!"],
        ["好……", "再见。"],
        ["Wait…what.", "So…", "Yes."],
        ["Գնաց։", "Եկավ։"],
        ["３．５人です．", "はい"],
        ["Mr. Lee met Dr. J. R. Smith.", "They spoke."],
    ],
)
def test_marks_of_other_scripts_by_hand(expected):
    text = " ".join(expected)
    assert split_sentences(text, "split", "unicode") == expected
    assert split_sentences([text], "auto", "unicode") == expected


@pytest.mark.parametrize(
    "expected", [["今天下雨了。", "你好吗？", "好！"], ["彼は「雨だ。」", "と言った。"], ["好……", "再见。"]]
)
def test_sentences_without_blanks_between_them(expected):
    assert split_sentences("".join(expected), "split", "unicode") == expected


def test_marks_of_other_scripts_end_no_sentence_of_the_default_tokenizer():
    for text in ("今天下雨了。你好吗？", "He went… Away.", "यह एक घर है। वह गया।"):
        assert split_sentences(text) == split_by_rule(text) == [text]


@pytest.mark.slow(after=2)
@pytest.mark.parametrize("seed", range(4))
def test_any_script_splits_english_as_ever_and_loses_nothing(seed):
    rng = np.random.default_rng(seed)
    for _ in range(200):
        text = "".join(rng.choice([*WORDS, *MARKS], rng.integers(0, 14)))
        assert split_any_script(text) == split_by_rule(text.strip())
        foreign = "".join(rng.choice([*WORDS, *MARKS, "。", "…", "؟", "北", "」"], rng.integers(0, 14)))
        assert "".join("".join(split_any_script(foreign)).split()) == "".join(foreign.split())
