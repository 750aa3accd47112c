"""The vocabulary of many topics: what each distinct word, and each distinct chunk of text, is made of.

A chunk is what stands between two blanks, such as a word with the marks around it. It has its tokens, and its words and
marks as they are written, whatever is around it: they are found once, and those of whole texts are looked up together.

`KnownWords` is a hash table that looks up all words of a text at once, without a Python object for each. A word of at
most 16 bytes of UTF-8 is stored exactly, as two 64-bit integers. These determine its slot in the table, and the slot
stores them again, so two words are never confused. A slot belongs to the first word that gets it. Words that are
longer, or whose slot is taken, are looked up in Python each time: of 30,000 words about one in eighteen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from classy_aesop.text.arrays import (
    HASH_MULTIPLIER,
    Floats,
    GrowingArray,
    IndexArray,
    mark_first_occurrences,
)
from classy_aesop.text.tokens import find_items, stop_words

Keys = NDArray[np.uint64]
_N_BYTES = 16
_BITS = 18  # of the number of a slot
_MIXING_MULTIPLIER = np.uint64(0xC2B2AE3D27D4EB4F)  # odd, with bits all over
_MASKS = b"".join((b"\xff" * n_bytes).ljust(_N_BYTES, b"\0") for n_bytes in (*range(_N_BYTES + 1), 0))

_FIRST_BYTES, _SECOND_BYTES = np.frombuffer(_MASKS, np.uint64).reshape(-1, 2).T.copy()
"""Masks of the bytes that belong to a word of 0 to 16 bytes; the last ones, for longer words, mask all bytes out."""

_NO_WORD_KEY = 0xFFFFFFFFFFFFFFFF  # no bytes of UTF-8

_CLEANED = {code: " " if chr(code).isspace() else "\x7f" for code in range(ord(" "))}
"""Control characters: those that are white space separate words, and the others become one above the blank."""


@dataclass(frozen=True)
class Words:
    """The positions of the words of lines, which are separated by blanks (U+0020) and controls that are white space."""

    coded: bytes  # in UTF-8, each line between two line feeds, and 16 blanks
    start: IndexArray  # (n_words,): first byte
    length: IndexArray  # (n_words,): bytes
    line_stops: IndexArray  # (n_lines,): number of words before the end of each

    @classmethod
    def from_lines(cls, lines: Sequence[str]) -> Words:
        """Find the words of lines; a line feed in one is a blank."""
        coded = "\n".join(["", *lines, " " * _N_BYTES]).encode("utf-8", "surrogatepass")
        codes = np.frombuffer(coded, np.uint8, len(coded) - _N_BYTES)
        gap = np.flatnonzero(codes <= ord(" "))
        is_line_feed = codes.take(gap) < ord(" ")
        if np.count_nonzero(is_line_feed) > len(lines) + 1:
            return cls.from_lines([line.translate(_CLEANED) for line in lines])
        start = gap[:-1] + 1
        line_stops = np.flatnonzero(is_line_feed[1:]) + 1
        length = gap[1:] - start
        is_word = length > 0
        if not is_word.all():
            line_stops = np.cumsum(is_word, dtype=np.intp)[line_stops - 1]
            start = start[is_word]
            length = length[is_word]
        return cls(coded, start, length, line_stops)

    @cached_property
    def keys(self) -> tuple[Keys, Keys]:
        """The first and the second eight bytes of each word; zeros for a word of more than 16 bytes."""
        n_windows = len(self.coded) - _N_BYTES + 1
        window = np.ndarray(n_windows, f"V{_N_BYTES}", self.coded, strides=(1,))[self.start]
        first, second = window.view(np.uint64).reshape(-1, 2).T
        length = np.minimum(self.length, _N_BYTES + 1)
        return first & _FIRST_BYTES.take(length), second & _SECOND_BYTES.take(length)

    def decode(self, words: IndexArray) -> list[str]:
        """Give some of the words as text."""
        starts = self.start[words]
        bounds = zip(starts.tolist(), (starts + self.length[words]).tolist(), strict=True)
        return [self.coded[start:stop].decode("utf-8", "surrogatepass") for start, stop in bounds]


class KnownWords:
    """A hash table from words to their numbers."""

    def __init__(self) -> None:
        self._place = np.zeros(1 << _BITS, np.int32)  # of the word that has the slot in the lists below
        self._first = GrowingArray(np.uint64, [_NO_WORD_KEY])
        self._second = GrowingArray(np.uint64, [0])
        self._numbers = GrowingArray(np.intp, [0])

    def find_numbers(self, words: Words, number_word: Callable[[str], int]) -> IndexArray:
        """Find the number of each word; ``number_word`` is called for the numbers of unknown words."""
        first, second = words.keys
        slot = self._hash_keys(first, second)
        numbers, is_known = self._look_up(first, second, slot)
        unknown = np.flatnonzero(~is_known)
        if unknown.size:
            if self._learn(words, unknown, slot[unknown], number_word):
                numbers[unknown], is_known = self._look_up(first[unknown], second[unknown], slot[unknown])
                unknown = unknown[~is_known]
            numbers[unknown] = list(map(number_word, words.decode(unknown)))
        return numbers

    def _hash_keys(self, first: Keys, second: Keys) -> IndexArray:
        """Give the slot of each word: the highest bits of a product, which depend on all bytes."""
        mixed = (first ^ second * _MIXING_MULTIPLIER) * HASH_MULTIPLIER
        return (mixed >> np.uint64(64 - _BITS)).view(np.intp)

    def _look_up(self, first: Keys, second: Keys, slot: IndexArray) -> tuple[IndexArray, NDArray[np.bool_]]:
        """Give the numbers in the slots of words, and whether each slot belongs to the word."""
        place = self._place.take(slot).astype(np.intp)
        is_same = self._first.values.take(place) == first
        is_same &= self._second.values.take(place) == second
        return self._numbers.values.take(place), is_same

    def _learn(
        self, words: Words, new: IndexArray, slot: IndexArray, number_word: Callable[[str], int]
    ) -> bool:
        """Give each free slot to one of the new words that hash to it, and say whether there was one."""
        first_of_words, second_of_words = words.keys
        first = first_of_words[new]
        second = second_of_words[new]
        free = np.flatnonzero((self._place[slot] == 0) & (first != 0))
        if not free.size:
            return False
        free = free.compress(mark_first_occurrences(slot[free]))
        numbers = list(map(number_word, words.decode(new[free])))
        self._place[slot[free]] = np.arange(len(self._numbers), len(self._numbers) + free.size)
        self._first.extend(first[free])
        self._second.extend(second[free])
        self._numbers.extend(numbers)
        return True


class WordTypes(dict[str, int]):
    """The number of each distinct word, in the order of first occurrence (``spellings``); shared by many topics."""

    def __init__(self) -> None:
        super().__init__()
        self.spellings: list[str] = []
        self._values: dict[Callable[[str], float], GrowingArray[np.float64]] = {}

    def __missing__(self, word: str) -> int:
        self.spellings.append(word)
        return self.setdefault(word, len(self))

    def values_of(self, function: Callable[[str], float]) -> Floats:
        """Give the value of a function for each distinct word so far; it is called once for each of them."""
        known_values = self._values.setdefault(function, GrowingArray(np.float64))
        if len(known_values) < len(self):
            known_values.extend(list(map(function, self.spellings[len(known_values) :])))
        return known_values.values


FindParts = Callable[[Sequence[str]], Iterable[Sequence[int]]]
"""Finds the parts of each of several chunks, as numbers."""


class ChunkParts:
    """The parts of each distinct chunk, as numbers, one chunk after another."""

    def __init__(self, find_parts: FindParts) -> None:
        self._find_parts = find_parts
        self._starts = GrowingArray(np.intp)
        self._sizes = GrowingArray(np.intp)
        self._numbers = GrowingArray(np.intp)

    def look_up(self, chunk: IndexArray, spellings: Sequence[str]) -> tuple[IndexArray, IndexArray]:
        """Give the parts of chunks, and how many come before each chunk and the end; new ``spellings`` are read."""
        if len(self._sizes) < len(spellings):
            numbers = list(self._find_parts(spellings[len(self._sizes) :]))
            sizes = np.fromiter(map(len, numbers), np.intp)
            self._starts.extend(len(self._numbers) + np.cumsum(sizes) - sizes)
            self._sizes.extend(sizes)
            self._numbers.extend(list(chain.from_iterable(numbers)))
        n_parts = self._sizes.values.take(chunk)
        n_before = np.zeros(chunk.size + 1, np.intp)
        np.cumsum(n_parts, out=n_before[1:])
        place = np.repeat(self._starts.values.take(chunk) - n_before[:-1], n_parts)
        place += np.arange(place.size)
        return self._numbers.values.take(place), n_before


class ChunkTypes(WordTypes):
    """The number of each distinct chunk, in the order of first occurrence; shared by many topics."""

    def __init__(self, find_tokens: FindParts) -> None:
        super().__init__()
        self.n_characters = 0
        self.known = KnownWords()
        self.words = WordTypes()
        self.tokens = ChunkParts(find_tokens)
        self.written = ChunkParts(partial(find_items, numbers=self.words))

    def __missing__(self, chunk: str) -> int:
        self.n_characters += len(chunk)
        return super().__missing__(chunk)


@dataclass(frozen=True)
class Chunks:
    """The chunks of several texts, one after another."""

    chunk: IndexArray  # their numbers in ``types``
    stops: IndexArray  # place after the last chunk of each sentence, empty ones included
    text_of_sentence: IndexArray  # ascending
    n_texts: int
    types: ChunkTypes

    @classmethod
    def from_texts(cls, texts: Sequence[Sequence[str]], types: ChunkTypes) -> Chunks:
        """Find the chunks of texts, each given as its sentences."""
        words = Words.from_lines(list(chain.from_iterable(texts)))
        n_sentences = np.fromiter(map(len, texts), np.intp, len(texts))
        text_of_sentence = np.repeat(np.arange(len(texts)), n_sentences)
        numbers = types.known.find_numbers(words, types.__getitem__)
        return cls(numbers, words.line_stops, text_of_sentence, len(texts), types)

    def select_texts(self, is_selected: NDArray[np.bool_]) -> Chunks:
        """Keep some of the texts, given a mark for each of them."""
        sizes = np.diff(self.stops, prepend=0)
        is_of_text = is_selected.take(self.text_of_sentence)
        chunk = self.chunk.compress(np.repeat(is_of_text, sizes))
        text = (np.cumsum(is_selected) - 1).take(self.text_of_sentence.compress(is_of_text))
        stops = np.cumsum(sizes.compress(is_of_text))
        return Chunks(chunk, stops, text, int(is_selected.sum()), self.types)

    def tokens(self) -> tuple[IndexArray, IndexArray]:
        """Give the numbers of the tokens, and how many each sentence has."""
        return self._look_up_parts(self.types.tokens)

    def items(self) -> tuple[IndexArray, IndexArray]:
        """Give the numbers of the words and marks, and how many each sentence has."""
        return self._look_up_parts(self.types.written)

    def _look_up_parts(self, parts: ChunkParts) -> tuple[IndexArray, IndexArray]:
        """Give the numbers of the chunks' parts, and how many each sentence has."""
        numbers, n_before = parts.look_up(self.chunk, self.types.spellings)
        lengths = n_before.take(self.stops)
        lengths[1:] -= lengths[:-1].copy()
        return numbers, lengths


