"""Sentences of running text by the rules of Punkt, with this package's lists of abbreviations and sentence starters.

Kiss and Strunk (2006), "Unsupervised Multilingual Sentence Boundary Detection", section 4, as nltk 3.10 has it, which
takes longer to import than the rest of this package. Nothing is learned from texts: there are no collocations (4.1.2),
and of the orthographic heuristic (4.1.1) only what needs no counts is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from classy_aesop.text.tokens import word_list

_QUOTES = "\u2018\u2019\u201c\u201d\xab\xbb"
_NOT_OF_WORD = rf"""[)";}}\]*:@'({{\[?!{_QUOTES}]"""
_DASH_OR_ELLIPSIS = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"

_POSSIBLE_END = re.compile(rf"[.?!](?=(?P<following>{_NOT_OF_WORD}|\s+(?P<next_word>\S+)))")

_WORD = re.compile(
    rf"""
    {_DASH_OR_ELLIPSIS}
    | (?=[^("`{{\[:;&\#*@)}}\]\-,])\S+?
      (?=\s|$|{_NOT_OF_WORD}|{_DASH_OR_ELLIPSIS}|,(?=$|\s|{_NOT_OF_WORD}|{_DASH_OR_ELLIPSIS}))
    | \S
    """,
    re.VERBOSE,
)

_CLOSING_MARKS = re.compile(rf"""["')\]}}{_QUOTES}]+?(?:\s+|(?=--)|$)""", re.MULTILINE)
_INITIAL = re.compile(r"[^\W\d]\.$")
_NUMBER = re.compile(r"-?[.,]?\d[\d,.-]*$")
_PUNCTUATION = frozenset(";:,.!?")

_BLANKS = " \t\n\r\v\f"

_MAX_CACHED_CHARACTERS = 80
"""Length of the text around a mark up to which a decision is cached."""


def split_by_punkt(text: str) -> list[str]:
    """Split a text after periods, question and exclamation marks that end sentences, and the closing marks that follow.

    Parameters
    ----------
    text : str
        Running text.

    Returns
    -------
    list of str
        The sentences, without blanks between them; an empty list for a blank text.

    Examples
    --------
    >>> split_by_punkt('"Mr. Lee left." He went to D.C. The rest stayed.')
    ['"Mr. Lee left."', 'He went to D.C.', 'The rest stayed.']
    """
    sentences = []
    n_moved = 0  # characters at the start of a sentence that close the one before
    for (start, stop), (next_start, next_stop) in pairwise([*_spans_to_ends(text), (0, 0)]):
        start += n_moved
        closing = _CLOSING_MARKS.match(text, next_start, next_stop)
        n_moved = 0
        if closing:
            n_moved = closing.end() - next_start
            stop = next_start + len(closing[0].rstrip())
        if start < stop:
            sentences.append(text[start:stop])
    return sentences


def _spans_to_ends(text: str) -> Iterator[tuple[int, int]]:
    """Yield the span up to each mark that ends a sentence, and that of what follows the last one."""
    start = 0
    for mark, context in _possible_ends(text):
        is_short = len(context) <= _MAX_CACHED_CHARACTERS
        if _cached_decision(context) if is_short else _has_end(context):
            yield start, mark.end()
            start = mark.end() if mark["next_word"] is None else mark.start("next_word")
    yield start, len(text.rstrip())


def _possible_ends(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each mark that may end a sentence, and the words around it; of several marks of a word only the last."""
    last_mark: re.Match[str] | None = None
    start_of_word = 0
    for mark in _POSSIBLE_END.finditer(text):
        start = 0 if last_mark is None else last_mark.start()
        blank = max([text.rfind(blank, start + 1, mark.start()) for blank in _BLANKS])
        if last_mark is not None and (blank >= 0 or start_of_word == start):
            yield last_mark, text[start_of_word : last_mark.end()] + last_mark["following"]
        if blank >= 0:
            start_of_word = blank + 1
        last_mark = mark
    if last_mark is not None:
        yield last_mark, text[start_of_word : last_mark.end()] + last_mark["following"]


def _has_end(context: str) -> bool:
    """Whether a sentence ends among the words around a mark."""
    words = [word for line in context.split("\n") for word in _WORD.findall(line)]
    return any(_ends_sentence(word, next_word) for word, next_word in pairwise(words))


_cached_decision = lru_cache(maxsize=2**12)(_has_end)


def _ends_sentence(word: str, next_word: str) -> bool:
    """Whether a word, with the mark at its end, ends a sentence before the next one (sections 4.1.3, 4.2 and 4.3)."""
    if not word.endswith("."):
        return word in ("?", "!")
    is_upper = next_word[0].isupper()
    is_lower = next_word[0].islower() or next_word in _PUNCTUATION
    if _INITIAL.match(word):
        return not (is_upper or is_lower)
    if _is_abbreviation(word) or word.endswith(".."):
        next_type = next_word.lower() if _is_abbreviation(next_word) else next_word.lower().removesuffix(".")
        return is_upper and next_type in word_list("sentence_starters.txt")
    return not (is_lower and _NUMBER.match(word))


def _is_abbreviation(word: str) -> bool:
    """Whether a word with a period is on the list of abbreviations, or its part after the last hyphen is."""
    if not word.endswith("."):
        return False
    name = word[:-1].lower()
    abbreviations = word_list("abbreviations.txt")
    return name in abbreviations or name.rpartition("-")[2] in abbreviations
