"""Readability features: the length and variety of a summary's words.

All have shape (n_summaries,) and are 0 for a summary without words. Words without a letter, such as numbers, are
ignored by the first three. Syllables are counted by a rule for English.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import SummaryCounts, feature
from classy_aesop.text.counts import Floats
from classy_aesop.text.syllables import syllables

_feature = partial(feature, kind="linguistic", group="readability")


@_feature(bounds=(0, np.inf), source="Flesch (1948)", why="long words are hard to read")
def word_length(written: SummaryCounts) -> Floats:
    """Mean number of letters of the words."""
    return written.writing.per_word(_n_letters, among=_has_letters)


@_feature(
    bounds=(0, np.inf),
    source="Flesch (1948)",
    why="the same, measured by sound; the part of Flesch's formula that does not depend on sentence length",
)
def word_syllables(written: SummaryCounts) -> Floats:
    """Mean number of syllables of the words."""
    return written.writing.per_word(syllables, among=_has_letters)


@_feature(
    bounds=(0, 1),
    source="Farr, Jenkins and Paterson (1951)",
    why="the share of easy words; it only has to distinguish one syllable from more",
)
def monosyllables(written: SummaryCounts) -> Floats:
    """Share of words of one syllable."""
    return written.writing.per_word(_is_monosyllable, among=_has_letters)


@_feature(
    bounds=(0, 1),
    source="Templin (1957)",
    why="varied or repetitive vocabulary; falls with length, so compare summaries of similar length",
)
def type_token_ratio(written: SummaryCounts) -> Floats:
    """Number of distinct terms divided by the number of tokens; terms are stems, as in all counts."""
    return written.summaries.n_types / np.maximum(written.summaries.n_tokens, 1)


def _is_monosyllable(word: str) -> bool:
    return syllables(word) == 1


def _n_letters(word: str) -> int:
    return sum(map(str.isalpha, word))


def _has_letters(word: str) -> bool:
    return word.isalpha() or any(map(str.isalpha, word))
