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

from classy_aesop.text.arrays import Booleans, Floats, IndexArray, run_sizes, run_sums
from classy_aesop.text.tokens import FIRST_WORD, OUTSIDE
from classy_aesop.text.vocabulary import Chunks


@dataclass(frozen=True)
class Items:
    """The words and marks of several texts in order, with those of sentences without a word left out."""

    mark: IndexArray  # (n_items,): its code point; 0 for a word
    is_word: Booleans  # (n_items,): whether it is a word and not a mark
    word_type: IndexArray  # (n_words,): number in the `WordTypes` of the chunks
    n_items: IndexArray  # (n_sentences,): of each sentence
    n_words: IndexArray  # (n_sentences,)
    text_of_sentence: IndexArray  # ascending


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
        return _find_items(self.chunks)

    @cached_property
    def words(self) -> IndexArray:
        """Place of each word among all items."""
        return np.flatnonzero(self.items.is_word)

    @cached_property
    def marks(self) -> tuple[IndexArray, IndexArray, IndexArray]:
        """Place of each mark among all items, its code point and its sentence; most items are words."""
        n_marks = self.items.n_items - self.items.n_words
        place = np.flatnonzero(~self.items.is_word)
        return place, self.items.mark.take(place), np.repeat(np.arange(n_marks.size), n_marks)

    @cached_property
    def first_items(self) -> IndexArray:
        """Place of each sentence's first item among all items."""
        return np.cumsum(self.items.n_items) - self.items.n_items

    @cached_property
    def first_words(self) -> IndexArray:
        """Place of each sentence's first word among all words."""
        return np.cumsum(self.items.n_words) - self.items.n_words

    @cached_property
    def n_words(self) -> IndexArray:
        """Number of words of each text, shape (n_texts,)."""
        return run_sums(self.items.n_words, self.n_sentences)

    @cached_property
    def joins(self) -> Booleans:
        """Whether each word but the first follows another one, without a mark between, shape (n_words - 1,)."""
        joins: Booleans = self.words[1:] - self.words[:-1] == 1
        joins[self.first_words[1:] - 1] = False
        return joins

    @cached_property
    def n_sentences(self) -> IndexArray:
        """Number of sentences with a word of each text, shape (n_texts,)."""
        return run_sizes(self.items.text_of_sentence, self.n_texts)

    def values_of_words(self, value: Callable[[str], float]) -> Floats:
        """Give a number for each word, which depends on the word alone; computed once for each distinct word."""
        word_type = self.items.word_type  # first, since it registers the words
        return self.chunks.types.words.values_of(value).take(word_type)

    def match_second_words(self, matches: Callable[[str], bool]) -> Booleans:
        """Mark the sentences whose second word matches, shape (n_sentences,)."""
        place = self.first_words + 1
        exists = place < np.append(self.first_words[1:], self.items.word_type.size)
        word_type = self.items.word_type.take(place.compress(exists))
        exists[exists] = self.chunks.types.words.values_of(matches).take(word_type) > 0
        return exists

    def join_first_words(self, sentences: IndexArray, max_words: int) -> list[str]:
        """Give the first words of some sentences, separated by blanks."""
        starts = self.first_words[sentences].tolist()
        stops = np.append(self.first_words[1:], self.items.word_type.size)[sentences].tolist()
        spellings = self.chunks.types.words.spellings
        openings = []
        for start, stop in zip(starts, stops, strict=True):
            word_types = self.items.word_type[start : min(start + max_words, stop)].tolist()
            openings.append(" ".join([spellings[word_type] for word_type in word_types]))
        return openings

    def share_of_sentences(self, values: Booleans) -> Floats:
        """Give the share of marked sentences of each text, from a mark a sentence; 0 for a text without words."""
        return run_sums(values, self.n_sentences) / np.maximum(self.n_sentences, 1)

    def mean_of_words(
        self, value: Callable[[str], float], is_counted: Callable[[str], bool] | None = None
    ) -> Floats:
        """Average a number over the words of each text, or over those that count; 0 if there are none."""
        word_type = self.items.word_type  # first, since it registers the words
        types = self.chunks.types.words
        values = types.values_of(value)
        n_words = self.n_words
        if is_counted is not None:
            values = values * types.values_of(is_counted)
            n_words = self._count_words(is_counted)
        total = run_sums(values.take(word_type), self.n_words)
        return total / np.maximum(n_words, 1)

    def _count_words(self, is_counted: Callable[[str], bool]) -> IndexArray:
        """Count the words of each text that fulfil a condition; counted once a condition."""
        if is_counted not in self._word_counts:
            self._word_counts[is_counted] = run_sums(self.values_of_words(is_counted) > 0, self.n_words)
        return self._word_counts[is_counted]

    @cached_property
    def _word_counts(self) -> dict[Callable[[str], bool], IndexArray]:
        """Counts of words of each text by the condition that they fulfil."""
        return {}


def _find_items(chunks: Chunks) -> Items:
    """Find the words and marks of sentences, without those that have no word."""
    numbers, n_items = chunks.items()
    is_word = numbers >= FIRST_WORD
    word_type = numbers.compress(is_word) - FIRST_WORD
    mark = np.where(is_word, 0, numbers)
    n_words = run_sums(is_word, n_items)
    is_written = n_words > 0
    if not is_written.all():
        is_item_written = np.repeat(is_written, n_items)
        mark = mark[is_item_written]
        is_word = is_word[is_item_written]
    return Items(
        mark,
        is_word,
        word_type,
        n_items[is_written],
        n_words[is_written],
        chunks.text_of_sentence[is_written],
    )


@cache
def mark_characters(characters: str) -> Booleans:
    """Mark the code points, up to `OUTSIDE`, that are some of these characters."""
    table = np.zeros(OUTSIDE + 1, bool)
    table[[ord(character) for character in characters]] = True
    return table


_MAX_CACHED_SYLLABLES = 1 << 17
_VOWEL_GROUPS = re.compile(r"[aeiouy]+")
_SILENT_END = re.compile(r"(?<=[^aeiouy])(?:e|(?<![cgsxz])(?<!sh)(?<!ch)es|(?<![dt])ed)$")
_SPOKEN_END = re.compile(r"[^aeiouylr]l(?:e|es|ed)$")


@lru_cache(maxsize=_MAX_CACHED_SYLLABLES)
def count_syllables(word: str) -> int:
    """Count the syllables of a word, at least 1; accents are ignored.

    This is a rule of thumb that is right for most English words. A word without Latin vowels has one syllable.
    """
    # After NFKD an accent follows its e, which then is not the last character, so it is not silent.
    letters = unicodedata.normalize("NFKD", word.lower())
    spoken = letters if _SPOKEN_END.search(letters) else _SILENT_END.sub("", letters)
    return max(len(_VOWEL_GROUPS.findall(spoken)), 1)
