import pytest

from classy_aesop.text.lists import word_list
from classy_aesop.text.syllables import syllables
from classy_aesop.text.writing import Writing, as_written


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


def test_sums_and_means_by_hand():
    texts = [["One two.", "...", "Three"], [], ["!"], ["1 2 3 a"]]
    writing = Writing(texts)
    assert writing.n_words.tolist() == [3, 0, 0, 4]
    assert writing.total(lambda sentence: len(sentence.shape)).tolist() == [4, 0, 0, 4]
    assert writing.per_sentence(lambda sentence: len(sentence.words)).tolist() == [1.5, 0, 0, 4]
    assert writing.per_word(len).tolist() == [11 / 3, 0, 0, 1]
    assert writing.per_word(len, among=str.isalpha).tolist() == [11 / 3, 0, 0, 1]
    assert writing.per_word(int, among=str.isdigit).tolist() == [0, 0, 0, 2]
    assert Writing([]).per_word(len).tolist() == []


def test_nothing_is_looked_at_before_it_is_asked_for():
    assert "sentences" not in vars(Writing([["One."]]))


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
