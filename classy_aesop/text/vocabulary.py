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

from classy_aesop.text.arrays import Growing, IntArray, one_of_each, run_sizes, run_sums
from classy_aesop.text.tokens import items_of, stop_words

Keys = NDArray[np.uint64]
_N_BYTES = 16
_BITS = 18  # of the number of a slot
_SPREAD, _MIX = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)  # odd, with bits all over
_MASKS = b"".join((b"\xff" * n).ljust(_N_BYTES, b"\0") for n in (*range(_N_BYTES + 1), 0))

_FIRST_BYTES, _SECOND_BYTES = np.frombuffer(_MASKS, np.uint64).reshape(-1, 2).T.copy()
"""Masks of the bytes that belong to a word of 0 to 16 bytes; the last ones, for longer words, mask all bytes out."""

_NOBODY = 0xFFFFFFFFFFFFFFFF  # no bytes of UTF-8

_CLEANED = {code: " " if chr(code).isspace() else "\x7f" for code in range(ord(" "))}
"""Control characters: those that are white space separate words, and the others become one above the blank."""


@dataclass(frozen=True)
class Words:
    """The positions of the words of lines, which are separated by blanks (U+0020) and controls that are white space."""

    coded: bytes  # in UTF-8, each line between two line feeds, and 16 blanks
    start: IntArray  # (n_words,): first byte
    length: IntArray  # (n_words,): bytes
    line_stops: IntArray  # (n_lines,): number of words before the end of each

    @classmethod
    def of(cls, lines: Sequence[str]) -> Words:
        """Find the words of lines; a line feed in one is a blank."""
        coded = "\n".join(["", *lines, " " * _N_BYTES]).encode("utf-8", "surrogatepass")
        codes = np.frombuffer(coded, np.uint8, len(coded) - _N_BYTES)
        gap = np.flatnonzero(codes <= ord(" "))
        is_line_feed = codes.take(gap) < ord(" ")
        if np.count_nonzero(is_line_feed) > len(lines) + 1:
            return cls.of([line.translate(_CLEANED) for line in lines])
        start, line_stops = gap[:-1] + 1, np.flatnonzero(is_line_feed[1:]) + 1
        length = gap[1:] - start
        is_word = length > 0
        if not is_word.all():
            line_stops = np.cumsum(is_word, dtype=np.intp)[line_stops - 1]
            start, length = start[is_word], length[is_word]
        return cls(coded, start, length, line_stops)

    @cached_property
    def keys(self) -> tuple[Keys, Keys]:
        """The first and the second eight bytes of each word; zeros for a word of more than 16 bytes."""
        n_windows = len(self.coded) - _N_BYTES + 1
        window = np.ndarray(n_windows, f"V{_N_BYTES}", self.coded, strides=(1,))[self.start]
        first, second = window.view(np.uint64).reshape(-1, 2).T
        length = np.minimum(self.length, _N_BYTES + 1)
        return first & _FIRST_BYTES.take(length), second & _SECOND_BYTES.take(length)

    def spelled(self, which: IntArray) -> list[str]:
        """Give some of the words as text."""
        start = self.start[which]
        places = zip(start.tolist(), (start + self.length[which]).tolist(), strict=True)
        return [self.coded[first:stop].decode("utf-8", "surrogatepass") for first, stop in places]


