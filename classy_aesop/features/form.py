"""Form: errors of punctuation and capitalization, numbers, and runs of capitalized words.

All features are shares with shape (n_summaries,), and 0 for a summary without words. In text that is all lower case,
every sentence is uncapitalized; in a script without capitals, none is.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from classy_aesop.features.base import SummaryCounts, feature
from classy_aesop.text.counts import Booleans, Floats, IntArray
from classy_aesop.text.runs import run_sums
from classy_aesop.text.writing import Writing

_GRAMMAR = "Dang (2006), question 1: grammaticality"
_ENDS = ".!?…。！？।॥؟۔"
_CLOSING = "\"'’”»)]}」』）"
_PAIRS = tuple(zip("([{“«「『（", ")]}”»」』）", strict=True))
_JOINTS, _NEVER_AFTER_JOINTS, _NEVER_FIRST = ",;:", ",;:.!?", ",;:!?)]}"

_feature = partial(feature, kind="linguistic", group="form", bounds=(0, 1), source=_GRAMMAR)


@_feature(why="sentences cut off by a length limit; headlines, captions and bylines taken for sentences")
def unfinished_sentences(written: SummaryCounts) -> Floats:
    """Share of sentences that do not end in a period or a question or exclamation mark."""
    writing = written.writing
    open_items = np.flatnonzero(~writing.is_one_of(_CLOSING))
    last = np.zeros(writing.items.text_of_sentence.size, np.intp)
    last[writing.items.sentence[open_items]] = open_items  # the last assignment counts
    return writing.per_sentence(~writing.is_one_of(_ENDS)[last])


@_feature(why="quotations and parentheses torn apart by extraction")
def unclosed_sentences(written: SummaryCounts) -> Floats:
    """Share of sentences whose brackets or double quotation marks do not come in pairs."""
    writing = written.writing
    is_unclosed = _counts(writing, '"') % 2 == 1
    for opening, closing in _PAIRS:
        is_unclosed |= _counts(writing, opening) != _counts(writing, closing)
    return writing.per_sentence(is_unclosed)


@_feature(why="fragments, and text that lost its capitals")
def uncapitalized_sentences(written: SummaryCounts) -> Floats:
    """Share of sentences whose first word begins with a lower-case letter."""
    writing = written.writing
    return writing.per_sentence(writing.of_words(_begins_lower)[writing.first_words] > 0)


@_feature(why="traces of deleted words and of careless joining")
def punctuation_faults(written: SummaryCounts) -> Floats:
    """Share of sentences with a punctuation error.

    Errors are a comma, semicolon or colon before another of these or before an end mark, two periods in a row, and
    a closing mark at the beginning. A blank before a mark is not an error, since tokenized text has them everywhere.
    """
    writing = written.writing
    has_fault = writing.is_one_of(_NEVER_FIRST)[writing.first_items]
    is_clash = writing.is_one_of(_JOINTS)[:-1] & writing.is_one_of(_NEVER_AFTER_JOINTS)[1:] & writing.follows
    has_fault[writing.items.sentence[1:][is_clash | _two_periods(writing)]] = True
    return writing.per_sentence(has_fault)


@_feature(why="datelines, tables, figures")
def digits(written: SummaryCounts) -> Floats:
    """Share of words that contain a digit."""
    return written.writing.per_word(_has_digit)


@_feature(why="headlines, bylines and lists of names; names given in full")
def capital_runs(written: SummaryCounts) -> Floats:
    """Share of words in runs of two or more capitalized words, not counting the first word of a sentence."""
    writing = written.writing
    capitals = writing.of_words(_begins_upper) > 0
    capitals[writing.first_words] = False
    pair = capitals[:-1] & capitals[1:] & writing.joins
    in_run = np.zeros(capitals.size, bool)
    in_run[:-1] = pair
    in_run[1:] |= pair
    return run_sums(in_run, writing.n_words) / np.maximum(writing.n_words, 1)


def _counts(writing: Writing, mark: str) -> IntArray:
    """How often each sentence has a mark."""
    marks, sentence = writing.marks
    n_sentences = writing.items.text_of_sentence.size
    return np.bincount(sentence.compress(marks == ord(mark)), minlength=n_sentences)


def _two_periods(writing: Writing) -> Booleans:
    """Whether each item but the first is the second of two periods, no more, shape (n_items - 1,)."""
    is_period = writing.is_one_of(".")
    pair = is_period[:-1] & is_period[1:] & writing.follows
    alone = pair.copy()
    alone[1:] &= ~pair[:-1]
    alone[:-1] &= ~pair[1:]
    return alone


def _begins_lower(word: str) -> bool:
    return word[0].islower()


def _begins_upper(word: str) -> bool:
    return word[0].isupper()


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
