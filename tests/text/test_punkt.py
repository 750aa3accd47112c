import json
import subprocess
import sys

import numpy as np
import pytest

from classy_aesop.text.punkt import split_by_punkt
from classy_aesop.text.sentence_splitting import split_by_rule
from classy_aesop.text.tokens import word_list

WORDS = (
    *("word", "Mr", "mr", "U.S", "a", "J", "no", "No.", "Dec", "3.5", "-5", "the", "The", "ph.d", "co-op"),
    *("Anglo-co.", "x_y", "wait..", "...", "\u00e9t\u00e9"),
)
MARKS = (*".?!,;:\"'()[]\u201c\u201d\xab\xbb-\xa0    \n\t", ". . .", "--", "?!")


@pytest.fixture(scope="module")
def nltk_punkt():
    """Nltk's tokenizer with this package's lists; versions before 3.10.4 know fewer closing marks."""
    pytest.importorskip("nltk", minversion="3.10.4")
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    parameters = PunktParameters()
    parameters.abbrev_types = word_list("abbreviations.txt")
    parameters.sent_starters = word_list("sentence_starters.txt")
    return PunktSentenceTokenizer(parameters)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_random_texts_against_nltk(seed, nltk_punkt):
    rng = np.random.default_rng(seed)
    for _ in range(300):
        parts = rng.choice([*WORDS, *MARKS], rng.integers(0, 16))
        text = "".join(part + " " * int(rng.integers(0, 2)) for part in parts)
        assert split_by_punkt(text) == split_by_rule(text) == nltk_punkt.tokenize(text)


def test_real_summaries_against_nltk(shared, nltk_punkt):
    for name in ("summeval", "realsumm"):
        lines = (shared / "data" / name / "summaries.jsonl").read_text("utf-8").splitlines()
        for line in lines[::16]:
            text = " ".join(json.loads(line)["summary"]["text"])
            assert split_by_punkt(text) == split_by_rule(text) == nltk_punkt.tokenize(text)


@pytest.mark.parametrize(
    "sentences",
    [
        ["Lee left.", "He returned."],
        ["Mr. Lee left."],
        ["He went to D.C.", "The rest stayed."],  # a sentence starter after an abbreviation
        ["He went to D.C. the next day."],
        ["J. K. Lee left."],  # initials
        ["It was Vitamin C.", "5 of them."],  # a number follows
        ["On May 5. then it rained."],
        ["On May 5.", "Then it rained."],
        ["He waited... and left."],
        ["He waited...", "The rest left."],
        ["He waited..", "The rest left."],
        ["the pro-gov. crowd left"],  # after the hyphen an abbreviation
        ['"Really?"', "Yes."],
        ["\u201cReally?\u201d", "Yes."],
        ["(They left.)", "Nobody stayed."],
        ["What?!", "Yes!"],
    ],
)
def test_rules_by_hand(sentences):
    assert split_by_punkt(" ".join(sentences)) == sentences


def test_blanks_have_no_sentence():
    assert split_by_punkt("") == split_by_punkt(" \n\t\xa0") == []


def test_words_too_long_to_cache_their_decision():
    word = "x" * 100
    assert split_by_punkt(f"{word}? {word}. {word}") == [f"{word}?", f"{word}.", word]


@pytest.mark.slow
def test_splitting_imports_no_nltk():
    code = (
        "import sys; from classy_aesop.text.sentence_splitting import split_sentences; "
        "print(split_sentences('Mr. Lee left. He returned.'), 'nltk' in sys.modules)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "['Mr. Lee left.', 'He returned.'] False\n"
