"""Words and punctuation marks of texts as they are written, with the capitals and marks that tokens lack.

A word is a sequence of characters that are neither blanks nor marks; ``don't``, ``3,000`` and ``U.S`` are one word
each, ``well-known`` is two. Everything else is a mark. The Penn Treebank's codes for quotation marks and brackets
(`` `` ``, ``-LRB-``) are read as these marks. Sentences without a word are ignored.

All texts are read at once, as arrays of characters; what depends on a word alone is computed once for each distinct
word (`WordTypes`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.characters import DIGIT, LETTER, MARK, OF_WORD, code_points, kinds_of
from classy_aesop.text.counts import Booleans, Floats, IntArray
from classy_aesop.text.distinct import run_starts
from classy_aesop.text.known_words import Words
from classy_aesop.text.word_types import WordTypes

_TREEBANK = {
    "``": "“",
    "''": "”",
    "-lrb-": "(",
    "-rrb-": ")",
    "-lcb-": "{",
    "-rcb-": "}",
    "-lsb-": "[",
    "-rsb-": "]",
}
_CODES = re.compile(r"-[LRlr][RCSrcs][Bb]-|``|''")
_EDGE = "\n\n"  # around all texts, so that every character has two neighbours
_END = " " * 16  # `Words` reads beyond the last word

_APOSTROPHES = "'’"
_OUTSIDE = 0x10000  # stands for every mark above


@dataclass(frozen=True)
class Items:
    """The words and marks of several texts in order, with those of sentences without a word left out.

    Parameters
    ----------
    mark : array of int, shape (n_items,)
        Code point of each mark; 0 for a word.
    sentence : array of int, shape (n_items,)
        Sentence of each word or mark, among those with a word.
    text_of_sentence : array of int, shape (n_sentences,)
        Text of each of these sentences, ascending.
    word_type : array of int, shape (n_words,)
        Number of each word in the `WordTypes`.
    """

    mark: IntArray
    sentence: IntArray
    text_of_sentence: IntArray
    word_type: IntArray


@dataclass(frozen=True)
class Writing:
    """Several texts as they are written, analysed on first use.

    Parameters
    ----------
    texts : sequence of sequences of str
        The sentences of each text.
    types : WordTypes
        The distinct words that are known; new ones are added.
    """

    texts: Sequence[Sequence[str]]
    types: WordTypes = field(default_factory=WordTypes)

    @cached_property
    def items(self) -> Items:
        """The words and marks."""
        lengths = np.fromiter(map(len, self.texts), np.intp, len(self.texts))
        return _items(_joined(self.texts), np.repeat(np.arange(len(self.texts)), lengths), self.types)

    @cached_property
    def is_word(self) -> Booleans:
        """Whether each item is a word and not a mark."""
        is_word: Booleans = self.items.mark == 0
        return is_word

    @cached_property
    def follows(self) -> Booleans:
        """Whether each item but the first is of the same sentence as the one before, shape (n_items - 1,)."""
        follows: Booleans = self.items.sentence[1:] == self.items.sentence[:-1]
        return follows

    @cached_property
    def first_items(self) -> IntArray:
        """Place of each sentence's first item among all items."""
        return run_starts(self.items.sentence)

    @cached_property
    def first_words(self) -> IntArray:
        """Place of each sentence's first word among all words."""
        return run_starts(self.items.sentence[self.is_word])

    @cached_property
    def text_of_word(self) -> IntArray:
        """The text of each word, ascending."""
        return self.items.text_of_sentence[self.items.sentence[self.is_word]]

    @cached_property
    def n_words(self) -> IntArray:
        """Number of words of each text, shape (n_texts,)."""
        return np.bincount(self.text_of_word, minlength=len(self.texts))

    @cached_property
    def n_sentences(self) -> IntArray:
        """Number of sentences with a word of each text, shape (n_texts,)."""
        return np.bincount(self.items.text_of_sentence, minlength=len(self.texts))

    def is_one_of(self, characters: str) -> Booleans:
        """Whether each item is one of some marks."""
        return _members(characters).take(self.items.mark)

    def of_words(self, value: Callable[[str], float]) -> Floats:
        """A number for each word, which depends on the word alone; computed once for each distinct word."""
        word_type = self.items.word_type  # first, since it makes the words known
        return self.types.values_of(value).take(word_type)

    def words_of(self, sentence: int, most: int) -> list[str]:
        """The first words of a sentence."""
        start = int(self.first_words[sentence])
        later = self.first_words[sentence + 1 : sentence + 2].tolist()
        numbers = self.items.word_type[start : min(start + most, *later, self.items.word_type.size)]
        return [self.types.words[number] for number in numbers.tolist()]

    def per_sentence(self, values: Booleans) -> Floats:
        """Share of marked sentences of each text, from a mark for each sentence; 0 for a text without words."""
        total = np.bincount(self.items.text_of_sentence, values, len(self.texts))
        return total / np.maximum(self.n_sentences, 1)

    def per_word(self, value: Callable[[str], float], among: Callable[[str], bool] | None = None) -> Floats:
        """Mean of a number over the words of each text, or some of them; 0 if there are none.

        Parameters
        ----------
        value : callable
            Takes a word and returns its number.
        among : callable, optional
            Whether a word counts; by default all do.
        """
        values, n_texts = self.of_words(value), len(self.texts)
        if among is None:
            return np.bincount(self.text_of_word, values, n_texts) / np.maximum(self.n_words, 1)
        counts = self.of_words(among)
        total = np.bincount(self.text_of_word, values * counts, n_texts)
        return total / np.maximum(np.bincount(self.text_of_word, counts, n_texts), 1)


