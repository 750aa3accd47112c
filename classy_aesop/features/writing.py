"""Features of writing: length of words, words that refer to earlier text, punctuation and capitals.

All have shape (n_summaries,) and are 0 for a summary without words. Words without a letter, such as numbers, are
ignored by those of length. Syllables and lists of words (``text/data``) are English; whether an antecedent is there is
not checked. In text that is all lower case, every sentence is uncapitalized; in a script without capitals, none is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial

import numpy as np

from classy_aesop.features.counts import SummaryCounts
from classy_aesop.features.registry import feature
from classy_aesop.text.arrays import Booleans, Floats, IndexArray, run_sums
from classy_aesop.text.tokens import word_list
from classy_aesop.text.written_texts import Writing, count_syllables, mark_characters

_readability = partial(feature, kind="linguistic", group="readability")


@_readability(bounds=(0, np.inf), source="Flesch (1948)", why="long words are hard to read")
def word_length(written: SummaryCounts) -> Floats:
    """Mean number of letters of the words."""
    return written.writing.mean_of_words(_count_letters_of_word, is_counted=_has_letters)


@_readability(
    bounds=(0, np.inf),
    source="Flesch (1948)",
    why="the same, measured by sound; the part of Flesch's formula that does not depend on sentence length",
)
def word_syllables(written: SummaryCounts) -> Floats:
    """Mean number of syllables of the words."""
    return written.writing.mean_of_words(count_syllables, is_counted=_has_letters)


@_readability(
    bounds=(0, 1),
    source="Farr, Jenkins and Paterson (1951)",
    why="the share of easy words; it only has to distinguish one syllable from more",
)
def monosyllables(written: SummaryCounts) -> Floats:
    """Share of words of one syllable."""
    return written.writing.mean_of_words(_is_monosyllable, is_counted=_has_letters)


@_readability(
    bounds=(0, 1),
    source="Templin (1957)",
    why="varied or repetitive vocabulary; falls with length, so compare summaries of similar length",
)
def type_token_ratio(written: SummaryCounts) -> Floats:
    """Number of distinct terms divided by the number of tokens; terms are stems, as in all counts."""
    return written.summaries.n_types / np.maximum(written.summaries.n_tokens, 1)


def _is_monosyllable(word: str) -> bool:
    return count_syllables(word) == 1


def _count_letters_of_word(word: str) -> int:
    return sum(map(str.isalpha, word))


def _has_letters(word: str) -> bool:
    return word.isalpha() or any(map(str.isalpha, word))


_CLARITY = "Dang (2006), question 3: referential clarity"
_MAX_WORDS_OF_CONNECTIVE = 4
_NO, _UNDECIDED, _YES = range(3)
_anaphora = partial(feature, kind="linguistic", group="anaphora", bounds=(0, 1), source=_CLARITY)


@_anaphora(why="words that need an antecedent, which an extract may have left behind")
def pronouns(written: SummaryCounts) -> Floats:
    """Share of words that are third-person or demonstrative pronouns."""
    return written.writing.mean_of_words(_is_pronoun)


@_anaphora(why="at the beginning of a sentence, the antecedent can only be in another sentence")
def pronoun_openings(written: SummaryCounts) -> Floats:
    """Share of sentences that begin with a third-person or demonstrative pronoun."""
    return _share_of_openings(written, _opens_with_pronoun, "pronouns.txt")


@_anaphora(source="Paice (1990)", why='"however" after a sentence that it does not belong to breaks the text')
def connective_openings(written: SummaryCounts) -> Floats:
    """Share of sentences that begin with a connective, a word or phrase that links them to the one before."""
    return _share_of_openings(written, _opens_with_connective, "connectives.txt", ",")


def _is_pronoun(word: str) -> bool:
    return word.lower() in word_list("pronouns.txt")


def _share_of_openings(written: SummaryCounts, opens: Callable[[str], int], *phrases: str) -> Floats:
    """Give the share of sentences that begin with a phrase; after few first words the next words decide."""
    writing = written.writing
    decisions = writing.values_of_words(opens)[writing.first_words]
    is_opening = decisions == _YES
    may_open = (decisions == _UNDECIDED) & writing.match_second_words(_may_continue_connective)
    undecided = np.flatnonzero(may_open)
    openings = writing.join_first_words(undecided, _MAX_WORDS_OF_CONNECTIVE)
    is_opening[undecided] = [_opens_with(words, *phrases) for words in openings]
    return writing.share_of_sentences(is_opening)


def _opens_with_pronoun(word: str) -> int:
    return _YES if _opens_with(word, "pronouns.txt") else _NO


def _opens_with_connective(word: str) -> int:
    if _opens_with(word, "connectives.txt", ","):
        return _YES
    return _UNDECIDED if word.lower() in _nth_words(0) else _NO


def _may_continue_connective(word: str) -> bool:
    """Whether a word may be the second one of a connective; to it something may be attached, as in "it's"."""
    return re.split("['’]", word.lower(), maxsplit=1)[0] in _nth_words(1)


def _opens_with(words: str, *phrases: str) -> bool:
    """Whether words begin with a phrase of a list."""
    return _compile_phrases(*phrases).match(f"{words.lower()} ") is not None


@cache
def _compile_phrases(*phrases: str) -> re.Pattern[str]:
    return re.compile(f"(?:{'|'.join(map(re.escape, word_list(*phrases)))})[ '’]")  # it's, that’s


@cache
def _nth_words(n: int) -> frozenset[str]:
    """The word at a place, from 0, of each connective that has one."""
    return frozenset(
        word for phrase in word_list("connectives.txt", ",") for word in phrase.split()[n : n + 1]
    )


_GRAMMAR = "Dang (2006), question 1: grammaticality"
_END_MARKS = ".!?…。！？।॥؟۔"
_CLOSING_MARKS = "\"'’”»)]}」』）"
_BRACKETS = tuple(zip("([{“«「『（", ")]}”»」』）", strict=True))
_JOINTS = ",;:"
_NEVER_AFTER_JOINTS = ",;:.!?"
_NEVER_FIRST = ",;:!?)]}"
_form_feature = partial(feature, kind="linguistic", group="form", bounds=(0, 1), source=_GRAMMAR)


@_form_feature(why="sentences cut off by a length limit; headlines, captions and bylines taken for sentences")
def unfinished_sentences(written: SummaryCounts) -> Floats:
    """Share of sentences that do not end in a period or a question or exclamation mark."""
    writing = written.writing
    place, mark, sentence = writing.marks
    may_end = ~mark_characters(_CLOSING_MARKS).take(mark)
    last = np.zeros(writing.first_items.size, np.intp)
    last[sentence[may_end]] = place[may_end]  # the last assignment counts
    last = np.maximum(last, writing.words[writing.first_words + writing.items.n_words - 1])
    return writing.share_of_sentences(~mark_characters(_END_MARKS).take(writing.items.mark[last]))


@_form_feature(why="quotations and parentheses torn apart by extraction")
def unclosed_sentences(written: SummaryCounts) -> Floats:
    """Share of sentences whose brackets or double quotation marks do not come in pairs."""
    writing = written.writing
    is_unclosed = _count_mark(writing, '"') % 2 == 1
    for opening, closing in _BRACKETS:
        is_unclosed |= _count_mark(writing, opening) != _count_mark(writing, closing)
    return writing.share_of_sentences(is_unclosed)


@_form_feature(why="fragments, and text that lost its capitals")
def uncapitalized_sentences(written: SummaryCounts) -> Floats:
    """Share of sentences whose first word begins with a lower-case letter."""
    writing = written.writing
    return writing.share_of_sentences(writing.values_of_words(_begins_lower)[writing.first_words] > 0)


@_form_feature(why="traces of deleted words and of careless joining")
def punctuation_faults(written: SummaryCounts) -> Floats:
    """Share of sentences with a punctuation error.

    Errors are a comma, semicolon or colon before another of these or before an end mark, two periods in a row, and
    a closing mark at the beginning. A blank before a mark is not an error, since tokenized text has them everywhere.
    """
    writing = written.writing
    has_fault = mark_characters(_NEVER_FIRST).take(writing.items.mark[writing.first_items])
    place, mark, sentence = writing.marks
    follows = (np.diff(place) == 1) & (sentence[1:] == sentence[:-1])
    is_clash = mark_characters(_JOINTS).take(mark[:-1]) & mark_characters(_NEVER_AFTER_JOINTS).take(mark[1:])
    has_fault[sentence[1:][follows & (is_clash | _mark_double_periods(mark == ord("."), follows))]] = True
    return writing.share_of_sentences(has_fault)


@_form_feature(why="datelines, tables, figures")
def digits(written: SummaryCounts) -> Floats:
    """Share of words that contain a digit."""
    return written.writing.mean_of_words(_has_digit)


@_form_feature(why="headlines, bylines and lists of names; names given in full")
def capital_runs(written: SummaryCounts) -> Floats:
    """Share of words in runs of two or more capitalized words, not counting the first word of a sentence."""
    writing = written.writing
    capitals = writing.values_of_words(_begins_upper) > 0
    capitals[writing.first_words] = False
    pair = capitals[:-1] & capitals[1:] & writing.joins
    in_run = np.zeros(capitals.size, bool)
    in_run[:-1] = pair
    in_run[1:] |= pair
    return run_sums(in_run, writing.n_words) / np.maximum(writing.n_words, 1)


def _count_mark(writing: Writing, mark: str) -> IndexArray:
    """Count how often each sentence has a mark."""
    _, marks, sentence = writing.marks
    n_sentences = writing.items.text_of_sentence.size
    return np.bincount(sentence.compress(marks == ord(mark)), minlength=n_sentences)


def _mark_double_periods(is_period: Booleans, follows: Booleans) -> Booleans:
    """Whether each mark but the first is the second of two periods in a row, no more, shape (n_marks - 1,)."""
    is_pair = is_period[:-1] & is_period[1:] & follows
    is_only_pair = is_pair.copy()
    is_only_pair[1:] &= ~is_pair[:-1]
    is_only_pair[:-1] &= ~is_pair[1:]
    return is_only_pair


def _begins_lower(word: str) -> bool:
    return word[0].islower()


def _begins_upper(word: str) -> bool:
    return word[0].isupper()


def _has_digit(word: str) -> bool:
    return any(map(str.isdigit, word))