class KnownWords:
    """The hash table, from words to their numbers."""

    def __init__(self) -> None:
        self._place = np.zeros(1 << _BITS, np.int32)  # of the word that has the slot in the lists below
        self._first, self._second = Growing(np.uint64, [_NOBODY]), Growing(np.uint64, [0])
        self._numbers = Growing(np.intp, [0])

    def numbers(self, words: Words, ask: Callable[[str], int]) -> IntArray:
        """Give the number of each word; ``ask`` is called for the numbers of unknown words."""
        first, second = words.keys
        slot = self._slots(first, second)
        numbers, is_known = self._held(first, second, slot)
        unknown = np.flatnonzero(~is_known)
        if unknown.size:
            if self._learn(words, unknown, slot[unknown], ask):
                numbers[unknown], is_known = self._held(first[unknown], second[unknown], slot[unknown])
                unknown = unknown[~is_known]
            numbers[unknown] = list(map(ask, words.spelled(unknown)))
        return numbers

    def _slots(self, first: Keys, second: Keys) -> IntArray:
        """The slot of each word: the highest bits of a product, which depend on all bytes."""
        mixed = (first ^ second * _MIX) * _SPREAD
        return (mixed >> np.uint64(64 - _BITS)).view(np.intp)

    def _held(self, first: Keys, second: Keys, slot: IntArray) -> tuple[IntArray, NDArray[np.bool_]]:
        """Numbers in the slots of words, and whether each slot belongs to the word."""
        place = self._place.take(slot).astype(np.intp)
        is_same = self._first.values.take(place) == first
        is_same &= self._second.values.take(place) == second
        return self._numbers.values.take(place), is_same

    def _learn(self, words: Words, new: IntArray, slot: IntArray, ask: Callable[[str], int]) -> bool:
        """Give each free slot to one of the new words that hash to it, and say whether there was one."""
        first, second = (keys[new] for keys in words.keys)
        free = np.flatnonzero((self._place[slot] == 0) & (first != 0))
        if not free.size:
            return False
        free = free.compress(one_of_each(slot[free]))
        numbers = list(map(ask, words.spelled(new[free])))
        self._place[slot[free]] = np.arange(len(self._numbers), len(self._numbers) + free.size)
        self._first.extend(first[free])
        self._second.extend(second[free])
        self._numbers.extend(numbers)
        return True


Values = NDArray[np.float64]


class WordTypes(dict[str, int]):
    """The number of each distinct word, in the order of their first occurrence (``spelled``); shared by many topics."""

    def __init__(self) -> None:
        super().__init__()
        self.spelled: list[str] = []
        self._values: dict[Callable[[str], float], Growing[np.float64]] = {}

    def __missing__(self, word: str) -> int:
        self.spelled.append(word)
        return self.setdefault(word, len(self))

    def values_of(self, function: Callable[[str], float]) -> Values:
        """Value of a function for each distinct word so far; it is called once for each of them."""
        held = self._values.setdefault(function, Growing(np.float64))
        if len(held) < len(self):
            held.extend(list(map(function, self.spelled[len(held) :])))
        return held.values


Read = Callable[[Sequence[str]], Iterable[Sequence[int]]]
"""Finds the parts of each of several chunks, as numbers."""


class Parts:
    """The parts of each distinct chunk, as numbers, one chunk after another."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._starts, self._sizes, self._numbers = Growing(np.intp), Growing(np.intp), Growing(np.intp)

    def of(self, chunk: IntArray, spelled: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Give the parts of chunks, of all those ``spelled``, and how many come before each chunk and the end."""
        if len(self._sizes) < len(spelled):
            numbers = list(self._read(spelled[len(self._sizes) :]))
            sizes = np.fromiter(map(len, numbers), np.intp)
            self._starts.extend(len(self._numbers) + np.cumsum(sizes) - sizes)
            self._sizes.extend(sizes)
            self._numbers.extend(list(chain.from_iterable(numbers)))
        n_parts, before = self._sizes.values.take(chunk), np.zeros(chunk.size + 1, np.intp)
        np.cumsum(n_parts, out=before[1:])
        place = np.repeat(self._starts.values.take(chunk) - before[:-1], n_parts)
        place += np.arange(place.size)
        return self._numbers.values.take(place), before


class ChunkTypes(WordTypes):
    """The number of each distinct chunk, in the order in which they are met; shared by many topics.

    ``tokens_of`` finds the numbers of the tokens of chunks.
    """

    def __init__(self, tokens_of: Read) -> None:
        super().__init__()
        self.n_characters = 0
        self.known = KnownWords()
        self.words = WordTypes()
        self.tokens = Parts(tokens_of)
        self.written = Parts(partial(items_of, numbers=self.words))

    def __missing__(self, chunk: str) -> int:
        self.n_characters += len(chunk)
        return super().__missing__(chunk)