_MAX_WORDS = 1 << 17
"""Most words of a vocabulary, before it is emptied."""

_CHARACTERS_PER_WORD = 16
"""So many characters of chunks count as a word."""


class Vocabulary(dict[str, int]):
    """Twice the id of each token's stem, plus 1 for a stop word; shared by many topics.

    Ids are in the order of the stems' first occurrence. A stop word and another token may have the same stem.
    """

    def __init__(self, blank: Callable[[str], str], stem: Callable[[str], str] | None = None) -> None:
        super().__init__()
        self.blank = blank
        self.stem = stem
        self.ids: dict[str, int] = {}
        self.chunks = ChunkTypes(self._find_tokens)

    def __missing__(self, token: str) -> int:
        term = token if self.stem is None else self.stem(token)
        return self.setdefault(token, 2 * self.ids.setdefault(term, len(self.ids)) + (token in stop_words()))

    def _find_tokens(self, chunks: Sequence[str]) -> list[list[int]]:
        """Give the numbers of the tokens of chunks."""
        lines = self.blank("\n".join(chunks)).split("\n")
        return [[self[token] for token in line.split()] for line in lines]

    def read(self, texts: Sequence[Sequence[str]]) -> Chunks:
        """Find the chunks of texts, each its sentences; a very large vocabulary is emptied before."""
        n_characters = self.chunks.n_characters
        sizes = len(self), len(self.chunks), len(self.chunks.words), n_characters // _CHARACTERS_PER_WORD
        if max(sizes) > _MAX_WORDS:
            self.clear()
            self.ids.clear()
            self.chunks = ChunkTypes(self._find_tokens)
        return Chunks.from_texts(texts, self.chunks)
