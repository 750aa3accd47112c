"""Anaphora: words that refer to something mentioned before, which may be missing from an extract.

The features do not check whether the antecedent is there. The word lists are English (``text/data``). All features
have shape (n_summaries,) and are 0 for a summary without words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, partial

import numpy as np

from classy_aesop.features.base import SummaryCounts, feature
from classy_aesop.text.counts import Floats
from classy_aesop.text.lists import word_list

_CLARITY = "Dang (2006), question 3: referential clarity"
_LONGEST = 4
_NO, _PERHAPS, _YES = range(3)

_feature = partial(feature, kind="linguistic", group="anaphora", bounds=(0, 1), source=_CLARITY)


@_feature(why="words that need an antecedent, which an extract may have left behind")
def pronouns(written: SummaryCounts) -> Floats:
    """Share of words that are third-person or demonstrative pronouns."""
    return written.writing.per_word(_is_pronoun)


@_feature(why="at the beginning of a sentence, the antecedent can only be in another sentence")
def pronoun_openings(written: SummaryCounts) -> Floats:
    """Share of sentences that begin with a third-person or demonstrative pronoun."""
    return _openings(written, _opens_with_pronoun, _pronoun_opening)


@_feature(source="Paice (1990)", why='"however" after a sentence that it does not belong to breaks the text')
def connective_openings(written: SummaryCounts) -> Floats:
    """Share of sentences that begin with a connective, a word or phrase that links them to the one before."""
    return _openings(written, _opens_with_connective, _connective_opening)


def _is_pronoun(word: str) -> bool:
    return word.lower() in word_list("pronouns.txt")


def _openings(
    written: SummaryCounts, opens: Callable[[str], int], opening: Callable[[], re.Pattern[str]]
) -> Floats:
    """Share of sentences that begin with a phrase; only few first words leave it to the next words to decide."""
    writing = written.writing
    found = writing.of_words(opens)[writing.first_words]
    is_opening = found == _YES
    perhaps = np.flatnonzero((found == _PERHAPS) & writing.second_words(_may_go_on))
    is_opening[perhaps] = [
        opening().match(f"{words.lower()} ") is not None for words in writing.openings(perhaps, _LONGEST)
    ]
    return writing.per_sentence(is_opening)


def _opens_with_pronoun(word: str) -> int:
    return _YES if _pronoun_opening().match(f"{word.lower()} ") else _NO


def _opens_with_connective(word: str) -> int:
    if _connective_opening().match(f"{word.lower()} "):
        return _YES
    return _PERHAPS if word.lower() in _first_words() else _NO


@cache
def _pronoun_opening() -> re.Pattern[str]:
    return _any_of(word_list("pronouns.txt"))


@cache
def _connective_opening() -> re.Pattern[str]:
    return _any_of(word_list("connectives.txt", ","))


def _may_go_on(word: str) -> bool:
    """Whether a connective may go on with a word, to which something may be attached, as in "it's"."""
    return re.split("['’]", word.lower(), maxsplit=1)[0] in _second_words()


@cache
def _first_words() -> frozenset[str]:
    """First words of the connectives."""
    return frozenset(phrase.split()[0] for phrase in word_list("connectives.txt", ","))


@cache
def _second_words() -> frozenset[str]:
    """Second words of those that have one."""
    return frozenset(word for phrase in word_list("connectives.txt", ",") for word in phrase.split()[1:2])


def _any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(map(re.escape, phrases))})[ '’]")  # it's, that’s