def _joined(texts: Sequence[Sequence[str]]) -> str:
    """Give the sentences of all texts a line each, with the Penn Treebank's codes replaced."""
    text = "\n".join([sentence.replace("\n", " ") for sentences in texts for sentence in sentences])
    text = text.replace("\0", "\1")  # `KnownWords` takes zeros for the space after a word
    if any(part in text for part in ("``", "''", "B-", "b-")):
        text = _CODES.sub(lambda code: _TREEBANK[code[0].lower()], text)
    return _EDGE + text + _EDGE + _END


def _items(joined: str, text_of_line: IntArray, types: WordTypes) -> Items:
    """Find the words and marks of lines."""
    points = code_points(joined)
    kinds = kinds_of(points)
    inner = _inner_marks(points, kinds)
    in_word, is_item = (kinds & LETTER) > 0, (kinds & MARK) > 0
    in_word[inner], is_item[inner] = True, False
    edges = np.flatnonzero(in_word[1:] != in_word[:-1]) + 1
    is_item[edges[::2]] = True
    places = np.flatnonzero(is_item)
    word_type = types.numbers(
        Words(joined.encode("utf-8", "surrogatepass"), _in_bytes(edges, joined, points))
    )
    mark = np.where(in_word[places], 0, np.minimum(points[places], _OUTSIDE)).astype(np.intp)
    ends = np.flatnonzero(points == ord("\n"))[len(_EDGE) : len(_EDGE) + text_of_line.size]
    return _of_written_lines(mark, np.diff(np.searchsorted(places, ends), prepend=0), text_of_line, word_type)


def _of_written_lines(
    mark: IntArray, lengths: IntArray, text_of_line: IntArray, word_type: IntArray
) -> Items:
    """Leave out the lines without a word; ``lengths`` are the numbers of items of all lines."""
    line = np.repeat(np.arange(lengths.size), lengths)
    is_written = np.zeros(lengths.size, bool)
    is_written[line[mark == 0]] = True
    kept = is_written[line]
    return Items(mark[kept], (np.cumsum(is_written) - 1)[line[kept]], text_of_line[is_written], word_type)


def _inner_marks(points: NDArray[np.uint32], kinds: NDArray[np.uint8]) -> IntArray:
    """Places of marks inside words: an apostrophe before a letter, and periods and commas as in U.S and 3,000."""
    point = np.minimum(points, _OUTSIDE)
    place = np.flatnonzero(_members(f"{_APOSTROPHES}.,").take(point))
    found = point[place]
    before, after = kinds[place - 1], kinds[place + 1]
    is_number = (before & after & DIGIT) > 0
    is_initial = (before & after & ~kinds[place - 2] & ~kinds[place + 2] & OF_WORD) > 0
    is_inner = np.select(
        [found == ord("."), found == ord(",")], [is_number | is_initial, is_number], (after & LETTER) > 0
    )
    return place[is_inner & ((before & LETTER) > 0)]


def _in_bytes(places: IntArray, text: str, points: NDArray[np.uint32]) -> IntArray:
    """Give the place of the first byte of characters in UTF-8."""
    if text.isascii():
        return places
    more = np.cumsum((points > 0x7F).astype(np.intp) + (points > 0x7FF) + (points > 0xFFFF))
    return places + more[places - 1]


@cache
def _members(characters: str) -> Booleans:
    """Whether each code point up to `_OUTSIDE` is one of some characters."""
    table = np.zeros(_OUTSIDE + 1, bool)
    table[[ord(character) for character in characters]] = True
    return table
