"""Words and punctuation marks of texts as they are written, with the capitals and marks that tokens lack.

A word is a sequence of characters that are neither blanks nor marks; ``don't``, ``3,000`` and ``U.S`` are one word
each, ``well-known`` is two. Everything else is a mark. The Penn Treebank's codes for quotation marks and brackets
(`` `` ``, ``-LRB-``) are read as these marks. Sentences without a word are ignored.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np

from classy_aesop.text.counts import Floats, IntArray

CAPITALIZED, OTHER = "C", "w"
"""The characters for words in a sentence's shape."""

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

_PLANE = 0x10000  # a character class with many characters above it is slow
_PICTOGRAPHS = "\U0001f000-\U0001faff"


class Sentence(NamedTuple):
    """The words of a sentence, and its shape: its marks, with `CAPITALIZED` or `OTHER` in place of each word."""

    words: list[str]
    shape: str


def as_written(sentence: str) -> Sentence:
    """Find the words and the shape of a sentence.

    Examples
    --------
    >>> as_written("The U.S. didn't pay $3,000 -LRB- why? -RRB-.")
    Sentence(words=['The', 'U.S', "didn't", 'pay', '3,000', 'why'], shape='CC.ww$w(w?).')
    """
    words, shape = [], []
    for piece in _pieces().finditer(sentence):
        word = piece[1]
        if word is None:
            shape.append(_TREEBANK.get(piece[0].lower(), piece[0]))
        else:
            words.append(word)
            shape.append(CAPITALIZED if word[0].isupper() else OTHER)
    return Sentence(words, "".join(shape))


@lru_cache(maxsize=1)
def _pieces() -> re.Pattern[str]:
    """Pattern that matches a mark, or matches and captures a word."""
    every = map(chr, range(_PLANE))
    mark = re.escape("".join(one for one in every if unicodedata.category(one)[0] in "PS")) + _PICTOGRAPHS
    letter = rf"[^\s{mark}]"
    inner = rf"['’](?={letter})|(?<=\d)[.,](?=\d)|(?<=\b\w)\.(?=\w\b)"
    return re.compile(rf"-[LRlr][RCSrcs][Bb]-|``|''|({letter}(?:{letter}|{inner})*)|[{mark}]")


@dataclass(frozen=True)
class Writing:
    """Several texts as they are written, analysed on first use.

    Parameters
    ----------
    texts : sequence of sequences of str
        The sentences of each text.
    """

    texts: Sequence[Sequence[str]]

    @cached_property
    def sentences(self) -> list[list[Sentence]]:
        """The sentences of each text that have a word."""
        return [[found for found in map(as_written, text) if found.words] for text in self.texts]

    @cached_property
    def text(self) -> IntArray:
        """The text of each sentence, ascending."""
        return np.repeat(np.arange(len(self.texts)), np.fromiter(map(len, self.sentences), np.intp))

    @cached_property
    def n_words(self) -> IntArray:
        """Number of words of each text, shape (n_texts,)."""
        n_words: IntArray = self.total(lambda sentence: len(sentence.words)).astype(np.intp)
        return n_words

    def total(self, value: Callable[[Sentence], float]) -> Floats:
        """Sum of a number over the sentences of each text, shape (n_texts,); 0 for a text without words."""
        values = np.fromiter(map(value, chain.from_iterable(self.sentences)), float, self.text.size)
        total: Floats = np.bincount(self.text, values, len(self.texts)).astype(float)
        return total

    def per_sentence(self, value: Callable[[Sentence], float]) -> Floats:
        """Mean of a number over the sentences of each text; 0 for a text without words."""
        return self.total(value) / np.maximum(np.bincount(self.text, minlength=len(self.texts)), 1)

    def per_word(self, value: Callable[[str], float], among: Callable[[str], bool] = bool) -> Floats:
        """Mean of a number over the words of each text, or some of them; 0 if there are none.

        Parameters
        ----------
        value : callable
            Takes a word and returns its number.
        among : callable
            Whether a word counts; by default all do.
        """
        total = self.total(lambda sentence: sum(map(value, filter(among, sentence.words))))
        count = self.total(lambda sentence: sum(map(among, sentence.words)))
        return total / np.maximum(count, 1)