@dataclass(frozen=True)
class Chunks:
    """The chunks of several texts, one after another."""

    chunk: IntArray  # their numbers in ``types``
    stops: IntArray  # place after the last chunk of each sentence, empty ones included
    text_of_sentence: IntArray  # ascending
    n_texts: int
    types: ChunkTypes

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]], types: ChunkTypes) -> Chunks:
        """Find the chunks of texts, each given as its sentences."""
        words = Words.of(list(chain.from_iterable(texts)))
        text = np.repeat(np.arange(len(texts)), np.fromiter(map(len, texts), np.intp, len(texts)))
        return cls(types.known.numbers(words, types.__getitem__), words.line_stops, text, len(texts), types)

    def select(self, is_wanted: NDArray[np.bool_]) -> Chunks:
        """Keep some of the texts, given a mark for each of them."""
        sizes = np.diff(self.stops, prepend=0)
        is_of_text = is_wanted.take(self.text_of_sentence)
        chunk = self.chunk.compress(np.repeat(is_of_text, sizes))
        text = (np.cumsum(is_wanted) - 1).take(self.text_of_sentence.compress(is_of_text))
        stops = np.cumsum(sizes.compress(is_of_text))
        return Chunks(chunk, stops, text, int(is_wanted.sum()), self.types)

    @cached_property
    def letters(self) -> NDArray[np.intp]:
        """Numbers of letters outside ASCII, which ROUGE's tokenizer drops, and of all letters, shape (n_texts, 2)."""
        n_sentences = run_sizes(self.text_of_sentence, self.n_texts)
        n_chunks = run_sums(np.diff(self.stops, prepend=0), n_sentences)
        counts = (self.types.values_of(function).take(self.chunk) for function in (_n_foreign, _n_letters))
        return np.stack([run_sums(values.astype(np.intp), n_chunks) for values in counts], axis=1)

    def tokens(self) -> tuple[IntArray, IntArray]:
        """Numbers of the tokens, and how many each sentence has."""
        return self._parts(self.types.tokens)

    def items(self) -> tuple[IntArray, IntArray]:
        """Numbers of the words and marks, and how many each sentence has."""
        return self._parts(self.types.written)

    def _parts(self, parts: Parts) -> tuple[IntArray, IntArray]:
        numbers, before = parts.of(self.chunk, self.types.spelled)
        lengths = before.take(self.stops)
        lengths[1:] -= lengths[:-1].copy()
        return numbers, lengths


def _n_letters(chunk: str) -> int:
    return len(chunk) if chunk.isalpha() else sum(map(str.isalpha, chunk))


def _n_foreign(chunk: str) -> int:
    """Number of letters outside ASCII."""
    return 0 if chunk.isascii() else sum(one.isalpha() and not one.isascii() for one in chunk)


_MOST_WORDS, _CHARACTERS_PER_WORD = 1 << 17, 16


class Vocabulary(dict[str, int]):
    """Twice the id of each token's stem, plus 1 for a stop word; shared by many topics.

    Ids are in the order of the stems' first occurrence. A stop word and another token may have the same stem.
    ``blanked`` is a tokenizer of `tokens.TOKENIZERS`; ``stem`` is called once for each distinct token.
    """

    def __init__(self, blanked: Callable[[str], str], stem: Callable[[str], str] | None = None) -> None:
        super().__init__()
        self.blanked = blanked
        self.stem = stem
        self.ids: dict[str, int] = {}
        self.chunks = ChunkTypes(self._tokens_of)

    def __missing__(self, token: str) -> int:
        term = token if self.stem is None else self.stem(token)
        return self.setdefault(token, 2 * self.ids.setdefault(term, len(self.ids)) + (token in stop_words()))

    def _tokens_of(self, chunks: Sequence[str]) -> list[list[int]]:
        """Numbers of the tokens of chunks."""
        lines = self.blanked("\n".join(chunks)).split("\n")
        return [[self[token] for token in line.split()] for line in lines]

    def read(self, texts: Sequence[Sequence[str]]) -> Chunks:
        """Find the chunks of texts, each its sentences; a very large vocabulary is emptied before."""
        n_characters = self.chunks.n_characters
        sizes = len(self), len(self.chunks), len(self.chunks.words), n_characters // _CHARACTERS_PER_WORD
        if max(sizes) > _MOST_WORDS:
            self.clear()
            self.ids.clear()
            self.chunks = ChunkTypes(self._tokens_of)
        return Chunks.of(texts, self.chunks)
