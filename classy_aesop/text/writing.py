"""Words and punctuation marks of texts as they are written, with the capitals and marks that tokens lack.

What a word and a mark is, see `tokens`. Sentences without a word are ignored. What depends on a word alone is computed
once for each distinct word (`WordTypes`), such as its syllables.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

import numpy as np

from classy_aesop.text.arrays import Booleans, Floats, IntArray, run_sizes, run_sums
from classy_aesop.text.tokens import FIRST_WORD, OUTSIDE
from classy_aesop.text.vocabulary import Chunks


@dataclass(frozen=True)
class Items:
    """The words and marks of several texts in order, with those of sentences without a word left out."""

    mark: IntArray  # (n_items,): its code point; 0 for a word
    is_word: Booleans  # (n_items,): whether it is a word and not a mark
    word_type: IntArray  # (n_words,): number in the `WordTypes` of the chunks
    n_items: IntArray  # (n_sentences,): of each sentence
    n_words: IntArray  # (n_sentences,)
    text_of_sentence: IntArray  # ascending


@dataclass(frozen=True)
class Writing:
    """Several texts as they are written, analysed on first use."""

    chunks: Chunks

    @property
    def n_texts(self) -> int:
        """Number of texts."""
        return self.chunks.n_texts

    @cached_property
    def items(self) -> Items:
        """The words and marks."""
        return _items(self.chunks)

    @cached_property
    def words(self) -> IntArray:
        """Place of each word among all items."""
        return np.flatnonzero(self.items.is_word)

    @cached_property
    def marks(self) -> tuple[IntArray, IntArray, IntArray]:
        """Place of each mark among all items, its code point and its sentence; most items are words."""
        n_marks, place = self.items.n_items - self.items.n_words, np.flatnonzero(~self.items.is_word)
        return place, self.items.mark.take(place), np.repeat(np.arange(n_marks.size), n_marks)

    @cached_property
    def first_items(self) -> IntArray:
        """Place of each sentence's first item among all items."""
        return np.cumsum(self.items.n_items) - self.items.n_items

    @cached_property
    def first_words(self) -> IntArray:
        """Place of each sentence's first word among all words."""
        return np.cumsum(self.items.n_words) - self.items.n_words

    @cached_property
    def n_words(self) -> IntArray:
        """Number of words of each text, shape (n_texts,)."""
        return run_sums(self.items.n_words, self.n_sentences)

    @cached_property
    def joins(self) -> Booleans:
        """Whether each word but the first follows another one, without a mark between, shape (n_words - 1,)."""
        joins: Booleans = self.words[1:] - self.words[:-1] == 1
        joins[self.first_words[1:] - 1] = False
        return joins

    @cached_property
    def n_sentences(self) -> IntArray:
        """Number of sentences with a word of each text, shape (n_texts,)."""
        return run_sizes(self.items.text_of_sentence, self.n_texts)

    def of_words(self, value: Callable[[str], float]) -> Floats:
        """A number for each word, which depends on the word alone; computed once for each distinct word."""
        word_type = self.items.word_type  # first, since it registers the words
        return self.chunks.types.words.values_of(value).take(word_type)

    def second_words(self, among: Callable[[str], bool]) -> Booleans:
        """Whether each sentence has a second word, and that is one of some, shape (n_sentences,)."""
        place = self.first_words + 1
        exists = place < np.append(self.first_words[1:], self.items.word_type.size)
        word_type = self.items.word_type.take(place.compress(exists))
        exists[exists] = self.chunks.types.words.values_of(among).take(word_type) > 0
        return exists

    def openings(self, sentences: IntArray, most: int) -> list[str]:
        """The first words of some sentences, separated by blanks."""
        stops = np.append(self.first_words[1:], self.items.word_type.size)[sentences].tolist()
        numbers, words = self.items.word_type, self.chunks.types.words.spelled
        return [
            " ".join([words[number] for number in numbers[start : min(start + most, stop)].tolist()])
            for start, stop in zip(self.first_words[sentences].tolist(), stops, strict=True)
        ]

    def per_sentence(self, values: Booleans) -> Floats:
        """Share of marked sentences of each text, from a mark for each sentence; 0 for a text without words."""
        return run_sums(values, self.n_sentences) / np.maximum(self.n_sentences, 1)

    def per_word(self, value: Callable[[str], float], among: Callable[[str], bool] | None = None) -> Floats:
        """Mean of a number over the words of each text, or those ``among`` which count; 0 if there are none."""
        word_type, types = self.items.word_type, self.chunks.types.words
        values = types.values_of(value)
        if among is not None:
            values = values * types.values_of(among)
        total = run_sums(values.take(word_type), self.n_words)
        return total / np.maximum(self.n_words if among is None else self._n_words_among(among), 1)

    def _n_words_among(self, among: Callable[[str], bool]) -> IntArray:
        """Number of words of each text that are some of all; counted once."""
        if among not in self._counted:
            self._counted[among] = run_sums(self.of_words(among) > 0, self.n_words)
        return self._counted[among]

    @cached_property
    def _counted(self) -> dict[Callable[[str], bool], IntArray]:
        return {}


def _items(chunks: Chunks) -> Items:
    """The words and marks of sentences, without those that have no word."""
    numbers, n_items = chunks.items()
    is_word = numbers >= FIRST_WORD
    word_type, mark = numbers.compress(is_word) - FIRST_WORD, np.where(is_word, 0, numbers)
    n_words = run_sums(is_word, n_items)
    is_written = n_words > 0
    if not is_written.all():
        kept = np.repeat(is_written, n_items)
        mark, is_word = mark[kept], is_word[kept]
    sentences = (one[is_written] for one in (n_items, n_words, chunks.text_of_sentence))
    return Items(mark, is_word, word_type, *sentences)


@cache
def members(characters: str) -> Booleans:
    """Whether each code point up to `OUTSIDE` is one of some characters."""
    table = np.zeros(OUTSIDE + 1, bool)
    table[[ord(character) for character in characters]] = True
    return table


_CACHED_SYLLABLES = 1 << 17
_VOWEL_GROUPS = re.compile(r"[aeiouy]+")
_SILENT_END = re.compile(r"(?<=[^aeiouy])(?:e|(?<![cgsxz])(?<!sh)(?<!ch)es|(?<![dt])ed)$")
_SPOKEN_END = re.compile(r"[^aeiouylr]l(?:e|es|ed)$")


@lru_cache(maxsize=_CACHED_SYLLABLES)
def syllables(word: str) -> int:
    """Number of syllables of a word, at least 1; accents are ignored.

    This is a rule of thumb that is right for most English words. A word without Latin vowels has one syllable.
    """
    letters = unicodedata.normalize(
        "NFKD", word.lower()
    )  # an accent follows its e, which then is not the last character, so it is not silent
    spoken = letters if _SPOKEN_END.search(letters) else _SILENT_END.sub("", letters)
    return max(len(_VOWEL_GROUPS.findall(spoken)), 1)
