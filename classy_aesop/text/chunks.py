"""Texts as the numbers of their chunks, the strings between two blanks, such as a word with the marks around it.

A chunk has its tokens, and its words and marks as they are written, whatever is around it. They are found once for each
distinct chunk; those of whole texts are then looked up together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from classy_aesop.text.growing import Growing
from classy_aesop.text.items import items_of
from classy_aesop.text.known_words import IntArray, KnownWords, Words
from classy_aesop.text.word_types import WordTypes

Read = Callable[[Sequence[str]], Iterable[Sequence[int]]]
"""Finds the parts of each of several chunks, as numbers."""


class Parts:
    """The parts of each distinct chunk, as numbers, one chunk after another."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._stops = Growing(np.intp, [0])  # of each chunk, after a 0
        self._numbers = Growing(np.intp)

    def of(self, chunk: IntArray, spelled: Sequence[str]) -> tuple[IntArray, IntArray]:
        """Give the parts of chunks, one after another, and how many those before each chunk and before the end have.

        ``spelled`` are all distinct chunks; those that were not there before are read.
        """
        if len(self._stops) <= len(spelled):
            numbers = list(self._read(spelled[len(self._stops) - 1 :]))
            self._stops.extend(len(self._numbers) + np.cumsum(list(map(len, numbers))))
            self._numbers.extend(list(chain.from_iterable(numbers)))
        stops = self._stops.values
        start = stops.take(chunk)
        n_parts = stops.take(chunk + 1) - start
        before = np.zeros(chunk.size + 1, np.intp)
        np.cumsum(n_parts, out=before[1:])
        place = np.repeat(start - before[:-1], n_parts)
        place += np.arange(place.size)
        return self._numbers.values.take(place), before


class ChunkTypes(WordTypes):
    """The number of each distinct chunk, in the order in which they are met; shared by many topics.

    Parameters
    ----------
    tokens_of : callable
        Finds the numbers of the tokens of chunks.

    Attributes
    ----------
    spelled : list of str
        The distinct chunks, as those of `WordTypes`.
    n_characters : int
        How many characters they have.
    known : KnownWords
        A second index of most chunks, which finds those of a whole text at once.
    words : WordTypes
        The words in chunks, as they are written.
    tokens, written : Parts
        The tokens of chunks; their words and marks of `items.items_of`.
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
    """The chunks of several texts, one after another.

    Parameters
    ----------
    chunk : array of int
        The number of each chunk in ``types``.
    stops : array of int
        Place after the last chunk of each sentence, empty ones included.
    text_of_sentence : array of int
        The text of each sentence, ascending.
    n_texts : int
        Number of texts.
    types : ChunkTypes
        The distinct chunks.
    """

    chunk: IntArray
    stops: IntArray
    text_of_sentence: IntArray
    n_texts: int
    types: ChunkTypes

    @classmethod
    def of(cls, texts: Sequence[Sequence[str]], types: ChunkTypes) -> Chunks:
        """Find the chunks of texts, each given as its sentences."""
        words = Words.of(list(chain.from_iterable(texts)))
        text = np.repeat(np.arange(len(texts)), np.fromiter(map(len, texts), np.intp, len(texts)))
        return cls(types.known.numbers(words, types.__getitem__), words.line_stops, text, len(texts), types)

    def part(self, first: int, last: int) -> Chunks:
        """Keep the texts from ``first`` to before ``last``."""
        low, high = np.searchsorted(self.text_of_sentence, (first, last)).tolist()
        start = int(self.stops[low - 1]) if low else 0
        stops, text = self.stops[low:high] - start, self.text_of_sentence[low:high] - first
        n_chunks = int(stops[-1]) if stops.size else 0
        return Chunks(self.chunk[start : start + n_chunks], stops, text, last - first, self.types)

    @property
    def letters(self) -> tuple[int, int]:
        """Numbers of letters outside ASCII, which ROUGE's tokenizer drops, and of all letters."""
        foreign, every = (
            self.types.values_of(one).take(self.chunk).sum() for one in (_n_foreign, _n_letters)
        )
        return int(foreign), int(every)

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


def joined_chunks(parts: Sequence[Chunks]) -> Chunks:
    """Put texts one after another whose chunks have the same types, at least of one."""
    n_chunks, n_texts = np.cumsum([[0, 0], *((part.chunk.size, part.n_texts) for part in parts)], axis=0).T
    text = [part.text_of_sentence + before for part, before in zip(parts, n_texts, strict=False)]
    return Chunks(
        np.concatenate([part.chunk for part in parts]),
        np.concatenate([part.stops + before for part, before in zip(parts, n_chunks, strict=False)]),
        np.concatenate(text),
        int(n_texts[-1]),
        parts[-1].types,
    )


def _n_letters(chunk: str) -> int:
    return len(chunk) if chunk.isalpha() else sum(map(str.isalpha, chunk))


def _n_foreign(chunk: str) -> int:
    """Number of letters outside ASCII."""
    return 0 if chunk.isascii() else sum(one.isalpha() and not one.isascii() for one in chunk)
