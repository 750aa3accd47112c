"""Stems as in ROUGE-1.5.5: the base form from WordNet 2.0's exception lists, or else Porter's stem.

``data/exceptions.txt`` holds the lists, each line with a base form and its inflected forms; its licence is in the same
folder.

The stemmer follows Martin Porter's own extended rules, but for step 4. Porter's step 4 removes the longest matching
suffix once. ROUGE-1.5.5 removes a suffix of a list with ``ement`` but without ``ment`` and ``ent``, then ``ment``, then
``ent`` or ``ion``, each from the result of the step before: *sentimental* becomes *sentim*, *disagreement* becomes
*disagr*. Every character that is not a vowel counts as a consonant, including digits. The rules are implemented here,
since nltk's treat the second y of *yyed* as a consonant and ROUGE-1.5.5 does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from importlib.resources import files
from typing import Literal

_MAX_CACHED_STEMS = 1 << 17


@lru_cache(maxsize=_MAX_CACHED_STEMS)
def stem(token: str, *, exceptions: bool = True, shortest: int = 4) -> str:
    """Stem a lower-cased token.

    Examples
    --------
    >>> stem("running"), stem("mice"), stem("mice", exceptions=False)
    ('run', 'mouse', 'mice')
    """
    if len(token) < shortest:
        return token
    base = _read_exceptions().get(token) if exceptions else None
    return porter(token) if base is None else base


def stem_without_exceptions(token: str) -> str:
    """Stem by Porter's rules alone, as ROUGE does without its exception list."""
    return stem(token, exceptions=False)


def stem_to_well(token: str) -> str:
    """Stem with exceptions, but *better* and *best* become *well*, as in some builds of the exception list."""
    return "well" if token in ("better", "best") else stem(token)


Stemming = Literal["exceptions", "well", "porter", "none"]
"""The name of a way to stem."""

STEMMERS: dict[str, Callable[[str], str] | None] = {
    "exceptions": stem,
    "well": stem_to_well,
    "porter": stem_without_exceptions,
    "none": None,
}
"""Ways to stem: with WordNet's exception list (ROUGE's ``-m``), the same with *better* and *best* to *well*, by
Porter's rules alone, not at all."""


@lru_cache(maxsize=1)
def _read_exceptions() -> dict[str, str]:
    """Read the base form of each inflected form."""
    lines = (files("classy_aesop.text") / "data" / "exceptions.txt").read_text(encoding="ascii").splitlines()
    return {form: base for base, *forms in map(str.split, lines) for form in forms}


_VOWEL = re.compile("[aeiouy]")


# [C](VC)^m[V] in Porter's notation. A y is a vowel after consonants and a consonant after vowels.
_CONSONANTS = "[^aeiou][^aeiouy]*"
_VOWELS = "[aeiouy][aeiou]*"
_MEASURE_1 = re.compile(f"({_CONSONANTS})?{_VOWELS}{_CONSONANTS}({_VOWELS})?")
_MEASURE_1_OR_MORE = re.compile(f"({_CONSONANTS})?{_VOWELS}{_CONSONANTS}")
_MEASURE_2_OR_MORE = re.compile(f"({_CONSONANTS})?({_VOWELS}{_CONSONANTS}){{2}}")
_SHORT_SYLLABLE = re.compile(f"{_CONSONANTS}[aeiouy][^aeiouwxy]")
_DOUBLED = re.compile(r"([^aeiouylsz])\1$")


class _EndingRules:
    """Replaces the longest matching ending, if the part before it has the required measure."""

    def __init__(self, endings: dict[str, str], measure: re.Pattern[str]) -> None:
        self.endings = dict(sorted(endings.items(), key=lambda pair: -len(pair[0])))
        self.any = tuple(endings)
        self.measure = measure

    @property
    def last_letters(self) -> set[str]:
        """The last letters of the endings."""
        return {ending[-1] for ending in self.endings}

    def apply(self, word: str) -> str:
        """Give the word with its ending replaced, if it has one."""
        if not word.endswith(self.any):  # true for most words; saves half of the time
            return word
        ending = next(ending for ending in self.endings if word.endswith(ending))
        stem = word[: -len(ending)]
        return stem + self.endings[ending] if self.measure.match(stem) else word


_STEP_2 = _EndingRules(
    {
        **{"ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble"},
        **{"alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate"},
        **{"ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful", "ousness": "ous"},
        **{"aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log"},
    },
    _MEASURE_1_OR_MORE,
)

_STEP_3 = _EndingRules(
    {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""},
    _MEASURE_1_OR_MORE,
)


def _remove_endings(endings: str) -> _EndingRules:
    """Make the rules of a step that removes endings, which are separated by blanks."""
    return _EndingRules(dict.fromkeys(endings.split(), ""), _MEASURE_2_OR_MORE)


_STEP_4 = _remove_endings("al ance ence er ic able ible ant ement ou ism ate iti ous ive ize")
_STEP_4_MENT = _remove_endings("ment")
_STEP_4_ENT = _remove_endings("ent")
_STEP_4_ION = _remove_endings("ion")
_RULES = (_STEP_2, _STEP_3, _STEP_4, _STEP_4_MENT, _STEP_4_ENT, _STEP_4_ION)

_LAST_LETTERS = frozenset("sdgyel").union(*(rules.last_letters for rules in _RULES))  # steps 1 and 5: sdgyel
"""The last letters of all endings: no step changes a word with another one, such as a number."""


def porter(word: str) -> str:
    """Stem of a lower-cased word; words of one or two characters are their own stem."""
    if len(word) < 3 or word[-1] not in _LAST_LETTERS:
        return word
    if word[0] == "y":  # an initial y is a consonant; in upper case no rule treats it as a vowel
        return "y" + porter("Y" + word[1:])[1:]
    word = _STEP_3.apply(_STEP_2.apply(_step_1(word)))
    word = _STEP_4_MENT.apply(_STEP_4.apply(word))
    word = _STEP_4_ION.apply(word) if word.endswith(("sion", "tion")) else _STEP_4_ENT.apply(word)
    return _step_5(word)


def _step_1(word: str) -> str:
    """Remove plural endings, -ed and -ing, and change a final y to i."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and word[-2] != "s":
        word = word[:-1]
    if word.endswith("eed"):
        word = word[:-1] if _MEASURE_1_OR_MORE.match(word[:-3]) else word
    elif word.endswith(("ed", "ing")):
        stem = word[: -2 if word.endswith("ed") else -3]
        word = _restore_ending(stem) if _VOWEL.search(stem) else word
    if word.endswith("y") and _VOWEL.search(word[:-1]):
        word = word[:-1] + "i"
    return word


def _restore_ending(stem: str) -> str:
    """Restore a stem without -ed or -ing: *hopp* to *hop*, *hop* (of *hoping*) to *hope*."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _DOUBLED.search(stem):
        return stem[:-1]
    return stem + "e" if _SHORT_SYLLABLE.fullmatch(stem) else stem


def _step_5(word: str) -> str:
    """Remove a final e, and the second l of a final ll."""
    if word.endswith("e"):
        stem = word[:-1]
        short = _MEASURE_1.fullmatch(stem) and not _SHORT_SYLLABLE.fullmatch(stem)
        word = stem if short or _MEASURE_2_OR_MORE.match(stem) else word
    return word[:-1] if word.endswith("ll") and _MEASURE_2_OR_MORE.match(word) else word
