"""Form: errors of punctuation and capitalization, numbers, and runs of capitalized words.

All features are shares with shape (n_summaries,), and 0 for a summary without words. In text that is all lower case,
every sentence is uncapitalized; in a script without capitals, none is.
"""

from __future__ import annotations

import re

import numpy as np

from classy_aesop.features.base import TopicCounts, feature
from classy_aesop.text.counts import Floats
from classy_aesop.text.writing import CAPITALIZED, OTHER, Sentence

_GRAMMAR = "Dang (2006), question 1: grammaticality"
_ENDS = tuple(".!?…。！？।॥؟۔")
_CLOSING = "\"'’”»)]}」』）"
_PAIRS = tuple(zip("([{“«「『（", ")]}”»」』）", strict=True))
_FAULTS = re.compile(r"^[,;:!?)\]}]|[,;:][,;:.!?]|(?<!\.)\.\.(?!\.)")
_RUNS = re.compile(f"{CAPITALIZED}{{2,}}")


@feature(kind="linguistic", group="form", bounds=(0, 1), source=_GRAMMAR)
def unfinished_sentences(topic: TopicCounts) -> Floats:
    """Share of sentences that do not end in a period or a question or exclamation mark."""
    return topic.writing.per_sentence(lambda sentence: not sentence.shape.rstrip(_CLOSING).endswith(_ENDS))


@feature(kind="linguistic", group="form", bounds=(0, 1), source=_GRAMMAR)
def unclosed_sentences(topic: TopicCounts) -> Floats:
    """Share of sentences whose brackets or double quotation marks do not come in pairs."""
    return topic.writing.per_sentence(_is_unclosed)


@feature(kind="linguistic", group="form", bounds=(0, 1), source=_GRAMMAR)
def uncapitalized_sentences(topic: TopicCounts) -> Floats:
    """Share of sentences whose first word begins with a lower-case letter."""
    return topic.writing.per_sentence(lambda sentence: sentence.words[0][0].islower())


@feature(kind="linguistic", group="form", bounds=(0, 1), source=_GRAMMAR)
def punctuation_faults(topic: TopicCounts) -> Floats:
    """Share of sentences with a punctuation error.

    Errors are a comma, semicolon or colon before another of these or before an end mark, two periods in a row, and
    a closing mark at the beginning. A blank before a mark is not an error, since tokenized text has them everywhere.
    """
    return topic.writing.per_sentence(lambda sentence: _FAULTS.search(sentence.shape) is not None)


@feature(kind="linguistic", group="form", bounds=(0, 1), source=_GRAMMAR)
def digits(topic: TopicCounts) -> Floats:
    """Share of words that contain a digit."""
    return topic.writing.per_word(lambda word: not word.isalpha() and any(map(str.isdigit, word)))


@feature(kind="linguistic", group="form", bounds=(0, 1), source=_GRAMMAR)
def capital_runs(topic: TopicCounts) -> Floats:
    """Share of words in runs of two or more capitalized words, not counting the first word of a sentence."""
    in_runs = topic.writing.total(lambda sentence: sum(map(len, _RUNS.findall(_without_opening(sentence)))))
    return in_runs / np.maximum(topic.writing.n_words, 1)


def _is_unclosed(sentence: Sentence) -> bool:
    shape = sentence.shape
    return shape.count('"') % 2 == 1 or any(
        shape.count(opening) != shape.count(closing) for opening, closing in _PAIRS
    )


def _without_opening(sentence: Sentence) -> str:
    """Shape of a sentence after its first word."""
    opening = min(place for place in map(sentence.shape.find, (CAPITALIZED, OTHER)) if place >= 0)
    return sentence.shape[opening + 1 :]
